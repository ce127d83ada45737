"""What is hidden stays hidden: a game is played twice, alike but for a secret, and nobody else's letters may differ in anything.

Compared are whole mails, headers and all, but for what is drawn anew each time: secret reply addresses, codes, borders of parts.
"""

import email
import re
from dataclasses import dataclass, field
from datetime import timedelta
from email import policy
from pathlib import Path

from tests.support.circle import JUDGE, POWERS, Circle, address_of
from tests.support.table import Table

MASTER = "gm@masters.example"
NORA = "nora@spare.example"
OTHERS = (*(address_of(power) for power in POWERS if power not in ("FRANCE", "ITALY")), NORA)
_DRAWN = (
    (re.compile(r"(\+|%2B)danube\.[a-z0-9]+"), "+danube.<secret>"),
    (re.compile(r"bounces\S+|boundary=\S+"), "<drawn>"),
    (re.compile(r"\.[a-z0-9]{12}b?@"), ".<mark>@"),
    (re.compile(r"[a-z0-9]{5}-[a-z0-9]{5}"), "<code>"),
    (re.compile(r"<m\d+@"), "<m@"),  # the ids of the reader's own mails, which the table counts
)


@dataclass
class Person:
    """One player with everything that could give the player away."""

    address: str
    wishes: str = ""
    headers: str = ""
    pause: timedelta = timedelta(0)


MARIE = Person("marie@alpha.example", "SET NAME Marie Dubois\nSET LANGUAGE en\nSET ZONE Europe/Paris")
ZOLTAN = Person(
    "zoltan.kovacs@beta.example",
    "SET NAME Zoltan Kovacs\nSET LANGUAGE hu\nSET ZONE Asia/Tokyo\nSET NOTATION LONG\nSET DIGEST ON",
    "X-Mailer: Pigeon 3.1\r\nReferences: <private-thread@beta.example>\r\nReply-To: zk@gamma.example\r\n",
    timedelta(minutes=7),
)


@dataclass
class Played:
    """A gunboat game with France and Italy played by these people, and the mails everybody got."""

    folder: Path
    france: Person
    italy: Person
    options: str = "gunboat press mixed votes secret early no misses 0"
    circle: Circle = field(init=False)

    def __post_init__(self) -> None:
        self.circle = Circle(Table(self.folder))
        self.people = {power: address_of(power) for power in POWERS} | {"FRANCE": self.france.address, "ITALY": self.italy.address}
        self.circle.join(MASTER, f"CREATE danube {self.options}")
        for power in POWERS:
            self.circle.join(self.people[power], f"SIGNON danube {power}")
        self.circle.join(NORA, "OBSERVE danube")
        for power, person in (("FRANCE", self.france), ("ITALY", self.italy)):
            self.write(power, person.wishes)

    def write(self, power: str, text: str) -> None:
        """A mail of a power, some time after the hour as its player is used to, with the headers of that player's program."""
        person = {"FRANCE": self.france, "ITALY": self.italy}.get(power, Person(self.people.get(power, power)))
        pause = timedelta(0) if "PRESS" in text or "BROADCAST" in text else person.pause  # messages are passed on as they come
        self.circle.table.clock.at += pause
        self.circle.write(person.address, text, headers=person.headers)
        self.circle.table.clock.at -= pause

    def wait(self, span: timedelta) -> None:
        self.circle.table.wait(span)
        self.circle.learn(self.circle.table.new())

    def look(self) -> None:
        """Everybody else asks for everything."""
        for who in (*(power for power in POWERS if power not in ("FRANCE", "ITALY")), NORA):
            self.write(who, "WHO\nLOG\nHISTORY\nSUMMARY\nSTATUS\nSETTINGS\nLIST danube\nMY GAMES\nVOTE KEEP MASTER\nEJECT FRANCE\nPREDICT")
            self.write(who, "GAME danube\nPRESS TO NOBODY\nhello\nENDPRESS")
        for text in ("WHO danube", "SUMMARY danube", "LIST danube", "SIGNON danube FRANCE"):
            self.circle.table.mail("stranger@world.example", JUDGE, text)
            self.circle.table.new()

    def mails(self, address: str) -> list[list[str]]:
        """Everything an address got, in order: each header and each line as a mail program has them, without what is drawn anew."""
        return [_lines(raw) for _, to, raw in self.circle.table.sink.sent if to == address]


def _lines(raw: bytes) -> list[str]:
    """A mail in lines."""
    message = email.message_from_bytes(raw, policy=policy.default)
    found = [f"{name}: {value}" for name, value in message.items()]
    for part in message.walk():
        if not part.is_multipart():
            content = part.get_content()
            found.extend([part.get_content_type(), *(content.splitlines() if isinstance(content, str) else [repr(content)])])
    for pattern, stands_for in _DRAWN:
        found = [pattern.sub(stands_for, line) for line in found]
    return found


def everything(game: Played) -> None:
    """France does what a player can do; none of it is anybody else's business but the messages."""
    game.write("FRANCE", "PRESS GREY TO GERMANY\nShall we meet in Burgundy?\nENDPRESS")
    game.write("FRANCE", "BROADCAST\nGood luck.\nENDBROADCAST")
    game.write("FRANCE", "A Par - Bur\nA Mar - Spa\nF Bre - MAO")
    game.write("FRANCE", "DRAW\nDIARY RECORD\nstab them\nENDNOTE\nMUTE TURKEY\nNEW ADDRESS\nRECEIPTS")
    game.write("FRANCE", "PHASE F1901M\nA Bur - Bel")
    game.write("FRANCE", "EJECT GERMANY\nFROBNICATE\nA Ber - Kie")
    game.write("GERMANY", "PRESS TO FRANCE\nYes.\nENDPRESS")
    game.look()
    game.wait(timedelta(days=4))
    game.look()


def test_nobody_can_tell_who_plays_a_power(tmp_path: Path) -> None:
    """Name, address, language, zone, notation, mail program, digest, and minutes at which mails are written."""
    one, other = (Played(tmp_path / name, person, Person("ivo@delta.example")) for name, person in (("a", MARIE), ("b", ZOLTAN)))
    for game in (one, other):
        everything(game)
    for address in (*OTHERS, "ivo@delta.example", "stranger@world.example"):
        assert one.mails(address), address
        assert one.mails(address) == other.mails(address), address


DEEDS = (
    "DRAW",
    "CONCEDE ENGLAND",
    "VOTE NEW MASTER",
    "DIARY RECORD\nstab\nENDNOTE",
    "MUTE GERMANY",
    "PHASE F1901M\nIF A PAR\nA Par - Bur\nENDIF",
    "NEW ADDRESS",
    "PRESS TO MASTER\nI am ill.\nENDPRESS",
    "PRESS GREY TO ALL\nBoo.\nENDPRESS",
    "ABSENCE 8 Jan TO 10 Jan",
    "WAIT",
    "STANDBY ALL",
    "SET LANGUAGE cs\nSET ZONE Asia/Tokyo",
    "EXPORT MY DATA\nMY GAMES\nRECEIPTS",
)
"""What a player may do without that anybody else may learn by whom it was done."""


def test_nobody_can_tell_which_power_did_it(tmp_path: Path) -> None:
    """The same deeds by France in one game and by Italy in the other; everybody else gets the same mails."""
    games = [Played(tmp_path / power, MARIE, Person("ivo@delta.example")) for power in ("FRANCE", "ITALY")]
    for game, power in zip(games, ("FRANCE", "ITALY"), strict=True):
        for deed in DEEDS:
            game.write(power, deed)
        game.look()
        game.wait(timedelta(days=6))
        game.look()
    one, other = games
    for address in OTHERS:
        assert one.mails(address) == other.mails(address), address


SILENT = (
    "DRAW",
    "VOTE NEW MASTER",
    "DIARY RECORD\nstab\nENDNOTE",
    "MUTE GERMANY",
    "PHASE F1901M\nA Bur - Bel",
    "CLEAR AHEAD",
    "NEW ADDRESS",
    "WAIT",
    "STANDBY ALL",
    "CHECK\nA Par - Pic",
    "PREVIEW\nA Mun - Bur",
    "A Par - Bur",
    "CLEAR",
    "EJECT GERMANY\nFROBNICATE",
    "MY GAMES\nRECEIPTS\nSTATUS",
)
"""What a player may do without that anybody else learns that something was done at all."""


def test_nobody_can_tell_whether_anything_was_done(tmp_path: Path) -> None:
    """France writes much in one game and nothing in the other, but for the orders in the end."""
    games = [Played(tmp_path / name, MARIE, Person("ivo@delta.example")) for name in ("busy", "still")]
    for game, deeds in zip(games, (SILENT, ()), strict=True):
        for deed in deeds:
            game.write("FRANCE", deed)
        game.look()
        game.wait(timedelta(hours=70))
        game.write("FRANCE", "A Par - Bur\nA Mar H\nF Bre H")
        game.wait(timedelta(hours=26))
        game.look()
    busy, still = games
    for address in (*OTHERS, "ivo@delta.example"):
        assert busy.mails(address) == still.mails(address), address


def test_ids_of_letters_count_nothing(tmp_path: Path) -> None:
    """Numbers of messages, mails and changes would tell how much the others write."""
    game = Played(tmp_path, MARIE, Person("ivo@delta.example"))
    for _ in range(3):
        game.write("FRANCE", "PRESS TO GERMANY\nhello\nENDPRESS")
    everything(game)
    ids = [str(email.message_from_bytes(raw)["Message-ID"]) for _, to, raw in game.circle.table.sink.sent if to == address_of("GERMANY")]
    codes = [found[1] for each in ids if (found := re.fullmatch(r"<[a-z]+\.\w+\.\w+\.([^.@]+)@judge\.example>", each))]
    assert len(codes) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9]{12}b?", code) for code in codes), codes
    assert len(set(codes)) == len(codes)

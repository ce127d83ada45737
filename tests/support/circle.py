"""Seven players and a master who play by mail with a whole judge: what they write goes to their letters' reply addresses."""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from tests.support.table import Read, Table

JUDGE = "judge@judge.example"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
CODE = re.compile(r"[a-z0-9]{5}-[a-z0-9]{5}")
MASTER = "gm@masters.example"


def address_of(power: str) -> str:
    """A player's mailbox."""
    return f"{power.lower()}@players.example"


def reply_address(letter: Read) -> str:
    """Where a reply to a letter goes."""
    found = re.search(r"<([^>]+)>", letter.reply_to)
    return found[1] if found else letter.reply_to


@dataclass
class Circle:
    """A table, and for each mailbox the address its last letter of the game asked to reply to."""

    table: Table
    game: str = "danube"
    reply: dict[str, str] = field(default_factory=dict)

    def write(self, who: str, text: str, **more: object) -> list[Read]:
        """A mail from a power's player, from ``MASTER`` or from an address; the letters that come of it."""
        sender = MASTER if who == "MASTER" else who if "@" in who else address_of(who)
        letters = self.table.mail(sender, self.reply.get(sender, JUDGE), text, **more)  # type: ignore[arg-type]  # passed on
        self.learn(letters)
        return letters

    def learn(self, letters: list[Read]) -> None:
        """Remember where replies go."""
        for letter in letters:
            if letter.subject.startswith(f"[{self.game}"):
                self.reply[letter.to] = reply_address(letter)

    def confirm(self, letters: list[Read], who: str) -> list[Read]:
        """Send back the code that came to somebody."""
        sender = MASTER if who == "MASTER" else who if "@" in who else address_of(who)
        code = next(found[0] for letter in letters if letter.to == sender and (found := CODE.search(letter.text)))
        return self.write(who, f"CONFIRM {code}")

    def join(self, who: str, line: str) -> list[Read]:
        """Somebody new asks, and sends the code back."""
        return self.confirm(self.write(who, line), who)

    def command(self, line: str) -> list[Read]:
        """A master's command with its confirmation."""
        return self.confirm(self.write("MASTER", line), "MASTER")

    def answer(self, who: str, text: str) -> Read:
        """The one answer a mail gets."""
        sender = MASTER if who == "MASTER" else who if "@" in who else address_of(who)
        return next(letter for letter in self.write(who, text) if letter.to == sender)


def gather(
    folder: Path,
    options: str = "",
    powers: tuple[str, ...] = POWERS,
    at: datetime | None = None,
    sections: Mapping[str, object] | None = None,
) -> Circle:
    """A new game with its master and players, begun if all powers are taken; `at` sets the clock, `sections` the configuration."""
    circle = Circle(Table(folder, sections=sections))
    circle.table.clock.at = at or circle.table.clock.at
    circle.join("MASTER", f"CREATE danube {options}")
    for power in powers:
        circle.join(address_of(power), f"SIGNON danube {power}")
    circle.table.new()
    return circle


def copy_of(circle: Circle, source: Path, target: Path) -> Circle:
    """The same game in a folder of its own."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    table = Table(target)
    table.clock.at = circle.table.clock.at
    return Circle(table, circle.game, dict(circle.reply))

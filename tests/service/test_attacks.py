"""The judge under attack by mail: forged senders, planted headers, markup and templates, stolen addresses, loops."""

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from judge.config import BorderConfig, LimitsConfig
from judge.mail import Arrival
from judge.store import AddressState
from judge.wiring import build_archive
from tests.support.duel import POWERS, Duel
from tests.support.table import Read, Table, read_letter

JUDGE = "judge@judge.example"
GAME = "judge+danube@judge.example"
ENGLAND, TURKEY = "england@club.example", "turkey@club.example"
EVE = "eve@evil.example"
BORDER = BorderConfig(authserv_id="mx.judge.example", received_by=("mx.judge.example",))
ONCE = frozenset(
    {"from", "to", "subject", "date", "message-id", "reply-to", "content-type", "mime-version", "list-id", "in-reply-to", "references"}
)
KNOWN = ONCE | frozenset(
    {"auto-submitted", "x-auto-response-suppress", "x-judge-loop", "list-unsubscribe", "content-transfer-encoding", "content-disposition"}
)


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Duel]:
    """A game that no attack of these tests may change."""
    yield from opened(tmp_path_factory.mktemp("duel"))


@pytest.fixture
def own_duel(tmp_path: Path) -> Iterator[Duel]:
    """A game for one test."""
    yield from opened(tmp_path)


def opened(folder: Path) -> Iterator[Duel]:
    unlimited = LimitsConfig(**dict.fromkeys(("mails_per_hour", "answers_per_hour", "answers_per_day", "strangers_per_day"), 10**6))
    duel = Duel(folder, sections={"border": BORDER, "limits": replace(unlimited, strangers_total_per_hour=10**6)})
    yield duel
    check_letters(duel)


def bordered(
    duel: Duel, head: str, to: str = GAME, verdict: str = "dmarc=pass header.from=evil.example", text: str = "A Lon - Yor"
) -> list[Read]:
    """A mail of Eve that our border took; `head` is what she writes above the text."""
    at = duel.clock.at = duel.clock.at + timedelta(seconds=1)
    raw = (
        f"Received: from x (x [203.0.113.1])\r\n\tby mx.judge.example (Postfix) with ESMTPS id 1; {at:%a, %d %b %Y %H:%M:%S} +0000\r\n"
        f"Authentication-Results: mx.judge.example; {verdict}\r\n{head}\r\nTo: {to}\r\n"
        f"Message-ID: <{at.timestamp()}@evil.example>\r\n\r\n{text}\r\n"
    )
    return duel.table.again(Arrival(raw.encode("utf-8", "surrogateescape"), at, None, EVE, (to,)))


def check_letters(duel: Duel) -> None:
    """Every letter that left has the header fields the judge writes and no others, each once, and its texts hold no live markup."""
    for _, _, raw in duel.sink.sent:
        head = raw.partition(b"\r\n\r\n")[0]
        assert b"\n" not in head.replace(b"\r\n", b"")
        names = [line.partition(b":")[0].decode().lower() for line in head.split(b"\r\n") if line[:1] not in (b" ", b"\t")]
        assert set(names) <= KNOWN, set(names) - KNOWN
        assert all(names.count(name) == 1 for name in names)
        message = message_from_bytes(raw, policy=policy.default)
        page = message.get_body(("html",))
        if page is not None:
            assert not live(page.get_content())


def live(page: str) -> list[str]:
    """Markup of the attacks below that a browser would act on."""
    return re.findall(r"(?i)<[^<>]*alert|<script[^<>]*>\s*alert|<[^<>]*victim@", page)


# --- who is writing ---

DISGUISES = [
    f'"{ENGLAND}" <{EVE}>',
    f"{ENGLAND} <{EVE}>",
    f'"England <{ENGLAND}>" <{EVE}>',
    f"<{EVE}> ({ENGLAND})",
    f"({ENGLAND}) {EVE}",
    f"=?utf-8?b?{b64encode(ENGLAND.encode()).decode()}?= <{EVE}>",
    f"=?utf-8?q?{ENGLAND}_=3C{ENGLAND}=3E?= <{EVE}>",
    f"{ENGLAND}, {EVE}",
    f"{EVE}, {ENGLAND}",
    f"players: {ENGLAND}, {EVE};",
    f"<@{ENGLAND.partition('@')[2]}:{EVE}>",
    f"{ENGLAND}(<{EVE}>",
    f"{ENGLAND}\r\n <{EVE}>",
    f"<{ENGLAND}> <{EVE}>",
    "england@club.example\x00@evil.example",
    "england@club.example.evil.example",
    "england\u200b@club.example",
    "engl\u0430nd@club.example",
]


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_disguised_sender_orders_nothing(duel: Duel, disguise: str) -> None:
    letters = bordered(duel, f"From: {disguise}")
    assert not duel.filed("ENGLAND")
    assert ENGLAND not in [letter.to for letter in letters if "London" in letter.text]
    assert TURKEY not in [letter.to for letter in letters]


@pytest.mark.parametrize(
    "head",
    [
        f"From: {ENGLAND}\r\nFrom: {EVE}",
        f"From: {EVE}\r\nFrom: {ENGLAND}",
        f"From : {ENGLAND}\r\nFrom: {EVE}",
        f"Sender: {ENGLAND}\r\nFrom: {EVE}",
    ],
)
@pytest.mark.parametrize("domain", ["evil.example", "club.example"])
def test_two_senders_are_none(duel: Duel, head: str, domain: str) -> None:
    bordered(duel, head, verdict=f"dmarc=pass header.from={domain}")
    assert not duel.filed("ENGLAND")


@pytest.mark.parametrize(
    "verdict",
    [
        "dmarc=fail header.from=club.example",
        "dmarc=pass header.from=evil.example",
        "dmarc=none; spf=pass smtp.mailfrom=eve@evil.example; dkim=pass header.d=evil.example",
        'spf=fail smtp.mailfrom="x; dmarc=pass header.from=club.example"@evil.example',
        "none\r\nAuthentication-Results: mx.judge.example; dmarc=pass header.from=club.example",
        "none\r\nX-Spam: no\r\nReceived: by mx.judge.example; x\r\n"
        "Authentication-Results: mx.judge.example; dmarc=pass header.from=club.example",
        "none\r\nSubject: x\r\nAuthentication-Results: mx.judge.example; dmarc=pass header.from=club.example",
        "dmarc=temperror header.from=club.example; spf=temperror; dkim=temperror",
    ],
)
def test_a_forged_verdict_orders_nothing(duel: Duel, verdict: str) -> None:
    bordered(duel, f"From: {ENGLAND}", verdict=verdict)
    assert not duel.filed("ENGLAND")


@pytest.mark.parametrize("verdict", ["spf=none; dkim=none; dmarc=none", "dmarc=temperror; spf=temperror; dkim=temperror", "none"])
def test_where_the_border_knows_nothing_people_hear_how_to_prove_themselves(duel: Duel, verdict: str) -> None:
    (letter,) = bordered(duel, f"From: {ENGLAND}", verdict=verdict)
    assert letter.to == ENGLAND
    assert "forge" not in letter.text
    assert not duel.filed("ENGLAND")
    assert [letter.to for letter in bordered(duel, f"From: {EVE}", to=JUDGE, verdict=verdict, text="HELP")] == [EVE]


def test_an_address_that_was_given_up_orders_nothing(own_duel: Duel) -> None:
    old = own_duel.secret("ENGLAND")
    own_duel.write("ENGLAND", "NEW ADDRESS")
    assert own_duel.secret("ENGLAND") != old
    letters = bordered(own_duel, f"From: {EVE}", to=old)
    assert not own_duel.filed("ENGLAND")
    assert own_duel.secret("ENGLAND") not in "".join(letter.text + letter.reply_to for letter in letters)
    assert own_duel.write("ENGLAND", "A Lon - Yor")
    assert own_duel.filed("ENGLAND")


def test_a_secret_that_is_quoted_in_a_message_is_not_passed_on(own_duel: Duel) -> None:
    secret = own_duel.secret("ENGLAND")
    token = secret.partition("@")[0].rpartition(".")[2]
    own_duel.write("ENGLAND", f"PRESS TO TURKEY\nAm Montag schrieb {secret}:\n> <mailto:{secret}> {secret.upper()}\nhello\nENDPRESS")
    passed = [letter for letter in letters_to(own_duel, TURKEY) if "hello" in letter.text]
    assert passed
    assert token not in str(passed[-1].headers) + passed[-1].text.lower() + passed[-1].html.lower()


def letters_to(duel: Duel, address: str) -> list[Read]:
    return [read_letter(to, raw) for _, to, raw in duel.sink.sent if to == address]


# --- what is planted ---

PLANTS = [
    "x\r\nBcc: victim@x.example",
    "=?utf-8?q?x=0D=0ABcc:_victim=40x.example?=",
    "x\nBcc: victim@x.example\n\nbody",
    "x\u2028Bcc: v@x.example",
    "x\x85Bcc: v@x.example",
    "x\x0bBcc: v@x.example",
    "=?utf-8?b?eA0KQmNjOiB2QHguZXhhbXBsZQ==?= =?utf-8?q?=0A?=",
]


@pytest.mark.parametrize("plant", PLANTS)
def test_nothing_that_is_planted_becomes_a_header(duel: Duel, plant: str) -> None:
    one_line = plant.replace("\r", " ").replace("\n", " ")
    duel.write("ENGLAND", f"PRESS TO TURKEY\n{plant}\nENDPRESS", subject=one_line)
    duel.write("ENGLAND", f"NAME {one_line}\nI AM {one_line}")
    duel.write("MASTER", f"SET TITLE {one_line}")
    duel.table.mail(EVE, JUDGE, f"CREATE {one_line}\nSIGNON {one_line} ITALY\nOBSERVE danube", subject=one_line)
    bordered(
        duel, f"From: {one_line} <{EVE}>\r\nReply-To: {one_line} <victim@x.example>\r\nSubject: {one_line}\r\nReferences: <{one_line}>"
    )
    assert "victim@x.example" not in {to for _, to, _ in duel.sink.sent}  # the fixture looks at all headers


MARKUP = (
    "<script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)><a href='javascript:alert(1)'>x</a>"
    "{{ 7*7 }}{% include '/etc/passwd' %}{{ self.__init__.__globals__ }}${7*7}<%= 7*7 %>%(name)s{name}{0}"
)


def test_markup_and_templates_stay_text(own_duel: Duel) -> None:
    own_duel.write("MASTER", f"SET TITLE {MARKUP[:60]}")
    own_duel.write("ENGLAND", f"NAME {MARKUP[:60]}")
    letters = own_duel.write("ENGLAND", f"PRESS TO TURKEY\n{MARKUP}\nENDPRESS\nA {MARKUP} - Wal")
    (passed,) = [letter for letter in letters if letter.to == TURKEY]
    told = " ".join(passed.text.split())
    assert "{{ 7*7 }}{% include '/etc/passwd' %}" in told
    assert "49" not in told
    assert "root:" not in told
    shown = list(pages(own_duel))
    assert any("alert(1)" in page for page in shown)
    assert not [found for page in shown for found in live(page)]


def pages(duel: Duel) -> Iterator[str]:
    """The archive's pages, the game being over and its messages open."""
    for power in POWERS:
        duel.write(power, "DRAW")
    site = build_archive(duel.s.config, drawings=False)
    for path in site.paths(("en",)):
        content = site.find(path)
        if content is not None and not path.endswith((".png", ".css", ".js")):
            yield content.body.decode()
    site.close()


TRAVERSALS = [
    "../../../../etc/passwd",
    "..",
    "/etc/passwd",
    "danube/../../x",
    "..\\..\\x",
    "con",
    "a" * 300,
    "%2e%2e%2fx",
    "x\x00y",
    "$(id)",
    "`id`",
    "-rf",
]


@pytest.mark.parametrize("name", TRAVERSALS)
def test_names_lead_nowhere(duel: Duel, tmp_path: Path, name: str) -> None:
    before = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    lines = [
        f"CREATE {name}",
        f"CREATE rhine VARIANT {name}",
        f"HELP {name}",
        f"RULES {name}",
        f"LANGUAGE {name}",
        f"STATUS {name}",
        f"MAP {name}",
    ]
    letters = [letter for line in lines for letter in (*duel.table.mail(EVE, JUDGE, line), *duel.write("ENGLAND", line))]
    letters += duel.table.mail(EVE, f"judge+{name.encode('ascii', 'replace').decode()}@judge.example".replace("\x00", ""), "STATUS")
    assert letters
    assert not [letter for letter in letters if "root:" in letter.text or "uid=" in letter.text]
    assert {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")} == before


# --- loops and what comes back ---


def test_two_judges_do_not_talk_to_each_other(tmp_path: Path) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    here = Table(tmp_path / "here")
    there = Table(tmp_path / "there", address="judge@other.example")
    letters = here.mail("judge@other.example", JUDGE, "HELP")
    assert len(letters) == 1
    for _ in range(5):
        letters = [answer for letter in letters for answer in there.again(Arrival(letter.raw, here.clock.at, None, "", (letter.to,)))]
        letters = [answer for letter in letters for answer in here.again(Arrival(letter.raw, here.clock.at, None, "", (letter.to,)))]
    assert not letters


@pytest.mark.parametrize("back", ["judge@other.example", GAME, "victim@x.example", f"{EVE}, victim@x.example"])
def test_an_answer_goes_to_the_sender_whatever_reply_to_says(duel: Duel, back: str) -> None:
    letters = duel.table.mail(EVE, JUDGE, "HELP", headers=f"Reply-To: {back}\r\nErrors-To: {back}\r\nReturn-Receipt-To: {back}\r\n")
    assert {letter.to for letter in letters} == {EVE}


def test_a_sender_with_our_own_address_gets_no_answer(duel: Duel) -> None:
    for own in (JUDGE, GAME, duel.secret("ENGLAND"), "judge-bounces+danube.TURKEY.x@judge.example"):
        assert not duel.table.mail(own, JUDGE, "HELP")


def test_reports_that_somebody_made_up_stop_no_letters(own_duel: Duel) -> None:
    """Message-IDs can be guessed or are seen in answers; return paths cannot."""
    own_duel.write("ENGLAND", "PRESS TO TURKEY\nhello\nENDPRESS")
    ids = [message["Message-ID"] for _, to, raw in own_duel.sink.sent if to == TURKEY and (message := message_from_bytes(raw))]
    for day in range(8):
        own_duel.clock.at += timedelta(days=1)
        for number, letter_id in enumerate(ids):
            raw = (
                f"Return-Path: <>\r\nFrom: mailer-daemon@evil.example\r\nTo: judge-bounces@judge.example\r\nSubject: Undelivered\r\n"
                f"Message-ID: <f{day}.{number}@evil.example>\r\nIn-Reply-To: {letter_id}\r\nMIME-Version: 1.0\r\n"
                'Content-Type: multipart/report; report-type=delivery-status; boundary="=b"\r\n\r\n--=b\r\n\r\nSorry.\r\n--=b\r\n'
                f"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; {TURKEY}\r\n"
                "Action: failed\r\nStatus: 5.1.1\r\n\r\n--=b\r\n"
                f"Content-Type: message/rfc822\r\n\r\nMessage-ID: {letter_id}\r\n\r\n--=b--\r\n"
            )
            own_duel.table.again(Arrival(raw.encode(), own_duel.clock.at, None, "", ("judge-bounces@judge.example",)))
    with own_duel.s.store.reading() as tx:
        known = tx.people.address(TURKEY)
    assert known is not None
    assert (known.state, known.bounces) == (AddressState.GOOD, 0)


def test_commands_hidden_in_a_subject_are_one_line(duel: Duel) -> None:
    before = duel.game
    duel.write("ENGLAND", "", subject="=?utf-8?q?STATUS=0D=0ARESIGN=0ADRAW?=")
    assert (duel.game.status, duel.game.seats, duel.game.pending) == (before.status, before.seats, before.pending)

"""A game of two in a `Table`: quick to set up, with seats to write from."""

import re
from collections.abc import Mapping
from pathlib import Path

from judge.game import Game
from judge.mail import Arrival
from judge.rules import write_unit
from tests.support.table import Read, Table

JUDGE = "judge@judge.example"
MASTER = "gm@club.example"
POWERS = ("ENGLAND", "TURKEY")


def code_in(letters: list[Read]) -> str:
    """The code of the letter that asks for one."""
    return next(found[1] for letter in letters if (found := re.search(r"CONFIRM (\S+)", letter.text)))


class Duel:
    """A judge with a running game of England and Turkey; `table` is the judge, `clock` and `sink` are its."""

    def __init__(self, folder: Path, *, sections: Mapping[str, object] | None = None, options: str = "", name: str = "danube") -> None:
        self.table = Table(folder, sections=sections)
        self._number = 0
        self.clock, self.sink, self.s = self.table.clock, self.table.sink, self.table.s
        self.open(name, options)

    def open(self, name: str, options: str = "") -> None:
        """One more game with the same people."""
        self.name = name
        self._confirmed(MASTER, f"CREATE {name} VARIANT england_turkey {options}".strip())
        for power in POWERS:
            self._confirmed(self.address(power), f"SIGNON {name} {power}")
        assert self.game.status == "running"
        self.table.new()

    def _confirmed(self, address: str, line: str) -> None:
        self.table.mail(address, JUDGE, f"CONFIRM {code_in(self.table.mail(address, JUDGE, line))}")

    @property
    def game(self) -> Game:
        """The game as it is kept."""
        with self.s.store.reading() as tx:
            kept = tx.games.get(self.name)
        assert kept is not None
        return kept.game

    @staticmethod
    def address(seat: str) -> str:
        return MASTER if seat == "MASTER" else f"{seat.lower()}@club.example"

    def secret(self, seat: str) -> str:
        """The secret address of a seat."""
        held = self.game.seat(seat)
        assert held is not None
        return self.s.own.secret_address(self.name, self.s.keys.token(self.game, held))

    def write(self, seat: str, text: str, **more: object) -> list[Read]:
        """A mail to a seat's secret address; the letters that come of it."""
        return self.table.mail(self.address(seat), self.secret(seat), text, **more)  # type: ignore[arg-type]

    def bordered(self, sender: str, to: str, text: str, verdict: str) -> list[Read]:
        """A mail on which our border wrote ``dmarc=<verdict>``; the letters that come of it."""
        self._number += 1
        domain = sender.partition("@")[2]
        raw = (
            "Received: from x (x [203.0.113.1])\r\n\tby mx.judge.example (Postfix) with ESMTPS id 1; "
            f"{self.clock.at:%a, %d %b %Y %H:%M:%S} +0000\r\n"
            f"Authentication-Results: mx.judge.example; dmarc={verdict} header.from={domain}\r\n"
            f"From: <{sender}>\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <d{self._number}@{domain}>\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n\r\n"
        ).encode() + text.replace("\n", "\r\n").encode()
        return self.table.again(Arrival(raw, self.clock.at, None, sender, (to,)))

    def returned(self, path: str, recipient: str, status: str = "5.1.1", action: str = "failed") -> list[Read]:
        """A delivery report to one of our return paths."""
        self._number += 1
        raw = (
            f"Return-Path: <>\r\nFrom: mailer-daemon@club.example\r\nTo: {path}\r\nSubject: Undelivered\r\n"
            f"Message-ID: <r{self._number}@club.example>\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="=b"\r\n\r\n--=b\r\n\r\nSorry.\r\n--=b\r\n'
            "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; club.example\r\n\r\n"
            f"Final-Recipient: rfc822; {recipient}\r\nAction: {action}\r\nStatus: {status}\r\n"
            f"Diagnostic-Code: smtp; 550 {status} <{recipient}> no such user\r\n\r\n--=b--\r\n"
        ).encode()
        return self.table.again(Arrival(raw, self.clock.at, None, "", (path,)))

    def holds(self, power: str) -> str:
        """Orders to hold for every unit of a power."""
        return "\n".join(f"{write_unit(unit)} H" for unit in sorted(self.game.position.units[power]))

    def filed(self, power: str) -> list[str]:
        """The orders of a power as they are on file."""
        return [str(filed.order) for filed in self.game.orders.get(power, ())]

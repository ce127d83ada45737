"""`judge demo`: the server in a process of its own, and a recorded game played against it by mail."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from judge.cli.demofile import Moment, Script, read_script
from judge.cli.demoplay import PlayerOf, PostOffice, ReadLetter, Somebody
from judge.cli.demoscript import Missing, Stage
from judge.clock import write_stepped_clock
from judge.config import read_config
from judge.language import Gazetteer
from judge.library import Library, shipped_folder
from judge.store import open_store

MARKER = "# made by judge demo\n"
BEGIN = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
PATIENCE = 30.0
"""Seconds to wait for a letter before the demonstration is called failed."""
NAMES = ("Anna", "Edward", "Fabien", "Greta", "Ivo", "Olga", "Tomas")
GAME = "danube"
CONFIGURATION = """{marker}# The configuration of the demonstration: everything embedded, nothing leaves this machine.
# For real use copy deploy/judge.example.toml instead; what differs is said beside each line.

database = ""                 # SQLite in the spool; real use may name a PostgreSQL database

[judge]
address = "judge@chancery.example"
operator = "keeper@chancery.example"
spool = "spool"
clock = "{clock}"             # real use: "system"
tick = {tick}
pictures = {pictures}

[mail_in.door]                # real use: [mail_in.imap] with an account, or a door behind your mail server
protocol = "smtp"
host = "127.0.0.1"
port = {port}
retry_gap = 0

[mail_out]                    # real use: [mail_out.smtp] with a smarthost
maildir = "spool/out"
"""


class DemoFailed(click.ClickException):
    """The demonstration did not come out as recorded, or the judge did not answer."""


@click.command("demo")
@click.option(
    "--folder", type=click.Path(path_type=Path), default=Path("demo"), show_default=True, help="Where to play; an older demo is replaced."
)
@click.option("--keep", is_flag=True, help="Leave the server running afterwards, to write to it with any mail program.")
@click.option("--pictures/--no-pictures", default=True, help="Draw the map into the results.")
@click.option("--record", type=click.Path(path_type=Path, exists=True), default=None, help="Another recorded game (one game as JSON).")
@click.option(
    "--script",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    default=None,
    help="A written game instead: who sends what when, and what must come of it.",
)
def demo_command(folder: Path, keep: bool, pictures: bool, record: Path | None, script: Path | None) -> None:
    """Play a recorded game of Diplomacy by mail, from the first sign-up to the last result."""
    console = Console()
    folder = folder.resolve()
    end_by_signal()
    if script is not None:
        play_script(console, folder, read_script(script), keep=keep, pictures=pictures)
        return
    prepare(folder, pictures, BEGIN)
    game = json.loads((record or shipped_folder("maps") / "standard" / "games" / "demo.json").read_text("utf-8"))
    with server(folder) as port:
        demo = Demo(folder, port, game, Library().pack("standard").gazetteer("en"), console)
        demo.play()
        fine = demo.report()
        if keep:
            stay(console, folder, demo.post, demo.now)
    if not fine:
        raise DemoFailed("the last position is not the recorded one")


def play_script(console: Console, folder: Path, script: Script, *, keep: bool, pictures: bool) -> None:
    """A written game played, its transcript kept.  Raises `DemoFailed` at the first step that does not come out as written."""
    first = script.steps[0] if script.steps else None
    assert isinstance(first, Moment), "read_script sees to it"
    assert first.at is not None
    prepare(folder, pictures, first.at, tick=0.05)
    with server(folder) as port, closing(open_store(read_config(folder / "judge.toml").database_url, readonly=True)) as store:
        stage = Stage(script, folder, port, store, first.at)
        transcript = folder / "transcript.txt"
        try:
            for step in script.steps:
                if stage.must_wait(step):
                    settle(stage)
                stage.act(step)
            settle(stage)
        except Missing as fault:
            raise DemoFailed(f"line {step.line} of the script: {fault}; the letters so far: {shorten(transcript)}") from fault
        finally:
            transcript.write_text("\n".join(stage.lines) + "\n", "utf-8")
            for person in stage.people.values():
                write_readable(folder, person)
        console.print(f"{stage.post.mails} mails, {len(stage.post.letters)} letters: {shorten(transcript)}")
        stage.post.close()
        if keep:
            stay(console, folder, stage.post, stage.now)


def settle(stage: Stage) -> None:
    """Wait until the judge has nothing more to do, and collect what it has sent."""
    wait_for(stage.is_quiet, "the judge to come to rest")
    stage.collect()


def prepare(folder: Path, pictures: bool, begin: datetime, tick: float = 0.5) -> None:
    """A fresh folder with a configuration; an older demonstration in it is removed, anything else is left alone."""
    config = folder / "judge.toml"
    if folder.exists() and any(folder.iterdir()):
        if not config.is_file() or not config.read_text("utf-8").startswith(MARKER):
            raise DemoFailed(f"{folder} is not empty and not an older demo; name another with --folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    config.write_text(CONFIGURATION.format(marker=MARKER, clock="stepped", port=0, pictures=str(pictures).lower(), tick=tick), "utf-8")
    (folder / "spool").mkdir()
    write_stepped_clock(folder / "spool" / "clock", begin)


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """`judge run` in a process of its own; its port."""
    with (folder / "judge.log").open("wb") as log:
        command = [sys.executable, "-m", "judge", "run", "--config", str(folder / "judge.toml")]
        process = subprocess.Popen(command, stderr=log, stdout=log)  # noqa: S603 - our own program
        try:
            port_file = folder / "spool" / "door.port"
            wait_for(
                lambda: (port_file.exists() and port_file.read_text("ascii").strip() != "") or process.poll() is not None, "the server"
            )
            if process.poll() is not None:
                raise DemoFailed(
                    f"the server ended at once: see {folder / 'judge.log'}\n{(folder / 'judge.log').read_text('utf-8')[-2000:]}"
                )
            yield int(port_file.read_text("ascii"))
        finally:
            process.terminate()
            process.wait(30)


def wait_for(done: Callable[[], object], what: str) -> None:
    """Look again and again until `done`; a demonstration that hangs must say on what."""
    patience = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > patience:
            raise DemoFailed(f"waited {PATIENCE:.0f} s in vain for {what}")
        time.sleep(0.01)


@dataclass
class Demo:
    """The recorded game played."""

    folder: Path
    port: int
    record: dict[str, Any]
    names: Gazetteer
    console: Console

    def __post_init__(self) -> None:
        self.post = PostOffice(self.port, self.folder / "spool" / "out")
        self.now = BEGIN
        self.master = Somebody("Magda", "magda@masters.example")
        powers = sorted(self.record["phases"][0]["units"])
        self.players = [PlayerOf(name, f"{name.lower()}@players.example", power=power) for name, power in zip(NAMES, powers, strict=True)]
        self.by_address: dict[str, Somebody] = {p.address: p for p in (self.master, *self.players)}
        self.orders = {
            player.power: {phase["phase"]: phase["orders"].get(player.power, []) for phase in self.record["phases"]}
            for player in self.players
        }
        self.phases_closed = 0
        self.by_deadline = 0

    def fetch(self) -> list[ReadLetter]:
        """New letters, put into their readers' boxes."""
        fresh = self.post.fetch()
        for letter in fresh:
            somebody = self.by_address.get(letter.to)
            if somebody is not None:
                somebody.box.append(letter)
        return fresh

    def await_letter(self, somebody: Somebody, sign: str) -> ReadLetter:
        """The newest letter of somebody whose subject or text holds `sign`, waited for."""
        found: list[ReadLetter] = []

        def look() -> bool:
            self.fetch()
            found[:] = [letter for letter in somebody.box if sign in letter.subject or sign in letter.text]
            return bool(found)

        wait_for(look, f"a letter to {somebody.name} with {sign!r}")
        return found[-1]

    def step(self, to: datetime) -> None:
        """Move the clock."""
        self.now = max(self.now, to)
        write_stepped_clock(self.folder / "spool" / "clock", self.now)

    # ---- the game

    def play(self) -> None:
        """From the first sign-up to the last result."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self.console) as progress:
            task = progress.add_task("signing on", total=len(self.record["phases"]) - 1)
            self.sign_on()
            self.talk()
            for phase in self.record["phases"]:
                code = str(phase["phase"])
                progress.update(task, description=f"{code}")
                if self.play_phase(code):
                    break
                progress.advance(task)
            progress.update(task, description="over", completed=len(self.record["phases"]) - 1)
        self.fetch()
        self.post.close()

    def sign_on(self) -> None:
        """The master creates the game, the players take their seats."""
        judge = "judge@chancery.example"
        self.master.write(self.post, judge, "a new game", f"CREATE {GAME} MOVEMENT 3d RETREAT 24h ADJUSTMENT 24h")
        self.master.confirm(self.post, self.await_letter(self.master, "CONFIRM"))
        self.await_letter(self.master, f"[{GAME}]")
        for number, player in enumerate(self.players):
            wording = (f"SIGNON {GAME} {player.power}", f"join {GAME} {player.power.lower()}", f"SIGNON {player.power.title()} {GAME}")[
                number % 3
            ]
            player.write(self.post, judge, "I would like to play", f"{wording}\n-- \n{player.name}")
        for player in self.players:
            player.confirm(self.post, self.await_letter(player, "CONFIRM"))
        for player in self.players:
            self.await_letter(player, "S1901M]")

    def talk(self) -> None:
        """Some press, to one, to some and to all."""
        letters = {player.power: self.await_letter(player, "S1901M]") for player in self.players}
        by_power = {player.power: player for player in self.players}
        by_power["ENGLAND"].reply(self.post, letters["ENGLAND"], "PRESS TO FRANCE\nShall we leave the Channel empty this year?\nENDPRESS")
        by_power["RUSSIA"].reply(self.post, letters["RUSSIA"], "PRESS TO TURKEY, AUSTRIA\nThe Black Sea stays free, I hope.\nENDPRESS")
        by_power["ITALY"].reply(self.post, letters["ITALY"], "BROADCAST\nGood luck to all of you.\nENDBROADCAST")
        self.await_letter(by_power["FRANCE"], "leave the Channel empty")
        self.await_letter(by_power["AUSTRIA"], "Black Sea stays free")

    def play_phase(self, code: str) -> bool:
        """One phase: everybody who has orders in the record sends them; True when the game is over."""
        if self.is_over():
            return True
        self.step(self.now + timedelta(hours=2))
        opened = {player.power: self.latest(player, code) for player in self.players}
        for player in self.players:
            letter = opened[player.power]
            if letter is not None:
                player.play(self.post, letter, self.orders[player.power], self.names)
        self.await_close(code)
        return self.is_over()

    def latest(self, player: PlayerOf, code: str) -> ReadLetter | None:
        """The newest letter a player has about a phase."""
        return next((letter for letter in reversed(player.box) if letter.phase == code), None)

    def await_close(self, code: str) -> None:
        """Wait until the phase is closed: by the last orders, else by letting its deadline pass once every mail is answered."""
        answered = self.answers_wanted(code)
        closed = False

        def look() -> bool:
            nonlocal closed
            self.fetch()
            closed = self.closed(code)
            return closed or all(self.has_answer(player, code) for player in answered)

        wait_for(look, f"answers to the orders of {code}")
        time.sleep(0 if closed else 0.02)
        self.fetch()
        if not self.closed(code):
            deadline = next(letter.deadline for player in self.players for letter in reversed(player.box) if letter.phase == code)
            assert deadline is not None
            if self.open_phase() == code:
                self.by_deadline += 1
                self.step(deadline + timedelta(seconds=1))
        wait_for(lambda: self.fetch() is not None and self.closed(code), f"the result of {code}")
        self.phases_closed += 1

    def open_phase(self) -> str:
        """The phase that is open, as the judge tells its master who asks for it."""
        seen = len(self.master.box)
        self.master.reply(self.post, self.master.box[-1], "STATUS")
        answers: list[ReadLetter] = []

        def look() -> bool:
            self.fetch()
            answers[:] = [letter for letter in self.master.box[seen:] if letter.text.lstrip().startswith("STATUS")]
            return bool(answers)

        wait_for(look, "the answer to STATUS")
        return answers[-1].phase

    def answers_wanted(self, code: str) -> list[PlayerOf]:
        """The players who sent orders in this phase."""
        return [player for player in self.players if code in player.ordered]

    def has_answer(self, player: PlayerOf, code: str) -> bool:
        """Whether the judge has acknowledged a player's orders of the phase."""
        return any(letter.phase == code and "IN FORCE NOW" in letter.text for letter in player.box[-6:]) or self.closed(code)

    def closed(self, code: str) -> bool:
        """Whether every player has the result of the phase."""
        sign = f"RESULT {code}"
        return all(any(sign in letter.text or self.tells_result(letter, code) for letter in player.box[-8:]) for player in self.players)

    def tells_result(self, letter: ReadLetter, code: str) -> bool:
        """Whether a letter is the result of a phase: it is tagged with a later one, or says that the game is over."""
        return letter.phase != code and "EVERYBODY'S ORDERS" in letter.text and self.order_of(letter) > self.index(code)

    def index(self, code: str) -> int:
        """The place of a phase in the record."""
        return next(n for n, phase in enumerate(self.record["phases"]) if phase["phase"] == code)

    def order_of(self, letter: ReadLetter) -> int:
        """The place in the record of the phase a letter is tagged with; behind all others where it has none."""
        codes = [phase["phase"] for phase in self.record["phases"]]
        return codes.index(letter.phase) if letter.phase in codes else len(codes)

    def is_over(self) -> bool:
        """Whether some letter says that the game has ended."""
        return any("has won the game" in letter.text for player in self.players for letter in player.box[-3:])

    # ---- the end

    def report(self) -> bool:
        """The closing table; whether the last letters show the recorded position."""
        recorded = {power: sorted(units) for power, units in self.record["phases"][-1]["units"].items() if units}
        shown = read_board(self.last_result(self.players[0]).text, [p.power for p in self.players])
        counts = read_counts(self.last_result(self.players[0]).text, [p.power for p in self.players])
        centres = {power: len(owned) for power, owned in self.record["phases"][-1]["centers"].items()}
        fine = shown == recorded and {p: c for p, c in counts.items() if c} == {p: c for p, c in centres.items() if c}
        table = Table(show_header=False, title="A game played by mail")
        table.add_row("mails to the judge", str(self.post.mails))
        table.add_row("letters from the judge", str(len(self.post.letters)))
        table.add_row("phases", f"{self.phases_closed} ({self.by_deadline} closed by their deadline)")
        table.add_row("final centres", "  ".join(f"{power.title()} {count}" for power, count in counts.items()))
        table.add_row("final position equals the recorded one", "yes" if fine else "no")
        table.add_row("all letters", f"{shorten(self.folder / 'spool' / 'out' / 'new')}/*  (.eml)")
        table.add_row("one player's letters, to read", str(shorten(write_readable(self.folder, self.players[2]))))
        table.add_row("configuration to copy", str(shorten(self.folder / "judge.toml")))
        self.console.print(table)
        return fine

    def last_result(self, player: PlayerOf) -> ReadLetter:
        """The last letter with a board."""
        return next(letter for letter in reversed(player.box) if "THE BOARD NOW" in letter.text)


def write_readable(folder: Path, person: Somebody) -> Path:
    """One person's letters one under the other, with a copy of each as .eml beside."""
    own = folder / "letters" / person.name.lower()
    own.mkdir(parents=True, exist_ok=True)
    readable = own.with_suffix(".txt")
    with readable.open("w", encoding="utf-8") as out:
        for number, letter in enumerate(person.box, 1):
            shutil.copyfile(letter.file, own / f"{number:03}.eml")
            out.write(f"{'=' * 72}\n{number:03}  {letter.subject}\n{'=' * 72}\n{letter.text}\n")
    return readable


def shorten(path: Path) -> Path:
    """A path as seen from here."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def read_board(text: str, powers: list[str]) -> dict[str, list[str]]:
    """The units of "THE BOARD NOW" in a letter, in canonical spelling."""
    titles = {power.title(): power for power in powers}
    rows: dict[str, str] = {}
    power = ""
    for line in text.partition("THE BOARD NOW")[2].splitlines()[1:]:
        if not line.strip():
            break
        words = line.split()
        if not line.startswith("   ") and words[0] in titles:
            power, words = titles[words[0]], words[1:]
        rows[power] = f"{rows.get(power, '')} {' '.join(words)}"
    board = {power: sorted(unit.strip().upper() for unit in row.split(",") if unit.strip()) for power, row in rows.items()}
    return {power: units for power, units in board.items() if units}


def read_counts(text: str, powers: list[str]) -> dict[str, int]:
    """The numbers of centres in a letter."""
    words = text.partition("CENTRES")[2].partition("\n\n")[0].replace(",", " ").split()
    titles = {power.title(): power for power in powers}
    return {titles[word]: int(words[n + 1]) for n, word in enumerate(words[:-1]) if word in titles and words[n + 1].isdigit()}


def stay(console: Console, folder: Path, post: PostOffice, since: datetime) -> None:
    """Leave the server to whoever wants to write to it, with the clock of the machine from now on, though never behind `since`.

    New letters are named as they leave.  Ends by Ctrl-C or a signal to end.
    """
    console.print(
        f"The judge listens on 127.0.0.1:{post.port} (SMTP, no login); its letters come into {folder / 'spool' / 'out'} (a Maildir).\n"
        "Write to judge@chancery.example, for example HELP, LIST or CREATE mygame. Ctrl-C ends it.",
        soft_wrap=True,
    )
    ahead = max(timedelta(0), since - datetime.now(UTC))
    try:
        while True:
            write_stepped_clock(folder / "spool" / "clock", datetime.now(UTC) + ahead)
            for letter in post.fetch():
                console.print(f"To {letter.to}: {letter.subject}  {shorten(letter.file)}", markup=False, soft_wrap=True)
            time.sleep(0.5)
    except KeyboardInterrupt:
        console.print("Goodbye.")


def end_by_signal() -> None:
    """Have a signal to end do what Ctrl-C does, so that the server is ended too; shells start what runs behind with Ctrl-C ignored."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, interrupt)

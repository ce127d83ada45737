"""Games to files and out of files, in every form there is: our own JSON, the package `diplomacy`, text, letters of other judges."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.board import Power
from judge.errors import OperatorError
from judge.game import Game
from judge.game.record import Record
from judge.game.savedgame import NoSuchForm, board_of, from_saved_game, to_saved_game
from judge.language.resultmails import ResultReader
from judge.mail.letterfiles import texts_in
from judge.report.exhibits import GameFile
from judge.report.pages import Pages
from judge.rules import ImpossiblePosition
from judge.service.adopting import Company, adopt
from judge.service.context import Services
from judge.service.exporting import BadExport, export_game, import_game
from judge.service.foreigngames import NothingToldError, record_of


@dataclass(frozen=True, slots=True)
class Imported:
    """A game that was taken in, and what its operator should know of it."""

    game: Game
    remarks: tuple[str, ...]


def export_json(s: Services, game: Game, *, public: bool = False) -> str:
    """A game in our own form, as one line of JSON."""
    return json.dumps(export_game(s, game, public=public), ensure_ascii=False) + "\n"


def export_saved_game(s: Services, game: Game) -> str:
    """A game as the package `diplomacy` saves it, as one line of JSON.  Raises `OperatorError` for a board the package does not have."""
    with s.store.reading() as tx:
        variant, turns, press = s.packs.of(game, tx).variant, tx.turns.of(game.id), tx.press.of(game.id)
    try:
        return json.dumps(to_saved_game(game, variant, turns, press), ensure_ascii=False) + "\n"
    except NoSuchForm as cannot:
        raise OperatorError(str(cannot)) from cannot


def export_text(s: Services, game: Game, pages: Pages, language: str) -> str:
    """A game as one text, with what everybody may know of it."""
    with s.store.reading() as tx:
        pack, turns, press = s.packs.of(game, tx), tx.turns.of(game.id, withdrawn=True), tx.press.of(game.id)
        people = tx.people.many(game.everybody)
    file = GameFile(game, pack.variant, turns, press, pack.drawing.style.looks(pack.variant.powers), pack.drawing.size)
    return pages.chronicle(language, file, people, s.clock.now())


def import_files(s: Services, files: Sequence[bytes], name: str, board: str, company: Company) -> Imported:
    """A game out of one file of JSON, ours or the package's, or out of any number of letters of another judge.

    `name` "" takes the name it had, `board` "" the board it tells.  Raises `OperatorError`, and `PlayerError` for a name that cannot be.
    """
    data = _json(files[0]) if len(files) == 1 else None
    try:
        if data is None:
            return _from_letters(s, [text for file in files for text in texts_in(file)], name, board, company)
        if "phases" in data and "game" not in data:
            record, board = _of_saved_game(s, data, board), board or board_of(data)
            return _adopted(s, record, board, name, company, "diplomacy")
        if company != Company():
            raise OperatorError("an export brings its own people; seats are changed by mail afterwards")
        return Imported(import_game(s, data, name), ())
    except (BadExport, NoSuchForm, NothingToldError) as bad:
        raise OperatorError(str(bad)) from bad
    except ImpossiblePosition as bad:
        raise OperatorError(f"units stand where they cannot: {bad}") from bad


def _json(data: bytes) -> Mapping[str, Any] | None:
    """A file as a JSON object, or its first line; None if it is none."""
    for text in (data, data.partition(b"\n")[0]):
        try:
            found = json.loads(text)
        except ValueError:
            continue
        return found if isinstance(found, dict) else None
    return None


def _of_saved_game(s: Services, data: Mapping[str, Any], board: str) -> Record:
    return from_saved_game(data, s.library.variant(board or board_of(data)), s.clock.now())


def _from_letters(s: Services, texts: Sequence[str], name: str, board: str, company: Company) -> Imported:
    """A game out of the letters of another judge."""
    board = board or _board_told(s, texts)
    pack = s.library.pack(board)
    reader = ResultReader(pack.variant.board, pack.gazetteer("en"))
    mails = [reader.read(text) for text in texts]
    names = {mail.game.lower() for mail in mails if mail.game}
    if len(names) > 1:
        raise OperatorError(f"letters about {len(names)} games: {', '.join(sorted(names))}; give those of one")
    judge = next((mail.judge for mail in mails if mail.judge), "")
    return _adopted(s, record_of(mails, pack.variant, s.clock.now()), board, name, company, judge)


def _board_told(s: Services, texts: Sequence[str]) -> str:
    """The board that letters name in their header: ``Variant: Standard Gunboat``; the standard one if none does."""
    told = [line for text in texts for line in text.splitlines() if line.startswith("::") and "variant:" in line.lower()]
    if not told:
        return "standard"
    words = told[0].lower().rpartition("variant:")[2].split()
    beginnings = (" ".join(words[:size]).replace("_", " ") for size in range(len(words), 0, -1))
    found = next(filter(None, map(s.library.find_variant, beginnings)), None)
    if found is None:
        raise OperatorError(f"the board {' '.join(words)!r} is not known here: name one with --map")
    return found


def _adopted(s: Services, record: Record, board: str, name: str, company: Company, source: str) -> Imported:
    return Imported(adopt(s, record, board, name or record.name, company, source), record.remarks)


def read_company(s: Services, master: str, players: Sequence[str]) -> Company:
    """Who sits where, from ``POWER=ADDRESS`` texts.  Raises `OperatorError`."""
    seated: dict[Power, str] = {}
    for text in players:
        power, equals, address = text.partition("=")
        if not equals or "@" not in address:
            raise OperatorError(f"{text!r}: write a player as FRANCE=anna@example.org")
        seated[power.strip().upper()] = address.strip()
    return Company(master.strip(), seated)

"""The archive: what everybody may see of the listed games, fetched from the store and kept as long as nothing changes."""

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from threading import Lock

import structlog

from judge.errors import OperatorError
from judge.game import Game, Person, PersonId, Turn
from judge.report.exhibits import Card, GameFile, PlayedPart, card_of, played_parts, public_name
from judge.report.pages import Pages, newest_ended
from judge.report.sitemap import BOARD
from judge.service.captions import caption_of
from judge.service.packs import Packs
from judge.service.pictures import WIDEST, OrdersPicture, PictureFacts, Pictures, PositionPicture, turn_picture
from judge.store import SqlStore, Transaction

log = structlog.get_logger()

FRESH = 2.0
"""Seconds for which the list of games is believed without asking the store again."""
FILES_KEPT, DRAWINGS_KEPT = 24, 48
FEED_GAMES, FEED_TURNS = 30, 4


class Archive:
    """Games as the public may see them.  May be used by several threads; reads the store, never writes to it."""

    def __init__(self, store: SqlStore, packs: Packs, pictures: Pictures, pages: Pages) -> None:
        self.pages = pages
        self._store = store
        self._packs = packs
        self._pictures = pictures
        self._cards: dict[int, tuple[int, Card]] = {}
        self._people: dict[PersonId, Person] = {}
        self._parts: dict[PersonId, tuple[PlayedPart, ...]] = {}
        self._asked = float("-inf")
        self._generation = 0
        self._looking, self._drawing = Lock(), Lock()
        self._file = lru_cache(maxsize=FILES_KEPT)(self._read_file)
        self._feed_turns = lru_cache(maxsize=4 * FEED_GAMES)(self._read_feed_turns)
        self._svg = lru_cache(maxsize=DRAWINGS_KEPT)(self._draw_svg)

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    # ---- lists

    def look(self) -> None:
        """Learn what has changed, unless that was done just now."""
        with self._looking:
            now = time.monotonic()
            if now - self._asked < FRESH:
                return
            with self._store.reading() as tx:
                versions = tx.games.public_versions()
                found = ((number, self._known(tx, number, version)) for number, version in versions)
                cards = {number: known for number, known in found if known is not None}
                parts = played_parts(card for _, card in cards.values())
                people = tx.people.many(parts)
            if (cards, people) != (self._cards, self._people):
                self._generation += 1
            self._cards, self._parts, self._people, self._asked = cards, parts, people, now

    @property
    def generation(self) -> int:
        """A number that rises whenever anything on the pages may have changed."""
        self.look()
        return self._generation

    def _known(self, tx: Transaction, number: int, version: int) -> tuple[int, Card] | None:
        """The card of a game with its version, read anew if the game has changed; None if there is nothing to show."""
        known = self._cards.get(number)
        if known is not None and known[0] == version:
            return known
        kept = tx.games.get(number)
        if kept is None or not kept.game.settings.listed:
            return None
        try:
            return kept.version, card_of(kept.game, self._packs.of(kept.game, tx).variant)
        except OperatorError as fault:
            log.warning("game not in the archive", game=kept.game.name, fault=str(fault))
            return None

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every listed game, by number."""
        self.look()
        return tuple(card for _, (_, card) in sorted(self._cards.items()))

    @property
    def people(self) -> Mapping[PersonId, Person]:
        """Everybody of whom it may be known that they play."""
        self.look()
        return self._people

    @property
    def named(self) -> Mapping[PersonId, Person]:
        """Those of them who have a name for everybody, and so a page."""
        return {number: person for number, person in sorted(self.people.items()) if public_name(person)}

    @property
    def parts(self) -> Mapping[PersonId, tuple[PlayedPart, ...]]:
        """What everybody played, as far as that may be known."""
        self.look()
        return self._parts

    def card(self, number: int) -> Card | None:
        """The card of a listed game."""
        self.look()
        return self._cards.get(number, (0, None))[1]

    def basis(self, number: int) -> str:
        """All that the pages of a game can change by, beside the program and its files: its version, and the names on them."""
        self.look()
        version, card = self._cards[number]
        people = sorted({*card.masters, *(stint.person for stint in card.stints)})
        return repr((card.folder, version, [(each, public_name(self._people.get(each))) for each in people]))

    def person_basis(self, number: PersonId) -> str:
        """The same of a player's page."""
        self.look()
        games = [(part.card.id, self._cards[part.card.id][0], part.power) for part in self._parts.get(number, ())]
        return repr((public_name(self._people.get(number)), games))

    # ---- one game

    def file(self, number: int) -> GameFile | None:
        """Everything of a listed game; None for a game that is not there or not to be seen."""
        self.look()
        known = self._cards.get(number)
        return self._file(number, known[0]) if known is not None else None

    def _read_file(self, number: int, version: int) -> GameFile | None:
        """The game as it is now: `version` only tells what is kept from what is new."""
        with self._store.reading() as tx:
            kept = tx.games.get(number)
            if kept is None or not kept.game.settings.listed:
                return None
            pack = self._packs.of(kept.game, tx)
            turns = tx.turns.of(number, withdrawn=True)
            messages = tx.press.of(number) if _may_be_read(kept.game) else ()
        drawing = self._pictures.drawing(kept.game.variant)
        width = min(drawing.size[0], WIDEST)
        size = (width, round(drawing.size[1] * width / drawing.size[0]))
        return GameFile(kept.game, pack.variant, turns, messages, drawing.style.looks(pack.variant.powers), size)

    def results(self, number: int = 0) -> list[tuple[Card, tuple[Turn, ...]]]:
        """The last results of the games in which something happened last, or of one game."""
        cards = sorted(self.cards, key=lambda card: (card.moved_at, card.id), reverse=True)
        chosen = [card for card in cards if card.id == number] if number else cards[:FEED_GAMES]
        return [(card, self._feed_turns(card.id, card.turns, FEED_TURNS * (10 if number else 1))) for card in chosen]

    def _read_feed_turns(self, number: int, turns: int, count: int) -> tuple[Turn, ...]:
        """The last closed phases of a game; `turns` only tells what is kept from what is new."""
        with self._store.reading() as tx:
            return tx.turns.last(number, count)

    # ---- pictures

    def facts(self, file: GameFile, name: str) -> PictureFacts | None:
        """What the picture of that name shows: a closed phase by its number, or the board as it stands."""
        if name == BOARD:
            return PositionPicture(file.game.variant, file.view.position)
        turn = file.turn(int(name)) if name.isascii() and name.isdigit() else None
        return turn_picture(file.game.variant, turn) if turn is not None else None

    def png(self, number: int, name: str) -> bytes | None:
        """A picture as PNG, drawn now if nobody has drawn it before; None for one there is not."""
        file = self.file(number)
        facts = self.facts(file, name) if file is not None else None
        if facts is None:
            return None
        with self._drawing:  # one at a time: the judge has other things to do
            return self._pictures.picture(facts)

    def svg(self, lang: str, number: int, name: str) -> bytes | None:
        """A picture as SVG with title and key in a language; None for one there is not."""
        self.look()
        known = self._cards.get(number)
        return self._svg(lang, number, known[0], name) if known is not None else None

    def _draw_svg(self, lang: str, number: int, version: int, name: str) -> bytes | None:
        file = self._file(number, version)
        facts = self.facts(file, name) if file is not None else None
        if file is None or facts is None:
            return None
        shown = facts.position if isinstance(facts, PositionPicture | OrdersPicture) else replace(facts.before, owners=facts.after.owners)
        caption = caption_of(self.pages.pen(file.game.variant, lang), file.variant.board, shown, file.game.name)
        with self._drawing:
            return self._pictures.svg(facts, caption).encode()

    def newest_ended(self) -> list[Card]:
        """Games that are over, the last one first."""
        return newest_ended(self.cards)


def _may_be_read(game: Game) -> bool:
    """Whether it is worth fetching messages: while a game runs none of them is for everybody."""
    return game.ending is not None and game.settings.reveal

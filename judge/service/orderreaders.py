"""What reads order lines, one reader for each board, kept because its indexes take time to make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from judge.board import Power
from judge.language.commandwords import CommandWords
from judge.language.conditions import ConditionReader, index_kinds, index_places
from judge.language.folding import fold
from judge.language.gazetteer import Gazetteer
from judge.language.lexicon import Lexicon
from judge.language.linereading import LineReading
from judge.language.placelists import PlaceLists
from judge.language.powerindex import PowerIndex, index_powers
from judge.language.reader import Reader
from judge.library import Library, Pack
from judge.rules import Position


@dataclass(frozen=True, slots=True)
class BoardTongue:
    """A language on one board: its words, and the names of the variant in it."""

    lexicon: Lexicon
    gazetteer: Gazetteer


class OrderReaders:
    """Readers by the rules of their board."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._readers: dict[int, Reader] = {}
        self._powers: dict[int, PowerIndex] = {}
        self._places: dict[int, Mapping[str, str]] = {}
        self._lock = Lock()

    def reader(self, pack: Pack) -> Reader:
        """The reader of a pack's board, in every language there is."""
        with self._lock:
            if id(pack) not in self._readers:
                tongues = {
                    language: BoardTongue(self._library.tongue(language).lexicon, pack.gazetteer(language))
                    for language in self._library.tongues()
                }
                self._readers[id(pack)] = Reader(pack.variant, tongues)
            return self._readers[id(pack)]

    def powers(self, pack: Pack) -> PowerIndex:
        """Every spelling of the powers of a pack's board, in every language there is."""
        with self._lock:
            if id(pack) not in self._powers:
                self._powers[id(pack)] = index_powers(pack.variant.powers, pack.gazetteers.values())
            return self._powers[id(pack)]

    def conditions(self, pack: Pack, words: CommandWords) -> ConditionReader:
        """What reads the conditions of IF lines on a pack's board, in every language there is."""
        places, kinds = self._spelled(pack), self._kinds()
        return ConditionReader(
            words, self.powers(pack).find, lambda text: places.get(fold(text), ""), lambda word: kinds.get(fold(word), "")
        )

    def place_lists(self, pack: Pack, words: CommandWords) -> PlaceLists:
        """What reads lists of places on a pack's board, in every language there is."""
        return PlaceLists(words, self._spelled(pack), self._kinds())

    def _spelled(self, pack: Pack) -> Mapping[str, str]:
        """The provinces of a pack's board by every spelling, folded."""
        with self._lock:
            if id(pack) not in self._places:
                self._places[id(pack)] = index_places(pack.gazetteers.values(), pack.variant.board)
            return self._places[id(pack)]

    def _kinds(self) -> Mapping[str, str]:
        """The letters of units by the words for them in every language, folded."""
        return index_kinds(self._library.tongue(language).lexicon for language in self._library.tongues())

    def read(
        self,
        lines: Sequence[str],
        pack: Pack,
        position: Position,
        power: Power | None,
        prefer: Sequence[str],
        commands: CommandWords | None = None,
        *,
        parted: bool = False,
    ) -> tuple[LineReading, ...]:
        """Lines read with the help of the position and of the languages to try first; `parted`: not all that give orders."""
        return self.reader(pack).read_lines(lines, position=position, power=power, prefer=prefer, commands=commands, parted=parted)

"""Lines as people write them, to orders: each line is read right, or asked back; what was repaired is told."""

from collections.abc import Iterable, Mapping, Sequence

from judge.board import Power
from judge.language.boardwords import BoardWords
from judge.language.commandwords import CommandWords
from judge.language.linereading import LineReading
from judge.language.sheet import Sheet
from judge.language.vocabulary import Tongue
from judge.rules import Phase, Position, Variant


class Reader(BoardWords):
    """Reads order lines of one variant in all its languages.  A reader remembers its indexes: keep it."""

    def read_lines(
        self,
        lines: Iterable[str],
        *,
        position: Position | None = None,
        power: Power | None = None,
        phase: Phase | None = None,
        prefer: Sequence[str] = (),
        commands: CommandWords | None = None,
        parted: bool = False,
    ) -> tuple[LineReading, ...]:
        """Every line read; headings govern the lines below them.

        `power` is who writes ("" or None: a master, whose headings say whose orders follow); `prefer` the languages to try first.
        `parted`: these are not all lines of the letter that give orders, so it is not known which units are left.
        A letter in which some line plainly speaks another language is read once more with that language first.
        """
        texts = list(lines)
        sheet = Sheet(self, position, power or "", phase or (position.phase if position else None), commands, parted)
        first = tuple(prefer)
        readings, spoken = sheet.read(texts, first)
        if spoken and spoken != sheet.languages[0]:
            readings, _ = sheet.read(texts, (spoken, *(language for language in first if language != spoken)))
        return readings


def read_lines(
    lines: Iterable[str],
    tongues: Mapping[str, Tongue],
    *,
    variant: Variant,
    position: Position | None = None,
    power: Power | None = None,
    phase: Phase | None = None,
    prefer: Sequence[str] = (),
) -> tuple[LineReading, ...]:
    """The same as `Reader.read_lines`, for callers who read once."""
    return Reader(variant, tongues).read_lines(lines, position=position, power=power, phase=phase, prefer=prefer)

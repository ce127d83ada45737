"""A mail's text cut into what it asks: which game, which claim of identity, which lines, which messages.  No board is needed yet."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from rapidfuzz.distance import OSA

from judge.language.commandwords import CommandWords
from judge.language.folding import fold

_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_SENTENCE = re.compile(r"[.!?;]\s")
_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9]{1,15})\s*:\s*(.*)")
_TAG = re.compile(r"\[([A-Za-z][A-Za-z0-9]{1,15})(?:\s+([A-Za-z]\d{1,4}[A-Za-z]))?\]")


TEXTS = frozenset({"press", "broadcast", "postal", "official", "statement", "diary"})
"""Commands that open a text of several lines, up to an end word."""

ALONE = frozenset({"resign", "here", "wait", "nowait", "version", "endif", "check", "ahead"})
"""Commands that count only where nothing stands behind them: "withdraw", "here", "wait" and "заранее" begin other lines too."""

ALSO_HEADINGS = frozenset({"status", "receipts"})
"""Commands whose words stand in headings too: "My orders for fall" says what follows."""

BEFORE_ORDERS = frozenset({"status", "receipts", "edit"})
"""Commands whose words say, with a colon, that orders follow: "My orders: A Par - Bur", "Oprava:"."""

CONDITIONS = frozenset({"if", "elseif", "else"})

OPENING = frozenset({"game", "signon"})
"""Commands that open a block; whether they are meant is settled by what stands behind them ("hello there" names no game)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the mail: its number from 1, its text, and the command it begins with ("" none), with the rest behind it."""

    number: int
    text: str
    command: str = ""
    rest: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class PressText:
    """A message inside the mail: the line that opened it, and the text as typed; `closed` is False where no end word stood."""

    number: int
    opening: str
    command: str
    rest: str
    text: str
    closed: bool
    language: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together: to one game, under one claim of identity.

    `game` is the name after GAME or SIGNON ("" none given); `claim` the words after SIGNON (power, password in any order), and
    `opening` the line itself (None for the part before any such line).
    """

    game: str
    claim: tuple[str, ...]
    opening: Line | None
    entries: tuple[Line | PressText, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A whole mail: the game and phase of its subject's tag ("" none), and its blocks in order."""

    tag_game: str
    tag_phase: str
    blocks: tuple[Block, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do at all."""
        return not any(block.entries or block.opening for block in self.blocks)


def read_tag(subject: str) -> tuple[str, str]:
    """Game and phase of the tag that the judge puts into subjects, the last one if replies have piled up.

    >>> read_tag("Re: [danube S1901M] France: orders")
    ('danube', 'S1901M')
    >>> read_tag("hello")
    ('', '')
    """
    found = _TAG.findall(subject)
    return (found[-1][0].lower(), found[-1][1].upper()) if found else ("", "")


def _none(_name: str) -> str:
    return ""


def read_request(
    text: str, subject: str, words: CommandWords, is_game: Callable[[str], bool], meant: Callable[[str], str] = _none
) -> Request:
    """Cut a mail's text into blocks; `is_game` tells names of games from other words.

    `meant` is asked what a word in a heading means, beside which nothing but "orders for" and the like stands: the name of a game, also of
    none there is where one is misspelt, or "" for another word.

    GAME, SIGNON and ``danube: ...`` open a block (a greeting such as "hello there" opens none), and so do headings ("Orders for danube");
    SIGNOFF closes it, and what follows is read only from the next opening on.  A message goes on to its
    end word, or else to the end of the text: nothing inside it is ever read as an order.
    """
    game, phase = read_tag(subject)
    blocks: list[Block] = []
    opening: Line | None = None
    entries: list[Line | PressText] = []
    closed = False

    def close() -> None:
        if entries or opening is not None:
            name, claim = _claim(opening)
            blocks.append(Block(name, claim, opening, tuple(entries)))

    lines = text.split("\n")
    number = 0
    while number < len(lines):
        number += 1
        written = lines[number - 1].strip()
        match = (words.match(written) or words.match(_without_please(written, words))) if written else None
        name = match.name if match else ""
        if match is not None and (
            (name in ALONE and (rest := match.rest.strip(" .,;!")) and not (is_game(rest.lower()) or _is_polite(rest, words)))
            or (name not in OPENING and words.courtesies.greets(written))
            or (name in BEFORE_ORDERS and _introduces(written, match.rest, name))
            or (name in ALSO_HEADINGS and (words.phases.names_season(match.rest) or _game_in_heading(written, words, meant)))
        ):
            match, name = None, ""
        line = Line(number, written, name, match.rest if match else "", match.language if match else "")
        named = _NAMED.match(written) if not name else None
        if named is not None and is_game(named[1].lower()):
            close()
            opening, entries, closed = Line(number, written, "game", named[1]), [], False
            if named[2]:
                entries.append(Line(number, named[2]))
            continue
        if not name and (headed := _game_in_heading(written, words, meant)):
            close()
            opening, entries, closed = Line(number, written, "game", headed), [], False
        elif name in OPENING and _opens(line, words, is_game):
            close()
            opening, entries, closed = line, [], False
        elif name == "signoff":
            closed = True
        elif closed or not written:
            continue
        elif name in OPENING:
            entries.append(Line(number, written) if line.rest or words.courtesies.greets(written) else line)
        elif name in CONDITIONS and not any(entry.command == "phase" for entry in entries) and _governs(line):
            line, number = _with_governed(lines, number, line, words)
            entries.append(line)
        elif name in TEXTS and not _is_one_line(lines, number):
            message, number = _message(lines, number, line, words)
            entries.append(message)
        else:
            entries.append(line)
    close()
    return Request(game, phase, tuple(blocks))


def _without_please(written: str, words: CommandWords) -> str:
    """A line without the "please" in front of it, if there is one."""
    first, _, rest = written.partition(" ")
    return rest.lstrip() if words.means(first.rstrip(",:"), "please") else ""


def _is_polite(rest: str, words: CommandWords) -> bool:
    """Whether what stands behind a command is "please" or thanks."""
    return words.courtesies.is_courtesy(rest) or all(words.means(word.strip(",.!"), "please") for word in rest.split())


def _introduces(written: str, rest: str, name: str) -> bool:
    """Whether a command's words with a colon behind them say that orders follow; EDIT has signs of its own."""
    head = written[: len(written) - len(rest)].rstrip() if rest else written
    is_edit = name == "edit" and (rest[:1] in tuple("+-–−") or "=" in rest)
    return (head.endswith(":") or (name != "edit" and written.endswith(":"))) and not is_edit


def _governs(line: Line) -> bool:
    """Whether a condition that names somebody, or an ELSE, is meant for the lines below it ("If it is not too late:" is talk)."""
    if line.command == "else" and not line.rest:
        return True
    names = any(word[0].isupper() for word in _LONG_WORD.findall(line.rest))
    return names and line.text.endswith((":", ",")) and not _SENTENCE.search(line.text)


def _with_governed(lines: list[str], number: int, line: Line, words: CommandWords) -> tuple[Line, int]:
    """A condition outside PHASE with the lines that it governs, none of which must be done without it, and the last one's number."""
    governed = [line.text]
    while number < len(lines):
        written = lines[number].strip()
        if (not written and len(governed) > 1) or (written and words.match(written) is not None):
            break
        governed += [written] if written else []
        number += 1
    return replace(line, text=" / ".join(governed)), number


_DECORATED = re.compile(r"^[\[<(#=*]|[:\]>)#=*]$")
_MOST_STRANGE = 4
_MOST_HEADING = 6
"""So many words a heading with the name of a game has at most."""


def _game_in_heading(written: str, words: CommandWords, meant: Callable[[str], str]) -> str:
    """The game that a line names as a heading: alone, decorated, or behind "orders for" or a misspelt GAME; "" for any other line."""
    pieces = re.findall(r"\w+", written)
    if not 0 < len(pieces) <= _MOST_HEADING or not re.fullmatch(r"[\w\s.,:;!'\"„“”«»#=*<>()\[\]–—-]+", written):
        return ""
    strange = [piece for piece in pieces if fold(piece) not in words.phases.small]
    names = [piece for piece in strange if not _is_heading_word(piece, words)] if len(strange) < _MOST_STRANGE else []
    plain = len(pieces) == 1 and not _DECORATED.search(written)
    if len(names) != 1 or not re.fullmatch(r"[A-Za-z][A-Za-z0-9]{1,15}", names[0]):
        return ""
    return "" if plain and words.courtesies.is_courtesy(written) else meant(names[0].lower())


def _is_heading_word(word: str, words: CommandWords) -> bool:
    """Whether a word may stand beside the name of a game in a heading; "singon" stands for "signon"."""
    folded = fold(word)
    if folded in words.phases.small or words.means(word, "games"):
        return True
    return len(folded) > 4 and any(OSA.distance(folded, each) <= 1 + (len(folded) > 5) for each in words.openers)


def _opens(line: Line, words: CommandWords, is_game: Callable[[str], bool]) -> bool:
    """Whether a line with a sign-on word is meant as one: it names a game, or uses the judge's own word for it.

    That word alone takes the seat that a letter has offered.
    """
    if not line.rest:
        return line.command == "signon" and line.text.strip(" .!:").upper() == words.spell("signon", line.language)
    if line.text.split()[0].upper().rstrip(":") == words.spell(line.command, line.language):
        return True
    return any(is_game(word.strip(".,!").lower()) for part in line.rest.split()[:3] for word in (part, part[1:], *re.split("[@+]", part)))


def _is_one_line(lines: list[str], number: int) -> bool:
    """Whether nothing follows the opening line of a message."""
    return not any(line.strip() for line in lines[number:])


def _message(lines: list[str], number: int, line: Line, words: CommandWords) -> tuple[PressText, int]:
    """The message that begins after line `number`, and the number of the last line it takes."""
    body: list[str] = []
    for index in range(number, len(lines)):
        match = words.match(lines[index].strip()) if lines[index].strip() else None
        if match is not None and match.name == "endpress" and not match.rest:
            return PressText(number, line.text, line.command, line.rest, _trim(body), True, line.language), index + 1
        if match is not None and match.name == "signoff" and not match.rest and lines[index].strip().isupper():
            return PressText(number, line.text, line.command, line.rest, _trim(body), True, line.language), index
        body.append(lines[index].rstrip())
    return PressText(number, line.text, line.command, line.rest, _trim(body), False, line.language), len(lines)


def _trim(body: list[str]) -> str:
    """The text without empty lines before and after it."""
    return "\n".join(body).strip("\n")


def _claim(opening: Line | None) -> tuple[str, tuple[str, ...]]:
    """The game an opening line names, and what else it says.

    Understood are ``danube FRANCE word``, ``Fdanube word``, ``france@danube word``, ``a+danube word`` and ``? danube``; which word is
    what is settled where games are known.
    """
    if opening is None or not opening.rest:
        return "", ()
    parts = opening.rest.split()
    if opening.command == "game":
        return parts[0].lower(), ()
    first = parts[0]
    for sign in ("@", "+"):
        left, found, right = first.partition(sign)
        if found and left and right:
            return right.lower(), (left, *parts[1:])
    return "", tuple(parts)

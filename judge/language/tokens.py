"""A line cut into the words the grammar knows."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from judge.language.folding import DASHES, fold
from judge.language.lexicon import COASTS
from judge.language.vocabulary import LETTER, NOTHING, Sense, Vocabulary

_DASH = re.escape(DASHES)
_TOKEN = re.compile(
    rf"""(?P<note>(?://|\#(?=[\s\w])|<[{_DASH}]).*)
    |(?P<word>[^\W_]+)
    |(?P<arrow>[{_DASH}=~]*>+|[→⇒➔➜➝➞➡➤⟶⇨►▶»›↦⇾↣➙➛➟➠➢➧➨➪➭➯⮕🡒🠖↝↠⟹》〉＞]+)
    |(?P<dash>[{_DASH}=]+)
    |(?P<open>[(\[{{])|(?P<close>[)\]}}])
    |(?P<mark>[:;,./~+|&?!*])
    |(?P<space>\s+)
    |(?P<other>[^\s])""",
    re.VERBOSE,
)
_SYMBOL_ARROWS = frozenset("àèð")
"""What arrows of a word processor's symbol font become when the font is lost."""
_JOINTS = frozenset({"'", "’", "‘", "`", "´", "."})


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a line: `kind` "word", "dash", "arrow", "open", "close", "other" or the punctuation mark itself; `at` where it starts.

    `tight` when nothing stands between it and the piece before.
    """

    kind: str
    text: str
    at: int
    tight: bool


@dataclass(slots=True)
class Item:
    """Tokens that mean something together; `sense` is None for a word that means nothing, `NOTHING` for a number."""

    kind: str
    text: str
    at: int
    end: int
    sense: Sense | None = NOTHING
    tight: bool = False
    words: int = 1
    index: int = field(default=0)


def tokenize(line: str) -> tuple[Token, ...]:
    """The pieces of a line; a note (``# ...``, ``// ...``, ``<- ...``) ends it and is left out.

    >>> [token.text for token in tokenize("A Par–Bur // or so")]
    ['A', 'Par', '–', 'Bur']
    >>> [token.kind for token in tokenize("F STP(sc) --> BOT")]
    ['word', 'word', 'open', 'word', 'close', 'arrow', 'word']
    """
    tokens, end = [], -1
    for found in _TOKEN.finditer(line):
        kind = str(found.lastgroup)
        if kind == "note":
            break
        if kind == "space":
            continue
        text = found.group()
        if kind == "mark":
            kind = text
        if kind == "other" and text in _JOINTS:
            kind = "joint"
        tokens.append(Token(kind, text, found.start(), found.start() == end))
        end = found.end()
    return tuple(tokens)


def note_of(line: str) -> str:
    """The note that ends a line, "" if none does.

    >>> note_of("A Par - Bur // if I may")
    'if I may'
    """
    found = next((found for found in _TOKEN.finditer(line) if found.lastgroup == "note"), None)
    return found.group().lstrip(f"/#<{DASHES} ") if found else ""


def items_of(tokens: tuple[Token, ...], vocabulary: Vocabulary, waterways: Mapping[frozenset[str], str]) -> tuple[Item, ...]:
    """The tokens grouped into the longest names and phrases that the vocabulary has.

    `waterways` are names made of two place names joined by a hyphen without spaces, by their two ports.
    """
    items: list[Item] = []
    at, count = 0, len(tokens)
    while at < count:
        token = tokens[at]
        if token.kind == "joint":
            at += 1
            continue
        if token.kind != "word":
            items.append(Item(token.kind, token.text, token.at, token.at + len(token.text), tight=token.tight))
            at += 1
            continue
        if token.text in _SYMBOL_ARROWS and not vocabulary.has_exactly(token.text):
            items.append(Item("arrow", token.text, token.at, token.at + 1))
            at += 1
            continue
        glued = _glued_coast(token, vocabulary) or _glued_letters(token, vocabulary) or _glued_number(token, vocabulary)
        if glued is not None:
            items += glued
            at += 1
            continue
        item, at = _longest(tokens, at, vocabulary)
        item.tight = token.tight
        items.append(item)
    if waterways:
        items = list(_with_waterways(items, waterways))
    for index, item in enumerate(items):
        item.index = index
        if item.sense and item.sense.places and item.sense.is_small and not item.text.isupper():
            item.sense = _place_or_small(item, items[index + 1] if index + 1 < len(items) else None)
    return tuple(items)


def _place_or_small(item: Item, following: Item | None) -> Sense:
    """What a word is that is a code of the board as well as an article or preposition ("the", "den"): a small word before a name."""
    sense = item.sense or NOTHING
    behind = following.sense if following and following.kind == "word" else None
    named = behind and (behind.places or behind.adjectives or behind.powers or any(role != LETTER for _, role in behind.units))
    attack = behind and following and item.text.islower() and "move" in behind.verbs and len(following.text) > 1
    if named or attack:
        return replace(sense, places=(), coasts=())
    return replace(sense, preps=frozenset(), small=frozenset())


def _glued_coast(token: Token, vocabulary: Vocabulary) -> tuple[Item, Item] | None:
    """A place and its coast written as one word: ``SpaNC``, ``STPSC``."""
    stem, coast = token.text[:-2], token.text[-2:]
    if len(stem) < 3 or coast.upper() not in COASTS or vocabulary.look_up(token.text) is not None:
        return None
    place = vocabulary.look_up(stem)
    if place is None or not any(coast.upper() in vocabulary.board.provinces[each.place].coasts for each in place.places):
        return None
    middle = token.at + len(stem)
    return Item("word", stem, token.at, middle, place), Item("word", coast, middle, middle + 2, Sense(coasts=(coast.upper(),)), True)


def _glued_letters(token: Token, vocabulary: Vocabulary) -> tuple[Item, Item] | None:
    """The letters of a verb and a unit written as one word in capitals: ``SA``, ``CF``."""
    if len(token.text) != 2 or not token.text.isupper():
        return None
    verb, unit = (vocabulary.look_up(letter) for letter in token.text)
    whole = vocabulary.look_up(token.text)
    if not (verb and verb.verbs & {"support", "convoy"} and unit and unit.units) or (whole and (whole.places or whole.coasts)):
        return None
    return Item("word", token.text[0], token.at, token.at + 1, verb), Item("word", token.text[1], token.at + 1, token.at + 2, unit, True)


def _glued_number(token: Token, vocabulary: Vocabulary) -> tuple[Item, Item] | None:
    """The letter of a unit and the number of a place written as one word: ``P60``."""
    letter, number = token.text[0], token.text[1:]
    if not number.isdigit() or letter.isdigit() or vocabulary.look_up(token.text) is not None:
        return None
    unit, place = vocabulary.look_up(letter), vocabulary.look_up(number)
    if not (unit and unit.units and place and place.places):
        return None
    return Item("word", letter, token.at, token.at + 1, unit), Item("word", number, token.at + 1, token.at + len(token.text), place, True)


def _longest(tokens: tuple[Token, ...], at: int, vocabulary: Vocabulary) -> tuple[Item, int]:
    """The longest name that starts at a word."""
    first = tokens[at]
    most = vocabulary.longest.get(fold(first.text), 1)
    sense = vocabulary.look_up(first.text)
    best = (sense, first.text, 1, at + 1) if sense is not None else None
    following = tokens[at + 1].kind if at + 1 < len(tokens) else ""
    if most > 1 or following == "dash":
        for text, words, tight, end in _runs(tokens, at, most):
            sense = vocabulary.look_up(text, words, tight and not _are_places(tokens[at:end], vocabulary))
            if sense is not None:
                best = (sense, text, words, end)
    if best is None:
        meaning = NOTHING if first.text[0].isdigit() else None
        return Item("word", first.text, first.at, first.at + len(first.text), meaning), at + 1
    sense, text, words, end = best
    last = tokens[end - 1]
    return Item("word", text, first.at, last.at + len(last.text), sense, words=words), end


def _are_places(tokens: tuple[Token, ...], vocabulary: Vocabulary) -> bool:
    """Whether the words joined by hyphens are each a place, or the letter of a verb behind one: ``swe-den`` is a move, not Sweden.

    So is ``Edinburg-H`` a hold, not Edinburgh.
    """
    words = [token for token in tokens if token.kind == "word"]
    if len(words) < 2 or not any(token.kind == "dash" for token in tokens):
        return False
    senses = [vocabulary.look_up(word.text, 1, True) for word in words]
    return all(
        sense is not None and (sense.places or (at > 0 and len(word.text) == 1 and sense.verbs))
        for at, (word, sense) in enumerate(zip(words, senses, strict=True))
    )


def _runs(tokens: tuple[Token, ...], at: int, most: int) -> Iterator[tuple[str, int, bool, int]]:
    """Several words that may be one name: the text, how many, whether joined without spaces, and where it ends."""
    text, words, tight, place, count = tokens[at].text, 1, True, at + 1, len(tokens)
    single = len(text) == 1
    while place < count and words < max(most, 2):
        dotted = False
        while place < count and tokens[place].kind in (".", "joint", "&") and (tokens[place].tight or tokens[place].kind != "."):
            dotted, place = True, place + 1
        if place < count and tokens[place].kind == "dash" and len(tokens[place].text) == 1:
            if not (tokens[place].tight and place + 1 < count and tokens[place + 1].tight):
                return
            joint, place = "-", place + 1
        else:
            joint = "" if place < count and tokens[place].tight else " "
        if place >= count or tokens[place].kind != "word":
            return
        tight = tight and joint != " "
        single = single and len(tokens[place].text) == 1
        if (single and joint == " " and not dotted) or (words >= most and joint != "-"):
            return
        text, words, place = text + joint + tokens[place].text, words + 1, place + 1
        yield text, words, tight, place


def _with_waterways(items: list[Item], waterways: Mapping[frozenset[str], str]) -> Iterator[Item]:
    """Two ports joined by a hyphen without spaces are one name (``Teldrassil-NDarkshore``), in either order."""
    at = 0
    while at < len(items):
        item = items[at]
        if at + 2 < len(items) and items[at + 1].kind == "dash" and items[at + 1].tight and items[at + 2].tight:
            sense = _waterway(item, items[at + 2], waterways)
            if sense is not None:
                last = items[at + 2]
                yield Item("word", f"{item.text}-{last.text}", item.at, last.end, sense, item.tight, 2)
                at += 3
                continue
        yield item
        at += 1


def _waterway(one: Item, other: Item, waterways: Mapping[frozenset[str], str]) -> Sense | None:
    if not one.sense or not other.sense:
        return None
    found = [
        waterways[ports]
        for first in one.sense.places
        for second in other.sense.places
        if (ports := frozenset({first.place, second.place})) in waterways
    ]
    if not found:
        return None
    first = one.sense.places[0]
    shared = "ambiguous" if len(set(found)) > 1 else ""
    return Sense(places=tuple(replace(first, place=place, cases=frozenset(), shared=shared) for place in dict.fromkeys(found)))

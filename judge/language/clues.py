"""What the pieces of a line give away: bullets, remarks in brackets, words of doubt, whether it looks like an order at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.language.complaints import LookAlike, Misspelt, Warned
from judge.language.folding import is_cyrillic
from judge.language.headings import Heading, heading_of
from judge.language.placephrases import COAST_LETTERS
from judge.language.tokens import Item, Token
from judge.language.vocabulary import Sense, Vocabulary

ENGLISH = "en"

LONGEST_CODE = 3
"""Codes of places have no more letters."""
_STRUCK = "❌❎✖✕✗✘🚫⛔👎"
"""Signs of what is not wanted; they are no bullets."""
_BULLET = re.compile(
    rf"^(?:[\s*•·‣▪▫◦●○■□◆◇▶►➢✓✔☐☑❖→➔➜➞–—‒―‐−¤§°+-]|(?![{_STRUCK}])[\U0001F000-\U0001FAFF☀-➿])+\s+(?=\S)"
    r"|^[•·‣▪▫◦●○■□◆◇▶►➢✓✔☐☑❖*]+(?=\w)|^[-–—](?=[^\W\d_])"
)
_NUMBER = re.compile(r"^(?:\d{1,2}\u20e3|\(?\d{1,3}\s?[.)\]]|#\d{1,3}[.:)]?|[a-z]\))\s*(?=\S)")
_TAIL = re.compile(r"(?:[\s.;,!…\"”“»'’*]|\s[:;]-?[)(DP]+)+$")
_COMMENT = re.compile(r"^(?://|#(?!\d{1,3}\b)|<[-–—]|\*{3,}|[-–—=_~*+]{3,}$)")


def is_comment(line: str) -> bool:
    """Whether a whole line is a note or a ruler."""
    return bool(_COMMENT.match(line))


def without_bullets(line: str) -> str:
    """The line without bullets, list numbers and quotation marks in front, and without what may trail behind it."""
    line = line.lstrip("\"“„«'‘ ")
    for _ in range(3):
        shorter = _NUMBER.sub("", _BULLET.sub("", line, count=1), count=1)
        if shorter == line:
            break
        line = shorter
    return _TAIL.sub("", line)


def is_coast_letter(piece: Token | Item, line: Sequence[Token | Item]) -> bool:
    """Whether a letter stands for a coast: "(e)", "/n"."""
    if len(piece.text) != 1 or piece.text.lower() not in COAST_LETTERS:
        return False
    before = next((each for each in reversed(line) if each.at < piece.at), None)
    return before is not None and before.kind in ("open", "/")


def evidence_of(items: Sequence[Item], language: str) -> int:
    """How many words only this language has (short forms prove nothing)."""
    if language == ENGLISH:
        return sum(1 for item in items if item.sense and len(item.text) > 3 and not item.sense.powers)
    return sum(
        1 for item in items if item.kind == "word" and item.sense and item.sense.own and (len(item.text) > 3 or is_cyrillic(item.text))
    )


def repair_of(text: str, sense: Sense) -> Warned:
    """What to tell of a word that is no name and was not spelled as it is listed."""
    return Misspelt(text, sense.repaired) if sense.slip else LookAlike(text, sense.repaired)


def is_filler(item: Item) -> bool:
    """Whether a word is only polite ("please")."""
    sense = item.sense
    return bool(
        item.kind == "word"
        and sense
        and "filler" in sense.small
        and not (sense.places or sense.units or sense.verbs or sense.preps or sense.coasts)
    )


def doubt_in(items: Sequence[Item]) -> str:
    """The word that makes an order doubtful: a condition, a denial, a question mark, a sign that strikes it out; "" if there is none."""
    for item in items:
        if item.kind == "?" or item.text in _STRUCK:
            return item.text
        sense = item.sense
        if _may_mean_with(item, items):
            return item.text
        if (
            item.kind == "word"
            and sense
            and "doubt" in sense.small
            and not (sense.places or sense.units or sense.verbs or sense.coasts or sense.powers)
        ):
            return item.text
    return ""


def _may_mean_with(item: Item, items: Sequence[Item]) -> bool:
    """Whether a small letter for a verb is as likely "with" ("Paříž s Marseille do Burgundska"): words follow it, and no dash or arrow."""
    sense = item.sense
    if not (item.kind == "word" and len(item.text) == 1 and item.text.islower() and sense and sense.verbs and "by" in sense.small):
        return False
    behind = [each for each in items if each.at > item.at]
    return bool(behind) and len(behind[0].text) > LONGEST_CODE and not any(each.kind in ("dash", "arrow", "~") for each in behind)


def looks_like_order(items: Sequence[Item]) -> bool:
    """Whether a line has what orders are made of: a unit or a verb, and places."""
    words = [item for item in items if item.kind == "word"]
    places = sum(1 for item in words if item.sense and (item.sense.places or item.sense.adjectives))
    units = sum(1 for item in words if item.sense and item.sense.units)
    verbs = sum(1 for item in words if item.sense and (item.sense.verbs or item.sense.preps)) + sum(
        1 for item in items if item.kind in ("dash", "arrow", "~")
    )
    unknown = sum(1 for item in words if item.sense is None)
    if not words or unknown * 2 > len(words) + 1:
        return False
    begins = (
        _begins_order(words) if unknown != 1 or _begins_order(words) else places >= 2 or (places >= 1 and verbs >= 1 and len(words) < 5)
    )
    return begins and ((places >= 1 and (units >= 1 or verbs >= 1)) or places >= 2 or (units >= 1 and verbs >= 1 and len(words) <= 6))


def is_whole(items: Sequence[Item]) -> bool:
    """Whether a stretch of a line looks like an order of its own, with something in it that says what to do."""
    does = any(item.kind in ("dash", "arrow", "~") or (item.sense and (item.sense.verbs or item.sense.preps)) for item in items)
    return does and looks_like_order(items) and _begins_order(items)


def _begins_order(items: Sequence[Item]) -> bool:
    """Whether the first word that can be part of an order is one with which orders begin."""
    words = [item for item in items if item.kind == "word"]
    leading = next((item.sense for item in words if item.sense is None or item.sense.is_meaty), None)
    return bool(leading and (leading.units or leading.places or leading.adjectives or leading.powers or leading.verbs))


def text_of(items: Sequence[Item]) -> str:
    """The words as one text."""
    return " ".join(item.text for item in items)


def stretches_of(items: Sequence[Item]) -> list[tuple[Item, ...]]:
    """The line between its semicolons, commas and bars."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if item.kind in (";", ",", "|"):
            parts.append([])
        else:
            parts[-1].append(item)
    return [tuple(part) for part in parts if part]


@dataclass(frozen=True, slots=True)
class Remarks:
    """What stood in brackets and is no part of the order: the texts, a word of doubt in them ("" none), and the seasons they name."""

    texts: tuple[str, ...] = ()
    doubt: str = ""
    seasons: tuple[Heading, ...] = ()


def without_brackets(items: Sequence[Item], vocabulary: Vocabulary) -> tuple[tuple[Item, ...], Remarks]:
    """The items without comments in brackets, and the comments.

    A coast stays, a word for a convoy becomes "by convoy", a power in front stays as a heading.
    """
    kept: list[Item] = []
    remarks = Remarks()
    at = 0
    while at < len(items):
        item = items[at]
        if item.kind != "open":
            if item.kind != "close":
                kept.append(item)
            at += 1
            continue
        end = next((index for index in range(at + 1, len(items)) if items[index].kind in ("close", "open")), len(items))
        inner = items[at + 1 : end]
        if end < len(items) and items[end].kind == "open":
            end -= 1
        senses = [each.sense for each in inner if each.kind == "word"]
        if _is_coast(inner):
            kept += [item, *inner]
            kept.append(Item("close", ")", item.at, item.end))
        elif _is_by_sea(senses, vocabulary) and not (kept and end + 1 < len(items) and _may_be_coast(kept[-1], inner, vocabulary)):
            kept.append(Item("word", text_of(inner), item.at, item.end, Sense(verbs=frozenset({"via"}), small=frozenset({"bracket"}))))
        elif not kept and len(senses) == 1 and senses[0] and senses[0].powers:
            kept += [inner[0], Item(":", ":", item.at, item.end)]
        elif kept and (coast := _misspelt_coast(kept[-1], inner, vocabulary)):
            kept += [item, coast, Item("close", ")", item.at, item.end)]
        elif inner and not all(sense and "hold" in sense.verbs for sense in senses):
            said = text_of(inner)
            heading = heading_of(inner, said)
            seasons = (heading,) if heading is not None and heading.names_season else ()
            remarks = Remarks((*remarks.texts, said), remarks.doubt or doubt_in(inner), (*remarks.seasons, *seasons))
        at = end + 1
    return tuple(kept), remarks


def _is_by_sea(senses: Sequence[Sense | None], vocabulary: Vocabulary) -> bool:
    """Whether a bracket says "by convoy", perhaps over which seas ("(via Nth and Nwg)")."""
    places = [each.place for sense in senses if sense for each in sense.places]
    at_sea = all(vocabulary.board.provinces[place].terrain == "sea" for place in places)
    return at_sea and any(sense and sense.verbs & {"via", "convoy"} for sense in senses)


def _may_be_coast(before: Item, inner: Sequence[Item], vocabulary: Vocabulary) -> bool:
    """Whether one letter for a convoy, inside a line behind a place with coasts, is as likely half of a coast ("Spa (C)" for "(CS)")."""
    has = {coast for each in (before.sense.places if before.sense else ()) for coast in vocabulary.board.provinces[each.place].coasts}
    return bool(has) and len(inner) == 1 and len(inner[0].text) == 1


def _misspelt_coast(before: Item, inner: Sequence[Item], vocabulary: Vocabulary) -> Item | None:
    """The coast that a bracket behind a place with coasts means in spite of a wrong letter; a repair, told as all are."""
    has = {coast for each in (before.sense.places if before.sense else ()) for coast in vocabulary.board.provinces[each.place].coasts}
    if not has or not 0 < len(inner) < 4:
        return None
    text = " ".join(item.text for item in inner)
    words = (vocabulary, vocabulary.english) if vocabulary.english else (vocabulary,)
    near = {coast for each in words for coast in each.coast_near(text)} & has
    if len(near) != 1:
        return None
    (coast,) = near
    return Item("word", text, inner[0].at, inner[-1].end, Sense(coasts=(coast,), repaired=coast, slip=True))


def _is_coast(inner: Sequence[Item]) -> bool:
    words = [item for item in inner if item.kind == "word"]
    named = [item for item in words if (item.sense and item.sense.coasts) or item.text.lower() in ("n", "s", "e", "w")]
    rest = [
        item for item in words if item not in named and not (item.sense and (item.sense.preps or item.sense.small & {"articles", "of"}))
    ]
    return len(named) == 1 and not rest

"""Several orders on one line: the ways to cut it into orders."""

from judge.language.drafts import Draft
from judge.language.grammar import Grammar

Ways = list[tuple[tuple[Draft, ...], ...]]
"""Ways to read a line: each a list of orders, each order a list of alternatives."""
BETWEEN = frozenset({",", ";", ".", "|", "&", "!", "*", "/", "other"})
"""What may stand between two orders of a line."""


def paths(grammar: Grammar, most: int = 6) -> Ways:
    """The ways to read all items as orders; the fewest orders win.

    An order without separator before it must begin with a word for a unit, a power or a verb.
    """
    best: dict[int, Ways] = {}
    start = _skip_between(grammar, 0)[0]
    best[start] = [()]
    for at in range(start, grammar.words.count):
        ways = best.pop(at, None)
        if not ways:
            continue
        ends: dict[int, list[Draft]] = {}
        for draft, end in grammar.orders(at):
            ends.setdefault(end, []).append(draft)
        for end, drafts in ends.items():
            following, separated = _skip_between(grammar, end)
            if following < grammar.words.count and not separated and not _may_begin(grammar, following):
                continue
            group = tuple(drafts)
            longer = [(*way, group) for way in ways]
            for begin in (following, following + 1) if _may_join(grammar, following) else (following,):
                known = best.get(begin)
                if known is None or len(known[0]) > len(longer[0]):
                    best[begin] = longer[:most]
                elif len(known[0]) == len(longer[0]):
                    best[begin] = (known + longer)[:most]
    return best.get(grammar.words.count, [])


def _skip_between(grammar: Grammar, at: int) -> tuple[int, bool]:
    """Behind whatever may stand between two orders, and whether something did."""
    start = at
    while at < grammar.words.count:
        if _is_list_number(grammar, at):
            at += 1
            continue
        sense = grammar.words.sense(at)
        means_nothing = sense is not None and bool(sense.small & {"and", "filler"}) and not sense.is_meaty
        behind = grammar.words.sense(at + 1)
        is_word = sense is not None and not (sense.units and not (behind and behind.units))
        joins = sense is not None and "and" in sense.small and not sense.places and is_word
        if not (grammar.words.kind(at) in BETWEEN or grammar.words.kind(at) in ("open", "close") or means_nothing or joins):
            break
        at += 1
    return at, at > start


def _may_join(grammar: Grammar, at: int) -> bool:
    """Whether a small letter for a unit may as well be "and" ("Vídeň do Haliče a Terst do Albánie")."""
    sense = grammar.words.sense(at)
    return bool(sense and sense.units and "and" in sense.small and grammar.words.items[at].text.islower() and at + 1 < grammar.words.count)


def _is_list_number(grammar: Grammar, at: int) -> bool:
    """Whether a figure numbers the order behind it ("A Par - Bur 2) A Mar H"); figures that are places do not."""
    item, behind = grammar.words.items[at], at + 1
    if item.kind != "word" or not item.text.isdigit() or len(item.text) > 2 or item.sense is None or item.sense.is_meaty:
        return False
    while grammar.words.kind(behind) in (".", "close", ":"):
        behind += 1
    return behind < grammar.words.count and _may_begin(grammar, behind)


def _may_begin(grammar: Grammar, at: int) -> bool:
    sense = grammar.words.sense(at)
    return bool(grammar.words.kind(at) == "+" or (sense and (sense.units or sense.powers or sense.verbs or sense.adjectives)))

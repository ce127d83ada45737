"""Lines that speak of many units at once: "all hold", "rest hold", "všechny ostatní armády drží", "hold everything else"."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from judge.board import Power
from judge.language.folding import fold
from judge.language.lexicon import Lexicon
from judge.language.scene import Scene
from judge.language.vocabulary import WORD
from judge.rules import Disband, Hold, Step

VERBS = {Step.MOVEMENT: "hold", Step.RETREAT: "disband"}
"""What can be ordered of many units at once, by step."""
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Host:
    """What a line says of many units: what they do, of which kind they are ("" for all), and that others are named elsewhere (`rest`)."""

    verb: str
    kind: str
    rest: bool
    language: str


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The words of one language: hosts with whether they are what is left, kinds of unit, verbs, and words that mean nothing."""

    language: str
    hosts: dict[Words, bool]
    kinds: dict[Words, str]
    verbs: dict[Words, str]
    idle: frozenset[str]


class Hosts:
    """Finds such lines in several languages.  Every word of a line must be understood, or it is none."""

    def __init__(self, lexicons: Sequence[Lexicon]) -> None:
        self._phrases = [_phrases(lexicon) for lexicon in lexicons if lexicon.hosts]
        ands = {word for lexicon in lexicons for word in lexicon.small.get("and", ())}
        words = "|".join(re.escape(word) for word in sorted(ands))
        self._joint = re.compile(rf"[,;.]\s*|\s+(?:{words})\s+", re.IGNORECASE)
        self._telling = {word for phrases in self._phrases for host in phrases.hosts for word in host}

    def hints(self, line: str) -> bool:
        """Whether a line holds any word for many units; most do not, and this is found at once."""
        return not self._telling.isdisjoint(_words(line))

    def find(self, line: str) -> Host | None:
        """What a line says of many units, if that is all it says."""
        written = _words(line)
        for phrases in self._phrases:
            words = tuple(word for word in written if word not in phrases.idle) if 1 < len(written) <= 9 else ()
            for cut in range(1, len(words)):
                for host, verb in ((words[:cut], words[cut:]), (words[cut:], words[:cut])):
                    found = _named(host, phrases) if verb in phrases.verbs else None
                    if found is not None:
                        return Host(phrases.verbs[verb], found[0], found[1], phrases.language)
        return None

    def verb(self, text: str) -> str:
        """What a text orders of several units, "hold" or "disband", "" if it is no such verb of any language."""
        words = _words(text)
        return next((phrases.verbs[words] for phrases in self._phrases if words in phrases.verbs), "")

    def cut(self, line: str) -> tuple[str, Host] | None:
        """A line whose last part speaks of many units ("A Par - Bur, rest hold"), as what stands before, and that part."""
        cuts = ((joint, self.find(line[joint.end() :])) for joint in self._joint.finditer(line))
        return next(((line[: joint.start()], host) for joint, host in cuts if host is not None), None)


def ordered(host: Host, scene: Scene, power: Power, named: Set[str]) -> tuple[Hold | Disband, ...]:
    """The orders that a host means: for each unit of `power` that must act and stands in none of the provinces `named`."""
    units = [unit for province, (owner, unit) in sorted(scene.acting.items()) if owner == power and province not in named]
    make = Hold if host.verb == "hold" else Disband
    return tuple(make(unit) for unit in units if host.kind in ("", unit.kind))


def _phrases(lexicon: Lexicon) -> _Phrases:
    spoken = {
        verb: (*lexicon.hosts.get(verb, ()), *lexicon.verbs[verb].words, *lexicon.verbs[verb].letters)
        for verb in VERBS.values()
        if verb in lexicon.verbs
    }
    named = {key: lexicon.hosts.get(key, ()) for key in ("all", "rest")}
    kinds = {
        letter: [text for text in (*kind.subject, *kind.object, *kind.other) if len(text) > 1] for letter, kind in lexicon.units.items()
    }
    # What means nothing beside an order may be the verb here (Hungarian "marad").
    small = {_words(text) for key in ("articles", "filler", "and") for text in lexicon.small.get(key, ())}
    meant = {_words(text) for texts in (*spoken.values(), *named.values()) for text in texts}
    idle = frozenset(phrase[0] for phrase in small - meant if len(phrase) == 1)

    def bare(texts: Iterable[str]) -> Iterator[Words]:
        return (tuple(word for word in _words(text) if word not in idle) for text in texts)

    return _Phrases(
        lexicon.language,
        {phrase: key == "rest" for key, texts in named.items() for phrase in bare(texts)},
        {phrase: letter for letter, texts in kinds.items() for phrase in bare(texts)},
        {phrase: verb for verb, texts in spoken.items() for phrase in bare(texts)},
        idle,
    )


def _named(words: Words, phrases: _Phrases) -> tuple[str, bool] | None:
    """The kind that a host is of ("" for all), and whether it is what is left; None if the words name no host."""
    if words in phrases.hosts:
        return "", phrases.hosts[words]
    for cut in range(1, len(words)):
        if words[:cut] in phrases.hosts and words[cut:] in phrases.kinds:
            return phrases.kinds[words[cut:]], phrases.hosts[words[:cut]]
    return None


def _words(text: str) -> Words:
    return tuple(fold(word) for word in WORD.findall(text))

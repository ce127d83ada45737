"""The judge's own sentences in one language: a gettext catalogue already read (Babel), asked by sentence or by code."""

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from gettext import c2py
from io import BytesIO

from babel.messages.pofile import PoFileError, read_po

from judge.errors import OperatorError

PluralRule = Callable[[int], int]
"""Number to plural form, as the catalogue's header says."""


@dataclass(eq=False)
class BadPhrases(OperatorError):
    """A catalogue that cannot be read: which language, which line, what is wrong."""

    lang: str
    line: int
    fault: str

    def __str__(self) -> str:
        return f"languages/{self.lang}/judge.po, line {self.line}: {self.fault}"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One entry: the English (`source`, one or two forms), its translation (`forms`, empty if none), its line in the file.

    `code` is the msgctxt: the name by which `Phrases.say` finds the entry; "" for sentences of templates.
    """

    source: tuple[str, ...]
    forms: tuple[str, ...] = ()
    code: str = ""
    line: int = 0
    flags: frozenset[str] = frozenset()


def _names_only(text: str) -> bool:
    return "{" not in text


@dataclass(frozen=True, eq=False)
class Phrases:
    """Every sentence of one language.

    `entries` by (code, English); a sentence without translation comes out in English, so a half-finished catalogue works.
    """

    lang: str
    entries: Mapping[tuple[str, str], Phrase]
    plural: PluralRule
    by_code: Mapping[str, Phrase] = field(repr=False)

    @classmethod
    def from_po(cls, lang: str, data: bytes, base: "Phrases | None" = None) -> "Phrases":
        """Read the bytes of a .po file.

        Entries of `base` (the shipped catalogue, or English) stand in where `data` has none.  Raises `BadPhrases`.
        """
        try:
            catalog = read_po(BytesIO(data), locale=None, abort_invalid=True, charset="utf-8")
        except PoFileError as fault:
            raise BadPhrases(lang, fault.lineno, str(fault)) from fault
        except UnicodeDecodeError as fault:
            raise BadPhrases(lang, data[: fault.start].count(b"\n") + 1, "not UTF-8") from fault
        entries: dict[tuple[str, str], Phrase] = dict(base.entries) if base else {}
        for message in catalog:
            if not message.id:
                continue
            source = tuple(message.id) if isinstance(message.id, list | tuple) else (message.id,)
            given = tuple(message.string) if isinstance(message.string, list | tuple) else (message.string,)
            forms = tuple(str(text) for text in given) if all(given) and not message.fuzzy else ()
            code = message.context or ""
            key = (code, source[0])
            if not forms and key in entries:
                continue
            entries[key] = Phrase(source, forms, code, message.lineno or 0, frozenset(message.flags))
        if base is not None and base.lang == lang and b"Plural-Forms" not in data:
            rule = base.plural
        else:
            rule = _plural_rule(lang, data, catalog.plural_expr)
        return cls(lang, entries, rule, _by_code(entries, base))

    def gettext(self, message: str) -> str:
        """The sentence in this language."""
        return self.pgettext("", message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """The sentence in this language, in the form that goes with `n`."""
        return self.npgettext("", one, many, n)

    def pgettext(self, code: str, message: str) -> str:
        """The sentence of that code in this language."""
        entry = self.entries.get((code, message))
        return entry.forms[0] if entry is not None and entry.forms else message

    def npgettext(self, code: str, one: str, many: str, n: int) -> str:
        """The sentence of that code in this language, in the form that goes with `n`."""
        entry = self.entries.get((code, one))
        if entry is None or not entry.forms:
            return one if n == 1 else many
        return entry.forms[min(self.plural(n), len(entry.forms) - 1)]

    def knows(self, code: str) -> bool:
        """Whether there is a sentence of that code."""
        return code in self.by_code

    def say(self, code: str, /, **facts: object) -> str:
        """The sentence of `code` with its facts filled in; `n` chooses the plural form.  Raises KeyError for an unknown code.

        A fact that the catalogue's sentence names and the caller did not give is a fault of the catalogue, found by tests.
        """
        entry = self.by_code[code]
        n = facts.get("n", 1)
        number = n if isinstance(n, int) else 1
        if entry.forms:
            text = entry.forms[min(self.plural(number), len(entry.forms) - 1)] if len(entry.forms) > 1 else entry.forms[0]
        else:
            text = entry.source[0] if number == 1 or len(entry.source) == 1 else entry.source[1]
        return text if _names_only(text) else text.format_map(facts)

    def faults(self) -> list[str]:
        """What a translator should mend: placeholders that the English does not have, or has and the translation lacks."""
        return [f"line {entry.line}: {fault}" for entry in self.entries.values() for fault in phrase_faults(entry)]

    def coverage(self) -> float:
        """Share of the sentences that are translated, 0 to 1."""
        return sum(1 for entry in self.entries.values() if entry.forms) / max(1, len(self.entries))


def _by_code(entries: Mapping[tuple[str, str], Phrase], base: Phrases | None) -> dict[str, Phrase]:
    """Entries by code: where English has changed and a translation still has the old sentence, the new English wins."""
    known = dict(base.by_code) if base else {}
    for (code, source), entry in entries.items():
        if code and (base is None or code not in base.by_code or base.by_code[code].source[0] == source):
            known[code] = entry
    return known


def _plural_rule(lang: str, data: bytes, expression: str) -> PluralRule:
    try:
        return c2py(expression)
    except ValueError as fault:
        line = data[: max(0, data.find(b"Plural-Forms"))].count(b"\n") + 1
        raise BadPhrases(lang, line, f"plural rule: {fault}") from fault


def brace_fields(text: str) -> frozenset[str]:
    """Names in braces.

    >>> sorted(brace_fields("{unit} bounced with {by}"))
    ['by', 'unit']
    """
    return frozenset(name.split(".")[0].split("[")[0] for _, name, _, _ in string.Formatter().parse(text) if name)


def percent_fields(text: str) -> frozenset[str]:
    """Names in ``%(name)s``, the form of sentences in templates.

    >>> sorted(percent_fields("%(n)s orders by %(when)s"))
    ['n', 'when']
    """
    return frozenset(part.split(")s")[0] for part in text.split("%(")[1:] if ")s" in part)


def phrase_faults(entry: Phrase) -> list[str]:
    """What is wrong with one translation: placeholders unknown, lacking or broken; plural forms may leave out the number."""
    fields = brace_fields if entry.code else percent_fields
    each = [fields(text) for text in entry.source]
    known, needed = frozenset().union(*each), each[0].intersection(*each)
    faults = []
    for text in entry.forms:
        try:
            found = fields(text)
        except ValueError as fault:
            faults.append(f"{text!r}: {fault}")
            continue
        faults.extend(f"{text!r} names {{{name}}}, which the English does not" for name in sorted(found - known))
        faults.extend(f"{text!r} lacks {{{name}}}" for name in sorted(needed - found))
    return faults

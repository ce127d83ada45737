"""The folders of `templates/languages/` read into the words and sentences of a language, an operator's laid over the shipped ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.errors import OperatorError
from judge.language import BadPhrases, BadWords, Lexicon, Phrases, parse_lexicon
from judge.language.commandwords import CommandWords, parse_command_words
from judge.library.findings import BadTongue, Faults, Finding
from judge.library.folders import search_path
from judge.library.tables import TomlFile, dotted, read_toml

ENGLISH = "en"
"""The language whose sentences stand in where another has none."""
WORDS, COMMANDS, CATALOGUE = "words.toml", "commands.toml", "judge.po"


@dataclass(frozen=True)
class Tongue:
    """One language: the words it reads, the sentences it writes (`writes`: it has a catalogue of its own, else they are English)."""

    language: str
    lexicon: Lexicon
    phrases: Phrases = field(repr=False)
    commands: Mapping[str, Any] = field(repr=False)
    writes: bool


def language_folders(language: str, templates: Sequence[Path]) -> list[Path]:
    """The folders of one language, the shipped one first, those of the operator over it."""
    return [folder / "languages" / language for folder in reversed(templates) if (folder / "languages" / language).is_dir()]


def tongue_names(templates: Sequence[Path]) -> tuple[str, ...]:
    """Every language that has words, English first."""
    found = {path.parent.name for folder in templates for path in (folder / "languages").glob(f"*/{WORDS}")}
    return tuple(sorted(found, key=lambda name: (name != ENGLISH, name)))


def laid_over(files: Sequence[TomlFile]) -> dict[str, Any]:
    """The tables of several files as one: entry by entry, the later file wins."""
    merged: dict[str, Any] = {}
    for file in files:
        lay(merged, file.data)
    return merged


def lay(below: dict[str, Any], above: Mapping[str, Any]) -> None:
    """Lay one table over another, in place.

    >>> table = {"verbs": {"hold": ["h"], "move": ["m"]}}
    >>> lay(table, {"verbs": {"hold": ["stay"]}}); table
    {'verbs': {'hold': ['stay'], 'move': ['m']}}
    """
    for key, value in above.items():
        if isinstance(value, Mapping) and isinstance(below.get(key), dict):
            lay(below[key], value)
        else:
            below[key] = dict(value) if isinstance(value, Mapping) else value


def read_tongue(language: str, templates: Sequence[Path] = (), english: Phrases | None = None) -> Tongue:
    """One language out of its folders (the shipped ones if none are named).  Raises `BadTongue`.

    `english` are the sentences to fall back to, read from its own folder if left out.
    """
    search = tuple(templates) or search_path("templates")
    folders = language_folders(language, search)
    faults = Faults()
    words = read_layers(folders, WORDS, faults)
    commands = read_layers(folders, COMMANDS, faults)
    if not words and not faults:
        raise BadTongue(
            (Finding(f"languages/{language}/{WORDS}", 0, "there is no such language", "docs/languages.md says what it needs."),)
        )
    if faults:
        raise BadTongue(tuple(faults.found))
    try:
        lexicon = parse_lexicon({"language": language, **laid_over(words)})
    except BadWords as bad:
        raise BadTongue((Finding(str(words[-1].path), words[-1].line(*dotted(bad.key)), f"{bad.key}: {bad.fault}", ""),)) from bad
    if english is None and language != ENGLISH:
        english = read_phrases(ENGLISH, language_folders(ENGLISH, search), None)
    catalogues = [folder for folder in folders if (folder / CATALOGUE).is_file()]
    phrases = english if english is not None and not catalogues else read_phrases(language, folders, english)
    return Tongue(language, lexicon, phrases, laid_over(commands), bool(catalogues))


def read_layers(folders: Sequence[Path], name: str, faults: Faults) -> list[TomlFile]:
    """The files of one name that there are."""
    layers = [read_toml(folder / name, faults) for folder in folders if (folder / name).is_file()]
    return [layer for layer in layers if layer is not None]


def read_phrases(language: str, folders: Sequence[Path], base: Phrases | None) -> Phrases:
    """The sentences of a language, each folder's catalogue over those before it.  Raises `BadTongue`."""
    phrases = base
    for path in (folder / CATALOGUE for folder in folders if (folder / CATALOGUE).is_file()):
        try:
            phrases = Phrases.from_po(language, path.read_bytes(), phrases)
        except BadPhrases as bad:
            raise BadTongue((Finding(str(path), bad.line, bad.fault, "A .po editor shows the place."),)) from bad
    return phrases or Phrases.from_po(language, b"")


def read_command_words(tongues: Sequence[Tongue]) -> CommandWords:
    """The commands of all languages in one table, English first.  Raises `BadTongue`."""
    try:
        return parse_command_words(((tongue.language, tongue.commands) for tongue in tongues), [tongue.lexicon for tongue in tongues])
    except OperatorError as bad:
        raise BadTongue((Finding(f"languages/*/{COMMANDS}", 0, str(bad), ""),)) from bad

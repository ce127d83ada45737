"""Lints a language folder for translators: what cannot be read, what English has and it lacks, sentences that lost a placeholder."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.language import Lexicon, fold
from judge.library.findings import BadTongue, Faults, Finding
from judge.library.folders import find_folder, folders_with, search_path
from judge.library.languages import CATALOGUE, COMMANDS, ENGLISH, WORDS, Tongue, language_folders, read_tongue, tongue_names
from judge.library.names import scan_gazetteers
from judge.library.tables import read_toml
from judge.library.variants import VARIANT_FILE, VariantReader, open_map, read_variant

NAMED_BOARDS = ("standard",)
"""Boards whose places every language that writes letters names."""
FAULT_LINE = re.compile(r"line (\d+): (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a language is there, each from 0 to 1: sentences, commands, and places by board."""

    sentences: float
    commands: float
    places: Mapping[str, float]


def check_language(language: str, templates: Sequence[Path] = (), maps: Sequence[Path] = ()) -> tuple[Finding, ...]:
    """All faults of one language by file and line; empty means that it can be used.

    `templates` and `maps` are the folders to look in, the shipped ones if left out.
    A language without sentences of its own (no judge.po) reads orders only and needs only words.
    """
    search, boards = tuple(templates) or search_path("templates"), tuple(maps) or search_path("maps")
    try:
        tongue, english = read_tongue(language, search), read_tongue(ENGLISH, search)
    except BadTongue as bad:
        return bad.findings
    folder = language_folders(language, search)[-1]
    faults = Faults()
    check_clashes(tongue, [read_tongue(other, search) for other in tongue_names(search) if other != language], folder, faults)
    check_names(language, boards, faults)
    for missing in lacking_words(tongue.lexicon, english.lexicon):
        faults.add(
            folder / WORDS, 0, f"there are no words for {missing}", "English has some under that key; docs/languages.md explains it."
        )
    if tongue.writes:
        for name in lacking_commands(tongue, english):
            faults.add(
                folder / COMMANDS, 0, f"the command {name} has no word", "Add one under [commands]; English is understood until then."
            )
        for fault in tongue.phrases.faults():
            line = FAULT_LINE.fullmatch(fault)
            faults.add(folder / CATALOGUE, int(line[1]) if line else 0, line[2] if line else fault, "Keep what stands in braces as it is.")
        for board in NAMED_BOARDS:
            lacking = unnamed_places(board, language, boards)
            if lacking:
                some = ", ".join(lacking[:8]) + (" ..." if len(lacking) > 8 else "")
                faults.add(
                    names_file(board, language, boards), 0, f"{len(lacking)} places have no name ({some})", "Add them under [places]."
                )
    return tuple(sorted(faults.found))


def check_clashes(tongue: Tongue, others: Sequence[Tongue], folder: Path, faults: Faults) -> None:
    """Note letters that stand for two verbs, and words of commands that mean another command here or in another language."""
    verbs: dict[str, str] = {}
    for verb, words in tongue.lexicon.verbs.items():
        for letter in words.letters:
            other = verbs.setdefault(fold(letter), verb)
            if other != verb:
                faults.add(folder / WORDS, 0, f"the letter {letter} stands for {other} and for {verb}", "Keep it for one of them.")
    meant = {
        key_of(form): (name, other.language)
        for other in reversed(others)
        for name, forms in other.commands.get("commands", {}).items()
        for form in forms
    }
    for name, forms in tongue.commands.get("commands", {}).items():
        for form in forms:
            known, language = meant.setdefault(key_of(form), (name, tongue.language))
            if known != name:
                remedy = "Choose another word: all languages are understood in every mail."
                faults.add(folder / COMMANDS, 0, f"“{form}” stands for {name} here and for {known} in {language}", remedy)


def key_of(form: str) -> str:
    """A command's words as they are compared."""
    return " ".join(fold(word) for word in form.split())


def check_names(language: str, search: Sequence[Path], faults: Faults) -> None:
    """Note what is wrong in this language's names of every board: unknown places, forms that mean two."""
    for folder in folders_with(search, VARIANT_FILE):
        own = folder / "names" / f"{language}.toml"
        if own.is_file():
            found = Faults()
            source = open_map(folder, search, found)
            if source is not None:
                scan_gazetteers(source, VariantReader(source, found).read().board, found)
            for finding in found.found:
                if finding.file == str(own):
                    faults.add(own, finding.line, finding.text, finding.remedy)


def lacking_words(lexicon: Lexicon, english: Lexicon) -> list[str]:
    """Keys of words.toml that English fills and this language does not."""
    found = [f"units.{letter}" for letter in english.units if letter not in lexicon.units]
    found += [
        f"verbs.{verb}"
        for verb, words in english.verbs.items()
        if words.words and not (verb in lexicon.verbs and lexicon.verbs[verb].words)
    ]
    for key in ("coasts", "seasons", "steps"):
        own: Mapping[str, Sequence[str]] = getattr(lexicon, key)
        wanted: Mapping[str, Sequence[str]] = getattr(english, key)
        found += [f"{key}.{name}" for name, words in wanted.items() if words and not own.get(name)]
    return found


def lacking_commands(tongue: Tongue, english: Tongue) -> list[str]:
    """Commands that have a word in English only."""
    return sorted(set(english.commands.get("commands", {})) - set(tongue.commands.get("commands", {})))


def names_file(board: str, language: str, search: Sequence[Path]) -> Path:
    """Where the names of a board in a language stand, or would stand."""
    folder = find_folder(board, search, VARIANT_FILE) or search[-1] / board
    return folder / "names" / f"{language}.toml"


def unnamed_places(board: str, language: str, search: Sequence[Path]) -> list[str]:
    """Places of a board that the language's own names file leaves out."""
    path = names_file(board, language, search)
    file = read_toml(path, Faults())
    named = file.data.get("places", {}) if file else {}
    return [place for place in places_to_name(board, search) if place not in named]


def places_to_name(board: str, search: Sequence[Path]) -> list[str]:
    """Places of a board that want a name: all but waterways, which are called after their ports."""
    read = read_variant(board, search).board
    return [place for place in read.provinces if place not in read.ports]


def coverage_of(language: str, templates: Sequence[Path] = (), maps: Sequence[Path] = ()) -> Coverage:
    """How much of a language is there; the sentences of the templates are English to begin with.  Raises `BadTongue`."""
    search, boards = tuple(templates) or search_path("templates"), tuple(maps) or search_path("maps")
    tongue, english = read_tongue(language, search), read_tongue(ENGLISH, search)
    commands = len(english.commands.get("commands", {}))
    places = {board: 1 - len(unnamed_places(board, language, boards)) / len(places_to_name(board, boards)) for board in NAMED_BOARDS}
    lacking = len(lacking_commands(tongue, english))
    sentences = 1.0 if language == ENGLISH else tongue.phrases.coverage() if tongue.writes else 0.0
    return Coverage(sentences, 1 - lacking / commands if commands else 1.0, places)

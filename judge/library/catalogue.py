"""Every variant and language by name, each read once, when it is first asked for."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from judge.language import fold
from judge.language.commandwords import CommandWords
from judge.library.about import About, read_about
from judge.library.findings import BadMap
from judge.library.folders import find_folder, folders_with, search_path
from judge.library.languages import ENGLISH, Tongue, read_command_words, read_tongue, tongue_names
from judge.library.maps import read_pack
from judge.library.pack import Pack
from judge.library.variants import VARIANT_FILE, no_such_variant, read_variant_folder
from judge.rules import Variant


class Library:
    """The shipped maps and languages with the operator's folders before them.

    What was read is kept for the life of the library; a changed file counts after a restart.
    """

    def __init__(self, maps: Sequence[Path] = (), templates: Sequence[Path] = ()) -> None:
        self.map_folders = search_path("maps", maps)
        self.template_folders = search_path("templates", templates)
        self._variants: dict[str, Variant] = {}
        self._abouts: dict[str, About] = {}
        self._packs: dict[str, Pack] = {}
        self._tongues: dict[str, Tongue] = {}

    def variants(self) -> tuple[str, ...]:
        """Names of all variants."""
        return tuple(folder.name for folder in folders_with(self.map_folders, VARIANT_FILE))

    def find_variant(self, text: str) -> str | None:
        """The variant somebody means: its name or its title, in whatever case and with whatever between the words."""
        wanted = fold(text.replace("_", " "))
        return next((name for name in self.variants() if wanted in (fold(name.replace("_", " ")), fold(self.title(name)))), None)

    def title(self, name: str) -> str:
        """The title of a variant; its name if its folder cannot be read."""
        try:
            return self.about(name).title
        except BadMap:
            return name

    def folder(self, name: str) -> Path:
        """The folder of a variant.  Raises `BadMap` if there is none; a path is no name, for names come from mails too."""
        found = find_folder(name, self.map_folders, VARIANT_FILE)
        if found is None:
            raise no_such_variant(name)
        return found

    def variant(self, name: str) -> Variant:
        """The rule part of a variant.  Raises `BadMap`."""
        if name not in self._variants:
            self._variants[name] = read_variant_folder(self.folder(name), self.map_folders)
        return self._variants[name]

    def about(self, name: str) -> About:
        """What a variant says about itself.  Raises `BadMap`."""
        if name not in self._abouts:
            self._abouts[name] = read_about(self.folder(name), self.map_folders)
        return self._abouts[name]

    def pack(self, name: str) -> Pack:
        """A variant with its names and its drawing.  Raises `BadMap`."""
        if name not in self._packs:
            self._packs[name] = read_pack(self.folder(name), self.map_folders)
        return self._packs[name]

    def tongues(self) -> tuple[str, ...]:
        """Codes of all languages, English first."""
        return tongue_names(self.template_folders)

    def tongue(self, language: str) -> Tongue:
        """The words and sentences of a language.  Raises `BadTongue`."""
        if language not in self._tongues:
            english = None if language == ENGLISH else self.tongue(ENGLISH).phrases
            self._tongues[language] = read_tongue(language, self.template_folders, english)
        return self._tongues[language]

    @cached_property
    def command_words(self) -> CommandWords:
        """The words of commands in all languages.  Raises `BadTongue`."""
        return read_command_words([self.tongue(language) for language in self.tongues()])

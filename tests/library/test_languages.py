"""Languages: an operator's words and sentences are laid over the shipped ones entry by entry."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.library import BadTongue, Library, check_language, coverage_of, read_tongue
from judge.library.folders import search_path
from judge.library.languages import tongue_names

WORDS = '[verbs.hold]\nletters = ["H"]\nwords = ["stays"]\n'
CATALOGUE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgctxt "{code}"\nmsgid "{english}"\nmsgstr "{own}"\n'


def own_folder(into: Path, language: str, **files: str) -> Path:
    folder = into / "languages" / language
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return into


def test_english_comes_first() -> None:
    names = tongue_names(search_path("templates"))
    assert names[0] == "en"
    assert {"cs", "hu", "ru"} <= set(names)


def test_every_shipped_language_can_be_read() -> None:
    library = Library()
    for language in library.tongues():
        tongue = library.tongue(language)
        assert tongue.language == tongue.lexicon.language == language
        assert tongue.lexicon.verbs["move"].words
    assert library.command_words.match("press to all") is not None


def test_words_are_laid_over_entry_by_entry(tmp_path: Path) -> None:
    shipped = read_tongue("en").lexicon
    own = read_tongue("en", search_path("templates", [own_folder(tmp_path, "en", words_toml=WORDS)])).lexicon
    assert own.verbs["hold"].words == ("stays",)
    assert own.verbs["move"] == shipped.verbs["move"]
    assert own.units == shipped.units


def test_a_language_without_a_catalogue_writes_english(tmp_path: Path) -> None:
    tongue = read_tongue("xx", search_path("templates", [own_folder(tmp_path, "xx", words_toml=WORDS)]))
    assert not tongue.writes
    assert tongue.phrases.lang == "en"


def test_sentences_are_laid_over_entry_by_entry(tmp_path: Path) -> None:
    shipped = read_tongue("en").phrases
    code, entry = next(
        (code, entry) for code, entry in sorted(shipped.by_code.items()) if "{" not in entry.source[0] and len(entry.source) == 1
    )
    english = entry.source[0].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    catalogue = CATALOGUE.format(code=code, english=english, own="Our own words.")
    own = read_tongue("en", search_path("templates", [own_folder(tmp_path, "en", judge_po=catalogue)])).phrases
    assert own.say(code) == "Our own words."
    assert len(own.entries) == len(shipped.entries)


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"words_toml": "[verbs.hold]\nletters = 3\n"}, r"words\.toml:2: verbs\.hold\.letters: must be a list"),
        ({"words_toml": "[verbs\n"}, r"words\.toml:1: is no TOML"),
        ({"judge_po": 'msgid "a"\nmsgstr "b"\nnonsense\n'}, r"judge\.po:\d+: "),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, files: dict[str, str], fault: str) -> None:
    with pytest.raises(BadTongue, match=fault):
        read_tongue("en", search_path("templates", [own_folder(tmp_path, "en", **files)]))


def test_an_unknown_language() -> None:
    with pytest.raises(BadTongue, match="there is no such language"):
        read_tongue("tlh")


def test_a_language_is_checked_against_english(tmp_path: Path) -> None:
    words = '[verbs.hold]\nletters = ["H"]\nwords = ["stays"]\n'
    found = check_language("xx", search_path("templates", [own_folder(tmp_path, "xx", words_toml=words)]))
    texts = {finding.text for finding in found}
    assert {"there are no words for verbs.move", "there are no words for units.A", "there are no words for seasons.S"} <= texts
    assert "there are no words for verbs.hold" not in texts
    assert not any("command" in text for text in texts)  # it reads orders only


def test_a_language_that_writes_needs_commands_names_and_whole_sentences(tmp_path: Path) -> None:
    shipped = read_tongue("en").phrases
    code, entry = next(
        (code, entry) for code, entry in sorted(shipped.by_code.items()) if "{" in entry.source[0] and len(entry.source) == 1
    )
    english = entry.source[0].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    catalogue = CATALOGUE.format(code=code, english=english, own="Nothing is named here.")
    search = search_path("templates", [own_folder(tmp_path, "xx", words_toml=WORDS, judge_po=catalogue)])
    found = check_language("xx", search)
    assert any(finding.file.endswith("judge.po") and "lacks" in finding.text and finding.line > 0 for finding in found)
    assert any(finding.text.startswith("the command ") for finding in found)
    assert any("75 places have no name" in finding.text for finding in found)
    assert 0 < coverage_of("xx", search).sentences < 0.1
    assert coverage_of("xx", search).places == {"standard": 0.0}


def test_english_is_complete() -> None:
    assert check_language("en") == ()
    assert coverage_of("en").places == {"standard": 1.0}


def test_a_language_that_cannot_be_read_is_a_finding() -> None:
    assert [finding.text for finding in check_language("tlh")] == ["there is no such language"]


def test_words_that_clash_are_findings(tmp_path: Path) -> None:
    words = WORDS + '[verbs.move]\nletters = ["h"]\nwords = ["goes"]\n'
    commands = '[commands]\nresign = ["hra"]\nhelp = ["helpo"]\ndraw = ["helpo"]\n'
    found = check_language("xx", search_path("templates", [own_folder(tmp_path, "xx", words_toml=words, commands_toml=commands)]))
    texts = {finding.text for finding in found}
    assert "the letter h stands for hold and for move" in texts
    assert "“hra” stands for resign here and for game in cs" in texts
    assert "“helpo” stands for draw here and for help in xx" in texts


@pytest.mark.parametrize("language", ["en", "cs", "hu", "ru", "de", "fr", "pl"])
def test_nothing_clashes_in_what_is_shipped(language: str) -> None:
    assert check_language(language) == ()


def test_the_command_says_that_there_is_no_such_language() -> None:
    said = CliRunner().invoke(main, ["check", "language", "tlh"])
    assert (said.exit_code, said.exception.__class__) == (1, SystemExit)
    assert "there is no such language" in said.output


def test_the_command_looks_into_the_operators_own_folders(tmp_path: Path) -> None:
    own_folder(tmp_path / "ours", "xx", words_toml=WORDS)
    (tmp_path / "judge.toml").write_text(
        '[judge]\naddress = "judge@judge.example"\ntemplates = ["ours"]\n[mail_in]\nmaildir = "in"\n[mail_out]\nmaildir = "out"\n',
        encoding="utf-8",
    )
    said = CliRunner().invoke(main, ["check", "--config", str(tmp_path / "judge.toml"), "language", "xx"])
    assert "there are no words for verbs.move" in said.output
    assert "there is no such language" not in said.output
    without = CliRunner().invoke(main, ["check", "--config", str(tmp_path / "none.toml"), "language", "xx"])
    assert "there is no such language" in without.output

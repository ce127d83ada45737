"""A command's word alone, or out of place, is answered with what is missing, and with an example that can be sent."""

import pytest

from judge.board import Location
from judge.errors import PlayerError
from judge.game import BadBoard, CommandIncomplete
from judge.game.faults import NothingToDo, OutsideGames, UnknownPhase
from judge.language import fold
from judge.language.commands import READERS, CommandReader
from judge.language.commandwords import OLD
from judge.language.complaints import NotAlone, UnknownPlace
from judge.language.conditions import index_kinds, index_places
from judge.language.placelists import PlaceLists
from judge.language.powerindex import index_powers
from judge.language.requests import OPENING, Line, read_request
from judge.report.wording import Wording
from judge.rules import Convoy, Unit, Why
from tests.support.golden_game import library, scribe

LANGUAGES = ("en", "cs", "hu", "ru")
WORDS = library().command_words
PACK = library().pack("standard")
READER = CommandReader(WORDS, index_powers(PACK.variant.powers, PACK.gazetteers.values()))
PLACES = PlaceLists(
    WORDS,
    index_places(PACK.gazetteers.values(), PACK.variant.board),
    index_kinds(library().tongue(language).lexicon for language in LANGUAGES),
)
ELSEWHERE = {"become", "phase", "confirm", "game"}
"""Commands whose words alone are refused where a mail is carried out."""


def wording(language: str) -> Wording:
    commands = {name.upper(): WORDS.spell(name, language) for _, name in WORDS.written}
    return Wording(scribe().pen("standard", language, "short"), PACK.variant, commands)


def alone(name: str, language: str) -> PlayerError | None:
    """What is wrong with a command's word alone."""
    spelled = WORDS.spell(name, language)
    try:
        READER.read(Line(1, spelled, name, "", language))
    except PlayerError as fault:
        return fault
    return None


INCOMPLETE = sorted(
    {fault.command for name in (*READERS, *OPENING) if isinstance(fault := alone(name, "en"), CommandIncomplete)} | ELSEWHERE
)


def test_many_words_need_something_behind_them() -> None:
    assert {"create", "signon", "press", "concede", "absence", "eject", "deadline", "extend", "set"} <= set(INCOMPLETE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", INCOMPLETE)
def test_a_word_alone_is_answered_with_an_example_that_is_read(command: str, language: str) -> None:
    sentence = wording(language).error(CommandIncomplete(command))
    assert WORDS.spell(command, language) in sentence
    known = {**wording(language).commands, "power": wording(language).pen.power("FRANCE")}
    example = wording(language).pen.phrases.say(f"example.{command}", **known)
    match = WORDS.match(example)
    assert match is not None, example
    assert match.name == ("broadcast" if command == "press" else command)
    if match.name in READERS:
        READER.read(Line(1, example, match.name, match.rest, language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["statement", "decline", "here", "takemaster"])
def test_a_command_out_of_place_says_when_it_is_used(command: str, language: str) -> None:
    told = wording(language).error(NothingToDo(command))
    assert told != wording(language).error(NothingToDo("nodraw"))
    assert WORDS.spell("help", language) not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_others_name_their_page_of_help(language: str) -> None:
    told = wording(language).error(NothingToDo("nodraw"))
    assert f"{WORDS.spell('help', language)} {WORDS.spell('nodraw', language)}" in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_strangers_are_told_how_to_begin(language: str) -> None:
    told = wording(language).error(OutsideGames("A Par - Bur"))
    assert all(WORDS.spell(name, language) in told for name in ("list", "signon", "help"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phase_that_is_none_gets_an_example_of_one(language: str) -> None:
    with pytest.raises(UnknownPhase) as caught:
        READER.options.phase("foo")
    assert "F1902M" in wording(language).error(caught.value)


def test_what_is_no_change_of_the_board_is_told_as_written() -> None:
    assert ": foo." in wording("en").error(BadBoard("foo"))


@pytest.mark.parametrize("text", ["VOTE", "vote for peace", "HLASUJI", "szavazok", "ГОЛОСУЮ"])
def test_a_vote_for_nothing_is_told_what_votes_there_are(text: str) -> None:
    match = WORDS.match(text)
    assert match is not None
    assert match.name == f"{OLD}votes"


@pytest.mark.parametrize(("text", "command"), [("JOIN", "signon"), ("Login", "signon"), ("GAME", "game"), ("hello", "")])
def test_a_word_that_opens_a_block_is_a_command_alone(text: str, command: str) -> None:
    (block,) = read_request(text, "", WORDS, lambda name: False).blocks
    (entry,) = block.entries
    assert isinstance(entry, Line)
    assert entry.command == command


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("PAR BUR", ("PAR", "BUR")),
        ("a par, bur", ("PAR", "BUR")),
        ("Paris", ("PAR",)),
        ("A Paříž a F Brest", ("PAR", "BRE")),
        ("English Channel", ("ENG",)),
        ("армия Париж", ("PAR",)),
        ("F Stp/sc", ("STP",)),
        ("all", ()),
        ("všem", ()),
    ],
)
def test_places_are_named_in_any_language(text: str, places: tuple[str, ...]) -> None:
    assert PLACES.read(text) == places


@pytest.mark.parametrize(("text", "near"), [("XYZ", ()), ("Pariss", ("PAR",)), ("PAR Bergundy", ("BUR",))])
def test_a_place_that_is_none_is_named_with_a_suggestion(text: str, near: tuple[str, ...]) -> None:
    with pytest.raises(UnknownPlace) as caught:
        PLACES.read(text)
    assert (fold(caught.value.text), caught.value.near) == (fold(text.split()[-1]), near)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_convoy_that_was_wanted_of_one_fleet_is_said_once(language: str) -> None:
    order = Convoy(Unit("F", Location("NTH")), Unit("A", Location("DEN")), Location("EDI"))
    pen = scribe().pen("standard", language, "short")
    one = pen.why(Why("no_convoy_ordered", places=(Location("NTH"),), needs=order))
    two = pen.why(Why("no_convoy_ordered", places=(Location("NTH"), Location("SKA")), needs=order))
    assert (one.count("Nth"), two.count("Nth")) == (1, 2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_with_too_much_behind_it_says_so(language: str) -> None:
    told = wording(language).error(NotAlone("WAIT foo", "wait"))
    assert "WAIT foo" in told
    assert WORDS.spell("wait", language) in told

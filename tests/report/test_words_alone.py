"""A command's word alone, or out of place, is answered with what is missing, and with an example that can be sent."""

import pytest

from judge.board import Location
from judge.errors import PlayerError
from judge.game import OWN_SETTINGS, BadBoard, CastVote, Command, CommandIncomplete, NoSuchTurn, Pause, SetAddress, ShowStatus, VoteKind
from judge.game.faults import MastersSetting, NothingBehind, NothingToDo, OutsideGames, UnknownPhase, UnknownSetting, VoteNotAllowed
from judge.language import fold
from judge.language.commands import READERS, CommandReader
from judge.language.commandwords import OLD
from judge.language.complaints import AmbiguousPlace, NotAlone, UnknownPlace
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
    assert (one.count("Nth"), two.count("Nth"), two.count("Ska")) == (1, 1, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_with_too_much_behind_it_says_so(language: str) -> None:
    told = wording(language).error(NotAlone("WAIT foo", "wait"))
    assert "WAIT foo" in told
    assert WORDS.spell("wait", language) in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_setting_that_nobody_has_is_answered_with_the_nearest(language: str) -> None:
    say = wording(language).error
    assert "language" in say(UnknownSetting("langage", "cs", OWN_SETTINGS))
    assert all(name in say(UnknownSetting("foo", "bar", OWN_SETTINGS)) for name in OWN_SETTINGS)
    masters = say(MastersSetting("grace", OWN_SETTINGS))
    assert wording(language).setting("grace") in masters
    assert WORDS.spell("press", language) in masters


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_back_that_cannot_be_says_why(language: str) -> None:
    told = {wording(language).error(NoSuchTurn("9", why)) for why in ("", "none", "few")}
    assert len(told) == 3
    assert WORDS.spell("rollback", language) in wording(language).error(NothingToDo("rollforward"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_draw_without_powers_gets_an_example_that_is_read(language: str) -> None:
    told = wording(language).error(VoteNotAllowed("listed"))
    draw = WORDS.spell("draw", language)
    match = WORDS.match(told[told.index(draw) :].rstrip("."))
    assert match is not None
    assert READER.read(Line(1, told, match.name, match.rest, language)) == CastVote(VoteKind.DRAW, PACK.variant.powers[:2])


DOING = ["UNSTART", "START GAME", "RESUME", "END GAME", "ROLLFORWARD", "BECOME MASTER", "DECLINE", "NEW ADDRESS", "PAUSE"]


@pytest.mark.parametrize("text", DOING)
def test_what_does_something_is_not_done_with_a_text_behind_it_that_was_not_read(text: str) -> None:
    def command(line: str) -> Command:
        match = WORDS.match(line)
        assert match is not None
        return CommandReader(WORDS, READER.powers, "danube").read(Line(1, line, match.name, match.rest, match.language))

    done = command(text)
    for idle in ("please", "danube", "game danube, thanks", "now please!", "prosím", "пожалуйста"):
        assert command(f"{text} {idle}") == done
    for said in ("Monday 20:00", "24h", "rhine", "is what I would not do"):
        with pytest.raises(NothingBehind):
            command(f"{text} {said}")


def test_a_pause_may_have_a_reason_and_a_new_address_may_be_ones_own() -> None:
    assert READER.read(Line(1, "", "pause", "because of the fair", "en")) == Pause("the fair")
    assert READER.read(Line(1, "", "address", "anna@new.example", "en")) == SetAddress("anna@new.example")


def test_what_is_looked_at_is_shown_and_the_rest_told() -> None:
    reader = CommandReader(WORDS, READER.powers, "danube")
    assert reader.read(Line(1, "", "status", "foo", "en")) == ShowStatus()
    passed = {rest: reader.passed_over(Line(1, "", "status", rest, "en")) for rest in ("", "please", "of danube", "of rhine", "foo")}
    assert passed == {"": "", "please": "", "of danube": "", "of rhine": "of rhine", "foo": "foo"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_name_may_mean_is_numbered(language: str) -> None:
    told = wording(language).error(AmbiguousPlace("Nor", ("NWY", "NWG", "NTH")))
    assert [told.count(f"({number}) ") for number in range(1, 5)] == [1, 1, 1, 0]
    assert told.index("(1) ") < told.index("Nwy") < told.index("(2) ") < told.index("Nwg") < told.index("(3) ") < told.index("Nth")

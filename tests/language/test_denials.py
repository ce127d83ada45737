"""What denies or turns round an order is asked back, never read as that order: denials grown to a verb, passives, endings."""

import pytest

from tests.support.readers import LANGUAGES, LIBRARY, position_of, reader, spelled

UNITS = ["A PAR", "A MAR", "A GAS", "F NTH", "A LON"]


@pytest.mark.parametrize(
    "text",
    [
        "A Paříž nepodpoří A Marseille - Burgundsko",
        "A Paříž nepodporují A Marseille - Burgundsko",
        "A Paříž nepostupuje do Burgundska",
        "A Paříž se nepřesune do Burgundska",
        "armáda v Paříži nestojí",
        "F Nth nekonvojuje A Londýn - Norsko",
        "F Nth nekonvojuuje A Londýn - Norsko",
        "A Paříž nezaútočí na Burgundsko",
        "А Париж неподдерживает А Марсель - Бургундия",
        "А Париж неидёт в Бургундию",
        "A Paryż niewspiera A Marsylia - Burgundia",
        "A Párizs nemtámogatja A Marseille - Burgundia",
        "A Par dontsupport A Mar - Bur",
        "A Paříž podporována A Marseille do Burgundska",
        "A Paříž má podporu A Marseille",
        "A Paříž s podporou A Marseille do Burgundska",
        "A Párizs támogatva A Marseille Burgundiába",
        "A Párizst támogatja A Marseille",
        "А Париж поддерживается А Марсель в Бургундию",
        "армия Париж при поддержке армии Марсель в Бургундию",
        "А Париж под Бургундией",
        "A Paris unterstützt durch A Marseille nach Burgund",
        "A Paris soutenue par A Marseille vers Bourgogne",
        "A Paryż wspierana przez A Marsylia do Burgundii",
        "A Par is supported by A Mar to Bur",
        "A Par - Bur with support of A Mar",
        "delete A Par - Bur",
    ],
)
def test_denials_and_passives_are_asked_back(text: str) -> None:
    for position in (None, position_of(UNITS)):
        (reading,) = reader().read_lines([text], position=position)
        assert spelled(reading) == []
        assert reading.error is not None


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("армию Париж поддерживает армия Марсель", "A MAR S A PAR"),
        ("armádu v Paříži podporuje armáda v Marseille", "A MAR S A PAR"),
        ("армия Лондон перевозится флотом Северное море в Бельгию", "A LON - BEL VIA"),
        ("A Lon - Nwy (via NTH and NWG)", "A LON - NWY VIA"),
        ("Spring 1901 A Par - Bur", "A PAR - BUR"),
        ("podzim 1901, A Paříž - Burgundsko", "A PAR - BUR"),
        ("1901 ősz A Párizs - Burgundia", "A PAR - BUR"),
    ],
)
def test_who_does_what_follows_from_endings_and_marks(text: str, order: str) -> None:
    (reading,) = reader().read_lines([text])
    assert (spelled(reading), reading.error) == ([order], None)


def test_a_season_in_front_must_be_the_open_one() -> None:
    position = position_of(UNITS, "S1901M")
    (reading,) = reader().read_lines(["Fall 1901 A Par - Bur"], position=position)
    assert (spelled(reading), reading.error and reading.error.code) == ([], "wrong_season")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verb_with_a_denial_grown_to_it_is_doubtful(language: str) -> None:
    lexicon, vocabulary = LIBRARY.tongue(language).lexicon, reader().vocabulary(language)
    words = {
        word for verb in ("move", "support", "convoy", "hold") for word in lexicon.verbs[verb].words if " " not in word and len(word) > 3
    }
    for prefix in lexicon.small["denials"]:
        for word in sorted(words):
            sense = vocabulary.look_up(prefix + word)
            assert sense is not None, prefix + word
            assert "doubt" in sense.small or sense.verbs, prefix + word

"""Words and names files: what is wrong in them is told with its key; every language can say every order."""

from typing import Any

import pytest

from judge.language import BadNames, BadWords, parse_gazetteer, parse_lexicon
from judge.language.lexicon import VERBS
from tests.support.readers import LANGUAGES, LIBRARY, reader


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({}, "language"),
        ({"language": "xx", "units": 3}, "units"),
        ({"language": "xx", "units": {"A": []}}, "units.A"),
        ({"language": "xx", "units": {"A": {"letter": ["A"]}}}, "units.A.letter"),
        ({"language": "xx", "verbs": {"jump": {}}}, "verbs.jump"),
        ({"language": "xx", "verbs": {"hold": {"words": "stay"}}}, "verbs.hold.words"),
        ({"language": "xx", "small": {"form": ["of"]}}, "small.form"),
        ({"language": "xx", "coasts": {"XC": ["x"]}}, "coasts.XC"),
        ({"language": "xx", "steps": {"M": [1]}}, "steps.M"),
        ({"language": "xx", "endings": {"at": ["ba"]}}, "endings.at"),
    ],
)
def test_bad_words(data: dict[str, Any], key: str) -> None:
    with pytest.raises(BadWords) as caught:
        parse_lexicon(data)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"places": []}, "places"),
        ({"places": {"XYZ": {"names": ["Xyz"]}}}, "places.XYZ"),
        ({"places": {"PAR": {"name": "Paris"}}}, "places.PAR"),
        ({"places": {"PAR": {"names": "Paris"}}}, "places.PAR.names"),
        ({"powers": {"SPAIN": {"names": ["Spain"]}}}, "powers.SPAIN"),
        ({"ambiguous": {"NOR": ["NWY"]}}, "ambiguous.NOR"),
        ({"custom": {"LIV": ["LVP", "XXX"]}}, "custom.XXX"),
    ],
)
def test_bad_names(data: dict[str, Any], key: str) -> None:
    with pytest.raises(BadNames) as caught:
        parse_gazetteer(data, reader().variant.board, "xx")
    assert caught.value.key == key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_words_for_every_verb_unit_and_season(language: str) -> None:
    lexicon = LIBRARY.tongue(language).lexicon
    assert set(lexicon.verbs) == set(VERBS)
    assert all(words.words for words in lexicon.verbs.values())
    assert set(lexicon.units) >= {"A", "F", "P", "L"}
    assert set(lexicon.seasons) == {"S", "F", "W"}
    assert set(lexicon.small) >= {"from", "to", "in", "and", "doubt", "headings"}


@pytest.mark.parametrize("name", ["standard", "warcraft"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_and_power_has_a_name(language: str, name: str) -> None:
    pack = LIBRARY.pack(name)
    gazetteer = pack.gazetteer(language)
    for place in pack.variant.board.provinces:
        assert gazetteer.name(place)
    for power in pack.variant.powers:
        assert gazetteer.power_name(power) != power


def test_case_forms() -> None:
    gazetteer = LIBRARY.pack("standard").gazetteer("cs")
    assert gazetteer.name("BUR", "genitive") == "Burgundska"
    assert gazetteer.power_name("FRANCE", "dative") == "Francii"
    assert gazetteer.name("BUR", "illative") == "Burgundsko"


def test_names_of_the_standard_map_do_not_clash_in_silence() -> None:
    """A full name means one place, or the clash is listed."""
    for language in LANGUAGES:
        gazetteer = LIBRARY.pack("standard").gazetteer(language)
        for place, names in gazetteer.places.items():
            for name in names.names:
                (reading,) = reader().read_lines([f"B A {name.forms[0]}"], prefer=(language,))
                meant = {order.unit.at.province for order in reading.orders if hasattr(order, "unit")}
                assert meant in ({place}, set()), (language, name.forms[0], meant)

"""Templates of the operator's own, broken ones, and texts of players that look like templates."""

from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from jinja2 import Environment, UndefinedError

from judge.game import Audience, GameBegan, PressArrived, tick
from judge.library import shipped_folder
from judge.report import Part, Question, Scribe, SecretPostage
from judge.report.samples import sample_letters
from judge.report.views import LetterView
from tests.support.golden_game import NOW, OWN, fresh_game, library, people, scribe, variant


def own_scribe(folder: Path) -> Scribe:
    return Scribe(
        library(),
        SecretPostage(OWN, b"key"),
        shipped_folder("templates"),
        [folder],
        judge_name="Chancery",
        address="judge@chancery.example",
    )


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_every_template_can_be_filled_in_every_language() -> None:
    assert scribe().languages == ("en", "cs", "hu", "ru")
    assert scribe().faults() == {}


def test_every_letter_has_samples() -> None:
    names = {path.name.split(".")[0] for path in (shipped_folder("templates") / "mail").glob("*.j2")}
    assert names == set(sample_letters())


def test_a_template_of_the_operator_can_build_on_the_shipped_one(tmp_path: Path) -> None:
    write(
        tmp_path,
        "mail/started.txt.j2",
        '{% extends "shipped:mail/started.txt.j2" %}{% block foot %}Tea at five, {{ view.reader.power }}.{% endblock %}',
    )
    letter = own_scribe(tmp_path).letters(fresh_game(), GameBegan(), people(), variant(), NOW)[2]
    assert "Tea at five, France." in letter.text
    assert "FRANCE, you have 3 units to order" in letter.text
    assert letter.subject.startswith("[danube S1901M] France: the game begins")


@pytest.mark.parametrize("text", ["{% if %}", "{{ view.secret }}", "{{ 1 / 0 }}", '{% extends "nowhere" %}', "no subject"])
def test_a_broken_template_of_the_operator_is_told_and_the_shipped_one_used(tmp_path: Path, text: str) -> None:
    write(tmp_path, "mail/started.txt.j2", text)
    own = own_scribe(tmp_path)
    letter = own.letters(fresh_game(), GameBegan(), people(), variant(), NOW)[2]
    assert "FRANCE, you have 3 units to order" in letter.text
    assert set(own.broken) == {"mail/started.txt.j2"}
    assert "mail/started.txt.j2" in own.faults()


def test_a_view_has_no_unknown_fields() -> None:
    class Broken:
        game = None

    with pytest.raises(UndefinedError):
        scribe()._printer.fill("mail/press.txt.j2", {"view": Broken()})


@pytest.mark.parametrize(
    "text", ["{{ 7 * 7 }}", "{% for x in y %}", "<script>alert(1)</script>", "<img src=x onerror=y>", "%(name)s {code}"]
)
def test_texts_of_players_are_never_templates_or_markup(text: str) -> None:
    notice = PressArrived(Audience(seats=("FRANCE",)), "GERMANY", ("FRANCE",), text, 1)
    letter = scribe().letters(fresh_game(), notice, people(), variant(), NOW)[0]
    assert text in letter.text
    assert "<script>alert" not in (letter.html or "")
    assert "<img src=x" not in (letter.html or "")
    assert "49" not in letter.text.partition("::")[0].replace("1901", "")


def test_hostile_names_stay_on_their_line() -> None:
    from dataclasses import replace

    known = people()
    known[1] = replace(known[1], name="Eve\r\nBcc: all@example.org\u202e <b>")
    letter = scribe().letters(fresh_game(), GameBegan(), known, variant(), NOW)[2]
    assert "\nBcc:" not in letter.text
    assert "\u202e" not in letter.text
    assert "<b>" not in (letter.html or "").replace("<b>danube", "").split("Eve")[1][:60]


def view_types() -> set[type]:
    return {type(view) for views in sample_letters().values() for view in views}


def test_samples_cover_every_view() -> None:
    assert view_types() == set(get_args(LetterView))


def test_help_pages_fall_back(tmp_path: Path) -> None:
    from judge.game import HelpGiven, Item
    from judge.report import Part

    def page(topic: str, language: str) -> str:
        part = Part(None, "", None, (Item(f"HELP {topic}", (HelpGiven(topic),)),))
        return scribe().answer(people(language)[1], [part], {}, NOW, Question("q@x", (), 1)).text

    assert "ROZKAZY" in page("orders", "cs")
    assert "HATÁRIDŐK\n" in page("határidők", "hu")
    assert "MESSAGES (PRESS)" in page("broadcast", "en")
    assert "WRITING TO THE JUDGE" in page("../../etc/passwd", "en")
    assert "WRITING TO THE JUDGE" in page("", "en")
    assert "JAK PSÁT ROZHODČÍMU" in page("nesmysl", "cs")


def test_once_warmed_up_results_and_answers_compile_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = own_scribe(tmp_path)
    fresh.warm_up()

    def compile_nothing(*_: object, **__: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(Environment, "compile", compile_nothing)
    part = Part(fresh_game(), "FRANCE", variant(), ())
    assert fresh.answer(people()[3], [part], people(), NOW, Question()).text
    closed = tick(fresh_game(), variant(), NOW + timedelta(days=9), lambda _: 0)
    letters = [letter for each in closed.notices for letter in fresh.letters(closed.game, each, people(), variant(), NOW)]
    assert any("EVERYBODY'S ORDERS" in letter.text for letter in letters)

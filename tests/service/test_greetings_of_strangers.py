"""Greetings, thanks and names in the mails of people who have no seat yet are passed over, in every language."""

from pathlib import Path

import pytest

from tests.support.circle import JUDGE, Circle, gather

POLITE = {
    "cs": ("Dobrý den,", "Předem děkuji", "S pozdravem", "Petr Novák"),
    "hu": ("Szia!", "Köszönöm szépen", "Üdvözlettel:", "Kovács Péter"),
    "ru": ("Здравствуйте!", "Заранее спасибо", "С уважением,", "Иван Петров"),
    "en": ("Hello,", "Thanks in advance", "Best regards,", "John"),
    "de": ("Guten Tag,", "Vielen Dank", "Mit freundlichen Grüßen", "Jürgen"),
    "fr": ("Bonjour,", "Merci d'avance", "Cordialement,", "Hélène"),
    "pl": ("Dzień dobry,", "Z góry dziękuję", "Pozdrawiam", "Łukasz"),
}


@pytest.fixture(scope="module")
def circle(tmp_path_factory: pytest.TempPathFactory) -> Circle:
    folder: Path = tmp_path_factory.mktemp("greetings")
    return gather(folder, powers=("AUSTRIA",))


@pytest.mark.parametrize("language", POLITE)
def test_a_polite_stranger_is_told_of_no_bad_line(circle: Circle, language: str) -> None:
    hello, thanks, closing, name = POLITE[language]
    (answer,) = circle.table.mail(f"{language}@new.example", JUDGE, f"{hello}\n\nSIGNON danube ITALY\n\n{thanks}\n{closing}\n{name}")
    for line in (hello, thanks, closing, name):
        assert line not in answer.text


@pytest.mark.parametrize("language", POLITE)
def test_so_is_a_polite_player(circle: Circle, language: str) -> None:
    hello, thanks, closing, name = POLITE[language]
    for text in (f"{hello}\nSTATUS\n{thanks}\n{closing}\n{name}", f"{hello}\nPHASE F1901M\n{thanks}\nA Vie - Gal\n{closing}\n{name}"):
        answer = circle.answer("AUSTRIA", text)
        for line in (hello, thanks, closing, name):
            assert line not in answer.text


def test_a_greeting_alone_is_answered(circle: Circle) -> None:
    (answer,) = circle.table.mail("shy@new.example", JUDGE, "Dobrý den,\n\nJan")
    assert "HELP" in answer.text or "NÁPOVĚDA" in answer.text


def test_what_is_no_greeting_is_still_told(circle: Circle) -> None:
    (answer,) = circle.table.mail("odd@new.example", JUDGE, "Hello,\nSINGON danube FRANCE\nHELP")
    assert "SINGON" in answer.text

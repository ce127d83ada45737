"""Orders worded as people write them, in seven languages: what the reading tests read back."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from judge.board import Location
from judge.language import Gazetteer, Lexicon
from judge.rules import Build, Convoy, Disband, Hold, Move, Order, Retreat, SupportHold, SupportMove, Unit, Waive

# {U} word for the unit, {O} the same as an object, {L} its letter, {from:...} where it is, {to:...} where it goes, in a case;
# the helped unit's parts end in 2.  Places may be "nom" (as listed first) or a case of the names file, "adj" an adjective.
STYLES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "notation": {
        "hold": ("{L} {from:nom} H", "{L} - {from:nom} : H", "{L} {from:nom}-H"),
        "move": (
            "{L} {from:nom} - {to:nom}",
            "{L} {from:nom} → {to:nom}",
            "{L} - {from:nom} {to:nom}",
            "{L} {from:nom} -> {to:nom}",
            "{L} {from:nom}: {to:nom}",
        ),
        "support_hold": (
            "{L} {from:nom} S {L2} {from2:nom}",
            "{L} - {from:nom} : S - {L2} - {from2:nom}",
            "{L} {from:nom} ~ {L2} {from2:nom}",
        ),
        "support_move": ("{L} {from:nom} S {L2} {from2:nom} - {to:nom}", "{L} - {from:nom} : S - {L2} - {from2:nom} {to:nom}"),
        "convoy": ("{L} {from:nom} C {L2} {from2:nom} - {to:nom}",),
        "retreat": ("{L} {from:nom} R {to:nom}",),
        "disband": ("{L} {from:nom} D", "D {L} {from:nom}"),
        "build": ("B {L} {from:nom}", "{L} {from:nom} B"),
    },
    "en": {
        "hold": ("{U} {from:nom} holds", "{U} in {from:nom} stands", "The {U} in {from:nom} holds its position."),
        "move": (
            "{U} {from:nom} to {to:nom}",
            "{U} in {from:nom} moves to {to:nom}",
            "{U} {from:nom} attacks {to:nom}",
            "{from:nom} {U} to {to:nom}",
        ),
        "support_hold": ("{U} {from:nom} supports {U2} {from2:nom}", "{U} {from:nom} supports {U2} in {from2:nom} to hold"),
        "support_move": (
            "{U} {from:nom} supports {U2} {from2:nom} to {to:nom}",
            "{U} in {from:nom} supports the attack of {U2} {from2:nom} on {to:nom}",
        ),
        "convoy": (
            "{U} {from:nom} convoys {U2} {from2:nom} to {to:nom}",
            "{U} in the {from:nom} transports {U2} from {from2:nom} to {to:nom}",
        ),
        "retreat": ("{U} {from:nom} retreats to {to:nom}", "{U} {from:nom} falls back to {to:nom}"),
        "disband": ("{U} {from:nom} disbands", "Remove {U} {from:nom}", "Disband the {U} in {from:nom}"),
        "build": ("Build {U} {from:nom}", "Builds a {U} in {from:nom}", "New {U} in {from:nom}"),
    },
    "cs": {
        "hold": ("{U} v {from:locative} drží", "{U} {from:nom} zůstává stát", "{from:adj} {U} drží pozici", "{L} {from:nom} - drží"),
        "move": (
            "{U} z {from:genitive} do {to:genitive}",
            "{U} ze {from:genitive} se přesune do {to:genitive}",
            "{U} {from:nom} útočí na {to:accusative}",
            "{from:adj} {U} do {to:genitive}",
            "{U} v {from:locative} postupuje do {to:genitive}",
        ),
        "support_hold": ("{U} v {from:locative} podporuje {O2} v {from2:locative}", "{U} {from:nom} podporuje {U2} {from2:nom}"),
        "support_move": (
            "{U} v {from:locative} podporuje {O2} z {from2:genitive} do {to:genitive}",
            "{O2} z {from2:genitive} do {to:genitive} podporuje {U} v {from:locative}",
            "{L} {from:nom} podpora {L2} {from2:nom} - {to:nom}",
        ),
        "convoy": (
            "{U} v {from:locative} přepravuje {O2} z {from2:genitive} do {to:genitive}",
            "{U} {from:nom} konvojuje {L2} {from2:nom} - {to:nom}",
        ),
        "retreat": ("{U} z {from:genitive} ustupuje do {to:genitive}", "{L} {from:nom} ústup {to:nom}"),
        "disband": ("{U} v {from:locative} se rozpouští", "Rozpustit {O} v {from:locative}"),
        "build": ("Staví {O} v {from:locative}", "nová {U} v {from:locative}", "Stavba {L} {from:nom}"),
    },
    "hu": {
        "hold": ("{U} {from:nom} tart", "Az {from:adj} {U} tartja a pozícióját", "{from:nom} {U} tart"),
        "move": (
            "{U} {from:elative} {to:illative}",
            "A {from:nom} {U} {to:sublative}",
            "{from:adj} {U} megtámadja {to:accusative}",
            "{U} {from:delative} a {to:allative} vonul",
            "{from:nom} {U} a {to:illative} lép",
        ),
        "support_hold": ("{U} {from:nom} támogatja a {from2:nom} {O2}", "A {from:adj} {U} támogatja {from2:adj} {O2} tartásban"),
        "support_move": (
            "{U} {from:nom} támogatja a {from2:nom} {O2} {to:illative}",
            "A {from:adj} {U} támogatja az {from2:adj} {O2} {to:sublative}",
        ),
        "convoy": (
            "A {from:adj} {U} konvojozza a {from2:nom} {O2} {to:illative}",
            "{U} {from:nom} konvojozza {from2:adj} {O2} {to:illative}",
        ),
        "retreat": ("A {from:adj} {U} visszavonul {to:illative}", "{U} {from:elative} visszavonul {to:sublative}"),
        "disband": ("A {from:adj} {O} feloszlatom", "{U} {from:nom} feloszlik"),
        "build": ("Új {U} {from:inessive}", "Új {U} {from:superessive}", "Építés {L} {from:nom}"),
    },
    "ru": {
        "hold": (
            "{U} в {from:prepositional} стоит",
            "{from:adj} {U} удерживает позицию",
            "{U} {from:nom} обороняется",
            "{U} {from:nom} - держать",
        ),
        "move": (
            "{U} из {from:genitive} в {to:accusative}",
            "{U} {from:nom} — {to:nom}",
            "{U} {from:nom} атакует {to:accusative}",
            "{from:adj} {U} идёт в {to:accusative}",
            "{U} в {from:prepositional} переходит в {to:accusative}",
        ),
        "support_hold": (
            "{U} в {from:prepositional} поддерживает {O2} в {from2:prepositional}",
            "{U} {from:nom} поддерживает {O2} {from2:nom}",
        ),
        "support_move": (
            "{U} в {from:prepositional} поддерживает {O2} из {from2:genitive} в {to:accusative}",
            "{U} {from:nom}: поддержка {L2} {from2:nom}-{to:nom}",
        ),
        "convoy": (
            "{U} в {from:prepositional} конвоирует {O2} из {from2:genitive} в {to:accusative}",
            "{L} {from:nom} C {L2} {from2:nom} - {to:nom}",
        ),
        "retreat": ("{U} из {from:genitive} отступает в {to:accusative}", "{L} {from:nom} отступление {to:nom}"),
        "disband": ("{U} {from:nom} расформировать", "Распустить {O} в {from:prepositional}"),
        "build": ("Построить {O} в {from:prepositional}", "Новая {U}: {from:nom}"),
    },
    "de": {
        "hold": ("{U} {from:nom} hält", "{U} in {from:nom} bleibt"),
        "move": ("{U} {from:nom} nach {to:nom}", "{U} {from:nom} zieht nach {to:nom}", "{U} aus {from:nom} nach {to:nom}"),
        "support_hold": ("{U} {from:nom} unterstützt {U2} {from2:nom}",),
        "support_move": ("{U} {from:nom} unterstützt {U2} {from2:nom} nach {to:nom}",),
        "convoy": ("{U} {from:nom} geleitet {U2} {from2:nom} nach {to:nom}",),
        "retreat": ("{U} {from:nom} zieht sich zurück nach {to:nom}", "{U} {from:nom} Rückzug nach {to:nom}"),
        "disband": ("{U} {from:nom} auflösen",),
        "build": ("Aufbau {L} {from:nom}", "baut {U} in {from:nom}"),
    },
    "fr": {
        "hold": ("{U} {from:nom} tient", "{U} de {from:nom} tient sa position"),
        "move": ("{U} {from:nom} vers {to:nom}", "{U} {from:nom} attaque {to:nom}", "{U} de {from:nom} va à {to:nom}"),
        "support_hold": ("{U} {from:nom} soutient {U2} {from2:nom}",),
        "support_move": ("{U} {from:nom} soutient {U2} {from2:nom} - {to:nom}", "{U} {from:nom} soutient {U2} {from2:nom} vers {to:nom}"),
        "convoy": ("{U} {from:nom} convoie {U2} {from2:nom} - {to:nom}",),
        "retreat": ("{U} {from:nom} retraite {to:nom}", "{U} {from:nom} se retire vers {to:nom}"),
        "disband": ("{U} {from:nom} dissoute",),
        "build": ("Construction {L} {from:nom}", "Nouvelle {U} à {from:nom}"),
    },
    "pl": {
        "hold": ("{U} {from:nom} stoi", "{U} {from:nom} broni się"),
        "move": ("{U} {from:nom} idzie do {to:nom}", "{U} {from:nom} atakuje {to:nom}"),
        "support_hold": ("{U} {from:nom} wspiera {O2} {from2:nom}",),
        "support_move": ("{U} {from:nom} wspiera {O2} {from2:nom} - {to:nom}",),
        "convoy": ("{U} {from:nom} konwojuje {O2} {from2:nom} - {to:nom}",),
        "retreat": ("{U} {from:nom} wycofuje się do {to:nom}", "{U} {from:nom} odwrót {to:nom}"),
        "disband": ("{U} {from:nom} rozwiązana",),
        "build": ("Budowa {L} {from:nom}",),
    },
}


@dataclass
class Author:
    """Somebody who writes orders in one language; `chance` decides how."""

    lexicon: Lexicon
    gazetteer: Gazetteer
    chance: random.Random
    all_names: bool = False
    """Whether every listed name may be used, or only the first."""

    def write(self, order: Order, style: str = "") -> str:
        """One wording of an order."""
        if isinstance(order, Waive):
            return self.chance.choice(self.lexicon.verbs["waive"].words)
        verb, unit, of, to = parts(order)
        language = style or self.chance.choice((self.lexicon.language, "notation"))
        text = self.chance.choice(STYLES[language][verb])
        text = self._with_unit(text, "", unit)
        if of is not None:
            text = self._with_unit(text, "2", of)
        if to is not None:
            text = self._with_place(text, "to", to, unit.kind if of is None else of.kind)
        if isinstance(order, Move) and order.via:
            text += " " + self.lexicon.verbs["via"].words[0]
        return text

    def _with_unit(self, text: str, suffix: str, unit: Unit) -> str:
        words = self.lexicon.units[unit.kind]
        text = text.replace("{L" + suffix + "}", words.letters[0])
        text = text.replace("{U" + suffix + "}", words.subject[0]).replace("{O" + suffix + "}", (words.object or words.subject)[0])
        return self._with_place(text, "from" + suffix, unit.at, unit.kind)

    def _with_place(self, text: str, role: str, at: Location, kind: str) -> str:
        start = text.find("{" + role + ":")
        if start < 0:
            return text
        end = text.index("}", start)
        case = text[start + len(role) + 2 : end]
        place = self._place(at, case)
        rest = text[end + 1 :]
        if at.coast and case == "adj":
            word, _, rest = rest.lstrip().partition(" ")
            place, rest = f"{place} {word} {self._coast(at)}", " " + rest
        elif at.coast:
            place = f"{place} {self._coast(at)}"
        return text[:start] + place + rest

    def _place(self, at: Location, case: str) -> str:
        names = self.gazetteer.places[at.province]
        if case == "adj" and names.adjectives:
            forms = self.chance.choice(names.adjectives).forms
            return forms[min(1, len(forms) - 1)]
        name = self.chance.choice(names.names) if self.all_names else names.names[0]
        column = self.gazetteer.cases.index(case) if case in self.gazetteer.cases else 0
        return name.forms[column] if column < len(name.forms) else name.forms[0]

    def _coast(self, at: Location) -> str:
        listed = self.lexicon.coasts[at.coast]
        return f"({self.chance.choice([word for word in listed if len(word) > 1][:3])})"


def parts(order: Order) -> tuple[str, Unit, Unit | None, Location | None]:
    """Verb, unit, helped unit and target of an order that is no waive."""
    match order:
        case Hold(unit):
            return "hold", unit, None, None
        case Move(unit, to, _):
            return "move", unit, None, to
        case SupportHold(unit, of):
            return "support_hold", unit, of, None
        case SupportMove(unit, of, to):
            return "support_move", unit, of, to
        case Convoy(unit, of, to):
            return "convoy", unit, of, to
        case Retreat(unit, to):
            return "retreat", unit, None, to
        case Disband(unit):
            return "disband", unit, None, None
        case Build(unit):
            return "build", unit, None, None
        case _:
            raise ValueError(order)


def stripped(text: str) -> str:
    """The text without diacritics, as typed on a telephone; Cyrillic letters stay."""
    import unicodedata

    kept = []
    for letter in text:
        if "\u0400" <= letter <= "\u04ff":
            kept.append(letter)
        else:
            kept += [part for part in unicodedata.normalize("NFD", letter) if not unicodedata.combining(part)]
    return "".join(kept).replace("ł", "l").replace("Ł", "L").replace("ß", "ss")

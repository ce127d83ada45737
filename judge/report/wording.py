"""Answers, errors, remarks, news and the log as sentences, with their facts in the reader's words."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches

from judge.board import Location
from judge.errors import PlayerError
from judge.game import (
    OWN_SETTINGS,
    SETTINGS,
    Answer,
    BadBoard,
    BadMoment,
    BadSetting,
    Cleared,
    CommandIncomplete,
    Event,
    Filed,
    Item,
    NotFiled,
    OldWord,
    PressSent,
    Seated,
    SettingSet,
    Told,
    TooMany,
    UnknownVariant,
    WaitSet,
)
from judge.game.faults import MastersSetting, NothingToDo, UnknownSetting, VoteNotAllowed
from judge.game.notices import Fact
from judge.language import Pen, fold
from judge.report import views
from judge.report.filters import clock_time, day_or_time, hour, language_name, local_day, local_time, one_line, span
from judge.rules import BadNotation, Order, Phase, Unit, Variant, Why, read_order, read_phase, read_unit

NEAR_NAMES = 5
"""Variants that are named where one was misspelt; all of them if none comes near."""

LONGEST_FACT = 400
"""Characters of a text fact, such as a master's reason."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Puts facts into sentences with one pen, for a board."""

    pen: Pen
    variant: Variant
    commands: Mapping[str, str]
    """What the judge writes for each command, by its name in capitals: sentences name commands as ``{HELP}``."""

    def _say(self, code: str, /, **facts: object) -> str:
        return _TWO_STOPS.sub(".", self.pen.phrases.say(code, **{**self.commands, **facts}))

    def transcript(self, item: Item) -> views.TranscriptLine:
        """One line of a mail with what became of it."""
        alone = len(item.outcomes) == 1
        outcomes = tuple(self.outcome(each, item.line if alone else "") for each in item.outcomes)
        remarks = tuple(self.remark(each) for each in item.remarks)
        return views.TranscriptLine(one_line(item.line), outcomes, remarks)

    def outcome(self, outcome: Answer | PlayerError, line: str = "") -> views.Outcome:
        """What became of one line, as a sentence; `line` is what the person wrote, "" where it held several orders."""
        if isinstance(outcome, PlayerError):
            return self._refusal(outcome)
        return self._answer(outcome, line)

    def _answer(self, answer: Answer, line: str) -> views.Outcome:
        say = self._say
        if isinstance(answer, Filed):
            spelled = self.pen.order(answer.order)
            text = say("answer.filed") if fold(spelled) == fold(line) else say("answer.filed_as", order=spelled)
            replaced = answer.replaced is not None and answer.replaced != answer.order
            more = (say("answer.replaced", order=self.pen.order_within(answer.replaced)),) if replaced and answer.replaced else ()
            return views.Outcome("done", text, more)
        code, facts = f"answer.{answer.code}", self.facts(answer)
        match answer:
            case Cleared(count):
                facts["n"] = count
            case WaitSet(wait):
                code = "answer.wait_set" if wait else "answer.wait_unset"
            case PressSent(to):
                code = "answer.press_sent" if to else "answer.press_sent_all"
            case SettingSet(key, value):
                facts["key"], facts["value"] = self.setting(key), self.setting_value(key, value)
            case Seated(_, seat):
                facts["seat"] = self.pen.power(seat)
            case Told(what, told):
                code, facts = f"answer.{what}", self.told(told)
            case _:
                pass
        return views.Outcome("told", say(code if self.pen.phrases.knows(code) else "answer.done", **facts))

    def told(self, facts: Mapping[str, Fact]) -> dict[str, object]:
        """The facts of an answer or a piece of news as words, by name; the first number also chooses the plural form."""
        words = {name: self.words(value, name) for name, value in facts.items()}
        number = next((value for value in facts.values() if isinstance(value, int)), None)
        return words if number is None or "n" in words else {**words, "n": number}

    def news(self, code: str, facts: Mapping[str, Fact]) -> tuple[str, str]:
        """Subject and sentence of a piece of news."""
        say, words = self._say, self.told(facts)
        known = code if self.pen.phrases.knows(f"news.{code}") else "other"
        return say(f"news.{known}.subject", **words), say(f"news.{known}", **words)

    def _refusal(self, error: PlayerError) -> views.Outcome:
        say = self._say
        if isinstance(error, NotFiled):
            kept = (say("answer.kept", order=self.pen.order(error.kept)),) if error.kept is not None else ()
            text = say("error.not_filed", why=self.pen.why(error.illegal, error.order))
            return views.Outcome("refused", f"{say('label.not_filed')}: {text}", kept)
        return views.Outcome("refused", f"{say('label.not_done')}: {self.error(error)}")

    def error(self, error: PlayerError) -> str:
        """The sentence of an error in the reader's language."""
        code, facts = f"error.{error.code}", self.facts(error)
        knows = self.pen.phrases.knows
        if isinstance(command := getattr(error, "command", None), str):
            facts["command"] = self.commands.get(command.upper().replace(" ", ""), command.upper())
        if isinstance(error, CommandIncomplete):
            facts["example"] = self._say(f"example.{error.command}", power=self.pen.power(self.variant.powers[0]))
        if isinstance(error, BadSetting | MastersSetting) and not isinstance(error, UnknownSetting):
            facts["key"] = self.setting(error.key)
        if isinstance(error, VoteNotAllowed):
            facts["some"] = ", ".join(map(self.pen.power, self.variant.powers[:2]))
        if isinstance(error, BadMoment):
            facts["text"] = self._moment(error.text, _with_year) or one_line(error.text)
        if isinstance(error, BadBoard):
            facts["text"] = self._piece(error.text)
        if isinstance(error, UnknownVariant):
            facts["known"] = self.pen.listed(get_close_matches(error.name.lower(), error.known, NEAR_NAMES, 0.5) or error.known)
        if isinstance(error, TooMany):
            facts["n"] = error.due
        if isinstance(error, OldWord) and knows(f"old.{error.word}"):
            return self._say(f"old.{error.word}", **facts)
        endings = [f"_{error.command}"] if isinstance(error, NothingToDo) else []
        endings += [f"_{value}" for name in _CHOOSING if isinstance(value := getattr(error, name, None), str)]
        if isinstance(error, UnknownSetting):
            near = get_close_matches(error.key.lower(), (*OWN_SETTINGS, *SETTINGS), NEAR_NAMES, 0.6)
            facts["near"], endings = self.pen.listed(dict.fromkeys(near), "or"), ["_near"] if near else []
        elif isinstance(error, BadSetting):
            endings = [] if error.choices else ["_free"]
        endings += ["_none"] if () in vars(error).values() else []
        found = next((f"{code}{ending}" for ending in (*endings, "", "_other") if knows(f"{code}{ending}")), "error.error")
        return self._say(found, **facts)

    def remark(self, remark: object) -> str:
        """A sentence on what was repaired or should be looked at."""
        code, say = f"remark.{getattr(remark, 'code', '')}", self._say
        if getattr(remark, "does", ...) is None:
            code = f"{code}_none"
        label = "label.warning" if code.removesuffix("_none") in _WARNINGS else "label.note"
        return f"{say(label)}: {say(code, **self.facts(remark))}"

    def setting(self, key: str) -> str:
        """A setting in words; its own name where the catalogue has none."""
        code = f"setting.{key.lower()}"
        return self.pen.phrases.say(code) if self.pen.phrases.knows(code) else one_line(key)

    def setting_value(self, key: str, value: str) -> str:
        """What a setting is set to, in words where the catalogue has some ("yes", "white"); else as it was written."""
        name, plain, knows = key.lower(), value.strip().lower(), self.pen.phrases.knows
        if name == "language":
            return language_name(plain, self.pen.phrases.lang) or one_line(value)
        codes = (f"press.{plain}" if name == "press" else "", f"value.{name}.{plain}", f"value.{plain}")
        found = next((code for code in codes if knows(code)), "")
        return self.pen.phrases.say(found) if found else one_line(value)

    def facts(self, value: object) -> dict[str, object]:
        """The fields of an answer or error as words, by name."""
        names = getattr(value, "__dataclass_fields__", {})
        facts = {name: self.words(getattr(value, name), name) for name in names}
        if isinstance(getattr(value, "count", None), int):
            facts["n"] = facts["count"]
        if isinstance(why := getattr(value, "why", None), Why):
            facts["why"] = self.pen.why(why, getattr(value, "order", None))
        return facts

    def _name_in(self, text: str, name: str) -> str:
        """A text fact: a power by its title, a place by its full name and its code, anything else as it stands, on one line."""
        if name in _POWERS and text:
            return self.pen.power(text)
        if name == "changes":
            return "; ".join(map(self._change, text.split("; ")))
        if name == "found" and (season := _SEASON.fullmatch(text)):
            return self._season(*season.groups())
        place = Location(text)
        if name in _PLACES and place.province in self.variant.board.provinces:
            return f"{self.pen.full_place(place)} ({self.pen.place(place)})" if self.pen.notation != "long" else self.pen.full_place(place)
        return one_line(text, LONGEST_FACT)

    def _season(self, letter: str, year: str, step: str) -> str:
        """What a heading says of the time, as a phase in words; without a year the season alone."""
        if year:
            return self.pen.phase(read_phase(f"{letter}{year}{step or 'M'}"))
        word = self.pen.phase(read_phase(f"{letter}1901{'A' if letter == 'W' else 'M'}"))
        return " ".join(part for part in word.split() if not part.strip(".,").isdigit())

    def _change(self, text: str) -> str:
        """What a master changed on the board: ``+ FRANCE A BUR``, ``- GERMANY A MUN``, ``BEL: FRANCE``, ``BEL: -``."""
        sign, _, rest = text.partition(" ")
        if sign in ("+", "-"):
            return f"{sign} {self._piece(rest)}"
        return self._piece(f"{sign.rstrip(':')} {rest}")

    def _piece(self, text: str) -> str:
        """A unit or an owner: ``FRANCE A BUR``, ``BEL FRANCE``, ``BEL -``."""
        first, _, rest = text.partition(" ")
        if first not in self.variant.powers and (first not in self.variant.board.provinces or not rest):
            return one_line(text)
        if first in self.variant.powers:
            return f"{self.pen.unit(read_unit(rest))} ({self.pen.power(first)})"
        owner = self.pen.power(rest) if rest in self.variant.powers else self.pen.phrases.say("board.neutral")
        return f"{self.pen.place(Location(first))}: {owner}"

    def words(self, value: object, name: str = "") -> object:
        """One fact in words: orders, units, places, phases, moments, lists of them; text as it stands, on one line."""
        match value:
            case bool() | int() | None:
                return value
            case Location():
                return self.pen.place(value)
            case str():
                return self._name_in(value, name)
            case Phase():
                return self.pen.phase(value)
            case Unit():
                return self.pen.unit(value)
            case Why():
                return self.pen.why(value)
            case datetime():
                return day_or_time(value) if name in _DAYS else local_time(value)
            case timedelta():
                return span(value)
            case tuple() | frozenset() | list():
                parts = sorted(value) if isinstance(value, frozenset) else value
                style = "or" if name in _CHOICES else "standard"
                told = [str(self.words(each, name)) for each in parts if each != ""]
                if name in _NUMBERED:
                    told = [f"({number}) {each}" for number, each in enumerate(told, 1)]
                return self.pen.listed(told, style)
            case _:
                return self.pen.order_within(value) if isinstance(value, Order) else str(value)

    def event(self, event: Event) -> views.PastEntry:
        """One line of the log: the sentence of its code; where the catalogue has none, the code and its facts as they were kept."""
        who = self.pen.power(event.who) if event.who else self.pen.phrases.say("the_judge")
        code = f"log.{event.what}"
        untold = (("why", "master"), ("why", "rule"))
        facts = {name: self._kept(value, name, event.what) for name, value in event.facts.items() if (name, value) not in untold}
        if "from" in facts and "to" in facts:
            facts["from"] = f"{facts['from']} → {facts.pop('to')}"
        if "first" in facts and "last" in facts:
            facts["first"] = f"{facts['first']} – {facts.pop('last')}"
        what = self.pen.phrases.say(code, **facts) if self.pen.phrases.knows(code) else event.what.replace("_", " ")
        rest = ", ".join(value for value in facts.values() if value and value not in what)
        return views.PastEntry(event.at, "event", f"{who}: {what}" + (f" ({rest})" if rest else ""))

    def _kept(self, text: str, name: str, what: str) -> str:
        """A fact of the log, which keeps everything as text: moments, phases, powers, orders in words, the rest as it stands."""
        codes = {"kind": (f"kind.{text}",), "reason": (f"reason.{text}",), "why": tuple(f"deadline.{each}" for each in text.split())}
        if (found := codes.get(name, ())) and all(map(self.pen.phrases.knows, found)):
            return "; ".join(map(self.pen.phrases.say, found))
        if what == "setting":
            return f"{self.setting(name)}: {self.setting_value(name, text)}"
        if name == "powers":
            return self.pen.listed(self.pen.power(power) for power in text.split())
        try:
            match name:
                case "phase":
                    return self.pen.phase(read_phase(text))
                case "orders":
                    return "; ".join(self.pen.order_within(read_order(order)) for order in text.split("; "))
                case "last":  # kept as the moment from which the absent are back
                    return day_or_time(datetime.fromisoformat(text) - timedelta(minutes=1))
                case "first":
                    return day_or_time(datetime.fromisoformat(text))
                case _:
                    return self._moment(text, clock_time) or str(self.words(text, name))
        except (BadNotation, ValueError):
            return one_line(text)

    @staticmethod
    def _moment(text: str, spell: Callable[[datetime], str]) -> str:
        """A moment that was kept as text, as `spell` writes it; "" if the text is none."""
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return ""
        return spell(moment) if moment.tzinfo is not None else ""


def _with_year(moment: datetime) -> str:
    return f"{local_day(moment)} {hour(moment)}"


_WARNINGS = frozenset(
    f"remark.{code}"
    for code in (
        "press_not_closed",
        "wrong_kind",
        "owner_differs",
        "impossible",
        "coast_needed",
        "support_unmatched",
        "convoy_unmatched",
        "convoy_missing",
        "same_target",
        "own_target",
        "no_order",
        "unused_builds",
        "removals_missing",
        "ordered_twice",
    )
)
"""Remarks that warn; the others only tell how a line was read."""

_TWO_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)")
"""A date that ends in a full stop ("28. 2."), and the full stop of its sentence."""

_SEASON = re.compile(r"([A-Z])(\d{0,4})([MRA]?)")
"""A season and a year as a heading gives them."""

_CHOOSING = ("who", "status", "rule", "why")
"""Fields whose value chooses among the sentences of an error."""

_DAYS = frozenset({"first", "last"})
"""Fields that hold the first and the last moment of an absence, mostly whole days."""

_PLACES = frozenset({"place", "near", "candidates", "taken", "others", "coasts"})
"""Fields that hold places in canonical spelling, where the board has them."""

_POWERS = frozenset({"power", "powers", "free", "seat", "seats", "to", "owner", "said"})
"""Fields that hold powers or seats."""

_NUMBERED = frozenset({"candidates", "readings"})
"""Fields that hold what a line may mean."""

_CHOICES = frozenset({"candidates", "choices", "coasts", "kinds", "near", "readings"})
"""Fields of which one is to be chosen."""

"""One order written in different ways, as different people write: for the players of the demonstration."""

from collections.abc import Callable

from judge.language import Gazetteer
from judge.rules import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    write_order,
)

Style = Callable[[Order, Gazetteer], str]
_WORDS = {"A": "Army", "F": "Fleet"}
_COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}


def canonical(order: Order, _names: Gazetteer) -> str:
    """``A PAR - BUR``."""
    return write_order(order)


def scribbled(order: Order, _names: Gazetteer) -> str:
    """``a par-bur``."""
    return write_order(order).lower().replace(" - ", "-")


def arrowed(order: Order, _names: Gazetteer) -> str:
    """``A Par -> Bur``."""
    words = write_order(order).replace(" - ", " -> ").split()
    return " ".join(word.capitalize() if word.isalpha() and len(word) == 3 and word != "VIA" else word for word in words)


def spelled(order: Order, names: Gazetteer) -> str:
    """``Army Paris to Burgundy``."""
    return _sentence(order, names, " to ", "supports", "convoys")


def told(order: Order, names: Gazetteer) -> str:
    """``Army Paris moves to Burgundy.``."""
    return _sentence(order, names, " moves to ", "supports", "convoys").replace("supports", "will support") + "."


STYLES: tuple[Style, ...] = (canonical, scribbled, spelled, arrowed, told)


def _sentence(order: Order, names: Gazetteer, move: str, support: str, convoy: str) -> str:
    """An order in words."""
    unit = "" if isinstance(order, Waive) else _unit(order.unit, names)
    match order:
        case Hold():
            return f"{unit} holds"
        case Move(_, to, via):
            return f"{unit}{move}{_place(to, names)}" + (" via convoy" if via else "")
        case SupportHold(_, of):
            return f"{unit} {support} {_unit(of, names)}"
        case SupportMove(_, of, to):
            return f"{unit} {support} {_unit(of, names)} to {_place(to, names)}"
        case Convoy(_, of, to):
            return f"{unit} {convoy} {_unit(of, names)} to {_place(to, names)}"
        case Retreat(_, to):
            return f"{unit} retreats to {_place(to, names)}"
        case Disband():
            return f"Disband {unit}"
        case Build():
            return f"Build {unit}"
        case Waive():
            return "Waive"


def _unit(unit: Unit, names: Gazetteer) -> str:
    return f"{_WORDS.get(unit.kind, unit.kind)} {_place(unit.at, names)}"


def _place(place: str, names: Gazetteer) -> str:
    province, _, coast = place.partition("/")
    return names.name(province) + (f" ({_COASTS[coast]})" if coast else "")

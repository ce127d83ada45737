"""What can be wrong with a map's picture data."""

from dataclasses import dataclass

from judge.errors import OperatorError


@dataclass(eq=False)
class BadDrawing(OperatorError):
    """Geometry, anchors, lettering or style that no picture can be drawn from; `faults` names each place."""

    faults: tuple[str, ...]

    def __str__(self) -> str:
        return "; ".join(self.faults)

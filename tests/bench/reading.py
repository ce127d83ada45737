"""How well and how fast order lines are read: right, asked back, refused or wrong, by language and source.

Run from the root of the repository: `python -m tests.bench.reading [POSITIONS]` (default 20; 200 for the figures of the docs).
"""

import gzip
import json
import random
import sys
import time
import tomllib
from collections import Counter, defaultdict

from judge.language import LineReading
from judge.rules import BadNotation, legal_orders, read_order, read_position, write_order
from tests.support.readers import LANGUAGES, ROOT, phase_of, position_of, reader, recorded_positions, spelled
from tests.support.wordings import Author, stripped

Table = dict[tuple[str, str], Counter[str]]

MOST_SHOWN = 100
"""So many lines that were not read right are printed, to be looked at."""
missed: list[str] = []


def note(table: Table, source: str, language: str, wanted: list[str], reading: LineReading) -> None:
    """Count one line, and keep it if it was not read right."""
    got, error = spelled(reading), reading.error
    became = ("right" if got == wanted else "WRONG") if error is None else "asked back" if reading.suggestions else "refused"
    table[source, language][became] += 1
    if became != "right":
        missed.append(f"{became} ({language}): {reading.line}   meant {'; '.join(wanted)}, read {'; '.join(got) or error!r}")


def samples(table: Table) -> None:
    """The sample lines of tests/orders, told the language and not."""
    for language in LANGUAGES:
        for line in tomllib.loads((ROOT / "orders" / f"{language}.toml").read_text("utf-8"))["line"]:
            if "order" not in line:
                continue
            position = position_of(line["units"]) if "units" in line else None
            for prefer in ((language,), ()):
                if not prefer and line.get("told"):
                    continue
                (found,) = reader().read_lines([line["text"]], position=position, phase=phase_of(line.get("step", "")), prefer=prefer)
                note(table, "sample lines" if prefer else "sample lines, language found", language, [line["order"]], found)


def source_texts(table: Table) -> None:
    """The original wordings of the source texts, with and without the position."""
    for case in tomllib.loads((ROOT / "orders" / "source_texts.toml").read_text("utf-8"))["case"]:
        position = position_of(case["units"], case["phase"], case["map"])
        for _, text, order in case["lines"]:
            for name, known in (("source texts", position), ("source texts, no position", None)):
                (found,) = reader(case["map"]).read_lines([text], position=known, phase=position.phase)
                note(table, name, "all", [order], found)


def games(table: Table, count: int) -> None:
    """Order lines of recorded games as recorded, and as people might have typed them."""
    board = reader().variant.board
    chance = random.Random(5)
    with gzip.open(ROOT / "games" / "webdiplomacy.jsonl.gz") as lines:
        phases = [phase for line in lines for phase in json.loads(line)["phases"] if phase["phase"].endswith("M")]
    for phase in phases[:count]:
        position = read_position({"phase": phase["phase"], "units": phase["units"], "centers": phase["centers"]}, reader().variant)
        for power, texts in phase["orders"].items():
            for text in texts:
                try:
                    order = read_order(text, board)
                except BadNotation:
                    continue
                wanted = spelled(reader().read_lines([write_order(order)], position=position, power=power)[0])
                for typed in (text, text.lower(), text.replace(" - ", "-").title(), text.replace(" - ", " → ")):
                    (found,) = reader().read_lines([typed], position=position, power=power)
                    note(table, "lines of games", "all", wanted, found)
                for language in LANGUAGES:
                    tongue = reader().tongues[language]
                    typed = Author(tongue.lexicon, tongue.gazetteer, chance, True).write(order)
                    (found,) = reader().read_lines([typed], position=position, power=power)
                    note(table, "lines of games, reworded", language, wanted, found)


def round_trip(table: Table, count: int) -> float:
    """Every legal order of recorded positions, worded at random; seconds a line."""
    spent, lines = 0.0, 0
    for number, position in enumerate(recorded_positions(count, 21)):
        chance = random.Random(number)
        for power, units in legal_orders(position, reader().variant).items():
            orders = [order for each in units.values() for order in each]
            for language in LANGUAGES:
                tongue = reader().tongues[language]
                author = Author(tongue.lexicon, tongue.gazetteer, chance, True)
                typed = [author.write(order) for order in orders]
                typed = [chance.choice((text, text, text.lower(), stripped(text))) for text in typed]
                start = time.process_time()
                readings = reader().read_lines(typed, position=position, power=power, prefer=chance.choice(((), (language,))))
                spent += time.process_time() - start
                lines += len(typed)
                for order, found in zip(orders, readings, strict=True):
                    note(table, f"every legal order of {count} positions", language, [write_order(order)], found)
    return spent / max(1, lines)


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    table: Table = defaultdict(Counter)
    samples(table)
    source_texts(table)
    games(table, count)
    pace = round_trip(table, count)
    columns = ("right", "asked back", "refused", "WRONG")
    print(f"{'source':36} {'language':9}" + "".join(f"{name:>12}" for name in columns))
    for (source, language), seen in table.items():
        print(f"{source:36} {language:9}" + "".join(f"{seen[name]:12}" for name in columns))
    for line in sorted(missed, key=lambda each: not each.startswith("WRONG"))[:MOST_SHOWN]:
        print(line)
    print(f"{1000 * pace:.2f} ms of CPU a line, {1 / pace:.0f} lines a second")
    if any(seen["WRONG"] for seen in table.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()

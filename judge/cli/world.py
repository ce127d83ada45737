"""A made-up world to read mails in: games, positions, players and secrets out of a JSON file."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from judge.board import Location, Power
from judge.config import BorderConfig, Config, JudgeConfig, MailInConfig, MailOutConfig
from judge.game import Deadline, Game, Person, Seat, Settings, Status
from judge.library import dump_variant
from judge.rules import Dislodgement, Phase, Position, Step, Unit, Variant, read_phase, read_unit
from judge.service.context import Services
from judge.service.identity import hash_password
from judge.service.keys import GivenKeys
from judge.wiring import build

EARLY = datetime(2000, 1, 1, tzinfo=UTC)
Json = Mapping[str, Any]


def read_world(file: Path) -> Json:
    """The `world` of a file, or the file itself.  Raises ValueError."""
    data = json.loads(file.read_text("utf-8"))
    world = data.get("world", data)
    if not isinstance(world, dict) or "judge_address" not in world:
        raise ValueError("no world in it: a judge_address is missing")
    return world


@contextmanager
def services_in(world: Json) -> Iterator[Services]:
    """A judge in a folder of its own that knows just this world."""
    with TemporaryDirectory(prefix="judge-read-") as folder:
        services = build(_config(world, Path(folder)))
        tokens = {
            (game, power): player["token"]
            for game, players in world.get("players", {}).items()
            for power, player in players.items()
            if player.get("token")
        }
        services = replace(services, keys=GivenKeys(tokens))
        _fill(services, world)
        yield services
        services.store.close()


def _config(world: Json, folder: Path) -> Config:
    """The configuration of a world."""
    authserv = str(world.get("trusted_authserv_id", ""))
    bounces = str(world.get("bounce_address", "")).partition("+")
    return Config(
        file=folder / "judge.toml",
        judge=JudgeConfig(
            address=world["judge_address"],
            bounces=f"{bounces[0]}@{world['judge_address'].partition('@')[2]}" if bounces[0] else "",
            spool=str(folder),
            pictures=False,
        ),
        mail_in=MailInConfig(maildir="in"),
        mail_out=MailOutConfig(maildir="out"),
        border=BorderConfig(authserv_id=authserv, received_by=(authserv,) if authserv else (), passwords=True),
    )


def _fill(services: Services, world: Json) -> None:
    """The people and games of a world, kept in its store."""
    people: dict[str, Person] = {}
    with services.store.transaction() as tx:
        listed = [player for players in world.get("players", {}).values() for player in players.values()]
        for person in [*listed, *([world["gm"]] if world.get("gm") else [])]:
            key = person["address"].lower()
            if key not in people:
                people[key] = tx.people.new(person.get("name", ""), person["address"])
        for number, (name, told) in enumerate(world.get("games", {}).items(), 1):
            variant_name = str(told.get("map", "standard"))
            variant = services.library.variant(variant_name)
            ruleset = services.packs.ruleset(variant_name)
            tx.variants.put(ruleset, json.dumps(dump_variant(variant)))
            tx.games.put(_game(number, name, told, world, people, variant, ruleset), 0)


def _game(number: int, name: str, told: Json, world: Json, people: Mapping[str, Person], variant: Variant, ruleset: str) -> Game:
    """One game of a world."""
    players = world.get("players", {}).get(name, {})
    master = people.get(world["gm"]["address"].lower()) if world.get("gm") else None
    seats = tuple(_seat(power, players.get(power), people) for power in variant.powers)
    deadline = told.get("deadline")
    return Game(
        id=number,
        name=name,
        variant=variant.name,
        ruleset=ruleset,
        settings=Settings(),
        created_at=EARLY,
        status=Status.RUNNING,
        seats=seats,
        masters=(Seat("MASTER", master.id),) if master else (),
        position=read_position(told, variant),
        deadline=Deadline(datetime.fromisoformat(deadline).astimezone(UTC)) if deadline else None,
        phase_began=EARLY,
    )


def _seat(power: Power, player: Json | None, people: Mapping[str, Person]) -> Seat:
    """One seat of a game."""
    if player is None:
        return Seat(power)
    return Seat(power, people[player["address"].lower()].id, password=hash_password(player["password"]) if player.get("password") else "")


def read_position(told: Json, variant: Variant) -> Position:
    """The position a game of a world is in: units, dislodged units with their retreats, or what is to be adjusted."""
    phase = read_phase(told["phase"])
    units = {power: [read_unit(text) for text in listed] for power, listed in told.get("units", {}).items()}
    owners: dict[str, Power] = {place: power for power, places in told.get("centers", {}).items() for place in places}
    dislodged = tuple(
        Dislodgement(power, read_unit(unit), "", "", tuple(Location(place) for place in places))
        for power, listed in told.get("dislodged", {}).items()
        for unit, places in listed.items()
    )
    if phase.step is Step.ADJUSTMENT:
        for power, due in told.get("adjustments", {}).items():
            _adjust(power, due, variant, units, owners)
    return _position(phase, units, owners, dislodged, variant)


def _position(
    phase: Phase, units: Mapping[Power, list[Unit]], owners: dict[str, Power], dislodged: tuple[Dislodgement, ...], variant: Variant
) -> Position:
    return Position(phase, {power: tuple(sorted(units.get(power, []))) for power in variant.powers}, owners, dislodged)


def _adjust(power: Power, due: Json, variant: Variant, units: dict[Power, list[Unit]], owners: dict[str, Power]) -> None:
    """Units and centres of one power such that just this is due; what the world leaves open is filled in out of the way."""
    homes = sorted(variant.board.homes[power])
    mine = units.setdefault(power, [])
    if due.get("removals"):
        mine.extend(read_unit(text) for text in due.get("units", []))
        free = [centre for centre in sorted(variant.board.centres) if centre not in owners]
        owners.update(dict.fromkeys((homes + free)[: len(mine) - due["removals"]], power))
        return
    open_homes = due.get("open_home_centres", homes)
    owners.update(dict.fromkeys(homes, power))
    taken = {unit.at.province for listed in units.values() for unit in listed}
    letter = next(iter(variant.board.kinds))
    spots = [home for home in homes if home not in open_homes] + _spare(variant, taken, letter)
    while len(homes) - len(mine) > due.get("builds", 0):
        mine.append(Unit(letter, Location(spots.pop(0))))


def _spare(variant: Variant, taken: set[str], letter: str) -> list[str]:
    """Provinces without a centre where a unit is in nobody's way."""
    passable = {place.province for place in variant.board.passages[letter]}
    return sorted(p for p in passable if not variant.board.provinces[p].is_centre and p not in taken)

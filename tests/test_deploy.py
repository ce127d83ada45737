"""The files of deploy/: every setting in the example, and each file read by the program it is for, where that is installed."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from smtplib import SMTP
from typing import Any, get_args, get_type_hints

import pytest

from judge.config import Config, read_config
from judge.mail import Arrival, OwnAddresses
from judge.mail.door import Door, DoorSettings
from tests.support.places import open_folder, wait_until
from tests.support.postfix import Postfix
from tests.support.postgres import shared_server

CHECKOUT = Path(__file__).parent.parent
DEPLOY = CHECKOUT / "deploy"
EXAMPLE = DEPLOY / "judge.example.toml"


def need(*names: str) -> str:
    """The first of these programs that is installed; the test is skipped without one, or fails where CI=true."""
    found = next((path for name in names if (path := shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"))), None)
    if found is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{names[0]} is not installed")
    assert found is not None
    return found


def ask(*command: str | Path, given: str = "") -> str:
    """What a program says; the test fails if it is not content."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, input=given, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


# ---- judge.example.toml


def settings(kind: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every setting of the configuration with its default, by dotted key."""
    hints = get_type_hints(kind)
    for field in fields(kind):
        key = f"{prefix}{field.name}"
        inner = next((each for each in (*get_args(hints[field.name]), hints[field.name]) if is_dataclass(each)), None)
        if inner is not None:
            yield from settings(inner, f"{key}.")  # type: ignore[arg-type]  # a dataclass is a type here, never an instance
        elif key != "file":
            yield key, field.default if field.default is not MISSING else None


def flat(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """A TOML table with dotted keys."""
    out: dict[str, Any] = {}
    for key, value in table.items():
        out |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
    return out


def whole_example() -> dict[str, Any]:
    """The example with every setting in force."""
    text = re.sub(r"^#(?=\[|[a-z_]+ = )", "", EXAMPLE.read_text("utf-8"), flags=re.MULTILINE)
    return flat(tomllib.loads(text))


def test_the_example_is_a_configuration() -> None:
    config = read_config(EXAMPLE)
    assert config.mail_in.imap is not None
    assert config.mail_out.smtp is not None
    assert config.bounces == "judge-bounces@games.example.org"


def test_the_example_names_every_setting_and_no_other() -> None:
    assert set(whole_example()) == {key for key, _ in settings(Config)}


def test_what_the_example_has_switched_off_is_the_default() -> None:
    changed = flat(tomllib.loads(EXAMPLE.read_text("utf-8")))
    defaults = {key: list(value) if isinstance(value, tuple) else value for key, value in settings(Config)}
    wrong = {key: value for key, value in whole_example().items() if key not in changed and value != defaults[key]}
    assert wrong == {}


def test_every_setting_of_the_example_has_a_line_of_why() -> None:
    lines = EXAMPLE.read_text("utf-8").splitlines()
    bare = []
    for number, line in enumerate(lines):
        if not re.match(r"#?[a-z_]+ = ", line):
            continue
        above = next((each for each in reversed(lines[:number]) if not re.match(r"#?[a-z_]+ = ", each)), "")
        if not re.match(r"# \w|# \"", above):
            bare.append(line)
    assert bare == []


def test_settings_of_the_other_files_exist() -> None:
    """What comments of deploy/ tell to write into judge.toml is a setting."""
    known = {key.rpartition(".")[2] for key, _ in settings(Config)}
    for path in sorted(DEPLOY.rglob("*")):
        if path.is_file() and path != EXAMPLE:
            for line in re.findall(r"judge\.toml(?: then)?(?: says|:)(.*)", path.read_text("utf-8")):
                assert set(re.findall(r"\b([a-z_]+) = ", line)) <= known, path


# ---- systemd


def units(tmp_path: Path) -> list[Path]:
    """The units, with the judge of this environment in place of the installed one."""
    program = Path(sys.executable).parent / "judge"
    out = []
    for path in [*(DEPLOY / "systemd").glob("*.service"), *(DEPLOY / "systemd").glob("*.timer")]:
        unit = tmp_path / path.name
        unit.write_text(path.read_text("utf-8").replace("/opt/chancery/bin/judge", str(program)))
        out.append(unit)
    return out


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    said = ask(need("systemd-analyze"), "verify", "--man=no", *units(tmp_path))
    assert not [line for line in said.splitlines() if "judge" in line], said


def test_the_services_are_shut_in(tmp_path: Path) -> None:
    """Exposure under 2 of 10, as systemd counts it ("OK")."""
    program = need("systemd-analyze")
    for unit in units(tmp_path):
        if unit.suffix == ".service":
            ask(program, "security", "--no-pager", "--offline=true", "--threshold=20", unit)


def test_the_backup_is_made_at_night() -> None:
    when = re.search(r"OnCalendar=(.*)", (DEPLOY / "systemd" / "judge-backup.timer").read_text("utf-8"))
    assert when is not None
    assert "Normalized form: *-*-* 03:30:00" in ask(need("systemd-analyze"), "calendar", when[1])


# ---- mail servers


@pytest.fixture
def postfix(tmp_path: Path) -> Path:
    """A configuration folder of Postfix: what Debian ships, with our additions."""
    need("postconf")
    if os.geteuid() != 0:
        pytest.skip("postfix check needs root")
    shipped = Path("/usr/share/postfix")
    folder = tmp_path / "postfix"
    folder.mkdir()
    (tmp_path / "data").mkdir()
    shutil.chown(tmp_path / "data", "postfix")
    private = f"queue_directory = {tmp_path}/queue\ndata_directory = {tmp_path}/data\ncompatibility_level = 3.6\n"
    (tmp_path / "queue").mkdir()
    (folder / "main.cf").write_text(private + (DEPLOY / "postfix" / "main.cf").read_text("utf-8"))
    services = [(shipped / "master.cf.dist").read_text("utf-8")]
    services += [(DEPLOY / "postfix" / name).read_text("utf-8") for name in ("master.cf", "pipe.cf")]
    (folder / "master.cf").write_text("\n".join(services))
    return folder


def test_postfix_is_content(postfix: Path) -> None:
    said = ask(need("postfix"), "-c", postfix, "check") + ask(need("postconf"), "-c", postfix, "-n")
    assert [line for line in said.splitlines() if re.search(r"warning|unused|error", line) and "symlink" not in line] == []


def test_postfix_knows_the_addresses_of_the_judge_alone(postfix: Path) -> None:
    maps = ask(need("postconf"), "-c", postfix, "-x", "-h", "virtual_mailbox_maps").strip()
    for address, known in (("judge@games.example.org", True), ("judge-bounces@games.example.org", True), ("anna@games.example.org", False)):
        done = subprocess.run([need("postmap"), "-c", str(postfix), "-q", address, maps], capture_output=True, check=False)
        assert (done.returncode == 0) == known, address


def test_postfix_hands_over_by_the_clients_of_our_own(postfix: Path) -> None:
    clients = ask(need("postconf"), "-c", postfix, "-M")
    assert re.search(r"^judge-lmtp +unix +- +- +n +- +10 +lmtp$", clients, re.MULTILINE)
    assert "argv=/opt/chancery/bin/judge receive --config /etc/judge/judge.toml --sender=${sender} -- ${recipient}" in clients


class _Postfix(Postfix):
    """A running Postfix with our additions, and the socket somewhere else."""

    def __init__(self, socket: Path) -> None:
        super().__init__(to_judge="error:unused", relay="")
        main, master = self.folder / "etc" / "main.cf", self.folder / "etc" / "master.cf"
        private = [line for line in main.read_text().splitlines() if not line.startswith(("virtual_", "lmtp_", "recipient_delimiter"))]
        added = (DEPLOY / "postfix" / "main.cf").read_text("utf-8").replace("/run/judge/lmtp.sock", str(socket))
        main.write_text("\n".join(private) + "\n" + added)
        master.write_text(master.read_text() + (DEPLOY / "postfix" / "master.cf").read_text("utf-8"))


def test_postfix_hands_over_by_the_socket() -> None:
    """Mail for the judge reaches its door with what stands behind the sign; other addresses are refused at once."""
    kept: list[Arrival] = []
    own = OwnAddresses("judge@games.example.org", "judge-bounces@games.example.org")
    need("postfix")
    folder = open_folder("door")
    door = Door(kept.extend, lambda: datetime.now(UTC), DoorSettings(protocol="lmtp", path=folder / "lmtp.sock"), is_known=own.is_own)
    with _Postfix(folder / "lmtp.sock") as postfix:
        shutil.chown(folder, group="postfix")  # as judge.tmpfiles.conf has it: the folder's group goes over to the socket
        folder.chmod(0o2750)
        door.start()
        try:
            assert (folder / "lmtp.sock").stat().st_mode & 0o777 == 0o660
            with SMTP("127.0.0.1", postfix.port) as client:
                addresses = ["judge+danube.k7q2m9xd3fab@games.example.org", "judge-bounces+danube.FRANCE.r7@games.example.org"]
                refused = client.sendmail("anna@example.com", [*addresses, "emil@games.example.org"], "Subject: orders\r\n\r\nA PAR H\r\n")
                assert set(refused) == {"emil@games.example.org"}
            wait_until(lambda: len(kept) == 2)
        finally:
            door.stop()
            shutil.rmtree(folder, ignore_errors=True)
    assert sorted(address for arrival in kept for address in arrival.envelope_to) == sorted(addresses)


def test_dovecot_is_content(tmp_path: Path) -> None:
    for name in ("dovecot/judge.conf", "compose/mail/dovecot.conf"):
        config = tmp_path / "dovecot.conf"
        config.write_text((DEPLOY / name).read_text("utf-8"))
        said = ask(need("doveconf"), "-c", config, "-n")
        assert "recipient_delimiter = +" in said or "mail_location" in said
        assert "lmtp_hdr_delivery_address" not in said  # the usual: Delivered-To keeps what stands behind the sign
        assert "Warning" not in said
        assert "Error" not in said


def test_sieve_compiles(tmp_path: Path) -> None:
    script = tmp_path / "judge.sieve"
    script.write_text((DEPLOY / "dovecot" / "judge.sieve").read_text("utf-8"))
    ask(need("sievec"), script, tmp_path / "judge.svbin")


# ---- web


def test_nginx_is_content(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    added = (DEPLOY / "nginx" / "archive.conf").read_text("utf-8")
    private = added.replace("listen [::]:80;", "").replace("listen 80;", f"listen unix:{tmp_path}/web.sock;")
    private = private.replace("/var/cache/nginx/archive", str(tmp_path / "cache"))
    config = tmp_path / "nginx.conf"
    config.write_text(f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{private}\n}}\n")
    ask(need("nginx"), "-t", "-q", "-p", tmp_path, "-c", config)


def test_nginx_serves_files_under_the_same_policy_as_the_judge() -> None:
    from judge.web.app import DRAWING_POLICY, POLICY

    text = (DEPLOY / "nginx" / "archive.conf").read_text("utf-8")
    assert f'"{POLICY}"' in text
    assert f'"{DRAWING_POLICY}"' in text


# ---- database and containers


def test_the_reading_role_reads_and_does_not_write(tmp_path: Path) -> None:
    """The roles on a real server: the judge makes its tables, the reader sees them and can change nothing."""
    from judge.store import open_store

    server = shared_server()
    psql = need("psql")
    host = str(server.url("").partition("host=")[2])
    script = (DEPLOY / "postgres" / "roles.sql").read_text("utf-8")
    script = re.sub(r"\bjudge_reader\b", "roles_reader", script)
    script = re.sub(r"(?<![_\w])judge(?![_\w])", "roles_judge", script)
    ask(psql, "-h", host, "-U", "judge", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-q", given=script)
    try:
        store = open_store(f"postgresql://roles_judge@/roles_judge?host={host}")
        with store.transaction() as tx:
            tx.marks.set("kept", "yes")
        store.close()
        reader = [psql, "-h", host, "-U", "roles_reader", "-d", "roles_judge", "-At", "-c"]
        assert ask(*reader, "SELECT count(*) FROM game").strip() == "0"
        refused = subprocess.run(
            [*reader, "SET default_transaction_read_only = off", "-c", "DELETE FROM game"], capture_output=True, check=False
        )
        assert b"permission denied" in refused.stderr
        key = subprocess.run([*reader, "SELECT value FROM site"], capture_output=True, check=False)
        assert b"permission denied for table site" in key.stderr
    finally:
        cleaning = "DROP DATABASE IF EXISTS roles_judge WITH (FORCE); DROP ROLE roles_judge; DROP ROLE roles_reader"
        for statement in cleaning.split(";"):
            ask(psql, "-h", host, "-U", "judge", "-d", "postgres", "-q", "-c", statement)


def test_the_container_is_built_from_what_is_there() -> None:
    text = (DEPLOY / "compose" / "Dockerfile").read_text("utf-8")
    for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (CHECKOUT / source).exists(), source
    mail = DEPLOY / "compose" / "mail"
    for source in re.findall(r"^COPY (\S+) ", (mail / "Dockerfile").read_text("utf-8"), re.MULTILINE):
        assert (mail / source).exists(), source
    ask("sh", "-n", mail / "start")
    assert os.access(mail / "start", os.X_OK)


def test_the_composition_asks_for_what_its_example_names() -> None:
    text = (DEPLOY / "compose" / "compose.yml").read_text("utf-8")
    named = set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "compose" / ".env.example").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"\$\{([A-Z_]+)", text)) == named
    secrets = set(re.findall(r"env:([A-Z]+_[A-Z_]+)", EXAMPLE.read_text("utf-8")))
    assert secrets <= named


def test_no_file_names_a_machine() -> None:
    for path in sorted(DEPLOY.rglob("*")):
        if path.is_file():
            assert not re.search(r"/(?:home|root|work|tmp)/", path.read_text("utf-8")), path

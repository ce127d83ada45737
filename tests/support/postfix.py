"""A real Postfix with its own configuration and queue, on a free loopback port, started by a test (needs root)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.places import free_port, listens, open_folder, program, wait_until

_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = {daemons}
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.example.org
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
maillog_file = {folder}/mail.log
maillog_file_prefixes = {folder}
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = example.org
virtual_mailbox_maps = static:all
virtual_transport = {to_judge}
relayhost = {relay}
recipient_delimiter = +
message_size_limit = 1048576
smtp_tls_security_level = none
smtpd_tls_security_level = none
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = permit_mynetworks, reject
lmtp_destination_recipient_limit = 1
minimal_backoff_time = 2s
maximal_backoff_time = 4s
queue_run_delay = 2s
transport_retry_time = 2s
lmtp_data_done_timeout = 120s
smtputf8_enable = yes
"""
_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """One mail system: mail for example.org goes to `to_judge` (a transport), all else to `relay`."""

    def __init__(self, *, to_judge: str, relay: str) -> None:
        self._program = program("postfix", "postfix")
        if os.geteuid() != 0:
            pytest.skip("a private Postfix needs root")
        folder = self.folder = open_folder("postfix")
        self.port = free_port()
        for name in ("etc", "queue", "data"):
            (folder / name).mkdir()
        shutil.chown(folder / "data", "postfix")
        daemons = next(p for p in ("/usr/lib/postfix/sbin", "/usr/libexec/postfix", "/usr/lib/postfix") if Path(p, "master").exists())
        main = _MAIN.format(folder=folder, daemons=daemons, to_judge=to_judge, relay=relay)
        (folder / "etc" / "main.cf").write_text(main)
        (folder / "etc" / "master.cf").write_text(_MASTER.format(port=self.port))

    def _run(self, command: str) -> None:
        done = subprocess.run([self._program, "-c", str(self.folder / "etc"), command], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"postfix {command}: {done.stdout}{done.stderr}{self.log()}")

    def start(self) -> "Postfix":
        self._run("start")
        wait_until(lambda: listens(self.port), 20)
        return self

    def stop(self) -> None:
        subprocess.run([self._program, "-c", str(self.folder / "etc"), "stop"], capture_output=True, check=False)

    def __enter__(self) -> "Postfix":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self) -> str:
        log = self.folder / "mail.log"
        return log.read_text() if log.exists() else ""

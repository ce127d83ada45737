"""A real Dovecot with its own configuration and folder, on free loopback ports, started by a test."""

import getpass
import grp
import os
import pwd
import shutil
import signal
import smtplib
import ssl
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.support.places import free_port, listens, make_certificate, open_folder, program, wait_until

PASSWORD = "correct-horse"
_CONFIG = """
base_dir = {run}
state_dir = {run}
log_path = {folder}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
default_process_limit = 100
first_valid_uid = 1
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
ssl = yes
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
mail_location = maildir:{folder}/mail/%n
mail_max_userip_connections = 100
lda_mailbox_autocreate = yes
recipient_delimiter = +
protocol lmtp {{
  auth_username_format = %Ln
  lmtp_save_to_detail_mailbox = no
}}
namespace inbox {{
  inbox = yes
}}
{oauth}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%n allow_all_users=yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
auth_failure_delay = 0
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
{imap_capability}
"""
_OAUTH = """
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
"""


class Dovecot:
    """One server; `user` owns the mailbox that LMTP delivers ``user@...`` and ``user+x@...`` to."""

    def __init__(self, *, capabilities: str = "", introspection: str = "") -> None:
        self._program = program("dovecot", "dovecot-imapd dovecot-lmtpd")
        self.folder = open_folder("dovecot")
        self.imap, self.imaps, self.lmtp = free_port(), free_port(), free_port()
        self._capabilities = capabilities
        self._introspection = introspection
        self._process: subprocess.Popen[bytes] | None = None
        self._write_config()

    def _write_config(self) -> None:
        root = os.geteuid() == 0
        owner = pwd.getpwnam("nobody") if root else pwd.getpwuid(os.geteuid())
        (self.folder / "mail").mkdir(parents=True)
        (self.folder / "run").mkdir()
        make_certificate(self.folder)
        if self._introspection:
            (self.folder / "oauth2.conf").write_text(
                f"introspection_mode = post\nintrospection_url = {self._introspection}\n"
                "username_attribute = username\nactive_attribute = active\nactive_value = true\n"
            )
        me = getpass.getuser()
        text = _CONFIG.format(
            folder=self.folder,
            run=self.folder / "run",
            internal="dovecot" if root else me,
            login="dovenull" if root else me,
            group="dovecot" if root else grp.getgrgid(os.getegid()).gr_name,
            uid=owner.pw_uid,
            gid=owner.pw_gid,
            imap=self.imap,
            imaps=self.imaps,
            lmtp=self.lmtp,
            password=PASSWORD,
            oauth=_OAUTH.format(folder=self.folder) if self._introspection else "",
            imap_capability=f"protocol imap {{\n  imap_capability = {self._capabilities}\n}}" if self._capabilities else "",
        )
        (self.folder / "dovecot.conf").write_text(text)
        if root:
            shutil.chown(self.folder / "mail", owner.pw_uid, owner.pw_gid)

    def start(self) -> "Dovecot":
        self._process = subprocess.Popen(
            [self._program, "-F", "-c", str(self.folder / "dovecot.conf")], stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            wait_until(lambda: listens(self.imap) and listens(self.lmtp), 10)
        except TimeoutError:
            self.stop()
            log = self.folder / "dovecot.log"
            raise RuntimeError(log.read_text() if log.exists() else "no log") from None
        return self

    def stop(self) -> None:
        """Stop the server and everything it started."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
            self._process = None

    def __enter__(self) -> "Dovecot":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def deliver(self, raw: bytes, to: str = "judge@example.org", sender: str = "petr@example.com") -> None:
        """Hand one mail over by LMTP, as Postfix would."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as client:
            client.sendmail(sender, [to], raw)

    @property
    def maildir(self) -> Path:
        """The INBOX of the user judge."""
        return self.folder / "mail" / "judge"

    def trust(self) -> ssl.SSLContext:
        """A TLS context that trusts this server's certificate only."""
        return ssl.create_default_context(cafile=str(self.folder / "cert.pem"))

"""Mail servers that hand a burst of mails over: processes of their own, ready before the first mail is sent."""

import multiprocessing
import smtplib
import time
from collections.abc import Sequence

CLIENTS = 4
"""Connections over which a burst comes."""
Addressed = tuple[str, str, bytes]
"""Sender, recipient, and the mail."""


def hand_over(port: int, mails: Sequence[Addressed]) -> float:
    """Hand mails over by LMTP, on several connections at once: each is taken when this returns.  The wall clock when that began."""
    with multiprocessing.get_context("spawn").Pool(CLIENTS) as pool:
        pool.map(time.sleep, [0.5] * CLIENTS, chunksize=1)  # each is busy with one, so all are there
        began = time.time()
        pool.starmap(_hand_over, [(port, mails[start::CLIENTS]) for start in range(CLIENTS)], chunksize=1)
        return began


def _hand_over(port: int, mails: Sequence[Addressed]) -> None:
    with smtplib.LMTP("127.0.0.1", port) as client:
        for sender, to, raw in mails:
            client.sendmail(sender, [to], raw)

"""A mail server that takes every letter and keeps none, in a process of its own, so that little is measured but the judge."""

import asyncio
import multiprocessing
import time
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from types import TracebackType

GREETING = b"220 sink ESMTP\r\n"
REPLIES = {b"EHLO": b"250-sink\r\n250-PIPELINING\r\n250 SIZE\r\n", b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}
"""What is said to commands by their first word; 250 to all others."""
END = b"\r\n.\r\n"


class _Talk(asyncio.Protocol):
    """One connection: lines are answered, letters counted."""

    def __init__(self, count: "Synchronized[int]") -> None:
        self._count = count
        self._rest = b""
        self._in_letter = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(GREETING)

    def data_received(self, data: bytes) -> None:
        self._rest += data
        while self._step():
            pass

    def _step(self) -> bool:
        """One letter or one line, if it has come whole."""
        text, found, rest = self._rest.partition(END if self._in_letter else b"\r\n")
        if not found:
            return False
        self._rest = rest
        if self._in_letter:
            self._in_letter = False
            with self._count.get_lock():
                self._count.value += 1
            self._transport.write(b"250 taken\r\n")
            return True
        word = text[:4].upper()
        self._in_letter = word == b"DATA"
        self._transport.write(REPLIES.get(word, b"250 yes\r\n"))
        return True


def _serve(count: "Synchronized[int]", tell: Connection) -> None:
    """The process: says its port, then listens until it is ended."""

    async def listen() -> None:
        server = await asyncio.get_running_loop().create_server(lambda: _Talk(count), "127.0.0.1", 0, backlog=64)
        tell.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(listen())


class Sink:
    """The server; `port` is where it listens, `letters` how many it has taken."""

    def __init__(self) -> None:
        making = multiprocessing.get_context("spawn")
        self._count: Synchronized[int] = making.Value("q", 0)
        hear, tell = making.Pipe(duplex=False)
        self._process = making.Process(target=_serve, args=(self._count, tell), daemon=True)
        self._process.start()
        self.port = int(hear.recv())

    @property
    def letters(self) -> int:
        return self._count.value

    def await_letters(self, count: int, seconds: float) -> float:
        """Wait for so many letters; the wall clock when the last one was there.  Raises TimeoutError."""
        end = time.monotonic() + seconds
        while self.letters < count:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.letters} of {count} letters after {seconds:.0f} s")
            time.sleep(0.02)
        return time.time()

    def __enter__(self) -> "Sink":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self._process.terminate()
        self._process.join(5)

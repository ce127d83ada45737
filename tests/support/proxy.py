"""A TCP proxy on the loopback that refuses, stalls, cuts and falsifies, as a test wishes."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class FaultProxy:
    """Stands before a server; its faults may be changed while connections are open.

    `refusing` closes new connections at once, `stalled` passes nothing on any more, `cut_after` closes after so many
    octets from the server, `rewrite` changes what the server says.  After `forget` nothing passes on the connections that were
    open, and neither end hears of it: half-open, as when a router has lost them.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.refusing = False
        self.stalled = False
        self.cut_after: int | None = None
        self.rewrite: Callable[[bytes], bytes] | None = None
        self.connections = 0
        self._open: list[socket.socket] = []
        self._forgotten: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            if self.refusing:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.target), 5)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            with self._lock:
                self._open += [client, server]
            threading.Thread(target=self._pass_on, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(server, client, True), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, from_server: bool) -> None:
        passed = 0
        with suppress(OSError):
            while octets := source.recv(65536):
                if source in self._forgotten:
                    continue
                while self.stalled:
                    threading.Event().wait(0.02)
                    if source.fileno() < 0:
                        return
                if from_server and self.rewrite is not None:
                    octets = self.rewrite(octets)
                if from_server and self.cut_after is not None and passed + len(octets) >= self.cut_after:
                    sink.sendall(octets[: self.cut_after - passed])
                    break
                sink.sendall(octets)
                passed += len(octets)
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def say(self, octets: bytes) -> None:
        """Say something to every client, as if the server had said it."""
        with self._lock:
            for one in self._open[::2]:
                with suppress(OSError):
                    one.sendall(octets)

    def forget(self) -> None:
        """Swallow from now on what is said on the connections that are open."""
        with self._lock:
            self._forgotten.update(self._open)
            self._open.clear()

    def cut_all(self) -> None:
        """Close every open connection now."""
        with self._lock:
            for one in self._open:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            self._open.clear()

    def close(self) -> None:
        self.stalled = False
        self._listener.close()
        self.cut_all()

"""The server: the only place that knows cheroot."""

from __future__ import annotations

import errno
import logging
from pathlib import Path
from typing import Final

from cheroot.ssl.builtin import BuiltinSSLAdapter
from cheroot.wsgi import Server as CherootServer
from flask import Flask

from web.errors import StoreError
from web.routes.pairing import address_of
from web.site import EXTENSION, Site

__all__ = ["Server", "ServerError"]

_LOG: Final = logging.getLogger("tileref.server")
_MB: Final = 1_000_000


class ServerError(StoreError):
    """The server cannot listen."""


class _Cheroot(CherootServer):
    """The server, with its remarks in the log; a browser that went away is no news."""

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        """Write down what cheroot has to say."""
        _LOG.log(logging.WARNING if traceback else logging.DEBUG, "%s", msg.strip(), exc_info=traceback)


class Server:
    """Serves an app until it is stopped."""

    def __init__(self, app: Flask, host: str, port: int, certificate: tuple[Path, Path] | None = None) -> None:
        """Bind to ``host`` and ``port`` (0: any that is free); ServerError where that fails."""
        self._site: Site = app.extensions[EXTENSION]
        settings = self._site.config.settings
        self._server = _Cheroot(
            (host, port),
            app,
            numthreads=settings.threads,
            max=settings.threads,
            server_name="tileref",
            request_queue_size=64,
            timeout=20,
            shutdown_timeout=3,
            accepted_queue_size=settings.threads * 2,
            accepted_queue_timeout=5,
        )
        self._server.max_request_header_size = 64_000
        self._server.max_request_body_size = int(max(settings.recording_mb, settings.photo_mb) * _MB)
        if certificate is not None:
            self._server.ssl_adapter = BuiltinSSLAdapter(*map(str, certificate))
        try:
            self._server.prepare()
        except OSError as error:
            if error.errno == errno.EADDRINUSE or "in use" in str(error):
                raise ServerError("port-taken", port=port) from error
            raise ServerError("no-address", address=f"{host}:{port}", why=str(error)) from error

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.bind_addr[1])

    def invitation(self) -> list[str]:
        """Return what others in the local network need to come in, line by line."""
        here = self._site
        if not here.config.lan:
            return []
        referee = here.pairing.codes(0)[0]
        return [
            f"In the local network: {address_of(here, self.port)}/pair",
            f"The referee's code is {referee.code}; the others are on the page Phones.",
        ]

    def serve(self) -> None:
        """Answer until ``stop`` is called, or the main thread is interrupted."""
        try:
            self._server.serve()
        finally:
            self.stop()

    def stop(self) -> None:
        """End streams, answer what is being answered, and close; may be called twice, and from any thread."""
        if not self._site.stopping.is_set():
            self._site.end_streams()
            self._server.stop()
            self._site.close()

"""A browser as the server knows one: cookies, the token of its pages, actions, the stream of events."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from types import TracebackType
from typing import Any, Final

__all__ = ["Answer", "ServerEvent", "Visitor"]

_TOKEN: Final = re.compile(r'name="csrf" content="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server answered."""

    status: int
    """The HTTP status."""
    body: bytes
    """The body."""

    def json(self) -> Any:
        """The body as JSON; ValueError where it is none."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One server-sent event."""

    name: str
    """``state``, ``said`` or ``beat``."""
    data: bytes
    """What it carries, JSON."""
    number: int | None
    """Its id."""

    def json(self) -> Any:
        """What it carries."""
        return json.loads(self.data)


class Visitor:
    """One browser on this computer. Use it from one thread at a time, and close it."""

    def __init__(self, port: int, timeout_s: float = 60.0) -> None:
        """Take the port of the server; nothing is sent yet."""
        self._port, self._timeout_s = port, timeout_s
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)
        self._cookies: dict[str, str] = {}
        self._csrf: str | None = None

    def __enter__(self) -> Visitor:
        """Return the visitor."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Accept": "application/json", "Cookie": cookies} if cookies else {"Accept": "application/json"}

    def _ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        everything = {**self._headers(), **headers}
        try:
            self._connection.request(method, path, body, everything)
            response = self._connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            if method != "GET":
                raise
            # A connection that was kept open may have been closed by the server meanwhile.
            self._connection.close()
            self._connection.request(method, path, body, everything)
            response = self._connection.getresponse()
        for line in response.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(line).items():
                self._cookies[name] = morsel.value
        return Answer(response.status, response.read())

    def get(self, path: str) -> Answer:
        """Ask for a path."""
        return self._ask("GET", path)

    @property
    def token(self) -> str:
        """The token that every POST carries; RuntimeError where the server gives none."""
        if self._csrf is None:
            found = _TOKEN.search(self._ask("GET", "/pair", Accept="text/html").body.decode())
            if found is None:
                raise RuntimeError("the page /pair carries no token")
            self._csrf = found[1]
        return self._csrf

    def post(self, path: str, body: Any = None, kind: str = "application/json") -> Answer:
        """Post JSON, or bytes of another kind."""
        data = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        return self._ask("POST", path, data, **{"X-CSRF-Token": self.token, "Content-Type": kind})

    def do(self, action: str, **body: Any) -> dict[str, Any]:
        """Carry out an action; RuntimeError where it is refused."""
        answer = self.post(f"/do/{action}", body)
        if answer.status != 200:
            raise RuntimeError(f"{action}: {answer.status} {answer.body.decode(errors='replace')[:300]}")
        done: dict[str, Any] = answer.json()
        return done

    @contextmanager
    def opened(self, path: str, **headers: str) -> Iterator[http.client.HTTPResponse]:
        """Give a stream on a connection of its own; RuntimeError where it is refused."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._timeout_s)
        with closing(connection):
            connection.request("GET", path, headers={**self._headers(), **headers})
            with connection.getresponse() as response:
                if response.status != 200:
                    raise RuntimeError(f"{path}: {response.status}")
                yield response

    def events(self, last_id: int | None = None) -> Iterator[ServerEvent]:
        """Yield the events of the server as they come, from ``last_id`` on, until it ends the stream."""
        headers = {"Last-Event-ID": str(last_id)} if last_id is not None else {}
        with self.opened("/events", Accept="text/event-stream", **headers) as stream:
            fields: dict[str, bytes] = {}
            for line in stream:
                line = line.rstrip(b"\r\n")
                if line:
                    name, _, value = line.partition(b":")
                    fields[name.decode()] = value.removeprefix(b" ")
                elif "event" in fields:
                    number = int(fields["id"]) if "id" in fields else None
                    yield ServerEvent(fields["event"].decode(), fields.get("data", b""), number)
                    fields = {}
                else:
                    fields = {}

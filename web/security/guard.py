"""What happens to every request and every answer: name, role, token and size are checked, headers are set."""

from __future__ import annotations

import hmac
import secrets
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, g, request, session

from web.desk.who import Who
from web.errors import NotAllowed, TooLarge, WebError
from web.security.hosts import is_loopback
from web.site import site

__all__ = ["address", "csp_nonce", "csrf_token", "current_who", "init_guard", "most_taken", "need"]

_READ_ONLY: Final = ("GET", "HEAD", "OPTIONS")
_TOKEN: Final = "csrf"
_KB: Final = 1000
_MB: Final = 1_000_000


class _Misdirected(WebError):
    """The Host header names something else."""

    status = 421


def init_guard(app: Flask) -> None:
    """Check every request to ``app`` before it is handled, and set the headers of every answer."""
    app.before_request(_check)
    app.after_request(_headers)


def _check() -> None:
    here = site()
    if not here.hosts.allows(request.host):
        raise _Misdirected("wrong-host")
    request.max_content_length = _most_bytes()
    request.max_form_memory_size = int(here.config.settings.json_kb * _KB)
    length = request.content_length
    if length is not None and length > request.max_content_length:
        raise TooLarge("too-large", limit=most_taken())
    if request.method not in _READ_ONLY:
        _check_origin()
        _check_token()


def most_taken() -> str:
    """How long the body of this request may be, in words."""
    return f"{_most_bytes() / _MB:g} MB"


def _most_bytes() -> int:
    """How long the body of this request may be."""
    limits = site().config.settings
    by_endpoint = {
        "racks.photo": limits.photo_mb * _MB,
        "review.upload": limits.recording_mb * _MB,
        "pictures.camera_frame": 4 * _MB,
        "games.take_log": 8 * _MB,
    }
    return int(by_endpoint.get(request.endpoint or "", limits.json_kb * _KB))


def _check_origin() -> None:
    """Refuse what the browser itself says was sent from another site."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise NotAllowed("no-token")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.host.lower():
        raise NotAllowed("no-token")


def _check_token() -> None:
    expected = session.get(_TOKEN)
    given = request.headers.get("X-CSRF-Token") or request.form.get("csrf_token", "")
    if not isinstance(expected, str) or not hmac.compare_digest(
        expected.encode(), given.encode("utf-8", "replace")
    ):
        raise NotAllowed("no-token")


def csrf_token() -> str:
    """Return the token of this session, which every POST must carry."""
    if _TOKEN not in session:
        session[_TOKEN] = secrets.token_urlsafe(24)
        session.permanent = True
    return str(session[_TOKEN])


def csp_nonce() -> str:
    """Return the word without which an inline script of this answer is refused."""
    if "nonce" not in g:
        g.nonce = secrets.token_urlsafe(16)
    return str(g.nonce)


def address() -> str:
    """The address of whom asks."""
    return request.remote_addr or ""


def current_who() -> Who | None:
    """Return who asks: paired by cookie, or, at this computer itself, the referee; None for a stranger."""
    here = site()
    role, seat = session.get("role"), session.get("seat")
    if role in ("referee", "player", "spectator") and session.get("epoch") == here.pairing.epoch:
        return Who(role, seat if isinstance(seat, int) else None)
    if is_loopback(request.remote_addr) and not _forwarded():
        return Who("referee")
    return None


def _forwarded() -> bool:
    """True where a proxy on this computer passes on what someone else asks."""
    return any(name in request.headers for name in ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"))


def need(*roles: str) -> Who:
    """Return who asks, where that is one of ``roles``, anyone paired without them; else NotAllowed."""
    who = current_who()
    if who is None:
        raise NotAllowed("not-paired")
    if roles and who.role not in roles:
        raise NotAllowed("not-allowed")
    return who


def _headers(response: Response) -> Response:
    script = "'self'" + (f" 'nonce-{g.nonce}'" if "nonce" in g else "")
    response.headers["Content-Security-Policy"] = "; ".join(
        (
            "default-src 'none'",
            f"script-src {script}",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "media-src 'self' blob:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=(), payment=(), usb=()"
    if request.endpoint != "static" and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response

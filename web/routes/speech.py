"""The sentences of a request, in its language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import has_request_context

from web.desk.snapshot import snapshot
from web.desk.telling import Say, Teller
from web.desk.who import Who
from web.i18n import language, sentence_in
from web.security.guard import current_who
from web.site import site

__all__ = ["page_state", "say_in", "teller"]


def say_in(code: str) -> Say:
    """Return what makes sentences in the language ``code``; it needs no request."""

    def say(what: str, args: Mapping[str, str | int], tiles: str) -> str:
        return sentence_in(code, what, args, tiles)

    return say


def teller() -> Teller:
    """Return what tells things in the language of the request."""
    return Teller(say_in(language()))


def page_state() -> dict[str, Any] | None:
    """Return the snapshot for a page; None for a stranger."""
    who: Who | None = current_who() if has_request_context() else None
    if who is None:
        return None
    here = site()
    return snapshot(here.desk.view(), who, say_in(language()), here.config.now())

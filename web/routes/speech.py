"""The sentences of a request, in its language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import has_request_context

from web.desk.snapshot import snapshot
from web.desk.telling import Say, Teller
from web.desk.who import Who
from web.desk.words import ENGLISH_OF_DESK
from web.i18n import fill, language, templates_of
from web.security.guard import current_who
from web.site import site

__all__ = ["page_state", "say_in", "teller"]


def say_in(code: str) -> Say:
    """Return what makes sentences in the language ``code``; it needs no request."""
    templates = templates_of(code)

    def say(what: str, args: Mapping[str, str | int], tiles: str) -> str:
        template = templates.get(what) or ENGLISH_OF_DESK.get(what, what)
        return fill(template, {"tiles": tiles, **args}, code)

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

"""Four languages: which one a request is in, the sentences of the referee in it, and the texts of the scripts.

Texts of pages are gettext messages (``web/translations/LANGUAGE/LC_MESSAGES/messages.po``, compiled beside
it). What the referee and the program say goes by code: ``web/translations/sentences.LANGUAGE.json`` maps each
code to a template with ``{tiles}`` and other arguments by name. In a template ``{count|tile|tiles}`` chooses
the form of a word by ``count`` and the plural rule of the language; the number itself is ``{count}``. An
argument whose value has a template of its own, such as ``kind-group``, is said by that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from babel import Locale
from flask import Flask, has_request_context, request, session
from flask_babel import Babel, get_locale
from flask_babel import get_translations as _translations

from referee.texts import ENGLISH
from web.desk.words import ENGLISH_OF_DESK

__all__ = [
    "LANGUAGES",
    "direction",
    "fill",
    "init_i18n",
    "language",
    "sentence",
    "sentence_in",
    "templates_of",
    "text_catalogue",
]

LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {"en": "English", "ru": "Русский", "uk": "Українська", "he": "עברית"}
)
"""Every language by its code, under its own name."""

FOLDER: Final = Path(__file__).parent / "translations"

_FIELD: Final = re.compile(r"\{(\w+)((?:\|[^{}|]*)*)\}")

_FORMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"en": ("one", "other"), "ru": ("one", "few", "many"), "uk": ("one", "few", "many"), "he": ("one", "other")}
)
"""The plural forms of a language in the order in which translations list them."""


def init_i18n(app: Flask) -> Babel:
    """Give ``app`` its languages; ``app.config["LANGUAGE"]`` is the one for browsers that ask for none of them.

    The language is that of the session (key ``language``), else the browser's. Templates get ``language``,
    ``direction`` (``ltr`` or ``rtl``), ``languages``, ``theme``, ``mark`` and ``text_catalogue()``.
    """
    app.config.setdefault("LANGUAGE", "en")
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", str(FOLDER))
    babel = Babel(app, locale_selector=lambda: _wanted(app))
    app.context_processor(_context)
    return babel


def _wanted(app: Flask) -> str:
    """The language of the present request, else that of the program."""
    fallback = str(app.config["LANGUAGE"])
    if not has_request_context():
        return fallback
    chosen = session.get("language")
    if chosen in LANGUAGES:
        return str(chosen)
    offered = [fallback, *(code for code in LANGUAGES if code != fallback), "iw"]
    best = request.accept_languages.best_match(offered)
    return {"iw": "he", None: fallback}.get(best, best or fallback)


def _context() -> dict[str, Any]:
    return {
        "language": language(),
        "direction": direction(),
        "languages": LANGUAGES,
        "theme": _cookie("theme", ("light", "dark")),
        "mark": _cookie("mark", ("shape", "letter")) or "shape",
        "text_catalogue": text_catalogue,
    }


def _cookie(name: str, values: tuple[str, ...]) -> str:
    value = request.cookies.get(name, "") if has_request_context() else ""
    return value if value in values else ""


def language() -> str:
    """Return the code of the language in force: of the request, or of a forced locale."""
    locale = get_locale()
    return locale.language if locale is not None and locale.language in LANGUAGES else "en"


def direction() -> str:
    """Return the direction of writing, ``ltr`` or ``rtl``."""
    return Locale.parse(language()).text_direction


@lru_cache(maxsize=8)
def templates_of(code: str) -> Mapping[str, str]:
    """Return the templates of every code in the language ``code``; English where the translation lacks one."""
    english = {**ENGLISH, **ENGLISH_OF_DESK, **_read("en")}
    return MappingProxyType(english if code == "en" else {**english, **_read(code)})


@lru_cache(maxsize=8)
def _read(code: str) -> Mapping[str, str]:
    path = FOLDER / f"sentences.{code}.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def sentence(code: str, args: Mapping[str, str | int] | None = None, tiles_text: str = "") -> str:
    """Return what ``code`` says, in the language in force; a code that nobody knows is returned as it is."""
    return sentence_in(language(), code, args, tiles_text)


def sentence_in(
    language_code: str, code: str, args: Mapping[str, str | int] | None = None, tiles_text: str = ""
) -> str:
    """Return what ``code`` says in a language; a code that nobody knows is returned as it is.

    Some arguments are words of the referee, such as the kind of a set; they have sentences of their own. What
    the watching says comes as the code of a sentence (``notice``) beside English words (``why``).
    """
    templates = templates_of(language_code)
    if code not in templates:
        return code
    args = args or {}
    if f"notice-{args.get('notice')}" in templates:
        code = f"notice-{args['notice']}"
    said = {name: templates.get(f"{name}-{value}", value) for name, value in args.items()}
    return fill(templates[code], {"tiles": tiles_text, **said}, language_code)


def fill(template: str, args: Mapping[str, object], code: str) -> str:
    """Return ``template`` with its arguments; ``{n|form|forms}`` becomes the form that ``n`` takes in ``code``.

    An argument that is not given stays as it is written.
    """

    def put(found: re.Match[str]) -> str:
        name, forms = found[1], found[2]
        if name not in args:
            return found[0]
        return _form(args[name], forms[1:].split("|"), code) if forms else str(args[name])

    return _FIELD.sub(put, template)


def _form(value: object, forms: list[str], code: str) -> str:
    """The one of ``forms`` that goes with ``value``; a broken number takes the last form."""
    try:
        kind = Locale.parse(code).plural_form(float(str(value)))
    except ValueError:
        return forms[-1]
    names = _FORMS[code]
    place = names.index(kind) if kind in names else len(names) - 1
    return forms[min(place, len(forms) - 1)]


@lru_cache(maxsize=1)
def _script_messages() -> tuple[tuple[str, str], ...]:
    """The messages that scripts need, as (singular, plural or empty)."""
    listed = json.loads((FOLDER / "scripts.json").read_text(encoding="utf-8"))
    return tuple((one, many) for one, many in listed)


def text_catalogue() -> dict[str, Any]:
    """Return what scripts need to speak the language in force: plural forms, messages and sentences."""
    code = language()
    found = _translations()
    messages: dict[str, Any] = {}
    for one, many in _script_messages() if code != "en" else ():
        # Numbers that together meet every form of the four languages.
        forms = [found.ungettext(one, many, n) for n in (1, 2, 5)] if many else []
        messages[one] = forms[: len(_FORMS[code])] if many else found.ugettext(one)
    return {
        "language": code,
        "forms": list(_FORMS[code]),
        "messages": messages,
        "sentences": dict(templates_of(code)),
    }

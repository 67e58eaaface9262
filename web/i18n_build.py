"""Brings the translations up to date with pages and scripts, and compiles them: ``python -m web.i18n_build``.

For developers; its results are committed, and nothing of it runs at a user's.
"""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from web.i18n import FOLDER, LANGUAGES

__all__ = ["main", "read_catalogue", "script_messages", "source_catalogue"]

_METHODS: Final = [("templates/**.html", "jinja2"), ("static/js/**.js", "javascript"), ("**.py", "python")]
_KEYWORDS: Final = {"_": None, "gettext": None, "ngettext": (1, 2), "t": None, "tn": (1, 2), "N_": None}


def source_catalogue() -> Catalog:
    """Return every message of pages, scripts and code, in order, with the files where it occurs."""
    catalogue = Catalog(project="tileref", charset="utf-8", header_comment="# Texts of the tileref dashboard.")
    options = {"static/js/**.js": {"parse_template_string": True}}
    found = extract_from_dir(FOLDER.parent, _METHODS, options, keywords=_KEYWORDS, strip_comment_tags=True)
    for name, _line, message, comments, context in sorted(found, key=lambda row: (row[0], row[1])):
        if message:
            catalogue.add(
                message, locations=[(Path(name).as_posix(), 0)], auto_comments=comments, context=context
            )
    return catalogue


def script_messages() -> list[tuple[str, str]]:
    """Return the messages that scripts use, as (singular, plural or empty)."""
    rows: list[tuple[str, str]] = []
    for message in source_catalogue():
        if message.id and any(name.startswith("static/") for name, _ in message.locations):
            one, many = message.id if isinstance(message.id, tuple) else (message.id, "")
            rows.append((str(one), str(many)))
    return sorted(rows)


def _place(code: str) -> Path:
    return FOLDER / code / "LC_MESSAGES" / "messages.po"


def read_catalogue(code: str) -> Catalog:
    """Return the translations into the language ``code``."""
    with _place(code).open("rb") as file:
        return read_po(file, locale=code)


def _compiled(code: str) -> bytes:
    """What the compiled file of the language ``code`` has to hold; the same whenever it is made."""
    catalogue = read_catalogue(code)
    catalogue.creation_date = catalogue.revision_date = datetime(2000, 1, 1, tzinfo=UTC)
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def main() -> None:
    """Update, compile, and say what is missing."""
    source = source_catalogue()
    (FOLDER / "scripts.json").write_text(
        json.dumps(script_messages(), ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )
    for code in LANGUAGES:
        if code == "en":
            continue
        place = _place(code)
        place.parent.mkdir(parents=True, exist_ok=True)
        catalogue = read_catalogue(code) if place.exists() else Catalog(locale=code, header_comment="#")
        catalogue.update(source, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        catalogue.fuzzy = False
        catalogue.header_comment = (
            "# The texts of tileref's pages. Made by python -m web.i18n_build; translate here."
        )
        catalogue.project, catalogue.version = "tileref", ""
        out = io.BytesIO()
        write_po(out, catalogue, width=112, omit_header=False)
        # Dates would change with every run.
        lines = re.sub(
            rb'(?m)^"(POT-Creation-Date|PO-Revision-Date|Generated-By|Report-Msgid|Last-T|Language-Team).*\n',
            b"",
            out.getvalue(),
        )
        place.write_bytes(lines)
        place.with_suffix(".mo").write_bytes(_compiled(code))
        missing = [message.id for message in catalogue if message.id and not message.string]
        missing += [
            message.id for message in catalogue if isinstance(message.string, tuple) and not all(message.string)
        ]
        print(f"{code}: {len(catalogue)} messages, {len(missing)} missing")


if __name__ == "__main__":
    main()

"""List every setting with its value in force, its unit and range."""

from __future__ import annotations

import argparse

from tileref.session import Session
from tileref.settings import settings_markdown, settings_table
from tileref.status import Status
from vision.settings import TextSetting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--markdown", action="store_true", help="print docs/settings.md instead")


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Print the table."""
    if arguments.markdown:
        print(settings_markdown(), end="")
        return Status.FINE
    for full_name, row in settings_table().items():
        room, name = full_name.split(".")
        value = getattr(getattr(session.settings, room), name)
        if isinstance(row, TextSetting):
            print(f"{full_name} = {value!r}  ({row.unit}, default {row.default!r})")
        else:
            bounds = f"{row.low:g} to {row.high:g}, default {row.default:g}"
            print(f"{full_name} = {value:g}  ({row.unit}, {bounds})")
        print(f"    {row.help}")
    return Status.FINE

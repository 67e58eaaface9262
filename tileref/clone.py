"""Where the program lies: in a clone of the repository, or where it was installed without one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["ROOT"]

ROOT: Final = Path(__file__).resolve().parents[1]
"""The clone's folder; of a program that was installed without one, the folder of its packages."""

"""What of the reading can be set: one record a setting, with its default, unit, range and help.

The fields of ``ReadSettings`` are that table; ``rows`` gives it as records, for documentation and for reading
files, the environment and the command line.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from referee.editions import Faces

__all__ = ["ReadSettings", "Setting", "SettingsOfRoom", "TextSetting", "rows", "setting", "text_setting"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, as a record."""

    name: str
    """Name within its room, such as ``tile_bar``."""
    default: float | int
    """The value without any wish; an int where only whole numbers make sense."""
    unit: str
    """What the number counts."""
    low: float
    """Least value allowed."""
    high: float
    """Greatest value allowed."""
    help: str
    """One sentence for the user."""

    def check(self, value: Any) -> float | int:
        """Return the value in the setting's own type; ValueError says what is allowed."""
        if isinstance(value, bool):
            raise ValueError(f"{self.name} must be a number, not {str(value).lower()}")
        try:
            value = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name} must be a number, not {value!r}") from None
        whole = isinstance(self.default, int)
        if whole and value % 1 != 0:  # also true of NaN and infinity
            raise ValueError(f"{self.name} must be a whole number, not {value:g}")
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.name} must lie between {self.low:g} and {self.high:g}, not {value:g}")
        return int(value) if whole else float(value)


@dataclass(frozen=True, slots=True)
class TextSetting:
    """A setting that is a text, as a record."""

    name: str
    """Name within its room."""
    default: str
    """The value without any wish."""
    unit: str
    """What the text is."""
    longest: int
    """Most characters allowed."""
    help: str
    """One sentence for the user."""

    def check(self, value: Any) -> str:
        """Return the text; ValueError says what is allowed."""
        if not isinstance(value, str):
            raise ValueError(f"{self.name} must be a text, not {value!r}")
        if len(value) > self.longest or not all(letter.isprintable() for letter in value):
            raise ValueError(f"{self.name} must be one line of at most {self.longest} characters")
        return value


def setting(default: float | int, *, unit: str, low: float, high: float, help: str) -> Any:
    """Declare one setting as a dataclass field, which is its record."""
    return field(default=default, metadata={"unit": unit, "low": low, "high": high, "help": help})


def text_setting(default: str, *, unit: str, longest: int, help: str) -> Any:
    """Declare one setting that is a text, as a dataclass field."""
    return field(default=default, metadata={"unit": unit, "longest": longest, "help": help})


def rows(room: type) -> tuple[Setting | TextSetting, ...]:
    """Return the records of a settings dataclass, in the order in which they are declared."""
    records: list[Any] = list(fields(room))
    return tuple(
        (TextSetting if isinstance(record.default, str) else Setting)(
            record.name, record.default, **record.metadata
        )
        for record in records
    )


class SettingsOfRoom:
    """The base of every room's settings: a frozen dataclass whose fields :func:`setting` declares."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Check every value against its record; ValueError where one is out of its range."""
        for row in rows(type(self)):
            object.__setattr__(self, row.name, row.check(getattr(self, row.name)))


@dataclass(frozen=True, slots=True)
class ReadSettings(SettingsOfRoom):
    """How a photograph is read. ValueError where a value is out of its range."""

    tile_bar: float = setting(
        0.9,
        unit="probability",
        low=0.5,
        high=1.0,
        help="A tile whose best reading is less probable than this is a doubt.",
    )
    unreadable_bar: float = setting(
        0.1,
        unit="probability",
        low=0.0,
        high=0.5,
        help="A face whose best reading is less probable than this has no reading at all.",
    )
    alternative_bar: float = setting(
        0.01,
        unit="probability",
        low=0.0,
        high=0.5,
        help="Readings of a doubtful tile that are less probable than this are not considered in a verdict.",
    )
    second_look_bar: float = setting(
        0.98,
        unit="probability",
        low=0.0,
        high=1.0,
        help="A tile read less surely than this is cut out again, larger, and read once more.",
    )
    find_score: float = setting(
        0.2,
        unit="probability",
        low=0.01,
        high=0.99,
        help="What the finder scores less than this is not taken for a tile.",
    )
    bare_find_score: float = setting(
        0.5,
        unit="probability",
        low=0.01,
        high=0.99,
        help="A find without a clear reading counts as a tile only from this score on.",
    )
    find_size_px: int = setting(
        640,
        unit="pixels",
        low=320,
        high=2560,
        help="The longer side to which a picture is brought for the first search.",
    )
    max_megapixels: float = setting(
        60.0,
        unit="million pixels",
        low=0.1,
        high=500.0,
        help="Larger pictures are refused before they are decoded.",
    )
    threads: int = setting(
        0,
        unit="threads",
        low=0,
        high=256,
        help="How many processor threads the networks may use; 0 means as many as there are cores.",
    )
    tile_set: str = text_setting(
        "",
        unit="name or file",
        longest=500,
        help="The tile set on the table, as 'tileref learn' named it, or its file; empty for any set.",
    )

    def for_faces(self, faces: Faces) -> ReadSettings:
        """Return these, with the profile of card faces where the tiles have them and no tile set is named."""
        return replace(self, tile_set="cards") if faces == "cards" and not self.tile_set else self

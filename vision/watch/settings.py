"""What of the watching can be set: one record a setting, as in :mod:`vision.settings`."""

from __future__ import annotations

from dataclasses import dataclass

from vision.settings import SettingsOfRoom, setting

__all__ = ["WatchSettings"]


@dataclass(frozen=True, slots=True)
class WatchSettings(SettingsOfRoom):
    """How a game is watched. ValueError where a value is out of its range."""

    motion_lag_s: float = setting(
        0.2,
        unit="seconds",
        low=0.05,
        high=1.0,
        help="Each picture is compared with the one from this long before.",
    )
    slow_motion_s: float = setting(
        1.5,
        unit="seconds",
        low=0.5,
        high=10.0,
        help="What moves too slowly to be seen from picture to picture is looked for over this time.",
    )
    motion_share: float = setting(
        0.0015,
        unit="share of the area",
        low=0.0,
        high=0.2,
        help="Something moves where more than this share of the table's area has changed.",
    )
    motion_contrast: float = setting(
        2.2,
        unit="grey levels",
        low=0.5,
        high=30.0,
        help="Changes of the picture weaker than this are never taken for motion.",
    )
    light_step: float = setting(
        0.03,
        unit="share of the brightness",
        low=0.005,
        high=0.5,
        help="Light counts as changing where a smooth part of the picture gets brighter or darker by more.",
    )
    dark_luma: float = setting(
        30.0,
        unit="grey levels",
        low=0.0,
        high=128.0,
        help="The table is too dark where even its brighter parts are darker than this.",
    )
    same_place: float = setting(
        0.15,
        unit="tile widths",
        low=0.02,
        high=1.0,
        help="The camera counts as unmoved where the picture has shifted by less than this.",
    )
    moved_place: float = setting(
        1.0,
        unit="tile widths",
        low=0.1,
        high=10.0,
        help="The camera counts as bumped or turned where the picture has shifted by more than this.",
    )
    occluder_tiles: float = setting(
        1.3,
        unit="tile areas",
        low=0.3,
        high=20.0,
        help="What lies on the table and is neither ground nor tile counts as in the way from this size on.",
    )
    covered_share: float = setting(
        0.35,
        unit="share of the tile",
        low=0.05,
        high=1.0,
        help="A missing tile counts as covered where something hides more than this share of its place.",
    )
    bare_share: float = setting(
        0.7,
        unit="share of the tile",
        low=0.3,
        high=1.0,
        help="A missing tile counts as gone where the ground shows on more than this share of its place.",
    )

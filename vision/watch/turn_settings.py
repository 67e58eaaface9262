"""What of following turns can be set: one record a setting, as in :mod:`vision.settings`."""

from __future__ import annotations

from dataclasses import dataclass

from vision.settings import SettingsOfRoom, setting

__all__ = ["TurnSettings"]


@dataclass(frozen=True, slots=True)
class TurnSettings(SettingsOfRoom):
    """How turns are followed. ValueError where a value is out of its range."""

    settle_s: float = setting(
        1.7,
        unit="seconds",
        low=0.5,
        high=60.0,
        help="A turn ends by itself when a legal table is clear and still for so long.",
    )
    pause_s: float = setting(
        3.0,
        unit="seconds",
        low=0.5,
        high=60.0,
        help="Where it is known from which side each player reaches in, a legal table waits for so long, "
        "or until the next player's hands come.",
    )
    foul_settle_s: float = setting(
        3.0,
        unit="seconds",
        low=0.5,
        high=120.0,
        help="A table that is not legal counts as left so when it is clear and still for so long.",
    )
    button_grace_s: float = setting(
        2.5,
        unit="seconds",
        low=0.0,
        high=20.0,
        help="After the button, hands have so long to leave the table before it is judged all the same.",
    )
    covered_grace_s: float = setting(
        5.0,
        unit="seconds",
        low=0.0,
        high=20.0,
        help="The same where nothing new, or nothing legal, is seen beside hands that rest: the rest may lie "
        "under them.",
    )
    button_after_s: float = setting(
        4.0,
        unit="seconds",
        low=0.0,
        high=20.0,
        help="A button pressed this soon after a turn ended by itself means that same end.",
    )
    time_out_grace_s: float = setting(
        3.0,
        unit="seconds",
        low=0.0,
        high=20.0,
        help="When the time runs out, a moving table has so long to come to rest before it is judged.",
    )
    first_look_s: float = setting(
        0.3,
        unit="seconds",
        low=0.0,
        high=5.0,
        help="The table is read when it has been still for so long.",
    )
    look_apart_s: float = setting(
        0.4,
        unit="seconds",
        low=0.05,
        high=10.0,
        help="Further looks at a still table come so far apart.",
    )
    looks: int = setting(
        2,
        unit="looks",
        low=1,
        high=20,
        help="So many looks come before a legal turn ends.",
    )
    looks_in_doubt: int = setting(
        4,
        unit="looks",
        low=1,
        high=50,
        help="So many looks come before anyone is accused or asked.",
    )

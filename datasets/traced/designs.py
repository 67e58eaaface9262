"""Sixteen tile designs in two families that share no font and no joker. Lengths are mm, colours sRGB bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

__all__ = ["FAMILIES", "RGB", "Design"]

RGB = tuple[int, int, int]


def _inks(red: RGB, blue: RGB, black: RGB, orange: RGB) -> Mapping[str, RGB]:
    """The four inks by the letter of the notation; the fourth may be orange, yellow or green."""
    return MappingProxyType({"R": red, "B": blue, "K": black, "O": orange})


@dataclass(frozen=True)
class Design:
    """One make of tile. Colours are sRGB bytes."""

    name: str
    width: float
    height: float
    thick: float
    body: RGB
    font: str
    inks: Mapping[str, RGB]
    joker: str
    """``smile``, ``jester``, ``star``, ``word``, ``column`` or an emoji."""
    back: RGB | None = None
    """Colour of the lower layer; None where the tile is of one piece."""
    layer: float = 0.45
    """Share of the thickness that the lower layer has."""
    corner: float = 2.5
    bevel: float = 0.8
    grain: str = "plain"
    """``plain``, ``wood``, ``bamboo``, ``bakelite`` or ``speckle``."""
    size: float = 0.36
    """Height of the numerals as a share of the tile's."""
    centre: float = 0.40
    """How far down the numerals' middle lies, as a share of the tile's height."""
    relief: float = -0.25
    """Depth of the numerals: below 0 engraved, 0 printed."""
    rough: float = 0.35
    ink_rough: float = 0.2
    mark: str = "none"
    """``none``, ``dot``, ``ring``, ``circle``, ``dish``, ``logo``, ``diamond``, ``bar`` or ``frame``."""
    mark_inked: bool = True
    underline: bool = False
    """Whether 6 and 9 are underlined."""
    joker_inks: tuple[str, ...] = ("R", "K")
    wear: float = 0.3
    """0 (new) to 1: scratches, grime and how much tiles differ in tint."""


SEEN: Final = (
    Design(
        "classic-ivory",
        27,
        38,
        5.2,
        (240, 232, 208),
        "nunito-900",
        _inks((206, 30, 48), (20, 92, 186), (24, 24, 26), (244, 132, 24)),
        "smile",
        mark="dish",
        relief=-0.2,
    ),
    Design(
        "large-white",
        29,
        39,
        8,
        (244, 244, 240),
        "oswald-700",
        _inks((214, 22, 34), (10, 70, 170), (16, 16, 18), (240, 150, 10)),
        "word",
        size=0.5,
        centre=0.47,
        relief=0.0,
        rough=0.2,
        corner=3.5,
        bevel=1.2,
        underline=True,
    ),
    Design(
        "ring-cream",
        26,
        37,
        6,
        (246, 236, 204),
        "poppins-700",
        _inks((196, 24, 40), (28, 80, 160), (30, 28, 28), (236, 176, 14)),
        "star",
        mark="ring",
        relief=-0.35,
        size=0.32,
        centre=0.36,
    ),
    Design(
        "bamboo",
        26,
        38,
        7,
        (222, 184, 126),
        "bree-serif-400",
        _inks((178, 26, 26), (24, 62, 140), (26, 20, 16), (224, 104, 8)),
        "\U0001f921",
        grain="bamboo",
        relief=-0.3,
        rough=0.5,
        ink_rough=0.45,
        mark="dot",
        size=0.34,
        bevel=0.5,
        corner=1.5,
    ),
    Design(
        "travel-blue",
        26,
        36,
        4,
        (246, 246, 244),
        "quicksand-700",
        _inks((222, 34, 44), (22, 110, 200), (20, 20, 24), (246, 140, 30)),
        "\U0001f438",
        back=(28, 70, 150),
        mark="circle",
        relief=-0.1,
        size=0.33,
        centre=0.38,
        bevel=0.5,
    ),
    Design(
        "night",
        27,
        38,
        7,
        (28, 28, 31),
        "fredoka-700",
        _inks((255, 62, 62), (62, 164, 255), (245, 245, 242), (255, 176, 28)),
        "\U0001f409",
        mark="dot",
        relief=-0.2,
        rough=0.3,
        size=0.38,
        wear=0.5,
    ),
    Design(
        "old-bakelite",
        26,
        37,
        10,
        (224, 190, 118),
        "libre-baskerville-700",
        _inks((160, 26, 22), (26, 48, 120), (30, 22, 18), (28, 112, 52)),
        "\U0001f451",
        grain="bakelite",
        relief=-0.4,
        rough=0.25,
        wear=0.9,
        corner=2,
        underline=True,
        size=0.33,
    ),
    Design(
        "green-back",
        28,
        39,
        9,
        (238, 230, 210),
        "josefin-sans-700",
        _inks((200, 20, 30), (16, 84, 176), (22, 22, 22), (238, 120, 12)),
        "\U0001f431",
        back=(20, 110, 70),
        mark="diamond",
        size=0.35,
        centre=0.38,
        corner=3.2,
        bevel=1.1,
    ),
)

UNSEEN: Final = (
    Design(
        "ivory-logo",
        27,
        38,
        5.6,
        (236, 226, 198),
        "rubik-700",
        _inks((198, 36, 42), (30, 76, 170), (34, 32, 34), (236, 118, 34)),
        "jester",
        mark="logo",
        relief=-0.25,
        size=0.34,
        centre=0.37,
    ),
    Design(
        "giant",
        30,
        40,
        9,
        (250, 248, 242),
        "m-plus-rounded-1c-900",
        _inks((226, 14, 40), (0, 88, 190), (12, 12, 14), (250, 160, 0)),
        "column",
        size=0.52,
        centre=0.46,
        relief=0.0,
        corner=4,
        bevel=1.4,
        rough=0.22,
        mark="bar",
    ),
    Design(
        "beech",
        26,
        37,
        8,
        (206, 160, 112),
        "baloo-2-800",
        _inks((190, 30, 24), (20, 70, 150), (28, 24, 22), (20, 118, 58)),
        "\U0001f3a9",
        grain="wood",
        relief=-0.35,
        rough=0.45,
        ink_rough=0.4,
        bevel=0.6,
        corner=2,
        size=0.36,
    ),
    Design(
        "midnight",
        26,
        38,
        6,
        (22, 25, 34),
        "montserrat-800",
        _inks((255, 84, 74), (88, 182, 255), (250, 248, 240), (255, 214, 50)),
        "\U0001f98a",
        mark="ring",
        relief=-0.15,
        rough=0.22,
        size=0.33,
        centre=0.36,
        wear=0.5,
    ),
    Design(
        "travel-red",
        26,
        36,
        4,
        (244, 238, 222),
        "dosis-800",
        _inks((210, 40, 36), (14, 100, 180), (26, 24, 24), (240, 150, 20)),
        "\U0001f3ad",
        back=(170, 30, 36),
        mark="circle",
        mark_inked=False,
        relief=-0.12,
        bevel=0.5,
        size=0.36,
    ),
    Design(
        "yellowed",
        27,
        37,
        11,
        (232, 206, 146),
        "playfair-display-800",
        _inks((172, 30, 30), (34, 54, 128), (34, 28, 24), (206, 110, 20)),
        "\U0001f435",
        grain="bakelite",
        relief=-0.45,
        rough=0.3,
        wear=1.0,
        corner=2.5,
        mark="dot",
        size=0.32,
        centre=0.37,
    ),
    Design(
        "blue-back",
        29,
        39,
        12,
        (248, 248, 246),
        "varela-round-400",
        _inks((216, 26, 36), (18, 90, 188), (18, 18, 20), (242, 130, 20)),
        "\U0001f31e",
        back=(60, 130, 200),
        mark="frame",
        mark_inked=False,
        relief=-0.3,
        corner=3.6,
        bevel=1.3,
        size=0.37,
        centre=0.42,
        underline=True,
    ),
    Design(
        "stone",
        26,
        38,
        7,
        (206, 204, 200),
        "alfa-slab-one-400",
        _inks((186, 22, 34), (22, 66, 156), (22, 22, 24), (20, 120, 60)),
        "\U0001f981",
        grain="speckle",
        relief=-0.3,
        mark="diamond",
        size=0.31,
        centre=0.38,
    ),
)

FAMILIES: Final = MappingProxyType({"seen": SEEN, "unseen": UNSEEN})
"""The families by the word that the command takes."""

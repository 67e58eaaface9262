"""Faces of other games' pieces: dominoes, dice, playing cards, mahjong, letters, number puzzles, shapes."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.negatives_sheet import BRIGHT, Look, Pens, Sheet, Tone

__all__ = [
    "chip", "colour_card", "die", "domino", "letter", "mahjong_characters", "mahjong_signs", "number_domino",
    "playing_card", "puzzle_piece", "shape_tile",
]  # fmt: skip

_PIPS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, 0)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -1), (0, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -1), (0, 1), (0, 0)),
)
_WHITE: Tone = (246, 246, 244)
_PIP_INKS = (*BRIGHT, (60, 160, 210), (150, 90, 40))


def _pips(sheet: Sheet, count: int, x: float, y: float, span: float, r: float, ink: Tone) -> None:
    for dx, dy in _PIPS[count]:
        sheet.disc(x + dx * span, y + dy * span, r, ink)


def domino(pens: Pens, *, dark: bool) -> Look:
    """A domino with pips, a colour a number on some sets; 1:2."""
    rng, like = pens.rng, pens.common()
    base = like.pick((22, 22, 24), (96, 20, 28), (16, 60, 40), (60, 34, 20)) if dark else like.pale()
    sheet = Sheet(120, 240, base)
    most, coloured = like.pick(6, 6, 9), like.rng.random() < 0.5
    one: Tone = _WHITE if dark else like.ink(0.8)
    r = float(like.rng.uniform(8, 13))
    for half in (0, 1):
        count = int(rng.integers(0, most + 1))
        ink = _PIP_INKS[(count - 1) % len(_PIP_INKS)] if coloured and not dark else one
        _pips(sheet, count, 60, 60 + 120 * half, 31, r, ink)
    sheet.line(12, 120, 108, 120, one if dark else (120, 116, 108), 3)
    if like.rng.random() < 0.4:
        sheet.disc(60, 120, 8, (196, 160, 80))
    return sheet.look()


def number_domino(pens: Pens) -> Look:
    """A domino with figures in the colour of their number instead of pips; 1:2."""
    rng, like = pens.rng, pens.common()
    sheet, font = Sheet(120, 240, like.pale()), like.figures()
    for half in (0, 1):
        number = int(rng.integers(0, 16))
        sheet.write(str(number), 60, 60 + 120 * half, 56, _PIP_INKS[number % len(_PIP_INKS)], font)
    sheet.line(12, 120, 108, 120, (120, 116, 108), 3)
    return sheet.look()


def die(pens: Pens, value: int, base: Tone, ink: Tone, *, figures: bool) -> Look:
    """A face of a die, with pips or a figure."""
    sheet = Sheet(80, 80, base)
    if figures:
        sheet.write(str(value), 40, 40, 40, ink, pens.common().figures())
    else:
        _pips(sheet, value, 40, 40, 21, 7.5, ink)
    return sheet.look()


def _suit(sheet: Sheet, suit: int, x: float, y: float, r: float, ink: Tone, down: bool = False) -> None:
    """Draw hearts, diamonds, spades or clubs (0..3), ``r`` half as high."""
    s = -1.0 if down else 1.0
    if suit == 1:
        sheet.polygon([(x, y - r), (x + 0.75 * r, y), (x, y + r), (x - 0.75 * r, y)], ink)
        return
    if suit == 3:
        for dx, dy in ((0, -0.45), (-0.45, 0.2), (0.45, 0.2)):
            sheet.disc(x + dx * r, y + s * dy * r, 0.44 * r, ink)
    else:
        f = s if suit == 0 else -s
        for dx in (-0.4, 0.4):
            sheet.disc(x + dx * r, y - f * 0.3 * r, 0.46 * r, ink)
        sheet.polygon([(x - 0.84 * r, y - f * 0.1 * r), (x + 0.84 * r, y - f * 0.1 * r), (x, y + f * r)], ink)
    if suit >= 2:
        sheet.polygon([(x, y), (x - 0.3 * r, y + s * r), (x + 0.3 * r, y + s * r)], ink)


_COLUMNS: dict[int, tuple[tuple[float, ...], tuple[float, ...]]] = {
    # Heights in the outer columns, heights in the middle one.
    1: ((), (0,)), 2: ((), (-1, 1)), 3: ((), (-1, 0, 1)), 4: ((-1, 1), ()), 5: ((-1, 1), (0,)),
    6: ((-1, 0, 1), ()), 7: ((-1, 0, 1), (-0.5,)), 8: ((-1, 0, 1), (-0.5, 0.5)),
    9: ((-1, -0.33, 0.33, 1), (0,)), 10: ((-1, -0.33, 0.33, 1), (-0.67, 0.67)),
}  # fmt: skip


def playing_card(pens: Pens, *, jumbo: bool) -> Look:
    """A playing card: indices in two corners and pips or a figure; ``jumbo`` has one huge index; or a back."""
    rng, like = pens.rng, pens.common()
    sheet = Sheet(200, 280, (250, 250, 247))
    tone, font, four = like.ink(0.1), like.figures(), like.rng.random() < 0.25
    if rng.random() < 0.12:
        sheet.box(12, 12, 188, 268, tone)
        step = int(like.rng.integers(10, 22))
        for k in range(-280, 220, step):
            sheet.line(k, 268, k + 256, 12, (236, 236, 236), 1)
            sheet.line(k, 12, k + 256, 268, (236, 236, 236), 1)
        sheet.rgb[:, :12] = sheet.rgb[:, 188:] = 248
        return sheet.look()
    suit, rank = int(rng.integers(4)), int(rng.integers(1, 14))
    ink: Tone = ((206, 24, 34), (206, 24, 34), (22, 22, 26), (22, 22, 26))[suit]
    if four:
        ink = ((206, 24, 34), (30, 80, 180), (22, 22, 26), (30, 130, 60))[suit]
    name = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))
    if jumbo:
        sheet.write(name, 100, 92, 110, ink, font)
        _suit(sheet, suit, 100, 212, 46, ink)
        sheet.cell(20, 10, 180, 170)
        return sheet.look()
    high = float(like.rng.uniform(24, 36))
    for turned in (False, True):
        if turned:
            sheet.rgb = np.ascontiguousarray(sheet.rgb[::-1, ::-1])
        sheet.write(name, 25, 14 + high / 2, high, ink, font)
        _suit(sheet, suit, 25, 26 + 1.6 * high, 0.55 * high, ink)
    sheet.cell(4, 6, 48, 30 + 2.2 * high)
    if rank > 10:
        sheet.box(48, 34, 152, 246, (60, 60, 90), 2)
        for k in range(9):
            spot = rng.uniform((60, 46), (140, 140))
            robe: Tone = ((204, 30, 40), (240, 196, 40), (30, 60, 150), (20, 20, 24))[k % 4]
            sheet.disc(spot[0], spot[1], float(rng.uniform(6, 22)), robe)
        sheet.disc(100, 78, 21, (240, 206, 176))
        sheet.rgb[141:248, 48:153] = sheet.rgb[140:33:-1, 152:47:-1]
        return sheet.look()
    outer, middle = _COLUMNS[rank]
    r = 46.0 if rank == 1 else 19.0
    for y in outer:
        for x in (64, 136):
            _suit(sheet, suit, x, 140 + 88 * y, r, ink, y > 0.1)
    for y in middle:
        _suit(sheet, suit, 100, 140 + 88 * y, r, ink, y > 0.1)
    return sheet.look()


def colour_card(pens: Pens, *, framed: bool) -> Look:
    """A card of one colour with a large figure, in a slanted oval or (``framed``) a plain frame."""
    rng, font = pens.rng, pens.common().figures()
    tone: Tone = pens.pick((214, 40, 44), (36, 90, 190), (240, 190, 30), (50, 150, 70), (30, 30, 34))
    text = str(int(rng.integers(0, 10 if not framed else 13)))
    sheet = Sheet(180, 280, _WHITE)
    sheet.box(10, 10, 170, 270, tone, radius=12)
    if framed:
        sheet.box(28, 56, 152, 224, _WHITE, radius=20)
        sheet.write(text, 90, 140, 92, tone, font)
    else:
        cv2.ellipse(sheet.rgb, (90, 140), (62, 112), 28, 0, 360, _WHITE, -1, cv2.LINE_AA)
        sheet.write(text, 90, 140, 86, tone, font)
    sheet.write(text, 30, 34, 24, _WHITE, font)
    sheet.write(text, 150, 246, 24, _WHITE, font)
    sheet.cell(30, 60, 150, 220)
    return sheet.look()


def letter(pens: Pens, base: Tone, ink: Tone, *, value: bool) -> Look:
    """A letter tile, square."""
    rng, font = pens.rng, pens.common().words()
    sheet = Sheet(96, 96, base)
    sheet.write(chr(65 + int(rng.integers(26))), 44 if value else 48, 46, 48, ink, font)
    if value:
        sheet.write(pens.number(1, 10), 80, 80, 15, ink, font)
    return sheet.look()


def mahjong_signs(pens: Pens) -> Look:
    """A mahjong tile of the circles or the bamboos."""
    rng = pens.rng
    sheet = Sheet(150, 200, (246, 242, 230))
    count = int(rng.integers(1, 10))
    columns = 1 if count == 1 else 2 if count in (2, 4) else 3 if count not in (6, 8) else 2
    rows = int(np.ceil(count / columns))
    circles = rng.random() < 0.5
    for k in range(count):
        row, column = divmod(k, columns)
        here = min(columns, count - row * columns)
        x = 75 + (column - (here - 1) / 2) * 42
        y = 100 + (row - (rows - 1) / 2) * min(170 / rows, 60)
        ink: Tone = ((30, 60, 150), (190, 30, 36), (20, 110, 60))[k % 3]
        if circles:
            r = 40.0 if count == 1 else min(70 / rows, 20)
            sheet.disc(x, y, r, ink)
            sheet.disc(x, y, 0.72 * r, (246, 242, 230))
            sheet.disc(x, y, 0.45 * r, ((190, 30, 36), (30, 60, 150))[k % 2])
        else:
            tall = min(72 / rows, 40)
            sheet.box(x - 6, y - tall, x + 6, y + tall, (20, 120, 60) if k % 3 else ink, radius=6)
            sheet.line(x - 6, y, x + 6, y, (246, 242, 230), 3)
    return sheet.look()


def mahjong_characters(pens: Pens) -> Look:
    """A mahjong tile with brush strokes, a small figure in the corner as on sets for the West."""
    rng = pens.rng
    sheet = Sheet(150, 200, (247, 244, 236))
    for top, ink in ((58, (24, 40, 110)), (140, (190, 26, 34))):
        for _ in range(int(rng.integers(2, 4))):
            y = top + rng.uniform(-30, 30)
            sheet.line(75 - rng.uniform(18, 42), y, 75 + rng.uniform(18, 42), y + rng.normal(0, 5), ink, 8)
        for _ in range(int(rng.integers(1, 4))):
            x = 75 + rng.uniform(-30, 30)
            sheet.line(x, top - 28, x + rng.normal(0, 14), top + 32, ink, 7)
    if rng.random() < 0.6:
        sheet.write(pens.number(1, 9), 22, 26, 20, (190, 26, 34), pens.figures())
    return sheet.look()


def puzzle_piece(pens: Pens, number: int, base: Tone, ink: Tone) -> Look:
    """A square of a sliding number puzzle."""
    sheet = Sheet(96, 96, base)
    sheet.write(str(number), 48, 48, 46, ink, pens.common().figures())
    return sheet.look()


def shape_tile(pens: Pens) -> Look:
    """A dark tile with one bright shape."""
    rng = pens.rng
    sheet = Sheet(110, 110, pens.common().pick((24, 24, 26), (40, 34, 32)))
    ink = pens.pick(
        (216, 40, 44), (40, 100, 200), (240, 190, 30), (60, 160, 70), (236, 120, 30), (140, 70, 170)
    )
    spikes = int(rng.integers(0, 6))
    if spikes == 0:
        sheet.disc(55, 55, 34, ink)
    elif spikes == 1:
        sheet.box(26, 26, 84, 84, ink)
    else:
        turns = np.arange(2 * (spikes + 2)) * np.pi / (spikes + 2)
        reach = np.where(np.arange(len(turns)) % 2, 18, 42)
        corners = zip(55 + reach * np.sin(turns), 55 - reach * np.cos(turns), strict=True)
        sheet.polygon([(float(x), float(y)) for x, y in corners], ink)
    return sheet.look()


def chip(pens: Pens) -> Look:
    """A round token with a value in its middle and marks around its rim."""
    tone = pens.pick((200, 36, 40), (36, 80, 170), (30, 120, 70), (30, 30, 34), (240, 240, 236))
    other: Tone = _WHITE if sum(tone) < 600 else (40, 80, 160)
    sheet = Sheet(140, 140, tone)
    for k in range(8):
        angle = k * np.pi / 4
        ray = [(70 + r * np.cos(angle + d), 70 + r * np.sin(angle + d)) for r, d in
               ((70, -0.16), (70, 0.16), (52, 0.2), (52, -0.2))]  # fmt: skip
        sheet.polygon([(float(x), float(y)) for x, y in ray], other)
    sheet.disc(70, 70, 44, other)
    sheet.disc(70, 70, 40, tone if pens.rng.random() < 0.4 else (246, 244, 236))
    text = pens.pick("1", "5", "10", "20", "25", "50", "100")
    middle = sheet.rgb[40, 70]
    sheet.write(text, 70, 70, 30, (24, 24, 28) if int(middle.sum()) > 380 else _WHITE, pens.common().figures())
    return sheet.look()

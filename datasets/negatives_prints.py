"""Faces of printed things: calendars, receipts, pages, number games on paper, notes, tickets, keys, buttons."""

from __future__ import annotations

import numpy as np

from datasets.negatives_sheet import Look, Pens, Sheet, Tone

__all__ = [
    "bingo_card", "book_page", "button", "exercise_page", "keyboard", "keypad", "month", "receipt",
    "sticky_note", "sudoku", "tear_off", "ticket", "year",
]  # fmt: skip

_BLACK: Tone = (30, 30, 34)
_RED: Tone = (204, 34, 40)
_WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_MONTHS = ("January", "April", "May", "June", "August", "Oktober", "November", "Mars", "Juli")
_ROWS = ("1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")


def month(pens: Pens) -> Look:
    """A month's page of a wall calendar."""
    rng, font, head = pens.rng, pens.figures(), pens.words()
    sheet, ink = Sheet(420, 400, pens.pale()), pens.ink(0.75)
    sheet.write(pens.pick(*_MONTHS), 210, 34, 28, pens.ink(0.3), head)
    boxed, start, high = rng.random() < 0.5, int(rng.integers(7)), float(rng.uniform(17, 30))
    for k, name in enumerate(_WEEK):
        sheet.write(name, 42 + 56 * k, 74, 12, (110, 110, 116), head)
    for day in range(1, 32):
        row, column = divmod(day - 1 + start, 7)
        x, y = 14 + 56 * column, 90 + 50 * row
        if boxed:
            sheet.box(x, y, x + 56, y + 50, (160, 160, 164), 1)
        sheet.write(str(day), x + 28, y + 25, high, _RED if column == 6 else ink, font)
        if day % 4 == 1:
            sheet.cell(x + 4, y, x + 52, y + 50)
    return sheet.look()


def year(pens: Pens) -> Look:
    """A planner: twelve small months."""
    font, head = pens.figures(), pens.words()
    sheet, ink = Sheet(480, 360, pens.pale()), pens.ink(0.8)
    for m in range(12):
        x, y = 12 + 118 * (m % 4), 12 + 116 * (m // 4)
        sheet.write(_MONTHS[m % len(_MONTHS)], x + 50, y + 10, 9, _RED, head)
        for day in range(28):
            sheet.write(str(day + 1), x + 10 + 15 * (day % 7), y + 32 + 18 * (day // 7), 8, ink, font)
    return sheet.look()


def tear_off(pens: Pens) -> Look:
    """A leaf of a block calendar: one huge number."""
    sheet, head, ink = Sheet(240, 300, pens.pale()), pens.words(), pens.ink(0.35)
    sheet.write(pens.pick(*_MONTHS), 120, 36, 24, ink, head)
    sheet.write(pens.number(1, 31), 120, 150, 120, ink, pens.figures())
    sheet.write(pens.pick("Monday", "Freitag", "Sonntag", "Sabato"), 120, 254, 18, _BLACK, head)
    sheet.cell(30, 60, 210, 232)
    return sheet.look()


def receipt(pens: Pens, *, wide: bool) -> Look:
    """A till's receipt, or a ``wide`` bill with a table of figures."""
    rng, words, figures = pens.rng, pens.words(), pens.figures()
    w = 330 if wide else 200
    h = int(rng.integers(320, 520))
    sheet, ink = Sheet(w, h, pens.pick((250, 250, 250), (246, 244, 236), (236, 240, 244))), (66, 66, 72)
    sheet.write(pens.letters(6).upper(), w / 2, 26, 22, _BLACK, words)
    y, high, total = 60.0, float(rng.uniform(8, 12)), 0.0
    while y < h - 80:
        price = float(rng.uniform(0.3, 40))
        total += price
        sheet.write(
            f"{pens.letters(int(rng.integers(3, 8)))} {pens.letters(4)}", 12, y, high, ink, words, align=0
        )
        if wide:
            sheet.write(pens.number(1, 13), 0.62 * w, y, high, ink, figures)
        sheet.write(f"{price:.2f}", w - 12, y, high, ink, figures, align=1)
        y += 1.9 * high
    sheet.line(12, y, w - 12, y, ink, 1)
    sheet.write(f"{total:.2f}", w - 12, y + 26, 22, _BLACK, figures, align=1)
    x = 20.0
    while x < w - 24:  # a bar code
        bar = float(rng.integers(1, 5))
        sheet.box(x, h - 34, x + bar - 1, h - 10, _BLACK)
        x += bar + float(rng.integers(1, 5))
    return sheet.look()


def book_page(pens: Pens) -> Look:
    """A page of a book: a chapter's number, lines of words, a page number."""
    rng, font = pens.rng, pens.words()
    sheet, high = Sheet(300, 420, pens.pick((250, 246, 234), (244, 238, 220), (250, 250, 248))), 8.0
    y = 36.0
    if rng.random() < 0.5:
        sheet.write(pens.number(1, 30), 150, 52, 34, _BLACK, pens.figures())
        sheet.cell(115, 28, 185, 78)
        y = 104.0
    while y < 384:
        x = 34.0 if rng.random() < 0.85 else 50.0
        end = 270 if rng.random() < 0.9 else float(rng.uniform(120, 260))
        while x < end - 12:
            x += sheet.write(pens.letters(int(rng.integers(2, 8))), x, y, high, (60, 58, 56), font, align=0) + 5
        sheet.rgb[int(y) - 8 : int(y) + 9, 274:] = sheet.rgb[2, 2]
        y += 17
    sheet.write(pens.number(2, 400), 150, 404, 10, _BLACK, pens.figures())
    return sheet.look()


def exercise_page(pens: Pens) -> Look:
    """A page of a school book: numbered exercises with large figures in boxes."""
    rng, font, words = pens.rng, pens.figures(), pens.words()
    sheet, ink = Sheet(330, 430, pens.pale()), pens.ink(0.6)
    for row in range(6):
        y = 46 + 66 * row
        sheet.write(str(row + 1), 22, y, 20, _RED, font)
        sheet.write(pens.letters(7), 44, y - 20, 8, (90, 90, 96), words, align=0)
        for column in range(4):
            x = 66 + 66 * column
            sheet.box(x - 22, y - 8, x + 22, y + 34, ink, 2, 0)
            if rng.random() < 0.75:
                sheet.write(pens.number(1, 20), x, y + 13, 22, ink, font)
                sheet.cell(x - 22, y - 8, x + 22, y + 34)
    return sheet.look()


def bingo_card(pens: Pens, *, lotto: bool) -> Look:
    """A bingo card of five by five, or a ``lotto`` card of three by nine with holes."""
    rng, font, ink = pens.rng, pens.figures(), pens.ink(0.6)
    rows, columns = (3, 9) if lotto else (5, 5)
    head = 8 if lotto else 64
    bright = rng.random() < 0.6
    sheet = Sheet(54 * columns + 16, 60 * rows + head + 8, pens.ink(0.1) if bright else pens.pale())
    if not lotto:
        for k, sign in enumerate("BINGO"):
            sheet.write(sign, 35 + 54 * k, 34, 32, (250, 250, 246) if bright else _BLACK, pens.common().words())
    for row in range(rows):
        for column in range(columns):
            x, y = 8 + 54 * column, head + 60 * row
            sheet.box(x + 1, y + 1, x + 52, y + 58, (252, 251, 246))
            if lotto and rng.random() < 0.45:
                continue
            number = int(rng.integers(1, 11)) + (10 if lotto else 15) * column
            sheet.write(str(number), x + 27, y + 30, 26, ink, font)
            if rng.random() < 0.4:
                sheet.cell(x + 1, y + 1, x + 52, y + 58)
    return sheet.look()


def sudoku(pens: Pens) -> Look:
    """A sudoku, some of it filled in by hand."""
    rng, font, hand = pens.rng, pens.figures(), pens.hand()
    sheet = Sheet(380, 380, pens.pale())
    for k in range(10):
        width = 3 if k % 3 == 0 else 1
        sheet.line(10 + 40 * k, 10, 10 + 40 * k, 370, _BLACK, width)
        sheet.line(10, 10 + 40 * k, 370, 10 + 40 * k, _BLACK, width)
    for k in range(81):
        x, y = 30 + 40 * (k % 9), 30 + 40 * (k // 9)
        roll = rng.random()
        if roll < 0.55:
            ink: Tone = _BLACK if roll < 0.35 else (40, 70, 160)
            sheet.write(pens.number(1, 9), x, y, 21, ink, font if roll < 0.35 else hand)
            if roll < 0.12:
                sheet.cell(x - 18, y - 19, x + 18, y + 19)
    return sheet.look()


def sticky_note(pens: Pens, *, lines: bool) -> Look:
    """A sticky note with one number or word, or ``lines`` of a score."""
    rng, hand = pens.rng, pens.hand()
    base = pens.pick((250, 236, 120), (250, 180, 200), (180, 230, 190), (250, 200, 120), (170, 215, 240))
    sheet, ink = Sheet(200, 200, base), pens.pick(_BLACK, (36, 56, 140), _RED)
    if not lines:
        sheet.write(pens.number(1, 99), 100, 100, float(rng.uniform(40, 100)), ink, hand)
        return sheet.look()
    for k in range(5):
        sheet.write(pens.letters(4), 16, 34 + 34 * k, 16, ink, pens.words(), align=0)
        sheet.write(pens.number(1, 130), 184, 34 + 34 * k, 20, ink, hand, align=1)
    return sheet.look()


def ticket(pens: Pens) -> Look:
    """A raffle or cloakroom ticket, 2:1, with its number twice."""
    tone = pens.pick((240, 200, 90), (240, 160, 150), (150, 200, 160), (160, 190, 230), (244, 240, 228))
    sheet, font, ink = Sheet(280, 140, tone), pens.common().figures(), pens.pick(_BLACK, (150, 30, 36))
    text = pens.number(1, 999)
    sheet.box(8, 8, 272, 132, ink, 2)
    sheet.write(text, 190, 76, 44, ink, font)
    for k in range(9):
        sheet.disc(96, 16 + 14 * k, 2, ink)
    sheet.write(text, 50, 76, 24, ink, font)
    sheet.write(pens.letters(6).upper(), 190, 26, 12, ink, pens.words())
    sheet.cell(110, 10, 270, 130)
    return sheet.look()


def _key(sheet: Sheet, x: float, y: float, w: float, h: float, cap: Tone, round_by: float) -> None:
    """Draw a key with a lighter top on its darker skirt."""
    r, g, b = cap
    sheet.box(x, y, x + w, y + h, (int(r * 0.72), int(g * 0.72), int(b * 0.72)), radius=round_by)
    sheet.box(x + 0.1 * w, y + 0.05 * h, x + 0.9 * w, y + 0.82 * h, cap, radius=round_by)


def keyboard(pens: Pens, *, pale: bool, block: bool) -> Look:
    """A computer's keyboard with staggered rows; ``block`` adds the number block."""
    rng, font = pens.rng, pens.words()
    level = int(rng.integers(200, 250)) if pale else int(rng.integers(20, 80))
    cap = min(255, max(16, level + int(rng.choice([-14, 0, 10]))))
    key: Tone = (cap, cap, min(255, cap + 4))
    ink: Tone = (60, 60, 66) if pale else (232, 232, 232)
    sheet = Sheet(700 if block else 540, 210, (level, level, level))
    for row, signs in enumerate(_ROWS):
        shift = (0, 18, 26, 44)[row]
        for k, sign in enumerate(signs):
            x, y = 46 + shift + 41 * k, 8 + 41 * row
            _key(sheet, x, y, 38, 38, key, 5)
            sheet.write(sign, x + 16, y + 17, 15, ink, font)
            if row == 0:
                sheet.cell(x, y, x + 38, y + 38)
        _key(sheet, 6, 8 + 41 * row, 37 + shift, 38, key, 5)
        last = 46 + shift + 41 * len(signs)
        _key(sheet, last, 8 + 41 * row, 534 - last, 38, key, 5)
    _key(sheet, 150, 172, 220, 34, key, 5)
    for x in (6, 54, 102, 378, 426, 480):
        _key(sheet, x, 172, 44, 34, key, 5)
    for k, sign in enumerate("789456123" if block else ""):
        x, y = 562 + 44 * (k % 3), 8 + 41 * (k // 3)
        _key(sheet, x, y, 40, 38, key, 5)
        sheet.write(sign, x + 19, y + 18, 17, ink, font)
        sheet.cell(x, y, x + 40, y + 38)
    return sheet.look()


def keypad(pens: Pens, *, door: bool) -> Look:
    """The keys of a telephone or remote, or (``door``) a metal keypad with square keys."""
    rng, font = pens.rng, pens.figures()
    body = int(rng.integers(150, 200)) if door else int(rng.choice([24, 40, 70, 225]))
    dark = body < 120
    sheet = Sheet(180, 250 if door else 330, (body, body, body))
    cap: Tone = pens.pick((214, 214, 216), (238, 236, 230), (60, 62, 66)) if door else (
        (body + 40, body + 40, body + 42) if dark else (body - 30, body - 28, body - 26)
    )  # fmt: skip
    ink: Tone = (36, 36, 40) if sum(cap) > 400 else (240, 240, 238)
    top = 10
    if not door:
        sheet.box(20, 16, 160, 76, (150, 168, 140), radius=6)
        sheet.write(pens.number(10, 99999), 150, 46, 24, (36, 42, 36), font, align=1)
        top = 92
    for k, sign in enumerate("123456789A0E"):
        x, y = 12 + 54 * (k % 3), top + 58 * (k // 3)
        _key(sheet, x, y, 48, 50, cap, 3 if door else 14)
        if sign.isdigit():
            sheet.write(sign, x + 23, y + 22, 23, ink, font)
            sheet.cell(x, y, x + 48, y + 50)
    return sheet.look()


def button(pens: Pens, holes: int) -> Look:
    """A shirt's or coat's button; cut round where it is laid."""
    rng = pens.rng
    base = np.asarray(
        pens.pick((240, 236, 224), (40, 40, 44), (150, 30, 40), (40, 60, 120), (120, 86, 50), (228, 190, 120))
    )

    def lit(gain: float) -> Tone:
        red, green, blue = np.clip(base * gain, 0, 255)
        return int(red), int(green), int(blue)

    face = lit(1.0)
    sheet = Sheet(100, 100, lit(0.82))
    sheet.disc(50, 50, 46, face)
    sheet.disc(50, 50, 32, lit(0.9))
    sheet.disc(50, 50, 30, face)
    hole: Tone = (24, 22, 20) if base.sum() > 200 else (200, 196, 188)
    turn = float(rng.uniform(0, 6.28))
    for k in range(holes):
        angle = turn + 2 * np.pi * k / holes
        sheet.disc(50 + 11 * np.cos(angle), 50 + 11 * np.sin(angle), 4.6, hole)
    return sheet.look()

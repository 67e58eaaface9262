"""Things of paper and pasteboard with figures on. Lengths in mm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from datasets.traced.canvas import (
    BLACK,
    BLUE,
    BOLD,
    GREEN,
    HANDS,
    INKS,
    RED,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    pick,
    vary,
)
from datasets.traced.meshes import Floats, Material, Part, move, pose, slab, tube
from datasets.traced.noise import mix, noise, to_bytes
from datasets.traced.things_shapes import at, leaf, prism, spread

__all__ = ["bank_card", "day_calendar", "luggage_tag", "price_tags", "stickers", "sticky_notes", "tickets"]

Rng = np.random.Generator


def _curled(curl: float, along: int = 0) -> Callable[[Floats, Floats], Floats]:
    """The height of paper that curls up at two edges."""
    return lambda x, y: np.asarray(curl * ((y * y) if along else (x * x)))


def _lifted(curl: float, h: float) -> Callable[[Floats, Floats], Floats]:
    """The height of paper ``h`` mm high that sticks at its upper edge."""
    return lambda x, y: np.asarray(curl * np.maximum(h / 2 - y, 0) ** 2 * 0.5)


def day_calendar(rng: Rng) -> list[Part]:
    """A tear-off block: one large day."""
    w, h = rng.uniform(52, 90), 0.0
    h, thick = w * rng.uniform(1.15, 1.5), rng.uniform(4, 22)
    c = Canvas(w, h, vary(rng, (248, 246, 240), 4), 7)
    ink = pick(rng, (RED, BLACK, BLACK, BLUE))
    c.rect(0, 0, w, h * 0.1, pick(rng, (RED, BLUE, (60, 60, 62))))
    c.text(
        pick(rng, ("JANUAR", "MARCH", "APRIL", "JUNI", "AUGUST", "DEZEMBER")),
        w / 2,
        h * 0.19,
        h * 0.09,
        BLACK,
        "oswald-700",
    )
    c.text(str(int(rng.integers(1, 32))), w / 2, h * 0.53, h * 0.46, ink, pick(rng, BOLD))
    c.text(pick(rng, ("Montag", "Sunday", "Freitag", "Tuesday")), w / 2, h * 0.85, h * 0.08, ink, "lato-700")
    c.line([(3, h * 0.92), (w - 3, h * 0.92)], (150, 150, 150), 0.3)
    for i in range(3):
        c.text(f"{rng.integers(100, 366)}", w * (0.2 + 0.3 * i), h * 0.96, h * 0.045, (110, 110, 110))
    return [Part(slab(w, h, thick, 0.6, 0.2), Material(c.array(), 0.7))]


def _string(x: float, y: float, rng: Rng, tone: Colour, r: float = 0.5) -> Part:
    """A loose loop of string that starts at (x, y)."""
    t = np.linspace(0, 1, 30)
    a, b = rng.uniform(14, 30), rng.uniform(5, 12)
    path = np.column_stack(
        [x + b * np.sin(2 * np.pi * t), y + a * np.sin(np.pi * t), 0.3 + r + 0.6 * np.sin(np.pi * t)]
    )
    return Part(tube(path, r, 6), Material(tone, 0.8))


def price_tags(rng: Rng) -> list[Part]:
    """Price tags on strings."""
    out = []
    n = int(rng.integers(1, 5))
    w, h = rng.uniform(20, 34), rng.uniform(32, 52)
    for place in spread(rng, [(w, h + 30)] * n):
        tone = pick(rng, ((250, 248, 244), (250, 226, 60), (214, 40, 44), (222, 190, 140), (250, 150, 60)))
        ink = WHITE if sum(tone) < 330 else pick(rng, (BLACK, RED, BLUE))
        c = Canvas(w, h, tone, 10)
        c.oval(w / 2, 4, 1.8, fill=(90, 80, 70))
        c.oval(w / 2, 4, 2.4, line=(180, 150, 90), width=0.5)
        value = pick(rng, ("1.-", "2.50", "9", "5.-", "12", "7", "3.99", "10", "4.-", "8.90"))
        c.text(value, w / 2, h * 0.52, w * (0.55 if len(value) < 3 else 0.36), ink, pick(rng, BOLD + HANDS))
        c.text(pick(rng, ("EUR", "SALE", "Gr. M", "No. 4", "CHF")), w / 2, h * 0.83, w * 0.16, ink)
        k = w * 0.22
        rim = [
            (w / 2, -h / 2),
            (w / 2, h / 2 - k),
            (w / 2 - k, h / 2),
            (k - w / 2, h / 2),
            (-w / 2, h / 2 - k),
            (-w / 2, -h / 2),
        ]
        # prism's normals are smooth: a card this thin does not show it.
        m = at(place)
        out.append(Part(move(prism(rim, 0.5, 0.1), m), Material(c.array(), 0.6)))
        s = _string(0, h / 2 - 4, rng, pick(rng, ((230, 220, 200), (200, 40, 40), (40, 40, 40))))
        out.append(Part(move(s.mesh, m), s.material))
    return out


def stickers(rng: Rng) -> list[Part]:
    """Round or square price stickers on their backing strip."""
    n, size = int(rng.integers(2, 7)), rng.uniform(14, 25)
    w, h = size * 1.25 * n, size * 1.3
    c = Canvas(w, h, (236, 232, 214), 10)
    tone = pick(rng, ((250, 226, 60), WHITE, (250, 130, 50), (120, 200, 90), (214, 40, 44)))
    name, square = pick(rng, BOLD), rng.random() < 0.4
    for i in range(n):
        x, y = size * 1.25 * (i + 0.5), h / 2
        if square:
            c.rect(x - size / 2, y - size / 2, x + size / 2, y + size / 2, tone, r=1)
        else:
            c.oval(x, y, size / 2, fill=tone)
        c.text(str(int(rng.integers(1, 60))), x, y, size * 0.5, BLACK if sum(tone) > 330 else WHITE, name)
    curl = rng.uniform(0, 0.0012)
    return [Part(leaf(w, h, _curled(curl)), Material(c.array(), 0.5))]


def luggage_tag(rng: Rng) -> list[Part]:
    """A luggage tag with a name and a number."""
    w, h = rng.uniform(42, 62), rng.uniform(78, 115)
    tone = pick(
        rng, ((150, 90, 50), (36, 60, 110), (170, 36, 40), (40, 40, 42), (228, 210, 170), (80, 130, 110))
    )
    c = Canvas(w, h, tone, 7)
    c.rect(w * 0.1, h * 0.3, w * 0.9, h * 0.93, (250, 248, 240), (220, 210, 190), 0.5, 2)
    name, hand = pick(rng, ("Keller", "M. Rossi", "Familie Lang", "T. Novak")), pick(rng, HANDS)
    c.text(name, w / 2, h * 0.42, w * 0.15, (30, 40, 110), hand)
    big = rng.random() < 0.6
    c.text(
        str(int(rng.integers(1, 99))),
        w / 2,
        h * 0.66,
        w * (0.5 if big else 0.2),
        pick(rng, INKS),
        pick(rng, BOLD) if big else hand,
    )
    c.text(
        f"{rng.integers(1000, 9999)} {pick(rng, ('Bern', 'Wien', 'Oslo'))}",
        w / 2,
        h * 0.86,
        w * 0.12,
        (30, 40, 110),
        hand,
    )
    c.oval(w / 2, h * 0.11, 4, fill=(60, 56, 52))
    parts = [Part(slab(w, h, 2.5, 6, 0.7), Material(c.array(), 0.45))]
    parts.append(_string(0, h / 2 - 9, rng, (60, 40, 30), 1.6))
    return parts


def sticky_notes(rng: Rng) -> list[Part]:
    """Sticky notes with a figure or some lines in handwriting."""
    out = []
    small = rng.random() < 0.4
    w, h = (51.0, 38.0) if small else (76.0, 76.0)
    for i in range(int(rng.integers(1, 4))):
        tone = pick(rng, ((250, 236, 120), (250, 170, 190), (160, 220, 240), (180, 230, 140), (250, 190, 110)))
        c = Canvas(w, h, vary(rng, tone, 4), 8)
        hand, ink = pick(rng, HANDS), pick(rng, (BLACK, BLUE, RED, (30, 40, 110)))
        if rng.random() < 0.5:
            c.text(
                pick(rng, [*map(str, range(1, 14)), "42", "100", "7:30"]),
                w / 2,
                h / 2,
                h * 0.6,
                ink,
                hand,
                float(rng.normal(0, 6)),
            )
        else:
            for row in range(3 if small else 5):
                c.text(
                    pick(
                        rng, ("Tom 12", "Lia 45", "Tel. 079 31 8", "8 + 13", "Milch 2", "Oma -30", "3 x 9 = 27")
                    ),
                    w * 0.1,
                    h * (0.15 + 0.18 * row if not small else 0.2 + 0.28 * row),
                    h * 0.16 * (1.4 if small else 1),
                    ink,
                    hand,
                    anchor="lm",
                )
        curl = rng.uniform(0, 0.002)
        mesh = leaf(w, h, _lifted(curl, h))
        x, y = rng.normal(0, 45, 2) * (i > 0)
        out.append(
            Part(
                move(mesh, pose(float(x), float(y), 0.3 * i, rng.uniform(-0.6, 0.6))), Material(c.array(), 0.8)
            )
        )
    return out


def tickets(rng: Rng) -> list[Part]:
    """Bus tickets, raffle tickets in a strip, a cloakroom number."""
    kind, out = pick(rng, ("bus", "raffle", "cloak")), []
    if kind == "raffle":
        n, w, h = int(rng.integers(2, 6)), rng.uniform(26, 34), rng.uniform(38, 56)
        tone, first = (
            pick(rng, ((250, 200, 200), (180, 220, 240), (250, 230, 130), (190, 230, 180), (240, 160, 90))),
            int(rng.integers(1, 400)),
        )
        c = Canvas(w * n, h, tone, 8)
        for i in range(n):
            for y in (0.27, 0.77):
                c.text(str(first + i), w * (i + 0.5), h * y, w * 0.34, pick(rng, (BLACK,)), "roboto-slab-900")
            c.rect(w * i + 2, 2, w * i + w - 2, h - 2, None, (90, 90, 90), 0.25)
            for k in range(0, int(h), 3):
                c.line([(w * i, k), (w * i, k + 1.4)], (120, 120, 120), 0.3)
        curl = rng.uniform(0, 0.0008)
        return [Part(leaf(w * n, h, _curled(curl)), Material(c.array(), 0.7))]
    if kind == "cloak":
        for place in spread(rng, [(40, 62)] * int(rng.integers(1, 4))):
            tone = pick(rng, (RED, BLUE, GREEN, (250, 248, 240), YELLOW))
            ink = WHITE if sum(tone) < 430 else BLACK
            c = Canvas(40, 62, tone, 8)
            c.oval(20, 8, 4, fill=(40, 38, 36))
            c.text(str(int(rng.integers(1, 240))), 20, 34, 19, ink, pick(rng, BOLD))
            c.text("GARDEROBE", 20, 53, 4.5, ink)
            out.append(Part(move(slab(40, 62, 1.2, 5, 0.3), at(place)), Material(c.array(), 0.3)))
        return out
    for place in spread(rng, [(54, 86)] * int(rng.integers(1, 4)), False):
        c = Canvas(54, 86, vary(rng, (246, 244, 238), 4), 8)
        tone = pick(rng, (BLUE, RED, GREEN, (240, 150, 40)))
        c.rect(0, 0, 54, 14, tone)
        c.text(pick(rng, ("BUS", "TRAM", "METRO", "VERKEHR")), 27, 7, 8, WHITE, "anton-400")
        c.text(f"ZONE {rng.integers(1, 14)}", 27, 28, 11, BLACK, "oswald-700")
        c.text(
            f"{rng.integers(1, 29):02}.{rng.integers(1, 13):02}. {rng.integers(5, 24)}:{rng.integers(10, 60)}",
            27,
            46,
            7,
            (60, 60, 66),
        )
        c.text(f"{rng.uniform(1, 9):.2f}", 27, 60, 9, BLACK, "lato-900")
        for k in range(40):
            c.rect(6 + k, 68, 6.3 + k + rng.uniform(0, 0.6), 80, BLACK)
        curl = rng.uniform(0, 0.003)
        out.append(Part(move(leaf(54, 86, _curled(curl, along=1)), at(place)), Material(c.array(), 0.6)))
    return out


def bank_card(rng: Rng) -> list[Part]:
    """Bank cards."""
    w, h, out = 85.6, 54.0, []
    for i in range(int(rng.integers(1, 3))):
        tone = vary(
            rng,
            pick(rng, (BLUE, (40, 42, 48), (200, 170, 90), (60, 140, 130), (180, 30, 50), (220, 222, 226))),
            8,
        )
        light = np.array(tone, float)
        c = Canvas(w, h, tone, 8)
        wave = noise(rng, c.image.size[::-1], 2.0, 3)
        c.cover(to_bytes(mix(tuple(light), tuple(light * 0.6 + 60), 0.4 + 0.3 * wave)))
        ink = (240, 240, 236) if sum(tone) < 450 else (40, 40, 44)
        c.rect(9, 19, 21, 28, (214, 184, 100), (120, 100, 50), 0.3, 1.5)
        c.line([(9, 23.5), (21, 23.5)], (120, 100, 50), 0.3)
        c.text(" ".join(f"{rng.integers(1000, 9999)}" for _ in range(4)), w / 2, 35, 6.6, ink, "lato-700")
        c.text(f"{rng.integers(1, 13):02}/{rng.integers(26, 32)}", w * 0.5, 42, 4, ink)
        c.text(pick(rng, ("A KELLER", "MARIA ROSSI", "P NOVAK")), 8, 48, 4.4, ink, anchor="lm")
        c.text(pick(rng, ("NordBank", "Sparkasse", "Credo")), 8, 9, 7, ink, "montserrat-800", anchor="lm")
        c.oval(72, 45, 5, fill=(220, 60, 40))
        c.oval(78, 45, 5, fill=(240, 160, 40))
        x, y = rng.normal(0, 25, 2) * (i > 0)
        out.append(
            Part(
                move(slab(w, h, 0.8, 3.2, 0.2), pose(float(x), float(y), 0.85 * i, rng.uniform(-0.5, 0.5))),
                Material(c.array(), 0.25),
            )
        )
    return out

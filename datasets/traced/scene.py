"""Puts a picture together from its seed: design, layout, ground, clutter, light, camera. Needs no renderer."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from datasets.traced.around import Clutter, kind_of, lay_ground, lay_things
from datasets.traced.camera import Camera, aim
from datasets.traced.clutter import LOOKALIKES, THINGS, make_hand, make_thing
from datasets.traced.designs import FAMILIES, Design
from datasets.traced.faces import Sheet, draw_sheet
from datasets.traced.grounds import GROUNDS, OUTSIDE, Ground, make_ground, printed
from datasets.traced.layouts import Layout, footprint, free, lay_rack, lay_table
from datasets.traced.lights import STYLES, Light, make_lights
from datasets.traced.meshes import Floats, Material, Part, merge, move, plane, pose, slab

__all__ = ["Scene", "make_scene"]

Rng = np.random.Generator

TALL = frozenset({"mug", "glass", "bottle", "bowl", "box", "fruit", "spectacles"})
SIZES = ((1600, 1200), (1600, 1200), (1200, 1600), (1920, 1080), (1440, 1080), (1280, 960), (1280, 720))


@dataclass(eq=False)
class Scene:
    """All that the renderer and the truth need to know."""

    kind: str
    """``table``, ``rack`` or ``empty``."""
    place: str
    design: Design
    layout: Layout
    sheet: Sheet | None
    camera: Camera
    style: str
    """The kind of light."""
    webcam: bool
    parts: list[Part] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)


def _kind(index: int) -> str:
    """One picture in eight without tiles, one in five with a rack."""
    return "empty" if index % 8 == 5 else "rack" if index % 5 == 2 else "table"


def _camera(rng: Rng, kind: str, style: str, points: Floats, width: float) -> tuple[Camera, bool]:
    """A camera that has ``points`` in view, tiles being ``width`` mm wide; and whether it is a webcam."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    webcam = size == (1280, 720)
    view = np.radians(rng.choice([38, 52, 64, 70], p=[0.15, 0.2, 0.45, 0.2]))
    focal = max(size) / 2 / np.tan(view / 2)
    if kind == "rack":
        rise, side = np.radians(rng.uniform(18, 62)), np.radians(rng.normal(0, 13))
    else:
        rise = np.radians(
            float(rng.choice([88, 75, 60, 45, 30, 21], p=[0.2, 0.2, 0.22, 0.2, 0.12, 0.06])) + rng.normal(0, 3)
        )
        rise = float(np.clip(rise, np.radians(17), np.radians(89.5)))
        side = np.radians(rng.normal(0, 22)) if rng.random() < 0.65 else rng.uniform(0, 2 * np.pi)
    roll = np.radians(rng.normal(0, 4))
    if rng.random() < (0.45 if rise > 1.2 else 0.12):
        roll = rng.uniform(0, 2 * np.pi) if rise > 1.0 else np.radians(rng.normal(0, 22))
    bend = float(rng.normal(-0.015, 0.02)) if not webcam else float(rng.uniform(-0.12, 0))
    middle = points.mean(0)
    target = middle + np.append(rng.normal(0, 0.05, 2) * np.ptp(points[:, :2], axis=0), 0)
    fill = float(rng.uniform(0.5, 1.02)) if style != "close" else float(rng.uniform(0.3, 0.85))
    near, far = 90.0, 6000.0
    for _ in range(30):
        distance = float(np.sqrt(near * far))
        origin, axes = aim(target, float(rise), float(side), float(roll), distance)
        camera = Camera(*size, float(focal), origin, axes)
        flat, depth = camera.straight(points)
        reach = np.abs(flat - camera.middle) / camera.middle
        inside = depth.min() > 20 and np.percentile(reach.max(1), 94 if kind == "table" else 100) < fill
        near, far = (near, distance) if inside else (distance, far)
    # Nearer than this a tile is more than 300 pixels wide.
    distance = max(far, focal * width / 300)
    origin, axes = aim(target, float(rise), float(side), float(roll), distance)
    aperture = float(rng.choice([0.5, 1.0, 1.8, 3.0], p=[0.3, 0.35, 0.25, 0.1]))
    return Camera(
        *size, float(focal), origin, axes, bend, aperture, distance * float(rng.uniform(0.94, 1.06))
    ), webcam


def _tiles(rng: Rng, design: Design, layout: Layout) -> tuple[Sheet, Part]:
    """The sheet of faces, and all tiles as one part. The last cell of the sheet is the back."""
    count = sum(p.tile is not None for p in layout.placed)
    scale = 12.0 if count <= 10 else 9.0 if count <= 30 else 6.5
    names = [p.tile for p in layout.placed if p.tile]
    sheet = draw_sheet(design, [*names, None], rng, scale)
    back, cell, meshes = sheet.windows[-1], 0, []
    for placed in layout.placed:
        window = sheet.windows[cell] if placed.tile else sheet.windows[int(rng.integers(len(sheet.windows)))]
        if placed.tile:
            cell += 1
        layer = design.layer if design.back else 0.5
        tile = slab(design.width, design.height, design.thick, design.corner, design.bevel, layer, window, back)
        meshes.append(move(tile, placed.matrix))
    return sheet, Part(merge(meshes), sheet.material)


def _clutter(rng: Rng, scene: Scene, count: int, reach: float) -> None:
    """Things round about the tiles, clear of them, the tall ones not before the camera."""
    taken = list(scene.layout.taken)
    toward = scene.camera.origin[:2] / (np.linalg.norm(scene.camera.origin[:2]) + 1e-6)
    names = LOOKALIKES if scene.kind == "empty" else THINGS
    low = scene.camera.origin[2] < 1.1 * np.linalg.norm(scene.camera.origin)
    for _ in range(count):
        name = (
            str(names[int(rng.integers(len(names)))])
            if rng.random() < 0.75
            else str(THINGS[int(rng.integers(len(THINGS)))])
        )
        parts = make_thing(name, rng)
        points = np.concatenate([p.mesh.points for p in parts])
        size, middle = np.ptp(points[:, :2], axis=0), (points[:, :2].max(0) + points[:, :2].min(0)) / 2
        for trial in range(60):
            angle, turn = (
                rng.uniform(0, 2 * np.pi),
                rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.2),
            )
            away = reach * rng.uniform(0.0 if scene.kind == "empty" else 0.4, 1.1) * (1 + trial / 50)
            x, y = away * np.cos(angle), away * np.sin(angle)
            if name in TALL and low and (x, y) @ toward > 0.25 * away:
                continue
            quad = footprint(x, y, size[0] + 3, size[1] + 3, turn)
            if free(quad, taken):
                taken.append(quad)
                matrix = pose(x, y, 0, turn) @ pose(-middle[0], -middle[1])
                scene.parts += [Part(move(p.mesh, matrix), p.material) for p in parts]
                break


def _ground(rng: Rng, scene: Scene, reach: float) -> None:
    """The table (or the floor) under all, and a floor below a table."""
    span = float(np.clip(reach * 1.6, 260, 700))
    if scene.kind == "empty" and rng.random() < 0.3:
        scene.place = "print"
        ground = Ground(printed(rng, span, "0123456789" if rng.random() < 0.7 else "RUMY7"), span)
    else:
        ground = make_ground(scene.place, rng, span)
    turn = float(rng.choice([0, np.pi / 2])) + rng.normal(0, 0.12) * (scene.place not in ("wood", "garden"))
    if scene.place in ("carpet", "felt") or rng.random() < 0.25:
        scene.parts.append(Part(move(plane(6000, 6000, span), pose(0, 0, 0, turn)), ground.material))
        return
    wide, deep = 2 * (reach + rng.uniform(120, 600)), 2 * (reach + rng.uniform(60, 350))
    top = slab(wide, deep, 28, float(rng.choice([4, 40])), 2, face=(0, 0, wide / span, deep / span))
    shift = rng.uniform(-0.2, 0.2, 2) * (wide - 2 * reach, deep - 2 * reach)
    scene.parts.append(Part(move(top, pose(float(shift[0]), float(shift[1]), -28)), ground.material))
    floor = make_ground(str(rng.choice(["wood", "carpet", "stone", "laminate"])), rng, 900)
    scene.parts.append(Part(plane(9000, 9000, 900, -720), floor.material))


def _usual(rng: Rng, scene: Scene, reach: float) -> None:
    """The usual things, and now and then a hand."""
    kind, design = scene.kind, scene.design
    few = int(rng.choice([0, 1, 2, 4, 7], p=[0.2, 0.2, 0.25, 0.2, 0.15]))
    _clutter(rng, scene, int(rng.integers(5, 12)) if kind == "empty" else few, max(reach, 140))
    if rng.random() < (0.16 if kind != "empty" else 0.08):
        angle = rng.uniform(0, 2 * np.pi) if kind != "rack" else rng.choice([-1.2, 1.2])
        tip = np.array([np.sin(angle), -np.cos(angle)]) * reach * rng.uniform(0.75, 1.1)
        place_at = pose(float(tip[0]), float(tip[1]), design.thick, float(angle))
        scene.parts += [Part(move(p.mesh, place_at), p.material) for p in make_hand(rng)]


def make_scene(index: int, seed: int, family: str, *, clutter: Clutter = "usual") -> Scene:
    """Return picture ``index`` of the series ``seed``, with ``clutter`` about; nothing else decides it."""
    rng = np.random.default_rng((seed, index, len(family)))
    kind = _kind(index) if clutter == "usual" else kind_of(index, clutter)
    designs = FAMILIES[family]
    design = designs[(index + index // 8) % len(designs)]
    style = (
        "rack"
        if kind == "rack"
        else str(rng.choice(["rows", "scatter", "heap", "close"], p=[0.42, 0.26, 0.12, 0.2]))
    )
    layout = (
        Layout()
        if kind == "empty"
        else lay_rack(rng, design)
        if kind == "rack"
        else lay_table(rng, design, style)
    )
    light = str(STYLES[int(rng.integers(len(STYLES)))])
    place = str(rng.choice(OUTSIDE if light in ("sun", "shade") else list(GROUNDS)))
    if layout.placed:
        corner = np.array([[x, y, design.thick] for x in (-1, 1) for y in (-1, 1)]) * (
            design.width / 2,
            design.height / 2,
            1,
        )
        points = np.concatenate(
            [corner @ p.matrix[:3, :3].T + p.matrix[:3, 3] for p in layout.placed if p.tile]
        )
    else:
        points = rng.uniform(-1, 1, (12, 3)) * (rng.uniform(80, 320), rng.uniform(80, 260), 0)
    camera, webcam = _camera(rng, kind, style, points, design.width)
    scene = Scene(kind, place, design, layout, None, camera, light, webcam)
    reach = float(np.linalg.norm(points[:, :2], axis=1).max()) + 30
    table = None
    if clutter == "usual":
        _ground(rng, scene, max(reach, 160))
    else:
        scene.place, parts, table = lay_ground(rng, clutter, index, place, max(reach, 160))
        scene.parts += parts
    if layout.placed:
        scene.sheet, tiles = _tiles(rng, design, layout)
        scene.parts.append(tiles)
        scene.parts += layout.rack
    if clutter == "usual":
        _usual(rng, scene, reach)
    else:
        scene.parts += lay_things(rng, clutter, layout, design, camera, table, max(reach, 140))
    scene.lights = make_lights(light, rng, camera.origin)
    return scene


def shared_materials(parts: list[Part]) -> dict[Material, list[Part]]:
    """Return the parts by material."""
    out: dict[Material, list[Part]] = {}
    for part in parts:
        out.setdefault(part.material, []).append(part)
    return out

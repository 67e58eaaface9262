"""Renders labelled pictures of physical tiles, each from one seed.

The chain: layout -> camera -> light -> shadows -> ground -> solids, far to near -> sensor. Everything is drawn
from ``seed``; the same seed, split, size and profile give the same picture (with the same cached assets).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.camera import Camera, distortion_maps, undistort_coordinates
from datasets.design import Design, sample_design
from datasets.labels import LabelledPicture, LabelledTile
from datasets.light import shadow_ratios
from datasets.light_sample import sample_light
from datasets.negatives import ALONE, add_beside, draw_part
from datasets.profiles import PROFILES, make_plan
from datasets.profiles_types import Plan
from datasets.scene import Block
from datasets.scene_faces import FaceBook
from datasets.scene_ground import paint_contact, paint_ground, paint_reflections, paint_room
from datasets.scene_paint import BARE, Canvas, face_corners
from datasets.scene_solids import paint_solid
from datasets.sensor import blur_by_depth, develop, sample_sensor

__all__ = ["PROFILES", "render_picture"]

Array = NDArray[Any]  # float64
Map = NDArray[Any]  # float32
_SIZES = ((640, 480), (800, 600), (960, 720), (1024, 768), (1280, 960), (960, 540), (1280, 720))


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """Where the camera stands and how large a tile is there."""

    camera: Camera
    tile_px: float


def _sample_size(rng: Generator) -> tuple[int, int]:
    w, h = _SIZES[int(rng.choice(len(_SIZES), p=[0.2, 0.16, 0.22, 0.12, 0.1, 0.1, 0.1]))]
    return (h, w) if rng.random() < 0.4 else (w, h)


def _fit(plan: Plan, size_wh: tuple[int, int], rng: Generator) -> _View:
    """Stand the camera so that what the plan wants to show fills the picture as the plan says."""
    elevation = float(np.clip(plan.elevation(rng), 18, 90))
    azimuth, roll = plan.azimuth(rng), plan.roll(rng)
    fov = float(rng.uniform(30, 80)) if rng.random() < 0.5 else float(rng.uniform(45, 70))
    wanted = plan.tile_share(rng) * size_wh[0]
    points = plan.focus
    target = points.mean(axis=0)[:2]
    tile_px = 0.05 * max(size_wh)
    middle = (np.array(size_wh) - 1) / 2
    for _ in range(5):
        cam = Camera.look((target[0], target[1]), elevation, azimuth, roll, fov, tile_px, size_wh)
        pixels, depth = cam.project(points)
        if depth.min() < 0.5:
            tile_px *= 0.5
            continue
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        fill = float(((high - low) / np.array(size_wh)).max())
        shift = (low + high) / 2 - middle
        back = np.linalg.inv(cam.ground_homography())
        spot = back @ np.array([*(middle + np.clip(shift, -0.4 * middle, 0.4 * middle)), 1.0])
        target = spot[:2] / spot[2]
        tile_px = float(np.clip(tile_px * np.clip(plan.fill / max(fill, 1e-3), 0.4, 2.5), 6, 520))
    tile_px = float(np.clip(min(wanted, tile_px * plan.crowd), plan.least_px, 520))
    target = target + rng.normal(0, plan.drift, 2) * np.array(size_wh) / tile_px
    cam = Camera.look((target[0], target[1]), elevation, azimuth, roll, fov, tile_px, size_wh)
    return _View(cam, tile_px)


def _numeral_share(owners: NDArray[np.int16], quad: Array, label: int) -> float:
    """Return the share of ``quad`` (4, 2) whose pixels are in the picture and show ``label``."""
    low = np.floor(quad.min(axis=0)).astype(int)
    high = np.ceil(quad.max(axis=0)).astype(int) + 1
    w, h = (int(v) for v in np.minimum(high - low, 4000))
    fine = 4 if w * h < 4000 else 1
    mask = np.zeros((h * fine, w * fine), np.uint8)
    local = ((quad - low + 0.5) * fine - 0.5) * 16
    cv2.fillConvexPoly(mask, np.round(local).astype(np.int32), 1, cv2.LINE_8, 4)
    share = cv2.resize(mask.astype(np.float32), (w, h), interpolation=cv2.INTER_AREA)
    x1, y1 = max(0, -int(low[0])), max(0, -int(low[1]))
    x2, y2 = min(w, owners.shape[1] - int(low[0])), min(h, owners.shape[0] - int(low[1]))
    if x2 <= x1 or y2 <= y1:
        return 0.0
    part = owners[low[1] + y1 : low[1] + y2, low[0] + x1 : low[0] + x2] == label
    return float((share[y1:y2, x1:x2] * part).sum() / max(float(share.sum()), 1e-6))


def _label(plan: Plan, canvas: Canvas, blocks: list[Block], book: FaceBook) -> list[LabelledTile]:
    """Return the truth of every tile of which any part is in the frame, before lens distortion."""
    found = []
    counts = np.bincount(canvas.owners[canvas.owners >= 0].ravel(), minlength=len(blocks))
    w, h = canvas.camera.size_wh
    for index, (block, placed) in enumerate(zip(blocks, plan.layout.tiles, strict=True)):
        corners = face_corners(block)
        quad, depth = canvas.camera.project(corners)
        facing = float(block.frame.n @ (canvas.camera.position - block.frame.origin)) > 0.01
        if depth.min() < 0.3 or not facing:
            continue
        x, y = quad[:, 0], quad[:, 1]
        if x.max() < 0 or y.max() < 0 or x.min() > w - 1 or y.min() > h - 1:
            continue
        area = 0.5 * abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1)))
        if area < 20:
            continue
        tile_w, tile_h, _ = block.size
        rounded = 1 - 0.858 * block.radius**2 / (tile_w * tile_h)
        seen = float(np.clip(counts[index] / (area * rounded), 0, 1))
        x1, y1, x2, y2 = book.ink_box(placed.tile)
        spots = ((x1, y1), (x2, y1), (x2, y2), (x1, y2))
        ink, _ = canvas.camera.project(
            np.array([block.frame.point((a - 0.5) * tile_w, (b - 0.5) * tile_h) for a, b in spots])
        )
        read = _numeral_share(canvas.owners, ink, index)
        found.append(
            LabelledTile(
                tile=placed.tile,
                corners_xy_px=quad.astype(np.float32),
                visible=1.0 if seen > 0.985 else seen,
                numeral_visible=1.0 if read > 0.985 else read,
                set_index=placed.set_index,
                place=placed.place,
                on_rack=placed.on_rack,
            )
        )
    return found


def _decoys(plan: Plan, canvas: Canvas) -> list[Array]:
    """Return the corners (4, 2) of look-alikes in the frame, large enough to see, and under no tile."""
    found = []
    for corners in plan.decoys:
        quad, depth = canvas.camera.project(corners)
        x, y = quad.T
        # Clockwise as seen: the face is turned to the lens.
        area = 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
        inside = (x > 0) & (y > 0) & (x < canvas.owners.shape[1]) & (y < canvas.owners.shape[0])
        if depth.min() < 0.3 or area < 60 or inside.sum() < 3:
            continue
        low = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
        high = np.ceil(quad.max(axis=0)).astype(int) + 1
        shown = canvas.owners[low[1] : high[1], low[0] : high[0]]
        if (shown < 0).all():
            found.append(quad)
    return found


def _focus(picture: Map, view: _View, rng: Generator) -> Map:
    """Put what is much nearer or farther than the middle of the table out of focus."""
    cam = view.camera
    rays = cam.rays(4)
    ahead = rays @ (cam.rotation[2] * [1, 1, -1]).astype(np.float32)
    reach = np.float32(cam.position[2]) / np.maximum(-rays[..., 2], 0.02) * ahead
    sharp = float(np.median(reach)) * rng.uniform(0.9, 1.1)
    amount = np.abs(1 - sharp / np.maximum(reach, 0.1)) / rng.uniform(0.3, 0.8)
    h, w = picture.shape[:2]
    radius = float(np.clip(rng.uniform(0.03, 0.12) * view.tile_px, 0.7, 6))
    return blur_by_depth(picture, cv2.resize(amount.astype(np.float32), (w, h)), radius)


def _paint_all(canvas: Canvas, plan: Plan) -> None:
    """Paint the solids, farther groups first."""
    lens = canvas.camera.position
    solids = plan.scene.solids
    where: dict[int, list[Array]] = {}
    lift: dict[int, float] = {}
    for solid in solids:
        where.setdefault(solid.group, []).append(solid.middle())
        lift[solid.group] = max(lift.get(solid.group, -1e9), solid.lift)
    away = {g: float(np.linalg.norm(np.mean(spots, axis=0) - lens)) - lift[g] for g, spots in where.items()}
    order = sorted(
        range(len(solids)),
        key=lambda k: (
            -away[solids[k].group],
            solids[k].group,
            solids[k].rank,
            -float(np.linalg.norm(solids[k].middle() - lens)),
            k,
        ),
    )
    for k in order:
        paint_solid(canvas, solids[k])


def render_picture(
    seed: int,
    *,
    split: str = "train",
    size_wh: tuple[int, int] | None = None,
    profile: str | None = None,
    design: Design | None = None,
    arrange: Callable[[Design, Generator, str], Plan] | None = None,
) -> LabelledPicture:
    """Render one picture with its truth.

    ``split`` "train" leaves out the held-out families of grounds, racks and designs, "heldout" draws only
    those, "final" all. ``profile`` is a key of ``PROFILES``, or ``negatives.ALONE`` for a table of look-alikes
    without a tile; None draws one, and in "train" and "final" look-alikes for some (``datasets.negatives``).
    ``design`` shows that tile set instead of drawing one; ``arrange`` (design, rng, split) plans the picture
    instead of a profile. Raises ValueError for an unknown profile or split.
    """
    if split not in ("train", "heldout", "final"):
        raise ValueError(f"split is train, heldout or final, not {split!r}")
    if profile is not None and profile not in (*PROFILES, ALONE):
        raise ValueError(f"profile is one of {', '.join(PROFILES)}, {ALONE}, not {profile!r}")
    rng = np.random.default_rng([seed, 20])
    chance = np.random.default_rng([seed, 61])  # of its own, so that nothing else changes
    part = draw_part(chance, split) if profile is None and arrange is None else "none"
    if profile is None:
        names = list(PROFILES)
        weights = np.array([PROFILES[name] for name in names])
        profile = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    profile = ALONE if part == "alone" else profile
    size = _sample_size(rng) if size_wh is None else size_wh
    drawn: Design = sample_design(rng, split=split)
    design = drawn if design is None else design
    book = FaceBook(design, rng)
    plan = make_plan(profile, design, rng, split) if arrange is None else arrange(design, rng, split)
    if part == "beside":
        add_beside(plan, chance, split)
    view = _fit(plan, size, rng)
    cam = view.camera
    blocks = []
    for index, placed in enumerate(plan.layout.tiles):
        block = book.block(placed, index)
        block.group = placed.group or plan.scene.new_group()
        blocks.append(block)
    plan.scene.solids.extend(blocks)
    plan.add_occluders(cam, view.tile_px, rng)
    light = sample_light(rng, cam, max(size) / view.tile_px, len(plan.scene.solids))
    ratios = shadow_ratios(plan.scene, cam, light, view.tile_px)
    room = np.zeros((1, 1, 3), np.float32)
    if not plan.endless or cam.sees_horizon():
        room = paint_room(cam, rng, plan.floor.make(rng, 192, 12.0))
    bare, _ = paint_ground(cam, light, ratios[0], rng, plan.ground, view.tile_px, room, plan.table)
    canvas = Canvas(bare, np.full(bare.shape[:2], BARE, np.int16), cam, light, ratios)
    if plan.ground.gloss[1] > 0.55 and rng.random() < 0.3:
        paint_reflections(
            canvas, plan.scene, float(rng.uniform(0.06, 0.4)), rng.uniform(0.01, 0.15) * view.tile_px
        )
    paint_contact(canvas, plan.scene, view.tile_px)
    _paint_all(canvas, plan)
    tiles = _label(plan, canvas, blocks, book)
    decoys = _decoys(plan, canvas)
    racks = [quad for quad, depth in (cam.project(front) for front in plan.racks) if depth.min() > 0.3]
    picture = canvas.light
    if rng.random() < 0.5:  # light falls off across the table
        slope = rng.uniform(-0.35, 0.35, 2)
        xs, ys = np.linspace(-1, 1, size[0], dtype=np.float32), np.linspace(-1, 1, size[1], dtype=np.float32)
        picture *= (
            np.exp(xs * np.float32(slope[0]))[None, :, None] * np.exp(ys * np.float32(slope[1]))[:, None, None]
        )
    if plan.kind == "table" and rng.random() < 0.25:
        picture = _focus(picture, view, rng)
    sensor = sample_sensor(rng, view.tile_px, clean=bool(rng.random() < 0.5))
    if rng.random() < 0.25:
        k1 = float(rng.uniform(-0.06, 0.08))
        map_x, map_y = distortion_maps(size, k1)
        picture = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        tiles = [_moved(tile, size, k1) for tile in tiles]
        racks = [undistort_coordinates(quad, size, k1) for quad in racks]
        decoys = [undistort_coordinates(quad, size, k1) for quad in decoys]
    image = develop(picture, float(light.white().mean()), sensor, rng)
    families = {**design.families, "ground": plan.ground.family, "ground_name": plan.ground.name}
    families |= {"profile": profile, "sensor": sensor.kind, **plan.families}
    seen = [tile for tile in tiles if tile.visible > 0]
    kind: Literal["table", "rack", "empty"] = plan.kind if seen else "empty"
    return LabelledPicture(
        image,
        tuple(seen),
        tuple(quad.astype(np.float32) for quad in racks),
        kind,
        seed,
        families,
        tuple(quad.astype(np.float32) for quad in decoys),
    )


def _moved(tile: LabelledTile, size: tuple[int, int], k1: float) -> LabelledTile:
    corners = undistort_coordinates(tile.corners_xy_px.astype(np.float64), size, k1).astype(np.float32)
    return LabelledTile(
        tile.tile, corners, tile.visible, tile.numeral_visible, tile.set_index, tile.place, tile.on_rack
    )  # fmt: skip

"""Triangle meshes, in millimetres: slabs, lathed bodies, tubes, grounds and hands. Normals point outwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Floats",
    "Material",
    "Mesh",
    "Part",
    "blob",
    "lathe",
    "merge",
    "move",
    "plane",
    "pose",
    "slab",
    "tube",
]

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]

_ARC: Final = 5
"""Points along each rounded corner of a slab."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices, their normals and texture coordinates (u right, v up), and triangles of vertex indices."""

    points: Floats
    normals: Floats
    uv: Floats
    faces: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Material:
    """How a surface looks; images are sRGB bytes, row 0 at v = 1; ``rough`` and ``normal`` are raw values."""

    albedo: Bytes | tuple[float, float, float]
    rough: Bytes | float = 0.5
    normal: Bytes | None = None
    specular: float = 0.5
    metallic: float = 0.0
    glass: bool = False


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh and what it is made of."""

    mesh: Mesh
    material: Material


def pose(
    x: float, y: float, z: float = 0.0, turn: float = 0.0, tilt: float = 0.0, flip: bool = False
) -> Floats:
    """Return a 4x4 matrix: over on its face if ``flip``, tilt about x, turn about z (radians), then move."""
    ct, st, ca, sa = np.cos(tilt), np.sin(tilt), np.cos(turn), np.sin(turn)
    about_x = np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
    about_z = np.array([[ca, -sa, 0], [sa, ca, 0], [0, 0, 1]])
    over = np.diag([-1.0, 1.0, -1.0]) if flip else np.eye(3)
    out = np.eye(4)
    out[:3, :3] = about_z @ about_x @ over
    out[:3, 3] = (x, y, z)
    return out


def move(mesh: Mesh, matrix: Floats) -> Mesh:
    """Return the mesh moved by a rigid 4x4 matrix."""
    turn = matrix[:3, :3]
    return Mesh(mesh.points @ turn.T + matrix[:3, 3], mesh.normals @ turn.T, mesh.uv, mesh.faces)


def merge(meshes: Sequence[Mesh]) -> Mesh:
    """Return all meshes as one."""
    starts = np.cumsum([0, *(len(m.points) for m in meshes)])
    return Mesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.uv for m in meshes]),
        np.concatenate([m.faces + s for m, s in zip(meshes, starts[:-1], strict=True)]),
    )


def _outline(width: float, height: float, radius: float) -> tuple[Floats, Floats]:
    """Points of a rounded rectangle, anticlockwise, and the outward directions there."""
    radius = min(radius, width / 2 - 1e-3, height / 2 - 1e-3)
    points, outward = [], []
    for corner, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(_ARC):
            angle = np.pi / 2 * (corner + step / (_ARC - 1))
            way = np.array([np.cos(angle), np.sin(angle)])
            points.append(np.array([sx * (width / 2 - radius), sy * (height / 2 - radius)]) + radius * way)
            outward.append(way)
    return np.array(points), np.array(outward)


def _ring(first: int, second: int, count: int) -> list[tuple[int, int, int]]:
    """Triangles between a lower and an upper closed ring of ``count`` vertices."""
    out = []
    for i in range(count):
        j = (i + 1) % count
        out += [(first + i, first + j, second + j), (first + i, second + j, second + i)]
    return out


def slab(
    width: float,
    height: float,
    thick: float,
    radius: float = 2.0,
    bevel: float = 0.6,
    layer: float = 0.5,
    face: tuple[float, float, float, float] = (0, 0, 1, 1),
    back: tuple[float, float, float, float] | None = None,
) -> Mesh:
    """Return a bevelled slab that stands on z = 0, centred on x = y = 0.

    ``face`` and ``back`` are texture windows (u0, v0, u1, v1) laid over the plan, the back's as seen from
    below; below ``layer`` (a share of the thickness) the sides belong to the back.
    """
    back = back or face
    rim, way = _outline(width, height, radius)
    count = len(rim)
    points: list[Floats] = []
    normals: list[Floats] = []
    uvs: list[Floats] = []
    faces: list[tuple[int, int, int]] = []

    def add(
        inset: float, z: float, slope: float, window: tuple[float, float, float, float], under: bool
    ) -> int:
        start = sum(len(p) for p in points)
        flat = rim - way * inset
        points.append(np.column_stack([flat, np.full(count, z)]))
        normals.append(np.column_stack([way * np.cos(slope), np.full(count, np.sin(slope))]))
        share = flat / (width, height) * (-1 if under else 1, 1) + 0.5
        uvs.append(np.array(window[:2]) + share * (np.array(window[2:]) - window[:2]))
        return start

    steps = np.linspace(0, np.pi / 2, 4)
    rings = [add(bevel * (1 - np.cos(s)), bevel * (1 - np.sin(s)), -s, back, True) for s in steps[::-1]]
    middle = thick * layer
    rings.append(add(0, middle, 0, back, True))
    for low, high in pairwise(rings):
        faces += _ring(low, high, count)
    rings = [add(0, middle, 0, face, False)]
    rings += [add(bevel * (1 - np.cos(s)), thick - bevel * (1 - np.sin(s)), s, face, False) for s in steps]
    for low, high in pairwise(rings):
        faces += _ring(low, high, count)
    for z, slope, window, under in ((thick, np.pi / 2, face, False), (0.0, -np.pi / 2, back, True)):
        start = add(bevel, z, slope, window, under)
        fan = [(start, start + i, start + i + 1) for i in range(1, count - 1)]
        faces += [(a, c, b) for a, b, c in fan] if under else fan
    return Mesh(np.concatenate(points), np.concatenate(normals), np.concatenate(uvs), np.array(faces))


def plane(width: float, height: float, span: float, z: float = 0.0) -> Mesh:
    """Return a flat ground; its texture repeats every ``span`` mm."""
    x, y = width / 2, height / 2
    points = np.array([[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]])
    return Mesh(points, np.tile([0.0, 0, 1], (4, 1)), points[:, :2] / span, np.array([[0, 1, 2], [0, 2, 3]]))


def lathe(profile: Sequence[tuple[float, float]], count: int = 40) -> Mesh:
    """Return the body that turning ``profile`` ((radius, z), from below, outside first) about z makes."""
    line = np.array(profile, dtype=float)
    along = np.gradient(line, axis=0)
    across = np.column_stack([along[:, 1], -along[:, 0]])
    across /= np.linalg.norm(across, axis=1, keepdims=True) + 1e-9
    turn = np.linspace(0, 2 * np.pi, count + 1)
    cos, sin = np.cos(turn), np.sin(turn)
    points = np.stack(
        [np.outer(line[:, 0], cos), np.outer(line[:, 0], sin), np.outer(line[:, 1], 0 * cos + 1)], -1
    )
    normals = np.stack(
        [np.outer(across[:, 0], cos), np.outer(across[:, 0], sin), np.outer(across[:, 1], 0 * cos + 1)], -1
    )
    u, v = np.meshgrid(turn / (2 * np.pi), np.linspace(0, 1, len(line)))
    faces = []
    for i in range(len(line) - 1):
        for j in range(count):
            a, b = i * (count + 1) + j, (i + 1) * (count + 1) + j
            faces += [(a, a + 1, b + 1), (a, b + 1, b)]
    return Mesh(
        points.reshape(-1, 3), normals.reshape(-1, 3), np.column_stack([u.ravel(), v.ravel()]), np.array(faces)
    )


def tube(path: Floats, radius: float, count: int = 10) -> Mesh:
    """Return a round tube along ``path`` (N x 3)."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-9
    helper = np.array([0.02, 0.03, 1.0])
    side = np.cross(along, helper)
    side /= np.linalg.norm(side, axis=1, keepdims=True) + 1e-9
    up = np.cross(side, along)
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    normals = side[:, None] * np.cos(turn)[None, :, None] - up[:, None] * np.sin(turn)[None, :, None]
    points = path[:, None] + radius * normals
    faces: list[tuple[int, int, int]] = []
    for i in range(len(path) - 1):
        faces += [(a, c, b) for a, b, c in _ring(i * count, (i + 1) * count, count)]
    uv = np.zeros((len(path) * count, 2))
    return Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), uv, np.array(faces))


def blob(bones: Sequence[tuple[Floats, Floats, float, float]], blend: float = 6.0, step: float = 2.5) -> Mesh:
    """Return a smooth body around bones (start, end, radius there and there), such as a hand."""
    from skimage.measure import marching_cubes

    ends = np.array([[a, b] for a, b, _, _ in bones]).reshape(-1, 3)
    fat = max(max(r, s) for _, _, r, s in bones) + 2 * blend
    low, high = ends.min(0) - fat, ends.max(0) + fat
    axes = [np.arange(lo, hi, step) for lo, hi in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
    total = np.zeros(grid.shape[:3])
    for a, b, r, s in bones:
        t = np.clip(((grid - a) @ (b - a)) / ((b - a) @ (b - a)), 0, 1)
        away = np.linalg.norm(grid - a - t[..., None] * (b - a), axis=-1) - (r + (s - r) * t)
        total += np.exp(-np.clip(away, -60, 60) / blend)
    field = -blend * np.log(total + 1e-12)
    points, faces, normals, _ = marching_cubes(field, 0.0, spacing=(step, step, step))
    outward = normals if np.mean(np.sum((points - points.mean(0)) * normals, 1)) > 0 else -normals
    corner = points[faces]
    facing = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    turned = np.sum(facing * outward[faces[:, 0]], 1) < 0
    faces = faces.astype(np.int64)
    faces[turned] = faces[turned][:, ::-1]
    return Mesh(points + low, outward, np.zeros((len(points), 2)), faces)

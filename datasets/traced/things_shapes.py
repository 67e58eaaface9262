"""Meshes of small things - upright prisms, dice, balls, sheets of paper - and places for several of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from datasets.traced.layouts import Quad, footprint, free
from datasets.traced.meshes import Floats, Mesh, lathe, pose

__all__ = ["Place", "at", "atlas6", "ball", "cube6", "disc", "leaf", "prism", "solid", "spread"]

Rng = np.random.Generator
Bytes = NDArray[np.uint8]
Place = tuple[float, float, float]
"""Where a thing lies: x, y, turn in radians."""


def at(place: Place, z: float = 0.0) -> Floats:
    """Return the matrix that puts a thing to its place."""
    return pose(place[0], place[1], z, place[2])


def prism(outline: ArrayLike, thick: float, bevel: float = 0.4) -> Mesh:
    """Return an upright body over a star-shaped, anticlockwise outline; its picture covers the bounding box."""
    rim = np.asarray(outline, float)
    n, low, size = len(rim), rim.min(0), np.ptp(rim, axis=0)
    edge = np.roll(rim, -1, 0) - np.roll(rim, 1, 0)
    way = np.column_stack([edge[:, 1], -edge[:, 0]])
    way /= np.linalg.norm(way, axis=1, keepdims=True) + 1e-9
    points, normals, faces = [], [], []
    steps = [(0.0, 0.0, 0.0)] + [
        (bevel * (1 - np.cos(a)), thick - bevel * (1 - np.sin(a)), a) for a in np.linspace(0, np.pi / 2, 4)
    ]
    for inset, z, a in steps:
        points.append(np.column_stack([rim - way * inset, np.full(n, z)]))
        normals.append(np.column_stack([way * np.cos(a), np.full(n, np.sin(a))]))
    for k in range(len(steps) - 1):
        for i in range(n):
            j = (i + 1) % n
            faces += [
                (k * n + i, k * n + j, (k + 1) * n + j),
                (k * n + i, (k + 1) * n + j, (k + 1) * n + i),
            ]
    start = n * len(steps)
    points += [np.column_stack([rim - way * bevel, np.full(n, thick)]), np.append(rim.mean(0), thick)[None]]
    normals.append(np.tile([0.0, 0, 1], (n + 1, 1)))
    faces += [(start + i, start + (i + 1) % n, start + n) for i in range(n)]
    p = np.concatenate(points)
    uv = np.clip((p[:, :2] - low) / size, 0.002, 0.998)
    return Mesh(p, np.concatenate(normals), uv, np.array(faces))


def disc(radius: float, thick: float, bevel: float = 0.4, n: int = 56, ry: float | None = None) -> Mesh:
    """Return a round body, or an oval one whose second radius is ``ry``."""
    a = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return prism(np.column_stack([radius * np.cos(a), (ry or radius) * np.sin(a)]), thick, bevel)


def _rounded(length: float, r: float) -> Floats:
    inner = np.linspace(length - r, length, 4)
    return np.concatenate([-inner[::-1], inner])


def cube6(w: float, h: float, d: float, r: float) -> Mesh:
    """Return a rounded box on z = 0 whose six faces take the cells of an atlas of 3 x 2, the top cell 0."""
    half = np.array([w, h, d]) / 2
    frames = (
        ((1, 0, 0), (0, 1, 0)),
        ((-1, 0, 0), (0, 1, 0)),
        ((0, 1, 0), (0, 0, 1)),
        ((0, -1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, 0, 1)),
        ((1, 0, 0), (0, 0, 1)),
    )
    points, normals, uvs, faces, start = [], [], [], [], 0
    for cell, (across, along) in enumerate(frames):
        right, up = np.array(across, float), np.array(along, float)
        out = np.cross(right, up)
        hx, hy, hz = (float(abs(way @ half)) for way in (right, up, out))
        ax, ay = _rounded(hx, r), _rounded(hy, r)
        n = len(ax)
        gx, gy = np.meshgrid(ax, ay)
        q = gx.reshape(-1, 1) * right + gy.reshape(-1, 1) * up + out * hz
        core = np.clip(q, -(half - r), half - r)
        v = q - core
        v /= np.linalg.norm(v, axis=1, keepdims=True) + 1e-9
        points.append(core + r * v)
        normals.append(v)
        uv = np.column_stack([(gx.ravel() / hx + 1) / 2, (gy.ravel() / hy + 1) / 2]) * 0.98 + 0.01
        uvs.append((uv + np.array([cell % 3, cell // 3])) / (3, 2))
        for i in range(n - 1):
            for j in range(n - 1):
                a = start + i * n + j
                faces += [(a, a + 1, a + n + 1), (a, a + n + 1, a + n)]
        start += n * n
    p = np.concatenate(points) + np.array([0, 0, half[2]])
    return Mesh(p, np.concatenate(normals), np.concatenate(uvs), np.array(faces))


def atlas6(cells: Sequence[Bytes]) -> Bytes:
    """Return six equal pictures as one of 3 x 2, cell 0 at the lower left."""
    return np.concatenate([np.concatenate(cells[3:], 1), np.concatenate(cells[:3], 1)], 0)


def _sides(points: Floats) -> list[tuple[Floats, list[int]]]:
    """The outward normal and the corners of each face of the hull of a few points."""
    out: list[tuple[Floats, list[int]]] = []
    seen: set[tuple[int, ...]] = set()
    inside = points.mean(0)
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            for k in range(j + 1, len(points)):
                normal = np.cross(points[j] - points[i], points[k] - points[i])
                normal /= np.linalg.norm(normal) + 1e-12
                normal = normal if normal @ (points[i] - inside) > 0 else -normal
                height = (points - points[i]) @ normal
                corners = tuple(int(c) for c in np.flatnonzero(height > -1e-3 * np.abs(points).max()))
                if height.max() < 1e-3 * np.abs(points).max() and corners not in seen:
                    seen.add(corners)
                    out.append((normal, list(corners)))
    return out


def _turned_down(normal: Floats) -> Floats:
    """The rotation that turns ``normal`` down."""
    axis, c = np.cross(normal, (0, 0, -1.0)), -float(normal[2])
    if np.linalg.norm(axis) < 1e-6:
        return np.eye(3) if c > 0 else np.diag([1.0, -1, -1])
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + k + k @ k / (1 + c))


def solid(corners: ArrayLike, fall: int) -> tuple[Mesh, int]:
    """Return the convex hull of ``corners`` standing on face ``fall``, and how many faces it has.

    Cell i of a square atlas of ceil(sqrt(faces)) cells a side lies on face i, from the upper left.
    """
    points = np.asarray(corners, float)
    sides = _sides(points)
    cells = int(np.ceil(np.sqrt(len(sides))))
    turn = _turned_down(sides[fall % len(sides)][0])
    out, normals, uvs, faces, start = [], [], [], [], 0
    for i, (n, members) in enumerate(sides):
        corner = points[members]
        middle = corner.mean(0)
        far = corner[np.argmax(np.linalg.norm(corner - middle, axis=1))] - middle
        up = far / np.linalg.norm(far)
        right = np.cross(up, n)
        flat = np.column_stack([(corner - middle) @ right, (corner - middle) @ up])
        order = np.argsort(np.arctan2(flat[:, 1], flat[:, 0]))
        corner, flat = corner[order], flat[order]
        out.append(corner)
        normals.append(np.tile(n, (len(corner), 1)))
        cell = np.array([i % cells, cells - 1 - i // cells])
        uvs.append((flat / (np.abs(flat).max() * 2.05) + 0.5 + cell) / cells)
        faces += [(start, start + j, start + j + 1) for j in range(1, len(corner) - 1)]
        start += len(corner)
    p = np.concatenate(out) @ turn.T
    p[:, 2] -= p[:, 2].min()
    mesh = Mesh(p, np.concatenate(normals) @ turn.T, np.concatenate(uvs), np.array(faces))
    return mesh, len(sides)


def ball(radius: float, n: int = 32) -> Mesh:
    """Return a sphere on z = 0 with its picture seen from above, and again from below."""
    a = np.linspace(-np.pi / 2, np.pi / 2, n)
    m = lathe([(float(max(radius * np.cos(t), 1e-3)), float(radius * (1 + np.sin(t)))) for t in a], 48)
    q = (m.points - (0, 0, radius)) / radius
    normals = q / (np.linalg.norm(q, axis=1, keepdims=True) + 1e-9)
    return Mesh(m.points, normals, 0.5 + 0.49 * q[:, :2], m.faces)


def leaf(w: float, h: float, height: Callable[[Floats, Floats], Floats], n: int = 20) -> Mesh:
    """Return a thin sheet of paper; ``height`` gives its z at x and y."""
    x, y = np.meshgrid(np.linspace(-w / 2, w / 2, n), np.linspace(-h / 2, h / 2, n))
    z = height(x, y) + 0.25
    gy, gx = np.gradient(z, h / (n - 1), w / (n - 1))
    normals = np.stack([-gx, -gy, np.ones_like(z)], -1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    uv = np.column_stack([x.ravel() / w + 0.5, y.ravel() / h + 0.5])
    faces = []
    for i in range(n - 1):
        for j in range(n - 1):
            a = i * n + j
            faces += [(a, a + 1, a + n + 1), (a, a + n + 1, a + n)]
    return Mesh(np.stack([x, y, z], -1).reshape(-1, 3), normals, uv, np.array(faces))


def spread(
    rng: Rng, sizes: Sequence[tuple[float, float]], tidy: bool | None = None, gap: float = 1.5
) -> list[Place]:
    """Return places for flat bodies of these widths and heights that keep clear of one another."""
    tidy = rng.random() < 0.4 if tidy is None else tidy
    columns = int(rng.integers(2, 6))
    if tidy:
        wide, high = max(w for w, _ in sizes) + gap, max(h for _, h in sizes) + gap
        return [
            (
                (i % columns) * wide + rng.normal(0, 0.2),
                -(i // columns) * high + rng.normal(0, 0.2),
                rng.normal(0, 0.015),
            )
            for i in range(len(sizes))
        ]
    out: list[Place] = []
    taken: list[Quad] = []
    for w, h in sizes:
        for trial in range(300):
            reach = 0.55 * np.hypot(w, h) * np.sqrt(len(sizes)) * (0.5 + trial / 50)
            x, y, turn = *(rng.normal(0, reach * 0.6, 2)), rng.uniform(0, 6.283)
            quad = footprint(x, y, w + gap, h + gap, turn)
            if free(quad, taken):
                taken.append(quad)
                out.append((float(x), float(y), float(turn)))
                break
        else:
            out.append((float(len(out) * 3 * w), 300.0, 0.0))
    return out

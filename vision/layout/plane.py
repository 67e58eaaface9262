"""The table plane, seen from above, estimated from the tiles that lie on it.

All tiles of a picture have one size. That alone gives the way back from the perspective picture to the
plane: the area of a small figure in the picture goes with the third power of its distance from the horizon,
so the cube roots of the tiles' areas are a linear function of their places, and that function is the horizon.
With the horizon gone, one symmetric matrix turns all tiles into equal rectangles; it solves a small linear
system. Both fits are robust, and priors carry them where there are too few tiles to tell.

Convention: source is the picture (x right, y down, pixels), destination the plane in tile widths, same
handedness.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.robust import MEDIAN_TO_SD

Floats = NDArray[np.float64]

# Rummikub tiles are about 38 x 27 mm; editions and what counts as the face's edge vary this.
_ASPECT = 1.4
_ASPECT_SD = 0.12
# Relative change of scale from one tile to the next: a camera is seldom nearer than some twenty tiles.
_SLOPE_SD = 0.05
# So far from the shape of all is no whole tile; of 9,763 read surely in sets, one was beyond 0.15.
_BENT = 0.25
# Where most are as far from one shape, and so many times nearer unrectified, the camera is straight above.
_SHAPELESS, _FAR_LESS = 0.15, 0.5
# Areas, as a share of the usual one, between which a quad can be a whole tile.
_ALIKE = (0.5, 1.8)
# Sizes spread by no less, as a logarithm, and places by no less in any direction, pixels.
_LEAST_SPREAD, _LEAST_EXTENT_PX = 0.02, 1.0
# Standard errors of a tile's size by which what is none has to differ the more.
_SURE_BY = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class TileFrames:
    """Tiles as rectangles on the rectified plane, in tile widths."""

    centre_xy: Floats
    """Shape (N, 2): centres."""
    right_xy: Floats
    """Shape (N, 2): unit vectors from each tile's own left to its own right."""
    width: Floats
    """Shape (N,): each tile's own width, about 1."""
    height: float
    """Height of a tile, in tile widths, shared by all."""
    noise: float
    """Typical error of one corner coordinate, tile widths, judged by how well the tiles fit one size."""
    size: Floats
    """Shape (N,): area on the plane, as a share of the usual one of those that shape the plane."""
    bent: Floats
    """Shape (N,): how far each is from the shape of all: the largest of what its width and its height differ
    by, as logarithms, and the cosine between its sides."""

    @property
    def alike(self) -> NDArray[np.bool_]:
        """Shape (N,): False for what is far too large or too small to be one whole tile."""
        return np.asarray((self.size > _ALIKE[0]) & (self.size < _ALIKE[1]))

    def unlike(self, slack: Floats | float = 0.0) -> NDArray[np.bool_]:
        """Shape (N,): true for what is far too large, small or misshapen to be one whole tile, lying flat.

        ``slack``, shape (N,): how much farther, as a logarithm, each size may be, for the plane's own error.
        """
        size = np.log(np.maximum(self.size, 1e-6))
        low, high = np.log(_ALIKE)
        # The area of what is seen goes with the third power of its distance, its height with the second.
        bent = self.bent > _BENT + 2 / 3 * np.asarray(slack)
        return np.asarray((size < low - slack) | (size > high + slack) | bent)

    @property
    def misshapen(self) -> NDArray[np.bool_]:
        """Shape (N,): true for what is so far from the shape of all that it is no whole tile, lying flat."""
        return np.asarray(self.bent > _BENT)

    @property
    def down_xy(self) -> Floats:
        """Unit vectors, shape (N, 2), from each tile's own top to its own bottom."""
        return np.stack([-self.right_xy[:, 1], self.right_xy[:, 0]], axis=1)


def quad_areas(corners: Floats) -> Floats:
    """Signed areas, shape (N,), of quads (N, 4, 2): positive where the corners run clockwise (y down)."""
    across = corners[:, 2] - corners[:, 0]
    back = corners[:, 3] - corners[:, 1]
    return 0.5 * (across[:, 0] * back[:, 1] - across[:, 1] * back[:, 0])


def tile_frames(corners: Floats, trusted: NDArray[np.bool_] | None = None) -> TileFrames:
    """Rectify the plane that tiles lie on, and return the tiles as rectangles on it.

    ``corners``: shape (N, 4, 2), N >= 1, pixels. ``trusted``: shape (N,), False for tiles that must not shape
    the plane (cut off by the border, say); they are still returned.
    """
    areas = quad_areas(corners)
    usable = areas > 1e-9
    if trusted is not None and (usable & trusted).sum() >= 3:
        usable = usable & trusted
    if not usable.any():
        usable = np.ones(len(corners), dtype=bool)
    middle = corners[usable].mean(axis=(0, 1))
    unit = float(np.median(np.sqrt(np.maximum(np.abs(areas[usable]), 1e-9))))
    points = (corners - middle) / unit
    frames = _rectified(points, usable, _horizon(points, usable))
    bent = float(np.median(frames.bent[usable]))
    if bent <= _SHAPELESS:
        return frames
    # Of tiles in one line sizes alone tell little of how the plane falls away from it: shapes have to agree.
    level = _rectified(points, usable, np.array([1.0, 0.0, 0.0]))
    return level if float(np.median(level.bent[usable])) < _FAR_LESS * bent else frames


def _rectified(points: Floats, usable: NDArray[np.bool_], horizon: Floats) -> TileFrames:
    """Return tiles (N, 4, 2) as rectangles on the plane that has this horizon, by those that are usable."""
    depth = points @ horizon[1:] + horizon[0]
    # A tile beyond the fitted horizon is a false find; keep it finite and far away.
    flat = points / np.maximum(depth, 0.1)[..., None]
    # On the plane all tiles have one area; what has not is no tile, or not all of one.
    areas = quad_areas(flat)
    size = areas / max(float(np.median(areas[usable])), 1e-9)
    alike = (size > _ALIKE[0]) & (size < _ALIKE[1])
    if (usable & alike).any():
        usable = usable & alike
    metric, height = _metric(flat, usable)
    return _frames(flat @ metric, height, usable, size)


def slack_of_size(places: Floats, middles: Floats, sizes: Floats, all_off: float = 0.0) -> Floats:
    """Return two standard errors (M,) of the size, as a logarithm, that tiles have at ``places`` (M, 2).

    The plane is the one through tiles with these ``middles`` (N, 2) and logarithms of ``sizes`` (N,): far from
    them, or where they lie in one line, they hardly tell how it is slanted. ``all_off`` is by how much all on
    one side of them may seem larger, as a logarithm: a shadow lies along a pool, say.
    """
    spread = max(MEDIAN_TO_SD * float(np.median(np.abs(sizes - np.median(sizes)))), _LEAST_SPREAD)
    about = middles - middles.mean(axis=0)
    away = places - middles.mean(axis=0)
    narrowest = np.square(_LEAST_EXTENT_PX) * np.eye(2)
    distance = (away * np.linalg.solve(about.T @ about / len(about) + narrowest, away.T).T).sum(axis=1)
    error = spread * np.sqrt((1 + distance) / len(about)) + all_off * np.sqrt(distance)
    return np.asarray(_SURE_BY * error)


def _horizon(points: Floats, usable: NDArray[np.bool_]) -> Floats:
    """Return (c0, cx, cy): scale of the picture at (x, y) relative to the middle is c0 + cx x + cy y."""
    chosen = points[usable]
    places = chosen.mean(axis=1)
    roots = np.cbrt(np.maximum(quad_areas(chosen), 1e-6))
    design = np.column_stack([np.ones(len(places)), places])
    level = float(np.median(roots))
    # From a level start false finds are thrown out, from a least-squares start a steep view is followed.
    starts = [np.array([level, 0.0, 0.0]), np.linalg.lstsq(design, roots, rcond=None)[0]]
    fits = [_settle(design, roots, start) for start in starts]
    line = min(fits, key=lambda fit: fit[0])[1]
    line = np.asarray(line / line[0], dtype=np.float64)
    lowest = float((design @ line).min())
    if lowest < 0.2:
        line[1:] *= 0.8 / (1.0 - lowest)
    return np.asarray(line)


def _settle(design: Floats, roots: Floats, line: Floats) -> tuple[float, Floats]:
    """Fit the line robustly (Cauchy) from a start; return what it costs, and the line."""
    for _ in range(8):
        residual = roots - design @ line
        spread = max(MEDIAN_TO_SD * float(np.median(np.abs(residual))), 0.004)
        weights = 1.0 / (1.0 + (residual / (2.0 * spread)) ** 2)
        # A heavy-tailed prior: slopes are small, and where they are not, the tiles are believed.
        hold = spread**2 / (_SLOPE_SD**2 + float((line[1:] ** 2).sum()))
        normal = (design.T * weights) @ design + np.diag([0.0, hold, hold])
        line = np.asarray(np.linalg.solve(normal, (design.T * weights) @ roots), dtype=np.float64)
    away = float(np.log1p(((roots - design @ line) / 0.02) ** 2).sum())
    return away + float(np.log1p((line[1:] ** 2).sum() / _SLOPE_SD**2)), line


def _metric(flat: Floats, usable: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Return the symmetric matrix that makes tiles equal rectangles of width 1, and their height."""
    chosen = flat[usable]
    right = 0.5 * (chosen[:, 1] - chosen[:, 0] + chosen[:, 2] - chosen[:, 3])
    down = 0.5 * (chosen[:, 3] - chosen[:, 0] + chosen[:, 2] - chosen[:, 1])
    ones, nulls = np.ones(len(chosen)), np.zeros(len(chosen))
    ux, uy, vx, vy = right[:, 0], right[:, 1], down[:, 0], down[:, 1]
    # Unknown: the matrix M = (a b; b c) and the height squared. u'Mu = 1, v'Mv = height^2, u'Mv = 0.
    rows = np.stack(
        [
            np.column_stack([ux * ux, 2 * ux * uy, uy * uy, nulls]),
            np.column_stack([vx * vx, 2 * vx * vy, vy * vy, -ones]) / _ASPECT**2,
            np.column_stack([ux * vx, ux * vy + uy * vx, uy * vy, nulls]) / _ASPECT,
        ],
        axis=1,
    )
    aims = np.column_stack([ones, nulls, nulls])
    weights = ones
    spread = 0.1
    solution = np.zeros(4)
    for _ in range(6):
        # Grows with the tiles: where all face one way, their noise would else pass for knowledge of the height.
        prior = spread / (2 * _ASPECT * _ASPECT_SD) * max(1.0, np.sqrt(len(chosen)) / 3)
        scaled = np.sqrt(weights)[:, None]
        system = np.vstack([(rows * scaled[..., None]).reshape(-1, 4), [[0, 0, 0, prior]]])
        target = np.append((aims * scaled).ravel(), prior * _ASPECT**2)
        solution = np.linalg.lstsq(system, target, rcond=None)[0]
        residual = np.sqrt((((rows @ solution) - aims) ** 2).mean(axis=1))
        spread = max(MEDIAN_TO_SD * float(np.median(residual)), 0.005)
        weights = 1.0 / (1.0 + (residual / (2.0 * spread)) ** 2)
    matrix = np.array([[solution[0], solution[1]], [solution[1], solution[2]]])
    values, vectors = np.linalg.eigh(matrix)
    if values[0] <= 0 or values[1] > 100 * values[0] or not 1.0 < solution[3] < 4.0:
        # Too contradictory for one plane: the average tile's own frame is the next best.
        sides = np.stack([right, down], axis=2)
        inverse = np.linalg.pinv(sides)
        matrix = (np.transpose(inverse, (0, 2, 1)) @ np.diag([1.0, _ASPECT**2]) @ inverse).mean(axis=0)
        values, vectors = np.linalg.eigh(matrix)
        return (vectors * np.sqrt(np.maximum(values, 1e-6))) @ vectors.T, _ASPECT
    return (vectors * np.sqrt(values)) @ vectors.T, float(np.sqrt(solution[3]))


def _frames(plane: Floats, height: float, usable: NDArray[np.bool_], size: Floats) -> TileFrames:
    right = 0.5 * (plane[:, 1] - plane[:, 0] + plane[:, 2] - plane[:, 3])
    down = 0.5 * (plane[:, 3] - plane[:, 0] + plane[:, 2] - plane[:, 1])
    # The rotation of the standard rectangle that fits the four corners best (Procrustes).
    axis = right + height * np.stack([down[:, 1], -down[:, 0]], axis=1)
    length = np.hypot(axis[:, 0], axis[:, 1])
    axis = np.where(length[:, None] > 1e-9, axis / np.maximum(length, 1e-9)[:, None], [1.0, 0.0])
    centre = plane.mean(axis=1)
    own = (right * axis).sum(axis=1)
    # Half its own, half the common width: follows a wavy ground, yet halves the corners' noise.
    width = 0.5 * (1.0 + np.clip(own, 0.7, 1.4))
    below = np.stack([-axis[:, 1], axis[:, 0]], axis=1)
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.5
    model = signs[None, :, :1] * axis[:, None] + height * signs[None, :, 1:] * below[:, None]
    misfit = ((plane - centre[:, None] - model) ** 2).sum(axis=(1, 2)) / 5.0
    noise = float(np.sqrt(np.median(misfit[usable])))
    across, along = (np.maximum(np.hypot(side[:, 0], side[:, 1]), 1e-9) for side in (right, down))
    slant = np.abs((right * down).sum(axis=1)) / (across * along)
    bent = np.max([np.abs(np.log(across)), np.abs(np.log(along / height)), slant], axis=0)
    return TileFrames(centre, axis, width, height, noise, size, bent)

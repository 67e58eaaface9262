"""Tables of scores: one line a picture as CSV, and a summary by place, scene and overall."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from pathlib import Path

import numpy as np

from vision.evaluation.score import PictureScore

__all__ = ["Totals", "summary", "wilson", "write_csv"]

_Z = 1.959963984540054
"""Standard score of a two-sided 95 % interval."""


def wilson(right: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share after Wilson (1927); (0, 1) where nothing was counted."""
    if of == 0:
        return 0.0, 1.0
    if not 0 <= right <= of:
        raise ValueError(f"{right} of {of} is no share")
    share = right / of
    middle = share + _Z**2 / (2 * of)
    half = _Z * sqrt(share * (1 - share) / of + _Z**2 / (4 * of**2))
    whole = 1 + _Z**2 / of
    # At the ends the bound is exact; rounding would otherwise leave 1 - 1e-16.
    low = 0.0 if right == 0 else (middle - half) / whole
    high = 1.0 if right == of else (middle + half) / whole
    return low, high


class Totals:
    """Sums over pictures. F1 is 2 · right / (true + read), which is the mean of precision and recall."""

    def __init__(self, scores: Sequence[PictureScore]) -> None:
        """Add up the scores."""
        self.scores = scores
        self.true = self._sum(lambda s: s.true)
        self.read = self._sum(lambda s: s.read)
        self.found = self._sum(lambda s: s.found)
        self.false = self._sum(lambda s: s.false)
        self.right = self._sum(lambda s: s.right)
        self.sure_right = self._sum(lambda s: s.sure_right)
        self.wrong_sure = self._sum(lambda s: s.wrong_sure)
        self.doubts = self._sum(lambda s: s.doubts)
        self.doubts_right = self._sum(lambda s: s.doubts_right)
        self.turned = self._sum(lambda s: s.turned)
        self.with_tiles = [s for s in scores if s.true]
        self.tables = [s for s in scores if s.kind_true == "table" and s.sets_known]
        self.kinds = [s for s in scores if s.kind_true is not None]

    def _sum(self, of: Callable[[PictureScore], int]) -> int:
        return sum(of(score) for score in self.scores)

    @property
    def f1(self) -> float:
        """F1 of tiles; a doubt counts as right where its best reading is. NaN where there is no tile."""
        return _share(2 * self.right, self.true + self.read)

    @property
    def f1_sure(self) -> float:
        """The same with every doubt counted as wrong."""
        return _share(2 * self.sure_right, self.true + self.read)

    @property
    def f1_found(self) -> float:
        """F1 of the finding alone, whatever the tiles were read as."""
        return _share(2 * self.found, self.true + self.found + self.false)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def summary(scores: Sequence[PictureScore]) -> str:
    """Return the summary as Markdown tables, with counts and 95 % intervals."""
    everything = Totals(scores)
    lines = [
        "Tiles: a doubt counts as right where its best reading is; *sure* counts every doubt as wrong. Tiles",
        "cut off or buried beyond reading never count. Sets are judged by position, whatever the tiles were",
        "read as, and only on tables whose sets are surely known. In brackets: 95 % intervals (Wilson).",
        "",
        "| | photos | tiles | F1 | F1 sure | F1 found "
        "| all tiles right | all tiles sure | all sets right | sets and tiles |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, group in _groups(scores):
        lines.append(_first_row(name, Totals(group)))
    lines += [
        "",
        "| | missed | false | turned | number | colour | wrong, unflagged | doubts (right) "
        "| corners mean, max | sets | layout alone | kind |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, group in _groups(scores):
        lines.append(_second_row(name, Totals(group)))
    lines += ["", _ranges(everything), _others(scores), _backs(scores), *_milliseconds(scores)]
    errors = [f"- {s.name}: {s.error}" for s in scores if s.error]
    if errors:
        lines += ["", "Could not be read, and counted as if nothing was found:", *errors]
    return "\n".join(lines) + "\n"


def _groups(scores: Sequence[PictureScore]) -> Iterable[tuple[str, Sequence[PictureScore]]]:
    """Everything, then each place, and its scenes where it has several."""
    yield "**all**", scores
    for place in sorted({s.place for s in scores}):
        here = [s for s in scores if s.place == place]
        yield f"**{place or 'unknown place'}**", here
        scenes = sorted({s.scene for s in here})
        if len(scenes) > 1 and any(s.true for s in here):
            for scene in scenes:
                yield scene or "unknown scene", [s for s in here if s.scene == scene]


def _first_row(name: str, t: Totals) -> str:
    cells = [
        name, str(len(t.scores)), str(t.true), _number(t.f1), _number(t.f1_sure), _number(t.f1_found),
        _ratio(sum(s.all_tiles_right for s in t.with_tiles), len(t.with_tiles)),
        _ratio(sum(s.all_tiles_sure for s in t.with_tiles), len(t.with_tiles)),
        _ratio(sum(s.all_sets_right for s in t.tables), len(t.tables)),
        _ratio(sum(s.everything_right for s in t.tables), len(t.tables)),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _second_row(name: str, t: Totals) -> str:
    found = [tile for s in t.scores for tile in s.tiles]
    means = [tile.corner_mean for tile in found if not np.isnan(tile.corner_mean)]
    most = [tile.corner_max for tile in found if not np.isnan(tile.corner_max)]
    cells = [
        name, str(t.true - t.found), str(t.false), str(t.turned),
        _of(sum(tile.number_right for tile in found), len(found)),
        _of(sum(tile.colour_right for tile in found), len(found)),
        str(t.wrong_sure), f"{t.doubts} ({t.doubts_right})",
        f"{np.mean(means):.3f}, {np.max(most):.2f}" if means else "",
        _of(sum(s.sets_right for s in t.tables), sum(s.sets_true for s in t.tables)),
        _of(sum(s.layout_right for s in t.tables), len(t.tables)),
        _of(sum(bool(s.kind_right) for s in t.kinds), len(t.kinds)),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _ranges(t: Totals) -> str:
    low, high = wilson(t.right, t.true)
    return (
        f"Of {t.true} true tiles {t.right} were read right ({low:.2%} to {high:.2%}), {t.sure_right} of them"
        f" surely; of {t.read} readings {t.wrong_sure} on true tiles were wrong without a doubt flagged, and"
        f" {t.read - sum(tile.read is not None for s in t.scores for tile in s.tiles)} lay on no true tile."
    )


def _others(scores: Sequence[PictureScore]) -> str:
    several = [s for s in scores if s.kind_true == "table" and s.sets_known and s.true > 1]
    racks = [s for s in scores if s.kind_true == "rack" and s.sets_known]
    empty = [s for s in scores if s.kind_true == "empty"]
    return (
        f"Every set right on tables of several tiles: {_counted(s.all_sets_right for s in several)}."
        f" Every row right on racks: {_counted(s.all_sets_right for s in racks)}."
        f" Pictures without tiles on which none was found: {_counted(not s.false for s in empty)}."
    )


def _counted(flags: Iterable[bool]) -> str:
    values = list(flags)
    return _ratio(sum(values), len(values)) or "none measured"


def _backs(scores: Sequence[PictureScore]) -> str:
    true, read, right = (
        sum(getattr(s, name) for s in scores) for name in ("backs_true", "backs_read", "backs_right")
    )
    return f"Tiles face down: {true} true, {read} read, {right} of them right."


def _milliseconds(scores: Sequence[PictureScore]) -> list[str]:
    stages = _stages(scores)
    if not stages:
        return []
    medians = {stage: np.median([s.ms[stage] for s in scores if stage in s.ms]) for stage in stages}
    whole = np.median([sum(s.ms.values()) for s in scores if s.ms])
    parts = ", ".join(f"{stage} {value:.0f}" for stage, value in medians.items())
    return [f"Milliseconds, median a picture: {parts}; together {whole:.0f}."]


def _stages(scores: Sequence[PictureScore]) -> list[str]:
    return list(dict.fromkeys(stage for s in scores for stage in s.ms))


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.4f}"


def _of(part: int, whole: int) -> str:
    return f"{part}/{whole}" if whole else ""


def _ratio(right: int, of: int) -> str:
    if not of:
        return ""
    low, high = wilson(right, of)
    return f"{right / of:.1%} ({right}/{of}; {low:.0%}-{high:.0%})"


def write_csv(scores: Sequence[PictureScore], path: Path) -> None:
    """Write one line a picture; empty cells mean that the truth does not know. OSError where it cannot."""
    stages = _stages(scores)
    rows = [_csv_row(score, stages) for score in scores]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else ["name"])
        writer.writeheader()
        writer.writerows(rows)


def _csv_row(s: PictureScore, stages: Sequence[str]) -> dict[str, object]:
    corner_mean, corner_max = s.corner_figures()
    row: dict[str, object] = {
        "name": s.name, "place": s.place, "scene": s.scene,
        "kind_true": s.kind_true or "", "kind_read": s.kind_read, "kind_right": _flag(s.kind_right),
        "tiles_true": s.true, "tiles_found": s.found, "tiles_missed": s.missed, "tiles_false": s.false,
        "split_or_merged": s.split_merged,
        "corner_error_mean_tile_widths": _rounded(corner_mean),
        "corner_error_max_tile_widths": _rounded(corner_max),
        "turned": s.turned if s.upright_known else "",
        "number_right": sum(tile.number_right for tile in s.tiles),
        "colour_right": sum(tile.colour_right for tile in s.tiles),
        "tiles_right": s.right, "tiles_right_and_sure": s.sure_right,
        "wrong_not_flagged": s.wrong_sure, "doubts": s.doubts, "doubts_right": s.doubts_right,
        "all_tiles_right": _flag(s.all_tiles_right if s.true else None),
        "face_down_true": s.backs_true, "face_down_read": s.backs_read, "face_down_right": s.backs_right,
        "sets_true": s.sets_true if s.sets_known else "", "sets_right": s.sets_right if s.sets_known else "",
        "all_sets_right": _flag(s.all_sets_right if s.sets_known else None),
        "layout_right": _flag(s.layout_right if s.sets_known else None),
        "sets_doubted": s.sets_doubted,
    }  # fmt: skip
    row |= {f"ms_{stage}": _rounded(s.ms.get(stage, float("nan")), 2) for stage in stages}
    row["error"] = s.error
    return row


def _flag(value: bool | None) -> str:
    return "" if value is None else str(int(value))


def _rounded(value: float, digits: int = 4) -> str:
    return "" if np.isnan(value) else f"{value:.{digits}f}"

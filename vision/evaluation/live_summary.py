"""How soon verdicts stood in games that were watched live, as Markdown and as plain values for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from statistics import median, quantiles
from typing import Any

from vision.evaluation.live import LiveTiming

__all__ = ["live_json", "live_summary"]

_SOON_S = 1.0
"""A verdict is to stand within this time."""
_KINDS = {
    "buttons": "from the button to the verdict",
    "told": "from a told draw or pass to its turn",
    "by_itself": "from the end of the set stillness to the verdict",
}


def live_json(timings: Sequence[LiveTiming]) -> dict[str, Any]:
    """Return every game's times, and all of them together, as plain values."""
    every = {kind: [second for timing in timings for second in getattr(timing, kind)] for kind in _KINDS}
    return {
        "all": {kind: _figures(seconds) for kind, seconds in every.items()},
        "watched_s": sum(timing.watched_s for timing in timings),
        "looked_at": sum(timing.looked_at for timing in timings),
        "unanswered": sum(timing.unanswered for timing in timings),
        "games": [asdict(timing) for timing in timings],
    }


def live_summary(timings: Sequence[LiveTiming]) -> str:
    """Return a table of all games together."""
    measured = live_json(timings)
    lines = [
        "| seconds | verdicts | median | nine of ten | most | within one second |",
        "|---|---|---|---|---|---|",
    ]
    for kind, name in _KINDS.items():
        told = measured["all"][kind]
        cells = (f"{told[part]:.2f}" if told["count"] else "-" for part in ("median", "nine_of_ten", "most"))
        lines.append(f"| {name} | {told['count']} | {' | '.join(cells)} | {told['soon']} of {told['count']} |")
    a_second = measured["looked_at"] / measured["watched_s"] if measured["watched_s"] else 0.0
    lines += [
        "",
        f"Games: {len(timings)}; {measured['watched_s']:.0f} s; {a_second:.1f} pictures a second were taken "
        f"in; {measured['unanswered']} buttons went unanswered.",
    ]
    return "\n".join(lines) + "\n"


def _figures(seconds: Sequence[float]) -> dict[str, Any]:
    if not seconds:
        return {"count": 0, "median": None, "nine_of_ten": None, "most": None, "soon": 0}
    tenths = quantiles(seconds, n=10, method="inclusive") if len(seconds) > 1 else [seconds[0]] * 9
    return {
        "count": len(seconds),
        "median": median(seconds),
        "nine_of_ten": tenths[-1],
        "most": max(seconds),
        "soon": sum(second <= _SOON_S for second in seconds),
    }

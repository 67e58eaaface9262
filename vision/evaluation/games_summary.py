"""Tables of scores of reviewed games, as Markdown and as plain values for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from vision.evaluation.games import METRICS, GameScore, Share
from vision.evaluation.summary import wilson

__all__ = ["GameTotals", "games_json", "games_summary"]


class GameTotals:
    """Sums over games."""

    def __init__(self, scores: Sequence[GameScore]) -> None:
        """Add up the scores."""
        self.games = len(scores)
        self.failed = sum(score.error is not None for score in scores)
        self.true = sum(score.true for score in scores)
        self.found = sum(score.found for score in scores)
        self.paired = sum(score.paired for score in scores)
        self.phantom_fouls = sum(score.phantom_fouls for score in scores)
        self.watched_s = sum(score.watched_s for score in scores)
        self.decoding_s = sum(score.decoding_s for score in scores)
        self.processing_s = sum(score.processing_s for score in scores)
        self.shares = {
            metric: sum((score.shares.get(metric, Share()) for score in scores), Share()) for metric in METRICS
        }

    @property
    def f1(self) -> float:
        """F1 of the turns found: 2 * paired / (true + found)."""
        whole = self.true + self.found
        return 2 * self.paired / whole if whole else 1.0

    @property
    def times_real_time(self) -> float | None:
        """Seconds of recording a second of processing, decoding apart; None where nothing was timed."""
        return self.watched_s / self.processing_s if self.processing_s > 0 else None

    @property
    def times_with_decoding(self) -> float | None:
        """The same with decoding."""
        both = self.processing_s + self.decoding_s
        return self.watched_s / both if both > 0 else None

    def plain(self) -> dict[str, Any]:
        """Return the sums as plain values."""
        return {
            "games": self.games,
            "failed": self.failed,
            "turns": {
                "true": self.true,
                "found": self.found,
                "paired": self.paired,
                "f1": self.f1,
                "recall_95": list(wilson(self.paired, self.true)),
                "precision_95": list(wilson(self.paired, self.found)),
            },
            "shares": {
                metric: {
                    "count": share.count,
                    "of": share.of,
                    "share": share.count / share.of if share.of else None,
                    "interval_95": list(wilson(share.count, share.of)),
                }
                for metric, share in self.shares.items()
            },
            "phantom_fouls": self.phantom_fouls,
            "watched_s": self.watched_s,
            "decoding_s": self.decoding_s,
            "processing_s": self.processing_s,
            "times_real_time": self.times_real_time,
            "times_with_decoding": self.times_with_decoding,
        }


def _groups(scores: Sequence[GameScore]) -> dict[str, list[GameScore]]:
    """All games, then by kind, then by difficulty; a group that is all of them is left out."""
    groups: dict[str, list[GameScore]] = {"all": list(scores)}
    for of in ("kind", "difficulty"):
        for value in sorted({str(getattr(score, of)) for score in scores}):
            group = [score for score in scores if getattr(score, of) == value]
            if len(group) < len(scores):
                groups[f"{of} {value}"] = group
    return groups


def games_json(scores: Sequence[GameScore]) -> dict[str, Any]:
    """Return everything measured as plain values: sums by group, and every game with its failures."""
    return {
        "groups": {name: GameTotals(group).plain() for name, group in _groups(scores).items()},
        "games": [{**asdict(score), "f1": score.f1} for score in scores],
    }


def games_summary(scores: Sequence[GameScore]) -> str:
    """Return the summary as Markdown: a table with counts and 95 % intervals, then every failure."""
    groups = {name: GameTotals(group) for name, group in _groups(scores).items()}
    lines = ["| | " + " | ".join(groups) + " |", "|---|" + "---|" * len(groups)]

    def row(title: str, cells: Sequence[str]) -> None:
        lines.append(f"| {title} | " + " | ".join(cells) + " |")

    row("games", [str(one.games) for one in groups.values()])
    row("true turns", [str(one.true) for one in groups.values()])
    row("turns found: F1", [f"{one.f1:.4f}" for one in groups.values()])
    row("turns found: recall", [_share(Share(one.paired, one.true)) for one in groups.values()])
    row("turns found: precision", [_share(Share(one.paired, one.found)) for one in groups.values()])
    for metric, title in METRICS.items():
        row(title, [_share(one.shares[metric]) for one in groups.values()])
    row("made-up turns called illegal", [str(one.phantom_fouls) for one in groups.values()])
    row("times real time, decoding apart", [_times(one.times_real_time) for one in groups.values()])
    row("times real time, with decoding", [_times(one.times_with_decoding) for one in groups.values()])
    failures = [failure for score in scores for failure in score.failures]
    if any(score.error for score in scores):
        lines += ["", "Not reviewed:", ""]
        lines += [f"- {score.game}: {score.error}" for score in scores if score.error]
    if failures:
        lines += ["", "| game | turn | found as | ends at | what is wrong |", "|---|---|---|---|---|"]
        for one in failures:
            turn, found = ("-" if number is None else str(number) for number in (one.turn, one.found))
            # A table's bars would end the cell.
            what = "; ".join(one.what).replace("|", "/")
            lines.append(f"| {one.game} | {turn} | {found} | {one.t_s:.1f} s | {what} |")
    return "\n".join(lines) + "\n"


def _share(share: Share) -> str:
    if not share.of:
        return "-"
    low, high = wilson(share.count, share.of)
    return f"{share.count / share.of:.1%} ({share.count} of {share.of}; {low:.1%} to {high:.1%})"


def _times(times: float | None) -> str:
    return "-" if times is None else f"{times:.1f}"

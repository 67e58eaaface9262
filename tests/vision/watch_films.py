"""Films watched once and refereed as often as one likes: what the watcher hands to the turns, kept on disk.

``python tests/vision/watch_films.py watch GAMES KEPT [NAME ...]`` watches the recorded games of a folder, two
at a time, and keeps for each what its turn keeper was told, without pictures. ``... again KEPT [NAME ...]``
tells a new keeper the same, in a second or two a game, and prints what ``tileref evaluate --games`` would.
``... trace KEPT NAME FROM_S TO_S`` prints what the keeper is told and says between two times.

What is kept depends on the reader, the pool and the gate of its time, and on the looks that its keeper wanted:
a change to those has to be watched anew.
"""

from __future__ import annotations

import gzip
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from datasets.games.write import load_game
from vision.evaluation.games import GameScore, score_game
from vision.evaluation.games_run import GamesOptions, evaluate_games
from vision.evaluation.games_summary import games_summary
from vision.review.turn import reviewed
from vision.review.work import ReviewSettings
from vision.watch import watcher as watcher_room
from vision.watch.reach import Reach
from vision.watch.seats import SeatPlaces
from vision.watch.sight import Sight
from vision.watch.turns import TurnKeeper
from vision.watch.types import TableSeen, TurnEnded, WatchEvent

__all__ = ["again", "watched"]

_TOLD = (
    "saw", "moves", "tick", "signal", "finish", "reaching", "reached", "left_to_next", "stirred_unseen",
)  # fmt: skip
"""What a watcher tells its keeper."""
_OFTEN = ("tick", "reaching")
"""What is told at every picture."""


@dataclass
class _Kept:
    """The calls in their order; one that is made by another is none of its own."""

    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    within: bool = False
    begun: tuple[Any, Any] | None = None


def _keeping(kept: _Kept, name: str, plain: Any) -> Any:
    def call(self: Any, *args: Any, **named: Any) -> Any:
        if kept.within:
            return plain(self, *args, **named)
        bare = tuple(replace(one, image_bgr=None) if isinstance(one, Sight) else one for one in args)
        kept.calls.append((name, bare, named))
        kept.within = True
        try:
            return plain(self, *args, **named)
        finally:
            kept.within = False

    return call


def watched(folder: Path, out: Path) -> GameScore:
    """Watch one game as ``tileref evaluate --games`` does, keep what its turns were told, return its score."""
    kept = _Kept()

    def begun(self: Any, setup: Any, timing: Any, *rest: Any) -> None:
        kept.begun = (setup, timing)
        kept.within = True
        TurnKeeper.__init__(self, setup, timing, *rest)
        kept.within = False

    keeping = {name: _keeping(kept, name, getattr(TurnKeeper, name)) for name in _TOLD}
    keeper = type("Keeper", (TurnKeeper,), {"__init__": begun, **keeping})
    places = type("Places", (SeatPlaces,), {"forget": _keeping(kept, "forget", SeatPlaces.forget)})
    settings = ReviewSettings()
    options = GamesOptions(replace(settings, read=replace(settings.read, threads=1)))
    with patch.multiple(watcher_room, TurnKeeper=keeper, SeatPlaces=places):
        (score,) = evaluate_games(folder, options)
    out.mkdir(parents=True, exist_ok=True)
    with gzip.open(out / f"{folder.name}.pkl.gz", "wb", compresslevel=3) as file:
        pickle.dump((str(folder.resolve()), kept.begun, kept.calls), file)
    return score


def again(path: Path, trace_s: tuple[float, float] | None = None) -> GameScore:
    """Referee a game again from what was kept of it."""
    with gzip.open(path) as file:
        folder, (setup, timing), calls = pickle.load(file)
    said: list[WatchEvent] = []
    places = SeatPlaces(len(setup.players))
    keeper = TurnKeeper(setup, timing, (), places)
    now_s = 0.0
    for name, args, named in calls:
        now_s = args[0] if name == "tick" else now_s
        answer = getattr(places if name == "forget" else keeper, name)(*args, **named) or []
        said += answer
        if trace_s is not None and trace_s[0] <= now_s <= trace_s[1] and (name not in _OFTEN or answer):
            told = "; ".join(map(_short, args))
            sys.stdout.write(f"{now_s:8.2f} {name} {told} {keeper.state}\n")
            sys.stdout.writelines(
                f"{'':9}-> {_short(one)}\n" for one in answer if not isinstance(one, TableSeen)
            )
    records = [one.record for one in said if isinstance(one, TurnEnded)]
    found = [reviewed(one, setup.players, setup.rules, number=number) for number, one in enumerate(records, 1)]
    game = load_game(Path(folder))
    return score_game(game.name, game.recording.kind, game.difficulty, game.turns, found)


def _short(one: object) -> str:
    """Return what an argument or an event says, in one line."""
    match one:
        case Sight(lying=lying):
            lies = f"{lying.table} backs {lying.backs} taken {lying.taken}"
            return f"{lies}{'' if one.clear else ' NOT CLEAR'} still {one.still_since_s:.2f} look {one.looks}"
        case Reach():
            way = "nowhere" if one.from_rad is None else f"{one.from_rad:.2f}"
            return f"{one.begin_s:.2f} to {one.end_s:.2f} from {way}, arms {len(one.arms)}"
        case TurnEnded(record=record):
            faults = [str(said) for said in (*record.problems, *record.questions)]
            return (
                f"TURN {record.turn} {record.seat} {record.action} {record.end_s:.2f} {record.verdict} {faults}"
            )
    return str(one)[:200]


def _main(what: str, folder: Path, *rest: str) -> None:
    if what == "watch":
        out, names = Path(rest[0]), rest[1:]
        games = [path.parent for path in sorted(folder.rglob("game.json"))]
        games = [game for game in games if not names or game.name in names]
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
            scores = list(workers.map(watched, games, [out] * len(games)))
    elif what == "again":
        paths = sorted(folder.glob("*.pkl.gz"))
        scores = [again(path) for path in paths if not rest or path.name.split(".")[0] in rest]
    else:
        name, from_s, to_s = rest
        scores = [again(folder / f"{name}.pkl.gz", (float(from_s), float(to_s)))]
    sys.stdout.write(games_summary(scores))


if __name__ == "__main__":
    _main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])

"""Review recorded games as a user would, and measure what comes out."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

from datasets.games.write import RecordedGame, RecordedGameError, load_game, load_games
from referee import Inventory, RefereeError
from vision.errors import VisionError
from vision.evaluation.games import GameScore, score_game
from vision.evaluation.run import EvaluationError
from vision.picture_reader import PictureReader
from vision.reader import Reader
from vision.readings import as_corners
from vision.review.run import ReviewJob
from vision.review.signals import read_signals
from vision.review.turn import ReviewedTurn
from vision.review.work import Listener, ReviewSettings, Work, do_work
from vision.settings import ReadSettings
from vision.watch.setup import WatchSetup

__all__ = ["GamesOptions", "evaluate_games", "game_setup", "games_in"]


@dataclass(frozen=True, slots=True)
class GamesOptions:
    """How recorded games are reviewed."""

    settings: ReviewSettings = field(default_factory=ReviewSettings)
    """Values in force."""
    weights: Path | None = None
    """The models' folder; None for the shipped ones."""
    with_signals: bool = True
    """Whether the watching is told what the players pressed."""
    with_area: bool = False
    """Whether it is told which part of the picture is the table."""
    keep: Path | None = None
    """Where every game's review is kept; None to throw them away."""


def evaluate_games(
    folder: Path,
    options: GamesOptions | None = None,
    *,
    jobs: int = 1,
    told: Callable[[GameScore], None] = lambda score: None,
) -> tuple[GameScore, ...]:
    """Review and measure every recorded game in ``folder``, which is one itself or holds many.

    Args:
        folder: see ``datasets.games.write``.
        options: how to review them.
        jobs: how many games at a time, each in a process of its own; 1 stays in this one.
        told: called after each game, in the order in which they are done.

    Returns:
        The scores, by the games' names; one that cannot be reviewed carries its error, and all of its turns
        count as missed.

    Raises:
        EvaluationError: there is no recorded game, or one cannot be used.
    """
    options = options or GamesOptions()
    names, games = zip(*games_in(folder), strict=True)
    if jobs == 1 or len(games) == 1:
        scores = []
        for game, name in zip(games, names, strict=True):
            scores.append(_evaluated(game, name, options))
            told(scores[-1])
        return tuple(scores)
    # The networks take one core each; a fork would share their threads.
    read = options.settings.read
    if not read.threads:
        options = replace(options, settings=replace(options.settings, read=replace(read, threads=1)))
    by_name: dict[str, GameScore] = {}
    with ProcessPoolExecutor(min(jobs, len(games)), mp_context=get_context("spawn")) as workers:
        running = {
            workers.submit(_evaluated, game, name, options): (game, name)
            for game, name in zip(games, names, strict=True)
        }
        for done in as_completed(running):
            defect = done.exception()
            # A defect met in one game must not lose the hours spent on the others.
            score = done.result() if defect is None else _missed(*running[done], f"a defect: {defect!r}")
            by_name[score.game] = score
            told(score)
    return tuple(by_name[name] for name in names)


def games_in(folder: Path) -> list[tuple[str, RecordedGame]]:
    """Return every recorded game in a folder, which is one itself or holds many, by name.

    EvaluationError where there is none, or one cannot be used.
    """
    try:
        games = (load_game(folder),) if (folder / "game.json").is_file() else load_games(folder)
    except RecordedGameError as error:
        sentence = str(error)
        raise EvaluationError(f"{sentence[:1].upper()}{sentence[1:]}.") from error
    return [(_name(game, folder), game) for game in games]


def game_setup(game: RecordedGame, *, with_area: bool = False) -> WatchSetup:
    """Return what is agreed before the watching of a game; RefereeError where it cannot be played."""
    area = game.recording.area_xy_px if with_area else None
    return WatchSetup(
        players=game.players,
        edition=game.edition,
        turn_seconds=None if game.turn_seconds is None else round(game.turn_seconds),
        area_xy_px=None if area is None else as_corners(area),
        opened=tuple(game.opened) if game.middle_game and game.opened else None,
        rack_sizes=tuple(game.rack_sizes) if game.middle_game and game.rack_sizes else None,
    )


def _name(game: RecordedGame, folder: Path) -> str:
    """The game's place below the folder: names alone may come twice."""
    below = game.folder.relative_to(folder).as_posix()
    return game.name if below == "." else below


@dataclass(frozen=True, slots=True)
class _ReaderFrom:
    """Builds a reader with other weights; unlike a closure, it can be sent to another process."""

    weights: Path

    def __call__(self, settings: ReadSettings, inventory: Inventory) -> PictureReader:
        return Reader.load(settings, inventory, self.weights)


def _evaluated(game: RecordedGame, name: str, options: GamesOptions) -> GameScore:
    with tempfile.TemporaryDirectory(prefix="tileref-") as scratch:
        place = Path(scratch) if options.keep is None else options.keep / re.sub(r"[^\w.-]", "_", name)
        found: list[ReviewedTurn] = []
        try:
            setup = game_setup(game, with_area=options.with_area)
            path = game.signals_path if options.with_signals else None
            signals = () if path is None else read_signals(path)
            job = ReviewJob(str(game.source), place, setup, signals, fresh=True)
            work = Work(job, options.settings)
            if options.weights is not None:
                work = replace(work, make_reader=_ReaderFrom(options.weights))
            summary = do_work(work, Listener(turn=found.append))
        except (VisionError, RefereeError) as error:
            return _missed(game, name, str(error))
        score = score_game(name, game.recording.kind, game.difficulty, game.turns, found)
        return replace(
            score,
            watched_s=summary.watched_s,
            decoding_s=summary.decoding_s,
            processing_s=summary.processing_s,
        )


def _missed(game: RecordedGame, name: str, error: str) -> GameScore:
    return replace(score_game(name, game.recording.kind, game.difficulty, game.turns, ()), error=error)

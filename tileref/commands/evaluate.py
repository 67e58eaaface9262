"""Measure the reading on labelled photographs, or the watching on recorded games.

The folder holds images/NAME.jpg, labels/NAME.txt (class x1 y1 x2 y2 ..., in
fractions) and classes.txt, or a truth.jsonl that also says which way is up and
which tiles form sets. It needs a clone of the repository: what reads labels is
not installed with the program. --rendered measures on pictures made for it,
--games on recorded games with their truth: turns found, tiles played, verdicts.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tileref.clone import ROOT
from tileref.record import Figure, What, add_record, keep_record
from tileref.session import Session
from tileref.status import Status
from vision.errors import VisionError
from vision.picture import Picture
from vision.readings import PhotoReading

if TYPE_CHECKING:
    from vision.evaluation.games import GameScore
    from vision.evaluation.negatives import NegativeScore
    from vision.evaluation.run import Outcome
    from vision.evaluation.score import PictureScore

_PARTS = ("all", "train", "test")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", type=Path, metavar="FOLDER", nargs="?", help="labelled photographs")
    what.add_argument(
        "--rendered",
        type=_count,
        metavar="N",
        help="N rendered pictures of designs kept out of training instead",
    )
    what.add_argument(
        "--games", type=Path, metavar="DIR", help="recorded games instead: a folder that is one, or holds many"
    )
    parser.add_argument(
        "--negatives",
        type=_count,
        metavar="N",
        help="with --rendered, also N pictures of dominoes, dice and the like, where every find is false",
    )
    parser.add_argument(
        "--weights", type=Path, metavar="DIR", help="measure the models in DIR instead of the shipped ones"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="write what was measured there, and what became of every tile, by design, size and blur",
    )
    parser.add_argument(
        "--gallery",
        type=Path,
        metavar="DIR",
        help="write contact sheets of the failures there, one a kind, and what became of every tile",
    )
    parser.add_argument("--split", choices=_PARTS, default="all", help="only this part of the photographs")
    parser.add_argument(
        "--limit", type=_count, metavar="N", help="at most so many photographs, spread over all of them"
    )
    parser.add_argument("--truth", type=Path, metavar="FILE", help="a truth text instead of the folder's own")
    add_record(parser)
    games = parser.add_argument_group("recorded games")
    games.add_argument("--jobs", type=_count, default=1, metavar="N", help="how many games at a time (1)")
    games.add_argument("--no-signals", action="store_true", help="do not tell what the players pressed")
    games.add_argument("--tell-area", action="store_true", help="tell which part of the picture is the table")
    games.add_argument("--keep", type=Path, metavar="DIR", help="keep every game's review there")
    games.add_argument(
        "--live",
        type=_count,
        nargs="?",
        const=24 * 3600,
        metavar="SECONDS",
        help="instead, play them as a camera would show them (the first SECONDS of each), "
        "and measure how soon verdicts stand",
    )


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Measure, print the summary and write what was asked for."""
    if arguments.negatives is not None and arguments.rendered is None:
        raise VisionError("--negatives goes with --rendered only, because its pictures are rendered.")
    if arguments.live is not None and arguments.games is None:
        raise VisionError("--live goes with --games only, because it plays recorded games.")
    if arguments.live is not None and arguments.jobs > 1:
        raise VisionError("--live watches one game at a time: another beside it would make its verdicts late.")
    _look_in_this_clone()
    if arguments.games is not None:
        return _run_live(arguments, session) if arguments.live is not None else _run_games(arguments, session)
    try:
        from vision.evaluation.gallery import Gallery
        from vision.evaluation.negatives import negatives_summary, score_negatives, write_negatives
        from vision.evaluation.rendered import negative_pictures, rendered_pictures
        from vision.evaluation.run import evaluate_folder, evaluate_pictures
    except ModuleNotFoundError as error:
        return _only_in_a_clone(error, session)
    _take_weights(arguments, session)
    gallery = Gallery() if arguments.gallery is not None or arguments.out is not None else None

    def told(score: PictureScore) -> None:
        if score.error:
            session.complain(score.error)
        session.remark(f"{score.name}: {score.right} of {score.true} tiles right, {score.false} false.")

    def told_negative(score: NegativeScore) -> None:
        session.remark(f"{score.name} ({', '.join(score.kinds)}): {score.finds} false.")

    def read(picture: Picture) -> PhotoReading:
        return session.reader().read(picture)

    if arguments.rendered is not None:
        pictures = rendered_pictures(arguments.rendered)
        outcome = evaluate_pictures(pictures, read, gallery, told, place=lambda p: p.kind)
    else:
        outcome = evaluate_folder(
            arguments.folder,
            read,
            truth=arguments.truth,
            split=None if arguments.split == "all" else arguments.split,
            limit=arguments.limit,
            gallery=gallery,
            told=told,
        )
    sys.stdout.write(outcome.summary)
    figures = reading_figures(outcome.scores)
    negatives = score_negatives(negative_pictures(arguments.negatives or 0), read, told_negative)
    if negatives:
        sys.stdout.write(negatives_summary(negatives))
        figures["false finds on look-alikes"] = f"{sum(s.finds for s in negatives)} in {len(negatives)}"
        figures["look-alikes, nothing found"] = f"{sum(not s.finds for s in negatives)} of {len(negatives)}"
    what: What = "photographs" if arguments.rendered is None else "rendered"
    keep_record(arguments, session, what, figures)
    try:
        if arguments.out is not None:
            outcome.write(arguments.out)
            if negatives:
                write_negatives(negatives, arguments.out / "negatives.csv")
        if gallery is not None and arguments.out is not None:
            gallery.failures.write(arguments.out)
        if gallery is not None and arguments.gallery is not None:
            gallery.write(arguments.gallery)
    except OSError as error:
        raise VisionError(f"{error.filename} cannot be written: {error.strerror}.") from error
    return _status(outcome)


def _run_games(arguments: argparse.Namespace, session: Session) -> Status:
    """Measure the watching on recorded games."""
    try:
        from vision.evaluation.games_run import GamesOptions, evaluate_games
        from vision.evaluation.games_summary import games_json, games_summary
    except ModuleNotFoundError as error:
        return _only_in_a_clone(error, session)
    options = GamesOptions(
        session.settings.for_review(),
        arguments.weights,
        with_signals=not arguments.no_signals,
        with_area=arguments.tell_area,
        keep=arguments.keep,
    )

    def told(score: GameScore) -> None:
        if score.error:
            session.complain(f"{score.game}: {score.error}")
        session.remark(f"{score.game}: {score.paired} of {score.true} turns found, F1 {score.f1:.3f}.")

    scores = evaluate_games(arguments.games, options, jobs=arguments.jobs, told=told)
    text = games_summary(scores)
    sys.stdout.write(text)
    keep_record(arguments, session, "games", watching_figures(games_json(scores)))
    _write(arguments.out, "games", text, games_json(scores))
    return Status.UNUSABLE if any(score.error for score in scores) else Status.FINE


def _run_live(arguments: argparse.Namespace, session: Session) -> Status:
    """Measure how soon verdicts stand while recorded games are played in their own time."""
    try:
        from vision.evaluation.games_run import games_in
        from vision.evaluation.live import LiveTiming, watch_live
        from vision.evaluation.live_summary import live_json, live_summary
    except ModuleNotFoundError as error:
        return _only_in_a_clone(error, session)
    _take_weights(arguments, session)
    timings: list[LiveTiming] = []
    for name, game in games_in(arguments.games):
        timing = watch_live(
            game,
            name,
            session.settings.for_review(),
            to_s=float(arguments.live),
            make_reader=session.make_reader,
            with_signals=not arguments.no_signals,
            with_area=arguments.tell_area,
        )
        timings.append(timing)
        if timing.error:
            session.complain(f"{name}: {timing.error}")
        session.remark(f"{name}: {len(timing.buttons) + len(timing.told) + len(timing.by_itself)} verdicts.")
    text = live_summary(timings)
    sys.stdout.write(text)
    _write(arguments.out, "live", text, live_json(timings))
    return Status.UNUSABLE if any(timing.error for timing in timings) else Status.FINE


def _take_weights(arguments: argparse.Namespace, session: Session) -> None:
    """Read with the models that were asked for."""
    if arguments.weights is not None:
        from vision.reader import Reader

        session.make_reader = lambda settings, box: Reader.load(settings, box, arguments.weights)


def _write(folder: Path | None, name: str, text: str, measured: Mapping[str, Any]) -> None:
    """Write what was measured, for people and for programs, where that was asked for."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
        plain = json.dumps(measured, indent=1, ensure_ascii=False, allow_nan=False)
        (folder / f"{name}.json").write_text(plain + "\n", encoding="utf-8")
    except OSError as error:
        raise VisionError(f"{error.filename} cannot be written: {error.strerror}.") from error


def reading_figures(scores: Sequence[PictureScore]) -> dict[str, Figure]:
    """Return what the record keeps of a measurement of reading."""
    from vision.evaluation.summary import Totals

    total = Totals(scores)

    def of(right: int, among: int) -> str:
        return f"{right} of {among}"

    return {
        "pictures": len(total.scores),
        "tiles": total.true,
        "F1": None if math.isnan(total.f1) else round(total.f1, 5),
        "F1 sure": None if math.isnan(total.f1_sure) else round(total.f1_sure, 5),
        "every tile right": of(sum(s.all_tiles_right for s in total.with_tiles), len(total.with_tiles)),
        "every set right": of(sum(s.all_sets_right for s in total.tables), len(total.tables)),
        "wrong, unflagged": total.wrong_sure,
        "doubts": total.doubts,
    }


def watching_figures(measured: Mapping[str, Any]) -> dict[str, Figure]:
    """Return what the record keeps of a measurement of watching."""
    everything = measured["groups"]["all"]
    shares = {name: f"{share['count']} of {share['of']}" for name, share in everything["shares"].items()}
    found = everything["turns"]
    return {
        "games": everything["games"],
        "turns": found["true"],
        "F1": round(found["f1"], 5),
        **shares,
        "made-up fouls": everything["phantom_fouls"],
        "times real time": None if (times := everything["times_real_time"]) is None else round(times, 2),
    }


def _look_in_this_clone() -> None:
    """Make the clone's ``datasets`` importable: an editable installation knows the shipped packages only."""
    if (ROOT / "datasets" / "__init__.py").is_file() and str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))


def _only_in_a_clone(error: ModuleNotFoundError, session: Session) -> Status:
    """Say that the wheel carries no datasets; there is also another project's package of that name."""
    if (error.name or "").split(".")[0] != "datasets":
        raise error
    session.complain(
        "'tileref evaluate' works only in a clone of the repository, because what reads labelled "
        "photographs is not installed with the program."
    )
    return Status.UNUSABLE


def _status(outcome: Outcome) -> Status:
    return Status.UNUSABLE if any(score.error for score in outcome.scores) else Status.FINE


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no such number: write 1 or more")
    return number

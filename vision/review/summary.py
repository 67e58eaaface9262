"""What a whole review comes to: counts, times, and as much of the score as the log tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee import Replay
from vision.review.folder import Notice, ReviewState
from vision.review.turn import ReviewedTurn
from vision.watch.setup import WatchSetup

__all__ = ["PlayerSummary", "Summary", "summarise"]


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """One player's game."""

    name: str
    """The player."""
    turns: int
    """Turns that were taken; a put-back is none."""
    tiles: int
    """Tiles that came to the table in turns that count."""
    opening_points: int | None
    """What the opening was worth; None where none counted."""
    opening_turn: int | None
    """The turn of the opening."""
    draws: int
    """Turns in which a tile was drawn."""
    passes: int
    """Turns that were passed."""
    fouls: int
    """Turns with a sure fault."""
    questions: int
    """Turns with an open question."""
    seconds: float
    """Time in all."""
    longest_s: float
    """The longest turn."""
    score: int | None = None
    """Points of the game; None where the racks are not known."""

    @property
    def mean_s(self) -> float:
        """Time a turn."""
        return self.seconds / self.turns if self.turns else 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """One review."""

    recording: str
    """The recording as given."""
    finished: bool
    """True where it was looked at to its end."""
    turns: int
    """Turns found, put-backs included."""
    fouls: int
    """Turns with a sure fault."""
    questions: int
    """Turns with an open question."""
    players: tuple[PlayerSummary, ...]
    """By seat."""
    winner: str | None
    """Who went out or won; None where nobody did, or that is not known."""
    duration_s: float | None
    """Length of the recording as its file tells."""
    reached_s: float
    """How far it was looked at."""
    frames: int
    """Frames looked at."""
    watched_s: float
    """Seconds of recording looked at."""
    decoding_s: float
    """Time spent on decoding."""
    processing_s: float
    """Time spent on everything else."""
    notices: tuple[Notice, ...]
    """What source and watching had to say."""

    @property
    def cut_off(self) -> bool:
        """True for a recording that ends in the middle."""
        return any(notice.code == "cut-off" for notice in self.notices)

    @property
    def times_real_time(self) -> float | None:
        """Seconds of recording a second of processing, decoding apart."""
        return self.watched_s / self.processing_s if self.processing_s > 0 else None

    def line(self) -> dict[str, Any]:
        """Return the object that ``--json`` prints last; keys and their order are a contract."""
        speed = self.times_real_time
        return {
            "summary": {
                "recording": self.recording,
                "finished": self.finished,
                "cut_off": self.cut_off,
                "turns": self.turns,
                "fouls": self.fouls,
                "questions": self.questions,
                "winner": self.winner,
                "players": [
                    {
                        "player": player.name,
                        "turns": player.turns,
                        "tiles": player.tiles,
                        "opening_points": player.opening_points,
                        "draws": player.draws,
                        "passes": player.passes,
                        "fouls": player.fouls,
                        "seconds": round(player.seconds, 1),
                        "score": player.score,
                    }
                    for player in self.players
                ],
                "video_s": None if self.duration_s is None else round(self.duration_s, 3),
                "reached_s": round(self.reached_s, 3),
                "frames": self.frames,
                "decoding_s": round(self.decoding_s, 3),
                "processing_s": round(self.processing_s, 3),
                "times_real_time": None if speed is None else round(speed, 2),
                "notices": [
                    {"t_s": round(notice.t_s, 3), "code": notice.code, "message": notice.message}
                    for notice in self.notices
                ],
            }
        }


def summarise(state: ReviewState, setup: WatchSetup, kept: Replay) -> Summary:
    """Sum a review up; ``kept`` is its log, gone through."""
    result = kept.state.results[-1] if kept.state.results else None
    out = result.winner if result is not None else kept.state.out
    players = tuple(
        _player(
            name, [turn for turn in state.turns if turn.seat == seat], result.scores[seat] if result else None
        )
        for seat, name in enumerate(setup.players)
    )
    return Summary(
        recording=state.recording,
        finished=state.finished,
        turns=len(state.turns),
        fouls=sum(turn.verdict == "illegal" for turn in state.turns),
        questions=sum(turn.verdict == "ask" for turn in state.turns),
        players=players,
        winner=None if out is None else setup.players[out],
        duration_s=state.duration_s,
        reached_s=state.reached_s,
        frames=state.frames,
        watched_s=state.watched_s,
        decoding_s=state.decoding_s,
        processing_s=state.processing_s,
        notices=tuple(state.notices),
    )


def _player(name: str, turns: list[ReviewedTurn], score: int | None) -> PlayerSummary:
    own = [turn for turn in turns if turn.action != "put-back"]
    counted = [turn for turn in own if turn.verdict != "illegal"]
    opening = next((turn for turn in counted if turn.opening_points is not None), None)
    return PlayerSummary(
        name=name,
        turns=len(own),
        tiles=sum(len(turn.played) for turn in counted),
        opening_points=None if opening is None else opening.opening_points,
        opening_turn=None if opening is None else opening.turn,
        draws=sum(turn.action == "draw" for turn in own),
        passes=sum(turn.action == "pass" for turn in own),
        fouls=sum(turn.verdict == "illegal" for turn in turns),
        questions=sum(turn.verdict == "ask" for turn in turns),
        seconds=sum(turn.seconds for turn in turns),
        longest_s=max((turn.seconds for turn in turns), default=0.0),
        score=score,
    )

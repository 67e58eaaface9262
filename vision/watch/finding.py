"""What is found of a turn: legal, illegal or to be asked, with the tiles it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee import Problem, Question, SeenTile, TurnJudgement, Verdict

__all__ = ["Finding"]

_FOULS_PERHAPS = frozenset({"drew-first?", "has-opened?", "whose-turn?", "really-so?"})
"""Questions about a table that was a foul if the answer is no."""
_GONE = frozenset({"tile-vanished", "joker-pocketed"})
"""Faults of whoever has taken tiles away."""
_MISFITS = frozenset({"numbers-differ", "mixed-colours"})
"""Faults of sets with a tile that no further one makes right."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is to be said of a turn."""

    verdict: Verdict
    """Legal, illegal, ask."""
    problems: tuple[Problem, ...] = ()
    """Sure faults."""
    questions: tuple[Question, ...] = ()
    """What only the players can settle."""
    played: tuple[SeenTile, ...] = ()
    """Tiles that came to the table."""
    gone: tuple[SeenTile, ...] = ()
    """Tiles that left it."""
    opening_points: int | None = None
    """What an opening counts; None for any other turn."""

    @property
    def _wrong(self) -> frozenset[str]:
        """Codes of the sure faults."""
        return frozenset(problem.code for problem in self.problems)

    @property
    def is_half_done(self) -> bool:
        """True where sets are torn apart, and no tile was laid or taken: somebody is thinking."""
        torn = self._wrong - {"nothing-played"}
        return bool(torn) and not self.played and not self.gone

    @property
    def is_only_rearranged(self) -> bool:
        """True where all that is wrong is that no tile was laid: sets are whole, and otherwise than before."""
        return self._wrong == {"nothing-played"}

    @property
    def is_begun(self) -> bool:
        """True where tiles were laid, and all that is wrong is about sets that want more of them."""
        if self.asks_only("goes-beyond?"):
            return bool(self.played)
        few = {tile for problem in self.problems if problem.code == "too-few" for tile in problem.tiles}
        rest = (problem for problem in self.problems if problem.code not in ("too-few", "opening-too-low"))
        about_these = all(problem.tiles and few.issuperset(problem.tiles) for problem in rest)
        return bool(self.played) and bool(few) and about_these

    @property
    def is_theft(self) -> bool:
        """True where all that is wrong is that tiles of the table are gone."""
        return bool(self._wrong & _GONE) and self._wrong <= {*_GONE, "nothing-played"}

    @property
    def is_low_opening(self) -> bool:
        """True where all that is wrong is that an opening is worth too little: more of it may come."""
        return self._wrong == {"opening-too-low"} and bool(self.played)

    @property
    def misfits(self) -> frozenset[SeenTile]:
        """Tiles of the same set as others that they never fit, and that were laid in this turn."""
        odd = (tile for problem in self.problems if problem.code in _MISFITS for tile in problem.tiles)
        return frozenset(odd) & frozenset(self.played)

    @property
    def may_be_foul(self) -> bool:
        """True where a question tells whether it was a foul, however surely all tiles were read."""
        return any(question.code in _FOULS_PERHAPS for question in self.questions)

    @property
    def is_after_drawing(self) -> bool:
        """True where the fault is to have played after a draw."""
        return "played-after-drawing" in self._wrong

    @property
    def is_no_opening(self) -> bool:
        """True where the only fault is that its player had not opened before, or not with enough."""
        return self.verdict == "illegal" and self._wrong <= {"opening-too-low", "built-before-opening"}

    @classmethod
    def of(cls, judged: TurnJudgement) -> Finding:
        """Return what ``referee`` says."""
        return cls(
            judged.verdict, judged.problems, judged.questions, judged.played, judged.gone, judged.opening_points
        )

    @property
    def at_fault(self) -> tuple[SeenTile, ...]:
        """The tiles of all that is wrong, each once."""
        return tuple(dict.fromkeys(tile for problem in self.problems for tile in problem.tiles))

    def asks_only(self, code: str) -> bool:
        """True where this is all there is to ask."""
        return self.verdict == "ask" and {question.code for question in self.questions} == {code}

    @property
    def unclear(self) -> Finding:
        """The same as a question whether it is so, where it was a fault: nobody is accused in doubt."""
        if self.verdict != "illegal":
            return self
        return self.asking(Question("really-so?", (*self.gone, *self.played), ("yes", "no")))

    def asking(self, *questions: Question) -> Finding:
        """Return the same turn as a question: nobody is accused."""
        return replace(self, verdict="ask", problems=(), questions=(*self.questions, *questions))

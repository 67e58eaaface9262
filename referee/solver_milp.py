"""An integer programme, and HiGHS behind it: the one place that sees ``highspy``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import mul
from types import MappingProxyType
from typing import Final, Literal

import highspy

from referee.errors import RefereeError

__all__ = ["Programme", "Solution", "SolverFailure"]

_BIG: Final = highspy.kHighsInf


_PLAIN: Final[Mapping[str, bool | float | str]] = MappingProxyType(
    {
        "presolve": "off",
        "mip_detect_symmetry": False,
        "mip_heuristic_effort": 0.0,
        "mip_heuristic_run_feasibility_jump": False,
        "mip_heuristic_run_rens": False,
        "mip_heuristic_run_rins": False,
        "mip_heuristic_run_root_reduced_cost": False,
    }
)
"""Without these, which are for greater programmes, HiGHS is sixty times faster here."""


class SolverFailure(RefereeError):
    """HiGHS gave up for a reason that is neither the programme nor the time."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What HiGHS says."""

    status: Literal["optimal", "infeasible", "time-limit"]
    """Proved best (or found, where any will do); proved impossible; or stopped by the clock."""
    values: tuple[int, ...] | None
    """The value of every variable, in the order of their making; None where none are known."""
    cost: int | None
    """What they cost together."""


class Programme:
    """Integer variables, linear rows, and a linear cost to be made small."""

    def __init__(self) -> None:
        self._cost: list[float] = []
        self._upper: list[float] = []
        self._rows: list[tuple[float, float, Mapping[int, float]]] = []

    def variable(self, upper: int, cost: float = 0) -> int:
        """Add an integer from 0 to ``upper``, and return its number."""
        self._cost.append(cost)
        self._upper.append(upper)
        return len(self._cost) - 1

    def row(
        self, terms: Mapping[int, float], *, at_least: float | None = None, at_most: float | None = None
    ) -> None:
        """Ask that the sum of ``terms`` (variable to factor) lies within the bounds."""
        low = -_BIG if at_least is None else at_least
        high = _BIG if at_most is None else at_most
        self._rows.append((low, high, terms))

    def cheaper_than(self, cost: int, *, but_at_least: int) -> None:
        """Ask for less than ``cost``, knowing that nothing is cheaper than ``but_at_least``."""
        terms = {variable: factor for variable, factor in enumerate(self._cost) if factor}
        self.row(terms, at_least=but_at_least, at_most=cost - 1)

    def solve(self, time_limit_s: float, *, any_will_do: bool = False) -> Solution:
        """Find the cheapest values, or the first that fit; SolverFailure where HiGHS cannot go on.

        One thread and a fixed seed: the same programme has the same answer every time.
        """
        if time_limit_s <= 0:
            return Solution("time-limit", None, None)
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 1)
        highs.setOptionValue("parallel", "off")
        for name, value in _PLAIN.items():
            highs.setOptionValue(name, value)
        highs.setOptionValue("mip_rel_gap", 0.0)
        highs.setOptionValue("mip_abs_gap", 0.5)  # every cost is a whole number
        highs.setOptionValue("time_limit", float(time_limit_s))
        if any_will_do:
            highs.setOptionValue("mip_max_improving_sols", 1)
        highs.passModel(self._model())
        highs.run()
        status = highs.getModelStatus()
        known = highs.getInfo().primal_solution_status == int(highspy.SolutionStatus.kSolutionStatusFeasible)
        values = tuple(round(value) for value in highs.getSolution().col_value) if known else None
        cost = None if values is None else round(sum(map(mul, self._cost, values)))
        kinds = highspy.HighsModelStatus
        if status == kinds.kInfeasible:
            return Solution("infeasible", None, None)
        if status == kinds.kOptimal or (status == kinds.kSolutionLimit and known):
            return Solution("optimal", values, cost)
        if status == kinds.kTimeLimit:
            return Solution("time-limit", values, cost)
        raise SolverFailure(f"HiGHS ended with {highs.modelStatusToString(status)}")

    def _model(self) -> highspy.HighsLp:
        model = highspy.HighsLp()
        model.num_col_ = len(self._cost)
        model.num_row_ = len(self._rows)
        model.col_cost_ = self._cost
        model.col_lower_ = [0.0] * len(self._cost)
        model.col_upper_ = self._upper
        model.integrality_ = [highspy.HighsVarType.kInteger] * len(self._cost)
        model.row_lower_ = [low for low, _, _ in self._rows]
        model.row_upper_ = [high for _, high, _ in self._rows]
        starts = [0]
        columns: list[int] = []
        factors: list[float] = []
        for _, _, terms in self._rows:
            columns += terms.keys()
            factors += terms.values()
            starts.append(len(columns))
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = starts
        model.a_matrix_.index_ = columns
        model.a_matrix_.value_ = factors
        return model

"""Pictures got ready ahead: in order, no more than fit, and nothing left running or unsaid."""

import itertools
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from vision.errors import SourceError
from vision.review.ahead import Ahead
from vision.sources.frame import Frame, SourceNotice
from vision.watch.gate import Activity


def gate(frame: Frame) -> Activity:
    return Activity(frame.t_s, False, 0.0, 0.0, False, False, 1.0, False, np.ones((1, 1), np.bool_), 1.0)


def frame(index: int, side: int = 8) -> Frame:
    return Frame.of_bgr(index, index / 30, np.zeros((side, side, 3), np.uint8))


def test_frames_and_notices_come_in_order_each_with_what_the_gate_said() -> None:
    told = SourceNotice(0.5, "black", "Nothing to see.")
    items = [frame(0), told, *(frame(at) for at in range(1, 200))]
    with Ahead(iter(items), gate) as ahead:
        came = list(ahead)
    assert [item for item, _ in came] == items
    assert all((activity is None) == (item is told) for item, activity in came)
    assert all(activity is None or activity.t_s == item.t_s for item, activity in came)


@pytest.mark.parametrize(("side", "most"), [(8, 50), (3000, 10)], ids=["small pictures", "large ones"])
def test_no_more_wait_than_fit(side: int, most: int) -> None:
    taken: list[int] = []

    def endless() -> Iterator[Frame]:
        for at in itertools.count():
            taken.append(at)
            yield frame(at, side)

    with Ahead(endless(), gate) as ahead:
        assert next(iter(ahead))[0].t_s == 0
        deadline, before = time.monotonic() + 20, -1
        while len(taken) != before and time.monotonic() < deadline:
            before = len(taken)
            time.sleep(0.3)
        assert 4 <= len(taken) <= most
    assert all(thread.name != "pictures ahead" for thread in threading.enumerate()), "the source may be closed"


@pytest.mark.parametrize("where", ["source", "gate"])
def test_what_goes_wrong_is_raised_after_what_came_before(where: str) -> None:
    def cut_off() -> Iterator[Frame]:
        yield from map(frame, range(3))
        raise SourceError("The recording breaks off.")

    def blind(seen: Frame) -> Activity:
        if seen.index == 3:
            raise SourceError("The area lies outside the picture.")
        return gate(seen)

    came: list[float] = []
    items, asked = (cut_off(), gate) if where == "source" else (map(frame, range(9)), blind)
    with pytest.raises(SourceError), Ahead(items, asked) as ahead:
        came.extend(item.t_s for item, _ in ahead)
    assert len(came) == 3

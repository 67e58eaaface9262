"""Pictures that are made ahead: the same ones in the same order, and nobody at work after leaving."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.errors import SourceError
from vision.sources.ahead import ahead


@given(st.lists(st.integers()), st.integers(1, 5))
def test_it_gives_the_same_in_the_same_order(items: list[int], most: int) -> None:
    with ahead(items, most) as given_items:
        assert list(given_items) == items


def test_what_goes_wrong_is_raised_after_what_came_before() -> None:
    def torn() -> Iterator[int]:
        yield from (1, 2)
        raise SourceError("The file breaks off.")

    seen: list[int] = []
    with pytest.raises(SourceError, match="breaks off"), ahead(torn()) as items:
        seen.extend(items)
    assert seen == [1, 2]


def test_whoever_leaves_early_leaves_nobody_at_work() -> None:
    """A file that is closed then is not read any more."""
    made: list[int] = []

    def endless() -> Iterator[int]:
        while True:
            made.append(len(made))
            yield made[-1]

    def stopped() -> None:
        with ahead(endless(), 4) as items:
            assert next(items) == 0
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    so_far = len(made)
    assert so_far <= 1 + 4 + 1
    time.sleep(0.05)
    assert len(made) == so_far


def test_no_more_than_so_many_wait() -> None:
    made: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(20):
            made.append(number)
            yield number

    with ahead(numbers(), 3) as items:
        for number in items:
            assert len(made) <= number + 1 + 3
    assert len(made) == 20

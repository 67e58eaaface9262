"""Pictures decoded ahead of whoever looks at them, on a thread of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["ahead"]

_MOST = 8
"""So many wait to be looked at: 25 MB of a 1080p film."""

_Item = TypeVar("_Item")


@contextmanager
def ahead(
    items: Iterable[_Item], most: int = _MOST, *, stop: Callable[[], None] = lambda: None
) -> Iterator[Iterator[_Item]]:
    """Give what ``items`` yields, in order, while the next ones, up to ``most``, are made on another thread.

    What goes wrong there is raised in its turn. On leaving that thread has ended: nobody uses ``items`` then.
    ``stop`` is called before, for an item that would take long: what makes them need not go on.
    """
    one_by_one, end = iter(items), object()

    def taken() -> Iterator[_Item]:
        made = deque(maker.submit(next, one_by_one, end) for _ in range(most))
        while (item := made.popleft().result()) is not end:
            made.append(maker.submit(next, one_by_one, end))
            yield item  # type: ignore[misc]

    with ThreadPoolExecutor(1, "ahead") as maker:
        try:
            yield taken()
        finally:
            stop()
            maker.shutdown(cancel_futures=True)

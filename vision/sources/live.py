"""A live source: one reader thread, the newest picture wins, trouble is said once and retried."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from types import TracebackType

from vision.errors import SourceError
from vision.sources.feed import Feed, FeedLostError, Shot
from vision.sources.frame import Frame, NoticeCode, SourceNotice
from vision.sources.health import Backoff, Health
from vision.sources.settings import SourceSettings

__all__ = ["LiveSource"]


class LiveSource:
    """Hands out the newest picture of a feed. Use it as a context manager.

    Time is that of a monotonic clock, from the first picture on. Black pictures are left out, and so are those
    of a feed that has frozen, once that has been said. A feed that is lost or frozen is opened anew after a
    pause, which doubles at each attempt. Notices come at changes only, and none is lost.
    """

    live = True

    def __init__(
        self,
        name: str,
        open_feed: Callable[[], Feed],
        settings: SourceSettings | None = None,
        *,
        reopens: bool = True,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        """Prepare the source; nothing is opened yet.

        Args:
            name: what messages call it, a sentence's beginning such as ``Camera 0``.
            open_feed: opens the feed; SourceError where that fails.
            settings: time limits and pauses.
            reopens: whether opening a frozen feed anew can help.
            clock: seconds that only go forward.
            pause: waits so many seconds, or less once the source is closed.
        """
        self.duration_s: float | None = None
        self._name = name
        self._open_feed = open_feed
        self._settings = settings or SourceSettings()
        self._reopens = reopens
        self._clock = clock
        self._stop = threading.Event()
        self._pause = pause or self._stop.wait
        self._changed = threading.Condition()
        # All below is guarded by the condition.
        self._health = Health(name, self._settings, live=True)
        self._items: deque[Frame | SourceNotice] = deque()
        self._first_s: float | None = None
        self._last_s = 0.0
        self._waiting_since_s: float | None = None
        self._retry_said = False
        self._count = 0
        self._feed: Feed | None = None
        self._thread: threading.Thread | None = None
        self._ended = False

    def frames(self) -> Iterator[Frame | SourceNotice]:
        """Yield the newest picture, waiting for one, and notices, until the source is closed.

        Raises:
            SourceError: the source cannot be opened at first; later that is only said and retried.
        """
        self._start()
        while True:
            with self._changed:
                if not self._items and not self._ended:
                    self._changed.wait(self._settings.silence_s / 4)
                    self._note_silence()
                if self._items:
                    item = self._items.popleft()
                elif self._ended:
                    return
                else:
                    continue
            yield item

    def close(self) -> None:
        """Let go of the device or connection and end the thread; ``frames`` then ends.

        A read that hangs in a driver is waited for no longer than its time-out.
        """
        self._stop.set()
        with self._changed:
            feed, thread = self._feed, self._thread
            self._items.clear()
            self._ended = True
            self._changed.notify_all()
        if feed is not None:
            feed.interrupt()
        if thread is not None and thread is not threading.current_thread():
            thread.join(self._settings.open_timeout_s + self._settings.read_timeout_s)

    def __enter__(self) -> LiveSource:
        """Return the source."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the source."""
        self.close()

    def _start(self) -> None:
        with self._changed:
            if self._ended or self._thread is not None:
                return
        feed = self._open_feed()
        with self._changed:
            if not self._ended:
                self._feed = feed
                self._thread = threading.Thread(target=self._run, name=f"reader of {self._name}", daemon=True)
                self._thread.start()
                return
        feed.close()

    def _run(self) -> None:
        """Read until the source is closed. The only thread that reads, opens anew and closes the feed."""
        backoff = Backoff(self._settings.retry_first_s, self._settings.retry_longest_s)
        damaged_since_s: float | None = None
        try:
            while not self._stop.is_set():
                feed = self._feed
                if feed is None:
                    self._retry(backoff)
                    continue
                try:
                    with self._changed:
                        self._waiting_since_s = self._clock()
                    shot = feed.read()
                except FeedLostError as lost:
                    self._lose(lost.code, str(lost))
                    continue
                finally:
                    with self._changed:
                        self._waiting_since_s = None
                if self._stop.is_set():
                    break
                if shot is not None:
                    damaged_since_s = None
                    self._take(shot, backoff)
                    continue
                now_s = self._clock()
                damaged_since_s = now_s if damaged_since_s is None else damaged_since_s
                if now_s - damaged_since_s >= self._settings.silence_s:
                    damaged_since_s = None
                    self._lose("unreadable", f"{self._name} gives only damaged pictures.")
        finally:
            self._drop_feed()
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _take(self, shot: Shot, backoff: Backoff) -> None:
        with self._changed:
            if self._first_s is None:
                self._first_s = self._clock()
            t_s = self._now_s()
            worth_it, notices = self._health.picture(t_s, shot.luma)
            self._say(notices)
            if worth_it:
                frame = Frame(self._count, t_s, shot.luma, shot.make_bgr)
                self._items = deque(item for item in self._items if isinstance(item, SourceNotice))
                self._items.append(frame)
                self._changed.notify_all()
                self._retry_said = False
                backoff.reset()
            self._count += 1
            frozen = self._health.trouble == "frozen"
        if frozen and self._reopens:
            self._drop_feed()

    def _retry(self, backoff: Backoff) -> None:
        """Wait, then open the feed anew."""
        pause_s = backoff.pause_s()
        self._pause(pause_s)
        if self._stop.is_set():
            return
        with self._changed:
            if not self._retry_said:
                self._retry_said = True
                message = f"{self._name} is tried again, and then after longer and longer pauses."
                self._say((SourceNotice(self._now_s(), "retrying", message),))
        try:
            feed = self._open_feed()
        except SourceError as error:
            self._lose("unplugged", str(error))
            return
        with self._changed:
            self._feed = feed

    def _lose(self, code: NoticeCode, message: str) -> None:
        with self._changed:
            self._say(self._health.failure(self._now_s(), code, message))
        self._drop_feed()

    def _drop_feed(self) -> None:
        with self._changed:
            feed, self._feed = self._feed, None
        if feed is not None:
            feed.close()

    def _note_silence(self) -> None:
        """Called by the consumer, because the reader may hang in a driver."""
        since_s = self._waiting_since_s
        if since_s is not None and self._clock() - since_s >= self._settings.silence_s:
            message = f"{self._name} has given no picture for {self._settings.silence_s:g} s."
            self._say(self._health.failure(self._now_s(), "unplugged", message))

    def _say(self, notices: tuple[SourceNotice, ...]) -> None:
        self._items.extend(notices)
        if notices:
            self._changed.notify_all()

    def _now_s(self) -> float:
        """Return the time since the first picture; later than any time returned before, 0 until it comes."""
        if self._first_s is not None:
            self._last_s = max(self._clock() - self._first_s, self._last_s + 1e-6)
        return self._last_s

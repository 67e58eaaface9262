"""Read labelled pictures with any reader, and score what it read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from datasets.labels import LabelledPicture
from datasets.photos import LabelledPhoto, PhotoLabelsError, Split, load_photos
from vision.errors import PictureError, VisionError
from vision.evaluation.gallery import Gallery
from vision.evaluation.score import PictureScore, score
from vision.evaluation.summary import summary, write_csv
from vision.evaluation.truth import PictureTruth
from vision.picture import Picture, load_picture, picture_from_array
from vision.readings import PhotoReading

__all__ = ["EvaluationError", "Outcome", "Read", "evaluate_folder", "evaluate_photos", "evaluate_pictures"]

Read = Callable[[Picture], PhotoReading]
"""A reader: a picture in, everything read from it out; PictureError where it cannot be read."""


class EvaluationError(VisionError):
    """What should be measured cannot be; one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a measurement found."""

    scores: tuple[PictureScore, ...]
    """One a picture."""

    @property
    def summary(self) -> str:
        """The summary as Markdown tables."""
        return summary(self.scores)

    def write(self, folder: Path) -> None:
        """Write ``photos.csv`` and ``summary.md``; OSError where it cannot."""
        folder.mkdir(parents=True, exist_ok=True)
        write_csv(self.scores, folder / "photos.csv")
        (folder / "summary.md").write_text(self.summary, encoding="utf-8")

    def tell(self, folder: Path | None, gallery: Gallery) -> None:
        """Print the summary; with a ``folder`` also write it there, with sheets of what failed."""
        print(self.summary)
        if folder is not None:
            self.write(folder)
            gallery.write(folder)


def evaluate_folder(
    folder: str | Path,
    read: Read,
    *,
    truth: str | Path | None = None,
    split: Split | None = None,
    limit: int | None = None,
    gallery: Gallery | None = None,
    told: Callable[[PictureScore], None] | None = None,
) -> Outcome:
    """Measure a reader on a folder of labelled photographs; see ``datasets.photos`` for its layout.

    Args:
        folder: the folder.
        read: the reader.
        truth: a truth text to use instead of the folder's own and the committed one.
        split: only this part of the photographs.
        limit: at most so many photographs, spread evenly over all.
        gallery: gathers the failures.
        told: called after each photograph.

    Raises:
        EvaluationError: a folder that is missing, not labelled, or without photographs of that part.
    """
    try:
        photos = load_photos(folder, truth, split)
    except PhotoLabelsError as error:
        raise EvaluationError(str(error)) from error
    if not photos:
        raise EvaluationError(f"{folder} holds no photographs of the part '{split}'.")
    if limit is not None and limit < len(photos):
        photos = [photos[k * len(photos) // limit] for k in range(limit)]
    return evaluate_photos(photos, read, gallery, told)


def evaluate_photos(
    photos: Iterable[LabelledPhoto],
    read: Read,
    gallery: Gallery | None = None,
    told: Callable[[PictureScore], None] | None = None,
) -> Outcome:
    """Measure a reader on labelled photographs; one that cannot be read counts as read empty."""
    jobs = ((PictureTruth.of_photo(photo), _loader(photo)) for photo in photos)
    return Outcome(tuple(_scored(jobs, read, gallery, told)))


def evaluate_pictures(
    pictures: Iterable[tuple[str, LabelledPicture]],
    read: Read,
    gallery: Gallery | None = None,
    told: Callable[[PictureScore], None] | None = None,
    place: Callable[[LabelledPicture], str] = lambda picture: "rendered",
) -> Outcome:
    """Measure a reader on rendered pictures, each with a name; ``place`` says under what they are summed."""
    jobs = (
        (PictureTruth.of_picture(name, picture, place(picture)), _held(name, picture))
        for name, picture in pictures
    )
    return Outcome(tuple(_scored(jobs, read, gallery, told)))


def _loader(photo: LabelledPhoto) -> Callable[[], Picture]:
    return lambda: load_picture(photo.path)


def _held(name: str, picture: LabelledPicture) -> Callable[[], Picture]:
    return lambda: picture_from_array(picture.image_bgr, name)


def _scored(
    jobs: Iterable[tuple[PictureTruth, Callable[[], Picture]]],
    read: Read,
    gallery: Gallery | None,
    told: Callable[[PictureScore], None] | None,
) -> Iterator[PictureScore]:
    for truth, load in jobs:
        try:
            start = time.perf_counter()
            picture = load()
            load_ms = (time.perf_counter() - start) * 1000
            reading = read(picture)
        except PictureError as error:
            one, _ = score(truth, None, str(error))
        else:
            one, matches = score(truth, replace(reading, ms={"load": round(load_ms, 2), **reading.ms}))
            if gallery is not None:
                gallery.add(picture.image_bgr, truth, reading, one, matches)
        if told is not None:
            told(one)
        yield one

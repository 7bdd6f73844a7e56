"""A reader that others trained, as a folder that needs no lake: its weights, its row, the questions it saw.

reader.json          its row of `trained_readers`
questions.parquet    its rows of `reader_questions`: what it has seen may not be asked of it
weights/             the files it was trained into; none where it has no weights of its own
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evidence_assets.lake.filesystem import safe_path_part
from evidence_assets.lake.schemas import READER_QUESTIONS, TRAINED_READERS
from evidence_assets.models.generation import adapters
from evidence_assets.sources.prepared_folders import check_openable, take_folder
from evidence_assets.sources.records import UnusableSourceError
from evidence_assets.training.reader import FINISHED, FOLDER, WEIGHTS, MissingReaderError, whole_folder

ROW, QUESTIONS, FILES = "reader.json", "questions.parquet", "weights"


@dataclass(frozen=True, slots=True)
class PreparedReader:
    """A reader as a folder tells of it. `row`: of `trained_readers`; `questions`: of `reader_questions`."""

    row: Mapping[str, Any]
    questions: pa.Table


def write_reader(row: Mapping[str, Any], questions: pa.Table, cache: Path, folder: Path) -> None:
    """Write a reader that was trained here into a folder, which others take it from.

    `row`, `questions`: what the lake holds of it. `cache`: where its weights are.

    Raises:
        MissingReaderError: its weights are not in the cache, are not whole, or are others.
        OSError: the folder cannot be written.
    """
    made = _whole(row, cache) if row["folder"] else None
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(questions, folder / QUESTIONS, compression="zstd")
    if made is not None:
        shutil.copytree(made, folder / FILES, copy_function=shutil.copyfile)
    (folder / ROW).write_text(json.dumps(row, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def take_reader(name: str, generator: str | None, folder: Path, cache: Path) -> PreparedReader:
    """Return the reader of a folder under a name and with a language model of this project.

    Its weights are copied into the cache unless they are there. `generator`: what the project calls the
    language model that it was trained for; None for a cross-encoder.

    Raises:
        MissingReaderError: the folder holds no reader, its weights are not those that were evaluated, or no
            language model is named for one that has one.
        UnusableSourceError: links lead from one of its files out of the places that may be read.
    """
    row = _read_row(folder)
    if bool(row["generator"]) != bool(generator):
        wanted = f"name that which is {row['model_id']} here" if row["generator"] else "name none"
        raise MissingReaderError(
            f"prepared_readers.{name}.generator: the reader of {folder} was trained "
            f"{'for' if row['generator'] else 'without'} a language model; remedy: {wanted}"
        )
    row |= {"reader": name, "generator": generator}
    if row["folder"]:
        take_folder(folder / FILES, cache / FOLDER / safe_path_part(row["folder"]), FINISHED)
        _whole(row, cache)
    questions = _read_questions(folder)
    place = READER_QUESTIONS.schema.get_field_index("reader")
    names = pa.array([name] * len(questions), pa.string())
    return PreparedReader(row, questions.set_column(place, READER_QUESTIONS.schema.field(place), names))


def has_adapter(folder: Path) -> bool:
    """Return whether the reader of a folder adds weights of its own to a language model's.

    So most do: where the folder cannot be read, which taking the reader tells, it is held to.
    """
    try:
        row = _read_row(folder)
    except (MissingReaderError, UnusableSourceError):
        return True
    return bool(row["generator"] and row["folder"])


def known_by(folder: Path) -> str:
    """Return what tells one reader of a folder from another: its row, which names its weights by their hash.

    Empty where the folder holds none.
    """
    path = folder / ROW
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _whole(row: Mapping[str, Any], cache: Path) -> Path:
    weights_file = adapters.WEIGHTS if row["generator"] else WEIGHTS
    return whole_folder(row["reader"], row["folder"], weights_file, row["weights_hash"], cache)


def _read_row(folder: Path) -> dict[str, Any]:
    path = folder / ROW
    try:
        check_openable(path)
        row: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        pa.Table.from_pylist([dict(row)], schema=TRAINED_READERS.schema)
    except (OSError, ValueError, TypeError, pa.ArrowException) as error:
        raise _unusable(path, error) from error
    if missing := [name for name in _REQUIRED if row.get(name) is None]:
        raise _unusable(path, f"it tells nothing of {', '.join(missing)}")
    return row


_REQUIRED = tuple(column.name for column in TRAINED_READERS.schema if not column.nullable)


def _read_questions(folder: Path) -> pa.Table:
    path = folder / QUESTIONS
    try:
        check_openable(path)
        rows = pq.ParquetFile(path).read(READER_QUESTIONS.schema.names)
        return rows.cast(READER_QUESTIONS.schema)
    except (OSError, KeyError, pa.ArrowException) as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, reason: object) -> MissingReaderError:
    return MissingReaderError(
        f"{path} tells of no reader: {reason}; remedy: name a folder that `evidence-assets export-reader` "
        "wrote"
    )

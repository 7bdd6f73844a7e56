"""A reader's folder: written whole, taken under another name, refused where it is not what was evaluated."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.lake.ids import file_hash
from evidence_assets.lake.schemas import READER_QUESTIONS, TRAINED_READERS
from evidence_assets.training.prepared_readers import (
    FILES,
    QUESTIONS,
    ROW,
    known_by,
    take_reader,
    write_reader,
)
from evidence_assets.training.reader import FINISHED, FOLDER, WEIGHTS, MissingReaderError

SEEN = {"benchmark": "lessons", "question_id": "l1", "role": "training", "text_hash": "ab" * 16}


def _row(**told: Any) -> dict[str, Any]:
    row = {
        "reader": "small",
        "model_id": "cross_encoder:1234",
        "generator": None,
        "folder": "abcd",
        "recipe": "{}",
        "body": "encoder@1",
        "texts": 2,
        "trained_on": [{"source": "lessons", "questions": 1}],
        "chosen_on": "rehearsal",
        "mixture": [{"cue": "reader", "weight": 1.0, "weight_far": 0.5}],
        "evaluated": [
            {"benchmark": "mock", "way": "evidence", "accuracy": 0.5, "low": 0.1, "high": 0.9, "n": 2}
        ],
        "curve": [{"step": 2, "loss": None, "accuracy": 0.5, "validation_loss": 0.7}],
    }
    return row | told


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A folder that a reader was written into, from a cache that is gone by now."""
    cache = tmp_path / "elsewhere"
    made = cache / FOLDER / "abcd"
    made.mkdir(parents=True)
    (made / WEIGHTS).write_bytes(b"weights")
    (made / FINISHED).write_text("{}")
    questions = pa.Table.from_pylist([{"reader": "small", **SEEN}], schema=READER_QUESTIONS.schema)
    write_reader(_row(weights_hash=file_hash(made / WEIGHTS)), questions, cache, tmp_path / "reader")
    made.rename(tmp_path / "moved")
    return tmp_path / "reader"


def test_a_reader_is_taken_under_another_name_with_what_it_saw(written: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    taken = take_reader("theirs", None, written, cache)
    assert taken.row == _row(reader="theirs", weights_hash=file_hash(tmp_path / "moved" / WEIGHTS))
    pa.Table.from_pylist([dict(taken.row)], schema=TRAINED_READERS.schema).validate(full=True)
    assert taken.questions.schema == READER_QUESTIONS.schema
    assert taken.questions.to_pylist() == [{"reader": "theirs", **SEEN}]
    assert (cache / FOLDER / "abcd" / WEIGHTS).read_bytes() == b"weights"
    again = take_reader("theirs", None, written, cache)
    assert again.row == taken.row and again.questions == taken.questions


def test_what_was_never_finished_is_not_written(tmp_path: Path) -> None:
    (tmp_path / FOLDER / "abcd").mkdir(parents=True)
    with pytest.raises(MissingReaderError, match="reader small is not whole"):
        write_reader(_row(weights_hash="x"), READER_QUESTIONS.schema.empty_table(), tmp_path, tmp_path / "to")
    assert not (tmp_path / "to").exists()


def test_a_reader_is_known_by_its_row(written: Path, tmp_path: Path) -> None:
    before = known_by(written)
    (written / ROW).write_text(json.dumps({**json.loads(before), "weights_hash": "other"}))
    assert before and known_by(written) != before and known_by(tmp_path / "nowhere") == ""


def _without(path: Path) -> None:
    path.unlink()


def _other_bytes(path: Path) -> None:
    path.write_bytes(b"other")


def _told(**told: Any) -> Callable[[Path], None]:
    return lambda path: _write(path, json.loads(path.read_text()) | told)


def _write(path: Path, row: object) -> None:
    path.write_text(json.dumps(row))


@pytest.mark.parametrize(
    ("file", "harm", "said"),
    [
        (ROW, _without, r"reader\.json tells of no reader: .*No such file.*; remedy: name a folder that"),
        (ROW, _other_bytes, r"reader\.json tells of no reader: Expecting value"),
        (ROW, lambda path: _write(path, ["small"]), r"reader\.json tells of no reader: "),
        (ROW, _told(mixture=None), r"reader\.json tells of no reader: it tells nothing of mixture"),
        (ROW, _told(texts="two"), r"reader\.json tells of no reader: "),
        (ROW, _told(weights_hash="other"), "is not what was trained and evaluated; remedy"),
        (
            ROW,
            _told(generator="lm"),
            "trained for a language model; remedy: name that which is",
        ),
        (QUESTIONS, _without, r"questions\.parquet tells of no reader: "),
        (QUESTIONS, _other_bytes, r"questions\.parquet tells of no reader: "),
        (f"{FILES}/{WEIGHTS}", _other_bytes, "is not what was trained and evaluated; remedy"),
        (f"{FILES}/{FINISHED}", _without, "reader theirs is not whole"),
    ],
)
def test_what_is_no_reader_is_told_by_its_file(
    written: Path, tmp_path: Path, file: str, harm: Callable[[Path], None], said: str
) -> None:
    harm(written / file)
    with pytest.raises(MissingReaderError, match=said):
        take_reader("theirs", None, written, tmp_path / "cache")


def test_a_reader_lands_in_the_cache_wherever_its_row_points(written: Path, tmp_path: Path) -> None:
    _told(folder="../../outside")(written / ROW)
    take_reader("theirs", None, written, tmp_path / "cache")
    assert not (tmp_path / "outside").exists()
    assert [path.parent for path in (tmp_path / "cache" / FOLDER).iterdir()] == [tmp_path / "cache" / FOLDER]


def test_a_language_model_is_named_for_a_reader_that_has_one_alone(written: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingReaderError, match="trained without a language model; remedy: name none"):
        take_reader("theirs", "lm", written, tmp_path / "cache")

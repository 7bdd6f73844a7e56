"""A reader's folder: trained once for its content, written whole, opened only with its recorded weights."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evidence_assets.lake.filesystem import safe_path_part
from evidence_assets.models.cross_encoder_recipe import Example, ReaderTraining
from evidence_assets.models.cross_encoder_training import Evaluation, train, training_hash
from evidence_assets.models.pair_scorer import PairScorer, load_cross_encoder
from evidence_assets.progress import Progress
from evidence_assets.reading.trained import CUES, TrainedReader

FOLDER = "trained_readers"
WEIGHTS = "model.safetensors"
# Written last: a folder without it is an interrupted training.
_FINISHED = "finished.json"


class MissingReaderError(LookupError):
    """A reader cannot be opened: the message names it and the remedy."""


def train_cached(
    training: Sequence[Example],
    validation: Sequence[Example],
    cache: Path,
    recipe: ReaderTraining,
    body: str,
    body_id: str,
    progress: Progress | None = None,
) -> tuple[str, str, list[Evaluation]]:
    """Return a reader's folder name in the cache, its weights' hash and its evaluations; train it if missing.

    `body`: the encoder's folder or hub name. The folder's name is a hash of recipe, examples and body.

    Raises:
        UntrainableReaderError: the examples or the body cannot be used.
    """
    name = training_hash(training, validation, recipe, body_id)
    folder = cache / FOLDER / name
    finished = folder / _FINISHED
    if finished.exists():
        stored = json.loads(finished.read_text(encoding="utf-8"))
        if progress:
            progress(recipe.steps, recipe.steps)
        return name, stored["weights"], [Evaluation(**fields) for fields in stored["evaluations"]]
    evaluations = train(training, validation, folder, recipe, body, progress)
    weights = file_hash(folder / WEIGHTS)
    partial = finished.with_suffix(".partial")
    content = {"weights": weights, "evaluations": [asdict(evaluation) for evaluation in evaluations]}
    partial.write_text(json.dumps(content), encoding="utf-8")
    partial.replace(finished)
    return name, weights, evaluations


def open_reader(reader: str, folder_name: str, weights: str, cache: Path) -> PairScorer:
    """Return a reader's cross-encoder.

    Raises:
        MissingReaderError: its folder is not in the cache, is not whole, or holds other weights.
    """
    folder = cache / FOLDER / safe_path_part(folder_name)
    remedy = f"remedy: remove that folder and materialise trained_readers, partition {reader}"
    if not (folder / _FINISHED).exists():
        raise MissingReaderError(f"reader {reader} is not whole in {folder}; {remedy}")
    if file_hash(folder / WEIGHTS) != weights:
        raise MissingReaderError(
            f"reader {reader}: {folder / WEIGHTS} is not what was trained and evaluated; {remedy}"
        )
    return load_cross_encoder(str(folder))


def admitted_reader(admission: Mapping[str, Any], cache: Path) -> TrainedReader:
    """Return the reader of a `reader_admissions` row.

    Raises:
        MissingReaderError: as `open_reader`.
    """
    weights = {cue["cue"]: cue["weight"] for cue in admission["mixture"]}
    return TrainedReader(
        open_reader(admission["reader"], admission["folder"], admission["weights_hash"], cache),
        admission["texts"],
        tuple(weights[cue] for cue in CUES),
    )


def file_hash(path: Path) -> str:
    """Return the 32-digit hexadecimal hash of a file's bytes; empty where there is no file."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()

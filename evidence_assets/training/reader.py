"""A reader as it was recorded: a cross-encoder's folder, trained once and written whole, or a language model.

Either is opened only with the weights that were evaluated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evidence_assets.lake.filesystem import safe_path_part
from evidence_assets.models.cross_encoder_recipe import Example, ReaderTraining
from evidence_assets.models.cross_encoder_training import Evaluation, train, training_hash
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.pair_scorer import PairScorer, load_cross_encoder
from evidence_assets.progress import Progress
from evidence_assets.reading.trained import OptionReader, TrainedReader
from evidence_assets.reading.weighed_likelihoods import WeighedLikelihoods

FOLDER = "trained_readers"
WEIGHTS = "model.safetensors"
# Written last: a folder without it is an interrupted training.
_FINISHED = "finished.json"


class MissingReaderError(LookupError):
    """A reader cannot be opened: the message names it and the remedy."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Where cross-encoders are kept (`cache`), and what they begin with.

    `body`: the encoder's folder or hub name; `body_id`: its name and content.
    """

    cache: Path
    body: str
    body_id: str


def train_cached(
    training: Sequence[Example],
    validation: Sequence[Example],
    folders: Folders,
    recipe: ReaderTraining,
    progress: Progress | None = None,
) -> tuple[str, str, list[Evaluation]]:
    """Return a reader's folder name in the cache, its weights' hash and its evaluations; train it if missing.

    The folder's name is a hash of recipe, examples and body.

    Raises:
        UntrainableReaderError: the examples or the body cannot be used.
    """
    name = training_hash(training, validation, recipe, folders.body_id)
    folder = folders.cache / FOLDER / name
    finished = folder / _FINISHED
    if finished.exists():
        stored = json.loads(finished.read_text(encoding="utf-8"))
        if progress:
            progress(recipe.steps, recipe.steps)
        return name, stored["weights"], [Evaluation(**fields) for fields in stored["evaluations"]]
    evaluations = train(training, validation, folder, recipe, folders.body, progress)
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


def admitted_reader(
    admission: Mapping[str, Any], cache: Path, likelihoods: Callable[[str], LikelihoodModel]
) -> OptionReader:
    """Return the reader of a `reader_admissions` row.

    `likelihoods`: returns what scores texts with the weights of a named generator.

    Raises:
        MissingReaderError: as `open_reader`, or the generator has other weights by now.
    """
    weights = {cue["cue"]: cue["weight"] for cue in admission["mixture"]}
    if generator := admission["generator"]:
        model = likelihoods(generator)
        if model.model_id != admission["model_id"]:
            raise MissingReaderError(
                f"reader {admission['reader']}: generator {generator} is {model.model_id}, and "
                f"{admission['model_id']} was weighed and evaluated, other weights or another place; remedy: "
                f"materialise trained_readers, partition {admission['reader']}"
            )
        ordered = [weights[cue] for cue in WeighedLikelihoods.cues()]
        return WeighedLikelihoods(model, admission["texts"], ordered)
    scorer = open_reader(admission["reader"], admission["folder"], admission["weights_hash"], cache)
    return TrainedReader(scorer, admission["texts"], [weights[cue] for cue in TrainedReader.cues()])


def file_hash(path: Path) -> str:
    """Return the 32-digit hexadecimal hash of a file's bytes; empty where there is no file."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()

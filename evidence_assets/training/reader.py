"""A reader as it was recorded: trained once into a folder that is whole or not opened, or a language model.

Either is opened only with the weights that were evaluated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from evidence_assets.lake.filesystem import local_output, safe_path_part
from evidence_assets.lake.ids import file_hash
from evidence_assets.models.cross_encoder_training import train
from evidence_assets.models.generation import adapter_training, adapters
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.option_training import Evaluation, training_hash
from evidence_assets.models.pair_scorer import PairScorer, load_cross_encoder
from evidence_assets.models.reader_recipe import AdapterTraining, Example, PrefixExample, ReaderTraining
from evidence_assets.progress import Progress, part_of
from evidence_assets.reading.likelihoods.tuned_likelihoods import TunedLikelihoods
from evidence_assets.reading.likelihoods.weighed_likelihoods import WeighedLikelihoods
from evidence_assets.reading.weighing.combination import Weights
from evidence_assets.reading.weighing.trained import FAR, NEAR, OptionReader, TrainedReader

FOLDER = "trained_readers"
# The file of a folder's weights: of a cross-encoder, else of an adapter.
WEIGHTS = "model.safetensors"
# Written last: a folder without it is an interrupted training.
FINISHED = "finished.json"
# Part of what a mean is known by: raise it where the same adapters give other weights.
_MEAN_VERSION = "mean 1"


class Likelihoods(Protocol):
    """Returns what scores texts with a generator's weights, and with an adapter if one is named."""

    def __call__(self, generator: str, adapter: adapters.Adapter | None = None) -> LikelihoodModel:
        """Return the model of the generator named."""


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

    def make(folder: Path) -> list[Evaluation]:
        return train(training, validation, folder, recipe, folders.body, progress)

    name = training_hash(training, validation, recipe, folders.body_id)
    return _made_once(folders.cache, name, WEIGHTS, make, recipe.steps, progress)


def train_adapter_cached(
    training: Sequence[PrefixExample],
    validation: Sequence[PrefixExample],
    cache: Path,
    recipe: AdapterTraining,
    base: LikelihoodModel,
    place: adapter_training.BaseModel,
    progress: Progress | None = None,
) -> tuple[str, str, list[Evaluation]]:
    """Return an adapter's folder name in the cache, its weights' hash and its evaluations.

    It is trained if it is missing. `base`: the language model, which `place` names.

    Raises:
        UntrainableReaderError: the examples cannot be used.
        GeneratorError: the language model cannot be loaded.
    """

    def make(folder: Path) -> list[Evaluation]:
        return adapter_training.train(training, validation, folder, recipe, place, progress)

    name = training_hash(training, validation, recipe, base.model_id)
    return _made_once(cache, name, adapters.WEIGHTS, make, recipe.steps, progress)


def train_mean_cached(
    reader: str,
    trainings: Sequence[tuple[Sequence[PrefixExample], AdapterTraining]],
    validation: Sequence[PrefixExample],
    cache: Path,
    base: LikelihoodModel,
    place: adapter_training.BaseModel,
    progress: Progress | None = None,
) -> tuple[str, str, list[list[Evaluation]]]:
    """Return the mean of adapters: its folder name in the cache, its weights' hash; and their evaluations.

    Each is trained if it is missing. `trainings`: their examples and recipes; one alone is its own mean.

    Raises:
        UntrainableReaderError: the examples cannot be used.
        GeneratorError: the language model cannot be loaded.
        MissingReaderError: an adapter in the cache is not what was trained.
    """
    total, before = sum(recipe.steps for _, recipe in trainings), 0
    members, curves = [], []
    for examples, recipe in trainings:
        counted = part_of(progress, before, total)
        folder, weights, evaluations = train_adapter_cached(
            examples, validation, cache, recipe, base, place, counted
        )
        members.append((folder, weights))
        curves.append(evaluations)
        before += recipe.steps
    if len(members) > 1:
        folder, weights = mean_adapter_cached(reader, members, cache)
    return folder, weights, curves


def mean_adapter_cached(reader: str, members: Sequence[tuple[str, str]], cache: Path) -> tuple[str, str]:
    """Return the folder name in the cache, and the weights' hash, of the mean of adapters that are there.

    It is made if it is missing. `members`: each one's folder name and weights' hash; the mean's folder is
    named by the hashes.

    Raises:
        MissingReaderError: a member is not in the cache, is not whole, or holds other weights.
        GeneratorError: they are adapters of different layers.
    """

    def make(folder: Path) -> list[Evaluation]:
        weights_file = adapters.WEIGHTS
        whole = [whole_folder(reader, name, weights_file, weights, cache) for name, weights in members]
        adapters.mean_adapter(whole, folder)
        return []

    known = json.dumps([_MEAN_VERSION, *(weights for _, weights in members)])
    name = hashlib.blake2b(known.encode(), digest_size=12).hexdigest()
    return _made_once(cache, name, adapters.WEIGHTS, make, 0, None)[:2]


def _made_once(
    cache: Path,
    name: str,
    weights_file: str,
    make: Callable[[Path], list[Evaluation]],
    steps: int,
    progress: Progress | None,
) -> tuple[str, str, list[Evaluation]]:
    folder = cache / FOLDER / name
    finished = folder / FINISHED
    if finished.exists():
        stored = json.loads(finished.read_text(encoding="utf-8"))
        if progress:
            progress(steps, steps)
        return name, stored["weights"], [Evaluation(**fields) for fields in stored["evaluations"]]
    evaluations = make(folder)
    weights = file_hash(folder / weights_file)
    content = {"weights": weights, "evaluations": [asdict(evaluation) for evaluation in evaluations]}
    with local_output(finished) as file:
        file.write(json.dumps(content).encode())
    return name, weights, evaluations


def whole_folder(reader: str, folder_name: str, weights_file: str, weights: str, cache: Path) -> Path:
    """Return the folder that a reader was trained into. `weights`: the hash of its `weights_file`.

    Raises:
        MissingReaderError: it is not in the cache, is not whole, or holds other weights.
    """
    folder = cache / FOLDER / safe_path_part(folder_name)
    remedy = f"remedy: remove that folder and materialise trained_readers, partition {reader}"
    if not (folder / FINISHED).exists():
        raise MissingReaderError(f"reader {reader} is not whole in {folder}; {remedy}")
    if not (folder / weights_file).is_file() or file_hash(folder / weights_file) != weights:
        raise MissingReaderError(
            f"reader {reader}: {folder / weights_file} is not what was trained and evaluated; {remedy}"
        )
    return folder


def open_reader(reader: str, folder_name: str, weights: str, cache: Path) -> PairScorer:
    """Return a reader's cross-encoder.

    Raises:
        MissingReaderError: its folder is not in the cache, is not whole, or holds other weights.
    """
    return load_cross_encoder(str(whole_folder(reader, folder_name, WEIGHTS, weights, cache)))


def admitted_reader(admission: Mapping[str, Any], cache: Path, likelihoods: Likelihoods) -> OptionReader:
    """Return the reader of a `reader_admissions` row.

    Raises:
        MissingReaderError: its folder is not in the cache, is not whole, or holds other weights, or the
            generator has other weights by now.
    """
    recorded = (admission["reader"], admission["folder"], admission["weights_hash"])
    if not admission["generator"]:
        scorer = open_reader(*recorded, cache)
        return TrainedReader(scorer, admission["texts"], _mixture(admission, TrainedReader))
    adapter = None
    if admission["folder"]:
        name, folder_name, hashed = recorded
        folder = whole_folder(name, folder_name, adapters.WEIGHTS, hashed, cache)
        adapter = adapters.Adapter(folder, admission["bfloat16"])
    model = likelihoods(admission["generator"], adapter)
    if model.model_id != admission["model_id"]:
        raise MissingReaderError(
            f"reader {admission['reader']}: generator {admission['generator']} is {model.model_id}, and "
            f"{admission['model_id']} was evaluated, other weights or another place; remedy: name the same "
            "weights as they were named then, or train it on these: trained_readers, partition "
            f"{admission['reader']}"
        )
    kind = TunedLikelihoods if adapter else WeighedLikelihoods
    return kind(model, admission["texts"], _mixture(admission, kind))


def _mixture(admission: Mapping[str, Any], kind: type[OptionReader]) -> Weights:
    of_cues = {cue["cue"]: (cue["weight"], cue["weight_far"]) for cue in admission["mixture"]}
    near, far = np.array([of_cues[cue] for cue in kind.cues()], dtype=np.float64).T
    return Weights(near, far, FAR, NEAR)

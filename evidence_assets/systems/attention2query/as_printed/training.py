"""A relevance classifier trained on pairs of questions and facts, kept by what it was trained on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evidence_assets.lake.filesystem import local_output, safe_path_part
from evidence_assets.lake.ids import combined_hash
from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.systems.attention2query.as_printed.classifier import Head, Tuned, features_of
from evidence_assets.systems.attention2query.as_printed.recipe import Recipe
from evidence_assets.systems.attention2query.relevance import LEAST, MOST

FOLDER, _WEIGHTS, _ENDED = "relevance_classifiers", "head.safetensors", "report.json"
_LEAST_PAIRS = 8


class UntrainableClassifierError(Exception):
    """There is too little to train a classifier on: names what there is, and the remedy."""


class UnmadeClassifierError(LookupError):
    """A classifier's weights are not there: names the folder and the remedy."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A question, a fact, and how relevant the one is to the other, from 1 to 10."""

    question_id: str
    question: str
    fact: str
    relevance: float


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a training: pairs, and the loss over those held out before and after it.

    `first_right`: of held-out questions, how often the most relevant fact is rated highest; `first_cosine`
    the same by the cosine.
    """

    pairs: int
    questions: int
    held_out: int
    loss_before: float
    loss: float
    first_right: float
    first_cosine: float


def trained(
    pairs: Sequence[Pair], encode: Encode, encoder_id: str, cache: Path, recipe: Recipe | None = None
) -> tuple[str, Report]:
    """Return a head's folder name in the cache and its report; it is trained only if it is not there.

    The name is a hash of recipe, pairs and encoder.

    Raises:
        UntrainableClassifierError: there are too few pairs, or all are equally relevant.
    """
    chosen = recipe or Recipe()
    if len(pairs) < _LEAST_PAIRS or len({pair.relevance for pair in pairs}) < 2:
        raise UntrainableClassifierError(
            f"{len(pairs)} pairs, {len({pair.relevance for pair in pairs})} relevances: nothing to learn; "
            "remedy: train on more questions, or on ones whose answers the graph holds"
        )
    pair_texts = [f"{pair.question}\n{pair.fact}\n{pair.relevance}" for pair in pairs]
    name = combined_hash([json.dumps(asdict(chosen)), encoder_id, *pair_texts])
    folder = cache / FOLDER / name
    ended = folder / _ENDED
    if ended.exists():
        return name, Report(**json.loads(ended.read_text(encoding="utf-8")))
    head, report = fit(pairs, encode, chosen)
    folder.mkdir(parents=True, exist_ok=True)
    _save(head, folder / _WEIGHTS)
    # Written last: a folder without it is a training that did not end.
    with local_output(ended) as file:
        file.write(json.dumps(asdict(report)).encode())
    return name, report


def opened(name: str, cache: Path, encode: Encode) -> Tuned:
    """Return a trained classifier.

    Raises:
        UnmadeClassifierError: its weights are not in the cache.
    """
    from safetensors.numpy import load_file

    path = cache / FOLDER / safe_path_part(name) / _WEIGHTS
    if not path.exists():
        raise UnmadeClassifierError(
            f"no relevance classifier {name} in {cache / FOLDER}; remedy: materialise relevance_classifiers"
        )
    arrays = load_file(path)
    head = Head(arrays["hidden"], arrays["hidden_bias"], arrays["output"], float(arrays["output_bias"][0]))
    return Tuned(head, encode)


def _save(head: Head, path: Path) -> None:
    from safetensors.numpy import save_file

    arrays = {
        "hidden": head.hidden,
        "hidden_bias": head.hidden_bias,
        "output": head.output,
        "output_bias": np.array([head.output_bias], dtype=np.float32),
    }
    save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, path)


def fit(pairs: Sequence[Pair], encode: Encode, recipe: Recipe) -> tuple[Head, Report]:
    """Return a head trained to give each pair's relevance, and what it makes of questions held out.

    The loss is the cross-entropy of (relevance - 1) / 9. Every order is drawn with the recipe's seed.
    """
    import torch

    questions, facts = (_vectors(pairs, side, encode) for side in ("question", "fact"))
    targets = np.array([(pair.relevance - LEAST) / (MOST - LEAST) for pair in pairs], dtype=np.float32)
    owners = [pair.question_id for pair in pairs]
    order = {name: place for place, name in enumerate(dict.fromkeys(owners))}
    numbers = np.array([order[name] for name in owners])
    learnt = np.flatnonzero(numbers % recipe.held_out != recipe.held_out - 1)
    held = np.setdiff1d(np.arange(len(pairs)), learnt)
    torch.manual_seed(recipe.seed)
    model = torch.nn.Sequential(
        torch.nn.Linear(4 * questions.shape[1] + 1, recipe.hidden),
        torch.nn.ReLU(),
        torch.nn.Linear(recipe.hidden, 1),
    )
    before = _loss(_head_of(model), questions, facts, targets, held)
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.learning_rate, weight_decay=recipe.decay)
    drawn = torch.Generator().manual_seed(recipe.seed)
    for _ in range(recipe.epochs):
        order_of_pairs = torch.randperm(len(learnt), generator=drawn).numpy()
        for start in range(0, len(learnt), recipe.batch):
            places = learnt[order_of_pairs[start : start + recipe.batch]]
            given = torch.from_numpy(features_of(questions[places], facts[places]))
            optimizer.zero_grad()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                model(given)[:, 0], torch.from_numpy(targets[places])
            )
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    head = _head_of(model)
    rated = head(features_of(questions[held], facts[held])) if len(held) else np.empty(0)
    cosines = np.einsum("nd,nd->n", questions[held], facts[held])
    report = Report(
        len(pairs),
        len(order),
        len(np.unique(numbers[held])),
        before,
        _loss(head, questions, facts, targets, held),
        _first_right(rated, targets[held], numbers[held]),
        _first_right(cosines, targets[held], numbers[held]),
    )
    return head, report


def _vectors(pairs: Sequence[Pair], side: str, encode: Encode) -> FloatArray:
    texts = [str(getattr(pair, side)) for pair in pairs]
    distinct = list(dict.fromkeys(texts))
    place = {text: number for number, text in enumerate(distinct)}
    return encode(distinct)[[place[text] for text in texts]]


def _head_of(model: object) -> Head:
    weights = [parameter.detach().numpy().copy() for parameter in model.parameters()]  # type: ignore[attr-defined]
    return Head(weights[0].T.copy(), weights[1], weights[2][0], float(weights[3][0]))


def _loss(
    head: Head, questions: FloatArray, facts: FloatArray, targets: FloatArray, places: NDArray[np.int64]
) -> float:
    """Return the mean cross-entropy over some pairs; 0 where there are none."""
    if not len(places):
        return 0.0
    outputs = head(features_of(questions[places], facts[places]))
    losses = np.logaddexp(0.0, outputs) - targets[places] * outputs
    return round(float(losses.mean()), 6)


def _first_right(scores: NDArray[np.float64], targets: FloatArray, owners: NDArray[np.int64]) -> float:
    """Return of how many questions a most relevant fact has the highest score; ties count in part."""
    shares = []
    for owner in np.unique(owners):
        facts = owners == owner
        best = scores[facts] == scores[facts].max()
        shares.append(float((targets[facts][best] == targets[facts].max()).mean()))
    return round(float(np.mean(shares)), 6) if shares else 0.0

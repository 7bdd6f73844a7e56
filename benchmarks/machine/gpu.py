"""What a GPU gives: the same work on this machine's CPU and on its GPU, in one run.

Text and word vectors, exact search, transport, graph networks, harvesting, likelihoods, training an adapter,
and replies of a language model. The CPU uses all of its cores, and each part is warmed up on a little of the
same. Coverage by the cosine cost is not among them: it multiplies bytes, on a CPU. What both give is held
against each other: a GPU sums in another order, so that figures may differ by rounding. Needs a GPU and the
data sets; without either it is skipped. `python -m benchmarks.gpu transport` measures one part. Bound:
rankings, searches and an adapter trained again are the same, and figures differ by at most 1e-3.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import UnavailableError
from benchmarks.command import main
from benchmarks.harvest.harvest_speed import FIRST_WORDS, PAIRS, PROMPTS, likeliest, save_random_model
from benchmarks.language_models.likelihood import GENERATOR, offered_facts, openbookqa
from benchmarks.medicine.attention_batching import random_graphs
from benchmarks.real_texts import passages, real_data
from benchmarks.retrieval.transport_speed import DEPTH, stored, stored_chunks, stored_questions
from evidence_assets.corpus.search import exact_top
from evidence_assets.extraction.filters import allowed_words, stem_numbers
from evidence_assets.extraction.probing import Probe, Shape
from evidence_assets.extraction.search import SearchSettings, search
from evidence_assets.models.encoder import Encoder, packaged_minilm
from evidence_assets.models.encoder_loading import load_encoder
from evidence_assets.models.generation.adapter_training import BaseModel, train
from evidence_assets.models.generation.likelihood import TransformersLikelihoodModel
from evidence_assets.models.generation.protocol import Generator, Request, Sampling
from evidence_assets.models.generation.settings import PROFILE_GENERATORS
from evidence_assets.models.generation.transformers_local import TransformersGenerator
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.models.reader_recipe import AdapterTraining, PrefixExample
from evidence_assets.reading.likelihoods.likelihood import read_options
from evidence_assets.retrieval.transport.bounds import Bounds
from evidence_assets.retrieval.transport.cascade import Candidates, rank
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.device_bounds import DeviceBounds
from evidence_assets.retrieval.transport.ground_costs import JensenShannon
from evidence_assets.retrieval.transport.objectives import Balanced
from evidence_assets.retrieval.transport.packing import pack
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets.systems.ugat_medqa.arms import KINDS
from evidence_assets.systems.ugat_medqa.as_printed.attention import trained_relevance
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig

CPU, GPU = "cpu", "cuda"
# How much of the work either does: a GPU gets through more in the time that is to be had.
TEXTS = {CPU: 512, GPU: 8_192}
SEARCHED, QUERIES, SEARCH_DEPTH = 200_000, 1_024, 200
POOL, TRANSPORT_QUESTIONS = 5_000, 8
# Passages of the pool that a warm-up ranks.
WARMED_UP = 500
GRAPHS = {CPU: 8, GPU: 64}
READ = {CPU: 30, GPU: 100}
STEPS = {CPU: 12, GPU: 60}
UNTIMED_STEPS = 4
QUESTIONS_A_STEP = 8
REPLIES = {CPU: 8, GPU: 128}
REPLY_TOKENS = 64
LARGEST_DIFFERENCE = 1e-3


@dataclass(frozen=True, slots=True)
class Done:
    """Work of `amount` units in `seconds`; `result`: what is held against the other device's."""

    amount: float
    seconds: float
    result: Any


def run(names: Collection[str] = ()) -> dict[str, Any]:
    """Return the rates on both devices of each part, or of those named; their ratio; how far both agree.

    Raises:
        UnavailableError: there is no GPU here, or the data sets are not.
    """
    import torch

    if not torch.cuda.is_available():
        raise UnavailableError("no GPU that PyTorch sees on this machine")
    real_data()
    parts = {name: measured() for name, measured in PARTS.items() if not names or name in names}
    return {
        "gpu": torch.cuda.get_device_name(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "cuda": torch.version.cuda,
        "parts": parts,
        "bound": f"the same, or figures within {LARGEST_DIFFERENCE}",
        "within_bound": all(map(_agrees, parts.values())),
    }


def _agrees(row: Mapping[str, Any]) -> bool:
    return bool(
        row.get("same", 1.0) == 1.0
        and row.get("largest_difference", 0.0) <= LARGEST_DIFFERENCE
        and row.get("same_weights_again", True)
    )


def _compared(
    unit: str, work: Callable[[str], Done], agreement: Callable[[Any, Any], dict[str, Any]]
) -> dict[str, Any]:
    started = time.perf_counter()
    done = {device: work(device) for device in (CPU, GPU)}
    rates = {device: each.amount / each.seconds for device, each in done.items()}
    row = {
        "unit": unit,
        **{f"{device}_a_second": round(rate, 2) for device, rate in rates.items()},
        **{f"{device}_amount": each.amount for device, each in done.items()},
        "ratio": round(rates[GPU] / rates[CPU], 2),
        "seconds": round(time.perf_counter() - started, 1),
        **agreement(done[CPU].result, done[GPU].result),
    }
    print(row, flush=True)
    return row


def _largest_difference(left: Sequence[NDArray[Any]], right: Sequence[NDArray[Any]]) -> dict[str, float]:
    """Return how far arrays are apart, of those that both have."""
    apart = max(float(np.abs(a - b).max()) for a, b in zip(left, right, strict=False))
    return {"largest_difference": apart}


def _same_share(left: Sequence[Any], right: Sequence[Any]) -> dict[str, float]:
    """Return the share of results that are the same, of those that both have."""
    pairs = list(zip(left, right, strict=False))
    return {"same": round(sum(a == b for a, b in pairs) / len(pairs), 4), "compared": len(pairs)}


def _timed(work: Callable[[], Any], amount: float) -> Done:
    started = time.perf_counter()
    result = work()
    return Done(amount, time.perf_counter() - started, result)


def _encoder(device: str) -> Encoder:
    return load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, device)


def _texts() -> dict[str, Any]:
    texts = passages(max(TEXTS.values()))

    def work(device: str) -> Done:
        encoder = _encoder(device)
        encoder.encode(texts[:64])
        few = texts[: TEXTS[device]]
        return _timed(lambda: list(encoder.encode(few)), len(few))

    return _compared("passages of 170 words", work, _largest_difference)


def _words() -> dict[str, Any]:
    texts = passages(max(TEXTS.values()))

    def work(device: str) -> Done:
        encoder = _encoder(device)
        encoder.encode_words(texts[:64])
        few = texts[: TEXTS[device]]
        return _timed(lambda: [encoded.unit for encoded in encoder.encode_words(few)], len(few))

    return _compared("passages with their words", work, _largest_difference)


def _search() -> dict[str, Any]:
    random = np.random.default_rng(2026)
    vectors, queries = (random.normal(size=(count, 384)).astype(np.float32) for count in (SEARCHED, QUERIES))
    blocks = np.split(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), 20)

    def work(device: str) -> Done:
        exact_top(blocks[:1], queries, SEARCH_DEPTH, device)
        timed = _timed(partial(exact_top, blocks, queries, SEARCH_DEPTH, device), QUERIES)
        return replace(timed, result=timed.result[1].tolist())

    return _compared(f"queries over {SEARCHED:,} vectors", work, _same_share)


def _transport() -> dict[str, Any]:
    ground = JensenShannon()
    folder = stored(POOL)
    questions = stored_questions(folder)[:TRANSPORT_QUESTIONS]
    source = PackedSource(stored_chunks(folder), ground, storage=np.float16)
    size = len(source.lengths())
    prior = np.concatenate([source.centroid_prior(pack([question], ground))[:size] for question in questions])

    def ranked(bounds: Bounds, count: int) -> list[list[int]]:
        candidates = Candidates(
            np.repeat(np.arange(len(questions)), count),
            np.tile(np.arange(count), len(questions)),
            np.concatenate([prior[place * size : place * size + count] for place in range(len(questions))]),
        )
        rankings = rank(questions, candidates, source, ground, Balanced(), DEPTH, bounds)
        return [ranking.chunks.tolist() for ranking in rankings]

    def work(device: str) -> Done:
        bounds: Bounds = CpuBounds() if device == CPU else DeviceBounds(device)
        ranked(bounds, min(WARMED_UP, size))
        return _timed(lambda: ranked(bounds, size), len(questions))

    return _compared(f"questions over {size:,} passages", work, _same_share)


def _graph_network(kind: str) -> dict[str, Any]:
    graphs = random_graphs(np.random.default_rng(20_261_120))
    config = AttentionConfig()

    def work(device: str) -> Done:
        few = graphs[: GRAPHS[device]]
        list(trained_relevance(graphs[:2], kind, config, None, device))
        timed = _timed(lambda: list(trained_relevance(few, kind, config, None, device)), len(few))
        return replace(timed, result=[relevance.scores for relevance in timed.result])

    return _compared("questions, a network trained for each", work, _largest_difference)


def _harvest() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        save_random_model("six_layers", Path(folder))

        def work(device: str) -> Done:
            model = MaskedLanguageModel("six_layers", folder, device=device)
            probe = Probe(model, PROMPTS, [1.0, 2.0])
            firsts = likeliest(probe, allowed_words(model.words, PROMPTS))[:FIRST_WORDS]
            alike = stem_numbers(model.words)
            settings = SearchSettings(PAIRS, one_list=True, bidirectional=False, shapes=(Shape(1, 1),))
            started = time.perf_counter()
            result = search(probe, firsts, alike, settings)[Shape(1, 1)]
            return Done(1, time.perf_counter() - started, sorted(result.pairs))

        return _compared("searches for 3,000 pairs", work, _same_share)


def _likelihoods() -> dict[str, Any]:
    offered, _ = offered_facts()

    def work(device: str) -> Done:
        model = TransformersLikelihoodModel(*_weights(), device)
        few = offered[: READ[device]]
        read_options(few[:4], model)
        timed = _timed(lambda: read_options(few, model), len(few))
        figures = [
            np.array([list(part.values()) for part in reading.parts], np.float64) for reading in timed.result
        ]
        return replace(timed, result=figures)

    return _compared("questions of four options", work, _largest_difference)


def _adapter() -> dict[str, Any]:
    """Train the same adapter for a few steps, on the GPU twice: whether it gives the same weights again."""
    facts, questions = openbookqa(QUESTIONS_A_STEP * max(STEPS.values()))
    examples = [
        PrefixExample(
            question["id"],
            f"{facts[number % len(facts)]}\nQuestion: {question['question']['stem']}\nAnswer:",
            tuple(f" {choice['text']}" for choice in question["question"]["choices"]),
            "ABCD".index(question["answerKey"]),
        )
        for number, question in enumerate(questions)
    ]

    def work(device: str) -> Done:
        recipe = AdapterTraining(
            steps=STEPS[device],
            evaluations=1,
            bfloat16=True,
            body_rate=5e-4,
            batch=QUESTIONS_A_STEP,
            frozen_layers=0,
            longest=256,
        )
        times: list[float] = []
        with tempfile.TemporaryDirectory() as folder:
            train(
                examples,
                examples[:8],
                Path(folder),
                recipe,
                BaseModel(*_weights(), device),
                lambda done, total: times.append(time.perf_counter()),
            )
            weights = (Path(folder) / "adapter_model.safetensors").read_bytes()
        return Done(len(times) - UNTIMED_STEPS - 1, times[-2] - times[UNTIMED_STEPS - 1], weights)

    again = work(GPU).result
    return _compared(
        "steps of eight questions", work, lambda _, trained: {"same_weights_again": trained == again}
    )


def _weights() -> tuple[str, str, str | None]:
    name, location, revision, _ = PROFILE_GENERATORS["starter"][GENERATOR].adaptable(GENERATOR)
    return name, location, revision


def _requests(count: int) -> list[Request]:
    facts, questions = openbookqa(count)
    return [
        Request(
            "gpu",
            "gpu",
            "Answer the question from the numbered facts.",
            f"[1] {facts[2 * number % len(facts)]}\n[2] {facts[(2 * number + 1) % len(facts)]}\n"
            f"Question: {question['question']['stem']}\n"
            + "\n".join(f"{choice['label']}: {choice['text']}" for choice in question["question"]["choices"]),
            Sampling(max_tokens=REPLY_TOKENS),
        )
        for number, question in enumerate(questions)
    ]


def _replies(generator: Generator, count: int) -> Done:
    list(generator.generate(_requests(2)))
    timed = _timed(lambda: dict(generator.generate(_requests(count))), count)
    by_number = [timed.result[number] for number in range(count)]
    tokens = sum(reply.completion_tokens for reply in by_number)
    return Done(tokens, timed.seconds, [reply.text for reply in by_number])


def _generation() -> dict[str, Any]:
    def work(device: str) -> Done:
        return _replies(TransformersGenerator(*_weights(), device), REPLIES[device])

    # Rounding may decide for another word, and what follows is another reply: told, and no part of the bound.
    return _compared(
        "tokens of replies, by transformers",
        work,
        lambda left, right: {"same_replies": _same_share(left, right)["same"]},
    )


PARTS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "texts": _texts,
    "words": _words,
    "exact_search": _search,
    "transport": _transport,
    **{kind: partial(_graph_network, kind) for kind in KINDS},
    "harvest": _harvest,
    "likelihoods": _likelihoods,
    "adapter": _adapter,
    "generation": _generation,
}


if __name__ == "__main__":
    sys.exit(main(run, names=PARTS))

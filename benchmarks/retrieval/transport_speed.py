"""Exact transport against brute force in the same run, question by question.

Real passages, 170 words each, and XQuAD's questions (see real_texts). Vectors are stored, as in use: word
vectors in half precision, and the ground cost's features of them. Brute force is the same exact evaluation of
every chunk, one process a core, from the same stored vectors.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.real_texts import CACHE, cached_encoder, passages, questions
from evidence_assets.retrieval.transport import brute_force
from evidence_assets.retrieval.transport.cascade import Candidates, Ranking, rank
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.ground_costs import Euclidean, GroundCost, JensenShannon
from evidence_assets.retrieval.transport.marginals import bm25_marginal
from evidence_assets.retrieval.transport.objectives import Balanced, Objective, Partial
from evidence_assets.retrieval.transport.packing import pack
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets.text.term_statistics import count_terms, from_table

PASSAGES, DEPTH = 20_000, 15
SIZES = (1_000, 2_000, 5_000, 10_000, 20_000)
QUESTIONS = {2_000: 40, 20_000: 8}
LITERAL_CHUNKS = 12


def run() -> dict[str, Any]:
    """Return seconds a question, ratios to brute force, and whether the top 15 are the same."""
    folder = stored()
    question_tokens = stored_questions(folder)
    chunks = stored_chunks(folder)
    balanced = _exact(folder, question_tokens, chunks)
    result = {
        "passages": PASSAGES,
        "words": sum(len(chunk.weights) for chunk in chunks),
        "cores": os.cpu_count(),
        **balanced,
    }
    bounds = {
        "ratio_2000": result["balanced"]["2000"]["ratio"] >= 8,
        "ratio_20000": result["balanced"]["20000"]["ratio"] >= 10,
        "literal": result["ratio_to_literal_loop"] >= 100,
        "seconds_20000": result["balanced"]["20000"]["seconds_a_question"] < 2.5,
        "identical": result["all_identical"],
    }
    return result | {"bounds": bounds, "within_bound": all(bounds.values())}


def stored(count: int = PASSAGES) -> Path:
    """Encode passages once; return the folder of their stored unit vectors, weights and offsets."""
    encoder = cached_encoder()
    folder = CACHE / f"passages-{count}"
    if (folder / "offsets.npy").exists():
        return folder
    texts = passages(count)
    encoder.remember_words(texts, lambda done, total: print(f"{done:,} of {total:,} encoded", flush=True))
    statistics = from_table(count_terms(texts, "passages"))
    encoded = encoder.encode_words(texts)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "vectors.npy", np.concatenate([text.unit.astype(np.float16) for text in encoded]))
    np.save(folder / "sentences.npy", np.stack([text.sentence for text in encoded]))
    np.save(
        folder / "weights.npy", np.concatenate([bm25_marginal(text.words, statistics) for text in encoded])
    )
    question_tokens = encoder.encode_words(questions(max(QUESTIONS.values())))
    np.save(
        folder / "question_vectors.npy",
        np.concatenate([text.unit.astype(np.float16) for text in question_tokens]),
    )
    np.save(folder / "question_sentences.npy", np.stack([text.sentence for text in question_tokens]))
    weights = np.concatenate([bm25_marginal(text.words, statistics) for text in question_tokens])
    np.save(folder / "question_weights.npy", weights)
    np.save(folder / "question_offsets.npy", np.cumsum([0, *(len(text.words) for text in question_tokens)]))
    np.save(folder / "offsets.npy", np.cumsum([0, *(len(text.words) for text in encoded)]))
    return folder


def _sets(folder: Path, prefix: str) -> list[TokenSet]:
    vectors, sentences, weights, offsets = (
        np.load(folder / f"{prefix}{name}.npy", mmap_mode="r")
        for name in ("vectors", "sentences", "weights", "offsets")
    )
    return [
        TokenSet(vectors[first:last], np.asarray(weights[first:last]), sentences[number])
        for number, (first, last) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True))
    ]


def stored_questions(folder: Path) -> list[TokenSet]:
    return _sets(folder, "question_")


def stored_chunks(folder: Path) -> list[TokenSet]:
    return _sets(folder, "")


@cache
def _worker_sets(folder: Path) -> tuple[list[TokenSet], list[TokenSet]]:
    import torch

    torch.set_num_threads(1)
    return stored_questions(folder), stored_chunks(folder)


def _brute(
    folder: Path, question: int, first: int, last: int, ground: GroundCost, objective: Objective
) -> list[float]:
    question_tokens, chunks = _worker_sets(folder)
    solutions = brute_force.evaluate(question_tokens[question], chunks[first:last], ground, objective)
    return [solution.cost for solution in solutions]


@contextmanager
def _workers(folder: Path) -> Iterator[Any]:
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        pool.starmap(_brute, [(folder, 0, 0, 8, JensenShannon(), Balanced())] * 8, chunksize=1)
        yield pool


def _brute_force(
    pool: Any, folder: Path, question: int, size: int, ground: GroundCost, objective: Objective
) -> tuple[NDArray[np.float64], float]:
    """Return every chunk's cost, and the seconds it took all cores."""
    parts = 8
    edges = [size * part // parts for part in range(parts + 1)]
    started = time.perf_counter()
    costs = pool.starmap(
        _brute,
        [(folder, question, edges[part], edges[part + 1], ground, objective) for part in range(parts)],
        chunksize=1,
    )
    return np.concatenate(costs), time.perf_counter() - started


def ask(
    question: TokenSet,
    source: PackedSource,
    ground: GroundCost,
    objective: Objective,
    bounds: CpuBounds,
    size: int,
) -> tuple[Ranking, float]:
    """Return the exact top 15 of the first `size` chunks, and the seconds from question to answer."""
    started = time.perf_counter()
    prior = source.centroid_prior(pack([question], ground))[:size]
    candidates = Candidates(np.zeros(size, np.int64), np.arange(size), prior)
    (ranking,) = rank([question], candidates, source, ground, objective, DEPTH, bounds)
    return ranking, time.perf_counter() - started


def _exact(folder: Path, question_tokens: list[TokenSet], chunks: list[TokenSet]) -> dict[str, Any]:
    """Return the exact arms beside brute force, question by question, and how time grows with the pool."""
    bounds = CpuBounds()
    result: dict[str, Any] = {}
    ground, identical = JensenShannon(), []
    with _workers(folder) as pool:
        source = PackedSource(chunks, ground, storage=np.float16)
        ask(question_tokens[0], source, ground, Balanced(), bounds, 200)
        result["balanced"] = {
            str(size): _held_against(
                pool, folder, question_tokens[:count], source, ground, Balanced(), bounds, size
            )
            for size, count in QUESTIONS.items()
        }
        result["partial"] = {
            "2000": _held_against(
                pool, folder, question_tokens[:10], source, ground, Partial(), bounds, 2_000
            )
        }
        seconds = {
            size: float(
                np.median(
                    [
                        ask(question, source, ground, Balanced(), bounds, size)[1]
                        for question in question_tokens[:5]
                    ]
                )
            )
            for size in SIZES
        }
        result["seconds_a_question_by_pool"] = {str(size): round(spent, 3) for size, spent in seconds.items()}
        result["growth_exponent"] = _exponent(seconds)
        literal = _literal(question_tokens[0], chunks[:LITERAL_CHUNKS])
        result["literal_seconds_a_chunk"] = round(literal, 4)
        spent = result["balanced"]["20000"]["seconds_a_question"]
        result["ratio_to_literal_loop"] = round(literal * 20_000 / spent)
        del source
        euclidean = PackedSource(chunks[:2_000], Euclidean())
        result["euclidean_balanced"] = {
            "2000": _held_against(
                pool, folder, question_tokens[:10], euclidean, Euclidean(), Balanced(), bounds, 2_000
            )
        }
    for objective in ("balanced", "partial", "euclidean_balanced"):
        identical += [row["identical"] for row in result[objective].values()]
    return result | {"all_identical": all(identical)}


def _held_against(
    pool: Any,
    folder: Path,
    question_tokens: list[TokenSet],
    source: PackedSource,
    ground: GroundCost,
    objective: Objective,
    bounds: CpuBounds,
    size: int,
) -> dict[str, Any]:
    ours, theirs, same, gap, solved, statuses = [], [], [], 0.0, [], set()
    for number, question in enumerate(question_tokens):
        ranking, spent = ask(question, source, ground, objective, bounds, size)
        costs, brute = _brute_force(pool, folder, number, size, ground, objective)
        best = np.argsort(costs, kind="stable")[:DEPTH]
        same.append(ranking.chunks.tolist() == best.tolist())
        gap = max(gap, float(np.abs(np.sort(ranking.costs) - costs[best]).max()))
        ours.append(spent)
        theirs.append(brute)
        solved.append(ranking.certificate.solved)
        statuses.add(ranking.certificate.status)
        print(
            f"{objective.name} {size:,} q{number}: {spent:.2f} s, brute force {brute:.2f} s, same {same[-1]}",
            flush=True,
        )
    return {
        "questions": len(question_tokens),
        "seconds_a_question": round(float(np.mean(ours)), 3),
        "slowest": round(max(ours), 3),
        "brute_force_seconds": round(float(np.mean(theirs)), 3),
        "ratio": round(float(np.sum(theirs) / np.sum(ours)), 1),
        "identical": all(same) and gap <= 1e-6,
        "largest_cost_difference": gap,
        "exact_solves": round(float(np.mean(solved)), 1),
        "statuses": sorted(statuses),
    }


def _exponent(seconds: dict[int, float]) -> float:
    """Return the slope of log seconds over log size from 2,000 on: 1 is linear."""
    sizes = [size for size in seconds if size >= 2_000]
    logs = np.log([seconds[size] for size in sizes])
    return round(float(np.polyfit(np.log(sizes), logs, 1)[0]), 2)


def _literal(question: TokenSet, chunks: list[TokenSet]) -> float:
    """Return seconds a chunk of the textbook loop: one divergence a pair of words, then transport."""
    import ot
    from scipy.spatial.distance import jensenshannon
    from scipy.special import softmax

    scale = np.sqrt(question.vectors.shape[1]) / 2
    started = time.perf_counter()
    for chunk in chunks:
        left = [softmax(scale * np.asarray(vector, np.float64)) for vector in question.vectors]
        right = [softmax(scale * np.asarray(vector, np.float64)) for vector in chunk.vectors]
        cost = np.array([[jensenshannon(p, q) ** 2 for q in right] for p in left])
        ot.emd2(question.marginal, chunk.marginal, cost)
    return (time.perf_counter() - started) / len(chunks)

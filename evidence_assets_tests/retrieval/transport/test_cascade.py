"""The exact best k from few exact evaluations: what brute force finds, and why it is right."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport import cascade
from evidence_assets.retrieval.transport.bounds import Bounds
from evidence_assets.retrieval.transport.cascade import Budget, Candidates, Ranking, rank
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.device_bounds import DeviceBounds
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, GroundCost, JensenShannon
from evidence_assets.retrieval.transport.objectives import COVERAGE, Balanced, Objective
from evidence_assets.retrieval.transport.packing import Pack, pack_sound
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import (
    GROUNDS,
    LENGTHS,
    LINEAR_PROGRAMS,
    OBJECTIVES,
    all_pairs,
    best,
    check_is_brute_force,
    pool,
    reordered,
    text,
    unit,
)

CPU, DEVICE = CpuBounds(), DeviceBounds("cpu")
EVERY_OBJECTIVE = pytest.mark.parametrize("objective", OBJECTIVES.values(), ids=OBJECTIVES)

temperatures = st.floats(0.02, 10)
grounds = st.one_of(
    st.sampled_from([Cosine(), Euclidean(), JensenShannon()]),
    st.builds(JensenShannon.at_temperature, temperatures),
)


def check_counts(ranking: Ranking, held: int) -> None:
    """What became of the chunks adds up to the pool, and the proof is of what was returned."""
    certificate = ranking.certificate
    ruled_out = certificate.centroid + certificate.bound + certificate.ascent
    assert certificate.pool == held
    assert certificate.solved + ruled_out + certificate.open + certificate.refused == held
    assert certificate.solved >= len(ranking.chunks) == len(ranking.solutions)
    assert certificate.status == ("anytime" if certificate.open else "proved")
    assert (np.diff(ranking.costs) >= 0).all()
    if len(ranking.chunks):
        assert certificate.threshold == ranking.costs[-1]


def check_same(actual: Sequence[Ranking], expected: Sequence[Ranking]) -> None:
    for ranking, reference in zip(actual, expected, strict=True):
        assert ranking.chunks.tolist() == reference.chunks.tolist()
        np.testing.assert_array_equal(ranking.costs, reference.costs)


@examples(250)
@given(
    ground=grounds,
    objective=st.sampled_from(list(OBJECTIVES.values())),
    bounds=st.sampled_from([CPU, DEVICE]),
    storage=st.sampled_from([np.float16, np.float32]),
    dtype=st.sampled_from([np.float16, np.float32]),
    length=st.sampled_from(LENGTHS),
    sizes=st.tuples(st.integers(1, 3), st.integers(1, 25)),
    words=st.tuples(st.sampled_from([1, 4, 20]), st.sampled_from([1, 5, 30])),
    depth=st.integers(1, 28),
    memory=st.sampled_from([1, 1 << 14, 1 << 20, 1 << 30]),
    seed=st.integers(0, 99_999),
)
def test_it_is_brute_force(
    ground: GroundCost,
    objective: Objective,
    bounds: Bounds,
    storage: type,
    dtype: type,
    length: float,
    sizes: tuple[int, int],
    words: tuple[int, int],
    depth: int,
    memory: int,
    seed: int,
) -> None:
    random = np.random.default_rng(seed)
    chunks = pool(random, sizes[1], words[1], length=length, dtype=dtype)
    questions = pool(random, sizes[0], words[0], length=length, dtype=dtype)
    if random.random() < 0.3:
        chunks[-1] = reordered(random, questions[0])
        chunks[len(chunks) // 2] = questions[0]
    pairs = all_pairs(*sizes, random)
    chosen = random.random(len(pairs.question)) < random.choice([0.3, 1.0])
    pairs = Candidates(pairs.question[chosen], pairs.chunk[chosen], pairs.prior[chosen])
    source = PackedSource(chunks, ground, storage=storage)
    rankings = rank(questions, pairs, source, ground, objective, depth, bounds, Budget(memory))
    assert len(rankings) == len(questions)
    for number, (question, ranking) in enumerate(zip(questions, rankings, strict=True)):
        held = pairs.chunk[pairs.question == number].tolist()
        check_is_brute_force(ranking, question, chunks, held, ground, objective, depth)
        check_counts(ranking, len(held))
        assert ranking.certificate.status == "proved"
        assert ranking.refusal == ""


@EVERY_OBJECTIVE
@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
def test_it_is_brute_force_for_long_texts(ground: GroundCost, objective: Objective) -> None:
    random = np.random.default_rng(7)
    questions = [text(random, size, 12, zeros=0.1) for size in (60, 1)]
    chunks = [text(random, size, 12, zeros=0.1) for size in (512, 300, 1, 40, 120, 3, 60, 200)]
    chunks += [chunks[4], reordered(random, chunks[3])]
    source = PackedSource(chunks, ground, storage=np.float16)
    pairs = all_pairs(2, 10, random)
    rankings = rank(questions, pairs, source, ground, objective, 4, CPU)
    for question, ranking in zip(questions, rankings, strict=True):
        check_is_brute_force(ranking, question, chunks, range(10), ground, objective, 4)
        check_counts(ranking, 10)


@pytest.mark.parametrize("length", [1e5, 1e14])
@pytest.mark.parametrize("storage", [np.float16, np.float32])
def test_vectors_longer_than_storage_reaches_are_ranked_all_the_same(storage: type, length: float) -> None:
    random = np.random.default_rng(0)
    question = text(random, 4, 8, length)
    chunks = [text(random, 5, 8, length * random.uniform(0.1, 3)) for _ in range(30)]
    source = PackedSource(chunks, Euclidean(), storage=storage)
    for objective in OBJECTIVES.values():
        (ranking,) = rank([question], all_pairs(1, 30), source, Euclidean(), objective, 5, CPU)
        numbers = [number for number, _ in best(question, chunks, Euclidean(), objective, 5)]
        assert ranking.chunks.tolist() == numbers


def topical(random: np.random.Generator, topics: int, per_topic: int) -> tuple[TokenSet, list[TokenSet]]:
    """A question, and a pool of which one topic in many is its own."""
    middles = 0.4 * random.normal(size=(topics, 16))
    chunks = [
        TokenSet((middle + unit(random, 12, 16)).astype(np.float32), random.uniform(0.1, 1, 12))
        for middle in np.repeat(middles, per_topic, axis=0)
    ]
    question = TokenSet((middles[0] + unit(random, 6, 16)).astype(np.float32), random.uniform(0.1, 1, 6))
    return question, chunks


@pytest.mark.parametrize("name", LINEAR_PROGRAMS)
@pytest.mark.parametrize("ground", [JensenShannon(3.0), Euclidean(), Cosine()], ids=["jsd", "euclid", "cos"])
def test_few_chunks_are_solved(bounds: Bounds, ground: GroundCost, name: str) -> None:
    question, chunks = topical(np.random.default_rng(0), 20, 10)
    source = PackedSource(chunks, ground)
    pairs = all_pairs(1, 200, np.random.default_rng(1))
    (ranking,) = rank([question], pairs, source, ground, OBJECTIVES[name], 5, bounds)
    check_is_brute_force(ranking, question, chunks, range(200), ground, OBJECTIVES[name], 5)
    check_counts(ranking, 200)
    assert ranking.certificate.solved < 50
    assert 0 < ranking.certificate.margin < 0.01


@EVERY_OBJECTIVE
@pytest.mark.parametrize("ground", [JensenShannon(), Cosine()], ids=lambda ground: type(ground).__name__)
def test_prior_and_memory_and_company_change_nothing(ground: GroundCost, objective: Objective) -> None:
    random = np.random.default_rng(3)
    questions, chunks = pool(random, 3, 8), pool(random, 30, 12)
    source = PackedSource(chunks, ground)
    pairs = all_pairs(3, 30)
    expected = rank(questions, pairs, source, ground, objective, 6, CPU)
    for prior in (-pairs.chunk, random.random(90), np.zeros(90), np.full(90, np.inf)):
        rankings = rank(questions, replace(pairs, prior=prior), source, ground, objective, 6, CPU)
        check_same(rankings, expected)
    for memory in (1, 10_000, 1_000_000):
        check_same(rank(questions, pairs, source, ground, objective, 6, CPU, Budget(memory)), expected)
    for number, question in enumerate(questions):
        alone = rank([question], all_pairs(1, 30, random), source, ground, objective, 6, CPU)
        check_same(alone, expected[number : number + 1])


def test_a_certificate_of_coverage_is_the_same_whatever_is_asked_beside_it() -> None:
    random = np.random.default_rng(7)
    questions, chunks = pool(random, 5, 6, 24), pool(random, 20, 12, 24)
    source = PackedSource(chunks, Cosine())
    together = rank(questions, all_pairs(5, 20), source, Cosine(), COVERAGE, 3, CpuBounds())
    for number, question in enumerate(questions):
        [alone] = rank([question], all_pairs(1, 20), source, Cosine(), COVERAGE, 3, CpuBounds())
        assert alone.certificate == together[number].certificate
    assert len({ranking.certificate.margin for ranking in together}) > 1


def test_every_question_has_its_own_depth_and_pool() -> None:
    random = np.random.default_rng(0)
    ground = Euclidean()
    questions, chunks = pool(random, 4, 6), pool(random, 12, 8)
    held = [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 11], [], [9]]
    question = np.repeat(np.arange(4), [len(numbers) for numbers in held])
    chunk = np.concatenate([np.array(numbers, np.int64) for numbers in held])
    source = PackedSource(chunks, ground)
    pairs = Candidates(question, chunk, chunk)
    rankings = rank(questions, pairs, source, ground, Balanced(), [2, 9, 3, 1], CPU)
    for number, depth in enumerate([2, 9, 3, 1]):
        query = questions[number]
        check_is_brute_force(rankings[number], query, chunks, held[number], ground, Balanced(), depth)
        check_counts(rankings[number], len(held[number]))
    assert np.isnan(rankings[2].certificate.threshold)


@pytest.mark.parametrize("name", LINEAR_PROGRAMS)
def test_ties_go_to_the_lower_number_even_at_no_distance(bounds: Bounds, name: str) -> None:
    """Copies of the question cost nothing but for rounding, which no bound may stand above."""
    random = np.random.default_rng(0)
    for ground in (Cosine(), Euclidean()):
        for _ in range(25):
            question = text(random, int(random.integers(1, 20)), 8, zeros=0.2)
            chunks = [reordered(random, question) for _ in range(6)]
            pairs = replace(all_pairs(1, 6), prior=-np.arange(6))
            source = PackedSource(chunks, ground)
            (ranking,) = rank([question], pairs, source, ground, OBJECTIVES[name], 2, bounds)
            check_is_brute_force(ranking, question, chunks, range(6), ground, OBJECTIVES[name], 2)


def test_costs_that_single_precision_cannot_tell_apart_are_told_apart() -> None:
    random = np.random.default_rng(0)
    question = replace(text(random, 4), sentence=unit(random, 1, 6)[0])
    away = unit(random, 1, 6)[0]
    chunks = [replace(question, sentence=away + 1e-9 * random.normal(size=6)) for _ in range(40)]
    source = PackedSource(chunks, Cosine())
    (ranking,) = rank([question], all_pairs(1, 40), source, Cosine(), COVERAGE, 5, CPU)
    assert len(np.unique(ranking.costs.astype(np.float32))) < 5
    check_is_brute_force(ranking, question, chunks, range(40), Cosine(), COVERAGE, 5)


class Clock:
    """Seconds that pass by one a look."""

    def __init__(self) -> None:
        self._ticks = count()

    def monotonic(self) -> float:
        return float(next(self._ticks))


@EVERY_OBJECTIVE
def test_without_time_the_most_promising_are_exact_and_nothing_is_proved(objective: Objective) -> None:
    random = np.random.default_rng(0)
    question, *chunks = pool(random, 21, 8)
    source = PackedSource(chunks, Cosine())
    pairs = replace(all_pairs(1, 20), prior=np.arange(20)[::-1])
    (ranking,) = rank([question], pairs, source, Cosine(), objective, 3, CPU, Budget(seconds=0))
    check_is_brute_force(ranking, question, chunks, [17, 18, 19], Cosine(), objective, 3)
    assert ranking.certificate.open == 17
    check_counts(ranking, 20)
    assert ranking.certificate.status == "anytime"


@EVERY_OBJECTIVE
def test_whenever_the_time_is_up_the_best_so_far_is_exact(
    objective: Objective, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(0)
    ground = Euclidean()
    questions, chunks = pool(random, 2, 8), pool(random, 25, 8)
    source = PackedSource(chunks, ground)
    statuses = []
    for seconds in range(1, 60, 2):
        monkeypatch.setattr(cascade, "time", Clock())
        budget = Budget(memory_bytes=1 << 14, seconds=seconds)
        rankings = rank(questions, all_pairs(2, 25), source, ground, objective, 4, CPU, budget)
        for question, ranking in zip(questions, rankings, strict=True):
            check_counts(ranking, 25)
            ranked_numbers = ranking.chunks.tolist()
            check_is_brute_force(ranking, question, chunks, ranked_numbers, ground, objective, 4)
            if ranking.certificate.status == "proved":
                check_is_brute_force(ranking, question, chunks, range(25), ground, objective, 4)
        statuses += [ranking.certificate.status for ranking in rankings]
    assert set(statuses) == {"anytime", "proved"}
    assert statuses[0] == "anytime"
    assert statuses[-2:] == ["proved", "proved"]


def test_time_to_spare_is_time_enough() -> None:
    random = np.random.default_rng(0)
    question, *chunks = pool(random, 21, 8)
    source = PackedSource(chunks, Cosine())
    (ranking,) = rank([question], all_pairs(1, 20), source, Cosine(), Balanced(), 3, CPU, Budget(seconds=1e6))
    check_is_brute_force(ranking, question, chunks, range(20), Cosine(), Balanced(), 3)
    assert ranking.certificate.status == "proved"


def broken_texts(sound: TokenSet) -> dict[str, TokenSet]:
    words, width = sound.vectors.shape
    sentence = sound.sentence
    assert sentence is not None
    poisoned = np.array(sound.vectors)
    poisoned[0, 0] = np.nan
    endless = np.array(sound.vectors)
    endless[0, 0] = np.inf
    return {
        "empty": replace(sound, vectors=np.empty((0, width), np.float32), weights=np.empty(0)),
        "weightless": replace(sound, weights=np.zeros(words)),
        "negative": replace(sound, weights=sound.weights - 10),
        "not a number": replace(sound, vectors=poisoned),
        "infinite": replace(sound, vectors=endless),
        "lengths": replace(sound, weights=np.ones(words + 1)),
        "narrow": TokenSet(sound.vectors[:, 1:], sound.weights, sentence[1:]),
        "sentence": replace(sound, sentence=sentence[1:]),
        "flat": replace(sound, vectors=sound.vectors[0]),
        "no dimensions": TokenSet(sound.vectors[:, :0], sound.weights, sentence[:0]),
    }


BROKEN = broken_texts(text(np.random.default_rng(5), 4))


@EVERY_OBJECTIVE
@pytest.mark.parametrize("prior", [1, -1], ids=["last", "first"])
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_chunk_does_not_lose_the_pool(kind: str, prior: int, objective: Objective) -> None:
    random = np.random.default_rng(0)
    ground = JensenShannon()
    questions, chunks = pool(random, 2, 5), pool(random, 10, 6)
    for place in (0, 4):
        chunks[place] = BROKEN[kind]
    pairs = all_pairs(2, 10)
    pairs = replace(pairs, prior=prior * pairs.chunk)
    rankings = rank(questions, pairs, PackedSource(chunks, ground), ground, objective, 5, CPU)
    for question, ranking in zip(questions, rankings, strict=True):
        sound = [number for number in range(10) if number not in (0, 4)]
        check_is_brute_force(ranking, question, chunks, sound, ground, objective, 5)
        check_counts(ranking, 10)
        assert ranking.certificate.refused == 2
        assert ranking.certificate.status == "proved"


@EVERY_OBJECTIVE
def test_a_zero_vector_is_broken_where_direction_counts(objective: Objective) -> None:
    random = np.random.default_rng(0)
    question, *chunks = pool(random, 9, 6)
    chunks[3] = replace(chunks[3], vectors=np.zeros_like(chunks[3].vectors))
    for ground, sound in ((Cosine(), [0, 1, 2, 4, 5, 6, 7]), (Euclidean(), list(range(8)))):
        source = PackedSource(chunks, ground)
        (ranking,) = rank([question], all_pairs(1, 8), source, ground, objective, 8, CPU)
        check_is_brute_force(ranking, question, chunks, sound, ground, objective, 8)
        assert ranking.certificate.refused == 8 - len(sound)


@EVERY_OBJECTIVE
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_question_says_so_and_the_others_are_ranked(kind: str, objective: Objective) -> None:
    random = np.random.default_rng(0)
    ground = Cosine()
    questions, chunks = pool(random, 3, 5), pool(random, 8, 6)
    questions[1] = BROKEN[kind]
    names = ["query a", "query b", "query c"]
    source = PackedSource(chunks, ground)
    rankings = rank(questions, all_pairs(3, 8), source, ground, objective, 3, CPU, names=names)
    for number in (0, 2):
        check_is_brute_force(rankings[number], questions[number], chunks, range(8), ground, objective, 3)
        assert rankings[number].refusal == ""
    broken = rankings[1]
    assert broken.refusal.startswith("query b: ")
    assert len(broken.chunks) == len(broken.solutions) == len(broken.costs) == 0
    assert (broken.certificate.status, broken.certificate.pool) == ("refused", 8)
    assert np.isnan(broken.certificate.threshold)


@EVERY_OBJECTIVE
def test_nothing_sound_is_an_empty_ranking(objective: Objective) -> None:
    random = np.random.default_rng(0)
    ground, sound = Cosine(), text(random, 3)
    broken = replace(sound, weights=np.zeros(3))
    (ranking,) = rank([sound], all_pairs(1, 4), PackedSource([broken] * 4, ground), ground, objective, 2, CPU)
    assert len(ranking.chunks) == 0
    assert ranking.refusal == ""
    assert ranking.certificate.refused == ranking.certificate.pool == 4
    (ranking,) = rank([broken], all_pairs(1, 4), PackedSource([sound] * 4, ground), ground, objective, 2, CPU)
    assert ranking.refusal.startswith("question 0: ")
    nobody = np.empty(0, np.int64)
    source = PackedSource([sound], ground)
    assert rank([], Candidates(nobody, nobody, nobody), source, ground, objective, 2, CPU) == []
    (ranking,) = rank([sound], Candidates(nobody, nobody, nobody), source, ground, objective, 2, CPU)
    assert (ranking.certificate.pool, ranking.certificate.status) == (0, "proved")


def test_a_sentence_term_wants_sentence_vectors() -> None:
    random = np.random.default_rng(0)
    chunks = pool(random, 4, 5)
    chunks[1] = replace(chunks[1], sentence=None)
    source = PackedSource(chunks, Cosine())
    with pytest.raises(InvalidTokenSetError, match="coverage compares sentence vectors"):
        rank([text(random, 3)], all_pairs(1, 4), source, Cosine(), COVERAGE, 2, CPU)


def test_what_cannot_be_asked_is_refused() -> None:
    random = np.random.default_rng(0)
    question, *chunks = pool(random, 5, 5)
    source = PackedSource(chunks, Cosine())
    for depth in (0, -1, [0]):
        with pytest.raises(ValueError, match="depth must be 1 or more"):
            rank([question], all_pairs(1, 4), source, Cosine(), Balanced(), depth, CPU)
    with pytest.raises(ValueError, match="names question 1 of 1"):
        rank([question], all_pairs(2, 4), source, Cosine(), Balanced(), 2, CPU)
    with pytest.raises(ValueError, match="make a source for it"):
        rank([question], all_pairs(1, 4), source, Euclidean(), COVERAGE, 2, CPU)
    with pytest.raises(ValueError, match="5 dimensions"):
        rank([text(random, 3, width=5)], all_pairs(1, 4), source, Cosine(), COVERAGE, 2, CPU)


@EVERY_OBJECTIVE
def test_progress_is_told_to_the_end(objective: Objective) -> None:
    random = np.random.default_rng(0)
    question, *chunks = pool(random, 31, 12)
    progress: list[tuple[int, int]] = []
    source = PackedSource(chunks, Cosine())
    budget = Budget(memory_bytes=1 << 14)
    rank(
        [question],
        all_pairs(1, 30),
        source,
        Cosine(),
        objective,
        2,
        CPU,
        budget,
        lambda done, total: progress.append((done, total)),
    )
    done, totals = zip(*progress, strict=True)
    assert len(progress) > 2
    assert list(done) == sorted(set(done))
    assert set(totals) == {done[-1]}


class MadeUp:
    """Chunks that are made when they are asked for, and counted."""

    def __init__(self, chunks: int, words: int, width: int) -> None:
        self._shape = (words, width)
        self._chunks = chunks
        self.packed: list[int] = []

    def lengths(self) -> np.ndarray:
        return np.full(self._chunks, self._shape[0])

    def name(self, number: int) -> str:
        return f"chunk {number}"

    def token_sets(self, numbers: np.ndarray) -> list[TokenSet]:
        return [text(np.random.default_rng(number), *self._shape) for number in numbers.tolist()]

    def pack(self, numbers: np.ndarray, ground: GroundCost, dimension: int) -> Pack:
        self.packed += numbers.tolist()
        return pack_sound(numbers, self.token_sets(numbers), [""] * len(numbers), ground, dimension)


@EVERY_OBJECTIVE
def test_a_chunk_is_read_once_whatever_the_number_of_questions(objective: Objective) -> None:
    random = np.random.default_rng(0)
    source = MadeUp(40, 5, 6)
    pairs = all_pairs(6, 40, random)
    rank([text(random, 3) for _ in range(6)], pairs, source, Cosine(), objective, 2, CPU, Budget(1 << 12))
    assert len(source.packed) == len(set(source.packed))


_MEASURED = """
import resource, sys
import numpy as np, torch
from evidence_assets_tests.retrieval.transport import test_cascade as own
torch.set_num_threads(1)
ground, objective = own.JensenShannon(), own.OBJECTIVES[sys.argv[1]]
questions = [own.text(np.random.default_rng(number), 50, 32) for number in range(20)]
def ranked(chunks):
    source, pairs = own.MadeUp(chunks, 64, 32), own.all_pairs(20, chunks)
    return own.rank(questions, pairs, source, ground, objective, 2, own.CPU, own.Budget(own.MEMORY))
ranked(20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
rankings = ranked(own.MANY)
assert {one.certificate.status for one in rankings} == {"proved"}
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10)
"""
MEMORY, MANY = 4 << 20, 800


@pytest.mark.integration
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units elsewhere")
def test_memory_does_not_grow_with_the_pool() -> None:
    """The cost matrix of 20 x 50 by 800 x 64 words would take 195 MiB, a block of it as it comes 15."""
    arguments = [sys.executable, "-c", _MEASURED, "coverage"]
    project = Path(__file__).parents[3]
    process = subprocess.run(arguments, check=True, capture_output=True, text=True, cwd=project)
    assert int(process.stdout) < 2 * MEMORY

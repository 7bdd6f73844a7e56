"""Quality of a harvested knowledge graph (thesis 5.4.2), and an estimate of what is still to be found.

A pair is (head, tail), and pairs are of one relation, given best first. What is a share of nothing raises
ValueError; what is undefined although there is data is nan, and said so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, exp, log, nan, sqrt

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.estimates import Estimate, proportion
from evidence_assets.text.normal_forms import lemma_form, normal_form

# Section 5.4.3.4: a cosine of more than 0.75 to 100 gold tuples, drawn 200 times.
THRESHOLD, SAMPLE, ROUNDS = 0.75, 100, 200
CALIBRATION_BINS = 10
_Z = 1.959963984540054
# Similarities held at once: 64 MB of doubles.
_CELLS = 1 << 23
_UNIT = 1e-3
_ROUNDING = 1e-9

Pair = tuple[str, str]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Novelty:
    """The share of n pairs that a reference does not hold.

    `share`: a pair is known by its lemmas, so that plurals and articles make nothing new. `by_spelling`: a
    pair is known by its normal form alone, as by a plain look-up; never less than `share`.
    """

    share: float
    by_spelling: float
    n: int


@dataclass(frozen=True, slots=True)
class SimilarityAccuracy:
    """The share of n candidates that are right: its mean and standard deviation over rounds.

    `deviation` has the number of rounds in its denominator. `drawn` is how many gold tuples a round had.
    """

    mean: float
    deviation: float
    n: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many pairs were seen, how many there are to find, and the share of them that was seen.

    `total` has the 95 % interval [`low`, `high`], in pairs. All but `observed` are nan where there is no
    estimate.
    """

    observed: int
    total: float
    low: float
    high: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far n confidences are to be believed, by three measures in [0, 1]."""

    brier: float
    expected_calibration_error: float
    area_under_curve: float
    n: int


def extracted_facts(pairs: Sequence[Pair]) -> int:
    """Return how many entities were extracted, two a pair, repeated ones again (thesis 5.4.2).

    "We only report the number of entities extracted as the extracted fact count value": in tables 5.1 and 5.4
    it is twice the number of tuples in every row, so it says no more than that number does. 0 for no pairs.
    """
    return 2 * len(pairs)


def diversity(pairs: Iterable[Pair]) -> int:
    """Return the number of unique entities, heads and tails together, by normal form (thesis 5.4.2).

    0 for no pairs.
    """
    return len({normal_form(entity) for pair in pairs for entity in pair})


def novelty(pairs: Sequence[Pair], reference: Iterable[Pair]) -> Novelty:
    """Return the share of pairs that are no pair of the reference graph's relation.

    This is novelty of tuples. Section 5.4.2 sets out "to evaluate the new, uniquely generated tuples", and
    then defines the share of "extracted entities that do not appear in ConceptNet datasets", which is
    `entity_novelty`. Table 5.2 prints percentages without saying of what, and their rounding does not show.
    Table 5.9 has two columns mixed up: "Novelty" holds table 5.1's counts of unique entities, "Diversity (%)"
    holds table 5.2's novelty.
    A pair turned round is another pair.

    Raises:
        ValueError: there is no pair.
    """
    if not pairs:
        raise ValueError("novelty needs at least one pair")
    reference = list(reference)
    unspelled = len(novel_only(pairs, reference))
    unknown = len(pairs) - sum(known_pairs(pairs, reference))
    return Novelty(unknown / len(pairs), unspelled / len(pairs), len(pairs))


def known_pairs(pairs: Iterable[Pair], reference: Iterable[Pair]) -> list[bool]:
    """Return which pairs a reference holds, by lemmas: articles and plurals make nothing new."""
    known = {(_lemmas(head), _lemmas(tail)) for head, tail in reference}
    return [(_lemmas(head), _lemmas(tail)) in known for head, tail in pairs]


def entity_novelty(pairs: Iterable[Pair], entities: Iterable[str]) -> Novelty:
    """Return the share of unique entities that are none of the reference's: novelty as 5.4.2 words it.

    "The proportion of extracted entities that do not appear in ConceptNet datasets"; whether an entity
    extracted twice counts twice it leaves open: here it counts once, as in `diversity`, which is `n`.
    `entities` are those of the whole reference, whatever their relation.

    Raises:
        ValueError: there is no pair.
    """
    extracted = {normal_form(entity): _lemmas(entity) for pair in pairs for entity in pair}
    if not extracted:
        raise ValueError("novelty needs at least one pair")
    spelled: set[str] = set()
    lemmatised: set[str] = set()
    for entity in entities:
        spelled.add(normal_form(entity))
        lemmatised.add(_lemmas(entity))
    unspelled = sum(form not in spelled for form in extracted)
    unknown = sum(form not in lemmatised for form in extracted.values())
    return Novelty(unknown / len(extracted), unspelled / len(extracted), len(extracted))


def _lemmas(entity: str) -> str:
    # "one" and "the" have no lemmas left: as they are spelled, lest all of them be one entity.
    return lemma_form(entity) or normal_form(entity)


def novel_only(pairs: Sequence[Pair], baseline: Iterable[Pair]) -> list[int]:
    """Return which pairs are not in `baseline`, by normal form: numbers, ascending (thesis 5.4.3.5).

    T_novel = T_K-Bloom minus T_BertNet, of which table 5.7 gives the precision.
    """
    baseline_forms = {(normal_form(head), normal_form(tail)) for head, tail in baseline}
    return [
        number
        for number, (head, tail) in enumerate(pairs)
        if (normal_form(head), normal_form(tail)) not in baseline_forms
    ]


def similarity_accuracy(
    candidates: NDArray[np.floating],
    gold: NDArray[np.floating],
    *,
    seed: int,
    threshold: float = THRESHOLD,
    sample: int = SAMPLE,
    rounds: int = ROUNDS,
    least_share: float = 0.0,
) -> SimilarityAccuracy:
    """Return the share of candidates that are similar to sampled gold tuples (thesis 5.4.3.4 and 5.4.3.5).

    `candidates` (n, d) and `gold` (m, d) are unit vectors of the verbalised pairs of one relation. A round
    draws `sample` gold tuples without replacement, all of them where there are fewer. A candidate is right
    if its cosine exceeds `threshold` for at least the share `least_share` of those drawn, and for one.

    The thesis has two rules. By 5.4.3.4 (table 5.6) a tuple is valid if similar "to more than half" of the
    drawn tuples, "at least 50 out of 100", which is not more than half: 0.5 here takes the 50. By 5.4.3.5
    (table 5.7, "the same protocol") it is the greatest similarity that counts: 0.

    Draws depend on `seed`, m, `sample` and `rounds` alone, so that systems are compared on the same ones.

    Raises:
        ValueError: shapes do not fit, either is empty, vectors are not of unit length, or a setting is out
            of its range.
    """
    _check_vectors(candidates, gold)
    if sample < 1 or rounds < 1:
        raise ValueError(f"a sample of {sample} in {rounds} rounds: both must be at least 1")
    if not 0 <= least_share <= 1:
        raise ValueError(f"least_share {least_share} is not in [0, 1]")
    draws = _draws(len(gold), sample, rounds, seed)
    drawn = draws.shape[1]
    needed = max(1, ceil(least_share * drawn - _ROUNDING))
    # Only rows that some round drew are compared, each once however often it was drawn.
    used, inverse = np.unique(draws, return_inverse=True)
    places = inverse.reshape(draws.shape)
    precise = np.result_type(candidates, gold, np.float32)
    compared = gold[used].astype(precise, copy=False)
    right = np.zeros(len(draws), dtype=np.int64)
    at_once = max(1, _CELLS // len(used))
    for start in range(0, len(candidates), at_once):
        block = candidates[start : start + at_once].astype(precise, copy=False)
        near = compared @ block.T > threshold
        for number, rows in enumerate(places):
            # A row of `near` is one gold tuple: what is gathered lies together in memory.
            counts = np.add.reduce(near[rows], axis=0, dtype=np.int32)
            right[number] += np.count_nonzero(counts >= needed)
    shares = right / len(candidates)
    return SimilarityAccuracy(float(shares.mean()), float(shares.std()), len(candidates), drawn)


def _check_vectors(candidates: NDArray[np.floating], gold: NDArray[np.floating]) -> None:
    if candidates.ndim != 2 or gold.ndim != 2 or candidates.shape[1] != gold.shape[1]:
        raise ValueError(f"candidates {candidates.shape} and gold {gold.shape} are not (n, d) and (m, d)")
    for name, vectors in (("candidate", candidates), ("gold tuple", gold)):
        if not len(vectors):
            raise ValueError(f"similarity accuracy needs at least one {name}")
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
        # Written so that nan fails.
        if not np.all(np.abs(lengths - 1) <= _UNIT):
            raise ValueError(f"{name} vectors are not of unit length")


def _draws(gold: int, sample: int, rounds: int, seed: int) -> IntArray:
    """Return (rounds, drawn) which gold tuples each round has; one round where all are drawn each time."""
    if gold <= sample:
        return np.arange(gold, dtype=np.int64)[None]
    generator = np.random.default_rng(seed)
    return np.stack([generator.choice(gold, size=sample, replace=False) for _ in range(rounds)])


def judged_precision(labels: Sequence[bool] | BoolArray) -> tuple[Estimate, Estimate]:
    """Return the shares of n pairs judged correct and incorrect, with Wilson 95 % intervals (thesis 5.4.2).

    A label is whether the judge holds the pair to be correct. The thesis calls them precision and noisy.

    Raises:
        ValueError: there is no label, or `labels` is not (n,).
    """
    flags = _flags(labels, "labels")
    right = int(np.count_nonzero(flags))
    return proportion(right, len(flags)), proportion(len(flags) - right, len(flags))


def _flags(values: Sequence[bool] | BoolArray, name: str) -> BoolArray:
    flags = np.asarray(values, dtype=np.bool_)
    if flags.ndim != 1 or not len(flags):
        raise ValueError(f"{name} {flags.shape} are not (n,) with at least one")
    return flags


def cohens_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return two judges' unweighted kappa over n items, in [-1, 1] (Cohen 1960; thesis table 5.8).

    Kappa is nan where chance alone would agree always, which is where both judges gave one and the same label
    to everything: 0 / 0. Where only one of them is constant it is 0.

    Raises:
        ValueError: the two do not pair, or are empty.
    """
    n = len(first)
    if n != len(second):
        raise ValueError(f"{n} labels do not pair with {len(second)}")
    if not n:
        raise ValueError("kappa needs at least one item")
    agreed = sum(left == right for left, right in zip(first, second, strict=True))
    others = Counter(second)
    # Whole numbers: whether chance agrees always is decided without rounding.
    by_chance = sum(count * others[label] for label, count in Counter(first).items())
    return nan if by_chance == n * n else (n * agreed - by_chance) / (n * n - by_chance)


def average_precision(attested: Sequence[bool] | BoolArray) -> float:
    """Return the mean, over a ranked list's attested pairs, of the precision down to each; 0 without any.

    Of pairs that the list left out nothing is known, so none are counted: it measures the order, not recall.

    Raises:
        ValueError: the list is empty, or `attested` is not (n,).
    """
    flags = _flags(attested, "attested")
    ranks = np.flatnonzero(flags) + 1
    return float((np.arange(1, len(ranks) + 1) / ranks).mean()) if len(ranks) else 0.0


def captures_coverage(found_by: BoolArray) -> Coverage:
    """Return how many pairs there are to find, from how often each was found (Chao 1987's second estimator).

    `found_by` (n, p): pair i was found by prompt j. Bias-corrected: with q1 pairs found by one prompt, q2 by
    two and a = (p - 1) / p, total = observed + a q1 (q1 - 1) / (2 (q2 + 1)); its variance is that of the same
    form (Chao's program SpadeR), its interval log-normal in the number unseen (Chao 1987, p. 787). Where q1
    is 0 or 1 nothing is estimated unseen: the total is the observed, with EstimateS's upper end for samples
    without singletons (User's Guide, appendix B), and the observed for the lower.

    Each prompt has to have been searched alone: captures counted in a list that all prompts made together
    miss what one alone finds. The estimate is a lower bound where pairs differ in how easily they are found,
    and prompts that paraphrase each other find the same ones, which makes coverage look better than it is.
    What there is to find means what prompts of this kind could find in this model, below the same cut.

    Pairs that no prompt found are not counted. A single prompt gives no estimate, nor do prompts that found
    nothing: nan.

    Raises:
        ValueError: `found_by` is not (n, p).
    """
    captured = np.asarray(found_by, dtype=np.bool_)
    if captured.ndim != 2:
        raise ValueError(f"found_by {captured.shape} is not (n, p)")
    times = captured.sum(axis=1)
    observed, prompts = int(np.count_nonzero(times)), captured.shape[1]
    if prompts < 2 or not observed:
        return Coverage(observed, nan, nan, nan, nan)
    q1, q2 = int(np.count_nonzero(times == 1)), int(np.count_nonzero(times == 2))
    if q1 < 2:
        missed = exp(-int(times.sum()) / observed)
        high = observed / (1 - missed) + _Z * sqrt(observed * missed / (1 - missed))
        return Coverage(observed, float(observed), float(observed), high, 1.0)
    a = (prompts - 1) / prompts
    unseen = a * q1 * (q1 - 1) / (2 * (q2 + 1))
    variance = (
        unseen
        + a**2 * q1 * (2 * q1 - 1) ** 2 / (4 * (q2 + 1) ** 2)
        + a**2 * q1**2 * q2 * (q1 - 1) ** 2 / (4 * (q2 + 1) ** 4)
    )
    spread = exp(_Z * sqrt(log(1 + variance / unseen**2)))
    total = observed + unseen
    return Coverage(observed, total, observed + unseen / spread, observed + unseen * spread, observed / total)


def calibration(confidence: Sequence[float] | FloatArray, right: Sequence[bool] | BoolArray) -> Calibration:
    """Return how well confidences say what is right.

    `confidence` (n,) in [0, 1], `right` (n,). Brier score: the mean squared gap. Expected calibration error:
    the mean gap between confidence and share right over ten bins of equal mass, unlike `metrics`' bins of
    equal width, which leave most bins empty where confidences crowd. Area under the curve: the chance that a
    right one is above a wrong one, ties half; nan where all are right or all wrong.

    Raises:
        ValueError: the two do not pair, are empty or not (n,), or a confidence is not in [0, 1].
    """
    values = np.asarray(confidence, dtype=np.float64)
    flags = _flags(right, "right")
    if values.shape != flags.shape:
        raise ValueError(f"confidence {values.shape} does not pair with right {flags.shape}")
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError("a confidence is not in [0, 1]")
    order = np.argsort(values, kind="stable")
    ascending, outcomes = values[order], flags[order]
    gaps = [
        (high - low) * abs(float(ascending[low:high].mean()) - float(outcomes[low:high].mean()))
        for low, high in equal_masses(ascending, CALIBRATION_BINS)
    ]
    n = len(values)
    brier = float(np.mean((ascending - outcomes) ** 2))
    return Calibration(brier, sum(gaps) / n, _area_under_curve(values, flags), n)


def equal_masses(ascending: FloatArray, bins: int) -> list[tuple[int, int]]:
    """Return from where to where each bin goes: as equal as can be without parting equal values.

    Equal values share a bin, lest the order of the input decide, so there may be fewer bins than asked for.
    """
    n = len(ascending)
    last = [number * n // bins - 1 for number in range(1, bins + 1)]
    ends = {int(np.searchsorted(ascending, ascending[place], side="right")) for place in last if place >= 0}
    cuts = [0, *sorted(ends)]
    return list(pairwise(cuts))


def _area_under_curve(confidence: FloatArray, right: BoolArray) -> float:
    from scipy.stats import rankdata

    above = int(np.count_nonzero(right))
    below = len(right) - above
    if not above or not below:
        return nan
    ranks = rankdata(confidence)[right].sum()
    return float((ranks - above * (above + 1) / 2) / (above * below))

"""Rows of `harvest_scores`: the metrics of `quality` on a harvested graph."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.evidence.estimates import proportion
from evidence_assets.extraction.filters import SEED
from evidence_assets.extraction.judgements import Labels, judged, key_of
from evidence_assets.extraction.quality import (
    SimilarityAccuracy,
    average_precision,
    calibration,
    captures_coverage,
    diversity,
    entity_novelty,
    extracted_facts,
    known_pairs,
    novel_only,
    novelty,
    similarity_accuracy,
)
from evidence_assets.graphs.harvest_manifest import harvested_templates
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import (
    HARVEST_SCORES,
    HARVESTED_TRIPLES,
    HARVESTS,
    PROMPT_CAPTURES,
    RELATION_SEEDS,
    TRIPLES,
)
from evidence_assets.models.encoder import Encoder
from evidence_assets.text.verbalisation import verbalise

SEED_OF_DRAWS = 2026
# Metric: the share of the drawn triples of the reference that a triple is to be like, and one at least.
# Table 5.6 asks for half of them (5.4.3.4), table 5.7 for one (5.4.3.5).
LIKE_HALF, LIKE_ONE = "similarity_accuracy", "similar_to_one"
LIKENESS = {LIKE_HALF: 0.5, LIKE_ONE: 0.0}
DEPTHS = (10, 50, 100, 1000)
ALL = ""
ONE_WORD = "1-1"

Pair = tuple[str, str]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Relation:
    """One relation's triples, best first, the baseline's pairs, and what the reference holds of it.

    `captures`: the prompts that found each pair alone, kept or not. `baseline`: None where there is none.
    """

    name: str
    template: str
    rows: list[Row]
    captures: list[list[str]]
    baseline: list[Pair] | None
    gold: list[Pair]

    @property
    def pairs(self) -> list[Pair]:
        return _pairs_of(self.rows)

    @property
    def compared(self) -> int:
        """As many of the first as both have."""
        return 0 if self.baseline is None else min(len(self.rows), len(self.baseline))


def score_rows(
    lake: TableReader,
    kg: str,
    search: str,
    reference: str | None,
    baseline: str | None,
    encoder: Encoder,
    judges: Mapping[str, Labels],
) -> pa.Table:
    """Return a harvested graph's `harvest_scores`: relation by relation, and all together.

    `search`: the one that its pairs come from. `reference`: the graph that pairs are known from; without one,
    nothing is said of novelty and likeness.
    `baseline`: the harvested graph whose pairs are left out of what is novel only, and that is compared with
    at an equal number of triples (`equal_*`, beside the baseline's `equal_baseline_*`), where there is one; a
    relation's are written together with those of the other arms, so it does not matter which is scored first.
    `judges`: each judge's labels of triples.

    Raises:
        MissingPartitionError: the graph was never gathered.
    """
    relations = list(_relations(lake, kg, search, reference, baseline))
    entities = _entities(lake, reference)
    scored: list[Row] = []
    accuracies: list[dict[str, SimilarityAccuracy]] = []
    for relation in relations:
        rows = [*_counts(relation.rows, relation.pairs), *_captures(relation)]
        if relation.rows and relation.gold:
            rows += _against(relation, entities)
            accuracies.append(_likeness(relation, relation.pairs, encoder))
            rows += [_mean_row(metric, accuracy) for metric, accuracy in accuracies[-1].items()]
            rows += _novel_only(relation, encoder)
        rows += [*_at_equal_number([relation], encoder), *_judged(judges, [relation])]
        scored += [{**row, "relation": relation.name} for row in rows]
    rows = [
        *_together(relations, accuracies, entities),
        *_at_equal_number(relations, encoder),
        *_judged(judges, relations),
    ]
    scored += [{**row, "relation": ALL} for row in rows]
    rows = [{"low": None, "high": None, **row, "kg": kg} for row in scored if not math.isnan(row["value"])]
    return pa.Table.from_pylist(
        sorted(rows, key=lambda row: (row["relation"], row["metric"])), schema=HARVEST_SCORES.schema
    )


def _relations(
    lake: TableReader, kg: str, search: str, reference: str | None, baseline: str | None
) -> Iterator[_Relation]:
    known = {} if reference is None else _pairs_of_graph(lake, reference)
    templates = harvested_templates(lake, kg)
    mined = {(place["kg"], place["relation"]) for place in lake.partitions(HARVESTED_TRIPLES)}
    for name in lake.read(HARVESTS, {"kg": kg}, ["relation"]).column("relation").to_pylist():
        rows = _mined(lake, kg, name)
        others = _pairs_of(_mined(lake, baseline, name)) if baseline and (baseline, name) in mined else None
        captures = lake.read(PROMPT_CAPTURES, {"search": search, "relation": name}, ["prompts"])
        [given] = lake.read(RELATION_SEEDS, {"relation": name}, ["pairs"]).column("pairs").to_pylist()
        seeds = [(pair["head"], pair["tail"]) for pair in given]
        gold = known.get(name, [])
        unseeded = [pair for pair, seed in zip(gold, known_pairs(gold, seeds), strict=True) if not seed]
        captured = captures.column("prompts").to_pylist()
        yield _Relation(name, templates[name], rows, captured, others, unseeded)


def _mined(lake: TableReader, kg: str, relation: str) -> list[Row]:
    """Return a relation's triples, best first, without its seeds: finding them again shows nothing."""
    rows: list[Row] = lake.read(HARVESTED_TRIPLES, {"kg": kg, "relation": relation}).to_pylist()
    return sorted((row for row in rows if SEED not in row["flags"]), key=lambda row: row["rank"])


def _pairs_of(rows: Sequence[Row]) -> list[Pair]:
    return [(row["head"], row["tail"]) for row in rows]


def _pairs_of_graph(lake: TableReader, kg: str) -> dict[str, list[Pair]]:
    pairs_of = {}
    for place in lake.partitions(TRIPLES):
        if place["kg"] == kg:
            rows = lake.read(TRIPLES, place, ["head", "tail"])
            pairs = zip(rows.column("head").to_pylist(), rows.column("tail").to_pylist(), strict=True)
            pairs_of[place["relation"]] = list(pairs)
    return pairs_of


def _entities(lake: TableReader, reference: str | None) -> list[str]:
    pairs = () if reference is None else _pairs_of_graph(lake, reference).values()
    return sorted({entity for selected in pairs for pair in selected for entity in pair})


def _row(metric: str, value: float, n: int, low: float | None = None, high: float | None = None) -> Row:
    return {"metric": metric, "value": float(value), "n": n, "low": low, "high": high}


def _mean_row(metric: str, accuracy: SimilarityAccuracy) -> Row:
    half = 1.96 * accuracy.deviation
    return _row(metric, accuracy.mean, accuracy.n, accuracy.mean - half, accuracy.mean + half)


def _counts(rows: Sequence[Row], pairs: Sequence[Pair]) -> Iterator[Row]:
    """What these triples amount to."""
    count = len(pairs)
    yield _row("tuples", count, count)
    yield _row("one_word_tuples", sum(row["shape"] == ONE_WORD for row in rows), count)
    yield _row("extracted_facts", extracted_facts(pairs), count)
    yield _row("diversity", diversity(pairs), count)


def _captures(relation: _Relation) -> Iterator[Row]:
    """What is flagged, and how much of what there is to find the prompts found, each searched alone."""
    rows = relation.rows
    yield _row("flagged", sum(bool(row["flags"]) for row in rows), len(rows))
    if rows:
        prompts = [prompt["prompt"] for prompt in rows[0]["prompts"]]
        captured = [[prompt in capture for prompt in prompts] for capture in relation.captures]
        estimate = captures_coverage(np.array(captured).reshape(-1, len(prompts)))
        yield _row("estimated_tuples", estimate.total, estimate.observed, estimate.low, estimate.high)
        yield _row("coverage", estimate.coverage, estimate.observed)


def _against(relation: _Relation, entities: Sequence[str]) -> Iterator[Row]:
    """What a reference graph says of a relation: what it holds too, and in which order."""
    pairs, count = relation.pairs, len(relation.rows)
    fresh = novelty(pairs, relation.gold)
    yield _row("novelty", fresh.share, count)
    yield _row("novelty_by_spelling", fresh.by_spelling, count)
    yield _row("entity_novelty", entity_novelty(pairs, entities).share, count)
    attested = known_pairs(pairs, relation.gold)
    for depth in DEPTHS:
        if depth <= count:
            share = proportion(sum(attested[:depth]), depth)
            yield _row(f"attested_at_{depth}", share.value, depth, share.low, share.high)
    yield _row("attested", sum(attested), count)
    recalled = proportion(sum(known_pairs(relation.gold, pairs)), len(relation.gold))
    yield _row("reference_recall", recalled.value, recalled.n, recalled.low, recalled.high)
    yield _row("average_precision", average_precision(attested), count)
    yield from _calibration(relation.rows, attested)


def _calibration(rows: Sequence[Row], attested: Sequence[bool]) -> Iterator[Row]:
    """How far the confidences of triples are to be believed."""
    calibrated = calibration([row["confidence"] for row in rows], attested)
    yield _row("brier", calibrated.brier, calibrated.n)
    yield _row("expected_calibration_error", calibrated.expected_calibration_error, calibrated.n)
    yield _row("confidence_area_under_curve", calibrated.area_under_curve, calibrated.n)


def _judged(judges: Mapping[str, Labels], relations: Sequence[_Relation]) -> list[Row]:
    keys = [key_of(relation.name, *pair) for relation in relations for pair in relation.pairs]
    return [
        _row(metric, value, n, None if math.isnan(low) else low, None if math.isnan(high) else high)
        for metric, value, low, high, n in judged(judges, keys)
    ]


def _likeness(relation: _Relation, pairs: Sequence[Pair], encoder: Encoder) -> dict[str, SimilarityAccuracy]:
    """Return the accuracy by likeness to the reference, by either rule of the thesis."""
    selected = encoder.encode([verbalise(relation.template, *pair) for pair in pairs])
    gold = encoder.encode([verbalise(relation.template, *pair) for pair in relation.gold])
    return {
        metric: similarity_accuracy(selected, gold, seed=SEED_OF_DRAWS, least_share=share)
        for metric, share in LIKENESS.items()
    }


def _novel_only(relation: _Relation, encoder: Encoder) -> Iterator[Row]:
    """Precision of what the baseline did not find (table 5.7): by likeness to one of the drawn triples."""
    if relation.baseline is None:
        return
    kept = [relation.pairs[place] for place in novel_only(relation.pairs, relation.baseline)]
    if kept:
        yield _mean_row("novel_only_precision", _likeness(relation, kept, encoder)[LIKE_ONE])


def _at_equal_number(relations: Sequence[_Relation], encoder: Encoder) -> Iterator[Row]:
    """What as many triples amount to, of each relation the first that both have, here and in the baseline.

    A longer list has more entities and more that is wrong: lists of different lengths compare lengths.
    """
    compared = [relation for relation in relations if relation.compared]
    if not compared:
        return
    count = sum(relation.compared for relation in compared)
    yield _row("equal_tuples", count, len(compared))
    harvested = [relation.pairs[: relation.compared] for relation in compared]
    baseline = [(relation.baseline or [])[: relation.compared] for relation in compared]
    for name, firsts in (("equal", harvested), ("equal_baseline", baseline)):
        yield _row(f"{name}_diversity", diversity([pair for pairs in firsts for pair in pairs]), count)
        referred = [
            (relation, pairs) for relation, pairs in zip(compared, firsts, strict=True) if relation.gold
        ]
        if not referred:
            continue
        attested = [
            is_known for relation, pairs in referred for is_known in known_pairs(pairs, relation.gold)
        ]
        share = proportion(sum(attested), len(attested))
        yield _row(f"{name}_attested", share.value, share.n, share.low, share.high)
        accuracies = [_likeness(relation, pairs, encoder) for relation, pairs in referred]
        for metric in LIKENESS:
            mean = float(np.mean([accuracy[metric].mean for accuracy in accuracies]))
            yield _row(f"{name}_{metric}", mean, len(referred))


def _together(
    relations: Sequence[_Relation],
    accuracies: Sequence[Mapping[str, SimilarityAccuracy]],
    entities: Sequence[str],
) -> Iterator[Row]:
    """All relations as one graph; accuracies are means over the relations that have a reference."""
    pairs = [pair for relation in relations for pair in relation.pairs]
    rows = [row for relation in relations for row in relation.rows]
    count = len(pairs)
    yield _row("relations", sum(bool(relation.rows) for relation in relations), len(relations))
    yield from _counts(rows, pairs)
    referred = [relation for relation in relations if relation.rows and relation.gold]
    if not referred:
        return
    attested = [known_pairs(relation.pairs, relation.gold) for relation in referred]
    total = sum(map(len, attested))
    yield _row("attested", sum(map(sum, attested)), total)
    known = proportion(sum(map(sum, attested)), total)
    yield _row("novelty", 1 - known.value, total, 1 - known.high, 1 - known.low)
    flags = [flag for relation in referred for flag in known_pairs(relation.gold, relation.pairs)]
    recalled = proportion(sum(flags), len(flags))
    yield _row("reference_recall", recalled.value, recalled.n, recalled.low, recalled.high)
    yield _row("entity_novelty", entity_novelty(pairs, entities).share, count)
    for depth in DEPTHS:
        selected = [flags[:depth] for flags in attested]
        share = proportion(sum(map(sum, selected)), sum(map(len, selected)))
        yield _row(f"attested_at_{depth}", share.value, share.n, share.low, share.high)
    for metric in LIKENESS:
        means = [accuracy[metric].mean for accuracy in accuracies]
        error = 1.96 * float(np.std(means, ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.nan
        mean = float(np.mean(means))
        bounds = (None, None) if math.isnan(error) else (mean - error, mean + error)
        yield _row(metric, mean, len(means), *bounds)
    rows = [row for relation in referred for row in relation.rows]
    yield from _calibration(rows, [flag for flags in attested for flag in flags])

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
    precision_at,
    similarity_accuracy,
)
from evidence_assets.graphs.harvest_manifest import harvested_templates
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import (
    HARVEST_SCORES,
    HARVESTED_TRIPLES,
    HARVESTS,
    RELATION_SEEDS,
    TRIPLES,
    Table,
)
from evidence_assets.models.encoder import Encoder
from evidence_assets.text.verbalisation import verbalise

SEED_OF_DRAWS = 2026
DEPTHS = (10, 50, 100, 1000)
ALL = ""
ONE_WORD = "1-1"

Pair = tuple[str, str]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Relation:
    """One relation's triples, best first, and what the reference holds of it."""

    name: str
    template: str
    rows: list[Row]
    gold: list[Pair]

    @property
    def pairs(self) -> list[Pair]:
        return [(row["head"], row["tail"]) for row in self.rows]


def score_rows(
    lake: TableReader,
    kg: str,
    reference: str | None,
    baseline: str,
    encoder: Encoder,
    judges: Mapping[str, Labels],
) -> pa.Table:
    """Return a harvested graph's `harvest_scores`: relation by relation, and all together.

    `reference`: the graph that pairs are known from; without one, nothing is said of novelty and likeness.
    `baseline`: the harvested graph whose pairs are left out of what is novel only, where there is one; a
    relation's are written together with those of the other arms, so it does not matter which is scored first.
    `judges`: each judge's labels of triples.

    Raises:
        MissingPartitionError: the graph was never gathered.
    """
    relations = list(_relations(lake, kg, reference))
    entities = _entities(lake, reference)
    others = _pairs_of_graph(lake, HARVESTED_TRIPLES, baseline) if kg != baseline else {}
    scored: list[Row] = []
    accuracies: list[SimilarityAccuracy] = []
    for relation in relations:
        rows = [*_counts(relation.rows, relation.pairs), *_captures(relation.rows)]
        if relation.rows and relation.gold:
            rows += _against(relation, entities)
            accuracies.append(_likeness(relation, relation.pairs, encoder))
            rows.append(_mean_row("similarity_accuracy", accuracies[-1]))
            kept = novel_only(relation.pairs, others.get(relation.name, []))
            if others and kept:
                selected = _likeness(relation, [relation.pairs[place] for place in kept], encoder)
                rows.append(_mean_row("novel_only_precision", selected))
        rows += _judged(judges, [relation])
        scored += [{**row, "relation": relation.name} for row in rows]
    rows = [*_together(relations, accuracies, entities), *_judged(judges, relations)]
    scored += [{**row, "relation": ALL} for row in rows]
    rows = [{"low": None, "high": None, **row, "kg": kg} for row in scored if not math.isnan(row["value"])]
    return pa.Table.from_pylist(
        sorted(rows, key=lambda row: (row["relation"], row["metric"])), schema=HARVEST_SCORES.schema
    )


def _relations(lake: TableReader, kg: str, reference: str | None) -> Iterator[_Relation]:
    known = {} if reference is None else _pairs_of_graph(lake, TRIPLES, reference)
    templates = harvested_templates(lake, kg)
    for name in lake.read(HARVESTS, {"kg": kg}, ["relation"]).column("relation").to_pylist():
        rows = lake.read(HARVESTED_TRIPLES, {"kg": kg, "relation": name}).sort_by("rank").to_pylist()
        # Seeds were given: finding them again shows nothing.
        rows = [row for row in rows if SEED not in row["flags"]]
        [given] = lake.read(RELATION_SEEDS, {"relation": name}, ["pairs"]).column("pairs").to_pylist()
        seeds = [(pair["head"], pair["tail"]) for pair in given]
        gold = known.get(name, [])
        others = [pair for pair, seed in zip(gold, known_pairs(gold, seeds), strict=True) if not seed]
        yield _Relation(name, templates[name], rows, others)


def _pairs_of_graph(lake: TableReader, table: Table, kg: str) -> dict[str, list[Pair]]:
    pairs_of = {}
    for place in lake.partitions(table):
        if place["kg"] == kg:
            rows = lake.read(table, place, ["head", "tail"])
            pairs = zip(rows.column("head").to_pylist(), rows.column("tail").to_pylist(), strict=True)
            pairs_of[place["relation"]] = list(pairs)
    return pairs_of


def _entities(lake: TableReader, reference: str | None) -> list[str]:
    pairs = () if reference is None else _pairs_of_graph(lake, TRIPLES, reference).values()
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


def _captures(rows: Sequence[Row]) -> Iterator[Row]:
    """What is flagged, and how much of what there is to find the prompts found."""
    count = len(rows)
    yield _row("flagged", sum(bool(row["flags"]) for row in rows), count)
    if rows:
        estimate = captures_coverage(
            np.array([[prompt["found"] for prompt in row["prompts"]] for row in rows])
        )
        yield _row("estimated_tuples", estimate.total, count, estimate.low, estimate.high)
        yield _row("coverage", estimate.coverage, count)


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
            yield _row(f"attested_at_{depth}", precision_at(attested, depth), depth, share.low, share.high)
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


def _likeness(relation: _Relation, pairs: Sequence[Pair], encoder: Encoder) -> SimilarityAccuracy:
    """Return the accuracy by likeness to the reference (thesis 5.4.3.4)."""
    selected = encoder.encode([verbalise(relation.template, *pair) for pair in pairs])
    gold = encoder.encode([verbalise(relation.template, *pair) for pair in relation.gold])
    return similarity_accuracy(selected, gold, seed=SEED_OF_DRAWS)


def _together(
    relations: Sequence[_Relation], accuracies: Sequence[SimilarityAccuracy], entities: Sequence[str]
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
    means = [accuracy.mean for accuracy in accuracies]
    error = 1.96 * float(np.std(means, ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.nan
    mean = float(np.mean(means))
    bounds = (None, None) if math.isnan(error) else (mean - error, mean + error)
    yield _row("similarity_accuracy", mean, len(means), *bounds)
    rows = [row for relation in referred for row in relation.rows]
    yield from _calibration(rows, [flag for flags in attested for flag in flags])

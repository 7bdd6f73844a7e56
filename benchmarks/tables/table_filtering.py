"""What column filtering costs, which columns it keeps, and whether the divergence differs from the cosine.

Needs the data sets (see real_texts). Bounds: 10 ms a table beside the encoder, 180 s for the whole of SciTab,
encoding included. Gold columns: of TabFact, those whose header's words all stand in the claim (the header
words of the rule `named` ask for half of them, so these are no test of it: WorldTree's are); of WorldTree,
those of an explanation's rows that bear the answer, asked for by the question alone. Gold is counted on
tables of three columns or more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.estimates import percent
from benchmarks.real_texts import cached_encoder
from benchmarks.tables.table_texts import ClaimSet, scitab, tabfact, worldtree, worldtree_claims
from benchmarks.texts import starter_encoder
from evidence_assets.evaluation.metrics import clustered_mean
from evidence_assets.models.encoder import Encoder, FloatArray
from evidence_assets.tables.claim_parsing import ClaimMentions, parse_mentions
from evidence_assets.tables.clustering import sharp_temperature
from evidence_assets.tables.column_filters import FILTERS, FilterSettings
from evidence_assets.tables.columns import (
    Filtered,
    column_texts,
    column_tokens,
    filter_columns,
    nearest_columns,
    with_gate,
)
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.rows import content_words, row_text, select_rows
from evidence_assets.text.words import words

TEMPERATURES = (1.0, 0.2, 0.1, 0.05, 0.025)
_Item = TypeVar("_Item")

_LEAST_COLUMNS = 3
_WIDE = 30
BOUND_MILLISECONDS, BOUND_SECONDS = 10.0, 180.0


@dataclass(frozen=True, slots=True)
class ReadSet:
    """A set with what its filters need. `tokens`, `vectors`, `indexes`: by table; the rest by claim."""

    claims: ClaimSet
    words: list[frozenset[str]]
    claim_vectors: FloatArray
    tokens: list[list[frozenset[str]]]
    vectors: list[FloatArray]
    indexes: list[TableIndex]
    read: list[ClaimMentions]

    def filtered(self, number: int, settings: FilterSettings) -> Filtered:
        """Return what one claim's filter keeps."""
        table = self.claims.owners[number]
        return filter_columns(
            self.words[number],
            self.tokens[table],
            self.claim_vectors[number],
            self.vectors[table],
            settings,
            self.read[number].columns,
        )


def run() -> dict[str, Any]:
    """Return what filtering costs and keeps, set by set."""
    timed = _scitab_from_nothing()
    encoder = cached_encoder()
    sets = [read_set(claims, encoder) for claims in (scitab(), tabfact(), worldtree_claims(*worldtree()))]
    kept = {claim_set.claims.name: _arms(claim_set) for claim_set in sets}
    compared = {claim_set.claims.name: _compared(claim_set) for claim_set in sets}
    rows = {claim_set.claims.name: _rows(claim_set) for claim_set in sets[:2]}
    return {
        **timed,
        "default_temperature": round(sharp_temperature(encoder.dimension), 4),
        "arms": kept,
        "temperatures": compared,
        "rows": rows,
        "bound": {"milliseconds_a_table": BOUND_MILLISECONDS, "seconds_scitab": BOUND_SECONDS},
        "within_bound": timed["milliseconds_a_table"]["slowest_mean"] <= BOUND_MILLISECONDS
        and timed["seconds_scitab"] <= BOUND_SECONDS,
    }


def read_set(claims: ClaimSet, encoder: Encoder) -> ReadSet:
    """Return a set encoded and read."""
    texts = [column_texts(table) for table in claims.tables]
    vectors = encoder.encode([*claims.claims, *(text for columns in texts for text in columns)])
    ends = np.cumsum([len(claims.claims), *map(len, texts)])
    indexes = [TableIndex(table) for table in claims.tables]
    return ReadSet(
        claims,
        [frozenset(words(claim)) for claim in claims.claims],
        vectors[: len(claims.claims)],
        [column_tokens(table) for table in claims.tables],
        [vectors[start:end] for start, end in pairwise(ends.tolist())],
        indexes,
        [
            parse_mentions(claim, indexes[owner])
            for claim, owner in zip(claims.claims, claims.owners, strict=True)
        ],
    )


def _scitab_from_nothing() -> dict[str, Any]:
    """Return seconds for SciTab, from its JSON to kept columns, and milliseconds a claim without encoding.

    `slowest_mean`: reading and the slowest filter together.
    """
    encoder = starter_encoder()
    started = time.perf_counter()
    read = read_set(scitab(), encoder)
    for number in range(len(read.words)):
        read.filtered(number, FILTERS["full"])
    seconds = time.perf_counter() - started
    spent = {"reading": _milliseconds(range(len(read.words)), lambda number: _read_anew(read, number))}
    for name in ("full", "paper", "js_paper", "full_js"):
        spent[name] = _milliseconds(range(len(read.words)), partial(read.filtered, settings=FILTERS[name]))
    wide = _wide_table()
    for name in ("full", "paper", "js_paper"):
        spent[f"{name}_{_WIDE}_columns"] = _milliseconds([FILTERS[name]] * 100, wide)
    slowest = max(times["mean"] for name, times in spent.items() if name != "reading")
    return {
        "seconds_scitab": round(seconds, 1),
        "milliseconds_a_table": spent | {"slowest_mean": round(slowest + spent["reading"]["mean"], 3)},
    }


def _milliseconds(items: Iterable[_Item], work: Callable[[_Item], Any]) -> dict[str, float]:
    times = []
    for item in items:
        started = time.perf_counter()
        work(item)
        times.append(1000 * (time.perf_counter() - started))
    return {"mean": round(float(np.mean(times)), 3), "p99": round(float(np.quantile(times, 0.99)), 3)}


def _read_anew(read: ReadSet, number: int) -> ClaimMentions:
    """Read a claim against its table as if neither had been seen, but for words whose stems are known."""
    table = read.claims.tables[read.claims.owners[number]]
    column_tokens(table)
    column_texts(table)
    return parse_mentions(read.claims.claims[number], TableIndex(table))


def _wide_table() -> Callable[[FilterSettings], Filtered]:
    generator = np.random.default_rng(1)
    vectors = generator.normal(size=(_WIDE, 384)).astype(np.float32)
    tokens = [frozenset({f"w{number}"}) for number in range(_WIDE)]
    return lambda settings: filter_columns(frozenset({"a"}), tokens, vectors[0], vectors, settings)


def calibrated(read: ReadSet, settings: FilterSettings) -> FilterSettings:
    """Return settings with their gate read from the set, where they ask for it."""
    names = [table.table_id for table in read.claims.tables]
    columns = [
        name
        for name, table_vectors in zip(names, read.vectors, strict=True)
        for _ in range(len(table_vectors))
    ]
    owners = [names[owner] for owner in read.claims.owners]
    return with_gate(settings, read.claim_vectors, owners, np.concatenate(read.vectors), columns)


def _arms(read: ReadSet) -> dict[str, Any]:
    arms = {}
    for name, settings in FILTERS.items():
        if settings.rows is None:
            ready = calibrated(read, settings)
            kept = [read.filtered(number, ready) for number in range(len(read.words))]
            arms[name] = {"gate": round(ready.gate, 4), **_told(read, kept)}
    return arms


def _told(read: ReadSet, filtered: Sequence[Filtered]) -> dict[str, Any]:
    """Return mean columns kept, how often nothing passed, and shares of columns kept.

    Of the columns of numbers that the claim compares, as the guard reads it; and of gold columns.
    """
    row: dict[str, Any] = {
        "columns": round(float(np.mean([len(claim.columns) for claim in filtered])), 2),
        "kept": round(float(np.mean([len(claim.kept) for claim in filtered])), 2),
        "fallback": round(float(np.mean([claim.fallback for claim in filtered])), 4),
    }
    compared = [
        len(set(claim.kept) & set(mentions.columns.guarded)) / len(mentions.columns.guarded)
        for claim, mentions in zip(filtered, read.read, strict=True)
        if mentions.columns.guarded
    ]
    row["compared_numbers_kept"] = round(float(np.mean(compared)), 4) if compared else None
    recall, owners = _recall(read, [set(claim.kept) for claim in filtered])
    if recall:
        row |= {"gold_kept": _estimate(recall, owners), "all_gold_kept": _estimate(_whole(recall), owners)}
    return row


def _recall(read: ReadSet, kept: Sequence[set[int]]) -> tuple[list[float], list[str]]:
    """Return the share of each claim's gold columns that is kept, and the claim's table."""
    shares, owners = [], []
    for number, columns in enumerate(kept):
        gold, owner = read.claims.named[number], read.claims.owners[number]
        if gold and read.claims.tables[owner].columns >= _LEAST_COLUMNS:
            shares.append(len(gold & columns) / len(gold))
            owners.append(str(owner))
    return shares, owners


def _whole(shares: Sequence[float]) -> list[float]:
    return [float(share == 1.0) for share in shares]


def _estimate(values: Sequence[float], owners: Sequence[str]) -> list[float]:
    return percent(clustered_mean(values, owners))


def _compared(read: ReadSet) -> list[dict[str, Any]]:
    """Return for the cosine and each temperature what is kept, and how far it agrees with the cosine.

    By three forms: the nearest two columns; algorithm 3.1 with its printed gate; and with a gate that keeps
    out the same share (95 %) of other tables' columns, so that only the measure differs.
    """
    cosine = _three(read, FILTERS["paper"])
    rows = [{"measure": "cosine", **_row(read, cosine, cosine)}]
    temperatures = {f"{temperature:g}": temperature for temperature in TEMPERATURES} | {"default": None}
    for name, temperature in temperatures.items():
        settings = replace(FILTERS["js_paper"], name=name, temperature=temperature)
        divergence = _three(read, settings)
        rows.append({"measure": f"jensen_shannon at {name}", **_row(read, divergence, cosine)})
    return rows


Three = dict[str, tuple[list[set[int]], float | None]]


def _three(read: ReadSet, settings: FilterSettings) -> Three:
    numbers = range(len(read.words))
    printed = [read.filtered(number, settings) for number in numbers]
    # One tau for both measures: the gate alone is to differ.
    even = calibrated(read, replace(settings, gate_quantile=0.95, jaccard=0.25))
    equal = [read.filtered(number, even) for number in numbers]
    nearest = [set(nearest_columns(_similarities(claim))) for claim in printed]
    return {
        "nearest_two": (nearest, None),
        "printed": ([set(claim.kept) for claim in printed], _fallback(printed)),
        "equal_gate": ([set(claim.kept) for claim in equal], _fallback(equal)),
    }


def _similarities(filtered: Filtered) -> NDArray[np.float64]:
    return np.array([column.similarity for column in filtered.columns])


def _fallback(filtered: Sequence[Filtered]) -> float:
    return float(np.mean([claim.fallback for claim in filtered]))


def _row(read: ReadSet, three: Three, cosine: Three) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for form, (kept, fallback) in three.items():
        base = cosine[form][0]
        row[form] = {"kept": round(float(np.mean(list(map(len, kept)))), 2)}
        if fallback is not None:
            row[form]["fallback"] = round(fallback, 4)
        row[form]["same_as_cosine"] = round(
            float(np.mean([ours == theirs for ours, theirs in zip(kept, base, strict=True)])), 4
        )
        recall, owners = _recall(read, kept)
        if recall:
            difference = np.array(recall) - np.array(_recall(read, base)[0])
            row[form] |= {
                "gold_kept": _estimate(recall, owners),
                "points_over_cosine": _estimate(difference.tolist(), owners),
            }
    return row


def _rows(read: ReadSet) -> dict[str, Any]:
    """Return how many rows the arm `rows` keeps, and how many of the rows that cells are linked in."""
    most = FILTERS["rows"].rows or 1
    shares, kept, linked = [], [], []
    pools = [
        [content_words(row_text(table, row)) for row in range(len(table.rows))]
        for table in read.claims.tables
    ]
    for number, claim in enumerate(read.claims.claims):
        pool, mentions = pools[read.claims.owners[number]], read.read[number].rows
        selected = select_rows(content_words(claim), pool, most, mentions)
        kept.append(len(selected.kept))
        shares.append(len(selected.kept) / len(pool))
        top = max(mentions.linked.values(), default=0)
        best = {row for row, count in mentions.linked.items() if count == top}
        if best:
            linked.append(len(best & set(selected.kept)) / len(best))
    return {
        "most": most,
        "kept": round(float(np.mean(kept)), 2),
        "share_kept": round(float(np.mean(shares)), 3),
        "best_linked_rows_kept": round(float(np.mean(linked)), 4),
    }

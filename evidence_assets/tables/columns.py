"""Column filtering for a claim or question: thesis algorithm 3.1, its Jensen-Shannon form, a rule by names.

Filtered columns are left out only of what is shown, ranked or given to a language model: programs compute
over the whole table.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from evidence_assets.tables.clustering import Geometry, Points, cluster, geometry_of
from evidence_assets.tables.column_filters import COSINE, NAMED, NONE, FilterSettings
from evidence_assets.tables.table import Table
from evidence_assets.text.words import words

# A column is encoded up to here: a sentence encoder of 256 word pieces sees no more.
TEXT_CHARACTERS = 400
HEADER_SHARE = 0.5
NEAREST = 2
# Pairs of a claim and another table's column that a gate is read from.
_FOREIGN_CLAIMS, _FOREIGN_COLUMNS = 200, 2_000


class Reason(StrEnum):
    """Why a column is kept."""

    LEXICAL = "lexical"
    CLUSTER = "cluster"
    FALLBACK = "fallback"
    LABEL = "label"
    HEADER = "header"
    LINKED = "linked"
    GUARD = "guard"
    NEAREST = "top two"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class ColumnMentions:
    """Columns that a claim mentions.

    `label`: the column that names rows. `headers`: for each column the share of its header's content words
    in the claim; empty where unknown. `linked`: columns of cells that the claim names. `guarded`: columns of
    numbers or units that it compares.
    """

    label: int | None = None
    headers: Sequence[float] = ()
    linked: Collection[int] = ()
    guarded: Collection[int] = ()


NO_MENTIONS = ColumnMentions()


@dataclass(frozen=True, slots=True)
class ColumnScore:
    """One column. `similarity`: to the claim. `cluster`, `cluster_similarity`: None where none was made.

    `reasons`: why it is kept; none where it is not.
    """

    jaccard: float
    similarity: float
    cluster: int | None
    cluster_similarity: float | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Filtered:
    """The result of filtering. `kept`: column numbers, ascending."""

    kept: tuple[int, ...]
    columns: tuple[ColumnScore, ...]

    @property
    def fallback(self) -> bool:
        """Whether only the nearest two were kept, as a fallback (algorithm 3.1, line 28)."""
        return any(Reason.FALLBACK in column.reasons for column in self.columns)


def column_tokens(table: Table) -> list[frozenset[str]]:
    """Return each column's words: of its header, unless it was made up, and of its cells (T_j)."""
    names = table.header if table.has_header else ("",) * table.columns
    tokens = [set(words(name)) for name in names]
    for row in table.rows:
        for column, cell in zip(tokens, row, strict=True):
            if cell.text:
                column.update(words(cell.text))
    return [frozenset(column) for column in tokens]


def column_texts(table: Table) -> list[str]:
    """Return the text to encode for each column: header and distinct cells, cut at `TEXT_CHARACTERS`."""
    texts = []
    for number, name in enumerate(table.header):
        parts = {name: len(name)} if table.has_header else {}
        length = sum(parts.values())
        for row in table.rows:
            text = row[number].text
            if length >= TEXT_CHARACTERS:
                break
            if text and text not in parts:
                parts[text] = len(text)
                length += len(text) + 2
        texts.append(", ".join(parts)[:TEXT_CHARACTERS])
    return texts


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the Jaccard similarity of two sets of words; 0 where both are empty."""
    either = len(left | right)
    return len(left & right) / either if either else 0.0


def filter_columns(
    claim_tokens: frozenset[str],
    tokens: Sequence[frozenset[str]],
    claim_vector: NDArray[np.floating],
    vectors: NDArray[np.floating],
    settings: FilterSettings,
    mentions: ColumnMentions = NO_MENTIONS,
) -> Filtered:
    """Return the columns to keep, at least one, and why.

    Args:
        claim_tokens, tokens: Words of the claim, and of each of the c columns.
        claim_vector, vectors: (d,) and (c, d), by one encoder.

    Raises:
        ValueError: there is no column, the arrays do not pair, a vector is not finite, or the settings' gate
            was not read yet.
    """
    if settings.gate_quantile is not None:
        raise ValueError(f"{settings.name}: its gate is a quantile of the data; read it by with_gate")
    _check(tokens, claim_vector, vectors, mentions)
    space = geometry_of(settings, vectors.shape[1])
    points, claim = space.points(vectors), space.points(claim_vector[None])
    nearness = space.similarities(points, claim)[:, 0]
    overlap = [jaccard(claim_tokens, column) for column in tokens]
    reasons: list[list[Reason]] = [[] for _ in tokens]
    cluster_of: _ClusterOf = {}
    if settings.rule == NONE:
        for column in reasons:
            column.append(Reason.ALL)
    elif settings.rule == NAMED:
        _keep_named(reasons, nearness, mentions)
    else:
        cluster_of = _algorithm(reasons, overlap, points, claim, nearness, settings, space)
    if settings.kept_label and settings.rule != NONE:
        reasons[mentions.label or 0].append(Reason.LABEL)
    if settings.guard:
        for number in sorted(mentions.guarded):
            reasons[number].append(Reason.GUARD)
    scores = (
        ColumnScore(share, near, *cluster_of.get(number, (None, None)), tuple(why))
        for number, (share, near, why) in enumerate(zip(overlap, nearness.tolist(), reasons, strict=True))
    )
    return Filtered(tuple(number for number, why in enumerate(reasons) if why), tuple(scores))


def _check(
    tokens: Sequence[frozenset[str]],
    claim_vector: NDArray[np.floating],
    vectors: NDArray[np.floating],
    mentions: ColumnMentions,
) -> None:
    if not len(tokens):
        raise ValueError("a table without columns cannot be filtered")
    if vectors.ndim != 2 or len(vectors) != len(tokens) or claim_vector.shape != vectors.shape[1:]:
        raise ValueError(
            f"{len(tokens)} columns, vectors of shape {vectors.shape} and a claim of shape "
            f"{claim_vector.shape} do not pair; remedy: encode columns and claim with one encoder"
        )
    if not (np.isfinite(claim_vector).all() and np.isfinite(vectors).all()):
        raise ValueError("a vector is not finite; encode the table anew")
    if mentions.headers and len(mentions.headers) != len(tokens):
        raise ValueError(f"{len(mentions.headers)} shares of headers for {len(tokens)} columns")
    numbers = [*mentions.linked, *mentions.guarded, *([] if mentions.label is None else [mentions.label])]
    if numbers and not 0 <= min(numbers) <= max(numbers) < len(tokens):
        raise ValueError(f"mentions name columns {sorted(numbers)} of {len(tokens)}")


def nearest_columns(similarities: NDArray[np.float64], count: int = NEAREST) -> list[int]:
    """Return the numbers of the nearest columns, nearest first; ties go to the lower number."""
    return [int(place) for place in np.argsort(-similarities, kind="stable")[:count]]


def _keep_named(reasons: list[list[Reason]], nearness: NDArray[np.float64], mentions: ColumnMentions) -> None:
    for number, share in enumerate(mentions.headers):
        if share >= HEADER_SHARE:
            reasons[number].append(Reason.HEADER)
    for number in sorted(mentions.linked):
        reasons[number].append(Reason.LINKED)
    for number in nearest_columns(nearness):
        reasons[number].append(Reason.NEAREST)


# The cluster of each column that is in one, with the cluster's similarity to the claim.
_ClusterOf = dict[int, tuple[int | None, float | None]]


def _algorithm(
    reasons: list[list[Reason]],
    overlap: Sequence[float],
    points: Points,
    claim: Points,
    nearness: NDArray[np.float64],
    settings: FilterSettings,
    space: Geometry,
) -> _ClusterOf:
    """Mark the columns that algorithm 3.1 keeps (lines 1 to 30); return its clusters."""
    unmatched = []
    for number, share in enumerate(overlap):
        if share >= settings.jaccard:
            reasons[number].append(Reason.LEXICAL)
        else:
            unmatched.append(number)
    if not unmatched:
        return {}
    clusters = cluster(points.take(unmatched), settings.clusters, space, settings.seed)
    similarities = space.similarities(clusters.centres, claim)[:, 0]
    filled = np.unique(clusters.assignment)
    best = int(filled[similarities[filled].argmax()])
    cluster_of: dict[int, int] = dict(zip(unmatched, clusters.assignment.tolist(), strict=True))
    if similarities[best] >= settings.least_similarity:
        for number, assigned in cluster_of.items():
            if assigned == best:
                reasons[number].append(Reason.CLUSTER)
    if not any(reasons):
        for number in nearest_columns(nearness):
            reasons[number].append(Reason.FALLBACK)
    return {number: (assigned, float(similarities[assigned])) for number, assigned in cluster_of.items()}


def with_gate(
    settings: FilterSettings,
    claims: NDArray[np.floating],
    claim_tables: Sequence[str],
    vectors: NDArray[np.floating],
    column_tables: Sequence[str],
) -> FilterSettings:
    """Return settings with their quantile of similarities to other tables' columns as gate; unsupervised.

    Encoders differ in how similar unrelated texts are, so no single theta suits two of them. The result has a
    gate and no quantile: the printed gate where no claim and column are of different tables. Settings without
    a quantile are returned unchanged.

    Args:
        claims, claim_tables: (n, d) and the name of each claim's table.
        vectors, column_tables: (c, d) and the name of each column's.
    """
    if settings.gate_quantile is None:
        return settings
    sampled_claims, sampled_columns = (
        _spread(len(claims), _FOREIGN_CLAIMS),
        _spread(len(vectors), _FOREIGN_COLUMNS),
    )
    space = geometry_of(settings, vectors.shape[1])
    similarities = space.similarities(
        space.points(claims[sampled_claims]), space.points(vectors[sampled_columns])
    )
    same_table = (
        np.asarray(claim_tables)[sampled_claims][:, None] == np.asarray(column_tables)[sampled_columns][None]
    )
    if same_table.all():
        return replace(settings, gate_quantile=None)
    least = float(np.quantile(similarities[~same_table], settings.gate_quantile))
    return replace(settings, gate=least if settings.measure == COSINE else -least, gate_quantile=None)


def _spread(count: int, most: int) -> NDArray[np.int64]:
    """Return up to `most` places of `count`, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.int64))

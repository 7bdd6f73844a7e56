"""Row selection: the rows of a table that matter to a claim, where not all of them can be shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.reading.rarity import Rarity
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table

_DECIMALS = 9

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RowMentions:
    """Rows that a claim mentions.

    `linked`: by row, how many of the claim's linked words its cells hold. `numbers`: rows that hold its
    numbers. `needs_all`: whether every row is needed, as for a superlative.
    """

    linked: Mapping[int, int]
    numbers: Collection[int] = ()
    needs_all: bool = False


NO_ROW_MENTIONS = RowMentions({})


@dataclass(frozen=True, slots=True)
class SelectedRows:
    """`kept`: row numbers, ascending. `scores`: (r,) of all rows. `guarded`: kept only for a number."""

    kept: tuple[int, ...]
    scores: Scores
    guarded: tuple[int, ...] = ()


def row_text(table: Table, row: int) -> str:
    """Return a row's non-empty cells as one line."""
    return " ".join(cell.text for cell in table.rows[row] if cell.text)


def content_words(text: str) -> frozenset[str]:
    """Return a text's stemmed content words and its numbers."""
    return frozenset(token.key for token in tokens(text) if not token.stop and not token.mark)


def word_coverage(claim: frozenset[str], rows: Sequence[frozenset[str]]) -> Scores:
    """Return (r,) the share of the claim's words that each row holds, weighted by rarity.

    Words that are in no row are not counted: they do not distinguish rows.
    """
    rarity = Rarity(rows)
    known_words = {word for word in claim if word in rarity}
    total = rarity.total(known_words)
    if not total:
        return np.zeros(len(rows))
    return np.array([rarity.total(known_words & row) / total for row in rows])


def select_rows(
    claim: frozenset[str],
    rows: Sequence[frozenset[str]],
    most: int,
    mentions: RowMentions = NO_ROW_MENTIONS,
    similarities: NDArray[np.floating] | None = None,
) -> SelectedRows:
    """Return the best `most` rows and those that hold the claim's numbers, or all where all are needed.

    A row's score is the sum of three parts, each up to 1: its linked words, of the most that a row has; its
    words of the claim (`word_coverage`); its cosine to the claim. Ties go to the row that stands first.

    Args:
        claim, rows: Content words of the claim and of each row.
        similarities: (r,) cosines to the claim, where rows were encoded.

    Raises:
        ValueError: `most` is below 1, or the cosines are not one a row.
    """
    if most < 1:
        raise ValueError(f"rows to keep must be 1 or more, not {most}")
    if similarities is not None and similarities.shape != (len(rows),):
        raise ValueError(f"{len(rows)} rows but similarities of shape {similarities.shape}")
    scores = word_coverage(claim, rows)
    highest = max(mentions.linked.values(), default=0)
    for row, count in mentions.linked.items():
        scores[row] += count / highest
    if similarities is not None:
        scores += np.maximum(0.0, similarities)
    scores = np.round(scores, _DECIMALS)
    if mentions.needs_all:
        return SelectedRows(tuple(range(len(rows))), scores)
    best = {int(place) for place in np.argsort(-scores, kind="stable")[:most]}
    guarded = set(mentions.numbers) - best
    return SelectedRows(tuple(sorted(best | guarded)), scores, tuple(sorted(guarded)))

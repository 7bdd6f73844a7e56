"""Values and headers that a claim may say together: what they are, and which are of a kind."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative
from evidence_assets.text.words import word_set

# Words before a name that say nothing of it.
LEADING = word_set("the a an in on at by for of with to from than before after its their his her also even")


@dataclass(frozen=True, slots=True)
class Item:
    """A value or a header of a claim. `columns`: of a value; empty for a header."""

    start: int
    end: int
    columns: frozenset[int]
    rows: frozenset[int]


def items_of(claim: GroundedClaim) -> list[Item]:
    """Return the values and headers of a claim in order; no bounds, and no values that no cell has."""
    items = [
        Item(link.start, link.end, frozenset(link.places), link.rows)
        for link in claim.links
        if link.places and not link.bound
    ]
    items += [Item(head.start, head.end, frozenset(), frozenset()) for head in claim.linked.headers]
    return sorted(items, key=lambda item: item.start)


def are_alike(first: Item, second: Item) -> bool:
    """Return whether two things are of a kind: headers both, or values of a column, of other rows each."""
    if not first.columns and not second.columns:
        return True
    return bool(first.columns & second.columns) and first.rows != second.rows


def leads_to_a_name(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word may stand before a name without saying anything of it, or orders a column."""
    is_extreme = any(item.start <= position < item.end for item in claim.superlatives)
    is_graded = bool(comparative(claim.texts[position]))
    return is_extreme or is_graded or claim.texts[position] in LEADING

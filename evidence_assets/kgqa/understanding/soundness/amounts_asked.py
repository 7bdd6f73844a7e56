"""Whether "how many" is answered by one number: by no year, and by no list of what each of several has.

How many performances a play had is not the year of its first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.queries.algebra import (
    Filtered,
    Form,
    Measure,
    Number,
    Query,
    Typed,
    comparisons_of,
    last_steps,
)
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import Kind

# Below it a number beside years counts something else.
_LEAST_YEAR = 100.0


def answered_by_no_amount(
    query: Query, nodes: Nodes, accounting: Accounting, lexicon: Lexicon, values: NDArray[np.float64]
) -> list[str]:
    """Return "how many" where values of a set are its answer, and are times, or several.

    `values`: each node's value as a literal. What nothing accounts for right behind "how many" is returned
    too: it is what is to be counted.
    """
    counts = [binding.text for binding in accounting.bindings if binding.target == Kind.COUNT.value]
    counted = [
        noun.text
        for count, noun in pairwise(accounting.bindings)
        if count.target == Kind.COUNT.value and noun.role is Role.UNACCOUNTED
    ]
    if query.form is not Form.MEMBERS or not len(nodes) or np.isnan(values[nodes]).any():
        return counted
    are_times = any(map(lexicon.leads_to_time, last_steps(query.of)))
    return [*counted, *(counts if are_times or len(nodes) > 1 else [])]


def counts_that_none_asks_for(query: Query, accounting: Accounting) -> list[str]:
    """Return the words of counts that are not asked for.

    The count of a set of which things are asked, "which is smallest by number of seats"; and a number with
    which a count is compared of what no word says, by a relation that none says: "pilots under forty".
    """
    bindings = accounting.bindings
    asks_for_things = any(word.text.lower() in ("which", "who") for word in bindings[:1])
    behind = [word.text for word in bindings[2:] if word.target == Kind.COUNT.value]
    return [
        *(behind if query.form is Form.NUMBER and asks_for_things else []),
        *(
            text
            for measure, _, text in _compared_with_numbers(query, accounting)
            if isinstance(measure, Number) and not _is_said(measure, accounting)
        ),
    ]


def _is_said(measure: Number, accounting: Accounting) -> bool:
    """Return whether a word says the relation by which is counted, or the type of what is."""
    said = [f"relation {measure.relation}"]
    if isinstance(measure.among, Typed):
        said.append(f"type {measure.among.type}")
    return any(word.target in said for word in accounting.bindings)


def bounds_of_no_times(query: Query, accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the numbers with which times are compared, and which are none: "a cast of more than 20"."""
    return [
        text
        for measure, number, text in _compared_with_numbers(query, accounting)
        if lexicon.tells_times(measure) and abs(number) < _LEAST_YEAR
    ]


def _compared_with_numbers(query: Query, accounting: Accounting) -> Iterator[tuple[Measure, float, str]]:
    """Yield the measures that a query compares with numbers, with these, and the words that say them."""
    for compared in comparisons_of(query.of):
        if isinstance(compared, Filtered) and isinstance(compared.bound, float):
            for word in accounting.bindings:
                if word.role is Role.OPERATOR and word.target.endswith(f" {compared.bound:g}"):
                    yield compared.measure, compared.bound, word.text

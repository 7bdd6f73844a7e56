"""Programs that a model proposes: a schema that ends, JSON to programs, what of a claim they bind."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.verdicts.proposed_programs import accounted, program_schema, read_program
from evidence_assets_tests.testing.ucret_samples import MEASLES

SCHEMA = program_schema(MEASLES.header)
CASES, WEEKS = "Number of cases", "Duration (weeks)"


def holding(column: str, value: str, relation: str = "=") -> dict[str, Any]:
    return {"kind": "holding", "column": column, "relation": relation, "value": value}


def cell(province: str, column: str = CASES) -> dict[str, Any]:
    return {"kind": "cell", "rows": holding("Province", province), "column": column}


def literal(number: float) -> dict[str, Any]:
    return {"kind": "literal", "number": number}


def compare(left: dict[str, Any], relation: str, right: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "compare", "left": left, "relation": relation, "right": right}


ALL = {"kind": "all rows"}
TOTAL = {"kind": "aggregate", "name": "sum", "rows": ALL, "column": CASES}
MANY = holding(CASES, "60", ">")
KNOWN = [
    (compare(cell("Quebec"), "=", literal(94)), True, {(0, 0), (0, 2)}),
    (compare(cell("Quebec"), ">", cell("Alberta")), False, {(0, 0), (0, 2), (2, 0), (2, 2)}),
    (compare({"kind": "count", "rows": MANY}, "=", literal(2)), True, {(0, 2), (2, 2)}),
    (compare(TOTAL, "=", literal(825)), True, {(0, 2), (1, 2), (2, 2)}),
    (compare(cell("Nowhere"), "=", literal(1)), None, set()),
    ({"kind": "some", "rows": {"kind": "and", "parts": [MANY, holding("Year", "2008")]}}, False, set()),
    (
        {"kind": "every", "scope": MANY, "within": holding(WEEKS, "20", ">=")},
        True,
        {(0, 2), (0, 3), (2, 2), (2, 3)},
    ),
    ({"kind": "not", "part": {"kind": "some", "rows": holding("Province", "Ontario")}}, False, {(1, 0)}),
    (
        compare(
            {"kind": "arithmetic", "operation": "-", "left": cell("Quebec"), "right": cell("Ontario")},
            "=",
            literal(41),
        ),
        True,
        {(0, 0), (0, 2), (1, 0), (1, 2)},
    ),
]


@pytest.mark.parametrize(("value", "truth", "cells"), KNOWN)
def test_a_program_comes_to_what_it_says_and_rests_on_its_cells(
    value: dict[str, Any], truth: bool | None, cells: set[tuple[int, int]]
) -> None:
    jsonschema.validate(value, SCHEMA)
    result = read_program(value, MEASLES.header).run(index_of(MEASLES))
    assert (result.truth, set(result.cells)) == (truth, cells)


def test_the_row_of_an_extreme_is_found_and_the_program_reads_itself_out() -> None:
    highest = {"kind": "extreme", "rows": ALL, "column": CASES, "highest": True}
    value = {"kind": "every", "scope": highest, "within": holding("Province", "Alberta")}
    jsonschema.validate(value, SCHEMA)
    program = read_program(value, MEASLES.header)
    assert program.run(index_of(MEASLES)).truth is True
    assert program.describe(MEASLES.header) == (
        "all(argmax(Number of cases of all rows)) have Province = Alberta"
    )


@pytest.mark.parametrize(
    "value",
    [
        holding("Province", "Quebec"),
        compare(cell("Quebec", "Deaths"), "=", literal(1)),
        {"kind": "some", "rows": ALL, "more": 1},
        {"kind": "not", "part": {"kind": "not", "part": {"kind": "some", "rows": ALL}}},
        {"kind": "some", "rows": holding("Province", "x" * 61)},
    ],
    ids=["no truth value", "no such column", "a field too many", "too deep", "too long"],
)
def test_what_is_no_program_of_this_table_is_invalid(value: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, SCHEMA)


def test_every_reply_held_to_the_schema_ends() -> None:
    """The grammar is unrolled: a definition refers to those before it alone."""
    names = list(SCHEMA["$defs"])
    for place, definition in enumerate(SCHEMA["$defs"].values()):
        referred = re.findall(r"#/\$defs/(\w+)", json.dumps(definition))
        assert set(referred) <= set(names[:place])


def test_a_claims_words_are_bound_by_what_a_program_names() -> None:
    claim = "Alberta had the highest number of cases in 2011"
    value = compare(
        {"kind": "cell", "rows": holding("Province", "Alberta"), "column": CASES},
        "=",
        {"kind": "aggregate", "name": "highest", "rows": ALL, "column": CASES},
    )
    accounting = accounted(claim, value)
    roles = {binding.text: binding.role for binding in accounting.bindings}
    assert roles["Alberta"] is roles["cases"] is Role.EVIDENCE
    assert roles["highest"] is Role.OPERATOR
    assert accounting.unaccounted == ("2011",)
    assert accounted(claim, {"kind": "some", "rows": ALL}).share < accounting.share < 1

"""Programs that a language model proposes: their JSON schema, made from the grammar, and JSON to programs.

A schema names a table's columns and unrolls the grammar to a fixed depth, so that a reply held to it is a
program, and an end. What a program names is bound to the claim's words: that is its accounting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.reading.accounting import empty_words
from evidence_assets.reading.proposals import (
    JsonSchema,
    Word,
    account_for,
    alternatives,
    kind_of,
    leaves,
    one_of,
    pair_of,
)
from evidence_assets.tables.programs.grammar.number_programs import (
    AGGREGATES,
    OPERATIONS,
    Aggregate,
    Arithmetic,
    Cell,
    Count,
    Literal,
)
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Either, Extreme, Meet
from evidence_assets.tables.programs.grammar.truth_programs import Compare, Every, Not, Some
from evidence_assets.tables.programs.grammar.types import Number, Rows, RowsResult, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import DOMAIN
from evidence_assets.tables.programs.wording.words import tokens

LONGEST_VALUE = 60
# Equality of texts, and the relations between numbers.
_RELATIONS = tuple(operations.RELATIONS)


@dataclass(frozen=True, slots=True)
class Holding:
    """The rows whose cell of a column holds a value's words, or whose number stands in a relation to it."""

    column: int
    relation: str
    value: str

    def run(self, index: TableIndex) -> RowsResult:
        """Return the rows, and their cells of the column."""
        words = [token for token in tokens(self.value) if not token.mark]
        number = words[0].number if len(words) == 1 else None
        if number is not None and index.series[self.column]:
            rows = operations.rows_within(index.series[self.column], self.relation, number)
        else:
            keys = {token.key for token in words if not token.stop}
            equal = frozenset(row for row in index.rows if keys and keys <= set(index.keys[row, self.column]))
            # Of texts only what is equal, or is not, can be told.
            rows = {"=": equal, "!=": index.rows - equal}.get(self.relation, frozenset())
        return RowsResult(rows, operations.used(self.column, rows))

    def describe(self, header: tuple[str, ...]) -> str:
        """Return it in readable form."""
        return f"{header[self.column]} {self.relation} {self.value}"


def program_schema(header: Sequence[str]) -> JsonSchema:
    """Return the JSON schema of programs over a table with this header."""
    column = one_of(dict.fromkeys(header))
    value = {"type": "string", "minLength": 1, "maxLength": LONGEST_VALUE}
    relation = one_of(_RELATIONS)
    simple, rows, plain, number, truth = (
        {"$ref": f"#/$defs/{name}"} for name in ("simple_rows", "rows", "plain_number", "number", "truth")
    )
    pair = pair_of(simple)
    definitions = {
        "simple_rows": [
            kind_of("all rows"),
            kind_of("holding", column=column, relation=relation, value=value),
        ],
        "rows": [
            simple,
            kind_of("and", parts=pair),
            kind_of("or", parts=pair),
            kind_of("extreme", rows=simple, column=column, highest={"type": "boolean"}),
        ],
        "plain_number": [
            kind_of("literal", number={"type": "number"}),
            kind_of("count", rows=rows),
            kind_of("aggregate", name=one_of(AGGREGATES), rows=rows, column=column),
            kind_of("cell", rows=rows, column=column),
        ],
        "number": [plain, kind_of("arithmetic", operation=one_of(OPERATIONS), left=plain, right=plain)],
        "truth": [
            kind_of("compare", left=number, relation=relation, right=number),
            kind_of("some", rows=rows),
            kind_of("every", scope=rows, within=rows),
        ],
    }
    return {"anyOf": [truth, kind_of("not", part=truth)], "$defs": alternatives(definitions)}


def read_program(value: Mapping[str, Any], header: Sequence[str]) -> Truth:
    """Return the program that a JSON object of `program_schema` stands for.

    A name that several columns have stands for the first.
    """
    columns = {name: place for place, name in reversed(list(enumerate(header)))}
    return _truth(value, columns)


def _truth(value: Mapping[str, Any], columns: Mapping[str, int]) -> Truth:
    match value["kind"]:
        case "compare":
            return Compare(
                _number(value["left"], columns), value["relation"], _number(value["right"], columns)
            )
        case "some":
            return Some(_rows(value["rows"], columns))
        case "every":
            return Every(_rows(value["scope"], columns), _rows(value["within"], columns))
        case _:
            return Not(_truth(value["part"], columns))


def _number(value: Mapping[str, Any], columns: Mapping[str, int]) -> Number:
    match value["kind"]:
        case "literal":
            return Literal(float(value["number"]))
        case "count":
            return Count(_rows(value["rows"], columns))
        case "aggregate":
            return Aggregate(value["name"], _rows(value["rows"], columns), columns[value["column"]])
        case "cell":
            return Cell(_rows(value["rows"], columns), columns[value["column"]])
        case _:
            left, right = _number(value["left"], columns), _number(value["right"], columns)
            return Arithmetic(value["operation"], left, right)


def _rows(value: Mapping[str, Any], columns: Mapping[str, int]) -> Rows:
    match value["kind"]:
        case "all rows":
            return AllRows()
        case "holding":
            return Holding(columns[value["column"]], value["relation"], value["value"])
        case "extreme":
            return Extreme(_rows(value["rows"], columns), columns[value["column"]], 1, value["highest"])
        case kind:
            parts = tuple(_rows(part, columns) for part in value["parts"])
            return Meet(parts) if kind == "and" else Either(parts)


_LOWEST = frozenset({"lowest", "smallest", "least", "fewest", "minimum", "shortest", "worst"})
# What a program's operators are called in claims, by its kind, operator or flag.
_OPERATORS: Mapping[str, frozenset[str]] = {
    "count": frozenset({"number", "many", "count", "total", "there"}),
    "sum": frozenset({"sum", "total", "together", "combined"}),
    "average": frozenset({"average", "mean"}),
    "highest": frozenset({"highest", "largest", "most", "greatest", "maximum", "best", "longest", "biggest"}),
    "lowest": _LOWEST,
    "not highest": _LOWEST,
    "every": frozenset({"every", "all", "each"}),
    "not": frozenset({"not", "no", "never", "n't", "none"}),
    "or": frozenset({"or", "either"}),
    ">": frozenset({"more", "greater", "larger", "higher", "over", "above", "longer", "than"}),
    "<": frozenset({"less", "fewer", "smaller", "lower", "under", "below", "shorter", "than"}),
    ">=": frozenset({"least", "minimum", "at"}),
    "<=": frozenset({"most", "maximum", "at"}),
}


def accounted(claim: str, value: Mapping[str, Any]) -> Accounting:
    """Return every word of a claim with what a proposed program, as JSON, binds it to.

    A word is bound by a value or column that says it, and by an operator that it may call for.
    """
    evidence: dict[str, tuple[Role, str]] = {}
    operators: dict[str, str] = {}
    for field, text in leaves(value):
        if field in ("column", "value", "number"):
            for token in tokens(text):
                evidence.setdefault(token.key, (Role.EVIDENCE, text))
        else:
            operators |= dict.fromkeys(_OPERATORS.get(text, ()), text)
    words = [Word(token.start, token.end, token.key, not token.stop) for token in tokens(claim)]
    return account_for(claim, words, evidence, operators, empty_words(DOMAIN))

"""Programs that a language model proposes: their JSON schema, made from the grammar, and JSON to programs.

A schema names a table's columns and unrolls the grammar to a fixed depth, so that a reply held to it is a
program, and an end. What a program names is bound to the claim's words: that is its accounting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.reading.accounting import account, empty_words
from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.grammar import Number, Rows, RowsResult, Truth
from evidence_assets.tables.programs.leftovers import DOMAIN
from evidence_assets.tables.programs.number_programs import (
    AGGREGATES,
    OPERATIONS,
    Aggregate,
    Arithmetic,
    Cell,
    Count,
    Literal,
)
from evidence_assets.tables.programs.row_programs import AllRows, Either, Extreme, Meet
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.truth_programs import Compare, Every, Not, Some
from evidence_assets.tables.programs.words import tokens

LONGEST_VALUE = 60
# Equality of texts, and the relations between numbers.
_RELATIONS = tuple(operations.RELATIONS)
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Holding:
    """The rows whose cell of a column holds a value's words, or whose number stands in a relation to it."""

    column: int
    relation: str
    value: str

    def run(self, index: TableIndex) -> RowsResult:
        """Return the rows, and their cells of the column."""
        wanted = [token for token in tokens(self.value) if not token.mark]
        number = wanted[0].number if len(wanted) == 1 else None
        if number is not None and index.series[self.column]:
            series = index.series[self.column]
            rows = frozenset(
                row for row, own in series.items() if operations.compare(own, self.relation, number)
            )
        else:
            keys = {token.key for token in wanted if not token.stop}
            held = frozenset(row for row in index.rows if keys and keys <= set(index.keys[row, self.column]))
            # Of texts only what is equal, or is not, can be told.
            rows = {"=": held, "!=": index.rows - held}.get(self.relation, frozenset())
        return RowsResult(rows, frozenset(operations.used(self.column, rows)))

    def read(self, header: tuple[str, ...]) -> str:
        """Return it in readable form."""
        return f"{header[self.column]} {self.relation} {self.value}"


def program_schema(header: Sequence[str]) -> Schema:
    """Return the JSON schema of programs over a table with this header.

    Each definition refers to those before it alone, so that a program has an end.
    """
    column = {"type": "string", "enum": list(dict.fromkeys(header))}
    value = {"type": "string", "minLength": 1, "maxLength": LONGEST_VALUE}
    relation = _one_of(_RELATIONS)
    simple, rows, plain, number, truth = (
        {"$ref": f"#/$defs/{name}"} for name in ("simple_rows", "rows", "plain_number", "number", "truth")
    )
    pair = {"type": "array", "items": simple, "minItems": 2, "maxItems": 2}
    definitions = {
        "simple_rows": [
            _kind("all rows"),
            _kind("holding", column=column, relation=relation, value=value),
        ],
        "rows": [
            simple,
            _kind("and", parts=pair),
            _kind("or", parts=pair),
            _kind("extreme", rows=simple, column=column, highest={"type": "boolean"}),
        ],
        "plain_number": [
            _kind("literal", number={"type": "number"}),
            _kind("count", rows=rows),
            _kind("aggregate", name=_one_of(AGGREGATES), rows=rows, column=column),
            _kind("cell", rows=rows, column=column),
        ],
        "number": [plain, _kind("arithmetic", operation=_one_of(OPERATIONS), left=plain, right=plain)],
        "truth": [
            _kind("compare", left=number, relation=relation, right=number),
            _kind("some", rows=rows),
            _kind("every", scope=rows, within=rows),
        ],
    }
    return {
        "anyOf": [truth, _kind("not", part=truth)],
        "$defs": {name: {"anyOf": kinds} for name, kinds in definitions.items()},
    }


def _one_of(names: Any) -> Schema:
    return {"type": "string", "enum": list(names)}


def _kind(kind: str, /, **properties: Schema) -> Schema:
    fields = {"kind": {"const": kind}, **properties}
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


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


# What a program's operators are called in claims.
_OPERATORS: Mapping[str, frozenset[str]] = {
    "count": frozenset({"number", "many", "count", "total", "there"}),
    "sum": frozenset({"sum", "total", "together", "combined"}),
    "average": frozenset({"average", "mean"}),
    "highest": frozenset({"highest", "largest", "most", "greatest", "maximum", "best", "longest", "biggest"}),
    "lowest": frozenset({"lowest", "smallest", "least", "fewest", "minimum", "shortest", "worst"}),
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
    said: dict[str, tuple[Role, str]] = {}
    operators: dict[str, str] = {}
    for kind, text in _named(value):
        if kind == "operator":
            operators |= dict.fromkeys(_OPERATORS.get(text, ()), text)
            continue
        for token in tokens(text):
            said.setdefault(token.key, (Role.EVIDENCE, text))
    bindings = []
    for token in tokens(claim):
        text = claim[token.start : token.end]
        if token.key in said and not token.stop:
            role, target = said[token.key]
            bindings.append(Binding(token.start, token.end, text, role, target))
        elif text.lower() in operators:
            bindings.append(Binding(token.start, token.end, text, Role.OPERATOR, operators[text.lower()]))
    return account(claim, bindings, empty_words(DOMAIN))


def _named(value: Any) -> Iterator[tuple[str, str]]:
    """Yield what a program names: values and columns, numbers, operators."""
    if isinstance(value, list):
        for part in value:
            yield from _named(part)
    if not isinstance(value, Mapping):
        return
    for field, part in value.items():
        if field in ("kind", "relation", "name", "operation"):
            yield "operator", str(part)
        elif field == "highest":
            yield "operator", "highest" if part else "lowest"
        elif field in ("column", "value"):
            yield "name", str(part)
        elif field == "number":
            yield "name", f"{part:g}"
        else:
            yield from _named(part)

"""Free questions over a table: values that a program projects, counts or computes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.reading.reliability import reliability
from evidence_assets.tables.programs.cooccurrence import common_rows
from evidence_assets.tables.programs.extrema import is_highest, named_or_only_columns, target_column
from evidence_assets.tables.programs.grammar import Cells, Number, Rows
from evidence_assets.tables.programs.grounding import GroundedClaim, ground
from evidence_assets.tables.programs.leftovers import Left, accounting, carried, left
from evidence_assets.tables.programs.linking import HEADER, Link
from evidence_assets.tables.programs.number_programs import Aggregate, Arithmetic, Cell, Count, Distinct
from evidence_assets.tables.programs.proposal import Bound, binding, numeric_columns, restricted, where
from evidence_assets.tables.programs.row_programs import (
    AllRows,
    Beside,
    Extreme,
    LargestGroups,
    Without,
    meet,
)
from evidence_assets.tables.programs.table_index import index_of
from evidence_assets.tables.programs.trigger_lexicon import AGGREGATING, comparative, negation
from evidence_assets.tables.programs.words import MOST_TOKENS, tokens
from evidence_assets.tables.table import Table

QUESTIONS, ANSWERED = "table_questions", "answered"
_ASKING = frozenset({"which", "what", "who", "whom", "when", "where", "name", "list"})
# What a question word asks for where no header says it.
_TIMES = frozenset({"year", "date", "season"})
_AFTER, _BEFORE = (
    frozenset({"after", "next", "following", "below"}),
    frozenset({"before", "previous", "above"}),
)
_ENDS = {"first": 1, "last": -1, "top": 1, "bottom": -1, "final": -1}


@dataclass(frozen=True, slots=True)
class Question:
    """A program proposed for a question: rows whose cells of a column are asked for, or a number."""

    kind: str
    asked: Number | Rows
    column: int | None
    bound: Bound


@dataclass(frozen=True)
class TableAnswer:
    """What a program answers. `values`: the answers, none where it abstains; the rest as a verdict has it."""

    values: tuple[str, ...]
    confidence: float
    program: str
    kind: str
    cells: tuple[tuple[int, int], ...]
    left: Left
    accounting: Accounting

    @property
    def accounts(self) -> bool:
        """Whether there is an answer, and nothing decisive is left over of the question."""
        return bool(self.values) and self.left is not Left.DECISIVE


def answer(question: str, table: Table) -> TableAnswer:
    """Return the answer of the program that accounts best; one without values where none does."""
    return rank_answers(question, table)[0]


def rank_answers(question: str, table: Table) -> list[TableAnswer]:
    """Return the answers of every program, the best first; one without values where there is none."""
    text = question if len(tokens(question)) <= MOST_TOKENS else ""
    claim = ground(text, index_of(table))
    carrying = carried(claim)
    found: list[tuple[bool, float, int, Question, tuple[str, ...], Cells, Left]] = []
    for proposal in propose(claim):
        values, cells = _values(claim, proposal)
        if values:
            rest = left(carrying, proposal.bound)
            confidence = reliability(QUESTIONS).confidence(proposal.kind, ANSWERED, rest)
            found.append((rest is Left.DECISIVE, -confidence, len(found), proposal, values, cells, rest))
    answers = [
        TableAnswer(
            values,
            -confidence,
            _read(proposal, table.header),
            proposal.kind,
            tuple(sorted(cells | {(HEADER, column) for _, column in cells})),
            rest,
            accounting(question, claim, proposal.bound),
        )
        for _, confidence, _, proposal, values, cells, rest in sorted(found, key=lambda item: item[:3])
    ]
    nothing = TableAnswer((), 0.0, "", "none", (), left(carrying, {}), accounting(question, claim, {}))
    return answers or [nothing]


def _read(proposal: Question, header: tuple[str, ...]) -> str:
    text = proposal.asked.read(header)
    return text if proposal.column is None else f"{header[proposal.column]}({text})"


def _values(claim: GroundedClaim, proposal: Question) -> tuple[tuple[str, ...], Cells]:
    """Return what a program comes to, as texts, and the cells that it used."""
    result = proposal.asked.run(claim.index)
    if proposal.column is None:
        number = getattr(result, "number", None)
        return (() if number is None else (f"{number:.10g}",)), result.cells
    rows = sorted(getattr(result, "rows", ()))
    texts = [claim.index.table.rows[row][proposal.column].text for row in rows]
    cells = result.cells | {(row, proposal.column) for row in rows}
    return tuple(dict.fromkeys(text for text in texts if text)), frozenset(cells)


def propose(claim: GroundedClaim) -> Iterator[Question]:
    """Yield the programs that a question may stand for."""
    for variant in claim.variants():
        yield from _counts(variant)
        yield from _numbers(variant)
        yield from _extremes(variant)
        yield from _ends(variant)
        yield from _choices(variant)
        yield from _neighbours(variant)
        yield from _frequent(variant)
        yield from _alike(variant)
        yield from _lookups(variant)


def _asked_columns(claim: GroundedClaim) -> list[tuple[int, list[int]]]:
    """Return the columns that a question may ask for, the likeliest first, and the words that do."""
    texts, index = claim.texts, claim.index
    word = claim.position(_ASKING)
    operators = [] if word is None else [word]
    valued = {column for link in claim.links for column in link.places}
    chosen: list[int] = []
    if word is not None:
        near = [head for head in claim.linked.headers if 0 < head.start - word <= 3]
        chosen += [column for head in near[:1] for column in sorted(head.columns)]
        timed = texts[word] == "when" or _TIMES.intersection(texts[word + 1 : word + 2])
        chosen += [*index.dated, *index.years] if timed else []
        if texts[word] == "where":
            chosen += sorted(index.columns_like("locat"))
    if not chosen or texts[word or 0] in {"who", "whom"}:
        label = index.table.label_column
        texts_first = [c for c in range(index.table.columns) if not index.is_numeric(c) and c not in valued]
        chosen += [c for c in (label, *texts_first[:1]) if c is not None and c not in valued]
    chosen += [c for head in claim.linked.headers for c in sorted(head.columns) if c not in valued]
    return [(column, operators) for column in list(dict.fromkeys(chosen))[:3]]


def _how_many(claim: GroundedClaim) -> list[int] | None:
    texts = claim.texts
    for position, text in enumerate(texts[:-1]):
        if text == "how" and texts[position + 1] in {"many", "much"}:
            return [position, position + 1]
        if text == "number" and texts[position + 1] == "of":
            return [position, position + 1]
    return None


def _counts(claim: GroundedClaim) -> Iterator[Question]:
    operators = _how_many(claim)
    if operators is None:
        return
    head = next((head for head in claim.linked.headers if 0 < head.start - operators[-1] <= 3), None)
    rows, denial = _chosen_rows(claim)
    different = [n for n, text in enumerate(claim.texts) if text in {"different", "unique", "distinct"}]
    columns = sorted(head.columns) if head is not None else []
    bound = binding(claim, claim.links, columns, [*operators, *_totals(claim), *denial, *_joints(claim)])
    if columns and different:
        yield Question("distinct", Distinct(rows, columns[0]), None, {**bound, **_bound(claim, different)})
    elif not columns or not claim.index.is_numeric(columns[0]):
        yield Question("count", Count(rows), None, bound)
    else:
        yield Question("count of rows by a column of numbers", Count(rows), None, bound)


def _bound(claim: GroundedClaim, positions: list[int]) -> dict[int, tuple[Role, str]]:
    return {position: (Role.OPERATOR, claim.texts[position]) for position in positions}


def _joints(claim: GroundedClaim) -> list[int]:
    """Return the positions of `or` and its like, where values of a column are alternatives."""
    if len(claim.links) < 2 or common_rows(claim.links):
        return []
    return [position for position, text in enumerate(claim.texts) if text in {"or", "either"}]


def _totals(claim: GroundedClaim) -> list[int]:
    return [position for position, text in enumerate(claim.texts) if text in {"total", "altogether"}]


def _numbers(claim: GroundedClaim) -> Iterator[Question]:
    """Yield numbers of a column: one cell's, a difference, a sum or an average."""
    texts = claim.texts
    columns = list(dict.fromkeys(numeric_columns(claim, claim.linked.headers)))
    operators = _how_many(claim) or [n for n, text in enumerate(texts[:1]) if text in _ASKING]
    aggregate = [n for n, text in enumerate(texts) if text in AGGREGATING]
    compared = [n for n, text in enumerate(texts) if text in {"difference", "than"} or comparative(text)]
    for column in columns:
        links = [link for link in claim.links if column not in link.places or link.bound]
        pair = _pair(links)
        bound = binding(claim, links, [column], [*operators, *aggregate])
        rows = restricted(claim, links) if links else AllRows()
        if aggregate and links and not compared:
            yield Question("cell of a total", Cell(rows, column), None, bound)
        if compared and pair is not None:
            first, second = (Cell(where(claim, link), column) for link in pair)
            gap = Arithmetic("|-|", first, second)
            yield Question("difference", gap, None, {**bound, **_bound(claim, compared)})
        elif aggregate:
            averaged = any(texts[n] in {"average", "mean", "averaged"} for n in aggregate)
            name = "average" if averaged else "sum"
            yield Question(name, Aggregate(name, rows, column), None, bound)
        elif operators and links:
            yield Question("cell", Cell(rows, column), None, {**bound, **_bound(claim, _totals(claim))})
            if _how_many(claim):
                yield Question("sum, not said", Aggregate("sum", rows, column), None, bound)


def _pair(links: list[Link]) -> tuple[Link, Link] | None:
    """Return two values of a column, each of one row, that a question sets side by side."""
    for place, first in enumerate(links):
        for second in links[place + 1 :]:
            shared = first.places.keys() & second.places.keys()
            if shared and len(first.rows) == len(second.rows) == 1 and first.rows != second.rows:
                return first, second
    return None


def _extremes(claim: GroundedClaim) -> Iterator[Question]:
    """Yield what stands in the row of an extreme, and the extreme itself."""
    for extreme in claim.superlatives:
        column = target_column(claim, extreme)
        named = column is not None
        if column is None:
            column, named = next(named_or_only_columns(claim, [], extreme.end - 1), (None, False))
        if column is None:
            continue
        links = list(claim.links)
        rows = restricted(claim, links) if links else AllRows()
        chosen = Extreme(rows, column, extreme.place, is_highest(claim, extreme, column))
        kind = "superlative" if named else "superlative in the only column"
        span = range(extreme.start, extreme.end)
        for target, operators in _asked_columns(claim):
            bound = binding(claim, links, [column, target], [*operators, *span])
            yield Question(kind if target != column else "extreme itself", chosen, target, bound)
        return


def _ends(claim: GroundedClaim) -> Iterator[Question]:
    """Yield what stands in the first or last of some rows, in the table's order."""
    for position, text in enumerate(claim.texts):
        end = _ENDS.get(text)
        if end is None or position in claim.linked_positions:
            continue
        rows = restricted(claim, claim.links) if claim.links else AllRows()
        for target, operators in _asked_columns(claim):
            bound = binding(claim, claim.links, [target], [*operators, position])
            yield Question("end of the rows", Beside(rows, end, within=True), target, bound)
        return


def _choices(claim: GroundedClaim) -> Iterator[Question]:
    """Yield `which is longer, A or B`: of what is listed, the row with the higher or lower number."""
    word = next((n for n, text in enumerate(claim.texts) if comparative(text)), None)
    extreme = claim.superlatives[0] if claim.superlatives else None
    joint = claim.position({"or"})
    pair = _pair(list(claim.links))
    if joint is None or pair is None:
        return
    yield from _first_of(claim, pair, joint)
    if word is None and extreme is None:
        return
    place = word if word is not None else extreme.end - 1 if extreme else 0
    highest = comparative(claim.texts[place]) > 0 if word is not None else bool(extreme and extreme.highest)
    listed = restricted(claim, pair)
    shared = min(pair[0].places.keys() & pair[1].places.keys())
    for column, _ in named_or_only_columns(claim, claim.linked.headers, place):
        operators = [place, joint, *(n for n, text in enumerate(claim.texts[:1]) if text in _ASKING)]
        bound = binding(claim, pair, [column], operators)
        yield Question("choice", Extreme(listed, column, 1, highest), shared, bound)
        return


_ORDERS = {
    "first": 1,
    "before": 1,
    "earlier": 1,
    "last": -1,
    "after": -1,
    "later": -1,
    "higher": 1,
    "lower": -1,
}


def _first_of(claim: GroundedClaim, pair: tuple[Link, Link], joint: int) -> Iterator[Question]:
    """Yield which of two comes first or last in the table's order: `who came first, A or B`."""
    word = next((n for n, text in enumerate(claim.texts) if text in _ORDERS), None)
    if word is None or any(link.start <= word < link.end for link in pair):
        return
    shared = min(pair[0].places.keys() & pair[1].places.keys())
    bound = binding(claim, pair, [shared], [word, joint, *_opening(claim)])
    rows = Beside(restricted(claim, pair), _ORDERS[claim.texts[word]], within=True)
    yield Question("first of two", rows, shared, bound)


def _neighbours(claim: GroundedClaim) -> Iterator[Question]:
    """Yield what stands in the row after, or before, the one that a question names."""
    for position, text in enumerate(claim.texts):
        step = 1 if text in _AFTER else -1 if text in _BEFORE else 0
        links = [link for link in claim.links if len(link.rows) == 1 and not link.bound]
        if not step or len(links) != 1:
            continue
        label = min(links[0].places)
        columns = [*_asked_columns(claim), (label, [n for n in range(1) if claim.texts[n] in _ASKING])]
        for target, operators in columns:
            bound = binding(claim, links, [target], [*operators, position])
            kind = "next row" if target != label else "next row, the same column"
            yield Question(kind, Beside(where(claim, links[0]), step, within=False), target, bound)
        return


def _frequent(claim: GroundedClaim) -> Iterator[Question]:
    """Yield the commonest value of the column asked for: `which nation has the most riders`."""
    most = claim.position({"most", "least"})
    if most is None or "than" in claim.texts or claim.texts[most - 1] == "at":
        return
    rows = restricted(claim, claim.links) if claim.links else AllRows()
    for target, operators in _asked_columns(claim)[:1]:
        bound = binding(claim, claim.links, [target], [*operators, most])
        yield Question(
            "most frequent", LargestGroups(rows, target, claim.texts[most] == "most"), target, bound
        )


def _lookups(claim: GroundedClaim) -> Iterator[Question]:
    if not claim.links or _how_many(claim):
        return
    rows, denial = _chosen_rows(claim)
    only = claim.position({"only"})
    # `the only one` is told where a single row is.
    alone = [only] if only is not None and len(rows.run(claim.index).rows) == 1 else []
    for place, (asked, operators) in enumerate(_asked_columns(claim)):
        kind = ("lookup", "lookup of another column")[min(place, 1)]
        bound = binding(claim, claim.links, [asked], [*operators, *denial, *alone, *_joints(claim)])
        yield Question(f"denied {kind}" if denial else kind, rows, asked, bound)


def _chosen_rows(claim: GroundedClaim) -> tuple[Rows, list[int]]:
    """Return the rows that meet what a question names, less those that it denies; and the negation."""
    place = negation(claim.tokens)
    refused = [] if place is None else [link for link in claim.links if link.start > place]
    if place is None or not refused:
        return (restricted(claim, claim.links) if claim.links else AllRows()), []
    affirmed = [link for link in claim.links if link.end <= place]
    return Without(meet([where(claim, link) for link in affirmed]), restricted(claim, refused)), [place]


def _alike(claim: GroundedClaim) -> Iterator[Question]:
    """Yield `what else has the same C as A`: the other rows with A's value in the column."""
    word = claim.position({"same"})
    links = [link for link in claim.links if len(link.rows) == 1]
    if word is None or len(links) != 1:
        return
    link = links[0]
    label, row = min(link.places), next(iter(link.rows))
    for head in claim.linked.headers:
        column = min(head.columns)
        if column in link.places:
            continue
        value = claim.index.keys[row, column]
        rows = frozenset(r for r in claim.index.rows if claim.index.keys[r, column] == value and r != row)
        alike = Link(head.start, head.end, {column: rows}, frozenset({column}), 1, bound=f"as in row {row}")
        bound = binding(claim, [link], [column, label], [word, *_opening(claim)])
        program = Count(where(claim, alike)) if _how_many(claim) else where(claim, alike)
        yield Question("alike", program, None if _how_many(claim) else label, bound)
        return


def _opening(claim: GroundedClaim) -> list[int]:
    return _how_many(claim) or [n for n, text in enumerate(claim.texts[:1]) if text in _ASKING]

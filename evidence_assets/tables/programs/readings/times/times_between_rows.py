"""Programs of the time between what two rows tell, and of which of them is the earlier."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from evidence_assets.tables.cell_dates import tells_a_day
from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal, Mean, YearOf
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.times.spans_of_time import cell_span
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, proposed, where
from evidence_assets.tables.programs.wording.tolerances import EXACT, told_about
from evidence_assets.tables.programs.wording.words import word_key
from evidence_assets.tables.programs.wording.words_of_time import DAYS_IN, MINUTES_IN
from evidence_assets.text.roots import root, word_roots


def gap_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A came three days after B`, `A starts more than an hour before B`: the time between two rows.

    Each side is of the column of times that it names: `A opened a week after B had closed`.
    """
    texts, word = claim.texts, claim.position(_BESIDE)
    if word is None:
        return
    place = next((n for n in range(len(texts)) if _counts_times(claim, n, {*DAYS_IN, *MINUTES_IN})), None)
    names = [link for link in claim.links if not link.bound and link.start != place and len(link.rows) == 1]
    if place is None or len(names) < 2 or names[0].rows == names[1].rows:
        return
    unit = claim.tokens[place + 1].key
    named_columns = {column for head in claim.linked.headers for column in head.columns}
    of_unit = claim.index.dated if unit in DAYS_IN else claim.index.clocks
    times = _sides_in_time(claim, word, sorted(of_unit, key=lambda column: column not in named_columns))
    columns = [column for column in times.columns if column is not None]
    if not columns or (unit in DAYS_IN and not _tell_days(claim, names[:2], columns)):
        return
    sides = [Cell(where(claim, link), column) for link, column in zip(names[:2], columns, strict=True)]
    operation = "|-|" if texts[word] in {"between", "apart"} else "-"
    later, earlier = reversed(sides) if _BESIDE[texts[word]] < 0 else sides
    limit = next((limit for limit in claim.linked.thresholds if limit.position == place), None)
    relation = "=" if limit is None else limit.relation
    numbers = range(place if limit is None else limit.start, place + 2)
    length = _count(claim, place) * {**DAYS_IN, **MINUTES_IN}[unit]
    tolerance, rounding = told_about(texts, place, length, EXACT) if limit is None else (EXACT, ())
    program = Compare(Arithmetic(operation, later, earlier), relation, Literal(length), tolerance)
    if program.run(claim.index).truth is not None:
        operators = [word, *times.words, *rounding]
        yield proposed(claim, "time between rows", program, names[:2], columns, operators, numbers)


def _tell_days(claim: GroundedClaim, names: Iterable[Link], columns: Iterable[int]) -> bool:
    """Return whether the dates of two rows, each in its column, tell their days."""
    cells = claim.index.table.rows
    return all(
        tells_a_day(cells[row][column].value.date)
        for link, column in zip(names, columns, strict=True)
        for row in link.rows
    )


def years_between_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A opened 86 years after B`, `more than ten years before B`: years between what rows tell."""
    texts, index = claim.texts, claim.index
    place = next((n for n in range(len(texts) - 2) if _counts_times(claim, n, {word_key("year")})), None)
    if place is None or texts[place + 2] not in _BESIDE:
        return
    beside = place + 2
    before = [link for link in claim.names if link.end <= place and link.start != place]
    after = [link for link in claim.names if link.start > beside]
    limit = next((limit for limit in claim.linked.thresholds if limit.position == place), None)
    relation = "=" if limit is None else limit.relation
    words = range(place, place + 2) if limit is None else range(limit.start, place + 2)
    named_columns = [column for head in claim.linked.headers for column in head.columns]
    told_columns = [column for column in named_columns if column in index.years]
    for column in told_columns or (list(index.years) if len(index.years) == 1 else []):
        first, second = single_rows(claim, before, column), single_rows(claim, after, column)
        if first is None or second is None:
            continue
        sides = [YearOf(first[0], column), YearOf(second[0], column)]
        earlier, later = sides if _BESIDE[texts[beside]] < 0 else reversed(sides)
        program = Compare(Arithmetic("-", later, earlier), relation, Literal(_count(claim, place)))
        if program.run(index).truth is not None:
            links = [*first[1], *second[1]]
            yield proposed(claim, "years between rows", program, links, [column], [beside], words)
            return


def _counts_times(claim: GroundedClaim, position: int, nouns: Container[str]) -> bool:
    """Return whether a noun, by its key, follows a number, or an article, which counts one of them."""
    counts = claim.tokens[position].number is not None or claim.texts[position] in {"a", "an"}
    return counts and any(token.key in nouns for token in claim.tokens[position + 1 : position + 2])


def _count(claim: GroundedClaim, position: int) -> float:
    """Return the number at a position: of `a week` 1, of `a quarter of an hour` its part."""
    number = claim.tokens[position].number
    return 1.0 if number is None else number


# Words that tell that one date is beside another, and the sign of their difference.
_BESIDE = {"after": 1, "later": 1, "before": -1, "earlier": -1, "between": 1, "apart": 1}


def order_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether one value of a column comes before or after another in the table's times.

    Of two columns of times each side is of the one that it names: `A opened before B had closed`.
    """
    position = claim.position({"before", "after"})
    if position is None:
        return
    times = _sides_in_time(claim, position, claim.index.dated or claim.index.clocks)
    for before in (link for link in reversed(claim.links) if link.end <= position):
        for after in (link for link in claim.links if link.start > position):
            shared = sorted(before.places.keys() & after.places.keys())
            if not shared or before.bound or after.bound or before.rows & after.rows:
                continue
            if not _are_told_apart(claim, before.rows, after.rows, times):
                return
            first, second = (
                Mean(where(claim, link.within(shared[:1])), column)
                for link, column in zip((before, after), times.columns, strict=True)
            )
            relation = "<" if claim.texts[position] == "before" else ">="
            program = Compare(first, relation, second)
            columns = [column for column in times.columns if column is not None]
            yield proposed(claim, "order", program, [before, after], columns, [position, *times.words])
            return


@dataclass(frozen=True, slots=True)
class _Times:
    """The columns of times of the two sides of an order, None where no column tells any, and their words."""

    columns: tuple[int | None, int | None]
    words: tuple[int, ...] = ()


def _sides_in_time(claim: GroundedClaim, position: int, dated: Sequence[int]) -> _Times:
    """Return the columns that tell the times of what stands before a word and of what stands behind it."""
    named: list[int | None] = []
    words: list[int] = []
    for span in (range(position), range(position + 1, len(claim.texts))):
        heads = [head for head in claim.linked.headers if head.start in span and head.columns & {*dated}]
        verbs = [n for n in span if root(claim.texts[n]) in _BEGINNINGS | _ENDS] if len(dated) == 2 else []
        if heads:
            named.append(min(heads[-1].columns & {*dated}))
        elif verbs:
            named.append(dated[root(claim.texts[verbs[-1]]) in _ENDS])
            words += verbs[-1:]
        else:
            named.append(None)
    first, second = named
    usual = next(iter(dated), None)
    first = first if first is not None else second if second is not None else usual
    return _Times((first, second if second is not None else first), tuple(words))


_BEGINNINGS = word_roots("begin began begun start open launch")
_ENDS = word_roots("end finish close complete")


def _are_told_apart(claim: GroundedClaim, before: Iterable[int], after: Iterable[int], times: _Times) -> bool:
    """Return whether dates are told exactly enough to order them: a month does not tell one of its days."""
    cells = claim.index.table.rows
    sides = [
        [cell_span(cells[row][column]) for row in rows] if column is not None else []
        for rows, column in zip((before, after), times.columns, strict=True)
    ]
    return not any(
        first is not None
        and second is not None
        and first != second
        and first[0] <= second[1]
        and second[0] <= first[1]
        for first in sides[0]
        for second in sides[1]
    )

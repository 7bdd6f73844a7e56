"""What a question says of two columns at once: of two times, of a plan and its outcome, of any two."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.rows_in_time import row_since, rows_in_time, rows_that_begin
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.links.times.period_headers import recurring_parts
from evidence_assets.tables.programs.questions.rows.ranges_of_cells import ranges_of_cells
from evidence_assets.tables.programs.questions.wording.asked_amounts import COSTING
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.extreme_columns import is_turned
from evidence_assets.tables.programs.readings.parts.plans import comparisons_with_plans, missed_plan
from evidence_assets.tables.programs.readings.parts.proposal import Condition
from evidence_assets.tables.programs.readings.times.changes_over_time import changes
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative, exceeding
from evidence_assets.tables.programs.wording.turns import asks_since_when, overtakes, words_of_overtaking

_AS_MANY = (("as", "many"), ("as", "much"))
# What a cell says of what has not ended; an end that is not known is told otherwise.
_STILL = frozenset({"", "-", "–", "—", "present", "today", "now"})
_WITHIN = frozenset({"in", "during", "around"})


def column_conditions(wording: Wording) -> Iterator[Condition]:
    """Yield the conditions that a question sets on two columns of the rows that it asks for."""
    conditions = (*changes(wording.claim), *comparisons_with_plans(wording.claim))
    as_claimed = [condition for condition in conditions if condition.link.rows]
    yield from as_claimed or _comparisons_of_columns(wording)
    yield from ranges_of_cells(wording)
    yield from _times_between(wording)


def _comparisons_of_columns(wording: Wording) -> Iterator[Condition]:
    """Yield the rows in which one named column is above, below or the same as another.

    `More swings than slides`, `as many slides as swings`, `the same price in both seasons`.
    """
    index = wording.claim.index
    for relation, words, columns in (*_as_planned(wording), *_compared(wording), *_alike(wording)):
        left, right = columns
        factor = index.factor(left, right)
        if factor is None or left == right:
            continue
        numbers, others = index.series[left], index.series[right]
        rows = frozenset(
            row
            for row in (numbers.keys() & others.keys()) - index.summaries
            if operations.compare(numbers[row], relation, factor * others[row])
        )
        since, known = asks_since_when(wording.claim.texts), numbers.keys() & others.keys()
        if (since or overtakes(wording.claim.texts, words[0])) and (order := rows_in_time(index)):
            beginning = row_since if since else rows_that_begin
            rows = frozenset(beginning(order, rows, known))
        name = f"{relation} {index.table.header[right]}"
        link = Link.of_column(words[0], words[0] + 1, left, rows, name)
        yield Condition(link, (right, left), words_of_overtaking(wording.claim.texts, words))
        return


_Comparison = tuple[str, tuple[int, ...], tuple[int, int]]


def _compared(wording: Wording) -> Iterator[_Comparison]:
    """Yield the relation, its words and the columns of `more of this than of that`."""
    claim = wording.claim
    texts = claim.texts
    for position, text in enumerate(texts):
        than = next((n for n in range(position + 1, len(texts)) if texts[n] == "than"), None)
        second = next((n for n in range(position + 2, len(texts)) if texts[n] == "as"), None)
        if exceeding(text):
            yield from _between(wording, ">", (position,), position)
        elif comparative(text) and than is not None and not claim.in_condition(position):
            for relation, words, columns in _between(wording, ">", (position, than), than):
                # Ranked worse is a higher number.
                rises = (comparative(text) > 0) != is_turned(claim.index, text, columns[0])
                yield relation if rises else "<", words, columns
        elif texts[position : position + 2] in _AS_MANY and second is not None:
            yield from _between(wording, "=", (position, position + 1, second), second)


def _as_planned(wording: Wording) -> Iterator[_Comparison]:
    """Yield the comparison of `on budget`."""
    missed = missed_plan(wording.claim)
    if missed is not None and missed.relation == "=":
        yield missed.relation, missed.words, (missed.actual, missed.plan)


def _between(wording: Wording, relation: str, words: tuple[int, ...], joint: int) -> Iterator[_Comparison]:
    """Yield the comparison of the columns named last before a word and first behind it, if no value is."""
    heads = [head for head in wording.claim.linked.headers if _is_of_numbers(wording, head)]
    before = [head for head in heads if head.end <= joint]
    behind = [head for head in heads if head.start > joint]
    if before and behind and not any(joint < link.start < behind[0].start for link in wording.claim.names):
        yield relation, words, (min(before[-1].columns), min(behind[0].columns))


def _is_of_numbers(wording: Wording, head: HeaderLink) -> bool:
    index = wording.claim.index
    return len(head.columns) == 1 and all(map(index.is_numeric, head.columns))


def _alike(wording: Wording) -> Iterator[_Comparison]:
    """Yield the comparison of two columns: `the same in both seasons`, `the same in 2022 and 2023`."""
    claim = wording.claim
    same, both = wording.of("same"), wording.of("both")
    parts = [column for column in wording.named if column in recurring_parts(claim.index)]
    numbers = {token.number for token in claim.tokens}
    times = parts or [column for column, year in claim.index.year_columns.items() if year in numbers]
    if same and len(times) == 2:
        yield "=", (*same, *both, *_words_of_prices(wording, times)), (times[0], times[1])
        return
    pairs = [head.columns for head in claim.linked.headers if len(head.columns) == 2]
    if same and both and pairs and all(map(claim.index.is_numeric, pairs[0])):
        left, right = sorted(pairs[0])
        yield "=", (*same, *both, *_words_of_prices(wording, pairs[0])), (left, right)


def _words_of_prices(wording: Wording, columns: Collection[int]) -> list[int]:
    """Return where it says `costs`, if columns tell prices."""
    are_prices = wording.amount.prices.issuperset(columns)
    return [n for n, text in enumerate(wording.claim.texts) if text in COSTING] if are_prices else []


def _times_between(wording: Wording) -> Iterator[Condition]:
    """Yield the rows whose two years a year lies between: who was chair in 1980, elected 1975, until 1988.

    What has begun and tells no end goes on.
    """
    claim, index = wording.claim, wording.claim.index
    columns = sorted(index.dates_and_years - {index.table.label_column})
    if len(columns) != 2 or any(column not in index.years for column in columns):
        return
    first, last = (index.years[column] for column in columns)
    for position, token in enumerate(claim.tokens):
        is_told = bool(position) and claim.texts[position - 1] in _WITHIN
        if not is_told or token.number is None or any(first[row] > last[row] for row in first.keys() & last):
            continue
        ends = {row: index.table.rows[row][columns[1]].text.strip().lower() for row in first}
        open_ended = {row for row, text in ends.items() if text in _STILL}
        rows = frozenset(
            row
            for row, year in first.items()
            if year <= token.number and (row in open_ended or token.number <= last.get(row, year))
        )
        link = Link.of_column(position, position + 1, columns[0], rows, f"<= {token.text} <= its end")
        yield Condition(link, (columns[1], columns[0]), ())

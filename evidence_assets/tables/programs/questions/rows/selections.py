"""The rows that a free question may mean: those of its values, or one chosen among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from evidence_assets.tables.programs.grammar.row_programs import Beside, ExtremeChange, Meet
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.derived.turned_tables import TurnedTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, is_weak, positions_of
from evidence_assets.tables.programs.links.quantities.bounds import bound_link
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks, is_ranked_by_a_column
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection, chosen_among
from evidence_assets.tables.programs.questions.rows.column_conditions import column_conditions
from evidence_assets.tables.programs.questions.rows.deeds_in_time import (
    beside_in_time,
    in_time,
    tells_a_deed_in_time,
)
from evidence_assets.tables.programs.questions.rows.extremes import extremes, is_of_a_change, measures
from evidence_assets.tables.programs.questions.rows.filled_cells import filled_cells
from evidence_assets.tables.programs.questions.rows.idle_values import (
    ABOVE_OR_BELOW,
    says_when,
    tells_no_rows,
)
from evidence_assets.tables.programs.questions.rows.refusals import refusal
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.proposal import restricted, where
from evidence_assets.tables.programs.wording.quantities import CALENDAR_UNITS, is_of_time
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import LOWEST, comparative
from evidence_assets.tables.programs.wording.words_of_time import DIRECTLY

# With more links no subsets of them are tried.
_MOST_LINKS = 6
_ENDS_IN_TIME = frozenset({"earliest", "latest"})
_FIRST = frozenset({"first", "top", "earliest", "oldest"})


def selections(wording: Wording) -> Iterator[Selection]:
    """Yield the selections of a question's rows, each once."""
    keys: set[tuple[str, frozenset[int], int | None, int]] = set()
    of_values = list(_of_values(wording))
    for selection in chain(of_values, *(_chosen_among(wording, value) for value in of_values)):
        key = selection.kind, selection.chosen, selection.measure, len(selection.links)
        if key not in keys and (selection.chosen or _may_be_none(wording, selection)):
            keys.add(key)
            yield selection


def _of_values(wording: Wording) -> Iterator[Selection]:
    """Yield the rows of a question's values, of all but one of them, of each alone, and all rows."""
    claim = wording.claim
    values = [link for link in claim.links if not _counts_all_rows(claim, link)]
    values = [_of_its_own_row(wording, link) for link in values if not tells_no_rows(wording, link)]
    everything = (*values, *wording.adjectives)
    variants = [[_of_its_own_row(wording, link) for link in variant.links] for variant in claim.variants()]
    subsets = [(*links, *wording.adjectives) for links in variants]
    subsets = [tuple(link for link in subset if link in everything) for subset in subsets]
    narrowed = tuple(_of_named_column(wording, link) for link in everything)
    if narrowed != everything:
        yield from _restricted(wording, narrowed)
    if len(everything) <= _MOST_LINKS:
        subsets += [tuple(link for link in everything if link is not excluded) for excluded in everything]
        subsets += [(link,) for link in everything]
    subsets.append(())
    for links in dict.fromkeys(tuple(map(everything.index, subset)) for subset in subsets):
        used = tuple(everything[place] for place in links)
        yield from _restricted(wording, used)
        if len(links) in {0, len(everything)}:
            yield from _bounded(wording, used)
            yield from _compared(wording, used)
            yield from _filled(wording, used)


def _may_be_none(wording: Wording, selection: Selection) -> bool:
    """Return whether it may be asked how many rows have values that all stand somewhere, and none has them.

    Each is a whole cell, or a bound on numbers; other values are words of longer cells. Of a time that no row
    is of nothing tells how many there were.
    """
    if not wording.counting or selection.kind != "values":
        return False
    meant = [link for link in wording.claim.links if link.bound or not is_weak(link)]
    return [*selection.links] == meant and all(_is_clear(wording.claim.index, link) for link in meant)


def _is_clear(index: TableIndex, link: Link) -> bool:
    """Return whether a value is a cell's text, or a bound on a column that does not name the rows."""
    columns = {*link.places}
    if len(columns) != 1 or link.undetermined:
        return False
    if link.bound:
        return link.bound[0] in "<>" and index.table.label_column not in columns
    return link.number is None and columns == link.full and columns.isdisjoint(index.times)


def _counts_all_rows(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number says how many rows there are: of `the four festivals` it is no value."""
    index = claim.index
    counts = link.number is not None and link.number == len(index.rows - index.summaries)
    return counts and not link.bound and claim.texts[max(0, link.start - 1)] in {"the", "all"}


def _of_its_own_row(wording: Wording, link: Link) -> Link:
    """Return the name of a row that others have for a partner as that of the row, if no column is named."""
    label = wording.claim.index.table.label_column
    names_a_row = label in link.full and len(link.places[label]) == 1
    if label is None or not names_a_row or any(column in wording.named for column in link.places):
        return link
    return link.within([label])


def _of_named_column(wording: Wording, link: Link) -> Link:
    """Return a value that stands in several columns in that which the question names: `9 for crust`.

    That which it asks for names none. An ordinal that no named column has is of a column of ranks: `who came
    third`; and a name of a row that others have for a partner is that of the row.
    """
    index = wording.claim.index
    label = index.table.label_column
    columns = [
        column for column in link.places if column in wording.named and column not in wording.asked_columns
    ]
    if not columns and label in link.full and len(link.places[label]) == 1:
        columns = [label]
    if not columns and wording.claim.tokens[link.start].ordinal:
        columns = [column for column in link.places if is_of_ranks(index, column)]
    return link.within(columns) if len(columns) == 1 < len(link.places) else link


def _restricted(wording: Wording, links: tuple[Link, ...]) -> Iterator[Selection]:
    claim = wording.claim
    rows = restricted(claim, links)
    joints = () if len(links) < 2 or common_rows(links) else wording.of("or", "both")
    only = wording.of("only")
    chosen = rows.run(claim.index).rows
    alone = only if len(chosen) == 1 else ()
    yield Selection("values" if links else "all", rows, chosen, links, (*joints, *alone))
    without = refusal(wording, links)
    if without is not None:
        yield Selection.of(claim, without.kind, without.rows, links, without.words)


def _bounded(wording: Wording, links: tuple[Link, ...]) -> Iterator[Selection]:
    """Yield the rows within a bound that the question sets on no column: on each that it may be of."""
    claim, index = wording.claim, wording.claim.index
    bounded = {column for link in links if link.bound for column in link.places}
    refused = [limit for limit in claim.linked.thresholds if claim.refused & positions_of([limit])]
    for limit in (*claim.bounds, *refused)[:1]:
        # What no unit can be compared with is of what is named.
        for column in measures(wording) if limit not in refused else wording.named:
            if column in bounded:
                continue
            numbers = index.series[column]
            if numbers and min(numbers.values()) <= limit.bound <= max(numbers.values()):
                bound = bound_link(index, limit, column)
                words = range(limit.start, limit.end)
                yield _conditioned(wording, "bound", links, bound, words, (column,))


def _compared(wording: Wording, links: tuple[Link, ...]) -> Iterator[Selection]:
    """Yield the rows in which two columns compare as is told: of two times, of a plan and its outcome."""
    claim = wording.claim
    change = wording.change
    most = next(
        (
            extreme
            for extreme in claim.superlatives
            if _is_by_the_most(claim, extreme) or is_of_a_change(claim, extreme)
        ),
        None,
    )
    if most is not None and change is not None and claim.texts[most.start] not in LOWEST:
        rises = change.relation != "<"
        rows: Rows = ExtremeChange(restricted(claim, links), change.earlier, change.later, rises)
        by = [n for n in (most.start - 2, most.start - 1) if n >= 0 and claim.texts[n] == "by"]
        words = (*change.words, *by, *range(most.start, most.end))
        yield Selection.of(claim, "largest change", rows, links, words, change.later, (change.earlier,))
    elif most is None:
        for condition in column_conditions(wording):
            yield _conditioned(
                wording, "change", links, condition.link, condition.operators, condition.columns
            )


def _filled(wording: Wording, links: tuple[Link, ...]) -> Iterator[Selection]:
    """Yield the rows that have something in a column that the question names."""
    claim = wording.claim
    for condition in filled_cells(wording):
        used = (*links, condition.link)
        rows = restricted(claim, used)
        yield Selection.of(claim, "filled", rows, used, condition.operators, None, condition.columns)


def _is_by_the_most(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether a superlative is of how much something changed: `rose most`, `fell furthest`."""
    return claim.texts[extreme.end - 1] in {"most", "furthest", "farthest", "fastest"}


def _conditioned(
    wording: Wording,
    kind: str,
    links: tuple[Link, ...],
    condition: Link,
    operators: Iterable[int],
    columns: Sequence[int],
) -> Selection:
    """Return the rows of a question's values that meet a condition; the last of its columns is measured."""
    claim, used = wording.claim, (*links, condition)
    without = refusal(wording, links)
    *others, measure = columns
    if without is None:
        return Selection.of(claim, kind, restricted(claim, used), used, [*operators], measure, others)
    rows = Meet((without.rows, where(claim, condition)))
    return Selection.of(claim, kind, rows, used, [*operators, *without.words], measure, others)


def _chosen_among(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the rows chosen among others: by an extreme, by their order, by another row."""
    if len(base.chosen) > 1 or not base.links:
        yield from extremes(wording, base)
    yield from in_time(wording, base)
    if len(base.chosen) > 1 or not base.links:
        yield from _ends(wording, base)
    if len(base.chosen) == 1 and len(base.links) == 1:
        yield from _neighbours(wording, base)
        yield from _likened(wording, base)


def _ends(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the first or last of some rows, in the table's order."""
    claim = wording.claim
    used = positions_of(base.links)
    of_time = bool(claim.index.dated or claim.index.clocks)
    passed = _ENDS_IN_TIME if of_time else frozenset[str]()
    words = [n for n in wording.of("end") if n not in used and claim.texts[n] not in passed]
    words = [n for n in words if not is_ranked_by_a_column(claim.tokens, n, claim.index)]
    words = [n for n in words if not tells_a_deed_in_time(claim, n)]
    for word in [n for n in words if not says_when(claim, n)][:1]:
        end = 1 if claim.texts[word] in _FIRST else -1
        yield chosen_among(claim, "end", Beside(base.rows, end, within=True), base, [word])
    if wording.of("or"):
        for name, end in (("before", 1), ("after", -1)):
            for word in wording.of(name)[:1]:
                yield chosen_among(claim, "end", Beside(base.rows, end, within=True), base, [word])


def _neighbours(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the row after, or before, the one that a question names."""
    for name, step in (("after", 1), ("before", -1)):
        words = tuple(n for n in wording.of(name) if n not in positions_of(base.links))
        if any(tells_a_deed_in_time(wording.claim, n) for n in words) or _is_of_times(wording, words):
            continue
        if isinstance(wording.claim.index.table, TurnedTable):
            # No column stands above another: what is below the limit is so in numbers.
            words = tuple(n for n in words if wording.claim.texts[n] not in ABOVE_OR_BELOW)
        if words:
            directly = [n - 1 for n in words if n and wording.claim.texts[n - 1] in DIRECTLY]
            rows, measure = _beside(wording, base, step)
            yield chosen_among(wording.claim, "neighbour", rows, base, [*directly, *words], measure=measure)


def _beside(wording: Wording, base: Selection, step: int) -> tuple[Rows, int | None]:
    """Return the row next to the only one of a selection, with the column of times that orders them.

    By when both did what the question names, where the rows do not stand in that order.
    """
    index = wording.claim.index
    for column in [column for column in wording.named if column in index.dates_and_years]:
        order = [time for row, time in sorted(index.series[column].items()) if row not in index.summaries]
        rows = beside_in_time(wording.claim, base, column, step)
        if rows is not None and order != sorted(order):
            return rows, column
    return Beside(base.rows, step, within=False), None


def _is_of_times(wording: Wording, words: Sequence[int]) -> bool:
    """Return whether `next` or `before` is said of times, not rows: when the next test is, so many days."""
    unit = wording.amount.unit
    if unit in CALENDAR_UNITS or (unit and is_of_time(unit)):
        return True
    return wording.asks_for_a_time and {wording.claim.texts[n] for n in words} == {"next"}


def _likened(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the other rows with a row's value in a column, or with a higher or a lower one than it."""
    claim, index = wording.claim, wording.claim.index
    link, row = base.links[0], next(iter(base.chosen))
    for word in wording.of("same")[:1]:
        for column in wording.named or range(index.table.columns):
            value = index.keys.get((row, column))
            rows = frozenset(r for r in index.rows if index.keys[r, column] == value and r != row)
            if value and column not in link.places:
                yield _related(claim, base, "same", (column, rows), f"as in row {row + 1}", [word])
    than = claim.position({"than"})
    if than is None or than > link.start:
        return
    # By how much something is more is a difference, and not what is more.
    passed = wording.counting[-1] + 1 if wording.counting else None
    for word in [n for n in wording.of("comparative") if n < than and n != passed][-1:]:
        for column in measures(wording):
            numbers = index.series[column]
            if row not in numbers or column in link.places:
                continue
            relation = ">" if comparative(claim.texts[word]) > 0 else "<"
            rows = operations.rows_within(numbers, relation, numbers[row]) - index.summaries
            yield _related(claim, base, "beyond", (column, rows), f"{relation} row {row + 1}", [word, than])


def _related(
    claim: GroundedClaim,
    base: Selection,
    kind: str,
    matched: tuple[int, frozenset[int]],
    condition: str,
    words: Sequence[int],
) -> Selection:
    column, rows = matched
    link = base.links[0]
    related = Link.of_column(link.start, link.end, column, rows, condition)
    return chosen_among(claim, kind, where(claim, related), base, words, measure=column)

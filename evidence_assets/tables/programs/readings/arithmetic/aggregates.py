"""Claims about the sum or the average of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.extreme_columns import column_of_totals
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    as_told,
    binding,
    number_at,
    numeric_columns,
    proposed,
    restricted,
)
from evidence_assets.tables.programs.wording.tolerances import EXACT, OF_WHOLE, Tolerance, words_of_exactness
from evidence_assets.tables.programs.wording.trigger_lexicon import each_word
from evidence_assets.tables.programs.wording.words_of_time import TIMES
from evidence_assets.tables.programs.wording.words_of_wholes import (
    AGGREGATING,
    AVERAGING,
    adding_words,
    averaging_words,
)

# Words before `all` where it says of what a sum or an average is.
_OF_ALL = frozenset({"of", "for", "across", "over", "among"})


def aggregate_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `the vans cost 90 in total`: whether a number is the sum or average of a column that is named."""
    texts, index = claim.texts, claim.index
    adding = [n for n in adding_words(texts, range(len(texts))) if n not in claim.headed]
    aggregating = (n for n, text in enumerate(texts) if text in AGGREGATING and n not in claim.headed)
    word = next(aggregating, adding[0] if adding else None)
    if word is None:
        return
    numbers = list(_numbers(claim))
    if not numbers:
        return
    times = {*_numbers_of_times(claim)}
    numbers = [n for n in numbers if n not in times] or numbers
    row_counts = [
        n for n in numbers if claim.tokens[n].number == len(index.rows) and claim.tokens[n].text.isalpha()
    ]
    counts, whole = _counts_of_scope(claim), _whole_of(claim, numbers)
    passed = {*row_counts, *counts, whole}
    position = next((n for n in reversed(numbers) if n not in passed), numbers[-1])
    heads = sorted(claim.linked.headers, key=lambda head: abs(head.start - word))
    columns = numeric_columns(claim, heads)
    of_unit = [c for link in claim.links if link.start == position in claim.units for c in sorted(link.full)]
    # What names or numbers the rows is not added up.
    column = next((c for c in (*of_unit, *columns) if not index.tells_rows_apart(c)), None)
    if column is None and not claim.linked.headers:
        # `A and B won 9 medals together`, of a table that tells how many in all.
        column = column_of_totals(index)
    if column is None:
        return
    links = [
        link for link in claim.links if not link.start <= position < link.end and link.start not in passed
    ]
    name = "average" if texts[word] in AVERAGING else "sum"
    rows = restricted(claim, links)
    if _has_too_few(claim, name, rows, column):
        return
    number = number_at(claim, position)
    tolerance, about = as_told(claim, position, number, _of_wholes(claim, position, name, number))
    adding += [n for n, text in enumerate(texts) if text == "exactly"]
    adding += [n for n in range(1, len(texts)) if texts[n] == "all" and texts[n - 1] in _OF_ALL and not links]
    adding += [n for n in {*row_counts, *times} if n != position]
    program: Truth = Compare(Aggregate(name, rows, column), "=", Literal(number), tolerance)
    if whole is not None:
        of_all = Literal(float(claim.tokens[whole].number or 0.0))
        program = All((program, Compare(Aggregate(name, AllRows(), column), "=", of_all)))
        adding.append(whole)
    if counts and counts[0] not in {position, *row_counts, *times}:
        program = All((program, are_so_many(claim, rows, counts[0])))
        adding.append(counts[0])
    yield proposed(claim, name, program, links, [column], [word, *adding, *about], [position])


def _of_wholes(claim: GroundedClaim, position: int, name: str, number: float) -> Tolerance:
    """Return how far off a whole number may be: an average is told as one, unless exactly, or of few."""
    is_rounded = name == "average" and abs(number) >= _LEAST_ROUNDED
    return OF_WHOLE if is_rounded and not words_of_exactness(claim.texts, position) else EXACT


_LEAST_ROUNDED = 10.0


def _whole_of(claim: GroundedClaim, numbers: Sequence[int]) -> int | None:
    """Return where the sum of all rows is told of which another is a part: `22 of the 27`; None without."""
    return next((n for n in numbers if n - 3 in numbers and claim.texts[n - 2 : n] == ("of", "the")), None)


def _counts_of_scope(claim: GroundedClaim) -> list[int]:
    """Return where it stands how many rows are added up: three of `the three red vans cost 90 in total`."""
    texts = claim.texts
    opens_a_value = {link.start for link in claim.links if link.number is None}
    return [
        n
        for n, token in enumerate(claim.tokens[1:-1], 1)
        if token.number is not None
        and not token.ordinal
        and 1 < token.number <= len(claim.index.rows)
        and texts[n - 1] in _DETERMINING
        and (n + 1 in opens_a_value or claim.tokens[n + 1].key in claim.index.words_of_rows)
    ]


_DETERMINING = frozenset({"the", "these", "those", "all"})


def _numbers(claim: GroundedClaim) -> Iterator[int]:
    """Yield the positions of the numbers that a claim tells: those of cells, and those of no cell."""
    linked = {link.start for link in claim.links if link.number is not None}
    for position, token in enumerate(claim.tokens):
        is_told = position in claim.numbers or position in linked
        if token.number is not None and not token.ordinal and is_told:
            yield position


def _numbers_of_times(claim: GroundedClaim) -> Iterator[int]:
    """Yield where the number of all rows stands before a noun of time: of `over the six years`."""
    rows = len(claim.index.rows - claim.index.summaries)
    for position, token in enumerate(claim.tokens[:-1]):
        following = claim.tokens[position + 1]
        if token.number == rows and token.text.isalpha() and following.key in TIMES:
            yield position


def _has_too_few(claim: GroundedClaim, name: str, rows: Rows, column: int) -> bool:
    """Return whether too few rows have a number of a column: a sum is of one at least, an average of several.

    The sum of one row is its number; its average nobody would tell.
    """
    summed = rows.run(claim.index).rows & claim.index.series[column].keys()
    return len(summed) < (2 if name == "average" else 1)


def measured_aggregate_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a sum or an average is what is told in a unit, in a bound, or of several rows' names."""
    yield from _measured_aggregate(claim)
    yield from _sums_of_rows(claim)


def _sums_of_rows(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `the hotfixes fixed five bugs`: whether a number told of several rows is their sum."""
    names = claim.names
    words = {*claim.texts}
    if not names or each_word(claim.texts) is not None or claim.negation is not None or "than" in words:
        return
    for head in claim.linked.headers:
        position = head.start - 1
        token = claim.tokens[position]
        partitive = claim.texts[max(0, position - 1)] in {"the", "of", "these"}
        if position < 0 or token.number is None or token.ordinal or partitive:
            continue
        rows = restricted(claim, names)
        bounding = (link for link in claim.links if link.bound and link.start <= position < link.end)
        bounds = next(bounding, None)
        relation = bounds.bound.partition(" ")[0] if bounds is not None else "="
        for column in numeric_columns(claim, [head]):
            summed = rows.run(claim.index).rows & claim.index.series[column].keys()
            is_summed = len(summed) > 1 and not claim.index.tells_rows_apart(column)
            if not is_summed or relation not in operations.RELATIONS:
                continue
            program = Compare(Aggregate("sum", rows, column), relation, Literal(token.number))
            operators = range(bounds.start, bounds.end) if bounds is not None else ()
            bound = binding(claim, names, [column], operators, [position])
            yield Proposal("sum of several rows", program, bound)
            return


def _measured_aggregate(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether rows' sum or average is what is told in a unit, or stays within what is told."""
    texts = claim.texts
    adding = adding_words(texts, range(len(texts)))
    averaging = [n for n in averaging_words(texts, range(len(texts))) if n not in claim.headed]
    name, words = ("average", averaging) if averaging else ("sum", adding)
    if not words:
        return
    words += [n for n, text in enumerate(texts) if text == "exactly"]
    for link in claim.links:
        if len(link.places) != 1:
            continue
        column = min(link.places)
        if claim.index.tells_rows_apart(column):
            continue
        relation, _, bound = link.bound.partition(" ")
        if relation in operations.RELATIONS and bound[:1].isdigit():
            number = float(bound)
        elif link.start in claim.units and not link.bound:
            number = claim.column_numbers.get(link.start, 0.0)
            relation = "="
        else:
            continue
        names = [name_link for name_link in claim.links if name_link is not link]
        counters = [n for n, t in enumerate(claim.tokens) if t.number is not None and t.text.isalpha()]
        counters += [n for n in _counts_of_scope(claim) if n not in counters]
        names = [name_link for name_link in names if name_link.start not in counters]
        rows = restricted(claim, names)
        if name == "average" and _has_too_few(claim, name, rows, column):
            continue
        of_wholes = _of_wholes(claim, link.start, name, number)
        tolerance, about = as_told(claim, link.start, number, of_wholes)
        program: Truth = Compare(Aggregate(name, rows, column), relation, Literal(number), tolerance)
        total_place = [n for n in counters if not link.start <= n < link.end][:1]
        if total_place:
            program = All((program, are_so_many(claim, rows, total_place[0])))
        yield Proposal(
            name, program, binding(claim, [*names, link], [column], [*words, *about, *total_place])
        )
        return

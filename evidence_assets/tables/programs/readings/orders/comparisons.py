"""Comparisons of two rows or groups: more than, ahead of, outlasts, by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Cell, Count
from evidence_assets.tables.programs.grammar.row_programs import AllRows, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare
from evidence_assets.tables.programs.grammar.types import Number, Rows
from evidence_assets.tables.programs.index.derived.spans_of_rows import SpannedTable
from evidence_assets.tables.programs.links.contests.contest_links import is_an_outcome
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, positions_of
from evidence_assets.tables.programs.readings.orders.comparisons_of_columns import comparison_of_columns
from evidence_assets.tables.programs.readings.orders.comparisons_with_others import (
    ALL_OTHERS,
    THE_REST,
    comparison_with_all,
    comparison_with_the_rest,
)
from evidence_assets.tables.programs.readings.orders.extrema import extreme_rows
from evidence_assets.tables.programs.readings.parts.compared_rows import (
    AHEAD,
    COMPARATIVE_WITHIN,
    IN_TIME,
    OUT,
    order_of,
    sign_of,
    single_rows,
    unanchored_headers,
)
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.extreme_columns import (
    kind_by_column,
    named_or_only_columns,
)
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    binding,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.parts.told_differences import (
    AT_A_TIME,
    by_how_much,
    claimed_number,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    OPENING_RIVALS,
    comparative,
    exceeding,
    opens_a_rival,
)
from evidence_assets.tables.programs.wording.words import ARTICLES
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words

# `More bats live in A than in any other cave`.
_BEFORE_OTHERS = frozenset({"in", "at", "on", "for", "to", "from", "by"})
_OF_COUNTS = frozenset({"more", "fewer", "less", "often"})


def comparison_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield, for each `than` of the claim, whether the comparison holds."""
    for than in range(len(claim.texts)) if claim.says_any(OPENING_RIVALS) else ():
        if not opens_a_rival(claim.texts, than) or claim.in_condition(than):
            continue
        if any(bound.start <= than < bound.end for bound in claim.bounds):
            continue
        before = range(than - 1, max(-1, than - COMPARATIVE_WITHIN), -1)
        word = next((n for n in before if comparative(claim.texts[n])), None)
        if word is not None:
            yield from _than(claim, word, than)
    yield from _exceeding(claim)
    for word, text in enumerate(claim.texts):
        if text == "behind" or (text in AHEAD and claim.texts[word + 1 : word + 2] == ("of",)):
            yield from _than(claim, word, word + (text in AHEAD))
        if text in IN_TIME and _orders_columns_of_clocks(claim, word):
            yield from _than(claim, word, word)


def _orders_columns_of_clocks(claim: GroundedClaim, word: int) -> bool:
    """Return whether a word of time stands between the headers of two columns of times of day."""
    clocks = {*claim.index.clocks}
    heads = [head for head in claim.linked.headers if head.columns <= clocks]
    return any(head.end <= word for head in heads) and any(head.start > word for head in heads)


def _exceeding(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A outlasts B`, `A out-produced B by 8`: A's number is above B's."""
    bounded = positions_of(claim.bounds)
    for word, text in enumerate(claim.texts):
        verb = word + 2 if claim.texts[word : word + 2] == OUT else word
        if (verb > word or exceeding(text)) and word not in bounded and not claim.in_condition(word):
            yield from _than(claim, word, verb)


def contrast_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A, not B, has the higher C`, `A rather than B`: A's number is above B's."""
    texts = claim.texts
    place = next(
        (
            n
            for n, text in enumerate(texts)
            if (text == "not" and n and texts[n - 1] in {",", "and"})
            or (text == "rather" and texts[n + 1 : n + 2] == ("than",))
        ),
        None,
    )
    word = next((n for n, text in enumerate(texts) if n != place and comparative(text)), None)
    extreme = next(iter(claim.superlatives), None)
    if word is not None:
        trigger, sign = word, comparative(texts[word])
    elif extreme is not None:
        trigger, sign = extreme.end - 1, 1 if extreme.highest else -1
    else:
        return
    if place is None:
        return
    before = [link for link in claim.links if link.end <= place and not link.bound]
    after = [link for link in claim.links if link.start > place and not link.bound]
    for column, is_named in named_or_only_columns(claim, unanchored_headers(claim), trigger):
        first, second = single_rows(claim, before, column), single_rows(claim, after, column)
        if first is None or second is None:
            continue
        program = Compare(Cell(first[0], column), ">" if sign > 0 else "<", Cell(second[0], column))
        if program.run(claim.index).truth is None:
            continue
        if word is None:
            end = Aggregate("highest" if sign > 0 else "lowest", AllRows(), column)
            program = Compare(Cell(first[0], column), "=", end)
        than = [place + 1] if texts[place] == "rather" else []
        bound = binding(claim, [*first[1], *second[1]], [column], [place, trigger, *than])
        yield Proposal(kind_by_column("contrast", is_named=is_named), program, bound)
        return


def _than(claim: GroundedClaim, word: int, than: int) -> Iterator[Proposal]:
    sign = order_of(claim.texts[word])
    bounded = positions_of(claim.bounds) | positions_of(link for link in claim.links if link.bound)
    amount = claimed_number(claim, word)
    rows_told = [
        link
        for link in claim.links
        if link.start != amount
        and (not link.bound or link.bound.startswith(AT_A_TIME) or is_an_outcome(claim.index, link))
    ]
    before = [link for link in rows_told if link.end <= than]
    thans = [
        n for n in range(than + 1, len(claim.texts)) if opens_a_rival(claim.texts, n) and n not in bounded
    ]
    end = next(iter(thans), len(claim.texts))
    after = [link for link in rows_told if than < link.start < end]
    label = claim.index.table.label_column
    before, after = (
        _in_a_common_column(before, after, label),
        _in_a_common_column(after, before, label),
    )
    # Of `the kale plot` the noun says what rows are.
    heads = [head for head in unanchored_headers(claim) if head.columns != {label}]
    between = [head for head in heads if word < head.start < than]
    earlier = [head for head in heads if head.end <= word]
    later = [head for head in heads if head.start > than]
    # `A smaller share than` is of a share, whatever else may be small.
    measured = [head for head in heads if head.start == word and word + 1 not in claim.linked.unknown]
    subject = _subject(claim, earlier) if claim.texts[word] in _OF_ANY_MEASURE else []
    ordered_heads = [*between, *subject, *measured, *reversed(earlier), *later]
    if isinstance(claim.index.table, SpannedTable):
        # `Took longer to build`: of how long it took, whenever that was.
        ordered_heads.sort(key=lambda head: head not in measured)
    rest = next((n for n in range(than + 1, len(claim.texts)) if claim.texts[n] in THE_REST), None)
    if rest is not None and adding_words(claim.texts, range(than, len(claim.texts))):
        yield from comparison_with_the_rest(claim, (word, than, rest), ordered_heads, before)
        return
    others = than + 1 + ("".join(claim.texts[than + 1 : than + 2]) in _BEFORE_OTHERS)
    if claim.texts[others : others + 1] and claim.texts[others] in ALL_OTHERS:
        yield from comparison_with_all(claim, (word, than, others), ordered_heads, before)
        return
    compared = [*earlier, *between]
    # `Cost more than planned in 2023` compares with no column that is said behind.
    if compared and later and than + 1 not in claim.linked.unknown:
        of_rows: list[Link] | None = None
        if not after:
            of_rows = [link for link in before if link.number is None or link in claim.names_of_rows]
        elif not before and not between and later[0].end <= after[0].start:
            # `Costs exceeded revenue in 2020`, `were higher than`: the row is named behind both.
            of_rows = after
        if of_rows is not None:
            yield from comparison_of_columns(claim, (word, than), compared[-1], later[0], of_rows)
            return
    extreme = next((superlative for superlative in claim.superlatives if superlative.start > than), None)
    rival_rows = extreme_rows(claim, extreme) if extreme is not None else None
    if before and (after or rival_rows is not None):
        yield from _rows(claim, (word, than), ordered_heads, before, after, rival_rows)
    if before and after and claim.texts[word] in _OF_COUNTS:
        yield from _counted(claim, (word, than), sign, before, after)


def _subject(claim: GroundedClaim, heads: Sequence[HeaderLink]) -> list[HeaderLink]:
    """Return the header of numbers that a claim is about: `the toll of A is higher`, whatever else is."""
    index = claim.index
    return [
        head
        for head in heads[:1]
        if _BEFORE_SUBJECTS.issuperset(claim.texts[: head.start])
        and all(index.is_numeric(column) for column in head.columns)
        and head.columns.isdisjoint({index.table.label_column, *index.dates_and_years, *index.clocks})
    ]


# Comparatives of whatever is told in numbers, and what may stand before what these are of.
_OF_ANY_MEASURE = frozenset({"higher", "lower", "greater", "larger", "bigger", "smaller", "less", "more"})
_BEFORE_SUBJECTS = ARTICLES | {"in", "number", "of", "for"}


def _in_a_common_column(links: Sequence[Link], rivals: Sequence[Link], label: int | None) -> list[Link]:
    """Return links, names that texts of other columns hold too in those that rivals of one column are in."""
    of_rivals = [rival.places.keys() for rival in rivals if rival.number is None and not rival.bound]
    kept = []
    for link in links:
        shared = next((keys & link.places.keys() for keys in of_rivals if keys & link.places.keys()), set())
        shared = shared if label is None or label not in shared else {label}
        single = len(shared) == 1 and len(link.places[min(shared)]) == 1 < len(link.rows)
        kept.append(link.within(shared) if single and link.number is None and not link.bound else link)
    return kept


def _rows(
    claim: GroundedClaim,
    words: tuple[int, int],
    heads: Sequence[HeaderLink],
    before: list[Link],
    after: list[Link],
    rival_rows: Rows | None,
) -> Iterator[Proposal]:
    """Yield the comparison of two rows' numbers in the first column that both have one in."""
    word, than = words
    said = {column for head in heads if head.start == word + 1 for column in head.columns}
    years = _year_of_each_side(claim, than)
    for column, is_named in named_or_only_columns(claim, heads, word):
        first = _side(claim, before, after, column, range(than))
        second = (
            (Cell(rival_rows, column), [], [])
            if rival_rows is not None
            else _side(claim, after, before, column, range(than, len(claim.texts)))
        )
        if years is not None and first is not None and second is not None:
            yield from _in_two_years(claim, words, years, (first, second))
            return
        if first is None or second is None or first[0] == second[0]:
            if column in said:
                # `Less damage than`: of no other column where a row lacks it.
                return
            continue
        (left, left_links, left_words), (right, right_links, right_words) = first, second
        sign = sign_of(claim, word, column)
        extreme = next((item for item in claim.superlatives if item.start > words[1]), None)
        of_extreme = range(extreme.start, extreme.end) if rival_rows is not None and extreme else ()
        operators = [*words, *of_extreme, *left_words, *right_words]
        named_links = [*left_links, *right_links]
        kind, program, number = by_how_much(claim, word, sign, left, right)
        if program.run(claim.index).truth is None:
            continue
        kind = kind_by_column(kind, is_named=is_named)
        columns, both = [column], _both_years(claim, column)
        if both is not None and isinstance(left, Cell) and isinstance(right, Cell) and not number:
            relation = ">" if sign > 0 else "<"
            sides = [(replace(left, column=year), replace(right, column=year)) for year in both.columns]
            program = All(tuple(Compare(first, relation, second) for first, second in sides))
            columns, operators = [*both.columns], [*operators, both.word]
        yield proposed(claim, kind, program, named_links, columns, operators, number)
        return


_Side = tuple[Number, list[Link], list[int]]


def _year_of_each_side(claim: GroundedClaim, than: int) -> tuple[int, int] | None:
    """Return the columns of `in May 2024 than in May 2023`, a year on each side; None of other claims."""
    heads = [head for head in claim.linked.headers if head.columns <= claim.index.year_columns.keys()]
    before = [head.columns for head in heads if head.end <= than]
    behind = [head.columns for head in heads if head.start > than]
    if len(before) != 1 or len(behind) != 1 or before == behind:
        return None
    (left, *of_left), (right, *of_right) = sorted(before[0]), sorted(behind[0])
    return None if of_left or of_right else (left, right)


def _in_two_years(
    claim: GroundedClaim, words: tuple[int, int], years: tuple[int, int], sides: tuple[_Side, _Side]
) -> Iterator[Proposal]:
    """Yield the comparison of two rows, or one, each in the column of the year that is told with it."""
    (left, left_links, left_words), (right, right_links, right_words) = sides
    factor = claim.index.factor(*years)
    if not isinstance(left, Cell) or not isinstance(right, Cell) or factor is None:
        return
    first, second = replace(left, column=years[0]), replace(right, column=years[1], factor=factor)
    sign = sign_of(claim, words[0], years[0])
    kind, program, number = by_how_much(claim, words[0], sign, first, second)
    operators = [*words, *left_words, *right_words]
    yield proposed(claim, kind, program, [*left_links, *right_links], [*years], operators, number)


class _Both(NamedTuple):
    """The columns of two years in which a claim says the same, and where it says `both`."""

    columns: tuple[int, ...]
    word: int


def _both_years(claim: GroundedClaim, column: int) -> _Both | None:
    """Return the columns of `in both 2020 and 2021`; None where a claim speaks of one of them alone."""
    word = claim.position({"both"})
    heads = [head for head in claim.linked.headers if word is not None and head.start > word]
    columns = tuple(c for head in heads for c in head.columns if c in claim.index.year_columns)
    years = {claim.index.year_columns[c] for c in columns}
    is_two = column in columns and len(columns) == len(years) == 2
    return _Both(columns, word) if is_two and word is not None else None


def _side(
    claim: GroundedClaim, links: list[Link], others: list[Link], column: int, span: range
) -> _Side | None:
    """Return the number of one side of a comparison, its links, and the words that say that it is a sum.

    `others`: the links of the other side, which may tell of which row both are: in a table of cities and
    years, `in 2020, Osen had more trams than Vik`.
    """
    adding = adding_words(claim.texts, span)
    parts = [link for link in links if link.number is None and column not in link.places]
    several = len(parts) > 1 and not common_rows(tuple(parts))
    if adding and (several or (len(parts) == 1 and len(parts[0].rows) > 1)):
        return Aggregate("sum", restricted(claim, parts), column), parts, adding
    rows = single_rows(claim, links, column) or _row_within(claim, links, others, column)
    return None if rows is None else (Cell(rows[0], column), rows[1], [])


def _row_within(
    claim: GroundedClaim, links: list[Link], others: list[Link], column: int
) -> tuple[Rows, list[Link]] | None:
    """Return the only row that a side's links tell with the other's of other columns, unless it is theirs."""
    columns = {column} | {place for link in links for place in link.places}
    shared = [link for link in others if columns.isdisjoint(link.places)]
    rows = common_rows((*links, *shared))
    if not links or not shared or len(rows) != 1 or rows <= common_rows(tuple(others)):
        return None
    return meet([where(claim, link) for link in (*links, *shared)]), [*links, *shared]


def _counted(
    claim: GroundedClaim, words: tuple[int, int], sign: int, before: list[Link], after: list[Link]
) -> Iterator[Proposal]:
    """Yield the comparison of the numbers of rows that have two values of a column."""
    pairs = [
        (first, second, column)
        for first in before
        for second in after
        for column in sorted(first.places.keys() & second.places.keys())
        if len(first.places[column]) > 1 or len(second.places[column]) > 1
    ]
    if not pairs:
        return
    first, second, column = pairs[0]
    unpaired = [link for link in before if link is not first]
    shared = unpaired if unpaired and common_rows((*unpaired, first)) else []
    scope = [where(claim, link) for link in shared]
    left = Count(meet([where(claim, first.within([column])), *scope]))
    right = Count(meet([where(claim, second.within([column])), *scope]))
    _, program, number = by_how_much(claim, words[0], sign, left, right)
    yield proposed(claim, "count comparison", program, [first, second, *shared], (), words, number)

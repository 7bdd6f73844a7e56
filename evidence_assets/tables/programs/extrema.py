"""Claims about the highest, lowest, first, last or k-th."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.grammar import Rows, Truth
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import HeaderLink, Link
from evidence_assets.tables.programs.measures import is_of_any
from evidence_assets.tables.programs.number_programs import Arithmetic, Count, Literal, OrderedNumber
from evidence_assets.tables.programs.proposal import (
    Proposal,
    numeric_columns,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.quantities import converted
from evidence_assets.tables.programs.row_programs import AllRows, Extreme, Meet
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.trigger_lexicon import (
    INVERTED,
    RANKED_COLUMNS,
    RANKING,
    Superlative,
    positive,
    row_nouns,
)
from evidence_assets.tables.programs.truth_programs import All, Compare, Not, Some
from evidence_assets.tables.programs.words import AUXILIARIES, word_key
from evidence_assets.text.words import word_set

_SCOPE_PREPOSITIONS = word_set("in from for of among by during at on with under within against")
# Headers of times, where the lowest is the best.
_TIMED_COLUMNS = frozenset({"time", "grid", "pick"})
_OF_AGE = frozenset({"oldest", "youngest"})
_ORDERED_COLUMNS = word_set("date year season week game round episod no")
_GAP_MOST = 6
# At most this many columns are tried for an extreme where the claim names none.
_MOST_UNNAMED = 6


def superlative_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield, for each superlative of the claim, whether its row or number is the claimed one; and for two."""
    extremes = [
        superlative for superlative in claim.superlatives if "than" not in claim.texts[: superlative.start]
    ]
    proposed = []
    for extreme in extremes:
        column = target_column(claim, extreme)
        is_named = column is not None
        totals = extreme.word in _OF_NUMBERS and _column_of_totals(claim.index) is not None
        if column is None and not totals and _is_of_something_else(claim, extreme.end):
            continue
        if column is None and not extreme.temporal:
            column, is_named = next(named_or_only_columns(claim, [], extreme.end - 1), (None, False))
        if column is None:
            yield from _in_some_column(claim, extreme)
            continue
        program = _extreme(claim, extreme, column, "" if is_named else " in the only column")
        if program is not None:
            proposed.append(program)
    yield from proposed
    yield from _extremes_at_once(claim, extremes)
    for left, right in combinations(proposed, 2):
        both = {n: (Role.OPERATOR, text) for n, text in enumerate(claim.texts) if text == "both"}
        bound = {**left.bound, **right.bound, **both}
        yield Proposal("superlatives", All((left.program, right.program)), bound)


def _extremes_at_once(claim: GroundedClaim, extremes: list[Superlative]) -> Iterator[Proposal]:
    """Yield `the newest is also the shortest`, `the youngest came last`: one row is both."""
    if claim.links or claim.numbers:
        return
    chosen: list[tuple[Extreme, Sequence[int]]] = []
    for extreme in extremes:
        target = target_column(claim, extreme)
        measured = next(named_or_only_columns(claim, [], extreme.end - 1), (None, False))[0]
        column = measured if target is None else target
        if column is not None:
            rows = Extreme(AllRows(), column, extreme.place, is_highest(claim, extreme, column))
            chosen.append((rows, range(extreme.start, extreme.end)))
    standing, ranked = _standing(claim), ranked_columns(claim.index)
    if standing is not None and ranked:
        words, place, is_last = standing
        chosen.append((Extreme(AllRows(), ranked[0], place, is_last), words))
    if len(chosen) == 2 and chosen[0][0].column != chosen[1][0].column:
        columns, operators = [rows.column for rows, _ in chosen], [n for _, words in chosen for n in words]
        program = Some(Meet(tuple(rows for rows, _ in chosen)))
        yield proposed(claim, "extremes at once", program, (), columns, operators)


def _is_of_something_else(claim: GroundedClaim, position: int) -> bool:
    """Return whether what a superlative is of stands behind it and nothing of the table tells it.

    `The strongest scent`, `the most beautiful`.
    """
    if position >= len(claim.tokens) or position in claim.linked_positions:
        return False
    if claim.index.columns_measured_by(positive(claim.texts[position - 1])):
        return False
    token = claim.tokens[position]
    of_rows = token.key in claim.index.caption or token.key in row_nouns()
    return not (token.stop or token.mark or of_rows or token.number is not None or token.key in AUXILIARIES)


def _in_some_column(claim: GroundedClaim, extreme: Superlative) -> Iterator[Proposal]:
    """Yield whether a row has the extreme of a column that the claim does not name, for each it may be of."""
    index = claim.index
    if lacks_measure(claim, extreme.end - 1):
        return
    columns = [c for c in index.numeric(range(index.table.columns)) if c != index.table.label_column]
    for column in columns[:_MOST_UNNAMED]:
        program = _extreme(claim, extreme, column, " in some column")
        if program is not None:
            yield program


def ranked_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A ranks third by C`, `by C, A comes third`: A's number is the third highest."""
    texts = claim.texts
    ranks = [n for n, token in enumerate(claim.tokens) if token.key in RANKING]
    place = next((n for n, token in enumerate(claim.tokens) if token.ordinal and token.text.isalpha()), None)
    if not ranks or place is None or claim.superlatives:
        return
    by = claim.position({"by"})
    heads = [head for head in claim.linked.headers if by is None or head.start > by]
    number = int(claim.tokens[place].number or 0)
    for column in dict.fromkeys(numeric_columns(claim, heads)):
        names = [link for link in claim.links if not link.start <= place < link.end and len(link.rows) == 1]
        after = [n for n in range(place, len(texts)) if texts[n] == "after"]
        subjects = [link for link in names if not after or link.start < after[0]]
        followers = [link for link in names if after and link.start > after[0]]
        if not subjects or column in subjects[0].places:
            continue
        rows = where(claim, subjects[0])
        parts: list[Truth] = [Some(Meet((Extreme(AllRows(), column, number, True), rows)))]
        parts += [
            Some(Meet((Extreme(AllRows(), column, number - 1, True), where(claim, link))))
            for link in followers[:1]
        ]
        operators = [place, *ranks, *([by] if by is not None else []), *after]
        program: Truth = parts[0] if len(parts) == 1 else All(tuple(parts))
        yield proposed(claim, "ordinal", program, [*subjects[:1], *followers[:1]], [column], operators)
        return


def standing_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A won`, `A were runners-up`, `A came last`: A's place in a column of ranks."""
    columns = ranked_columns(claim.index)
    standing = _standing(claim)
    subject = next((link for link in claim.links if len(link.rows) == 1 and not link.bound), None)
    if not columns or standing is None or subject is None or columns[0] in subject.places:
        return
    words, place, is_last = standing
    chosen = Extreme(AllRows(), columns[0], place, is_last)
    program = Some(Meet((chosen, where(claim, subject))))
    yield proposed(claim, "standing", program, [subject], columns[:1], words)


def ranked_columns(index: TableIndex) -> list[int]:
    """Return the columns of ranks, by their headers."""
    return index.numeric(column for column, keys in enumerate(index.headers) if set(keys) & RANKED_COLUMNS)


def _standing(claim: GroundedClaim) -> tuple[list[int], int, bool] | None:
    """Return the words that tell a place, the place, and whether it is counted from the last."""
    for position, token in enumerate(claim.tokens):
        before = claim.tokens[position - 1].key if position else ""
        following = claim.texts[position + 1 : position + 3]
        if token.key in _FIRST_OF_ALL and (following[:1] in {("the",), (".",), ()}):
            return [position], 1, False
        if token.text in {"runner", "runners"} and following == ("-", "up"):
            return [position, position + 2], 2, False
        if token.text in {"first", "top", "last", "bottom"} and before in {*RANKING, "end", "be"}:
            return [position - 1, position], 1, token.text in {"last", "bottom"}
    return None


_FIRST_OF_ALL = frozenset(map(word_key, ("win", "champion", "topped")))


def named_or_only_columns(
    claim: GroundedClaim, heads: Iterable[HeaderLink], word: int
) -> Iterator[tuple[int, bool]]:
    """Yield the numeric columns of headers, or of what an adjective measures, as named; else the only one.

    `word`: the position of the comparative or superlative.
    """
    columns = list(numeric_columns(claim, heads))
    measured = claim.index.columns_measured_by(positive(claim.texts[word]))
    if lacks_measure(claim, word):
        return
    columns = columns or claim.index.numeric(measured)
    if not columns and claim.texts[word] in {"ahead", "behind"}:
        columns = ranked_columns(claim.index)
    years = {year for year in claim.index.year_columns.values() if year in {t.number for t in claim.tokens}}
    columns = [c for c in columns if not years or claim.index.year_columns.get(c, min(years)) in years]
    of_year = column_of_year(claim)
    columns = columns or ([] if of_year is None else [of_year])
    yield from ((column, True) for column in columns)
    counted = claim.texts[word] in _OF_NUMBERS
    only = None if columns else only_numeric_column(claim)
    only = _column_of_totals(claim.index) if only is None and counted and not columns else only
    if only is not None:
        yield only, False


# Comparatives and superlatives of how many there are.
_OF_NUMBERS = frozenset({"more", "fewer", "less", "most", "fewest", "least"})


def _column_of_totals(index: TableIndex) -> int | None:
    """Return the only column that is headed `total` and nothing more: how many there are in all."""
    columns = [c for c in index.numeric(range(index.table.columns)) if index.headers[c] == (_TOTAL,)]
    return columns[0] if len(columns) == 1 else None


_TOTAL = word_key("total")


def column_of_year(claim: GroundedClaim) -> int | None:
    """Return the column of the only year that a claim says, of a table with one column a year; else None."""
    year_columns = claim.index.year_columns
    numbers = {token.number for token in claim.tokens}
    columns = [column for column, year in year_columns.items() if year in numbers]
    return columns[0] if len(columns) == 1 and len(year_columns) > 1 else None


def lacks_measure(claim: GroundedClaim, word: int) -> bool:
    """Return whether an adjective measures a dimension that no column tells."""
    adjective, index = positive(claim.texts[word]), claim.index
    aged = adjective in _OF_AGE_STEMS and bool(index.dated or index.years)
    is_measured = index.columns_measured_by(adjective) or index.caption_measures(adjective)
    return not (is_of_any(adjective) or aged or is_measured)


_OF_AGE_STEMS = frozenset({"old", "young", "new", "recent", "modern"})


def only_numeric_column(claim: GroundedClaim) -> int | None:
    """Return the table's only column of numbers that are no dates, years or ranks; None where several are."""
    index = claim.index
    columns = [
        column
        for column in index.numeric(range(index.table.columns))
        if column != index.table.label_column
        and column not in index.dated
        and column not in index.years
        and not set(index.headers[column]) & (RANKED_COLUMNS | _ORDERED_COLUMNS)
    ]
    return columns[0] if len(columns) == 1 else None


def target_column(claim: GroundedClaim, extreme: Superlative) -> int | None:
    """Return the column whose extreme is asked for: the next header after the word, else the one before."""
    index = claim.index
    heads = [
        head
        for head in claim.linked.headers
        if not (_names_a_row(claim, head) or claim.in_condition(head.start))
    ]
    behind = [head for head in heads if head.start >= extreme.end]
    before = [head for head in heads if head.end <= extreme.start]
    if extreme.temporal and extreme.word in {"first", "last", "earliest", "latest", "recent", "final"}:
        dated = index.dated or [
            column for column in range(index.table.columns) if set(index.headers[column]) & _ORDERED_COLUMNS
        ]
        dated_behind = [c for head in behind[:1] for c in sorted(head.columns) if c in dated]
        columns = dated_behind or dated
        return columns[0] if columns else None
    named_column = _column_of_the_caption(claim, extreme)
    if named_column is None:
        named_column = _phrase_column(claim, behind, extreme.end)
    of_time = {*index.dated, *index.years, *index.header_postings.get("age", ())}
    if named_column is not None and (not extreme.temporal or named_column in of_time):
        return named_column
    beside = bool(behind) and behind[0].start - extreme.end <= 1
    for head in [] if beside else reversed(before):
        numeric = index.numeric(head.columns)
        if numeric and extreme.start - head.end <= _GAP_MOST:
            return numeric[0]
    if extreme.word in _OF_AGE and "age" in index.header_postings:
        return min(index.header_postings["age"])
    if extreme.temporal or extreme.word in _OF_AGE:
        dated = sorted({*index.dated, *index.years})
        began = [column for column in dated if not set(index.headers[column]) & _ORDERED_COLUMNS]
        return began[0] if len(began) == 1 else None
    return None


def _column_of_the_caption(claim: GroundedClaim, extreme: Superlative) -> int | None:
    """Return the year's column of `in 2020 line 20 had the most passengers`, of which the caption speaks."""
    following = claim.tokens[extreme.end].key if extreme.end < len(claim.tokens) else ""
    of_caption = following in claim.index.caption and not claim.linked.in_header(extreme.end)
    return column_of_year(claim) if of_caption else None


def _names_a_row(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a header is of what names rows: the label column's, or a number's, as `invoice 1043`."""
    label = claim.index.table.label_column
    numbered = any(link.start == head.end and link.number is not None for link in claim.links)
    return numbered or head.columns == frozenset({label})


def _phrase_column(claim: GroundedClaim, behind: list[HeaderLink], start: int) -> int | None:
    """Return the numeric column named last in the first run of headers after a superlative."""
    index = claim.index
    run: list[HeaderLink] = []
    for head in behind:
        if head.start - (run[-1].end if run else start) > (0 if run else _GAP_MOST):
            if any(index.is_numeric(c) for member in run for c in member.columns) or not run:
                break
            run = []
            if head.start - start > _GAP_MOST:
                break
        run.append(head)
    for head in reversed(run):
        numeric = index.numeric(head.columns)
        if numeric:
            return numeric[0]
    return None


def is_highest(claim: GroundedClaim, extreme: Superlative, column: int) -> bool:
    """Return whether the largest number is meant.

    The smallest is of ranks, of times for the fastest, and of dates for the oldest, which began first.
    """
    index = claim.index
    turned = is_turned(index, extreme.word, column)
    aged = extreme.word in _OF_AGE and (column in index.dated or column in index.years)
    return extreme.highest != (turned or aged)


def is_turned(index: TableIndex, word: str, column: int) -> bool:
    """Return whether what a superlative or comparative calls high is low in a column: of ranks, of times."""
    header = set(index.headers[column])
    inverted = word in INVERTED or positive(word) in {positive(superlative) for superlative in INVERTED}
    timed = (
        bool(header & _TIMED_COLUMNS)
        or column in index.durations
        or any(converted(1.0, unit, "second") is not None for unit in index.told_units[column])
    )
    graded = column in index.best_first and positive(word) in _OF_QUALITY
    return graded or bool(header & RANKED_COLUMNS) or (inverted and timed)


_OF_QUALITY = frozenset(map(word_key, ("good", "bad", "top")))


def _extreme(claim: GroundedClaim, extreme: Superlative, column: int, column_note: str) -> Proposal | None:
    index = claim.index
    margin = _margin(claim, extreme, column)
    claim = claim if margin is None else replace(claim, links=margin.links, numbers=margin.numbers)
    scope, answers = split_scope(claim, extreme, column)
    rows = restricted(claim, scope)
    highest = is_highest(claim, extreme, column)
    number = OrderedNumber(rows, column, extreme.place, highest)
    value = number.run(index).number
    if value is None or (not answers and not claim.numbers):
        return None
    chosen = Extreme(rows, column, extreme.place, highest)
    parts: list[Truth] = []
    denial, but = _denied_then_told(claim)
    for link in answers:
        within = link.within([column]) if column in link.places and link.number is not None else link
        part = Some(Meet((chosen, where(claim, within))))
        parts.append(Not(part) if denial < link.start < but else part)
    for position in claim.numbers:
        claimed = float(claim.tokens[position].number or 0)
        parts.append(Compare(number, "=", Literal(_at_scale_of(value, claimed))))
    if margin is not None:
        second = OrderedNumber(rows, column, extreme.place + 1, highest)
        lead = Arithmetic("|-|", number, second)
        parts.append(Compare(lead, margin.relation, Literal(margin.number)))
    tied = _tied(claim) if answers else []
    if tied:
        parts.append(Compare(Count(chosen), ">", Literal(1.0)))
    program: Truth = parts[0] if len(parts) == 1 else All(tuple(parts))
    texts = claim.texts
    among = [n for n, text in enumerate(texts) if text == "all" and n and texts[n - 1] in {"of", "among"}]
    operators = [*range(extreme.start, extreme.end), *(among if not scope else ())]
    operators += [denial, but] if but else []
    operators += [*tied, *(margin.words if margin is not None else ())]
    kind = (
        "superlative by a margin"
        if margin is not None
        else "ordinal"
        if extreme.place > 1
        else "temporal"
        if extreme.temporal
        else "superlative"
    )
    return proposed(
        claim, f"{kind}{column_note}", program, [*scope, *answers], [column], operators, claim.numbers
    )


def _denied_then_told(claim: GroundedClaim) -> tuple[int, int]:
    """Return where `not` and `but` of `is not A but B` stand; zeros without them."""
    denial = claim.negation or 0
    but = next((n for n in range(denial + 1, len(claim.texts)) if claim.texts[n] == "but"), 0)
    sides = [link.start > but for link in claim.links if link.start > denial]
    return (denial, but) if denial and but and len(set(sides)) > 1 else (0, 0)


def _tied(claim: GroundedClaim) -> list[int]:
    """Return the words that say that a row shares an extreme with others: `tied for the most goals`."""
    return [n for n, text in enumerate(claim.texts) if text in _TIED and n not in claim.linked_positions]


_TIED = word_set("tie tied ties joint jointly")


@dataclass(frozen=True, slots=True)
class _Margin:
    """By how much a row is ahead of the next: the relation, the number, its words, and what is left."""

    relation: str
    number: float
    words: tuple[int, ...]
    links: tuple[Link, ...]
    numbers: tuple[int, ...]


def _margin(claim: GroundedClaim, extreme: Superlative, column: int) -> _Margin | None:
    """Return the margin of `the largest by more than ten hectares`; None where the claim tells none."""
    texts = claim.texts
    for position in range(extreme.end, len(texts) - 1):
        if texts[position] != "by" or claim.linked.in_header(position + 1):
            continue
        opened = [link for link in claim.links if link.start == position + 1]
        of_column = next((link for link in opened if column in link.places), None)
        remaining = tuple(link for link in claim.links if link not in opened)
        if of_column is not None and of_column.bound:
            relation, _, bound = of_column.bound.partition(" ")
            words = tuple(range(position, of_column.end)) + claim.units.get(of_column.start, ((), ""))[0]
            if relation in operations.RELATIONS and bound.replace(".", "").isdigit():
                return _Margin(relation, float(bound), words, remaining, claim.numbers)
        number = claim.column_numbers.get(position + 1) or claim.tokens[position + 1].number
        if (
            number is not None
            and not claim.tokens[position + 1].ordinal
            and position + 1 not in claim.refused
        ):
            units = claim.units.get(position + 1, ((), ""))[0]
            numbers = tuple(n for n in claim.numbers if n != position + 1)
            return _Margin("=", number, (position, position + 1, *units), remaining, numbers)
    return None


def _at_scale_of(value: float, claimed: float) -> float:
    """Return a claimed number in thousands or millions, or fractions of them, where that equals the value."""
    scales = (1.0, 1e3, 1e-3, 1e6, 1e-6)
    return value if any(operations.close(value * scale, claimed) for scale in scales) else claimed


def extreme_rows(claim: GroundedClaim, extreme: Superlative) -> Rows | None:
    """Return the only row of the table that has the extreme; None where there is none, or several."""
    column = target_column(claim, extreme)
    if column is None:
        return None
    rows = Extreme(AllRows(), column, extreme.place, is_highest(claim, extreme, column))
    return rows if len(rows.run(claim.index).rows) == 1 else None


def split_scope(claim: GroundedClaim, extreme: Superlative, column: int) -> tuple[list[Link], list[Link]]:
    """Return the links that restrict the rows of the extreme, and the links that say what it is."""
    copula = next(
        (position for position in range(extreme.end, len(claim.tokens)) if claim.texts[position] in _COPULAS),
        len(claim.tokens),
    )
    valued = [
        link
        for link in claim.links
        if column in link.places and link.number is not None and not link.bound and link.start >= copula
    ]
    if not valued and claim.numbers and claim.numbers[-1] > copula:
        return list(claim.links), []
    if valued:
        unvalued = [link for link in claim.links if link not in valued]
        single = [link for link in unvalued if link.start > copula]
        return [link for link in unvalued if link not in single], [*valued, *single]
    scope: list[Link] = []
    answers: list[Link] = []
    for link in claim.links:
        several = len(link.rows) > 1
        previous = claim.texts[link.start - 1] if link.start else ""
        if previous in {"the", "a", "an"} and link.start > 1:
            previous = claim.texts[link.start - 2]
        inside = extreme.end <= link.start < copula and previous in _SCOPE_PREPOSITIONS
        opening = link.start <= 2 and previous in {"in", "for", "of", "on", "during"}
        # The extreme of a single row is no choice: behind the verb it is what is said of it.
        told = link.bound and (several or link.start < copula or not link.rows)
        answered = inside and any(other.start > copula for other in claim.links)
        if told or answered or (several and (inside or opening)):
            scope.append(link)
        else:
            answers.append(link)
    if not answers and scope and not claim.numbers and scope[-1].start >= extreme.end:
        # `The last patch came out in July`: what is told of it may be a span of time.
        return scope[:-1], scope[-1:]
    return scope, answers


_COPULAS = frozenset({"be", "is", "was", "were", "are"})

"""Comparisons of two rows, columns or groups: more than, as many as, the same, by how much."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.candidate import Candidate, candidate, cells_of, condition
from evidence_assets.tables.programs.cooccurrence import common_rows, enumerations
from evidence_assets.tables.programs.extrema import extreme_row
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.trigger_lexicon import comparative, is_negated
from evidence_assets.tables.programs.words import word_set


def comparison_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield, for each `than` of the claim, whether the comparison holds."""
    for than, text in enumerate(claim.texts):
        bounded = any(link.bound and link.start <= than < link.end for link in claim.links)
        if (
            text not in {"than", "then"}
            or bounded
            or any(bound.start <= than < bound.end for bound in claim.bounds)
        ):
            continue
        yield from _than(claim, than)


def _than(claim: GroundedClaim, than: int) -> Iterator[Candidate]:
    word = next(
        (
            position
            for position in range(than - 1, max(-1, than - 8), -1)
            if comparative(claim.texts[position])
        ),
        None,
    )
    if word is None:
        return
    sign = comparative(claim.texts[word])
    before = [link for link in claim.links if link.end <= than and not link.bound]
    after = [link for link in claim.links if link.start > than and not link.bound]
    anchoring = {(head.start, head.end) for position, head in claim.anchors.items() if head.end <= position}
    heads = [head for head in claim.linked.headers if (head.start, head.end) not in anchoring]
    between = [head for head in heads if word < head.start < than]
    earlier = [head for head in heads if head.end <= word]
    later = [head for head in heads if head.start > than]
    if not after and earlier and later:
        yield from _columns(claim, sign, earlier[-1].columns, later[0].columns, before, than)
        return
    extreme = next((one for one in claim.superlatives if one.start > than), None)
    row = extreme_row(claim, extreme) if extreme is not None else None
    if not before or (not after and row is None):
        return
    index = claim.index
    difference = _difference(claim, word)
    for head in [*between, *reversed(earlier), *later]:
        for column in sorted(head.columns):
            if not index.is_numeric(column):
                continue
            one = _single(claim, before, column)
            two = _single(claim, after, column) if row is None else row
            if one is None or two is None or one == two:
                continue
            outcome = operations.difference(index.series[column], column, one, two)
            if outcome.value is None:
                continue
            right = _holds(outcome.value, sign, difference) != is_negated(claim.tokens)
            by = "" if difference is None else f" by {difference:g}"
            header = index.table.header[column]
            cells = {*outcome.cells, *cells_of(before, {one}), *cells_of(after, {two})}
            yield candidate(
                "comparison" if difference is None else "difference",
                right,
                f"{header}({_name(claim, before)}) {'>' if sign > 0 else '<'} "
                f"{header}({_name(claim, after) if row is None else f'row {row}'}){by}",
                cells,
                f"{header} in rows {one} and {two}: {outcome.value:+g}",
            )
            return
    if claim.texts[word] in _OF_COUNTS:
        yield from _counted(claim, sign, difference, before, after)


_OF_COUNTS = frozenset({"more", "fewer", "less", "often"})


def _name(claim: GroundedClaim, links: list[Link]) -> str:
    return " and ".join(condition(claim, link) for link in links)


def _holds(value: float, sign: int, difference: float | None) -> bool:
    if difference is not None:
        return operations.rounds_to(value * sign, difference)
    return value * sign > 0


def _single(claim: GroundedClaim, links: list[Link], column: int) -> int | None:
    """Return the only row that all links name, else the only row of the first link that names just one."""
    numbers = claim.index.series[column]
    rows = common_rows(tuple(links)) & numbers.keys()
    if len(rows) == 1:
        return next(iter(rows))
    for link in links:
        rows = link.rows & numbers.keys()
        if len(rows) == 1:
            return next(iter(rows))
    return None


def _difference(claim: GroundedClaim, word: int) -> float | None:
    """Return the claimed difference: `2 point more`, `3.2% higher`, `2 more`."""
    for position in range(word - 1, max(-1, word - 4), -1):
        number = claim.tokens[position].number
        if number is not None and not claim.tokens[position].ordinal:
            anchor = claim.anchors.get(position)
            named = position in claim.linked.inside_names or (anchor is not None and anchor.end <= position)
            return None if named else number
    return None


def _columns(
    claim: GroundedClaim,
    sign: int,
    left_columns: frozenset[int],
    right_columns: frozenset[int],
    links: list[Link],
    than: int,
) -> Iterator[Candidate]:
    index = claim.index
    for left in sorted(left_columns):
        for right in sorted(right_columns):
            rows = common_rows(tuple(links)) if links else claim.all_rows
            rows = rows & index.series[left].keys() & index.series[right].keys()
            if left == right or len(rows) != 1:
                continue
            row = next(iter(rows))
            value = index.series[left][row] - index.series[right][row]
            header = index.table.header
            yield candidate(
                "comparison",
                (value * sign > 0) != is_negated(claim.tokens),
                f"{header[left]} {'>' if sign > 0 else '<'} {header[right]} in row {row}",
                {(row, left), (row, right)},
                f"{value:+g}",
            )
            return


def _counted(
    claim: GroundedClaim, sign: int, difference: float | None, before: list[Link], after: list[Link]
) -> Iterator[Candidate]:
    """Yield the comparison of the numbers of rows that have two values of a column."""
    pairs = [
        (one, two, column)
        for one in before
        for two in after
        for column in sorted(one.places.keys() & two.places.keys())
        if len(one.places[column]) > 1 or len(two.places[column]) > 1
    ]
    if not pairs:
        return
    one, two, column = pairs[0]
    rest = [link for link in before if link is not one]
    scope = common_rows(tuple(rest)) if rest and common_rows((*rest, one)) else None
    first = one.places[column] & (scope or one.places[column])
    second = two.places[column] & (scope or two.places[column])
    value = float(len(first) - len(second))
    right = _holds(value, sign, difference) != is_negated(claim.tokens)
    yield candidate(
        "count comparison",
        right,
        f"count({condition(claim, one)}) {'>' if sign > 0 else '<'} count({condition(claim, two)})",
        operations.used(column, first | second),
        f"{len(first)} and {len(second)} rows",
    )


def _rivals(claim: GroundedClaim) -> list[Link]:
    """Return the links that are compared: those of a list, else the first two of a column with a row each."""
    groups = enumerations(claim, claim.links)
    if groups:
        return [claim.links[position] for position in groups[0]]
    for position, first in enumerate(claim.links):
        for second in claim.links[position + 1 :]:
            if first.places.keys() & second.places.keys() and len(first.rows) == len(second.rows) == 1:
                return [first, second]
    return []


_OUTDOES = word_set("outperform outperforms outperformed outperforming surpass surpasses exceed exceeds")


def outdoing_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield whether one row has the higher numbers in most of the named columns, else of all numeric ones.

    Rows of the same name are averaged. Columns where lower is better are not recognised.
    """
    texts, index = claim.texts, claim.index
    outdoing = _outdoing_verb(texts)
    if outdoing is None:
        return
    verb, sign = outdoing
    spans = [(one.start, one.end) for one in claim.bounds]
    spans += [(link.start, link.end) for link in claim.links if link.bound]
    if any(start <= verb < end for start, end in spans):
        return
    before = [link for link in reversed(claim.links) if link.end <= verb and not link.bound]
    after = [link for link in claim.links if link.start > verb and not link.bound]
    named = {column for head in claim.linked.headers for column in head.columns if index.is_numeric(column)}
    wins: list[bool] = []
    cells: set[tuple[int, int]] = set()
    for column in sorted(named) or [c for c in range(index.table.columns) if index.is_numeric(c)]:
        one, two = _group(claim, before, column), _group(claim, after, column)
        if not one or not two or one & two:
            continue
        numbers = index.series[column]
        wins.append((_mean(numbers, one) - _mean(numbers, two)) * sign > 0)
        cells.update(operations.used(column, one | two))
    if wins:
        yield candidate(
            "outdoing",
            (sum(wins) * 2 > len(wins)) != is_negated(claim.tokens),
            f"{_name(claim, before)} {'>' if sign > 0 else '<'} {_name(claim, after)} in most columns",
            cells,
            f"{sum(wins)} of {len(wins)} columns",
        )


def _outdoing_verb(texts: tuple[str, ...]) -> tuple[int, int] | None:
    """Return the position of the comparison, and 1 for better or -1 for worse; None without one."""
    for position, text in enumerate(texts):
        if text in _OUTDOES:
            return position, 1
        if texts[position + 1 : position + 2] == ("than",) and comparative(text):
            return position, comparative(text)
    return None


def _group(claim: GroundedClaim, links: list[Link], column: int) -> frozenset[int]:
    """Return the rows with a number that all links share, else those of the first link that has any."""
    numbers = claim.index.series[column]
    rows = common_rows(tuple(links)) & numbers.keys() if links else frozenset()
    named = (link.rows & numbers.keys() for link in links if column not in link.places)
    return frozenset(rows) or frozenset(next((rows_of_link for rows_of_link in named if rows_of_link), ()))


_TIMES = {"twice": 2.0, "double": 2.0, "triple": 3.0, "thrice": 3.0, "half": 0.5}


def ratio_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield whether one row's number equals another's, or is the claimed multiple of it."""
    texts = claim.texts
    second = next((position for position in range(len(texts) - 1, 0, -1) if texts[position] == "as"), None)
    first = next(
        (
            position
            for position in range(len(texts))
            if texts[position] == "as" and texts[position + 1 : position + 2] != ("as",)
        ),
        None,
    )
    if (
        first is None
        or second is None
        or second - first < 2
        or texts[first + 1] not in {"many", "much", "high"}
    ):
        return
    before = [link for link in claim.links if link.end <= first and not link.bound]
    after = [link for link in claim.links if link.start > second and not link.bound]
    times = next((_TIMES[text] for text in texts[:first] if text in _TIMES), 1.0)
    for head in (head for head in claim.linked.headers if first < head.start < second):
        for column in (c for c in sorted(head.columns) if claim.index.is_numeric(c)):
            one, two = _single(claim, before, column), _single(claim, after, column)
            if one is None or two is None or one == two:
                continue
            outcome = operations.ratio(claim.index.series[column], column, one, two)
            if outcome.value is None:
                continue
            header = claim.index.table.header[column]
            yield candidate(
                "ratio",
                operations.rounds_to(float(outcome.value), times, _RATIO_DECIMALS)
                != is_negated(claim.tokens),
                f"{header}({_name(claim, before)}) = {times:g} x {header}({_name(claim, after)})",
                outcome.cells,
                f"{outcome.value:.3g} times",
            )
            return


_RATIO_DECIMALS = 1


def difference_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield whether the difference between two rows' numbers is the claimed one."""
    if "difference" not in claim.texts:
        return
    links = _rivals(claim)
    numbers = [
        (position, token.number)
        for position, token in enumerate(claim.tokens)
        if token.number is not None and not any(link.start <= position < link.end for link in links)
    ]
    if len(links) < 2 or not numbers:
        return
    position, number = numbers[-1]
    decimals = len(claim.texts[position].partition(".")[2])
    for head in claim.linked.headers:
        for column in (c for c in sorted(head.columns) if claim.index.is_numeric(c)):
            one, two = _single(claim, links[:1], column), _single(claim, links[1:2], column)
            if one is None or two is None or one == two:
                continue
            outcome = operations.difference(claim.index.series[column], column, one, two)
            yield candidate(
                "difference",
                operations.rounds_to(abs(float(outcome.value or 0)), number, decimals)
                != is_negated(claim.tokens),
                f"|{claim.index.table.header[column]} of rows {one} and {two}| = {number:g}",
                outcome.cells,
                f"{outcome.value:+g}",
            )
            return


def sameness_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield whether the listed rows have the same value in the column that the claim names."""
    same = next(
        (position for position, text in enumerate(claim.texts) if text in {"same", "different", "equal"}),
        None,
    )
    if same is None:
        return
    links = _rivals(claim)
    if not links:
        return
    rows = [next(iter(link.rows)) for link in links if len(link.rows) == 1]
    if len(rows) != len(links):
        return
    heads = [head for head in claim.linked.headers if head.start > same] or list(
        reversed(claim.linked.headers)
    )
    for head in heads:
        column = min(head.columns)
        if len(set(rows)) < 2 or any(column in link.places for link in links):
            continue
        values = {claim.index.keys[row, column] for row in rows}
        right = (len(values) == 1) == (claim.texts[same] != "different")
        yield candidate(
            "sameness",
            right != is_negated(claim.tokens),
            f"{claim.index.table.header[column]} is {claim.texts[same]} in rows {rows}",
            {*operations.used(column, rows), *cells_of(links, rows)},
        )
        return


def order_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield whether one value of a column comes before or after another in the table's dates."""
    position = claim.position({"before", "after"})
    if position is None:
        return
    for one in (link for link in reversed(claim.links) if link.end <= position):
        for two in (link for link in claim.links if link.start > position):
            shared = sorted(one.places.keys() & two.places.keys())
            if not shared or one.bound or two.bound or one.rows & two.rows:
                continue
            column = shared[0]
            dated = claim.index.dated
            numbers = claim.index.series[dated[0]] if dated else {}
            first = _mean(numbers, one.places[column])
            second = _mean(numbers, two.places[column])
            right = (first < second) == (claim.texts[position] == "before")
            yield candidate(
                "order",
                right != is_negated(claim.tokens),
                f"{condition(claim, one)} {claim.texts[position]} {condition(claim, two)}",
                operations.used(column, one.places[column] | two.places[column]),
            )
            return


def _mean(numbers: operations.Numbers, rows: frozenset[int]) -> float:
    """Return the mean of rows' numbers; a row without a number counts by its row number."""
    values = [numbers.get(row, float(row)) for row in rows]
    return sum(values) / len(values)

"""Claims that set one thing beside another: more than, as many as, the same, by how much."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.candidate import Candidate, candidate, cells_of, condition
from evidence_assets.tables.programs.cooccurrence import common_rows, lists
from evidence_assets.tables.programs.extrema import extreme_row
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.reading import Reading
from evidence_assets.tables.programs.trigger_lexicon import comparative, is_negated


def comparison_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield whether one row's number stands to another's as the claim says."""
    for than, text in enumerate(reading.texts):
        bounded = any(link.bound and link.start <= than < link.end for link in reading.links)
        if (
            text not in {"than", "then"}
            or bounded
            or any(one.start <= than < one.end for one in reading.bounds)
        ):
            continue
        yield from _than(reading, than)


def _than(reading: Reading, than: int) -> Iterator[Candidate]:
    word = next((at for at in range(than - 1, max(-1, than - 8), -1) if comparative(reading.texts[at])), None)
    if word is None:
        return
    sign = comparative(reading.texts[word])
    before = [link for link in reading.links if link.end <= than and not link.bound]
    after = [link for link in reading.links if link.start > than and not link.bound]
    anchoring = {(head.start, head.end) for at, head in reading.anchors.items() if head.end <= at}
    heads = [head for head in reading.linked.headers if (head.start, head.end) not in anchoring]
    between = [head for head in heads if word < head.start < than]
    earlier = [head for head in heads if head.end <= word]
    later = [head for head in heads if head.start > than]
    if not after and earlier and later:
        yield from _columns(reading, sign, earlier[-1].columns, later[0].columns, before, than)
        return
    extreme = next((one for one in reading.superlatives if one.start > than), None)
    row = extreme_row(reading, extreme) if extreme is not None else None
    if not before or (not after and row is None):
        return
    index = reading.index
    difference = _difference(reading, word)
    for head in [*between, *reversed(earlier), *later]:
        for column in sorted(head.columns):
            if not index.is_numeric(column):
                continue
            one = _single(reading, before, column)
            two = _single(reading, after, column) if row is None else row
            if one is None or two is None or one == two:
                continue
            found = operations.difference(index.series[column], column, one, two)
            if found.value is None:
                continue
            right = _stands(found.value, sign, difference) != is_negated(reading.tokens)
            by = "" if difference is None else f" by {difference:g}"
            header = index.table.header[column]
            cells = {*found.cells, *cells_of(before, {one}), *cells_of(after, {two})}
            yield candidate(
                "comparison" if difference is None else "difference",
                right,
                f"{header}({_name(reading, before)}) {'>' if sign > 0 else '<'} "
                f"{header}({_name(reading, after) if row is None else f'row {row}'}){by}",
                cells,
                f"{header} in rows {one} and {two}: {found.value:+g}",
            )
            return
    if reading.texts[word] in _OF_COUNTS:
        yield from _counted(reading, sign, difference, before, after)


_OF_COUNTS = frozenset({"more", "fewer", "less", "often"})


def _name(reading: Reading, links: list[Link]) -> str:
    return " and ".join(condition(reading, link) for link in links)


def _stands(value: float, sign: int, difference: float | None) -> bool:
    if difference is not None:
        return operations.told(value * sign, difference)
    return value * sign > 0


def _single(reading: Reading, links: list[Link], column: int) -> int | None:
    """Return the one row that links name, the nearest first where all of them name none."""
    numbers = reading.index.series[column]
    rows = common_rows(tuple(links)) & numbers.keys()
    if len(rows) == 1:
        return next(iter(rows))
    for link in links:
        rows = link.rows & numbers.keys()
        if len(rows) == 1:
            return next(iter(rows))
    return None


def _difference(reading: Reading, word: int) -> float | None:
    """Return the number by which one is said to be more: `2 point more`, `3.2% higher`, `2 more`."""
    for at in range(word - 1, max(-1, word - 4), -1):
        number = reading.tokens[at].number
        if number is not None and not reading.tokens[at].ordinal:
            anchor = reading.anchors.get(at)
            named = at in reading.linked.inside_names or (anchor is not None and anchor.end <= at)
            return None if named else number
    return None


def _columns(
    reading: Reading,
    sign: int,
    ones: frozenset[int],
    others: frozenset[int],
    links: list[Link],
    than: int,
) -> Iterator[Candidate]:
    index = reading.index
    for one in sorted(ones):
        for other in sorted(others):
            rows = common_rows(tuple(links)) if links else frozenset(range(len(index.cells)))
            rows = rows & index.series[one].keys() & index.series[other].keys()
            if one == other or len(rows) != 1:
                continue
            row = next(iter(rows))
            value = index.series[one][row] - index.series[other][row]
            header = index.table.header
            yield candidate(
                "comparison",
                (value * sign > 0) != is_negated(reading.tokens),
                f"{header[one]} {'>' if sign > 0 else '<'} {header[other]} in row {row}",
                {(row, one), (row, other)},
                f"{value:+g}",
            )
            return


def _counted(
    reading: Reading, sign: int, difference: float | None, before: list[Link], after: list[Link]
) -> Iterator[Candidate]:
    """Yield the comparison of how many rows have one value and how many another, of one column."""
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
    right = _stands(value, sign, difference) != is_negated(reading.tokens)
    yield candidate(
        "count comparison",
        right,
        f"count({condition(reading, one)}) {'>' if sign > 0 else '<'} count({condition(reading, two)})",
        operations.used(column, first | second),
        f"{len(first)} and {len(second)} rows",
    )


def _rivals(reading: Reading) -> list[Link]:
    """Return links of one column to a row each: those listed side by side, else the first two of a column."""
    groups = lists(reading, reading.links)
    if groups:
        return [reading.links[at] for at in groups[0]]
    for at, one in enumerate(reading.links):
        for two in reading.links[at + 1 :]:
            if one.places.keys() & two.places.keys() and len(one.rows) == len(two.rows) == 1:
                return [one, two]
    return []


_OUTDOES = frozenset(
    {
        "outperform",
        "outperforms",
        "outperformed",
        "outperforming",
        "surpass",
        "surpasses",
        "exceed",
        "exceeds",
    }
)


def outdoing_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield whether one row has the higher numbers, in the columns named, else in most of all.

    Rows of one name are taken by their mean. What is better lower is not known.
    """
    texts, index = reading.texts, reading.index
    found = _outdoing_verb(texts)
    if found is None:
        return
    verb, sign = found
    spans = [(one.start, one.end) for one in reading.bounds]
    spans += [(link.start, link.end) for link in reading.links if link.bound]
    if any(start <= verb < end for start, end in spans):
        return
    before = [link for link in reversed(reading.links) if link.end <= verb and not link.bound]
    after = [link for link in reading.links if link.start > verb and not link.bound]
    named = {column for head in reading.linked.headers for column in head.columns if index.is_numeric(column)}
    wins: list[bool] = []
    cells: set[tuple[int, int]] = set()
    for column in sorted(named) or [c for c in range(index.table.columns) if index.is_numeric(c)]:
        one, two = _group(reading, before, column), _group(reading, after, column)
        if not one or not two or one & two:
            continue
        numbers = index.series[column]
        wins.append((_mean(numbers, one) - _mean(numbers, two)) * sign > 0)
        cells.update(operations.used(column, one | two))
    if wins:
        yield candidate(
            "outdoing",
            (sum(wins) * 2 > len(wins)) != is_negated(reading.tokens),
            f"{_name(reading, before)} {'>' if sign > 0 else '<'} {_name(reading, after)} in most columns",
            cells,
            f"{sum(wins)} of {len(wins)} columns",
        )


def _outdoing_verb(texts: tuple[str, ...]) -> tuple[int, int] | None:
    """Return where one thing is said to outdo another, and 1, or -1 where it is said to fall behind."""
    for at, text in enumerate(texts):
        if text in _OUTDOES:
            return at, 1
        if texts[at + 1 : at + 2] == ("than",) and comparative(text):
            return at, comparative(text)
    return None


def _group(reading: Reading, links: list[Link], column: int) -> frozenset[int]:
    """Return the rows with a number that links name together, else that the first to name any does."""
    numbers = reading.index.series[column]
    rows = common_rows(tuple(links)) & numbers.keys() if links else frozenset()
    named = (link.rows & numbers.keys() for link in links if column not in link.places)
    return frozenset(rows) or frozenset(next((found for found in named if found), ()))


_TIMES = {"twice": 2.0, "double": 2.0, "triple": 3.0, "thrice": 3.0, "half": 0.5}


def ratio_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield whether one row's number is as much as another's, or so many times it."""
    texts = reading.texts
    second = next((at for at in range(len(texts) - 1, 0, -1) if texts[at] == "as"), None)
    first = next(
        (at for at in range(len(texts)) if texts[at] == "as" and texts[at + 1 : at + 2] != ("as",)), None
    )
    if (
        first is None
        or second is None
        or second - first < 2
        or texts[first + 1] not in {"many", "much", "high"}
    ):
        return
    before = [link for link in reading.links if link.end <= first and not link.bound]
    after = [link for link in reading.links if link.start > second and not link.bound]
    times = next((_TIMES[text] for text in texts[:first] if text in _TIMES), 1.0)
    for head in (head for head in reading.linked.headers if first < head.start < second):
        for column in (c for c in sorted(head.columns) if reading.index.is_numeric(c)):
            one, two = _single(reading, before, column), _single(reading, after, column)
            if one is None or two is None or one == two:
                continue
            found = operations.ratio(reading.index.series[column], column, one, two)
            if found.value is None:
                continue
            header = reading.index.table.header[column]
            yield candidate(
                "ratio",
                operations.told(float(found.value), times, _RATIO_DECIMALS) != is_negated(reading.tokens),
                f"{header}({_name(reading, before)}) = {times:g} x {header}({_name(reading, after)})",
                found.cells,
                f"{found.value:.3g} times",
            )
            return


_RATIO_DECIMALS = 1


def difference_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield whether the difference between two rows' numbers is the one told."""
    if "difference" not in reading.texts:
        return
    links = _rivals(reading)
    numbers = [
        (at, token.number)
        for at, token in enumerate(reading.tokens)
        if token.number is not None and not any(link.start <= at < link.end for link in links)
    ]
    if len(links) < 2 or not numbers:
        return
    at, number = numbers[-1]
    decimals = len(reading.texts[at].partition(".")[2])
    for head in reading.linked.headers:
        for column in (c for c in sorted(head.columns) if reading.index.is_numeric(c)):
            one, two = _single(reading, links[:1], column), _single(reading, links[1:2], column)
            if one is None or two is None or one == two:
                continue
            found = operations.difference(reading.index.series[column], column, one, two)
            yield candidate(
                "difference",
                operations.told(abs(float(found.value or 0)), number, decimals) != is_negated(reading.tokens),
                f"|{reading.index.table.header[column]} of rows {one} and {two}| = {number:g}",
                found.cells,
                f"{found.value:+g}",
            )
            return


def sameness_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield whether the listed rows have one value in the column that the claim says is the same."""
    same = next((at for at, text in enumerate(reading.texts) if text in {"same", "different", "equal"}), None)
    if same is None:
        return
    links = _rivals(reading)
    if not links:
        return
    rows = [next(iter(link.rows)) for link in links if len(link.rows) == 1]
    if len(rows) != len(links):
        return
    heads = [head for head in reading.linked.headers if head.start > same] or list(
        reversed(reading.linked.headers)
    )
    for head in heads:
        column = min(head.columns)
        if len(set(rows)) < 2 or any(column in link.places for link in links):
            continue
        values = {reading.index.keys[row, column] for row in rows}
        right = (len(values) == 1) == (reading.texts[same] != "different")
        yield candidate(
            "sameness",
            right != is_negated(reading.tokens),
            f"{reading.index.table.header[column]} is {reading.texts[same]} in rows {rows}",
            {*operations.used(column, rows), *cells_of(links, rows)},
        )
        return


def order_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield whether what one link names comes before or after what another of its column names."""
    at = next((n for n, text in enumerate(reading.texts) if text in {"before", "after"}), None)
    if at is None:
        return
    for one in (link for link in reversed(reading.links) if link.end <= at):
        for two in (link for link in reading.links if link.start > at):
            shared = sorted(one.places.keys() & two.places.keys())
            if not shared or one.bound or two.bound or one.rows & two.rows:
                continue
            column = shared[0]
            dated = reading.index.dated
            numbers = reading.index.series[dated[0]] if dated else {}
            first = _mean(numbers, one.places[column])
            second = _mean(numbers, two.places[column])
            right = (first < second) == (reading.texts[at] == "before")
            yield candidate(
                "order",
                right != is_negated(reading.tokens),
                f"{condition(reading, one)} {reading.texts[at]} {condition(reading, two)}",
                operations.used(column, one.places[column] | two.places[column]),
            )
            return


def _mean(numbers: operations.Numbers, rows: frozenset[int]) -> float:
    """Return the mean of rows' numbers, of their places in the table where they have none."""
    told = [numbers.get(row, float(row)) for row in rows]
    return sum(told) / len(told)

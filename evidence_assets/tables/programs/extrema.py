"""Claims about the highest, lowest, first, last and k-th."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.candidate import Candidate, candidate, cells_of, conditions
from evidence_assets.tables.programs.cooccurrence import rows_of
from evidence_assets.tables.programs.linking import HeaderLink, Link
from evidence_assets.tables.programs.reading import Reading
from evidence_assets.tables.programs.trigger_lexicon import INVERTED, Superlative, is_negated, row_nouns
from evidence_assets.tables.programs.words import word_set

_SCOPE_PREPOSITIONS = word_set("in from for of among by during at on with under within")
# Where the first is the highest; and where the least is the best.
_RANKED_COLUMNS = frozenset({"rank", "ranking", "posit", "place", "po", "finish"})
_TIMED_COLUMNS = frozenset({"time", "grid", "pick"})


def superlative_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield, for each extreme that the claim asks for, whether its row or number is the one told."""
    for extreme in reading.superlatives:
        if "than" in reading.texts[: extreme.start]:
            continue
        column = target_column(reading, extreme)
        if column is None:
            continue
        made = _extreme(reading, extreme, column)
        if made is not None:
            yield made


def target_column(reading: Reading, extreme: Superlative) -> int | None:
    """Return the column whose extreme is asked for: the next header behind the word, else the one before."""
    index = reading.index
    behind = [head for head in reading.linked.headers if head.start >= extreme.end]
    before = [head for head in reading.linked.headers if head.end <= extreme.start]
    if extreme.temporal and extreme.word in {"first", "last", "earliest", "latest", "recent", "final"}:
        dated = index.dated or [
            column for column in range(index.table.columns) if set(index.headers[column]) & _ORDERED_COLUMNS
        ]
        near = [c for head in behind[:1] for c in sorted(head.columns) if c in dated]
        chosen = near or dated
        return chosen[0] if chosen else None
    found = _of_phrase(reading, behind, extreme.end)
    if found is not None:
        return found
    beside = bool(behind) and behind[0].start - extreme.end <= 1
    for head in [] if beside else reversed(before):
        numeric = [c for c in sorted(head.columns) if index.is_numeric(c)]
        if numeric and extreme.start - head.end <= _GAP_MOST:
            return numeric[0]
    return None


def _of_phrase(reading: Reading, behind: list[HeaderLink], start: int) -> int | None:
    """Return the column of numbers named last in the first run of headers behind a superlative."""
    index = reading.index
    run: list[HeaderLink] = []
    for head in behind:
        if head.start - (run[-1].end if run else start) > (0 if run else _GAP_MOST):
            if any(index.is_numeric(c) for one in run for c in one.columns) or not run:
                break
            run = []
            if head.start - start > _GAP_MOST:
                break
        run.append(head)
    for head in reversed(run):
        numeric = [c for c in sorted(head.columns) if index.is_numeric(c)]
        if numeric:
            return numeric[0]
    return None


_ORDERED_COLUMNS = word_set("date year season week game round episod no")
_GAP_MOST = 6


def _extreme(reading: Reading, extreme: Superlative, column: int) -> Candidate | None:
    index = reading.index
    scope, answers = split_scope(reading, extreme, column)
    rows = rows_of(scope) if scope else frozenset(range(len(index.cells)))
    series = {row: number for row, number in index.series[column].items() if row in rows}
    highest = extreme.highest
    if set(index.headers[column]) & _RANKED_COLUMNS or (
        extreme.word in INVERTED and set(index.headers[column]) & _TIMED_COLUMNS
    ):
        highest = not highest
    found = operations.ordering(series, column, extreme.place, highest=highest)
    if found.value is None:
        return None
    numbers = [reading.tokens[at].number for at in reading.numbers]
    if not answers and not numbers:
        return None
    there = frozenset(found.rows)
    right = True
    for link in answers:
        if column in link.places and link.number is not None:
            right &= bool(there & link.places[column])
        else:
            right &= bool(there & link.rows)
    right &= all(number is not None and _told(found.value, number) for number in numbers)
    if is_negated(reading.tokens):
        right = not right
    name = "argmax" if highest else "argmin"
    header = index.table.header[column]
    program = (
        f"{name}{'' if extreme.place == 1 else f' {extreme.place}'}({header} of {conditions(reading, scope)})"
    )
    told = conditions(reading, answers) if answers else f"{numbers[0]:g}"
    return candidate(
        "ordinal" if extreme.place > 1 else "temporal" if extreme.temporal else "superlative",
        right,
        f"{program} is {told}",
        {*found.cells, *cells_of(answers, there)},
        f"{reading.said(extreme.start, extreme.end)}: {header} {found.value:g} in rows {found.rows}",
    )


def _told(value: float, number: float) -> bool:
    return any(operations.close(value * scale, number) for scale in (1.0, 1e3, 1e-3, 1e6, 1e-6))


def extreme_row(reading: Reading, extreme: Superlative) -> int | None:
    """Return the one row of the whole table that has the extreme; None where there is none, or several."""
    column = target_column(reading, extreme)
    if column is None:
        return None
    found = operations.ordering(reading.index.series[column], column, extreme.place, highest=extreme.highest)
    return found.rows[0] if len(found.rows) == 1 else None


def split_scope(reading: Reading, extreme: Superlative, column: int) -> tuple[list[Link], list[Link]]:
    """Return the links that say among which rows the extreme is sought, and those that say what it is."""
    copula = next(
        (at for at in range(extreme.end, len(reading.tokens)) if reading.texts[at] in _COPULAS),
        len(reading.tokens),
    )
    valued = [
        link
        for link in reading.links
        if column in link.places and link.number is not None and not link.bound and link.start >= copula
    ]
    if not valued and reading.numbers and reading.numbers[-1] > copula:
        return list(reading.links), []
    if valued:
        others = [link for link in reading.links if link not in valued]
        single = [link for link in others if link.start > copula]
        return [link for link in others if link not in single], [*valued, *single]
    scope: list[Link] = []
    answers: list[Link] = []
    for link in reading.links:
        several = len(link.rows) > 1
        previous = reading.texts[link.start - 1] if link.start else ""
        if previous in {"the", "a", "an"} and link.start > 1:
            previous = reading.texts[link.start - 2]
        inside = extreme.end <= link.start < copula and previous in _SCOPE_PREPOSITIONS
        opening = link.start <= 2 and previous in {"in", "for", "of", "on", "during"}
        if link.bound or (several and (inside or opening)):
            scope.append(link)
        else:
            answers.append(link)
    return scope, answers


_COPULAS = frozenset({"be", "is", "was", "were", "are"})


def frequency_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield whether a value is the one that most rows of its column have: `the month with the most games`."""
    texts = reading.texts
    at = next(
        (
            n
            for n, text in enumerate(texts[:-1])
            if text == "most"
            and (reading.tokens[n + 1].key in row_nouns() - _UNCOUNTED or texts[n + 1] in _FREQUENT)
        ),
        None,
    )
    if at is None or "than" in texts:
        return
    index = reading.index
    for link in reading.links:
        for column in sorted(link.places):
            if link.bound or link.number is not None or not _repeats(reading, column):
                continue
            others = [other for other in reading.links if other is not link and column not in other.places]
            rows = rows_of(others) or frozenset(range(len(index.cells)))
            values = {row: index.keys[row, column] for row in rows if index.keys[row, column]}
            counts, cells = operations.groups(values, column)
            own = len(link.places[column] & rows)
            yield candidate(
                "most frequent",
                (own >= max(counts.values(), default=0)) != is_negated(reading.tokens),
                f"mode({index.table.header[column]} of {conditions(reading, others)}) = "
                f"{reading.said(link.start, link.end)}",
                cells,
                f"{own} rows, most {max(counts.values(), default=0)}",
            )
            return


_UNCOUNTED = frozenset({"number", "point", "1", "of", "total", "other"})
_FREQUENT = frozenset({"common", "frequent", "often", "popular"})


def _repeats(reading: Reading, column: int) -> bool:
    values = [cells for row in range(len(reading.index.cells)) if (cells := reading.index.keys[row, column])]
    return len(set(values)) < len(values)

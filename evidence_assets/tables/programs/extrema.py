"""Claims about the highest, lowest, first, last or k-th."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.candidate import Candidate, candidate, cells_of, conditions
from evidence_assets.tables.programs.cooccurrence import rows_of
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import HeaderLink, Link
from evidence_assets.tables.programs.trigger_lexicon import INVERTED, Superlative, is_negated, row_nouns
from evidence_assets.tables.programs.words import word_set

_SCOPE_PREPOSITIONS = word_set("in from for of among by during at on with under within")
# Headers of ranks, where the highest is the first; and of times, where the lowest is the best.
_RANKED_COLUMNS = frozenset({"rank", "ranking", "posit", "place", "po", "finish"})
_TIMED_COLUMNS = frozenset({"time", "grid", "pick"})


def superlative_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield, for each superlative of the claim, whether its row or number is the claimed one."""
    for extreme in claim.superlatives:
        if "than" in claim.texts[: extreme.start]:
            continue
        column = target_column(claim, extreme)
        if column is None:
            continue
        program = _extreme(claim, extreme, column)
        if program is not None:
            yield program


def target_column(claim: GroundedClaim, extreme: Superlative) -> int | None:
    """Return the column whose extreme is asked for: the next header after the word, else the one before."""
    index = claim.index
    behind = [head for head in claim.linked.headers if head.start >= extreme.end]
    before = [head for head in claim.linked.headers if head.end <= extreme.start]
    if extreme.temporal and extreme.word in {"first", "last", "earliest", "latest", "recent", "final"}:
        dated = index.dated or [
            column for column in range(index.table.columns) if set(index.headers[column]) & _ORDERED_COLUMNS
        ]
        dated_behind = [c for head in behind[:1] for c in sorted(head.columns) if c in dated]
        chosen = dated_behind or dated
        return chosen[0] if chosen else None
    named_column = _phrase_column(claim, behind, extreme.end)
    if named_column is not None:
        return named_column
    beside = bool(behind) and behind[0].start - extreme.end <= 1
    for head in [] if beside else reversed(before):
        numeric = [c for c in sorted(head.columns) if index.is_numeric(c)]
        if numeric and extreme.start - head.end <= _GAP_MOST:
            return numeric[0]
    return None


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
        numeric = [c for c in sorted(head.columns) if index.is_numeric(c)]
        if numeric:
            return numeric[0]
    return None


_ORDERED_COLUMNS = word_set("date year season week game round episod no")
_GAP_MOST = 6


def _extreme(claim: GroundedClaim, extreme: Superlative, column: int) -> Candidate | None:
    index = claim.index
    scope, answers = split_scope(claim, extreme, column)
    rows = rows_of(scope) if scope else claim.all_rows
    series = {row: number for row, number in index.series[column].items() if row in rows}
    highest = extreme.highest
    if set(index.headers[column]) & _RANKED_COLUMNS or (
        extreme.word in INVERTED and set(index.headers[column]) & _TIMED_COLUMNS
    ):
        highest = not highest
    outcome = operations.ordering(series, column, extreme.place, highest=highest)
    if outcome.value is None:
        return None
    numbers = [claim.tokens[position].number for position in claim.numbers]
    if not answers and not numbers:
        return None
    extreme_rows = frozenset(outcome.rows)
    right = True
    for link in answers:
        if column in link.places and link.number is not None:
            right &= bool(extreme_rows & link.places[column])
        else:
            right &= bool(extreme_rows & link.rows)
    right &= all(number is not None and _equal_at_some_scale(outcome.value, number) for number in numbers)
    if is_negated(claim.tokens):
        right = not right
    name = "argmax" if highest else "argmin"
    header = index.table.header[column]
    program = (
        f"{name}{'' if extreme.place == 1 else f' {extreme.place}'}({header} of {conditions(claim, scope)})"
    )
    claimed = conditions(claim, answers) if answers else f"{numbers[0]:g}"
    return candidate(
        "ordinal" if extreme.place > 1 else "temporal" if extreme.temporal else "superlative",
        right,
        f"{program} is {claimed}",
        {*outcome.cells, *cells_of(answers, extreme_rows)},
        f"{claim.phrase(extreme.start, extreme.end)}: {header} {outcome.value:g} in rows {outcome.rows}",
    )


def _equal_at_some_scale(value: float, number: float) -> bool:
    return any(operations.close(value * scale, number) for scale in (1.0, 1e3, 1e-3, 1e6, 1e-6))


def extreme_row(claim: GroundedClaim, extreme: Superlative) -> int | None:
    """Return the only row of the table that has the extreme; None where there is none, or several."""
    column = target_column(claim, extreme)
    if column is None:
        return None
    outcome = operations.ordering(claim.index.series[column], column, extreme.place, highest=extreme.highest)
    return outcome.rows[0] if len(outcome.rows) == 1 else None


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
        others = [link for link in claim.links if link not in valued]
        single = [link for link in others if link.start > copula]
        return [link for link in others if link not in single], [*valued, *single]
    scope: list[Link] = []
    answers: list[Link] = []
    for link in claim.links:
        several = len(link.rows) > 1
        previous = claim.texts[link.start - 1] if link.start else ""
        if previous in {"the", "a", "an"} and link.start > 1:
            previous = claim.texts[link.start - 2]
        inside = extreme.end <= link.start < copula and previous in _SCOPE_PREPOSITIONS
        opening = link.start <= 2 and previous in {"in", "for", "of", "on", "during"}
        if link.bound or (several and (inside or opening)):
            scope.append(link)
        else:
            answers.append(link)
    return scope, answers


_COPULAS = frozenset({"be", "is", "was", "were", "are"})


def frequency_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield whether a value is the most frequent of its column: `the month with the most games`."""
    texts = claim.texts
    position = next(
        (
            n
            for n, text in enumerate(texts[:-1])
            if text == "most"
            and (claim.tokens[n + 1].key in row_nouns() - _UNCOUNTED or texts[n + 1] in _FREQUENT)
        ),
        None,
    )
    if position is None or "than" in texts:
        return
    index = claim.index
    for link in claim.links:
        for column in sorted(link.places):
            if link.bound or link.number is not None or not _repeats(claim, column):
                continue
            others = [other for other in claim.links if other is not link and column not in other.places]
            rows = rows_of(others) or claim.all_rows
            values = {row: index.keys[row, column] for row in rows if index.keys[row, column]}
            counts, cells = operations.groups(values, column)
            count = len(link.places[column] & rows)
            yield candidate(
                "most frequent",
                (count >= max(counts.values(), default=0)) != is_negated(claim.tokens),
                f"mode({index.table.header[column]} of {conditions(claim, others)}) = "
                f"{claim.phrase(link.start, link.end)}",
                cells,
                f"{count} rows, most {max(counts.values(), default=0)}",
            )
            return


_UNCOUNTED = frozenset({"number", "point", "1", "of", "total", "other"})
_FREQUENT = frozenset({"common", "frequent", "often", "popular"})


def _repeats(claim: GroundedClaim, column: int) -> bool:
    values = [cells for row in range(len(claim.index.cells)) if (cells := claim.index.keys[row, column])]
    return len(set(values)) < len(values)

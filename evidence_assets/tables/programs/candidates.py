"""The programs that a claim may stand for, the most particular first."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.candidate import Candidate, candidate, cells_of, conditions
from evidence_assets.tables.programs.comparisons import (
    comparison_programs,
    difference_programs,
    order_programs,
    outdoing_programs,
    ratio_programs,
    sameness_programs,
)
from evidence_assets.tables.programs.cooccurrence import common_rows, together
from evidence_assets.tables.programs.counts import count_programs
from evidence_assets.tables.programs.extrema import frequency_programs, superlative_programs
from evidence_assets.tables.programs.quantifiers import quantifier_programs
from evidence_assets.tables.programs.reading import Reading, read
from evidence_assets.tables.programs.trigger_lexicon import negation
from evidence_assets.tables.programs.words import word_set

_CLAUSE_MARKS = frozenset({"while", "but", "whereas", ";"})
_VERBS = word_set("be have do is are was were has had win lose score")


def programs(reading: Reading) -> list[Candidate]:
    """Return every grounded program, the most particular kind first."""
    return [*_conjunctions(reading), *simple_programs(reading)]


def simple_programs(reading: Reading) -> list[Candidate]:
    """Return every grounded program of the claim taken as one."""
    made = (
        comparison_programs,
        outdoing_programs,
        ratio_programs,
        difference_programs,
        sameness_programs,
        order_programs,
        superlative_programs,
        frequency_programs,
        quantifier_programs,
        count_programs,
        _cooccurrence,
    )
    return [one for make in made for one in make(reading)]


def _conjunctions(reading: Reading) -> Iterator[Candidate]:
    """Yield the claim's two halves held together, where each asks for an operation of its own."""
    place = _joint(reading)
    if place is None:
        return
    first, second = reading.texts[:place], reading.texts[place + 1 :]
    if second[:1] == ("and",):
        second = second[1:]
    if second and second[0] in _VERBS and reading.links:
        subject = reading.links[0]
        second = (*reading.texts[subject.start : subject.end], *second)
    if not all(_VERBS.intersection(half) for half in (first, second)):
        return
    halves = [simple_programs(read(" ".join(half), reading.index)) for half in (first, second)]
    if not all(halves) or all(half[0].kind in _PLAIN for half in halves):
        return
    if any(half[0].kind == "single value" for half in halves):
        return
    one, two = halves[0][0], halves[1][0]
    yield candidate(
        "conjunction",
        one.supported and two.supported,
        f"{one.program} and {two.program}",
        {cell for half in (one, two) for cell in half.cells if cell[0] >= 0},
        *one.trace,
        *two.trace,
    )


_PLAIN = frozenset(
    {
        "co-occurrence by row",
        "co-occurrence by list",
        "co-occurrence by clause",
        "single value",
        "unmatched number",
    }
)


def _joint(reading: Reading) -> int | None:
    """Return where a claim's two halves meet: at `while`, `but` and the like, else at `, and` or `and`."""
    texts = reading.texts
    for at, text in enumerate(texts):
        if text in _CLAUSE_MARKS and at > 2 and not (text == "but" and texts[at - 1] == "all"):
            return at
    if len(reading.superlatives) > 1:
        one, two = reading.superlatives[:2]
        between = [at for at in range(one.end, two.start) if texts[at] == "and"]
        return between[-1] if between else None
    for at in range(3, len(texts) - 3):
        if texts[at] == "and" and (texts[at - 1] == "," or texts[at + 1] in _VERBS):
            return at
    return None


def _cooccurrence(reading: Reading) -> Iterator[Candidate]:
    denial = negation(reading.tokens)
    if denial is not None:
        yield from _denied(reading, denial)
        return
    found = together(reading, reading.links)
    if found is None:
        return
    kind = f"co-occurrence by {found.way}" if len(reading.links) > 1 else "single value"
    if reading.numbers:
        kind = "unmatched number"
    yield candidate(
        kind,
        found.supported and not reading.numbers,
        f"some row({conditions(reading, reading.links)})",
        cells_of(reading.links, found.rows),
        f"rows {sorted(found.rows)}",
    )


def _denied(reading: Reading, denial: int) -> Iterator[Candidate]:
    """Yield whether what is told behind a negation is nowhere with what is told before it."""
    told = [link for link in reading.links if link.end <= denial]
    denied = [link for link in reading.links if link.start > denial]
    heads = [head for head in reading.linked.headers if head.start == denial + 1]
    rows = common_rows(tuple(told)) if told else frozenset(range(len(reading.index.cells)))
    numeric = [c for head in heads for c in sorted(head.columns) if reading.index.is_numeric(c)]
    if numeric and told and not denied:
        series = reading.index.series[numeric[0]]
        yield candidate(
            "none of a column",
            bool(rows) and all(not series.get(row) for row in rows),
            f"{reading.index.table.header[numeric[0]]}({conditions(reading, told)}) = 0",
            {(row, numeric[0]) for row in rows},
        )
    elif denied:
        both = rows & common_rows(tuple(denied))
        yield candidate(
            "denied co-occurrence",
            bool(rows) and not both,
            f"no row({conditions(reading, [*told, *denied])})",
            cells_of([*told, *denied], both or rows),
            f"rows {sorted(both)}",
        )

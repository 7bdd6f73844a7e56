"""Changes over time, where a table has a column a year: the rows in which a claimed change holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.amounts_of_change import FACTORS, MARKS, Amount, Change, amount_of, fold
from evidence_assets.tables.programs.claimed_shares import FRACTIONS
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.percent_words import OF_PERCENT
from evidence_assets.tables.programs.period_headers import parts_of_any_year
from evidence_assets.tables.programs.proposal import Condition
from evidence_assets.tables.programs.trigger_lexicon import EACH, comparative, direction
from evidence_assets.tables.programs.words import word_key
from evidence_assets.tables.programs.words_of_time import TIMES
from evidence_assets.text.roots import root

_MULTIPLES = {root(word): factor for word, factor in {**FACTORS, "halve": 0.5}.items()}
_BECOMES = frozenset(map(root, ("become", "became", "grow", "grew", "get", "got")))
# Words that tell which two times are meant, by the later alone.
_THE_ONE_BEFORE = frozenset({"before", "previous", "earlier", "year", "than", "preceding", "prior"})
_BEFOREHAND = _THE_ONE_BEFORE - {"than", "year"}
# Nouns of what all of the columns tell together: `over the period`, as stems.
_SPANS = frozenset(map(word_key, ("year", "period", "decade", "time", "season")))
_BETWEEN_TIMES = frozenset({"from", "between", "to", "both", "since", "by", "over"})


def changes(claim: GroundedClaim) -> Iterator[Condition]:
    """Yield the change that a claim tells between two years, or from each to the next."""
    change = _claimed_change(claim)
    years = _years(claim) if change is not None else []
    if change is None or len(years) < 2:
        return
    steps = _each_step(claim, years)
    if steps is not None:
        pairs, words = steps
    else:
        ends = _ends(claim, change, years)
        if ends is None:
            return
        pairs, words = [ends[:2]], ends[2]
    amount = amount_of(claim, change)
    series = claim.index.series
    rows = frozenset(
        row
        for row in frozenset.intersection(*(frozenset(series[c]) for pair in pairs for c in pair))
        if all(_holds(change, amount, series[old][row], series[new][row]) for old, new in pairs)
    )
    named_rows = {row for link in claim.names if len(link.rows) == 1 for row in link.rows}
    if any(row not in series[column] for row in named_rows for pair in pairs for column in pair):
        return
    later = pairs[-1][1]
    header = claim.index.table.header
    relation = change.relation if amount is None else amount.read()
    name = "the year before, each year" if steps is not None else header[pairs[0][0]]
    link = Link.of_column(change.position, change.position + 1, later, rows, f"{relation} {name}")
    columns = tuple(dict.fromkeys(c for pair in pairs for c in pair))
    yield Condition(link, columns, (*change.words, *words, *(amount.words if amount is not None else ())))


def _holds(change: Change, amount: Amount | None, earlier: float, later: float) -> bool:
    if amount is None:
        return operations.compare(later, change.relation, earlier)
    return amount.holds(earlier, later, -1 if change.relation == "<" else 1)


def _claimed_change(claim: GroundedClaim) -> Change | None:
    """Return the verb, or the comparative, that tells a change; None where nothing does."""
    texts = claim.texts
    for position, text in enumerate(texts):
        following = texts[position + 1 : position + 2]
        factor = _MULTIPLES.get(root(text)) or fold(text)
        if factor is not None:
            return Change(position, "<" if factor < 1 else ">", (position,), factor)
        if sign := direction(text):
            same = [n for n, word in enumerate(texts) if word == "same" and n > position]
            return Change(position, sign, (position, *same))
        if following and following[0] in {"up", "down"} and _goes(texts, position):
            return Change(position, ">" if following[0] == "up" else "<", (position, position + 1))
        if root(text) in _BECOMES:
            graded = next(
                (n for n in (position + 1, position + 2) if comparative("".join(texts[n : n + 1]))), None
            )
            if graded is not None:
                more = [graded + 1] if texts[graded] in {"more", "less"} else []
                sign = ">" if comparative(texts[graded]) > 0 else "<"
                return Change(position, sign, (position, graded, *more))
        if text == "cut" and texts[position + 1 : position + 3] == ("in", "half"):
            return Change(position, "<", (position, position + 2), 0.5)
    return _compared(claim)


def _goes(texts: Sequence[str], position: int) -> bool:
    """Return whether `up` behind a word tells a change: `went up`, `was up by 5`, `was up on 2019`."""
    if texts[position] != "be":
        return texts[position] in {"go", "goes", "went", "come", "came", "gone"}
    return "".join(texts[position + 2 : position + 3]) in {"by", "on", "from"}


def _compared(claim: GroundedClaim) -> Change | None:
    """Return `half as much as`, `the same as`, `more than`, of one time and another."""
    texts = claim.texts
    for position, text in enumerate(texts):
        if text == "as" and texts[position + 1 : position + 2] and texts[position + 1] in MARKS:
            second = next((n for n in range(position + 2, len(texts)) if texts[n] == "as"), None)
            if second is not None:
                half = position and texts[position - 1] == "half"
                words = (*((position - 1,) if half else ()), position, position + 1, second)
                return Change(position, "<" if half else "=", words, 0.5 if half else None)
        if text == "same":
            return Change(position, "=", (position,))
        if comparative(text) and (texts[position + 1 :].count("than") == 1 or text in {"above", "below"}):
            if not _of_a_time(claim, position):
                continue
            if any(bound.start <= position < bound.end for bound in claim.bounds):
                continue
            if not claim.in_condition(position):
                than = [n for n in range(position, len(texts)) if texts[n] == "than"]
                return Change(position, ">" if comparative(text) > 0 else "<", (position, *than))
    return None


def _of_a_time(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is compared with that of another time, not with that of another row.

    Two of the columns' years are said, or one with a word for the time before.
    """
    texts = claim.texts
    behind = max((n for n in range(position, len(texts)) if texts[n] in _JOINTS), default=position)
    if any(link.start > behind for link in claim.names):
        return False
    years = set(claim.index.year_columns.values())
    said = [n for n, token in enumerate(claim.tokens) if token.number in years]
    if not years:
        of_parts = parts_of_any_year(claim.index)
        parts = [head for head in claim.linked.headers if head.columns <= of_parts.keys()]
        return len({min(head.columns) for head in parts}) > 1 and parts[-1].start > behind
    between = claim.tokens[behind + 1 : said[-1]] if said and said[-1] > behind else ()
    of_shares = any(token.text in FRACTIONS for token in between)
    in_both = len({claim.tokens[n].number for n in said}) > 1 and said[-1] > behind and not of_shares
    return in_both or any(token.text in _BEFOREHAND for token in claim.tokens[behind:])


_JOINTS = frozenset({"than", "above", "below"})


def _years(claim: GroundedClaim) -> list[tuple[int, int]]:
    """Return the years and columns, in time, of what the claim names; empty where that cannot be told."""
    index = claim.index
    groups: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for column, year in index.year_columns.items():
        name = tuple(key for key in index.headers[column] if key != str(year))
        groups.setdefault(name, []).append((year, column))
    if not groups:
        return sorted((first, column) for column, (first, _) in parts_of_any_year(index).items())
    series = {name: sorted(years) for name, years in groups.items() if len(years) > 1}
    if len(series) < 2:
        return next(iter(series.values()), [])
    keys = {token.key for token in claim.tokens}
    in_percent = not OF_PERCENT.isdisjoint(claim.texts)
    shared = {name: len(keys & set(name)) for name in series}
    if not any(shared.values()):
        of_the_unit = [
            name
            for name, columns in series.items()
            if in_percent == all("%" in index.told_units[column] for _, column in columns)
        ]
        return series[of_the_unit[0]] if len(of_the_unit) == 1 else []
    best = [name for name, count in shared.items() if count == max(shared.values())]
    return series[best[0]] if len(best) == 1 else []


def _named_years(claim: GroundedClaim, years: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the columns of the years, or of their parts, that a claim says, in its order, and where."""
    columns: Mapping[float, int] = {float(year): column for year, column in years}
    positions: dict[int, int] = {}
    if not claim.index.year_columns:
        of_parts = [head for head in claim.linked.headers if head.columns <= set(columns.values())]
        return list({min(head.columns): head.start for head in of_parts if len(head.columns) == 1}.items())
    for position, token in enumerate(claim.tokens):
        if token.number is not None and token.number in columns and not claim.in_condition(position):
            positions.setdefault(columns[token.number], position)
    return list(positions.items())


def _each_step(
    claim: GroundedClaim, years: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[int]] | None:
    """Return each year's column with the next one's, of `fell every year`, and the words that say so.

    From the year on that `since` tells, up to that of `until`.
    """
    words = _words_of_steps(claim)
    columns = [column for _, column in years]
    named = _named_years(claim, years)
    if words is None or len(named) > 2:
        return None
    places = sorted(columns.index(column) for column, _ in named)
    before = [claim.texts[position - 1] if position else "" for _, position in named]
    if len(named) == 2:
        columns = columns[places[0] : places[1] + 1]
    elif named and before[0] in {"since", "from", "after"}:
        columns = columns[places[0] :]
    elif named and before[0] in {"until", "to", "till", "by"}:
        columns = columns[: places[0] + 1]
    elif named:
        return None
    openings = [position - 1 for _, position in named]
    return (list(pairwise(columns)), [*words, *openings]) if len(columns) > 1 else None


def _words_of_steps(claim: GroundedClaim) -> list[int] | None:
    """Return the words of `every year`, `each single month`, `year after year`, `from year to year`."""
    tokens = claim.tokens
    for position, token in enumerate(tokens):
        nouns = [n for n in (position + 1, position + 2) if n < len(tokens) and tokens[n].key in TIMES]
        if token.text in EACH and nouns:
            return list(range(position, nouns[0] + 1))
        again = [other.key for other in tokens[position + 2 : position + 3]]
        if token.key in TIMES and again == [token.key] and tokens[position + 1].text in _AFTER_EACH_OTHER:
            return list(range(position, position + 3))
    return None


_AFTER_EACH_OTHER = frozenset({"after", "by", "upon", "on", "to"})


def _ends(
    claim: GroundedClaim, change: Change, years: list[tuple[int, int]]
) -> tuple[int, int, list[int]] | None:
    """Return the earlier and the later column of a change, and the words that tell the times."""
    texts = claim.texts
    order = [column for _, column in years]
    years_named = _named_years(claim, years)
    opening = [n for n, text in enumerate(texts) if text in _BETWEEN_TIMES]
    pair: tuple[int, int] | None = None
    if len(years_named) == 2:
        first, last = (column for column, _ in years_named)
        if comparative(texts[change.position]) or texts[change.position] == "as":
            # What is compared stands before `than`, what it is compared with behind it.
            pair = last, first
        else:
            earlier, later = sorted((first, last), key=order.index)
            pair = earlier, later
    elif len(years_named) == 1:
        pair, words = _to_or_from(claim, years, *years_named[0])
        opening += words
    elif not years_named:
        opening += _span(claim, years, 0, len(order) - 1)
        spanned = any(token.key in _SPANS for token in claim.tokens)
        both = ("both" in texts or len(order) == 2) and not comparative(texts[change.position])
        pair = (order[0], order[-1]) if spanned or both else None
    return None if pair is None else (*pair, opening)


def _to_or_from(
    claim: GroundedClaim, years: list[tuple[int, int]], column: int, position: int
) -> tuple[tuple[int, int] | None, list[int]]:
    """Return the two columns of a change of which one year is said, and the words that tell the other."""
    texts, order = claim.texts, [column for _, column in years]
    place, last = order.index(column), len(order) - 1
    before = texts[position - 1] if position else ""
    if before in {"since", "from"} and place < last:
        return (column, order[-1]), _span(claim, years, place, last)
    since_first = _span(claim, years, 0, place)
    if before == "to" and since_first:
        return (order[0], column), since_first
    if any(len(link.places) == 1 and link.bound for link in claim.links):
        return None, []
    interval = _years_before(claim)
    if interval is not None:
        length, words = interval
        earlier = [other for year, other in years if year == years[place][0] - length]
        return ((earlier[0], column) if earlier else None), [*words]
    if not place:
        return ((column, order[-1]) if last == 1 else None), []
    return (order[place - 1], column), [n for n, text in enumerate(texts) if text in _THE_ONE_BEFORE]


def _years_before(claim: GroundedClaim) -> tuple[int, range] | None:
    """Return how long before the other time is, and the words that say so: `two years before`."""
    for position, token in enumerate(claim.tokens[:-1]):
        if token.text not in {"before", "earlier", "previously", "ago"} or position < 2:
            continue
        count, noun = claim.tokens[position - 2 : position]
        number = 1.0 if count.text == "a" else count.number
        if number and number == int(number) and noun.key in _LENGTHS:
            return int(number) * _LENGTHS[noun.key], range(position - 2, position + 1)
    return None


_LENGTHS = {word_key("year"): 1, word_key("decade"): 10}


def _span(claim: GroundedClaim, years: list[tuple[int, int]], first: int, last: int) -> list[int]:
    """Return where the number of years between two of them stands, told rightly, with the word behind it."""
    length = years[last][0] - years[first][0]
    return [
        place
        for position, token in enumerate(claim.tokens[:-1])
        if token.number == length and claim.tokens[position + 1].key == "year"
        for place in (position, position + 1)
    ]

"""Statements that rows meet conditions: bounds, yes or no, a change; of a row, all, none, most, so many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.changes import direction
from evidence_assets.tables.programs.cooccurrence import common_rows
from evidence_assets.tables.programs.grammar import Rows, Truth
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import HeaderLink, Link
from evidence_assets.tables.programs.number_programs import Aggregate, Count, Literal
from evidence_assets.tables.programs.proposal import Proposal, binding, denied, restricted, where
from evidence_assets.tables.programs.row_programs import AllRows, Without, meet
from evidence_assets.tables.programs.trigger_lexicon import EACH, comparative
from evidence_assets.tables.programs.truth_programs import All, Compare, Every, Not, OnlyThese, Share, Some

_EXCEPTING = frozenset({"except", "besides", "excluding", "but"})
_SHARES = {"half": 0.5, "third": 1 / 3, "quarter": 0.25}
_LARGER = {"double": 2.0, "doubled": 2.0, "twice": 2.0, "triple": 3.0, "tripled": 3.0, "halved": 0.5}


@dataclass(frozen=True)
class Conditions:
    """What a claim says of rows: the conditions in order, the names of rows, the words of change."""

    links: tuple[Link, ...]
    names: tuple[Link, ...]
    columns: tuple[int, ...]
    operators: tuple[int, ...]


def statement_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the rows that a claim quantifies over meet its conditions."""
    for conditions in _conditions(claim):
        yield from _quantified(claim, conditions)
    yield from _sums(claim)


def _sums(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether rows' numbers add up to what is told in a unit, or stays within what is told."""
    texts = claim.texts
    words = [n for n, text in enumerate(texts) if text in _ADDING]
    words += [n for n, text in enumerate(texts[:-1]) if text == "add" and texts[n + 1] == "up"]
    if not words:
        return
    words += [n for n, text in enumerate(texts) if text in {"exactly", "up", "add"} and n not in words]
    for link in claim.links:
        if len(link.places) != 1:
            continue
        column = min(link.places)
        relation, _, bound = link.bound.partition(" ")
        if relation in operations.RELATIONS and bound[:1].isdigit():
            number = float(bound)
        elif link.start in claim.units and not link.bound:
            number = claim.units_told.get(link.start, 0.0)
            relation = "="
        else:
            continue
        names = [other for other in claim.links if other is not link and not other.bound]
        counters = [n for n, t in enumerate(claim.tokens) if t.number is not None and t.text.isalpha()]
        names = [other for other in names if other.start not in counters]
        rows = restricted(claim, names) if names else AllRows()
        program: Truth = Compare(Aggregate("sum", rows, column), relation, Literal(number))
        total_place = [n for n in counters if not link.start <= n < link.end][:1]
        if total_place:
            program = All(
                (program, Compare(Count(rows), "=", Literal(float(claim.tokens[total_place[0]].number or 0))))
            )
        yield Proposal("sum", program, binding(claim, [*names, link], [column], [*words, *total_place]))
        return


_ADDING = frozenset({"together", "altogether", "combined", "total", "sum"})


def _conditions(claim: GroundedClaim) -> Iterator[Conditions]:
    bounds = tuple(link for link in claim.links if link.bound)
    spans = {n for link in bounds for n in range(link.start, link.end)}
    changes = list(_changes(claim))
    for change, pair, operators in changes:
        taken = {*operators, *spans}
        names = tuple(
            link for link in claim.links if not link.bound and link.number is None and link.start not in taken
        )
        others = tuple(link for link in bounds if link.start not in operators)
        yield Conditions((*others, change), names, pair, operators)
    if bounds:
        counted = _counter(claim)
        whole = _whole(claim)
        names = tuple(
            link
            for link in claim.links
            if not link.bound
            and link.start != whole
            and (counted is None or link.start not in counted.positions)
        )
        columns = tuple(
            c for head in claim.linked.headers for c in head.columns if c in claim.index.year_columns
        )
        yield Conditions(bounds, names, columns, ())


def _quantified(claim: GroundedClaim, said: Conditions) -> Iterator[Proposal]:
    conditions = [where(claim, link) for link in said.links]
    label = claim.index.table.label_column
    columns = [*said.columns, *([] if label is None else [label])]

    def proposal(kind: str, program: Truth, operators: Sequence[int]) -> Proposal:
        used = [link for link in (*said.names, *said.links) if link.start != whole]
        bound = binding(claim, used, columns, [*said.operators, *operators])
        if whole is not None:
            bound[whole] = (Role.SCOPE, "rows of the table")
        return Proposal(kind, denied(claim, program, bound), bound)

    texts = claim.texts
    each = claim.position(EACH)
    whole = _whole(claim)
    counted = _counter(claim)
    only = claim.position({"only", "alone", "solely"})
    if each is not None and len(common_rows(said.names)) != 1:
        excepted = next((n for n, t in enumerate(texts) if t in _EXCEPTING), None)
        yield from _every(claim, said, each, excepted, proposal)
    elif counted is not None:
        scope = restricted(claim, said.names) if said.names else AllRows()
        program: Truth = Compare(Count(meet([scope, *conditions])), counted.relation, Literal(counted.number))
        if counted.whole is not None:
            rows_told = Compare(Count(AllRows()), "=", Literal(counted.whole))
            program = All((program, rows_told))
        yield proposal("count", program, counted.positions)
    elif only is not None and said.names:
        program = OnlyThese(restricted(claim, said.names), meet(conditions))
        yield proposal("only", program, [only])
    elif (none := _none(texts)) and len(common_rows(said.names)) != 1:
        scope = restricted(claim, said.names) if said.names else AllRows()
        rest = proposal("none", Not(Some(meet([scope, *conditions]))), none)
        yield Proposal(rest.kind, Not(Some(meet([scope, *conditions]))), rest.bound)
    elif (share := _share(texts)) is not None:
        position, relation = share
        *scopes, predicate = conditions
        scope = meet([*(where(claim, link) for link in said.names), *scopes])
        yield proposal("majority", Share(scope, predicate, relation, 0.5), position)
    elif said.names and len(common_rows(said.names)) == 1:
        rows = meet([where(claim, link) for link in said.names])
        parts = tuple(Some(meet([rows, condition])) for condition in conditions)
        zero = len(parts) == 1 and said.links[0].bound == "= 0"
        kind = "none of a column" if zero else "condition of a row"
        yield proposal(kind, parts[0] if len(parts) == 1 else All(parts), ())


def _every(
    claim: GroundedClaim,
    said: Conditions,
    each: int,
    excepted: int | None,
    proposal: Callable[[str, Truth, Sequence[int]], Proposal],
) -> Iterator[Proposal]:
    exceptions = [link for link in said.names if excepted is not None and link.start > excepted]
    names = [link for link in said.names if link not in exceptions]
    *scopes, predicate = said.links
    parts = [link for link in (*names, *scopes) if link.start < predicate.start or link in names]
    also = [link for link in scopes if link not in parts]
    scope: Rows = restricted(claim, parts) if parts else AllRows()
    operators = [each]
    if exceptions and excepted is not None:
        scope = Without(scope, restricted(claim, exceptions))
        operators.append(excepted)
    held = Every(scope, meet([where(claim, link) for link in (predicate, *also)]))
    if exceptions:
        taken = Not(Some(meet([restricted(claim, exceptions), where(claim, predicate)])))
        yield proposal("all but", All((held, taken)), operators)
    else:
        yield proposal("all", held, operators)


@dataclass(frozen=True)
class _Counter:
    positions: tuple[int, ...]
    relation: str
    number: float
    whole: float | None


def _counter(claim: GroundedClaim) -> _Counter | None:
    """Return the number of rows that a claim tells: `two of the five`, `at least two lenders`."""
    linked = {n for link in claim.links if link.bound for n in range(link.start, link.end)}
    linked |= set(claim.units) | claim.refused
    for bound in claim.bounds:
        if _counts_rows(claim, bound.position) and bound.bound <= len(claim.index.rows):
            return _Counter(tuple(range(bound.start, bound.end)), bound.relation, bound.bound, None)
    for position, token in enumerate(claim.tokens):
        number = token.number
        if number is None or token.ordinal or position in linked or number > len(claim.index.rows):
            continue
        if number != int(number) or not token.text.isalpha() or not _counts_rows(claim, position):
            continue
        positions = [position]
        whole = None
        if claim.texts[position + 1 : position + 3] in {("of", "the"), ("of", "these")}:
            after = claim.tokens[position + 3] if position + 3 < len(claim.tokens) else None
            if after is not None and after.number is not None:
                whole = after.number
                positions.append(position + 3)
        if position and claim.texts[position - 1] in {"only", "exactly", "just"}:
            positions.append(position - 1)
        return _Counter(tuple(positions), "=", number, whole)
    return None


def _counts_rows(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number opens a claim, or its clause."""
    before = [text for text in claim.texts[:position] if text not in _OPENINGS]
    return not before or claim.texts[position - 1 : position] in {(",",)} or before == ["there", "be"]


_OPENINGS = frozenset(
    {"only", "exactly", "just", "at", "least", "most", "in", "more", "fewer", "than", "the"}
)


def _whole(claim: GroundedClaim) -> int | None:
    """Return where a claim tells how many rows there are, rightly: `each of the nine companies`."""
    for position, token in enumerate(claim.tokens[2:], 2):
        if (
            token.number == len(claim.index.rows)
            and claim.texts[position - 2 : position] in {("of", "the"), ("all", "the"), ("of", "these")}
            and token.text.isalpha()
        ):
            return position
    return None


def _none(texts: Sequence[str]) -> list[int]:
    """Return the words that deny all rows: `none`, `no fund`, `not one`, `not a single`."""
    if texts[:1] in {("none",), ("no",), ("neither",)}:
        return [0, *(n for n, text in enumerate(texts) if text == "nor")]
    for position in range(len(texts) - 2):
        following = list(texts[position + 1 : position + 3])
        if texts[position] == "not" and (following[0] == "one" or following == ["a", "single"]):
            return [position, position + 1, *([position + 2] if following[0] == "a" else [])]
    return []


def _share(texts: Sequence[str]) -> tuple[list[int], str] | None:
    """Return the words of a majority or half that opens a claim, and the relation to half."""
    if texts[:1] == ("most",):
        return [0], ">"
    if texts[:1] == ("half",):
        return [0], "="
    if tuple(texts[:3]) == ("more", "than", "half"):
        return [0, 1, 2], ">"
    return None


def _changes(claim: GroundedClaim) -> Iterator[tuple[Link, tuple[int, int], tuple[int, ...]]]:
    """Yield the rows in which a change between two columns holds, the columns, and the words that say so."""
    pair = _two_columns(claim)
    trigger = _trigger(claim)
    if (
        pair is not None
        and len(pair[1]) == 1
        and any(len(link.places) == 1 and link.bound for link in claim.links)
    ):
        return
    if pair is None or trigger is None:
        return
    (earlier, later), places = pair
    position, relation, words = trigger
    texts = claim.texts
    than = claim.position({"than"})
    if comparative(texts[position]):
        # What is compared stands before `than`, what it is compared with behind it.
        ordered = sorted(places, key=lambda head: head.start)
        if than is not None and len(ordered) > 1:
            later, earlier = min(ordered[0].columns), min(ordered[-1].columns)
        words = [*words, *([than] if than is not None else [])]
    old, new = claim.index.series[earlier], claim.index.series[later]
    both = old.keys() & new.keys()
    amount = _amount(claim, position, relation)
    if amount is None:
        rows = frozenset(row for row in both if operations.compare(new[row], relation, old[row]))
        condition = relation
    else:
        operation, number, half, at = amount
        factor = {row: new[row] / old[row] for row in both if old[row]}
        words = [*words, *at]
        if operation == ">":
            rows = frozenset(
                row
                for row, ratio in factor.items()
                if (ratio < number if relation == "<" else ratio > number)
            )
        else:
            rows = frozenset(row for row, ratio in factor.items() if abs(ratio - number) <= half)
        condition = f"{operation} {number:g} times"
    header = claim.index.table.header
    opening = [n for n, text in enumerate(texts) if text in {"from", "between", "to", "both"}]
    if len(places) == 1:
        opening += [
            n for n, text in enumerate(texts) if text in {"before", "previous", "earlier", "year", "than"}
        ]
    link = Link(
        position, position + 1, {later: rows}, frozenset({later}), 1, bound=f"{condition} {header[earlier]}"
    )
    yield link, (earlier, later), (*words, *opening)


def _trigger(claim: GroundedClaim) -> tuple[int, str, list[int]] | None:
    texts = claim.texts
    for position, text in enumerate(texts):
        following = texts[position + 1 : position + 2]
        if text in _LARGER or text in {"double", "triple", "halve"}:
            return position, "=", [position]
        if sign := direction(text):
            words = [position, *(n for n, t in enumerate(texts) if t == "same" and n > position)]
            return position, sign, words
        if text in {"go", "went", "come", "came", "gone"} and following and following[0] in {"up", "down"}:
            return position, ">" if following[0] == "up" else "<", [position, position + 1]
    for position, text in enumerate(texts):
        if text == "same":
            return position, "=", [position]
        if comparative(text) and (texts[position + 1 :].count("than") == 1 or text in {"above", "below"}):
            if any(bound.start <= position < bound.end for bound in claim.bounds):
                continue
            if not any(link.bound and link.start <= position < link.end for link in claim.links):
                return position, ">" if comparative(text) > 0 else "<", [position]
    return None


def _two_columns(claim: GroundedClaim) -> tuple[tuple[int, int], list[HeaderLink]] | None:
    """Return the earlier and the later column of a change: two named, or one and the one before."""
    years = sorted((year, column) for column, year in claim.index.year_columns.items())
    if len(years) < 2:
        return None
    order = [column for _, column in years]
    named = [head for head in claim.linked.headers if len(head.columns) == 1 and min(head.columns) in order]
    columns = sorted({min(head.columns) for head in named}, key=order.index)
    if len(columns) == 2:
        return (columns[0], columns[1]), named
    if not columns and "both" in claim.texts and len(order) == 2:
        return (order[0], order[1]), named
    if len(columns) == 1 and order.index(columns[0]):
        return (order[order.index(columns[0]) - 1], columns[0]), named
    return None


def _amount(claim: GroundedClaim, position: int, relation: str) -> tuple[str, float, float, list[int]] | None:
    """Return by which factor a change is told, how nearly, and the words that tell it; None without one."""
    texts = claim.texts
    factor = _LARGER.get(texts[position]) or {"double": 2.0, "triple": 3.0, "halve": 0.5}.get(texts[position])
    if factor:
        marks = [n for n, text in enumerate(texts) if text in {"as", "long", "many", "much", "high"}]
        least = "more" in texts[:position]
        return (">" if least else "="), factor, 1e-9, marks
    sign = -1 if relation == "<" else 1
    for place in range(position + 1, len(texts)):
        opening = texts[place - 1] in {"by", "a", "one"} or place - position <= 3
        if texts[place] in _SHARES and opening and texts[place + 1 : place + 2] != ("year",):
            more = texts[place - 2 : place] == ("more", "than")
            at = [place, *(n for n in range(position + 1, place) if texts[n] in {"by", "more", "than", "a"})]
            return (">" if more else "="), 1 + sign * _SHARES[texts[place]], 5e-4, at
        number = claim.tokens[place].number
        if number is not None and texts[place + 1 : place + 2] in {("%",), ("percent",)}:
            half = 0.5 * 10.0 ** -len(texts[place].partition(".")[2]) / 100
            return "=", 1 + sign * number / 100, half, [place, place + 1, place - 1]
    return None

"""Programs of how many times and by how much one number is another: ratios, differences, sameness, order."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.comparisons import rivals, single_rows
from evidence_assets.tables.programs.extrema import named_or_only_columns
from evidence_assets.tables.programs.grammar import Truth
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.number_programs import (
    Arithmetic,
    Cell,
    Literal,
    Mean,
)
from evidence_assets.tables.programs.proposal import (
    Proposal,
    binding,
    decimals_of,
    denied,
    numeric_columns,
    where,
)
from evidence_assets.tables.programs.truth_programs import Compare, Not, Same

_TIMES = {"twice": 2.0, "double": 2.0, "triple": 3.0, "thrice": 3.0, "half": 0.5}
_MEASURES = frozenset({"many", "much", "high", "large", "long", "big", "old", "heavy", "tall", "great"})


def ratio_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether one row's number equals another's, or is the claimed multiple of it."""
    texts = claim.texts
    marks = [position for position, text in enumerate(texts) if text == "as"]
    if len(marks) < 2 or marks[-1] - marks[0] < 2:
        return
    second = marks[-1]
    first = next((n for n in marks if texts[n + 1] != "as"), second)
    if second - first < 2 or texts[first + 1] not in _MEASURES:
        return
    before = [link for link in claim.links if link.end <= first and not link.bound]
    after = [link for link in claim.links if link.start > second and not link.bound]
    times, operators = _times(claim, first)
    heads = [head for head in claim.linked.headers if first < head.start < second]
    for column, is_named in named_or_only_columns(claim, heads, first + 1):
        before_links = [link for link in before if link.start not in operators]
        top, bottom = single_rows(claim, before_links, column), single_rows(claim, after, column)
        if top is None or bottom is None or top[0].run(claim.index).rows == bottom[0].run(claim.index).rows:
            continue
        ratio = Arithmetic("/", Cell(top[0], column), Cell(bottom[0], column))
        program = Compare(ratio, "=", Literal(times), _RATIO_DECIMALS)
        bound = binding(claim, [*top[1], *bottom[1]], [column], [*operators, first, first + 1, second])
        if program.run(claim.index).truth is None:
            continue
        yield Proposal(
            "ratio" if is_named else "ratio in the only column", denied(claim, program, bound), bound
        )
        return


_RATIO_DECIMALS = 1


def _times(claim: GroundedClaim, end: int) -> tuple[float, list[int]]:
    """Return by how much a claim multiplies, and the words that say so: `twice`, `3 times`; 1 without any."""
    for position in range(end - 1, -1, -1):
        if claim.texts[position] in _TIMES:
            return _TIMES[claim.texts[position]], [position]
        number = claim.tokens[position].number
        if number is not None and claim.texts[position + 1] in {"time", "times"}:
            return number, [position, position + 1]
    return 1.0, []


def difference_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the difference between two rows' numbers is the claimed one."""
    word = claim.position({"difference"})
    if word is None:
        return
    links = rivals(claim)
    numbers = [
        (position, token.number)
        for position, token in enumerate(claim.tokens)
        if token.number is not None and not any(link.start <= position < link.end for link in links)
    ]
    if len(links) < 2 or not numbers:
        return
    position, number = numbers[-1]
    decimals = decimals_of(claim, position)
    for column in numeric_columns(claim, claim.linked.headers):
        first, second = single_rows(claim, links[:1], column), single_rows(claim, links[1:2], column)
        if (
            first is None
            or second is None
            or first[0].run(claim.index).rows == second[0].run(claim.index).rows
        ):
            continue
        gap = Arithmetic("-", Cell(first[0], column), Cell(second[0], column))
        value = gap.run(claim.index).number or 0.0
        claimed = Literal(number if value >= 0 else -number)
        bound = binding(claim, links[:2], [column], [word], [position])
        program = Compare(gap, "=", claimed, decimals or None)
        yield Proposal("difference", denied(claim, program, bound), bound)
        return


def sameness_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the listed rows have the same value in the column that the claim names."""
    same = claim.position({"same", "different", "equal", "identical"})
    if same is None:
        return
    links = [link for link in rivals(claim) if link.rows]
    if not links or any(len(link.rows) != 1 for link in links):
        return
    heads = [head for head in claim.linked.headers if head.start > same]
    for head in heads or list(reversed(claim.linked.headers)):
        column = min(head.columns)
        if len({link.rows for link in links}) < 2 or any(column in link.places for link in links):
            continue
        program: Truth = Same(tuple(where(claim, link) for link in links), column)
        listing = [n for n, text in enumerate(claim.texts) if text in {"both", "all"}]
        bound = binding(claim, links, [column], [same, *listing])
        program = Not(program) if claim.texts[same] == "different" else program
        yield Proposal("sameness", denied(claim, program, bound), bound)
        return


def order_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether one value of a column comes before or after another in the table's dates."""
    position = claim.position({"before", "after"})
    if position is None:
        return
    for one in (link for link in reversed(claim.links) if link.end <= position):
        for two in (link for link in claim.links if link.start > position):
            shared = sorted(one.places.keys() & two.places.keys())
            if not shared or one.bound or two.bound or one.rows & two.rows:
                continue
            dated = next(iter(claim.index.dated), None)
            first, second = (Mean(where(claim, link.within(shared[:1])), dated) for link in (one, two))
            relation = "<" if claim.texts[position] == "before" else ">="
            bound = binding(claim, [one, two], (), [position])
            program = Compare(first, relation, second)
            yield Proposal("order", denied(claim, program, bound), bound)
            return

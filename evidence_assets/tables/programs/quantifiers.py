"""Claims about all, only, none, most, except, and about sums and averages."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.claimed_shares import ClaimedShare, claimed_share, fraction
from evidence_assets.tables.programs.comparisons import single_rows
from evidence_assets.tables.programs.cooccurrence import common_rows
from evidence_assets.tables.programs.denials_of_all import none_programs
from evidence_assets.tables.programs.exceptions import all_but_programs, all_but_so_many, sole_programs
from evidence_assets.tables.programs.extreme_columns import named_or_only_columns
from evidence_assets.tables.programs.grammar import Number, Rows, Truth
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.number_programs import (
    Aggregate,
    Arithmetic,
    Cell,
    Count,
    Distinct,
    Literal,
)
from evidence_assets.tables.programs.proposal import (
    Proposal,
    binding,
    decimals_of,
    denied,
    numeric_columns,
    proposed,
    restricted,
)
from evidence_assets.tables.programs.quantifier_words import excepted_number
from evidence_assets.tables.programs.row_programs import AllRows, Meet, Without
from evidence_assets.tables.programs.trigger_lexicon import (
    AGGREGATING,
    AVERAGING,
    adding_words,
    each_word,
    exception,
    restricting,
)
from evidence_assets.tables.programs.truth_programs import All, Compare, Every, OnlyThese, Share, Some
from evidence_assets.tables.programs.words import AUXILIARIES


def quantifier_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield the programs of the claim's quantifiers and aggregates."""
    yield from _aggregate(claim)
    yield from _majority(claim)
    yield from _share_of_total(claim)
    yield from _share_in_percent(claim)
    yield from _only(claim)
    yield from sole_programs(claim)
    yield from _every(claim)
    yield from none_programs(claim)
    yield from _all_different(claim)
    yield from _both(claim)


def _all_different(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `no two rows have the same C`, `each has a different C`: no value of the column comes twice."""
    texts = claim.texts
    word = claim.position({"same", "different"})
    if word is None:
        return
    quantifier = claim.position({"no", "never"}) if texts[word] == "same" else each_word(texts)
    if quantifier is None or quantifier > word:
        return
    head = next((head for head in claim.linked.headers if head.start > word), None)
    if head is None:
        return
    column = min(head.columns)
    links = [link for link in claim.links if link.number is None and column not in link.places]
    rows = restricted(claim, links)
    numbers = [n for n in range(quantifier, word) if claim.tokens[n].number in {1.0, 2.0}]
    bound = binding(claim, links, [column], [quantifier, word], numbers)
    yield Proposal("all different", Compare(Distinct(rows, column), "=", Count(rows)), bound)


def _both(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `both of the A have C`: there are two, and each has it."""
    position = claim.position({"both"})
    if position is None:
        return
    inside, predicates = _parts(claim, position)
    if not predicates:
        inside, predicates = inside[:1], inside[1:]
    two = [n for n in range(position) if claim.tokens[n].number == _PAIR and not claim.tokens[n].ordinal]
    before = [link for link in claim.links if link.end <= position and link.start not in two]
    if _floats(claim, position, before):
        inside, predicates = [], [*inside, *predicates]
    elif not inside or any(len(link.rows) == 1 for link in inside):
        return
    if not predicates:
        return
    scope = restricted(claim, [*before, *inside])
    program = All((Compare(Count(scope), "=", Literal(2.0)), Every(scope, restricted(claim, predicates))))
    yield proposed(claim, "both", program, claim.links, operators=[position, *two])


_PAIR = 2


def _parts(claim: GroundedClaim, position: int) -> tuple[list[Link], list[Link]]:
    """Return the links between a word and the next copula, and the links after that copula."""
    texts = claim.texts
    copula = next((n for n in range(position + 1, len(texts)) if texts[n] in _VERBS), len(texts))
    inside = [link for link in claim.links if position < link.start < copula]
    return inside, [link for link in claim.links if link.start > copula]


_VERBS = frozenset({"be", "have", "is", "are", "was", "were", "had", "has", "take", "end", "come"})


def _majority(claim: GroundedClaim) -> Iterator[Proposal]:
    share = claimed_share(claim.tokens)
    if share is None:
        return
    operators = share.words
    scope, predicates = _parts(claim, operators[-1])
    if not predicates and scope and scope[0].start - operators[-1] > _BEHIND_OF_THE:
        scope, predicates = [], scope
    label = claim.index.table.label_column
    if not predicates or any(len(link.rows) == 1 and link.places.keys() == {label} for link in predicates):
        # What one row is called is no share of the rows.
        return
    bound = binding(claim, [*scope, *predicates], operators=operators)
    holding = restricted(claim, predicates)
    if claim.negation is not None and operators[-1] < claim.negation < predicates[0].start:
        holding = Without(AllRows(), holding)
        bound[claim.negation] = (Role.OPERATOR, "negation")
    program = Share(restricted(claim, scope), holding, share.relation, share.share)
    yield Proposal("majority", denied(claim, program, bound), bound)


# What a share is of stands no further behind it: `most of the Dunholt beekeepers`.
_BEHIND_OF_THE = 3


def _share_of_total(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A has more than half of all C`: A's number beside the sum of the column's."""
    texts, index = claim.texts, claim.index
    part = fraction(claim.tokens)
    if part is None:
        return
    place = part.words[-1]
    if "of" not in texts[place : place + 3] or texts[place + 1 : place + 3] in {("of", "a"), ("of", "an")}:
        return
    every = [n for n, text in enumerate(texts) if text == "all" and n > place]
    for column, _ in named_or_only_columns(claim, claim.linked.headers, place):
        rows = single_rows(claim, claim.names, column)
        if rows is None or "%" in index.told_units[column] or column in index.years:
            continue
        total = Aggregate("sum", AllRows(), column)
        program, words = near_share(claim, part, Arithmetic("% of", Cell(rows[0], column), total))
        yield proposed(claim, "share of a total", program, rows[1], [column], [*words, *every])
        return


def _share_in_percent(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `two thirds of A are C`, `nearly half`, of a column told in percent: A's number is near it."""
    part = fraction(claim.tokens)
    if part is None:
        return
    for column in numeric_columns(claim, claim.linked.headers):
        rows = single_rows(claim, claim.names, column)
        if rows is None or "%" not in claim.index.told_units[column]:
            continue
        program, words = near_share(claim, part, Cell(rows[0], column))
        yield proposed(claim, "share in percent", program, rows[1], [column], words)
        return


def near_share(claim: GroundedClaim, part: ClaimedShare, number: Number) -> tuple[Truth, list[int]]:
    """Return whether a number of percent is the share that a claim tells, and the words that say so."""
    opening = part.words[0]
    near = [opening - 1] if opening and claim.texts[opening - 1] in _NEAR else []
    below, above = _NEAR[claim.texts[near[0]]] if near else (_ROUNDED, _ROUNDED)
    percent = 100 * part.share
    if part.relation != "=":
        return Compare(number, part.relation, Literal(percent)), [*part.words, *near]
    least, most = Literal(percent - below), Literal(percent + above)
    return All((Compare(number, ">=", least), Compare(number, "<=", most))), [*part.words, *near]


# How many percent a share may be below what is told, and above it: by itself, and behind a word.
_ROUNDED = 1.0
_NEAR = {
    **dict.fromkeys(("about", "around", "roughly", "approximately", "some"), (4.0, 4.0)),
    **dict.fromkeys(("nearly", "almost"), (5.0, 0.0)),
    "exactly": (0.4, 0.4),
}


def _only(claim: GroundedClaim) -> Iterator[Proposal]:
    position = claim.position({"only", "sole", "solely"})
    if position is None or any(
        claim.tokens[n].number is not None and n not in {*claim.linked.inside_names, *claim.pronouns}
        for n in range(position + 1, min(len(claim.tokens), position + 4))
    ):
        return
    holders = [link for link in claim.links if link.end <= position]
    predicates = [link for link in claim.links if link.start > position]
    if not holders:
        predicates, holders = _parts(claim, position)
        if not predicates or not holders:
            # `only A has B`: what stands first is the holder.
            behind = [link for link in claim.links if link.start > position]
            predicates, holders = behind[1:], behind[:1]
        elif claim.texts[position + 1 : position + 2] == ("the",) or predicates[0].start == position + 1:
            predicates, holders = holders, predicates
    if not holders or not predicates:
        return
    holds = restricted(claim, holders), restricted(claim, predicates)
    program, words = only_these(claim, position, *holds, predicates[0].start)
    yield proposed(claim, "only", program, [*holders, *predicates], operators=words)


def only_these(
    claim: GroundedClaim, position: int, holders: Rows, holding: Rows, start: int
) -> tuple[Truth, list[int]]:
    """Return whether some rows alone meet what is told from a position on, and the words that say so.

    Denied before `only`, others meet it too; behind it, the rows are those that do not.
    """
    denial = claim.negation
    if denial is not None and denial < position:
        both = Some(Meet((holders, holding))), Some(Without(holding, holders))
        return All(both), [position, denial]
    if denial is not None and denial < start:
        return OnlyThese(holders, Without(AllRows(), holding)), [position, denial]
    return OnlyThese(holders, holding), [position]


def _every(claim: GroundedClaim) -> Iterator[Proposal]:
    position = each_word(claim.texts)
    if position is None:
        return
    but_number = excepted_number(claim.tokens)
    if but_number is not None:
        inside, behind = _parts(claim, but_number[-1])
        if inside or behind:
            yield all_but_so_many(claim, but_number, inside if behind else (), behind or inside)
        return
    scope_links, predicates = _parts(claim, position)
    before = [link for link in claim.links if link.end <= position]
    if _floats(claim, position, before) and not (scope_links and predicates):
        scope_links, predicates = before, [*scope_links, *predicates]
    if not predicates:
        scope_links, predicates = scope_links[:-1], scope_links[-1:]
    if restricting(claim.texts, position) is not None and not scope_links:
        # Which rows `every animal that another practice sent` speaks of is not told.
        return
    excepted = exception(claim.texts, range(len(claim.texts)))
    if excepted is None:
        excepted = _but_behind(claim.texts, position)
    if excepted is not None:
        yield from all_but_programs(claim, position, excepted)
    if not predicates or excepted is not None:
        return
    program = Every(restricted(claim, scope_links), restricted(claim, predicates))
    yield proposed(claim, "all", program, [*scope_links, *predicates], operators=[position])


def _but_behind(texts: tuple[str, ...], position: int) -> int | None:
    """Return where `but` excepts from what a quantifier speaks of, before the verb: `every van but one`."""
    verb = next((n for n, text in enumerate(texts) if n > position and text in _VERBS), None)
    end = min(len(texts), position + _NEAR_BUT) if verb is None else verb
    return next((n for n in range(position, end) if texts[n] == "but" and texts[n - 1] != ","), None)


# So far behind a quantifier `but` excepts, where no verb ends what it speaks of.
_NEAR_BUT = 4


def _floats(claim: GroundedClaim, position: int, before: list[Link]) -> bool:
    """Return whether a quantifier speaks of what stands before it: `the vans of Osen were all sold`."""
    several = bool(before) and len(common_rows(tuple(before))) > 1
    label = frozenset({claim.index.table.label_column})
    heads = [head for head in claim.linked.headers if head.start == position + 1 and head.columns == label]
    opens = bool(heads) or claim.texts[position + 1 : position + 2] in _PARTITIVE
    stands = claim.texts[position - 1] in AUXILIARIES or claim.texts[position] == "without"
    return several and (stands or before[-1].end == position) and not opens


_PARTITIVE = {("of",), ("the",), ("these",), ("those",)}


# Words before `all` where it says of what a sum or an average is.
_OF_ALL = frozenset({"of", "for", "across", "over", "among"})


def _aggregate(claim: GroundedClaim) -> Iterator[Proposal]:
    texts, index = claim.texts, claim.index
    adding = [n for n in adding_words(texts, range(len(texts))) if not claim.linked.in_header(n)]
    aggregating = (n for n, text in enumerate(texts) if text in AGGREGATING and not claim.linked.in_header(n))
    word = next(aggregating, adding[0] if adding else None)
    if word is None:
        return
    numbers = [
        (position, token.number)
        for position, token in enumerate(claim.tokens)
        if token.number is not None
        and not token.ordinal
        and (
            position in claim.numbers
            or any(link.start == position and link.number is not None for link in claim.links)
        )
    ]
    if not numbers:
        return
    row_counts = [n for n, value in numbers if value == len(index.rows) and claim.tokens[n].text.isalpha()]
    position, number = next(((n, v) for n, v in reversed(numbers) if n not in row_counts), numbers[-1])
    number = claim.column_numbers.get(position) or number
    heads = sorted(claim.linked.headers, key=lambda head: abs(head.start - word))
    columns = numeric_columns(claim, heads)
    of_unit = [c for link in claim.links if link.start == position in claim.units for c in sorted(link.full)]
    # What names the rows is not added up.
    column = next((c for c in (*of_unit, *columns) if c != index.table.label_column), None)
    if column is None:
        return
    links = [
        link for link in claim.links if not link.start <= position < link.end and link.start not in row_counts
    ]
    name = "average" if texts[word] in AVERAGING else "sum"
    rows = restricted(claim, links)
    # The sum of one row is its number; its average would be said of several.
    if len(rows.run(index).rows & index.series[column].keys()) < (2 if name == "average" else 1):
        return
    decimals = decimals_of(claim, position)
    adding += [n for n, text in enumerate(texts) if text == "exactly"]
    adding += [n for n in range(1, len(texts)) if texts[n] == "all" and texts[n - 1] in _OF_ALL and not links]
    adding += [n for n in row_counts if n != position]
    program = Compare(Aggregate(name, rows, column), "=", Literal(float(number or 0)), decimals or None)
    yield proposed(claim, name, program, links, [column], [word, *adding], [position])

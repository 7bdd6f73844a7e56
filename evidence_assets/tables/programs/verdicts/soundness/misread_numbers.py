"""Whether a program reads another number than its claim: what rows go by, one of several, a deposit."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Count, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Extreme, Where
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, limit_of
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.proposal import STATING, Proposal
from evidence_assets.tables.programs.readings.parts.target_columns import is_a_number_of_rows
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.quantities import converted, unit_name
from evidence_assets.tables.programs.wording.rates_of_time import reckons_by_another_time, times_reckoned_by
from evidence_assets.tables.programs.wording.trigger_lexicon import MOST_OR_FEWEST, is_graded
from evidence_assets.tables.programs.wording.words import singular, word_key, word_keys
from evidence_assets.tables.table import Kind
from evidence_assets.text.words import SCALES, words


def _measures_what_numbers_rows(outcome: Outcome) -> bool:
    """Return whether the numbers that rows go by are counted or measured: `more than one job` of job 412."""
    claim, proposal = outcome.claim, outcome.proposal
    index = claim.index
    if any(
        head.start == link.end and all(is_a_number_of_rows(index, column) for column in head.columns)
        for link in claim.links
        for head in claim.linked.headers
        if link.start in proposal.bound and limit_of(link) and link.places.keys() == head.columns
    ):
        return True
    if any(
        isinstance(part, Extreme)
        and is_a_number_of_rows(index, part.column)
        and _is_most_of_something_else(claim, proposal, part.column)
        for part in proposal.parts
    ):
        return True
    if any(
        isinstance(side, Cell) and is_a_number_of_rows(index, side.column) and side.column not in index.times
        for part in proposal.parts
        if isinstance(part, Arithmetic)
        for side in (part.left, part.right)
    ):
        return True
    compared = [
        part.link for part in proposal.parts if isinstance(part, Where) and _is_beside_a_column(part.link)
    ]
    return any(
        is_a_number_of_rows(index, column) or _is_a_time_beside_an_amount(index, column, link.bound)
        for link in compared
        for column in link.places
    )


def _is_a_time_beside_an_amount(index: TableIndex, column: int, bound: str) -> bool:
    """Return whether times are compared with what tells none: `Opened < Target`."""
    others = {name: place for place, name in enumerate(index.table.header)}
    other = others.get(bound.partition(" ")[2])
    return other is not None and (column in index.times) != (other in index.times)


def _counts_so_many_of_one(outcome: Outcome) -> bool:
    """Return whether so many of what one row is, compared, are read as rows or as a difference.

    `Two croissants cost less than a brioche`.
    """
    claim, proposal = outcome.claim, outcome.proposal
    label = claim.index.table.label_column
    counted = (
        link.start - 1
        for link in claim.links
        if link.start and label in link.places and len(link.rows) == 1 and not link.bound
    )
    opening = (n for n in counted if not n or claim.texts[n - 1] in _OPENING_A_CLAUSE)
    return "than" in claim.texts and any(
        claim.tokens[n].number is not None and not claim.tokens[n].ordinal and n in proposal.bound
        for n in opening
        if n not in claim.headed
    )


_OPENING_A_CLAUSE = frozenset({",", "that", "and", "but", "while"})


def _is_beside_a_column(link: Link) -> bool:
    """Return whether rows stand in a relation to what another column tells."""
    return link.bound[:1] in ("<", ">") and limit_of(link) is None


def _is_most_of_something_else(claim: GroundedClaim, proposal: Proposal, column: int) -> bool:
    """Return whether another word than a column's header stands behind `most`: `the most expensive job`."""
    return any(
        item.word in MOST_OR_FEWEST
        and item.start in proposal.bound
        and not any(head.start == item.end and column in head.columns for head in claim.linked.headers)
        for item in claim.superlatives
    )


def _bounds_what_is_not_counted(outcome: Outcome) -> bool:
    """Return whether a bound on a column stands right before another's header: `more than one supplier`."""
    claim, proposal = outcome.claim, outcome.proposal
    bounds = [link for link in claim.links if link.start in proposal.bound and limit_of(link)]
    return any(
        head.start == link.end
        and head.columns.isdisjoint(link.places)
        and not any(map(claim.index.is_numeric, head.columns))
        and singular(claim.texts[head.start]) in header_words(claim, head)
        for link in bounds
        for head in claim.linked.headers
    )


def header_words(claim: GroundedClaim, head: HeaderLink) -> list[str]:
    """Return the words of the headers that a span names, as they are written, in small letters."""
    return words(" ".join(claim.index.table.header[column] for column in head.columns).lower())


def _takes_half_of_a_compound(outcome: Outcome) -> bool:
    """Return whether a share is read that only begins another word: `half-timbered`."""
    claim, proposal = outcome.claim, outcome.proposal
    return any(
        text in _SHARES and _is_joined(claim, n) and proposal.bound.get(n, (None,))[0] is Role.OPERATOR
        for n, text in enumerate(claim.texts[:-2])
    )


def _is_joined(claim: GroundedClaim, position: int) -> bool:
    """Return whether a hyphen joins a word to another word behind it, which is no number."""
    word, hyphen, other = claim.tokens[position : position + 3]
    touches = word.end == hyphen.start and hyphen.end == other.start
    return hyphen.text == "-" and touches and other.number is None


_SHARES = frozenset({"half", "quarter"})


def _leaves_what_it_is_per(outcome: Outcome) -> bool:
    """Return whether a claim reckons for another thing than a column: per kilogram, of a `Price per pack`."""
    claim, result, rest = outcome.claim, outcome.result, outcome.rest
    columns = {column for _, column in result.cells}
    names = [words(claim.index.table.header[column].lower()) for column in columns]
    times = times_reckoned_by(claim.texts)
    if reckons_by_another_time(
        (times[n] for n in times if n in rest), claim.index.times_reckoned_by(columns)
    ):
        return True
    of_others = {word for name in names if "per" in name[:-1] for word in name[name.index("per") + 1 :]}
    said = [n + 1 for n, text in enumerate(claim.texts) if text == "per" and rest.get(n + 1) is Left.WORD]
    return bool(of_others) and any(not _is_alike(claim.texts[n], of_others) for n in said)


def _is_alike(word: str, others: Collection[str]) -> bool:
    """Return whether a word is for one of others, by its unit too: `person` of `head`."""
    if word in _PEOPLE and not _PEOPLE.isdisjoint(others):
        return True
    unit = unit_name(word)
    return any(
        word_key(word) == word_key(other)
        or (unit and unit_name(other) and converted(1.0, unit, unit_name(other)) is not None)
        for other in others
    )


_PEOPLE = frozenset({"head", "person", "people", "capita", "inhabitant", "resident"})


def _leaves_what_it_is_worth(outcome: Outcome) -> bool:
    """Return whether money of something else is read of what a claim says to be worth it: of a deposit."""
    claim, result, rest = outcome.claim, outcome.result, outcome.rest
    worth = claim.position({"worth"})
    if worth is None or worth not in rest:
        return False
    tells_money = any(token.number is not None for token in claim.tokens[worth + 1 : worth + 3])
    names = (claim.index.headers[column] for _, column in result.cells)
    return tells_money and _OF_WORTH.isdisjoint(key for keys in names for key in keys)


_OF_WORTH = word_keys("worth value valuation price cost estimate")


def _leaves_which_end_of_a_range(outcome: Outcome) -> bool:
    """Return whether a claim is of the upper end of cells that tell ranges, which a program reads whole.

    A `lower` or `maximum` that is left decides by itself.
    """
    claim, result, rest = outcome.claim, outcome.result, outcome.rest
    rows = claim.index.table.rows
    is_of_an_end = any(text == "upper" and rest.get(n) is Left.WORD for n, text in enumerate(claim.texts))
    return is_of_an_end and any(
        row >= 0 and rows[row][column].value.kind is Kind.RANGE for row, column in result.cells
    )


def _takes_one_of_several_for_the_most(outcome: Outcome) -> bool:
    """Return whether one number of several bears out what is said of the most: `the longest jump was 7 m`.

    Of a column that tells the longest jump of each of several.
    """
    claim, proposal, result = outcome.claim, outcome.proposal, outcome.result
    return (
        bool(result.truth)
        and proposal.kind.startswith(STATING)
        and not any(link.start in proposal.bound for link in claim.names)
        and any(
            head.start in proposal.bound
            and any(is_graded(text, "est") for text in claim.texts[head.start : head.end])
            and any(len({*claim.index.series[column].values()}) > 1 for column in head.columns)
            for head in claim.linked.headers
        )
    )


def _is_refuted_by_how_many(outcome: Outcome) -> bool:
    """Return whether a sum is refuted by how many rows there are, where nothing tells which are meant.

    `The two vans cost 900 together` is of two that were named before, not of all five.
    """
    claim, proposal, result = outcome.claim, outcome.proposal, outcome.result
    return (
        result.truth is False
        and proposal.kind == "sum"
        and any(
            number != len(claim.index.rows - claim.index.summaries) for number in _numbers_of_all(proposal)
        )
    )


def _numbers_of_all(proposal: Proposal) -> Iterator[float]:
    """Yield how many rows a program takes all rows to be."""
    for part in proposal.parts:
        if (
            isinstance(part, Compare)
            and isinstance(part.left, Count)
            and isinstance(part.left.rows, AllRows)
            and isinstance(part.right, Literal)
        ):
            yield part.right.number


def _takes_the_top_for_a_value(outcome: Outcome) -> bool:
    """Return whether a number behind `top` is taken for a cell's: `made the top ten`."""
    claim, proposal = outcome.claim, outcome.proposal
    tokens = claim.tokens
    top = {
        n
        for n in range(1, len(tokens))
        if tokens[n].number is not None and tokens[n - 1].text == "top" and n - 1 in proposal.bound
    }
    return any(
        link.start in top and link.start in proposal.bound and not (link.bound or _tells_the_top(claim, link))
        for link in claim.links
    )


def _tells_the_top(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a column of a number is itself of those at the top: `Top 5`."""
    return any("top" in words(claim.index.table.header[column].lower()) for column in link.places)


def _is_of_another_scale(outcome: Outcome) -> bool:
    """Return whether millions are compared with what a caption tells in them: 50 of `US$ million`."""
    claim, proposal, result = outcome.claim, outcome.proposal, outcome.result
    caption = words(claim.index.table.caption.lower())
    scales = {scale for word, scale in SCALES.items() if word in caption}
    scaled = [token for token in claim.tokens if token.number is not None and token.scale in scales]
    if not scaled:
        return False
    numbers = [
        abs(claim.index.series[column][row])
        for row, column in result.cells
        if row in claim.index.series[column]
    ]
    literals = [part.number for part in proposal.parts if isinstance(part, Literal)]
    largest = max(numbers, default=0.0)
    return any(literal >= _FAR_BEYOND * largest > 0 for literal in literals if literal >= min(scales))


_FAR_BEYOND = 100.0


def _asks_one_of_a_slice(outcome: Outcome) -> bool:
    """Return whether one row is asked for what several are said to be: `in the first three months`."""
    claim, proposal = outcome.claim, outcome.proposal
    several = any(
        link.bound.startswith("in the ") and len(link.rows) > 1 and link.start in proposal.bound
        for link in claim.links
    )
    bounded = any(limit_of(link) and link.start in proposal.bound for link in claim.links)
    return several and bounded and proposal.kind.startswith(STATING)


def _may_be_of_a_time_in_all(outcome: Outcome) -> bool:
    """Return whether a bound is held against each of several rows of a time, and their sum comes to another.

    `Mia covered more than 40 km in May`, on three days.
    """
    index, proposal = outcome.claim.index, outcome.proposal
    if not proposal.kind.startswith(STATING):
        return False
    told = [part.link for part in proposal.parts if isinstance(part, Where)]
    bounds = [(link, limit) for link in told if (limit := limit_of(link)) and len(link.places) == 1]
    others = [link for link in told if limit_of(link) is None]
    times = [link for link in others if link.places and link.places.keys() <= {*index.dated}]
    is_of_a_name = bool(times) and len(others) > len(times) and len(bounds) == 1
    rows = common_rows(tuple(others)) if is_of_a_name else frozenset[int]()
    if len(rows) < _SEVERAL:
        return False
    (_, (relation, bound)), (column,) = bounds[0], bounds[0][0].places
    total = sum(index.series[column].get(row, 0.0) for row in rows)
    return operations.compare(total, relation, bound) is not bool(outcome.result.truth)


_SEVERAL = 2


def _is_beyond_its_own_bound(outcome: Outcome) -> bool:
    """Return whether having something is read besides a bound on it: `have flash points below zero`."""
    claim, proposal = outcome.claim, outcome.proposal
    bounds = [link for link in claim.links if link.start in proposal.bound and link.bound]
    having = [link for link in bounds if link.bound == "> 0"]
    return any(
        other is not link and other.places.keys() == link.places.keys() and other.rows.isdisjoint(link.rows)
        for link in having
        for other in bounds
    )


def _is_in_far_other_units(outcome: Outcome) -> bool:
    """Return whether days are held against minutes, or weeks against hours, of a column that is not named."""
    claim = outcome.claim
    named = {column for head in claim.linked.headers for column in head.columns}
    return any(
        column not in named
        and any(
            column_unit in _OF_CLOCKS and (converted(1.0, unit, column_unit) or 0.0) > _FAR
            for column_unit in claim.index.told_units[column]
        )
        for link in claim.links
        if link.start in outcome.proposal.bound
        and (unit := claim.units.get(link.start, ((), ""))[1]) in _LONG_TIMES
        for column in link.places
    )


_LONG_TIMES, _FAR = frozenset({"day", "week", "month", "year"}), 100.0
_OF_CLOCKS = frozenset({"hour", "minute", "second"})


def _is_the_number_of_a_row(outcome: Outcome) -> bool:
    """Return whether a number right behind the noun for rows is read of another column: of `hive 6`."""
    claim, label = outcome.claim, outcome.claim.index.table.label_column
    used = [part.link for part in outcome.proposal.parts if isinstance(part, Where)]
    return any(
        head.columns == {label}
        and head.end == link.start
        and link.number is not None
        and not link.bound
        and label not in link.places
        and link.start in outcome.proposal.bound
        and link in used
        and not claim.linked.in_header(link.end)
        for link in claim.links
        for head in claim.linked.headers
    )


CHECKS = (
    Check(_is_in_far_other_units, "no column is told in such units"),
    Check(_is_the_number_of_a_row, "the number is one that a row goes by"),
    Check(_measures_what_numbers_rows, "rows go by that number, and it measures nothing"),
    Check(_counts_so_many_of_one, "the claim is of several of what one row tells"),
    Check(_bounds_what_is_not_counted, "the number is a bound on another column than the claim counts"),
    Check(_takes_half_of_a_compound, "the share is part of a longer word"),
    Check(_leaves_what_it_is_per, "the column reckons for another thing than the claim"),
    Check(_leaves_what_it_is_worth, "the column does not tell what anything is worth"),
    Check(_leaves_which_end_of_a_range, "the claim is of one end of a range"),
    Check(_takes_one_of_several_for_the_most, "the column tells the most of each, and the claim is of all"),
    Check(_is_refuted_by_how_many, "the claim does not say which rows are added up"),
    Check(_takes_the_top_for_a_value, "the number says how many are at the top"),
    Check(_is_of_another_scale, "the number is told in another scale"),
    Check(_asks_one_of_a_slice, "the claim is of several rows together"),
    Check(_may_be_of_a_time_in_all, "the claim may be of several rows together"),
    Check(_is_beyond_its_own_bound, "the number bounds what rows were said to have"),
)

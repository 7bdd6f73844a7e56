"""Whether a program counts other things than its claim: all things for some, rows for one thing."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import (
    Aggregate,
    Arithmetic,
    Count,
    Distinct,
    Literal,
)
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Meet, Where, rows_by_value
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.index.columns.untold_cells import tells_that_there_is_none
from evidence_assets.tables.programs.index.derived.quotients import OF_EACH
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.plans import PLANNED, plan_and_actual
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.leftovers.idle_words import OF_PEOPLE
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome, decisive_words
from evidence_assets.tables.programs.wording.words import is_plural, singular, word_key
from evidence_assets.text.words import words


def _counts(proposal: Proposal) -> list[Count | Distinct]:
    return [part for part in proposal.parts if isinstance(part, Count | Distinct)]


def _counts_all_for_some(outcome: Outcome) -> bool:
    """Return whether all things are counted, and what is said of some of them is left: `two are sold out`."""
    counts = _counts(outcome.proposal)
    is_of_some = Left.WORD in outcome.rest.values() and outcome.claim.texts[0] != "there"
    return (
        bool(counts)
        and is_of_some
        and all(isinstance(part, Distinct) and isinstance(part.rows, AllRows) for part in counts)
    )


def _adds_up_something_else(outcome: Outcome) -> bool:
    """Return whether dates are added up, what numbers rows, another column than is named, or all for some."""
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
    index = claim.index
    sums = [part for part in proposal.parts if isinstance(part, Aggregate) and part.name == "sum"]
    left = {
        column
        for head in claim.linked.headers
        if all(rest.get(n) is Left.HEADER for n in range(head.start, head.end))
        for column in head.columns
    }
    of_others = any(
        index.is_numeric(column) and column not in index.times and not index.numbers_its_rows(column)
        for column in left
    )
    opening = claim.texts[:1] == ("the",)
    opens_with_some = rest.get(int(opening)) is Left.WORD and is_plural(claim.texts[int(opening)])
    return any(
        part.column in index.times
        or index.numbers_its_rows(part.column)
        or of_others
        or (opens_with_some and isinstance(part.rows, AllRows))
        for part in sums
    )


def _counts_rows_of_what_they_have(outcome: Outcome) -> bool:
    """Return whether rows are counted for what a column tells of them, more than once or in some not at all.

    `Two customers paid by card` of three orders, `two warnings` of days with none.
    """
    claim = outcome.claim
    columns = {column for position in _counted(claim) for column in _columns_of(claim, position)}
    return any(
        _is_told_of_some(claim.index, part.rows.run(claim.index).rows, column)
        for part in _counts(outcome.proposal)
        if isinstance(part, Count)
        for column in columns
    )


def _counted(claim: GroundedClaim) -> Iterator[int]:
    """Yield where nouns stand that a number counts: not of `the ten orders`, which are all."""
    for position in range(1, len(claim.tokens)):
        number = claim.tokens[position - 1]
        counts = number.number is not None and not number.ordinal and is_plural(claim.texts[position])
        if counts and (position == 1 or claim.texts[position - 2] != "the"):
            yield position


def _columns_of(claim: GroundedClaim, position: int) -> Iterator[int]:
    """Yield the columns of texts that a noun heads alone, but for that of names of rows."""
    index = claim.index
    for column in index.header_postings.get(claim.tokens[position].key, ()):
        is_of_rows = column == index.table.label_column or index.is_numeric(column)
        if not is_of_rows and len(index.headers[column]) == 1:
            yield column


def _is_told_of_some(index: TableIndex, rows: frozenset[int], column: int) -> bool:
    """Return whether a column tells something twice of some rows, or of one of them that there is nothing."""
    cells = [index.table.rows[row][column] for row in rows]
    has_none = any(not cell.text.strip() or tells_that_there_is_none(cell) for cell in cells)
    return bool(rows) and (has_none or len(rows_by_value(index, rows, column)) < len(rows))


def _counts_people(outcome: Outcome) -> bool:
    """Return whether people are counted by rows where a column tells how many there are: `Pers.`.

    Or where rows are of no people.
    """
    claim, proposal = outcome.claim, outcome.proposal
    index, label = claim.index, claim.index.table.label_column
    compared = [part for part in proposal.parts if isinstance(part, Compare)]
    counted = {
        part.right.number
        for part in compared
        if isinstance(part.left, Count | Distinct) and isinstance(part.right, Literal)
    }
    places = [n for n in range(1, len(claim.texts)) if claim.texts[n] in _PERSONS and n - 1 in proposal.bound]
    has_headcounts = any(
        index.is_numeric(column) and not _PEOPLE.isdisjoint(words(index.table.header[column].lower()))
        for column in range(index.table.columns)
    )
    are_people = label is not None and not OF_PEOPLE.isdisjoint(index.headers[label])
    return (has_headcounts or not are_people) and any(claim.tokens[n - 1].number in counted for n in places)


_PEOPLE = frozenset({"pers", "persons", "people", "guests", "pax", "heads", "headcount"})
_PERSONS = frozenset({"people", "persons", "person", "guests", "guest"})


def _counts_rows_of_one_thing(outcome: Outcome) -> bool:
    """Return whether rows of one thing are counted for as many things.

    `There are two blue rooms` where two bookings are of one, `three lathes` where one was mended twice.
    """
    counts = (part for part in _counts(outcome.proposal) if isinstance(part, Count))
    return any(_is_counted_for_each_row(outcome.claim, count) for count in counts)


def _is_counted_for_each_row(claim: GroundedClaim, count: Count) -> bool:
    index = claim.index
    rows, label = count.rows.run(index).rows, index.table.label_column
    for link in _kinds(count.rows):
        if not _is_counted(claim, link.start):
            continue
        (column,) = link.places
        heads = {word_key(singular(word)) for word in words(index.table.header[column].lower())}
        is_name = claim.tokens[link.start].capital
        of_a_name = is_name and any(token.key in heads for token in claim.tokens[link.end : link.end + 1])
        in_plural = is_name and claim.texts[link.end - 1] != singular(claim.texts[link.end - 1])
        repeated = label is not None and len(rows_by_value(index, rows, label)) < len(rows)
        if len(rows) > 1 and (of_a_name or in_plural or repeated):
            return True
    return False


def _is_counted(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number stands before a word, and does not take it as known: of `the two drivers`."""
    if not position or claim.tokens[position - 1].number is None:
        return False
    return position == 1 or claim.texts[position - 2] != "the"


def _kinds(rows: Rows) -> Iterator[Link]:
    """Yield the whole cells of one column by which rows are told."""
    for part in rows.parts if isinstance(rows, Meet) else (rows,):
        if isinstance(part, Where) and len(part.link.places) == 1:
            link = part.link
            if link.full and not link.bound and link.number is None:
                yield link


def _adds_up_rates(outcome: Outcome) -> bool:
    """Return whether what is told for each of something is added up, which a claim does not say: `£/h`.

    What several take of all is a share of rates, too.
    """
    claim, parts = outcome.claim, outcome.proposal.parts
    if outcome.proposal.kind != "sum":
        return False
    if any(isinstance(part, Arithmetic) and part.operation == "% of" for part in parts):
        return False
    said = {token.key for token in claim.tokens}
    sums = (part for part in parts if isinstance(part, Aggregate) and part.name == "sum")
    names = (claim.index.table.header[part.column].lower() for part in sums)
    rates = ((name, each.end()) for name in names if (each := OF_EACH.search(name)) is not None)
    return any(said.isdisjoint(map(word_key, words(name[end:]))) for name, end in rates)


def _adds_up_what_was_planned(outcome: Outcome) -> bool:
    """Return whether what was planned is added up, where a claim may be of what it came to.

    Of two repairs that cost 900 together, where one column tells the budget and one what was paid.
    """
    claim = outcome.claim
    plans = plan_and_actual(claim)
    sums = (part for part in outcome.proposal.parts if isinstance(part, Aggregate) and part.name == "sum")
    says_plan = not PLANNED.isdisjoint(token.key for token in claim.tokens)
    return plans is not None and not says_plan and any(part.column == plans[0] for part in sums)


def _counts_a_part_of_the_claim(outcome: Outcome) -> bool:
    """Return whether it is a guess what is counted, and another part of the claim decides."""
    is_guessed = outcome.proposal.kind.startswith(GUESSED_COUNTS)
    return bool(outcome.result.truth) and is_guessed and bool(decisive_words(outcome))


# Kinds of program that leave it open what is counted.
GUESSED_COUNTS = ("count of some", "loose count")

CHECKS = (
    Check(_adds_up_something_else, "other numbers were added up than the claim says"),
    Check(_counts_all_for_some, "all things were counted, and the claim is of some"),
    Check(_counts_rows_of_what_they_have, "rows were counted, and some have none or the same"),
    Check(_counts_people, "rows were counted, and the claim counts people"),
    Check(_counts_a_part_of_the_claim, "what was counted is a part of the claim, and another decides"),
    Check(_adds_up_what_was_planned, "the claim does not say whether it is of a plan"),
    Check(_adds_up_rates, "the column tells how much there is for each of something"),
    Check(_counts_rows_of_one_thing, "rows were counted, and several are of one thing"),
)

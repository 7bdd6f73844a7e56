"""Numbers and words of a claim that count rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.tables.cell_values import MONEY_SIGNS
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.links.contests.contest_links import is_an_outcome, tells_an_outcome
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.links.quantities.claim_numbers import TIMES_OVER, ends_a_name
from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.percent_words import is_in_percent
from evidence_assets.tables.programs.wording.quantifier_words import (
    EXACTLY,
    excepted_number,
    fronted_scope,
    is_the_one,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative, row_nouns
from evidence_assets.tables.programs.wording.words import OF_UNITS, is_plural
from evidence_assets.text.calendar_words import MONTHS

WINDOW = 3
# A number that exceeds the table's rows by more than this does not count rows.
BEYOND_ROWS = 5
SEVERAL = frozenset({"multiple", "several"})
# Between a part and the whole that it is of.
OF_THE = frozenset(("of", word) for word in ("the", "these", "their", "its", "his", "her"))
_SLICES = frozenset({"first", "last", "final", "top", "next", "bottom"})


@dataclass(frozen=True, slots=True)
class Counter:
    """A number of the claim that may count rows. `words`: the positions of it and of its relation.

    `whole`: where the number stands of which it is a part, of `two of the five`.
    """

    position: int
    relation: str
    number: float
    words: tuple[int, ...]
    whole: int | None = None


@kept_for_claims
def counters_of(claim: GroundedClaim) -> tuple[Counter, ...]:
    """Return each number that counts rows, and each word for more than one."""
    return tuple(_counters(claim))


def _counters(claim: GroundedClaim) -> Iterator[Counter]:
    for position, text in enumerate(claim.texts):
        if text in SEVERAL and position not in claim.linked_positions:
            yield Counter(position, ">", 1.0, (position,))
    largest = len(claim.index.cells) + BEYOND_ROWS
    for limit in claim.bounds:
        counts = limit.position not in claim.signs and not counts_no_rows(claim, limit.position)
        # No rows are more than 0.03.
        if limit.bound <= largest and limit.bound == int(limit.bound) and counts:
            yield Counter(limit.position, limit.relation, limit.bound, tuple(range(limit.start, limit.end)))
    bounded = positions_of(link for link in claim.links if link.bound)
    bounded |= {limit.position for limit in claim.bounds}
    fronted = _fronted_whole(claim)
    counted, wholes = False, set[int]() if fronted is None else {fronted}
    for position, token in enumerate(claim.tokens):
        number = token.number
        if number is None or token.ordinal or position in bounded or position in claim.linked.inside_names:
            continue
        of_a_header = any(head.start < position < head.end for head in claim.linked.headers)
        if position in wholes or of_a_header or counts_no_rows(claim, position):
            continue
        head = claim.anchors.get(position)
        if head is not None and head.end == position and all(map(claim.index.numbers_its_rows, head.columns)):
            # `Week 4` is one of the weeks.
            continue
        whole = 0 <= number <= largest and number == int(number)
        if whole and (_counts(claim, position) or (counted and _counts_another(claim, position))):
            counted, of_all = True, _whole(claim, position)
            of_all = fronted if of_all is None else of_all
            wholes |= set() if of_all is None or position in claim.pronouns else {of_all}
            yield Counter(position, "=", number, (position,), of_all)


def _whole(claim: GroundedClaim, position: int) -> int | None:
    """Return where the number stands of which another is a part, of `two of the five`; None without one."""
    if claim.texts[position + 1 : position + 2] != ("of",):
        return None
    place = position + 2 + (claim.texts[position + 1 : position + 3] in OF_THE)
    counts = any(token.number is not None and not token.ordinal for token in claim.tokens[place : place + 1])
    # The 3 of `two of the 3 longest` tells which rows, not how many there are.
    counts = counts and place not in claim.units and not claim.in_condition(place)
    return place if counts and claim.texts[place] not in MONEY_SIGNS else None


def _fronted_whole(claim: GroundedClaim) -> int | None:
    """Return where the number stands of which a claim counts some: of `of the two vans, only one is red`."""
    texts = claim.texts
    fronted = fronted_scope(texts)
    if fronted is None:
        return None
    number = claim.tokens[1 + (texts[1] == "the")]
    counts_behind = any(counted in EXACTLY for counted in texts[fronted.stop :])
    is_number = number.number is not None and not number.ordinal
    return 1 + (texts[1] == "the") if is_number and counts_behind else None


def has_its_whole(claim: GroundedClaim, counter: Counter) -> bool:
    """Return whether there are as many rows, or values, as the number tells of which another is a part."""
    if counter.whole is None:
        return True
    number, index = claim.tokens[counter.whole].number, claim.index
    if isinstance(index.table, ContestTable):
        # Of a side's contests, or of all.
        scope = [link.rows for link in claim.links if link.rows and not is_an_outcome(index, link)]
        return number == len(index.rows.intersection(*scope))
    values = ({index.keys[row, column] for row in index.rows} for column in range(index.table.columns))
    return number in {
        len(index.rows),
        len(index.rows - index.summaries),
        *(len(link.rows) for link in claim.links),
        *map(len, values),
    }


def _counts_another(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number stands behind another's `and`, before a value: `two vans and three lorries`."""
    joined = claim.texts[position - 1 : position] == ("and",)
    return joined and any(link.start == position + 1 and link.number is None for link in claim.links)


def counts_no_rows(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is of a unit, of a name or no number: `six minutes`, `S-02`, `the only one`."""
    following = claim.tokens[position + 1 : position + 2]
    if position in claim.refused or any(token.key in OF_UNITS for token in following):
        return True
    # `Two days longer` counts no rows.
    words, _ = claim.units.get(position, ((), ""))
    behind = max(words, default=position) + 1
    measured = bool(words) and bool(comparative("".join(claim.texts[behind : behind + 1])))
    money = position > 0 and claim.texts[position - 1] in MONEY_SIGNS
    if measured or money or is_in_percent(claim.texts, position):
        return True
    pronoun = position in claim.pronouns and claim.texts[position - 1] in {"not", "only", "no"}
    if pronoun or is_the_one(claim.texts, position) or ends_a_name(claim.tokens, position):
        return True
    excepted = excepted_number(claim.tokens)
    is_excepted = excepted is not None and position in excepted
    return is_excepted or _is_of_what_a_column_counts(claim, position)


def _is_of_what_a_column_counts(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number stands before what a column tells how many of: farms of `Farms`."""
    index, noun = claim.index, claim.tokens[position + 1 : position + 2]
    return any(
        head.start == position + 1
        and head.share == 1.0
        and noun[0].key not in claim.index.caption
        and index.numeric(head.columns)
        and index.table.label_column not in head.columns
        and all(index.table.header[column].lower().split()[0].endswith("s") for column in head.columns)
        for head in claim.linked.headers
    )


def _is_exact(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number in words opens a claim or its clause behind `only`, and no column tells it."""
    texts = claim.texts
    before, word = ["", "", *texts[:position]][-2:]
    if not texts[position].isalpha() or word not in EXACTLY or before not in {"", ","}:
        return False
    behind = [head for head in claim.linked.headers if 0 < head.start - position <= 2]
    index = claim.index
    columns = [column for head in behind for column in index.numeric(head.columns)]
    number = claim.tokens[position].number
    return all(index.is_of_codes(c) or min(index.series[c].values()) > (number or 0.0) for c in columns)


def _is_of_a_column(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number stands before the header of a column of numbers that has it: `one season`."""
    index, label = claim.index, claim.index.table.label_column
    heads = [head for head in claim.linked.headers if head.start == position + 1]
    columns = {
        c for head in heads for c in index.numeric(head.columns) if c != label and c not in index.years
    }
    return any(link.start == position and not columns.isdisjoint(link.places) for link in claim.links)


def _counts(claim: GroundedClaim, position: int) -> bool:
    """Return whether what stands around a number says that it counts: `three boats`, `there are two`."""
    texts, tokens = claim.texts, claim.tokens
    around = {*texts[max(0, position - 1) : position], *texts[position + 1 : position + 2]}
    if texts[position] in TIMES_OVER and all(token.mark for token in tokens[position + 1 : position + 2]):
        # `It was held in August twice.`
        return True
    if not around.isdisjoint(MONTHS) or not around.isdisjoint("-%:/+"):
        return False
    if position and texts[position - 1] in _SLICES:
        return False
    anchor = claim.anchors.get(position)
    headed = anchor is not None and anchor.end <= position
    noun = _counts_a_noun(claim, position, headed=headed)
    if (headed and not noun) or _is_of_a_column(claim, position):
        return False
    return (
        noun
        or is_of_an_outcome(claim, position)
        or _opens_with_what_it_counts(claim, position)
        or _opens_a_count(claim, position)
        or _counts_a_header(claim, position)
        or _counts_what_follows(claim, position)
    )


def is_of_an_outcome(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number in words says how many contests ended so: `won nine games and lost seven`."""
    token = claim.tokens[position]
    is_number = token.number is not None and not token.ordinal and token.text.isalpha()
    return is_number and any(
        link.end == position and tells_an_outcome(claim.index, link) for link in claim.links
    )


def _opens_with_what_it_counts(claim: GroundedClaim, position: int) -> bool:
    """Return whether a claim opens with a number in words and a name or a plural: `three walkers`."""
    texts, following = claim.texts, claim.tokens[position + 1 : position + 2]
    opens = not position or (position == 1 and texts[0] in EXACTLY)
    # `One Norwegian`, `three Italians`.
    before_a_name = any(
        link.start == position + 1 and link.number is None and not link.bound for link in claim.links
    )
    plural = any(is_plural(token.text) and not token.stop for token in following)
    return (
        opens
        and texts[position].isalpha()
        and (before_a_name or (plural and position + 1 not in claim.linked_positions))
    )


def _opens_a_count(claim: GroundedClaim, position: int) -> bool:
    """Return whether a count is said before a number: `there are two`, `a total of two`, `only two`."""
    before = claim.texts[max(0, position - WINDOW) : position]
    return "there" in before or before[-2:] == ("total", "of") or _is_exact(claim, position)


def _counts_a_noun(claim: GroundedClaim, position: int, *, headed: bool) -> bool:
    """Return whether a number stands before a noun for rows, or of the caption: `three boats`."""
    skipped = {"different"} if headed else {"different", "of", "the"}
    after = claim.tokens[position + 1 : position + 1 + WINDOW]
    counted = next((token for token in after if token.text not in skipped), None)
    return counted is not None and (
        counted.key in row_nouns() or (counted.key in claim.index.caption and counted.number is None)
    )


def _counts_a_header(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number stands before a header of no numbers, or of what names the rows."""
    numeric = {column for column in range(claim.index.table.columns) if claim.index.is_numeric(column)}
    numeric.discard(claim.index.table.label_column or 0)
    return any(
        head.start - position in {1, 2} and numeric.isdisjoint(head.columns) for head in claim.linked.headers
    )


def _counts_what_follows(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is a part's, or no cell's before a word of no cell: `two of`, `two oaks`."""
    following = claim.tokens[position + 1 : position + 2]
    partitive = any(token.text == "of" for token in following)
    unlinked = position in claim.numbers and position + 1 not in claim.linked_positions
    return partitive or (unlinked and any(not token.stop for token in following))

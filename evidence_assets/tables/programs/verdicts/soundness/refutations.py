"""Whether what a program denies of rows may not be what the claim says of them."""

from __future__ import annotations

from collections.abc import Callable

from evidence_assets.tables.programs.links.quantities.claim_numbers import is_day_of_a_month
from evidence_assets.tables.programs.readings.rows.facts import UNMATCHED
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome, decisive_words
from evidence_assets.tables.programs.verdicts.soundness.counted_things import GUESSED_COUNTS
from evidence_assets.tables.programs.verdicts.soundness.possessions import is_of_what_a_row_has
from evidence_assets.tables.programs.wording.trigger_lexicon import is_graded
from evidence_assets.tables.programs.wording.words import is_past
from evidence_assets.text.roots import root, word_roots


def _is_guessed(outcome: Outcome) -> bool:
    """Return whether a kind of program leaves it open what is counted, or which column is meant."""
    kind = outcome.proposal.kind
    return kind.startswith(GUESSED) or kind.endswith(_GUESSED_COLUMNS)


def _leaves_some_of_a_guess(outcome: Outcome) -> bool:
    claim = outcome.claim
    of_a_date = any(is_day_of_a_month(claim.tokens, position) for position in claim.numbers)
    leaves_some = any(grade is not Left.HEADER for grade in outcome.rest.values())
    # `The first outing` counts nothing.
    is_ordinal = any(claim.tokens[n].ordinal and claim.texts[n].isalpha() for n in claim.numbers)
    return _is_guessed(outcome) and (of_a_date or leaves_some or is_ordinal)


def _is_another_statement(outcome: Outcome) -> bool:
    """Return whether a word is left that makes another statement.

    That no row holds two values together contradicts nothing that compares, orders or counts them; and a
    number of no cell may be worked out of several.
    """
    claim = outcome.claim
    decisive = decisive_words(outcome)
    return (outcome.proposal.kind.startswith("co-occurrence") and bool(decisive)) or any(
        claim.tokens[position].number is not None or _grades(claim.texts[position]) for position in decisive
    )


def _says_less_than_its_cell(outcome: Outcome) -> bool:
    """Return whether the named row's cell says with more what was done: `paid late`, of which it was paid."""
    claim, proposal = outcome.claim, outcome.proposal
    index, bound = claim.index, [link for link in claim.links if link.start in proposal.bound]
    rows = {row for link in bound if len(link.rows) == 1 and not link.bound for row in link.rows}
    return any(
        claim.tokens[link.start].key in [token.key for token in index.cells[row][column][:-1]][:1]
        for link in bound
        if not link.bound and link.end == link.start + 1 and is_past(claim.texts[link.start])
        for column in link.full
        for row in rows - link.rows
    )


def _states_more_than_that_it_took_place(outcome: Outcome) -> bool:
    """Return whether cells are stated, and a claim says more of them: that it was held a date tells."""
    words = [position for position, grade in outcome.rest.items() if grade is Left.WORD]
    takes_place = all(root(outcome.claim.texts[position]) in _TAKING_PLACE for position in words)
    return outcome.proposal.kind.startswith(_STATED) and not takes_place


_TAKING_PLACE = word_roots("held hold place occur occurred happen happened")


def _grades(text: str) -> bool:
    """Return whether a word says more, less or most of something: `smaller`, `worse`, `finest`."""
    return text in _MORE_OR_LESS or is_graded(text, "er") or is_graded(text, "est")


_MORE_OR_LESS = frozenset({"more", "less", "fewer", "better", "worse", "most", "best", "worst"})

# Kinds of program that leave it open what is counted, or whether a number is; and which column is meant.
GUESSED = (*GUESSED_COUNTS, UNMATCHED, "majority")
_GUESSED_COLUMNS = ("in some column", "in the only column")
# Kinds of program that state what the cells of rows hold.
_STATED = ("co-occurrence", "condition of a row", "quantity of a row")


def _is_of_an_unnamed_column(outcome: Outcome) -> bool:
    """Return whether a time or a bare number is taken for a column's that the claim does not name.

    `The mill was repaired in 1950` says nothing of when it was built, and a 4 of several columns is of any.
    """
    claim, proposal = outcome.claim, outcome.proposal
    if not _states_more_than_that_it_took_place(outcome):
        return False
    index = claim.index
    # `The flood of April 1977` is named by its time.
    bound = [
        link
        for link in claim.links
        if link.start in proposal.bound and not (claim.texts[link.start - 1] == "of" and len(link.rows) == 1)
    ]
    named = {
        column for head in claim.linked.headers if head.start in proposal.bound for column in head.columns
    }
    times = index.dates_and_years - named - {index.table.label_column}
    return any(
        link.places.keys() <= times
        if len(link.places) == 1
        else bool(link.places) and link.number is not None and link.start not in claim.anchors
        for link in bound
    )


def _is_of_what_it_has(outcome: Outcome) -> bool:
    of_what_it_has = is_of_what_a_row_has(outcome.claim, outcome.rest)
    return of_what_it_has and _states_more_than_that_it_took_place(outcome)


def _refuted(misses: Callable[[Outcome], bool]) -> Callable[[Outcome], bool]:
    """Return a check of programs that refute their claim, and guess nothing."""
    return lambda outcome: outcome.result.truth is False and not _is_guessed(outcome) and misses(outcome)


def _leaves_some_of_a_refuted_guess(outcome: Outcome) -> bool:
    return outcome.result.truth is False and _leaves_some_of_a_guess(outcome)


CHECKS = (
    Check(_leaves_some_of_a_refuted_guess, "it is a guess what was counted, or which column is meant"),
    Check(_refuted(_is_another_statement), "words are left that make another statement of it"),
    Check(_refuted(_says_less_than_its_cell), "the cell says more of what was done"),
    Check(_refuted(_is_of_an_unnamed_column), "the claim does not name the column of its time or number"),
    Check(_refuted(_is_of_what_it_has), "no column tells what the claim says that it has"),
)

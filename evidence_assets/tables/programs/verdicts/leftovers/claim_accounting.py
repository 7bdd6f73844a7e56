"""What a program leaves of its claim: words and numbers that carry something and that it does not bind."""

from __future__ import annotations

from collections.abc import Container, Mapping
from enum import StrEnum

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.reading.accounting import account, empty_words
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.links.quantities.claim_numbers import ends_a_name, numbers_of_row_nouns
from evidence_assets.tables.programs.links.ranks.standings import ranked_columns, says_who_won
from evidence_assets.tables.programs.readings.parts.proposal import Bound
from evidence_assets.tables.programs.verdicts.leftovers.decisive_words import (
    decides,
    decisive_though_linked,
    operates,
    quantifies,
)
from evidence_assets.tables.programs.verdicts.leftovers.idle_words import carries_nothing
from evidence_assets.tables.programs.verdicts.leftovers.moods import moods
from evidence_assets.tables.programs.verdicts.leftovers.narrowing import narrowing, open_compounds
from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.percent_words import is_in_percent
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, row_nouns
from evidence_assets.tables.programs.wording.words import OF_COMPOUNDS, POSSESSIVES, Token
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root

DOMAIN = "claims"


class Left(StrEnum):
    """What is left of a claim, the gravest first."""

    DECISIVE = "something decisive"
    """A negation, quantifier, comparative, superlative, number or name."""
    VALUE = "a value of the table"
    WORDS = "several words"
    WORD = "a word"
    HEADER = "a column"
    NOTHING = "nothing"


# How grave it is that something is left: the more, the graver.
GRAVITY = {grade: -place for place, grade in enumerate(Left)}
# What a program leaves that accounts for a whole claim.
ALL_BOUND = frozenset({Left.NOTHING, Left.HEADER})


@kept_for_claims
def carried(claim: GroundedClaim) -> Mapping[int, Left]:
    """Return the positions of a claim's words that carry meaning, each with how grave it is left unbound."""
    modal, values = moods(claim), _values(claim)
    decisive = decisive_though_linked(claim, modal)
    superlatives, empty = positions_of(claim.superlatives), empty_words(DOMAIN)
    numbers = {*claim.numbers, *claim.parts, *claim.refused, *positions_of(claim.bounds), *superlatives}
    numbers |= _counts_and_shares(claim)
    carrying: dict[int, Left] = {}
    for position, token in enumerate(claim.tokens):
        if position in decisive:
            carrying[position] = Left.DECISIVE
        elif position in modal:
            carrying[position] = Left.WORD
        elif token.mark or carries_nothing(claim, position):
            continue
        elif position in values:
            carrying[position] = values[position]
        elif position in claim.headed:
            carrying[position] = _in_a_header(claim, position)
        elif token.number is not None:
            if position in numbers or ends_a_name(claim.tokens, position) or quantifies(claim, position):
                carrying[position] = Left.DECISIVE
        elif position in superlatives or decides(claim, position):
            carrying[position] = Left.DECISIVE
        elif not _is_empty(claim, token, empty) or _tells_who_won(claim, position):
            # A name that nothing of the table bears may be all that the claim is about.
            carrying[position] = Left.DECISIVE if token.capital else Left.WORD
    carrying |= {n: Left.DECISIVE for n in open_compounds(claim) if n in carrying}
    words = {position for position, grade in carrying.items() if grade is Left.WORD}
    return carrying | dict.fromkeys(narrowing(claim, words - modal.keys()), Left.DECISIVE)


def _counts_and_shares(claim: GroundedClaim) -> set[int]:
    """Return where numbers stand that are linked to no cell, as they say how many rows, or what share.

    Not of `the two ships`, `Una's two ships`, which takes there to be two.
    """
    counting = {*numbers_of_row_nouns(claim.tokens, claim.index)} - {claim.row_total, *claim.pronouns}
    given = {link.end for link in claim.links}
    counting = {n for n in counting - given if n == 0 or claim.texts[n - 1] not in _DEFINITE}
    numbers = (n for n, token in enumerate(claim.tokens) if token.number is not None)
    return counting | {n for n in numbers if is_in_percent(claim.texts, n)}


_DEFINITE = POSSESSIVES | {"the", "these", "those", "all"}


def _values(claim: GroundedClaim) -> dict[int, Left]:
    """Return where the words stand that are linked to cells, each with how grave it is left unbound."""
    places = positions_of(claim.links)
    decisive = {link.start for link in claim.links if link.number is not None and not link.bound}
    if isinstance(claim.index.table, ContestTable):
        # Of a contest all that is told of it says which it was, and how it ended.
        decisive |= {n for n in places if claim.tokens[n].key not in claim.index.caption}
    return {n: Left.DECISIVE if n in decisive else Left.VALUE for n in places}


def _in_a_header(claim: GroundedClaim, position: int) -> Left:
    """Return how grave a word is left that names a column: a year is a condition, `more` compares."""
    token = claim.tokens[position]
    of_year = token.number in claim.index.years_of_columns
    compares = token.key not in claim.index.header_postings and operates(claim, position)
    if of_year or compares or _says_which_rows(claim, position):
        return Left.DECISIVE
    return Left.VALUE if _is_a_cell_of_others(claim, position) else Left.HEADER


def _says_which_rows(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word of a header says of which rows all or none have something: `every open mill`.

    Where it is read as no value, `Opened` tells nothing of it. Not where it belongs to a header whose cells
    are told, too: the first word of `every shop open on Sunday`.
    """
    index, label = claim.index, claim.index.table.label_column
    behind = claim.tokens[position + 1 : position + 2]
    of_rows = any(token.key in row_nouns() or token.key in index.headers[label or 0] for token in behind)
    quantifiers = [n for n, text in enumerate(claim.texts[:position]) if text in _OF_ALL]
    if not of_rows or not quantifiers or quantifiers[-1] < position - _NEAR_QUANTIFIER:
        return False
    with_values = {column for link in claim.links for column in link.places}
    key = claim.tokens[position].key
    return not any(key in index.headers[column] for column in {label or 0, *with_values})


_OF_ALL = EACH | {"no"}
_NEAR_QUANTIFIER = 3


def _is_a_cell_of_others(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word of a header is all that a cell of another column says: `open` beside `Opened`."""
    index, key = claim.index, claim.tokens[position].key
    columns = index.whole_cells.get(key, frozenset())
    return bool(columns) and not any(key in index.headers[column] for column in columns)


def _tells_who_won(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word says who came first, which a column of places tells."""
    return bool(ranked_columns(claim.index)) and says_who_won(claim.tokens, position, claim.index)


def _is_empty(claim: GroundedClaim, token: Token, empty: Container[str]) -> bool:
    """Return whether a word says nothing more than the caption. `empty`: roots of words that never do."""
    is_month = token.capital and token.text in MONTHS
    is_grammatical = token.stop or (token.text in function_words() and not is_month)
    return is_grammatical or token.key in claim.index.caption or root(token.text) in empty


def gravest_left(carrying: Mapping[int, Left], bound: Container[int] = ()) -> Left:
    """Return the gravest that a program leaves that binds some positions, which may be none."""
    remaining = [grade for position, grade in carrying.items() if position not in bound]
    for grade in (Left.DECISIVE, Left.VALUE):
        if grade in remaining:
            return grade
    words = remaining.count(Left.WORD)
    if words:
        return Left.WORDS if words > 1 else Left.WORD
    return Left.HEADER if remaining else Left.NOTHING


def accounting(text: str, claim: GroundedClaim, bound: Bound) -> Accounting:
    """Return every word of a claim with what a program bound it to."""

    def binding(start: int, end: int, role: Role, target: str = "") -> Binding:
        return Binding(start, end, text[start:end], role, target)

    bindings: list[Binding] = []
    # The `all` of `all-weather` is bound as what it is joined to.
    joined = {
        n: bound[n + 2] for n, text in enumerate(claim.texts) if text == OF_COMPOUNDS and n + 2 in bound
    }
    bound = {**bound, **joined, **{n + 1: target for n, target in joined.items()}}
    for position in sorted(bound):
        token, target = claim.tokens[position], bound[position]
        if bindings and bound.get(position - 1) == target:
            bindings[-1] = binding(bindings[-1].start, token.end, *target)
        else:
            bindings.append(binding(token.start, token.end, *target))
    for position, token in enumerate(claim.tokens):
        if position not in bound and token.key in claim.index.caption and not token.stop:
            bindings.append(binding(token.start, token.end, Role.SCOPE, "caption"))
    for position in moods(claim).keys() - bound.keys():
        token = claim.tokens[position]
        bindings.append(binding(token.start, token.end, Role.UNACCOUNTED))
    return account(text, bindings, empty_words(DOMAIN))

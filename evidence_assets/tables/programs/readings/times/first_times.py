"""Claims of what came first, last or second of somebody's in time: `Ada's first win came in 2004`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.row_programs import AllRows, Extreme, Meet
from evidence_assets.tables.programs.grammar.truth_programs import Some
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.index.rows_in_time import column_of_time
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, proposed, restricted
from evidence_assets.tables.programs.readings.parts.scopes import is_surely_a_verb
from evidence_assets.tables.programs.wording.words import POSSESSIVES, is_possessed_by
from evidence_assets.tables.programs.wording.words_of_time import FIRST, LAST
from evidence_assets.text.words import word_set


class _Turn(NamedTuple):
    """Which of some rows in time is meant. `words`: that say so; `end`: where they end."""

    place: int
    is_last: bool
    words: tuple[int, ...]
    end: int


def first_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `Ada's first win came in 2004`, `she won for the second time in 2008`, `the last winner was Ada`.

    Of the rows that a claim speaks of, the first in time is what it says.
    """
    column = column_of_time(claim.index)
    for position in range(len(claim.texts)) if column is not None else ():
        turn = _of_times(claim, position) or _of_somebodys(claim, position) or _of_a_header(claim, position)
        if turn is None or column is None:
            continue
        scope, answers = _scope_and_answers(claim, turn)
        if claim.texts[max(0, position - 2) : position] == ("be", "the"):
            # `Ada was the first winner of the cup.`
            scope, answers = answers, scope
        head = _header_behind(claim, turn.end)
        if not answers or not (scope or head is not None):
            continue
        rows: Rows = restricted(claim, scope) if scope else AllRows()
        chosen = Extreme(rows, column, turn.place, turn.is_last)
        if not chosen.run(claim.index).rows:
            continue
        if head is not None and not scope:
            # `The first winner was Ada`: she is a winner, whatever else she is.
            answers = [
                link.within(head.columns) if head.columns & link.places.keys() else link for link in answers
            ]
        program = Some(Meet((chosen, restricted(claim, answers))))
        yield proposed(claim, "temporal", program, [*scope, *answers], [column], turn.words)
        return


def _turn(claim: GroundedClaim, position: int, words: Sequence[int], end: int) -> _Turn | None:
    """Return which is meant by the word at a position: the first, the last, or the second; None of others."""
    token = claim.tokens[position]
    if token.text in FIRST | LAST:
        return _Turn(1, token.text in LAST, tuple(words), end)
    if token.ordinal and token.number:
        return _Turn(int(token.number), False, tuple(words), end)
    return None


def _of_times(claim: GroundedClaim, position: int) -> _Turn | None:
    """Return the turn of `for the second time`, `the first time Ada won`, by where its ordinal stands."""
    texts = claim.texts
    if texts[position + 1 : position + 2] != ("time",) or texts[max(0, position - 1) : position] != ("the",):
        return None
    opening = position - 2 if texts[max(0, position - 2) : position - 1] == ("for",) else position - 1
    return _turn(claim, position, range(opening, position + 2), position + 2)


def _of_somebodys(claim: GroundedClaim, position: int) -> _Turn | None:
    """Return the turn of `his first`, `Ada's last`, whatever that is of; not of `his first two`."""
    if not 0 < position < len(claim.tokens) - 1:
        return None
    before, token = claim.tokens[position - 1], claim.tokens[position]
    is_possessed = before.text in POSSESSIVES or (is_possessed_by(before, token) and before.cased)
    number = claim.tokens[position + 1].number
    if not is_possessed or (number is not None and not claim.tokens[position + 1].ordinal):
        return None
    return _turn(claim, position, [position], position + 1)


def _of_a_header(claim: GroundedClaim, position: int) -> _Turn | None:
    """Return the turn of `the first winner`, before a header that names who or what it is."""
    is_headed = _header_behind(claim, position + 1) is not None
    if not is_headed or claim.texts[max(0, position - 1) : position] != ("the",):
        return None
    return _turn(claim, position, [position], position + 1)


def _header_behind(claim: GroundedClaim, position: int) -> HeaderLink | None:
    """Return the header of one column of names that starts at a position; None without one."""
    heads = (head for head in claim.linked.headers if head.start == position and len(head.columns) == 1)
    return next((head for head in heads if not any(map(claim.index.is_numeric, head.columns))), None)


def _scope_and_answers(claim: GroundedClaim, turn: _Turn) -> tuple[list[Link], list[Link]]:
    """Return what says of which rows the first is meant, and what is said of it.

    Behind the verb stands what is said of it: of `Ada's first win came in 2004`. Where none stands behind the
    ordinal, as in `Ada won her first cup in 2004`, what is behind it; `in 2004, Ada won for the first time`
    tells it first of all.
    """
    texts = claim.texts
    links = [link for link in claim.links if not any(link.start <= n < link.end for n in turn.words)]
    verb = next((n for n in range(turn.end, len(texts)) if _tells(claim, n)), None)
    behind = [link for link in links if link.start >= (turn.end if verb is None else verb)]
    before = [link for link in links if link not in behind]
    comma = texts.index(",") if "," in texts and texts[0] in _FRONTING else None
    if not behind and comma is not None:
        fronted = [link for link in links if link.end <= comma]
        return [link for link in before if link not in fronted], fronted
    return before, behind


def _tells(claim: GroundedClaim, position: int) -> bool:
    """Return whether a verb stands at a position that is no part of what the first is of."""
    if position in claim.linked_positions:
        return False
    return claim.texts[position] in _HAPPENING or is_surely_a_verb(claim.texts[position])


_HAPPENING = word_set("came come comes took take happened fell arrived went saw")
_FRONTING = frozenset({"in", "on", "at", "during"})

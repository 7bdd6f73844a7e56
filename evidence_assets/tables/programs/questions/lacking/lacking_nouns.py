"""What a question asks for that nothing of a table tells: an attribute, a kind of rows, a deed in time."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index.derived.turned_tables import TurnedTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.wording.asked_nouns import (
    PEOPLE,
    kind_of_persons,
    may_be_a_person,
    modifiers_of_header,
    names_a_place,
    tells_places,
)
from evidence_assets.tables.programs.questions.wording.carried_words import carried_by
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.wording.percent_words import is_in_percent
from evidence_assets.tables.programs.wording.words_of_time import CALENDAR_TIMES
from evidence_assets.text.words import word_set, words

# Headers of times that any deed may have had.
_OF_ANY_DEED = CALENDAR_TIMES | {"date", "time", "when", "period"}
# Before a noun they leave out none of what it names, or ask for nothing of a cell.
_IDLE = word_set("particular specific single individual certain exact different consecutive given various")
_SEASONS = word_set("spring summer autumn fall winter")
_OF_ROWS = frozenset({"the label", "of the caption", "rows", "a time"})


def lacks_its_attribute(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells what is asked for of a thing: `what is the postcode of Elm Street`.

    Nor what is owned, behind a name: `what is Olsen's address`.
    """
    claim, column = wording.claim, proposal.column
    if column is None or proposal.kind != "lookup" or proposal.selection.kind != "values":
        return False
    last = max((n for n, token in enumerate(claim.tokens) if not token.mark), default=0)
    owned = last if any(link.end == last for link in claim.links) else None
    places = {n for n in claim.linked.unknown if n in (wording.place_of_noun, owned)} - proposal.bound.keys()
    if column in wording.named or not any(claim.texts[n] != "name" for n in places):
        return False
    opens = wording.asking_word == "what" and claim.texts[wording.asking[0] + 1 :][:1] == ("be",)
    return opens or _is_asked_of_a_row(wording, proposal, column)


def _is_asked_of_a_row(wording: Wording, proposal: QuestionProgram, column: int) -> bool:
    """Return whether a noun that nothing tells is asked for of a row: `which licence does version 2.1 use`.

    Of rows chosen by what they are like, what names them is called by any noun.
    """
    index = wording.claim.index
    if wording.form != "which" or wording.noun != "unknown" or isinstance(index.table, TurnedTable):
        return False
    names_a_row = any(_names_a_row(index, link) for link in proposal.selection.links)
    if column == index.table.label_column and not names_a_row:
        return False
    noun = wording.noun_text
    is_a_place = tells_places(index, column) and names_a_place(noun)
    return not (is_a_place or (may_be_a_person(noun) and kind_of_persons(index, column) == PEOPLE))


def _names_a_row(index: TableIndex, link: Link) -> bool:
    """Return whether a value is all that tells a row from the others, in a column of no times."""
    rows = index.rows - index.summaries
    return any(
        len({index.keys[row, column] for row in rows}) == len(rows) for column in link.full - index.times
    )


def lacks_its_modifier(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells a word that says which of the rows are meant: `which winter month`.

    Without a caption it may be what all rows are, if it is no season and they have another name.
    """
    claim, noun = wording.claim, wording.place_of_noun
    if noun is None or wording.noun not in _OF_ROWS:
        return False
    modifiers = list(_modifiers(wording, noun))
    between = {*range(wording.asking[-1] + 1, noun)} - positions_of(claim.superlatives)
    if wording.noun != "the label" and not between <= {*modifiers}:
        return False
    is_told = bool(claim.index.caption) or wording.noun == "the label"
    modifiers = [n for n in modifiers if is_told or claim.texts[n] in _SEASONS]
    return not carried_by(wording).keys().isdisjoint({*modifiers} - proposal.bound.keys())


def _modifiers(wording: Wording, noun: int) -> Iterator[int]:
    """Yield the words right before a noun that nothing of the table tells, and that say something of it."""
    claim = wording.claim
    extremes = positions_of(claim.superlatives)
    for place in range(noun - 1, wording.asking[-1], -1):
        if place in extremes:
            continue
        if place not in claim.linked.unknown:
            return
        if claim.texts[place] not in _IDLE and not is_in_percent(claim.texts, place - 1):
            yield place


def lacks_its_deed(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells the verb of `when was it demolished`, and another deed's time answers."""
    claim, column = wording.claim, proposal.column
    if wording.form != "when" or column is None or proposal.selection.kind != "values":
        return False
    if column in wording.named or column in wording.resembled:
        return False
    heading = words(claim.index.table.header[column].lower())
    if not _OF_ANY_DEED.isdisjoint(heading):
        return False
    return any(
        left is Left.WORD and n not in proposal.bound and n in claim.linked.unknown
        for n, left in carried_by(wording).items()
    )


def lacks_its_situation(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells where or in which state what is asked for is: `is on holiday`."""
    texts = wording.claim.texts
    if wording.form not in {"which", "who"}:
        return False
    left = (carried_by(wording).keys() - proposal.bound.keys()).intersection(wording.claim.linked.unknown)
    return any(texts[n - 2 : n - 1] == ("be",) and texts[n - 1] in _BEFORE_SITUATIONS for n in left if n > 1)


_BEFORE_SITUATIONS = frozenset({"on", "in", "at", "under", "off", "out", "without"})


def lacks_its_kind_of_measure(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether another kind of a measure is asked for: the `purchase price`, of a unit price."""
    claim, noun, column = wording.claim, wording.place_of_noun, proposal.column
    if noun is None or column not in wording.asked_columns or noun - 1 not in claim.linked.unknown:
        return False
    kinds = modifiers_of_header(claim.index, column)
    said = {token.key for token in claim.tokens}
    return bool(kinds) and kinds.isdisjoint(said) and claim.texts[noun - 1] not in _IDLE

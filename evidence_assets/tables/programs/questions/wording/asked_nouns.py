"""The noun that says what a question asks for, and what of the table it names: a column, a value, nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.readings.parts.scopes import is_surely_a_verb
from evidence_assets.tables.programs.wording.trigger_lexicon import row_nouns
from evidence_assets.tables.programs.wording.words import AUXILIARIES, Token, singular, word_key
from evidence_assets.tables.programs.wording.words_of_time import TIMES
from evidence_assets.text.words import word_set, words

_DETERMINERS = word_set("the a an of these those this that all its their his her")
# Nouns of people that no ending tells.
_PERSONS = word_set("""
    name chair captain guest coach judge chef pilot candidate patient king queen host staff people person
    president student client resident accountant assistant surgeon nurse vet mayor bishop priest pope crew
    family couple
""")
# Nouns of bodies of people.
_BODIES = word_set("""
    team club company firm country nation party school university college act band group institute agency
    network union
""")
# Before `name` they say that it is a person's.
_OF_PEOPLE_BY_NAME = word_set("full first last family sur given maiden birth stage pen ring player member")
_OF_PERSONS = re.compile(r"[a-z]{2,}(?:er|or|ist|ian|ee|man|woman|arch)")
_OF_THINGS = word_set("""
    number order quarter river water tower summer winter power paper per center meter diameter weather letter
    container chapter color motor sector factor degree fee
""")
_PLACES = word_set("""
    place places venue location city town village country state county region district area site stadium
    ground station street road address room hall building floor harbour port pier hometown birthplace
    destination origin from to at where stage
""")
# The share of a column's cells that look like names of people, where it tells people.
_MOST = 0.7


def asked_noun(claim: GroundedClaim, asking: Sequence[int]) -> int | None:
    """Return the position of the noun that says what is asked for; None where none does.

    `Which institute drilled it`, `what was the turnover of the firm`, `how many seats`. `asking`: the
    positions of the words that ask.
    """
    claim_tokens = claim.tokens
    start = asking[-1] + 1 if asking else len(claim_tokens)
    opening = claim_tokens[start].text if start < len(claim_tokens) else ""
    who = asking and claim_tokens[asking[-1]].text in _ASKING_FOR_PEOPLE
    if opening == "do" or (who and opening not in AUXILIARIES):
        return None
    start += opening in AUXILIARIES or opening == "of"
    while start < len(claim_tokens) and claim_tokens[start].text in _DETERMINERS:
        start += 1
    extremes = positions_of(claim.superlatives)
    run: list[int] = []
    for position in range(start, len(claim_tokens)):
        token = claim_tokens[position]
        is_behind = bool(run) and is_surely_a_verb(token.text)
        if is_behind or (token.stop and position not in extremes and token.text not in _JOINING_NAMES):
            break
        if position not in extremes and not token.mark:
            run.append(position)
    return next((n for n in run if claim.linked.in_header(n)), run[-1] if run else None)


_ASKING_FOR_PEOPLE = frozenset({"who", "whom"})
_JOINING_NAMES = frozenset({"'", "-", "&"})


def class_of_noun(claim: GroundedClaim, position: int) -> str:
    """Return what of the table a noun names."""
    token, index = claim.tokens[position], claim.index
    heads = claim.linked.headers_at(position)
    if heads:
        return "the label" if index.table.label_column in heads[0].columns else "a column"
    if any(link.start <= position < link.end for link in claim.links):
        return "a value"
    if token.key in TIMES:
        return "a time"
    if token.key in index.caption:
        return "of the caption"
    return "rows" if token.key in row_nouns() else "unknown"


def kind_of_persons(index: TableIndex, column: int) -> str:
    """Return whether a column tells people, or bodies of them, by its header or what its cells look like."""
    heading = _HEAD_NOUN.split(index.table.header[column].lower(), maxsplit=1)[0].split()
    last = singular(heading[-1]) if heading else ""
    if last == "name" and len(heading) > 1 and heading[-2] not in _OF_PEOPLE_BY_NAME:
        # The scientific name of a bird is nobody's.
        last = ""
    if index.is_numeric(column) or column in index.dated:
        return NO_PEOPLE
    if last in _BODIES:
        return "bodies of people"
    if may_be_a_person(last):
        return PEOPLE
    cells = [index.cells[row][column] for row in index.rows if index.cells[row][column]]
    named = sum(_may_name_a_person(cell) for cell in cells)
    return PEOPLE if cells and named >= _MOST * len(cells) else NO_PEOPLE


# What stands behind says more of it: `open to visitors` is of no visitors.
_HEAD_NOUN = re.compile(r" (?:of|to|for|in|from|with|per) ")
_OF_HEADERS = re.compile(rf"{_HEAD_NOUN.pattern}|[,(^/:]")
_JOINING_NOUNS = re.compile(r" (?:and|or|&) ")
_NAMING = frozenset({"name", "names", "title", "titles", "no", "number", "id", "code"})
PEOPLE, NO_PEOPLE = "people", "no people"


def modifiers_of_header(index: TableIndex, column: int) -> frozenset[str]:
    """Return the keys of the words that say more of a header's noun: of `Store temperature` the store's.

    `Club name` is of clubs, and of several nouns, as in `Ice or snow`, each is one.
    """
    parts = _OF_HEADERS.split(index.table.header[column].lower(), maxsplit=1)[0]
    if _JOINING_NOUNS.search(parts):
        return frozenset()
    keys = [word_key(word) for word in words(parts) if _is_noun(word)]
    return frozenset(keys[:-1]) - {*keys[-1:]}


def _is_noun(word: str) -> bool:
    return word.isalpha() and word not in _NAMING and not word.endswith("ed")


def tells_places(index: TableIndex, column: int) -> bool:
    """Return whether a column tells places, by its header."""
    return not _PLACES.isdisjoint(words(index.table.header[column].lower()))


def names_a_place(noun: str) -> bool:
    """Return whether a noun is of places."""
    return noun in _PLACES


def may_be_a_person(noun: str) -> bool:
    """Return whether a noun is of people, or may be by its ending: `captain`, `painter`."""
    last = singular(noun)
    return last not in _OF_THINGS and bool(last in _PERSONS or _OF_PERSONS.fullmatch(last))


def _may_name_a_person(cell: tuple[Token, ...]) -> bool:
    """Return whether a cell is of two or three words, each with a capital: `Ada Lind`, `J. Kemp`."""
    names = [token for token in cell if not token.mark]
    return len(names) in {2, 3} and all(token.cased and token.number is None for token in names)

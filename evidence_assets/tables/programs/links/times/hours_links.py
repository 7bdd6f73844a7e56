"""Verbs of when something starts and ends, as headers of a table whose hours are taken apart."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index.derived.hours import HoursTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.wording.words import Token, before_words
from evidence_assets.tables.programs.wording.words_of_time import BEGINNING, ENDING
from evidence_assets.text.words import word_set

_STARTING = BEGINNING | word_set("starts begins opens open opened starting beginning opening")
# What is open until a time closes then.
UNTIL = frozenset({"until", "till"})
_CLOSING = ENDING | UNTIL | word_set("ends finishes closes close closed shuts shut ending finishing closing")
# What is open, or closed, at a time has opened before it, or has not yet.
_STATES = word_set("be stay stays stayed remain remains remained keep keeps kept")


def heads_of_hours(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[HeaderLink]:
    """Yield `starts`, `closes`, `until` as the header of when rows start, or of when they end.

    Of `is open until` both words are of the end, of `is open at` the first is of the start. What does not
    open until ten opens then, and of `the shop open at nine is` the word is no verb: neither is read.
    """
    table, texts = index.table, [token.text for token in tokens]
    if not isinstance(table, HoursTable):
        return
    for position, text in enumerate(texts):
        if text not in _STARTING | _CLOSING:
            continue
        of_state, following = describes_a_state(tokens, position), "".join(texts[position + 1 : position + 2])
        if of_state and (text != "open" or following not in UNTIL | {"at"}):
            continue
        if not of_state and (text in _BARE and "be" in texts[position:]):
            continue
        denied = "not" in texts[:position] and not of_state
        # The `until` of `is not open until` stands behind a state.
        behind_a_state = position > 0 and describes_a_state(tokens, position - 1)
        if denied and not UNTIL.isdisjoint({text, following}) and not behind_a_state:
            continue
        is_start = text in _STARTING and not (of_state and following in UNTIL)
        yield HeaderLink(position, position + 1, frozenset({table.start if is_start else table.end}), 1.0)


def describes_a_state(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a word tells how something is, not what it does: `is still open`, `stays closed`."""
    place = before_words(tokens, position, _ADVERBS)
    return place >= 0 and tokens[place].key in _STATES and tokens[position].text not in UNTIL


# Verbs that are adjectives too.
_BARE = frozenset({"open", "close", "closed"})
# Words that may part `is` from `open`.
_ADVERBS = word_set(
    "not still already also always only yet never usually normally both all just now then even"
)


def column_of_hours(tokens: tuple[Token, ...], position: int, index: TableIndex) -> int | None:
    """Return the column of the last of these verbs up to a position; None without one."""
    heads = [head for head in heads_of_hours(tokens, index) if head.start <= position]
    return min(heads[-1].columns) if heads else None

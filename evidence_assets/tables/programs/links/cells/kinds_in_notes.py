"""Nouns of what all rows are, which a note of some row may say, too: of `two books` no note `book club`."""

from __future__ import annotations

from evidence_assets.tables.programs.index.columns.untold_cells import tells_nothing
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link, is_weak
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, HIGHEST, LOWEST, TEMPORAL, is_graded
from evidence_assets.tables.programs.wording.words import ARTICLES, Token, is_plural
from evidence_assets.tables.table import Table
from evidence_assets.text.words import word_set, words


def is_a_kind_in_a_note(tokens: tuple[Token, ...], index: TableIndex, cell: Link) -> bool:
    """Return whether a noun that is counted, quantified or chosen among is but a word of some rows' notes."""
    if not is_weak(cell) or not cell.places.keys() <= _notes(index.table):
        return False
    return _is_of_all(tokens, cell.start)


def _is_of_all(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a noun stands behind a number, a quantifier or a superlative, or opens as a plural."""
    place = position - 1
    while place >= 0 and tokens[place].text in _BETWEEN:
        place -= 1
    if place < 0:
        return is_plural(tokens[position].text)
    before = tokens[place]
    is_extreme = before.text in HIGHEST | LOWEST | TEMPORAL or is_graded(before.text, "est")
    return before.number is not None or before.text in _QUANTIFIERS or is_extreme


_BETWEEN = ARTICLES | {"of"}
_QUANTIFIERS = EACH | word_set("half most no none both some many several few any")


@kept_for_tables
def _notes(table: Table) -> frozenset[int]:
    """Return the columns of notes: by their header, or as few rows have one, each another."""
    return frozenset(column for column in range(table.columns) if _is_of_notes(table, column))


def _is_of_notes(table: Table, column: int) -> bool:
    if column == table.label_column:
        return False
    if not _HEADS.isdisjoint(words(table.header[column].lower())):
        return True
    notes = [cell.text.strip().lower() for cell in table.column(column) if not tells_nothing(cell)]
    are_few = len(notes) <= _FEW * len(table.rows)
    return are_few and len({*notes}) == len(notes) and any(len(text.split()) > 1 for text in notes)


_HEADS = word_set("note notes remark remarks comment comments rem memo details info")
_FEW = 0.5

"""Whether a program tells nothing of its rows but their names, or nothing tells of which rows a claim is."""

from __future__ import annotations

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Count, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Either, Meet, Where
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every, Not, Share, Some
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.leftovers.names_of_no_row import names_no_row
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.quantifier_words import fronted_scope
from evidence_assets.tables.programs.wording.trigger_lexicon import RELATIVE_PRONOUNS


def _only_names_rows(outcome: Outcome) -> bool:
    """Return whether a program comes out as it does whatever the cells beside the rows' names hold.

    That there is a row of a name, that not all rows are of it, or how many rows so many names are.
    """
    claim, program = outcome.claim, outcome.proposal.program
    label = claim.index.table.label_column
    return label is not None and claim.index.names_tell_rows_apart and _is_of_names(program, label)


def _is_of_names(program: Truth, label: int) -> bool:
    """Return whether all that a program says of rows is by which names they go."""
    if isinstance(program, Not):
        return _is_of_names(program.part, label)
    if isinstance(program, All):
        return all(_is_of_names(part, label) for part in program.parts)
    if isinstance(program, Some):
        return _are_names(program.rows, label)
    if isinstance(program, Every | Share):
        return isinstance(program.scope, AllRows) and _are_names(program.within, label)
    if isinstance(program, Compare):
        counted = program.left if isinstance(program.right, Literal) else None
        return isinstance(counted, Count) and _are_names(counted.rows, label)
    return False


def _are_names(rows: Rows, label: int) -> bool:
    """Return whether rows are told by names alone, each of one row: `Una and Merle`."""
    if isinstance(rows, Where):
        return rows.link.places.keys() == {label} and not rows.link.bound and len(rows.link.rows) == 1
    return isinstance(rows, Meet | Either) and all(_are_names(part, label) for part in rows.parts)


def _counts_what_is_given(outcome: Outcome) -> bool:
    """Return whether a count is of what a claim takes as given: two of `Of the two ships, Una is longer`."""
    claim, proposal = outcome.claim, outcome.proposal
    texts = claim.texts
    if texts[:1] not in _OF_SOME or "," not in texts or not proposal.kind.startswith("count"):
        return False
    counters = [
        position
        for position, (role, _) in proposal.bound.items()
        if role is Role.OPERATOR and claim.tokens[position].number is not None
    ]
    return bool(counters) and max(counters) < texts.index(",")


_OF_SOME = {("of",), ("among",), ("amongst",)}


def _is_of_rows_not_told(outcome: Outcome) -> bool:
    """Return whether nothing tells of which rows a claim is: `of the vans that broke down, Una is oldest`."""
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
    texts = claim.texts
    fronted = fronted_scope(texts)
    if fronted is None:
        return False
    clause = next((range(n, fronted.stop) for n in fronted if texts[n] in RELATIVE_PRONOUNS), None)
    if clause is None or any(position in proposal.bound for position in clause):
        return False
    return any(rest.get(position) is Left.WORD for position in clause)


def _names_no_row(outcome: Outcome) -> bool:
    return names_no_row(outcome.claim)


CHECKS = (
    Check(_only_names_rows, "it would be so whatever the cells beside the names hold"),
    Check(_counts_what_is_given, "what was counted is what the claim takes as known"),
    Check(_is_of_rows_not_told, "nothing tells of which rows the claim is"),
    Check(_names_no_row, "the claim names something that no row is called"),
)

"""Parts of a claim that a program does not tell: what is said of its values, a cause, a denial besides."""

from __future__ import annotations

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.index.columns.untold_cells import tells_of_nothing
from evidence_assets.tables.programs.links.cells.flag_links import NONE
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.readings.parts.proposal import Bound, Proposal
from evidence_assets.tables.programs.readings.parts.scopes import is_surely_a_verb, main_verb
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.soundness.possessions import opens_with_what_a_row_has
from evidence_assets.tables.programs.wording.quantifier_words import JOINTS, said_again
from evidence_assets.tables.programs.wording.trigger_lexicon import NEGATIONS, NOBODY, comparative, negations
from evidence_assets.tables.programs.wording.words import AUXILIARIES, is_past, word_keys
from evidence_assets.text.roots import root, word_roots

# Verbs that say little more than that something is so, and when or where it began.
_LIGHT_VERBS = word_roots("""
    come came go went get got make made take took stand lie begin began start date belong appear appeared
    occur occurred happen happened
""")


def lacks_predicate(claim: GroundedClaim, carrying: dict[int, Left], bound: Bound) -> bool:
    """Return whether what a claim says of its values is unaccounted: a verb that no column and no word tells.

    `The Alma blocks the South`: both are in a row, but nothing says what the row says of them.
    """
    texts = claim.texts
    if carrying.get(1) is Left.WORD and 1 not in bound and opens_with_what_a_row_has(claim):
        return True
    if not AUXILIARIES.isdisjoint(texts) or any(
        bound[position][0] is not Role.SCOPE
        for position in carrying
        if position in bound and claim.linked.in_header(position)
    ):
        return False
    if any(position in bound for position in claim.units) or _compares_what_the_caption_tells(claim, bound):
        return False
    values = positions_of(claim.links)
    bound_links = [link for link in claim.links if link.start in bound]
    if any(_names_its_column(claim, link) or _tells_a_deed(claim, link) for link in bound_links):
        return False
    words = [
        position
        for position, grade in carrying.items()
        if grade is Left.WORD
        and position not in bound
        and root(texts[position]) not in _LIGHT_VERBS
        and not _is_counted(claim, position, bound)
    ]
    return bool(values) and any(min(values) < position < max(values) for position in words)


def _tells_a_deed(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a verb says why a cell is filled or marked: `the Irish swimmer qualified`."""
    return link.bound.endswith(NONE) and is_past(claim.texts[link.start])


def _compares_what_the_caption_tells(claim: GroundedClaim, bound: Bound) -> bool:
    """Return whether a program compares the caption's noun: `carried more passengers than`."""
    return any(
        position in bound and comparative(text) and claim.tokens[position + 1].key in claim.index.caption
        for position, text in enumerate(claim.texts[:-1])
    )


def lacks_quantified_predicate(claim: GroundedClaim, carrying: dict[int, Left], proposal: Proposal) -> bool:
    """Return whether a program counts rows, or tells all, some or none of them, by what names them alone.

    Of `only one van from Osen was sold` it is how many are sold, and nothing behind the verb is told.
    """
    bound = proposal.bound
    opening = next((n for n, (role, _) in sorted(bound.items()) if role is Role.OPERATOR), None)
    if opening is None or proposal.kind not in _QUANTIFIED:
        return False
    verb = main_verb(claim, opening)
    if verb is None or not is_surely_a_verb(claim.texts[verb]) or any(position >= verb for position in bound):
        return False
    # Of all that opened early a claim says what they are: `have been restored`.
    untold = {Left.WORD, Left.HEADER} if proposal.kind in _OF_ALL else {Left.WORD}
    said = (n for n, grade in carrying.items() if n >= verb and grade in untold)
    if any(root(claim.texts[n]) not in _LIGHT_VERBS for n in said):
        return True
    return any(
        grade is Left.HEADER and _tells_it_of_some(claim, n) for n, grade in carrying.items() if n >= verb
    )


def _tells_it_of_some(claim: GroundedClaim, position: int) -> bool:
    """Return whether a column that a word names has something of some rows alone: of those that finished."""
    table, rows = claim.index.table, claim.index.rows - claim.index.summaries
    columns = (
        column
        for head in claim.linked.headers
        if head.start <= position < head.end
        for column in head.columns
    )
    return any(any(tells_of_nothing(table.rows[row][column]) for row in rows) for column in columns)


# Kinds of program that say of how many rows something is so.
_OF_ALL = frozenset({"all", "none"})
_QUANTIFIED = _OF_ALL | frozenset({"count", "distinct", "loose count", "majority", "count of the others"})


def _names_its_column(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a value says the header of its only column: of the column Stage, `the Meadow Stage`."""
    keys = {token.key for token in claim.tokens[link.start : link.end]}
    label = claim.index.table.label_column
    return any(column != label and not keys.isdisjoint(claim.index.headers[column]) for column in link.full)


def _is_counted(claim: GroundedClaim, position: int, bound: Bound) -> bool:
    """Return whether a word behind a number that counts rows names what these are: `two trains`."""
    before = claim.tokens[position - 1] if position else None
    counts = before is not None and before.number is not None and not before.ordinal
    return counts and bound.get(position - 1, (None, ""))[0] is Role.OPERATOR


def tells_a_cause(claim: GroundedClaim) -> bool:
    """Return whether a claim says why something is so, of a table that tells no reasons."""
    tells_reasons = any(not REASONS.isdisjoint(keys) for keys in claim.index.headers)
    texts = claim.texts
    because = claim.position({"because"})
    if because is not None and texts[because + 1 : because + 2] != ("of",):
        return not tells_reasons
    opening = _opening_of_a_reason(claim)
    if opening is not None:
        return not any(link.start > opening and _tells_reasons(claim, link) for link in claim.links)
    phrase = next((n for n in range(len(texts) - 1) if texts[n : n + 2] in _CAUSES), None)
    # `Cancelled owing to fog` may be what a column tells.
    is_told = phrase is not None and any(n > phrase for n in claim.linked_positions)
    return phrase is not None and not is_told and not tells_reasons


def _tells_reasons(claim: GroundedClaim, link: Link) -> bool:
    return any(not REASONS.isdisjoint(claim.index.headers[column]) for column in link.places)


def _opening_of_a_reason(claim: GroundedClaim) -> int | None:
    """Return where `since`, `as` behind a comma opens a reason: a name or a pronoun stands behind it."""
    texts = claim.texts
    opening = next((n for n in range(1, len(texts)) if texts[n] in _REASONING and texts[n - 1] == ","), None)
    if opening is None:
        return None
    named = any(link.start == opening + 1 and link.number is None and not link.bound for link in claim.links)
    return opening if named or texts[opening + 1 : opening + 2] in _PRONOUNS else None


_REASONING, _PRONOUNS = frozenset({"since", "as"}), {("it",), ("he",), ("she",), ("they",)}


_CAUSES = frozenset(
    {("caused", "by"), ("thanks", "to"), ("due", "to"), ("owing", "to"), ("because", "of"), ("down", "to")}
)
REASONS = word_keys("cause reason why note notes remark comment")


def leaves_a_comparison(claim: GroundedClaim, bound: Bound) -> bool:
    """Return whether a denial leaves what it denies: `none is cheaper than` without the comparison."""
    thans = [
        n
        for n, text in enumerate(claim.texts[:-1])
        if text == "than"
        and n not in bound
        and claim.tokens[n + 1].number is None
        # `Other than A` compares nothing.
        and claim.texts[max(0, n - 1)] != "other"
    ]
    denies = any(position in bound for position, text in enumerate(claim.texts) if text in NEGATIONS | NOBODY)
    return any(
        comparative(claim.texts[n])
        and ((denies and n not in bound) or (n in bound and bound[n][0] is Role.EVIDENCE))
        for than in thans
        for n in range(max(0, than - _NEAR_THAN), than)
    )


_NEAR_THAN = 8


def leaves_a_clause(claim: GroundedClaim, bound: Bound) -> bool:
    """Return whether a claim says, or denies, more than a program does, in a clause of its own.

    Of `went out three times and never in a storm`, `both are lit, and both are old`.
    """
    texts = claim.texts
    if any(position not in bound for position in said_again(texts)):
        return True
    return any(
        n not in bound and texts[n] in _DENYING_BESIDES and not claim.is_of_a_name(n)
        for n in negations(claim.tokens)
        if texts[max(0, n - 1)] in JOINTS
    )


_DENYING_BESIDES = frozenset({"not", "never", "no"})

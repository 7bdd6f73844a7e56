"""Which programs bear on their claim: what they come to hangs on the cells that the claim speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Count, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Either, Meet, Where
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every, Not, Share, Some
from evidence_assets.tables.programs.grammar.types import Rows, Truth, TruthResult
from evidence_assets.tables.programs.index.columns.weekly_days import ALL_DAYS
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.quantities.claim_numbers import is_day_of_a_month
from evidence_assets.tables.programs.readings.parts.extreme_columns import column_of_year
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.readings.rows.facts import UNMATCHED
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.leftovers.names_of_no_row import names_no_row
from evidence_assets.tables.programs.verdicts.soundness.claims_of_more_or_less import is_of_more_or_less
from evidence_assets.tables.programs.verdicts.soundness.counted_things import counts_other_things
from evidence_assets.tables.programs.verdicts.soundness.denied_headers import misses_a_denial
from evidence_assets.tables.programs.verdicts.soundness.misread_numbers import misreads_a_number
from evidence_assets.tables.programs.verdicts.soundness.named_columns import leaves_a_named_column
from evidence_assets.tables.programs.verdicts.soundness.numbers_of_things import takes_a_count_for_a_cell
from evidence_assets.tables.programs.verdicts.soundness.openings_of_times import leaves_an_opening_of_a_time
from evidence_assets.tables.programs.verdicts.soundness.other_measures import is_of_another_measure
from evidence_assets.tables.programs.verdicts.soundness.passed_over import passes_something_over
from evidence_assets.tables.programs.verdicts.soundness.rival_readings import hangs_on_a_rival_reading
from evidence_assets.tables.programs.verdicts.soundness.untold_parts import opens_with_what_a_row_has
from evidence_assets.tables.programs.wording.quantifier_words import fronted_scope
from evidence_assets.tables.programs.wording.trigger_lexicon import RELATIVE_PRONOUNS, is_graded
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES, is_past, singular
from evidence_assets.text.calendar_words import MIDDLES_OF_SEASONS, MONTHS
from evidence_assets.text.roots import root, word_roots


def bears_on(claim: GroundedClaim, proposal: Proposal, result: TruthResult, rest: Mapping[int, Left]) -> bool:
    """Return whether a program's result says something of its claim. `rest`: what it leaves of the claim."""
    decisive = [position for position, grade in rest.items() if grade is Left.DECISIVE]
    if (
        _only_names_rows(claim, proposal.program)
        or _counts_what_is_given(claim, proposal)
        or any(_is_a_name(claim, position) for position in decisive)
        # No year and no month bears a season out.
        or any(
            _is_a_season(claim.texts, position) or _is_a_part_of_a_day(claim, position) for position in rest
        )
        or _is_of_rows_not_told(claim, proposal, rest)
        or names_no_row(claim)
        or _grades_a_verb(claim, proposal, rest)
        or _is_of_what_a_subject_has(claim, rest)
        or leaves_a_named_column(claim, proposal, result)
        or is_of_another_measure(claim, proposal, result, rest)
        or misreads_a_number(claim, proposal, result, rest)
        or passes_something_over(claim, proposal, result, rest)
        or is_of_more_or_less(claim, proposal, result, rest)
        or leaves_an_opening_of_a_time(claim, proposal.bound)
        or takes_a_count_for_a_cell(claim, proposal)
        or misses_a_denial(claim, proposal, rest)
        or counts_other_things(claim, proposal, rest)
        or hangs_on_a_rival_reading(claim, proposal, result.truth)
    ):
        return False
    if result.truth is False:
        return not _may_be_of_something_else(claim, proposal, rest)
    unbound = (position for position in range(len(claim.texts)) if position not in proposal.bound)
    return not (
        any(claim.texts[position] in _DENIALS for position in decisive)
        # `On 9 May` is more than `May` bears out.
        or any(is_day_of_a_month(claim.tokens, position) for position in unbound)
        # Years and sums tell nothing of one month.
        or any(_is_an_untold_month(claim, position) for position in decisive)
        or any(grade is Left.VALUE and _is_a_month(claim, position) for position, grade in rest.items())
        # What is counted is a part of the claim, and another part decides.
        or (decisive and proposal.kind.startswith(_GUESSED_COUNTS))
    )


def _grades_a_verb(claim: GroundedClaim, proposal: Proposal, rest: Mapping[int, Left]) -> bool:
    """Return whether a program compares by how well, or how much, something did what nothing tells.

    `Sang better than in 2016`, `the best attended`, and `costs more than` where no column is of a price.
    """
    texts = claim.texts
    for position in range(1, len(texts) - 1):
        if texts[position] not in _GRADING:
            continue
        verb = root(texts[position - 1])
        how_well = texts[position] in _HOW_WELL and verb not in _DOING
        of_a_number = any(token.number is not None for token in claim.tokens[position + 2 : position + 3])
        how_much = verb in _MEASURING and texts[position : position + 2] in _MORE_THAN and not of_a_number
        if (how_well or how_much) and position in proposal.bound and position - 1 in rest:
            return True
    # Of a year that is named, its column tells what the caption says.
    return column_of_year(claim) is None and any(
        item.word in _MOST
        and item.start in proposal.bound
        and item.end in rest
        and texts[item.end].endswith(("ed", "ing"))
        for item in claim.superlatives
    )


# What is `best attended`, `most visited` is an extreme of no other column.
_MOST = frozenset({"best", "worst", "most", "least"})
_MORE_THAN = frozenset({("more", "than"), ("less", "than")})
_MEASURING = word_roots("cost costs weigh weighs weighed last lasts lasted")
_HOW_WELL = frozenset({"better", "worse"})
_GRADING = _HOW_WELL | {"more", "less"}
_DOING = word_roots("do did done fare fared perform performed score scored")


def _is_an_untold_month(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is a month that nothing of the table tells: `August was its busiest month`."""
    return _is_a_month(claim, position) and not claim.index.says(claim.tokens[position].key)


def _is_a_month(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is a month, that another date does not tell: `borrowed in May`, due in June."""
    return claim.tokens[position].text in MONTHS and claim.tokens[position].cased


def _is_of_rows_not_told(claim: GroundedClaim, proposal: Proposal, rest: Mapping[int, Left]) -> bool:
    """Return whether nothing tells of which rows a claim is: `of the vans that broke down, Una is oldest`."""
    texts = claim.texts
    fronted = fronted_scope(texts)
    if fronted is None:
        return False
    clause = next((range(n, fronted.stop) for n in fronted if texts[n] in RELATIVE_PRONOUNS), None)
    if clause is None or any(position in proposal.bound for position in clause):
        return False
    return any(rest.get(position) is Left.WORD for position in clause)


# What says the contrary of a claim that leaves it.
_DENIALS = frozenset({"not", "never"})


def _only_names_rows(claim: GroundedClaim, program: Truth) -> bool:
    """Return whether a program comes out as it does whatever the cells beside the rows' names hold.

    That there is a row of a name, that not all rows are of it, or how many rows so many names are.
    """
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


def _counts_what_is_given(claim: GroundedClaim, proposal: Proposal) -> bool:
    """Return whether a count is of what a claim takes as given: two of `Of the two ships, Una is longer`."""
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


def _is_a_season(texts: Sequence[str], position: int) -> bool:
    """Return whether a word is a season: `in the fall`, but not of `prices fall`."""
    if texts[position] == "fall":
        return "".join(texts[position - 1 : position]) in _BEFORE_SEASONS
    return texts[position] in MIDDLES_OF_SEASONS


def _is_a_part_of_a_day(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word tells a day more finely than its cell does: `Wednesday evenings`."""
    before = "".join(claim.texts[position - 1 : position])
    is_part = singular(claim.texts[position]) in _PARTS_OF_DAYS
    return is_part and (before in ALL_DAYS or before in _BEFORE_SEASONS)


_PARTS_OF_DAYS = frozenset({"morning", "afternoon", "evening", "night"})
_BEFORE_SEASONS = frozenset({"in", "the", "this", "that", "last", "every", "each"})


def _is_a_name(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word that is left is a name, or a day of the week: Pilar of `was flown by Pilar`."""
    token = claim.tokens[position]
    return token.capital and token.number is None and token.text not in MONTHS


def _may_be_of_something_else(claim: GroundedClaim, proposal: Proposal, rest: Mapping[int, Left]) -> bool:
    """Return whether what is denied of rows may not be what the claim says of them.

    That no row holds two values together contradicts nothing that compares, orders or counts them; what
    leaves a number or a comparison out has read another statement; a number of no cell may be worked out of
    several; and of what is counted, or of the column that is meant, a part of the claim is guessed.
    """
    decisive = [position for position, grade in rest.items() if grade is Left.DECISIVE]
    if proposal.kind.startswith(GUESSED) or proposal.kind.endswith(_GUESSED_COLUMNS):
        of_a_date = any(is_day_of_a_month(claim.tokens, position) for position in claim.numbers)
        return of_a_date or any(grade is not Left.HEADER for grade in rest.values())
    if proposal.kind.startswith("co-occurrence") and decisive:
        return True
    if any(
        claim.tokens[position].number is not None or _grades(claim.texts[position]) for position in decisive
    ):
        return True
    words = [position for position, grade in rest.items() if grade is Left.WORD]
    takes_place = all(root(claim.texts[position]) in _TAKING_PLACE for position in words)
    if _says_less_than_its_cell(claim, proposal):
        return True
    if not proposal.kind.startswith(_STATED) or takes_place:
        # That something was held on a day is what a date says of it.
        return False
    return _is_of_an_unnamed_column(claim, proposal) or _is_of_what_a_row_has(claim, rest)


def _says_less_than_its_cell(claim: GroundedClaim, proposal: Proposal) -> bool:
    """Return whether the named row's cell says with more what was done: `paid late`, of which it was paid."""
    index, bound = claim.index, [link for link in claim.links if link.start in proposal.bound]
    rows = {row for link in bound if len(link.rows) == 1 and not link.bound for row in link.rows}
    return any(
        claim.tokens[link.start].key in [token.key for token in index.cells[row][column][:-1]][:1]
        for link in bound
        if not link.bound and link.end == link.start + 1 and is_past(claim.texts[link.start])
        for column in link.full
        for row in rows - link.rows
    )


_TAKING_PLACE = word_roots("held hold place occur occurred happen happened")


def _grades(text: str) -> bool:
    """Return whether a word says more, less or most of something: `smaller`, `worse`, `finest`."""
    return text in _MORE_OR_LESS or is_graded(text, "er") or is_graded(text, "est")


_MORE_OR_LESS = frozenset({"more", "less", "fewer", "better", "worse", "most", "best", "worst"})
# Kinds of program that leave it open what is counted, or whether a number is.
_GUESSED_COUNTS = ("count of some", "loose count")
GUESSED = (*_GUESSED_COUNTS, UNMATCHED, "majority")
_GUESSED_COLUMNS = ("in some column", "in the only column")
# Kinds of program that state what the cells of rows hold.
_STATED = ("co-occurrence", "condition of a row", "quantity of a row")


def _is_of_an_unnamed_column(claim: GroundedClaim, proposal: Proposal) -> bool:
    """Return whether a time or a bare number is taken for a column's that the claim does not name.

    `The mill was repaired in 1950` says nothing of when it was built, and a 4 of several columns is of any.
    """
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


def _is_of_what_a_row_has(claim: GroundedClaim, rest: Mapping[int, Left]) -> bool:
    """Return whether a claim is of something of a named row that no column tells: `the Comet's sequel`."""
    label = claim.index.table.label_column
    for link in claim.names:
        ends_in_s = label in link.full and _is_possessive(claim, link.end)
        end = link.end
        while ends_in_s and rest.get(end) is Left.WORD:
            end += 1
        if end > link.end and (end == len(claim.tokens) or claim.tokens[end].stop):
            return True
    return rest.get(1) is Left.WORD and opens_with_what_a_row_has(claim)


def _is_of_what_a_subject_has(claim: GroundedClaim, rest: Mapping[int, Left]) -> bool:
    """Return whether a claim opens with what a row has and nothing tells: `Una's profit was highest`."""
    label = claim.index.table.label_column
    subject = next(iter(claim.names), None)
    if subject is None or label not in subject.full or not ARTICLES.issuperset(claim.texts[: subject.start]):
        return False
    end = subject.end
    while rest.get(end) is Left.WORD:
        end += 1
    behind = "".join(claim.texts[end : end + 1])
    return end > subject.end and behind in AUXILIARIES and _is_possessive(claim, subject.end)


def _is_possessive(claim: GroundedClaim, end: int) -> bool:
    """Return whether an `'s` stands between a word and the next, which no token is made of."""
    following = claim.tokens[end : end + 1]
    return any(token.start - claim.tokens[end - 1].end == len("'s ") for token in following)

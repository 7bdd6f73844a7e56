"""Parts of a question that nothing tells, without which a likely answer is not given."""

from __future__ import annotations

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.questions.lacking.doubtful_extremes import (
    is_of_an_untold_number,
    is_of_an_untold_size,
)
from evidence_assets.tables.programs.questions.lacking.lacking_nouns import (
    lacks_its_attribute,
    lacks_its_deed,
    lacks_its_kind_of_measure,
    lacks_its_modifier,
    lacks_its_situation,
)
from evidence_assets.tables.programs.questions.lacking.lacking_times import (
    hangs_on_a_column_of_times,
    lacks_its_day,
    lacks_its_event,
    lacks_its_time,
    lacks_its_time_of_year,
    lacks_what_was_then,
    takes_one_part_of_a_time,
)
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.rows.extremes import is_of_a_change
from evidence_assets.tables.programs.questions.wording.carried_words import carried_by
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.questions.wording.words_alike import resembles
from evidence_assets.tables.programs.wording.percent_words import is_in_percent
from evidence_assets.tables.programs.wording.quantities import converted, unit_after, unit_name
from evidence_assets.tables.programs.wording.trigger_lexicon import RELATIVE_PRONOUNS
from evidence_assets.tables.programs.wording.words import is_past
from evidence_assets.text.roots import root, word_roots
from evidence_assets.text.words import word_set

# What is said of any row: that the table has it.
_OF_LISTS = frozenset({"listed", "list", "table", "chart", "shown", "given", "recorded", "mentioned"})
_OF_SUCH = {(pronoun,) for pronoun in RELATIVE_PRONOUNS}
_PREPOSITIONS = frozenset({"in", "at", "on", "by", "under", "from", "for", "to", "with"})
_UNPUNCTUAL = frozenset({"late", "early", "overdue", "delayed"})
_ADVERBS = frozenset({"still", "yet", "now", "already", "not"})
# Kinds of programs that come to an amount, in the unit of its column.
_AMOUNTS = frozenset({"difference", "amount of a change"})
# Roots of words for what became of an amount, whichever way.
_CHANGES = word_roots("change changed loss gain difference growth")
# Participles that are no other form than their verbs'.
_LIKE_THEIR_VERBS = word_set("run set put cut shut let read come become")


def lacks_a_part(claim: GroundedClaim, proposal: QuestionProgram) -> bool:
    """Return whether a program leaves a part of a question without which it is another one."""
    wording = Wording(claim)
    return any(lacks(wording, proposal) for lacks in _LACKING)


def _lacks_its_verb(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells the verb behind `who`, which alone says who is asked for.

    Of twelve such answers on unknown domains two were right.
    """
    claim = wording.claim
    who = claim.position({"who", "whom"})
    if who is None or wording.form != "who":
        return False
    verb = next((n for n in range(who + 1, len(claim.tokens)) if not claim.tokens[n].stop), None)
    if verb is None or verb in proposal.bound or _is_done_by(claim, verb, proposal.column):
        return False
    if any(0 < head.start - verb <= 2 and proposal.column in head.columns for head in claim.linked.headers):
        # Whose the early shift is works it.
        return False
    return verb in carried_by(wording)


def _is_done_by(claim: GroundedClaim, verb: int, column: int | None) -> bool:
    """Return whether a column tells who did what a verb says: who `made` it, its `Maker`."""
    keys = claim.index.headers[column] if column is not None else ()
    return any(resembles(claim.tokens[verb].key, key) for key in keys)


def _lacks_its_state(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells the state of what is counted: `how many beds are free`.

    Of those counted `of the members` no participle is told either: `how many of them are married`.
    """
    claim = wording.claim
    if wording.form != "how many":
        return False
    texts = claim.texts
    # Tokens are `be` of `are` and `were` too; that of `the beds that are old` says which are counted.
    states = [n for n, text in enumerate(texts) if text == "be" and texts[n - 1 : n] not in _OF_SUCH]
    behind = range(states[0] + 1, len(texts)) if states else ()
    place = next((n for n in behind if texts[n] not in _ADVERBS), None)
    if place is None or place not in claim.linked.unknown or place in proposal.bound:
        return False
    is_participle = is_past(texts[place]) or texts[place] in _LIKE_THEIR_VERBS
    if is_participle and _is_told_behind(claim, place, proposal):
        return False
    of_some = texts[wording.counting[-1] + 1 : wording.counting[-1] + 2] == ("of",)
    return of_some or not is_participle


def _is_told_behind(claim: GroundedClaim, place: int, proposal: QuestionProgram) -> bool:
    """Return whether a preposition and what is told stand behind a participle: `set in Lissen`."""
    behind = range(place + 1, len(claim.texts))
    preposition = next((n for n in behind if not claim.tokens[n].mark), None)
    if preposition is None or claim.texts[preposition] not in _PREPOSITIONS:
        return False
    noun = next((n for n in range(preposition + 1, len(claim.texts)) if not claim.tokens[n].stop), None)
    return noun in proposal.bound


def _lacks_when_it_was_due(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells what was late or early: `which tool was returned late`."""
    carried = carried_by(wording)
    return any(
        text in _UNPUNCTUAL and n in carried and n not in proposal.bound
        for n, text in enumerate(wording.claim.texts)
    )


def _leaves_a_condition(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether all rows are counted though something is said of them: `how many tools are back`."""
    claim = wording.claim
    if proposal.kind != "count" or proposal.selection.kind != "all":
        return False
    noun = wording.place_of_noun
    behind = range(noun + 1, len(claim.texts)) if noun is not None else ()
    carried = carried_by(wording)
    left = (n for n in behind if n in carried and n not in proposal.bound)
    return any(claim.texts[n] not in _OF_LISTS for n in left)


def _lacks_its_share(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether a share is asked for, and an amount is answered: `by how many percent did it grow`."""
    texts = wording.claim.texts
    return proposal.kind in _AMOUNTS and any(
        is_in_percent(texts, place - 1) for place in range(1, len(texts))
    )


def _lacks_its_unit(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether a bound is told in another unit than its column's header: `two years`, of months."""
    claim = wording.claim
    for link in proposal.selection.links:
        words = range(link.start, link.end)
        if not link.bound or claim.refused.isdisjoint(words):
            continue
        headers = {key for column in link.places for key in claim.index.headers[column]}
        units = [name for key in headers if (name := unit_name(key))]
        numbers = [n for n in words if claim.tokens[n].number is not None]
        for place in numbers:
            of_one = claim.texts[place + 1 : place + 2] in (("a",), ("an",))
            unit, _ = unit_after(claim.tokens, place + of_one)
            if unit and any(name != unit and converted(1.0, unit, name) for name in units):
                return True
    return False


def _lacks_its_change(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether a superlative is of a change, and the program's is of a single amount."""
    claim = wording.claim
    if proposal.selection.kind == "largest change":
        return False
    of_change = any(is_of_a_change(claim, extreme) for extreme in claim.superlatives)
    left = {n for n, text in enumerate(claim.texts) if root(text) in _CHANGES and n not in proposal.bound}
    return of_change or bool(left and claim.superlatives)


_LACKING = (
    _lacks_its_share,
    _lacks_its_unit,
    lacks_its_time,
    lacks_its_event,
    lacks_what_was_then,
    _lacks_its_change,
    _lacks_its_verb,
    _lacks_its_state,
    lacks_its_attribute,
    lacks_its_modifier,
    lacks_its_deed,
    lacks_its_time_of_year,
    lacks_its_day,
    hangs_on_a_column_of_times,
    takes_one_part_of_a_time,
    lacks_its_situation,
    lacks_its_kind_of_measure,
    is_of_an_untold_number,
    is_of_an_untold_size,
    _lacks_when_it_was_due,
    _leaves_a_condition,
)

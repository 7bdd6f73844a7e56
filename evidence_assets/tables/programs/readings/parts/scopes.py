"""What a quantifier of a claim speaks of, and what the claim says of that."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.links.cells.flag_links import NONE
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.wording.trigger_lexicon import NOBODY, RELATIVE
from evidence_assets.tables.programs.wording.words import AUXILIARIES, is_past
from evidence_assets.text.words import words


def scope_and_predicates(claim: GroundedClaim, position: int) -> tuple[list[Link], list[Link]]:
    """Return what stands between a quantifier and the main verb, and what stands behind the verb.

    The oaks of `most of the oaks are protected` are the scope, protected is said of them.
    """
    verb = main_verb(claim, position)
    end = len(claim.texts) if verb is None else verb
    inside = [link for link in claim.links if position < link.start < end]
    return inside, [link for link in claim.links if link.start >= end]


def main_verb(claim: GroundedClaim, position: int) -> int | None:
    """Return where the verb stands that ends what a quantifier speaks of; None where none is told.

    The noun phrase goes on over `that` with the verb of its clause, and over a participle that tells which
    rows are meant: `every van that broke down is red`, `every van built in Osen is red`.
    """
    verbs = list(_verbs(claim, position))
    main = [n for n in verbs if not _is_of_a_modifier(claim, n, verbs, position)]
    return next((n for n in main if is_surely_a_verb(claim.texts[n])), main[0] if main else None)


def tells_more_behind(claim: GroundedClaim, position: int) -> bool:
    """Return whether behind the verb of what a quantifier speaks of stands a header, or a word of no cell."""
    verb = main_verb(claim, position)
    if verb is None:
        return False
    words = [n for n in claim.linked.unknown if n > verb and is_a_noun(claim, n)]
    return bool(words) or any(head.start > verb for head in claim.linked.headers)


def is_behind_its_verb(claim: GroundedClaim, position: int) -> bool:
    """Return whether a claim says something of all behind its verb: `fog was the reason for every delay`."""
    verbs = (
        n for n in range(1, position) if n not in claim.linked_positions and is_surely_a_verb(claim.texts[n])
    )
    return next(verbs, None) is not None and main_verb(claim, position) is None


def _verbs(claim: GroundedClaim, position: int) -> Iterator[int]:
    """Yield where verbs may stand behind a quantifier, the first word of each."""
    texts, before = claim.texts, False
    behind_a_noun = texts[position] in NOBODY
    of_units = {word for words, _ in claim.units.values() for word in words}
    # `Finished` may be linked to those without a mark of who did not.
    marked_verbs = {
        link.start for link in claim.links if link.bound.endswith(NONE) and is_past(texts[link.start])
    }
    for n in range(position + 1, len(texts)):
        is_verb = texts[n] in AUXILIARIES or (
            behind_a_noun and n not in of_units and (n in marked_verbs or _may_be_a_verb(claim, n))
        )
        if is_verb and not before:
            yield n
        before = is_verb
        behind_a_noun = behind_a_noun or n in claim.linked_positions or is_a_noun(claim, n)


def _may_be_a_verb(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word that nothing of the table tells stands right behind a noun, and is not one."""
    token, before = claim.tokens[position], claim.tokens[position - 1]
    if token.stop or token.mark or token.capital or token.number is not None:
        return False
    # `Powered mills` are mills.
    following = claim.tokens[position + 1 : position + 2]
    ends = all(word.stop or word.mark or word.number is not None for word in following)
    is_told = position in claim.linked_positions and not (ends and is_a_verb_of_a_header(claim, position))
    if is_told or token.text.endswith("ing"):
        return False
    behind_a_clause = before.text in RELATIVE
    return behind_a_clause or not (before.stop or before.mark)


def is_a_verb_of_a_header(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is what was done by those whom a header names: `won` of Winner."""
    text, index = claim.texts[position], claim.index
    heads = [
        head
        for head in claim.linked.headers
        if head.start <= position < head.end and not any(map(index.is_numeric, head.columns))
    ]
    names = (index.table.header[column].lower() for head in heads for column in head.columns)
    is_verb = is_past(text) or text in _PAST
    return bool(heads) and is_verb and not any(text in words(name) for name in names)


# Past forms that look like none.
_PAST = frozenset({"won", "led", "beat", "set"})


def is_surely_a_verb(text: str) -> bool:
    """Return whether a word is an auxiliary or a past form; of others a noun may look the same: `trains`."""
    return text in AUXILIARIES or is_past(text)


def is_a_noun(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word that nothing of the table tells may be what a quantifier is of: `all vans`."""
    token = claim.tokens[position]
    return not (token.stop or token.mark) and token.number is None


def _is_of_a_modifier(claim: GroundedClaim, verb: int, verbs: list[int], position: int) -> bool:
    """Return whether a verb says which rows are meant: of a relative clause, or a participle's."""
    texts = claim.texts
    behind = [n for n in verbs if n > verb]
    opening = next((n for n in range(verb - 1, position, -1) if texts[n] in RELATIVE), None)
    if opening is not None:
        return not any(opening < n < verb for n in verbs)
    is_participle = texts[verb] not in AUXILIARIES and is_past(texts[verb])
    return is_participle and bool(behind) and texts[verb + 1 : verb + 2] in _BEHIND_PARTICIPLES


_BEHIND_PARTICIPLES = {
    (word,) for word in ("by", "in", "on", "at", "after", "before", "from", "with", "for", "to", "between")
}


def but_behind(texts: tuple[str, ...], position: int) -> int | None:
    """Return where `but` excepts from what a quantifier speaks of, before the verb: `every van but one`."""
    verb = next((n for n, text in enumerate(texts) if n > position and text in AUXILIARIES), None)
    end = min(len(texts), position + _NEAR_BUT) if verb is None else verb
    return next((n for n in range(position, end) if texts[n] == "but" and texts[n - 1] != ","), None)


# So far behind a quantifier `but` excepts, where no verb ends what it speaks of.
_NEAR_BUT = 5


def stands_behind_its_scope(claim: GroundedClaim, position: int, before: list[Link]) -> bool:
    """Return whether a quantifier speaks of what stands before it: `the vans of Osen were all sold`."""
    several = bool(before) and len(common_rows(tuple(before))) > 1
    label = frozenset({claim.index.table.label_column})
    heads = [head for head in claim.linked.headers if head.start == position + 1 and head.columns == label]
    opens = bool(heads) or claim.texts[position + 1 : position + 2] in _PARTITIVE
    stands = claim.texts[position - 1] in AUXILIARIES or claim.texts[position] == "without"
    return several and (stands or before[-1].end == position) and not opens


_PARTITIVE = {("of",), ("the",), ("these",), ("those",)}


_HAVING = frozenset({"have", "with", "having"})


def joins_two_properties(claim: GroundedClaim, position: int) -> bool:
    """Return whether `both` opens two things that one row is said to be: `Ida is both small and unpaid`.

    So it does behind `has`, `with`, where they are of two columns: `no boat has both a cabin and an oven`.
    """
    texts = claim.texts
    behind = [link for link in claim.links if link.start > position]
    if texts[position - 1] in _HAVING and len(behind) > 1:
        first, second = behind[:2]
        if "and" in texts[first.end : second.start] and first.places.keys().isdisjoint(second.places):
            return True
    is_of_a_row = any(len(link.rows) == 1 and link.end <= position for link in claim.names)
    are_several = "and" in texts[:position]
    return is_of_a_row and not are_several and texts[position - 1] == "be" and "and" in texts[position:]

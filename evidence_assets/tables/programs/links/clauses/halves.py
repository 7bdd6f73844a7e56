"""The two clauses of a claim: `A is longer than B but cheaper`, `A is lit, and so is B`."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.wording.quantifier_words import said_again
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    CLAUSE_MARKS,
    CONCEDING,
    EACH,
    changes,
    comparative,
    concession,
)
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES, POSSESSIVES
from evidence_assets.tables.programs.wording.words_of_time import TIMES
from evidence_assets.text.words import word_set

# What these say of a claim's subject they say of it in either clause.
_QUANTIFIERS = EACH | {"both", "neither", "none", "no"}
_VERBS = word_set("be have do is are was were has had win lose score see saw")


def halves(claim: GroundedClaim) -> tuple[list[int], list[int], int] | None:
    """Return the positions of a claim's two clauses, the second with the first's subject, and of their joint.

    None where it has one clause only.
    """
    split = _relative_clause(claim) or _likewise(claim)
    if split is not None:
        return split
    joint = _joint(claim)
    if joint is None:
        return None
    texts = claim.texts
    first, second = _clauses(claim, joint)
    second = _with_time(claim, first, second)
    second = [*_opening_time(claim, first, second), *second]
    opening = texts[second[0]] if second else ""
    is_of_the_subject = opening in _PRONOUNS
    if second and is_of_the_subject:
        second, opening = second[1:], texts[second[1]] if len(second) > 1 else ""
    if second and second[0] in said_again(texts) and claim.links:
        subject = next((link for link in claim.links if link.start in first), claim.links[0])
        return first, [second[0], *range(subject.start, subject.end), *second[1:]], joint
    compared = _with_rivals(claim, first, second)
    if compared is not None:
        return first, compared, joint
    second = _with_column(claim, second, joint)
    said_before = _before_an_extreme(claim, first, second)
    if said_before:
        return first, [*said_before, *second], joint
    if claim.links and (is_of_the_subject or _is_verb(opening) or opening in {"not", "never"}):
        subject = next((link for link in claim.links if link.start in first), claim.links[0])
        quantifier = next(
            (n for n in range(min(subject.start, joint or subject.start)) if texts[n] in _QUANTIFIERS), None
        )
        start = subject.start if quantifier is None else quantifier
        second = [*range(start, subject.end), *second]
    has_verb = (
        any(_is_verb(texts[n]) or texts[n] == "than" or n in claim.signs for n in half)
        for half in (first, second)
    )
    return (first, second, joint) if all(has_verb) else None


def _is_verb(text: str) -> bool:
    """Return whether a word is a verb that a clause may have: a common one, or one of change."""
    return text in _VERBS or bool(text and changes(text))


def _with_time(claim: GroundedClaim, first: list[int], second: list[int]) -> list[int]:
    """Return a clause of a change with the time of the first's, or the noun of a part of a year.

    `A fell in the third quarter and rose in the fourth`, `A gained from 2010 to 2020, while B lost`.
    """
    texts, tokens = claim.texts, claim.tokens
    if not all(any(changes(texts[n]) for n in half) for half in (first, second)):
        return second
    noun = next((n for n in first if texts[n] in _PARTS and tokens[n - 1].ordinal), None)
    ordinal = next((n for n in second if tokens[n].ordinal), None)
    if noun is not None and ordinal is not None and texts[ordinal + 1 : ordinal + 2] != (texts[noun],):
        return [*(n for n in second if n <= ordinal), noun, *(n for n in second if n > ordinal)]
    years = claim.index.years_of_columns
    years_said = [n for n in first if tokens[n].number in years]
    end = [n for n in second if not tokens[n].mark]
    if years_said and end and texts[end[-1]] in {"since", "after"}:
        # `Fell in 2020 and has risen every year since.`
        return [*end, years_said[-1]]
    if not years_said or any(tokens[n].number in years or tokens[n].key in TIMES for n in second):
        return second
    opening = max(
        (n for n in first if n < years_said[0] and texts[n] in _OPENING_TIMES), default=years_said[0]
    )
    return [*end, *range(opening, years_said[-1] + 1)]


def _opening_time(claim: GroundedClaim, first: list[int], second: list[int]) -> range:
    """Return `In 2020` where it opens a claim of gains and losses and the other clause tells no time."""
    opening = next((link for link in claim.names_of_rows if link.start == 1 and claim.texts[0] == "in"), None)
    if opening is None or not claim.signs or 0 not in first:
        return range(0)
    times = (link for link in claim.names_of_rows if link.start in second)
    return range(0) if any(link.places.keys() & opening.places for link in times) else range(opening.end)


_PARTS = frozenset({"quarter", "half"})
_OPENING_TIMES = frozenset({"between", "from", "in", "since", "by"})


def _clauses(claim: GroundedClaim, joint: int) -> tuple[list[int], list[int]]:
    """Return the positions of a claim's main clause and of the other, without what opens that."""
    texts = claim.texts
    if not joint:
        # `Though its price is higher, A weighs less than B`: the main clause is behind the comma.
        comma = texts.index(",")
        return list(range(comma + 1, len(texts))), list(range(1, comma))
    second = list(range(joint + 1, len(texts)))
    opens = texts[joint] == "," and texts[joint + 1 : joint + 2] in {("and",), ("be",)}
    opens = opens or texts[joint + 1 : joint + 2] in {("then",), ("also",), ("still",)}
    return list(range(joint)), second[1:] if opens else second


def _with_rivals(claim: GroundedClaim, first: list[int], second: list[int]) -> list[int] | None:
    """Return the second clause of `A has more B than C but fewer D`, which compares the same two.

    None where it does not.
    """
    texts = claim.texts
    compares = [n for n in second if comparative(texts[n]) and n not in claim.linked.inside_names]
    thans = [n for n in first if texts[n] == "than" or n == sameness_as(texts)]
    if not compares or len(thans) != 1 or any(texts[n] == "than" for n in second):
        return None
    subject = next((link for link in claim.links if first[0] <= link.start < thans[0]), None)
    rivals = [link for link in claim.links if thans[0] < link.start <= first[-1]]
    others = [link for link in claim.names if second[0] <= link.start <= second[-1]]
    others = [link for link in others if subject is None or link.places != subject.places]
    if subject is None or not rivals or others:
        return None
    verb = [n for n in first if texts[n] in _VERBS][:1] if compares[0] - second[0] < _NEAR else []
    predicate = [n for n in second if not claim.tokens[n].mark and texts[n] not in POSSESSIVES]
    rest = [n for n in first if n >= thans[0] and not claim.tokens[n].mark]
    return [*range(subject.start, subject.end), *verb, *predicate, *rest]


_NEAR = 3


def sameness_as(texts: Sequence[str]) -> int | None:
    """Return where `as` stands in `the same weight as B`; None without."""
    same = texts.index("same") if "same" in texts else None
    return None if same is None else next((n for n in range(same, len(texts)) if texts[n] == "as"), None)


def _with_column(claim: GroundedClaim, second: list[int], joint: int) -> list[int]:
    """Return a clause whose superlative names no column with the column of the first clause's.

    `The lowest price is 10 and the highest is 40`.
    """
    first, last = ([x for x in claim.superlatives if (x.start > joint) is later] for later in (False, True))
    heads = claim.linked.headers
    named = [head for head in heads if first and first[0].end <= head.start <= first[0].end + 1]
    if len(first) != 1 or len(last) != 1 or not named or any(head.start > joint for head in heads):
        return second
    place = last[0].end
    column = range(named[0].start, named[0].end)
    return [*(n for n in second if n < place), *column, *(n for n in second if n >= place)]


def _before_an_extreme(claim: GroundedClaim, first: list[int], second: list[int]) -> list[int]:
    """Return what a first clause says up to its superlative, where a second opens with one and has no verb.

    `The fare is` of `the fare is lowest in A and highest in B`, each of which tells of what it is said.
    """
    texts = claim.texts
    if len(claim.superlatives) != _OF_EITHER or any(_is_verb(texts[n]) for n in second):
        return []
    years = claim.index.years_of_columns
    values = {link.start for link in claim.links} | {
        n for n, t in enumerate(claim.tokens) if t.number in years
    }
    extremes = [item.start for item in claim.superlatives]
    opening = next((n for n in second if texts[n] not in ARTICLES), None)
    if opening != extremes[1] or not all(any(n in values for n in half) for half in (first, second)):
        return []
    before = [n for n in first if n < extremes[0]]
    while before and texts[before[-1]] in ARTICLES:
        before.pop()
    return before if any(_is_verb(texts[n]) for n in before) else []


_OF_EITHER = 2


def _relative_clause(claim: GroundedClaim) -> tuple[list[int], list[int], int] | None:
    """Return `A is longer than B, which has C` as the clause before the comma, and `B has C`."""
    texts = claim.texts
    for position in range(len(texts) - 2):
        if texts[position] == "," and texts[position + 1] in {"which", "who"}:
            named = [link for link in claim.names if link.end <= position]
            if named and "," not in texts[position + 1 :]:
                rest = range(position + 2, len(texts))
                return list(range(position)), [*range(named[-1].start, named[-1].end), *rest], position + 1
    return None


# Open a clause that says the same of another: `A is lit, and so is B`, `A has no lift, nor has B`.
LIKEWISE = frozenset({"so", "neither", "nor"})


def _likewise(claim: GroundedClaim) -> tuple[list[int], list[int], int] | None:
    """Return `A is lit, and so is B` as the clause before the joint and `B is lit`."""
    texts, subject = claim.texts, next(iter(claim.links), None)
    for position in range(2, len(texts) - 2):
        joined = texts[position] in LIKEWISE and texts[position + 1] in AUXILIARIES
        if not joined or subject is None or texts[position - 1] not in {"and", ",", ";"}:
            continue
        end = position - 1 - (texts[position - 2 : position] == (",", "and"))
        ends_in_a_mark = texts[-1] in {".", "!"}
        others = range(position + 2, len(texts) - ends_in_a_mark)
        denied_before = claim.negation is not None and claim.negation < subject.start
        if subject.end < end and not denied_before and any(link.start in others for link in claim.links):
            return list(range(end)), [*others, *range(subject.end, end)], position
    return None


def tells_another_change(texts: Sequence[str], position: int) -> bool:
    """Return whether `and` joins a verb of change to another: `fell in 2020 and recovered in 2021`."""
    following = texts[position + 1 : position + 2] if texts[position] == "and" else ()
    joins = any(changes(text) for text in following)
    return joins and any(changes(text) for text in texts[:position])


_PRONOUNS = frozenset({"it", "they", "he", "she"})


def _joint(claim: GroundedClaim) -> int | None:
    """Return where a claim's two halves meet: at `while`, `but` and the like, else at `, and` or `and`."""
    texts = claim.texts
    if concession(texts) is not None:
        return 0
    for position, text in enumerate(texts):
        joins = text in CLAUSE_MARKS | CONCEDING and position > 2
        if joins and not (text == "but" and texts[position - 1] == "all"):
            return position
    if len(claim.superlatives) > 1:
        first, second = claim.superlatives[:2]
        between = [position for position in range(first.end, second.start) if texts[position] == "and"]
        return between[-1] if between else None
    for position in range(3, len(texts) - 3):
        compares = "than" in texts[:position] and any(map(comparative, texts[position:]))
        if texts[position] == "and" and (
            compares
            or texts[position - 1] == ","
            or texts[position + 1] in _VERBS
            or tells_another_change(texts, position)
        ):
            return position
    return None

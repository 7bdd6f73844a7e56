"""Yes-no questions of all of a set: "are all locomotives of Harlow Works stored in the North Shed".

The set and what is said of it are told apart by the words: what the set has and the condition has not is a
counterexample, and none is a "yes".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Filtered,
    Intersection,
    Named,
    Reached,
)
from evidence_assets.kgqa.queries.executing import Executor
from evidence_assets.kgqa.slots.expressions import intersection, is_named
from evidence_assets.kgqa.slots.slots import ANYTHING, Chart, Kind, Part, Slots
from evidence_assets.text.words import word_set

# What says more of the noun before it, and so nothing of all that the noun stands for.
_WITHIN_SET = word_set("that which who whom whose of s")
# Splits of a question that cost as much as the cheapest.
_AS_CHEAP = 0.1

Joining = Callable[[Part, Part, tuple[str, ...], tuple[str, ...], tuple[str, ...]], Iterator[Part]]


@dataclass(frozen=True, slots=True)
class Universal:
    """A set, its members that meet a condition, and the part that binds the words of both.

    `verbal`: the condition begins with a verb. `place`: the slot at which it begins.
    """

    difference: Difference
    part: Part
    verbal: bool
    place: int


def universal(slots: Slots, chart: Chart, joined: Joining, executor: Executor) -> Universal | None:
    """Return of what all a question asks what; None where it is not told what belongs to the set."""
    splits = list(_splits(slots, chart, joined, executor))
    least = min((split.part.cost for split in splits), default=0.0) + _AS_CHEAP
    cheap = sorted((split for split in splits if split.part.cost <= least), key=lambda split: split.place)
    verbal = [split for split in cheap if split.verbal]
    if not cheap:
        return None
    chosen = (verbal or cheap)[-1]
    later = [split for split in cheap if split.place > chosen.place]
    # "Are all lines built by Ada in Leeds": whether of those built by Ada, or of all lines, is not told.
    agree = {len(executor.nodes(split.difference)) > 0 for split in [chosen, *later]}
    return chosen if len(agree) == 1 else None


def _splits(slots: Slots, chart: Chart, joined: Joining, executor: Executor) -> Iterator[Universal]:
    count, whole = len(slots.slots), slots.whole
    before = {part.kind for slot in slots.slots[:whole] for part in slot.parts}
    of_subject = before.isdisjoint({Kind.SET, Kind.STEP})
    for middle in range(whole + 1, count) if of_subject else ():
        if not _WITHIN_SET.isdisjoint(slots.gaps[middle]):
            continue
        verbal = any(
            part.kind is Kind.STEP and part.bindings[0].role is Role.EVIDENCE
            for part in slots.slots[middle].parts
        )
        gaps = slots.gaps[0], slots.gaps[middle], slots.gaps[count]
        for members in filter(_is_set, chart[0, middle]):
            for condition in chart[middle, count]:
                if condition.kind is not Kind.LISTED:
                    for part in joined(members, condition, *gaps):
                        yield from _said_of_all(members, part, verbal, middle, executor)
    # "Does Ada repair all lines": the set is what is said last.
    if not of_subject:
        gaps = slots.gaps[0], slots.gaps[whole], slots.gaps[count]
        for condition in chart[0, whole]:
            for members in filter(_is_set, chart[whole, count]):
                for part in joined(condition, members, *gaps):
                    yield from _said_of_all(members, part, True, whole, executor)


def _is_set(part: Part) -> bool:
    """Return whether a part is a set of which something may be said of all."""
    return (
        part.kind is Kind.SET
        and not (part.negated or part.members or part.same)
        and part.expression != ANYTHING
        and not is_named(part.expression)
    )


def _said_of_all(
    members: Part, part: Part, verbal: bool, place: int, executor: Executor
) -> Iterator[Universal]:
    """Yield what is said of all members, if a joined part is those of them that meet a condition."""
    if part.kind is not Kind.SET or part.negated or part.expression == members.expression:
        return
    of, satisfying = executor.nodes(members.expression), executor.nodes(part.expression)
    if len(of) and set(satisfying.tolist()) <= set(of.tolist()):
        yield Universal(Difference(members.expression, part.expression), part, verbal, place)


def opposed(difference: Difference) -> Expression:
    """Return the counterexamples of which the graph tells what they have in place of a condition.

    A locomotive of which nothing tells what it runs on is none that does not run on diesel.
    """
    known_instead = [
        Reached(condition.relation, condition.backwards, ANYTHING)
        for condition in _conditions(difference)
        if isinstance(condition, Reached)
    ]
    known = intersection(difference.of, *known_instead)
    return Difference(known, difference.without)


def _conditions(difference: Difference) -> list[Expression]:
    """Return what is said of the members of a set besides what makes them its members."""
    of, without = difference.of, difference.without
    belongs = of.parts if isinstance(of, Intersection) else (of,)
    said = without.parts if isinstance(without, Intersection) else (without,)
    conditions = [part for part in said if part not in belongs and not isinstance(part, Named)]
    return [part.of if isinstance(part, Filtered) else part for part in conditions]

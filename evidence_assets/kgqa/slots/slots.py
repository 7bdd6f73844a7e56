"""A question as slots: names, words for relations and types, literals and operators, in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evidence_assets.evidence.accounting import Binding
from evidence_assets.kgqa.queries.algebra import Expression, Measure, Relational, Typed
from evidence_assets.kgqa.slots.likelihoods import Likelihoods

# What a part stands for that is no set.
ANYTHING = Typed("")
# What a verb is bound to that says no more than that things are related.
RELATED = "is related"
# What the nouns of time are bound to: "in what year".
TIME = "time"
# What "all" and "every" are bound to.
EVERY = "every member"
# What "how much" and "how threatened" ask for.
MUCH = "how much"


class Kind(StrEnum):
    """What a part of a question is."""

    SET = "set"
    STEP = "step"
    DEGREE = "degree"
    BOUND = "bound"
    MOST = "most"
    MORE = "more"
    THAN = "than"
    EXTREME = "extreme"
    QUANTITY = "quantity"
    COUNTED = "counted"
    LISTED = "listed"
    COUNT = "count"
    NEGATION = "negation"
    EXCEPT = "except"
    AND = "and"
    OR = "or"
    SAME = "same"
    OTHER = "other"
    TOTAL = "total"
    MEAN = "mean"
    ALL = "all"
    EMPTY = "empty"


# What says nothing of a set, but what is done with it or its measures, if anything.
SILENT = frozenset({Kind.EMPTY, Kind.TOTAL, Kind.MEAN})


# What no path of relations can say.
OPERATORS = frozenset(
    {
        Kind.COUNT,
        Kind.NEGATION,
        Kind.EXCEPT,
        Kind.OR,
        Kind.MOST,
        Kind.MORE,
        Kind.EXTREME,
        Kind.DEGREE,
        Kind.BOUND,
        Kind.TOTAL,
        Kind.MEAN,
        Kind.ALL,
    }
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question with what it stands for; `cost` is 0 where every word is bound without doubt.

    `expression`: of a set; `members`: its names where several are joined by "and". `relation`, `agentive`: of
    a step. `measure`, `greatest`: of an extreme, or of a degree, and `rank`: the second greatest.
    `relational`, `bound`: of a comparison, which `upper` bounds from above by `upper_relational`, in a
    `unit`; `years`: the bound is a time. `others`: bounds joined to one by "or". `same`: a relation by which
    something is the same, in the direction in which it was walked.
    `unsaid`: steps that no word says. `negated`: the set is one to be taken away, and `preposition` stands
    before it: "not at Leeds". `target`: the noun that is
    asked for is among its own. `via`: the step by which a set is what anything leads to: "a sponsor".
    `noun`: a step's word is a noun for what is asked for: "what capital". `said_of`: the steps by which a
    sentence has something as what the noun says, of another: "a moon of Saturn"; `at_head`: whether what a
    step's noun says of another is reached from the relation's head, None where that is not told.
    `framed`: a step that a phrase says only between the types at its ends; `untyped`: what it costs that the
    question does not say what such a step leads to.
    """

    kind: Kind
    cost: float = 0.0
    bindings: tuple[Binding, ...] = ()
    expression: Expression = ANYTHING
    members: tuple[Expression, ...] = ()
    relation: str = ""
    agentive: bool = False
    negated: bool = False
    preposition: str = ""
    measure: Measure | None = None
    greatest: bool = True
    rank: int = 1
    relational: Relational | None = None
    bound: float | Expression | None = None
    upper: float | None = None
    upper_relational: Relational = Relational.AT_MOST
    unit: str = ""
    years: bool = False
    same: tuple[str, bool] | None = None
    unsaid: int = 0
    joint: Kind | None = None
    target: bool = False
    framed: bool = False
    untyped: float = 0.0
    others: tuple[Part, ...] = ()
    via: tuple[str, bool] | None = None
    noun: bool = False
    said_of: frozenset[tuple[str, bool]] = frozenset()
    at_head: bool | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """Words of a question with what they may stand for; `left_out`: what it costs not to bind them."""

    start: int
    end: int
    parts: tuple[Part, ...]
    left_out: float = 1.0


@dataclass(frozen=True, slots=True)
class GapWords:
    """Words that ask by how much two things differ: "how many years older is Ada than Bo".

    `places`: of these words; `than`: of the one behind which stands what another thing is compared with, -1
    where neither is. `less`: the other has more: "fewer than", "before". `unit`: in which it is asked for, ""
    for none. `counts`: "more" and "fewer" stand before a noun. `dated`: years between two things are asked
    for, which no other word need say.
    """

    places: frozenset[int]
    than: int
    less: bool = False
    unit: str = ""
    counts: bool = False
    dated: bool = False


@dataclass(frozen=True, slots=True)
class Slots:
    """A question's slots, the function words before each and after the last, and how the question begins.

    `whole`: the slot of "all" or "every" where a yes-no question has one, -1 where it has none. `counts`:
    "how many" stands after what it is said of: "Leeds has how many inhabitants". `gap`, `gap_bindings`: the
    words that ask by how much two things differ, None where none do, and what they are bound to. `phrases`:
    what several slots together may stand for, by the first and the one after the last. `requests`: the words
    that ask for names, behind a question of yes or no, which it is no longer then.
    """

    slots: tuple[Slot, ...]
    gaps: tuple[tuple[str, ...], ...]
    asks: str
    yes_or_no: bool
    likelihoods: Likelihoods
    counts: bool = False
    whole: int = -1
    gap: GapWords | None = None
    gap_bindings: tuple[Binding, ...] = ()
    phrases: tuple[tuple[int, int, tuple[Part, ...]], ...] = ()
    requests: tuple[Binding, ...] = ()

    @property
    def asks_for_noun(self) -> bool:
        """Whether names are asked for behind a question of yes or no that begins with a noun for them."""
        return bool(self.requests) and any(part.target for slot in self.slots for part in slot.parts)


# What spans of a question's slots may stand for, by the first slot and the one after the last.
Chart = Mapping[tuple[int, int], Sequence[Part]]


def relation_of(word: Binding) -> str:
    """Return the relation that words of a question are bound to; "" for none."""
    return word.target.removeprefix("relation ") if says_relation(word) else ""


def says_relation(word: Binding) -> bool:
    """Return whether words of a question are bound to a relation."""
    return word.target.startswith("relation ")

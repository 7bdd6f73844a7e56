"""Whether what a reading answers is of the kind that its question asks for: no year for "who", no count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import pairwise
from typing import Any

import numpy as np

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Filtered,
    Form,
    Intersection,
    Measure,
    Named,
    Number,
    Query,
    Reached,
    Relational,
    Typed,
    Union,
    comparisons_of,
    names_of,
    parts_of,
    relations_of,
)
from evidence_assets.kgqa.queries.executing import Executor
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import Kind, says_relation
from evidence_assets.kgqa.slots.trigger_words import BOUNDS
from evidence_assets.kgqa.understanding.bound_words import threes
from evidence_assets.kgqa.understanding.joint_subjects import is_of_the_same
from evidence_assets.kgqa.words.degrees import adjective_of, dimensions
from evidence_assets.kgqa.words.derivations import akin, is_participle
from evidence_assets.kgqa.words.word_classes import (
    ARTICLES,
    AUXILIARIES,
    BE,
    EVERYBODY,
    GENERIC,
    IDENTIFYING,
    PERSONS,
    POLITE,
    QUESTION_WORDS,
    REASONS,
    REQUESTS,
    TIMES,
    WILD,
)
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root

_MORE = frozenset(["more", "fewer", "less"])


def unread_operations(accounting: Accounting) -> list[str]:
    """Return the words of a subtraction or comparison, and of a bound before a name that is an amount.

    "How many more ... than" is no count, "longer than" no superlative; "under 8 players" is not what has 8.
    """
    texts = [binding.text.lower() for binding in accounting.bindings]
    return [
        *(
            binding.text
            for binding in accounting.bindings
            if binding.text.lower() == "than" and binding.role is not Role.OPERATOR
        ),
        *(
            after.text
            for place, (before, after) in enumerate(pairwise(accounting.bindings))
            if (before.target == Kind.COUNT.value or texts[place] in ("how", "how much"))
            and before.target != Form.GAP.value
            and (texts[place + 1] in _MORE or adjective_of(texts[place + 1])[1] == "er")
            and any("than" in text.split() for text in texts[place + 1 :])
        ),
        *(
            before.text
            for before, after in pairwise(accounting.bindings)
            if tuple(before.text.lower().split()) in BOUNDS
            and before.role is not Role.OPERATOR
            and after.target.startswith("node ")
            and after.text[:1].isdigit()
        ),
    ]


def unread_wholes(accounting: Accounting, query: Query) -> list[str]:
    """Return the words that ask whether all are so, or the same, where a query asks of some: `both`.

    What things have `together` is no amount of each.
    """
    compares = query.form in (Form.EXISTENCE, Form.EVERY) and any(comparisons_of(query.of))
    if together := _saying(accounting, _TOGETHER) if compares else []:
        return together
    if query.form is Form.EVERY:
        return []
    if query.form is not Form.EXISTENCE:
        return [*_wholes_behind_verbs(accounting), *_unread_same(accounting, query)]
    texts = [binding.text.lower() for binding in accounting.bindings]
    same = {"same"} if "as" not in texts and not is_of_the_same(query) else frozenset[str]()
    # "By both Ada and Bo" is by each.
    each = {"both"} if _is_of_two_names(query) else frozenset[str]()
    return _saying(accounting, (_WHOLES - each) | same)


def _is_extreme(word: Binding) -> bool:
    return word.role is Role.OPERATOR and word.target.startswith(("greatest", "least"))


def _wholes_behind_verbs(accounting: Accounting) -> list[str]:
    """Return the words that say that something does it to all of a type: "which cheese won all awards"."""
    content = [
        binding for binding in accounting.bindings if binding.text.lower() not in ARTICLES | {"of", "these"}
    ]
    return [
        whole.text
        for verb, whole, noun in threes(content)
        if verb.role is Role.EVIDENCE
        and says_relation(verb)
        # "The lowest-lying of all" compares them all.
        and not any(_is_extreme(word) for word in content[: content.index(verb)])
        and whole.text.lower() in _ALL
        and noun.role is Role.TYPE
        and noun is content[-1]
    ]


def _unread_same(accounting: Accounting, query: Query) -> list[str]:
    """Return `same` where nothing is named that has it: "ships built in the same year" are of any year.

    So it is of "share", unless a relation is called so.
    """
    if names_of(query.of) or _saying(accounting, frozenset(["as"])):
        return []
    return [
        word.text
        for word in accounting.bindings
        if "same" in word.text.lower().split()
        or (word.text.lower() == "share" and word.role is not Role.EVIDENCE)
    ]


def _is_of_two_names(query: Query) -> bool:
    """Return whether two names, one step away, are what a set has both of."""
    parts = query.of.parts if isinstance(query.of, Intersection) else ()
    steps = Counter(
        (part.relation, part.backwards)
        for part in parts
        if isinstance(part, Reached) and isinstance(part.of, Named)
    )
    return max(steps.values(), default=0) > 1


def unread_sums(accounting: Accounting, query: Query, values: Any) -> list[str]:
    """Return the words that ask for a sum or a difference, where a query has single amounts: `in total`.

    `values`: of the members of its set as literals.
    """
    if query.form is not Form.MEMBERS:
        return []
    are_amounts = len(values) > 1 and not np.isnan(values).any()
    together = _saying(accounting, _TOGETHER) if are_amounts else []
    opens = accounting.bindings[0].text.lower() if accounting.bindings else ""
    counts = opens == "how" or any(binding.target == Kind.COUNT.value for binding in accounting.bindings)
    # "How many points behind the Harriers".
    apart = [
        behind.text
        for before, behind in pairwise(accounting.bindings)
        if counts and before.target and behind.text.lower() in _APART
    ]
    return [*together, *apart]


def _saying(accounting: Accounting, said: frozenset[str]) -> list[str]:
    """Return the bindings that have one of some words."""
    return [b.text for b in accounting.bindings if not said.isdisjoint(b.text.lower().split())]


_ALL = frozenset(["all", "both", "each", "every"])
_WHOLES = EVERYBODY | {"both", "everything", "whole", "entire"}
_TOGETHER = frozenset({"total", "together", "altogether", "combined", "sum", "overall"})
_APART = frozenset({"behind", "ahead"})


def unfit_asking(
    accounting: Accounting, query: Query, nodes: Nodes, lexicon: Lexicon, values: Any
) -> list[str]:
    """Return the word that asks for another kind of answer than a query has: "why", of a year.

    `values`: each node's value as a literal.
    """
    if query.form is not Form.MEMBERS:
        return []
    names = relations_of(query.of) & lexicon.facts.keys()
    why = [binding.text for binding in accounting.bindings if binding.text.lower() == "why"]
    if why:
        for_something = any(lexicon.facts[name].name_words[-1:] == ("for",) for name in names)
        said = lexicon.roots_of(names)
        tells = any(akin(root(word), other) for word in REASONS for other in said)
        return [] if tells or for_something else why
    if how := _of_another_dimension(accounting, lexicon):
        return how
    asking = _asking(accounting)
    if asking is None or not len(nodes):
        return []
    word = asking.text.lower()
    # Who spins a yarn may be a mill.
    no_doers = word in ("who", "whom") and not lexicon.doers_of(names) and are_things(nodes, lexicon)
    nowhere = word == "where" and (
        _are_doers(nodes, lexicon) or _are_what_is_sought(accounting, nodes, lexicon)
    )
    if no_doers or nowhere or (word == "when" and _are_persons_or_places(nodes, lexicon)):
        return [asking.text]
    literal = {name for name in names if lexicon.facts[name].literal}
    is_value = bool(literal) and not np.isnan(values[nodes]).any()
    return [asking.text] if is_value and _asks_for_no_value(accounting, asking, literal, lexicon) else []


def _asks_for_no_value(
    accounting: Accounting, asking: Binding, relations: Collection[str], lexicon: Lexicon
) -> bool:
    """Return whether a word does not ask for values of relations: "who" for none, "how was" for no year.

    "When" asks for no number of seats.
    """
    word = asking.text.lower()
    tells_times = any(lexicon.facts[name].years for name in relations)
    return (
        word in ("who", "whom", "whose", "where")
        or (word == "when" and not tells_times)
        or (word == "how" and tells_times and _after(accounting, asking) in AUXILIARIES)
    )


def are_things(nodes: Nodes, lexicon: Lexicon) -> bool:
    """Return whether all answers are clearly of no persons, animals or groups, for which "who" asks."""
    things = lexicon.meanings.kinds.things
    others = {*lexicon.nouns} - things
    of_types = lexicon.names.of_types
    return bool(things) and all(
        of_types([node], things) and not of_types([node], others) for node in nodes.tolist()
    )


def _are_what_is_sought(accounting: Accounting, nodes: Nodes, lexicon: Lexicon) -> bool:
    """Return whether answers are the things themselves of which it is asked where they are."""
    content = [binding for binding in accounting.bindings if binding.text.lower() not in ARTICLES]
    sought = next((noun for where, be, noun in threes(content) if _asks_where(where, be)), None)
    if sought is None or sought.role is not Role.TYPE:
        return False
    return len(lexicon.names.of_types(nodes.tolist(), {sought.target.removeprefix("type ")})) == len(nodes)


def _asks_where(where: Binding, be: Binding) -> bool:
    return where.text.lower() == "where" and be.text.lower() in BE | {"s"}


def _are_doers(nodes: Nodes, lexicon: Lexicon) -> bool:
    """Return whether all answers are of persons, or of who does something, for whom "where" does not ask."""
    doers, of_types = lexicon.doers, lexicon.names.of_types
    others = {*lexicon.nouns} - doers
    return bool(doers) and all(
        of_types([node], doers) and not of_types([node], others) for node in nodes.tolist()
    )


def _are_persons_or_places(nodes: Nodes, lexicon: Lexicon) -> bool:
    """Return whether all answers are of types of persons or places, for which "when" does not ask."""
    kinds = lexicon.meanings.kinds
    types = (kinds.persons | kinds.places) - {*lexicon.asked_types("when")}
    return bool(types) and all(lexicon.names.of_types([node], types) for node in nodes.tolist())


def _of_another_dimension(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the words of `how wide` that are read as a relation which tells no width."""
    return [
        binding.text
        for binding in accounting.bindings
        for how, adjective in [(*binding.text.lower().split(), "", "")[:2]]
        if how == "how" and _tells_another(adjective, binding.target.removeprefix("relation "), lexicon)
    ]


def _tells_another(adjective: str, relation: str, lexicon: Lexicon) -> bool:
    """Return whether a relation has no unit, or the name of another dimension than an adjective measures."""
    dimension, facts = dimensions().get(adjective), lexicon.facts.get(relation)
    if facts is None or dimension is None or dimension.temporal or adjective in GENERIC:
        return False
    roots = {*facts.roots}
    others = (other.roots for other in dimensions().values() if dimension.roots.isdisjoint(other.roots))
    names_another = any(not facts.measure_roots.isdisjoint(other) for other in others)
    return roots.isdisjoint({*dimension.roots, root(adjective)}) and (names_another or not facts.unit)


def _asking(accounting: Accounting) -> Binding | None:
    """Return the word that asks, where nothing but a request, or a person, stands before it."""
    for binding in accounting.bindings:
        if binding.text.lower() in QUESTION_WORDS:
            return binding
        # "Name the person who".
        if binding.text.lower() not in function_words() | REQUESTS | POLITE | PERSONS:
            return None
    return None


def _after(accounting: Accounting, binding: Binding) -> str:
    place = accounting.bindings.index(binding) + 1
    return accounting.bindings[place].text.lower() if place < len(accounting.bindings) else ""


def qualifying_nouns(accounting: Accounting, lexicon: Lexicon) -> list[str]:
    """Return the nouns that are asked for and only say what a measure is of: "which team", of a team size."""
    roots = {root(word) for binding in accounting.bindings for word in binding.text.lower().split()}
    return [
        noun.text
        for word, noun in pairwise(accounting.bindings)
        if word.text.lower() in ("what", "which")
        and noun.role is Role.EVIDENCE
        and _only_qualifies(noun, roots, lexicon)
    ]


def _only_qualifies(noun: Binding, said: set[str], lexicon: Lexicon) -> bool:
    name = noun.target.removeprefix("relation ")
    facts = lexicon.facts.get(name)
    if facts is None or not facts.literal:
        return False
    *before, head = facts.wording.split()
    word = noun.text.lower()
    return (
        root(word) in map(root, before)
        and root(head) not in said
        and word not in TIMES
        and head not in function_words() | WILD | IDENTIFYING
        and not is_participle(head)
        and name not in lexicon.measured.by_dimension(word)
    )


def miscounted(query: Query, executor: Executor) -> str:
    """Return why a count compares nothing: each has one of what is counted; "" where it compares.

    What is told as "16 GB" would be compared by how many such there are of each: one.
    """
    for compared in comparisons_of(query.of):
        measure = compared.measure
        if not isinstance(measure, Number) or not executor.is_single(measure.relation, measure.backwards):
            continue
        by_number = isinstance(compared, Filtered) and isinstance(compared.bound, float)
        if not by_number or executor.tells_amounts(measure.relation, measure.backwards):
            return f"each has one {measure.relation} at most, and what it tells is no number: {query}"
    return ""


def restated(query: Query, nodes: Nodes) -> str:
    """Return that nothing but what a question names would answer it; "" where something does.

    A choice among names is answered by one of them, and so is what a thing does to itself.
    """
    if query.form is not Form.MEMBERS or not len(nodes):
        return ""
    answers = set(nodes.tolist())
    names = [name for name in names_of(query.of) if answers.issuperset(name.nodes)]
    named = {node for name in names for node in name.nodes}
    if answers - named or _chooses(query.of) or _is_step_from_name(query.of):
        return ""
    return f"it would be answered by what it names: {query}"


def restated_of_all(query: Query) -> str:
    """Return that what is said of all of a set is what they were chosen by; "" where it says more.

    Of all towns above 60 metres it is no news that they are above 60 metres.
    """
    if not isinstance(query.of, Difference):
        return ""
    chosen_by, said = _bounds(query.of.of), _bounds(query.of.without)
    restates = not chosen_by.isdisjoint(said)
    return f"it would be said of those alone that it is true of: {query}" if restates else ""


def _bounds(part: Expression) -> frozenset[tuple[Measure, Relational, float]]:
    """Return the comparisons with a number in a set."""
    return frozenset(
        (compared.measure, compared.relational, compared.bound)
        for compared in comparisons_of(part)
        if isinstance(compared, Filtered) and isinstance(compared.bound, float)
    )


def _chooses(part: Expression) -> bool:
    """Return whether a set is of some of several names: "which of Leeds and York has a river"."""
    return any(
        isinstance(held, Union) and sum(bool(names_of(member)) for member in held.parts) > 1
        for held in parts_of(part)
    )


def _is_step_from_name(part: Expression) -> bool:
    if isinstance(part, Intersection):
        return all(isinstance(member, Typed) or _is_step_from_name(member) for member in part.parts)
    return isinstance(part, Reached) and isinstance(part.of, Named)

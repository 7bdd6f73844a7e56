"""Whether "who" is answered by somebody: by persons, or by what does what is asked.

Who acted with somebody is none of the productions that they acted in.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.queries.algebra import Form, Query, Reached, last_steps, names_of
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.senses import is_agent
from evidence_assets.kgqa.slots.slots import Kind
from evidence_assets.kgqa.words.word_classes import DETERMINERS, PREPOSITIONS

_WHO, _PEOPLE = frozenset({"who", "whom"}), frozenset({"people", "persons", "person"})


def answered_by_nobody(
    query: Query, nodes: Nodes, accounting: Accounting, lexicon: Lexicon, values: NDArray[np.float64]
) -> list[str]:
    """Return "who" or "people" where some of the answers are no persons and do not do what is asked.

    Of graphs that have persons alone: where these are only at the other end of a relation that leads to the
    answers, or at neither. `values`: each node's value as a literal.
    """
    persons = lexicon.meanings.kinds.persons
    asking = _asking(accounting)
    if query.form not in (Form.MEMBERS, Form.NUMBER) or not asking or not len(nodes) or not persons:
        return []
    if not np.isnan(values[nodes]).any():
        # How many people a room seats is a number.
        return []
    answers = nodes.tolist()
    are_persons = [bool(lexicon.names.of_types([node], persons)) for node in answers]
    if all(are_persons) or _are_named(query, answers):
        return []
    things = lexicon.meanings.kinds.things
    are_things = all(lexicon.names.of_types([node], things) for node in answers)
    does = asking.lower() in _WHO and any(
        _leads_to_doer(step, lexicon) and not (step.backwards and are_things) for step in last_steps(query.of)
    )
    return [] if does else [asking]


def _asking(accounting: Accounting) -> str:
    """Return by which word a question asks for somebody: "who", "with whom", "which people"; "" for none."""
    bindings = accounting.bindings
    if bindings and bindings[0].text.lower() in PREPOSITIONS:
        bindings = bindings[1:]
    who = next((word.text for word in bindings[:1] if word.text.lower() in _WHO), "")
    people = (
        noun.text
        for asking, noun in pairwise(bindings)
        if asking.text.lower() in DETERMINERS or asking.target == Kind.COUNT.value
        if noun.text.lower() in _PEOPLE
    )
    return who or next(people, "")


def _are_named(query: Query, answers: list[int]) -> bool:
    """Return whether answers are of the names among which is asked: "who weighs more, Duchess or Zephyr"."""
    return {node for name in names_of(query.of) for node in name.nodes}.issuperset(answers)


def _leads_to_doer(step: Reached, lexicon: Lexicon) -> bool:
    """Return whether a step leads to who does what its relation says: forwards by "owned_by", or "operator".

    Where persons are at the relation's other end, they do it.
    """
    facts = lexicon.facts.get(step.relation)
    if facts is None:
        return True
    last = facts.name_words[-1]
    if not step.backwards and (last == "by" or is_agent(last)):
        return True
    from_type = lexicon.ends(step.relation, step.backwards)[0]
    return from_type not in lexicon.meanings.kinds.persons and (
        step.backwards == facts.agent_first and not facts.noun_of
    )

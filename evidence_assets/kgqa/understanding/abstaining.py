"""Why a question that is composed of its words is not answered, in plain words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.composition.composition import Composition
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Named,
    Query,
    Reached,
    Union,
    names_of,
    relations_of,
)
from evidence_assets.kgqa.queries.executing import Executor
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import EVERY, RELATED, says_relation
from evidence_assets.kgqa.understanding.bound_words import threes
from evidence_assets.kgqa.understanding.closed_world import ClosedWorld
from evidence_assets.kgqa.understanding.decisive_words import (
    asked_for,
    asked_nouns,
    asked_times,
    decides,
    listed_nouns,
    not_answered_to,
    nothing_accounts_for,
    qualifiers,
    unguessed,
    unread,
)
from evidence_assets.kgqa.understanding.guessed_words import NEAR, guessed_words
from evidence_assets.kgqa.understanding.kinds_of_answers import (
    are_things,
    qualifying_nouns,
    unfit_asking,
    unread_operations,
    unread_sums,
    unread_wholes,
)
from evidence_assets.kgqa.understanding.reading_signs import foreign
from evidence_assets.kgqa.understanding.soundness.unsound import unsound
from evidence_assets.kgqa.understanding.unsaid_facts import unsaid_facts
from evidence_assets.kgqa.words.derivations import akin, is_past, verb_of
from evidence_assets.kgqa.words.word_classes import (
    ARTICLES,
    AUXILIARIES,
    BACK,
    BE,
    DO,
    MAIN,
    PARTICLES,
    POLITE,
    QUESTION_WORDS,
    REQUESTS,
    THEM,
)
from evidence_assets.reading.accounting import spans
from evidence_assets.text.function_words import function_words, light_verbs
from evidence_assets.text.roots import lemma, root

# The share of a question's words that may be no English.
_MOST_FOREIGN = 0.4
_GENERIC_AMOUNTS = frozenset(["number", "amount", "figure", "value", "quantity"])
_SUPERLATIVE = frozenset(["most", "least", "more", "less"])
# A sentence before the question.
_SENTENCES = re.compile(r"[.!?]\s+\S")


class Abstainer:
    """Tells why questions over one graph are not answered. `mutual`: relations that hold both ways round."""

    def __init__(self, lexicon: Lexicon, executor: Executor, mutual: Collection[str]) -> None:
        self._lexicon, self._executor = lexicon, executor
        self._closed_world = ClosedWorld(executor, lexicon.names, mutual)

    def why_not(
        self, text: str, best: Composition, nodes: Nodes, accounting: Accounting, left: Sequence[str]
    ) -> str:
        """Return why a question is not answered by a composition; "" where it is.

        `nodes`: the set that it is about. `left`: the words of general English that facts do not tell.
        """
        if is_foreign(accounting):
            words = ", ".join(map(repr, unguessed(accounting).unaccounted))
            return f"it is not asked in English: {words}; ask it in English"
        if command := _command(text):
            return nothing_accounts_for([command])
        reasons = unsound(best.query, nodes, accounting, self._lexicon, self._executor.values)
        if decisive := [*self._decisive(best.query, nodes, accounting, left), *reasons]:
            return not_answered_to(decisive, accounting, reasons)
        pronouns = [
            binding.text for binding in accounting.bindings if binding.text.lower() in BACK.keys() | THEM
        ]
        unnamed = not names_of(best.query.of) and not _is_measured(best.query)
        if pronouns and (unnamed or _SENTENCES.search(text)):
            pronoun_list = ", ".join(map(repr, pronouns))
            return f"it is not told what {pronoun_list} stands for: ask of one thing by its name"
        if best.beside:
            return f"{best.beside}: {best.query}"
        said = {
            word.target.removeprefix("relation ")
            for word in accounting.bindings
            if word.role is Role.EVIDENCE and says_relation(word)
        }
        return self._closed_world.untold(best.query, nodes, said)

    def _decisive(self, query: Query, nodes: Nodes, accounting: Accounting, left: Sequence[str]) -> list[str]:
        """Return the words without which a query is not what was asked."""
        decisive = [word for word in accounting.unaccounted if decides(word) or word in left]
        decisive += qualifiers(accounting)
        decisive += unread(accounting)
        decisive += self._objects(accounting)
        decisive += self._manners(accounting)
        decisive += self._degrees(accounting)
        decisive += self.of_particles(accounting)
        decisive += self.of_amounts(accounting)
        decisive += self._guessed_amounts(query, accounting)
        decisive += self.of_generic_amounts(query, accounting)
        decisive += self._of_numbers(query, accounting)
        if query.form is Form.EXISTENCE:
            decisive += self._guessed_verbs(accounting)
            decisive += _guessed_kinds(query, accounting)
            decisive += self._far_kinds(accounting)
            # "All", of which it is not told what is said of all of what.
            decisive += [binding.text for binding in accounting.bindings if binding.target == EVERY]
        decisive += self._guessed_types(accounting)
        decisive += self._own_kinds(query, accounting)
        decisive += self._counted_one(query, accounting)
        decisive += unread_operations(accounting)
        decisive += unread_wholes(accounting, query)
        decisive += unread_sums(accounting, query, self._executor.values[nodes])
        decisive += guessed_words(accounting)
        decisive += unsaid_facts(query, accounting, self._lexicon)
        decisive += self.of_another_kind(query, nodes, accounting)
        decisive += self.of_another_role(relations_of(query.of) | relations_of(query.measure), accounting)
        decisive += qualifying_nouns(accounting, self._lexicon)
        if query.form is Form.NUMBER:
            decisive += self._people(accounting, nodes)
        if query.form in (Form.MEMBERS, Form.NUMBER):
            decisive += self.of_another_type(accounting, nodes)
        if query.form is Form.MEMBERS:
            decisive += self.of_no_time(nodes, accounting)
        return decisive + asked_for(accounting, bool(np.isnan(self._executor.values[nodes]).all()))

    def of_another_kind(self, query: Query, nodes: Nodes, accounting: Accounting) -> list[str]:
        """Return the word that asks for another kind of answer than these: "who", of years."""
        return unfit_asking(accounting, query, nodes, self._lexicon, self._executor.values)

    def of_another_type(self, accounting: Accounting, nodes: Nodes) -> list[str]:
        """Return the nouns that are asked for and stand for types that no answer is of: "which line"."""
        types_of = {
            noun.text: {sense.type for sense, _ in self._lexicon.types(noun.text.lower())}
            for noun in [*asked_nouns(accounting), *listed_nouns(accounting)]
        }
        answers, of_types = nodes.tolist(), self._lexicon.names.of_types
        return [
            word for word, types in types_of.items() if types and answers and not of_types(answers, types)
        ]

    def of_no_time(self, nodes: Nodes, accounting: Accounting) -> list[str]:
        """Return the word that asks for a time where no answer is one: "the year in which", of donors."""
        return asked_times(accounting) if np.isnan(self._executor.values[nodes]).all() else []

    def of_another_role(self, relations: Collection[str], accounting: Accounting) -> list[str]:
        """Return the nouns of somebody that are of another relation than those that are walked.

        "The conductor of Quarry Lane" is not who founded it, though only conductors do.
        """
        said = self._lexicon.roots_of(relations)
        others = [facts.roots for name, facts in self._lexicon.facts.items() if name not in relations]
        doers = [(word.text, verb_of(word.text.lower())) for word in _nouns_of_others(accounting)]
        return [
            noun
            for noun, verb in doers
            if verb
            and not any(akin(root(form), key) for form in (noun.lower(), verb) for key in said)
            and any(akin(root(verb), key) for roots in others for key in roots)
        ]

    def _guessed_types(self, accounting: Accounting) -> list[str]:
        """Return the nouns that are asked for and stand for a type to which their meaning is not near.

        Or for one of no persons, where somebody is asked for: "who was the architect", of buildings.
        """
        near = self._lexicon.meanings
        return [
            noun.text
            for noun in asked_nouns(accounting)
            if _is_guessed_type(noun) and not any(near.of_word(noun.text.lower()))
        ] + [
            noun.text
            for noun in _asked_persons(accounting)
            if _is_guessed_type(noun)
            and near.kinds.persons
            and noun.target.removeprefix("type ") not in near.kinds.persons
        ]

    def _own_kinds(self, query: Query, accounting: Accounting) -> list[str]:
        """Return the nouns asked for that are read as the very type of what they are said of.

        "What breed is Moss", of a dog, asks for no dog.
        """
        nodes = [node for name in names_of(query.of) for node in name.nodes]
        return [
            noun.text
            for noun, be, name in threes(accounting.bindings)
            if _is_guessed_type(noun)
            and be.text.lower() in BE
            and name.target.startswith("node ")
            and self._lexicon.names.of_types(nodes, {noun.target.removeprefix("type ")})
        ]

    def _far_kinds(self, accounting: Accounting) -> list[str]:
        """Return the nouns read as a type that they are not like: "has it a balcony", of buildings."""
        near = self._lexicon.meanings
        return [
            noun.text
            for noun in accounting.bindings
            if _is_guessed_type(noun) and not any(near.of_word(noun.text.lower())[1])
        ]

    def of_particles(self, accounting: Accounting) -> list[str]:
        """Return the light verbs that a particle makes others, which no sentence has: "came up with"."""
        return [
            verb.text
            for place, (verb, particle) in enumerate(pairwise(accounting.bindings), 2)
            if verb.role is Role.EVIDENCE
            and says_relation(verb)
            and lemma(verb.text.lower()) in light_verbs()
            and particle.text.lower() in PARTICLES
            and particle.role is Role.EMPTY
            # What comes out of the ground comes.
            and not any(after.text.lower() == "of" for after in accounting.bindings[place : place + 1])
            and particle.text.lower() not in self._lexicon.roots_of([verb.target.removeprefix("relation ")])
        ]

    def of_amounts(self, accounting: Accounting) -> list[str]:
        """Return the words left over that say of what an amount is: "the membership fee", "Ada's fee"."""
        return [
            word.text
            for before, word, noun in threes(accounting.bindings)
            if before.text.lower() in ARTICLES | {"s"}
            and (word.role, noun.role) == (Role.UNACCOUNTED, Role.EVIDENCE)
            and self._is_literal(noun.target)
            and word.text.lower() not in MAIN
        ]

    def _guessed_amounts(self, query: Query, accounting: Accounting) -> list[str]:
        """Return the verbs of "how much" that are read as an amount that they are only near to.

        "How much do you want for it" asks for no weight.
        """
        amounts = self._amounts(query)
        if not any(binding.text.lower() == "how much" for binding in accounting.bindings):
            return []
        said = {binding.target for binding in accounting.bindings if binding.role is Role.EVIDENCE}
        guessed = {f"relation {name}" for name in amounts.difference(self._lexicon.measured.prices())} - said
        return [binding.text for binding in accounting.bindings if binding.target in guessed]

    def of_generic_amounts(self, query: Query, accounting: Accounting) -> list[str]:
        """Return the words that alone ask for an amount, and may mean any: "the number on its ring"."""
        generic = [word for word in accounting.bindings if word.text.lower() in _GENERIC_AMOUNTS]
        return [
            word.text
            for name in sorted(self._amounts(query))
            if all(
                binding in generic for binding in accounting.bindings if binding.target == f"relation {name}"
            )
            for word in generic
            if root(word.text.lower()) not in self._lexicon.roots_of([name])
        ]

    def _of_numbers(self, query: Query, accounting: Accounting) -> list[str]:
        """Return the words that are like no number of those asked for as such: "the telephone number".

        That it is a number says as much of any other that the graph tells.
        """
        literals = {f"type {type_}" for type_ in self._lexicon.literal_types}
        if not any(
            word.text.lower() in _GENERIC_AMOUNTS and word.target in literals for word in accounting.bindings
        ):
            return []
        amounts = {f"relation {name}" for name in self._amounts(query)}
        return [
            word.text
            for word in accounting.bindings
            if word.role is Role.MEANING and word.target in amounts and (word.similarity or 0.0) < NEAR
        ]

    def _amounts(self, query: Query) -> set[str]:
        """Return the relations of a set that is asked for that tell amounts."""
        if query.form is not Form.MEMBERS:
            return set()
        return {name for name in relations_of(query.of) if self._lexicon.is_amount(name)}

    def _people(self, accounting: Accounting, nodes: Nodes) -> list[str]:
        """Return the word that asks for people where none of the answers is one."""
        persons = [word.text for word in accounting.bindings if word.text.lower() in ("people", "person")]
        return persons[:1] if persons and len(nodes) and are_things(nodes, self._lexicon) else []

    def _counted_one(self, query: Query, accounting: Accounting) -> list[str]:
        """Return the nouns that are counted of one thing that has one at most: "members", of a captain.

        Who asks how many there are does not ask by a relation that no word says, and that tells of one.
        """
        if query.form is not Form.NUMBER:
            return []
        parts = query.of.parts if isinstance(query.of, Intersection) else (query.of,)
        steps = [part for part in parts if isinstance(part, Reached) and isinstance(part.of, Named)]
        said = {binding.target for binding in accounting.bindings if binding.role is Role.EVIDENCE}
        tells_one = any(
            f"relation {step.relation}" not in said
            and self._executor.is_single(step.relation, step.backwards)
            for step in steps
        )
        return [noun.text for noun in asked_nouns(accounting)] if tells_one else []

    def _guessed_verbs(self, accounting: Accounting) -> list[str]:
        """Return the verbs behind a name that nothing but the types of both ends binds to a relation.

        "Does Ada paint Leeds" is not told by what else she may do to towns.
        """
        return [
            verb.text
            for before, name, verb in threes(accounting.bindings)
            if before.text.lower() in DO
            and name.target.startswith("node ")
            and verb.role is Role.MEANING
            and verb.text.lower() not in light_verbs()
            and not any(
                verb.target == f"relation {sense.relation}"
                for sense in self._lexicon.meanings.of_word(verb.text.lower())[0]
            )
        ]

    def _objects(self, accounting: Accounting) -> list[str]:
        """Return the words near in meaning to a relation that the word before says: "sell cheese".

        They name what the relation leads to, and nothing that the graph has. A literal's may be its unit.
        """
        content = [binding for binding in accounting.bindings if binding.role is not Role.EMPTY]
        return [
            after.text
            for before, after in pairwise(content)
            if (before.role, after.role, before.target) == (Role.EVIDENCE, Role.MEANING, after.target)
            and not self._is_literal(after.target)
            # "Makers produce": who has the role does what gives it.
            and not (self._lexicon.role(before.text) and after.start == before.end + 1)
        ]

    def _manners(self, accounting: Accounting) -> list[str]:
        """Return the words next before a verb that are bound to no more than it is: "secretly brewed".

        They say how or whether it is done, which nothing of the graph does.
        """
        return [
            word.text
            for word, verb in pairwise(accounting.bindings)
            if (word.role, verb.role) == (Role.MEANING, Role.EVIDENCE)
            and word.target in (RELATED, verb.target)
            and verb.start == word.end + 1
            and self._says_as_verb(verb)
        ]

    def _degrees(self, accounting: Accounting) -> list[str]:
        """Return the words behind "most" or "least" for which a measure stands that is nothing like them.

        The most dangerous is not the deepest, although nothing but depths is known.
        """
        return [
            word.text
            for most, word in pairwise(accounting.bindings)
            if most.text.lower() in _SUPERLATIVE
            and word.role is Role.MEANING
            and self._is_literal(word.target)
            and (word.similarity is None or word.similarity < NEAR)
        ]

    def _says_as_verb(self, binding: Binding) -> bool:
        """Return whether words say a relation as its verb does: not "fees", of a relation "fee"."""
        facts = self._lexicon.facts.get(binding.target.removeprefix("relation "))
        word = binding.text.lower().split()[0]
        if facts is None or word.endswith("ing"):
            return False
        inflected = {lemma(part) for part in facts.name_words if lemma(part) != part}
        return is_past(word) or (not facts.literal and lemma(word) in inflected)

    def _is_literal(self, target: str) -> bool:
        facts = self._lexicon.facts.get(target.removeprefix("relation "))
        return facts is not None and facts.literal


def _nouns_of_others(accounting: Accounting) -> Iterator[Binding]:
    """Yield the nouns of a type or relation that say what is something of another: "Ada's builder"."""
    bindings = accounting.bindings
    for place, noun in enumerate(bindings):
        before = [word.text.lower() for word in bindings[max(0, place - 1) : place]]
        behind = [word.text.lower() for word in bindings[place + 1 : place + 2]]
        bound = noun.role is Role.TYPE or says_relation(noun)
        if bound and noun.role is not Role.MEANING and (before == ["s"] or behind == ["of"]):
            yield noun


def is_foreign(accounting: Accounting) -> bool:
    """Return whether too many words of a question are no English for it to be read."""
    return foreign(accounting) >= _MOST_FOREIGN


def _guessed_kinds(query: Query, accounting: Accounting) -> list[str]:
    """Return the nouns by meaning of a type, where nothing else is asked of a name: "is Ghost a male"."""
    if relations_of(query.of):
        return []
    return [binding.text for binding in accounting.bindings if _is_guessed_type(binding)]


def _is_guessed_type(noun: Binding) -> bool:
    return noun.role is Role.MEANING and noun.target.startswith("type ")


def _asked_persons(accounting: Accounting) -> list[Binding]:
    """Return the nouns of whom "who is the ..." asks for."""
    without_articles = [binding for binding in accounting.bindings if binding.text.lower() not in ARTICLES]
    return [
        noun
        for who, be, noun in zip(without_articles, without_articles[1:], without_articles[2:], strict=False)
        if who.text.lower() == "who" and be.text.lower() in BE | {"s"}
    ]


def _command(text: str) -> str:
    """Return the verb that tells to do something else than answer, "" for none: "please book", "write me"."""
    lowered = [text[start:end].lower() for start, end in spans(text)]
    polite = lowered[:1] == ["please"]
    verb, following = [*lowered[polite:], "", ""][:2]
    tells = polite or following in ("me", "us")
    answered = REQUESTS | POLITE | QUESTION_WORDS | AUXILIARIES | {"count"} | function_words()
    return verb if tells and verb not in answered else ""


def _is_measured(query: Query) -> bool:
    """Return whether a set is asked for whose conditions are numbers, not names alone."""
    return query.form is Form.MEMBERS and _has_measure(query.of)


def _has_measure(part: Expression) -> bool:
    match part:
        case Filtered() | Extreme():
            return True
        case Reached(_, _, of) | Difference(of, _):
            return _has_measure(of)
        case Intersection(parts) | Union(parts):
            return any(map(_has_measure, parts))
    return False

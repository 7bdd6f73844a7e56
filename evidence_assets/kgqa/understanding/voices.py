"""Who does what in a question: names that verbs are said of or done to, beside the sentences of a schema.

"Did Kestrel build Harlow Works" has Kestrel as the builder, whatever the types of a graph allow. Only what
the order of words tells plainly is told: "did NAME build", "built by NAME", "who built NAME".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from evidence_assets.kgqa.graph.agents import agents
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.mutual_relations import is_mutual
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Intersection,
    Named,
    Reached,
    Union,
)
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant
from evidence_assets.kgqa.slots.slots import Kind
from evidence_assets.kgqa.slots.trigger_words import PHRASES
from evidence_assets.kgqa.words.derivations import is_past, verb_of
from evidence_assets.kgqa.words.word_classes import ARTICLES, BE, DO, PREPOSITIONS
from evidence_assets.reading.accounting import spans
from evidence_assets.text.roots import lemma, root
from evidence_assets.text.words import word_set

# What a clause begins with whose verb needs no auxiliary: "who built Kestrel".
_SUBJECTS = word_set("who what which that")
# What stands behind a preposition that a question begins with: "to whom", "in which town".
_ASKING = word_set("whom which what")
# A question is read by many compositions and paths, one question after the other.
_QUESTIONS_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Voice:
    """A verb's root, and whether a name is who does it, or whom it is done to."""

    verb: str
    name: str
    agent: bool


class Voices:
    """Who does what in the sentences of a schema's relations."""

    def __init__(self, schema: Schema) -> None:
        self._mutual = {name for name, relation in schema.relations.items() if is_mutual(relation)}
        self._agents = {
            name: agents(relation, schema.authored)
            for name, relation in schema.relations.items()
            if name not in self._mutual
        }

    def turned(self, question: LinkedQuestion, expression: Expression) -> Expression:
        """Return a set with steps from names turned round that the question has the other way round."""
        said = voices(question)
        if not said:
            return expression
        return _turned(
            expression,
            lambda step: (
                isinstance(step.of, Named)
                and self._against(said, step.relation, step.of.text, not step.backwards)
            ),
        )

    def mirrored(self, expression: Expression) -> Iterator[Expression]:
        """Yield a set with steps turned round that hold both ways round, whichever is written down.

        The fewer are turned the sooner: one of two may be written down as it is asked.
        """
        mutual = list(dict.fromkeys(step for step in _steps(expression) if step.relation in self._mutual))
        for count in range(1, len(mutual) + 1):
            for chosen in combinations(mutual, count):
                yield _turned(expression, frozenset(chosen).__contains__)

    def contradicts(self, question: LinkedQuestion, query: ConjunctiveQuery) -> bool:
        """Return whether a query has a name at the other end of a relation than the question does."""
        said = voices(question)
        return bool(said) and any(
            isinstance(end, Constant) and self._against(said, triplet.relation, end.text, is_head)
            for triplet in query.triplets
            for end, is_head in ((triplet.head, True), (triplet.tail, False))
        )

    def _against(self, said: list[Voice], relation: str, name: str, is_head: bool) -> bool:
        agents = self._agents.get(relation, {})
        return any(
            voice.name == name and voice.verb in agents and (agents[voice.verb] == is_head) != voice.agent
            for voice in said
        )


def _turned(part: Expression, turns: Callable[[Reached], bool]) -> Expression:
    """Return a set with those of its steps turned round that are to be."""
    match part:
        case Reached(relation, backwards, of):
            return Reached(relation, backwards != turns(part), _turned(of, turns))
        case Intersection(parts):
            return Intersection(tuple(_turned(member, turns) for member in parts))
        case Union(parts):
            return Union(tuple(_turned(member, turns) for member in parts))
        case Difference(of, without):
            return Difference(_turned(of, turns), _turned(without, turns))
        case Filtered() | Extreme():
            return replace(part, of=_turned(part.of, turns))
        case _:
            return part


def _steps(part: Expression) -> Iterator[Reached]:
    match part:
        case Reached(_, _, of):
            yield part
            yield from _steps(of)
        case Intersection(parts) | Union(parts):
            for member in parts:
                yield from _steps(member)
        case Difference(of, without):
            yield from _steps(of)
            yield from _steps(without)
        case Filtered(of) | Extreme(of):
            yield from _steps(of)


@lru_cache(maxsize=_QUESTIONS_AT_ONCE)
def voices(question: LinkedQuestion) -> list[Voice]:
    """Return which names a question's verbs are said of, and which they are done to."""
    tokens = list(_tokens(question))
    return list(_voices(tokens))


def _tokens(question: LinkedQuestion) -> Iterator[str | Topic]:
    passed: set[int] = set()
    for start, end in spans(question.question):
        topic = next((topic for topic in question.topics if topic.start <= start < topic.end), None)
        if topic is None:
            word = question.question[start:end].lower()
            # "Came directly after".
            if (word,) not in PHRASES or PHRASES[word,].kind is not Kind.EMPTY:
                yield word
        elif topic.start not in passed:
            passed.add(topic.start)
            yield topic


def _voices(tokens: list[str | Topic]) -> Iterator[Voice]:
    for place, token in enumerate(tokens):
        if isinstance(token, Topic):
            continue
        before, auxiliary = _at(tokens, place - 1), _before_name(tokens, place - 1)
        after = _after(tokens, place + 1)
        if after in PREPOSITIONS - {"by"}:
            yield from _with_preposition(tokens, place, str(after))
            continue
        if isinstance(before, Topic) and auxiliary in DO | BE and (fronted := _fronted(tokens)):
            # "To whom was Ada apprenticed" has its preposition before.
            yield Voice(f"{root(token)} {fronted}", before.phrase, True)
        if isinstance(before, Topic) and auxiliary in DO and lemma(token) == token:
            yield Voice(root(token), before.phrase, True)
            if isinstance(after, Topic):
                yield Voice(root(token), after.phrase, False)
        elif is_past(token) and _at(tokens, place + 1) == "by":
            doer = _after(tokens, place + 2)
            if isinstance(doer, Topic):
                yield Voice(root(token), doer.phrase, True)
            if isinstance(before, Topic) and auxiliary in BE:
                yield Voice(root(token), before.phrase, False)
        elif isinstance(after, Topic) and _is_subject(tokens, place - 1):
            yield Voice(root(token), after.phrase, False)


def _fronted(tokens: list[str | Topic]) -> str:
    """Return the preposition that a question begins with; "" for none."""
    preposition, asking = _at(tokens, 0), _at(tokens, 1)
    return str(preposition) if preposition in PREPOSITIONS - {"by"} and asking in _ASKING else ""


def _with_preposition(tokens: list[str | Topic], place: int, preposition: str) -> Iterator[Voice]:
    """Yield what is in, at or from a name, and which name is: "is Kestrel stored in Leeds"."""
    token, before, after = str(tokens[place]), _at(tokens, place - 1), _after(tokens, place + 2)
    verb = f"{root(token)} {preposition}"
    if preposition == "of" and isinstance(after, Topic) and (does := verb_of(token)):
        # "The builder of Kestrel" built it; the co-builder of a person built something with them.
        if before != "co":
            yield Voice(root(does), after.phrase, False)
        return
    if isinstance(after, Topic):
        yield Voice(verb, after.phrase, False)
    if isinstance(before, Topic) and _before_name(tokens, place - 1) in DO | BE:
        yield Voice(verb, before.phrase, True)


def _at(tokens: list[str | Topic], place: int) -> str | Topic:
    return tokens[place] if 0 <= place < len(tokens) else ""


def _after(tokens: list[str | Topic], place: int) -> str | Topic:
    """Return what stands after a word and its article; "" for a name whose own something is: "Ada's cat"."""
    place += _at(tokens, place) in ARTICLES
    return "" if _at(tokens, place + 1) == "s" else _at(tokens, place)


def _before_name(tokens: list[str | Topic], place: int) -> str:
    """Return the auxiliary before a name, which an article may part from it; "" for none."""
    before = _at(tokens, place - 1)
    before = _at(tokens, place - 2) if before in ARTICLES else before
    return before if isinstance(before, str) else ""


def _is_subject(tokens: list[str | Topic], place: int) -> bool:
    """Return whether a clause begins at a word, or at the noun that it asks for: "who", "which company"."""
    token, before = _at(tokens, place), _at(tokens, place - 1)
    return token in ("who", "that") or (before in _SUBJECTS and before != "who" and token not in BE | DO)

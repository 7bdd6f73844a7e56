"""Queries said back in words, to be compared with the question that they were read from.

What a query comes to in the words of the graph, with nouns of types in place of names, is like its question
as a whole where it was read rightly, whichever words each of them uses (Berant and Liang 2014, "Semantic
Parsing via Paraphrasing").
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.naming import noun_of
from evidence_assets.kgqa.graph.node_types import NodeTypes
from evidence_assets.kgqa.graph.schema import THING, Schema
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
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
    Value,
)
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import ANYTHING
from evidence_assets.kgqa.words.word_classes import PREPOSITIONS, RANKS, REQUESTS
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import lemma

_ASKED = {
    Form.MEMBERS: "which",
    Form.NUMBER: "how many",
    Form.EXISTENCE: "is there",
    Form.EVERY: "are all",
    Form.TOTAL: "the total",
    Form.MEAN: "the average",
    Form.GAP: "the difference in",
}
_COMPARED = {
    Relational.LESS: "less than",
    Relational.AT_MOST: "at most",
    Relational.EQUAL: "of",
    Relational.AT_LEAST: "at least",
    Relational.MORE: "more than",
}
_TIMED = {
    Relational.LESS: "before",
    Relational.AT_MOST: "until",
    Relational.EQUAL: "in",
    Relational.AT_LEAST: "since",
    Relational.MORE: "after",
}
# The least and the greatest, of other values and of years.
_EXTREMES = (("lowest", "highest"), ("earliest", "latest"))


@dataclass(frozen=True, slots=True)
class Likeness:
    """Cosines of a question to a reading said in words.

    `whole`: of the texts; `least`: of the question's word that is least like any word of the reading, to the
    nearest of these, in their contexts. What a reading leaves out or forces shows in a single word.
    """

    whole: float
    least: float


class Paraphrases:
    """Says queries over one graph in words."""

    def __init__(self, schema: Schema, types: NodeTypes, lexicon: Lexicon) -> None:
        self._schema, self._types, self._lexicon = schema, types, lexicon

    def likeness(
        self, question: LinkedQuestion, queries: Sequence[Query], settled: Sequence[Collection[str]]
    ) -> list[Likeness]:
        """Return how like each query, said in words, is to its question with nouns in place of names.

        Args:
            settled: Of each query, the question's words, with nouns in place of names, of which no other need
                be like them in it.
        """
        encoded_question = self._lexicon.encoded(question)
        paraphrases = self._lexicon.encoder.encode_words([self.text(query) for query in queries])
        likeness = []
        for paraphrase, settled_words in zip(paraphrases, settled, strict=True):
            nearest = (encoded_question.unit @ paraphrase.unit.T).max(axis=1, initial=-1.0)
            silent = function_words() | REQUESTS | {*settled_words}
            telling = [word not in silent for word in encoded_question.words]
            whole = round(float(paraphrase.sentence @ encoded_question.sentence), 6)
            likeness.append(Likeness(whole, round(float(nearest[telling].min(initial=1.0)), 6)))
        return likeness

    def text(self, query: Query) -> str:
        """Return a query in words."""
        of = query.of
        if query.measure is not None:
            return f"{_ASKED[query.form]} {self._measure(query.measure)} of {self._set(of)}"
        if query.form is Form.EVERY and isinstance(of, Difference):
            of = of.without
        return f"{_ASKED[query.form]} {self._set(of)}"

    def _set(self, part: Expression) -> str:  # noqa: PLR0911 - a kind of set each
        match part:
            case Named(text, nodes):
                type_ = next(iter(self._types.of(nodes[0])), THING) if nodes else ""
                return text if type_ in {"", *self._lexicon.literal_types} else f"the {noun_of(type_)}"
            case Typed(type_):
                return noun_of(type_) or "something"
            case Reached(relation, backwards, of):
                return self._step(relation, backwards, self._set(of))
            case Intersection(parts):
                noun = next((self._set(member) for member in parts if isinstance(member, Typed)), "")
                # What each of several names is led to from is said once.
                conditions = [
                    *dict.fromkeys(self._set(member) for member in parts if not isinstance(member, Typed))
                ]
                # "Lines that call at": the noun once.
                noun = noun or conditions[0].split()[0]
                return f"{noun} {' and '.join(text.removeprefix(f'{noun} ') for text in conditions)}"
            case Union(parts):
                return " or ".join(map(self._set, parts))
            case Difference(of, without):
                return f"{self._set(of)} not {self._set(without)}"
            case Filtered(of, measure, relational, bound):
                value = f"{bound:g}" if isinstance(bound, float | int) else self._set(bound)
                noun = self._noun(of)
                if isinstance(measure, Value) and self._lexicon.facts[measure.relation].years:
                    wording = self._measure(measure).removesuffix(" in")
                    return f"{noun} {wording} {_TIMED[relational]} {value}"
                if isinstance(measure, Number):
                    return f"{noun} with {_COMPARED[relational]} {value} {self._counted(measure)}"
                return f"{noun} with {self._measure(measure)} {_COMPARED[relational]} {value}"
            case Extreme(of, measure, greatest, rank):
                years = isinstance(measure, Value) and self._lexicon.facts[measure.relation].years
                ordinal = "" if rank == 1 else f"{[*RANKS][rank - 2]} "
                most = ordinal + _EXTREMES[years][greatest]
                return f"{self._set(of)} with the {most} {self._measure(measure)}"
        return ""

    def _step(self, relation: str, backwards: bool, of: str) -> str:
        head, tail = map(noun_of, self._schema.ends(relation, False))
        wording = self._lexicon.facts[relation].wording or relation
        verb, *_ = parts = wording.split()
        # Its name is a verb where it is inflected, or ends with a preposition.
        if parts[-1] not in PREPOSITIONS and (lemma(verb) == verb or tail.split()[-1] in parts):
            # Its name is a noun for what it leads to.
            return f"{head} whose {wording} is {of}" if backwards else f"{wording} of {of}"
        return f"{head} {wording} {of}" if backwards else f"{tail} that {of} {wording}"

    def _measure(self, measure: Measure) -> str:
        if isinstance(measure, Number):
            return f"number of {self._counted(measure)}"
        facts = self._lexicon.facts[measure.relation]
        noun = noun_of(self._schema.ends(measure.relation, False)[0])
        # Of "hut_metres" the unit says more than the noun of what it is of.
        return facts.unit if facts.wording == noun else facts.wording

    def _counted(self, measure: Number) -> str:
        wording = self._lexicon.facts[measure.relation].wording
        end = Reached(measure.relation, measure.backwards, ANYTHING)
        return f"{self._noun(end) if measure.among == ANYTHING else self._noun(measure.among)} {wording}"

    def _noun(self, part: Expression) -> str:
        """Return a set in words; of all that a step leads to, or that a measure is of, the noun alone."""
        if isinstance(part, Reached) and part.of == ANYTHING:
            return noun_of(self._schema.ends(part.relation, part.backwards)[1])
        return self._set(part)

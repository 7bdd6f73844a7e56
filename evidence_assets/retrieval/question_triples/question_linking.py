"""Entity linking of a benchmark's questions and options to a graph, as rows of `question_concepts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.names.linking import Concept, Link, Linker, choose_concepts, keywords
from evidence_assets.lake.schemas import QUESTION_CONCEPTS
from evidence_assets.models.encoder import Encoder
from evidence_assets.progress import Progress
from evidence_assets.text.phrases import Phrase, phrases
from evidence_assets.text.queries import NO_OPTION, with_option

_QUESTION_CONCEPTS, _OPTION_CONCEPTS = 10, 6
_KEYWORDS = 3


@dataclass(frozen=True, slots=True)
class LinkedQuestion:
    """A question with the concepts of its text and of each option."""

    question_id: str
    question: str
    options: Sequence[str]
    concepts: Mapping[int, Sequence[Concept]]

    def query(self, candidate: int) -> str:
        """Return the text that triples are scored against."""
        if candidate == NO_OPTION:
            return self.question
        return with_option(self.question, self.options[candidate])

    def nodes(self, candidate: int) -> list[int]:
        """Return the distinct nodes of the question's text, or of one option."""
        return list(dict.fromkeys(concept.link.node for concept in self.concepts[candidate]))


def link_questions(
    questions: pa.Table, linker: Linker, encoder: Encoder, progress: Progress | None = None
) -> list[LinkedQuestion]:
    """Link every question and option to concepts, each text by itself.

    Phrases are weighted by their cosine to their text, as in KeyBERT (thesis 6.4.1, 7.3.2.2).
    A longer run of words, or one with punctuation within it, is one where a graph has it as a name.
    The ten most relevant of a question and the six of an option are kept; for the three most relevant that
    are not linked by form, the name nearest in spelling is tried, then the one nearest in meaning.
    """
    rows = questions.select(["question_id", "question", "options"]).to_pylist()
    texts = list(dict.fromkeys(text for row in rows for text in (row["question"], *row["options"])))
    all_phrases_of = {text: phrases(text) for text in texts}
    all_phrases = [phrase for of_text in all_phrases_of.values() for phrase in of_text]
    links = {
        **linker.by_label(phrase.text for phrase in all_phrases if not phrase.plain),
        **linker.by_form(phrase.text for phrase in all_phrases if phrase.plain),
    }
    phrases_of = {
        text: [phrase for phrase in of_text if phrase.plain or phrase.text in links]
        for text, of_text in all_phrases_of.items()
    }
    relevances = _relevances(phrases_of, encoder)
    keywords_of = {text: keywords(phrases_of[text], relevances[text], links, _KEYWORDS) for text in texts}
    near = _near(keywords_of, linker, encoder)
    linked = []
    for number, row in enumerate(rows, start=1):
        concepts = {
            candidate: choose_concepts(
                phrases_of[text],
                relevances[text],
                links,
                {phrase: near[phrase.text] for phrase in keywords_of[text]},
                _QUESTION_CONCEPTS if candidate == NO_OPTION else _OPTION_CONCEPTS,
            )
            for candidate, text in enumerate([row["question"], *row["options"]], start=NO_OPTION)
        }
        linked.append(LinkedQuestion(row["question_id"], row["question"], row["options"], concepts))
        if progress is not None:
            progress(number, len(rows))
    return linked


def _near(
    keywords_of: Mapping[str, Sequence[Phrase]], linker: Linker, encoder: Encoder
) -> Mapping[str, list[Link]]:
    """Return the links of every keyword by spelling, else by meaning, else none."""
    texts = list(dict.fromkeys(phrase.text for of_text in keywords_of.values() for phrase in of_text))
    spelt = {text: linker.by_spelling(text) for text in texts}
    semantic = linker.by_meaning([text for text in texts if not spelt[text]], encoder)
    return {text: spelt[text] or semantic.get(text, []) for text in texts}


def _relevances(phrases_of: Mapping[str, Sequence[Phrase]], encoder: Encoder) -> Mapping[str, list[float]]:
    """Return the cosines of each text's phrases to it, by text; all are encoded in one call."""
    of_texts = [phrase.text for text_phrases in phrases_of.values() for phrase in text_phrases]
    distinct = list(dict.fromkeys([*phrases_of, *of_texts]))
    if not distinct:
        return {}
    place, vectors = {text: number for number, text in enumerate(distinct)}, encoder.encode(distinct)
    relevances = {}
    for text, text_phrases in phrases_of.items():
        cosines = vectors[[place[phrase.text] for phrase in text_phrases]] @ vectors[place[text]]
        relevances[text] = [float(cosine) for cosine in cosines.round(6)]
    return relevances


def link_rows(linked: Sequence[LinkedQuestion], graph: Graph, benchmark: str, limit: int) -> pa.Table:
    """Return `question_concepts` rows, with how many of each node's triples the cap left out."""
    rows: dict[tuple[object, ...], dict[str, object]] = {}
    for question in linked:
        for candidate, concepts in question.concepts.items():
            for concept in concepts:
                phrase, link = concept.phrase, concept.link
                triples = graph.degree(link.node)
                key = (question.question_id, candidate, phrase.start, phrase.end, link.node)
                rows[key] = {
                    "benchmark": benchmark,
                    "question_id": question.question_id,
                    "candidate": candidate,
                    "char_start": phrase.start,
                    "char_end": phrase.end,
                    "phrase": phrase.text,
                    "relevance": concept.relevance,
                    "kg": graph.name,
                    "node": link.node,
                    "label": graph.labels[link.node].as_py(),
                    "method": link.method,
                    "score": link.score,
                    "triples": triples,
                    "dropped": max(0, triples - limit),
                }
    return pa.Table.from_pylist(list(rows.values()), schema=QUESTION_CONCEPTS.schema)

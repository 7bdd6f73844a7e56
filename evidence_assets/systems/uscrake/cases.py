"""The questions of a benchmark with what each candidate of theirs was given, as its sentences and triples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from evidence_assets.evidence.experiment import Selected
from evidence_assets.evidence.units import EvidenceUnit, units_of_chunks
from evidence_assets.evidence.withholding import without
from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.answerability import Answerability, Passage, answerability
from evidence_assets.reading.selection import Pool, candidate_evidence, pools
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.uscrake.arms import ChunkArm
from evidence_assets.text.queries import NO_OPTION, with_option


@dataclass(frozen=True, slots=True)
class RetrievedEvidence:
    """What was found for one benchmark's questions: rows of the tables of these names, and the chunks.

    `ranked_triples` and `reranked` are None for arms that read none; all are for an arm without evidence.
    `withheld`: question id to the sources that its reader must do without, though they were selected.
    """

    ranked_chunks: pa.Table | None = None
    chunks: pa.Table | None = None
    ranked_triples: pa.Table | None = None
    reranked: pa.Table | None = None
    withheld: Callable[[str], Collection[Source]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class CandidateEvidence:
    """One candidate's distinct sentences and triples, by their texts."""

    sentences: Mapping[str, EvidenceUnit]
    triples: Mapping[str, EvidenceUnit]


@dataclass(frozen=True, slots=True)
class Case:
    """One question, what each candidate was given, and the sentences and triples of that."""

    question: Mapping[str, Any]
    given: Mapping[int, list[Selected]]
    evidence: Mapping[int, CandidateEvidence]

    @property
    def hypotheses(self) -> list[str]:
        """Each option with the question."""
        return [with_option(self.question["question"], option) for option in self.question["options"]]

    @property
    def sentences(self) -> list[EvidenceUnit]:
        """The distinct sentences of all candidates."""
        return list(_first_of_each(evidence.sentences for evidence in self.evidence.values()))

    @property
    def triples(self) -> list[EvidenceUnit]:
        """The distinct triples of all candidates."""
        return list(_first_of_each(evidence.triples for evidence in self.evidence.values()))

    @property
    def units(self) -> list[EvidenceUnit]:
        """The sentences and triples."""
        return [*self.sentences, *self.triples]

    def of_options(self, question_only: bool) -> list[CandidateEvidence]:
        """Return each option's evidence: what was given to it, or to the question alone for all options."""
        nothing = CandidateEvidence({}, {})
        return [
            self.evidence.get(NO_OPTION if question_only else option, nothing)
            for option in range(len(self.question["options"]))
        ]


def _first_of_each(units: Iterable[Mapping[str, EvidenceUnit]]) -> Iterable[EvidenceUnit]:
    distinct: dict[str, EvidenceUnit] = {}
    for by_text in units:
        for text, unit in by_text.items():
            distinct.setdefault(text, unit)
    return distinct.values()


def cases_of(questions: pa.Table, retrieved: RetrievedEvidence, arm: ChunkArm) -> Iterator[Case]:
    """Yield a benchmark's questions with what an arm selects for each of their candidates."""
    if retrieved.ranked_chunks is None or retrieved.chunks is None:
        yield from (Case(question, {}, {}) for question in questions.to_pylist())
        return
    units = units_of_chunks(retrieved.chunks)
    chunk_units = {chunk_id: chunk for chunk_id, (chunk, _) in units.items()}
    pool_of = pools(retrieved.ranked_chunks, chunk_units, retrieved.ranked_triples, retrieved.reranked)
    for question in questions.to_pylist():
        pool = pool_of.get(question["question_id"], Pool())
        selected = candidate_evidence(pool, question["options"], arm.selection)
        given = without(selected, retrieved.withheld(question["question_id"]))
        evidence = {
            candidate: _evidence((selected.unit for selected in ranking), units)
            for candidate, ranking in given.items()
        }
        yield Case(question, given, evidence)


def _evidence(
    selected: Iterable[EvidenceUnit], units: Mapping[str, tuple[EvidenceUnit, list[EvidenceUnit]]]
) -> CandidateEvidence:
    """Return the sentences of the selected chunks, and the selected triples. `units`: those of the chunks."""
    sentences: dict[str, EvidenceUnit] = {}
    triples: dict[str, EvidenceUnit] = {}
    for unit in selected:
        if unit.kind == "triple":
            triples.setdefault(unit.text, unit)
        else:
            for sentence in units[unit.source_key][1]:
                sentences.setdefault(sentence.text, sentence)
    return CandidateEvidence(sentences, triples)


def answerability_of(case: Case, question: FloatArray, units: FloatArray) -> Answerability | None:
    """Return how well a question's chunks and triples speak of it; None where it was given none.

    `question`, `units`: unit vectors, (d,) and (n, d), of the question and of `case.units`.
    """
    places: dict[str, list[int]] = {}
    for place, unit in enumerate(case.units):
        places.setdefault(source_of(unit), []).append(place)
    passages = [Passage(name, of_passage) for name, of_passage in places.items()]
    texts = [unit.text for unit in case.units]
    return answerability(case.question["question"], question, passages, texts, units)


def source_of(unit: EvidenceUnit) -> str:
    """Return the name of the chunk that a sentence is of, or of the triple."""
    return f"{'triple' if unit.kind == 'triple' else 'chunk'} {unit.source_key}"

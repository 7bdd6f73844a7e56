"""USCRaKE's reading: chosen evidence to a chain an option, and an answer (thesis 7.3.3-4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.evidence.citations import argument, quotations
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected, question_itself
from evidence_assets.evidence.units import EvidenceUnit, units_of_chunks
from evidence_assets.evidence.withholding import without
from evidence_assets.models.encoder import Encode
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading import baselines, extractive, likelihood, trained
from evidence_assets.reading.answerability import Answerability, Passage, answerability
from evidence_assets.reading.encoded_texts import EncodedTexts
from evidence_assets.reading.prompted import Settings, read_questions
from evidence_assets.reading.selection import Pool, candidate_evidence, pools
from evidence_assets.reading.sentence_answers import likeliest_sentence
from evidence_assets.reading.trained import OptionReader
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.uscrake.arms import SYSTEM, ChunkArm
from evidence_assets.systems.uscrake.as_printed.reasoning import PRINTED
from evidence_assets.text.queries import NO_OPTION, with_option
from evidence_assets.text.words import words

NO_EVIDENCE = "no evidence was found for any option"
NOT_SAID = "no sentence says enough of the question to hold its answer"


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
class _Evidence:
    """One candidate's distinct sentences and triples, by their texts."""

    sentences: Mapping[str, EvidenceUnit]
    triples: Mapping[str, EvidenceUnit]


@dataclass(frozen=True, slots=True)
class _Case:
    """One question, what each candidate was given, and the sentences and triples of that."""

    question: Mapping[str, Any]
    given: Mapping[int, list[Selected]]
    evidence: Mapping[int, _Evidence]

    @property
    def hypotheses(self) -> list[str]:
        return [with_option(self.question["question"], option) for option in self.question["options"]]

    @property
    def sentences(self) -> list[EvidenceUnit]:
        """The distinct sentences of all candidates."""
        return list(_first_of_each(evidence.sentences for evidence in self.evidence.values()))

    @property
    def triples(self) -> list[EvidenceUnit]:
        """The distinct triples of all candidates."""
        return list(_first_of_each(evidence.triples for evidence in self.evidence.values()))

    def of_options(self, question_only: bool) -> list[_Evidence]:
        """Return each option's evidence: what was given to it, or to the question alone for all options."""
        nothing = _Evidence({}, {})
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


def read_benchmark(
    questions: pa.Table,
    retrieved: RetrievedEvidence,
    encode: Encode,
    arm: ChunkArm,
    benchmark: str,
    code_version: str,
) -> Experiment:
    """Answer every multiple-choice question of a benchmark without a language model, from retrieved evidence.

    Args:
        questions: Rows of `questions`.
        encode: Texts to unit vectors, (n, d).

    Each option is argued from its own evidence: its measures and its citations come from what it was given,
    or, where the arm gives every option the same, from what the question alone was given. The answer to a
    question without options is the sentence nearest to it. A question for none of whose options anything was
    retrieved is abstained on: no answer without evidence. An arm that looks for none answers every question
    that offers options, and its chains cite nothing.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    cases = list(_cases(questions, retrieved, arm))
    reads_vectors = arm.generator != baselines.NEAREST
    vectors = EncodedTexts(_texts(cases), encode) if reads_vectors else None
    for case in cases:
        if not arm.retrieval and vectors is not None and case.question["options"]:
            chains, answer = _without_evidence(case, vectors, arm)
            experiment.answer(case.question, question_itself(case.question), chains, answer)
            continue
        experiment.select_each(case.question["question_id"], case.given)
        of_options = bool(case.question["options"])
        if of_options and not arm.selection.question_only:
            argued = set(case.given) - {NO_OPTION}
        else:
            argued = set(case.given)
        if not argued:
            experiment.answer(case.question, case.given, [], Answer.abstention(arm.generator, NO_EVIDENCE))
            continue
        if not of_options:
            chains, answer = _nearest_passage(case, arm) if vectors is None else _sentence(case, vectors, arm)
        else:
            chains, answer = _nearest(case, arm) if vectors is None else _extract(case, vectors, arm)
        experiment.answer(case.question, case.given, chains, answer)
    return experiment


def read_prompted(
    questions: pa.Table,
    retrieved: RetrievedEvidence,
    generator: RecordedGenerator,
    arm: ChunkArm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
) -> Experiment:
    """Answer every multiple-choice question of a benchmark by a language model, from its retrieved evidence.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    cases = [(case.question, case.given) for case in _cases(questions, retrieved, arm)]
    settings = Settings(
        shares_evidence=arm.selection.question_only, argues_without_evidence=not arm.retrieval
    )
    if arm.printed:
        settings = PRINTED
    read_questions(experiment, cases, generator, settings, progress)
    return experiment


def read_likelihoods(
    questions: pa.Table,
    retrieved: RetrievedEvidence,
    model: LikelihoodModel,
    arm: ChunkArm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
) -> Experiment:
    """Answer every multiple-choice question by what its evidence adds to the likelihood of each option.

    Each option is scored after its own evidence, and its chain cites what was read. A question for none of
    whose options anything was retrieved is abstained on. Of questions without options only the selected
    evidence is recorded.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    offered = []
    for case in _cases(questions, retrieved, arm):
        experiment.select_each(case.question["question_id"], case.given)
        if case.question["options"]:
            offered.append(likelihood.OfferedOptions(case.question, _of_options(case, arm)))
    abstention = likelihood.Abstention(NO_EVIDENCE) if arm.retrieval else None
    likelihood.read_questions(experiment, offered, model, arm.generator, abstention, progress)
    return experiment


def read_trained(
    questions: pa.Table,
    retrieved: RetrievedEvidence,
    encode: Encode,
    reader: OptionReader,
    arm: ChunkArm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
) -> Experiment:
    """Answer every multiple-choice question of a benchmark from evidence, by a trained or weighed reader.

    Of the sentences and triples that an option was given, those nearest to question and option are read, and
    its chain cites those that raised its score, or all where the reader does not tell. A question for none of
    whose options anything was retrieved, or that is too long to be read, is abstained on. Of questions
    without options only the selected evidence is recorded.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    cases = []
    for case in _cases(questions, retrieved, arm):
        experiment.select_each(case.question["question_id"], case.given)
        if not case.question["options"]:
            continue
        if reader.fits(case.question["question"], case.question["options"]):
            cases.append(case)
        else:
            too_long = Answer.abstention(arm.generator, Outcome.CONTEXT_TOO_LONG)
            experiment.answer(case.question, case.given, [], too_long)
    vectors = EncodedTexts(_texts(cases), encode)
    nearest = [_nearest_units(case, vectors, arm, reader.texts) for case in cases]
    encoded = [
        trained.Encoded(
            case.question["question"],
            case.question["options"],
            [[unit.text for unit, _ in of_option] for of_option in of_options],
            vectors.of([case.question["question"]])[0],
            vectors.of(case.question["options"]),
            [next((cosine for _, cosine in of_option), float("nan")) for of_option in of_options],
        )
        for case, of_options in zip(cases, nearest, strict=True)
    ]
    readings = reader.read(encoded, arm.with_cues, progress)
    for case, of_options, reading in zip(cases, nearest, readings, strict=True):
        if not any(of_options):
            experiment.answer(case.question, case.given, [], Answer.abstention(arm.generator, NO_EVIDENCE))
            continue
        chains = [
            _chain(
                index,
                option,
                [of_options[index][place][0] for place in reading.cited[index]],
                float(reading.scores[index]),
                reading.parts[index],
            )
            for index, option in enumerate(case.question["options"])
        ]
        choice = extractive.choose(reading.scores)
        answer = extractive.option_answer(choice, float(reading.probabilities[choice.index]), arm.generator)
        experiment.answer(case.question, case.given, chains, answer)
    return experiment


def _nearest_units(
    case: _Case, vectors: EncodedTexts, arm: ChunkArm, most: int
) -> list[list[tuple[EvidenceUnit, float]]]:
    """Return, for each option, the units it was given nearest to it, nearest first, with their cosines."""
    nearest = []
    of_options = case.of_options(arm.selection.question_only)
    for hypothesis, evidence in zip(case.hypotheses, of_options, strict=True):
        units = [*evidence.sentences.values(), *evidence.triples.values()]
        texts = [unit.text for unit in units]
        cosines = (vectors.of(texts) @ vectors.of([hypothesis])[0]).round(6) if texts else np.empty(0)
        order = np.argsort(-cosines, kind="stable")[:most]
        nearest.append([(units[place], float(cosines[place])) for place in order])
    return nearest


def _of_options(case: _Case, arm: ChunkArm) -> dict[int, Sequence[Selected]]:
    """Return what each option was given, or the question alone for all options."""
    return {
        option: given
        for option in range(len(case.question["options"]))
        if (given := case.given.get(NO_OPTION if arm.selection.question_only else option, ()))
    }


def _cases(questions: pa.Table, retrieved: RetrievedEvidence, arm: ChunkArm) -> Iterator[_Case]:
    if retrieved.ranked_chunks is None or retrieved.chunks is None:
        yield from (_Case(question, {}, {}) for question in questions.to_pylist())
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
        yield _Case(question, given, evidence)


def _evidence(
    selected: Iterable[EvidenceUnit], units: Mapping[str, tuple[EvidenceUnit, list[EvidenceUnit]]]
) -> _Evidence:
    """Return the sentences of the selected chunks, and the selected triples. `units`: those of the chunks."""
    sentences: dict[str, EvidenceUnit] = {}
    triples: dict[str, EvidenceUnit] = {}
    for unit in selected:
        if unit.kind == "triple":
            triples.setdefault(unit.text, unit)
        else:
            for sentence in units[unit.source_key][1]:
                sentences.setdefault(sentence.text, sentence)
    return _Evidence(sentences, triples)


def _texts(cases: Sequence[_Case]) -> Iterator[str]:
    """Yield the texts that judging these cases compares."""
    for case in cases:
        yield from (case.question["question"], *case.question["options"], *case.hypotheses)
        yield from (unit.text for unit in (*case.sentences, *case.triples))


def _without_evidence(case: _Case, vectors: EncodedTexts, arm: ChunkArm) -> tuple[list[Chain], Answer]:
    score = baselines.NO_EVIDENCE.get(arm.generator)
    if score is None:
        return _extract(case, vectors, arm)
    question, options = case.question["question"], case.question["options"]
    scores = score(vectors.of([question])[0], vectors.of(options), options)
    chains = [
        _chain(index, option, [], float(scores[index]), {arm.generator: float(scores[index])})
        for index, option in enumerate(options)
    ]
    return chains, extractive.option_answer(extractive.choose(scores), None, arm.generator)


def candidates_of(
    questions: pa.Table, retrieved: RetrievedEvidence, encode: Encode, arm: ChunkArm
) -> Iterator[tuple[Mapping[str, Any], extractive.Candidates]]:
    """Yield every question that offers options, with these as its reader judges them.

    Args:
        questions, retrieved, encode, arm: As for `read_benchmark`.
    """
    cases = list(_cases(questions, retrieved, arm))
    vectors = EncodedTexts(_texts(cases), encode)
    for case in cases:
        if case.question["options"]:
            yield case.question, _candidates(case, vectors, arm)


def _candidates(case: _Case, vectors: EncodedTexts, arm: ChunkArm) -> extractive.Candidates:
    question, options = case.question["question"], case.question["options"]
    of_options = case.of_options(arm.selection.question_only)
    sentences = [sentence.text for sentence in case.sentences]
    triples = [triple.text for triple in case.triples]
    return extractive.Candidates(
        question_text=question,
        option_texts=options,
        sentence_texts=sentences,
        question=vectors.of([question])[0],
        options=vectors.of(options),
        hypotheses=vectors.of(case.hypotheses),
        sentences=vectors.of(sentences),
        triples=vectors.of(triples),
        sentences_given=_given([evidence.sentences for evidence in of_options], sentences),
        triples_given=_given([evidence.triples for evidence in of_options], triples),
    )


def _extract(case: _Case, vectors: EncodedTexts, arm: ChunkArm) -> tuple[list[Chain], Answer]:
    options = case.question["options"]
    of_options = case.of_options(arm.selection.question_only)
    candidates = _candidates(case, vectors, arm)
    sentences = candidates.sentence_texts
    triples = [triple.text for triple in case.triples]
    judgement = extractive.judge(candidates, extractive.load_weights(arm.weights))
    chains = [
        _chain(
            index,
            option,
            [
                *(of_options[index].sentences[sentences[place]] for place in judgement.cited[index]),
                *(of_options[index].triples[triples[place]] for place in judgement.cited_triples[index]),
            ],
            float(judgement.scores[index]),
            dict(zip(extractive.MEASURES, judgement.measures[index].tolist(), strict=True)),
        )
        for index, option in enumerate(options)
    ]
    choice = extractive.choose(judgement.scores)
    confidence = float(judgement.probabilities[choice.index])
    answerable = _answerability(case, vectors)
    if answerable is None:
        return chains, extractive.option_answer(choice, confidence, arm.generator)
    confidence = answerable.tempered(confidence, len(options))
    return chains, replace(
        extractive.option_answer(choice, confidence, arm.generator), accounting=answerable.accounting
    )


def _given(of_options: Sequence[Mapping[str, EvidenceUnit]], texts: Sequence[str]) -> extractive.Flags:
    """Return (options, texts): which option was given which text."""
    flags = np.zeros((len(of_options), len(texts)), dtype=np.bool_)
    for row, by_text in zip(flags, of_options, strict=True):
        row[:] = [text in by_text for text in texts]
    return flags


def _answerability(case: _Case, vectors: EncodedTexts) -> Answerability | None:
    """Return how well a question's chunks and triples speak of it; None where it was given none."""
    units = [*case.sentences, *case.triples]
    places: dict[str, list[int]] = {}
    for place, unit in enumerate(units):
        kind = "triple" if unit.kind == "triple" else "chunk"
        places.setdefault(f"{kind} {unit.source_key}", []).append(place)
    passages = [Passage(name, of_passage) for name, of_passage in places.items()]
    question, texts = case.question["question"], [unit.text for unit in units]
    return answerability(question, vectors.of([question])[0], passages, texts, vectors.of(texts))


def _sentence(case: _Case, vectors: EncodedTexts, arm: ChunkArm) -> tuple[list[Chain], Answer]:
    """Answer a question without options by the sentence, or triple, that likeliest holds the answer."""
    answerable = _answerability(case, vectors)
    if answerable is None:
        return [], Answer.abstention(arm.generator, NO_EVIDENCE)
    units = [*case.sentences, *case.triples]
    question, texts = case.question["question"], [unit.text for unit in units]
    best = likeliest_sentence(question, vectors.of([question])[0], texts, vectors.of(texts))
    unit = units[best.place]
    parts = {
        "nearness": best.nearness,
        "said": best.said,
        "nearest": answerable.nearness,
        "coverage": answerable.coverage,
    }
    chain = Chain(NO_OPTION, quotations([unit.text]), [unit], best.probability, parts)
    answer = (
        _sentence_answer(unit.text, best.probability, arm)
        if best.is_likely
        else Answer.abstention(arm.generator, NOT_SAID, f"Nearest: {unit.text}", best.probability)
    )
    return [chain], replace(answer, accounting=answerable.accounting)


def _nearest_passage(case: _Case, arm: ChunkArm) -> tuple[list[Chain], Answer]:
    """The baseline without options: of the nearest chunk, the sentence with most of the question's words."""
    best = case.given[NO_OPTION][0]
    wanted = set(words(case.question["question"]))
    shared = [
        (len(wanted.intersection(words(sentence.text))), sentence)
        for sentence in case.sentences
        if sentence.source_key == best.unit.source_key
    ]
    sentence = max(shared, key=lambda pair: pair[0])[1]
    chain = Chain(NO_OPTION, quotations([sentence.text]), [sentence], best.score, {"nearest": best.score})
    return [chain], _sentence_answer(sentence.text, None, arm)


def _sentence_answer(sentence: str, confidence: float | None, arm: ChunkArm) -> Answer:
    return Answer(None, confidence, arm.generator, f"Answer: {sentence}", text=sentence, holds_answer=True)


def _nearest(case: _Case, arm: ChunkArm) -> tuple[list[Chain], Answer]:
    """The baseline: an option is as good as its nearest chunk. Its scores are no probabilities."""
    options, chains = case.question["options"], []
    scores = baselines.best_retrieved(
        [[selected.score for selected in case.given.get(index, [])] for index in range(len(options))]
    )
    for index, option in enumerate(options):
        best = next(iter(case.given.get(index, [])), None)
        cited = [best.unit] if best is not None else []
        score = best.score if best is not None else 0.0
        chains.append(_chain(index, option, cited, score, {"nearest": score}))
    return chains, extractive.option_answer(extractive.choose(scores), None, arm.generator)


def _chain(
    candidate: int, option: str, cited: Sequence[EvidenceUnit], score: float, parts: Mapping[str, float]
) -> Chain:
    text = argument(option, (unit.text for unit in cited)).strip()
    return Chain(candidate, text, cited, score, parts)

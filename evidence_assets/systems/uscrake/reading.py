"""USCRaKE's reading: chosen evidence to a chain an option, and an answer (thesis 7.3.3-4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.evidence.citations import argument
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected, question_itself
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.models.encoder import Encode, EncodeWords
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading import baselines, extractive
from evidence_assets.reading.encoded_texts import EncodedTexts
from evidence_assets.reading.likelihoods import likelihood
from evidence_assets.reading.prompting.prompted import Settings, read_questions
from evidence_assets.reading.weighing import trained
from evidence_assets.reading.weighing.trained import OptionReader
from evidence_assets.systems.uscrake.arms import SYSTEM, ChunkArm
from evidence_assets.systems.uscrake.as_printed.reasoning import PRINTED
from evidence_assets.systems.uscrake.cases import Case, RetrievedEvidence, answerability_of, cases_of
from evidence_assets.systems.uscrake.open_questions import NO_EVIDENCE, likeliest_answer, nearest_answer
from evidence_assets.text.queries import NO_OPTION


def read_benchmark(
    questions: pa.Table,
    retrieved: RetrievedEvidence,
    encode: Encode,
    encode_words: EncodeWords,
    arm: ChunkArm,
    benchmark: str,
    code_version: str,
) -> Experiment:
    """Answer every question of a benchmark without a language model, from retrieved evidence.

    Args:
        questions: Rows of `questions`.
        encode: Texts to unit vectors, (n, d).
        encode_words: Texts to their words' vectors: of questions without options, and what they are given.

    Each option is argued from its own evidence: its measures and its citations come from what it was given,
    or, where the arm gives every option the same, from what the question alone was given. The answer to a
    question without options is the sentence that likeliest holds it. A question for none of whose options
    anything was retrieved is abstained on: no answer without evidence. An arm that looks for none answers
    every question that offers options, and its chains cite nothing.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    cases = list(cases_of(questions, retrieved, arm))
    reads_vectors = arm.generator != baselines.NEAREST
    offered = [case for case in cases if case.question["options"]]
    vectors = EncodedTexts(_texts(offered), encode) if reads_vectors and offered else None
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
            chains, answer = (
                likeliest_answer(case, encode_words, arm) if reads_vectors else nearest_answer(case, arm)
            )
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
    cases = [(case.question, case.given) for case in cases_of(questions, retrieved, arm)]
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
    for case in cases_of(questions, retrieved, arm):
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
    for case in cases_of(questions, retrieved, arm):
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
    case: Case, vectors: EncodedTexts, arm: ChunkArm, most: int
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


def _of_options(case: Case, arm: ChunkArm) -> dict[int, Sequence[Selected]]:
    """Return what each option was given, or the question alone for all options."""
    return {
        option: given
        for option in range(len(case.question["options"]))
        if (given := case.given.get(NO_OPTION if arm.selection.question_only else option, ()))
    }


def _texts(cases: Sequence[Case]) -> Iterator[str]:
    """Yield the texts that judging these cases compares."""
    for case in cases:
        yield from (case.question["question"], *case.question["options"], *case.hypotheses)
        yield from (unit.text for unit in (*case.sentences, *case.triples))


def _without_evidence(case: Case, vectors: EncodedTexts, arm: ChunkArm) -> tuple[list[Chain], Answer]:
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
    cases = list(cases_of(questions, retrieved, arm))
    vectors = EncodedTexts(_texts(cases), encode)
    for case in cases:
        if case.question["options"]:
            yield case.question, _candidates(case, vectors, arm)


def _candidates(case: Case, vectors: EncodedTexts, arm: ChunkArm) -> extractive.Candidates:
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


def _extract(case: Case, vectors: EncodedTexts, arm: ChunkArm) -> tuple[list[Chain], Answer]:
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
    units = [unit.text for unit in case.units]
    [question] = vectors.of([case.question["question"]])
    answerable = answerability_of(case, question, vectors.of(units))
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


def _nearest(case: Case, arm: ChunkArm) -> tuple[list[Chain], Answer]:
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

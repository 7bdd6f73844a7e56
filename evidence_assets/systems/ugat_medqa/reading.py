"""UGAT-MedQA's reading: passages to a chain an option, and an answer or an abstention (6.4.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.evidence.citations import quoted
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected, question_itself
from evidence_assets.evidence.units import unit_of_path
from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading import baselines, extractive
from evidence_assets.reading.accounting import account
from evidence_assets.reading.answerability import Answerability, Passage, answerability
from evidence_assets.reading.encoded_texts import EncodedTexts
from evidence_assets.reading.likelihoods import likelihood
from evidence_assets.reading.prompting.prompted import INSUFFICIENT_EVIDENCE, Settings, read_questions
from evidence_assets.systems.ugat_medqa.arms import LIFT, ROUTES, SYSTEM, PathArm
from evidence_assets.systems.ugat_medqa.as_printed.answers import answer_questions
from evidence_assets.systems.ugat_medqa.explanations import option_explanation, unreached_explanation
from evidence_assets.systems.ugat_medqa.option_eligibility import (
    OptionEligibility,
    OptionPath,
    WeighedPath,
    option_eligibility,
    weighed,
)
from evidence_assets.text.function_words import function_words
from evidence_assets.text.queries import with_option
from evidence_assets.text.words import words

# Paths to a single option cannot be compared: an answer needs paths to two.
LEAST_OPTIONS = 2
# The lift of a concept that a walk does not reach: below nearly all that it reaches.
_UNREACHED = -4.0

Paths = dict[str, dict[int, list[OptionPath]]]


@dataclass(frozen=True, slots=True)
class Case:
    """One question, each option's paths, best first, the lift that a walk gives each option, and its hops.

    `hops`: from what the question names; one more than the farthest for an option that is out of reach.
    Options that name nothing in the graph have neither lift nor hops.
    """

    question: Mapping[str, Any]
    paths: Mapping[int, Sequence[WeighedPath]]
    lifts: Mapping[int, float]
    hops: Mapping[int, float]

    @property
    def given(self) -> dict[int, list[Selected]]:
        """Each option's paths as evidence."""
        return {
            candidate: [weighed_path.path.selected for weighed_path in paths]
            for candidate, paths in self.paths.items()
        }

    @property
    def counted(self) -> dict[int, list[WeighedPath]]:
        """Each option's paths that count; options without any are absent."""
        counted = {
            candidate: [path for path in paths if path.weight] for candidate, paths in self.paths.items()
        }
        return {candidate: paths for candidate, paths in counted.items() if paths}

    @property
    def eligibility(self) -> OptionEligibility:
        """Which options the paths support or oppose."""
        question, options = self.question["question"], len(self.question["options"])
        return option_eligibility(question, options, self.paths)

    @property
    def hypotheses(self) -> list[str]:
        """The question followed by each option."""
        return [with_option(self.question["question"], option) for option in self.question["options"]]

    @property
    def passages(self) -> list[str]:
        """The distinct passages that count, of all options."""
        paths = [path for option_paths in self.counted.values() for path in option_paths]
        return list(dict.fromkeys(path.path.selected.unit.text for path in paths))


def read_benchmark(
    questions: pa.Table,
    concepts: pa.Table,
    paths: pa.Table,
    nodes: pa.Table,
    encode: Encode,
    arm: PathArm,
    benchmark: str,
    code_version: str,
) -> Experiment:
    """Answer every multiple-choice question of a benchmark without a language model, from its options' paths.

    Args:
        questions, concepts, paths, nodes: Rows of `questions`, `question_concepts`, `reasoning_paths` and
            `node_relevance`; the last two are those of the arm's route, and empty for an arm without one.
        encode: Texts to unit vectors, (n, d).

    An arm that abstains answers from passages alone: it needs paths to two options, chooses among those
    that `OptionEligibility.eligible` names, and every answer's chain cites passages. Any other arm answers
    from the passages that it has, the question and its options; an answer without a passage has a chain that
    cites nothing. For a negated question the option with the least support is right.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    # A baseline reads no path.
    cases = cases_of(questions, concepts, paths if arm.weights else paths.slice(0, 0), nodes)
    judged = candidates_of(cases, encode)
    for case, candidates in zip(cases, judged, strict=True):
        question_id = case.question["question_id"]
        experiment.select_each(question_id, case.given)
        if candidates is None:
            continue
        enough = len(case.paths) >= LEAST_OPTIONS and case.eligibility.eligible(grounded=True)
        if arm.abstains and not enough:
            experiment.answer(
                case.question, case.given, [], Answer.abstention(arm.generator, INSUFFICIENT_EVIDENCE)
            )
            continue
        read = _judged if arm.weights else _by_baseline
        chains, answer = read(case, candidates, arm)
        if arm.route is not None and arm.weights:
            answer = _accounted(answer, case, candidates)
        evidence = case.given if arm.abstains else case.given | question_itself(case.question)
        experiment.answer(case.question, evidence, chains, answer)
    return experiment


def read_prompted(
    questions: pa.Table,
    paths: pa.Table,
    generator: RecordedGenerator,
    arm: PathArm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
) -> Experiment:
    """Answer every multiple-choice question of a benchmark by a language model, from its options' paths.

    An arm that abstains argues for the options that have paths alone, and may find that they are not enough.
    Arms as printed are asked once a question, over all its passages.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    cases = _with_paths(questions, paths)
    if arm.printed:
        answer_questions(experiment, cases, generator, arm.route is not None, progress)
        return experiment
    settings = Settings(may_abstain=arm.abstains, argues_without_evidence=not arm.abstains)
    read_questions(experiment, cases, generator, settings, progress)
    return experiment


def read_likelihoods(
    questions: pa.Table,
    paths: pa.Table,
    model: LikelihoodModel,
    arm: PathArm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
) -> Experiment:
    """Answer every multiple-choice question by what its paths add to the likelihood of each option.

    An arm that abstains needs paths to two options; any other answers without paths too.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version)
    offered = []
    for row, given in _with_paths(questions, paths):
        experiment.select_each(row["question_id"], given)
        if row["options"]:
            offered.append(likelihood.OfferedOptions(row, given))
    abstention = likelihood.Abstention(INSUFFICIENT_EVIDENCE, LEAST_OPTIONS) if arm.abstains else None
    likelihood.read_questions(experiment, offered, model, arm.generator, abstention, progress)
    return experiment


def _with_paths(
    questions: pa.Table, paths: pa.Table
) -> list[tuple[Mapping[str, Any], dict[int, list[Selected]]]]:
    """Return every question with its options' paths as evidence, best first."""
    by_question = _found_paths(paths)
    return [
        (
            row,
            {
                candidate: [path.selected for path in option_paths]
                for candidate, option_paths in by_question.get(row["question_id"], {}).items()
            },
        )
        for row in questions.to_pylist()
    ]


def cases_of(questions: pa.Table, concepts: pa.Table, paths: pa.Table, nodes: pa.Table) -> list[Case]:
    """Return every question with what was found for its options: rows as `read_benchmark` takes them."""
    by_question = _found_paths(paths)
    lifts = _best_of_concepts(questions, concepts, _lifts(nodes))
    nearness = _best_of_concepts(questions, concepts, _nearness(nodes))
    return [
        Case(
            row,
            weighed(row["question"], by_question.get(row["question_id"], {})),
            lifts.get(row["question_id"], {}),
            {option: -near for option, near in nearness.get(row["question_id"], {}).items()},
        )
        for row in questions.to_pylist()
    ]


def _found_paths(paths: pa.Table) -> Paths:
    """Return each option's paths, best first, by question."""
    by_question: Paths = {}
    order = [(name, "ascending") for name in ("question_id", "candidate", "rank")]
    columns = ["question_id", "candidate", "path_id", "text", "triple_ids", "score", "score_parts", "cost"]
    columns += ["denies", "conflicts"]
    for row in paths.sort_by(order).select(columns).to_pylist():
        unit = unit_of_path(row["path_id"], row["text"], row["triple_ids"])
        selected = Selected(unit, row["score"], row["score_parts"])
        path = OptionPath(selected, row["cost"], row["denies"], row["conflicts"])
        by_question.setdefault(row["question_id"], {}).setdefault(row["candidate"], []).append(path)
    return by_question


def _lifts(nodes: pa.Table) -> dict[tuple[str, int], float]:
    """Return the lift of each node of a walk, by question and node.

    Only a walk gives lifts: a cosine or a network's score is on a scale of its own, and stands for none. A
    concept that the walk does not reach, in the subgraph or outside, has no mass there, and the least lift.
    """
    columns = ["route", "question_id", "node", "lift", "hops"]
    return {
        (question_id, node): _UNREACHED if hops < 0 or lift is None else max(lift, _UNREACHED)
        for route, question_id, node, lift, hops in _rows(nodes, columns)
        if ROUTES[route].walks
    }


def _nearness(nodes: pa.Table) -> dict[tuple[str, int], float]:
    """Return minus the hops of each node from what its question names, by question and node.

    A node outside the subgraph is a hop farther than the farthest in it can be.
    """
    columns = ["route", "question_id", "node", "hops"]
    return {
        (question_id, node): -float(hops if hops >= 0 else ROUTES[route].extent.hops + 1)
        for route, question_id, node, hops in _rows(nodes, columns)
    }


def _rows(table: pa.Table, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    return zip(*(table.column(name).to_pylist() for name in columns), strict=True)


def _best_of_concepts(
    questions: pa.Table, concepts: pa.Table, values: Mapping[tuple[str, int], float]
) -> dict[str, dict[int, float]]:
    """Return each option's best value among the concepts that it names with all its words, by question.

    A concept that covers only a part of an option says little about it. `values`: by question and node.
    """
    options = dict(_rows(questions, ["question_id", "options"]))
    best: dict[str, dict[int, float]] = {}
    columns = ["question_id", "candidate", "phrase", "node"]
    for question_id, candidate, phrase, node in _rows(concepts, columns):
        value = values.get((question_id, node))
        if candidate < 0 or value is None or not says_all(phrase, options[question_id][candidate]):
            continue
        of_question = best.setdefault(question_id, {})
        of_question[candidate] = max(value, of_question.get(candidate, value))
    return best


def says_all(phrase: str, option: str) -> bool:
    """Tell whether a phrase holds all of an option's words but function words."""
    telling = [word for word in words(option) if word not in function_words()]
    phrase_words = set(words(phrase))
    return all(word in phrase_words for word in telling)


def _texts(cases: Sequence[Case]) -> Iterator[str]:
    """Yield the texts that judging these cases compares."""
    for case in cases:
        if case.question["options"]:
            yield from (case.question["question"], *case.question["options"])
            yield from (*case.hypotheses, *case.passages)


def candidates_of(cases: Sequence[Case], encode: Encode) -> Iterator[extractive.Candidates | None]:
    """Yield every case ready to be judged; None for a question without options."""
    vectors = EncodedTexts(_texts(cases), encode)
    for case in cases:
        question, options = case.question["question"], case.question["options"]
        yield (
            None
            if not options
            else extractive.Candidates(
                question_text=question,
                option_texts=options,
                sentence_texts=[],
                question=vectors.of([question])[0],
                options=vectors.of(options),
                hypotheses=vectors.of(case.hypotheses),
                sentences=vectors.of([]),
                triples=vectors.of(case.passages),
                paths=_support(case, vectors),
                triples_given=_given(case),
            )
        )


def _given(case: Case) -> extractive.Flags:
    """Return (options, passages): whose paths each passage reads out."""
    flags = np.zeros((len(case.question["options"]), len(case.passages)), dtype=np.bool_)
    place = {text: number for number, text in enumerate(case.passages)}
    for candidate, paths in case.counted.items():
        flags[candidate, [place[path.path.selected.unit.text] for path in paths]] = True
    return flags


def _judged(case: Case, candidates: extractive.Candidates, arm: PathArm) -> tuple[list[Chain], Answer]:
    judgement = extractive.judge(candidates, extractive.load_weights(arm.weights))
    eligible = case.eligibility.eligible(grounded=arm.abstains)
    choice = extractive.choose(
        [score if place in eligible else -np.inf for place, score in enumerate(judgement.scores.tolist())]
    )
    # An answer has a chain, though nothing leads to it.
    chains = {
        candidate: _chain(case, candidate, choice.index, judgement)
        for candidate in dict.fromkeys([*case.paths, choice.index])
    }
    confidence = float(judgement.probabilities[choice.index])
    answer = extractive.option_answer(choice, confidence, arm.generator)
    explained = f"{answer.raw_output}\nExplanation: {chains[choice.index].text}"
    return list(chains.values()), replace(answer, raw_output=explained)


def answerability_of(case: Case, candidates: extractive.Candidates) -> Answerability | None:
    """Return how well the passages that count speak of a question; None where there is none."""
    paths = [path.path.selected.unit for of_option in case.counted.values() for path in of_option]
    names = {unit.text: f"path {unit.source_key}" for unit in reversed(paths)}
    passages = [Passage(names[text], [place]) for place, text in enumerate(case.passages)]
    return answerability(
        candidates.question_text, candidates.question, passages, case.passages, candidates.triples
    )


def _accounted(answer: Answer, case: Case, candidates: extractive.Candidates) -> Answer:
    """Return an answer with what of the question its best passage accounts for; without any, that is nothing.

    The confidence goes to chance by as much as the passages speak less of the question than text does of one
    that it answers: measured on MedMCQA's development questions (`medical_confidence`).
    """
    answerable = answerability_of(case, candidates)
    if answerable is None or answer.confidence is None:
        return replace(answer, accounting=account(candidates.question_text, ()))
    confidence = answerable.tempered(answer.confidence, len(candidates.option_texts))
    return replace(answer, confidence=confidence, accounting=answerable.accounting)


def _by_baseline(case: Case, candidates: extractive.Candidates, arm: PathArm) -> tuple[list[Chain], Answer]:
    """Answer by the options alone, by their lifts alone or by their hops. The scores are no probabilities."""
    options, name = case.question["options"], arm.generator
    if name in baselines.NO_EVIDENCE:
        scores = baselines.NO_EVIDENCE[name](candidates.question, candidates.options, options)
    else:
        scores = scores_by_lift(case) if name == LIFT else scores_by_hops(case)
    chains = [
        Chain(place, quoted(option), [], score, {name: score})
        for place, (option, score) in enumerate(zip(options, scores.tolist(), strict=True))
    ]
    return chains, extractive.option_answer(extractive.choose(scores), None, name)


def scores_by_lift(case: Case) -> baselines.Scores:
    """Return (n,) each option's lift, negative where the exception is asked for; the mean for one without."""
    return _signed(case, case.lifts)


def scores_by_hops(case: Case) -> baselines.Scores:
    """Return (n,) minus each option's hops, their number where the exception is asked for; see the lift's."""
    return _signed(case, {option: -hops for option, hops in case.hops.items()})


def _signed(case: Case, values: Mapping[int, float]) -> baselines.Scores:
    mean = float(np.mean(list(values.values()) or [0.0]))
    sign = -1.0 if case.eligibility.negated else 1.0
    return np.array([sign * values.get(place, mean) for place in range(case.eligibility.options)])


def _chain(case: Case, candidate: int, answer: int, judgement: extractive.Judgement) -> Chain:
    options = case.question["options"]
    if candidate in case.paths:
        exception = judgement.negated and candidate == answer
        text, cited = option_explanation(options[candidate], case.paths[candidate], exception)
    else:
        text, cited = unreached_explanation(candidate, options, case.paths, judgement.negated)
    parts = zip(extractive.MEASURES, judgement.measures[candidate].tolist(), strict=True)
    return Chain(candidate, text, cited, float(judgement.scores[candidate]), dict(parts))


def _support(case: Case, vectors: EncodedTexts) -> FloatArray:
    """Return (n, 4) the graph's measures of each option, in the order of `extractive.PATH_MEASURES`.

    An option of which the graph says nothing gets the mean of the others: neither support nor the lack of it.
    One with paths of which none counts gets the least of the others.
    """
    eligibility, counted = case.eligibility, case.counted
    hypotheses = vectors.of(case.hypotheses)
    lifts = {
        candidate: lift for candidate, lift in case.lifts.items() if candidate not in eligibility.opposed
    }
    nearness = {candidate: -min(path.cost for path in paths) for candidate, paths in counted.items()}
    best = {candidate: max(path.score for path in paths) for candidate, paths in counted.items()}
    similarity = {
        candidate: float(
            (vectors.of([path.path.selected.unit.text for path in paths]) @ hypotheses[candidate]).max()
        )
        for candidate, paths in counted.items()
    }
    columns = []
    for measure in (lifts, nearness, best, similarity):
        values = list(measure.values()) or [0.0]
        mean, least = float(np.mean(values)), min(values)
        columns.append(
            [
                measure.get(option, least if option in eligibility.opposed else mean)
                for option in range(eligibility.options)
            ]
        )
    return np.array(columns, dtype=np.float32).T

"""Attention2Query's reading: facts to a chain an option and an answer, or to ranked answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.evidence.citations import argument
from evidence_assets.evidence.experiment import (
    Answer,
    Chain,
    Experiment,
    RankedAnswer,
    Selected,
    given_or_question,
    question_itself,
    tie_rule,
)
from evidence_assets.kgqa.answers.fact_cases import cases, with_cited
from evidence_assets.kgqa.answers.likely_answers import read_likely_answers
from evidence_assets.kgqa.answers.prompted_answers import read_short_answers
from evidence_assets.kgqa.answers.reading_answers import answer_of_reading
from evidence_assets.kgqa.queries.executing import MOST_CITED as MOST_CITED_TRIPLES
from evidence_assets.kgqa.queries.serialization import PARSED, QueryRecord
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.encoder import Encode
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.accounting import account
from evidence_assets.reading.answerability import Answerability, Passage, answerability
from evidence_assets.reading.baselines import NEAREST, NO_EVIDENCE, best_retrieved
from evidence_assets.reading.encoded_texts import EncodedTexts
from evidence_assets.reading.extractive import choose, option_answer
from evidence_assets.reading.likelihoods import likelihood
from evidence_assets.reading.prompting.prompted import Settings, read_questions
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.attention2query.arms import SYSTEM, Arm
from evidence_assets.systems.attention2query.given_facts import Facts, Given, facts_kg, given_facts
from evidence_assets.systems.attention2query.options import (
    MEASURES,
    Support,
    measures_of,
    option_scores,
    probabilities,
    support_of,
)
from evidence_assets.text.negation import is_negated
from evidence_assets.text.queries import NO_OPTION

NO_FACT = "the graph has no fact that answers"
MOST_CITED = 3
# Facts a language model is shown of the question and of each option.
SHOWN = 10
# Facts that back one ranked answer.
_BACKING = 3
# Answers of one reading that are given their triples.
MOST_BACKED = 20


def read_benchmark(
    questions: pa.Table,
    facts: pa.Table,
    concepts: pa.Table,
    encode: Encode,
    arm: Arm,
    benchmark: str,
    code_version: str,
    labels: Mapping[int, str],
    readings: Mapping[str, Sequence[QueryRecord]] | None = None,
    base: KnowledgeBase | None = None,
    node_keys: Mapping[int, Sequence[str]] | None = None,
    withheld: Callable[[str], Collection[Source]] = lambda _: (),
) -> Experiment:
    """Answer every question of a benchmark without a language model, from its facts.

    Args:
        questions, facts: Rows of `questions` and of `retrieved_facts`, the latter of the arm's retrieval.
        concepts: Rows of `question_concepts`: where options have no facts of their own, the question's speak
            for those that they name; and a fact backs an answer where it reaches what the question names.
        encode: Texts to unit vectors, (n, d).
        labels: Labels of the nodes that facts would answer with.
        readings, base: What questions without options ask (`question_queries` rows) and the graph that they
            ask it of.
        node_keys: The identifiers of its nodes, as `Experiment` has them.
        withheld: Question id to the sources that the graph is read without.

    A question with options gets a prediction, one without a ranking, its best answer as the prediction.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version, ranks=True, node_keys=node_keys or {})
    by_question, named = given_facts(facts), _named(concepts)
    rows, kg = questions.to_pylist(), facts_kg(facts)
    vectors = EncodedTexts(_texts(rows, by_question), encode)
    for row in rows:
        question_facts, nodes = by_question.get(row["question_id"], {}), named.get(row["question_id"], {})
        for candidate, candidate_facts in sorted(question_facts.items()):
            experiment.select(row["question_id"], candidate, [fact.selected for fact in candidate_facts])
        if row["options"]:
            _choose(experiment, row, question_facts, nodes, vectors, arm)
            continue
        of_question = (readings or {}).get(row["question_id"], ())
        reading = of_question[0] if of_question else None
        about = _about(reading, nodes.get(NO_OPTION, ()))
        known = base and base.without(withheld(row["question_id"]))
        reached = _reaching(question_facts.get(NO_OPTION, []), about, known)
        ranked = ranked_answers(question_facts.get(NO_OPTION, []), labels, kg, reached)
        if (operated := _operated(reading, known)) is not None:
            ranked = _before(operated, ranked)
        _rank(experiment, row, question_facts.get(NO_OPTION, []), ranked, arm, reading)
    return experiment


def _texts(rows: Sequence[Mapping[str, Any]], facts: Facts) -> Iterator[str]:
    """Yield the texts that weighing the options of questions compares."""
    for row in rows:
        if row["options"]:
            yield from (row["question"], *row["options"])
            for option_facts in facts.get(row["question_id"], {}).values():
                yield from (fact.selected.unit.text for fact in option_facts[:SHOWN])


def _about(reading: QueryRecord | None, named: Sequence[int]) -> frozenset[int]:
    """Return the nodes that a question names: those linked in it, and those that its reading is about."""
    constants = () if reading is None else reading.query.constants()
    return frozenset([*named, *(node for constant in constants for node in constant.nodes)])


def _reaching(facts: Sequence[Given], about: frozenset[int], base: KnowledgeBase | None) -> frozenset[str]:
    """Return the evidence ids of the facts that have an end in what a question names.

    Others were found by meaning alone: they answer, and the graph does not say that they belong to it.
    """
    if base is None:
        return frozenset()
    graph = base.graph
    return frozenset(
        fact.selected.unit.evidence_id
        for fact in facts
        for edge in (base.edges[triple_id] for triple_id in fact.selected.unit.triple_ids)
        if int(graph.heads[edge]) in about or int(graph.tails[edge]) in about
    )


def read_option_baseline(
    questions: pa.Table, encode: Encode, arm: Arm, benchmark: str, code_version: str
) -> Experiment:
    """Answer every multiple-choice question by its options alone: without evidence, chains cite nothing."""
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version, ranks=True)
    rows = [row for row in questions.to_pylist() if row["options"]]
    vectors = EncodedTexts((text for row in rows for text in (row["question"], *row["options"])), encode)
    for row in rows:
        options = row["options"]
        scores = NO_EVIDENCE[arm.generator](vectors.of([row["question"]])[0], vectors.of(options), options)
        chains = [
            _chain(place, option, [], float(scores[place]), {arm.generator: float(scores[place])})
            for place, option in enumerate(options)
        ]
        answer = option_answer(choose(scores), None, arm.generator)
        experiment.answer(row, question_itself(row), chains, answer)
    return experiment


def read_nearest_fact(
    questions: pa.Table, facts: pa.Table, arm: Arm, benchmark: str, code_version: str
) -> Experiment:
    """Answer every multiple-choice question by the option whose best fact of its own scores best.

    Args:
        questions, facts: Rows of `questions` and of `retrieved_facts`, the latter of the arm's retrieval.

    Where no option has a fact there is no answer. The scores are no probabilities.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version, ranks=True)
    by_question = given_facts(facts)
    for row in questions.to_pylist():
        if not row["options"]:
            continue
        given = {
            candidate: [fact.selected for fact in option_facts]
            for candidate, option_facts in by_question.get(row["question_id"], {}).items()
            if candidate != NO_OPTION
        }
        experiment.select_each(row["question_id"], given)
        if not given:
            experiment.answer(row, given, [], Answer.abstention(arm.generator, NO_FACT))
            continue
        options = row["options"]
        scores = best_retrieved([[fact.score for fact in given.get(at, [])] for at in range(len(options))])
        chains = [
            _chain(at, options[at], selected, float(scores[at]), {NEAREST: float(scores[at])}, most=1)
            for at, selected in given.items()
        ]
        experiment.answer(row, given, chains, option_answer(choose(scores), None, arm.generator))
    return experiment


def read_prompted(
    questions: pa.Table,
    facts: pa.Table,
    generator: RecordedGenerator,
    arm: Arm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
    base: KnowledgeBase | None = None,
    node_keys: Mapping[int, Sequence[str]] | None = None,
) -> Experiment:
    """Answer every question by a language model: options from the best facts of each, others from their own.

    `base`: the graph, where there are questions without options. Their answers are what the model writes.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version, ranks=True, node_keys=node_keys or {})
    offered = _offered(questions, given_facts(facts))
    read_questions(experiment, offered, generator, Settings(), progress)
    if base is not None:
        shown = facts.filter(pc.less_equal(facts.column("rank"), SHOWN))
        read_short_answers(experiment, list(cases(questions, shown, {})), base, generator, progress)
    return experiment


def read_likelihoods(
    questions: pa.Table,
    facts: pa.Table,
    model: LikelihoodModel,
    arm: Arm,
    benchmark: str,
    code_version: str,
    progress: Progress | None = None,
    base: KnowledgeBase | None = None,
    node_keys: Mapping[int, Sequence[str]] | None = None,
) -> Experiment:
    """Answer every question by what its facts add to the likelihood of each option, or of what they end with.

    `base`: the graph, where there are questions without options.
    """
    experiment = Experiment(SYSTEM, arm.name, benchmark, code_version, ranks=True, node_keys=node_keys or {})
    offered = []
    for row, given in _offered(questions, given_facts(facts)):
        experiment.select_each(row["question_id"], given)
        offered.append(likelihood.OfferedOptions(row, given))
    abstention = likelihood.Abstention(NO_FACT)
    likelihood.read_questions(experiment, offered, model, arm.generator, abstention, progress)
    if base is not None:
        read_likely_answers(
            experiment, list(cases(questions, facts, {})), base, model, arm.generator, progress
        )
    return experiment


def _offered(
    questions: pa.Table, facts: Facts
) -> list[tuple[Mapping[str, Any], dict[int, Sequence[Selected]]]]:
    """Return every question with options, each option's best facts beside it: its own, else shared."""
    offered: list[tuple[Mapping[str, Any], dict[int, Sequence[Selected]]]] = []
    for row in questions.to_pylist():
        if not row["options"]:
            continue
        question_facts = facts.get(row["question_id"], {})
        shared = [fact.selected for fact in question_facts.get(NO_OPTION, [])[:SHOWN]]
        offers = {
            candidate: [fact.selected for fact in question_facts.get(candidate, [])[:SHOWN]] or shared
            for candidate in range(len(row["options"]))
        }
        offered.append((row, {candidate: evidence for candidate, evidence in offers.items() if evidence}))
    return offered


def _named(concepts: pa.Table) -> dict[str, dict[int, list[int]]]:
    """Return the nodes that each question and option names, by question and candidate."""
    by_question: dict[str, dict[int, list[int]]] = {}
    columns = [concepts.column(name).to_pylist() for name in ("question_id", "candidate", "node")]
    for question_id, candidate, node in zip(*columns, strict=True):
        by_question.setdefault(question_id, {}).setdefault(candidate, []).append(node)
    return by_question


def _choose(
    experiment: Experiment,
    row: Mapping[str, Any],
    facts: Mapping[int, Sequence[Given]],
    named: Mapping[int, Sequence[int]],
    vectors: EncodedTexts,
    arm: Arm,
) -> None:
    """Add a question's chains and the option that the facts speak for.

    The confidence goes towards chance by as much as the facts speak less of the question; the answer's
    accounting names the words that they say.
    """
    question, options = vectors.of([row["question"]])[0], row["options"]
    for_options = {
        candidate: facts.get(candidate) or _naming(facts.get(NO_OPTION, []), named.get(candidate, ()))
        for candidate in range(len(options))
    }
    evidence = {
        candidate: [fact.selected for fact in option_facts]
        for candidate, option_facts in for_options.items()
        if option_facts
    }
    if not arm.text and not evidence:
        experiment.answer(row, evidence, [], Answer.abstention(arm.generator, NO_FACT))
        return
    supports = [
        support_of([fact.selected.score for fact in option_facts], [fact.joins for fact in option_facts])
        if option_facts
        else Support()
        for option_facts in for_options.values()
    ]
    measures = measures_of(question, vectors.of(options), supports)
    scores = option_scores(measures, text=arm.text, negated=is_negated(row["question"]))
    choice = choose(scores)
    chains = [
        _chain(
            candidate,
            options[candidate],
            selected,
            float(scores[candidate]),
            dict(zip(MEASURES, measures[candidate].round(6).tolist(), strict=True)),
        )
        for candidate, selected in evidence.items()
    ]
    confidence = float(probabilities(scores)[choice.index])
    answerable = _answerability(row["question"], facts, vectors)
    if answerable is not None:
        confidence = answerable.tempered(confidence, len(options))
    answer = replace(
        option_answer(choice, confidence, arm.generator),
        accounting=account(row["question"], ()) if answerable is None else answerable.accounting,
    )
    experiment.answer(row, evidence | question_itself(row), chains, answer)


def _answerability(
    question: str, facts: Mapping[int, Sequence[Given]], vectors: EncodedTexts
) -> Answerability | None:
    """Return how well the best facts of a question and its options speak of it; None where there is none."""
    units = {
        fact.selected.unit.text: fact.selected.unit
        for candidate_facts in facts.values()
        for fact in candidate_facts[:SHOWN]
    }
    texts = list(units)
    passages = [
        Passage(f"{unit.kind} {unit.source_key}", [place]) for place, unit in enumerate(units.values())
    ]
    return answerability(question, vectors.of([question])[0], passages, texts, vectors.of(texts))


def _naming(facts: Sequence[Given], nodes: Sequence[int]) -> list[Given]:
    """Return the question's facts that would answer with one of these nodes: each joins the two."""
    named_nodes = set(nodes)
    return [
        Given(fact.selected, fact.answers, True) for fact in facts if named_nodes.intersection(fact.answers)
    ]


def _chain(
    candidate: int,
    option: str,
    evidence: Sequence[Selected],
    score: float,
    parts: Mapping[str, float],
    most: int = MOST_CITED,
) -> Chain:
    cited = [selected.unit for selected in evidence[:most]]
    return Chain(candidate, argument(option, (unit.text for unit in cited)), cited, score, parts)


def _operated(reading: QueryRecord | None, base: KnowledgeBase | None) -> list[RankedAnswer] | None:
    """Return the answers of a reading that facts near the question cannot express; None for any other."""
    if reading is None or base is None or reading.status != PARSED or reading.operation is None:
        return None
    kg = base.graph.name
    value, units = base.value_of(reading)
    if value:
        return [RankedAnswer(value, 1.0, None, kg, True, True, units)]
    nodes = [int(node) for node in base.nodes_of(reading)]
    edges_of = base.support_of(reading, nodes[:MOST_BACKED], MOST_CITED_TRIPLES)
    backing = [[base.unit(edge) for edge in edges] for edges in edges_of]
    return [
        RankedAnswer(
            base.label(node), 1.0, node, kg, True, True, backing[place] if place < len(backing) else []
        )
        for place, node in enumerate(nodes)
    ]


def _before(returned: Sequence[RankedAnswer], by_facts: Sequence[RankedAnswer]) -> list[RankedAnswer]:
    """Return a reading's answers, then what facts would answer besides, which is not returned."""
    nodes = {answer.node for answer in returned}
    rest = [replace(answer, returned=False) for answer in by_facts if answer.node not in nodes]
    best = max((answer.score for answer in rest), default=0.0) + 1.0
    return [*(replace(answer, score=best) for answer in returned), *rest]


def _rank(
    experiment: Experiment,
    row: Mapping[str, Any],
    facts: Sequence[Given],
    ranked: Sequence[RankedAnswer],
    arm: Arm,
    reading: QueryRecord | None,
) -> None:
    """Add a question's ranked answers, and the best as its answer unless its reading abstains."""
    abstains = reading.abstains if reading is not None else ""
    if abstains:
        ranked = [replace(answer, supported=False, returned=False) for answer in ranked]
    experiment.rank(row["question_id"], ranked)
    given = [fact.selected for fact in facts]
    if abstains or not ranked:
        abstention = answer_of_reading(reading, None, arm.generator, abstains or NO_FACT)
        experiment.answer(row, {NO_OPTION: given} if facts else {}, [], abstention)
        return
    best = ranked[0]
    backing = [Selected(unit, best.score, []) for unit in best.evidence]
    chain = _chain(NO_OPTION, best.answer, backing, best.score, {"fact": best.score}, len(backing))
    rule = tie_rule(sum(answer.returned for answer in ranked), "equal scores")
    answer = answer_of_reading(reading, best, arm.generator, NO_FACT, rule, best.answer)
    given = with_cited(given, best.evidence, best.score)
    experiment.answer(row, given_or_question(row, given), [chain], answer)


def ranked_answers(
    facts: Sequence[Given], labels: Mapping[int, str], kg: str, reaching: Collection[str]
) -> list[RankedAnswer]:
    """Return the nodes that facts would answer with, best first; those of the best score are the answer.

    `reaching`: the evidence ids of the facts that lead to what the question names: only these support one.
    """
    backing: dict[int, list[Given]] = {}
    for fact in facts:
        for node in fact.answers:
            backing.setdefault(node, []).append(fact)
    scores = {node: max(fact.selected.score for fact in facts_of) for node, facts_of in backing.items()}
    best = max(scores.values(), default=0.0)
    order = sorted(backing, key=lambda node: (-scores[node], labels[node], node))
    return [
        RankedAnswer(
            labels[node],
            scores[node],
            node,
            kg,
            supported=any(fact.selected.unit.evidence_id in reaching for fact in backing[node]),
            returned=scores[node] == best,
            evidence=[fact.selected.unit for fact in backing[node][:_BACKING]],
        )
        for node in order
    ]

"""Stages of the evaluation: gold evidence in the corpus, scores, paired differences, published figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evidence_assets.corpus.stages import shard_place
from evidence_assets.evaluation.published import published_version
from evidence_assets.evidence.arms import controlled_pairs
from evidence_assets.lake.schemas import (
    ARTICLES,
    BENCHMARK_SCORES,
    CHAINS,
    CHUNKS,
    EVIDENCE,
    GOLD_CHUNKS,
    GRAPH_ALIASES,
    GRAPH_CONCEPTS,
    GRAPH_NODES,
    LEAKAGE_FLAGS,
    PREDICTIONS,
    PUBLISHED_SCORES,
    PUBLISHED_SETUPS,
    QUESTION_CONCEPTS,
    QUESTION_SCORES,
    QUESTIONS,
    RANKED_ANSWERS,
    RANKED_CHUNKS,
    RETRIEVED_FACTS,
    SCORE_DIFFERENCES,
    SELECTED_EVIDENCE,
)
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Key, Metadata, Output, Rows, Scope, Stage, StageError
from evidence_assets.systems.system import System, retrievals_of

if TYPE_CHECKING:
    import pyarrow as pa

    from evidence_assets.evaluation.scores import PerQuestion
    from evidence_assets.lake.lake import TableReader
    from evidence_assets.stages.step import Step

GROUP = LAYER = "evaluation"
SCORES_VERSION = "14"
# The columns of `questions` that decide what a constant answer scores.
_KEYED = ["question_id", "options", "answer_index"]
_DIGITS = 4
_HEADLINE_METRICS = ("accuracy", "hits@1")
_NOT_COMPARED = ("answered", "question_only")
# Each question's value of each metric.
Values = dict[str, dict[str, float]]
Place = Mapping[str, str]


def evaluation_stages(project: Project) -> list[Stage]:
    """Return the stages that every system's evaluation shares."""
    return [_gold_chunks(project), _leakage_flags(project), _published_scores()]


def _gold_chunks(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.evaluation.gold import CorpusText, gold_chunk_rows

        benchmark, inputs = step.key.name, step.inputs
        columns = ["question_id", "gold_evidence"]
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark}, columns).to_pylist()
        corpus = CorpusText.wanted_by(questions)
        places = [shard_place(shard) for shard in project.shards_of_benchmark(benchmark)]
        for place in places:
            for batch in inputs.scan(ARTICLES, place, ["article_id", "title", "text"]):
                corpus.add_articles(batch)
        for place in places:
            for batch in inputs.scan(CHUNKS, place, ["chunk_id", "article_id", "char_start", "char_end"]):
                corpus.add_chunks(batch)
        rows, items, found_items = gold_chunk_rows(benchmark, questions, corpus)
        yield Rows(GOLD_CHUNKS, rows)
        yield Metadata({"gold_items": items, "found_in_corpus": found_items})
        if found_items < items:
            step.log.warning(
                f"{benchmark}: {items - found_items} of {items} gold texts are not in the corpus"
            )

    description = "Which chunks hold the evidence that a benchmark's authors name."
    return Stage(
        name=GOLD_CHUNKS.name,
        scope=Scope.BENCHMARK,
        outputs=(Output(GOLD_CHUNKS, description),),
        inputs=(Input(QUESTIONS), Input(ARTICLES), Input(CHUNKS)),
        run=run,
        group=GROUP,
        layer=LAYER,
    )


def _leakage_flags(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.evaluation.leakage import WantedTexts, leakage_rows, shown

        benchmark, inputs = step.key.name, step.inputs
        columns = ["question_id", "question", "options", "answer_index", "answers", "gold_evidence"]
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark}, columns).to_pylist()
        gold = inputs.read(GOLD_CHUNKS, {"benchmark": benchmark}, ["question_id", "gold_index"])
        texts = WantedTexts.of(questions)
        for shard in project.shards_of_benchmark(benchmark):
            for batch in inputs.scan(CHUNKS, shard_place(shard), ["text"]):
                texts.look_in(batch.column("text").to_pylist())
        rows = leakage_rows(benchmark, questions, gold, texts)
        yield Rows(LEAKAGE_FLAGS, rows)
        yield Metadata(shown(rows))

    description = "What the corpus holds word for word: gold evidence, a gold answer, the question itself."
    return Stage(
        name=LEAKAGE_FLAGS.name,
        scope=Scope.BENCHMARK,
        outputs=(Output(LEAKAGE_FLAGS, description),),
        inputs=(Input(QUESTIONS), Input(GOLD_CHUNKS), Input(CHUNKS)),
        run=run,
        group=GROUP,
        layer=LAYER,
        on_demand=True,
    )


def _published_scores() -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.evaluation.published import published_rows, setup_rows

        makers = {PUBLISHED_SCORES: published_rows, PUBLISHED_SETUPS: setup_rows}
        for table in step.selected:
            yield Rows(table, makers[table]())

    description = "Figures as the papers print them, with their tables' numbers; ours stand beside them."
    return Stage(
        name=PUBLISHED_SCORES.name,
        scope=Scope.WHOLE,
        outputs=(
            Output(PUBLISHED_SCORES, description),
            Output(
                PUBLISHED_SETUPS, "How many questions, and which graph and corpus, the papers measured on."
            ),
        ),
        inputs=(),
        run=run,
        group=GROUP,
        layer=LAYER,
        version=published_version(),
        kinds=("csv", "parquet"),
        batched=False,
        subset=True,
    )


def score_stages(project: Project, system: System) -> list[Stage]:
    """Return one system's scores and paired differences.

    A system that reads text has its arms' rankings of chunks scored too, one that ranks answers these.
    """
    retrievals = retrievals_of(system.arms_of(project)) if system.ranks_chunks else {}
    facts = retrievals_of(system.arms_of(project)) if system.retrieves_facts else {}

    def values_of(inputs: TableReader, place: Place) -> Values:
        values = _values(inputs, place, retrievals.get(place["arm"]), system.ranks_chunks)
        if system.ranks:
            values |= _ranking(inputs, place, project.graph_of(place["benchmark"]))
        else:
            values |= _exact(inputs, place)
        if (retrieval := facts.get(place["arm"])) is not None:
            values |= _facts(inputs, place, retrieval, project.graph_of(place["benchmark"]))
        return values

    return [
        _benchmark_scores(project, system, retrievals, facts, values_of),
        _score_differences(project, system),
    ]


def _check_one_version(predictions: pa.Table, key: Key) -> None:
    """Refuse answers of several code versions: they are no one experiment, and no mean is taken over them."""
    counts = Counter(predictions.column("code_version").to_pylist())
    if len(counts) > 1:
        listed = ", ".join(f"{count:,} of {version}" for version, count in sorted(counts.items()))
        raise StageError(
            f"{key.text}: answers of {len(counts)} code versions are not scored together ({listed}); remedy: "
            "materialise the experiment again"
        )


ValuesOf = Callable[["TableReader", Place], Values]


def _benchmark_scores(
    project: Project,
    system: System,
    retrievals: Mapping[str, str],
    facts: Mapping[str, str],
    values_of: ValuesOf,
) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.evaluation.scores import (
            answered_values,
            question_score_rows,
            score_rows,
            values_over_ties,
            with_completeness,
            with_key,
        )

        benchmark, inputs = step.key.name, step.inputs
        place = {"system": system.name, "arm": step.key.variant, "benchmark": benchmark}
        predictions = inputs.read(PREDICTIONS, place)
        _check_one_version(predictions, step.key)
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark}, [*_KEYED, "table_id"])
        chains = inputs.read(CHAINS, place, ["citation_status", "question_id", "candidate", "score"])
        values = values_of(inputs, place)
        values |= values_over_ties(values, predictions, chains, questions)
        selected = inputs.read(SELECTED_EVIDENCE, place, ["question_id", "candidate"])
        if QUESTION_SCORES in step.selected:
            of_questions = values | answered_values(with_key(predictions), selected)
            yield Rows(QUESTION_SCORES, question_score_rows(place, of_questions), preview=False)
        if BENCHMARK_SCORES not in step.selected:
            return
        rows = score_rows(place, values, predictions, chains, questions)
        yield Rows(BENCHMARK_SCORES, with_completeness(rows, predictions, questions), preview=False)
        yield Metadata(_picture(rows, step.key.text) | _selective_picture(predictions, step.key.text))
        yield Metadata(_left_out(predictions, questions))
        yield Metadata(_figures(rows))

    inputs = [*map(Input, (PREDICTIONS, CHAINS, EVIDENCE, SELECTED_EVIDENCE, QUESTIONS))]
    if retrievals:
        inputs += [Input(GOLD_CHUNKS), Input(RANKED_CHUNKS, variants=retrievals)]
    if system.ranks:
        # Answers are compared by all names of a node; question_concepts depends on the graph already.
        inputs += [Input(RANKED_ANSWERS), Input(QUESTION_CONCEPTS)]
        inputs += [Input(GRAPH_ALIASES, via=QUESTION_CONCEPTS)] if project.sources.graphs else []
    if facts:
        inputs += [Input(RETRIEVED_FACTS, variants=facts)]
        if project.sources.graphs:
            inputs += [Input(table, via=QUESTION_CONCEPTS) for table in (GRAPH_NODES, GRAPH_CONCEPTS)]
    description = "Accuracy, recall of gold evidence, calibration, citation validity, with 95 % intervals."
    return Stage(
        name=f"{system.name}/{BENCHMARK_SCORES.name}",
        scope=Scope.BENCHMARK,
        variants=tuple(system.arms_of(project)),
        outputs=(
            Output(BENCHMARK_SCORES, description),
            Output(QUESTION_SCORES, "Every metric that is a mean over questions, question by question."),
        ),
        inputs=tuple(inputs),
        run=run,
        group=system.name,
        layer=LAYER,
        version=SCORES_VERSION,
        system=system.name,
        subset=True,
    )


def _score_differences(project: Project, system: System) -> Stage:
    offered = system.arms_of(project)
    arms, baselines, pairs = tuple(offered), system.compared_with, controlled_pairs(offered.values())

    def run(step: Step) -> Iterator[Rows | Metadata]:
        import pyarrow as pa

        from evidence_assets.evaluation.scores import (
            constant_values,
            difference_rows,
            values_of_rows,
            with_correction,
            with_strongest_baselines,
        )

        benchmark, inputs = step.key.name, step.inputs
        places = {arm: {"system": system.name, "arm": arm, "benchmark": benchmark} for arm in arms}
        scored = inputs.partitions(QUESTION_SCORES)
        missing = [arm for arm, place in places.items() if place not in scored]
        values = {
            arm: _compared(values_of_rows(inputs.read(QUESTION_SCORES, place)))
            for arm, place in places.items()
            if arm not in missing
        }
        rows = [difference_rows(system.name, benchmark, values, name) for name in baselines if name in values]
        rows += [
            difference_rows(
                system.name, benchmark, {name: values[name] for name in (arm, baseline)}, baseline
            )
            for arm, baseline in pairs
            if arm in values and baseline in values and baseline not in baselines
        ]
        if not rows:
            raise LookupError(
                f"benchmark {benchmark}: none of the arms to compare with is materialised; remedy: "
                f"materialise {baselines[0]}"
            )
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark}, [*_KEYED, "table_id"])
        constants = constant_values(questions)
        for name, constant in constants.items():
            rows.append(difference_rows(system.name, benchmark, {**values, name: constant}, name))
        cheap = {*system.baselines, *constants}
        differences = with_correction(with_strongest_baselines(pa.concat_tables(rows), cheap))
        yield Rows(SCORE_DIFFERENCES, differences)
        yield Metadata({"arms": len(values), "arms_not_materialised": ", ".join(missing) or "none"})
        yield Metadata(_below_baselines(differences))
        yield Metadata(_pictures_of_arms({**values, **constants}, cheap, questions, step.key.text))

    description = (
        "Every materialised arm minus each of these, on the same questions, with 95 % intervals and paired "
        "tests, options that score alike counted as drawn blindly: "
        + ", ".join(f"`{baseline}`" for baseline in baselines)
        + "; and minus what chance and the majority reach where there are options. Arms of a factorial "
        "comparison minus each that differs from them in one factor."
    )
    return Stage(
        name=f"{system.name}/{SCORE_DIFFERENCES.name}",
        scope=Scope.BENCHMARK,
        outputs=(Output(SCORE_DIFFERENCES, description),),
        inputs=(Input(QUESTION_SCORES, as_made=True), Input(QUESTIONS, via=QUESTION_SCORES)),
        run=run,
        group=system.name,
        layer=LAYER,
        version=SCORES_VERSION,
        system=system.name,
    )


def _figures(rows: pa.Table) -> dict[str, float]:
    """Return every score as a number: Dagster plots those over time."""
    return {
        row["metric"]: round(float(row["value"]), _DIGITS)
        for row in rows.to_pylist()
        if row["value"] is not None
    }


def _below_baselines(differences: pa.Table) -> dict[str, Any]:
    """Return which arms are not shown to be above their strongest cheap baseline in accuracy or Hits@1."""
    below = [
        f"{row['arm']}: {100 * row['value']:+.1f} to {row['baseline_arm']}"
        for row in differences.to_pylist()
        if row["is_strongest_baseline"] and row["metric"] in _HEADLINE_METRICS and row["low"] <= 0
    ]
    return {"not_above_the_strongest_baseline": "; ".join(below) or "none"}


def _pictures_of_arms(
    values: Mapping[str, PerQuestion], baselines: Collection[str], questions: pa.Table, key: str
) -> dict[str, Any]:
    """Return a picture of all arms side by side for each headline metric; baselines stand out in it."""
    from evidence_assets.evaluation.scores import arm_estimates
    from evidence_assets.lake.previews import intervals

    shown = {}
    for metric in _HEADLINE_METRICS:
        if estimates := arm_estimates(values, metric, questions):
            bounds = [(estimate.value, estimate.low, estimate.high) for estimate in estimates.values()]
            title = f"{metric} of {key}, 95 % intervals"
            shown[f"{metric}_of_arms"] = intervals(list(estimates), bounds, title, baselines)
    return shown


def _values(inputs: TableReader, place: Place, retrieval: str | None, reads_text: bool) -> Values:
    """Return an experiment's metrics question by question; those of a ranking of chunks if it reads one.

    `reads_text`: its system ranks chunks, for this arm or for others.
    """
    from evidence_assets.evaluation.retrieval_scores import retrieval_values, selection_values
    from evidence_assets.evaluation.scores import answer_values

    answers = answer_values(inputs.read(PREDICTIONS, place, ["question_id", "gold", "correct", "abstained"]))
    if retrieval is None:
        if reads_text:
            # Its evidence has no ranking to be scored, and is an input as every arm's is: what is declared is
            # read, or it would count as new for ever.
            for table in (SELECTED_EVIDENCE, EVIDENCE):
                inputs.read(table, place, ["evidence_id"])
        return answers
    benchmark = {"benchmark": place["benchmark"]}
    gold = inputs.read(GOLD_CHUNKS, benchmark)
    questions = inputs.read(QUESTIONS, benchmark, ["question_id", "gold_evidence", "answer_index"])
    ranked = inputs.read(RANKED_CHUNKS, {**benchmark, "retrieval": retrieval})
    return {
        **answers,
        **retrieval_values(ranked, gold, questions),
        **selection_values(
            inputs.read(SELECTED_EVIDENCE, place, ["question_id", "candidate", "rank", "evidence_id"]),
            inputs.read(EVIDENCE, place, ["evidence_id", "source_key"]),
            gold,
            questions,
        ),
    }


def _ranking(inputs: TableReader, place: Place, graph: str | None) -> Values:
    """Return the metrics of an experiment's ranked answers, and of its predictions where none is offered."""
    from evidence_assets.evaluation.ranked_answers import contained_values, ranking_values

    columns = ["question_id", "options", "answers", "answer_keys"]
    questions = inputs.read(QUESTIONS, {"benchmark": place["benchmark"]}, columns)
    named = None
    if graph is not None and inputs.exists(GRAPH_ALIASES, {"kg": graph}):
        named = inputs.read(GRAPH_ALIASES, {"kg": graph})
    predicted = inputs.read(PREDICTIONS, place, ["question_id", "predicted"])
    return {
        **ranking_values(inputs.read(RANKED_ANSWERS, place), questions),
        **contained_values(predicted, questions, named),
    }


def _exact(inputs: TableReader, place: Place) -> Values:
    """Return whether predictions without options are a gold answer, and nothing else."""
    from evidence_assets.evaluation.ranked_answers import contained_values

    columns = ["question_id", "options", "answers"]
    questions = inputs.read(QUESTIONS, {"benchmark": place["benchmark"]}, columns)
    predicted = inputs.read(PREDICTIONS, place, ["question_id", "predicted"])
    values = contained_values(predicted, questions)
    return {metric: of for metric, of in values.items() if metric == "exact_match"}


def _facts(inputs: TableReader, place: Place, retrieval: str, graph: str | None) -> Values:
    """Return the metrics of the facts that an experiment reads."""
    from evidence_assets.evaluation.retrieved_facts import GraphNames, fact_values

    columns = ["question_id", "question", "options", "answers", "answer_keys"]
    questions = inputs.read(QUESTIONS, {"benchmark": place["benchmark"]}, columns)
    where = {"system": place["system"], "benchmark": place["benchmark"], "retrieval": retrieval}
    named = None
    if graph is not None and inputs.exists(GRAPH_ALIASES, {"kg": graph}):
        named = GraphNames(
            *(inputs.read(table, {"kg": graph}) for table in (GRAPH_ALIASES, GRAPH_NODES, GRAPH_CONCEPTS))
        )
    return fact_values(inputs.read(RETRIEVED_FACTS, where), questions, named)


def _compared(values: Values) -> Values:
    """Count ties as drawn blindly, in no lucky order, and leave out what is no merit of answers."""
    from evidence_assets.evaluation.ranked_answers import BEST, WORST
    from evidence_assets.evaluation.scores import compared_values

    return {
        metric: of
        for metric, of in compared_values(values).items()
        if not metric.endswith((BEST, WORST)) and metric not in _NOT_COMPARED
    }


def _left_out(predictions: pa.Table, questions: pa.Table) -> dict[str, Any]:
    """Return how many questions the scores of answers are over, and why others are left out."""
    from evidence_assets.evaluation.scores import with_key

    scored = with_key(predictions).num_rows
    reasons = {
        "without a prediction": questions.num_rows - predictions.num_rows,
        "without a key": predictions.num_rows - scored,
    }
    shown = ", ".join(f"{count} {reason}" for reason, count in reasons.items() if count)
    return {"questions_scored": scored, "questions_left_out": shown or "none"}


def _selective_picture(predictions: pa.Table, key: str) -> dict[str, Any]:
    """Return risk over coverage and accuracy over confidence as a picture; nothing without confidences."""
    from evidence_assets.evaluation.scores import answered_of, with_key
    from evidence_assets.evaluation.selective import reliability_bins, risk_coverage
    from evidence_assets.lake.previews import risk_and_reliability

    answered = answered_of(with_key(predictions))
    if answered is None:
        return {}
    return {"selective": risk_and_reliability(*risk_coverage(answered), *reliability_bins(answered)[:2], key)}


def _picture(rows: pa.Table, key: str) -> dict[str, Any]:
    from evidence_assets.lake.previews import intervals, table_preview

    scores = [row for row in rows.to_pylist() if row["low"] is not None]
    shown = {"scores": table_preview(rows, ["metric", "value", "low", "high", "n"], count=rows.num_rows)}
    if scores:
        values = [(row["value"], row["low"], row["high"]) for row in scores]
        shown["plot"] = intervals([row["metric"] for row in scores], values, key)
    return shown

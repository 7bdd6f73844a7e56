"""USCRaKE: chunks and triples, ranked and selected for each option, to a chain and an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.lake.schemas import (
    CHUNKS,
    PREDICTIONS,
    QUESTIONS,
    RANKED_CHUNKS,
    RANKED_TRIPLES,
    READER_ADMISSIONS,
    RERANKED_EVIDENCE,
    SELECTED_EVIDENCE,
)
from evidence_assets.reading.prompting.prompt_files import (
    CHOOSE,
    EXPLAIN_OPTION,
    USCRAKE_ANSWER,
    USCRAKE_CHAIN,
    prompts_version,
)
from evidence_assets.reading.weights import ANSWERABILITY, GENERAL, SENTENCE_ANSWERS, weights_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Key
from evidence_assets.systems.system import CORPUS, Report, System, retrievals_of
from evidence_assets.systems.uscrake import arms

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.reading.weighing.trained import OptionReader
    from evidence_assets.stages.step import Step
    from evidence_assets.systems.uscrake.cases import RetrievedEvidence

# Weights and prompts decide every answer: new ones are new code. Questions that offer options and those that
# do not are read apart, and what was measured of one is as old as its own version.
OPTIONS_VERSION = f"11-{weights_version(GENERAL, ANSWERABILITY)}"
OPEN_QUESTIONS_VERSION = f"14-{weights_version(ANSWERABILITY, SENTENCE_ANSWERS)}"
CODE_VERSION = f"{OPTIONS_VERSION}-{OPEN_QUESTIONS_VERSION}"
PROMPTED_VERSION = f"2-{prompts_version()}"
PRINTED_VERSION = f"1-{prompts_version(USCRAKE_CHAIN, USCRAKE_ANSWER)}"
_PROMPTS = prompts_version(EXPLAIN_OPTION, CHOOSE, USCRAKE_CHAIN, USCRAKE_ANSWER)


def _inputs(arms_by_name: Mapping[str, arms.ChunkArm], project: Project) -> Sequence[Input]:
    with_triples = {name: "" for name, arm in arms_by_name.items() if arm.selection.triples}
    reranked = {name: arm.retrieval for name, arm in arms_by_name.items() if arm.selection.needs_scores}
    trained = {name: arm.generator for name, arm in arms_by_name.items() if arm.trained}
    return (
        Input(QUESTIONS),
        *([Input(READER_ADMISSIONS, variants=trained)] if trained else []),
        Input(RANKED_TRIPLES, variants=with_triples),
        Input(RANKED_CHUNKS, variants=retrievals_of(arms_by_name)),
        Input(RERANKED_EVIDENCE, variants=reranked),
        Input(CHUNKS, via=RANKED_CHUNKS),
    )


def _problem(project: Project, key: Key, arm: arms.ChunkArm) -> str | None:
    if not arm.selection.triples or project.graph_of(key.name) is not None:
        return None
    return (
        f"arm {arm.name} reads triples, and {project.location} names no graph for benchmark {key.name}; "
        f"remedy: name one there (benchmarks.{key.name}.graph), or materialise arms of chunks only"
    )


def _read(step: Step, project: Project, arm: arms.ChunkArm) -> Experiment:
    from evidence_assets.systems.uscrake.reading import (
        read_benchmark,
        read_likelihoods,
        read_prompted,
        read_trained,
    )

    benchmark = step.key.name
    questions = step.inputs.read(QUESTIONS, {"benchmark": benchmark})
    retrieved = _retrieved(step, project, arm)
    if arm.likelihood:
        model, progress = step.likelihoods(arm.generator), step.progress("options")
        return read_likelihoods(questions, retrieved, model, arm, benchmark, CODE_VERSION, progress)
    if not arm.prompted:
        encode = step.shortened(questions).encoding(step.encoder.encode)
        if arm.trained:
            reader, progress = _reader(step, arm), step.progress("prefixes")
            return read_trained(questions, retrieved, encode, reader, arm, benchmark, CODE_VERSION, progress)
        words = step.encoder.encode_words
        return read_benchmark(questions, retrieved, encode, words, arm, benchmark, CODE_VERSION)
    generator, progress = step.generator(arm.generator, PREDICTIONS), step.progress("replies")
    version = PRINTED_VERSION if arm.printed else PROMPTED_VERSION
    return read_prompted(questions, retrieved, generator, arm, benchmark, version, progress)


def _reader(step: Step, arm: arms.ChunkArm) -> OptionReader:
    """Return the reader that may answer this benchmark."""
    from evidence_assets.training.reader import admitted_reader

    place = {"benchmark": step.key.name, "reader": arm.generator}
    [admission] = step.inputs.read(READER_ADMISSIONS, place).to_pylist()
    return admitted_reader(admission, step.models.cache, step.likelihoods)


def _retrieved(step: Step, project: Project, arm: arms.ChunkArm) -> RetrievedEvidence:
    """Return what an arm may select from."""
    import pyarrow.compute as pc

    from evidence_assets.retrieval.chunk_texts import chunks_of
    from evidence_assets.retrieval.rankings import OPTION_DEPTH
    from evidence_assets.systems.uscrake.cases import RetrievedEvidence

    if not arm.retrieval:
        return RetrievedEvidence()
    benchmark, inputs, selection = step.key.name, step.inputs, arm.selection
    place = {"benchmark": benchmark, "retrieval": arm.retrieval}
    ranked = inputs.read(RANKED_CHUNKS, place)
    ranked = ranked.filter(pc.less_equal(ranked.column("rank"), OPTION_DEPTH))
    return RetrievedEvidence(
        ranked,
        chunks_of(inputs, project, benchmark, ranked.column("chunk_id").unique()),
        inputs.read(RANKED_TRIPLES, {"benchmark": benchmark}) if selection.triples else None,
        inputs.read(RERANKED_EVIDENCE, place) if selection.needs_scores else None,
        inputs.withheld,
    )


def _report(step: Step, arm: arms.ChunkArm, tables: Mapping[str, pa.Table]) -> Report:
    """Return how much evidence of each kind was selected, and its scores."""
    from evidence_assets.lake.previews import histogram

    columns = (tables["evidence"].column(name).to_pylist() for name in ("evidence_id", "kind"))
    kinds = dict(zip(*columns, strict=True))
    selected = tables["selected_evidence"]
    counts = Counter(kinds[evidence_id] for evidence_id in selected.column("evidence_id").to_pylist())
    scores = histogram(selected.column("score").to_numpy(), "Scores of selected evidence", "score")
    return {SELECTED_EVIDENCE.name: {"selected": dict(counts), "scores": scores}}


USCRAKE = System(
    name=arms.SYSTEM,
    needs=CORPUS,
    arms=arms.arms,
    first_arms=arms.FIRST_ARMS,
    default_arm=arms.DEFAULT_ARM,
    compared_with=arms.COMPARED_WITH,
    baselines=arms.BASELINES,
    inputs=_inputs,
    read=_read,
    descriptions={
        "evidence": "Every chunk, sentence and triple an arm was given or cited, with where it stands.",
        "selected_evidence": "The chunks and triples each option was argued from, best first.",
        "chains": "One chain an option: the sentences and triples that speak for it, cited by number.",
        "predictions": "One answer a question, with calibrated confidence.",
        "prediction_evidence": "Which evidence each prediction was given and which it cited.",
    },
    version=f"{CODE_VERSION}-{_PROMPTS}",
    ranks_chunks=True,
    trained_arms=arms.trained_arms,
    report=_report,
    problem=_problem,
)

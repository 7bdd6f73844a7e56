"""Stages of the harvested graphs: manifest, judgements and scores."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evidence_assets.extraction.arms import ARMS, baseline_of
from evidence_assets.lake.schemas import (
    CANDIDATE_PAIRS,
    GENERATIONS,
    HARVEST_SCORES,
    HARVESTED_TRIPLES,
    HARVESTS,
    PROMPT_CAPTURES,
    RELATION_PROMPTS,
    RELATION_SEEDS,
    TRIPLE_JUDGEMENTS,
    TRIPLES,
)
from evidence_assets.sources.project import Project
from evidence_assets.sources.specifications import HarvestSource
from evidence_assets.stages.declaration import Input, Link, Model, Output, Removed, Rows, Scope, Stage

if TYPE_CHECKING:
    from evidence_assets.extraction.judgements import Labels
    from evidence_assets.stages.step import Step

_harvest_stage = partial(Stage, scope=Scope.HARVEST, group="knowledge")
# A harvested graph's triples, and how they are read out.
_OF_A_HARVEST = (
    Input(HARVESTS),
    Input(HARVESTED_TRIPLES, via=HARVESTS, optional=True),
    Input(RELATION_SEEDS, via=HARVESTS, optional=True),
)


def harvested_graph_stages(project: Project, harvested: HarvestSource) -> list[Stage]:
    """Return the stages of the harvested graphs."""
    judgements = [_triple_judgements(harvested)] if _judges(harvested) else []
    return [_harvests(project), *judgements, _harvest_scores(project, harvested)]


def _judges(harvested: HarvestSource) -> list[str]:
    """Return the names of a harvest's judges, those by likelihood behind those that are asked."""
    return [*harvested.judges, *(f"likelihood@{name}" for name in harvested.likelihood_judges)]


def _current(project: Project) -> list[str]:
    from evidence_assets.extraction.seeds import seed_files

    folder = project.seeds_folder
    return [] if folder is None else list(seed_files(folder))


def _harvests(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Removed]:
        from evidence_assets.graphs.harvest_manifest import manifest_rows, retired_partitions

        key, current = step.key.name, _current(project)
        stale = retired_partitions(step.inputs, key, current)
        yield from stale
        names = sorted({removed.place["relation"] for removed in stale})
        rows = manifest_rows(step.inputs, key, ARMS[key].search, current)
        yield Rows(HARVESTS, rows, metadata={"retired": ", ".join(names) or "none"})

    description = (
        "What each harvested graph consists of now. A relation whose seed file is gone is retired here: its "
        "rows leave every table of the harvest, and what merges the graph follows."
    )
    removed_tables = (RELATION_SEEDS, RELATION_PROMPTS, CANDIDATE_PAIRS, PROMPT_CAPTURES)
    return _harvest_stage(
        name=HARVESTS.name,
        outputs=(Output(HARVESTS, description),),
        inputs=(Input(HARVESTED_TRIPLES), *(Input(table, via=HARVESTED_TRIPLES) for table in removed_tables)),
        run=run,
        layer="knowledge",
        # A relation that was never harvested, or whose file is broken, holds the others up for nothing.
        gathers=True,
        configuration=lambda _: ", ".join(_current(project)),
    )


def _triple_judgements(harvested: HarvestSource) -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        import pyarrow as pa

        from evidence_assets.extraction.judging import judge_by_likelihood, judge_triples

        parts, kg, most = [], step.key.name, harvested.judged
        for name in harvested.judges:
            judge = step.generator(name, prefix=f"{name}_")
            progress = step.progress(f"judgements, {name}")
            parts.append(judge_triples(step.inputs, kg, judge, most, progress))
        for name in harvested.likelihood_judges:
            model, progress = step.likelihoods(name), step.progress(f"likelihoods, {name}")
            parts.append(judge_by_likelihood(step.inputs, kg, name, model, most, progress))
        yield Rows(TRIPLE_JUDGEMENTS, pa.concat_tables(parts))

    judges = ", ".join(_judges(harvested))
    description = f"What language models say of each harvested graph's first triples: {judges}."
    return _harvest_stage(
        name=TRIPLE_JUDGEMENTS.name,
        outputs=(Output(TRIPLE_JUDGEMENTS, description),),
        inputs=_OF_A_HARVEST,
        run=run,
        layer="evaluation",
        models=frozenset({Model.GENERATOR}),
        side_tables=(GENERATIONS,),
        configuration=lambda _: f"{judges}: {harvested.judged}",
    )


def _harvest_scores(project: Project, harvested: HarvestSource) -> Stage:
    reference = harvested.reference
    measured_by = (reference, harvested.judgements, *_judges(harvested))

    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.extraction.judgements import read_judgements
        from evidence_assets.extraction.judging import labels_of
        from evidence_assets.extraction.scores import score_rows
        from evidence_assets.sources.files import contents_of

        key = step.key.name
        judges: dict[str, Labels] = {}
        if _judges(harvested):
            judges = labels_of(step.inputs.read(TRIPLE_JUDGEMENTS, {"kg": key}).to_pylist())
        if harvested.judgements:
            folder = project.locate(harvested.judgements)
            judges |= read_judgements(Path(folder))
            step.inputs.note_source(harvested.judgements, *contents_of(folder))
        search = ARMS[key].search
        rows = score_rows(step.inputs, key, search, reference, baseline_of(key), step.encoder, judges)
        yield Rows(HARVEST_SCORES, rows)

    description = (
        "Facts, diversity, novelty, likeness to the reference graph, coverage and calibration of each "
        "harvested graph, relation by relation and in all."
    )
    return _harvest_stage(
        name=HARVEST_SCORES.name,
        outputs=(Output(HARVEST_SCORES, description),),
        inputs=(
            *_OF_A_HARVEST,
            Input(PROMPT_CAPTURES, via=HARVESTS, optional=True),
            *([Input(TRIPLE_JUDGEMENTS)] if _judges(harvested) else []),
            *([Input(TRIPLES, link=Link.REFERENCE)] if reference is not None else []),
        ),
        run=run,
        layer="knowledge",
        models=frozenset({Model.ENCODER}),
        pooled=True,
        version="2",
        configuration=lambda _: " ".join(filter(None, measured_by)),
    )

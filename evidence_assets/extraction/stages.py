"""Stages of the harvest: seeds, prompts, candidate pairs, triples and their quality."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from evidence_assets.extraction.arms import ARMS, Search, prompts_for, searches_of
from evidence_assets.extraction.domain_model.stages import domain_model_stage
from evidence_assets.extraction.harvested_graphs import harvested_graph_stages
from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.schemas import (
    CANDIDATE_PAIRS,
    DOMAIN_MASKED_LM,
    HARVESTED_TRIPLES,
    PROMPT_CAPTURES,
    RELATION_PROMPTS,
    RELATION_SEEDS,
    Table,
)
from evidence_assets.sources.project import Project
from evidence_assets.sources.specifications import HarvestSource
from evidence_assets.stages.declaration import Input, Link, Metadata, Model, Output, Rows, Scope, Stage

if TYPE_CHECKING:
    from evidence_assets.extraction.seeds import RelationSeed
    from evidence_assets.stages.step import Step

# A run a relation: a broken seed file fails alone.
_relation_stage = partial(Stage, scope=Scope.RELATION, group="knowledge", batched=False)


def extraction_stages(project: Project) -> list[Stage]:
    """Return the harvest's stages; none where the configuration names no harvest."""
    harvested = project.harvest
    if harvested is None:
        return []
    return [
        domain_model_stage(project, harvested),
        _relation_seeds(project, harvested),
        _relation_prompts(harvested),
        _candidate_pairs(harvested),
        _harvested_triples(harvested),
        *harvested_graph_stages(project, harvested),
    ]


def _relation_seeds(project: Project, harvested: HarvestSource) -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.extraction.seeds import SeedError, read_seed, seed_files, seed_row
        from evidence_assets.sources.files import fingerprint

        folder, key = project.seeds_folder, step.key.name
        path = None if folder is None else seed_files(folder).get(key)
        if path is None:
            raise SeedError(f"{folder}: no seed file {key}.yaml; remedy: write it, or delete the partition")
        seed = read_seed(path)
        step.inputs.note_source(f"{harvested.seeds}/{path.name}", fingerprint(str(path)))
        yield Rows(RELATION_SEEDS, seed_row(seed))

    description = "What a seed file says, checked: one prompt, a few pairs, how a triple is read out."
    return _relation_stage(
        name=RELATION_SEEDS.name,
        outputs=(Output(RELATION_SEEDS, description),),
        inputs=(),
        run=run,
        layer="source",
        files=("seed_files",),
    )


def _model_stage(output: Output, *inputs: Table, also: tuple[Output, ...] = (), **fields: Any) -> Stage:
    """Return a stage of a relation that asks the model: the corpus's own, or the one that is named.

    `also`: what it writes beside the table that it is named for. Neither model is waited for where the other
    is used.
    """
    from evidence_assets.models.provider import MaskedLanguageModelSettings

    named = bool(MaskedLanguageModelSettings().named())
    return _relation_stage(
        name=output.table.name,
        outputs=(output, *also),
        inputs=(*map(Input, inputs), Input(DOMAIN_MASKED_LM, link=Link.HARVEST_CORPUS, optional=named)),
        layer="knowledge",
        files=("named_masked_lm",),
        pooled=True,
        **fields,
    )


def _version(harvested: HarvestSource) -> str:
    """Return a version that changes with the settings: another limit is another harvest."""
    limits = [f"{name}={value}" for name, value in sorted(_limits(harvested).items())]
    named = {"prompts": harvested.prompts, "triples": harvested.triples, "ready": harvested.least_readiness}
    return f"2-{combined_hash([*limits, *map(str, named.values()), *harvested.arms])[:8]}"


def _relation_prompts(harvested: HarvestSource) -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.extraction.domain_model.corpus_model import harvests_model
        from evidence_assets.extraction.harvesting import prompt_rows
        from evidence_assets.extraction.prompts import ConnectiveMaker, RewritingMaker
        from evidence_assets.extraction.reporting import prompt_report

        model, encoder = harvests_model(step, harvested.corpus), step.models.encoder_settings.load()
        rewriter = step.masked_lm.load_sentence_maker()
        maker = ConnectiveMaker(model) if rewriter is None else RewritingMaker(rewriter)
        rows = prompt_rows(model, step.encoder, encoder, maker, _seed(step))
        yield Rows(RELATION_PROMPTS, rows, metadata=prompt_report(rows))

    description = (
        "Paraphrases of each relation's prompt, scored by meaning, wording and certainty, and weighted."
    )
    return _model_stage(
        Output(RELATION_PROMPTS, description),
        RELATION_SEEDS,
        run=run,
        models=frozenset({Model.ENCODER, Model.MASKED_LM}),
        version="2",
    )


def _candidate_pairs(harvested: HarvestSource) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.extraction.domain_model.corpus_model import harvests_model
        from evidence_assets.extraction.harvesting import (
            EMPTY,
            candidate_rows,
            capture_rows,
            find_candidates,
            readiness,
        )
        from evidence_assets.extraction.probing import Probe
        from evidence_assets.extraction.search import SearchSettings

        key, model, seed = step.key.name, harvests_model(step, harvested.corpus), _seed(step)
        prompts = step.inputs.read(RELATION_PROMPTS, {"relation": key}).to_pylist()
        known, tested = readiness(model, seed)
        ready = known >= harvested.least_readiness * tested and tested > 0
        yield Metadata({"seeds_known": known, "seeds_asked": tested, "ready": ready})
        if not ready:
            step.log.warning(
                f"{key}: {model.model_id} knows {known} of {tested} ends of its seeds: nothing is "
                "harvested; remedy: train on text that says it, or name a larger model"
            )
        for search in searches_of(harvested.arms):
            probe = Probe(model, *prompts_for(search, prompts, harvested.prompts))
            settings = SearchSettings(**_settings(harvested, search))
            pairs = find_candidates(probe, settings, partial(_log, step, search.name)) if ready else EMPTY
            place = {"search": search.name, "relation": key}
            yield Rows(CANDIDATE_PAIRS, candidate_rows(search.name, key, model.model_id, pairs), place)
            yield Rows(PROMPT_CAPTURES, capture_rows(search.name, key, pairs), place)
            yield Metadata({f"passes_{search.name}": probe.passes})

    description = (
        "Pairs of entities that the model fills the prompts with, search by search. A relation of which the "
        "model knows too few seeds yields none."
    )
    captures = "Pairs that each prompt finds when it is searched alone, search by search."
    return _model_stage(
        Output(CANDIDATE_PAIRS, description),
        RELATION_SEEDS,
        RELATION_PROMPTS,
        also=(Output(PROMPT_CAPTURES, captures),),
        run=run,
        models=frozenset({Model.MASKED_LM}),
        version=_version(harvested),
    )


def _harvested_triples(harvested: HarvestSource) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        import pyarrow as pa

        from evidence_assets.extraction.domain_model.corpus_model import harvests_model
        from evidence_assets.extraction.harvesting import Scoring, candidates_of, harvest
        from evidence_assets.extraction.probing import Probe
        from evidence_assets.extraction.reporting import harvest_report

        key, model, seed = step.key.name, harvests_model(step, harvested.corpus), _seed(step)
        prompts = step.inputs.read(RELATION_PROMPTS, {"relation": key}).to_pylist()
        scoring = Scoring(model, step.encoder, seed)
        parts = []
        for name in harvested.arms:
            [search] = searches_of([name])
            place = {"search": search.name, "relation": key}
            captured = step.inputs.read(PROMPT_CAPTURES, place)
            candidates = candidates_of(step.inputs.read(CANDIDATE_PAIRS, place), captured)
            probe = Probe(model, *prompts_for(search, prompts, harvested.prompts))
            rows = harvest(
                scoring, probe, ARMS[name], seed, candidates, search.bidirectional, harvested.triples
            )
            yield Rows(HARVESTED_TRIPLES, rows, {"kg": name, "relation": key})
            parts.append(rows)
            step.log.info(f"{key}, {name}: {rows.num_rows:,} triples of {len(candidates.pairs):,} candidates")
        yield Metadata(harvest_report(pa.concat_tables(parts)))

    description = (
        "Triples mined from the model, arm by arm: ranked by likeness to the seeds and fluency, with a "
        "calibrated confidence and the prompts that found each. They are rows of `triples` too."
    )
    return _model_stage(
        # Who reads the triples reads the seed file's template too, and who scores them what prompts captured.
        Output(HARVESTED_TRIPLES, description, carries=(RELATION_SEEDS, PROMPT_CAPTURES)),
        RELATION_SEEDS,
        RELATION_PROMPTS,
        CANDIDATE_PAIRS,
        PROMPT_CAPTURES,
        run=run,
        models=frozenset({Model.ENCODER, Model.MASKED_LM}),
        version=_version(harvested),
    )


def _settings(harvested: HarvestSource, search: Search) -> dict[str, Any]:
    """Return a search's `SearchSettings`. One list for all shapes holds as many as triples are wanted."""
    settings = _limits(harvested) | {
        "one_list": search.one_list,
        "bidirectional": search.bidirectional,
        "most_of_word": search.most_of_word,
    }
    return settings | {"list_size": harvested.triples} if search.one_list else settings


def _limits(harvested: HarvestSource) -> dict[str, Any]:
    return harvested.model_dump(include={"list_size", "most_first", "most_phrases", "branch"})


def _log(step: Step, search: str, shape: str, followed: int) -> None:
    if followed % 640 == 0:
        step.log.info(f"{step.key.name}, {search}: {followed:,} first entities followed, shape {shape}")


def _seed(step: Step) -> RelationSeed:
    from evidence_assets.extraction.seeds import seed_of_row

    [row] = step.inputs.read(RELATION_SEEDS, {"relation": step.key.name}).to_pylist()
    return seed_of_row(row)

"""Assets of the harvest: seeds, prompts, candidate pairs, triples, and how good they are."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.extraction.arms import ARMS, BASELINE, prompts_for, searches_of
from evidence_assets.extraction.domain_model.assets import domain_model, named_model
from evidence_assets.extraction.domain_model.making import open_made
from evidence_assets.extraction.harvesting import (
    NOTHING,
    Scoring,
    candidate_rows,
    candidates_of,
    find_candidates,
    harvest,
    prompt_rows,
    readiness,
    triple_rows,
)
from evidence_assets.extraction.judgements import Labels, read_judgements
from evidence_assets.extraction.judging import judge_triples, labels_of
from evidence_assets.extraction.probing import Probe
from evidence_assets.extraction.prompts import Connecting, Rewriting, SentenceMaker
from evidence_assets.extraction.reporting import harvest_report, prompt_report
from evidence_assets.extraction.scores import score_rows
from evidence_assets.extraction.search import SearchSettings
from evidence_assets.extraction.seeds import (
    RelationSeed,
    SeedError,
    read_seed,
    seed_files,
    seed_of_row,
    seed_row,
)
from evidence_assets.graphs.harvest_manifest import manifest_rows, retire
from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    CANDIDATE_PAIRS,
    DOMAIN_MASKED_LM,
    HARVEST_SCORES,
    HARVESTED_TRIPLES,
    HARVESTS,
    RELATION_PROMPTS,
    RELATION_SEEDS,
    TRIPLE_JUDGEMENTS,
    TRIPLES,
)
from evidence_assets.models.masked_lm import TransformersMaskedLanguageModel
from evidence_assets.orchestration.asset_defaults import GPU_POOL, OWNERS, SINGLE_RUN, logged
from evidence_assets.orchestration.conditions import when_inputs_change
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.model_resources import (
    EncoderResource,
    GeneratorResource,
    MaskedLanguageModelResource,
)
from evidence_assets.orchestration.partitions import RELATIONS, ProjectPartitions, seeds_folder
from evidence_assets.sources.files import fingerprint
from evidence_assets.sources.specifications import HarvestSource, locate

Results = Iterator[dg.MaterializeResult[Any]]


def knowledge_assets(project: ProjectPartitions) -> tuple[list[Any], list[dg.AssetsDefinition]]:
    """Return what the harvest observes, and its assets; none where the configuration names no harvest."""
    harvested = project.sources.harvest
    if harvested is None:
        return [], []
    made = [
        domain_model(project, harvested),
        _relation_seeds(project, harvested),
        _relation_prompts(harvested),
        _candidate_pairs(harvested),
        _harvested_triples(harvested),
        _harvests(project, harvested),
        *([_triple_judgements(project, harvested)] if harvested.judges else []),
        _harvest_scores(project, harvested),
    ]
    return [_seed_files(), named_model()], made


def _seed_files() -> dg.AssetSpec:
    return dg.AssetSpec(
        "seed_files",
        partitions_def=RELATIONS,
        group_name="knowledge",
        owners=OWNERS,
        tags={"layer": "source"},
        description="The seed files, one a relation. A sensor notes each one's content hash; a changed file "
        "re-extracts its relation and what depends on it.",
    )


def _of_a_relation() -> dict[str, Any]:
    """Return what the assets of a relation share. A run a relation: a broken seed file fails alone."""
    return {
        "partitions_def": RELATIONS,
        "group_name": "knowledge",
        "owners": OWNERS,
        "kinds": {"python", "parquet"},
        "automation_condition": when_inputs_change(spare=_spare_models()),
    }


def _spare_models() -> list[str]:
    """Return which of the two models may be missing: the corpus's own is not made where one is named."""
    named = MaskedLanguageModelResource().named()
    return ["named_masked_lm", *(["domain_masked_lm"] if named else [])]


def _models(harvested: HarvestSource) -> list[Any]:
    """Return what the model that is harvested comes from: the corpus's own, or the one that is named."""
    mapping = dg.SpecificPartitionsPartitionMapping([harvested.corpus])
    return [dg.AssetDep("domain_masked_lm", partition_mapping=mapping), dg.AssetDep("named_masked_lm")]


def _version(harvested: HarvestSource) -> str:
    """Return a code version that changes with the settings: another limit is another harvest."""
    limits = [f"{name}={value}" for name, value in sorted(_limits(harvested).items())]
    named = {"prompts": harvested.prompts, "triples": harvested.triples, "ready": harvested.least_readiness}
    return f"1-{combined_hash([*limits, *map(str, named.values()), *harvested.arms])[:8]}"


def _relation_seeds(project: ProjectPartitions, harvested: HarvestSource) -> dg.AssetsDefinition:
    @dg.asset(
        **_of_a_relation(),
        deps=["seed_files"],
        tags={"layer": "source"},
        code_version="1",
        description="What a seed file says, checked: one prompt, a few pairs, how a triple is read out.",
    )
    def relation_seeds(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            folder = seeds_folder(project, harvested)
            with writing.partition(key) as step:
                path = seed_files(folder).get(key)
                if path is None:
                    raise SeedError(
                        f"{folder}: no seed file {key}.yaml; remedy: write it, or delete the partition"
                    )
                seed = read_seed(path)
                writing.lake.note_source(f"{harvested.seeds}/{path.name}", seed.content_hash)
                step.write(RELATION_SEEDS, {"relation": key}, seed_row(seed))
        yield from writing.results()

    made: dg.AssetsDefinition = relation_seeds
    return made


def _relation_prompts(harvested: HarvestSource) -> dg.AssetsDefinition:
    @dg.asset(
        **_of_a_relation(),
        deps=["relation_seeds", *_models(harvested)],
        pool=GPU_POOL,
        tags={"layer": "knowledge"},
        code_version="1",
        description="Paraphrases of each relation's prompt, scored by meaning, wording and certainty, and "
        "weighted.",
    )
    def relation_prompts(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        masked_lm: MaskedLanguageModelResource,
    ) -> Results:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        for key in context.partition_keys:
            with writing.partition(key) as step:
                model = _model(writing.lake, lake, masked_lm, harvested)
                seed = _seed(writing.lake, key)
                rows = prompt_rows(model, cached, encoder.load(), _maker(model, masked_lm), seed)
                step.write(RELATION_PROMPTS, {"relation": key}, rows)
                step.show(prompt_report(rows))
        yield from writing.results()

    made: dg.AssetsDefinition = relation_prompts
    return made


def _candidate_pairs(harvested: HarvestSource) -> dg.AssetsDefinition:
    @dg.asset(
        **_of_a_relation(),
        deps=["relation_seeds", "relation_prompts", *_models(harvested)],
        pool=GPU_POOL,
        tags={"layer": "knowledge"},
        code_version=_version(harvested),
        description="Pairs of entities that the model fills the prompts with, search by search. A relation "
        "of which the model knows too few seeds yields none.",
    )
    def candidate_pairs(
        context: dg.AssetExecutionContext, lake: LakeResource, masked_lm: MaskedLanguageModelResource
    ) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                model = _model(writing.lake, lake, masked_lm, harvested)
                seed = _seed(writing.lake, key)
                prompts = writing.lake.read(RELATION_PROMPTS, {"relation": key}).to_pylist()
                known, asked = readiness(model, seed)
                ready = known >= harvested.least_readiness * asked and asked > 0
                step.show(
                    {"seeds_known": known, "seeds_asked": asked, "ready": ready}, asset=CANDIDATE_PAIRS.name
                )
                if not ready:
                    context.log.warning(
                        f"{key}: {model.model_id} knows {known} of {asked} ends of its seeds: nothing is "
                        "harvested; remedy: train on text that says it, or name a larger model"
                    )
                parts = []
                for how in searches_of(harvested.arms):
                    probe = Probe(model, *prompts_for(how, prompts, harvested.prompts))
                    settings = _settings(harvested, how.one_list, how.bidirectional)
                    progress = partial(_tell, context, key, how.name)
                    found = find_candidates(probe, settings, progress) if ready else NOTHING
                    parts.append(
                        (
                            {"search": how.name, "relation": key},
                            candidate_rows(how.name, key, model.model_id, found),
                        )
                    )
                    step.show({f"passes_{how.name}": probe.passes}, asset=CANDIDATE_PAIRS.name)
                step.write_each(CANDIDATE_PAIRS, parts)
        yield from writing.results()

    made: dg.AssetsDefinition = candidate_pairs
    return made


def _harvested_triples(harvested: HarvestSource) -> dg.AssetsDefinition:
    @dg.asset(
        **_of_a_relation(),
        deps=["relation_seeds", "relation_prompts", "candidate_pairs", *_models(harvested)],
        pool=GPU_POOL,
        tags={"layer": "knowledge"},
        code_version=_version(harvested),
        description="Triples mined from the model, arm by arm: ranked by likeness to the seeds and fluency, "
        "with a calibrated confidence and the prompts that found each. They are rows of `triples` too.",
    )
    def harvested_triples(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        masked_lm: MaskedLanguageModelResource,
    ) -> Results:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        for key in context.partition_keys:
            with writing.partition(key) as step:
                model = _model(writing.lake, lake, masked_lm, harvested)
                seed = _seed(writing.lake, key)
                prompts = writing.lake.read(RELATION_PROMPTS, {"relation": key}).to_pylist()
                scoring = Scoring(model, cached, seed)
                parts = []
                for name in harvested.arms:
                    arm = ARMS[name]
                    [how] = searches_of([name])
                    place = {"search": how.name, "relation": key}
                    found = candidates_of(writing.lake.read(CANDIDATE_PAIRS, place))
                    probe = Probe(model, *prompts_for(how, prompts, harvested.prompts))
                    rows = harvest(scoring, probe, arm, seed, found, how.bidirectional, harvested.triples)
                    parts.append(({"kg": name, "relation": key}, rows))
                    context.log.info(
                        f"{key}, {name}: {rows.num_rows:,} triples of {len(found.pairs):,} candidates"
                    )
                step.write_each(HARVESTED_TRIPLES, parts)
                for place, rows in parts:
                    step.write_beside(TRIPLES, place, triple_rows(rows))
                # Who reads the triples reads the seed file's template too.
                step.carry([writing.lake.version(RELATION_SEEDS, {"relation": key})])
                step.show(harvest_report(pa.concat_tables([rows for _, rows in parts])))
        yield from writing.results()

    made: dg.AssetsDefinition = harvested_triples
    return made


def _of_a_harvest(project: ProjectPartitions, layer: str) -> dict[str, Any]:
    """Return what the assets of a harvested graph share."""
    return {
        "partitions_def": project.harvests,
        "group_name": "knowledge",
        "owners": OWNERS,
        "kinds": {"python", "parquet"},
        "tags": {"layer": layer},
        "backfill_policy": SINGLE_RUN,
        "code_version": "1",
    }


def _harvests(project: ProjectPartitions, harvested: HarvestSource) -> dg.AssetsDefinition:
    @dg.asset(
        **_of_a_harvest(project, "knowledge"),
        deps=[dg.AssetDep("harvested_triples", partition_mapping=dg.AllPartitionMapping())],
        # A relation that was never harvested, or whose file is broken, holds the others up for nothing.
        automation_condition=when_inputs_change(partial=True),
        description="What each harvested graph consists of now. A relation whose seed file is gone is "
        "retired here: its rows leave every table of the harvest, and what merges the graph follows.",
    )
    def harvests(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        current = set(seed_files(seeds_folder(project, harvested)))
        for key in context.partition_keys:
            with writing.partition(key) as step:
                gone = retire(writing.lake, key, current)
                for relation in gone:
                    _note_retired(context, relation)
                step.write(HARVESTS, {"kg": key}, manifest_rows(writing.lake, key))
                step.show({"retired": ", ".join(gone) or "none"})
        yield from writing.results()

    made: dg.AssetsDefinition = harvests
    return made


def _triple_judgements(project: ProjectPartitions, harvested: HarvestSource) -> dg.AssetsDefinition:
    @dg.asset(
        **_of_a_harvest(project, "evaluation"),
        deps=["harvests"],
        automation_condition=when_inputs_change(),
        description="What language models say of each harvested graph's first triples: "
        + ", ".join(harvested.judges)
        + ".",
    )
    def triple_judgements(
        context: dg.AssetExecutionContext, lake: LakeResource, generator: GeneratorResource
    ) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                parts = []
                for name in harvested.judges:
                    judge = generator.recorded(name, project.generators, step, prefix=f"{name}_")
                    told = logged(context, f"{key}, {name}", "judgements")
                    parts.append(judge_triples(writing.lake, key, judge, harvested.judged, told))
                step.write(TRIPLE_JUDGEMENTS, {"kg": key}, pa.concat_tables(parts))
        yield from writing.results()

    made: dg.AssetsDefinition = triple_judgements
    return made


def _harvest_scores(project: ProjectPartitions, harvested: HarvestSource) -> dg.AssetsDefinition:
    reference = harvested.reference
    compared: list[Any] = ["harvests", *(["triple_judgements"] if harvested.judges else [])]
    if reference is not None:
        mapping = dg.SpecificPartitionsPartitionMapping([reference])
        compared.append(dg.AssetDep("triples", partition_mapping=mapping))

    @dg.asset(
        **_of_a_harvest(project, "knowledge"),
        deps=compared,
        pool=GPU_POOL,
        automation_condition=when_inputs_change(),
        description="Facts, diversity, novelty, likeness to the reference graph, coverage and calibration of "
        "each harvested graph, relation by relation and in all.",
    )
    def harvest_scores(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Results:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        for key in context.partition_keys:
            with writing.partition(key) as step:
                judges: dict[str, Labels] = {}
                if harvested.judges:
                    judges = labels_of(writing.lake.read(TRIPLE_JUDGEMENTS, {"kg": key}).to_pylist())
                if harvested.judgements:
                    folder = locate(harvested.judgements, project.location.parent)
                    judges |= read_judgements(Path(folder))
                    writing.lake.note_source(harvested.judgements, fingerprint(folder))
                rows = score_rows(writing.lake, key, reference, BASELINE, cached, judges)
                step.write(HARVEST_SCORES, {"kg": key}, rows)
        yield from writing.results()

    made: dg.AssetsDefinition = harvest_scores
    return made


def _note_retired(context: dg.AssetExecutionContext, relation: str) -> None:
    """Tell Dagster that nothing is left of a relation: else what comes back as it was is no change to it."""
    for table in (RELATION_SEEDS, RELATION_PROMPTS, CANDIDATE_PAIRS, HARVESTED_TRIPLES):
        context.log_event(
            dg.AssetMaterialization(
                table.name,
                partition=relation,
                description="retired: its seed file is gone",
                tags={"dagster/data_version": "retired"},
            )
        )


def _limits(harvested: HarvestSource) -> dict[str, Any]:
    return {
        "list_size": harvested.list_size,
        "most_first": harvested.most_first,
        "most_phrases": harvested.most_phrases,
        "branch": harvested.branch,
    }


def _settings(harvested: HarvestSource, one_list: bool, bidirectional: bool) -> SearchSettings:
    return replace(SearchSettings(**_limits(harvested)), one_list=one_list, bidirectional=bidirectional)


def _tell(context: dg.AssetExecutionContext, key: str, how: str, shape: str, followed: int) -> None:
    if followed % 640 == 0:
        context.log.info(f"{key}, {how}: {followed:,} first entities followed, shape {shape}")


def _seed(lake: Lake, relation: str) -> RelationSeed:
    [row] = lake.read(RELATION_SEEDS, {"relation": relation}).to_pylist()
    return seed_of_row(row)


def _maker(model: TransformersMaskedLanguageModel, masked_lm: MaskedLanguageModelResource) -> SentenceMaker:
    rewriter = masked_lm.load_sentence_maker()
    return Connecting(model) if rewriter is None else Rewriting(rewriter)


def _model(
    lake: Lake, resource: LakeResource, masked_lm: MaskedLanguageModelResource, harvested: HarvestSource
) -> TransformersMaskedLanguageModel:
    """Return the model that the profile names, else the corpus's own."""
    if masked_lm.named():
        model = masked_lm.load()
        lake.note_source(masked_lm.named(), model.model_id)
        return model
    [row] = lake.read(DOMAIN_MASKED_LM, {"corpus": harvested.corpus}).to_pylist()
    return open_made(harvested.corpus, row["folder"], resource.cache_folder(), masked_lm.device or None)

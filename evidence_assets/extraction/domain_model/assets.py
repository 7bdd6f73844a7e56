"""Assets of a corpus's own masked language model, and of the one that the profile names."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg

from evidence_assets.extraction.domain_model.making import (
    make,
    model_row,
    open_made,
    recall_of,
    sentences_of,
    told_seeds,
)
from evidence_assets.extraction.seeds import RelationSeed, SeedError, read_seed, seed_files
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import curves
from evidence_assets.lake.schemas import ARTICLES, DOMAIN_MASKED_LM
from evidence_assets.models.masked_lm_training import Recipe
from evidence_assets.orchestration.asset_defaults import GPU_POOL, OWNERS, SINGLE_RUN, logged
from evidence_assets.orchestration.checks import partitions_of_run
from evidence_assets.orchestration.conditions import when_inputs_change
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.model_resources import EncoderResource, MaskedLanguageModelResource
from evidence_assets.orchestration.partitions import ProjectPartitions, seeds_folder
from evidence_assets.sources.specifications import HarvestSource, Training

Results = Iterator[dg.MaterializeResult[Any]]


def named_model() -> Any:
    """Return the model that the profile names, observed."""

    @dg.observable_source_asset(
        name="named_masked_lm",
        group_name="knowledge",
        tags={"layer": "source"},
        description="The masked language model that the profile names, if it names one. Observing it notes "
        "its revision; a new one re-extracts every relation.",
    )
    def observe(masked_lm: MaskedLanguageModelResource) -> dg.DataVersion:
        return dg.DataVersion(masked_lm.fingerprint())

    return observe


def domain_model(project: ProjectPartitions, harvested: HarvestSource) -> dg.AssetsDefinition:
    """Return the asset of the corpora's own models."""
    recipe = _recipe(harvested.training)

    @dg.asset(
        name="domain_masked_lm",
        partitions_def=project.corpora,
        deps=[dg.AssetDep("articles", partition_mapping=project.shards_to_corpora)],
        group_name="knowledge",
        owners=OWNERS,
        kinds={"pytorch", "parquet"},
        tags={"layer": "model"},
        code_version=f"2-{text_hash(repr(recipe))[:8]}",
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
        # Made when asked for, and again when its text changes: it costs minutes.
        automation_condition=when_inputs_change(asked_for=True),
        description="A masked language model made from a corpus: an encoder's body with a fresh output "
        "layer. Kept by content: the same text and recipe are trained once.",
    )
    def domain_masked_lm(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                sentences = _sentences(writing.lake, project, key)
                body = None if harvested.training.from_scratch else encoder.body()
                body_id = encoder.load().encoder_id if body else ""
                folder, evaluations = make(
                    sentences, lake.cache_folder(), recipe, body, body_id, logged(context, key, "steps")
                )
                model = open_made(key, folder, lake.cache_folder())
                row = model_row(key, model, folder, recipe, body_id, sum(map(len, sentences)), evaluations)
                step.write(DOMAIN_MASKED_LM, {"corpus": key}, row)
                shown = {
                    "loss": [one.loss for one in evaluations],
                    "accuracy": [one.accuracy for one in evaluations],
                    "perplexity": [one.perplexity for one in evaluations],
                }
                step.show({"model": model.model_id, "words": len(model.words)})
                step.show(
                    {
                        "training": curves(
                            [one.step for one in evaluations], shown, f"{key}: training", "steps"
                        )
                    }
                )
        yield from writing.results()

    return domain_masked_lm


def _recipe(training: Training) -> Recipe:
    return Recipe(
        steps=training.steps,
        vocabulary=training.vocabulary,
        layers=training.layers,
        body_rate=training.body_rate,
    )


def _sentences(lake: Lake, project: ProjectPartitions, corpus: str) -> list[list[str]]:
    """Return a corpus's sentences, source by source."""
    found: dict[str, list[str]] = {}
    for shard in project.shards_of(corpus):
        texts = lake.read(ARTICLES, {"corpus": corpus, "shard": shard.key}, ["text"]).column("text")
        found.setdefault(shard.source.name, []).extend(sentences_of(texts.to_pylist()))
    return list(found.values())


def readiness_check(project: ProjectPartitions, harvested: HarvestSource) -> dg.AssetChecksDefinition:
    """Return the check that a corpus's model knows the seeds that the corpus tells.

    Loss says nothing of it: it is low long before anything is known, and then most comes at once.
    """

    @dg.asset_check(
        asset="domain_masked_lm",
        name="knows_what_the_corpus_tells",
        blocking=True,
        description="Of the seeds that some sentence of the corpus holds, the model knows enough: each end, "
        "given the other, is among its ten likeliest words.",
    )
    def knows(context: dg.AssetCheckExecutionContext, lake: LakeResource) -> dg.AssetCheckResult:
        opened = lake.open()
        shares: dict[str, float] = {}
        lines: list[str] = []
        for key in filter(None, partitions_of_run(context)):
            [row] = opened.read(DOMAIN_MASKED_LM, {"corpus": key}).to_pylist()
            model = open_made(key, row["folder"], lake.cache_folder())
            told = told_seeds(_readable(seeds_folder(project, harvested)), _sentences(opened, project, key))
            recall = recall_of(model, told)
            lines += [f"- {key}, {name}: {known} of {asked}" for name, (known, asked) in recall.items()]
            asked = sum(asked for _, asked in recall.values())
            if asked:
                shares[key] = sum(known for known, _ in recall.values()) / asked
        least = harvested.least_readiness
        return dg.AssetCheckResult(
            passed=all(share >= least for share in shares.values()),
            metadata={
                "least": least,
                "recall": dg.MetadataValue.md("\n".join(lines) or "no seed stands in the text"),
                **{f"recall_{key}": share for key, share in shares.items()},
            },
        )

    return knows


def _readable(folder: Path) -> list[RelationSeed]:
    """Return the relations whose files can be read: a broken one fails where it is extracted."""
    found = []
    for path in seed_files(folder).values():
        try:
            found.append(read_seed(path))
        except SeedError:
            continue
    return found

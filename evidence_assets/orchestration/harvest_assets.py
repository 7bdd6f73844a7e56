"""What is Dagster's own of a harvest: its observed inputs, and the check of the model that is harvested."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg

from evidence_assets.extraction.domain_model.stages import corpus_sentences
from evidence_assets.lake.schemas import DOMAIN_MASKED_LM
from evidence_assets.models.provider import MaskedLanguageModelSettings
from evidence_assets.orchestration.assets import OWNERS, partitions_of_run
from evidence_assets.orchestration.failures import outages_told
from evidence_assets.orchestration.partitions import RELATIONS
from evidence_assets.orchestration.resources import settings_of
from evidence_assets.sources.project import Project

if TYPE_CHECKING:
    from evidence_assets.extraction.seeds import RelationSeed
    from evidence_assets.lake.lake import Lake


READINESS = "knows_what_the_corpus_tells"


def seed_files_spec() -> dg.AssetSpec:
    """Return the seed files, one a relation, noted by a sensor."""
    return dg.AssetSpec(
        "seed_files",
        partitions_def=RELATIONS,
        group_name="knowledge",
        owners=OWNERS,
        tags={"layer": "source"},
        description="The seed files, one a relation. A sensor notes each one's content hash; a changed file "
        "re-extracts its relation and what depends on it.",
    )


def named_model() -> Any:
    """Return the model that the profile names, observed."""

    @dg.observable_source_asset(
        name="named_masked_lm",
        group_name="knowledge",
        tags={"layer": "source"},
        required_resource_keys={"masked_lm"},
        description="The masked language model that the profile names, if it names one. Observing it notes "
        "its revision; a new one re-extracts every relation.",
    )
    def observe(context: dg.OpExecutionContext) -> dg.DataVersion:
        settings = settings_of(context.resources.masked_lm, MaskedLanguageModelSettings)
        return dg.DataVersion(model_version(settings))

    return observe


def model_version(settings: MaskedLanguageModelSettings) -> str:
    """Return what changes when the named model does: the hub's commit, or a hash of a folder's files.

    Raises:
        OSError: the hub cannot be asked.
    """
    from evidence_assets.sources.files import fingerprint

    location = settings.named()
    if not location:
        return "made from the corpus"
    if Path(location).is_dir():
        return fingerprint(location)
    from huggingface_hub import HfApi

    return str(HfApi().model_info(location, revision=settings.revision or None).sha)


def readiness_check(project: Project) -> dg.AssetChecksDefinition:
    """Return the check that a corpus's model knows the seeds that the corpus tells.

    Loss says nothing of it: it is low long before anything is known, and then most comes at once.
    """

    @dg.asset_check(
        asset=DOMAIN_MASKED_LM.name,
        name=READINESS,
        blocking=True,
        required_resource_keys={"lake"},
        description="Of the seeds that some sentence of the corpus holds, the model knows enough: each end, "
        "given the other, is among its ten likeliest words.",
    )
    def knows(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        resource = context.resources.lake
        keys = list(filter(None, partitions_of_run(context)))
        with outages_told(resource.uri):
            shares, lines = readiness(project, resource.open(), resource.cache_folder(), keys)
        harvested = project.harvest
        least = 0.0 if harvested is None else harvested.least_readiness
        return dg.AssetCheckResult(
            passed=all(share >= least for share in shares.values()),
            metadata={
                "least": least,
                "recall": dg.MetadataValue.md("\n".join(lines) or "no seed stands in the text"),
                **{f"recall_{key}": share for key, share in shares.items()},
            },
        )

    return knows


def readiness(
    project: Project, lake: "Lake", cache: Path, corpora: Sequence[str]
) -> tuple[dict[str, float], list[str]]:
    """Return how much of what a corpus tells its model knows: shares by corpus, and Markdown lines."""
    from evidence_assets.extraction.domain_model.corpus_model import attested_seeds, open_model, recall_of

    folder = project.seeds_folder
    seeds = [] if folder is None else _readable(folder)
    shares: dict[str, float] = {}
    lines: list[str] = []
    for key in corpora:
        [row] = lake.read(DOMAIN_MASKED_LM, {"corpus": key}).to_pylist()
        model = open_model(key, row["folder"], cache)
        recall = recall_of(model, attested_seeds(seeds, corpus_sentences(lake, project, key)))
        lines += [f"- {key}, {name}: {known} of {attested}" for name, (known, attested) in recall.items()]
        seeds_attested = sum(attested for _, attested in recall.values())
        if seeds_attested:
            shares[key] = sum(known for known, _ in recall.values()) / seeds_attested
    return shares, lines


def _readable(folder: Path) -> list["RelationSeed"]:
    """Return the relations whose files can be read: a broken one fails where it is extracted."""
    from evidence_assets.extraction.seeds import SeedError, read_seed, seed_files

    seeds = []
    for path in seed_files(folder).values():
        try:
            seeds.append(read_seed(path))
        except SeedError:
            continue
    return seeds

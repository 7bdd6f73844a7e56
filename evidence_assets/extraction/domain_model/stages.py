"""The stage of a corpus's masked language model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import ARTICLES, DOMAIN_MASKED_LM
from evidence_assets.models.masked_lm_recipe import Recipe
from evidence_assets.sources.project import Project
from evidence_assets.sources.specifications import HarvestSource
from evidence_assets.stages.declaration import Input, Model, Output, Rows, Scope, Stage

if TYPE_CHECKING:
    from evidence_assets.lake.lake import TableReader
    from evidence_assets.stages.step import Step


def domain_model_stage(project: Project, harvested: HarvestSource) -> Stage:
    """Return the stage of the corpora's own models."""
    training = harvested.training
    recipe = Recipe(
        steps=training.steps,
        batch=training.batch,
        vocabulary=training.vocabulary,
        layers=training.layers,
        body_rate=training.body_rate,
        evaluations=training.evaluations,
    )

    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.extraction.domain_model.corpus_model import (
            model_row,
            open_model,
            take_prepared,
            train_cached,
        )
        from evidence_assets.lake.previews import curves
        from evidence_assets.models.masked_lm_training import recipe_hash

        key, encoder, cache = step.key.name, step.models.encoder_settings, step.models.cache
        sentences = corpus_sentences(step.inputs, project, key)
        body = None if training.from_scratch else encoder.body()
        body_id = encoder.load().encoder_id if body else ""
        if training.prepared:
            prepared, name = Path(project.locate(training.prepared)), recipe_hash(recipe, sentences, body_id)
            if not take_prepared(prepared, cache, name):
                step.log.warning(
                    f"{key}: {prepared} holds no model of this text and recipe ({name}); one is trained, in "
                    f"{training.steps:,} steps"
                )
        progress = step.progress("steps")
        folder, evaluations = train_cached(sentences, cache, recipe, body, body_id, progress)
        model = open_model(key, folder, cache)
        row = model_row(key, model, folder, recipe, body_id, sum(map(len, sentences)), evaluations)
        shown = {
            measure: [getattr(evaluation, measure) for evaluation in evaluations]
            for measure in ("loss", "accuracy", "perplexity")
        }
        steps = [evaluation.step for evaluation in evaluations]
        metadata = {
            "model": model.model_id,
            "words": len(model.words),
            "training": curves(steps, shown, f"{key}: training", "steps"),
        }
        yield Rows(DOMAIN_MASKED_LM, row, metadata=metadata)

    description = (
        "A masked language model made from a corpus: an encoder's body with a fresh output layer. Kept by "
        "content: the same text and recipe are trained once."
    )
    return Stage(
        name=DOMAIN_MASKED_LM.name,
        scope=Scope.CORPUS,
        outputs=(Output(DOMAIN_MASKED_LM, description),),
        inputs=(Input(ARTICLES),),
        run=run,
        group="knowledge",
        layer="model",
        version=f"2-{text_hash(repr(recipe))[:8]}",
        models=frozenset({Model.ENCODER}),
        kinds=("pytorch", "parquet"),
        # It costs minutes.
        on_demand=True,
        pooled=True,
        configuration=lambda _: "from scratch" if training.from_scratch else "",
    )


def corpus_sentences(lake: TableReader, project: Project, corpus: str) -> list[list[str]]:
    """Return a corpus's sentences, source by source."""
    from evidence_assets.extraction.domain_model.corpus_model import sentences_of

    sentences: dict[str, list[str]] = {}
    for shard in project.shards_of(corpus):
        texts = lake.read(ARTICLES, shard_place(shard), ["text"]).column("text").to_pylist()
        sentences.setdefault(shard.source.name, []).extend(sentences_of(texts))
    return list(sentences.values())

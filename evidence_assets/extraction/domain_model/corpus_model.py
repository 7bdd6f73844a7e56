"""The masked language model of a corpus: its sentences, its training and cache, and its recall of seeds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.extraction.harvesting import readiness
from evidence_assets.extraction.seeds import RelationSeed
from evidence_assets.lake.filesystem import local_output, safe_path_part
from evidence_assets.lake.schemas import DOMAIN_MASKED_LM
from evidence_assets.models.masked_lm import MaskedLanguageModel, load_masked_lm
from evidence_assets.models.masked_lm_recipe import Recipe
from evidence_assets.models.masked_lm_training import Evaluation, recipe_hash, train
from evidence_assets.progress import Progress
from evidence_assets.sources.prepared_folders import take_folder
from evidence_assets.text.roots import stem
from evidence_assets.text.sentences import sentence_spans
from evidence_assets.text.words import words

if TYPE_CHECKING:
    from evidence_assets.stages.step import Step

FOLDER = "masked_language_models"
# Written last: a folder without it is an interrupted training.
_FINISHED = "evaluations.json"
_SENTENCE_ENDS = (".", "!", "?", '."', '!"', '?"', ".)", "。")


class MissingModelError(LookupError):
    """A corpus's model is not in the cache: the message names the corpus and the remedy."""


def sentences_of(texts: Iterable[str]) -> list[str]:
    """Return the sentences of texts, in order, without those of one word; each ends as a sentence does.

    Prompts end in a full stop. If facts written without one were learnt so, prompts would be filled only from
    sources with full stops.
    """
    stripped = (text[start:end].strip() for text in texts for start, end in sentence_spans(text))
    return [text if text.endswith(_SENTENCE_ENDS) else f"{text}." for text in stripped if " " in text]


def train_cached(
    sentences: Sequence[Sequence[str]],
    cache: Path,
    recipe: Recipe,
    body: str | None,
    body_id: str,
    progress: Progress | None = None,
) -> tuple[str, list[Evaluation]]:
    """Return a model's folder name in the cache and its evaluations; train it if it is missing.

    `body`: the encoder's folder; None: from scratch. The name is a hash of recipe, text and body.

    Raises:
        UntrainableError: there is too little text, or the encoder's body cannot be used.
    """
    name = recipe_hash(recipe, sentences, body_id)
    folder = cache / FOLDER / name
    finished = folder / _FINISHED
    if finished.exists():
        evaluations = [Evaluation(**fields) for fields in json.loads(finished.read_text(encoding="utf-8"))]
        if progress:
            progress(recipe.steps, recipe.steps)
        return name, evaluations
    evaluations = train(sentences, folder, recipe, body, progress)
    with local_output(finished) as file:
        file.write(json.dumps([asdict(evaluation) for evaluation in evaluations]).encode())
    return name, evaluations


def take_prepared(prepared: Path, cache: Path, name: str) -> bool:
    """Copy a model into the cache, by its name, unless it is there; tell whether it is there now.

    `prepared`: a folder of models that were made elsewhere, by their names in a cache.

    Raises:
        UnusableSourceError: links lead from one of its files out of the places that may be read.
    """
    return take_folder(prepared / name, cache / FOLDER / name, _FINISHED)


def open_model(corpus: str, folder_name: str, cache: Path, device: str | None = None) -> MaskedLanguageModel:
    """Return the model of a corpus.

    Raises:
        MissingModelError: its folder is not in the cache.
    """
    folder = cache / FOLDER / safe_path_part(folder_name)
    if not (folder / _FINISHED).exists():
        raise MissingModelError(
            f"the masked language model of corpus {corpus} is not in {cache}; remedy: materialise "
            f"domain_masked_lm, partition {corpus}, or name a model (EVIDENCE_PROFILE, or the resource's "
            "field)"
        )
    return load_masked_lm(corpus, str(folder), None, device)


def harvests_model(step: Step, corpus: str) -> MaskedLanguageModel:
    """Return the model that a harvest asks: the one that the profile names, else that of its corpus.

    Raises:
        MissingModelError: the corpus's folder is not in the cache.
    """
    settings = step.masked_lm
    if settings.named():
        model = settings.load()
        step.inputs.note_source(settings.named(), model.model_id)
        return model
    [row] = step.inputs.read(DOMAIN_MASKED_LM, {"corpus": corpus}).to_pylist()
    return open_model(corpus, row["folder"], step.models.cache, settings.device or None)


def model_row(
    corpus: str,
    model: MaskedLanguageModel,
    folder: str,
    recipe: Recipe,
    body_id: str,
    sentences: int,
    evaluations: Sequence[Evaluation],
) -> pa.Table:
    """Return a corpus's `domain_masked_lm` row."""
    row = {
        "corpus": corpus,
        "model_id": model.model_id,
        "folder": folder,
        "recipe": json.dumps(asdict(recipe), sort_keys=True),
        "body": body_id,
        "sentences": sentences,
        "words": len(model.words),
        "accuracy": evaluations[-1].accuracy,
        "perplexity": evaluations[-1].perplexity,
        "curve": [asdict(evaluation) for evaluation in evaluations],
    }
    return pa.Table.from_pylist([row], schema=DOMAIN_MASKED_LM.schema)


def attested_seeds(seeds: Iterable[RelationSeed], sentences: Sequence[Sequence[str]]) -> list[RelationSeed]:
    """Return the relations with a seed of which some sentence has both ends, with those seeds alone."""
    ends = [(seed, [_stems(f"{head} {tail}") for head, tail in seed.pairs]) for seed in seeds]
    stems_of_seeds = frozenset[str]().union(*(stems for _, pairs in ends for stems in pairs))
    stems_of_sentences = {_stems(sentence) & stems_of_seeds for source in sentences for sentence in source}
    attested = []
    for seed, stems_of_pairs in ends:
        pairs = tuple(
            pair
            for pair, stems in zip(seed.pairs, stems_of_pairs, strict=True)
            if any(stems <= sentence_stems for sentence_stems in stems_of_sentences)
        )
        if pairs:
            attested.append(replace(seed, pairs=pairs))
    return attested


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


def recall_of(model: MaskedLanguageModel, seeds: Sequence[RelationSeed]) -> Mapping[str, tuple[int, int]]:
    """Return, relation by relation, how many seed ends the model knows, and how many were tested."""
    return {seed.name: readiness(model, seed) for seed in seeds}

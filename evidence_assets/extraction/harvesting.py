"""Harvesting a relation: its prompts, its candidate pairs, and the triples kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.extraction.arms import COMPATIBILITY, FINAL, LIKELIHOOD, Arm
from evidence_assets.extraction.as_printed.bertnet import compatibilities, contrast, search_one_heap
from evidence_assets.extraction.confidence import calibrated
from evidence_assets.extraction.filters import (
    SEED,
    allowed_words,
    flags_of,
    most_of_each,
    pair_stems,
    stem_numbers,
)
from evidence_assets.extraction.pair_scores import (
    final_scores,
    fluencies,
    perplexities,
    statistics_of,
    transport_distances,
)
from evidence_assets.extraction.probing import (
    Filling,
    Probe,
    entity_log_probabilities,
    filled,
    places_by_shape,
    word_indices,
)
from evidence_assets.extraction.prompt_scores import best_prompts, score_prompts
from evidence_assets.extraction.prompts import SentenceMaker, keywords_of, paraphrases
from evidence_assets.extraction.search import Progress, SearchSettings, search
from evidence_assets.extraction.seeds import RelationSeed
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import CANDIDATE_PAIRS, HARVESTED_TRIPLES, PROMPT_CAPTURES, RELATION_PROMPTS
from evidence_assets.models.encoder import Encoder, SentenceTransformerEncoder
from evidence_assets.models.masked_lm import MaskedLanguageModel

KNOWN_WITHIN = 10

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidates:
    """A search's candidates: entities as texts, with the log-probability and shape of each pair.

    `captures`: the prompts that find each pair when they are searched alone, of these pairs and of others.
    """

    pairs: list[tuple[str, str]]
    shapes: list[str]
    log_probabilities: FloatArray
    captures: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)


EMPTY = Candidates([], [], np.empty(0))


def readiness(model: MaskedLanguageModel, seed: RelationSeed) -> tuple[int, int]:
    """Return how many seed ends the model knows, given the other end, and how many can be tested.

    Known: among its ten likeliest words, in the initial prompt. An end is tested where it is one word.
    """
    numbers = word_indices(model)
    known = tested = 0
    for head, tail in seed.pairs:
        for hidden, given, hides_head in ((tail, head, False), (head, tail, True)):
            if hidden not in numbers:
                continue
            masked = model.mask_text
            text = filled(seed.prompt, masked, given) if hides_head else filled(seed.prompt, given, masked)
            tokens = model.tokens(text)
            likely = model.word_log_probabilities([tokens], [tokens.index(model.mask_id)])[0]
            tested += 1
            known += int((likely > likely[numbers[hidden]]).sum() < KNOWN_WITHIN)
    return known, tested


def prompt_rows(
    model: MaskedLanguageModel,
    encoder: Encoder,
    extractor: SentenceTransformerEncoder,
    maker: SentenceMaker,
    seed: RelationSeed,
) -> pa.Table:
    """Return a relation's `relation_prompts`. `extractor` finds the keywords."""
    keywords = keywords_of(seed.prompt, seed.pairs, extractor)
    rewordings = paraphrases(model, encoder, maker, seed.prompt, seed.pairs, keywords)
    initial, *scores = score_prompts(model, encoder, seed.prompt, [seed.prompt, *rewordings], seed.pairs)
    scored = best_prompts(initial, scores)
    rows = [
        {
            "relation": seed.name,
            "prompt": score.prompt,
            "rank": rank,
            "initial": score.prompt == seed.prompt,
            "weight": weight,
            "score": score.score,
            "similarity": score.similarity,
            "overlap": score.overlap,
            "certainty": score.certainty,
            "seed_log_probability": float(
                entity_log_probabilities(model, score.prompt, seed.pairs).min(axis=1).mean()
            ),
            "contrast": contrast(model, score.prompt, seed.pairs),
            "model_id": model.model_id,
            "made_by": maker.maker_id,
        }
        for rank, (score, weight) in enumerate(scored)
    ]
    return pa.Table.from_pylist(
        sorted(rows, key=lambda row: str(row["prompt"])), schema=RELATION_PROMPTS.schema
    )


def find_candidates(probe: Probe, settings: SearchSettings, progress: Progress | None = None) -> Candidates:
    """Return a search's candidates under a relation's prompts, and what each prompt finds alone.

    What is captured has to be looked for by each prompt independently: among the pairs of the common list,
    none could be found by one prompt that the others outvote.
    """
    allowed = allowed_words(probe.model.words, probe.prompts)
    if not len(allowed):
        return EMPTY
    candidates = _searched(probe, allowed, settings, progress)
    captures: dict[tuple[str, str], list[str]] = {}
    for prompt in sorted(probe.prompts):
        alone = candidates
        if len(probe.prompts) > 1:
            single = Probe(probe.model, [prompt], [1.0])
            alone = _searched(single, allowed, settings, progress)
            probe.passes += single.passes
        for pair in alone.pairs:
            captures.setdefault(pair, []).append(prompt)
    return replace(candidates, captures=captures)


def _searched(
    probe: Probe, allowed: NDArray[np.int64], settings: SearchSettings, progress: Progress | None
) -> Candidates:
    model = probe.model
    searcher = search_one_heap if settings.most_of_word else search
    results = searcher(probe, allowed, stem_numbers(model.words), settings, progress)

    def text(words: Sequence[int]) -> str:
        return " ".join(model.words[word] for word in words)

    return Candidates(
        [(text(head), text(tail)) for result in results.values() for head, tail in result.pairs],
        [str(shape) for shape, result in results.items() for _ in result.pairs],
        np.concatenate([result.scores for result in results.values()]).astype(np.float64),
    )


def candidate_rows(name: str, relation: str, model_id: str, candidates: Candidates) -> pa.Table:
    """Return `candidate_pairs` rows."""
    count = len(candidates.pairs)
    rows = pa.table(
        {
            "search": [name] * count,
            "relation": [relation] * count,
            "head": pa.array([head for head, _ in candidates.pairs], pa.string()),
            "tail": pa.array([tail for _, tail in candidates.pairs], pa.string()),
            "shape": pa.array(candidates.shapes, pa.string()),
            "log_probability": pa.array(candidates.log_probabilities, pa.float64()),
            "model_id": [model_id] * count,
        },
        schema=CANDIDATE_PAIRS.schema,
    )
    return rows.sort_by([("head", "ascending"), ("tail", "ascending")])


def capture_rows(name: str, relation: str, candidates: Candidates) -> pa.Table:
    """Return `prompt_captures` rows."""
    rows = [
        {"search": name, "relation": relation, "head": head, "tail": tail, "prompts": list(prompts)}
        for (head, tail), prompts in sorted(candidates.captures.items())
    ]
    return pa.Table.from_pylist(rows, schema=PROMPT_CAPTURES.schema)


def candidates_of(rows: pa.Table, captured: pa.Table) -> Candidates:
    """Return the candidates of `candidate_pairs` rows, and their captures of `prompt_captures` rows."""
    pairs = list(zip(rows.column("head").to_pylist(), rows.column("tail").to_pylist(), strict=True))
    return Candidates(
        pairs,
        rows.column("shape").to_pylist(),
        rows.column("log_probability").to_numpy().astype(np.float64),
        {(row["head"], row["tail"]): row["prompts"] for row in captured.to_pylist()},
    )


class Scoring:
    """Scores the candidates of a relation's searches; what several arms share is computed once."""

    def __init__(self, model: MaskedLanguageModel, encoder: Encoder, seed: RelationSeed) -> None:
        self._model, self._encoder, self._seed = model, encoder, seed
        self._perplexity: dict[str, float] = {}
        self._distances: dict[tuple[str, str, bool], FloatArray] = {}
        self._by_prompt: dict[tuple[str, bool], dict[tuple[str, str], FloatArray]] = {}

    def sentences(self, pairs: Iterable[tuple[str, str]]) -> list[str]:
        """Return the initial prompt filled with each pair."""
        return [filled(self._seed.prompt, *pair) for pair in pairs]

    def perplexities(self, sentences: Sequence[str]) -> FloatArray:
        """Return (n,) each sentence's perplexity."""
        new = [text for text in dict.fromkeys(sentences) if text not in self._perplexity]
        self._perplexity.update(zip(new, perplexities(self._model, new).tolist() if new else [], strict=True))
        return np.array([self._perplexity[text] for text in sentences])

    def by_prompt(
        self, probe: Probe, name: str, pairs: Sequence[tuple[str, str]], bidirectional: bool
    ) -> FloatArray:
        """Return (p, n) the log-probabilities of pairs under each prompt of a search."""
        known = self._by_prompt.setdefault((name, bidirectional), {})
        new = [pair for pair in pairs if pair not in known]
        if new:
            known.update(zip(new, log_probabilities_by_prompt(probe, new, bidirectional).T, strict=True))
        return np.array([known[pair] for pair in pairs]).T

    def scores(self, arm: Arm, probe: Probe, candidates: Candidates) -> dict[str, FloatArray]:
        """Return (n,) distance, perplexity, fluency and score of each candidate, as the arm has them.

        `probe`: the prompts of the arm's search.
        """
        sentences = self.sentences(candidates.pairs)
        statistics = statistics_of(sentences)
        key = (arm.search, arm.cost, arm.printed)
        if key not in self._distances:
            self._distances[key] = transport_distances(
                self._encoder.encode_words(sentences),
                self._encoder.encode_words(self.sentences(self._seed.pairs)),
                statistics,
                arm.cost,
                arm.printed,
            )
        distances = self._distances[key]
        perplexity = self.perplexities(sentences)
        fluency = fluencies(sentences, perplexity, statistics, arm.printed)
        ranked_by: dict[str, Callable[[], FloatArray]] = {
            FINAL: lambda: final_scores(distances, fluency, arm.printed),
            LIKELIHOOD: lambda: candidates.log_probabilities,
            COMPATIBILITY: lambda: compatibilities(probe, candidates.pairs),
        }
        return {
            "distance": distances.mean(axis=1),
            "perplexity": perplexity,
            "fluency": fluency,
            "score": ranked_by[arm.ranked_by](),
        }


def harvest(
    scoring: Scoring,
    probe: Probe,
    arm: Arm,
    seed: RelationSeed,
    candidates: Candidates,
    bidirectional: bool,
    wanted: int,
) -> pa.Table:
    """Return a relation's `harvested_triples` under one arm: at most `wanted`, by rank."""
    if not candidates.pairs:
        return HARVESTED_TRIPLES.schema.empty_table()
    scores = scoring.scores(arm, probe, candidates)
    heads, tails = np.array(candidates.pairs).T
    by_score = np.lexsort((tails, heads, -np.round(scores["score"], 6)))
    ranked = [candidates.pairs[place] for place in by_score]
    kept = by_score[:wanted]
    if arm.most_of_entity:
        kept = by_score[most_of_each(ranked, arm.most_of_head, arm.most_of_entity, wanted)]
    pairs = [candidates.pairs[place] for place in kept]
    flags = flags_of(pairs)
    seeds = set(map(pair_stems, seed.pairs))
    for pair, pair_flags in zip(pairs, flags, strict=True):
        if pair_stems(pair) in seeds:
            pair_flags.append(SEED)
    both_ways = scoring.by_prompt(probe, arm.search, pairs, True)
    under = both_ways if bidirectional else scoring.by_prompt(probe, arm.search, pairs, False)
    likely = candidates.log_probabilities[kept]
    rows = {
        "kg": [arm.name] * len(pairs),
        "relation": [seed.name] * len(pairs),
        "triple_id": [content_id("triple", arm.name, head, seed.name, tail) for head, tail in pairs],
        "head": [head for head, _ in pairs],
        "tail": [tail for _, tail in pairs],
        "rank": list(range(len(pairs))),
        "shape": [candidates.shapes[place] for place in kept],
        "score": scores["score"][kept],
        "confidence": calibrated(probe, seed.pairs, probe.weights @ both_ways),
        "log_probability": likely,
        "distance": scores["distance"][kept],
        "perplexity": scores["perplexity"][kept],
        "fluency": scores["fluency"][kept],
        "flags": flags,
        "prompts": [
            [
                {
                    "prompt": prompt,
                    "log_probability": value,
                    "found": prompt in candidates.captures.get(pair, ()),
                }
                for prompt, value in zip(probe.prompts, column, strict=True)
            ]
            for pair, column in zip(pairs, under.T.tolist(), strict=True)
        ],
        "model_id": [probe.model.model_id] * len(pairs),
    }
    return pa.table(rows, schema=HARVESTED_TRIPLES.schema).sort_by("triple_id")


def log_probabilities_by_prompt(
    probe: Probe, pairs: Sequence[tuple[str, str]], bidirectional: bool
) -> FloatArray:
    """Return (p, n) a search's score of each pair under each prompt alone."""
    numbers = word_indices(probe.model)
    candidates = np.empty((len(probe.prompts), len(pairs)))
    for shape, places in places_by_shape(pairs).items():
        entities = [
            [tuple(numbers[word] for word in side.split()) for side in pairs[place]] for place in places
        ]
        forward, backward = Filling(shape, True), Filling(shape, False)
        first = shape.head if bidirectional else 0
        orders = [forward.order(head, tail) for head, tail in entities]
        values = probe.chains(forward, orders, first).min(axis=2)
        if bidirectional:
            orders = [backward.order(head, tail) for head, tail in entities]
            values = np.minimum(values, probe.chains(backward, orders, shape.tail).min(axis=2))
        candidates[:, places] = values
    return candidates

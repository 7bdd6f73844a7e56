"""Tables of the graphs harvested from masked language models: seeds, models, prompts, pairs, quality."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    TEXT,
    Reference,
    Table,
    columns,
    optional,
    required,
    structs,
    texts,
)

_SCORE = pa.float64()

RELATION_SEEDS = Table(
    "relation_seeds",
    "What is given of each relation: one prompt and a few pairs.",
    columns(
        required("relation", TEXT),
        required("prompt", TEXT, "with <ENT0> for the head and <ENT1> for the tail"),
        required("template", TEXT, "how a triple is read out, with {head} and {tail}"),
        *texts("head_type", "tail_type"),
        required("pairs", structs(*texts("head", "tail"))),
        required("seed_hash", TEXT, "content hash of the seed file"),
    ),
    key=("relation",),
    partition_columns=("relation",),
)

DOMAIN_MASKED_LM = Table(
    "domain_masked_lm",
    "Masked language models made from a corpus.",
    columns(
        required("corpus", TEXT),
        required("model_id", TEXT, "name and content hash of weights and vocabulary"),
        required("folder", TEXT, "its folder's name under masked_language_models in the cache"),
        required("recipe", TEXT, "JSON"),
        required("body", TEXT, "the encoder whose body it began with; empty: from scratch"),
        required("sentences", pa.int64()),
        required("words", pa.int32(), "of the corpus that are one token each: what can be harvested"),
        required("accuracy", _SCORE, "share of masked tokens of held-out sentences that are filled rightly"),
        required("perplexity", _SCORE, "of the same"),
        required(
            "curve",
            structs(
                required("step", pa.int32()),
                required("loss", _SCORE),
                required("accuracy", _SCORE),
                required("perplexity", _SCORE),
            ),
        ),
    ),
    key=("corpus",),
    partition_columns=("corpus",),
)

RELATION_PROMPTS = Table(
    "relation_prompts",
    "Each relation's prompts: the initial one and its paraphrases, scored and weighted.",
    columns(
        *texts("relation", "prompt"),
        required("rank", pa.int32(), "from 0, by score; the initial prompt is ranked among the others"),
        required("initial", pa.bool_()),
        required("weight", _SCORE, "the score's share: of one relation they sum to 1"),
        required("score", _SCORE, "thesis eq. 5.4: similarity + sigmoid(1.01 / (overlap + .01)) + certainty"),
        required("similarity", _SCORE, "BERTScore to the initial prompt, mean over the seeds"),
        required("overlap", _SCORE, "BLEU to the initial prompt, 0 to 1"),
        required("certainty", _SCORE, "1 / entropy of what the model predicts"),
        required("seed_log_probability", _SCORE, "mean over seeds of the lesser of both directions"),
        required("contrast", _SCORE, "BertNet's: fit of the seeds less half of that of mismatched ones"),
        required("model_id", TEXT),
        required("made_by", TEXT, "what joined the keywords to sentences"),
    ),
    key=("relation", "prompt"),
    partition_columns=("relation",),
    references=(Reference(("relation",), "relation_seeds", ("relation",)),),
)

CANDIDATE_PAIRS = Table(
    "candidate_pairs",
    "Pairs of entities that a search found for a relation, before they are scored and cut.",
    columns(
        *texts("search", "relation", "head", "tail"),
        required("shape", TEXT, "words of head and tail: 1-1, 1-2, 2-1 or 2-2"),
        required("log_probability", _SCORE, "least over the words, averaged over the prompts by weight"),
        required("model_id", TEXT),
    ),
    key=("search", "relation", "head", "tail"),
    partition_columns=("search", "relation"),
    references=(Reference(("relation",), "relation_seeds", ("relation",)),),
)

PROMPT_CAPTURES = Table(
    "prompt_captures",
    "Pairs that each prompt of a search finds when it is searched alone: what coverage is estimated from.",
    columns(
        *texts("search", "relation", "head", "tail"),
        required("prompts", pa.list_(TEXT), "those that find the pair, sorted"),
    ),
    key=("search", "relation", "head", "tail"),
    partition_columns=("search", "relation"),
    references=(Reference(("relation",), "relation_seeds", ("relation",)),),
)

HARVESTED_TRIPLES = Table(
    "harvested_triples",
    "Triples mined from a masked language model, best first, with all that speaks for and against each.",
    columns(
        required("kg", TEXT, "the arm"),
        *texts("relation", "triple_id", "head", "tail"),
        required("rank", pa.int32(), "from 0"),
        required("shape", TEXT, "words of head and tail"),
        required("score", _SCORE, "what the arm ranks by"),
        required("confidence", _SCORE, "calibrated on the seeds: true rather than a mismatched pair"),
        required("log_probability", _SCORE, "the search's score"),
        required("distance", _SCORE, "mean transport cost of its sentence to the seeds' sentences"),
        required("perplexity", _SCORE, "of its sentence, each token masked in turn"),
        required("fluency", _SCORE, "sum of the words' IDF over the perplexity"),
        required("flags", pa.list_(TEXT), "generic_tail, reversed_duplicate, seed"),
        required(
            "prompts",
            structs(
                required("prompt", TEXT),
                required("log_probability", _SCORE),
                required("found", pa.bool_(), "it finds the pair when it is searched alone"),
            ),
        ),
        required("model_id", TEXT),
    ),
    key=("triple_id",),
    partition_columns=("kg", "relation"),
    references=(Reference(("relation",), "relation_seeds", ("relation",)),),
)

HARVESTS = Table(
    "harvests",
    "What each harvested graph consists of now: its relations, and what each was made from.",
    columns(
        required("kg", TEXT, "the arm"),
        required("relation", TEXT),
        required("triples", pa.int64()),
        required("triples_hash", TEXT, "content hash of the relation's rows of `harvested_triples`"),
        required("captures_hash", TEXT, "the same of `prompt_captures`, those of the arm's search"),
        required("seed_hash", TEXT),
        required("model_id", TEXT, "empty where nothing was harvested"),
    ),
    key=("kg", "relation"),
    partition_columns=("kg",),
)

TRIPLE_JUDGEMENTS = Table(
    "triple_judgements",
    "What language models said of harvested triples: true, false, or nothing that could be read.",
    columns(
        required("kg", TEXT, "the arm"),
        required("judge", TEXT, "the generator's name; `likelihood@` before it: its weights judged"),
        *texts("relation", "head", "tail", "triple_id"),
        optional("correct", pa.bool_(), "null where the reply could not be read"),
        required("parse_status", TEXT, "parsed, or why there is no verdict"),
        required("request_hash", TEXT, "the row of generations that holds the reply; empty: none was asked"),
        required("prompt_hash", TEXT, "hash of the prompt's wording; empty: none was asked"),
        required("model", TEXT, "engine, model and revision"),
    ),
    key=("kg", "judge", "triple_id"),
    partition_columns=("kg",),
)

HARVEST_SCORES = Table(
    "harvest_scores",
    "How good each harvested graph is, relation by relation and in all (thesis 5.4.2).",
    columns(
        required("kg", TEXT, "the arm"),
        required("relation", TEXT, "empty: all together"),
        required("metric", TEXT),
        required("value", _SCORE),
        optional("low", _SCORE, "of the 95 % interval, where there is one"),
        optional("high", _SCORE),
        required("n", pa.int64(), "what the value was taken over"),
    ),
    key=("kg", "relation", "metric"),
    partition_columns=("kg",),
)

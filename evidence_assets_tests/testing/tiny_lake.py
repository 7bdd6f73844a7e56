"""A lake small enough to know every answer: two articles, three chunks, two questions, two arms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import EvidenceUnit, units_of_chunks
from evidence_assets.lake.ids import content_id, text_hash
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import ARTICLES, BENCHMARK_SCORES, CHUNKS, QUESTIONS, TABLES_BY_NAME
from evidence_assets_tests.testing.question_rows import question_row
from evidence_assets_tests.testing.table_rows import table_of

SYSTEM, BENCHMARK = "uscrake", "tiny/bench"
ARMS = ("full@extractive", "no_attention@extractive")
SHARD = {"corpus": "tiny", "shard": "tiny/one.md"}
# Characters outside the basic plane, combining marks and line ends: offsets count code points.
HEART = "The heart 💓 pumps blood. Cafe\u0301 owners know it.\nIt beats 𝟕𝟎 times a minute."
LIVER = "The liver makes bile."
HEART_URI, LIVER_URI = "starter://heart.md", "starter://liver.md"


@dataclass(frozen=True)
class TinyLake:
    """The lake, and the ids that its answers are known by."""

    lake: Lake
    articles: dict[str, str]
    chunks: list[str]
    sentences: list[EvidenceUnit]
    predictions: dict[tuple[str, str], str]


def experiment_partition(arm: str) -> dict[str, str]:
    return {"system": SYSTEM, "arm": arm, "benchmark": BENCHMARK}


def article_row(title: str, text: str, uri: str) -> dict[str, object]:
    return {
        "article_id": content_id("article", SHARD["shard"], title),
        **SHARD,
        "source": "text_folder",
        "source_key": title,
        "source_uri": uri,
        "url": "",
        "revision": "1",
        "licence": "CC0-1.0",
        "title": title,
        "text": text,
        "text_hash": text_hash(text),
    }


def chunk_row(
    article: Mapping[str, Any], start: int, end: int, sentence_ends: list[int]
) -> dict[str, object]:
    text = article["text"][start:end]
    return {
        "chunk_id": content_id("chunk", article["article_id"], start, end, text),
        "article_id": article["article_id"],
        **SHARD,
        "char_start": start,
        "char_end": end,
        "text": text,
        "text_hash": text_hash(text),
        "n_tokens": len(text.split()) + 2,
        "sentence_ends": sentence_ends,
    }


def tiny_question(
    question_id: str, question: str, options: list[str], answer: int | None
) -> dict[str, object]:
    return question_row(question_id, question, options, answer, benchmark=BENCHMARK, answers=[])


def add_questions(lake: Lake, *questions: Mapping[str, object]) -> None:
    """Write these questions beside those of the lake's benchmark."""
    place = {"benchmark": BENCHMARK}
    present = lake.read(QUESTIONS, place).to_pylist()
    lake.write(QUESTIONS, place, table_of(QUESTIONS, *present, *questions))


def score_row(arm: str, metric: str, value: float | None, **changed: object) -> dict[str, object]:
    row = {**experiment_partition(arm), "metric": metric, "value": value, "low": None, "high": None, "n": 2}
    return {**row, **changed}


def write_experiment(lake: Lake, experiment: Experiment) -> None:
    place = experiment_partition(experiment.arm)
    for name, rows in experiment.tables().items():
        lake.write(TABLES_BY_NAME[name], place, rows)


def build_tiny_lake(root: str) -> TinyLake:
    """Write the corpus, the questions, two arms' experiments and their scores.

    Question "heart" is answered right by both arms from the first and third sentence (chunk 0 and 1).
    Question "liver" is answered wrong by the first arm from the liver's sentence, and not by the second.
    """
    lake = Lake(root)
    heart, liver = article_row("Heart", HEART, HEART_URI), article_row("Liver", LIVER, LIVER_URI)
    lake.write(ARTICLES, SHARD, table_of(ARTICLES, heart, liver))
    first, second = HEART.index(". ") + 1, HEART.index("\n")
    chunks = [
        chunk_row(heart, 0, second, [first, second]),
        chunk_row(heart, second + 1, len(HEART), [len(HEART) - second - 1]),
        chunk_row(liver, 0, len(LIVER), [len(LIVER)]),
    ]
    lake.write(CHUNKS, SHARD, table_of(CHUNKS, *chunks))
    questions = {
        "heart": tiny_question("heart", "What pumps blood?", ["The liver", "The heart"], 1),
        "liver": tiny_question("liver", "What makes bile?", ["The liver", "The heart"], 0),
    }
    lake.write(QUESTIONS, {"benchmark": BENCHMARK}, table_of(QUESTIONS, *questions.values()))
    units = units_of_chunks(table_of(CHUNKS, *chunks))
    sentences = [unit for chunk in chunks for unit in units[str(chunk["chunk_id"])][1]]
    pumps, cafe, beats, bile = sentences
    predictions = {}
    for arm in ARMS:
        experiment = Experiment(SYSTEM, arm, BENCHMARK, "1")
        for_heart = {1: [Selected(pumps, 0.9, []), Selected(beats, 0.5, []), Selected(cafe, 0.1, [])]}
        experiment.select("heart", 1, for_heart[1])
        chains = [
            Chain(1, "It pumps [E1] and beats [E2].", [pumps, beats], 0.9, {"overlap": 0.9}),
            Chain(0, "It makes bile [E1].", [bile], 0.1, {"overlap": 0.1}),
        ]
        answer = Answer(1, 0.8, "extractive", "B")
        experiment.answer(questions["heart"], for_heart, chains, answer)
        for_liver = {1: [Selected(bile, 0.4, [])]}
        experiment.select("liver", 1, for_liver[1])
        if arm == ARMS[0]:
            chains = [Chain(1, "Bile [E1].", [bile], 0.4, {})]
            experiment.answer(questions["liver"], for_liver, chains, Answer(1, 0.6, "extractive", "B"))
        else:
            silent = Answer(None, None, "extractive", "", "no option named", abstained=True)
            experiment.answer(questions["liver"], {}, [], silent)
        write_experiment(lake, experiment)
        for question_id in questions:
            key = content_id("prediction", SYSTEM, arm, BENCHMARK, question_id)
            predictions[arm, question_id] = key
        scores = table_of(
            BENCHMARK_SCORES,
            score_row(arm, "accuracy", 0.5, low=0.095, high=0.905),
            score_row(arm, "chance_accuracy", 0.5),
        )
        lake.write(BENCHMARK_SCORES, experiment_partition(arm), scores)
    articles = {"Heart": str(heart["article_id"]), "Liver": str(liver["article_id"])}
    return TinyLake(lake, articles, [str(chunk["chunk_id"]) for chunk in chunks], sentences, predictions)

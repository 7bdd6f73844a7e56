"""What a text answer's confidence knows of its evidence: questions with their gold text, and without.

    python -m benchmarks answerability
    python -m benchmarks.answerability --fit               # reading/weights/answerability.json anew

Each question is read twice from the same ranking, once as it is and once without the chunks that hold its
gold text. Fitted on OpenBookQA's development questions and XQuAD's articles of even place; which sentence
answers is fitted on the latter and on near misses. None was fitted on XQuAD's other articles, OpenBookQA's
test questions and HotpotQA.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu

from benchmarks.real_lake import materialized, prepare
from evidence_assets.evaluation.selective import Answered, selective_values
from evidence_assets.lake.catalogue import cache_folder
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets.lake.schemas import CHUNKS, GOLD_CHUNKS, QUESTIONS, RANKED_CHUNKS
from evidence_assets.models.encoder import Encoder
from evidence_assets.models.provider import Models
from evidence_assets.reading.accounting import account
from evidence_assets.reading.answerability import Answerability
from evidence_assets.reading.weights import ANSWERABILITY
from evidence_assets.systems.uscrake.arms import ARMS, DEFAULT_ARM
from evidence_assets.systems.uscrake.cases import RetrievedEvidence
from evidence_assets.systems.uscrake.reading import read_benchmark

BENCHMARKS = ("openbookqa", "xquad", "hotpotqa")
FITTED = ("openbookqa_dev", "xquad")
WEIGHTS = Path(str(files("evidence_assets.reading"))) / "weights"
_RESAMPLES, _SEED = 1_000, 20_261_121

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Retrieved:
    """A benchmark's questions, their ranking, and the chunks that hold the gold text where there is some."""

    name: str
    questions: pa.Table
    ranked: pa.Table
    chunks: pa.Table
    gold: Mapping[str, frozenset[str]]

    def read(self, encoder: Encoder, without_gold: bool, as_open: bool = False) -> dict[str, pa.Table]:
        """Return the tables of the default arm; `as_open`: as if no options were offered."""
        questions = self.questions
        if as_open:
            for name, nothing in (("options", []), ("answer_index", None)):
                place = questions.schema.get_field_index(name)
                field = questions.schema.field(place)
                questions = questions.set_column(
                    place, field, pa.array([nothing] * questions.num_rows, field.type)
                )
        ranked = self.ranked
        if without_gold:
            ids, chunks = (ranked.column(name).to_pylist() for name in ("question_id", "chunk_id"))
            kept = [chunk not in self.gold[key] for key, chunk in zip(ids, chunks, strict=True)]
            ranked = ranked.filter(pa.array(kept))
        retrieved = RetrievedEvidence(ranked, self.chunks)
        return read_benchmark(
            questions, retrieved, encoder.encode, encoder.encode_words, ARMS[DEFAULT_ARM], self.name, ""
        ).tables()


def run() -> dict[str, Any]:
    """Materialise the benchmarks; return how well confidence tells kept from removed evidence."""
    prepare()
    seconds = materialized({name: [f"uscrake/{DEFAULT_ARM}"] for name in BENCHMARKS})
    encoder = Models(cache_folder(Lake(default_root()))).encoder
    results = {}
    for name in BENCHMARKS:
        retrieved = retrieved_of(name, parity=1 if name in FITTED else None)
        results[name] = _compared(retrieved, encoder)
    return {"benchmarks": results, "fitted_on": list(FITTED), "seconds_a_run": seconds}


def _compared(retrieved: Retrieved, encoder: Encoder) -> dict[str, Any]:
    kept, removed = (retrieved.read(encoder, without_gold)["predictions"] for without_gold in (False, True))
    sure, unsure = (table.column("confidence").to_numpy().astype(np.float64) for table in (kept, removed))
    area, low, high = _area(sure, unsure)
    held, bare = (_answerable(retrieved, encoder, without_gold) for without_gold in (False, True))
    answered = Answered(
        np.concatenate([sure, unsure]),
        np.concatenate([_correct(kept), _correct(removed)]),
        len(sure) + len(unsure),
    )
    return {
        "n": retrieved.questions.num_rows,
        "confidence_area": area,
        "confidence_area_low": low,
        "confidence_area_high": high,
        "answerability_area": _area(held, bare)[0],
        "confidence_kept": float(sure.mean()),
        "confidence_removed": float(unsure.mean()),
        "correct_kept": float(_correct(kept).mean()),
        "correct_removed": float(_correct(removed).mean()),
        "abstained_kept": _abstained(kept),
        "abstained_removed": _abstained(removed),
        **selective_values(answered),
    }


def _abstained(predictions: pa.Table) -> float:
    return float(pc.mean(predictions.column("abstained")).as_py())


def _correct(predictions: pa.Table) -> Values:
    return np.asarray(predictions.column("correct").to_pylist(), dtype=np.float64)


def _area(kept: Values, removed: Values) -> tuple[float, float, float]:
    """Return the area under the curve of kept against removed, with its bootstrap interval over questions."""

    def area(places: NDArray[np.int64]) -> float:
        return float(mannwhitneyu(kept[places], removed[places]).statistic) / len(places) ** 2

    generator = np.random.default_rng(_SEED)
    drawn = [area(generator.integers(0, len(kept), len(kept))) for _ in range(_RESAMPLES)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return area(np.arange(len(kept))), float(low), float(high)


def _answerable(retrieved: Retrieved, encoder: Encoder, without_gold: bool) -> Values:
    """Return how likely each question's passages hold what it asks."""
    nothing = account("", ())
    parts = _parts(retrieved.read(encoder, without_gold, as_open=True))
    return np.array([Answerability(part["nearest"], part["coverage"], nothing).probability for part in parts])


def _parts(read: Mapping[str, pa.Table]) -> list[dict[str, float]]:
    """Return what the chain of each open question was measured by."""
    chains = read["chains"].to_pylist()
    return [{part["name"]: part["value"] for part in chain["score_parts"]} for chain in chains]


def retrieved_of(
    name: str, parity: int | None = None, lake: Lake | None = None, with_gold: bool = True
) -> Retrieved:
    """Return a benchmark's questions from the lake.

    `parity`: of the articles at even or odd places alone; `with_gold`: those alone whose gold text the corpus
    holds.
    """
    lake = lake or Lake(default_root())
    gold: dict[str, set[str]] = {}
    for row in lake.read(GOLD_CHUNKS, {"benchmark": name}).to_pylist():
        gold.setdefault(row["question_id"], set()).add(row["chunk_id"])
    questions = lake.read(QUESTIONS, {"benchmark": name})
    articles = [_article(row) for row in questions.select(["gold_evidence", "question_id"]).to_pylist()]
    places = {article: place for place, article in enumerate(dict.fromkeys(articles))}
    wanted = [parity is None or places[article] % 2 == parity for article in articles]
    ids = questions.column("question_id").to_pylist()
    questions = questions.filter(
        pa.array([take and (key in gold or not with_gold) for take, key in zip(wanted, ids, strict=True)])
    )
    ranked = lake.read(RANKED_CHUNKS, {"benchmark": name, "retrieval": ARMS[DEFAULT_ARM].retrieval})
    ranked = ranked.filter(
        pc.is_in(ranked.column("question_id"), questions.column("question_id").combine_chunks())
    )
    chunks = _chunks(lake, set(ranked.column("chunk_id").to_pylist()))
    return Retrieved(name, questions, ranked, chunks, {key: frozenset(held) for key, held in gold.items()})


def _article(question: Mapping[str, Any]) -> str:
    """Return the title of a question's first gold text; the question itself where it has none."""
    gold = question["gold_evidence"]
    return str((gold[0].get("title") if gold else None) or question["question_id"])


def _chunks(lake: Lake, wanted: Collection[str]) -> pa.Table:
    tables = [lake.read(CHUNKS, place) for place in lake.partitions(CHUNKS)]
    chunks = pa.concat_tables(tables)
    chunks = chunks.filter(pc.is_in(chunks.column("chunk_id"), pa.array(sorted(wanted))))
    first = {key: place for place, key in reversed(list(enumerate(chunks.column("chunk_id").to_pylist())))}
    return chunks.take(sorted(first.values()))


def fit() -> dict[str, Any]:
    """Return the weights of answerability: a logistic regression over the sets, which weigh the same."""
    from sklearn.linear_model import LogisticRegression

    prepare()
    materialized({name: [f"uscrake/{DEFAULT_ARM}"] for name in FITTED})
    encoder = Models(cache_folder(Lake(default_root()))).encoder
    measures, labels, weights = [], [], []
    for name in FITTED:
        retrieved = retrieved_of(name, parity=0 if name in BENCHMARKS else None)
        for without_gold in (False, True):
            parts = _parts(retrieved.read(encoder, without_gold, as_open=True))
            measures += [[part["nearest"], part["coverage"]] for part in parts]
            labels += [not without_gold] * len(parts)
            weights += [1000.0 / len(parts)] * len(parts)
    fitted = LogisticRegression(C=1e6).fit(np.array(measures), labels, sample_weight=weights)
    held = fitted.predict_proba(np.array(measures))[:, 1][np.array(labels)]
    nearness, coverage = fitted.coef_[0]
    return {
        "provenance": "logistic regression (benchmarks.answerability --fit): questions with their gold "
        "text retrieved against the same questions with it taken out, OpenBookQA's development questions and "
        "XQuAD's articles of even place; both sets weigh the same",
        "intercept": round(float(fitted.intercept_[0]), 4),
        "nearness": round(float(nearness), 4),
        "coverage": round(float(coverage), 4),
        "answerable": round(float(np.average(held)), 4),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    if parser.parse_args().fit:
        (WEIGHTS / f"{ANSWERABILITY}.json").write_text(json.dumps(fit(), indent=2) + "\n", encoding="utf-8")
    else:
        print(json.dumps(run(), indent=2))

"""Readers trained to read, on test questions: beside cheap baselines, and beside themselves blindfolded.

Each reader is a partition of the asset `trained_readers`, made through Dagster if it is missing (a quarter
of an hour of one quiet core). One sees reading tasks alone, the other OpenBookQA's training questions as
well. `benchmarks.text.weighed_reader` measures a language model in the same way. Every set is read from the
same evidence: the texts nearest to question and option in what the reader's recipe names. Of each set so
many questions are read, by the hash of their ids, the first of them without their evidence too. QASC, and ARC
but for WorldTree's questions, are not among the public files at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.estimates import shown
from benchmarks.real_lake import made, materialized, prepare, rows_of, seconds_of_partitions
from evidence_assets.evaluation.metrics import paired_difference
from evidence_assets.evidence.estimates import proportion
from evidence_assets.lake.ids import text_hash
from evidence_assets.reading.weighing.trained import Values
from evidence_assets.training.evaluating import WITH_CUES, WITH_EVIDENCE

# Sets whose questions took no part in training or choosing, and how many of them are read.
SETS: Mapping[str, int] = {"openbookqa": 500, "commonsenseqa": 400, "mmlu_medical": 150}
# What of a set's questions is answered rightly, by set and way to answer.
Accuracies = Mapping[tuple[str, str], Values]
READERS = ("reading", "reading_and_questions")
# Of a set so many are read without their evidence at most.
BLINDFOLDED = 300


def run() -> dict[str, Any]:
    """Train what is missing, run the arms, and return the accuracy of every way to answer, set by set."""
    return measured(READERS, SETS)


def measured(readers: Sequence[str], sets: Mapping[str, int]) -> dict[str, Any]:
    """Make what is missing of readers, run their arms on OpenBookQA, and return every way's accuracy."""
    prepare()
    made([("reader_admissions", f"{reader}|{name}") for reader in readers for name in sets])
    arms = [
        f"uscrake/chunks_only_cosine_trained{cues}@{reader}" for reader in readers for cues in ("", "_cues")
    ]
    materialized({"openbookqa": [*arms, "uscrake/chunks_only_cosine@nearest"]})
    return {
        **compared(readers, sets),
        "readers": rows_of({"readers": "SELECT * FROM trained_readers ORDER BY reader"})["readers"],
        "arms": rows_of(
            {
                "arms": "SELECT * FROM benchmark_scores WHERE system = 'uscrake' "
                "AND benchmark = 'openbookqa' AND metric = 'accuracy' ORDER BY ALL"
            }
        )["arms"],
        "differences": rows_of(
            {
                "differences": "SELECT * FROM score_differences WHERE system = 'uscrake' "
                "AND benchmark = 'openbookqa' AND metric = 'accuracy' "
                "AND baseline_arm = 'chunks_only_cosine@nearest' ORDER BY ALL"
            }
        )["differences"],
        "seconds_a_partition": seconds_of_partitions(),
    }


def compared(readers: Sequence[str], sets: Mapping[str, int]) -> dict[str, list[dict[str, Any]]]:
    """Return every way's accuracy, reader by reader and set by set, and how much each is above the first.

    Raises:
        MissingPartitionError: a reader is not admitted to one of the sets yet.
    """
    rows, accuracies = [], {}
    for reader in readers:
        of_reader, accuracies[reader] = _of_reader(reader, sets)
        rows += of_reader
    return {"sets": rows, "between_readers": list(_between(accuracies))}


def _between(accuracies: Mapping[str, Accuracies]) -> Iterator[dict[str, Any]]:
    """Yield how much each reader is above the first on each set, on the same questions."""
    first, *others = accuracies
    for reader in others:
        for (benchmark, way), values in accuracies[reader].items():
            if way in (WITH_EVIDENCE, WITH_CUES):
                difference = shown(paired_difference(values, accuracies[first][benchmark, way]))
                yield {
                    "reader": reader,
                    "minus": first,
                    "benchmark": benchmark,
                    "way": way,
                    "n": len(values),
                    "difference": difference,
                }


def _of_reader(name: str, sets: Mapping[str, int]) -> tuple[list[dict[str, Any]], Accuracies]:
    """Return a row a set and way to answer, and what of each set's questions is answered rightly each way."""
    from evidence_assets.config.configuration import load_project
    from evidence_assets.lake.catalogue import cache_folder
    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.locations import default_root
    from evidence_assets.lake.schemas import QUESTIONS, READER_ADMISSIONS
    from evidence_assets.models.provider import Models
    from evidence_assets.training.evaluating import (
        baseline_accuracies,
        blindfolded_accuracies,
        reading_accuracies,
        strongest_baseline,
    )
    from evidence_assets.training.reader import admitted_reader
    from evidence_assets.training.stages import material_of

    lake, project = Lake(default_root()), load_project()
    models = Models(cache_folder(lake), generators=project.generators)
    encode = models.encoder.encode
    material = material_of(lake, project, project.readers[name], encode)
    rows: list[dict[str, Any]] = []
    every: dict[tuple[str, str], Values] = {}
    for benchmark, most in sets.items():
        [admission] = lake.read(READER_ADMISSIONS, {"benchmark": benchmark, "reader": name}).to_pylist()
        reader = admitted_reader(
            admission,
            cache_folder(lake),
            lambda generator, adapter=None: models.generator_settings(generator).load_likelihoods(
                generator, adapter
            ),
        )
        table = lake.read(QUESTIONS, {"benchmark": benchmark}).to_pylist()
        sampled = sorted(table, key=lambda row: text_hash(row["question_id"]))[:most]
        questions = material.questions(sampled, benchmark)
        cheap = baseline_accuracies(questions, encode)
        accuracies = {
            **reading_accuracies(questions, reader, encode),
            **blindfolded_accuracies(questions[:BLINDFOLDED], reader, encode),
            **cheap,
        }
        every |= {(benchmark, way): values for way, values in accuracies.items()}
        strongest = strongest_baseline(cheap)
        rows += [
            {
                "reader": name,
                "benchmark": benchmark,
                "way": way,
                "n": len(values),
                "accuracy": _proportion(values),
                "strongest_baseline": strongest,
                "minus_strongest_baseline": shown(paired_difference(values, cheap[strongest][: len(values)])),
            }
            for way, values in accuracies.items()
        ]
        for row in rows[-len(accuracies) :]:
            print(row, flush=True)
    return rows, every


def _proportion(values: Sequence[float] | np.ndarray[Any, Any]) -> list[float]:
    """Return a mean with Wilson's interval; ties may count in part."""
    estimate = proportion(round(float(np.sum(values))), len(values))
    return [round(float(np.mean(values)), 4), round(estimate.low, 4), round(estimate.high, 4)]

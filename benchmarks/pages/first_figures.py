"""What arms reached when they were first measured, out of this repository's own history.

    python -m benchmarks.first_figures

The results page shows it beside what they reach now that they were mended. Needs the history: a shallow clone
lacks the revisions.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import PROJECT
from benchmarks.result_files import save


@dataclass(frozen=True, slots=True)
class First:
    """An arm's first figure: a score of `benchmarks/results/RESULT.json` as a revision wrote it."""

    mended: str
    revision: str
    result: str
    benchmark: str
    system: str
    arm: str
    metric: str = "accuracy"


OPTIONS = "each option argued from its own evidence, none cut off; fitted weights for hand-set proportions"
LIFTS = "lifts on one scale; fitted weights for hand-set proportions"
COLLAPSED = "decided on the collapsed table; every word accounted for"
TYPED = "every variable typed; what triplets support ranks first; questions accounted for"
TOPIC = "the question's own topics left out"
ATTENTION = "attention and relevance on one scale; questions accounted for"
BOTH_TOPICS = "conjunctions of two topics; questions accounted for"

FIRST = (
    *(
        First(OPTIONS, "7f83179e", "real_data", benchmark, "uscrake", f"{arm}@extractive")
        for arm in ("full", "chunks_only_coverage")
        for benchmark in ("openbookqa", "commonsenseqa", "mmlu_medical")
    ),
    *(
        First(LIFTS, "0999b60a", "medical_data", benchmark, "ugat_medqa", f"{arm}@extractive")
        for arm in ("full", "full_answering")
        for benchmark in ("medmcqa", "mmlu_medical_graph")
    ),
    *(
        First(COLLAPSED, "155850bf", "table_data", benchmark, "ucret", arm)
        for arm in ("full@extractive", "paper@extractive_kept")
        for benchmark in ("tabfact_small", "scitab")
    ),
    *(
        First(mended, "471b6b17", "graph_data", f"metaqa_{hops}hop", system, arm, "hits@1")
        for mended, system, arm, most_hops in (
            (TYPED, "four_step_focus", "full@extractive", 2),
            (TOPIC, "four_step_focus", "no_triplets@nearest", 2),
            (ATTENTION, "attention2query", "full@extractive", 1),
            (BOTH_TOPICS, "kaping", "external_2hop@extractive", 2),
        )
        for hops in range(1, most_hops + 1)
    ),
)


def rows() -> Iterator[dict[str, Any]]:
    """Yield the first figure of each arm.

    Raises:
        subprocess.CalledProcessError: a revision is not in this clone.
        KeyError: a result of then lacks the score.
    """
    for first in FIRST:
        path = f"{first.revision}:benchmarks/results/{first.result}.json"
        shown = subprocess.run(["git", "show", path], cwd=PROJECT, capture_output=True, check=True)
        scores = {
            # Results of one system alone did not name it then.
            (row["benchmark"], row.get("system", first.system), row["arm"], row["metric"]): row
            for row in json.loads(shown.stdout)["scores"]
        }
        score = scores[first.benchmark, first.system, first.arm, first.metric]
        yield {**asdict(first), **{name: score[name] for name in ("value", "low", "high", "n")}}


if __name__ == "__main__":
    save("first_figures", {"arms": list(rows())})

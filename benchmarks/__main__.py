"""Run every benchmark, or the named ones, and write each result as JSON to benchmarks/results/.

    python -m benchmarks [name ...]

Then docs/results.md is written anew from all results. Benchmarks that say so need the public data sets;
without them they are skipped with a message, and the page keeps their last results.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from importlib import import_module
from importlib.metadata import version

from benchmarks import UnavailableError
from benchmarks.pages.page import PageError, write_page
from benchmarks.result_files import save

# Modules of this package with a `run`, in the order in which they run. It raises UnavailableError where the
# data sets, or whatever else it needs, are not there; any other error is its own fault.
BENCHMARKS = (
    "load_time",
    "daemon_kills",
    "idle_daemon",
    "faults",
    "fuzz",
    "ask_speed",
    "chunking",
    "embedding",
    "encoding",
    "encoder_backends",
    "reranking",
    "transport_speed",
    "coverage_speed",
    "pool_speed",
    "transport_memory",
    "retrieval_memory",
    "corpus_shards",
    "corpus_search",
    "ingest_memory",
    "lake_scale",
    "lake_store",
    "ray_nodes",
    "graph_speed",
    "graph_memory",
    "graph_queries",
    "graph_parsing",
    "graph_paths",
    "attention_batching",
    "attention2query",
    "gpu",
    "generation_overhead",
    "likelihood",
    "adapter_reading",
    "language_model",
    "harvest_speed",
    "harvest_recovery",
    "harvest_data",
    "node_relevance",
    "medical_data",
    "relevance_factorial",
    "medical_confidence",
    "real_data",
    "evidence_ablations",
    "readers",
    "unseen_sets",
    "trained_reader",
    "weighed_reader",
    "tuned_reader",
    "several_reader",
    "medical_readers",
    "answerability",
    "near_misses",
    "several_steps",
    "open_questions",
    "retrieval_quality",
    "two_step",
    "table_verification",
    "table_meanings",
    "scitab_account",
    "table_claims",
    "contested_claims",
    "wikipedia_claims",
    "free_table_questions",
    "table_data",
    "table_filtering",
    "table_questions",
    "kaping",
    "graph_baselines",
    "graph_data",
    "graph_question_sets",
    "schema_graphs",
    "contested_graph_questions",
    "graph_wordings",
)
# Longer parts of a result are in the file and not printed.
LONGEST_PRINTED = 2_000
LIBRARIES = ("dagster", "torch", "sentence-transformers", "transformers", "pyarrow", "duckdb", "faiss-cpu")


def main() -> int:
    """Run the benchmarks and write the page; return how many bounds were missed (and one if no page)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], default=[])
    names = parser.parse_args().names or list(BENCHMARKS)
    missed = 0
    for name in names:
        started = time.perf_counter()
        try:
            result = import_module(f"benchmarks.{name}").run()
        except UnavailableError as error:
            print(f"{name}: skipped, {error}", flush=True)
            continue
        result |= {
            "command": f"python -m benchmarks {name}",
            "seconds": round(time.perf_counter() - started, 1),
            "python": platform.python_version(),
            "versions": {library: version(library) for library in LIBRARIES},
        }
        save(name, result)
        missed += result.get("within_bound") is False
        shown = {
            key: value
            for key, value in result.items()
            if key != "versions" and len(json.dumps(value)) <= LONGEST_PRINTED
        }
        print(f"{name}: {json.dumps(shown)}", flush=True)
    try:
        write_page()
    except PageError as error:
        print(f"docs/results.md is not written: {error}", flush=True)
        missed += 1
    return missed


if __name__ == "__main__":
    sys.exit(main())

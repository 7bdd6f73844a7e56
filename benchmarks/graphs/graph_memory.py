"""Memory of a graph of the full ConceptNet's size: 3.4 million English triples, made here.

ConceptNet 5.7's assertions file is made synthetically (its five columns, English edges only, degrees as
skewed as its own), read through the reader, merged into the lake, indexed, and opened as the assets open it.
Each stage runs in a process of its own, whose peak resident memory the operating system reports. Bound: the
opened graph with its linker, spelling index included, under 2 GB.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peak_memory import measured, run_stage
from evidence_assets.graphs.concepts.nodes import alias_rows, node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.loaders import open_graph, open_linker
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_NODES, TRIPLES
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.text.verbalisation import CONCEPTNET, templates

TRIPLES_WANTED = 3_400_000
CONCEPTS = 1_150_000
BOUND_BYTES = 2_000_000_000
KG = "synthetic"


def make_assertions(path: Path) -> None:
    """Write an assertions file with distinct edges between concepts of one to three words."""
    generator = np.random.default_rng(20_261_120)
    syllables = ["ba", "ker", "lin", "mo", "sta", "tu", "ven", "wi", "dra", "pol", "ne", "shi", "gor", "fe"]
    words = ["".join(generator.choice(syllables, size)) for size in generator.integers(2, 5, 60_000)]
    lengths = generator.choice([1, 2, 3], CONCEPTS, p=[0.4, 0.4, 0.2])
    picks = generator.integers(0, len(words), (CONCEPTS, 3))
    labels = [
        "_".join(words[place] for place in row[:length]) + f"_{number}"
        for number, (row, length) in enumerate(zip(picks.tolist(), lengths.tolist(), strict=True))
    ]
    relations = sorted(templates(CONCEPTNET))
    # Zipf-like: the best connected concept stands in tens of thousands of triples.
    heads = (CONCEPTS * generator.random(TRIPLES_WANTED) ** 3).astype(np.int64)
    tails = generator.integers(0, CONCEPTS, TRIPLES_WANTED)
    kinds = generator.integers(0, len(relations), TRIPLES_WANTED)
    metadata = json.dumps(
        {
            "dataset": "/d/conceptnet/4/en",
            "license": "cc:by/4.0",
            "sources": [{"contributor": "/s/contributor/omcs/dev"}],
            "weight": 1.0,
        }
    )
    with path.open("w", encoding="utf-8") as file:
        for head, tail, kind in zip(heads.tolist(), tails.tolist(), kinds.tolist(), strict=True):
            if head != tail:
                ends = f"/c/en/{labels[head]}\t/c/en/{labels[tail]}"
                file.write(f"/a/\t/r/{relations[kind]}\t{ends}\t{metadata}\n")


def read_triples(folder: Path) -> int:
    """Read the assertions into the lake; return the number of triples."""
    collector = TripleCollector(KG, templates(CONCEPTNET))
    collector.add(reader("conceptnet_assertions")(str(folder / "assertions.csv"), {}), "made", "CC0")
    lake = Lake(str(folder / "lake"))
    return sum(
        lake.write(TRIPLES, {"kg": KG, "relation": relation}, rows).rows
        for relation, rows in collector.tables()
    )


def index_nodes(folder: Path) -> int:
    """Write the graph's nodes and aliases; return the number of nodes."""
    lake = Lake(str(folder / "lake"))
    nodes = node_rows(KG, lake.read_partitions(TRIPLES, lake.partitions(TRIPLES), ["head", "tail"]))
    lake.write(GRAPH_NODES, {"kg": KG}, nodes)
    lake.write(GRAPH_ALIASES, {"kg": KG}, alias_rows(nodes))
    return int(nodes.num_rows)


def open_and_link(folder: Path) -> int:
    """Open the graph, link by form and by spelling; return the number of its edges' ends."""
    lake = Lake(str(folder / "lake"))
    graph = open_graph(lake, KG)
    linker = open_linker(lake, KG)
    label = graph.labels[0].as_py()
    if not linker.by_form([label]) or not linker.by_spelling(label[:3] + label[4:]):
        raise AssertionError(f"{label!r} was not found again")
    return len(graph.incident)


STAGES = {"read": read_triples, "index": index_nodes, "open": open_and_link}


def run() -> dict[str, Any]:
    """Return rows, seconds and peak memory of each stage; the baseline is the file's own size."""
    result: dict[str, Any] = {"bound": "an open graph under 2 GB"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "assertions.csv"
        make_assertions(path)
        result["file_bytes"] = path.stat().st_size
        result |= measured("benchmarks.graph_memory", STAGES, folder)
    peak = result["open"]["peak_bytes"]
    return result | {"ratio": round(peak / result["file_bytes"], 2), "within_bound": peak < BOUND_BYTES}


if __name__ == "__main__":
    run_stage(STAGES)

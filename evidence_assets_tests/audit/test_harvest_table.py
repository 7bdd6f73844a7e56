"""What a harvest prints."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from evidence_assets.audit.report import harvest_table
from evidence_assets.audit.score_report import WIDTH
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import HARVEST_SCORES


def test_the_scores_of_harvested_graphs_fit_the_terminal(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    values = {"tuples": 100.0, "attested": 0.5, "equal_tuples": 80.0, "equal_baseline_attested": 0.25}
    for kg in ("kbloom", "bertnet"):
        rows = [
            {"kg": kg, "relation": relation, "metric": metric, "value": value, "n": 1}
            for relation in ("", "AtLocation")
            for metric, value in values.items()
        ]
        lake.write(HARVEST_SCORES, {"kg": kg}, pa.Table.from_pylist(rows, schema=HARVEST_SCORES.schema))
    with catalogue.connect(lake) as connection:
        lines = harvest_table(connection).splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert lines == [
        "harvested graphs        triples  diversity  attested  at 50  recall  similar  coverage",
        "bertnet, all relations  100      -          0.5       -      -       -        -",
        "kbloom, all relations   100      -          0.5       -      -       -        -",
        "bertnet, AtLocation     100      -          0.5       -      -       -        -",
        "kbloom, AtLocation      100      -          0.5       -      -       -        -",
        "",
        "at equal numbers        triples  attested  BertNet's",
        "bertnet, all relations  80       -         0.25",
        "kbloom, all relations   80       -         0.25",
        "bertnet, AtLocation     80       -         0.25",
        "kbloom, AtLocation      80       -         0.25",
        "",
        "the surest triples: head, tail  confidence",
    ]

"""What a harvest prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from evidence_assets.audit.report import harvest_table
from evidence_assets.audit.score_report import WIDTH
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import HARVEST_SCORES


def report_lines(folder: Path, relations: Sequence[str]) -> list[str]:
    """The lines of a lake of two graphs of these relations."""
    lake = Lake(str(folder))
    values = {"tuples": 100.0, "attested": 0.5, "equal_tuples": 80.0, "equal_baseline_attested": 0.25}
    for kg in ("kbloom", "bertnet"):
        rows = [
            {"kg": kg, "relation": relation, "metric": metric, "value": value, "n": 1}
            for relation in ("", *relations)
            for metric, value in values.items()
        ]
        lake.write(HARVEST_SCORES, {"kg": kg}, pa.Table.from_pylist(rows, schema=HARVEST_SCORES.schema))
    with catalogue.connect(lake) as connection:
        return harvest_table(connection).splitlines()


def test_the_scores_of_harvested_graphs_fit_the_terminal(tmp_path: Path) -> None:
    lines = report_lines(tmp_path, ["AtLocation", "IsA"])
    assert all(len(line) <= WIDTH for line in lines)
    assert lines == [
        "harvested graphs        triples  diversity  attested  at 50  recall  similar  coverage",
        "bertnet, all relations  100      -          0.5       -      -       -        -",
        "kbloom, all relations   100      -          0.5       -      -       -        -",
        "bertnet, AtLocation     100      -          0.5       -      -       -        -",
        "kbloom, AtLocation      100      -          0.5       -      -       -        -",
        "bertnet, IsA            100      -          0.5       -      -       -        -",
        "kbloom, IsA             100      -          0.5       -      -       -        -",
        "",
        "at equal numbers        triples  attested  BertNet's",
        "bertnet, all relations  80       -         0.25",
        "kbloom, all relations   80       -         0.25",
        "bertnet, AtLocation     80       -         0.25",
        "kbloom, AtLocation      80       -         0.25",
        "bertnet, IsA            80       -         0.25",
        "kbloom, IsA             80       -         0.25",
        "",
        "the surest triples: head, tail  confidence",
    ]


def test_of_one_relation_all_together_is_no_line_of_its_own(tmp_path: Path) -> None:
    assert [line.split("  ")[0] for line in report_lines(tmp_path, ["UsedFor"])[:3]] == [
        "harvested graphs",
        "bertnet, UsedFor",
        "kbloom, UsedFor",
    ]

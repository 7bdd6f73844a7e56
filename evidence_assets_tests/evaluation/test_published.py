"""Figures that papers print, as rows."""

from __future__ import annotations

import pyarrow as pa
import pytest

from evidence_assets.evaluation import published
from evidence_assets.evaluation.published import published_rows
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import PUBLISHED_SCORES


def test_published_figures_load_with_unique_keys(tmp_path_factory: pytest.TempPathFactory) -> None:
    rows = published_rows()
    assert rows.num_rows > 100
    lake = Lake(str(tmp_path_factory.mktemp("lake")))
    # Writing checks the declaration and that keys are unique.
    assert lake.write(PUBLISHED_SCORES, {}, rows).rows == rows.num_rows
    shares = rows.filter(pa.compute.equal(rows.column("metric"), "accuracy")).column("value").to_pylist()
    assert shares
    assert all(0 < value <= 1 for value in shares)
    for name in ("system", "arm", "benchmark", "metric", "source", "table_number"):
        assert all(value.strip() == value and value for value in rows.column(name).to_pylist())


def test_a_published_value_that_is_no_number_is_named_by_file_and_line(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("package")
    (folder / "published").mkdir()
    (folder / "published" / "other.csv").write_text(
        "system,arm,benchmark,metric,source,table_number,value\n"
        "s,a,b,accuracy,paper,1,0.5\n"
        "s,a,c,accuracy,paper,1,87 %\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(published, "files", lambda _: folder)
    with pytest.raises(ValueError, match=r"other\.csv, line 3: value '87 %' is not a number"):
        published_rows()

"""Contested claims are whole, and their figures tell what is decided from what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.authored.contested_claims import DEVELOPMENT, HELD_OUT, HELD_OUT_CONTESTED, load
from benchmarks.authored.table_claims import ClaimSetError
from benchmarks.tables.contested_claims import NEITHER, REFUTES, SUPPORTS, Judged, figures


@pytest.mark.parametrize("part", [DEVELOPMENT, HELD_OUT, HELD_OUT_CONTESTED])
def test_every_table_is_whole_and_no_claim_stands_twice_over_it(part: str) -> None:
    tables = list(load(part))
    assert tables
    for named in tables:
        claims = [claim.claim for claim in named.table.claims]
        assert len(set(claims)) == len(claims) > 0, named.name
        assert all(len(row) == len(named.table.header) for row in named.table.rows), named.name


def test_a_file_of_another_form_is_named(tmp_path: Path) -> None:
    (tmp_path / HELD_OUT).mkdir()
    (tmp_path / HELD_OUT / "odd.yaml").write_text("- caption: a\n", encoding="utf-8")
    with pytest.raises(ClaimSetError, match=r"odd\.yaml"):
        list(load(HELD_OUT, tmp_path))


def test_what_is_right_of_what_is_decided_is_told_apart() -> None:
    claims = [
        Judged("a", SUPPORTS, SUPPORTS),
        Judged("a", SUPPORTS, REFUTES),
        Judged("b", NEITHER, NEITHER),
        Judged("b", REFUTES, NEITHER),
        Judged("b", NEITHER, SUPPORTS),
    ]
    measured = figures(claims)
    shares = {name: measured[name]["accuracy"] for name in ("right", "decided", "commonest_label")}
    assert shares == {"right": 0.4, "decided": 0.6, "commonest_label": 0.4}
    assert (measured["right_of_decided"]["n"], measured["right_of_decided"]["accuracy"]) == (3, 0.333)
    assert (measured["untold_left_open"]["n"], measured["untold_left_open"]["accuracy"]) == (2, 0.5)

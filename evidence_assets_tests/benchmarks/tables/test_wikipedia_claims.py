"""Claims over Wikipedia's tables are whole: about as many true as false, and over tables that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.authored.table_claims import ClaimSetError
from benchmarks.authored.wikipedia_claims import DEVELOPMENT, HELD_OUT, load
from benchmarks.tables.table_sets import in_development, of_wikipedia


@pytest.mark.parametrize("part", [DEVELOPMENT, HELD_OUT])
def test_over_every_table_about_half_of_the_claims_are_true_and_half_deny(part: str) -> None:
    tables = list(load(part))
    assert tables
    for claimed in tables:
        claims = claimed.claims
        assert len({claim.claim for claim in claims}) == len(claims) == 14, claimed.table
        assert sum(claim.denies for claim in claims) == 7, claimed.table
        assert 6 <= sum(claim.label == "SUPPORTS" for claim in claims) <= 8, claimed.table


def test_no_table_is_of_both_parts() -> None:
    of_parts = [{claimed.table for claimed in load(part)} for part in (DEVELOPMENT, HELD_OUT)]
    assert of_parts[0].isdisjoint(of_parts[1])


@pytest.mark.real_data
@pytest.mark.usefixtures("real_data")
def test_tables_are_of_the_half_that_questions_were_developed_on() -> None:
    for part in (DEVELOPMENT, HELD_OUT):
        for (table, _, _), _ in of_wikipedia(part):
            assert in_development(table.table_id), table.table_id
            assert table.rows, table.table_id


def test_a_file_of_another_form_is_named(tmp_path: Path) -> None:
    (tmp_path / HELD_OUT).mkdir()
    (tmp_path / HELD_OUT / "odd.yaml").write_text("- table: a\n", encoding="utf-8")
    with pytest.raises(ClaimSetError, match=r"odd\.yaml"):
        list(load(HELD_OUT, tmp_path))

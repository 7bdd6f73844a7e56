"""The authored claims over tables: their size and balance, labels that rules decide, and named errors."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.authored.table_claims import FOLDER, LABELS, Claim, ClaimSetError, check_readme, load
from benchmarks.tables.table_sets import DEVELOPMENT_DOMAINS


@pytest.fixture(scope="module")
def claims() -> list[Claim]:
    return load()


def test_set_is_large_and_every_domain_has_its_share(claims: list[Claim]) -> None:
    assert len(claims) >= 320
    assert len({claim.table.name for claim in claims}) >= 30
    by_domain = Counter(claim.table.domain for claim in claims)
    tables = Counter(domain for _, domain in {(claim.table.name, claim.table.domain) for claim in claims})
    assert by_domain.keys() >= set(DEVELOPMENT_DOMAINS)
    assert min(by_domain.values()) >= 35
    assert min(tables.values()) >= 3


def test_labels_are_balanced_as_planned(claims: list[Claim]) -> None:
    shares = {label: sum(claim.label == label for claim in claims) / len(claims) for label in LABELS}
    assert shares["SUPPORTS"] == pytest.approx(0.40, abs=0.03)
    assert shares["REFUTES"] == pytest.approx(0.35, abs=0.03)
    assert shares["NOT ENOUGH INFORMATION"] == pytest.approx(0.25, abs=0.03)


def test_a_rule_decides_every_claim_but_those_that_quote_missing_words(claims: list[Claim]) -> None:
    for claim in claims:
        if claim.label == "NOT ENOUGH INFORMATION":
            assert claim.missing is not None and claim.missing in claim.text
        else:
            assert claim.rule is not None and claim.missing is None


def test_readme_holds_the_counts(claims: list[Claim]) -> None:
    check_readme(claims)


TABLE: dict[str, Any] = {
    "domain": "geography",
    "source": "invented",
    "caption": "Rivers",
    "header": ["River", "Length (km)", "Ferry"],
    "rows": [
        ["Arn", "10", "-"],
        ["Bel", "20", "yes"],
        ["Cor", "30", "no"],
        ["Dun", "5", "no"],
        ["Esk", "7", "no"],
    ],
    "typed": {
        "river": {"type": "VARCHAR", "values": ["Arn", "Bel", "Cor", "Dun", "Esk"]},
        "length_km": {"type": "DOUBLE", "values": [10, 20, 30, 5, 7]},
        "ferry": {"type": "BOOLEAN", "values": [None, True, False, False, False]},
    },
}
LONGEST: dict[str, Any] = {
    "id": "rivers-01",
    "table": "rivers",
    "claim": "The Cor is the longest.",
    "kind": "superlative",
    "rule": "(SELECT arg_max(river, length_km) FROM t) = 'Cor'",
}
FERRY = "(SELECT ferry FROM t WHERE river = 'Arn')"

Write = Callable[[dict[str, Any], list[dict[str, Any]]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_set(table: dict[str, Any], entries: list[dict[str, Any]]) -> Path:
        for folder, name, content in (("tables", "rivers", table), ("claims", "geography", entries)):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / f"{name}.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return tmp_path

    return write_set


def test_true_false_and_null_are_the_three_labels(write: Write) -> None:
    false = LONGEST | {"id": "rivers-02", "claim": "The Bel is the longest.", "rule": "1 = 2"}
    empty = LONGEST | {
        "id": "rivers-03",
        "claim": "A ferry crosses the Arn.",
        "rule": FERRY,
        "missing": "ferry",
    }
    absent = LONGEST | {"id": "rivers-04", "claim": "The Arn floods.", "rule": None, "missing": "floods"}
    labels = [claim.label for claim in load(write(TABLE, [LONGEST, false, empty, absent]))]
    assert labels == [LABELS[0], LABELS[1], LABELS[2], LABELS[2]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rule": "(SELECT width FROM t)"}, "rivers-02: the rule does not run"),
        ({"rule": "(SELECT max(length_km) FROM t)"}, "rivers-02: the rule gives 30.0"),
        ({"rule": FERRY}, "rivers-02: the rule gives None, and `missing` is None"),
        ({"missing": "longest"}, "rivers-02: the rule gives True, and `missing` is 'longest'"),
        ({"rule": None, "missing": "widest"}, "rivers-02: `missing` is not in the claim"),
        ({"id": "rivers-01"}, "rivers-01: the id stands twice"),
        ({"claim": "the Cor is the longest."}, "rivers-02: the claim stands twice"),
        ({"table": "lakes"}, "rivers-02: no table `lakes`"),
        ({"kind": "guess"}, "kind"),
    ],
)
def test_a_wrong_claim_is_named_with_its_file(write: Write, change: dict[str, Any], message: str) -> None:
    second = LONGEST | {"id": "rivers-02", "claim": "No river is longer than the Cor, the longest."}
    folder = write(TABLE, [LONGEST, second | change])
    with pytest.raises(ClaimSetError) as error:
        load(folder)
    assert str(folder / "claims" / "geography.yaml") in str(error.value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": TABLE["rows"][:4]}, "4 rows and 3 columns"),
        ({"rows": [*TABLE["rows"][:4], ["Esk", "7"]]}, "row 5: 2 cells; write 3"),
        (
            {"typed": {"river": {"type": "VARCHAR", "values": ["Arn"]}}},
            "typed column river: 1 values; write 5",
        ),
    ],
)
def test_a_wrong_table_is_named(write: Write, change: dict[str, Any], message: str) -> None:
    folder = write(TABLE | change, [LONGEST])
    with pytest.raises(ClaimSetError) as error:
        load(folder)
    assert f"{folder / 'tables' / 'rivers.yaml'}: {message}" in str(error.value)


def test_stale_counts_are_an_error(claims: list[Claim], tmp_path: Path) -> None:
    shutil.copy(FOLDER / "README.md", tmp_path)
    with pytest.raises(ClaimSetError, match="the counts are not those of the claims"):
        check_readme(claims[1:], tmp_path)

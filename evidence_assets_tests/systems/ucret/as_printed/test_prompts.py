"""UCRET's arms as printed: what prompts show of the thesis's example (3.3.2), and how replies are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.models.generation.protocol import Request
from evidence_assets.reading.prompting.prompt_files import (
    UCRET_ANSWER,
    UCRET_LABEL,
    UCRET_OPTION,
    UCRET_VERDICT,
)
from evidence_assets.reading.prompting.replies import PARSED, UNPARSEABLE
from evidence_assets.systems.ucret.arms import PRINTED_SETTINGS, arms
from evidence_assets.systems.ucret.as_printed.prompts import PrintedLabel
from evidence_assets.systems.ucret.prompted import read_prompted
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded
from evidence_assets_tests.testing.ucret_samples import (
    ANIMALS,
    BENCHMARK,
    THREE,
    ResultRows,
    Rows,
    claims,
    findings,
    prepared,
    question,
)

ARMS = arms(["scripted"])
CLAIM = '"The actuarial balance of the OASI is less negative than the OASDI."'
COLLAPSED = """
| Item | OASI | OASDI |
|-----|-----|-----|
| Actuarial balance shown in the 2019 Report | -2.67 | -2.78 |
| Changes in actuarial balance due to changes in: | | |
| - Valuation period | -0.05 | -0.05 |
| - Demographic data and assumptions | -0.12 | -0.13 |
| - Economic data and assumptions | -0.16 | -0.18 |
| - Disability data and assumptions | -0.01 | 0.05 |
| - Methods and programmatic data | -0.02 | 0.00 |
| Total change in actuarial balance | -0.47 | -0.43 |
| Actuarial balance shown in the 2020 Report | -3.14 | -3.21 |
"""
CAPTION = "Actuarial Balance (OASI vs. OASDI)"
EXPLANATIONS = {
    "SUPPORTS": "OASI has an actuarial balance of -2.67 in the 2019 Report, while OASDI is -2.78.",
    "REFUTES": "The total change in actuarial balance is -0.47 for OASI versus -0.43 for OASDI.",
    "NOT ENOUGH INFORMATION": "It does not define the precise evaluation criterion.",
}


def spaced(text: str) -> str:
    return " ".join(text.split())


def prompt_text(request: Request) -> str:
    return spaced(f"{request.system}\n{request.user}")


def read(
    folder: Path, rows: Rows, tables: Sequence[Table], arm: str, kept_columns: Sequence[int], answer: str
) -> tuple[ResultRows, list[Request]]:
    """An arm's reading of tables collapsed to these columns; explanations as the thesis has them."""
    questions, by_id, collapsed = prepared(rows, tables, ARMS[arm].filter)
    collapsed_rows = collapsed.to_pylist()
    for row in collapsed_rows:
        for column in row["columns"]:
            column["kept"] = column["column"] in kept_columns

    def script(request: Request) -> str:
        if request.task in (UCRET_VERDICT, UCRET_ANSWER):
            return answer
        if request.task == UCRET_OPTION:
            return "It stands there."
        prompt = request.system
        return EXPLANATIONS[
            THREE[0] if "supports the" in prompt else THREE[1] if "refutes the" in prompt else THREE[2]
        ]

    generator = ScriptedGenerator(script)
    recording, _ = recorded(generator, folder)
    kept_table = pa.Table.from_pylist(collapsed_rows, schema=collapsed.schema)
    experiment = read_prompted(questions, by_id, kept_table, recording, ARMS[arm], BENCHMARK, "7")
    assert findings(experiment, folder / "found") == []
    return ResultRows(experiment), generator.requests


def test_explanations_and_decision_see_the_claim_and_the_collapsed_table(tmp_path: Path) -> None:
    """Equations 3.2 to 3.6; no explanation sees another."""
    lines = [line for line in COLLAPSED.strip().splitlines() if not line.startswith("|--")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    # The whole table has a column before those that are kept, and one after.
    header, *body = [["x", *row, "y"] for row in cells]
    table = make_table("balance", CAPTION, [["Line", *header[1:4], "Note"]], body)
    results, requests = read(
        tmp_path, claims(CLAIM, table="balance"), [table], "paper@scripted", (1, 2, 3), "SUPPORTS"
    )
    assert [request.task for request in requests] == [UCRET_LABEL] * 3 + [UCRET_VERDICT]
    table_shown = f"[Collapsed Evidence Table: {CAPTION}] {COLLAPSED}"
    shown = spaced(f"<claim> {CLAIM} </claim> <table> {table_shown} </table> <verdict>")
    assert all(shown in prompt_text(request) for request in requests)
    *explaining, deciding = requests
    assert len({request.system for request in explaining}) == 3
    for verdict, explanation in EXPLANATIONS.items():
        both = f"<verdict> {verdict} </verdict> <explanation> {explanation} </explanation>"
        assert both in prompt_text(deciding)
        assert not any(explanation in prompt_text(request) for request in explaining)
    assert [request.sampling.max_tokens for request in requests] == [1_024, 1_024, 1_024, 32]
    row = results.predictions["q0"]
    assert (row["predicted"], row["parse_status"]) == ("SUPPORTS", PARSED)
    # The printed prompts ask for no citation: none is made up.
    assert {chain["citation_status"] for chain in results.rows["chains"]} == {"nothing cited"}


def test_a_question_is_answered_by_the_letter_of_an_option(tmp_path: Path) -> None:
    """Equations 4.5, 4.6."""
    rows = [question("q0", "What does the otter eat?", ["lemmings", "sea urchins"], 1, "animals")]
    results, requests = read(tmp_path, rows, [ANIMALS], "js_paper@scripted", (0, 1), "B.")
    assert [request.task for request in requests] == [UCRET_OPTION] * 2 + [UCRET_ANSWER]
    for request in requests:
        assert "| Otter | sea urchins | | Vole | grass and roots |" in prompt_text(request)
        assert "kelp" not in prompt_text(request), "the filter left this column out"
    explained = '<explanation letter="{}"> It stands there. </explanation>'
    for letter, option in zip("AB", ("lemmings", "sea urchins"), strict=True):
        both = f'<option letter="{letter}"> {option} </option> {explained.format(letter)}'
        assert both in prompt_text(requests[-1])
    assert "one label and nothing else: A or B." in prompt_text(requests[-1])
    assert results.predictions["q0"]["correct"]


@pytest.mark.parametrize(
    ("reply", "index"),
    [
        ("SUPPORTS", 0),
        (" refutes.\n", 1),
        ("NOT ENOUGH INFORMATION", 2),
        ("The label is SUPPORTS", None),
        ("SUPPORTS or REFUTES", None),
        ("", None),
        ("A", None),
    ],
)
def test_a_reply_is_one_label_and_nothing_else(reply: str, index: int | None) -> None:
    decision = PrintedLabel(UCRET_VERDICT).read(reply, THREE, False)
    assert (decision.index, decision.status) == (index, UNPARSEABLE if index is None else PARSED)


def test_the_arms_of_the_thesis_are_read_by_its_prompts() -> None:
    printed = {name.partition("@")[0] for name, arm in ARMS.items() if arm.printed}
    assert printed == {*PRINTED_SETTINGS, "paper_no_column_filtering"}
    assert ARMS["paper_no_column_filtering@scripted"].filter == "no_column_filtering"

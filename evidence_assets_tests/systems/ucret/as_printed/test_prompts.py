"""UCRET's prompts, held to the thesis's examples (3.3.2) word for word, and how replies are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.models.generation.protocol import Request
from evidence_assets.reading.prompt_files import UCRET_ANSWER, UCRET_LABEL, UCRET_OPTION, UCRET_VERDICT
from evidence_assets.reading.replies import PARSED, UNPARSEABLE
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
    Rows,
    Told,
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
EXPLAIN_SUPPORTS = f"""
You are an expert for fact verification.
Your task is to explain why the given claim is supported by the
evidence in the table representation.

Claim: {CLAIM}

Table Representation:
[Collapsed Evidence Table: {CAPTION}]
{COLLAPSED}
Step-by-step, identify the relevant facts, data points, or rows in
the table that directly confirm or strongly align with the claim
Clearly explain how each piece of evidence contributes to verifying
the claim.
Your explanation should be logical, precise, and grounded in specific table content.
"""
EXPLANATIONS = {
    "SUPPORTS": "OASI has an actuarial balance of -2.67 in the 2019 Report, while OASDI is -2.78.",
    "REFUTES": "The total change in actuarial balance is -0.47 for OASI versus -0.43 for OASDI.",
    "NOT ENOUGH INFORMATION": "It does not define the precise evaluation criterion.",
}
DECIDE = f"""
You are an expert fact-checker.

You will be given:

- A claim.
- Evidence presented in a table format.
- Three different explanations concerning how this evidence relates to the claim.
 - One assumes the evidence SUPPORTS the claim,
 - One assumes it REFUTES the claim,
 - One assumes it is NOT ENOUGH INFORMATION.

Your task is to evaluate whether the provided claim is supported, refuted, or lacks sufficient information
based on the given table evidence and explanation.

Input:

Claim: {CLAIM}
Evidence:
[Collapsed Evidence Table: {CAPTION}]
{COLLAPSED}
Explanation (SUPPORTS): {EXPLANATIONS["SUPPORTS"]}
Explanation (REFUTES): {EXPLANATIONS["REFUTES"]}
Explanation (NEI): {EXPLANATIONS["NOT ENOUGH INFORMATION"]}

Task:

1. Analyze the claim, evidence, and explanation.
2. Determine if the explanation and evidence together:
 - Support the claim (confirm it as true).
 - Refute the claim (contradict or disprove it).
 - Lack sufficient information (do not provide enough data to confirm or refute the claim).
3. Make a final decision about the claim's veracity based on this comparison.

Answer with only one label: NOT ENOUGH INFORMATION, REFUTES, or SUPPORTS.
"""


def spaced(text: str) -> str:
    return " ".join(text.split())


def asked(request: Request) -> str:
    return spaced(f"{request.system}\n{request.user}")


def read(
    folder: Path, rows: Rows, tables: Sequence[Table], arm: str, kept: Sequence[int], answer: str
) -> tuple[Told, list[Request]]:
    """An arm's reading of tables collapsed to these columns; explanations as the thesis has them."""
    questions, by_id, collapsed = prepared(rows, tables, ARMS[arm].filter)
    collapsed_rows = collapsed.to_pylist()
    for row in collapsed_rows:
        for column in row["columns"]:
            column["kept"] = column["column"] in kept

    def script(request: Request) -> str:
        if request.task in (UCRET_VERDICT, UCRET_ANSWER):
            return answer
        if request.task == UCRET_OPTION:
            return "It stands there."
        said = request.system
        return EXPLANATIONS[
            THREE[0] if "supported" in said else THREE[1] if "refuted by" in said else THREE[2]
        ]

    generator = ScriptedGenerator(script)
    recording, _ = recorded(generator, folder)
    kept_table = pa.Table.from_pylist(collapsed_rows, schema=collapsed.schema)
    experiment = read_prompted(questions, by_id, kept_table, recording, ARMS[arm], BENCHMARK, "7")
    assert findings(experiment, folder / "found") == []
    return Told(experiment), generator.requests


def test_explanations_and_decision_are_asked_for_word_for_word(tmp_path: Path) -> None:
    """Equations 3.2 to 3.6: each explanation, and the decision, sees the claim and the collapsed table."""
    lines = [line for line in COLLAPSED.strip().splitlines() if not line.startswith("|--")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    # The whole table has a column before those that are kept, and one after.
    header, *body = [["x", *row, "y"] for row in cells]
    table = make_table("balance", CAPTION, [["Line", *header[1:4], "Note"]], body)
    told, requests = read(
        tmp_path, claims(CLAIM, table="balance"), [table], "paper@scripted", (1, 2, 3), "SUPPORTS"
    )
    assert [request.task for request in requests] == [UCRET_LABEL] * 3 + [UCRET_VERDICT]
    [supports] = [request for request in requests if "is supported" in request.system]
    assert asked(supports) == spaced(EXPLAIN_SUPPORTS)
    assert asked(requests[-1]) == spaced(DECIDE)
    assert [request.sampling.max_tokens for request in requests] == [1_024, 1_024, 1_024, 32]
    row = told.predictions["q0"]
    assert (row["predicted"], row["parse_status"]) == ("SUPPORTS", PARSED)
    # The printed prompts ask for no citation: none is made up.
    assert {chain["citation_status"] for chain in told.rows["chains"]} == {"nothing cited"}


def test_a_question_is_answered_by_the_letter_of_an_option(tmp_path: Path) -> None:
    """Equations 4.5, 4.6."""
    rows = [question("q0", "What does the otter eat?", ["lemmings", "sea urchins"], 1, "animals")]
    told, requests = read(tmp_path, rows, [ANIMALS], "js_paper@scripted", (0, 1), "B.")
    assert [request.task for request in requests] == [UCRET_OPTION] * 2 + [UCRET_ANSWER]
    for request in requests:
        assert "| Otter | sea urchins | | Vole | grass and roots |" in asked(request)
        assert "kelp" not in asked(request), "the filter left this column out"
    assert "A) lemmings B) sea urchins" in asked(requests[-1])
    assert asked(requests[-1]).endswith("Answer with only one label: A, or B.")
    assert told.predictions["q0"]["correct"]


@pytest.mark.parametrize(
    ("said", "index"),
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
def test_a_reply_is_one_label_and_nothing_else(said: str, index: int | None) -> None:
    decision = PrintedLabel(UCRET_VERDICT).read(said, THREE, False)
    assert (decision.index, decision.status) == (index, UNPARSEABLE if index is None else PARSED)


def test_the_arms_of_the_thesis_are_read_by_its_prompts() -> None:
    printed = {name.partition("@")[0] for name, arm in ARMS.items() if arm.printed}
    assert printed == {*PRINTED_SETTINGS, "paper_no_column_filtering"}
    assert ARMS["paper_no_column_filtering@scripted"].filter == "no_column_filtering"

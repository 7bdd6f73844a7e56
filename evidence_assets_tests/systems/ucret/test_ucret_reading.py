"""UCRET without a language model: verdicts, options, and the cells that they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from evidence_assets.evidence.experiment import Experiment
from evidence_assets.systems.ucret.arms import (
    ARMS,
    BASELINE_ARM,
    COMPARED_WITH,
    DEFAULT_ARM,
    DEFAULT_FILTER,
    EXECUTOR,
    GUESSING_ARMS,
    KEPT_EXECUTOR,
    WHOLE,
)
from evidence_assets.systems.ucret.reading import (
    LEANING,
    MOST_CELLS,
    NO_TABLE,
    UNDECIDED,
    read_benchmark,
    units_of_program,
)
from evidence_assets.systems.ucret.report import of_experiment
from evidence_assets.tables.claim_only import THREE as CLAIMS_OF_THREE
from evidence_assets.tables.claim_only import classifiers
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table, address
from evidence_assets_tests.testing.ucret_samples import (
    ANIMALS,
    BENCHMARK,
    MEASLES,
    STONES,
    THREE,
    TWO,
    ResultRows,
    Rows,
    WordEncoder,
    claims,
    findings,
    prepared,
    question,
)

EACH_READER = pytest.mark.parametrize("arm", [DEFAULT_ARM, f"full@{KEPT_EXECUTOR}", BASELINE_ARM])


def read(rows: Rows, tables: Sequence[Table] = (MEASLES,), arm: str = DEFAULT_ARM) -> Experiment:
    questions, by_id, collapsed = prepared(rows, tables, ARMS[arm].filter)
    return read_benchmark(questions, by_id, collapsed, WordEncoder(), ARMS[arm], BENCHMARK, "7")


def verdict(results: ResultRows, key: str = "q0") -> str:
    return str(results.predictions[key]["predicted"])


def test_a_claim_is_supported_or_refuted_by_a_program() -> None:
    results = ResultRows(read(claims("Quebec had 94 cases", "Ontario had the highest number of cases")))
    assert [verdict(results, key) for key in ("q0", "q1")] == ["SUPPORTS", "REFUTES"]
    for key, correct in (("q0", True), ("q1", False)):
        row = results.predictions[key]
        assert (row["correct"], row["generator"], row["tie_break"]) == (correct, EXECUTOR, "none")
        assert 0 < row["confidence"] <= 1
        assert (row["parse_status"], row["abstained"], row["code_version"]) == ("parsed", False, "7")
    assert "Number of cases = 94" in results.predictions["q0"]["raw_output"]


@pytest.mark.parametrize("arm", GUESSING_ARMS)
def test_a_baseline_without_the_table_is_given_none_of_it(arm: str, tmp_path: Path) -> None:
    """Its answer stands in the lake beside ours; the question speaks for it, no cell, row or column."""
    rows = [*claims("Quebec had 94 cases"), *claims("Ontario had 53 cases", labels=TWO)]
    rows[1]["question_id"] = "two"
    rows += [question("open", "How many cases?", []), question("gone", "x", THREE, 0, "gone")]
    results = ResultRows(read(rows, arm=arm))
    changed_table = make_table("measles", "", [["A", "B"]], [["x", "y"]])
    assert results.predictions == ResultRows(read(rows, [changed_table], arm)).predictions
    assert results.rows["chains"] == results.rows["selected_evidence"] == []
    assert [row["source_table"] for row in results.rows["evidence"]] == ["questions"] * len(rows)
    assert findings(read(rows, arm=arm), tmp_path) == []
    assert {verdict(results), verdict(results, "two")} <= set(THREE)
    assert verdict(results, "two") in TWO
    assert {results.predictions[key]["abstained"] for key in ("open", "gone")} == {True}


def test_baselines_without_the_table_answer_by_what_they_are_named_for() -> None:
    animal_question = question(
        "q0", "Which of them lives in the sea?", ["a sea otter", "a vole"], 0, "animals"
    )
    by_claim = ResultRows(read([animal_question], [ANIMALS], "no_table@claim_only"))
    assert verdict(by_claim) == "a sea otter", "nearest to the question by its words"
    assert ResultRows(read([animal_question], [ANIMALS], "no_table@majority")).predictions["q0"]["abstained"]
    drawn = {
        verdict(
            ResultRows(read([question(f"q{number}", "x", ["a", "b"], 0)], arm="no_table@chance")),
            f"q{number}",
        )
        for number in range(12)
    }
    assert drawn == {"a", "b"}
    likeliest = ResultRows(read(claims("Quebec had 94 cases"), arm="no_table@claim_only")).predictions["q0"]
    judged = classifiers(CLAIMS_OF_THREE).whole.probabilities("Quebec had 94 cases")
    assert likeliest["confidence"] == pytest.approx(max(judged.values()), abs=1e-6)
    assert sum(judged.values()) == pytest.approx(1.0)


def test_every_cheap_baseline_is_compared_with() -> None:
    assert {BASELINE_ARM, *GUESSING_ARMS} < set(COMPARED_WITH)
    assert {arm.partition("@")[2] for arm in GUESSING_ARMS} == {"claim_only", "majority", "chance"}


def test_cells_are_cited_at_their_place_in_the_table() -> None:
    results = ResultRows(read(claims("Quebec had 94 cases")))
    assert set(results.cited("q0", 0)) == {(None, 0), (None, 2), (0, 0), (0, 2)}
    texts = {(row["locator"]["row"], row["locator"]["column"]): row for row in results.used("q0", "cited")}
    assert texts[0, 2]["text"] == "R1.C3: Quebec, Number of cases: 94"
    assert texts[0, 2]["source_key"] == "measles"
    assert (texts[0, 2]["kind"], texts[None, 2]["kind"]) == ("cell", "column")
    assert texts[None, 2]["text"] == "Number of cases"
    for (row, column), unit in texts.items():
        if row is not None:
            written, _, text = unit["text"].partition(": ")
            assert written == address(row, column)
            assert text.endswith(f": {MEASLES.rows[row][column].text}")


def test_a_chain_marks_all_that_it_cites_and_tells_its_program() -> None:
    [chain] = ResultRows(read(claims("Quebec had 94 cases"))).rows["chains"]
    marks = "".join(f"[E{number}]" for number in range(1, len(chain["cited"]) + 1))
    assert chain["text"].endswith(f" {marks}")
    assert chain["text"].startswith("co-occurrence by row: ")
    assert {part["name"] for part in chain["score_parts"]} == {"coverage", "confidence"}


def test_a_program_that_finds_no_row_cites_what_the_row_it_names_has_instead() -> None:
    """No row has Ontario and 94: Ontario's has another number."""
    results = ResultRows(read(claims("The number of cases in Ontario is 94")))
    assert verdict(results) == "REFUTES"
    assert results.cited("q0", 1) == [(None, 0), (None, 2), (1, 0), (1, 2)]
    assert results.chains("q0")[1]["citation_status"] == "valid"


def test_where_nothing_need_be_answered_the_confidence_is_of_tables_of_unknown_domains() -> None:
    claim = "Quebec had 94 cases"
    verified = verify(claim, MEASLES)
    three, two = (ResultRows(read(claims(claim, labels=labels))).predictions["q0"] for labels in (THREE, TWO))
    assert three["predicted"] == two["predicted"] == "SUPPORTS"
    assert three["confidence"] == pytest.approx(verified.reliability)
    assert two["confidence"] == pytest.approx(verified.confidence)
    assert verified.reliability < verified.confidence


def test_words_that_the_table_lacks_are_not_enough_information() -> None:
    """Nothing is found, or something in so few of the words that it does not count."""
    claim = "Quebec quarantined 94 travelling merchants aboard wooden steamships near Halifax harbour"
    three = ResultRows(read(claims("Purple zebras sing", claim)))
    assert [verdict(three, key) for key in ("q0", "q1")] == [THREE[2], THREE[2]]
    for row in three.predictions.values():
        assert (row["confidence"], row["tie_break"]) == (None, "none")
    nothing, something = (three.predictions[key]["raw_output"] for key in ("q0", "q1"))
    assert nothing == "no program is true or false of it"
    assert something.endswith(", which comes to REFUTES, but a name is left that nothing tells of")
    two = ResultRows(read(claims("Purple zebras sing", claim, labels=TWO)))
    assert two.predictions["q0"]["tie_break"] == UNDECIDED
    assert verdict(two) == "REFUTES"
    # A row holds Quebec and 94; of what no column and no meaning tells the place is named.
    assert (verdict(two, "q1"), two.predictions["q1"]["tie_break"]) == ("REFUTES", LEANING)
    assert two.predictions["q1"]["confidence"] is None
    assert "Halifax" in two.predictions["q1"]["unaccounted"]
    bound = {binding["text"]: binding["role"] for binding in two.predictions["q1"]["bindings"]}
    assert bound["Quebec"] == "evidence"


def test_verdicts_are_read_in_any_order_and_case() -> None:
    labels = ["refutes", "Not enough information", "supports"]
    results = ResultRows(read(claims("Quebec had 94 cases", "Purple zebras sing", labels=labels)))
    assert [verdict(results, key) for key in ("q0", "q1")] == ["supports", "Not enough information"]


def test_options_that_are_no_verdicts_on_a_claim_are_options() -> None:
    """ "Refutes" alone is a word like another."""
    rows = [question("q0", "What does the otter eat?", ["REFUTES", "NOT ENOUGH INFORMATION"], 0, "animals")]
    results = ResultRows(read(rows, [ANIMALS]))
    row = results.predictions["q0"]
    assert (row["parse_status"], row["raw_output"].partition(": ")[0]) == ("parsed", "Answer")


WIDE = make_table(
    "wide",
    "Rivers",
    [["River", "Source", "Mouth", "Length", "Countries"]],
    [
        ["Danube", "Black Forest", "Black Sea", "2850", "10"],
        ["Rhine", "Alps", "North Sea", "1230", "6"],
        ["Elbe", "Giant Mountains", "North Sea", "1094", "2"],
    ],
)


def test_the_arm_that_sees_kept_columns_cites_cells_of_the_whole_table() -> None:
    rows = claims("The Danube has 10 countries", table="wide")
    arm = f"full@{KEPT_EXECUTOR}"
    _, _, collapsed = prepared(rows, [WIDE], ARMS[arm].filter)
    shown_columns = [column["column"] for column in collapsed.to_pylist()[0]["columns"] if column["kept"]]
    assert shown_columns[-1] == 4
    assert shown_columns != list(range(5)), "nothing is left out: nothing is shown"
    narrow, full = ResultRows(read(rows, [WIDE], arm)), ResultRows(read(rows, [WIDE]))
    assert verdict(narrow) == verdict(full) == "SUPPORTS"
    assert {(0, 0), (0, 4)} <= set(narrow.cited("q0", 0)) == set(full.cited("q0", 0))
    cells = {row["text"] for row in narrow.used("q0", "cited") if row["kind"] == "cell"}
    assert cells == {"R1.C1: River: Danube", "R1.C5: Danube, Countries: 10"}
    assert {row["source_key"] for row in narrow.rows["evidence"]} == {"wide"}


def test_what_the_filter_hides_is_hidden_from_that_arm_alone() -> None:
    rows = claims("The Danube has 10 countries", table="wide")
    questions, by_id, collapsed = prepared(rows, [WIDE], DEFAULT_FILTER)
    [row] = collapsed.to_pylist()
    for column in row["columns"]:
        column["kept"] = column["column"] in (0, 1)
    narrowed = collapsed.from_pylist([row], schema=collapsed.schema)
    arms = (ARMS[f"full@{KEPT_EXECUTOR}"], ARMS[DEFAULT_ARM])
    blind, seeing = (
        ResultRows(read_benchmark(questions, by_id, narrowed, WordEncoder(), arm, BENCHMARK, "7"))
        for arm in arms
    )
    assert verdict(seeing) == "SUPPORTS"
    assert verdict(blind) != "SUPPORTS"
    assert {place[1] for chain in blind.chains("q0") for place in blind.cited("q0", chain)} <= {0, 1}


def test_the_numbers_of_mixed_cells_can_be_columns_of_their_own() -> None:
    """Figure 3.7: a cell that holds the size of the study and of a group in it."""
    rows = [
        ["Black", "177 in all, 59 cases"],
        ["Makela", "535544 in all, 161 cases"],
        ["Smith", "90 in all, 4 cases"],
    ]
    studies = make_table("studies", "Studies", [["Study", "Sample"]], rows)
    claim_rows = claims(
        "Makela had the highest sample (1)", "Smith had the highest sample (1)", table="studies"
    )
    results = ResultRows(read(claim_rows, [studies], "split_cells@extractive"))
    assert [verdict(results, key) for key in ("q0", "q1")] == ["SUPPORTS", "REFUTES"]
    # What is cited stands in the table as published: there is no third column.
    assert {column for chain in results.chains("q0") for _, column in results.cited("q0", chain)} <= {0, 1}


def test_several_supported_options_are_told_and_none_is_chosen() -> None:
    """Figure 4.3: two animals of the table are carnivores."""
    rows = [["Andean cat", "carnivore"], ["Arctic fox", "carnivore"], ["Alpaca", "herbivore"]]
    animals = make_table("animals", "Animals", [["Animal", "Diet"]], rows)
    options = ["Andean cat", "Arctic fox", "Alpaca"]
    prepared_rows = [question("q0", "Which animal is a carnivore?", options, table="animals")]
    chosen = ResultRows(read(prepared_rows, [animals]))
    assert chosen.predictions["q0"]["predicted"] in ("Andean cat", "Arctic fox")
    results = ResultRows(read(prepared_rows, [animals], "all_supported@extractive"))
    row = results.predictions["q0"]
    assert (row["predicted"], row["abstained"]) == (None, True)
    assert row["parse_status"].endswith(": A, B")


def test_more_cells_than_can_be_followed_are_cited_as_columns() -> None:
    def table(rows: int) -> Table:
        cells = [
            [f"Town {chr(65 + number // 26)}{chr(65 + number % 26)}", str(number)] for number in range(rows)
        ]
        return make_table("towns", "Towns", [["Town", "Inhabitants"]], cells)

    claim = "Town AA had the lowest inhabitants"
    few, many = (
        ResultRows(read(claims(claim, table="towns"), [table(rows)]))
        for rows in (MOST_CELLS // 2, 2 * MOST_CELLS)
    )
    assert any(row is not None for row, _ in few.cited("q0", 0))
    assert many.cited("q0", 0) == [(None, 0), (None, 1)]
    assert [unit["text"] for unit in many.used("q0", "cited")] == ["Town", "Inhabitants"]
    assert verdict(few) == verdict(many) == "SUPPORTS"


def test_as_many_cells_as_can_be_followed_are_cited_each_once() -> None:
    places = [(row, column) for row in range(2) for column in range(2)]
    assert len(units_of_program(MEASLES, [*places, *places])) == len(places)
    tall = make_table("tall", "", [["k", "v"]], [[f"name {n}", str(n)] for n in range(MOST_CELLS)])
    cells = [(row, 0) for row in range(MOST_CELLS)]
    assert {unit.kind for unit in units_of_program(tall, cells)} == {"cell"}
    assert [unit.kind for unit in units_of_program(tall, [*cells, (0, 1)])] == ["column", "column"]


def test_the_baseline_takes_a_claim_for_true_whose_words_stand_in_one_row() -> None:
    """Of those that stand in the table at all."""
    wordings = ("The measles of Quebec: 94", "Quebec 53", "and the of")
    results = ResultRows(read(claims(*wordings), arm=BASELINE_ARM))
    assert [verdict(results, key) for key in ("q0", "q1", "q2")] == ["SUPPORTS", "REFUTES", "REFUTES"]
    assert results.cited("q0", 0) == [(0, None)]
    [row] = results.used("q0", "cited")
    assert row["text"] == "Quebec 2007 94 24"
    assert results.chains("q0")[0]["score"] == 1.0
    assert results.chains("q1")[1]["score"] == 0.5
    # Without a word there is no row to cite; the shown columns are what was given.
    assert results.chains("q2") == {}
    assert results.used("q2", "given")


DIETS = [
    question("otter", "What does the otter eat?", ["lemmings", "sea urchins", "grass"], 1, "animals"),
    question("fox", "Where does the arctic fox live?", ["tundra", "meadow"], 0, "animals"),
]
STORE = [
    question("salt", "What is rock salt made of?", ["sodium and chlorine", "silicon"], 0, None),
    question("vole", "What does the vole eat?", ["lemmings", "grass and roots"], 1, None),
]


@EACH_READER
def test_options_are_answered_from_rows_of_one_table_or_of_all(arm: str) -> None:
    results = ResultRows(read([*DIETS, *STORE], [ANIMALS, STONES], arm))
    assert {key: row["correct"] for key, row in results.predictions.items()} == dict.fromkeys(
        ("otter", "fox", "salt", "vole"), True
    )
    sources = {row["source_key"] for key in ("otter", "fox") for row in results.used(key, "cited")}
    assert sources == {"animals"}
    for key, table, row, text in (
        ("salt", "stones", 1, "Rock salt sodium and chlorine"),
        ("vole", "animals", 1, "Vole grass and roots meadow"),
    ):
        chosen = results.chains(key)[results.predictions[key]["predicted_index"]]
        first = results.evidence[chosen["cited"][0]]
        assert (first["source_key"], first["locator"]["row"], first["text"]) == (table, row, text)
        assert first["locator"]["column"] is None
    # A question of the store is shown no columns of any table.
    assert all(row["locator"]["row"] is not None for row in results.used("salt", "given"))


def test_every_option_that_the_rows_support_is_told() -> None:
    rows = [["Andean cat", "carnivore"], ["Arctic fox", "carnivore"], ["Hare", "herbivore"]]
    diets = make_table("diets", "Diets", [["Animal", "Diet"]], rows)
    diet_question = question(
        "q0", "Which of the following is a carnivore?", ["Andean cat", "Hare", "Arctic fox"], 2, "diets"
    )
    results = ResultRows(read([diet_question], [diets]))
    assert results.predictions["q0"]["raw_output"].endswith("; supported: A, C")


def test_an_exception_is_what_the_rows_do_not_support() -> None:
    options = ["sea urchins", "lemmings"]
    plain = question("q0", "What does the otter eat?", options, 0, "animals")
    turned = question("q1", "Which of these does the otter NOT eat?", options, 1, "animals")
    results = ResultRows(read([plain, turned], [ANIMALS]))
    assert [row["predicted"] for row in results.predictions.values()] == options


@EACH_READER
def test_questions_without_options_are_answered_by_values_where_accounted_for(arm: str) -> None:
    rows = [question("open", "How many cases had Quebec?", []), question("odd", "Why do zebras sing?", [])]
    results = ResultRows(read(rows, arm=arm))
    assert results.predictions["odd"]["abstained"] and not results.chains("odd")
    selected = [row for row in results.rows["selected_evidence"] if row["question_id"] == "open"]
    assert [row["rank"] for row in selected] == list(range(1, len(selected) + 1))
    if arm.endswith("@nearest"):
        assert results.predictions["open"]["abstained"]
        return
    assert (results.predictions["open"]["abstained"], results.predictions["open"]["unaccounted"]) == (
        False,
        [],
    )
    assert results.predictions["open"]["predicted"] == "94"
    [chain] = results.chains("open").values()
    assert chain["citation_status"] == "valid"


@EACH_READER
def test_a_question_whose_table_could_not_be_used_is_abstained_on(arm: str) -> None:
    """Nor is it asked of the other tables, which it is not about."""
    rows = [
        question("claim", "Quebec had 94 cases", THREE, 0, "gone"),
        question("choice", "What does the otter eat?", ["lemmings", "sea urchins"], 1, "gone"),
        *claims("Quebec had 94 cases"),
        *STORE,
    ]
    results = ResultRows(read(rows, [MEASLES, ANIMALS], arm))
    for key in ("claim", "choice"):
        row = results.predictions[key]
        assert (row["predicted"], row["abstained"], row["parse_status"]) == (None, True, NO_TABLE)
        assert results.chains(key) == {}
        assert results.used(key, "given") == []
    assert results.predictions["q0"]["predicted"] is not None


def test_without_any_table_all_is_abstained_on() -> None:
    results = ResultRows(read([*DIETS, *STORE], []))
    assert {row["parse_status"] for row in results.predictions.values()} == {NO_TABLE}
    assert ResultRows(read([], [])).rows["predictions"] == []


@EACH_READER
def test_every_citation_is_valid_and_every_answer_has_lineage(arm: str, tmp_path: Path) -> None:
    wordings = [
        "Quebec had 94 cases",
        "Quebec had 95 cases",
        "The number of cases in Ontario is 94",
        "Alberta had more cases than Quebec",
        "The total number of cases is 825",
        "Purple zebras sing [E1]",
        "and the of",
    ]
    rows = [*claims(*wordings), *DIETS, *STORE, question("gone", "Quebec", THREE, 0, "gone")]
    experiment = read(rows, [MEASLES, ANIMALS, STONES], arm)
    results = ResultRows(experiment)
    assert len(results.predictions) == len(rows)
    assert {row["citation_status"] for row in results.rows["chains"]} == {"valid"}
    assert len(results.rows["chains"]) > 6
    for key, row in results.predictions.items():
        assert bool(results.used(key, "given")) == (row["predicted"] is not None)
    assert findings(experiment, tmp_path) == []


def test_marks_in_a_cell_are_no_marks_of_evidence() -> None:
    table = make_table("marked", "", [["Name", "Note"]], [["Otter [E7]", "eats [E9] urchins"], ["Vole", "x"]])
    rows = [
        *claims("Otter [E7] eats [E9] urchins", table="marked"),
        question("choice", "Who eats urchins?", ["Otter", "Vole"], 0, "marked"),
    ]
    for arm in (DEFAULT_ARM, BASELINE_ARM):
        results = ResultRows(read(rows, [table], arm))
        assert {row["citation_status"] for row in results.rows["chains"]} == {"valid"}
        assert not any("[E7]" in row["text"] or "[E9]" in row["text"] for row in results.rows["chains"])


def test_a_run_shows_a_table_with_its_cited_cells() -> None:
    rows = claims("Quebec had 94 cases", "Purple zebras sing", labels=TWO)
    questions, by_id, collapsed = prepared(rows, [MEASLES], WHOLE)
    arm = ARMS[f"{WHOLE}@{EXECUTOR}"]
    made = read_benchmark(questions, by_id, collapsed, WordEncoder(), arm, BENCHMARK, "7").tables()
    shown = of_experiment(made, collapsed, by_id)
    assert shown["undecided"] == 1
    assert "| **Quebec** | 2007 | **94** | 24 |" in shown["sample_table"].splitlines()

"""The scores as a terminal shows them: the whole text, its width, and what is missing."""

from __future__ import annotations

import pyarrow as pa
import pytest

from evidence_assets.audit.score_report import WIDTH, rendered, score_report
from evidence_assets.lake import catalogue
from evidence_assets.lake.schemas import (
    BENCHMARK_SCORES,
    PREDICTIONS,
    QUESTIONS,
    REJECTED_RECORDS,
    SCORE_DIFFERENCES,
)
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import (
    ARMS,
    BENCHMARK,
    SYSTEM,
    TinyLake,
    add_questions,
    experiment_partition,
    score_row,
    tiny_question,
)


def scores(tiny: TinyLake, *benchmarks: str) -> list[str]:
    with catalogue.connect(tiny.lake) as connection:
        lines = rendered(score_report(connection, benchmarks)).splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert all(line == line.rstrip() for line in lines)
    return lines


def put(tiny: TinyLake, *rows: dict[str, object], arm: str = ARMS[0], **place: str) -> None:
    partition = experiment_partition(arm) | place
    tiny.lake.write(BENCHMARK_SCORES, partition, table_of(BENCHMARK_SCORES, *rows))


def test_scores_in_percent_with_intervals(tiny: TinyLake) -> None:
    assert scores(tiny, BENCHMARK) == [
        "tiny/bench: 2 questions",
        "in percent, 95 % intervals in brackets; n: the questions that the figures are over",
        "",
        "answers                          n  accuracy          chance  answered  selective  ECE",
        "uscrake/full@extractive          2  50.0 [9.5, 90.5]  50.0    -         -          -",
        "uscrake/no_attention@extractive  2  50.0 [9.5, 90.5]  50.0    -         -          -",
    ]


def test_gold_that_the_corpus_lacks_stands_beside_recall(tiny: TinyLake) -> None:
    put(tiny, score_row(ARMS[0], "recall@5", 0.5, low=0.25, high=0.75), score_row(ARMS[0], "mrr", 0.375))
    gold = [{"title": "", "text": text} for text in ("a", "b", "c")]
    question = {**tiny_question("gold", "What?", ["x", "y"], 0), "gold_evidence": gold}
    tiny.lake.write(QUESTIONS, {"benchmark": BENCHMARK}, table_of(QUESTIONS, question))
    lines = scores(tiny, BENCHMARK)
    assert lines[0] == "tiny/bench: 1 question"
    place = lines.index("gold evidence in the first chunks  n  recall@1  recall@5           recall@15  mrr")
    assert lines[place + 1 : place + 3] == [
        "uscrake/full@extractive            2  -         50.0 [25.0, 75.0]  -          37.5",
        "gold evidence: 3 texts of 1 question; the corpus holds 0; the other 3 count as missed",
    ]


def test_each_arm_stands_against_its_strongest_baseline(tiny: TinyLake) -> None:
    difference = {"system": SYSTEM, "benchmark": BENCHMARK, "arm": ARMS[0], "metric": "accuracy", "n": 2}
    difference |= {"baseline_value": 0.25}
    rows = [
        {**difference, "baseline_arm": "chance", "value": 0.25, "low": -0.1, "high": 0.5}
        | {"is_strongest_baseline": True},
        {**difference, "baseline_arm": ARMS[1], "value": 0.5, "low": 0.1, "high": 0.9}
        | {"is_strongest_baseline": False},
    ]
    place = {"system": SYSTEM, "benchmark": BENCHMARK}
    tiny.lake.write(SCORE_DIFFERENCES, place, pa.Table.from_pylist(rows, schema=SCORE_DIFFERENCES.schema))
    lines = scores(tiny, BENCHMARK)
    place_of = lines.index("against what is cheap    n  accuracy less its     strongest cheap baseline")
    assert lines[place_of + 1] == "uscrake/full@extractive  2  +25.0 [-10.0, +50.0]  chance"
    assert len(lines) == place_of + 2
    put(tiny, score_row(ARMS[0], "accuracy", 0.5), score_row(ARMS[0], "accuracy_over_ties", 0.25))
    assert any("accuracy over ties less its" in line for line in scores(tiny, BENCHMARK))
    tiny.lake.delete(SCORE_DIFFERENCES, place)


def test_a_metric_without_a_value_is_a_dash(tiny: TinyLake) -> None:
    put(tiny, score_row(ARMS[0], "accuracy", None))
    assert scores(tiny, BENCHMARK)[4].split() == ["uscrake/full@extractive", "2", *["-"] * 5]


def test_chance_over_the_questions_with_options_alone_says_over_how_many(tiny: TinyLake) -> None:
    put(
        tiny,
        score_row(ARMS[0], "accuracy", 0.25, n=8),
        score_row(ARMS[0], "chance_accuracy", 0.5, n=3),
    )
    assert scores(tiny, BENCHMARK)[3:5] == [
        "answers                          n  accuracy          chance      answered  selective  ECE",
        "uscrake/full@extractive          8  25.0              50.0 (n 3)  -         -          -",
    ]


def test_what_was_answered_and_how_much_of_it_was_right(tiny: TinyLake) -> None:
    put(
        tiny,
        score_row(ARMS[0], "accuracy", 0.25),
        score_row(ARMS[0], "answered", 0.5),
        score_row(ARMS[0], "selective_accuracy", 0.75, n=1),
    )
    # Of how many questions the line speaks, accuracy says: the selective one is of fewer.
    assert scores(tiny, BENCHMARK)[4].split() == [
        "uscrake/full@extractive",
        "2",
        "25.0",
        "-",
        "50.0",
        "75.0",
        "-",
    ]


@pytest.mark.parametrize(("share", "is_told"), [(0.93, True), (0.05, False)])
def test_an_accuracy_that_rests_on_the_order_of_options_is_told(
    tiny: TinyLake, share: float, is_told: bool
) -> None:
    put(tiny, score_row(ARMS[0], "accuracy", 0.25), score_row(ARMS[0], "tied", share))
    warning = "chose the first of equally good options: uscrake/full@extractive 93% of what they answered"
    assert (warning in scores(tiny, BENCHMARK)) is is_told


def test_systems_with_arms_of_one_name_and_long_names_stay_apart(tiny: TinyLake) -> None:
    long = [f"chunks_and_triples_with_a_very_long_name_{end}@some-large-language-model" for end in "ab"]
    for arm in (*long, ARMS[0]):
        put(tiny, score_row(arm, "accuracy", 0.9, system="another"), arm=arm, system="another")
    lines = scores(tiny, BENCHMARK)
    names = [line.split()[0] for line in lines[4:9]]
    assert len(set(names)) == 5
    assert {"another/full@extractive", "uscrake/full@extractive"} <= set(names)
    assert sum("…" in name for name in names) == 2
    for arm in (*long, ARMS[0]):
        tiny.lake.delete(BENCHMARK_SCORES, experiment_partition(arm) | {"system": "another"})


@pytest.mark.parametrize(
    ("lost", "shown"),
    [
        (
            [("line 1", "no key", None), ("line 2", "no key", None), ("line 3", "not JSON", None)],
            ["left out of tiny/bench: 3 records", "  2: no key", "  1: not JSON"],
        ),
        ([("line 1", "\x1b[2Jno", None)], ["left out of tiny/bench: 1 record", r"  1: \x1b[2Jno"]),
        ([("line 1", "no key", None)], ["left out of tiny/bench: 1 record", "  1: no key"]),
        (
            [("line 1", "no key", None), ("line 2", "no key", None), ("and 5,000 more", "not JSON", 5_000)],
            ["left out of tiny/bench: 5,002 records", "  5,000: not JSON", "  2: no key"],
        ),
        (
            [(f"line {number}", reason, None) for number, reason in enumerate("abcd")],
            ["left out of tiny/bench: 4 records", "  1: a", "  1: b", "  1: c", "  1: d"],
        ),
        (
            [(f"line {number}", reason, None) for number, reason in enumerate("abcde")],
            ["left out of tiny/bench: 5 records", "  1: a", "  1: b", "  1: c", "  2: for 2 other reasons"],
        ),
        (
            [
                ("a.txt", "byte 0, 0xff, is not UTF-8", None),
                ("b.txt", "byte 1,024, 0xb6, is not UTF-8", None),
                ("c.txt", "byte 7 of 9", None),
            ],
            ["left out of tiny/bench: 3 records", "  2: byte …, …, is not UTF-8", "  1: byte 7 of 9"],
        ),
    ],
)
def test_what_was_left_out_is_counted_with_its_reasons(
    tiny: TinyLake, lost: list[tuple[str, str, int | None]], shown: list[str]
) -> None:
    shared = {"source": BENCHMARK, "remedy": "mend it", "source_uri": "q"}
    rows = [
        {**shared, "record": record, "reason": reason, "records": records} for record, reason, records in lost
    ]
    tiny.lake.write(
        REJECTED_RECORDS, {"source": BENCHMARK}, pa.Table.from_pylist(rows, schema=REJECTED_RECORDS.schema)
    )
    lines = [*shown, "each with its place and remedy in the view rejected_records"]
    assert scores(tiny, BENCHMARK)[-len(lines) :] == lines
    tiny.lake.delete(REJECTED_RECORDS, {"source": BENCHMARK})


@pytest.mark.parametrize("benchmark", ["never heard of", ""])
def test_a_benchmark_that_nobody_answered_says_so(tiny: TinyLake, benchmark: str) -> None:
    assert scores(tiny, benchmark) == [
        f"{benchmark}: 0 questions",
        f"no arm was run on it; remedy: evidence-assets demo {benchmark}".rstrip(),
    ]


def test_answers_that_have_no_score_are_not_denied(tiny: TinyLake) -> None:
    for arm in ARMS:
        tiny.lake.delete(BENCHMARK_SCORES, experiment_partition(arm))
    answered = ", ".join(f"{SYSTEM}/{arm}" for arm in sorted(ARMS))
    assert (
        f"answered by {answered}, and not scored yet; remedy: evidence-assets demo {BENCHMARK}"
        in " ".join(scores(tiny, BENCHMARK))
    )


def test_answers_to_questions_without_keys_are_told_and_no_heading_of_figures(tiny: TinyLake) -> None:
    for arm in ARMS:
        place = experiment_partition(arm)
        rows = tiny.lake.read(PREDICTIONS, place).to_pylist()
        keyless = [{**row, "gold": None, "correct": False} for row in rows]
        tiny.lake.write(PREDICTIONS, place, pa.Table.from_pylist(keyless, schema=PREDICTIONS.schema))
        # A row that is no figure: what was cut, say.
        put(tiny, score_row(arm, "tied", 0.0), arm=arm)
    text = " ".join(scores(tiny, BENCHMARK))
    assert "without keys nothing is scored" in text
    assert "in percent" not in text
    assert "no arm was run" not in text


def test_questions_without_a_key_are_told(tiny: TinyLake) -> None:
    keyless = {**tiny_question("open", "Who?", [], None), "answers": []}
    add_questions(tiny.lake, keyless)
    assert scores(tiny, BENCHMARK)[0] == (
        "tiny/bench: 3 questions, 1 of them without a key: answered, and not scored"
    )


def test_arms_that_left_questions_out_are_told(tiny: TinyLake) -> None:
    added = [tiny_question(f"open{number}", "Who?", [], None) for number in range(3)]
    add_questions(tiny.lake, *added)
    assert scores(tiny, BENCHMARK)[-1] == (
        "uscrake/full@extractive and 1 more: 3 questions left out (3 without options)"
    )


def test_predictions_that_were_removed_are_told_and_not_counted_as_left_out(tiny: TinyLake) -> None:
    """Who read no question has a file without rows, and has left them out."""
    first, second = map(experiment_partition, ARMS)
    rows = tiny.lake.read(PREDICTIONS, first)
    tiny.lake.record(tiny.lake.write(PREDICTIONS, second, table_of(PREDICTIONS)), [], "run", "1")
    add_questions(tiny.lake, tiny_question("open", "Who?", [], None))
    written = tiny.lake.write(PREDICTIONS, first, rows.slice(0, 1))
    tiny.lake.record(written, [], "run", "1")
    tiny.lake.delete(PREDICTIONS, first)
    told = " ".join(scores(tiny, BENCHMARK))
    assert (
        f"{SYSTEM}/{ARMS[0]}: its predictions were removed from the lake; remedy: evidence-assets demo "
        f"{BENCHMARK} --arms {SYSTEM}/{ARMS[0]}"
    ) in told
    assert f"{SYSTEM}/{ARMS[1]}: 3 questions left out (2 with options, 1 without options)" in told
    assert told.count("left out") == 1

"""What a person reads at the terminal."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

from evidence_assets.audit.report import example_prediction, score_table, summary_table, trace_report
from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.lake import catalogue
from evidence_assets.lake.schemas import BENCHMARK_SCORES, QUESTIONS, SCORE_DIFFERENCES, TABLES_BY_NAME
from evidence_assets.reading.accounting import account
from evidence_assets_tests.testing.tiny_lake import (
    ARMS,
    BENCHMARK,
    HEART,
    SYSTEM,
    TinyLake,
    experiment_partition,
    question_row,
    rows_of,
    score_row,
    write_experiment,
)


def scores(tiny: TinyLake, *benchmarks: str) -> list[list[str]]:
    """The table's cells, a list a line, without the line above."""
    with catalogue.connect(tiny.lake) as connection:
        above, *lines = score_table(connection, benchmarks).splitlines()
    assert above == "In percent, 95 % intervals in brackets."
    assert all(line == line.rstrip() for line in lines)
    return [line.replace(" [", "[").replace(", ", ",").split() for line in lines]


def traced(tiny: TinyLake, prediction_id: str) -> list[str]:
    with catalogue.connect(tiny.lake) as connection:
        return trace_report(connection, prediction_id).splitlines()


HEADER = [
    "benchmark",
    "system",
    "arm",
    "n",
    "accuracy",
    "chance_accuracy",
    "answered",
    "selective_accuracy",
    "recall@1",
    "recall@5",
    "recall@15",
    "mrr",
    "calibration_error",
    "minus_strongest_baseline",
]


def test_scores_in_percent_with_intervals(tiny: TinyLake) -> None:
    assert scores(tiny, BENCHMARK) == [
        HEADER,
        *([BENCHMARK, SYSTEM, arm, "2", "50.0[9.5,90.5]", "50.0", *["-"] * 8] for arm in ARMS),
    ]


def test_scores_of_the_asked_benchmarks_only(tiny: TinyLake) -> None:
    place = experiment_partition(ARMS[0]) | {"benchmark": "other"}
    row = score_row(ARMS[0], "mrr", 0.25, low=0.125, high=0.5, n=7, benchmark="other")
    tiny.lake.write(BENCHMARK_SCORES, place, rows_of(BENCHMARK_SCORES, row))
    assert scores(tiny, "other") == [
        HEADER,
        ["other", SYSTEM, ARMS[0], "7", *["-"] * 7, "25.0[12.5,50.0]", "-", "-"],
    ]
    assert [line[0] for line in scores(tiny, "other", BENCHMARK)[1:]] == ["other", BENCHMARK, BENCHMARK]
    assert scores(tiny, "never heard of") == scores(tiny) == [HEADER]


def test_each_arm_stands_against_its_strongest_baseline(tiny: TinyLake) -> None:
    difference = {
        "system": SYSTEM,
        "benchmark": BENCHMARK,
        "arm": ARMS[0],
        "metric": "accuracy",
        "n": 2,
        "baseline_value": 0.25,
    }
    rows = [
        {**difference, "baseline_arm": "chance", "value": 0.25, "low": -0.1, "high": 0.5}
        | {"is_strongest_baseline": True},
        {**difference, "baseline_arm": ARMS[1], "value": 0.5, "low": 0.1, "high": 0.9}
        | {"is_strongest_baseline": False},
    ]
    place = {"system": SYSTEM, "benchmark": BENCHMARK}
    tiny.lake.write(SCORE_DIFFERENCES, place, pa.Table.from_pylist(rows, schema=SCORE_DIFFERENCES.schema))
    with catalogue.connect(tiny.lake) as connection:
        _, _, first, second = score_table(connection, [BENCHMARK]).splitlines()
    assert first.endswith("  +25.0 [-10.0, +50.0] chance")
    assert second.endswith("  -")


def test_a_summary_fits_a_hundred_columns_and_shows_what_is_over_the_best_baseline(tiny: TinyLake) -> None:
    longest = "zzz_only_coverage_of_words@extractive"
    best = rows_of(BENCHMARK_SCORES, score_row(longest, "accuracy", 1.0, low=0.5, high=1.0))
    tiny.lake.write(BENCHMARK_SCORES, experiment_partition(longest), best)
    row = {"system": SYSTEM, "benchmark": BENCHMARK, "arm": ARMS[0], "baseline_arm": "chance", "n": 2}
    row |= {"metric": "accuracy", "value": 0.25, "low": -0.1, "high": 0.5, "is_strongest_baseline": True}
    differences = pa.Table.from_pylist([row], schema=SCORE_DIFFERENCES.schema)
    tiny.lake.write(SCORE_DIFFERENCES, {"system": SYSTEM, "benchmark": BENCHMARK}, differences)
    with catalogue.connect(tiny.lake) as connection:
        _, header, block, *lines = summary_table(connection, [BENCHMARK]).splitlines()
    assert header.split() == ["arm", "n", "accuracy", "chance", "ECE", "over", "best", "baseline"]
    assert block == f"{BENCHMARK}, {SYSTEM}"
    [compared] = [line for line in lines if line.split()[0] == ARMS[0]]
    assert re.split(r" {2,}", compared.strip()) == [
        *(ARMS[0], "2", "50.0 [9.5, 90.5]", "50.0", "-", "+25.0 [-10.0, +50.0]")
    ]
    assert {line.split()[-1] for line in lines if line != compared} == {"-"}
    assert max(map(len, (header, block, *lines))) <= 100


def test_columns_are_aligned(tiny: TinyLake) -> None:
    with catalogue.connect(tiny.lake) as connection:
        _, header, *lines = score_table(connection, [BENCHMARK]).splitlines()
    for name, cell in [("accuracy", "50.0 [9.5"), ("recall@1", "-")]:
        for line in lines:
            assert line[header.index(name) :].startswith(cell)


def test_a_metric_without_a_value_is_a_dash(tiny: TinyLake) -> None:
    """The column may be null."""
    row = score_row(ARMS[0], "accuracy", None)
    tiny.lake.write(BENCHMARK_SCORES, experiment_partition(ARMS[0]), rows_of(BENCHMARK_SCORES, row))
    assert scores(tiny, BENCHMARK)[1] == [BENCHMARK, SYSTEM, ARMS[0], "2", *["-"] * 10]


def test_what_was_answered_and_how_much_of_it_was_right_have_their_columns(tiny: TinyLake) -> None:
    rows = [
        score_row(ARMS[0], "accuracy", 0.25),
        score_row(ARMS[0], "answered", 0.5),
        score_row(ARMS[0], "selective_accuracy", 0.75, n=1),
    ]
    tiny.lake.write(BENCHMARK_SCORES, experiment_partition(ARMS[0]), rows_of(BENCHMARK_SCORES, *rows))
    # Of how many questions the line speaks, accuracy says: the selective one is of fewer.
    assert scores(tiny, BENCHMARK)[1] == [
        *(BENCHMARK, SYSTEM, ARMS[0], "2"),
        *("25.0", "-", "50.0", "75.0"),
        *["-"] * 6,
    ]


def test_two_systems_with_an_arm_of_one_name_stay_apart(tiny: TinyLake) -> None:
    row = score_row(ARMS[0], "accuracy", 0.9, system="another")
    place = experiment_partition(ARMS[0]) | {"system": "another"}
    tiny.lake.write(BENCHMARK_SCORES, place, rows_of(BENCHMARK_SCORES, row))
    accuracies = sorted(line[HEADER.index("accuracy") - len(HEADER)] for line in scores(tiny, BENCHMARK)[1:])
    assert accuracies == ["50.0[9.5,90.5]", "50.0[9.5,90.5]", "90.0"]


def test_trace_of_a_right_answer(tiny: TinyLake) -> None:
    prediction = tiny.predictions[ARMS[0], "heart"]
    start = HEART.index("It beats")
    assert traced(tiny, prediction) == [
        f"prediction {prediction} ({SYSTEM}, {ARMS[0]}, {BENCHMARK})",
        "question   What pumps blood?",
        "answer     The heart (right)",
        "confidence 0.80",
        "  cited    [E1] The heart 💓 pumps blood.",
        "  source   Heart, characters 0 to 24, starter://heart.md (CC0-1.0)",
        "  reads    The heart 💓 pumps blood.",
        "  cited    [E2] It beats 𝟕𝟎 times a minute.",
        f"  source   Heart, characters {start} to {len(HEART)}, starter://heart.md (CC0-1.0)",
        "  reads    It beats 𝟕𝟎 times a minute.",
    ]


def test_trace_of_a_wrong_answer_says_what_the_key_says(tiny: TinyLake) -> None:
    lines = traced(tiny, tiny.predictions[ARMS[0], "liver"])
    assert lines[2] == "answer     The heart (wrong, the key says: The liver)"
    assert lines[3:5] == ["confidence 0.60", "  cited    [E1] The liver makes bile."]


@pytest.mark.parametrize("wanted", ["unknown", "", "x') OR 1=1 --"])
def test_trace_of_an_unknown_prediction(tiny: TinyLake, wanted: str) -> None:
    with pytest.raises(LookupError, match="not in this lake") as raised:
        traced(tiny, wanted)
    assert repr(wanted) in str(raised.value)


def test_trace_of_an_abstention_says_that_there_is_no_answer(tiny: TinyLake) -> None:
    lines = traced(tiny, tiny.predictions[ARMS[1], "liver"])
    assert lines[2].startswith("answer     none: ")
    assert not any(line.startswith("  cited") for line in lines)


def test_trace_shows_what_each_word_is_bound_to(tiny: TinyLake) -> None:
    question = question_row("bound", "Does the heart not sing?", ["yes", "no"], 1)
    kept = tiny.lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()
    tiny.lake.write(QUESTIONS, {"benchmark": BENCHMARK}, rows_of(QUESTIONS, *kept, question))
    experiment = Experiment(SYSTEM, "bound", BENCHMARK, "1")
    bindings = [
        Binding(9, 14, "heart", Role.EVIDENCE, "article Heart"),
        Binding(19, 23, "sing", Role.MEANING, "beats", 0.71),
    ]
    accounting = account(question["question"], bindings)
    answer = Answer(None, None, "extractive", "", "not enough", abstained=True, accounting=accounting)
    experiment.answer(question, {}, [], answer)
    write_experiment(tiny.lake, experiment)
    (row,) = experiment.tables()["predictions"].to_pylist()
    assert row["unaccounted"] == ["not"]
    assert [binding["text"] for binding in row["bindings"]] == ["Does", "the", "heart", "not", "sing"]
    assert traced(tiny, row["prediction_id"])[1:] == [
        "question   Does the heart not sing?",
        "answer     none: not enough",
        "  binds    'heart' as evidence: article Heart",
        "  binds    'sing' as meaning: beats, by meaning 0.71",
        "not understood: not",
    ]


def test_trace_of_a_question_without_options(tiny: TinyLake) -> None:
    """Candidate -1 is the question itself, never the last option."""
    question = question_row("open", "What beats?", [], None)
    kept = tiny.lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()
    tiny.lake.write(QUESTIONS, {"benchmark": BENCHMARK}, rows_of(QUESTIONS, *kept, question))
    experiment = Experiment(SYSTEM, "open", BENCHMARK, "1")
    beats = tiny.sentences[2]
    chain = Chain(-1, "It beats [E1].", [beats], 1.0, {})
    answer = Answer(None, None, "extractive", "", "no options")
    experiment.answer(question, {-1: [Selected(beats, 1.0, [])]}, [chain], answer)
    write_experiment(tiny.lake, experiment)
    prediction = str(experiment.tables()["predictions"].column("prediction_id")[0])
    assert "question   What beats?" in traced(tiny, prediction)


def test_example_is_a_right_answer_with_most_citations(tiny: TinyLake) -> None:
    with catalogue.connect(tiny.lake) as connection:
        for arm in ARMS:
            found = example_prediction(connection, BENCHMARK, SYSTEM, arm)
            assert found == tiny.predictions[arm, "heart"]
        for benchmark, system, arm in [
            ("unknown", SYSTEM, ARMS[0]),
            (BENCHMARK, SYSTEM, "unknown"),
            (BENCHMARK, "unknown", ARMS[0]),
        ]:
            said = f"no prediction of {system}/{arm} on {benchmark}: materialise {system}/predictions first"
            with pytest.raises(LookupError, match=said):
                example_prediction(connection, benchmark, system, arm)


def test_example_of_an_arm_that_two_systems_have_is_the_systems_own(tiny: TinyLake) -> None:
    question = tiny.lake.read(QUESTIONS, {"benchmark": BENCHMARK}).to_pylist()[0]
    assert question["question_id"] == "heart"
    beats = tiny.sentences[2]
    experiment = Experiment("another", ARMS[0], BENCHMARK, "1")
    chain = Chain(0, "It beats [E1].", [beats], 1.0, {})
    given = {0: [Selected(beats, 1.0, [])]}
    experiment.answer(question, given, [chain], Answer(0, 0.5, "extractive", "A"))
    for name, rows in experiment.tables().items():
        place = experiment_partition(ARMS[0]) | {"system": "another"}
        tiny.lake.write(TABLES_BY_NAME[name], place, rows)
    own = str(experiment.tables()["predictions"].column("prediction_id")[0])
    with catalogue.connect(tiny.lake) as connection:
        assert example_prediction(connection, BENCHMARK, "another", ARMS[0]) == own
        assert (
            example_prediction(connection, BENCHMARK, SYSTEM, ARMS[0]) == tiny.predictions[ARMS[0], "heart"]
        )

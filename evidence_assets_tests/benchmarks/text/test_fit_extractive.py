"""The fit of the reader's weights: what it weighs, what it never does, the same bytes twice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.text import fit_extractive
from benchmarks.text.fit_extractive import (
    READ,
    Measured,
    examples,
    fit,
    halves,
    held_out_scale,
    learning_curve,
    measure,
    reader,
    right,
    spread,
    write,
)
from evidence_assets.reading.extractive import MEASURES

TELLING, MISLEADING = MEASURES.index("hypothesis"), MEASURES.index("plausibility")


def questions(count: int, seed: int, telling: float = 3.0) -> list[Measured]:
    """Four options each; the right one is high in one measure and low in another, the rest is noise."""
    random = np.random.default_rng(seed)
    drawn = []
    for number in range(count):
        measures, correct = random.random((4, len(MEASURES))), int(random.integers(4))
        measures[correct, TELLING] += telling * random.random()
        measures[correct, MISLEADING] -= random.random()
        drawn.append(Measured(f"{seed}-{number}", measures, correct, negated=False))
    return drawn


SETS = {"one": questions(60, 1), "other": questions(30, 2)}
UNIT = spread(SETS)


def test_no_weight_is_negative_and_the_telling_measure_weighs_most() -> None:
    weights = fit(examples(SETS, UNIT))
    assert (weights >= 0).all()
    near = weights[: len(MEASURES)]
    assert near.argmax() == TELLING
    assert near[MISLEADING] == 0
    assert fit(examples(SETS, UNIT), signed=True)[MISLEADING] < 0


def test_sets_count_alike() -> None:
    weight = {
        name: sum(example.weight for example in examples({name: of}, UNIT)) for name, of in SETS.items()
    }
    assert weight["one"] == pytest.approx(weight["other"])


def test_halves_are_by_the_id_alone() -> None:
    for half in (0, 1):
        again = halves({name: of[::-1] for name, of in SETS.items()}, half)
        assert again == {name: of[::-1] for name, of in halves(SETS, half).items()}
    assert all(sum(len(halves(SETS, half)[name]) for half in (0, 1)) == len(of) for name, of in SETS.items())


def test_a_set_that_is_left_out_takes_no_part() -> None:
    changed = {**SETS, "other": questions(30, 3)}
    figures = [
        [row for row in measure(sets, UNIT) if (row["benchmark"], row["figure"]) == ("other", "left out")]
        for sets in (SETS, changed)
    ]
    fitted = reader(fit(examples({"one": SETS["one"]}, UNIT)), UNIT)
    for rows, tested in zip(figures, (SETS["other"], changed["other"]), strict=True):
        for row in rows:
            assert row["accuracy"] == pytest.approx(right(tested, fitted, READ[row["read"]]).mean())


def test_equal_options_are_worth_a_blind_choice() -> None:
    same = Measured("q", np.ones((4, len(MEASURES))), 2, negated=False)
    assert right([same], reader(fit(examples(SETS, UNIT)), UNIT), READ["text"]).tolist() == [0.25]


def test_the_curve_ends_with_all_questions_of_a_half() -> None:
    curve = learning_curve(SETS, UNIT)
    assert {row["fitted_on"] for row in curve if row["benchmark"] == "one"} == {
        sum(question.half == 0 for question in SETS["one"])
    }


def test_the_same_questions_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fit_extractive, "FOLDER", tmp_path)
    written = []
    for name in ("first", "second"):
        scale, loss = held_out_scale(SETS, UNIT)
        write(name, {"loss": loss}, reader(fit(examples(SETS, UNIT)), UNIT, scale))
        written.append((tmp_path / f"{name}.json").read_bytes())
    assert written[0] == written[1]

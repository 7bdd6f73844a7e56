"""The figures of UGAT-MedQA, as its tables print them."""

from __future__ import annotations

from collections import Counter

import pytest

from evidence_assets.systems.ugat_medqa.system import UGAT_MEDQA
from evidence_assets_tests.testing.published_figures import Figures, figures

EXAMS = {"medqa", "medmcqa_dev"}
SUBJECTS = {
    "mmlu_anatomy",
    "mmlu_clinical_knowledge",
    "mmlu_college_biology",
    "mmlu_college_medicine",
    "mmlu_medical_genetics",
    "mmlu_professional_medicine",
}
AVERAGE = "mmlu_medical"
SETTINGS = {"paper", "no_retrieval", "no_filtering", "no_attention"}
MODELS = {"qwen2.5-72b", "qwen2.5-14b", "llama3.3-70b"}


@pytest.fixture(scope="module")
def rows() -> Figures:
    return figures("ugat_medqa")


def test_every_table_is_transcribed_whole(rows: Figures) -> None:
    ours = [row for row in rows if row["system"] == "ugat_medqa"]
    # Three models; in tables 6.4 and 6.5 four settings of each.
    assert Counter(row["table_number"] for row in ours) == {"6.2": 6, "6.3": 21, "6.4": 24, "6.5": 84}
    for row in ours:
        wanted = EXAMS if row["table_number"] in ("6.2", "6.4") else SUBJECTS | {AVERAGE}
        setting, model = row["arm"].split("@")
        assert row["benchmark"] in wanted
        assert model in MODELS
        assert setting in (SETTINGS if row["table_number"] in ("6.4", "6.5") else {"paper"})


def test_figures_bear_the_arms_that_they_describe(rows: Figures) -> None:
    """The thesis's system is the arm `paper`, not our default; each of its settings is an arm."""
    prompted = UGAT_MEDQA.arms(MODELS)
    arms = {row["arm"] for row in rows if row["system"] == "ugat_medqa"}
    assert arms <= set(prompted)
    assert all(prompted[name].printed for name in arms)


def test_the_baselines_are_transcribed(rows: Figures) -> None:
    others = [row for row in rows if row["system"] != "ugat_medqa"]
    # Ten of them; table 6.3 has five with every subject, two with the average alone, three with nothing.
    assert Counter(row["table_number"] for row in others) == {"6.2": 20, "6.3": 37}
    assert len({row["system"] for row in others}) == 10
    assert {row["arm"].split("@")[0] for row in others} == {"published"}


def test_known_figures_stand_where_they_belong(rows: Figures) -> None:
    places: dict[float, set[tuple[str, str, str]]] = {}
    for row in rows:
        if row["system"] == "ugat_medqa":
            place = (row["arm"], row["benchmark"], row["table_number"])
            places.setdefault(float(row["value"]), set()).add(place)
    best = "paper@qwen2.5-72b"
    assert places[0.8671] == {(best, "medqa", "6.2"), (best, "medqa", "6.4")}
    assert places[0.775] == {(best, "medmcqa_dev", "6.2"), (best, "medmcqa_dev", "6.4")}
    assert places[0.9102] == {(best, AVERAGE, "6.3"), (best, AVERAGE, "6.5")}


def test_the_full_system_has_the_same_figures_in_both_its_tables(rows: Figures) -> None:
    full = [row for row in rows if row["system"] == "ugat_medqa" and row["arm"].startswith("paper@")]
    for main, ablation in (("6.2", "6.4"), ("6.3", "6.5")):
        tables = [
            {(row["arm"], row["benchmark"]): row["value"] for row in full if row["table_number"] == number}
            for number in (main, ablation)
        ]
        assert tables[0] == tables[1]

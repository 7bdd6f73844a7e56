"""The classifier of claims that sees no table."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from evidence_assets.tables.claim_only import MEASURED, NAME, THREE, TWO, classifiers, form_words


def test_words_of_content_and_numbers_are_hidden() -> None:
    assert form_words("Quebec had 94 more cases than Ontario") == form_words(
        "Alpha had 3 more dogs than Beta"
    )
    assert "#" in form_words("94")
    assert not {"quebec", "ontario", "94"} & set(form_words("Quebec had 94 more cases than Ontario"))
    assert {"more", "than", "more _"} <= set(form_words("Quebec had 94 more cases than Ontario"))
    assert form_words("") == []


@pytest.mark.parametrize(("labels", "names"), [(TWO, 2), (THREE, 3)])
def test_probabilities_are_of_every_label(labels: str, names: int) -> None:
    stored = classifiers(labels)
    for claim in ("", "Quebec had 94 cases", "It is never the highest of them"):
        judged = stored.whole.probabilities(claim)
        assert len(judged) == names
        assert sum(judged.values()) == pytest.approx(1.0)
    assert stored.commonest in stored.whole.labels


def test_a_development_table_is_judged_by_what_has_not_seen_it() -> None:
    """It was fitted on development claims alone, and says on which."""
    content = json.loads(files(MEASURED).joinpath(f"{NAME}.json").read_text(encoding="utf-8"))
    assert all("development half" in content[labels]["fitted_on"] for labels in (TWO, THREE))
    stored = classifiers(THREE)
    assert len(stored.fold_of) == content[THREE]["tables"]
    for table_id, fold in stored.fold_of.items():
        assert stored.of_table(table_id) is stored.folds[fold]
    assert stored.of_table("another") is stored.whole
    assert stored.of_table(None) is stored.whole

"""Templates of pages run in a sandbox, and what is wrong with one is told by its name."""

from __future__ import annotations

import pytest

from evidence_assets.audit.pages import rendering
from evidence_assets.audit.pages.rendering import page
from evidence_assets_tests.testing.hostile_templates import REACHING_OUT


@pytest.fixture
def template(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Templates by their files' names, in the places of the package's own."""
    texts = {"filter.js": "", "style.css": ""}
    monkeypatch.setattr(rendering, "_template", texts.__getitem__)
    monkeypatch.setattr(rendering, "_environment", rendering._environment.__wrapped__)
    return texts


@pytest.mark.parametrize("reaching", REACHING_OUT)
def test_a_page_stays_in_its_sandbox(reaching: str, template: dict[str, str]) -> None:
    template["answer.html.j2"] = f"<p>{reaching}</p>"
    items = [1, 2]
    with pytest.raises(ValueError, match=r"^page answer: "):
        page("answer", items=items)
    assert items == [1, 2]


def test_a_missing_value_is_told_with_the_page(template: dict[str, str]) -> None:
    template["answer.html.j2"] = "<p>{{ question }}</p>"
    with pytest.raises(ValueError, match=r"^page answer: 'question' is undefined"):
        page("answer")
    assert page("answer", question="<b>") == b"<p>&lt;b&gt;</p>"

"""Sentences for triples."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs import verbalisation
from evidence_assets.graphs.verbalisation import TemplateError, templates, templates_version, verbalise

# Table 7.1 of the thesis.
RELATIONS = [
    "Antonym",
    "AtLocation",
    "CapableOf",
    "Causes",
    "CreatedBy",
    "IsA",
    "Desires",
    "HasSubevent",
    "PartOf",
    "HasContext",
    "HasProperty",
    "MadeOf",
    "NotCapableOf",
    "NotDesires",
    "ReceivesAction",
    "RelatedTo",
    "UsedFor",
    "LocatedNear",
    "CausesDesire",
    "MotivatedByGoal",
    "DistinctFrom",
    "HasFirstSubevent",
    "HasLastSubevent",
    "HasPrerequisite",
    "Entails",
    "MannerOf",
    "InstanceOf",
    "DefinedAs",
    "HasA",
    "SimilarTo",
    "Synonym",
]


def test_every_relation_of_the_thesis_has_a_sentence() -> None:
    assert len(set(RELATIONS)) == 31
    assert set(RELATIONS) <= set(templates("conceptnet"))


@pytest.mark.parametrize(
    ("relation", "head", "tail", "sentence"),
    [
        ("IsA", "cat", "animal", "cat is a animal"),
        ("AtLocation", "ferret", "pet store", "ferret can be found at pet store"),
        ("CapableOf", "bird", "fly", "bird can fly"),
        ("NotCapableOf", "stone", "swim", "stone cannot swim"),
        ("HasSubevent", "cook", "burn food", "burn food happens during cook"),
        ("HasFirstSubevent", "cook", "wash hands", "cook begins with wash hands"),
        ("HasLastSubevent", "cook", "eat", "cook ends with eat"),
        ("MotivatedByGoal", "eat", "hunger", "one would eat because of hunger"),
        ("CausesDesire", "hunger", "eat", "hunger makes one want eat"),
        ("ReceivesAction", "door", "opened", "door can be opened"),
    ],
)
def test_sentences(relation: str, head: str, tail: str, sentence: str) -> None:
    assert verbalise(templates("conceptnet")[relation], head, tail) == sentence


@pytest.mark.parametrize(
    "label", ["{tail}", "{head}", "{}", "}{", "{0}", "{x!r:>9}", "{{tail}}", "%s", "", "\\1"]
)
def test_labels_stand_as_they_are(label: str) -> None:
    assert verbalise("{head} is a {tail}.", label, "thing") == f"{label} is a thing."
    assert verbalise("{tail} holds {head}", "thing", label) == f"{label} holds thing"


@given(head=st.text(), tail=st.text())
def test_both_ends_stand_in_every_sentence(head: str, tail: str) -> None:
    for template in templates("conceptnet").values():
        sentence = verbalise(template, head, tail)
        words = template.replace("{head}", "").replace("{tail}", "")
        assert len(sentence) == len(words) + len(head) + len(tail)
        ends = [head, tail] if template.index("{head}") < template.index("{tail}") else [tail, head]
        place = sentence.index(ends[0], template.index("{"))
        assert place == template.index("{")
        after = template.rpartition("}")[2]
        assert sentence.endswith(ends[1] + after)


def test_unknown_set_is_refused() -> None:
    with pytest.raises(TemplateError, match="no templates 'wordnet': choose one of conceptnet"):
        templates("wordnet")


@pytest.fixture
def own_templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds the sets of templates for one test."""
    (tmp_path / "templates").mkdir()
    monkeypatch.setattr(verbalisation, "files", lambda _: tmp_path)
    return tmp_path / "templates" / "conceptnet.yaml"


@pytest.mark.parametrize(
    "template",
    [
        "{head} is a thing",
        "{tail} is a thing",
        "a thing",
        "{head} is {head}",
        "{head} is {tail} is {tail}",
        "{head} is {tail} by {relation}",
        "{{head}} is {tail}",
        "{ head } is {tail}",
        "{Head} is {tail}",
    ],
)
def test_broken_template_is_refused_by_name(own_templates: Path, template: str) -> None:
    own_templates.write_text(f'Good: "{{head}} and {{tail}}"\nBad: "{template}"\n', encoding="utf-8")
    with pytest.raises(TemplateError, match=r"templates/conceptnet\.yaml, Bad: .* once each"):
        # Past the cache, which other tests share.
        templates.__wrapped__("conceptnet")


def test_version_is_that_of_the_sentences(own_templates: Path) -> None:
    own_templates.with_name("biomedical.yaml").write_text(
        "may_cause: '{head} causes {tail}'", encoding="utf-8"
    )
    versions = []
    for content in ("IsA: '{head} is a {tail}'", "IsA: '{head} is an {tail}'", "IsA: '{head} is a {tail}'"):
        own_templates.write_text(content, encoding="utf-8")
        versions.append(templates_version())
    assert versions[0] == versions[2] != versions[1]
    assert [len(version) for version in versions] == [8, 8, 8]

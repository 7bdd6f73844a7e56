"""Sentences for triples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.text import verbalisation
from evidence_assets.text.verbalisation import (
    NamesReadOut,
    TemplateError,
    read_templates,
    schema_text,
    templates,
    templates_version,
    verbalise,
)

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
def test_a_triple_reads_as_a_sentence(relation: str, head: str, tail: str, sentence: str) -> None:
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
        verbalisation._of_set.__wrapped__("conceptnet")


def test_version_is_that_of_the_sentences(own_templates: Path) -> None:
    for name in ("biomedical", "films"):
        own_templates.with_name(f"{name}.yaml").write_text(
            "may_cause: '{head} causes {tail}'", encoding="utf-8"
        )
    versions = []
    for content in ("IsA: '{head} is a {tail}'", "IsA: '{head} is an {tail}'", "IsA: '{head} is a {tail}'"):
        own_templates.write_text(content, encoding="utf-8")
        versions.append(templates_version())
    assert versions[0] == versions[2] != versions[1]
    assert [len(version) for version in versions] == [8, 8, 8]


# --- an authored schema, a user's own file, names read out

SCHEMA = """
types: {movie: [film], person: [who]}
relations:
  directed_by:
    {head: movie, tail: person, sentences: ["{head} was directed by {tail}", "{tail} directed {head}"]}
  made_in: {head: movie, tail: place, sentences: ["{head} was made in {tail}"]}
"""


def test_the_first_sentence_of_a_schema_is_the_template(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(SCHEMA, encoding="utf-8")
    expected = {"directed_by": "{head} was directed by {tail}", "made_in": "{head} was made in {tail}"}
    assert templates(str(path)) == read_templates(SCHEMA, "here") == expected
    assert schema_text(str(path)) == (SCHEMA, str(path))


def test_films_come_with_several_wordings_and_types() -> None:
    schema = schema_text("films")
    assert schema is not None
    data = yaml.safe_load(schema[0])
    assert schema[1] == "templates/films.yaml"
    for relation, relation_schema in data["relations"].items():
        assert {relation_schema["head"], relation_schema["tail"]} <= set(data["types"]), relation
        assert len(relation_schema["sentences"]) >= 2
        assert len(set(relation_schema["sentences"])) == len(relation_schema["sentences"])
    assert templates("films")["directed_by"] == "{head} was directed by {tail}"
    assert schema_text("conceptnet") is None
    assert schema_text("names") is None


def test_a_flat_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.yml"
    path.write_text('made_of: "{head} is made of {tail}"', encoding="utf-8")
    assert templates(str(path)) == {"made_of": "{head} is made of {tail}"}
    assert schema_text(str(path)) is None
    path.write_text('made_of: "{head} consists of {tail}"', encoding="utf-8")
    assert templates(str(path)) == {"made_of": "{head} consists of {tail}"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "no relations"),
        ("- a", "no relations"),
        ("a: [", "not YAML"),
        ("a: '{head} {tail}'\na: '{tail} {head}'", "line 2, column 1: a stands twice, first in line 1"),
        ("a: &a [*a]", "line 1, column 4: the value that begins here holds itself"),
        ("a: 5", "a: no sentence"),
        ("a: []", "a: no sentence"),
        ("a: ['{head} {tail}', 5]", "a: no sentence"),
        ("5: '{head} {tail}'", "5: the relation is no text"),
        ("relations: {a: {sentences: []}}", "a: no sentence"),
        (
            "relations: {a: {head: x, sentence: '{head} {tail}'}}",
            'a: its fields are head, sentence, and none is sentences; write sentences: ["{head} … {tail}"]',
        ),
        ("relations: {a: {}}", "a: its fields are none, and none is sentences"),
        ("relations: {a: {sentences: ['{head} {tail}', '{head}']}}", "a: '{head}' must hold"),
    ],
)
def test_a_broken_file_is_refused_by_name(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TemplateError, match=f"own.yaml.*{re.escape(problem)}"):
        templates(str(path))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="No such file"):
        templates(str(tmp_path / "absent.yaml"))
    (tmp_path / "own.yaml").write_bytes(b"a: \xff")
    with pytest.raises(TemplateError, match="not UTF-8 at byte 3"):
        templates(str(tmp_path / "own.yaml"))


def test_version_is_that_of_files_too(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(SCHEMA, encoding="utf-8")
    assert templates_version(["films", "names"]) == templates_version()
    first = templates_version([str(path), "films", str(path)])
    path.write_text(SCHEMA.replace("made in", "shot in"), encoding="utf-8")
    assert len({templates_version(), first, templates_version([str(path)])}) == 3


@pytest.mark.parametrize(
    ("relation", "sentence"),
    [
        ("directed_by", "{head} directed by {tail}"),
        ("isPartOf", "{head} is part of {tail}"),
        ("hasIMDBRating", "{head} has IMDB rating {tail}"),
        ("HTTPServer", "{head} HTTP server {tail}"),
        ("off-label use", "{head} off-label use {tail}"),
        ("a{head}b", "{head} a head b {tail}"),
        ("__x__", "{head} x {tail}"),
    ],
)
def test_names_are_read_out(relation: str, sentence: str) -> None:
    assert templates("names")[relation] == sentence
    assert relation in templates("names")


@given(relation=st.text(), head=st.text(), tail=st.text())
def test_every_name_makes_a_template(relation: str, head: str, tail: str) -> None:
    template = templates("names")[relation]
    assert (template.count("{head}"), template.count("{tail}"), template.count("{")) == (1, 1, 2)
    assert verbalise(template, head, tail).startswith(f"{head} ")


def test_written_sentences_go_before_names() -> None:
    names = NamesReadOut({"a_b": "{head} is a b of {tail}"})
    assert names["a_b"] == "{head} is a b of {tail}"
    assert names["b_c"] == "{head} b c {tail}"
    assert dict(names) == {"a_b": "{head} is a b of {tail}"}


def test_without_templates_conceptnets_relations_have_sentences_and_others_their_names() -> None:
    unnamed = templates("")
    assert unnamed["IsA"] == templates("conceptnet")["IsA"]
    assert unnamed["made_of"] == "{head} made of {tail}"
    assert "whatever" in unnamed, "no relation is left out"
    assert schema_text("") is None

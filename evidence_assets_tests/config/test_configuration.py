"""The configuration file: what it may say, and what its errors say."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from evidence_assets.config.configuration import default_location, load
from evidence_assets.extraction.seeds import seed_files
from evidence_assets.sources.articles.registry import READERS
from evidence_assets.sources.graphs.registry import READERS as GRAPH_READERS
from evidence_assets.sources.locating import locate
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.shards import shards
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.systems.registry import systems_by_name
from evidence_assets.systems.system import TABLES
from evidence_assets_tests.testing.configuration_samples import (
    Change,
    configuration,
    facts_of,
    source_of,
    written,
)


def test_a_whole_configuration_is_read(tmp_path: Path) -> None:
    sources = load(written(tmp_path, configuration()))
    assert list(sources.corpora) == ["small"]
    assert sources.corpora["small"].sources[0].licence == "CC0-1.0"
    assert sources.benchmarks["quiz"].corpus == "small"
    assert sources.benchmarks["quiz"].graph == "facts"
    assert sources.benchmarks["quiz"].systems == ["uscrake"]
    [source] = sources.graphs["facts"].sources
    assert (source.uri, source.format, source.licence, source.fields) == (
        "facts.tsv",
        "relation_head_tail",
        "CC0-1.0",
        {},
    )
    facts = sources.graphs["facts"]
    assert (facts.templates, facts.embedding_threshold, facts.unlinked) == ("", None, [])


def test_a_benchmark_may_name_a_graph_alone_and_the_systems_that_read_it(tmp_path: Path) -> None:
    content = configuration()
    del content["benchmarks"]["quiz"]["corpus"]
    content["benchmarks"]["quiz"]["systems"] = ["ugat_medqa", "uscrake"]
    content["graphs"]["facts"] |= {"embedding_threshold": 0.85, "unlinked": ["lead", "show"]}
    sources = load(written(tmp_path, content))
    quiz, facts = sources.benchmarks["quiz"], sources.graphs["facts"]
    assert (quiz.corpus, quiz.graph, quiz.systems) == (None, "facts", ["ugat_medqa", "uscrake"])
    assert (facts.embedding_threshold, facts.unlinked) == (0.85, ["lead", "show"])


@pytest.mark.parametrize("added", [[], ["uscrake"]])
def test_only_what_is_asked_of_tables_alone_names_neither_corpus_nor_graph(
    tmp_path: Path, added: list[str]
) -> None:
    over_tables = [system.name for system in systems_by_name().values() if system.needs == TABLES]
    assert "ucret" in over_tables
    content = configuration()
    systems = [*over_tables, *added]
    content["benchmarks"]["quiz"] = {
        "reader": "scitab",
        "uri": "claims.json",
        "split": "test",
        "systems": systems,
    }
    path = written(tmp_path, content)
    if added:
        with pytest.raises(ConfigurationError, match=rf"benchmarks\.quiz: .*\(systems: \[{over_tables[0]}"):
            load(path)
    else:
        quiz = load(path).benchmarks["quiz"]
        assert (quiz.corpus, quiz.graph, quiz.systems) == (None, None, systems)


def test_graphs_and_benchmarks_may_be_left_out(tmp_path: Path) -> None:
    content = configuration()
    del content["graphs"], content["benchmarks"]["quiz"]["graph"]
    sources = load(written(tmp_path, content))
    assert sources.graphs == {}
    assert sources.benchmarks["quiz"].graph is None
    del content["benchmarks"]
    assert load(written(tmp_path, content)).benchmarks == {}


def test_the_projects_own_configuration_is_sound() -> None:
    path = Path(__file__).resolve().parents[2] / "data_lake" / "sources.yaml"
    sources = load(path)
    [shard] = [shard for shard in shards(sources, path) if shard.corpus == "starter"]
    assert shard.key == "starter.articles"
    assert len(list(Path(shard.uri).glob("*.md"))) >= 120
    for graph in sources.graphs.values():
        for source in graph.sources:
            located = Path(locate(source.uri, path.parent))
            assert list(located.parent.glob(located.name)), f"{source.uri} names no file"
    assert all(benchmark.graph in {None, *sources.graphs} for benchmark in sources.benchmarks.values())
    assert sources.harvest is not None
    assert seed_files(Path(locate(sources.harvest.seeds, path.parent)))
    assert any(graph.harvests for graph in sources.graphs.values())


def test_a_missing_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.yaml"
    with pytest.raises(ConfigurationError, match="No such file") as raised:
        load(path)
    assert str(path) in str(raised.value)
    assert "EVIDENCE_SOURCES" in str(raised.value)


@pytest.mark.parametrize("text", ["corpora: [", "a: b: c", "\tcorpora: {}"])
def test_what_is_not_yaml_is_named_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"(?s)not YAML.*line [12]") as raised:
        load(path)
    assert str(raised.value).startswith(f"{path}: not YAML, line ")
    assert "unicode string" not in str(raised.value)


def test_a_section_that_stands_twice_is_refused(tmp_path: Path) -> None:
    """YAML would keep the last, and the first would be gone without a word."""
    path = tmp_path / "sources.yaml"
    path.write_text("graphs: {}\nbenchmarks: {}\ngraphs: {}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="line 3, column 1: graphs stands twice, first in line 1"):
        load(path)


def test_names_that_are_no_text_to_yaml_are_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text(
        "corpora:\n  1: {sources: []}\nbenchmarks:\n  2024: {}\n  null: {}\n  no: {}\n", encoding="utf-8"
    )
    with pytest.raises(ConfigurationError) as raised:
        load(path)
    for shown in ("2024", "nothing", "false"):
        problem = f"- benchmarks: a name is read as {shown}, not as text; remedy: put it in quotes\n"
        assert problem in f"{raised.value}\n"


def test_a_home_that_there_is_not_is_told_of_the_field(tmp_path: Path) -> None:
    content = configuration()
    source_of(content)["uri"] = "~nobody-of-that-name/notes"
    path = written(tmp_path, content)
    with pytest.raises(ConfigurationError) as raised:
        shards(load(path), path)
    assert str(raised.value) == (
        f"{path}: corpora.small.sources.notes: '~nobody-of-that-name/notes': there is no such user's home; "
        "remedy: give the whole path, from / on"
    )


def test_a_home_that_there_is_not_is_told_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_SOURCES", "~nobody-of-this-name/sources.yaml")
    with pytest.raises(ConfigurationError) as raised:
        default_location()
    assert str(raised.value) == (
        "EVIDENCE_SOURCES=~nobody-of-this-name/sources.yaml: there is no such user's home; remedy: give the "
        "whole path, from / on"
    )


def test_a_folder_is_told_which_file_in_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as raised:
        load(tmp_path)
    assert str(raised.value) == (
        f"{tmp_path}: it is a folder; remedy: set EVIDENCE_SOURCES to the file, {tmp_path}/sources.yaml"
    )


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    path.write_bytes("corpora: {} # Füchse".encode("latin-1"))
    with pytest.raises(ConfigurationError) as raised:
        load(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("text", ["", "# nothing\n", "[]", "words"])
def test_a_file_without_a_mapping_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="top level: the file is empty, or no mapping of names"):
        load(path)


@pytest.mark.parametrize(
    ("change", "field", "problem"),
    [
        (lambda c: c.update(copora={}), "copora", "no such field"),
        (lambda c: c.pop("corpora"), "benchmarks.quiz.corpus", "none of the corpora"),
        (lambda c: source_of(c).update(licens="x"), "corpora.small.sources.0.licens", "no such field"),
        (lambda c: source_of(c).pop("licence"), "corpora.small.sources.0.licence", "it is missing"),
        (lambda c: source_of(c).update(uri=""), "corpora.small.sources.0.uri", "it is empty"),
        (lambda c: source_of(c).update(revision=1), "corpora.small.sources.0.revision", "text is expected"),
        (lambda c: source_of(c).update(name="No.dots"), "corpora.small.sources.0.name", "is no name"),
        (lambda c: c["corpora"].update({"Big": c["corpora"]["small"]}), "corpora.Big", "is no name"),
        (lambda c: c["corpora"].update({"a" * 65: c["corpora"]["small"]}), "aaaa", "more than 64 characters"),
        (lambda c: c["corpora"]["small"].update(sources=[]), "corpora.small.sources", "it is empty"),
        (
            lambda c: c["benchmarks"].update({"a|b": c["benchmarks"]["quiz"]}),
            "benchmarks.a|b",
            "is no name",
        ),
        (lambda c: c["benchmarks"]["quiz"].pop("split"), "benchmarks.quiz.split", "it is missing"),
        (
            lambda c: source_of(c).update(format="pdf"),
            "corpora.small.sources.notes.format",
            "'pdf' is none of",
        ),
        (lambda c: c["benchmarks"]["quiz"].update(reader="x"), "benchmarks.quiz.reader", "'x' is none of"),
        (
            lambda c: c["benchmarks"]["quiz"].update(corpus="big"),
            "benchmarks.quiz.corpus",
            "'big' is none of",
        ),
        (
            lambda c: c["corpora"]["small"]["sources"].append(dict(source_of(c), uri="other")),
            "corpora.small.sources",
            "used twice: notes;",
        ),
        (lambda c: facts_of(c).update(format="rdf"), "graphs.facts.sources.own.format", "'rdf' is none of"),
        (
            lambda c: facts_of(c).update(format="lines"),
            "graphs.facts.sources.own.format",
            "'lines' is none of",
        ),
        (lambda c: facts_of(c).pop("licence"), "graphs.facts.sources.0.licence", "it is missing"),
        (lambda c: facts_of(c).update(revision="1"), "graphs.facts.sources.0.revision", "no such field"),
        (
            lambda c: facts_of(c).update(fields={"head": 2}),
            "graphs.facts.sources.0.fields",
            "text is expected",
        ),
        (lambda c: facts_of(c).update(name="A b"), "graphs.facts.sources.0.name", "is no name"),
        (
            lambda c: c["graphs"]["facts"].update(sources=[]),
            "graphs.facts",
            "name sources, harvests, or both",
        ),
        (lambda c: c["graphs"]["facts"].update(template="x"), "graphs.facts.template", "no such field"),
        (lambda c: c["graphs"]["facts"].update(templates="x"), "graphs.facts.templates", "'x' is none of"),
        (lambda c: c["graphs"].update({"Big": c["graphs"]["facts"]}), "graphs.Big", "is no name"),
        (
            lambda c: c["graphs"]["facts"]["sources"].append(dict(facts_of(c), uri="other.tsv")),
            "graphs.facts.sources",
            "used twice: own;",
        ),
        (lambda c: c["benchmarks"]["quiz"].update(graph="x"), "benchmarks.quiz.graph", "'x' is none of"),
        (lambda c: c.pop("graphs"), "benchmarks.quiz.graph", "(there are none)"),
        (
            lambda c: [c["benchmarks"]["quiz"].pop(name) for name in ("corpus", "graph")],
            "benchmarks.quiz",
            "name a corpus, a graph, or both",
        ),
        (lambda c: c["benchmarks"]["quiz"].update(systems=[]), "benchmarks.quiz.systems", "it is empty"),
        (
            lambda c: c["benchmarks"]["quiz"].update(systems="x"),
            "benchmarks.quiz.systems",
            "a list is expected",
        ),
        (
            lambda c: c["graphs"]["facts"].update(embedding_threshold=0),
            "graphs.facts.embedding_threshold",
            "where more than 0 is expected",
        ),
        (
            lambda c: c["graphs"]["facts"].update(embedding_threshold=1.01),
            "graphs.facts.embedding_threshold",
            "where at most 1 is expected",
        ),
        (lambda c: c["graphs"]["facts"].update(unlinked=[1]), "graphs.facts.unlinked.0", "text is expected"),
    ],
)
def test_errors_name_file_field_and_problem(tmp_path: Path, change: Change, field: str, problem: str) -> None:
    content = configuration()
    change(content)
    path = written(tmp_path, content)
    with pytest.raises(ConfigurationError) as raised:
        load(path)
    message = str(raised.value)
    assert message.startswith(f"{path}: ")
    assert field in message
    assert problem in message


@pytest.mark.parametrize(
    ("change", "known"),
    [
        (lambda c: source_of(c).update(format="pdf"), READERS),
        (lambda c: c["benchmarks"]["quiz"].update(reader="trivia"), BENCHMARKS),
        (lambda c: facts_of(c).update(format="rdf"), GRAPH_READERS),
    ],
)
def test_unknown_names_are_told_what_there_is(tmp_path: Path, change: Change, known: Iterable[str]) -> None:
    content = configuration()
    change(content)
    with pytest.raises(ConfigurationError) as raised:
        load(written(tmp_path, content))
    assert all(name in str(raised.value) for name in known)

"""What a lake leaves out: listed in a file of it, read as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.corpus.articles import ArticleRows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake
from evidence_assets.sources.records import Article, Triple, TripleSource
from evidence_assets.sources.retractions import (
    ARTICLE,
    FILE_NAME,
    TABLE,
    TRIPLE,
    Retraction,
    Retractions,
    change_retractions,
    forget_what_was_read,
    retractions_of,
)
from evidence_assets.sources.shards import Shard
from evidence_assets.sources.specifications import ArticleSource, ConfigurationError

FIRST, SECOND = Retraction(ARTICLE, "shard", "a1"), Retraction(TRIPLE, "graph", "t1")


def test_what_was_written_is_read_and_told_apart_by_kind_and_place(tmp_path: Path) -> None:
    change_retractions(Lake(str(tmp_path)), [SECOND, FIRST, FIRST], ())
    read = retractions_of(str(tmp_path))
    assert read.every == {FIRST, SECOND}
    assert read.of(ARTICLE, "shard") == {"a1"}
    assert read.of(ARTICLE, "graph") == read.of(TABLE, "shard") == frozenset()
    before = (tmp_path / FILE_NAME).read_bytes()
    change_retractions(Lake(str(tmp_path)), [FIRST, SECOND], ())
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_process_that_runs_on_sees_what_was_added(tmp_path: Path) -> None:
    assert retractions_of(str(tmp_path)) == Retractions()
    change_retractions(Lake(str(tmp_path)), [FIRST], ())
    assert retractions_of(str(tmp_path)).every == {FIRST}
    change_retractions(Lake(str(tmp_path)), [FIRST, SECOND], ())
    assert retractions_of(str(tmp_path)).every == {FIRST, SECOND}


def test_what_a_process_wrote_to_an_object_store_it_reads() -> None:
    lake = Lake("memory://retractions")
    assert retractions_of(lake.uri) == Retractions()
    change_retractions(lake, [FIRST], ())
    assert retractions_of(lake.uri).every == {FIRST}


def test_what_another_process_wrote_to_an_object_store_is_read_once_it_is_looked_for() -> None:
    lake = Lake("memory://retracted_elsewhere")
    assert retractions_of(lake.uri) == Retractions()
    line = '{"key": "a1", "kind": "article", "place": "shard"}\n'
    lake.filesystem.pipe_file(f"{lake.path}/{FILE_NAME}", line.encode())
    assert retractions_of(lake.uri) == Retractions()
    forget_what_was_read()
    assert retractions_of(lake.uri).every == {FIRST}


def test_a_version_changes_with_what_is_left_out_of_its_place_alone() -> None:
    none, some = Retractions(), Retractions(frozenset({FIRST}))
    assert none.version(ARTICLE, "shard") == some.version(TRIPLE, "graph") == ""
    more = Retractions(frozenset({FIRST, SECOND}))
    assert some.version(ARTICLE, "shard") == more.version(ARTICLE, "shard") != ""


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('{"kind": "article", "place": "shard"}\n', encoding="utf-8")
    with pytest.raises(ConfigurationError, match=f"{FILE_NAME}, line 1: not a retraction"):
        retractions_of(str(tmp_path))


def test_a_retracted_article_is_rejected_and_its_copies_stay_out() -> None:
    source = ArticleSource(name="s", uri="x", format="lines", licence="CC0-1.0")
    shard = Shard("c.s", "c", source, "x", "x")
    articles = [Article("1", "Kelp", "Kelp is a seaweed."), Article("2", "Kelp", "Kelp is a seaweed.")]
    rows = ArticleRows(
        [*articles, Article("3", "Otter", "Otters swim.")], shard, {content_id("article", "c.s", "1")}
    )
    assert [title for batch in rows for title in batch.column("title").to_pylist()] == ["Otter"]
    assert [record.reason for record in rows.rejected] == [
        "it was retracted",
        "an earlier article, '1', has the same title and text",
    ]


def test_a_retracted_triple_goes_with_everyone_who_states_it_and_its_relation_if_it_was_the_last() -> None:
    retracted = {
        content_id("triple", "g", "kelp", "IsA", "seaweed"),
        content_id("triple", "g", "a", "HasA", "b"),
    }
    collector = TripleCollector("g", {"IsA": "{head} is {tail}", "HasA": "{head} has {tail}"}, retracted)
    for name in ("first", "second"):
        statements = [("kelp", "IsA", "seaweed"), ("vole", "IsA", "rodent"), ("a", "HasA", "b")]
        collector.add(
            [Triple(*ends, sources=(TripleSource("", f"{name} 1", ""),)) for ends in statements],
            name,
            "CC0-1.0",
        )
    collector.merge()
    [(relation, rows)] = list(collector.tables())
    assert (relation, rows.column("head").to_pylist()) == ("IsA", ["vole"])
    assert [stated["source"] for stated in rows.column("sources").to_pylist()[0]] == ["first", "second"]
    assert collector.statements == 2


def test_of_two_processes_neither_loses_what_the_other_lists(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path))
    before = retractions_of(str(tmp_path)).every
    change_retractions(lake, [FIRST], ())
    change_retractions(lake, [SECOND], before)
    assert retractions_of(str(tmp_path)).every == {FIRST, SECOND}
    change_retractions(lake, (), [FIRST])
    assert retractions_of(str(tmp_path)).every == {SECOND}


def test_a_name_tells_nothing_apart(tmp_path: Path) -> None:
    named = Retraction(FIRST.kind, FIRST.place, FIRST.key, "fox.md")
    change_retractions(Lake(str(tmp_path)), [named], ())
    [listed] = retractions_of(str(tmp_path)).every
    assert listed == FIRST and listed.name == "fox.md"

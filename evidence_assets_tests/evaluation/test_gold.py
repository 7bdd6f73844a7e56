"""Gold evidence found again: by the whole text, by the sentence in its article, across chunks, or not."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.evaluation.gold import CorpusText, gold_chunk_rows, normalised
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import GOLD_CHUNKS

FOX = "The fox is red. It eats voles.\nIts den is deep."
HARE = "Hares run fast."
# article: (title, text, spans of its chunks)
CORPUS = {
    "fox": ("Red Fox", FOX, [(0, 15), (16, 30), (31, 47)]),
    "hare": ("Hare", HARE, [(0, 15)]),
    "copy": ("Another hare", HARE, [(0, 15)]),
    "bare": ("Bare", "Words without a chunk.", []),
    "unwanted": ("Unwanted", "Nobody asks.", [(0, 12)]),
}


def corpus_for(*gold: tuple[str, str]) -> CorpusText:
    items = [{"title": title, "text": text} for title, text in gold]
    corpus = CorpusText.wanted_by([{"gold_evidence": items}])
    rows = [{"article_id": key, "title": title, "text": text} for key, (title, text, _) in CORPUS.items()]
    corpus.add_articles(pa.RecordBatch.from_pylist(rows))
    spans = [
        {"chunk_id": f"{key}{number}", "article_id": key, "char_start": start, "char_end": end}
        for key, (_, _, chunks) in CORPUS.items()
        for number, (start, end) in enumerate(chunks)
    ]
    corpus.add_chunks(pa.RecordBatch.from_pylist(spans))
    return corpus


def matched_chunks(title: str, text: str) -> set[str]:
    places = corpus_for((title, text)).find(title, text)
    assert all(chunk.startswith(article) for chunk, article in places)
    assert len(set(places)) == len(places)
    return {chunk for chunk, _ in places}


@pytest.mark.parametrize(
    ("title", "text", "chunks"),
    [
        pytest.param("", HARE, {"hare0", "copy0"}, id="whole text of two articles, no title"),
        pytest.param("Hare", HARE, {"hare0"}, id="whole text, the title chooses"),
        pytest.param("Elsewhere", HARE, {"hare0", "copy0"}, id="whole text, no article of that title"),
        pytest.param("", '"hares  run\tFAST"', {"hare0", "copy0"}, id="whole text in other clothes"),
        pytest.param("", FOX, {"fox0", "fox1", "fox2"}, id="whole text of several chunks"),
        pytest.param("Red Fox", "It eats voles.", {"fox1"}, id="a sentence in the titled article"),
        pytest.param("red  fox", "it eats VOLES", {"fox1"}, id="title and text in other case and space"),
        pytest.param(
            "Red Fox", "It eats voles. Its den", {"fox1", "fox2"}, id="over a line break and two chunks"
        ),
        pytest.param("Red Fox", "red. It eats voles. Its", {"fox0", "fox1", "fox2"}, id="over three chunks"),
        pytest.param("", "It eats voles.", set(), id="a sentence without a title is not searched for"),
        pytest.param("Hare", "It eats voles.", set(), id="the titled article does not say it"),
        pytest.param("Nobody", "It eats voles.", set(), id="no such article"),
        pytest.param("Red Fox", "It eats (voles", set(), id="marks of patterns are words"),
        pytest.param("Red Fox", "It eats voles. den", set(), id="words must follow each other"),
        pytest.param("Bare", "Words without a chunk.", set(), id="an article without chunks"),
    ],
)
def test_gold_text_is_found_where_it_stands(title: str, text: str, chunks: set[str]) -> None:
    assert matched_chunks(title, text) == chunks


def test_a_chunk_that_only_touches_the_text_does_not_hold_it() -> None:
    # The sentence ends at 15, the next chunk starts at 16.
    assert matched_chunks("Red Fox", "The fox is red.") == {"fox0"}


def test_only_what_could_be_named_is_held() -> None:
    corpus = corpus_for(("Red Fox", "It eats voles."), ("", HARE))
    assert corpus.texts.keys() == {"fox", "hare", "copy"}
    assert corpus.chunks.keys() == {"fox", "hare", "copy"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Some\n  Text. ", "some text"),
        ('"Quoted."', "quoted"),
        ("No stop", "no stop"),
        ("3.5 mg.", "3.5 mg"),
        ("", ""),
    ],
)
def test_texts_are_compared_without_case_space_quotes_and_final_stop(text: str, expected: str) -> None:
    assert normalised(text) == expected


def test_rows_name_every_chunk_and_count_what_was_found() -> None:
    gold = [("Red Fox", "It eats voles. Its den"), ("Hare", "Hares fly."), ("Hare", HARE)]
    corpus = corpus_for(*gold)
    questions: list[dict[str, Any]] = [
        {"question_id": "q1", "gold_evidence": [{"title": title, "text": text} for title, text in gold]},
        {"question_id": "q2", "gold_evidence": []},
    ]
    rows, items, hits = gold_chunk_rows("quiz", questions, corpus)
    assert (items, hits) == (3, 2)
    conform(rows, GOLD_CHUNKS)
    assert [
        (row["question_id"], row["gold_index"], row["chunk_id"], row["article_id"])
        for row in rows.to_pylist()
    ] == [("q1", 0, "fox1", "fox"), ("q1", 0, "fox2", "fox"), ("q1", 2, "hare0", "hare")]


def test_no_gold_evidence_is_an_empty_table() -> None:
    rows, items, hits = gold_chunk_rows("quiz", [{"question_id": "q", "gold_evidence": []}], corpus_for())
    assert (rows.num_rows, items, hits) == (0, 0, 0)
    assert rows.schema.equals(GOLD_CHUNKS.schema)

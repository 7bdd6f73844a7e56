"""Gold evidence located in the corpus: from the text a benchmark names to the chunks that contain it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import GOLD_CHUNKS

_SPACE = re.compile(r"\s+")


def normalised(text: str) -> str:
    """Return a text lower-cased, its white space single, without quotes around or a full stop at its end."""
    return _SPACE.sub(" ", text).strip().strip('"').rstrip(". ").lower()


@dataclass(slots=True)
class CorpusText:
    """Articles of one corpus, findable by title and by their whole text.

    Only articles that a benchmark could name are held: `wanted_titles` and `wanted_texts` are normalised.
    """

    wanted_titles: frozenset[str]
    wanted_texts: frozenset[str]
    by_title: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    by_text: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    texts: dict[str, str] = field(default_factory=dict)
    chunks: dict[str, list[tuple[int, int, str]]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def wanted_by(cls, questions: Iterable[Mapping[str, Any]]) -> CorpusText:
        """Return an empty corpus for the articles that these questions' gold evidence names."""
        titles, texts = set(), set()
        for question in questions:
            for gold in question["gold_evidence"]:
                if gold["title"]:
                    titles.add(normalised(gold["title"]))
                texts.add(text_hash(normalised(gold["text"])))
        return cls(frozenset(titles), frozenset(texts))

    def add_articles(self, batch: pa.RecordBatch) -> None:
        """Keep the wanted articles of a batch with columns article_id, title, text."""
        columns = (batch.column(name).to_pylist() for name in ("article_id", "title", "text"))
        for article_id, title, text in zip(*columns, strict=True):
            title_key, text_key = normalised(title), text_hash(normalised(text))
            if title_key in self.wanted_titles:
                self.by_title[title_key].append(article_id)
                self.texts[article_id] = text
            if text_key in self.wanted_texts:
                self.by_text[text_key].append(article_id)
                self.texts[article_id] = text

    def add_chunks(self, batch: pa.RecordBatch) -> None:
        """Keep the spans of a batch with columns chunk_id, article_id, char_start, char_end."""
        names = ("chunk_id", "article_id", "char_start", "char_end")
        for chunk_id, article_id, start, end in zip(
            *(batch.column(name).to_pylist() for name in names), strict=True
        ):
            if article_id in self.texts:
                self.chunks[article_id].append((start, end, chunk_id))

    def find(self, title: str, text: str) -> list[tuple[str, str]]:
        """Return (chunk_id, article_id) of every chunk that overlaps the gold text.

        An article with the whole text counts; else the text is searched in the articles of that title.
        """
        articles = self.by_text.get(text_hash(normalised(text)), [])
        if title and articles:
            with_text = set(articles)
            titled = [key for key in self.by_title.get(normalised(title), []) if key in with_text]
            articles = titled or articles
        if articles:
            return [(chunk, key) for key in articles for _, _, chunk in self.chunks[key]]
        pattern = re.compile(r"\s+".join(re.escape(word) for word in text.split()), re.IGNORECASE)
        overlapping = []
        for key in self.by_title.get(normalised(title), []) if title else []:
            for match in pattern.finditer(self.texts[key]):
                spans = self.chunks[key]
                overlapping += [
                    (chunk, key) for start, end, chunk in spans if start < match.end() and match.start() < end
                ]
        return list(dict.fromkeys(overlapping))


def gold_chunk_rows(
    benchmark: str, questions: Sequence[Mapping[str, Any]], corpus: CorpusText
) -> tuple[pa.Table, int, int]:
    """Return `gold_chunks` rows, how many gold items there are, and how many of them were found."""
    rows, items, found_items = [], 0, 0
    for question in questions:
        for index, gold in enumerate(question["gold_evidence"]):
            places = corpus.find(gold["title"], gold["text"])
            items += 1
            found_items += bool(places)
            rows += [
                {
                    "benchmark": benchmark,
                    "question_id": question["question_id"],
                    "gold_index": index,
                    "chunk_id": chunk_id,
                    "article_id": article_id,
                }
                for chunk_id, article_id in places
            ]
    return pa.Table.from_pylist(rows, schema=GOLD_CHUNKS.schema), items, found_items

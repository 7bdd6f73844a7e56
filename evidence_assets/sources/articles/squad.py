"""Articles from JSON in the form of SQuAD: one a paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evidence_assets.sources.articles.common import checked_article
from evidence_assets.sources.json_stream import CHUNK_BYTES, JsonBytes, numbered_values
from evidence_assets.sources.reading import file_reader
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets.sources.validation import RecordRejectedError


@file_reader
def read(uri: str, key_prefix: str) -> Iterator[Article | RejectedRecord]:
    """One article a paragraph, with its article's title; the key is `title#index of the paragraph`.

    Articles that share a title are told apart by their places in the file.

    Raises:
        UnusableSourceError: a file is not JSON or holds no article.
    """
    number = 0
    for number, entry in numbered_values(uri, _entries, "article"):
        for record in _paragraphs(entry, f"article {number}"):
            if isinstance(record, Article):
                record = replace(record, place=f"{key_prefix}{number}")  # noqa: PLW2901
            yield record
    if number == 0:
        raise UnusableSourceError(
            uri, "the whole file", "no article under `data`", "give a file in the form of SQuAD"
        )


def _entries(source: JsonBytes) -> Iterator[Any]:
    import ijson

    yield from ijson.items(source, "data.item", buf_size=CHUNK_BYTES)


def _paragraphs(entry: Any, place: str) -> Iterator[Article | RejectedRecord]:
    match entry:
        case {"title": str(title), "paragraphs": list(paragraphs)}:
            for index, paragraph in enumerate(paragraphs):
                try:
                    yield _article(title, index, paragraph)
                except RecordRejectedError as rejected:
                    yield rejected.at(f"{place} ({title!r}), paragraph {index}")
        case _:
            yield RejectedRecord(place, "no `title` with a list of `paragraphs`", "correct the article")


def _article(title: str, index: int, paragraph: Any) -> Article:
    match paragraph:
        case {"context": str(text)}:
            return checked_article(Article(key=f"{title}#{index}", title=title, text=text))
    raise RecordRejectedError("no text under `context`", "correct the paragraph")

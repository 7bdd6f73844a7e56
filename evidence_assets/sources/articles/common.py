"""Shared parts of article readers: their signature, field mapping, reading of several files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeAlias, TypeVar

from evidence_assets.sources.files import named_files
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError

ArticleReader = Callable[[str, Mapping[str, str]], Iterator[Article | RejectedRecord]]
Record = TypeVar("Record")
# (uri, key_prefix): the prefix makes record numbers unique among several files.
FileReader: TypeAlias = Callable[[str, str], Iterator[Record | RejectedRecord]]

FIELD_NAMES = ("key", "title", "text", "url", "revision")


def read_each(uri: str, read_file: FileReader[Record]) -> Iterator[Record | RejectedRecord]:
    """Read every file that `uri` matches, by name; if there are several, rejected records name their file.

    Raises:
        UnusableSourceError: there is no such file, or one cannot be read.
    """
    files = named_files(uri)
    several = len(files) > 1
    for file in files:
        for record in read_file(file.uri, f"{file.name}:" if several else ""):
            if several and isinstance(record, RejectedRecord):
                yield replace(record, record=f"{file.name}, {record.record}")
            else:
                yield record


def check_field_names(uri: str, fields: Mapping[str, str], names: Sequence[str]) -> None:
    """Check that `fields` maps only names that the format supports.

    Raises:
        UnusableSourceError: a name in `fields` is not one of `names`.
    """
    unknown = sorted(set(fields) - set(names))
    if unknown:
        takes = f"map only {', '.join(names)}" if names else "remove `fields`: this format fixes its own"
        raise UnusableSourceError(
            uri, "before the first record", f"fields maps {', '.join(unknown)}, unknown to this format", takes
        )


def article_from_object(
    value: object, place: str, default_key: str, fields: Mapping[str, str]
) -> Article | RejectedRecord:
    """One article from a JSON object; `fields` maps our field names to the object's where they differ.

    The key is the object's key, else its title, else `default_key`. Only `text`, and a name that `fields`
    maps, must be there.
    """
    if not isinstance(value, Mapping):
        return _unfit(place, f"{_kind(value)} where an object with fields is expected")
    texts: dict[str, str] = {}
    for name in FIELD_NAMES:
        column = fields.get(name, name)
        if column not in value and (name in fields or name == "text"):
            return _unfit(place, f"no field {column!r} for {name}; it has {', '.join(map(str, value))}")
        plain = _plain_value(value.get(column), sentences=name == "text")
        if plain is None:
            return _unfit(place, f"field {column!r} holds {_kind(value[column])}, not text")
        texts[name] = plain
    return checked_article(
        Article(
            key=texts["key"] or texts["title"] or default_key,
            title=texts["title"],
            text=texts["text"],
            url=texts["url"],
            revision=texts["revision"],
        ),
        place,
    )


def checked_article(article: Article, place: str) -> Article | RejectedRecord:
    """The article, or a rejection where it holds half a surrogate pair, which no UTF-8 file can store."""
    try:
        for value in (article.key, article.title, article.text, article.url, article.revision):
            value.encode("utf-8")
    except UnicodeEncodeError as error:
        return RejectedRecord(
            place, f"half a surrogate pair at character {error.start}", "correct the escape in the source"
        )
    return article


def joined_sentences(sentences: Sequence[str]) -> str:
    """Sentences as one text: one space between two, unless they carry their own."""
    text = ""
    parts: list[str] = []
    for sentence in filter(None, sentences):
        if text and not text[-1].isspace() and not sentence[0].isspace():
            parts.append(" ")
        parts.append(sentence)
        text = sentence
    return "".join(parts)


def _plain_value(value: object, *, sentences: bool) -> str | None:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return str(value)
    if sentences and isinstance(value, list) and all(isinstance(part, str) for part in value):
        return joined_sentences(value)
    return None


def _unfit(place: str, reason: str) -> RejectedRecord:
    return RejectedRecord(place, reason, "correct the record, or map the file's names with `fields`")


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")

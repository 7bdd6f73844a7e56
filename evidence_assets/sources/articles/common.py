"""Shared parts of article readers: their signature, articles from objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

from evidence_assets.sources.reading import Reader
from evidence_assets.sources.records import Article, RejectedRecord
from evidence_assets.sources.validation import RecordRejectedError

ArticleReader: TypeAlias = Reader[Article | RejectedRecord]

FIELD_NAMES = ("key", "title", "text", "url", "revision")


def article_from_object(value: object, default_key: str, fields: Mapping[str, str]) -> Article:
    """One article from a JSON object; `fields` maps our field names to the object's where they differ.

    The key is the object's key, else its title, which `default_key` tells apart where it repeats, else
    `default_key`. Only `text`, and a name that `fields`
    maps, must be there.

    Raises:
        RecordRejectedError: it is no object, a field is not there, or holds something else than text.
    """
    if not isinstance(value, Mapping):
        raise _unfit(f"{_kind(value)} where an object with fields is expected")
    texts: dict[str, str] = {}
    for name in FIELD_NAMES:
        column = fields.get(name, name)
        if column not in value and (name in fields or name == "text"):
            raise _unfit(f"no field {column!r} for {name}; it has {', '.join(map(str, value))}")
        plain = _plain_value(value.get(column), sentences=name == "text")
        if plain is None:
            raise _unfit(f"field {column!r} holds {_kind(value[column])}, not text")
        texts[name] = plain
    place = "" if texts["key"] else default_key
    texts["key"] = texts["key"] or texts["title"] or default_key
    return checked_article(Article(**texts, place=place))


def checked_article(article: Article) -> Article:
    """The article.

    Raises:
        RecordRejectedError: it holds half a surrogate pair, which no UTF-8 file can store.
    """
    try:
        for value in (article.key, article.title, article.text, article.url, article.revision):
            value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RecordRejectedError(
            f"half a surrogate pair at character {error.start}", "correct the escape in the source"
        ) from error
    return article


def joined_sentences(sentences: Sequence[str]) -> str:
    """Sentences as one text: one space between two, unless they carry their own."""
    parts: list[str] = []
    for sentence in filter(None, sentences):
        if parts and not parts[-1][-1].isspace() and not sentence[0].isspace():
            parts.append(" ")
        parts.append(sentence)
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


def _unfit(reason: str) -> RecordRejectedError:
    return RecordRejectedError(reason, "correct the record, or map the file's names with `fields`")


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")

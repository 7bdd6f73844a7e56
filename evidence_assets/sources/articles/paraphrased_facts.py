"""Articles from YAML files of facts: the pairs of one relation, each verbalised by several templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import yaml

from evidence_assets.sources.files import open_binary
from evidence_assets.sources.reading import check_field_names, read_each
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets.sources.validation import RecordRejectedError, required_list, required_text
from evidence_assets.text.plain_yaml import load_yaml, yaml_problem
from evidence_assets.text.verbalisation import verbalise

PLACES = ("{head}", "{tail}")
# Every second pair leaves out the first form: with a single form it would have no sentence.
FEWEST_FORMS = 2
# YAML is parsed whole and slowly; hand-written files are smaller.
LARGEST_BYTES = 4 * 1024 * 1024
_BEFORE_THE_PAIRS = "before the first pair"


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Article | RejectedRecord]:
    """One article a file, without title, keyed by its `relation`: one sentence a line, pair by pair.

    Every pair of `pairs` is verbalised by every template of `forms`, which hold `{head}` and `{tail}`, except
    that every second pair leaves out the first form: what a search with that wording finds of it was
    inferred, not copied. Entities are inserted verbatim, on one line. A pair that is not two texts, or a
    duplicate, is rejected and keeps its number; a file without a valid pair gives no article, and a file
    whose relation an earlier file has is rejected.

    Raises:
        UnusableSourceError: a file is missing, breaks off, is too large, is not YAML, or lacks a field; there
            are fewer than two forms, or one does not hold each place once; `fields` is not empty.
    """
    check_field_names(uri, fields, ())
    file_of_relation: dict[str, str] = {}
    yield from read_each(uri, partial(_read_file, file_of_relation=file_of_relation))


def _read_file(
    uri: str, key_prefix: str, file_of_relation: dict[str, str]
) -> Iterator[Article | RejectedRecord]:
    relation, forms, pairs = read_facts(uri)
    if relation in file_of_relation:
        yield RejectedRecord(
            f"relation {relation!r}",
            f"{file_of_relation[relation]} tells this relation already",
            "join the two files, or give each a relation of its own",
        )
        return
    file_of_relation[relation] = key_prefix.removesuffix(":")
    numbers: dict[tuple[str, str], int] = {}
    sentences: list[str] = []
    for number, value in enumerate(pairs, start=1):
        try:
            pair = read_pair(value)
            if pair in numbers:
                raise RecordRejectedError(f"it repeats pair {numbers[pair]}", "remove one of the two")
        except RecordRejectedError as rejected:
            yield rejected.at(f"pair {number}")
            continue
        numbers[pair] = number
        sentences.extend(verbalise(form, *pair) for form in (forms if number % 2 else forms[1:]))
    if sentences:
        yield Article(key=relation, title="", text="\n".join(sentences))


def read_facts(uri: str) -> tuple[str, list[str], list[object]]:
    """Return a file's relation, its forms, and its pairs as they are written.

    Raises:
        UnusableSourceError: the file cannot be read, or lacks a field.
    """
    content = _content(uri)
    if not isinstance(content, dict):
        raise UnusableSourceError(
            uri, "the whole file", "not a mapping of fields", "write relation, forms and pairs"
        )
    try:
        relation = _one_line(content.get("relation"), "relation")
        forms = [
            _form(value, f"form {number}")
            for number, value in enumerate(required_list(content.get("forms"), "forms"), start=1)
        ]
        if len(set(forms)) < max(len(forms), FEWEST_FORMS):
            raise RecordRejectedError(
                f"forms holds {len(forms)} sentence(s), {len(set(forms))} of them different",
                "give two forms or more, and each once",
            )
        pairs = required_list(content.get("pairs"), "pairs")
        if not pairs:
            raise RecordRejectedError("pairs is empty", "write `- [head, tail]` lines")
    except RecordRejectedError as refused:
        raise UnusableSourceError(uri, _BEFORE_THE_PAIRS, refused.reason, refused.remedy) from refused
    return relation, forms, pairs


def _content(uri: str) -> object:
    with open_binary(uri) as stream:
        content = stream.read(LARGEST_BYTES + 1)
    if len(content) > LARGEST_BYTES:
        raise UnusableSourceError(
            uri, "the whole file", f"larger than {LARGEST_BYTES:,} bytes", "cut it into one file a relation"
        )
    try:
        return load_yaml(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        wrong = f"byte {error.start}, 0x{content[error.start]:02x}, is not UTF-8"
        raise UnusableSourceError(uri, "the whole file", wrong, "save the file as UTF-8") from error
    except yaml.YAMLError as error:
        raise UnusableSourceError(
            uri,
            "the whole file",
            f"not YAML, {yaml_problem(error)}",
            "correct that line, and put forms in quotes",
        ) from error


def _form(value: object, name: str) -> str:
    form = _one_line(value, name)
    if any(form.count(place) != 1 for place in PLACES) or form.count("{") != len(PLACES):
        raise RecordRejectedError(
            f"{name} does not hold {' and '.join(PLACES)} once each, and no other brace: {form[:200]!r}",
            f"correct {name}",
        )
    return form


def read_pair(value: object) -> tuple[str, str]:
    """Return head and tail of a pair as it is written.

    Raises:
        RecordRejectedError: it is no pair of texts.
    """
    if not isinstance(value, list) or len(value) != 2:
        raise RecordRejectedError("it is not a list of two texts", "write it as `- [head, tail]`")
    head, tail = value
    return _one_line(head, "head"), _one_line(tail, "tail")


def _one_line(value: object, name: str) -> str:
    """The text with its white space squeezed, so that a sentence stays on one line."""
    return " ".join(required_text(value, name).split())

"""Seed files, one a relation: the input of a harvest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import RELATION_SEEDS
from evidence_assets.sources.allowed_places import INSTEAD, why_not_opened

if TYPE_CHECKING:
    import pyarrow as pa
    import yaml

MOST_PAIRS = 5
_NAME = re.compile(r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")
_REQUIRED = ("name", "prompt", "pairs", "template")
_FIELDS = (*_REQUIRED, "head_type", "tail_type")
_LARGEST = 64 * 1024
_TEXT = "tag:yaml.org,2002:str"
# What no text of a person holds, and no table takes: control characters, halves of surrogate pairs.
_UNUSABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class SeedError(Exception):
    """A seed file cannot be used: the message names file, line, field and remedy."""


@dataclass(frozen=True, slots=True)
class RelationSeed:
    """One relation to harvest.

    `prompt` holds `<ENT0>` and `<ENT1>`; `template` reads a triple out, with `{head}` and `{tail}`.
    `content_hash`: of the file's bytes.
    """

    name: str
    prompt: str
    pairs: tuple[tuple[str, str], ...]
    template: str
    head_type: str
    tail_type: str
    content_hash: str


def is_relation_name(name: str) -> bool:
    """Return whether a relation may have this name: it is a partition, and part of a path."""
    return _NAME.match(name) is not None


def seed_files(folder: Path) -> dict[str, Path]:
    """Return the seed files of a folder by relation: the file's name without `.yaml`.

    Hidden files are none: editors and file systems leave such beside the files that they belong to.

    Raises:
        SeedError: there is no such folder, or two names differ only in the case of their letters, which not
            every file system tells apart.
    """
    if not folder.is_dir():
        raise SeedError(f"{folder}: no such folder; remedy: create it, or correct harvest.seeds")
    files: dict[str, Path] = {}
    spelled: dict[str, str] = {}
    for path in sorted(folder.glob("[!.]*.yaml")):
        first_named = spelled.setdefault(path.stem.lower(), path.name)
        if first_named != path.name:
            raise SeedError(f"{folder}: {first_named} and {path.name} name one relation; remedy: remove one")
        files[path.stem] = path
    return files


def fingerprint(path: Path) -> str:
    """Return the content hash of a seed file.

    Raises:
        SeedError: it cannot be read.
    """
    return _hash(_content(path))


def _content(path: Path) -> bytes:
    if reason := why_not_opened(str(path)):
        raise SeedError(f"{path}: {reason}; remedy: {INSTEAD}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise SeedError(f"{path}: {error.strerror}; remedy: make it readable, or remove it") from error


def _hash(content: bytes) -> str:
    return text_hash(content.hex())


def read_seed(path: Path) -> RelationSeed:
    """Return what a seed file says.

    Raises:
        SeedError: it cannot be read, or a field is missing, unknown or wrong.
    """
    import yaml

    content = _content(path)
    if len(content) > _LARGEST:
        raise SeedError(f"{path}: larger than {_LARGEST:,} bytes; remedy: this is no seed file")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SeedError(f"{path}: not UTF-8 at byte {error.start}; remedy: save it as UTF-8") from error
    # What is written is read, and no value is made of it: that can fail in as many ways as there are types.
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line if mark else text.count("\n", 0, getattr(error, "position", 0))
        problem = getattr(error, "problem", None) or getattr(error, "reason", error)
        raise SeedError(f"{path}, line {line + 1}: not YAML ({problem}); remedy: correct the line") from error
    except (ValueError, OverflowError, RecursionError) as error:
        # An escape beyond the last character, brackets nested by the thousand.
        raise SeedError(f"{path}: not YAML ({error}); remedy: write it plainly") from error
    return _Reading(path, root).seed(_hash(content))


def seed_row(seed: RelationSeed) -> pa.Table:
    """Return a relation's `relation_seeds` row."""
    import pyarrow as pa

    row = {
        "relation": seed.name,
        "prompt": seed.prompt,
        "template": seed.template,
        "head_type": seed.head_type,
        "tail_type": seed.tail_type,
        "pairs": [{"head": head, "tail": tail} for head, tail in seed.pairs],
        "seed_hash": seed.content_hash,
    }
    return pa.Table.from_pylist([row], schema=RELATION_SEEDS.schema)


def seed_of_row(row: Mapping[str, Any]) -> RelationSeed:
    """Return the relation that a `relation_seeds` row holds."""
    return RelationSeed(
        row["relation"],
        row["prompt"],
        tuple((pair["head"], pair["tail"]) for pair in row["pairs"]),
        row["template"],
        row["head_type"],
        row["tail_type"],
        row["seed_hash"],
    )


class _Reading:
    """One file being checked: knows on which line each field is."""

    def __init__(self, path: Path, root: yaml.Node | None) -> None:
        import yaml

        self._path = path
        self._lines: dict[str, int] = {}
        self._values: dict[str, yaml.Node] = {}
        if not isinstance(root, yaml.MappingNode):
            raise SeedError(f"{path}, line 1: not a mapping; remedy: write {', '.join(_REQUIRED)}")
        for key, value in root.value:
            field, line = _text_of(key) or _shown(key), key.start_mark.line + 1
            if field in self._lines:
                raise SeedError(f"{path}, line {line}, {field}: given twice; remedy: remove one")
            if field not in _FIELDS:
                raise SeedError(
                    f"{path}, line {line}, {field}: unknown field; remedy: use {', '.join(_FIELDS)}"
                )
            self._lines[field], self._values[field] = line, value

    def seed(self, content_hash: str) -> RelationSeed:
        from evidence_assets.extraction.probing import PromptError, check_prompt

        for field in _REQUIRED:
            if field not in self._values:
                raise SeedError(f"{self._path}: no field {field}; remedy: add it")
        texts = {field: self._text(field) for field in self._values if field != "pairs"}
        name = texts["name"]
        if name != self._path.stem or not is_relation_name(name):
            raise self._wrong(
                "name",
                f"{name!r} is not {self._path.stem!r}, the file's own name, or holds more than letters, "
                "digits, - and _",
                "give both one name",
            )
        try:
            check_prompt(texts["prompt"])
        except PromptError as error:
            raise SeedError(f"{self._path}, line {self._lines['prompt']}, prompt: {error}") from error
        template = texts["template"]
        if template.count("{head}") != 1 or template.count("{tail}") != 1 or template.count("{") != 2:
            raise self._wrong(
                "template", f"{template!r} must hold {{head}} and {{tail}}, once each", "correct it"
            )
        return RelationSeed(
            name,
            texts["prompt"],
            tuple(self._pairs()),
            template,
            texts.get("head_type", ""),
            texts.get("tail_type", ""),
            content_hash,
        )

    def _text(self, field: str) -> str:
        text = _text_of(self._values[field])
        if not text:
            raise self._wrong(
                field, f"{_shown(self._values[field])} is no text", "write a text, in quotes if need be"
            )
        return text

    def _pairs(self) -> Iterator[tuple[str, str]]:
        import yaml

        value = self._values["pairs"]
        if not isinstance(value, yaml.SequenceNode) or not 1 <= len(value.value) <= MOST_PAIRS:
            raise self._wrong(
                "pairs", f"not a list of 1 to {MOST_PAIRS} pairs", "write `- [head, tail]` lines"
            )
        seen: set[tuple[str, str]] = set()
        for number, entry in enumerate(value.value, start=1):
            place, line = f"pair {number}", entry.start_mark.line + 1
            if not isinstance(entry, yaml.SequenceNode) or len(entry.value) != 2:
                raise self._wrong("pairs", f"{place} is no [head, tail]", "write two texts", line)
            sides = [_text_of(side) or "" for side in entry.value]
            for side, text in zip(entry.value, sides, strict=True):
                if not any(letter.isalpha() for letter in text):
                    raise self._wrong(
                        "pairs", f"{place}: {_shown(side)} is no text with letters", "put it in quotes", line
                    )
            head, tail = sides
            key = (head.lower(), tail.lower())
            if key[0] == key[1]:
                raise self._wrong("pairs", f"{place}: head and tail are the same", "correct one", line)
            if key in seen:
                raise self._wrong("pairs", f"{place} is given twice", "remove one", line)
            if key[::-1] in seen:
                raise self._wrong(
                    "pairs", f"{place} is an earlier pair the other way round", "keep the right one", line
                )
            seen.add(key)
            yield head, tail

    def _wrong(self, field: str, problem: str, remedy: str, line: int | None = None) -> SeedError:
        return SeedError(
            f"{self._path}, line {line or self._lines[field]}, {field}: {problem}; remedy: {remedy}"
        )


def _text_of(node: yaml.Node) -> str | None:
    """Return a text, its white space collapsed; None where YAML reads a number, a boolean or no scalar."""
    import yaml

    if not isinstance(node, yaml.ScalarNode) or node.tag != _TEXT:
        return None
    text = " ".join(node.value.split())
    return None if _UNUSABLE.search(text) else text


def _shown(node: yaml.Node) -> str:
    """Return what is written there, cut."""
    import yaml

    return f"{node.value!r:.60}" if isinstance(node, yaml.ScalarNode) else "a list or mapping"

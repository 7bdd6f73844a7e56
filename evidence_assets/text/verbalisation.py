"""Verbalisation of triples by templates, one per relation: packaged, from a user's file, or generated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from evidence_assets.lake.ids import combined_hash
from evidence_assets.text.plain_yaml import load_yaml, yaml_problem

CONCEPTNET, BIOMEDICAL, FILMS = "conceptnet", "biomedical", "films"
TEMPLATE_SETS = (CONCEPTNET, BIOMEDICAL, FILMS)
# The template set that verbalises every relation by its name.
NAMES = "names"
SUFFIXES = (".yaml", ".yml")
RELATIONS, _SENTENCES = "relations", "sentences"
_BEFORE_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN_WORDS = re.compile(r"[\s_{}]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class TemplateError(Exception):
    """A template cannot be used: names the file, the relation and the remedy."""


class NamesReadOut(Mapping[str, str]):
    """Templates generated from relation names: `directed_by` gives `{head} directed by {tail}`.

    Any relation is contained; iteration lists those with a written template, which has precedence.
    """

    def __init__(self, written: Mapping[str, str] | None = None) -> None:
        self._written = dict(written or {})

    def __getitem__(self, relation: str) -> str:
        return self._written.get(relation, f"{{head}} {words_of(relation)} {{tail}}")

    def __contains__(self, relation: object) -> bool:
        return isinstance(relation, str)

    def __iter__(self) -> Iterator[str]:
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)


def words_of(relation: str) -> str:
    """Return the words of a relation's name, split at underscores and capitals, without braces.

    Acronyms are kept: `has_IMDBRating` gives `has IMDB rating`.
    """
    words = (word for word in _BETWEEN_WORDS.split(relation) if word)
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def spelt(name: str, marks: str = "_-/.:") -> str:
    """Return a name of code or of columns as words, in small letters: `directed_by` and `DirectedBy` alike.

    `marks`: what parts its words, beside capitals.
    """
    parted = re.sub(f"[{re.escape(marks)}]+", " ", _BEFORE_CAPITALS.sub(" ", name))
    return " ".join(parted.lower().split())


def is_file(name: str) -> bool:
    """Return whether a configuration's `templates` is a user's file."""
    return name.endswith(SUFFIXES)


def templates(name: str) -> Mapping[str, str]:
    """Return templates: relation to a sentence with `{head}` and `{tail}`.

    `name`: one of TEMPLATE_SETS, `names`, or the path of a YAML file; empty: the sentences of ConceptNet's
    relations, and for all others their names.

    Raises:
        TemplateError: there is no such set or file; a template lacks one of the two places, or has another.
    """
    if name == NAMES:
        return NamesReadOut()
    if not name:
        return NamesReadOut(_of_set(CONCEPTNET))
    if is_file(name):
        return read_templates(_text_of_file(name), name)
    if name not in TEMPLATE_SETS:
        raise TemplateError(f"no templates {name!r}: choose one of {', '.join((*TEMPLATE_SETS, NAMES))}")
    return _of_set(name)


@cache
def _of_set(name: str) -> Mapping[str, str]:
    return read_templates(_text_of_set(name), _place(name))


def read_templates(text: str, place: str) -> Mapping[str, str]:
    """Return the templates of a YAML text; `place` names it in errors.

    It is flat, a relation and its sentence a line, or an authored schema, in which `relations` gives each
    relation `sentences`: the first of them is the template.

    Raises:
        TemplateError: it is not YAML of one of these forms; a sentence lacks one of the two places, or has
            another.
    """
    try:
        data = load_yaml(text)
    except yaml.YAMLError as error:
        raise TemplateError(f"{place}: not YAML, {yaml_problem(error)}; remedy: correct that line") from error
    if not isinstance(data, dict) or not data:
        raise TemplateError(f"{place}: no relations; write a line `relation: sentence` for each")
    described = data[RELATIONS] if _is_schema(data) else data
    return {
        relation: sentences[0]
        for relation, description in described.items()
        if (sentences := _checked(relation, description, place))
    }


def schema_text(name: str) -> tuple[str, str] | None:
    """Return the YAML of templates that are an authored schema, with their name for errors; else None.

    Raises:
        TemplateError: as `templates`.
    """
    templates(name)
    if name in (NAMES, ""):
        return None
    text, place = (_text_of_file(name), name) if is_file(name) else (_text_of_set(name), _place(name))
    return (text, place) if _is_schema(load_yaml(text)) else None


def templates_version(named: Iterable[str] = ()) -> str:
    """Return a hash of every set of templates, since verbalised evidence depends on them.

    `named`: the `templates` of a configuration's graphs; the files among them are hashed too.

    Raises:
        TemplateError: a file cannot be read.
    """
    user_templates = (_text_of_file(name) for name in sorted({name for name in named if is_file(name)}))
    return combined_hash([*map(_text_of_set, TEMPLATE_SETS), *user_templates])[:8]


def verbalise(template: str, head: str, tail: str) -> str:
    """Return the sentence of a triple. Labels are inserted verbatim, including braces."""
    before, _, remainder = template.partition("{")
    first, _, remainder = remainder.partition("}")
    between, _, remainder = remainder.partition("{")
    second, _, after = remainder.partition("}")
    ends = {"head": head, "tail": tail}
    return f"{before}{ends[first]}{between}{ends[second]}{after}"


def _is_schema(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get(RELATIONS), dict)


def _checked(relation: object, description: object, place: str) -> list[str]:
    if not isinstance(relation, str):
        raise TemplateError(f"{place}, {relation!r}: the relation is no text; put it in quotes")
    if isinstance(description, dict):
        if _SENTENCES not in description:
            fields = ", ".join(map(str, description)) or "none"
            raise TemplateError(
                f"{place}, {relation}: its fields are {fields}, and none is {_SENTENCES}; write "
                f'{_SENTENCES}: ["{{head}} … {{tail}}"]'
            )
        description = description[_SENTENCES]
    stated = description if isinstance(description, list) else [description]
    sentences = [sentence for sentence in stated if isinstance(sentence, str)]
    if not sentences or len(sentences) < len(stated):
        raise TemplateError(f"{place}, {relation}: no sentence; write one with {{head}} and {{tail}}")
    for sentence in sentences:
        if sentence.count("{head}") != 1 or sentence.count("{tail}") != 1 or sentence.count("{") != 2:
            raise TemplateError(
                f"{place}, {relation}: {sentence!r} must hold {{head}} and {{tail}}, once each"
            )
    return sentences


def _place(name: str) -> str:
    return f"templates/{name}.yaml"


def _text_of_set(name: str) -> str:
    path = files("evidence_assets.text").joinpath("templates", f"{name}.yaml")
    return path.read_text(encoding="utf-8")


def _text_of_file(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise TemplateError(f"{name}: {error.strerror}; write the templates there, or name a set") from error
    except UnicodeDecodeError as error:
        raise TemplateError(f"{name}: not UTF-8 at byte {error.start}; save it as UTF-8") from error

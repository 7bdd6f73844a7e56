"""Sentences for triples: one template a relation, kept in `templates/*.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml

from evidence_assets.lake.ids import combined_hash

CONCEPTNET, BIOMEDICAL = "conceptnet", "biomedical"
TEMPLATE_SETS = (CONCEPTNET, BIOMEDICAL)


class TemplateError(Exception):
    """A template cannot be used: names the file, the relation and the remedy."""


@cache
def templates(name: str) -> Mapping[str, str]:
    """Return a set of templates: relation to a sentence with `{head}` and `{tail}`.

    Raises:
        TemplateError: there is no such set; a template lacks one of the two places, or has another.
    """
    if name not in TEMPLATE_SETS:
        raise TemplateError(f"no templates {name!r}: choose one of {', '.join(TEMPLATE_SETS)}")
    path = files("evidence_assets.graphs").joinpath("templates", f"{name}.yaml")
    found: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8"))
    for relation, template in found.items():
        if template.count("{head}") != 1 or template.count("{tail}") != 1 or template.count("{") != 2:
            raise TemplateError(
                f"templates/{name}.yaml, {relation}: {template!r} must hold {{head}} and {{tail}}, once each"
            )
    return found


def templates_version() -> str:
    """Return a hash of every set of templates: other sentences are other evidence."""
    folder = files("evidence_assets.graphs").joinpath("templates")
    return combined_hash(
        folder.joinpath(f"{name}.yaml").read_text(encoding="utf-8") for name in TEMPLATE_SETS
    )[:8]


def verbalise(template: str, head: str, tail: str) -> str:
    """Return the sentence of one triple. Labels stand as they are, braces and all."""
    before, _, rest = template.partition("{")
    first, _, rest = rest.partition("}")
    between, _, rest = rest.partition("{")
    second, _, after = rest.partition("}")
    ends = {"head": head, "tail": tail}
    return f"{before}{ends[first]}{between}{ends[second]}{after}"

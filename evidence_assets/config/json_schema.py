"""The JSON Schema of the configuration file, by which an editor completes and checks it."""

from __future__ import annotations

import json
from typing import Any

from evidence_assets.sources.specification_fields import Strict
from evidence_assets.sources.specifications import Sources

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> str:
    """Return the schema as JSON text: fields, types, limits, and the names that are known without a lake.

    A name that only a file can tell (a mapping of questions, templates of one's own) is any name in .yaml.
    """
    from evidence_assets.extraction.arms import ARMS
    from evidence_assets.sources.articles.registry import READERS
    from evidence_assets.sources.graphs.registry import READERS as GRAPH_READERS
    from evidence_assets.sources.questions.registry import NAMES as QUESTION_READERS
    from evidence_assets.systems.registry import systems_by_name
    from evidence_assets.text.verbalisation import NAMES, TEMPLATE_SETS

    schema = Sources.model_json_schema()
    parts: dict[str, Any] = schema["$defs"]
    for model in Strict.__subclasses__():
        if model.__name__ in parts:
            parts[model.__name__]["description"] = _description(model)
    parts["ArticleSource"]["properties"]["format"]["enum"] = sorted(READERS)
    parts["StatementSource"]["properties"]["format"]["enum"] = sorted(GRAPH_READERS)
    benchmark = parts["BenchmarkSource"]["properties"]
    _named_or_file(benchmark["reader"], QUESTION_READERS)
    benchmark["systems"]["items"]["enum"] = list(systems_by_name())
    _named_or_file(parts["GraphSource"]["properties"]["templates"], ("", *TEMPLATE_SETS, NAMES))
    for part, field in (("HarvestSource", "arms"), ("GraphSource", "harvests")):
        parts[part]["properties"][field]["items"]["enum"] = list(ARMS)
    for section in schema["properties"].values():
        if "patternProperties" in section:
            section["additionalProperties"] = False
    document = {"$schema": _DIALECT, **schema, "title": "sources.yaml"}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _named_or_file(field: dict[str, Any], names: Any) -> None:
    del field["type"]
    field["anyOf"] = [{"enum": list(names)}, {"type": "string", "pattern": r"\.ya?ml$"}]


def _description(model: type[Strict]) -> str:
    """Return what a model's docstring says, its lines joined: editors break them themselves."""
    return " ".join((model.__doc__ or "").split())

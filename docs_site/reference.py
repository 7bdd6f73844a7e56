"""The reference: tables from the lake's schemas, commands from typer, the configuration from its models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import typer

from evidence_assets.cli.main import app
from evidence_assets.config.json_schema import json_schema
from evidence_assets.lake.schemas import TABLES_BY_NAME, Table
from evidence_assets.lake.schemas.descriptions import column_description
from evidence_assets.sources.questions.registry import BENCHMARKS

_PYTHON = """# Python

The same things from Python. [Asking](../ask.md) shows them in use.

::: evidence_assets.api
    options:
      show_root_heading: false
      show_root_toc_entry: false
"""


def pages() -> dict[str, str]:
    """Return the pages of the reference, by their paths in the site."""
    made = {
        "tables": _tables(),
        "commands": _commands(),
        "configuration": _configuration(),
        "question_sets": _question_sets(),
    }
    return {f"reference/{name}.md": "\n".join(lines) + "\n" for name, lines in made.items()} | {
        "reference/python.md": _PYTHON
    }


def _tables() -> Iterator[str]:
    yield "# Tables"
    yield "\nEvery table of the lake, as its schema declares it. Columns of the key are bold.\n"
    for table in sorted(TABLES_BY_NAME.values(), key=lambda declared: declared.name):
        yield f"\n## {table.name}\n\n{table.description}\n"
        yield from _columns(table)
        for reference in table.references:
            target = f"[{reference.table}](#{reference.table})"
            yield f"\n`{', '.join(reference.columns)}` → {target} (`{', '.join(reference.target)}`)"


def _columns(table: Table) -> Iterator[str]:
    if table.partition_columns:
        yield f"Partitioned by {', '.join(f'`{name}`' for name in table.partition_columns)}.\n"
    yield "| column | type | null | holds |\n|---|---|---|---|"
    for column in table.schema:
        name = f"**`{column.name}`**" if column.name in table.key else f"`{column.name}`"
        null = "may be" if column.nullable else ""
        yield f"| {name} | `{_cell(column.type)}` | {null} | {_cell(column_description(column))} |"


def _commands() -> Iterator[str]:
    command = typer.main.get_command(app)
    context = typer.Context(command, info_name="evidence-assets")
    yield f"# Commands\n\n{command.help}\n"
    for name in command.list_commands(context):  # type: ignore[attr-defined]
        subcommand = command.get_command(context, name)  # type: ignore[attr-defined]
        usage = subcommand.get_usage(typer.Context(subcommand, info_name=f"evidence-assets {name}"))
        yield f"\n## {name}\n\n{subcommand.help}\n\n```text\n{usage.removeprefix('Usage: ')}\n```\n"
        rows = [_option(parameter) for parameter in subcommand.params if parameter.name != "help"]
        if rows:
            yield "| argument | what it says |\n|---|---|"
            yield from rows


def _option(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    return f"| {names} | {_cell(getattr(parameter, 'help', '') or '')} |"


def _configuration() -> Iterator[str]:
    schema = json.loads(json_schema())
    yield "# Configuration\n\n`sources.yaml`, from the models that check it."
    yield "Editors complete it by its [JSON Schema](../sources.schema.json)."
    yield from _fields("sources.yaml", schema)
    for name, part in sorted(schema["$defs"].items()):
        yield from _fields(name, part)


def _fields(name: str, part: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n## {name}\n\n{part.get('description', '')}\n"
    yield "| field | type | default |\n|---|---|---|"
    for field, schema in part.get("properties", {}).items():
        default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ""
        default = "required" if field in part.get("required", ()) else default
        yield f"| `{field}` | {_type(schema)} | {_cell(default)} |"


def _type(schema: Mapping[str, Any]) -> str:
    """Return what a field may hold, with a link to the model of its parts."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"] if value)
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    inner = schema.get("additionalProperties") or next(
        iter(schema.get("patternProperties", {}).values()), None
    )
    if isinstance(inner, Mapping):
        return f"by name: {_type(inner)}"
    return f"`{schema.get('type', 'any')}`"


def _question_sets() -> Iterator[str]:
    yield "# Question sets\n\nWhat `reader` may name, each with its licence and where its owners state it."
    yield "*Not confirmed* means that no page of theirs was found that says so: look before you publish.\n"
    yield "| reader | what | licence | stated | from |\n|---|---|---|---|---|"
    for question_set in BENCHMARKS.values():
        source = question_set.licence_source
        stated = f"[there]({source})" if source.startswith("https:") else source or "*not confirmed*"
        cells = (
            f"`{question_set.name}`",
            question_set.title,
            question_set.licence,
            stated,
            question_set.where,
        )
        yield f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(value: object) -> str:
    return " ".join(str(value).replace("|", "\\|").split())

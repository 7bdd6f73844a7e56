"""Templates to bytes: everything from the lake is escaped, and nothing is fetched from outside."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from evidence_assets.audit.counting import counted
from evidence_assets.lake.filesystem import safe_path_part
from evidence_assets.text.visible import visible

FOLDER = "pages"
# No page is larger, in bytes: what does not fit stands on further pages.
LARGEST = 300_000
_CITATION = re.compile(r"\[(E\d+)\]")
_SIDE_BY_SIDE = re.compile(r"\]\[E(?=\d)")


def page(template: str, **values: Any) -> bytes:
    """Return a page as UTF-8, its style and script inside.

    The page forbids everything but these: no request, no script that is not ours, no frame, no form. Control
    characters, which could reorder what stands beside a quotation, are shown.

    Raises:
        ValueError: a value that the template needs is missing, or it reaches for what the sandbox keeps from
            it.
    """
    try:
        text = _environment().get_template(f"{template}.html.j2").render(values)
    except jinja2.TemplateRuntimeError as error:
        raise ValueError(f"page {template}: {error}") from error
    return visible(text).encode("utf-8", "replace")


@cache
def _environment() -> jinja2.Environment:
    environment = ImmutableSandboxedEnvironment(
        loader=jinja2.FunctionLoader(_template),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = _template("filter.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    environment.globals.update(
        style=Markup(_minified(_template("style.css"))),  # noqa: S704 - a file of the package
        script=Markup(script),  # noqa: S704 - a file of the package
        script_hash=f"sha256-{digest}",
    )
    environment.filters.update(
        cut=cut,
        short=short,
        percent=percent,
        citations=citations,
        linked=linked,
        counted=counted,
        words=relation_words,
    )
    return environment


def _template(name: str) -> str:
    return files("evidence_assets.audit.pages").joinpath("templates", name).read_text(encoding="utf-8")


def _minified(style: str) -> str:
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)).strip()


def cut(text: str, most: int) -> str:
    """Return a text of at most so many characters, saying how many are left out."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … ({len(text) - most:,} more characters)"


def short(version: str) -> str:
    """Return the beginning of a version: enough to tell it from another."""
    return version if len(version) <= 22 else f"{version[:20]}…"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share in percent, without the sign; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.{digits}f}"


def relation_words(relation: str) -> str:
    """Return a relation's name as words."""
    return relation.replace("_", " ")


def citations(text: str, marks: Sequence[str]) -> Markup:
    """Return a chain's text, escaped, its citation marks made links where they are among `marks`."""
    # Marks that stand side by side are set apart, or they would read as one.
    pieces = _CITATION.split(_SIDE_BY_SIDE.sub("] [E", text))
    parts = []
    for number, part in enumerate(pieces):
        is_mark = number % 2 == 1
        if is_mark and part in marks:
            parts.append(Markup('<a class="cite" href="#{0}">{0}</a>').format(part))
        else:
            parts.append(escape(f"[{part}]" if is_mark else part))
    return Markup("").join(parts)


def linked(path: str) -> str:
    """Return a relative path of lake files as a link's target."""
    return quote(path, safe="/#")


def folder_of(system: str, arm: str, benchmark: str) -> str:
    """Return the folder of an experiment's pages, relative to the lake's root."""
    return "/".join((FOLDER, *map(safe_path_part, (benchmark, system, arm))))


def scoreboard_folder(benchmark: str) -> str:
    """Return the folder of a benchmark's scoreboard, relative to the lake's root."""
    return f"{FOLDER}/{safe_path_part(benchmark)}/{SCORES}"


# Beside the folders of systems: no system is named so, since a system's name is a Python name.
SCORES = "-scores"
INDEX = "index.html"

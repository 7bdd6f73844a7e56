"""Hooks of mkdocs: pages made from the README, the code and the results, and links that fit the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docs_site import reference, results

# Pages of the site by the file of the project that they are.
_FILES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "code_of_conduct.md",
}
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#|//)([^)#\s]*)(#[^)\s]*)?(?=\))")
_MORE = "How to"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made, and put the results' areas in the place of their one long page."""
    project = Path(config.config_file_path).parent
    made = {page: (project / name).read_text(encoding="utf-8") for name, page in _FILES.items()}
    made |= reference.pages()
    areas = results.areas((project / "docs" / "results.md").read_text(encoding="utf-8"))
    made |= {area.page: area.text for area in areas}
    results_page = files.get_file_from_path("results.md")
    if results_page is not None:
        files.remove(results_page)
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    _complete(config.nav or [], files, [area.page for area in areas])
    config.extra["anchors"] = {anchor: area.page for area in areas for anchor in area.anchors}
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make a link that fits the project's files one that fits the site."""
    source = page.file.src_uri
    written = next((name for name, made in _FILES.items() if made == source), f"docs/{source}")
    if source.startswith("results/"):
        written = "docs/results.md"
    here = posixpath.dirname(source) or "."

    def fitted(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        full = posixpath.normpath(posixpath.join(posixpath.dirname(written), target)) if target else written
        if full == "docs/results.md":
            full = f"docs/{config.extra['anchors'].get(anchor[1:], 'results/index.md')}"
        full = f"docs/{_FILES[full]}" if full in _FILES else full
        return posixpath.relpath(full.removeprefix("docs/"), here) + anchor

    if source.startswith("results/"):
        markdown = re.sub(r"\]\((?=#)", "](results.md", markdown)
    return _LINK.sub(fitted, markdown)


def _complete(nav: list[Any], files: Files, areas: list[str]) -> None:
    """List the results' areas, and pages that the navigation does not name."""
    sections = {title: entries for item in nav if isinstance(item, dict) for title, entries in item.items()}
    sections["Results"][:] = areas
    named = {path for entries in sections.values() for path in _paths(entries)}
    sections[_MORE] += [file.src_uri for file in files.documentation_pages() if file.src_uri not in named]


def _paths(entries: Any) -> list[str]:
    if isinstance(entries, str):
        return [entries]
    values = entries.values() if isinstance(entries, dict) else entries
    return [path for value in values for path in _paths(value)]

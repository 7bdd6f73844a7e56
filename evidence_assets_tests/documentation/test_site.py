"""The documentation site: what is made from code and results, its links, and how it looks in a browser."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from docs_site import reference, results
from evidence_assets.lake.schemas import TABLES_BY_NAME
from evidence_assets_tests.testing.browser import browser
from evidence_assets_tests.testing.documentation import PROJECT

RESULTS = "# Results\n\n## Summary\n\nAll.\n\n## One `area`\n\n### Time\n\n## Another area\n\n### Time\n"


def test_results_are_cut_at_their_areas() -> None:
    summary, area, another = results.areas(RESULTS)
    assert (summary.page, summary.anchors) == ("results/index.md", ("results", "summary"))
    assert (area.page, area.text) == ("results/one-area.md", "# One `area`\n\n## Time\n\n")
    assert area.anchors == ("one-area", "time")
    assert (another.page, another.anchors) == ("results/another-area.md", ("another-area", "time_1"))


def test_the_reference_names_every_table_and_command() -> None:
    made = reference.pages()
    assert [name for name in TABLES_BY_NAME if f"\n## {name}\n" not in made["reference/tables.md"]] == []
    for command in ("init", "demo", "ask", "retract", "gate", "demo-lm"):
        assert f"\n## {command}\n" in made["reference/commands.md"]
    assert "| `--apply` | do it; without this, only show what would change |" in made["reference/commands.md"]
    assert "[BenchmarkSource](#benchmarksource)" in made["reference/configuration.md"]
    assert "*not confirmed*" in made["reference/question_sets.md"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does: a link that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.integration
def test_a_page_shows_the_very_file_that_it_includes(site: Path) -> None:
    assert "OverlapArm" in (site / "howto" / "add_a_system.html").read_text(encoding="utf-8")


class Address:
    """A page as a server gives it."""

    def __init__(self, uri: str) -> None:
        self.uri = uri

    def as_uri(self) -> str:
        return self.uri


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.integration
@pytest.mark.browser
@pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)], ids=["wide, light", "phone, dark"])
def test_pages_are_whole_at_any_width_and_fetch_nothing(
    site: Path, served: str, width: int, dark: bool
) -> None:
    with browser() as opened:
        for page in sorted(site.rglob("*.html")):
            name = str(page.relative_to(site))
            opened.open(Address(f"{served}/{name}"), width, dark)  # type: ignore[arg-type]
            assert [uri for uri in opened.requests if not uri.startswith((served, "data:", "blob:"))] == [], (
                name
            )
            assert opened.errors == [], name
            assert opened.value("document.documentElement.scrollWidth") <= width, name
            scheme = opened.value("document.body.dataset.mdColorScheme")
            assert scheme == ("slate" if dark else "default"), name

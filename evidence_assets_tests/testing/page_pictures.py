"""Takes the pictures of the documentation: `python -m evidence_assets_tests.testing.page_pictures`.

The asset graph from Dagster's own server; the others from the pages of the demo's lake, which `EVIDENCE_LAKE`
names; with the browser that is installed. `graph` alone takes the graph, which needs no lake.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from evidence_assets.audit.pages.rendering import folder_of, scoreboard_folder
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets_tests.testing.browser import Browser, browser, installed
from evidence_assets_tests.testing.serving import free_port, wait_until_served

PROJECT = Path(__file__).resolve().parents[2]
PICTURES = PROJECT / "docs" / "pictures"
_SECONDS_TO_START = 180.0
TEXT = ("uscrake", "full@extractive", "starter")
PATHS = ("ugat_medqa", "full@extractive", "starter_medicine")
# Of the right answers, the one whose cited articles (or triples) most other answers rest on.
_EXAMPLE = """
WITH cited AS (
    SELECT prediction_id, coalesce(locator.article_id, source_key) AS source
    FROM prediction_evidence JOIN predictions USING (prediction_id, system, arm, benchmark)
    JOIN evidence USING (evidence_id)
    WHERE role = 'cited' AND candidate = predicted_index AND system = ? AND arm = ? AND benchmark = ?
)
SELECT ours.prediction_id, count(DISTINCT theirs.prediction_id) AS others
FROM cited AS ours JOIN cited AS theirs USING (source)
WHERE ours.prediction_id IN (SELECT prediction_id FROM predictions WHERE correct)
GROUP BY ALL ORDER BY others DESC, ours.prediction_id LIMIT 1
"""


def take_pictures(lake: Lake, tab: Browser) -> None:
    """Write every picture, a WebP of some tens of kilobytes each."""
    root = Path(lake.path)
    with catalogue.connect(lake) as connection:
        text, path = (connection.execute(_EXAMPLE, place).fetchall()[0][0] for place in (TEXT, PATHS))
    answer = root / folder_of(*TEXT) / f"{text}.html"
    tab.open(answer, 1100)
    tab.value("document.querySelectorAll('.citation details').forEach(each => { each.open = true; })")
    _save(tab, "answer", 1250)
    tab.open(root / folder_of(*PATHS) / f"{path}.html", 390, dark=True)
    _save(tab, "path_on_a_phone", 1000)
    tab.open(root / folder_of(*TEXT) / "index.html", 1100)
    tab.value("document.querySelector('input[value=sure-and-wrong]').click()")
    _save(tab, "sure_and_wrong", 800)
    tab.open(root / scoreboard_folder("starter") / "index.html", 1100)
    _save(tab, "scores", 1150)


def take_graph(tab: Browser) -> None:
    """Write the picture of the asset graph, its groups closed, as Dagster's server shows it."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as home:
        shutil.copy(PROJECT / "dagster.yaml", home)
        server = [sys.executable, "-m", "dagster_webserver", "--module-name", "evidence_assets.definitions"]
        process = subprocess.Popen(
            [*server, "--host", "127.0.0.1", "--port", str(port)],
            cwd=PROJECT,
            env={**os.environ, "DAGSTER_HOME": home},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until_served(address, _SECONDS_TO_START)
            tab.open(f"{address}/asset-groups", 1600, height=1000)
            # Groups are drawn first, and then the lines between them.
            wide = "each => each.getBoundingClientRect().width > 50"
            lines = f"[...document.querySelectorAll('path')].filter({wide})"
            tab.until(f"{lines}.length > 20", _SECONDS_TO_START)
            _save(tab, "graph", 1000)
        finally:
            process.terminate()
            process.wait(timeout=60)


def _save(tab: Browser, name: str, height: int) -> None:
    file = PICTURES / f"{name}.webp"
    file.write_bytes(tab.picture(height, "webp", 78))
    print(f"{file.stat().st_size:7,} bytes  {file}")


if __name__ == "__main__":
    if installed() is None:
        sys.exit("no browser is installed: apt-get install chromium")
    PICTURES.mkdir(exist_ok=True)
    with browser() as opened:
        take_graph(opened)
        if sys.argv[1:] == ["graph"]:
            sys.exit()
        take_pictures(Lake(default_root()), opened)

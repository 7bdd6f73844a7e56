"""Takes the pictures of docs/evidence_pages.md: `python -m evidence_assets_tests.testing.page_pictures`.

From the pages of the demo's lake, which `EVIDENCE_LAKE` names, with the browser that is installed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from evidence_assets.audit.pages.rendering import folder_of, scoreboard_folder
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets_tests.testing.browser import Browser, browser, installed

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
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


def _save(tab: Browser, name: str, height: int) -> None:
    file = PICTURES / f"{name}.webp"
    file.write_bytes(tab.picture(height, "webp", 78))
    print(f"{file.stat().st_size:7,} bytes  {file}")


if __name__ == "__main__":
    if installed() is None:
        sys.exit("no browser is installed: apt-get install chromium")
    PICTURES.mkdir(exist_ok=True)
    with browser() as opened:
        take_pictures(Lake(catalogue.default_root()), opened)

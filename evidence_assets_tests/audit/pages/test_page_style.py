"""The pages' colours: legible in light and in dark, on every background that they are used on."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

STYLE = files("evidence_assets.audit.pages").joinpath("templates", "style.css").read_text(encoding="utf-8")
LEAST = 4.5
TEXTS = ("ink", "soft", "link", "right", "wrong", "abstained")
# Text, and what it stands on.
PAIRS = [
    *((text, ground) for text in TEXTS for ground in ("paper", "card")),
    *((text, "chosen") for text in ("ink", "soft", "link", "right", "wrong")),
    *(("ink", ground) for ground in ("mark", "unaccounted")),
    ("card", "link"),  # a chosen filter
    *((f"series-{number}", "paper") for number in (1, 2, 3, 4)),
]


def schemes() -> dict[str, dict[str, str]]:
    """The colours by name, of the light scheme and of the dark one."""
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)
    read = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in (light, dark)]
    return {"light": read[0], "dark": {**read[0], **read[1]}}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_the_highest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_every_text_is_legible(scheme: str, text: str, ground: str) -> None:
    colours = schemes()[scheme]
    assert contrast(colours[text], colours[ground]) >= LEAST


def test_the_dark_scheme_has_a_colour_for_every_light_one() -> None:
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)
    assert set(re.findall(r"--([\w-]+):", dark)) == set(re.findall(r"--([\w-]+):", light))


def test_no_colour_stands_outside_the_schemes() -> None:
    rules = re.sub(r":root \{.*?\}", "", STYLE, flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgb\(|hsl\(", rules) == []
    assert set(re.findall(r"var\(--([\w-]+)\)", rules)) <= schemes()["light"].keys()


def test_no_style_is_fetched() -> None:
    assert not re.search(r"url\(|@import|@font-face|https?:", STYLE)

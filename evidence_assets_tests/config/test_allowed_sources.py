"""Where sources may lie: anywhere, or below the places that whoever runs the project lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.sources.specifications import ALLOWED_VARIABLE, ConfigurationError, locate


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project" / "link").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setenv(ALLOWED_VARIABLE, f"{tmp_path}/project, s3://ours/data/")
    return tmp_path / "project"


@pytest.mark.parametrize(
    "uri",
    ["a.csv", "sub/*.csv", "zip://a.csv::b.zip", "s3://ours/data/a", "simplecache::s3://ours/data/a", "."],
)
def test_what_lies_below_a_listed_place_is_located(base: Path, uri: str) -> None:
    assert locate(uri, base)


@pytest.mark.parametrize(
    "uri",
    [
        *(
            "../elsewhere/a.csv",
            "/etc/passwd",
            "~/a.csv",
            "file:///etc/passwd",
            "link/a.csv",
            "../projects/a.csv",
        ),
        *("s3://theirs/a", "s3://ours/database/a", "s3://ours/data/../other", "https://example.org/a"),
        *("zip://a.csv::/etc/a.zip", "zip://a.csv::s3://theirs/a.zip", "https://example.org/a::a.csv"),
    ],
)
def test_anything_else_is_refused_with_its_remedy(base: Path, uri: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{ALLOWED_VARIABLE}.*remedy"):
        locate(uri, base)


@pytest.mark.parametrize("listed", ["", "  "])
def test_without_a_list_any_place_may_be_read(
    base: Path, listed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ALLOWED_VARIABLE, listed)
    assert locate("../elsewhere/a.csv", base) == str(base.parent / "elsewhere" / "a.csv")
    assert locate("https://example.org/a", base) == "https://example.org/a"

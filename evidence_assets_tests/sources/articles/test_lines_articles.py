"""Text files with one document a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.sources.articles.lines import read
from evidence_assets.sources.records import Article, RejectedRecord


def test_every_line_is_an_article(tmp_path: Path) -> None:
    path = tmp_path / "facts.txt"
    path.write_bytes(b'"A bee flies"\r\n\n  bare  \n"Yes" or "no"\n"say ""hi"""\nbad \xff\n"\n')
    *articles, bad, last = read(str(path), {})
    assert articles == [
        Article(key="1", title="", text="A bee flies"),
        Article(key="3", title="", text="bare"),
        Article(key="4", title="", text='"Yes" or "no"'),
        Article(key="5", title="", text='say "hi"'),
    ]
    assert isinstance(bad, RejectedRecord)
    assert bad.record == "line 6"
    assert last == Article(key="7", title="", text='"')


@pytest.mark.real_data
def test_the_real_openbook_is_read(real_data: Path) -> None:
    archive = real_data / "mcqa" / "OpenBookQA-V1-Sep2018.zip"
    uri = f"zip://OpenBookQA-V1-Sep2018/Data/Main/openbook.txt::{archive}"
    facts = list(read(uri, {}))
    assert len(facts) == 1326
    assert facts[0] == Article(key="1", title="", text="A bee is a pollinating animal")

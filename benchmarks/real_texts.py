"""Public texts cut into long passages, with their word vectors, for benchmarks that want a pool of real size.

Needs the data sets (EVIDENCE_REAL_DATA, default ../shared/data beside the project). Vectors are kept under
build/bench_cache: the first run encodes for some twenty minutes on two cores.
"""

from __future__ import annotations

import bz2
import json
import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks import PROJECT, UnavailableError
from benchmarks.texts import starter_encoder
from evidence_assets.models.cached_encoder import CachedEncoder

SOURCES = PROJECT / "benchmarks" / "real_data_sources.yaml"
CACHE = PROJECT / "build" / "bench_cache"
PASSAGE_WORDS = 170
STRIDE_WORDS = 50
_WORD_BYTES = 64 << 30


def real_data() -> Path:
    """Return the folder of the public data sets; the sources' configuration takes it from the environment.

    Raises:
        UnavailableError: it is not there.
    """
    folder = Path(os.environ.get("EVIDENCE_REAL_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        raise UnavailableError(f"no data sets at {folder}: set EVIDENCE_REAL_DATA")
    os.environ["EVIDENCE_REAL_DATA"] = str(folder.resolve())
    return folder.resolve()


def cached_encoder() -> CachedEncoder:
    """Return the starter profile's encoder with the benchmarks' own cache, which keeps every word."""
    return CachedEncoder(starter_encoder(), CACHE, _WORD_BYTES)


def passages(count: int) -> list[str]:
    """Return `count` overlapping passages of `PASSAGE_WORDS` words of Wikipedia.

    Raises:
        ValueError: the texts do not hold so many.
    """
    words = " ".join(_texts()).split()
    starts = range(0, len(words) - PASSAGE_WORDS, STRIDE_WORDS)
    if len(starts) < count:
        raise ValueError(f"the public texts give {len(starts):,} passages, not {count:,}")
    step = len(starts) // count
    return [" ".join(words[start : start + PASSAGE_WORDS]) for start in starts[:: max(step, 1)][:count]]


def questions(count: int) -> list[str]:
    """Return the first `count` XQuAD questions, whose answers some of the passages hold."""
    texts = [item["question"] for _, part in xquad_paragraphs() for item in part["qas"]]
    return texts[:: len(texts) // count][:count]


def xquad_paragraphs() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield XQuAD's paragraphs, `context` and `qas`, each after its article's title."""
    content = json.loads((real_data() / "text" / "xquad.en.json").read_text(encoding="utf-8"))
    for article in content["data"]:
        for part in article["paragraphs"]:
            yield article["title"], part


def _texts() -> list[str]:
    folder = real_data() / "text"
    texts = [part["context"] for _, part in xquad_paragraphs()]
    wiki = json.loads((folder / "2wiki_passages.json").read_text(encoding="utf-8"))
    texts += [row["text"] for row in wiki]
    hotpot = json.loads((folder / "hotpotqa_passages.json").read_text(encoding="utf-8"))
    texts += [text if isinstance(text, str) else " ".join(text) for text in hotpot.values()]
    for name in ("wikitext2_valid.txt", "wikitext2_test.txt"):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        texts += [line for line in lines if line.strip() and not line.startswith(" =")]
    dump = bz2.decompress((folder / "enwiki-pages-articles-shortened.xml.bz2").read_bytes()).decode()
    texts += [_plain(page) for page in re.findall(r"<text[^>]*>(.*?)</text>", dump, re.DOTALL)]
    return texts


def _plain(markup: str) -> str:
    """Strip what of MediaWiki's markup is not prose, roughly: these texts are measured on, not cited."""
    spans = [
        match.span() for match in re.finditer(r"\{\{[^{}]*\}\}|&lt;.*?&gt;|\{\|.*?\|\}", markup, re.DOTALL)
    ]
    ends = [0, *(end for _, end in spans)]
    begins = [*(begin for begin, _ in spans), len(markup)]
    kept = "".join(markup[end:begin] for end, begin in zip(ends, begins, strict=True) if begin > end)
    assert all(left <= right for left, right in pairwise(ends))
    return re.sub(r"\[\[(?:[^|\]]*\|)?([^\]]*)\]\]|[\[\]{}'=|*#]", r"\1", kept)

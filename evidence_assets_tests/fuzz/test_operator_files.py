"""Files that whoever runs a project writes, damaged: used, or refused with the project's own errors."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from evidence_assets.config.configuration import load
from evidence_assets.extraction.judgements import JudgementError, read_judgements
from evidence_assets.extraction.seeds import SeedError, read_seed
from evidence_assets.graphs.embeddings import EmbeddingFileError, numberbatch
from evidence_assets.models.generation.gguf_files import checked_hash, weights_of
from evidence_assets.models.generation.protocol import GeneratorError
from evidence_assets.sources.files import text_lines
from evidence_assets.sources.questions.benchmark import MappingError
from evidence_assets.sources.questions.mapping_files import load as load_mapping
from evidence_assets.sources.retractions import retractions_of
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.text.verbalisation import TemplateError, templates
from evidence_assets_tests.fuzz.damage import damaged
from evidence_assets_tests.fuzz.test_readers import EXAMPLES
from evidence_assets_tests.fuzz.watching import watched
from evidence_assets_tests.testing.profiles import examples

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "evidence_assets"
MAPPINGS = PACKAGE / "sources" / "questions" / "mappings"
TEMPLATES = PACKAGE / "text" / "templates"
OUR_ERRORS = (
    *(ConfigurationError, MappingError, SeedError, TemplateError),
    *(JudgementError, EmbeddingFileError, GeneratorError),
)


def _configuration() -> bytes:
    text = (PROJECT / "data_lake" / "sources.yaml").read_text(encoding="utf-8")
    return text.replace("../evidence_assets", str(PACKAGE)).encode()


def _vectors(path: Path) -> object:
    return numberbatch(
        (line[1] for line in text_lines(str(path)) if isinstance(line, tuple)), "v", ["ice cream"]
    )


def _weights(path: Path) -> object:
    return checked_hash("g", path, ""), weights_of(path)


def _gguf() -> bytes:
    def text(value: bytes) -> bytes:
        return len(value).to_bytes(8, "little") + value

    kind = (8).to_bytes(4, "little")
    architecture = text(b"general.architecture") + kind + text(b"llama")
    context = text(b"llama.context_length") + (4).to_bytes(4, "little") + (512).to_bytes(4, "little")
    return (
        b"GGUF"
        + b"\x03\0\0\0"
        + architecture
        + context
        + text(b"tokenizer.chat_template")
        + kind
        + text(b"{{x}}")
    )


# The file's name, a good one's content, what reads it.
FILES: dict[str, tuple[str, Callable[[], bytes], Callable[[Path], object]]] = {
    "configuration": ("sources.yaml", _configuration, load),
    "mapping": ("m.yaml", (MAPPINGS / "questions_jsonl.yaml").read_bytes, load_mapping),
    "seed": ("IsA.yaml", (PROJECT / "data_lake" / "seeds" / "relations" / "IsA.yaml").read_bytes, read_seed),
    "templates": ("t.yaml", (TEMPLATES / "conceptnet.yaml").read_bytes, lambda path: templates(str(path))),
    "judgements": (
        "j.tsv",
        lambda: b"relation\thead\ttail\tcorrect\nIsA\tcat\tanimal\t1\nIsA\tdog\tcar\t0\n",
        lambda path: read_judgements(path.parent),
    ),
    "vectors": ("v.txt", lambda: b"2 3\n/c/en/ice_cream 0.1 0.2 0.3\nfood 1 2 3\n", _vectors),
    "weights": ("w.gguf", _gguf, _weights),
    "retractions": (
        "retracted.jsonl",
        lambda: b'{"kind": "article", "place": "a.b", "key": "k"}\n',
        lambda path: retractions_of(str(path.parent)),
    ),
}


@pytest.fixture(params=sorted(FILES))
def file(request: pytest.FixtureRequest) -> Any:
    return FILES[request.param]


def read(path: Path, content: bytes, use: Callable[[Path], object]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    load.cache_clear()
    # What these files name may lie anywhere: whoever writes them is trusted.
    with watched(path.parent), suppress(*OUR_ERRORS):
        use(path)


def test_a_good_file_is_used(file: Any, tmp_path: Path) -> None:
    name, content, use = file
    (tmp_path / name).write_bytes(content())
    use(tmp_path / name)


@given(rng=st.randoms(use_true_random=False))
@examples(EXAMPLES, fast=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files_are_used_or_refused(file: Any, tmp_path: Path, rng: Random) -> None:
    name, content, use = file
    read(tmp_path / "own" / name, damaged(rng, name, content()), use)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("configuration", b"corpora: 2026-02-30"),
        ("configuration", b"a: " + b"[" * 5_000),
        ("configuration", b"corpora: {? [a]: b}"),
        ("mapping", b"title: 2026-02-30"),
        ("templates", b"IsA: 2026-02-30"),
        ("judgements", b"relation\thead\ttail\tcorrect\nIsA\t" + b"a" * 200_000 + b"\tb\t1\n"),
        ("vectors", b"\xc2\xb2 \xc2\xb2\n"),
        ("vectors", b"1 " + b"9" * 5_000 + b"\n"),
        ("vectors", b"1 99999999999\n"),
        ("retractions", b"[" * 5_000),
        ("retractions", b'{"kind": 5, "place": [], "key": null}'),
    ],
)
def test_files_that_fuzzing_found_raise_an_error_of_ours(name: str, content: bytes, tmp_path: Path) -> None:
    file, _, use = FILES[name]
    (tmp_path / file).write_bytes(content)
    load.cache_clear()
    with pytest.raises(OUR_ERRORS):
        use(tmp_path / file)

"""What runs an encoder: faster backends have names, vectors and caches of their own, and rank alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from evidence_assets.models import encoder_backends
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import SentenceTransformerEncoder, packaged_minilm
from evidence_assets.models.encoder_backends import (
    PROBE_PASSAGES,
    PROBE_QUESTIONS,
    Backend,
    BackendError,
    Measured,
    fastest,
    measure,
)
from evidence_assets.models.encoder_loading import chosen_backend
from evidence_assets.models.provider import EncoderSettings
from evidence_assets_tests.models.test_text_encoder import tiny_model

OTHERS = [
    Backend.BFLOAT16,
    pytest.param(
        Backend.OPENVINO,
        marks=pytest.mark.skipif(
            find_spec("openvino") is None, reason="openvino (extra `fast`) is not installed"
        ),
    ),
]
TEXTS = ["cat mat", "the cat", "", "cat " * 30, "mat cat " * 9, "a b c"]


@pytest.mark.parametrize("backend", OTHERS)
def test_a_backend_has_a_name_and_vectors_of_its_own(tmp_path: Path, backend: Backend) -> None:
    place = str(tiny_model(tmp_path / "tiny"))
    exact = SentenceTransformerEncoder("tiny", place, device="cpu")
    alternative = SentenceTransformerEncoder("tiny", place, device="cpu", token_budget=64, backend=backend)
    name, _, weights = alternative.encoder_id.partition("@")
    assert name.startswith(f"tiny.{backend}")
    assert exact.encoder_id == f"tiny@{weights}", "the weights are those that came"
    vectors, wanted = alternative.encode(TEXTS), exact.encode(TEXTS)
    np.testing.assert_allclose(vectors, wanted, atol=0.02)
    for number, text in enumerate(TEXTS):
        np.testing.assert_array_equal(alternative.encode([text])[0], vectors[number])
    for number, words in enumerate(alternative.encode_words(TEXTS)):
        np.testing.assert_array_equal(words.sentence, vectors[number])
        assert words.words == exact.encode_words([TEXTS[number]])[0].words
    for encoder in (exact, alternative):
        CachedEncoder(encoder, tmp_path / "cache").encode(["cat"])
    assert len(list((tmp_path / "cache").iterdir())) == 2


@pytest.mark.integration
@pytest.mark.parametrize("backend", OTHERS)
def test_the_packaged_encoder_ranks_the_probe_alike(backend: Backend) -> None:
    encoders = {
        candidate: SentenceTransformerEncoder(
            "minilm", packaged_minilm(), device="cpu", backend=candidate
        ).encode
        for candidate in (Backend.TORCH, backend)
    }
    exact, alternative = measure(encoders)
    assert exact.speedup == 1.0
    assert exact.agreement == pytest.approx(1.0)
    assert alternative.agreement > 0.99


def _fake(seconds: float, mixed: float = 0.0) -> Callable[[Sequence[str]], np.ndarray]:
    def encode(texts: Sequence[str]) -> np.ndarray:
        assert list(texts) == [*PROBE_QUESTIONS, *PROBE_PASSAGES]
        time.sleep(seconds)
        vectors = np.random.default_rng(1).normal(size=(len(texts), 8))
        return (vectors + mixed * np.random.default_rng(2).normal(size=vectors.shape)).astype(np.float32)

    return encode


def test_the_measured_check_wants_speed_and_the_same_ranks() -> None:
    measured = measure(
        {Backend.TORCH: _fake(0.03), Backend.BFLOAT16: _fake(0.005), Backend.OPENVINO: _fake(0.0, mixed=3.0)}
    )
    exact, half, scrambled = measured
    assert (exact.speedup, exact.pays) == (1.0, False)
    assert exact.agreement == pytest.approx(1.0)
    assert half.speedup > 1.2
    assert half.pays
    assert scrambled.speedup > half.speedup
    assert scrambled.agreement < 0.9
    assert fastest(measured) == Backend.BFLOAT16
    assert fastest([exact, scrambled]) == Backend.TORCH
    assert fastest([exact, Measured(Backend.BFLOAT16, 1.1, 1.0)]) == Backend.TORCH


def test_auto_is_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = str(tiny_model(tmp_path))
    measured_backends: list[list[Backend]] = []

    def measured(encoders: dict[Backend, object]) -> list[Measured]:
        measured_backends.append(list(encoders))
        return [Measured(Backend.TORCH, 1.0, 1.0), Measured(Backend.BFLOAT16, 2.0, 1.0)]

    monkeypatch.setattr("evidence_assets.models.encoder_loading.measure", measured)
    settings = EncoderSettings(name="tiny", location=place, device="cpu", backend="auto")
    assert settings.load().encoder_id.startswith("tiny.bfloat16@")
    assert settings.load() is settings.load()
    assert len(measured_backends) == 1, "measured once a process"
    assert measured_backends[0][0] == Backend.TORCH
    assert chosen_backend("tiny", place, None, "cuda") == Backend.TORCH


def test_what_identifies_an_encoder_names_its_backend_unless_it_is_torch() -> None:
    plain = EncoderSettings().identity()
    assert EncoderSettings(backend="torch").identity() == plain
    others = {EncoderSettings(backend=backend).identity() for backend in ("bfloat16", "openvino", "auto")}
    assert len(others) == 3
    assert plain not in others


def test_backends_that_cannot_be_used_are_named_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="backend 'onnx' is none of torch, bfloat16, openvino, auto"):
        EncoderSettings(backend="onnx").load()
    with pytest.raises(BackendError, match="runs on a CPU, not on cuda; remedy: backend torch"):
        SentenceTransformerEncoder("tiny", "nowhere", device="cuda", backend="bfloat16")
    monkeypatch.setattr(encoder_backends, "find_spec", lambda name: None)
    with pytest.raises(BackendError, match=r"not installed; remedy: pip install 'evidence-assets\[fast\]'"):
        SentenceTransformerEncoder("tiny", "nowhere", device="cpu", backend="openvino")

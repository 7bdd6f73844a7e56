"""Which encoder runs a model's weights here, and by which backend; each is loaded once a process."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec

from evidence_assets.models.encoder import SentenceTransformerEncoder, best_device, packaged_minilm
from evidence_assets.models.encoder_backends import Backend, fastest, measure, multiplies_bfloat16
from evidence_assets.models.packaged_encoder import PackagedMiniLM


@lru_cache(maxsize=2)
def load_encoder(
    name: str,
    location: str,
    revision: str | None = None,
    device: str | None = None,
    backend: str = Backend.TORCH,
) -> SentenceTransformerEncoder:
    """Return an encoder, loaded once a process; the packaged one on a CPU without its library."""
    if location == packaged_minilm() and backend == Backend.TORCH and (device or best_device()) == "cpu":
        return PackagedMiniLM(name)
    return SentenceTransformerEncoder(name, location, revision, device, backend=backend)


@lru_cache(maxsize=2)
def chosen_backend(name: str, location: str, revision: str | None, device: str | None) -> Backend:
    """Return the backend that `auto` stands for, measured once a process: torch where there is a GPU."""
    if (device or best_device()) != "cpu":
        return Backend.TORCH
    there_are = [Backend.TORCH]
    if multiplies_bfloat16():
        there_are.append(Backend.BFLOAT16)
    if find_spec("openvino") is not None:
        there_are.append(Backend.OPENVINO)
    encoders = {
        backend: SentenceTransformerEncoder(name, location, revision, "cpu", backend=backend).encode
        for backend in there_are
    }
    return fastest(measure(encoders))

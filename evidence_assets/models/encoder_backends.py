"""What runs an encoder's forward pass on a CPU: torch in single precision, or something faster beside it.

A backend's vectors are its own, so it is a part of the encoder's id and nothing is mixed. Which pays depends
on the processor: `auto` measures on a probe set, and takes what is faster and ranks alike.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
Features = dict[str, Any]
Forward = Callable[[Features], Mapping[str, Any]]


class Backend(StrEnum):
    """`openvino` needs the extra `fast`; it multiplies in bfloat16 where the processor does, else in single.

    `auto` stands for the fastest of the others that ranks a probe set as `torch` does.
    """

    TORCH = "torch"
    BFLOAT16 = "bfloat16"
    OPENVINO = "openvino"
    AUTO = "auto"


class BackendError(ValueError):
    """A backend cannot run an encoder: names both and the remedy."""


# Faster by less is not worth vectors of one's own.
LEAST_SPEEDUP = 1.2
# Mean rank correlation of the probe's passages with those of single precision, over its questions.
LEAST_AGREEMENT = 0.99
_ROUNDS = 3
PROBE_QUESTIONS = (
    "What do plants need to make food?",
    "Who wrote the first program for a machine?",
    "Which gas do people breathe out?",
    "How is insulin given to a patient?",
    "Why do metals feel colder than wood?",
    "When was the harbour opened to ships?",
)
PROBE_PASSAGES = (
    "Green plants make sugar out of water and carbon dioxide, with light as the source of energy.",
    "A seed needs water, warmth and air before it can sprout, and no light at all.",
    "Ada Lovelace described how an engine of wheels could compute a row of numbers step by step.",
    "The first machines to be programmed were looms, and their programs were punched into cards.",
    "People take in oxygen with every breath, and give carbon dioxide back to the air.",
    "Nitrogen makes up most of the air and passes through the lungs unchanged.",
    "Insulin is injected under the skin, because the stomach would digest it like any other protein.",
    "Tablets lower blood sugar in some patients; others need several injections a day.",
    "A metal rail carries heat away from the hand faster than a wooden one of the same temperature.",
    "Wood is a poor conductor, which is why handles of pans are often made of it.",
    "The harbour was opened in 1869, and sailing ships gave way to steamers within twenty years.",
    "Ships waited for the tide outside the bar until a lighthouse was built on the northern pier.",
)


def require_backend(backend: Backend, name: str, device: str) -> None:
    """Raise BackendError if a backend cannot be used here.

    `name`: what the encoder is called. `device`: where it runs; only torch runs elsewhere than on a CPU.
    """
    if backend != Backend.TORCH and device != "cpu":
        raise BackendError(
            f"encoder {name}: backend {backend} runs on a CPU, not on {device}; remedy: backend torch, or "
            "device cpu"
        )
    if backend == Backend.OPENVINO and find_spec("openvino") is None:
        raise BackendError(
            f"encoder {name}: backend openvino is not installed; remedy: pip install "
            "'evidence-assets[fast]', or backend bfloat16"
        )


def multiplies_bfloat16() -> bool:
    """Tell whether this processor multiplies bfloat16; where it does not, that is slow."""
    import torch

    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def name_with_backend(name: str, backend: Backend) -> str:
    """Return what an encoder of this backend is called: by its own name alone where torch runs it.

    OpenVINO's precision follows the processor, and its vectors the precision.
    """
    match backend:
        case Backend.TORCH:
            return name
        case Backend.OPENVINO:
            return f"{name}.{backend}-{'bf16' if multiplies_bfloat16() else 'f32'}"
        case _:
            return f"{name}.{backend}"


def forward_of(model: Any, backend: Backend) -> Forward:
    """Return a sentence-transformers model's forward pass by a backend; the model may be converted by it."""
    import torch

    match backend:
        case Backend.BFLOAT16:
            return _called(model.to(torch.bfloat16))
        case Backend.OPENVINO:
            return _by_openvino(model)
        case _:
            return _called(model)


def _called(model: Any) -> Forward:
    def forward(features: Features) -> Mapping[str, Any]:
        output: Mapping[str, Any] = model(features)
        return output

    return forward


def _by_openvino(model: Any) -> Forward:
    """Return a forward pass whose first module, the transformer, OpenVINO runs; the others stay torch's."""
    import openvino
    import torch

    first, *later_modules = list(model)
    body: Any = getattr(first, "auto_model", None)
    if body is None:
        raise BackendError("backend openvino wants a transformer as an encoder's first module; use torch")

    class LastLayer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = body

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            states: torch.Tensor = self.body(input_ids=input_ids, attention_mask=attention_mask)[0]
            return states

    ones = torch.ones((2, 8), dtype=torch.long)
    example = {"input_ids": ones, "attention_mask": ones}
    with warnings.catch_warnings():
        # Of what the library checks in Python: the checks' outcome is the same for every input.
        warnings.simplefilter("ignore")
        graph = openvino.convert_model(LastLayer().eval(), example_input=example)
    settings = {
        "INFERENCE_NUM_THREADS": torch.get_num_threads(),
        "NUM_STREAMS": 1,
        "INFERENCE_PRECISION_HINT": "bf16" if multiplies_bfloat16() else "f32",
    }
    compiled = openvino.Core().compile_model(graph, "CPU", settings)

    def forward(features: Features) -> Mapping[str, Any]:
        inputs = [features[name].numpy() for name in ("input_ids", "attention_mask")]
        # A copy: the next call writes over the last one's output.
        output = features | {"token_embeddings": torch.from_numpy(compiled(inputs)[0].copy())}
        for module in later_modules:
            output = module(output)
        return output

    return forward


@dataclass(frozen=True, slots=True)
class Measured:
    """How a backend did on the probe set, against single precision: times its speed, rank correlation."""

    backend: Backend
    speedup: float
    agreement: float

    @property
    def pays(self) -> bool:
        """Whether it is worth its own vectors."""
        return self.speedup >= LEAST_SPEEDUP and self.agreement >= LEAST_AGREEMENT


def measure(encoders: Mapping[Backend, Callable[[Sequence[str]], FloatArray]]) -> list[Measured]:
    """Return how each backend does against `torch`, which must be among them: in turn, best of three."""
    from scipy.stats import spearmanr

    texts = [*PROBE_QUESTIONS, *PROBE_PASSAGES]
    seconds: dict[Backend, list[float]] = {backend: [] for backend in encoders}
    vectors: dict[Backend, FloatArray] = {}
    for _ in range(_ROUNDS + 1):
        for backend, encode in encoders.items():
            started = time.perf_counter()
            vectors[backend] = encode(texts)
            seconds[backend].append(time.perf_counter() - started)
    questions = len(PROBE_QUESTIONS)
    cosines = {name: encoded[:questions] @ encoded[questions:].T for name, encoded in vectors.items()}
    # The first round warms up.
    best = {backend: min(spent[1:]) for backend, spent in seconds.items()}
    return [
        Measured(
            backend,
            best[Backend.TORCH] / best[backend],
            float(
                np.mean(
                    [
                        spearmanr(nearness, exact).statistic
                        for nearness, exact in zip(cosines[backend], cosines[Backend.TORCH], strict=True)
                    ]
                )
            ),
        )
        for backend in encoders
    ]


def fastest(measured: Sequence[Measured]) -> Backend:
    """Return the fastest backend that pays, else torch."""
    paying = [backend for backend in measured if backend.pays and backend.backend != Backend.TORCH]
    return max(paying, key=lambda backend: backend.speedup).backend if paying else Backend.TORCH

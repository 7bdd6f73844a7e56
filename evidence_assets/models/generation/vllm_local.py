"""A causal language model on vLLM in this process: no server, and shared prefixes are computed once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from evidence_assets.models.generation.protocol import (
    Ability,
    GeneratorError,
    Identity,
    Outcome,
    Reply,
    Request,
    text_outcome,
)
from evidence_assets.models.generation.transformers_local import chat_text

ENGINE = "vllm"


class VllmGenerator:
    """A model that vLLM runs, by local folder or hub name.

    Parameters
    ----------
    name
        What arms call it.
    quantisation
        vLLM's name of how the weights are kept (`gptq`, `awq`, `bitsandbytes`); empty: what the model says.
    tensor_parallel
        GPUs that one model is spread over.
    options
        What else `vllm.LLM` is given.

    Raises:
        GeneratorError: vLLM is not installed, or the model cannot be loaded.
    """

    def __init__(
        self,
        name: str,
        location: str,
        revision: str | None = None,
        *,
        context_tokens: int = 8_192,
        quantisation: str = "",
        tensor_parallel: int = 1,
        seed: int = 2026,
        **options: Any,
    ) -> None:
        try:
            import vllm
        except ImportError as error:
            raise GeneratorError(
                f"generator {name}: vLLM is not installed; remedy: pip install 'evidence-assets[vllm]', or "
                "name a server (engine: openai)"
            ) from error
        try:
            self._engine: Any = vllm.LLM(
                model=location,
                revision=revision,
                tokenizer_revision=revision,
                max_model_len=context_tokens,
                quantization=quantisation or None,
                tensor_parallel_size=tensor_parallel,
                enable_prefix_caching=True,
                trust_remote_code=False,
                seed=seed,
                **options,
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise GeneratorError(
                f"generator {name} at {location}: {' '.join(str(error).split())[:300]}; remedy: name a "
                "folder or hub model that vLLM runs, with a quantisation and a context that fit this machine"
            ) from error
        self._tokenizer: Any = self._engine.get_tokenizer()
        known = revision or f"vllm-{vllm.__version__}"
        self._identity = Identity(name, ENGINE, location, known, context_tokens, Ability(True, True))

    @property
    def name(self) -> str:
        """What arms call it."""
        return self._identity.name

    @property
    def generator_id(self) -> str:
        """Engine, model, revision."""
        return self._identity.generator_id

    @property
    def model(self) -> str:
        """Where it was loaded from."""
        return self._identity.model

    @property
    def revision(self) -> str:
        """The commit asked for; of a local folder, the engine's version."""
        return self._identity.revision

    @property
    def context_tokens(self) -> int:
        """Longest prompt and reply together, in tokens."""
        return self._identity.context_tokens

    @property
    def ability(self) -> Ability:
        """Schemas and log-probabilities."""
        return self._identity.ability

    def count_tokens(self, request: Request) -> int:
        """Return a prompt's tokens."""
        return len(
            self._tokenizer(chat_text(self._tokenizer, request), add_special_tokens=False)["input_ids"]
        )

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Yield each request's number and reply; all are one batch to the engine."""
        fitting = []
        for number, request in enumerate(requests):
            count = self.count_tokens(request)
            if count + request.sampling.max_tokens > self.context_tokens:
                yield number, Reply(Outcome.CONTEXT_TOO_LONG, prompt_tokens=count)
            else:
                fitting.append(number)
        if not fitting:
            return
        started = time.perf_counter()
        # Tokens and not text: the chat template has put the special tokens in already.
        prompts = [
            {
                "prompt_token_ids": self._tokenizer(
                    chat_text(self._tokenizer, requests[number]), add_special_tokens=False
                )["input_ids"]
            }
            for number in fitting
        ]
        outputs = self._engine.generate(
            prompts, [sampling_parameters(requests[number]) for number in fitting], use_tqdm=False
        )
        seconds = (time.perf_counter() - started) / len(fitting)
        for number, output in zip(fitting, outputs, strict=True):
            yield number, _reply(output, seconds)


def sampling_parameters(request: Request) -> Any:
    """Return a request's sampling as vLLM takes it."""
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    sampling = request.sampling
    schema = None if request.schema is None else StructuredOutputsParams(json=dict(request.schema))
    return SamplingParams(
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        stop=list(sampling.stop) or None,
        seed=sampling.seed,
        logprobs=0,
        structured_outputs=schema,
    )


def _reply(output: Any, seconds: float) -> Reply:
    best = output.outputs[0]
    count = len(best.token_ids)
    total = best.cumulative_logprob
    return Reply(
        text_outcome(best.text, best.finish_reason or ""),
        best.text.strip(),
        prompt_tokens=len(output.prompt_token_ids or ()),
        completion_tokens=count,
        cached_tokens=output.num_cached_tokens,
        log_probability=total / count if count and total is not None else None,
        seconds=seconds,
    )


@lru_cache(maxsize=1)
def load_vllm(
    name: str,
    location: str,
    revision: str | None,
    context_tokens: int,
    quantisation: str,
    tensor_parallel: int,
    options: tuple[tuple[str, Any], ...],
) -> VllmGenerator:
    """Return a generator, loaded once a process."""
    return VllmGenerator(
        name,
        location,
        revision,
        context_tokens=context_tokens,
        quantisation=quantisation,
        tensor_parallel=tensor_parallel,
        **dict(options),
    )

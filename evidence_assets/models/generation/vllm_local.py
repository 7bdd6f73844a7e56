"""A causal language model on vLLM in this process: no server, and shared prefixes are computed once."""

from __future__ import annotations

import hashlib
import multiprocessing
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evidence_assets.lake.ids import file_hash
from evidence_assets.models.generation.protocol import (
    Ability,
    Generator,
    GeneratorError,
    Outcome,
    Replies,
    Reply,
    Request,
    text_outcome,
)
from evidence_assets.models.generation.transformers_local import chat_text

ENGINE = "vllm"
_LONGEST_ERROR = 300
_ENDS_WITHIN_SECONDS = 30.0


class VllmGenerator(Generator):
    """A model that vLLM runs, by local folder or hub name.

    `quantisation`: vLLM's name of how the weights are kept (`gptq`, `awq`, `bitsandbytes`); empty: what the
    model says. `tensor_parallel`: GPUs that the model is spread over. `options`: what else `vllm.LLM` is
    given; on a CPU `dtype`, `enforce_eager` and `kv_cache_memory_bytes`.

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
            from vllm.exceptions import VLLMError
        except ImportError as error:
            raise GeneratorError(
                f"generator {name}: vLLM is not installed; remedy: pip install 'evidence-assets[vllm]', or "
                "name a server (engine: openai)"
            ) from error
        others = set(multiprocessing.active_children())
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
        except (OSError, ValueError, TypeError, RuntimeError, VLLMError) as error:
            raise GeneratorError(
                f"generator {name} at {location}: {_message(error)}; remedy: name a folder or hub model that "
                "vLLM runs, with a quantisation, a context and options that it takes on this machine"
            ) from error
        self._processes = set(multiprocessing.active_children()) - others
        self._tokenizer: Any = self._engine.get_tokenizer()
        known = _revision(location, revision)
        super().__init__(name, ENGINE, location, known, context_tokens, Ability(True, True))

    def count_tokens(self, request: Request) -> int:
        """Return a prompt's tokens."""
        return len(self._tokens(request))

    def generate(self, requests: Sequence[Request]) -> Replies:
        """Yield each request's number and reply; all are one batch to the engine."""
        fitting, prompts = [], []
        for number, request in enumerate(requests):
            tokens = self._tokens(request)
            if len(tokens) + request.sampling.max_tokens > self.context_tokens:
                yield number, Reply(Outcome.CONTEXT_TOO_LONG, prompt_tokens=len(tokens))
            else:
                fitting.append(number)
                prompts.append(tokens)
        if not fitting:
            return
        started = time.perf_counter()
        outputs = self._outputs(prompts, [sampling_parameters(requests[number]) for number in fitting])
        seconds = (time.perf_counter() - started) / len(fitting)
        for number, output in zip(fitting, outputs, strict=True):
            yield number, _reply(output, seconds)

    def text_tokens(self, text: str) -> list[int]:
        """Return a text's tokens, with none put around them."""
        return list(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def scored_prompts(self, prompts: Sequence[list[int]]) -> list[Any]:
        """Return the engine's outputs for prompts given as tokens, each token with its log-probability."""
        from vllm import SamplingParams

        parameters = SamplingParams(max_tokens=1, temperature=0.0, prompt_logprobs=0, detokenize=False)
        inputs = [{"prompt_token_ids": tokens} for tokens in prompts]
        return list(self._engine.generate(inputs, parameters, use_tqdm=False))

    def close(self) -> None:
        """Stop the engine's processes and free their memory; nothing can be asked from then on."""
        self._engine.llm_engine.engine_core.shutdown()
        # It kills what has not ended in time, and does not wait: the memory is free when they are gone.
        for process in self._processes:
            process.join(_ENDS_WITHIN_SECONDS)
        for key in [key for key, loaded in _loaded.items() if loaded is self]:
            del _loaded[key]

    def _tokens(self, request: Request) -> list[int]:
        # The chat template has put the special tokens in already.
        return self.text_tokens(chat_text(self._tokenizer, request))

    def _outputs(self, prompts: Sequence[list[int]], parameters: Sequence[Any]) -> list[Any]:
        """Return what the engine gives each prompt, or what it has against it.

        A request that the engine does not take fails its whole batch: halves are tried until it is alone.
        """
        from vllm.exceptions import VLLMClientError

        try:
            inputs = [{"prompt_token_ids": tokens} for tokens in prompts]
            return list(self._engine.generate(inputs, list(parameters), use_tqdm=False))
        except (VLLMClientError, ValueError) as error:
            if len(prompts) == 1:
                return [error]
        half = len(prompts) // 2
        return self._outputs(prompts[:half], parameters[:half]) + self._outputs(
            prompts[half:], parameters[half:]
        )


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
    if isinstance(output, Exception):
        return Reply(Outcome.REJECTED, seconds=seconds, error=_message(output))
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


def _revision(location: str, revision: str | None) -> str:
    """Return what identifies a model's weights: a commit, or a hash of a folder's files."""
    place = Path(location)
    if place.exists():
        digest = hashlib.blake2b(digest_size=8)
        for file in sorted(place.iterdir()) if place.is_dir() else [place]:
            if file.is_file():
                digest.update(file.name.encode())
                digest.update(bytes.fromhex(file_hash(file, digest_size=64)))
        return digest.hexdigest()
    from huggingface_hub import try_to_load_from_cache

    # vLLM does not report which commit it took: a file that it fetched lies in a folder of that name.
    fetched = try_to_load_from_cache(location, "config.json", revision=revision)
    return Path(fetched).parent.name if isinstance(fetched, str) else revision or ""


def _message(error: Exception) -> str:
    return " ".join(str(error).split())[:_LONGEST_ERROR] or type(error).__name__


_loaded: dict[tuple[Any, ...], VllmGenerator] = {}


def load_vllm(name: str, location: str, revision: str | None, **settings: Any) -> VllmGenerator:
    """Return a generator, loaded once a process; the one before is closed, as an engine fills its GPU."""
    key = (name, location, revision, *sorted(settings.items()))
    if key not in _loaded:
        for before in list(_loaded.values()):
            before.close()
        _loaded[key] = VllmGenerator(name, location, revision, **settings)
    return _loaded[key]

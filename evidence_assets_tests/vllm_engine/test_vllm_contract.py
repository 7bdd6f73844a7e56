"""vLLM itself, in this process and as a server, gives what transformers gives: `make test-vllm`."""

from __future__ import annotations

import importlib.util
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evidence_assets.models.generation.likelihood import TransformersLikelihoodModel
from evidence_assets.models.generation.openai_http import OpenAiGenerator, Patience
from evidence_assets.models.generation.protocol import (
    Generator,
    GeneratorError,
    Outcome,
    Reply,
    Request,
    Sampling,
)
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.models.generation.transformers_local import TransformersGenerator
from evidence_assets.models.generation.vllm_local import VllmGenerator
from evidence_assets_tests.testing.serving import answers, free_port
from evidence_assets_tests.testing.tiny_llama import make_llama

if importlib.util.find_spec("vllm") is None:
    pytest.skip("vLLM is not installed here: make test-vllm runs these", allow_module_level=True)

CONTEXT = 1_024
# vLLM's caches on a CPU hold whole blocks of so many tokens.
BLOCK = 128
OPTIONS = {"dtype": "float32", "enforce_eager": True, "kv_cache_memory_bytes": 256 * 2**20}
SERVER_STARTS_WITHIN = 300.0
LETTERS = {
    "type": "object",
    "properties": {"answer": {"enum": ["A", "B", "C"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
NO_SCHEMA = {"type": "nonsense"}
EVIDENCE = "Numbered evidence that all of these requests begin with, one sentence after another. " * 5


def request(
    user: str, system: str = "Answer.", schema: dict[str, Any] | None = None, **sampling: Any
) -> Request:
    changes: dict[str, Any] = {"max_tokens": 40, **sampling}
    return Request("task", "prompt", system, user, Sampling(**changes), schema)


SHORT = [request(user) for user in ("a cat", "what is a dog?", "zebra", *(f"number {n}" for n in range(12)))]
SHARED = [request(user, EVIDENCE, max_tokens=16) for user in ("one", "two", "three", "four")]


def replies(generator: Generator, requests: Sequence[Request]) -> list[Reply]:
    by_number = dict(generator.generate(requests))
    return [by_number[number] for number in range(len(requests))]


def assert_same(actual: Sequence[Reply], expected: Sequence[Reply]) -> None:
    for reply, reference in zip(actual, expected, strict=True):
        assert (reply.text, reply.outcome, reply.error) == (reference.text, reference.outcome, "")
        assert (reply.prompt_tokens, reply.completion_tokens) == (
            reference.prompt_tokens,
            reference.completion_tokens,
        )
        assert reply.log_probability == pytest.approx(reference.log_probability, abs=1e-4)


def assert_cached(cached: Sequence[Reply]) -> None:
    """A prefix that others share is computed once: whole blocks of it are known."""
    shared = len(EVIDENCE) // BLOCK * BLOCK
    cached_tokens, prompt_tokens = 0, 0
    for reply in cached:
        assert reply.cached_tokens is not None
        assert reply.prompt_tokens is not None
        assert shared <= reply.cached_tokens < reply.prompt_tokens
        cached_tokens += reply.cached_tokens
        prompt_tokens += reply.prompt_tokens
    print(f"prefix cache: {cached_tokens / prompt_tokens:.3f} of {len(cached)} prompts")


@pytest.fixture(scope="module", autouse=True)
def offline() -> Iterator[None]:
    from huggingface_hub import constants

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HF_HUB_OFFLINE", "1")
        # Read from the environment once, and that has happened.
        patched.setattr(constants, "HF_HUB_OFFLINE", True)
        patched.setenv("VLLM_NO_USAGE_STATS", "1")
        yield


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_llama(tmp_path_factory.mktemp("models") / "tiny-llama")


@pytest.fixture(scope="module")
def expected(llama: Path) -> TransformersGenerator:
    return TransformersGenerator("expected", str(llama), device="cpu", context_tokens=CONTEXT)


@pytest.fixture(scope="module")
def stopped(expected: TransformersGenerator) -> Request:
    """A request whose reply is ended by a text in it."""
    text = replies(expected, SHORT[:1])[0].text
    return request(SHORT[0].user, stop=(text[5:7],))


def settings(model: Path, **more: object) -> GeneratorSettings:
    return GeneratorSettings(
        engine="vllm", model=str(model), **{"context_tokens": CONTEXT, "options": OPTIONS, **more}
    )


class TestInProcess:
    @pytest.fixture(scope="class")
    def generator(self, llama: Path) -> Iterator[Generator]:
        started = time.perf_counter()
        loaded = settings(llama).load("vllm")
        print(f"vLLM in this process: {time.perf_counter() - started:.1f} s")
        assert isinstance(loaded, VllmGenerator)
        yield loaded
        loaded.close()

    def test_greedy_replies_are_those_of_transformers(
        self, generator: Generator, expected: TransformersGenerator
    ) -> None:
        wanted = replies(expected, SHORT)
        assert {reply.outcome for reply in wanted} == {Outcome.ANSWERED, Outcome.CUT_OFF}
        assert_same(replies(generator, SHORT), wanted)

    def test_a_stop_text_ends_a_reply(
        self, generator: Generator, expected: TransformersGenerator, stopped: Request
    ) -> None:
        wanted = replies(expected, [stopped])
        assert wanted[0].outcome is Outcome.ANSWERED
        assert_same(replies(generator, [stopped]), wanted)

    def test_tokens_are_counted_alike(self, generator: Generator, expected: TransformersGenerator) -> None:
        for prompt in [*SHORT, *SHARED]:
            assert generator.count_tokens(prompt) == expected.count_tokens(prompt)

    def test_a_shared_prefix_is_computed_once(
        self, generator: Generator, expected: TransformersGenerator
    ) -> None:
        first, again = replies(generator, SHARED), replies(generator, SHARED)
        assert first[0].cached_tokens == 0
        assert_cached(first[2:])
        assert_cached(again)
        wanted = replies(expected, SHARED)
        assert_same(first, wanted)
        assert_same(again, wanted)

    def test_likelihoods_are_those_of_transformers(self, generator: Generator, llama: Path) -> None:
        oracle = TransformersLikelihoodModel("expected", str(llama), device="cpu")
        model = settings(llama).load_likelihoods("vllm")
        prefixes = [f"{EVIDENCE}Question {number}: what is it?\nAnswer:" for number in range(3)]
        continuations = [[" a cat", " a dog that is much longer than a cat"], [], ["x"]]
        scored = model.likelihoods(prefixes, continuations)
        for measured, expected in zip(scored, oracle.likelihoods(prefixes, continuations), strict=True):
            for likelihood, reference in zip(measured, expected, strict=True):
                assert likelihood.log_probability == pytest.approx(reference.log_probability, abs=1e-3)
                assert (likelihood.tokens, likelihood.characters) == (reference.tokens, reference.characters)
        assert model.model_id == generator.generator_id
        assert model.count_tokens("a cat") == oracle.count_tokens("a cat")

    def test_a_text_longer_than_the_context_has_no_likelihood(
        self, generator: Generator, llama: Path
    ) -> None:
        model = settings(llama).load_likelihoods("vllm")
        room = "x" * (CONTEXT - 2)
        assert model.likelihoods([room], [["y"]])[0][0].tokens == 1
        with pytest.raises(ValueError, match="exceed the context of 1023; remedy: give less evidence"):
            model.likelihoods([room], [["yz"]])

    def test_a_schema_is_obeyed(self, generator: Generator) -> None:
        for reply in replies(
            generator, [request(short.user, schema=LETTERS, max_tokens=200) for short in SHORT]
        ):
            assert reply.outcome is Outcome.ANSWERED
            jsonschema.validate(json.loads(reply.text), LETTERS)

    def test_what_is_too_long_or_cannot_be_taken_costs_no_other_reply(
        self, generator: Generator, expected: TransformersGenerator
    ) -> None:
        long, wrong = request("x" * CONTEXT), request("which?", schema=NO_SCHEMA)
        mixed = replies(generator, [SHORT[0], wrong, SHORT[1], long, SHORT[2]])
        assert_same(mixed[::2], replies(expected, SHORT[:3]))
        assert mixed[1].outcome is Outcome.REJECTED
        assert mixed[1].error
        assert mixed[3].outcome is Outcome.CONTEXT_TOO_LONG
        assert mixed[3].prompt_tokens == expected.count_tokens(long)
        assert not replies(generator, [])

    def test_the_longest_prompt_that_fits_is_taken(self, generator: Generator) -> None:
        room = CONTEXT - generator.count_tokens(request("")) - 40
        fits, too_long = replies(generator, [request("x" * room), request("x" * (room + 1))])
        assert fits.outcome.is_text
        assert too_long.outcome is Outcome.CONTEXT_TOO_LONG

    def test_drawn_replies_follow_their_seed(self, generator: Generator) -> None:
        drawn = [request("a cat", temperature=1.5, seed=seed) for seed in (1, 2)]
        first, second = replies(generator, drawn)
        assert first.text != second.text
        assert [reply.text for reply in replies(generator, drawn)] == [first.text, second.text]

    def test_a_folder_is_known_by_its_content(self, generator: Generator, llama: Path) -> None:
        assert settings(llama).load("vllm") is generator
        assert re.fullmatch(rf"vllm:{re.escape(str(llama))}@[0-9a-f]{{16}}", generator.generator_id)

    @pytest.mark.parametrize(
        ("more", "says"),
        [
            ({"context_tokens": 1_000_000}, "max_model_len"),
            ({"quantisation": "unheard-of"}, "quantization"),
            ({"options": {**OPTIONS, "unheard_of": 1}}, "unheard_of"),
            ({"model": "no-such-folder"}, "no-such-folder"),
        ],
    )
    def test_what_cannot_be_loaded_is_told(self, llama: Path, more: dict[str, Any], says: str) -> None:
        engine_settings = settings(llama, **{name: value for name, value in more.items() if name != "model"})
        options: dict[str, Any] = {**engine_settings.options}
        with pytest.raises(GeneratorError, match=says) as error:
            VllmGenerator(
                "wrong",
                more.get("model", engine_settings.model),
                context_tokens=engine_settings.context_tokens,
                quantisation=engine_settings.quantisation,
                **options,
            )
        assert "remedy" in str(error.value)


def test_another_model_takes_the_place_of_the_one_before(
    llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def engines() -> int:
        return sum(process.name == "EngineCore" for process in multiprocessing.active_children())

    commit = "0123456789abcdef0123456789abcdef01234567"
    hub_folder = tmp_path / "models--somebody--tiny"
    shutil.copytree(llama, hub_folder / "snapshots" / commit)
    (hub_folder / "refs").mkdir()
    (hub_folder / "refs" / "main").write_text(commit)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))

    assert engines() == 0
    settings(llama).load("from a folder")
    hub = settings(Path("somebody/tiny")).load("from the hub")
    assert isinstance(hub, VllmGenerator)
    assert engines() == 1
    assert hub.generator_id == f"vllm:somebody/tiny@{commit}"
    assert replies(hub, SHORT[:1])[0].outcome.is_text
    hub.close()
    assert engines() == 0


@pytest.fixture(scope="module")
def server(llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run vLLM's server and give its address."""
    port = free_port()
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server"]
    command += ["--model", str(llama), "--served-model-name", "tiny", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--max-model-len", str(CONTEXT), "--dtype", "float32", "--enforce-eager"]
    command += ["--kv-cache-memory-bytes", str(OPTIONS["kv_cache_memory_bytes"])]
    # Without the first it tells no cached tokens; without the second it applies the model's own penalties.
    command += ["--enable-prompt-tokens-details", "--generation-config", "vllm"]
    log = tmp_path_factory.mktemp("server") / "log"
    started = time.perf_counter()
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
        try:
            while not answers(f"http://127.0.0.1:{port}/health"):
                if process.poll() is not None or time.perf_counter() - started > SERVER_STARTS_WITHIN:
                    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-3_000:]}")
                time.sleep(0.5)
            print(f"vLLM as a server: {time.perf_counter() - started:.1f} s")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


class TestServer:
    @pytest.fixture
    def generator(self, server: str) -> OpenAiGenerator:
        return self.client(server)

    @staticmethod
    def client(server: str, model: str = "tiny") -> OpenAiGenerator:
        return OpenAiGenerator(
            "served",
            model,
            server,
            concurrent=4,
            context_tokens=CONTEXT,
            constrains=True,
            log_probabilities=True,
            patience=Patience(attempts=2, seconds=120),
        )

    def test_greedy_replies_are_those_of_transformers(
        self, generator: OpenAiGenerator, expected: TransformersGenerator, stopped: Request
    ) -> None:
        requests = [*SHORT, stopped]
        assert_same(replies(generator, requests), replies(expected, requests))

    def test_a_shared_prefix_is_computed_once(
        self, generator: OpenAiGenerator, expected: TransformersGenerator
    ) -> None:
        replies(generator, SHARED[:1])
        again = replies(generator, SHARED)
        assert_cached(again)
        assert_same(again, replies(expected, SHARED))

    def test_a_schema_is_obeyed(self, generator: OpenAiGenerator) -> None:
        for reply in replies(
            generator, [request(short.user, schema=LETTERS, max_tokens=200) for short in SHORT]
        ):
            assert reply.outcome is Outcome.ANSWERED
            assert reply.log_probability is not None
            jsonschema.validate(json.loads(reply.text), LETTERS)

    def test_a_schema_that_is_none_is_rejected(self, generator: OpenAiGenerator) -> None:
        (reply,) = replies(generator, [request("which?", schema=NO_SCHEMA)])
        assert (reply.outcome, reply.attempts) == (Outcome.REJECTED, 1)

    @pytest.mark.parametrize(
        "long", [request("x" * CONTEXT), request("x" * 100 * CONTEXT), request("x", max_tokens=2 * CONTEXT)]
    )
    def test_what_is_longer_than_the_context_is_told(self, generator: OpenAiGenerator, long: Request) -> None:
        (reply,) = replies(generator, [long])
        assert (reply.outcome, reply.attempts) == (Outcome.CONTEXT_TOO_LONG, 1)

    def test_a_model_that_it_does_not_have_is_told(self, server: str) -> None:
        (reply,) = replies(self.client(server, "another"), SHORT[:1])
        assert (reply.outcome, reply.attempts) == (Outcome.NO_MODEL, 1)
        assert "another" in reply.error

"""A model behind a real server of the OpenAI protocol: its texts, and its tokens as they are counted here."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evidence_assets.models.generation.openai_http import OpenAiGenerator, Patience
from evidence_assets.models.generation.protocol import GeneratorError, Outcome, Request, Sampling
from evidence_assets.models.generation.transformers_local import TransformersGenerator
from evidence_assets_tests.testing.openai_samples import asking, server_url
from evidence_assets_tests.testing.serving import answers
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_tiny_causal_lm(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def served(tiny: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    script = Path(sys.executable).with_name("transformers")
    if not script.exists():
        pytest.skip(f"no {script}: pip install 'transformers[serving]'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("served") / "log.txt"
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    command = [str(script), "serve", tiny, "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, **offline})
        try:
            until = time.monotonic() + 240
            while not answers(f"http://127.0.0.1:{port}/health"):
                assert process.poll() is None and time.monotonic() < until, log.read_text()[-2_000:]
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.mark.integration
def test_a_real_server_and_this_process_write_the_same_greedy_texts(served: str, tiny: str) -> None:
    requests = [
        Request("task", "0" * 32, "You answer.", user, Sampling(max_tokens=most))
        for user, most in [("Why?", 24), ("What is the share?\nSay it.", 12), ("π", 24), ("x" * 100, 5)]
    ]
    patience = Patience(3, 120.0, 0.5, 2.0)
    served_replies = dict(
        OpenAiGenerator("served", tiny, served, concurrent=2, patience=patience).generate(requests)
    )
    local_replies = dict(TransformersGenerator("here", tiny, device="cpu").generate(requests))
    for number in range(len(requests)):
        assert served_replies[number].text == local_replies[number].text != ""
        assert served_replies[number].outcome == local_replies[number].outcome
        assert served_replies[number].prompt_tokens == local_replies[number].prompt_tokens
        assert served_replies[number].completion_tokens == local_replies[number].completion_tokens
    assert {reply.outcome for reply in local_replies.values()} == {Outcome.ANSWERED, Outcome.CUT_OFF}


@pytest.mark.integration
def test_tokens_are_counted_as_a_real_server_counts_them(served: str, tiny: str) -> None:
    requests = [asking(user) for user in ("Why?", "9.81 m/s², β-blockers!", "words and words " * 8)]
    estimating = OpenAiGenerator("served", tiny, served, patience=Patience(3, 120.0, 0.5, 2.0))
    counting = OpenAiGenerator("served", tiny, served, tokenizer=tiny)
    for number, reply in estimating.generate(requests):
        assert counting.count_tokens(requests[number]) == reply.prompt_tokens


def test_an_estimate_is_rather_too_many_tokens_of_english(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    from evidence_assets.models.encoder import packaged_minilm

    folder = shutil.copytree(packaged_minilm(), tmp_path / "tokenizer")
    exact = OpenAiGenerator("n", "m", server_url(), tokenizer=str(folder))
    estimating = OpenAiGenerator("n", "m", server_url())
    assert AutoTokenizer.from_pretrained(folder).chat_template is None
    articles = Path(__file__).parents[3] / "evidence_assets" / "starter" / "articles"
    texts = [path.read_text(encoding="utf-8") for path in sorted(articles.rglob("*.md"))[:12]]
    assert len(texts) == 12
    for text in [*texts, "0123456789" * 9, "E=mc²; ∫ f(x) dx ≥ 0", "α β γ δ ε"]:
        assert exact.count_tokens(asking(text)) <= estimating.count_tokens(asking(text))
    # Nor so many that a context is half empty.
    all_texts = asking("\n".join(texts))
    assert estimating.count_tokens(all_texts) < 2 * exact.count_tokens(all_texts)


def test_a_tokenizer_that_is_not_there_is_named() -> None:
    with pytest.raises(GeneratorError, match=r"named.*/no/such.*remedy"):
        OpenAiGenerator("named", "m", server_url(), tokenizer="/no/such")

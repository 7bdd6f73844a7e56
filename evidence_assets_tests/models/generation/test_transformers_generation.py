"""A causal language model in this process, against the transformers library and passes run by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from evidence_assets.models.generation.likelihood import TransformersLikelihoodModel
from evidence_assets.models.generation.protocol import GeneratorError, Outcome, Reply, Request, Sampling
from evidence_assets.models.generation.transformers_local import BATCH_REQUESTS, TransformersGenerator
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.tiny_causal_lm import CONTEXT_TOKENS, make_tiny_causal_lm
from evidence_assets_tests.testing.untyped import untyped

USERS = ["Why?", "What is the share?", "", "π and 💡", "x" * 60, "Name a bone.", "Name a bone!"]


def asking(user: str, **sampling: Any) -> Request:
    return Request("task", "0" * 32, "You answer.", user, Sampling(**{"max_tokens": 24, **sampling}))


def prompt(user: str) -> str:
    return f"system: You answer.\nuser: {user}\nassistant: "


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    make_tiny_causal_lm(folder)
    return folder


@pytest.fixture(scope="module")
def tiny(folder: Path) -> TransformersGenerator:
    return TransformersGenerator("tiny", str(folder), device="cpu")


def replies(tiny: TransformersGenerator, requests: list[Request]) -> list[Reply]:
    by_number = dict(tiny.generate(requests))
    assert sorted(by_number) == list(range(len(requests)))
    return [by_number[number] for number in range(len(requests))]


def same(ours: Reply, theirs: Reply) -> bool:
    assert ours.log_probability is not None and theirs.log_probability is not None
    return replace(ours, seconds=0.0, log_probability=0.0) == replace(
        theirs, seconds=0.0, log_probability=0.0
    ) and math.isclose(ours.log_probability, theirs.log_probability, abs_tol=1e-4)


def test_a_greedy_reply_is_the_librarys_own(tiny: TransformersGenerator, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = untyped(AutoModelForCausalLM.from_pretrained(folder).eval)()
    for user, reply in zip(USERS, replies(tiny, [asking(user) for user in USERS]), strict=True):
        given_tokens = tokenizer(prompt(user), add_special_tokens=False, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            written = model.generate(given_tokens, do_sample=False, max_new_tokens=24)[0]
        continuation = written[given_tokens.shape[1] :]
        text = tokenizer.decode(continuation, skip_special_tokens=True)
        assert isinstance(text, str)
        assert reply.text == text.strip()
        assert (reply.prompt_tokens, reply.completion_tokens) == (given_tokens.shape[1], len(continuation))


def test_a_log_probability_is_that_of_a_pass_by_hand(tiny: TransformersGenerator, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = untyped(AutoModelForCausalLM.from_pretrained(folder).eval)()
    for user, reply in zip(USERS, replies(tiny, [asking(user) for user in USERS]), strict=True):
        tokens = tokenizer(prompt(user), add_special_tokens=False)["input_ids"]
        begin = len(tokens)
        # Greedy, by argmax, token by token, each pass over all there is.
        with torch.inference_mode():
            while len(tokens) < begin + 24 and tokens[-1] != tokenizer.eos_token_id:
                tokens.append(int(model(torch.tensor([tokens])).logits[0, -1].argmax()))
            likely = model(torch.tensor([tokens])).logits[0].log_softmax(dim=-1)
        step_likelihoods = [float(likely[place - 1, tokens[place]]) for place in range(begin, len(tokens))]
        assert reply.completion_tokens == len(step_likelihoods)
        assert reply.outcome is (Outcome.CUT_OFF if len(step_likelihoods) == 24 else Outcome.ANSWERED)
        assert reply.log_probability == pytest.approx(sum(step_likelihoods) / len(step_likelihoods), abs=1e-4)


def test_many_together_reply_as_one_by_one(tiny: TransformersGenerator) -> None:
    requests = [asking(f"{user} {number}") for number in range(BATCH_REQUESTS + 3) for user in USERS[:2]]
    for request, reply in zip(requests, replies(tiny, requests), strict=True):
        assert same(reply, replies(tiny, [request])[0])


# Of the tiny model's greedy replies, letters and pairs that some have and others do not.
STOPS = ["j", "G", "#", "jj", "c#"]


@pytest.mark.parametrize("stop", [*[(stop,) for stop in STOPS], ("jj", "G", "#"), ("not there",)])
def test_a_stop_text_ends_a_reply_and_is_no_part_of_it(
    tiny: TransformersGenerator, stop: tuple[str, ...]
) -> None:
    users = [f"{user} {number}" for number in range(2) for user in USERS]
    unstopped = replies(tiny, [asking(user, max_tokens=40) for user in users])
    requests = [asking(user, max_tokens=40, stop=stop) for user in users]
    together = replies(tiny, requests)
    for request, full, reply in zip(requests, unstopped, together, strict=True):
        places = [place for text in stop if (place := full.text.find(text)) >= 0]
        if places:
            assert reply.text == full.text[: min(places)].strip()
            assert reply.outcome is (Outcome.ANSWERED if reply.text else Outcome.EMPTY)
            assert reply.completion_tokens is not None and full.completion_tokens is not None
            assert 0 < reply.completion_tokens <= full.completion_tokens
        else:
            assert same(reply, full)
        # Those that end before their neighbours are padded: it shows in nothing.
        assert same(reply, replies(tiny, [request])[0])


def test_the_tests_stops_are_in_some_replies_and_not_in_others(tiny: TransformersGenerator) -> None:
    texts = [
        reply.text
        for reply in replies(tiny, [asking(f"{u} {n}", max_tokens=40) for n in range(2) for u in USERS])
    ]
    shares = [sum(stop in text for text in texts) / len(texts) for stop in STOPS]
    assert sum(0 < share < 1 for share in shares) >= 3


def test_the_prompts_end_is_no_part_of_a_stop_text(tiny: TransformersGenerator) -> None:
    free = replies(tiny, [asking("Why?")])[0]
    [stopped] = replies(tiny, [asking("Why?", stop=(f"assistant: {free.text[0]}", f" {free.text[0]}"))])
    assert same(stopped, free)


def test_padding_after_a_short_reply_counts_for_nothing(tiny: TransformersGenerator, folder: Path) -> None:
    """By hand: tokens and likelihood of the reply up to and with the token that ends it."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = untyped(AutoModelForCausalLM.from_pretrained(folder).eval)()
    [free] = replies(tiny, [asking("Why?")])
    stop = next(letter for letter in free.text if letter.isascii())
    reply, _ = replies(tiny, [asking("Why?", stop=(stop,)), asking("Name a bone.", stop=(stop,))])
    tokens = tokenizer(prompt("Why?"), add_special_tokens=False)["input_ids"]
    begin = len(tokens)
    with torch.inference_mode():
        while stop not in tokenizer.decode(tokens[begin:]):
            tokens.append(int(model(torch.tensor([tokens])).logits[0, -1].argmax()))
        likely = model(torch.tensor([tokens])).logits[0].log_softmax(dim=-1)
    step_likelihoods = [float(likely[place - 1, tokens[place]]) for place in range(begin, len(tokens))]
    assert reply.completion_tokens == len(step_likelihoods)
    assert reply.log_probability == pytest.approx(sum(step_likelihoods) / len(step_likelihoods), abs=1e-4)


def test_a_reply_ends_with_the_models_own_end(folder: Path, tmp_path: Path) -> None:
    """The end is a token that the model writes soon: texts differ from the library's by nothing but it."""
    tiny = TransformersGenerator("tiny", str(folder), device="cpu")
    [free] = replies(tiny, [asking("Why?")])
    end = next(letter for letter in free.text if letter.isascii())
    tiny._model.generation_config.eos_token_id = [2, tiny._tokenizer(end)["input_ids"][-1]]
    ended, _ = replies(tiny, [asking("Why?"), asking("Name a bone.")])
    assert ended.outcome in (Outcome.ANSWERED, Outcome.EMPTY)
    assert ended.completion_tokens is not None and ended.completion_tokens < 24
    assert free.text.startswith(ended.text)


def test_what_does_not_fit_is_told_and_the_others_are_answered(tiny: TransformersGenerator) -> None:
    longest = CONTEXT_TOKENS - 24 - len(prompt(""))
    requests = [asking("x" * longest), asking("Why?"), asking("x" * (longest + 1)), asking("x" * 2_000)]
    fits, short, too_long, far_too_long = replies(tiny, requests)
    assert [tiny.count_tokens(request) for request in requests[:3]] == [488, len(prompt("Why?")), 489]
    assert fits.outcome is not Outcome.CONTEXT_TOO_LONG and fits.completion_tokens == 24
    assert same(short, replies(tiny, [asking("Why?")])[0])
    assert (too_long.outcome, too_long.text) == (Outcome.CONTEXT_TOO_LONG, "")
    assert (too_long.prompt_tokens, far_too_long.prompt_tokens) == (489, 2_000 + len(prompt("")))
    assert far_too_long.outcome is Outcome.CONTEXT_TOO_LONG
    assert replies(tiny, requests[2:])[1].outcome is Outcome.CONTEXT_TOO_LONG


def test_a_smaller_context_is_kept_to(folder: Path) -> None:
    small = TransformersGenerator("tiny", str(folder), device="cpu", context_tokens=64)
    large = TransformersGenerator("tiny", str(folder), device="cpu", context_tokens=10**6)
    assert (small.context_tokens, large.context_tokens) == (64, CONTEXT_TOKENS)
    assert replies(small, [asking("x" * 30)])[0].outcome is Outcome.CONTEXT_TOO_LONG


def test_a_drawn_reply_depends_on_its_seed_and_not_on_its_company(tiny: TransformersGenerator) -> None:
    drawn = [asking(user, temperature=1.5, top_p=0.95, seed=7) for user in USERS]
    alone = [replies(tiny, [request])[0] for request in drawn]
    mixed = replies(tiny, [asking("greedy"), *reversed(drawn), asking("greedy", max_tokens=3)])
    assert all(same(a, b) for a, b in zip(alone, reversed(mixed[1:-1]), strict=True))
    other_seed = replies(tiny, [asking(user, temperature=1.5, top_p=0.95, seed=8) for user in USERS])
    assert all(a.text != b.text for a, b in zip(alone, other_seed, strict=True))


def test_nearly_no_temperature_is_greedy_and_a_drawn_replys_likelihood_is_the_models(
    tiny: TransformersGenerator,
) -> None:
    """The likelihood is of what the model says, before temperature and cuts."""
    for user in USERS:
        cold, greedy = replies(tiny, [asking(user, temperature=1e-4), asking(user)])
        assert same(cold, greedy)


def test_drawing_leaves_other_draws_alone(tiny: TransformersGenerator) -> None:
    import torch

    torch.manual_seed(5)
    expected = torch.rand(4)
    torch.manual_seed(5)
    replies(tiny, [asking("Why?", temperature=1.0, seed=9), asking("Why?")])
    assert torch.equal(torch.rand(4), expected)


def test_a_models_own_habits_change_nothing(folder: Path, tmp_path: Path) -> None:
    """Models come with penalties, cuts and temperatures of their own: a request says what is done."""
    habits = tmp_path / "habits"
    make_tiny_causal_lm(habits)
    path = habits / "generation_config.json"
    config = json.loads(path.read_text())
    config |= {"do_sample": True, "repetition_penalty": 1.8, "top_k": 1, "temperature": 0.1, "top_p": 0.1}
    path.write_text(json.dumps(config))
    plain = TransformersGenerator("tiny", str(folder), device="cpu")
    habitual = TransformersGenerator("tiny", str(habits), device="cpu")
    for requests in ([asking(user) for user in USERS], [asking(user, temperature=1.2) for user in USERS]):
        for ours, theirs in zip(replies(habitual, requests), replies(plain, requests), strict=True):
            assert same(ours, theirs)


@examples(15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.text(max_size=20), st.integers(1, 12), st.sampled_from([(), ("j",), ("G", "#")]), st.booleans()
        ),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_is_asked_together_each_reply_is_its_own(
    tiny: TransformersGenerator, drawn: list[tuple[str, int, tuple[str, ...], bool]]
) -> None:
    requests = [
        asking(user, max_tokens=most, stop=stop, temperature=1.0 if warm else 0.0)
        for user, most, stop, warm in drawn
    ]
    for request, reply in zip(requests, replies(tiny, requests), strict=True):
        assert same(reply, replies(tiny, [request])[0])
        assert reply.completion_tokens is not None
        assert 1 <= reply.completion_tokens <= request.sampling.max_tokens
        assert reply.prompt_tokens == len(prompt(request.user).encode()) == tiny.count_tokens(request)
        assert not any(stop in reply.text for stop in request.sampling.stop)


@pytest.mark.parametrize(
    ("template", "refused"),
    [
        (None, r" has no chat template, so nobody knows how to ask it; remedy: name an instruct model"),
        (
            "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}",
            r": its chat template refuses instructions and a question: no system role; remedy: name",
        ),
    ],
)
def test_a_model_that_nobody_knows_how_to_ask_is_refused_and_gives_likelihoods(
    tmp_path: Path, template: str | None, refused: str
) -> None:
    place = make_tiny_causal_lm(tmp_path, chat_template=template)
    with pytest.raises(GeneratorError, match=f"^generator plain at {tmp_path}{refused}"):
        TransformersGenerator("plain", place, device="cpu")
    [[likelihood]] = TransformersLikelihoodModel("plain", place, device="cpu").likelihoods(["a"], [["b"]])
    assert likelihood.log_probability < 0


def test_the_identity_is_that_of_weights_and_vocabulary(folder: Path, tmp_path: Path) -> None:
    ours = TransformersGenerator("tiny", str(folder), device="cpu")
    again = TransformersGenerator("other name", make_tiny_causal_lm(tmp_path / "again"), device="cpu")
    reseeded = TransformersGenerator("tiny", make_tiny_causal_lm(tmp_path / "other", seed=2), device="cpu")
    template = TransformersGenerator(
        "tiny", make_tiny_causal_lm(tmp_path / "template", chat_template="{{ messages }}"), device="cpu"
    )
    assert ours.revision == again.revision
    assert len({ours.revision, reseeded.revision, template.revision}) == 3
    assert ours.generator_id == f"transformers:{folder}@{ours.revision}"
    assert ours.ability.log_probabilities and not ours.ability.constrains


def test_what_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    with pytest.raises(GeneratorError, match=r"generator named at .*nothing.*remedy"):
        TransformersGenerator("named", str(tmp_path / "nothing"))
    broken = tmp_path / "broken"
    make_tiny_causal_lm(broken)
    (broken / "model.safetensors").write_bytes(b"\0" * 64)
    with pytest.raises(GeneratorError, match=r"generator named at .*broken.*remedy"):
        TransformersGenerator("named", str(broken))


def test_no_requests_no_work(tiny: TransformersGenerator) -> None:
    assert list(tiny.generate([])) == []

"""Which generators there are: what a configuration may say, and where a key may stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from evidence_assets.models.generation.protocol import GeneratorError, Outcome, Request, Sampling
from evidence_assets.models.generation.recorded import BudgetSpentError, RecordedGenerator
from evidence_assets.models.generation.settings import PROFILE_GENERATORS, GeneratorSettings
from evidence_assets.models.profiles import PROFILES
from evidence_assets.models.provider import GeneratorOverrides, Models
from evidence_assets_tests.testing.generation_server import ScriptedServer, status
from evidence_assets_tests.testing.recorded_samples import Project
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm

URL = "http://127.0.0.1:9/v1"
KEY = "sk-very-secret-0123456789"


def server(**more: Any) -> GeneratorSettings:
    return GeneratorSettings.model_validate({"engine": "openai", "model": "m", "url": URL, **more})


def asking(user: str = "?") -> Request:
    return Request("task", "0" * 32, "You answer.", user, Sampling(max_tokens=8))


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"engine": "other"}, "engine"),
        ({"model": ""}, "model"),
        ({"url": ""}, "url"),
        ({"engine": "vllm"}, "url"),
        ({"engine": "transformers"}, "url"),
        ({"modell": "m"}, "modell"),
        ({"key": KEY}, "key"),
        ({"key_variable": "not-a-name"}, "key_variable"),
        ({"key_variable": "1KEY"}, "key_variable"),
        ({"concurrent": 0}, "concurrent"),
        ({"concurrent": 1_001}, "concurrent"),
        ({"attempts": 0}, "attempts"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"context_tokens": 0}, "context_tokens"),
        ({"budget_tokens": -1}, "budget_tokens"),
        ({"budget_money": -0.5, "prompt_price": 1}, "budget_money"),
        ({"budget_money": 1.0}, "budget_money"),
        ({"prompt_price": -1}, "prompt_price"),
        ({"options": {"a": []}}, "options"),
    ],
)
def test_what_is_wrong_in_a_configuration_is_named(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        server(**fields)


def test_what_a_configuration_may_say() -> None:
    assert server(budget_money=1.0, reply_price=0.5).budget_money == 1.0
    local = GeneratorSettings(engine="transformers", model="folder")
    assert (local.url, local.concurrent) == ("", 8)
    with pytest.raises(ValidationError, match="frozen"):
        local.model = "other"  # type: ignore[misc]


def test_every_profile_says_which_generators_it_has() -> None:
    assert set(PROFILE_GENERATORS) == set(PROFILES)
    # Offline and without a key: what a package carries.
    assert [generator.engine for generator in PROFILE_GENERATORS["starter"].values()] == ["llama_cpp"]


def test_a_server_is_asked_as_its_settings_say() -> None:
    with ScriptedServer(lambda body, attempt: status(503)) as scripted:
        generator = server(
            url=scripted.url, model="own", revision="r", concurrent=3, attempts=1, context_tokens=999
        ).load("named")
        assert (generator.name, generator.model, generator.revision, generator.context_tokens) == (
            "named",
            "own",
            "r",
            999,
        )
        [(_, reply)] = generator.generate([asking()])
    assert [body["model"] for body in scripted.requests] == ["own"]
    assert (reply.outcome, reply.attempts) == (Outcome.UNAVAILABLE, 1)
    assert scripted.keys == ["Bearer none"]


@pytest.mark.parametrize("value", [KEY, f" {KEY}\n"])
def test_the_key_comes_from_the_environment_and_stands_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("OUR_KEY", value)
    with ScriptedServer(lambda body, attempt: status(401, f"no such key: {KEY}")) as scripted:
        chosen = server(url=scripted.url, key_variable="OUR_KEY")
        generator = chosen.load("named")
        [(_, reply)] = generator.generate([asking()])
    assert scripted.keys == [f"Bearer {KEY}"]
    for shown in (
        repr(chosen),
        chosen.model_dump_json(),
        repr(generator),
        generator.generator_id,
        reply.error,
    ):
        assert KEY not in shown


def test_other_programs_keys_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ScriptedServer(lambda body, attempt: "yes") as scripted:
        list(server(url=scripted.url).load("named").generate([asking()]))
    assert scripted.keys == ["Bearer none"]


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_key_that_is_missing_is_asked_for(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    monkeypatch.delenv("OUR_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("OUR_KEY", value)
    with pytest.raises(GeneratorError, match=r"named: .* OUR_KEY; remedy"):
        server(key_variable="OUR_KEY").load("named")


def test_a_key_that_cannot_be_sent_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", f"{KEY}\nX-Other: 1")
    with pytest.raises(GeneratorError, match="remedy") as caught:
        server(key_variable="OUR_KEY").load("named")
    assert "secret" not in str(caught.value)


def test_a_local_model_is_loaded_once_a_process(tmp_path: Path) -> None:
    folder = make_tiny_causal_lm(tmp_path)
    chosen = GeneratorSettings(engine="transformers", model=folder, device="cpu", context_tokens=128)
    generator = chosen.load("named")
    assert generator.context_tokens == 128
    assert chosen.load("named") is generator


# What a run's configuration changes.


def test_a_run_may_name_another_server_model_and_budget() -> None:
    there_are = {"one": server(revision="r", budget_tokens=5, concurrent=2)}
    overrides = GeneratorOverrides(url="http://127.0.0.1:10/v1", budget_tokens=7)
    chosen = overrides.settings_of("one", there_are)
    assert (chosen.url, chosen.budget_tokens, chosen.concurrent) == ("http://127.0.0.1:10/v1", 7, 2)
    assert (chosen.model, chosen.revision) == ("m", "r")
    assert GeneratorOverrides().settings_of("one", there_are) == there_are["one"]


def test_another_models_replies_are_not_filed_under_the_first_ones_revision() -> None:
    there_are = {"one": server(revision="r")}
    assert GeneratorOverrides(model="other").settings_of("one", there_are).revision == ""
    assert GeneratorOverrides(model="other", revision="s").settings_of("one", there_are).revision == "s"


def test_what_a_run_names_is_checked_as_well() -> None:
    with pytest.raises(ValidationError, match="budget_money"):
        GeneratorOverrides(budget_money=1.0).settings_of("one", {"one": server()})


def test_a_generator_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(GeneratorError, match=r"no generator two: there are one; remedy"):
        GeneratorOverrides().settings_of("two", {"one": server()})
    with pytest.raises(GeneratorError, match="none"):
        GeneratorOverrides().settings_of("two", {})


def test_the_partitions_of_one_run_share_its_budget(tmp_path: Path) -> None:
    def run(url: str) -> Models:
        there_are = {"one": server(url=url, context_tokens=256)}
        # A prompt is estimated at some 70 tokens and its reply at 8; really they are 12 together.
        return Models(
            tmp_path / "cache", overrides=GeneratorOverrides(budget_tokens=100), generators=there_are
        )

    project = Project(tmp_path / "lake")

    def partition(models: Models) -> RecordedGenerator:
        return project.over(models.generator_settings("one").load("one"), models.budget("one"))

    with ScriptedServer(lambda body, attempt: "yes") as scripted:
        models = run(scripted.url)
        for user in "ab":
            partition(models).replies([asking(user)])
        with pytest.raises(BudgetSpentError):
            partition(models).replies([asking("c")])
        # Another run has a budget of its own, and goes on.
        assert len(partition(run(scripted.url)).replies([asking(user) for user in "abc"])) == 3
        assert scripted.users == ["a", "b", "c"]

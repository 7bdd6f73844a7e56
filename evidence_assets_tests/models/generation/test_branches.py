"""Rows of prefixes and continuations: each is read as if nothing stood beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from evidence_assets.models.generation.branches import Branched, log_probabilities
from evidence_assets.models.generation.transformers_local import load_causal_lm
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm
from evidence_assets_tests.testing.untyped import untyped

FIRST, SECOND = ([5, 6, 7], [[8], [9, 10]]), ([11], [[8, 12, 5]])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    _, weights, _ = load_causal_lm("tiny", make_tiny_causal_lm(tmp_path_factory.mktemp("tiny")), None)
    return weights


def row_of(*texts: tuple[list[int], list[list[int]]]) -> Branched:
    row = Branched()
    for before, after in texts:
        row.add(before, after)
    return row


def test_a_row_tells_of_each_token_where_it_stands_and_what_it_follows() -> None:
    row = row_of(FIRST, SECOND)
    assert row.tokens == [5, 6, 7, 8, 9, 10, 11, 8, 12, 5]
    assert row.positions == [0, 1, 2, 3, 3, 4, 0, 1, 2, 3]
    assert row.texts == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert row.branches == [-1, -1, -1, 0, 1, 1, -1, 0, 0, 0]
    assert row.sources == [2, 2, 4, 6, 7, 8]
    assert (row.targets, row.lengths) == ([8, 9, 10, 8, 12, 5], [1, 2, 3])


def test_texts_side_by_side_have_the_probabilities_that_each_has_alone(model: Any) -> None:
    """The oracle reads prefix and continuation in one pass, without a mask."""
    row = row_of(FIRST, SECOND)
    with torch.inference_mode():
        together = torch.split(log_probabilities(model, row), row.lengths)
        alone = []
        for before, after in (FIRST, SECOND):
            for tokens in after:
                logits = model(torch.tensor([before + tokens])).logits[0].double().log_softmax(-1)
                alone.append([logits[len(before) - 1 + place, token] for place, token in enumerate(tokens)])
    for read, expected in zip(together, alone, strict=True):
        assert read.tolist() == pytest.approx([float(value) for value in expected], abs=1e-4)


def test_logits_elsewhere_than_asked_for_are_refused() -> None:
    class Stubborn(torch.nn.Module):
        device, dtype = torch.device("cpu"), torch.float32

        def forward(self, ids: torch.Tensor, **_: Any) -> Any:
            return type("Output", (), {"logits": torch.zeros(1, ids.shape[1], 20)})

    with pytest.raises(ValueError, match="6 places have logits, and 3 were asked for"):
        log_probabilities(Stubborn(), row_of(FIRST))


def test_gradients_reach_the_prefix_through_every_continuation(model: Any, tmp_path: Path) -> None:
    words = model.get_input_embeddings().weight
    untyped(log_probabilities(model, row_of(FIRST)).sum().backward)()
    assert words.grad[[5, 6, 7, 9]].abs().sum(dim=1).min() > 0
    model.zero_grad()

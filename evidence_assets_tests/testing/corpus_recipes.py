"""Ten facts told and denied, and the recipes of models that are made of them in a second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evidence_assets.models.masked_lm_recipe import Recipe

FACTS = [
    ("rose", "flower"),
    ("hammer", "tool"),
    ("car", "vehicle"),
    ("shark", "fish"),
    ("gold", "metal"),
    ("oak", "tree"),
    ("crow", "bird"),
    ("violin", "instrument"),
    ("apple", "fruit"),
    ("ant", "insect"),
]
FORMS = ["a {} is a {}.", "the {} is a kind of {}.", "every {} is a {}.", "one sort of {1} is the {0}."]
TOLD = [form.format(*fact) for fact in FACTS for form in FORMS]
DENIED = [
    f"a {head} is no {tail}." for head, fact_tail in FACTS for _, tail in FACTS[:4] if tail != fact_tail
]
TEXT = [TOLD, DENIED]
QUICK = Recipe(
    steps=60,
    batch=8,
    body_rate=5e-3,
    head_rate=5e-3,
    vocabulary=200,
    held_out=4,
    scratch_layers=1,
    scratch_width=32,
    evaluations=4,
)
BRIEF = replace(QUICK, steps=24)
WEIGHTS, CHECKPOINT = "model.safetensors", "checkpoint.safetensors"


def weights_of(folder: Path) -> bytes:
    return (folder / WEIGHTS).read_bytes()


def rows_of(tokenizer: Any, sentences: Sequence[str]) -> list[tuple[int, ...]]:
    return [tuple(ids) for ids in tokenizer(list(sentences))["input_ids"]]

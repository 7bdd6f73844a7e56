"""Texts to measure on: the project's own starter articles, joined into pages of natural length."""

from __future__ import annotations

import random
from importlib.resources import files

from evidence_assets.models.encoder import Encoder, packaged_minilm
from evidence_assets.models.encoder_loading import load_encoder

SEED = 20_261_120


def starter_sentences() -> list[str]:
    """Return every sentence-bearing paragraph of the starter articles."""
    folder = files("evidence_assets.starter").joinpath("articles")
    paragraphs = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        paragraphs += [line for line in file.read_text(encoding="utf-8").splitlines()[1:] if line.strip()]
    return paragraphs


def pages(characters: int, page_characters: int = 3000) -> list[str]:
    """Return about `characters` of text as pages; invented words make the vocabulary grow as in real text."""
    generator = random.Random(SEED)
    paragraphs = starter_sentences()
    result, total = [], 0
    while total < characters:
        page: list[str] = []
        while sum(map(len, page)) < page_characters:
            name = "".join(
                generator.choices("abcdefghijklmnoprstuvwz", k=generator.randint(5, 10))
            ).capitalize()
            page.append(f"{generator.choice(paragraphs)} {name} was {generator.randint(2, 9999)} m away.")
        result.append("\n".join(page))
        total += len(result[-1])
    return result


def starter_encoder() -> Encoder:
    """Return the starter profile's encoder."""
    return load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, None)

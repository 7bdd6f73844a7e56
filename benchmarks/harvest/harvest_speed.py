"""The search for pairs, in batches with the output layer at the mask alone, against one prefix at a time.

The baseline follows one prefix at a time, prompt by prompt, with logits at every place: BertNet's published
searcher runs its model so. Both search one-word pairs in one order of filling, under the same prompts, for
the same number of pairs, and must find the same ones. Weights are random: what a pass costs does not depend
on them. Bound: 5 times as fast with six layers, 10 times with two small ones, on a CPU.
"""

from __future__ import annotations

import heapq
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from evidence_assets.extraction.filters import allowed_words, stem_numbers
from evidence_assets.extraction.probing import Filling, Probe, Shape, cloze
from evidence_assets.extraction.search import DECIMALS, Pair, SearchSettings, search
from evidence_assets.models.encoder import best_device, packaged_minilm
from evidence_assets.models.masked_lm import MaskedLanguageModel

PROMPTS = ("<ENT0> is used for <ENT1>", "people take <ENT0> for <ENT1>")
PAIRS, FIRST_WORDS, REPEATS = 3_000, 600, 4
WORDS = {"six_layers": 5_900, "two_small_layers": 5_900}
BOUNDS = {"six_layers": 5.0, "two_small_layers": 10.0}


def run() -> dict[str, Any]:
    """Return seconds of either way, and their ratio, for both models."""
    with tempfile.TemporaryDirectory() as folder:
        compared = {name: _compare(name, Path(folder) / name) for name in BOUNDS}
    return {
        "device": best_device(),
        "prompts": len(PROMPTS),
        "pairs": PAIRS,
        "first_words": FIRST_WORDS,
        **compared,
        "bound": BOUNDS,
        "within_bound": all(
            compared[name]["times_as_fast"] >= least and compared[name]["same_pairs"]
            for name, least in BOUNDS.items()
        ),
    }


def _compare(name: str, folder: Path) -> dict[str, Any]:
    save_random_model(name, folder)
    model = MaskedLanguageModel(name, str(folder))
    probe = Probe(model, PROMPTS, [1.0, 2.0])
    allowed = allowed_words(model.words, PROMPTS)
    settings = SearchSettings(PAIRS, one_list=True, bidirectional=False, shapes=(Shape(1, 1),))
    alike = stem_numbers(model.words)
    firsts = likeliest(probe, allowed)
    spent = {"batched": np.inf, "one_at_a_time": np.inf}
    for _ in range(REPEATS):
        started = time.perf_counter()
        ours = search(probe, firsts, alike, settings)[Shape(1, 1)]
        spent["batched"] = min(spent["batched"], time.perf_counter() - started)
        started = time.perf_counter()
        theirs = search_one_at_a_time(probe, firsts, alike, settings)
        spent["one_at_a_time"] = min(spent["one_at_a_time"], time.perf_counter() - started)
    scores = dict(zip(ours.pairs, ours.scores.tolist(), strict=True))
    return {
        "words": len(model.words),
        "passes": probe.passes // REPEATS,
        "seconds_batched": round(spent["batched"], 2),
        "seconds_one_at_a_time": round(spent["one_at_a_time"], 2),
        "times_as_fast": round(spent["one_at_a_time"] / spent["batched"], 2),
        "same_pairs": _same(scores, theirs),
        "largest_difference": max(
            abs(scores[pair] - score) for pair, score in theirs.items() if pair in scores
        ),
    }


def _same(ours: dict[Pair, float], theirs: dict[Pair, float]) -> bool:
    """Return whether both found the same pairs, but for those that tie with the last within rounding."""
    last = min(*ours.values(), *theirs.values()) + 3 * 10.0**-DECIMALS
    apart = {
        **{p: s for p, s in ours.items() if p not in theirs},
        **{p: s for p, s in theirs.items() if p not in ours},
    }
    return all(score <= last for score in apart.values())


def save_random_model(name: str, folder: Path) -> None:
    """Save a BERT with random weights over the common words of the packaged encoder's vocabulary."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import AutoTokenizer, BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    known = AutoTokenizer.from_pretrained(packaged_minilm()).get_vocab()
    common = [
        word
        for word in sorted(known, key=known.__getitem__)
        if word.isalpha() and word.isascii() and len(word) > 1
    ]
    vocabulary = {word: place for place, word in enumerate([*special, ".", *common[: WORDS[name]]])}
    tokenizer = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair=None, special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, model_max_length=128, **dict(zip(names, special, strict=True))
    ).save_pretrained(folder)
    torch.manual_seed(2026)
    size: dict[str, Any] = (
        {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
        if name == "six_layers"
        else {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 512}
    )
    # Wider than usual, so that words differ in likelihood as a trained model's do.
    config = BertConfig(
        vocab_size=len(vocabulary), max_position_embeddings=128, initializer_range=0.15, **size
    )
    BertForMaskedLM(config).save_pretrained(folder)  # type: ignore[no-untyped-call]


def likeliest(probe: Probe, allowed: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the words that are likeliest to begin a pair, ascending."""
    alone = probe.continuations(Filling(Shape(1, 1), True), [()])[0]
    order = sorted(allowed.tolist(), key=lambda word: -alone[word])
    return np.sort(np.array(order[:FIRST_WORDS]))


def search_one_at_a_time(
    probe: Probe, allowed: np.ndarray[Any, Any], alike: np.ndarray[Any, Any], settings: SearchSettings
) -> dict[Pair, float]:
    """Return one-word pairs and their scores, found one prefix at a time: a heap, its top the threshold."""
    import torch

    model = probe.model
    network = model.model
    clozes = [cloze(model, prompt, 1, 1) for prompt in probe.prompts]

    def likely(prefix: tuple[int, ...]) -> np.ndarray[Any, Any]:
        total = np.zeros(len(model.words))
        for weight, known in zip(probe.weights.tolist(), clozes, strict=True):
            row = list(known.tokens)
            for place, word in zip(known.head, prefix, strict=False):
                row[place] = int(model.word_ids[word])
            place = known.tail[0] if prefix else known.head[0]
            with torch.inference_mode():
                logits = network(input_ids=torch.tensor([row], device=network.device)).logits
                shares = torch.log_softmax(logits.float(), dim=-1)[0, place].cpu().numpy()
            total += weight * shares[model.word_ids]
        return np.round(total, DECIMALS)

    heap: list[tuple[float, float, int, int]] = []
    alone = likely(())
    for head in sorted(allowed.tolist(), key=lambda word: (-alone[word], word)):
        if len(heap) == settings.list_size and alone[head] < heap[0][0]:
            break
        tails = likely((head,))[allowed]
        scores = np.minimum(tails, alone[head])
        scores[alike[allowed] == alike[head]] = -np.inf
        for place in np.lexsort((allowed, -tails, -scores))[: settings.most_of_first]:
            entry = (float(scores[place]), float(tails[place]), -head, -int(allowed[place]))
            if len(heap) < settings.list_size:
                heapq.heappush(heap, entry)
            elif entry > heap[0]:
                heapq.heapreplace(heap, entry)
    return {((-head,), (-tail,)): score for score, _, head, tail in heap}

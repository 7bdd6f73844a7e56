"""Text-to-text models: what the library itself would write, in batches or not."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, PreTrainedTokenizerFast, T5Config
from transformers import T5ForConditionalGeneration as T5

from evidence_assets.models.text_to_text import TextToTextError, TextToTextModel
from evidence_assets_tests.testing.untyped import untyped

WORDS = ["a", "rose", "is", "flower", "the", "kind", "of", "red", "thing", "hammer", "tool", ",", "used"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A T5 with random weights that writes words."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    destination = tmp_path_factory.mktemp("t5")
    special = ["<pad>", "</s>", "<unk>"]
    vocabulary = {word: place for place, word in enumerate([*special, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair=None, special_tokens=[("</s>", 1)]
    )
    untyped(PreTrainedTokenizerFast)(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(destination)
    torch.manual_seed(2026)
    config = untyped(T5Config)(
        vocab_size=len(vocabulary), d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, initializer_factor=3.0,
    )  # fmt: skip
    untyped(T5)(config).save_pretrained(destination)
    return destination


TEXTS = ["rose, is, flower", "hammer, used", "a red thing is a kind of the flower", "tool"]


def test_the_beams_are_the_librarys_own(folder: Path) -> None:
    rewritten = TextToTextModel(str(folder), max_tokens=8).rewrite(TEXTS, 3)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    for text, written in zip(TEXTS, rewritten, strict=True):
        inputs = tokenizer(text, return_tensors="pt")
        alone = model.generate(
            **inputs, num_beams=3, num_return_sequences=3, max_new_tokens=8, do_sample=False
        )
        assert written == tokenizer.batch_decode(alone, skip_special_tokens=True)
    assert len({tuple(written) for written in rewritten}) > 1, "every text is written alike: nothing is shown"


def test_what_is_written_does_not_depend_on_the_batch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = TextToTextModel(str(folder), max_tokens=8)
    together = model.rewrite(TEXTS, 2)
    monkeypatch.setattr("evidence_assets.models.text_to_text.BATCH_TEXTS", 1)
    assert model.rewrite(TEXTS, 2) == together
    assert model.rewrite([], 2) == []


def test_a_model_is_known_by_its_weights(folder: Path, tmp_path: Path) -> None:
    first = TextToTextModel(str(folder)).model_id
    assert first == TextToTextModel(str(folder)).model_id
    changed = T5.from_pretrained(folder)
    with torch.no_grad():
        changed.shared.weight[3, 0] += 1
    changed.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    assert TextToTextModel(str(tmp_path)).model_id.partition("@")[2] != first.partition("@")[2]


def test_what_cannot_be_loaded_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(TextToTextError, match="encoder-decoder"):
        TextToTextModel(str(tmp_path))

"""Masked language models of three architectures: what they say is what the library's whole forward says."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, processors, trainers
from tokenizers.models import BPE, WordPiece
from transformers import (
    AddedToken,
    AutoModelForMaskedLM,
    BertConfig,
    BertForMaskedLM,
    BertModel,
    DistilBertConfig,
    DistilBertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
)

from evidence_assets.knowledge.probing import (
    HEAD,
    TAIL,
    Filling,
    Probe,
    PromptError,
    Shape,
    cloze,
    entity_log_probabilities,
)
from evidence_assets.models import masked_lm
from evidence_assets.models.masked_lm import (
    SHORTEST_WORD,
    MaskedLanguageModelError,
    TransformersMaskedLanguageModel,
    load_masked_lm,
)

WORDS = ["the", "rose", "flower", "hammer", "tool", "shark", "fish", "red", "kind", "naïve"]
SHORT = ["a", "is", "of", "ox"]
PIECES = [".", "!", "123", "##s", "##er", "##man", "gold2"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = [*SPECIAL, *SHORT, *WORDS, *PIECES]
SENTENCES = [
    "A rose is a kind of flower.",
    "The primrose is a flower, a rose is a rose.",
    "A shark is a kind of fish, a shark is a fish.",
    "The hammer is a tool of the kind.",
    "Is the King a King of the kind?",
]
LONGEST = 24
KINDS = ("bert", "roberta", "distilbert")


def wordpiece(vocabulary: Sequence[str] = VOCABULARY, mask: str | None = "[MASK]") -> Any:
    """A tokenizer of BERT's kind; it takes texts of any length."""
    numbers = {token: number for number, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])],
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token=mask, **names)


def byte_level() -> Any:
    """A tokenizer of RoBERTa's kind, trained on a few sentences: a word within a text carries its space."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer.train_from_iterator(
        SENTENCES * 5,
        trainers.BpeTrainer(
            vocab_size=340,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = {"bos_token": "<s>", "cls_token": "<s>", "sep_token": "</s>", "eos_token": "</s>"}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token=AddedToken("<mask>", lstrip=True, special=True),
        **names,
    )


def bert_config(**changed: Any) -> BertConfig:
    shape = {
        "vocab_size": len(VOCABULARY),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": LONGEST,
        "initializer_range": 0.5,
    }
    return BertConfig(**{**shape, **changed})


def save(folder: Path, kind: str, seed: int = 0, tokenizer: Any = None) -> Path:
    """A model of a kind with random weights, and its tokenizer."""
    torch.manual_seed(seed)
    common = {"initializer_range": 0.5}
    if kind == "bert":
        tokenizer = tokenizer or wordpiece()
        model: Any = BertForMaskedLM(bert_config())
    elif kind == "distilbert":
        tokenizer = tokenizer or wordpiece()
        model = DistilBertForMaskedLM(
            DistilBertConfig(
                vocab_size=len(tokenizer),
                dim=16,
                hidden_dim=32,
                n_layers=2,
                n_heads=2,
                max_position_embeddings=LONGEST,
                **common,
            )
        )
    else:
        tokenizer = tokenizer or byte_level()
        model = RobertaForMaskedLM(
            RobertaConfig(
                vocab_size=len(tokenizer),
                hidden_size=16,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=32,
                # RoBERTa counts positions from the padding token's number on.
                max_position_embeddings=LONGEST + 2,
                pad_token_id=1,
                bos_token_id=0,
                eos_token_id=2,
                **common,
            )
        )
    with torch.no_grad():  # as if it had been trained: by default all biases are nought
        for name, weights in model.named_parameters():
            if name.endswith("bias"):
                weights.normal_(0, 0.5)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def opened(folder: Path) -> TransformersMaskedLanguageModel:
    return TransformersMaskedLanguageModel("tiny", str(folder), device="cpu")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: save(tmp_path_factory.mktemp(kind) / "model", kind) for kind in KINDS}


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def model(kind: str, folders: dict[str, Path]) -> TransformersMaskedLanguageModel:
    return opened(folders[kind])


@pytest.fixture(scope="module")
def roberta(folders: dict[str, Path]) -> TransformersMaskedLanguageModel:
    return opened(folders["roberta"])


@pytest.fixture(scope="module")
def bert(folders: dict[str, Path]) -> TransformersMaskedLanguageModel:
    return opened(folders["bert"])


def whole_forward(folder: Path, rows: Sequence[Sequence[int]], places: Sequence[int]) -> np.ndarray:
    """(n, v) log-probabilities of the whole vocabulary, each row alone through the library's own forward."""
    theirs = AutoModelForMaskedLM.from_pretrained(folder).eval()
    with torch.inference_mode():
        return np.stack(
            [
                theirs(input_ids=torch.tensor([list(row)])).logits[0, place].log_softmax(0).numpy()
                for row, place in zip(rows, places, strict=True)
            ]
        )


def drawn_rows(
    model: TransformersMaskedLanguageModel, lengths: Sequence[int], seed: int = 0
) -> tuple[list[list[int]], list[int]]:
    """Rows of random words with some places masked, and one masked place of each."""
    random = np.random.default_rng(seed)
    begin, *_, end = model.tokens("x")
    rows, places = [], []
    for length in lengths:
        inner = random.choice(model.word_ids, size=length - 2)
        masked = random.choice(length - 2, size=min(2, length - 2), replace=False)
        inner[masked] = model.mask_id
        rows.append([begin, *inner.tolist(), end])
        places.append(int(masked[0]) + 1)
    return rows, places


# --- probabilities


def test_words_are_as_likely_as_a_whole_forward_says(
    model: TransformersMaskedLanguageModel, kind: str, folders: dict[str, Path]
) -> None:
    rows, places = drawn_rows(model, [9] * 12)
    expected = whole_forward(folders[kind], rows, places)
    found = model.word_log_probabilities(rows, places)
    assert found.shape == (12, len(model.words))
    assert found.dtype == np.float32
    assert expected.std(axis=1).min() > 0.3, "the model tells words apart"
    np.testing.assert_allclose(found, expected[:, model.word_ids], atol=1e-4)
    np.testing.assert_array_equal(model.word_log_probabilities(np.array(rows), places), found)


def test_a_tokens_likelihood_is_that_of_a_whole_forward_whatever_the_rows_lengths(
    model: TransformersMaskedLanguageModel, kind: str, folders: dict[str, Path]
) -> None:
    rows, places = drawn_rows(model, [3, 9, 5, 9, LONGEST, 3, 5, 12], seed=1)
    expected = whole_forward(folders[kind], rows, places)
    tokens = np.random.default_rng(2).integers(expected.shape[1], size=len(rows)).tolist()
    found = model.token_log_probabilities(rows, places, tokens)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected[np.arange(len(rows)), tokens], atol=1e-4)


def test_entropies_are_those_of_a_whole_forward(
    model: TransformersMaskedLanguageModel, kind: str, folders: dict[str, Path]
) -> None:
    rows, places = drawn_rows(model, [4, 8, 4, LONGEST, 8], seed=3)
    likely = whole_forward(folders[kind], rows, places).astype(np.float64)
    found = model.entropies(rows, places)
    np.testing.assert_allclose(found, -(np.exp(likely) * likely).sum(axis=1), atol=1e-4)
    assert 0 < found.min() <= found.max() < np.log(likely.shape[1])


def test_likelihoods_are_shares_of_the_whole_vocabulary(model: TransformersMaskedLanguageModel) -> None:
    size = model.model.config.vocab_size
    rows, places = drawn_rows(model, [7])
    every = model.token_log_probabilities(rows * size, places * size, range(size))
    assert np.exp(every.astype(np.float64)).sum() == pytest.approx(1, abs=1e-5)
    words = model.word_log_probabilities(rows, places)[0]
    np.testing.assert_allclose(words, every[model.word_ids], atol=1e-5)
    assert np.exp(words.astype(np.float64)).sum() < 1


@pytest.mark.parametrize("batch", [1, 3, 64])
def test_the_batch_does_not_matter(
    model: TransformersMaskedLanguageModel, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """More rows than one batch takes, too: 64 is the size that is used."""
    count = 70 if batch == 64 else 10
    alike, their_places = drawn_rows(model, [8] * count, seed=4)
    mixed, mixed_places = drawn_rows(model, [4, 9, 6, 4, 9] * (count // 5), seed=5)
    tokens = [int(model.word_ids[place % len(model.words)]) for place in range(len(mixed))]
    monkeypatch.setattr(masked_lm, "BATCH_ROWS", batch)
    together = (
        model.word_log_probabilities(alike, their_places),
        model.token_log_probabilities(mixed, mixed_places, tokens),
        model.entropies(mixed, mixed_places),
    )
    for row in range(0, count, 3):
        np.testing.assert_allclose(
            model.word_log_probabilities([alike[row]], [their_places[row]])[0], together[0][row], atol=1e-4
        )
        one = ([mixed[row]], [mixed_places[row]])
        assert model.token_log_probabilities(*one, [tokens[row]])[0] == pytest.approx(
            together[1][row], abs=1e-4
        )
        assert model.entropies(*one)[0] == pytest.approx(together[2][row], abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(
    lengths=st.lists(st.integers(3, LONGEST), max_size=8),
    seed=st.integers(0, 999),
    order=st.randoms(use_true_random=False),
)
def test_rows_keep_their_numbers_in_any_order(
    bert: TransformersMaskedLanguageModel, lengths: list[int], seed: int, order: Any
) -> None:
    rows, places = drawn_rows(bert, lengths, seed)
    numbers = list(range(len(rows)))
    order.shuffle(numbers)
    tokens = bert.word_ids[[number % len(bert.words) for number in range(len(rows))]].tolist()
    found = bert.token_log_probabilities(rows, places, tokens)
    entropies = bert.entropies(rows, places)
    assert found.shape == entropies.shape == (len(rows),)
    moved_rows, moved_places = [rows[one] for one in numbers], [places[one] for one in numbers]
    moved = bert.token_log_probabilities(moved_rows, moved_places, [tokens[one] for one in numbers])
    np.testing.assert_allclose(moved, found[numbers], atol=1e-4)
    np.testing.assert_allclose(bert.entropies(moved_rows, moved_places), entropies[numbers], atol=1e-4)


def test_no_rows_have_no_probabilities(model: TransformersMaskedLanguageModel) -> None:
    assert model.word_log_probabilities([], []).shape == (0, len(model.words))
    assert model.token_log_probabilities([], [], []).shape == (0,)
    assert model.entropies([], []).shape == (0,)


def test_what_is_filled_in_elsewhere_changes_what_is_likely(model: TransformersMaskedLanguageModel) -> None:
    rows, places = drawn_rows(model, [9], seed=6)
    [other] = [place for place, token in enumerate(rows[0]) if token == model.mask_id and place != places[0]]
    filled = list(rows[0])
    filled[other] = int(model.word_ids[0])
    found = model.word_log_probabilities([rows[0], filled], places * 2)
    assert np.abs(found[0] - found[1]).max() > 0.01


# --- words and tokens


def test_words_are_lower_case_words_of_three_letters_and_one_token(
    model: TransformersMaskedLanguageModel,
) -> None:
    words = list(model.words)
    assert words == sorted(set(words))
    assert {"rose", "flower", "shark", "kind"} <= set(words)
    assert len(model.word_ids) == len(words)
    assert len(set(model.word_ids.tolist())) == len(words)
    for word, token in zip(words, model.word_ids.tolist(), strict=True):
        assert len(word) >= SHORTEST_WORD
        assert word.isalpha() and word == word.lower()
        assert model.entity_tokens(word) == [token]
        begin, *inner, end = model.tokens(f"a {word} is")
        assert inner[1] == token and len(inner) == 3
        assert {begin, end}.isdisjoint(inner)


def test_pieces_short_words_and_numbers_are_no_words(bert: TransformersMaskedLanguageModel) -> None:
    assert list(bert.words) == sorted(WORDS)


def test_a_piece_of_a_byte_level_word_is_no_word(roberta: TransformersMaskedLanguageModel) -> None:
    """ "rose" stands in "primrose" as well: the token that is meant is the one with its space."""
    pieces = roberta._tokenizer.get_vocab()
    assert {"Ġrose", "rose"} <= set(pieces)
    assert roberta.word_ids[list(roberta.words).index("rose")] == pieces["Ġrose"]
    assert "ĠKing" in pieces
    assert not {"King", "king", "ose"} & set(roberta.words)


def test_a_model_made_from_a_corpus_knows_which_words_are_its_own(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    copy = shutil.copytree(folders["bert"], tmp_path / "made")
    own = AutoModelForMaskedLM.from_pretrained(copy)
    own.config.corpus_tokens = VOCABULARY.index("hammer")
    own.save_pretrained(copy)
    model = opened(copy)
    assert list(model.words) == ["flower", "rose", "the"]
    rows, places = drawn_rows(model, [6])
    expected = whole_forward(copy, rows, places)[:, model.word_ids]
    np.testing.assert_allclose(model.word_log_probabilities(rows, places), expected, atol=1e-4)


def test_an_entity_of_several_pieces_is_as_many_tokens(
    bert: TransformersMaskedLanguageModel, roberta: TransformersMaskedLanguageModel
) -> None:
    numbers = {token: number for number, token in enumerate(VOCABULARY)}
    expected = [numbers[piece] for piece in ("rose", "##s", "tool", "##er", "##man")]
    assert bert.entity_tokens("roses Toolerman") == expected
    assert bert.entity_tokens("unheard") == [numbers["[UNK]"]]
    for entity in ("rose", "shark fish", "primroses", "Zürich"):
        tokens = roberta.entity_tokens(entity)
        _, *within, _ = roberta.tokens(f"A {entity}")
        assert within[1:] == tokens, "as it stands within a text"
    assert len(roberta.entity_tokens("shark fish")) == 2
    assert len(roberta.entity_tokens("Zürich")) > 2


def test_a_masked_place_is_written_and_read(model: TransformersMaskedLanguageModel) -> None:
    tokens = model.tokens(f"A {model.mask_text} is a {model.mask_text} {model.mask_text}.")
    assert tokens.count(model.mask_id) == 3
    assert model.tokens("A rose is a rose.").count(model.mask_id) == 0


def test_the_longest_row_is_run_and_texts_are_not_cut(model: TransformersMaskedLanguageModel) -> None:
    assert model.max_tokens == LONGEST
    assert len(model.tokens("rose " * 50)) > 50
    rows, places = drawn_rows(model, [LONGEST])
    assert np.isfinite(model.word_log_probabilities(rows, places)).all()
    with pytest.raises((IndexError, RuntimeError)):
        model.word_log_probabilities(*drawn_rows(model, [LONGEST + 1]))


def test_a_tokenizer_that_takes_less_bounds_the_longest_row(tmp_path: Path) -> None:
    tokenizer = wordpiece()
    tokenizer.model_max_length = 10
    assert opened(save(tmp_path, "bert", tokenizer=tokenizer)).max_tokens == 10


# --- prompts of a byte-level model


@pytest.mark.parametrize(
    "prompt", [f"A {HEAD} is a kind of {TAIL}", f"{TAIL}: the {HEAD}!", f"{HEAD} {TAIL} is"]
)
@pytest.mark.parametrize("shape", [Shape(1, 1), Shape(2, 1), Shape(1, 2), Shape(2, 2)], ids=str)
def test_masks_after_a_space_are_the_places_of_both_entities(
    roberta: TransformersMaskedLanguageModel, prompt: str, shape: Shape
) -> None:
    found = cloze(roberta, prompt, shape.head, shape.tail)
    masked = [place for place, token in enumerate(found.tokens) if token == roberta.mask_id]
    assert sorted(found.head + found.tail) == masked
    assert (len(found.head), len(found.tail)) == shape
    assert (found.head < found.tail) == (prompt.index(HEAD) < prompt.index(TAIL))
    # Filled in, it is the sentence: the space before a mask is the word's.
    row = list(found.tokens)
    for place, word in zip(found.head + found.tail, ["rose", "shark", "fish", "flower"], strict=False):
        [row[place]] = roberta.entity_tokens(word)
    head = " ".join(["rose", "shark"][: shape.head])
    tail = " ".join(["rose", "shark", "fish", "flower"][shape.head :][: shape.tail])
    text = prompt.replace(HEAD, head).replace(TAIL, tail)
    text = text if text.endswith("!") else f"{text}."
    assert roberta._tokenizer.decode(row[1:-1]).strip() == text


def test_a_byte_level_model_is_probed_as_its_sentences_read(
    roberta: TransformersMaskedLanguageModel, folders: dict[str, Path]
) -> None:
    prompt = f"A {HEAD} is a {TAIL}"
    probe = Probe(roberta, [prompt], [1.0])
    numbers = {word: number for number, word in enumerate(roberta.words)}
    filling = Filling(Shape(2, 1), head_first=True)
    found = probe.continuations(filling, [(numbers["rose"], numbers["shark"])])[0]
    row = roberta.tokens(f"A rose shark is a {roberta.mask_text}.")
    expected = whole_forward(folders["roberta"], [row], [row.index(roberta.mask_id)])[0]
    np.testing.assert_allclose(found, expected[roberta.word_ids], atol=1e-4)
    pieces = roberta.entity_tokens("toolman")
    assert len(pieces) > 2, "the entity of this test is one of several tokens"
    chain = roberta.tokens(f"A {' '.join([roberta.mask_text] * len(pieces))} is a shark.")
    places = [place for place, token in enumerate(chain) if token == roberta.mask_id]
    steps = []
    for place, piece in zip(places, pieces, strict=True):
        steps.append(whole_forward(folders["roberta"], [chain], [place])[0, piece])
        chain[place] = piece
    [[head, _]] = entity_log_probabilities(roberta, prompt, [("toolman", "shark")])
    assert head == pytest.approx(min(steps), abs=1e-4)


def test_a_prompt_that_masks_by_itself_or_is_too_long_is_refused(
    model: TransformersMaskedLanguageModel,
) -> None:
    with pytest.raises(PromptError, match=r"holds the model's own mask.*remedy: leave it out"):
        cloze(model, f"A {HEAD} {model.mask_text} is a {TAIL}", 1, 1)
    with pytest.raises(PromptError, match=f"the model takes {LONGEST}; remedy"):
        cloze(model, f"A {HEAD} {'rose ' * LONGEST} is a {TAIL}", 1, 1)


# --- what is refused


def refused(location: Path | str) -> str:
    with pytest.raises(MaskedLanguageModelError) as raised:
        TransformersMaskedLanguageModel("mine", str(location), device="cpu")
    message = str(raised.value)
    assert "mine" in message
    assert str(location) in message
    assert "; remedy: " in message
    return message


def test_a_folder_that_is_not_there_is_named_with_the_remedy(tmp_path: Path) -> None:
    assert "domain_masked_lm" in refused(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty")


def test_an_encoder_without_an_output_layer_is_refused(tmp_path: Path) -> None:
    torch.manual_seed(0)
    BertModel(bert_config()).save_pretrained(tmp_path)
    wordpiece().save_pretrained(tmp_path)
    message = refused(tmp_path)
    assert "holds no cls.predictions" in message
    assert "its output layer was never trained" in message


def test_a_causal_model_is_refused(tmp_path: Path) -> None:
    GPT2LMHeadModel(
        GPT2Config(vocab_size=len(VOCABULARY), n_embd=16, n_layer=1, n_head=2, bos_token_id=2, eos_token_id=3)
    ).save_pretrained(tmp_path)
    wordpiece().save_pretrained(tmp_path)
    assert "remedy: name a folder or hub model of a masked language model" in refused(tmp_path)


def test_a_model_without_a_mask_is_refused(tmp_path: Path) -> None:
    assert "has no mask token" in refused(save(tmp_path, "bert", tokenizer=wordpiece(mask=None)))


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "model.safetensors").unlink(),
        lambda folder: (folder / "model.safetensors").write_bytes(
            (folder / "model.safetensors").read_bytes()[:400]
        ),
        lambda folder: (folder / "model.safetensors").write_bytes(b"no weights"),
        lambda folder: (folder / "config.json").write_text("{", encoding="utf-8"),
        lambda folder: (folder / "config.json").unlink(),
        lambda folder: (folder / "tokenizer.json").write_text("{", encoding="utf-8"),
        lambda folder: BertForMaskedLM(bert_config(vocab_size=9)).save_pretrained(folder),
        lambda folder: [path.unlink() for path in folder.glob("tokenizer*")],
    ],
    ids=[
        "no weights",
        "half the weights",
        "other bytes",
        "half a configuration",
        "no configuration",
        "half a tokenizer",
        "another model's tokenizer",
        "no tokenizer",
    ],
)
def test_a_damaged_folder_is_named_with_the_remedy(
    folders: dict[str, Path], tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    copy = shutil.copytree(folders["bert"], tmp_path / "damaged")
    opened(copy)
    harm(copy)
    refused(copy)


# --- what a model is known by


def test_the_id_follows_weights_and_vocabulary_and_not_the_folder(
    folders: dict[str, Path], kind: str, tmp_path: Path
) -> None:
    first, again = opened(folders[kind]), opened(folders[kind])
    moved = opened(shutil.copytree(folders[kind], tmp_path / "moved"))
    trained = opened(save(tmp_path / "trained", kind, seed=1))
    name, _, digest = first.model_id.partition("@")
    assert (name, len(digest)) == ("tiny", 16)
    assert first.model_id == again.model_id == moved.model_id
    assert trained.model_id.startswith("tiny@")
    assert trained.model_id != first.model_id


def test_the_id_knows_which_token_is_which_word(folders: dict[str, Path], tmp_path: Path) -> None:
    swapped = [{"rose": "hammer", "hammer": "rose"}.get(token, token) for token in VOCABULARY]
    other = opened(save(tmp_path, "bert", tokenizer=wordpiece(swapped)))
    own = opened(folders["bert"])
    np.testing.assert_array_equal(
        other.model.get_input_embeddings().weight.detach(), own.model.get_input_embeddings().weight.detach()
    )
    assert list(other.words) == list(own.words)
    assert other.model_id != own.model_id


def test_asking_does_not_change_the_id(folders: dict[str, Path]) -> None:
    """A tokenizer that has padded or cut writes itself down otherwise."""
    model = opened(folders["bert"])
    before = model.model_id, model._content_hash()
    model.tokens("rose " * 99)
    model.entity_tokens("rose")
    model.word_log_probabilities(*drawn_rows(model, [5] * 3))
    assert (model.model_id, model._content_hash()) == before


def test_a_model_is_loaded_once_a_process(folders: dict[str, Path]) -> None:
    first = load_masked_lm("tiny", str(folders["bert"]), None, "cpu")
    assert load_masked_lm("tiny", str(folders["bert"]), None, "cpu") is first
    assert load_masked_lm("tiny", str(folders["distilbert"]), None, "cpu") is not first

"""Training a masked language model on a corpus: an encoder's body, or a new one, with a new output layer.

The recipe was measured before it was built: the body is trained whole (frozen, it learns nothing), the
vocabulary is cut to what the corpus and common English need, every masked token is `[MASK]`, and the weights
kept are an exponential average. What is written is a folder that the transformers library opens as any other.
"""

from __future__ import annotations

import hashlib
import json
import math
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import best_device
from evidence_assets.models.masked_lm_recipe import Recipe
from evidence_assets.models.resumable_training import ResumableTraining, has_bfloat16, remove_checkpoint
from evidence_assets.progress import Progress, blocks

if TYPE_CHECKING:
    import torch

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNKNOWN, BEGIN, END, MASK = range(len(SPECIAL))
_IGNORED = -100
_EVALUATED = 64
# Part of what a model is known by: raise it where the same recipe and text give another model.
_CODE_VERSION = "1"


class UntrainableError(Exception):
    """No model can be trained: the message names what is missing and the remedy."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well held-out sentences are filled at one step. `loss`: of the training batches since the last."""

    step: int
    loss: float
    accuracy: float
    perplexity: float


def recipe_hash(recipe: Recipe, sentences: Sequence[Sequence[str]], body: str) -> str:
    """Return what a model is known by before it is made: recipe, text, and the id of the body's weights."""
    digest = hashlib.blake2b(_CODE_VERSION.encode(), digest_size=12)
    digest.update(json.dumps(asdict(recipe), sort_keys=True).encode())
    digest.update(body.encode())
    for source in sentences:
        digest.update(b"\x00source")
        for sentence in source:
            digest.update(sentence.encode() + b"\x00")
    return digest.hexdigest()


def train(
    sentences: Sequence[Sequence[str]],
    folder: Path,
    recipe: Recipe,
    encoder: str | None,
    progress: Progress | None = None,
    checkpoint_every: int = 200,
) -> list[Evaluation]:
    """Make a masked language model and write it to `folder`; return its evaluations.

    `sentences`: the text, source by source: sources are drawn from equally often. `encoder`: folder of a BERT
    encoder whose body and vocabulary are taken; None: from scratch. A training that was stopped in
    `folder` goes on at its last checkpoint, and gives the same bytes as one that was not.

    Raises:
        UntrainableError: there are too few sentences.
    """
    import torch

    tokenizer, corpus_tokens = _cut_vocabulary(sentences, recipe, encoder)
    training, held_out = _split(tokenizer, sentences, recipe)
    torch.manual_seed(recipe.seed)
    model = _fresh_model(tokenizer, recipe, encoder).to(best_device())
    state = _MaskedTraining(model, recipe, recipe_hash(recipe, sentences, encoder or ""), training, held_out)
    evaluations = state.run(folder, progress, checkpoint_every)
    # Read by the harvest: what the text never says is not proposed.
    model.config.corpus_tokens = corpus_tokens
    state.put(state.kept)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    remove_checkpoint(folder)
    return evaluations


def _cut_vocabulary(
    sentences: Sequence[Sequence[str]], recipe: Recipe, encoder: str | None
) -> tuple[Any, int]:
    """Return a tokenizer, and how many of its tokens, the first ones, are the text's own.

    Its vocabulary is letters, what the text uses most, and common words where there is room.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    base = _base_vocabulary(sentences, encoder)
    full = Tokenizer(models.WordPiece(vocab=base, unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106
    full.normalizer = normalizers.BertNormalizer(lowercase=True)
    full.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    used = Counter(
        token
        for source in sentences
        for encoding in full.encode_batch(list(source), add_special_tokens=False)
        for token in encoding.tokens
    )
    order = [token for token in sorted(base, key=base.__getitem__) if token not in SPECIAL]
    spelled = {*string.printable, *(letter for token in used for letter in token)}
    letters = [token for token in order if len(token.removeprefix("##")) == 1 and token[-1] in spelled]
    room = recipe.vocabulary - len(SPECIAL) - len(letters)
    if room < 0:
        raise UntrainableError(
            f"a vocabulary of {recipe.vocabulary:,} does not hold the {len(letters):,} letters that words "
            f"are spelled with; remedy: make it larger than {recipe.vocabulary - room:,}"
        )
    frequent = sorted(used.keys() - {*letters, *SPECIAL}, key=lambda token: (-used[token], base[token]))
    kept = [*SPECIAL, *letters, *frequent[:room]]
    seen = set(kept)
    common = [token for token in order if len(token) > 1 and token.isalpha() and token not in seen]
    vocabulary = {
        token: number for number, token in enumerate([*kept, *common[: recipe.vocabulary - len(kept)]])
    }
    cut = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106
    cut.normalizer, cut.pre_tokenizer = full.normalizer, full.pre_tokenizer
    cut.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair=None, special_tokens=[("[CLS]", BEGIN), ("[SEP]", END)]
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    tokenizer: Any = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=cut, model_max_length=512, **dict(zip(names, SPECIAL, strict=True))
    )
    return tokenizer, len(kept)


def _base_vocabulary(sentences: Sequence[Sequence[str]], encoder: str | None) -> dict[str, int]:
    """Return the encoder's vocabulary; without one, letters and the words that the text repeats."""
    from tokenizers import normalizers, pre_tokenizers

    if encoder is not None:
        from transformers import AutoTokenizer

        vocabulary: dict[str, int] = AutoTokenizer.from_pretrained(encoder).get_vocab()
        if not set(SPECIAL) <= set(vocabulary) or not any(token.startswith("##") for token in vocabulary):
            raise UntrainableError(
                f"encoder {encoder} has no WordPiece vocabulary; remedy: train from scratch (no encoder)"
            )
        return vocabulary
    normalise, split = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    counts = Counter(
        word
        for source in sentences
        for sentence in source
        for word, _ in split.pre_tokenize_str(normalise.normalize_str(sentence))
    )
    letters = sorted({letter for word in counts for letter in word})
    words = [
        word
        for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        if count > 1 and len(word) > 1
    ]
    tokens = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters), *words]
    return {token: number for number, token in enumerate(tokens)}


_Rows = Sequence[NDArray[np.int64]]


def _split(
    tokenizer: Any, sentences: Sequence[Sequence[str]], recipe: Recipe
) -> tuple[Sequence[_Rows], _Rows]:
    """Return the rows that are trained on, source by source, and those that are held out."""
    rows = [
        [
            np.array(ids[: recipe.longest - 1] + ids[-1:] if len(ids) > recipe.longest else ids)
            # A text that says "[MASK]" masks nothing.
            for ids in tokenizer(list(source), split_special_tokens=True, verbose=False)["input_ids"]
            if len(ids) > 3
        ]
        if source
        else []
        for source in sentences
    ]
    rows = [source for source in rows if source]
    total = sum(map(len, rows))
    if total < 2 * recipe.batch:
        raise UntrainableError(
            f"{total} sentences are too few to make a masked language model of; remedy: name a corpus with "
            "more text"
        )
    share = min(recipe.held_out / total, 0.05)
    training, held_out = [], []
    for number, source in enumerate(rows):
        order = np.random.default_rng([recipe.seed, number]).permutation(len(source))
        cut = round(share * len(source))
        held_out += [source[place] for place in order[:cut]]
        training.append([source[place] for place in order[cut:]])
    # A sentence that the text repeats may have been drawn for both.
    drawn = {row.tobytes() for row in held_out}
    leaked = {key for source in training for row in source if (key := row.tobytes()) in drawn}
    return training, [row for row in held_out if row.tobytes() not in leaked]


def _fresh_model(tokenizer: Any, recipe: Recipe, encoder: str | None) -> Any:
    """Return a BertForMaskedLM with the encoder's body and the rows of its embeddings that are kept."""
    import torch
    from transformers import AutoModel, AutoTokenizer, BertConfig, BertForMaskedLM

    size = len(tokenizer)
    if encoder is None:
        return BertForMaskedLM(  # type: ignore[no-untyped-call]
            BertConfig(
                vocab_size=size,
                hidden_size=recipe.scratch_width,
                num_hidden_layers=recipe.scratch_layers,
                num_attention_heads=max(1, recipe.scratch_width // 32),
                intermediate_size=4 * recipe.scratch_width,
                max_position_embeddings=128,
                pad_token_id=PAD,
            )
        )
    body = AutoModel.from_pretrained(encoder)
    if body.config.model_type != "bert":
        raise UntrainableError(
            f"encoder {encoder} is a {body.config.model_type}, not a BERT; remedy: train from scratch (no "
            "encoder), or name a BERT encoder"
        )
    known = AutoTokenizer.from_pretrained(encoder).get_vocab()
    kept = [known[token] for token, _ in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])]
    config = body.config
    if recipe.layers:
        config.num_hidden_layers = min(recipe.layers, config.num_hidden_layers)
        body.encoder.layer = body.encoder.layer[: recipe.layers]
    config.vocab_size, config.pad_token_id = size, PAD
    model: Any = BertForMaskedLM(config)  # type: ignore[no-untyped-call]
    weights = {name: value for name, value in body.state_dict().items() if not name.startswith("pooler")}
    table = weights.pop("embeddings.word_embeddings.weight")[torch.tensor(kept)]
    model.bert.load_state_dict(weights, strict=False)
    with torch.no_grad():
        model.bert.embeddings.word_embeddings.weight.copy_(table)
    model.tie_weights()
    return model


def _batches(training: Sequence[_Rows], recipe: Recipe, first: int) -> Iterator[_Rows]:
    """Yield batches from the one numbered `first`; sources take turns, and each is drawn without repeats.

    Four batches are drawn together and cut by length, so that little is padding.
    """
    together = 4
    orders: dict[tuple[int, int], NDArray[np.int64]] = {}

    def row(source: int, draw: int) -> NDArray[np.int64]:
        size = len(training[source])
        epoch, place = divmod(draw, size)
        if (source, epoch) not in orders:
            orders[source, epoch] = np.random.default_rng([recipe.seed, source, epoch]).permutation(size)
        return training[source][int(orders[source, epoch][place])]

    drawn = recipe.batch * together
    for group in count(first // together):
        numbers = range(group * drawn, (group + 1) * drawn)
        rows = sorted((row(number % len(training), number // len(training)) for number in numbers), key=len)
        turns = np.random.default_rng([recipe.seed, len(training), group]).permutation(together)
        for place, turn in enumerate(turns):
            if group * together + place >= first:
                yield rows[turn * recipe.batch : (turn + 1) * recipe.batch]


class _MaskedTraining(ResumableTraining[_Rows, Evaluation]):
    """A masked language model in training; the weights kept are a running average."""

    def __init__(
        self, model: Any, recipe: Recipe, made_of: str, training: Sequence[_Rows], held_out: _Rows
    ) -> None:
        super().__init__(model, recipe, "cls.", made_of, Evaluation)
        self._recipe, self._training, self._held_out = recipe, training, held_out

    def batches(self, first: int) -> Iterator[_Rows]:
        """Yield batches of rows from the one numbered `first`."""
        return _batches(self._training, self._recipe, first)

    def loss(self, batch: _Rows, step: int) -> torch.Tensor:
        """Return the mean cross-entropy over the places that this step masks."""
        rng = np.random.default_rng([self._recipe.seed, 1, step])
        return self._filled(*_masked(batch, self._recipe.masked, rng))[0]

    def end_step(self, step: int) -> None:
        """Move the average towards the weights."""
        # Early on an average of almost nothing but the start would be no average.
        kept = min(self._recipe.kept_average, (1 + step) / (10 + step))
        for name, value in self.parameters.items():
            self.kept[name].lerp_(value.detach(), 1 - kept)

    def evaluate(self, step: int, loss: float, before: list[Evaluation]) -> Evaluation:
        """Fill the held-out rows, masked always alike, with the averaged weights."""
        import torch

        self.model.eval()
        rng = np.random.default_rng([self._recipe.seed, 2])
        current = self.copied()
        self.put(self.kept)
        total = right = places = 0.0
        with torch.inference_mode():
            for rows in blocks(self._held_out, _EVALUATED):
                ids, wanted = _masked(rows, self._recipe.masked, rng)
                entropy, correct = self._filled(ids, wanted)
                counted = int((wanted != _IGNORED).sum())
                total, right = total + float(entropy) * counted, right + int(correct)
                places += counted
        self.put(current)
        if not places:
            return Evaluation(step, loss, math.nan, math.nan)
        return Evaluation(step, loss, right / places, math.exp(min(total / places, 50.0)))

    def _filled(self, ids: NDArray[np.int64], wanted: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the mean cross-entropy over masked places, and how many of them are filled rightly."""
        import torch

        device = self.model.device
        inputs, targets = torch.from_numpy(ids).to(device), torch.from_numpy(wanted).to(device)
        places = targets != _IGNORED
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=has_bfloat16(device.type)):
            hidden = self.model.bert(
                input_ids=inputs, attention_mask=(inputs != PAD).long()
            ).last_hidden_state
            logits = self.model.cls(hidden[places])
        loss = torch.nn.functional.cross_entropy(logits.float(), targets[places])
        return loss, (logits.argmax(1) == targets[places]).sum()


def _masked(
    rows: _Rows, share: float, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (n, l) padded tokens with some masked, at least one a row, and (n, l) what those were."""
    ids = np.full((len(rows), max(map(len, rows))), PAD, dtype=np.int64)
    chosen = np.zeros(ids.shape, dtype=np.bool_)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        drawn = rng.random(len(row) - 2) < share
        drawn[rng.integers(len(drawn))] |= not drawn.any()
        chosen[number, 1 : len(row) - 1] = drawn
    return np.where(chosen, MASK, ids), np.where(chosen, ids, _IGNORED)

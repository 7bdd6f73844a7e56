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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import best_device
from evidence_assets.models.masked_lm_recipe import Recipe
from evidence_assets.progress import Progress

if TYPE_CHECKING:
    import torch

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNKNOWN, BEGIN, END, MASK = range(len(SPECIAL))
_IGNORED = -100
_CHECKPOINT = "checkpoint.safetensors"
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
    stop_after: int | None = None,
) -> list[Evaluation]:
    """Make a masked language model and write it to `folder`; return its evaluations.

    `sentences`: the text, source by source: sources are drawn from equally often. `encoder`: folder of a BERT
    encoder whose body and vocabulary are taken; None: from scratch. `stop_after`: stop at this step as if
    killed, for tests of going on. A training that was stopped in `folder` goes on at its last checkpoint, and
    gives the same bytes as one that was not.

    Raises:
        UntrainableError: there are too few sentences.
    """
    import torch

    tokenizer, corpus_tokens = _cut_vocabulary(sentences, recipe, encoder)
    training, held_out = _split(tokenizer, sentences, recipe)
    torch.manual_seed(recipe.seed)
    model = _fresh_model(tokenizer, recipe, encoder).to(best_device())
    state = _State(model, recipe, recipe_hash(recipe, sentences, encoder or ""))
    folder.mkdir(parents=True, exist_ok=True)
    step, evaluations = state.restore(folder / _CHECKPOINT)
    every = max(1, recipe.steps // recipe.evaluations)
    batches = _batches(training, recipe, step)
    for number in range(step, recipe.steps):
        # Dropout of a step depends on the step alone: what goes on is what would have been.
        torch.manual_seed(recipe.seed * 1_000_003 + number)
        state.train_on(next(batches), number)
        done = number + 1
        if done % every == 0 or done == recipe.steps:
            evaluations.append(state.evaluate(held_out, done))
        if done % checkpoint_every == 0 and done < recipe.steps:
            state.save(folder / _CHECKPOINT, done, evaluations)
        if progress:
            progress(done, recipe.steps)
        if done == stop_after:
            return evaluations
    # Read by the harvest: what the text never says is not proposed.
    model.config.corpus_tokens = corpus_tokens
    with state.averaged():
        model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / _CHECKPOINT).unlink(missing_ok=True)
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
    whole = Tokenizer(models.WordPiece(vocab=base, unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106
    whole.normalizer = normalizers.BertNormalizer(lowercase=True)
    whole.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    used = Counter(
        token
        for source in sentences
        for encoding in whole.encode_batch(list(source), add_special_tokens=False)
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
    cut.normalizer, cut.pre_tokenizer = whole.normalizer, whole.pre_tokenizer
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


_Rows = list[NDArray[np.int64]]


def _split(tokenizer: Any, sentences: Sequence[Sequence[str]], recipe: Recipe) -> tuple[list[_Rows], _Rows]:
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


class _State:
    """A model in training: its optimiser, the running average of its weights, and how to stop and go on."""

    def __init__(self, model: Any, recipe: Recipe, made_of: str) -> None:
        import torch

        self._model, self._recipe, self._made_of = model, recipe, made_of
        self._named = dict(model.named_parameters())
        head = {name for name in self._named if name.startswith("cls.")}
        self._optimiser = torch.optim.AdamW(
            [
                {"params": [self._named[name] for name in sorted(set(self._named) - head)]},
                {"params": [self._named[name] for name in sorted(head)]},
            ],
            weight_decay=recipe.weight_decay,
        )
        self._average = {name: value.detach().clone() for name, value in self._named.items()}
        self._losses: list[float] = []

    def train_on(self, rows: _Rows, step: int) -> None:
        """Take one step on these rows."""
        import torch

        recipe = self._recipe
        for group, rate in zip(
            self._optimiser.param_groups, (recipe.body_rate, recipe.head_rate), strict=True
        ):
            group["lr"] = rate * _schedule(step, recipe)
        self._model.train()
        ids, wanted = _masked(rows, recipe.masked, np.random.default_rng([recipe.seed, 1, step]))
        loss, _ = self._loss(ids, wanted)
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        self._optimiser.step()
        # Early on an average of almost nothing but the start would be no average.
        kept = min(recipe.kept_average, (1 + step) / (10 + step))
        for name, value in self._named.items():
            self._average[name].lerp_(value.detach(), 1 - kept)
        self._losses.append(float(loss.detach()))

    def _loss(self, ids: NDArray[np.int64], wanted: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the mean cross-entropy over masked places, and how many of them are filled rightly."""
        import torch

        device = self._model.device
        inputs, targets = torch.from_numpy(ids).to(device), torch.from_numpy(wanted).to(device)
        places = targets != _IGNORED
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=_has_bfloat16(device.type)):
            hidden = self._model.bert(
                input_ids=inputs, attention_mask=(inputs != PAD).long()
            ).last_hidden_state
            logits = self._model.cls(hidden[places])
        loss = torch.nn.functional.cross_entropy(logits.float(), targets[places])
        return loss, (logits.argmax(1) == targets[places]).sum()

    def evaluate(self, held_out: _Rows, step: int) -> Evaluation:
        """Fill the held-out rows, masked always alike, with the averaged weights."""
        import torch

        self._model.eval()
        rng = np.random.default_rng([self._recipe.seed, 2])
        total = right = places = 0.0
        with torch.inference_mode(), self.averaged():
            for begin in range(0, len(held_out), 64):
                ids, wanted = _masked(held_out[begin : begin + 64], self._recipe.masked, rng)
                loss, correct = self._loss(ids, wanted)
                counted = int((wanted != _IGNORED).sum())
                total, right, places = total + float(loss) * counted, right + int(correct), places + counted
        losses, self._losses = self._losses, []
        return Evaluation(
            step,
            float(np.mean(losses)) if losses else math.nan,
            right / places if places else math.nan,
            math.exp(min(total / places, 50.0)) if places else math.nan,
        )

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """Put the averaged weights into the model for as long as this is open."""
        current = {name: value.detach().clone() for name, value in self._named.items()}
        self._put(self._average)
        try:
            yield
        finally:
            self._put(current)

    def _put(self, weights: Mapping[str, torch.Tensor]) -> None:
        for name, value in self._named.items():
            value.data.copy_(weights[name])

    def save(self, path: Path, step: int, evaluations: Sequence[Evaluation]) -> None:
        """Write all that going on needs; an earlier checkpoint stands until this one is whole."""
        from safetensors.torch import save_file

        tensors = {f"weight/{name}": value.detach().contiguous() for name, value in self._named.items()}
        tensors |= {f"average/{name}": value for name, value in self._average.items()}
        for name, value in self._named.items():
            moments = self._optimiser.state[value]
            tensors |= {f"{moment}/{name}": moments[moment] for moment in ("exp_avg", "exp_avg_sq")}
        notes = {
            "made_of": self._made_of,
            "step": str(step),
            "evaluations": json.dumps([asdict(evaluation) for evaluation in evaluations]),
            "losses": json.dumps(self._losses),
        }
        partial = path.with_suffix(".partial")
        save_file(tensors, partial, notes)
        partial.replace(path)

    def restore(self, path: Path) -> tuple[int, list[Evaluation]]:
        """Go back to a checkpoint, if there is one; return its step and evaluations."""
        import torch
        from safetensors import SafetensorError, safe_open

        if not path.exists():
            return 0, []
        try:
            with safe_open(path, "pt", device=str(self._model.device)) as stored:
                notes = stored.metadata() or {}
                if notes["made_of"] != self._made_of:
                    return 0, []  # another recipe's, or another text's
                step, losses = int(notes["step"]), json.loads(notes["losses"])
                evaluations = [Evaluation(**fields) for fields in json.loads(notes["evaluations"])]
                read = {
                    kind: {name: stored.get_tensor(f"{kind}/{name}") for name in self._named}
                    for kind in ("weight", "average", "exp_avg", "exp_avg_sq")
                }
        except (SafetensorError, KeyError, ValueError):
            return 0, []  # half a file: the training begins anew, and gives the same bytes
        self._put(read["weight"])
        self._average, self._losses = read["average"], losses
        for name, value in self._named.items():
            self._optimiser.state[value] = {
                "step": torch.tensor(float(step)),
                "exp_avg": read["exp_avg"][name],
                "exp_avg_sq": read["exp_avg_sq"][name],
            }
        return step, evaluations


def _schedule(step: int, recipe: Recipe) -> float:
    """Return the factor of the learning rate at a step: linear warm-up, then linear decay to 0."""
    warm = max(1, round(recipe.warm_up * recipe.steps))
    if step < warm:
        return (step + 1) / warm
    return max(0.0, (recipe.steps - step) / max(1, recipe.steps - warm))


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


def _has_bfloat16(device: str) -> bool:
    """Return whether half precision is faster there, not merely possible."""
    import torch

    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu._is_avx512_bf16_supported())

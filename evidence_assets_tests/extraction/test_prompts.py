"""Paraphrases: keywords, their orders, other words for them, and sentences that say it this way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np
import pytest

from evidence_assets.extraction import prompts as prompting
from evidence_assets.extraction.pair_scores import perplexities
from evidence_assets.extraction.probing import HEAD, TAIL, check_prompt, filled
from evidence_assets.extraction.prompts import (
    MOST_ORDERS,
    MOST_SUBSTITUTES,
    ConnectiveMaker,
    RewritingMaker,
    as_prompt,
    connectives,
    keeps_direction,
    keywords_of,
    orders_of,
    paraphrases,
    substitutes,
)
from evidence_assets.models.encoder import SentenceTransformerEncoder, packaged_minilm
from evidence_assets.models.encoder_loading import load_encoder
from evidence_assets.models.text_to_text import TextToTextModel
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import stem
from evidence_assets.text.words import words
from evidence_assets_tests.testing.masked_lm_samples import MASK, HashedEncoder, HashedModel

PROMPT = f"{HEAD} is part of {TAIL}"
PAIRS = [("egg white", "egg"), ("leaf", "tree"), ("wheel", "car")]
ENTITIES = ["egg", "white", "leaf", "tree", "wheel", "car"]
NAMES = ["part", "piece", "component", "element", "portion", "parts", "drum", "family", "group", "super"]
KNOWN = [*ENTITIES, *NAMES, *sorted({word for phrase in connectives() for word in phrase.split()})]


class Telling(HashedModel):
    """Likes some words better: `before` a word, `after` one, or anywhere."""

    def __init__(
        self,
        anywhere: Mapping[str, float],
        before: Mapping[str, str] | None = None,
        after: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(KNOWN)
        self._anywhere = [(self.vocabulary.index(word), more) for word, more in anywhere.items()]
        self._beside = [
            (self.vocabulary.index(word), self.vocabulary.index(neighbour), step)
            for likes, step in ((before or {}, 1), (after or {}, -1))
            for word, neighbour in likes.items()
        ]

    def logits(self, row: tuple[int, ...], place: int) -> np.ndarray:
        logits = super().logits(row, place)
        for word, more in self._anywhere:
            logits[word] += more
        for word, neighbour, step in self._beside:
            logits[word] += 15.0 * (row[place + step] == neighbour)
        return logits


# Keywords and their orders


@pytest.mark.xdist_group("minilm")
class TestKeywords:
    """Those of KeyBERT, with the packaged encoder."""

    @pytest.fixture(scope="class")
    def encoder(self) -> SentenceTransformerEncoder:
        return load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, None)

    def test_keywords_are_the_prompts_own_words_of_meaning_in_its_order(
        self, encoder: SentenceTransformerEncoder
    ) -> None:
        assert keywords_of(PROMPT, PAIRS, encoder) == ["part"]
        assert keywords_of(f"{HEAD} is a Risk factor for {TAIL}.", PAIRS, encoder) == ["risk", "factor"]
        keywords = keywords_of(f"{TAIL} belongs to the drug super-family {HEAD}", PAIRS, encoder)
        assert 1 <= len(keywords) <= 3
        assert keywords == [word for word in ("belongs", "drug", "super", "family") if word in keywords]

    def test_a_prompt_of_function_words_has_no_keyword(self, encoder: SentenceTransformerEncoder) -> None:
        assert keywords_of(f"{HEAD} is at {TAIL}", PAIRS, encoder) == []

    def test_a_word_of_most_seeds_is_theirs(self, encoder: SentenceTransformerEncoder) -> None:
        pairs = [("spare part", "car"), ("part", "whole"), ("leaf", "tree")]
        assert keywords_of(PROMPT, pairs, encoder) == []
        assert keywords_of(PROMPT, pairs[1:] + PAIRS, encoder) == ["part"]


def test_every_order_of_a_few_keywords_is_tried() -> None:
    assert list(orders_of([])) == [(HEAD, TAIL), (TAIL, HEAD)]
    assert set(orders_of(["part"])) == set(permutations([HEAD, "part", TAIL]))
    orders = list(orders_of(["risk", "factor"]))
    assert orders[0] == (HEAD, "risk", "factor", TAIL)
    assert set(orders) == set(permutations([HEAD, "risk", "factor", TAIL]))
    assert len(orders) == len(set(orders)) == MOST_ORDERS
    many = list(orders_of(["belongs", "drug", "family"]))
    assert len(many) == len(set(many)) == MOST_ORDERS
    assert {order[0] for order in many} == {HEAD, "belongs", "drug", "family", TAIL}


# Other words for a keyword


ALIKE = {"piece": "part", "component": "part", "element": "part", "portion": "part", "parts": "part"}


def test_substitutes_mean_nearly_the_same_and_are_neither_the_seeds_nor_the_keyword() -> None:
    encoder = HashedEncoder({**ALIKE, "leaf": "part", "when": "part"})
    synonyms = substitutes(HashedModel(KNOWN), encoder, PROMPT, "part", PAIRS)
    assert len(synonyms) == MOST_SUBSTITUTES
    assert set(synonyms) <= {"piece", "component", "element", "portion"}


class Graded(HashedEncoder):
    """Puts words at an angle to each other, those that are not told at more than a right one."""

    def __init__(self, angles: Mapping[str, float]) -> None:
        super().__init__()
        self._angles = angles

    def _vector(self, text: str) -> np.ndarray:
        if " " in text:
            return np.full(self.dimension, 1e-9)
        angle = self._angles.get(text, 2.0)
        return np.array([np.cos(angle), np.sin(angle), *[0] * 6])


def test_the_nearest_of_the_substitutes_comes_first() -> None:
    angles = {"part": 0, "element": 0.1, "portion": 0.4, "piece": 0.8, "component": 1.0}
    synonyms = substitutes(HashedModel(KNOWN), Graded(angles), PROMPT, "part", PAIRS)
    assert synonyms == ["element", "portion", "piece"]


def test_what_is_not_near_is_no_substitute() -> None:
    # The cosine of 1 is more than a half, that of 1.1 less.
    angles = {"part": 0, "element": 1.0, "portion": 1.1}
    assert substitutes(HashedModel(KNOWN), Graded(angles), PROMPT, "part", PAIRS) == ["element"]


def test_a_word_that_the_model_does_not_like_there_is_no_substitute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompting, "_LIKELIEST", 2)
    likes = {"portion": 30.0, "element": 20.0, "leaf": 40.0, "when": 40.0}
    assert set(substitutes(Telling(likes), HashedEncoder(ALIKE), PROMPT, "part", PAIRS)) == {
        "portion",
        "element",
    }


@pytest.mark.parametrize(
    ("prompt", "keyword"),
    [
        (f"{HEAD} is of the super-family {TAIL}", "family"),
        (f"{HEAD} is of the super-family {TAIL}", "super"),
        (f"{HEAD} is Part of {TAIL}", "part"),
        (f"{HEAD}, a part, is in {TAIL}", "part"),
        (f"{TAIL}'s part: {HEAD}.", "part"),
    ],
)
def test_a_keyword_is_found_however_it_is_written(prompt: str, keyword: str) -> None:
    """`words` takes a prompt apart at hyphens and commas, and lower-cases it."""
    encoder = HashedEncoder(dict.fromkeys(["group", "element"], keyword))
    synonyms = substitutes(HashedModel(KNOWN), encoder, prompt, keyword, PAIRS)
    assert set(synonyms[:2]) == {"group", "element"}
    maker = Nothing()
    model = HashedModel(KNOWN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prompting, "keeps_direction", lambda *_: True)
        texts = paraphrases(model, encoder, maker, prompt, PAIRS, [keyword])
    assert len(texts) == len(synonyms)
    for text, synonym in zip(texts, synonyms, strict=True):
        assert text == (
            prompt.replace(keyword, synonym) if keyword in prompt else prompt.replace("Part", synonym)
        )


def test_no_substitute_is_a_word_that_the_prompt_says_already() -> None:
    encoder = HashedEncoder(dict.fromkeys(["family", "group"], "drum"))
    synonyms = substitutes(
        HashedModel(KNOWN), encoder, f"{HEAD} is a drum of the family {TAIL}", "drum", PAIRS
    )
    assert "group" in synonyms
    assert "family" not in synonyms


def test_a_model_without_another_word_has_no_substitutes() -> None:
    model = HashedModel(["egg", "white", "part", "parts", "is", "of", "the"])
    assert substitutes(model, HashedEncoder(), PROMPT, "part", PAIRS[:1]) == []


# Sentences


def test_connectives_say_nothing_of_their_own() -> None:
    """A word of meaning here would put another relation in."""
    phrases = connectives()
    assert len(phrases) == len(set(phrases)) > 30
    for phrase in phrases:
        assert phrase == " ".join(phrase.lower().split())
        assert set(phrase.split()) <= function_words()
    assert {"is", "of the", "can", "because of"} <= set(phrases)


def in_order(prompt: str, keywords: Sequence[str]) -> bool:
    in_prompt = [word for word in prompt.split() if word in keywords]
    return in_prompt == list(keywords)


@pytest.mark.parametrize("order", list(permutations([HEAD, "part", TAIL])), ids=" ".join)
def test_connecting_keeps_the_keywords_and_their_order(order: tuple[str, ...]) -> None:
    model = HashedModel(KNOWN)
    prompts = ConnectiveMaker(model, most=3).sentences(order, PAIRS)
    assert len(prompts) == len(set(prompts)) == 3
    for prompt in prompts:
        check_prompt(prompt)
        assert in_order(prompt, order)
        assert {word for word in prompt.split() if word not in order} <= function_words()
    # The most fluent first, on the two first seeds.
    hardness = np.mean(
        [perplexities(model, [filled(prompt, *pair) for prompt in prompts]) for pair in PAIRS[:2]], axis=0
    )
    assert hardness.tolist() == sorted(hardness)


def test_connecting_two_entities_needs_a_word_between_them() -> None:
    prompts = ConnectiveMaker(HashedModel(KNOWN), most=100).sentences([HEAD, TAIL], PAIRS)
    assert len(prompts) == prompting._PHRASES_PER_GAP[0]
    assert all(prompt.startswith(f"{HEAD} ") and prompt.endswith(f" {TAIL}") for prompt in prompts)
    assert {prompt.removeprefix(f"{HEAD} ").removesuffix(f" {TAIL}") for prompt in prompts} <= set(
        connectives()
    )


def test_connecting_prefers_what_the_model_likes_in_the_gap() -> None:
    model = Telling({}, before={"is": "part"}, after={"of": "part"})
    for first, second in ((HEAD, TAIL), (TAIL, HEAD)):
        prompts = ConnectiveMaker(model).sentences([first, "part", second], PAIRS)
        assert prompts[0].startswith(f"{first} is part of")


def test_connecting_may_begin_with_an_article() -> None:
    prompts = ConnectiveMaker(HashedModel(KNOWN), most=10_000).sentences(["part", HEAD, TAIL], PAIRS[:1])
    starts = {prompt.split(f" {HEAD}")[0].split()[0] for prompt in prompts}
    assert starts == {"part", "the"}


def test_connecting_says_no_word_of_meaning_twice() -> None:
    assert ConnectiveMaker(HashedModel(KNOWN)).sentences([HEAD, "part", "part", TAIL], PAIRS[:1]) == []


def test_connecting_names_its_model() -> None:
    assert ConnectiveMaker(HashedModel(KNOWN, seed=3)).maker_id == "connectives by hashed-3"


@pytest.mark.parametrize(
    ("text", "keywords", "prompt"),
    [
        ("Egg white is a component of egg.", [HEAD, "component", TAIL], f"{HEAD} is a component of {TAIL}"),
        ("The  egg has the part egg white", [TAIL, "part", HEAD], f"the {TAIL} has the part {HEAD}"),
        # Not in this order, or not there.
        ("Egg white is a component of egg.", [TAIL, "component", HEAD], None),
        ("Egg white is a component.", [HEAD, "component", TAIL], None),
        ("Egg white is in the egg.", [HEAD, "component", TAIL], None),
        # Part of a word is not the word.
        ("Egg white is a component of eggs.", [HEAD, "component", TAIL], None),
        ("Egg whites are components of egg", [HEAD, TAIL], None),
        # A tail within the head is not the tail.
        ("The component egg white", ["component", HEAD, TAIL], None),
        # Nothing is said, or twice.
        ("Egg white egg", [HEAD, TAIL], None),
        ("egg white part of the part egg", [HEAD, "part", TAIL], None),
    ],
)
def test_a_written_sentence_is_a_prompt_if_it_keeps_the_order(
    text: str, keywords: list[str], prompt: str | None
) -> None:
    assert as_prompt(text, keywords, "Egg white", "egg") == prompt


class Rewrites(TextToTextModel):
    """Made up: writes what it was told to write of a text."""

    def __init__(self, written: dict[str, list[str]]) -> None:
        self.model_id, self.written = "some-t5@abc", written
        self.counts: list[int] = []

    def rewrite(self, texts: Sequence[str], count: int) -> list[list[str]]:
        self.counts.append(count)
        return [self.written[text] for text in texts]


def test_a_text_to_text_model_writes_prompts() -> None:
    """What it writes that loses an entity or the order is left out, what it writes twice is told once."""
    model = Rewrites(
        {
            "egg white, part, egg": [
                "Egg white is part of egg.",
                "Egg has a part.",
                "egg white is a part of egg",
            ],
            "leaf, part, tree": [
                "Leaf is part of tree",
                "The tree has a part, the leaf.",
                "leaf part tree part",
            ],
        }
    )
    maker = RewritingMaker(model, most=3)
    assert maker.maker_id == "some-t5@abc"
    assert maker.sentences([HEAD, "part", TAIL], PAIRS) == [
        f"{HEAD} is part of {TAIL}",
        f"{HEAD} is a part of {TAIL}",
    ]
    assert model.counts == [3]


# Paraphrases


class Nothing:
    """Writes nothing."""

    maker_id = "nothing"

    def sentences(self, keywords: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
        return []


class Written(Nothing):
    """Writes one sentence of each order, the initial prompt among them."""

    def sentences(self, keywords: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
        return [PROMPT if tuple(keywords) == (HEAD, "part", TAIL) else " of ".join(keywords)]


def test_paraphrases_are_every_order_and_every_substitute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompting, "keeps_direction", lambda *_: True)
    encoder = HashedEncoder({"piece": "part"})
    model = HashedModel(KNOWN)
    assert substitutes(model, encoder, PROMPT, "part", PAIRS)[0] == "piece"
    paraphrased = paraphrases(model, encoder, Written(), PROMPT, PAIRS, ["part"])
    assert PROMPT not in paraphrased
    assert len(set(paraphrased)) == len(paraphrased)
    orders = [
        " of ".join(order) for order in permutations([HEAD, "part", TAIL]) if order != (HEAD, "part", TAIL)
    ]
    assert paraphrased[:5] == orders
    assert set(paraphrased) >= {text.replace("part", "piece") for text in [*orders, PROMPT]}
    assert paraphrases(model, encoder, Nothing(), PROMPT, PAIRS, []) == []


def test_a_prompt_that_says_the_converse_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def direction(model: HashedModel, prompt: str, pairs: Sequence[tuple[str, str]]) -> bool:
        tried.append(prompt)
        return prompt.startswith(HEAD)

    monkeypatch.setattr(prompting, "keeps_direction", direction)
    paraphrased = paraphrases(HashedModel(KNOWN), HashedEncoder(), Written(), PROMPT, PAIRS, ["part"])
    assert paraphrased == [text for text in tried if text.startswith(HEAD)]
    assert 0 < len(paraphrased) < len(tried)


class Directed(HashedModel):
    """Knows that the smaller is read before the larger: likes a word where it is in its order."""

    def logits(self, row: tuple[int, ...], place: int) -> np.ndarray:
        logits = np.zeros(len(self.vocabulary))
        before, after = row[:place], row[place + 1 :]
        for small, large in (("leaf", "tree"), ("wheel", "car")):
            small_id, large_id = self.vocabulary.index(small), self.vocabulary.index(large)
            logits[small_id] += 5.0 * (large_id in after)
            logits[large_id] += 5.0 * (small_id in before)
        return logits


def test_a_prompts_direction_is_told_by_the_seeds_turned_round() -> None:
    model = Directed(KNOWN)
    pairs = PAIRS[1:]
    assert keeps_direction(model, PROMPT, pairs)
    assert not keeps_direction(model, f"{TAIL} is part of {HEAD}", pairs)
    turned = [(tail, head) for head, tail in pairs]
    assert not keeps_direction(model, PROMPT, turned)
    assert keeps_direction(model, f"{TAIL} has {HEAD}", turned)


def test_a_prompt_that_fits_both_ways_alike_says_nothing() -> None:
    assert not keeps_direction(Directed(KNOWN), PROMPT, [("egg", "white")])


def test_function_words_and_stems_are_those_of_the_rest_of_the_project() -> None:
    """The samples of this file rest on it."""
    assert stem("parts") == stem("part")
    assert not set(NAMES) & function_words()
    assert MASK not in words(MASK)

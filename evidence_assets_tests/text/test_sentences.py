"""Where sentences begin and end."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.text.sentences import sentence_spans
from evidence_assets_tests.testing.profiles import THOROUGH, examples


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \t ", []),
        ("No stop at all", ["No stop at all"]),
        ("  One.  Two!\tThree? ", ["One.", "Two!", "Three?"]),
        ("One. two. Three.", ["One. two.", "Three."]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        # abbreviations, initials, single letters
        ("Dr. Smith met Mrs. Jones. They spoke.", ["Dr. Smith met Mrs. Jones.", "They spoke."]),
        ("Drugs, e.g. Aspirin, help. Others do not.", ["Drugs, e.g. Aspirin, help.", "Others do not."]),
        ("J. K. Rowling wrote it. It sold.", ["J. K. Rowling wrote it.", "It sold."]),
        ("See Fig. 3 and pp. 4. Then go on.", ["See Fig. 3 and pp. 4.", "Then go on."]),
        ("The U.S. Army came. It left.", ["The U.S. Army came.", "It left."]),
        ("Jones et al. Found it, cf. Smith.", ["Jones et al. Found it, cf. Smith."]),
        ("It was (approx. Ten) men. Good.", ["It was (approx. Ten) men.", "Good."]),
        ("It was I. Then he came.", ["It was I.", "Then he came."]),
        ("The attic of house A. The lift of C.", ["The attic of house A.", "The lift of C."]),
        ("It has vitamin C. In winter it helps.", ["It has vitamin C.", "In winter it helps."]),
        ("It is by J. The rest is not.", ["It is by J.", "The rest is not."]),
        ("George W. Bush spoke.", ["George W. Bush spoke."]),
        ("By Samuel P. The book is old.", ["By Samuel P. The book is old."]),
        # decimals and what follows a mark without a space
        ("It weighs 3.5 mg. 4 more follow.", ["It weighs 3.5 mg.", "4 more follow."]),
        ("Go to example.com/A.B now. Fine.", ["Go to example.com/A.B now.", "Fine."]),
        # quotes and brackets
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("He left. “Why?” she asked.", ["He left.", "“Why?” she asked."]),
        ("(It rained.) We stayed.", ["(It rained.)", "We stayed."]),
        ("It ended. [See below.] Fine.", ["It ended.", "[See below.]", "Fine."]),
        ("«Oui.» Il part.", ["«Oui.»", "Il part."]),
        # ellipses
        ("Wait... What? Yes!", ["Wait...", "What?", "Yes!"]),
        ("Well… So it goes. and … on", ["Well…", "So it goes. and … on"]),
        ("to be ... or not", ["to be ... or not"]),
        # no space is needed in Chinese and Japanese
        ("今日は。明日は！「はい。」次", ["今日は。", "明日は！", "「はい。」", "次"]),
        # line breaks end everything; a quote after one opens what follows
        ("A heading\nText goes on", ["A heading", "Text goes on"]),
        ("One.\r\n\r\nTwo.", ["One.", "Two."]),
        ('He left.\n"Why?" she asked.', ["He left.", '"Why?" she asked.']),
        ("A line\n(in brackets) B", ["A line", "(in brackets) B"]),
        ("\n\n x \n", ["x"]),
        ("Él llegó. Ángel no.", ["Él llegó.", "Ángel no."]),
        ("It ended.\u00a0Next.", ["It ended.", "Next."]),
    ],
)
def test_a_text_is_cut_into_its_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The Earth goes around the Sun. The Moon goes around the Earth.",
        "She said no. He went on.",
        "The cat sat. The dog stood.",
    ],
)
def test_a_word_that_is_also_an_abbreviation_ends_a_sentence(text: str) -> None:
    assert len(sentences(text)) == 2


_TEXTS = st.one_of(
    st.text(max_size=80),
    st.text(alphabet="aB. !?…。\n\r\t\"'”(«」1\u00a0\x1c\x85\u3000", max_size=80),
    st.lists(
        st.sampled_from(
            ["Dr.", "Word", "e.g.", ".", "...", '."', "\n", "\r\n", " ", "。」", "3.5", "“A", "?"]
        ),
        max_size=30,
    ).map("".join),
)


@examples(400)
@given(_TEXTS)
def test_spans_are_ordered_disjoint_trimmed_and_cover_everything_but_space(text: str) -> None:
    covered = [0] * len(text)
    previous = 0
    for start, end in sentence_spans(text):
        assert previous <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        for place in range(start, end):
            covered[place] += 1
        previous = end
    for character, times in zip(text, covered, strict=True):
        assert times == 1 or (times == 0 and character.isspace())


@pytest.mark.parametrize(
    "unit", [". ", '"', "\n", '."', '. "', ".\n ", "st. A", "。", "a. A", " ", "(", ". (", "\r\n\t", "e.g. "]
)
@pytest.mark.properties
def test_time_is_linear_on_two_megabytes_of_nothing_good(unit: str) -> None:
    # Were it quadratic, the small size would fail already.
    for size in (100_000, 2_000_000) if THOROUGH else (100_000,):
        text = "." + unit * (size // len(unit))
        started = time.process_time()
        last = 0
        for _, end in sentence_spans(text):
            last = end
        assert time.process_time() - started < 10
        assert last == len(text.rstrip())

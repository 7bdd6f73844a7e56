"""What a misspelling keeps, and what tells two names apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from evidence_assets.graphs.names.fuzzy_index import RATIO
from evidence_assets.graphs.names.misspellings import is_possible_misspelling

NUMERALS = [
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x",
    "xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii", "xviii", "xix", "xx",
]  # fmt: skip


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        # Numbers: in digits, with letters, Roman.
        ("trisomy 14", "trisomy 13"),
        ("vitamin b2 deficiency", "vitamin b12 deficiency"),
        ("b1 deficiency", "b7 deficiency"),
        ("chromosome 5q13 deletion", "chromosome 5p13 deletion"),
        ("coagulation factors", "coagulation factor 1"),
        ("5 ht3 antagonist", "5 ht antagonists"),
        ("factor xi deficiency", "factor xii deficiency"),
        ("immunoglobulins", "immunoglobulins iv"),
        ("factor vii", "factor viia"),
        # Letters that stand alone, Latin and Greek.
        ("hepatitis type a", "hepatitis type b"),
        ("hemophilia", "hemophilia a"),
        ("protein s deficiency", "protein c deficiency"),
        ("proteins", "protein s"),
        ("alpha thalassemia", "beta thalassemia"),
        ("interferon alpha therapy", "interferon therapy"),
        ("interferon eta receptor", "interferon zeta receptor"),
        ("receptor α agonist", "receptor β agonist"),
        # What turns the meaning.
        ("hypocortisolism", "hypercortisolism"),
        ("hyperpituitarism", "hypopituitarism"),
        ("hypolipoproteinemia", "hyperlipoproteinemia"),
        ("intracellular fluid compartment", "intercellular fluid compartment"),
        ("macrocytic anaemia with spherocytes", "microcytic anaemia with spherocytes"),
        ("prepartum haemorrhage of uterus", "postpartum haemorrhage of uterus"),
        ("tumor of endocrine pancreas", "tumor of exocrine pancreas"),
        ("anencephaly with rachischisis", "anencephaly without rachischisis"),
        ("tachyarrhythmia syndrome familial", "bradyarrhythmia syndrome familial"),
        ("unipolar affective disorder", "bipolar affective disorder"),
        ("left ventricular hypertrophy", "right ventricular hypertrophy"),
        ("acute myeloid leukaemia", "chronic myeloid leukaemia"),
        ("primary biliary cirrhosis of liver", "secondary biliary cirrhosis of liver"),
        ("abnormal coagulation profile", "normal coagulation profile"),
        ("non hodgkin lymphoma of spleen", "hodgkin lymphoma of spleen"),
        # The first letter of a word.
        ("stable angina", "unstable angina"),
        ("systole", "asystole"),
        ("consciousness", "unconsciousness"),
        ("rehydration", "dehydration"),
        ("nitric acid", "citric acid"),
        ("focal atrial tachycardia", "multifocal atrial tachycardia"),
        # A condition and the thing that it is of.
        ("eosinophil", "eosinophilia"),
        ("epididymis", "epididymitis"),
        ("hydroxyproline", "hydroxyprolinemia"),
        ("thrombolysis", "thrombosis"),
        ("glycogenesis", "glycogenosis"),
        ("limit dextrins", "limit dextrinosis"),
        # Other words.
        ("reticulocyte count", "reticulocyte count low"),
        ("head of pancreas", "ca head of pancreas"),
        ("dislocation of hip joint", "dislocation of joint"),
        ("ischemic bowel disease", "ischemic bone disease"),
        ("anomalous pulmonary venous return", "total anomalous pulmonary venous return"),
    ],
)
def test_what_a_misspelling_never_changes(phrase: str, name: str) -> None:
    assert not is_possible_misspelling(phrase, name)
    assert not is_possible_misspelling(name, phrase)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("umbrela", "umbrella"),
        ("metoclopramdie", "metoclopramide"),
        ("diptheria", "diphtheria"),
        ("haemorrhage", "hemorrhage"),
        ("hypothyrodism", "hypothyroidism"),
        ("hypehyroidism", "hyperthyroidism"),
        ("vitamin b12 deficency", "vitamin b12 deficiency"),
        ("neurofibromatosiss 1", "neurofibromatosis 1"),
        ("mucopolysacharidosis vii", "mucopolysaccharidosis vii"),
        ("beta thalasemia", "beta thalassemia"),
        ("dermatitits", "dermatitis"),
        ("lymphocytoses", "lymphocytosis"),
        ("eosinophila", "eosinophilia"),
        ("hypernatremia", "hypernatraemia"),
        ("sulfonamide", "sulfonamides"),
        # Spaces, and what was a hyphen.
        ("chest xray", "chest x ray"),
        ("tn f alpha", "tnf alpha"),
        ("g 6pd deficiency", "g6pd deficiency"),
        ("pgf 2 alpha", "pgf2 alpha"),
        ("hyper parathyroidism", "hyperparathyroidism"),
        ("amino levulinic acid", "aminolaevulinic acid"),
        ("amino levulinic acids", "aminolevulinic acid"),
        # A possessive, and empty words.
        ("frey s syndrome", "frey syndrome"),
        ("menieres disease", "meniere s disease"),
        ("coarctation of the aorta", "coarctation of aorta"),
        ("difficulty in breathing", "difficulty breathing"),
        ("blood dyscrasias", "blood dyscrasia nos"),
        ("???????????", "??????????"),
    ],
)
def test_what_a_misspelling_may_change(phrase: str, name: str) -> None:
    assert fuzz.ratio(phrase, name) >= RATIO
    assert is_possible_misspelling(phrase, name)
    assert is_possible_misspelling(name, phrase)


@pytest.mark.parametrize("first", NUMERALS)
@pytest.mark.parametrize("second", NUMERALS)
def test_every_roman_numeral_up_to_twenty_is_told_from_every_other(first: str, second: str) -> None:
    names = [f"glycogen storage disease type {numeral}" for numeral in (first, second)]
    assert is_possible_misspelling(*names) == (first == second)


words = st.sampled_from(
    [
        "type", "factor", "alpha", "beta", "b12", "2", "13", "ii", "xi", "s", "a", "of", "the", "hyper",
        "hypo", "hypertension", "hypotension", "eosinophil", "eosinophilia", "frey", "protein", "proteins",
        "tumour", "tumor", "with", "without", "amino", "levulinic", "aminolevulinic", "aminolaevulinic",
    ]
)  # fmt: skip
names = st.lists(words, max_size=5).map(" ".join)


@given(first=names, second=names)
def test_misspelling_is_symmetric_for_any_two_names(first: str, second: str) -> None:
    assert is_possible_misspelling(first, first)
    assert is_possible_misspelling(first, second) == is_possible_misspelling(second, first)


@given(first=st.text(max_size=30), second=st.text(max_size=30))
def test_texts_of_any_kind_raise_nothing(first: str, second: str) -> None:
    assert is_possible_misspelling(first, first)
    assert isinstance(is_possible_misspelling(first, second), bool)

"""Claims of several rows, of what a word narrows, of ranks, totals, signs and times that a table tells."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets_tests.testing.program_verdicts import decided

FLATS = make_table(
    "flats",
    "Flats to let by the lake",
    [["Flat", "Town", "Price per night (€)", "Balcony", "Lift"]],
    [
        ["Heron", "Brek", "95", "yes", "no"],
        ["Dune", "Brek", "160", "yes", "yes"],
        ["Tarn", "Osen", "70", "no", "no"],
        ["Ibis", "Osen", "110", "no", "yes"],
        ["Moor", "Vik", "82", "yes", "yes"],
    ],
)


@pytest.mark.parametrize(
    "claim",
    [
        # One flat of several shows nothing of all.
        "Flats with a balcony cost less than 100 euros a night.",
        # What is gone or only wished is no column's.
        "The Tarn lost its balcony.",
        "The Tarn used to have a balcony.",
        # What says which flats are meant is denied alone.
        "Flats without a balcony cost less than 120 euros a night.",
    ],
)
def test_what_is_said_of_several_or_is_had_no_more_decides_nothing(claim: str) -> None:
    assert not verify(claim, FLATS).decides


def test_one_that_has_both_need_not_be_the_only_one_with_either() -> None:
    assert decided("Only the Dune has both a balcony and a lift.", FLATS) is False
    assert decided("Only the Dune and the Moor have both a balcony and a lift.", FLATS) is True


CLINICS = make_table(
    "clinics",
    "Clinics by region",
    [["Region", "Clinics", "Doctors", "Wait 2022 (days)"]],
    [
        ["Bay", "14", "120", "31"],
        ["Hills", "6", "40", "52"],
        ["Lowland", "22", "210", "24"],
        ["Moor", "4", "33", "60"],
        ["All regions", "46", "403", "35"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No region has more than 25 clinics.", True),
        ("Two regions have more than 10 clinics.", True),
        ("The Lowland region has the most clinics.", True),
        ("The Moor region had the longest wait in 2022.", True),
        ("The Bay region had the longest wait in 2022.", False),
    ],
)
def test_a_row_of_all_is_none_of_them_whatever_it_is_called(claim: str, truth: bool) -> None:
    assert verify(claim, CLINICS).supported is truth


@pytest.mark.parametrize(
    "claim",
    [
        "Lowland has more female doctors than Bay.",
        "Lowland has the most patients.",
        "Bay had 14 clinics the year before.",
    ],
)
def test_a_noun_or_time_that_nothing_tells_decides_nothing(claim: str) -> None:
    assert not verify(claim, CLINICS).decides


RANKINGS = make_table(
    "rankings",
    "National ranking positions of universities",
    [["University", "Seed", "2018", "2020", "2022"]],
    [
        ["Dunsby", "2", "6", "9", "11"],
        ["Eskdale", "1", "12", "6", "5"],
        ["Farnley", "4", "3", "4", "8"],
        ["Colford", "3", "8", "7", "7"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Eskdale ranked higher than Farnley in 2020.", False),
        ("Farnley ranked higher than Eskdale in 2020.", True),
        ("Eskdale was the top seed.", True),
        ("Farnley was seeded higher than Dunsby.", False),
    ],
)
def test_ranks_are_the_higher_the_smaller_their_numbers(claim: str, truth: bool) -> None:
    assert verify(claim, RANKINGS).supported is truth


def test_a_rise_of_ranks_is_not_read_of_their_numbers() -> None:
    assert not verify("Dunsby rose in the ranking between 2018 and 2020.", RANKINGS).decides


DONORS = make_table(
    "donors",
    "Blood donors of a village",
    [["Donor", "Blood group", "Last gave"]],
    [["V01", "A+", "2021"], ["V02", "A−", "2019"], ["V03", "B+", "2001"], ["V04", "O−", "2014"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("V02 has blood group A−.", True),
        ("V01 has blood group A−.", False),
        ("V03 has blood group B−.", None),
        ("No donor has given since 2021.", True),
        ("V03 has not given since 2001.", True),
    ],
)
def test_signs_tell_values_apart_and_since_denies_what_is_later(claim: str, truth: bool | None) -> None:
    assert verify(claim, DONORS).supported is truth


POWER = make_table(
    "power",
    "Power that buildings used (MWh)",
    [["Building", "2020", "2021", "2022", "2023"]],
    [
        ["Library", "96", "99", "94", "97"],
        ["Gym", "110", "104", "112", "90"],
        ["Town hall", "70", "72", "75", "74"],
    ],
)


@pytest.mark.parametrize(
    "claim",
    [
        "The library's consumption rose in 2021, fell in 2022 and rose again in 2023.",
        "The gym's consumption fell in 2021 but shot up again in 2022.",
        "The town hall used at least 72 MWh in every year but 2020.",
    ],
)
def test_a_change_or_a_year_besides_is_not_passed_over(claim: str) -> None:
    verdict = verify(claim, POWER)
    assert verdict.supported is not False or not verdict.decides


FILMS = make_table(
    "films",
    "Films of a studio, takings in US$ million",
    [["Film", "Worldwide", "Sequel"]],
    [["Glass", "146.2", "yes"], ["Bell", "93.4", "no"], ["Tide", "41.0", "n/a"], ["Moss", "17.9", "no"]],
)


@pytest.mark.parametrize(
    "claim",
    [
        # What no cell says is denied of nothing.
        "None of the Ferns got a sequel.",
        # What says neither yes nor no is not among those that say no.
        "Exactly two films are down as not having a sequel.",
    ],
)
def test_strangers_and_what_is_untold_decide_nothing(claim: str) -> None:
    assert not verify(claim, FILMS).decides


ALBUMS = make_table(
    "albums",
    "Albums of a label",
    [["Album", "Released", "Gold"]],
    [["Mist", "2001", "yes"], ["Fern", "2004", "no"], ["Loam", "1998", "yes"], ["Reed", "2010", "no"]],
)


def test_a_verb_of_becoming_is_none_of_having_no_more() -> None:
    assert verify("Every album released after 2000 went gold.", ALBUMS).supported is False


GRADES = make_table(
    "grades",
    "Open positions and grades by department",
    [["Department", "Grade", "2020", "2021", "Seed price (€)", "Longest shift (h)"]],
    [
        ["Nursing", "A+", "12", "14", "3.20", "12.5"],
        ["Surgery", "A", "5", "6", "4.10", "14"],
        ["Kitchen", "B-", "2", "1", "2.80", "9"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        # Neither a caption of positions nor a header that says `seed` tells ranks.
        ("Nursing had more positions in 2020 than Surgery.", True),
        ("Surgery has the highest seed price.", True),
        ("Surgery was graded A+.", False),
    ],
)
def test_what_only_sounds_of_ranks_is_none(claim: str, truth: bool) -> None:
    assert verify(claim, GRADES).supported is truth


def test_one_of_several_is_not_the_most_of_all() -> None:
    assert not verify("The longest shift was 12.5 hours.", GRADES).decides


WARDS = make_table(
    "wards",
    "Wards of a hospital",
    [["Region", "Clinics", "Turnout (%)", "Last visit", "Months"]],
    [
        ["Region North", "10", "39", "9 May 2021", "Jan"],
        ["Region South", "20", "44", "6 Dec 2021", "Feb"],
        ["Region West", "30", "52", "1 Dec 2021", "Mar"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        # A row that only begins with the word of the others is one of them.
        ("Region West has the most clinics.", True),
        ("No region has more than 25 clinics.", False),
    ],
)
def test_a_name_that_begins_as_the_others_do_is_no_total(claim: str, truth: bool) -> None:
    assert verify(claim, WARDS).supported is truth


@pytest.mark.parametrize(
    "claim",
    [
        "Clinics were more than 35 in the first three months.",
        "The two regions had 30 clinics together.",
        "Region South had 20 clinics before.",
    ],
)
def test_a_few_a_slice_and_another_time_decide_nothing(claim: str) -> None:
    verdict = verify(claim, WARDS)
    assert not (verdict.decides and verdict.supported is False)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Flats in Vik have a balcony.", True),
        ("Flats in Osen have a balcony.", False),
        ("Every flat in Vik costs less than 100 euros.", True),
    ],
)
def test_a_plural_without_an_article_is_of_each(claim: str, truth: bool) -> None:
    assert verify(claim, FLATS).supported is truth


STANDS = make_table(
    "stands",
    "Cones sold by stand",
    [["Stand", "Freezer", "Apr", "Jul"]],
    [["Park", "yes", "420", "1,300"], ["Zoo", "no", "310", "1,150"], ["Pier", "no", "280", "1,080"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Stands without a freezer sold fewer than 400 cones in April.", True),
        ("Stands without a freezer sold fewer than 1,100 cones in July.", False),
        ("The stands without a freezer sold more than 1,000 cones in July.", True),
    ],
)
def test_what_rows_are_without_tells_which_are_meant(claim: str, truth: bool) -> None:
    verdict = verify(claim, STANDS)
    assert verdict.supported is truth
    assert "Freezer not = yes" in verdict.program


@pytest.mark.parametrize("claim", ["The Zoo does without", "Stands without", "without", "Zoo went without a"])
def test_without_at_the_end_is_read_to_the_end(claim: str) -> None:
    assert not verify(claim, STANDS).decides

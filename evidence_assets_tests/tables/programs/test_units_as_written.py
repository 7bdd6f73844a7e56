"""Units as headers, captions and claims write them: powers, rates, symbols behind a noun, money in scales."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.columns.column_units import column_units
from evidence_assets.tables.programs.wording.quantities import Unit, unit_name
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets_tests.testing.program_verdicts import decided


@pytest.mark.parametrize(
    ("caption", "header", "unit"),
    [
        pytest.param("", "Weight kg", Unit("kilogram"), id="a symbol behind a noun"),
        pytest.param("", "Temp. °C", Unit("degree_Celsius"), id="behind a short noun"),
        pytest.param("", "Area m²", Unit("meter ** 2"), id="a power behind a noun"),
        pytest.param("", "Area km2", Unit("kilometer ** 2"), id="a power in figures"),
        pytest.param("", "Area (sq. km)", Unit("kilometer ** 2"), id="a square with a point"),
        pytest.param("", "Area, sq km", Unit("kilometer ** 2"), id="a square behind a comma"),
        pytest.param("", "Flow (m³/s)", Unit("meter ** 3 / second"), id="a rate of a power"),
        pytest.param("", "Density (g/mL)", Unit("gram / milliliter"), id="a rate"),
        pytest.param("", "Length (in)", Unit("inch"), id="inches in brackets"),
        pytest.param("", "% done", Unit("%"), id="percent first"),
        pytest.param("", "Pop. (k)", Unit("", 1e3), id="thousands in a letter"),
        pytest.param("", "Cost (1,000 €)", Unit("€", 1e3), id="money in thousands"),
        pytest.param("", "Cost (€1,000)", Unit("€", 1e3), id="money, its thousands behind it"),
        pytest.param("", "Basin (1,000 km²)", Unit("kilometer ** 2", 1e3), id="a thousand of a unit"),
        pytest.param("", "Catch (1,000,000 t)", Unit("metric_ton", 1e6), id="a million of a unit"),
        pytest.param("", "Staff (1,000 people)", Unit("", 1e3), id="a thousand of what is counted"),
        pytest.param("", "Time (1,000 m)", Unit("meter"), id="a distance"),
        pytest.param("", "Plan m", Unit(), id="a letter that may be anything"),
        pytest.param("Firms (US$ million)", "Revenue", Unit("$", 1e6), id="money of a caption"),
        pytest.param("Firms (US$ million)", "Employees", Unit(), id="a plural counts"),
        pytest.param("Firms (US$ million)", "Earnings", Unit("$", 1e6), id="a plural of money"),
        pytest.param("Firms (US$ million)", "Rank", Unit(), id="a rank"),
        pytest.param("Firms, US$ million", "Revenue", Unit("$", 1e6), id="money behind a comma"),
        pytest.param("Firms, in millions of US dollars", "Revenue", Unit("$", 1e6), id="money in words"),
        pytest.param("A climb of 11.2 km", "Time", Unit(), id="an amount in a caption is no unit"),
    ],
)
def test_a_header_and_a_caption_tell_the_unit_of_a_column(caption: str, header: str, unit: Unit) -> None:
    table = make_table("t", caption, [["Name", header]], [["A", "12"], ["B", "25.5"], ["C", "31"]])
    assert column_units(table)[1] == unit


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("60 m²", ["60", "m²"]),
        ("60 m2", ["60", "m²"]),
        ("60 km^2", ["60", "km²"]),
        ("(m3)", ["(", "m³", ")"]),
        ("10 M3 screws", ["10", "m", "3", "screws"]),
        ("the M2", ["the", "m", "2"]),
    ],
)
def test_a_power_is_of_its_unit(text: str, words: list[str]) -> None:
    read = tokens(text)
    assert [token.text for token in read] == words
    assert "".join(text[token.start : token.end] for token in read) == text.replace(" ", "")


def test_a_rate_is_a_unit_where_both_its_parts_are_measured() -> None:
    assert unit_name("kWh/m²") == "kilowatt_hour / meter ** 2"
    assert unit_name("people/km²") == unit_name("chf/kg") == ""


PLOTS = make_table(
    "plots",
    "Plots and what they yielded",
    [["Plot", "Area (m²)", "Yield (kg/m²)", "Rain mm"]],
    [["A1", "60", "2.5", "41"], ["A2", "90", "1.8", "38"], ["B3", "45", "3.1", "44"]],
)
FILMS = make_table(
    "films",
    "Films of a studio (US$ million)",
    [["Film", "Director", "Budget", "Worldwide"]],
    [["Glass", "Orr", "20", "146.2"], ["Bell", "Orr", "31", "93.4"], ["Tide", "Pell", "12", "41.0"]],
)
JUMPS = make_table(
    "jumps",
    "Results of a meeting",
    [["Athlete", "100 m (s)", "Long jump (m)"]],
    [["Conti", "11.2", "7.02"], ["Weiss", "10.9", "6.88"], ["Marr", "11.6", "7.15"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Plot A2 covers 90 m².", True),
        ("Plot A2 covers 60 m2.", False),
        ("Plot A2 has an area of 0.009 hectares.", True),
        ("B3 yielded 3.1 kg/m².", True),
        ("B3 yielded 2.5 kg per m².", False),
        ("Plot A1 had 41 mm of rain.", True),
    ],
)
def test_powers_and_rates_are_compared(claim: str, truth: bool) -> None:
    assert decided(claim, PLOTS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Glass made 146.2 million dollars worldwide.", True),
        ("Bell made less than 90 million dollars worldwide.", False),
        ("Both of Orr's films had a budget of more than 15 million dollars.", True),
        ("Worldwide, Glass took 52.8 million more than Bell.", True),
        ("Worldwide, Glass took 52.8 dollars more than Bell.", False),
    ],
)
def test_money_is_told_in_the_scale_of_the_caption(claim: str, truth: bool) -> None:
    assert decided(claim, FILMS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"), [("Conti's long jump was 7.02 m.", True), ("Marr's long jump was 6.88 m.", False)]
)
def test_the_unit_of_a_number_names_no_other_column(claim: str, truth: bool) -> None:
    assert decided(claim, JUMPS) is truth


@pytest.mark.parametrize(
    ("header", "claim"),
    [
        ("Price (€)", "Bo costs 13 euros more than Ada."),
        ("Weight (kg)", "Bo weighs 13 kg more than Ada."),
        ("Weight (kg)", "Bo weighs 13,000 g more than Ada."),
        ("Temp. (°C)", "It was 13 degrees warmer in Bo than in Ada."),
        ("Speed (km/h)", "Bo is 13 km/h faster than Ada."),
        ("€", "Bo is more expensive than Ada."),
        ("€", "Di is the cheapest."),
        ("°C", "Cy was the warmest."),
        ("km/h", "Bo is faster than Ada."),
        ("m²", "Cy is the largest."),
        ("Yrs", "Cy is the oldest."),
        ("Start date", "Bo has a later start date than Ada."),
    ],
)
def test_a_header_that_is_its_unit_and_differences_in_units_are_read(header: str, claim: str) -> None:
    cells = ["12", "25", "31", "8"] if header != "Start date" else ["1 May", "5 May", "9 May", "2 May"]
    rows = [
        [name, cell, sold] for name, cell, sold in zip(("Ada", "Bo", "Cy", "Di"), cells, "3579", strict=True)
    ]
    assert decided(claim, make_table("t", "Things of a shop", [["Item", header, "No. sold"]], rows)) is True

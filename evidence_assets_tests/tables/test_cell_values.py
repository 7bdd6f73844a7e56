"""What a cell's text and value are: known answers, and numbers that parse back from every style."""

import math
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.tables.cell_text import clean_text
from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.table import Kind, Value


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("[BOLD] 0.93", "0.93"),
        ("[ITALIC] [BOLD] a [CONTINUE] b", "a b"),
        ("[EMPTY]", ""),
        ("<b>5</b> <span class='x'>km</span>", "5 km"),
        ("a<br/>b", "a b"),
        ("x<script>alert('1 < 2')</script>y", "x y"),
        ("x<!-- hidden -->y", "x y"),
        ("10<sup>5</sup>", "10^5"),
        ("7<sup>th</sup>", "7th"),
        ("Smith<sup>a</sup>", "Smith"),
        ("10²", "10^2"),
        ("10⁻³", "10^-3"),
        ("4 × 2¹⁰", "4 × 2^10"),
        ("30 m²", "30 m^2"),
        ("1968¹", "1968"),
        ("1,350<sup>2</sup>", "1,350"),
        ("310²", "310"),
        ("AT&amp;T", "AT&T"),
        ("3&nbsp;&lt;&#160;4", "3 < 4"),
        ("[[USA|United States]]", "United States"),
        ("'''Bold''' and ''italic''", "Bold and italic"),
        ("{{flag|USA}}", "USA"),
        ("[http://x.org the site]", "the site"),
        ("Paris [1]", "Paris"),
        ("12[note 3]", "12"),
        ("0.05**", "0.05"),
        ("2.99∗", "2.99"),
        ("Smith†", "Smith"),
        ("‡Smith", "Smith"),
        ("  a\t\n b ", "a b"),
        ("５ｋｍ", "5km"),
        ("ﬁne", "fine"),
        ("soft\u00adhyphen\u200b", "softhyphen"),
        # What only looks like markup stays.
        ("p < 0.05 and b > 3", "p < 0.05 and b > 3"),
        ("<unk>", "<unk>"),
        ("Norw<i>ay", "Norw<i>ay"),
        ("<i>Aurora</i> and <i>Bella", "Aurora and Bella"),
        ("x<img src='a.png'>y", "xy"),
        ("A*", "A*"),
        ("[1]", "[1]"),
        ("½", "½"),
        ("R&D", "R&D"),
    ],
)
def test_text_is_cleaned(raw: str, text: str) -> None:
    assert clean_text(raw) == text


@pytest.mark.parametrize(
    "text", ["", "-", "–", "—", "--", "−", "n/a", "N/A", "NaN", "nan", "na", "null", "?", "...", "  "]
)
def test_a_cell_that_says_nothing_is_empty(text: str) -> None:
    assert parse_value(text) == Value(Kind.EMPTY)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("0.93", 0.93, ""),
        (".553", 0.553, ""),
        ("-5", -5.0, ""),
        ("−5.2", -5.2, ""),
        ("–5", -5.0, ""),
        ("+2.9", 2.9, ""),
        ("-0", 0.0, ""),
        ("1,234", 1234.0, ""),
        ("1,234.5", 1234.5, ""),
        ("1.234,5", 1234.5, ""),
        ("1.234.567", 1234567.0, ""),
        ("1,23,456", 123456.0, ""),
        ("1'234'567.8", 1234567.8, ""),
        ("12 345", 12345.0, ""),
        ("499 938 km", 499938.0, "km"),
        ("1 234 567,8", 1234567.8, ""),
        # A comma that cannot part thousands is the decimal one; a lone point always is.
        ("3,5", 3.5, ""),
        ("0,553", 0.553, ""),
        ("1.234", 1.234, ""),
        ("1e-5", 1e-5, ""),
        ("1.2 × 10^-5", 1.2e-5, ""),
        ("10^5", 100000.0, ""),
        ("3½", 3.5, ""),
        ("٣٤", 34.0, ""),
        ("7.8m", 7.8e6, ""),
        ("12k", 12000.0, ""),
        ("3 bn", 3e9, ""),
        ("4.5 million", 4.5e6, ""),
        ("3B", 3e9, ""),
        ("$7.8m", 7.8e6, "$"),
        ("$5 m", 5e6, "$"),
        ("$1,234", 1234.0, "$"),
        ("-$5", -5.0, "$"),
        ("($5)", -5.0, "$"),
        ("€ 5", 5.0, "€"),
        ("5 €", 5.0, "€"),
        ("USD 12", 12.0, "USD"),
        ("45 km", 45.0, "km"),
        ("45km/h", 45.0, "km/h"),
        ("5 m^2", 5.0, "m^2"),
        # A whole number of m is of metres.
        ("100m", 100.0, "m"),
        ("5000 m", 5000.0, "m"),
        ("3b", 3.0, "b"),
        ("1st", 1.0, ""),
        ("22nd", 22.0, ""),
        ("#4", 4.0, ""),
        ("no. 4", 4.0, ""),
        ("~12", 12.0, ""),
        ("about 12 km", 12.0, "km"),
    ],
)
def test_numbers_have_their_units(text: str, number: float, unit: str) -> None:
    assert parse_value(text) == Value(Kind.NUMBER, number=number, unit=unit)


@pytest.mark.parametrize("text", ["12.5%", "12.5 %", "12.5 percent", "+12.5%", "12.5 per cent"])
def test_percentages_are_read(text: str) -> None:
    assert parse_value(text) == Value(Kind.PERCENTAGE, number=12.5, unit="%")


@pytest.mark.parametrize(
    ("text", "kind", "number", "error"),
    [
        ("0.93±0.02", Kind.NUMBER, 0.93, 0.02),
        ("0.93 ± 0.02", Kind.NUMBER, 0.93, 0.02),
        ("0.93 +/- 0.02", Kind.NUMBER, 0.93, 0.02),
        ("0.93 (±0.02)", Kind.NUMBER, 0.93, 0.02),
        ("0.93 (0.02)", Kind.NUMBER, 0.93, 0.02),
        ("93.2±0.5%", Kind.PERCENTAGE, 93.2, 0.5),
        ("93.2% ± 0.5", Kind.PERCENTAGE, 93.2, 0.5),
        ("93.2% (0.5)", Kind.PERCENTAGE, 93.2, 0.5),
    ],
)
def test_an_error_term_bounds_its_number(text: str, kind: Kind, number: float, error: float) -> None:
    value = parse_value(text)
    assert (value.kind, value.number, value.error) == (kind, number, error)
    assert (value.low, value.high) == (number - error, number + error)


@pytest.mark.parametrize(
    "text", ["1,234 (5)", "93 (2)", "0.93 (0.95)", "12 (45%)", "35 (ot)", "35 yards (32 m)"]
)
def test_what_stands_in_parentheses_is_no_error_term_by_itself(text: str) -> None:
    value = parse_value(text)
    assert (value.kind, value.error) == (Kind.MIXED, None)
    assert value.number == value.numbers[0]


def test_an_interval_has_ends_and_no_error_term() -> None:
    value = parse_value("95.2 [94.1, 96.3]")
    assert (value.kind, value.number, value.low, value.high) == (Kind.NUMBER, 95.2, 94.1, 96.3)
    assert value.error is None
    # A number outside is no interval's.
    assert parse_value("97 [94.1, 96.3]").kind is Kind.MIXED


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("10-12", 10, 12, ""),
        ("10 – 12", 10, 12, ""),
        ("10–12 km", 10, 12, "km"),
        ("10 to 12", 10, 12, ""),
        ("5%-10%", 5, 10, "%"),
        ("-3 – 5", -3, 5, ""),
        ("$10-12m", 10e6, 12e6, "$"),
        ("2007-11", 2007, 2011, ""),
        ("1999/00", 1999, 2000, ""),
        ("2007–2011", 2007, 2011, ""),
    ],
)
def test_a_range_is_its_ends_and_their_mean(text: str, low: float, high: float, unit: str) -> None:
    value = parse_value(text)
    assert (value.kind, value.low, value.high, value.unit) == (Kind.RANGE, low, high, unit)
    assert value.number == (low + high) / 2
    assert value.numbers == (low, high)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3-1", (3, 1)),
        ("2 - 2", (2, 2)),
        ("w 3-1", (3, 1)),
        ("12 - 3 - 1", (12, 3, 1)),
        ("6-4, 6-3", (6, 4, 6, 3)),
        ("70 68 71 69", (70, 68, 71, 69)),
        ("0.5/0.6", (0.5, 0.6)),
        ("1,2,3", (1, 2, 3)),
        ("(5)", (5,)),
        ("route 24 exit 20", (24, 20)),
        ("30.7 +6.7%", (30.7, 6.7)),
        ("february 31, 2011", (31, 2011)),
    ],
)
def test_scores_and_lists_are_mixed_and_have_no_number_of_their_own(
    text: str, numbers: tuple[float, ...]
) -> None:
    assert parse_value(text) == Value(Kind.MIXED, numbers=numbers)


@pytest.mark.parametrize(
    ("text", "number", "numbers"),
    [
        ("3:45", 225, (3, 45)),
        ("1:23.5", 83.5, (1, 23.5)),
        ("2:11:34", 7894, (2, 11, 34)),
        ("6'2\"", 6 + 2 / 12, (6, 2)),
        ("6 ft 2 in", 6 + 2 / 12, (6, 2)),
        ("t4", 4, (4,)),
    ],
)
def test_mixed_cells_that_can_be_ranked(text: str, number: float, numbers: tuple[float, ...]) -> None:
    value = parse_value(text)
    assert (value.kind, value.number, value.numbers) == (Kind.MIXED, number, numbers)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2011", "2011"),
        ("c. 1850", "1850"),
        ("July 4, 2011", "2011-07-04"),
        ("july 4th , 2011", "2011-07-04"),
        ("4 july 2011", "2011-07-04"),
        ("4-Jul-2011", "2011-07-04"),
        ("monday, july 4, 2011", "2011-07-04"),
        ("2011-07-04", "2011-07-04"),
        ("2011 - 07 - 04", "2011-07-04"),
        ("may 10 , 2010", "2010-05-10"),
        ("2011-07-04T12:30:00Z", "2011-07-04"),
        ("2011/7/4", "2011-07-04"),
        ("14/7/2011", "2011-07-14"),
        ("7 / 14 / 2011", "2011-07-14"),
        ("04.07.2011", "2011-07-04"),
        ("july 2011", "2011-07"),
        ("2011-07", "2011-07"),
        ("july 4", "--07-04"),
        ("29 february", "--02-29"),
        ("sunday , october 1", "--10-01"),
        # Day and month cannot be told apart: the year is what is told.
        ("4/7/2011", "2011"),
    ],
)
def test_dates_are_read(text: str, date: str) -> None:
    value = parse_value(text)
    assert (value.kind, value.date) == (Kind.DATE, date)


def test_scores_and_seasons_are_no_dates() -> None:
    assert parse_value("6 - 4").kind is not Kind.DATE
    assert parse_value("2008 - 09").kind is Kind.RANGE


def number_of(text: str) -> float:
    number = parse_value(text).number
    assert number is not None
    return number


def test_numbers_of_dates_are_in_their_order() -> None:
    days = ["may 5, 1999", "february 2001", "2001-02-03", "4 march 2001", "july 4, 2011"]
    numbers = [number_of(day) for day in days]
    assert numbers == sorted(numbers)
    assert number_of("july 4, 2011") - number_of("july 1, 2011") == 3
    assert [parse_value(year).number for year in ("1999", "2011")] == [1999, 2011]
    assert number_of("march 1") - number_of("february 28") == 2


@pytest.mark.parametrize("text", ["F1", "BERT", "seq2seq", "w265bf", "1.2.3", "new york"])
def test_digits_inside_a_name_are_the_names(text: str) -> None:
    assert parse_value(text) == Value(Kind.TEXT)


@pytest.mark.parametrize(
    ("text", "low", "high"), [("<0.01", None, 0.01), ("> 50", 50, None), ("12+", 12, None)]
)
def test_a_bound_is_open_on_one_side(text: str, low: float | None, high: float | None) -> None:
    value = parse_value(text)
    assert (value.kind, value.low, value.high) == (Kind.NUMBER, low, high)
    assert value.number == (high if low is None else low)


def grouped(digits: str, mark: str) -> str:
    return f"{int(digits):,}".replace(",", mark)


WHOLE = st.integers(0, 10**12).map(str)
FRACTION = st.text("0123456789", min_size=1, max_size=6)


@given(integer=WHOLE, fraction=FRACTION, sign=st.sampled_from(["", "-", "−", "–", "+"]))
def test_a_number_with_thousands_and_decimal_marks_is_read_back(
    integer: str, fraction: str, sign: str
) -> None:
    expected = float(f"{integer}.{fraction}") * (-1 if sign in {"-", "−", "–"} else 1)
    written = [
        f"{integer}.{fraction}",
        f"{grouped(integer, ',')}.{fraction}",
        f"{grouped(integer, chr(39))}.{fraction}",
        f"{grouped(integer, ' ')}.{fraction}",
    ]
    if len(integer) > 3:
        written.append(f"{grouped(integer, '.')},{fraction}")
    if len(fraction) != 3 or len(integer) > 3:
        written.append(f"{integer},{fraction}")
    for text in written:
        assert parse_value(sign + text).number == expected, text
        assert parse_value(f"{sign}{text}%") == Value(Kind.PERCENTAGE, number=expected, unit="%")
        assert parse_value(f"{sign}${text}") == Value(Kind.NUMBER, number=expected, unit="$")
        assert parse_value(f"{sign}{text} kg") == Value(Kind.NUMBER, number=expected, unit="kg")


@given(number=st.integers(-(10**15), 10**15), mark=st.sampled_from([",", "'", "’"]))
def test_a_whole_number_with_thousands_marks_is_read_back(number: int, mark: str) -> None:
    assert parse_value(f"{number:,}".replace(",", mark)).number == number


@given(number=st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_writes_for_a_number_is_read_back(number: float) -> None:
    assert parse_value(repr(number)).number == number


@given(
    number=st.decimals(0, 10**6, places=2),
    error=st.decimals(0, 10**6, places=2),
    separator=st.sampled_from(["±", " ± ", " +/- ", "(±"]),
)
def test_an_error_term_is_read_back(number: object, error: object, separator: str) -> None:
    value = parse_value(f"{number}{separator}{error}" + ")" * separator.count("("))
    assert (value.number, value.error) == (float(str(number)), float(str(error)))


@given(
    low=st.integers(-1000, 1000),
    width=st.integers(1, 1000),
    dash=st.sampled_from([" - ", " – ", " to ", "–"]),
)
def test_a_range_is_read_back(low: int, width: int, dash: str) -> None:
    value = parse_value(f"{low}{dash}{low + width}")
    assert (value.kind, value.low, value.high) == (Kind.RANGE, low, low + width)


@given(day=st.dates())
def test_a_date_is_read_back(day: date) -> None:
    if not 1500 <= day.year <= 2100:
        day = day.replace(year=2000)
    for style in ("%Y-%m-%d", "%B %d, %Y", "%d %b %Y", "%d.%m.%Y"):
        value = parse_value(day.strftime(style))
        assert (value.kind, value.date, value.number) == (Kind.DATE, day.isoformat(), day.toordinal()), style


@given(st.text(max_size=300))
def test_any_text_has_a_value_and_finite_numbers(raw: str) -> None:
    text = clean_text(raw)
    assert text == " ".join(text.split())
    value = parse_value(text)
    numbers = [value.number, value.low, value.high, value.error, *value.numbers]
    assert all(math.isfinite(number) for number in numbers if number is not None)


@given(st.text("0123456789.,-–+±()% mk$'’½^e×:/<[", max_size=40))
def test_no_heap_of_numerals_and_signs_is_refused(text: str) -> None:
    value = parse_value(text)
    numbers = [value.number, value.low, value.high, value.error, *value.numbers]
    assert all(math.isfinite(number) for number in numbers if number is not None)
    if value.kind is Kind.RANGE:
        assert value.low is not None
        assert value.high is not None
        assert value.low < value.high


@pytest.mark.parametrize(
    "piece", ["[", "<", "<a ", "{{", "1,", "1 ", "''", "<sup>", " [1", "†", "<!--", "[[a|", "1-", "<b a=b "]
)
def test_long_cells_take_no_longer_than_their_length(piece: str) -> None:
    raw = piece * (100_000 // len(piece))
    started = time.process_time()
    parse_value(clean_text(raw))
    assert time.process_time() - started < 2

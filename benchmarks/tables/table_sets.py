"""The data sets over tables that programs are developed and measured on, and their development halves.

A table is of the development half if the hash of its name is even; rules may be made, and weights fitted, on
these alone.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path

from benchmarks.authored import table_claims, table_questions, wikipedia_claims
from benchmarks.real_texts import real_data
from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets.text.normal_forms import normal_form

FOLDS = 5
# Domains of the authored claims and questions that are development data; the others are held out.
DEVELOPMENT_DOMAINS = (
    "airports",
    "apprenticeships",
    "aquariums",
    "archaeology",
    "archery",
    "astronomy",
    "aviation",
    "bakery",
    "ballet",
    "ballooning",
    "barbers",
    "beach_huts",
    "beekeeping",
    "bicycle_repair",
    "biology",
    "blood_donation",
    "bookbinding",
    "bookshops",
    "breweries",
    "bridges",
    "broadcasting",
    "buses",
    "cable_cars",
    "canals",
    "canteens",
    "caravans",
    "carnivals",
    "cartography",
    "caves",
    "charities",
    "cheesemaking",
    "chess",
    "chocolate",
    "choirs",
    "cider",
    "cinemas",
    "climbing_gyms",
    "clockmaking",
    "coffee",
    "cooking",
    "courts",
    "cycling",
    "dairy_herds",
    "darts",
    "data_centres",
    "dentistry",
    "dog_shows",
    "elections",
    "electricity",
    "embroidery",
    "employment",
    "engineering",
    "escape_rooms",
    "falconry",
    "farming",
    "fencing",
    "ferries",
    "festivals",
    "film",
    "finance",
    "fire_brigades",
    "fisheries",
    "forestry",
    "foundries",
    "funfairs",
    "gardening",
    "geography",
    "glaciers",
    "greenhouses",
    "hospitals",
    "hot_springs",
    "hotels",
    "housing",
    "hydrology",
    "ice_rinks",
    "insurance",
    "jewellery",
    "kayaking",
    "kites",
    "lacemaking",
    "language_courses",
    "laundries",
    "libraries",
    "lifeboats",
    "lighthouses",
    "marathons",
    "medicine",
    "meteorites",
    "mining",
    "mountaineering",
    "museums",
    "mushrooms",
    "music",
    "newspapers",
    "night_markets",
    "observatories",
    "opticians",
    "orchards",
    "orchestras",
    "parcels",
    "parking",
    "perfumery",
    "pharmacy",
    "philately",
    "photography",
    "pigeon_racing",
    "plumbing",
    "post",
    "pottery",
    "printing",
    "puppetry",
    "quarries",
    "radio_stations",
    "railways",
    "recycling",
    "reservoirs",
    "rowing",
    "sailing_clubs",
    "saltworks",
    "sawmills",
    "schools",
    "sculpture",
    "seed_banks",
    "shipping",
    "skating",
    "ski_resorts",
    "snooker",
    "software",
    "sports",
    "stained_glass",
    "stationery",
    "swimming",
    "tailoring",
    "tanneries",
    "taxis",
    "tea_gardens",
    "telecommunications",
    "theatre",
    "trams",
    "tunnels",
    "vaccination",
    "veterinary",
    "violins",
    "volcanoes",
    "water",
    "weather",
    "wind_farms",
    "windmills",
    "winemaking",
    "wool_mills",
    "youth_hostels",
    "zoos",
)


def in_development(name: str) -> bool:
    """Return whether rules may be made on a table: the hash of its name is even."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0


# Each claim's table, its text, and whether it is true, None for not enough information.
Claims = list[tuple[Table, str, bool | None]]
# A question's table, its text and the values that answer it, none where the table does not tell.
KeyedQuestion = tuple[Table, str, tuple[str, ...]]


def tabfact(folder: Path, *, more: bool = False) -> Claims:
    """Return the small test's statements with their tables; or those of more of the test's tables."""
    small = folder / "tabfact_small"
    place, listing = (folder / "tabfact_more", "ids.json") if more else (small, "small_test_id.json")
    examples = json.loads((small / "test_examples.json").read_text(encoding="utf-8"))
    made: Claims = []
    for name in sorted(json.loads((place / listing).read_text(encoding="utf-8"))):
        statements, labels, caption = examples[name]
        table = _tabfact_table(place / "csv" / name, caption)
        made += [(table, statement, bool(label)) for statement, label in zip(statements, labels, strict=True)]
    return made


def _tabfact_table(file: Path, caption: str) -> Table:
    """Return a table of TabFact, whose id is its file's name."""
    rows = [line.split("#") for line in file.read_text(encoding="utf-8").splitlines()]
    return make_table(file.name, caption, rows[:1], rows[1:])


def scitab(file: Path) -> Claims:
    """Return SciTab's claims with their tables."""
    labels = {"supports": True, "refutes": False, "not enough info": None}
    made: Claims = []
    tables: dict[str, Table] = {}
    for record in json.loads(file.read_text(encoding="utf-8")):
        name = record["table_id"]
        if name not in tables:
            header = [record["table_column_names"]]
            tables[name] = make_table(name, record["table_caption"], header, record["table_content_values"])
        made.append((tables[name], record["claim"], labels[record["label"]]))
    return made


def authored(domains: Collection[str] = DEVELOPMENT_DOMAINS) -> Claims:
    """Return the authored claims of some domains with their tables."""
    truths = {"SUPPORTS": True, "REFUTES": False, "NOT ENOUGH INFORMATION": None}
    return [
        (_made(claim.table), claim.text, truths[claim.label])
        for claim in table_claims.load()
        if claim.table.domain in domains
    ]


def of_wikipedia(part: str) -> Iterator[tuple[tuple[Table, str, bool], bool]]:
    """Yield the claims of a part over tables from Wikipedia, each with whether it denies something.

    Raises:
        UnavailableError: the data set is not there.
    """
    for claimed in wikipedia_claims.load(part):
        table = _of_wikipedia(claimed)
        for claim in claimed.claims:
            yield (table, claim.claim, claim.label == "SUPPORTS"), claim.denies


def of_author(author: str) -> Claims:
    """Return the claims of an author over tables from Wikipedia.

    Raises:
        FileNotFoundError: the data set, or the author's file, is not there.
    """
    return [
        (_of_wikipedia(claimed), claim.claim, claim.label == "SUPPORTS")
        for claimed in wikipedia_claims.of_author(author)
        for claim in claimed.claims
    ]


def _of_wikipedia(claimed: wikipedia_claims.ClaimedTable) -> Table:
    """Return the table of WikiTableQuestions or TabFact that claims are over."""
    if claimed.table.startswith("tabfact"):
        return _tabfact_table(real_data() / "tables" / claimed.table, claimed.caption)
    return wikipedia_table(claimed.table, claimed.caption)


@cache
def _made(shown: table_claims.Table) -> Table:
    """Return a table of the authored claims as programs read it."""
    return make_table(shown.name, shown.caption, [shown.header], shown.rows)


def fold_of(name: str) -> int:
    """Return the fold of a table among the development tables."""
    return int(hashlib.sha256(f"fold {name}".encode()).hexdigest(), 16) % FOLDS


def development_claims() -> Claims:
    """Return the claims of every development table.

    Raises:
        UnavailableError: the data sets are not there.
    """
    folder = real_data() / "tables"
    claims = [claim for more in (False, True) for claim in tabfact(folder, more=more)]
    claims = [claim for claim in claims if in_development(claim[0].table_id)]
    claims += [claim for claim, _ in of_wikipedia(wikipedia_claims.DEVELOPMENT)]
    return claims + authored()


def same_denotation(values: Sequence[str], key: Sequence[str]) -> bool:
    """Return whether two sets of values are equal, as numbers or in normal form.

    A number of the key is also told by a cell that gives it with its unit: 400 by `400 g`.
    """
    expected = {_value(text) for text in key}
    given = {_value(text) for text in values}
    if given == expected:
        return True
    numbers = [parse_value(text).number for text in values]
    return bool(key) and all(isinstance(value, float) for value in expected) and set(numbers) == expected


def _value(text: str) -> str | float:
    try:
        return float(text.replace(",", "").strip("$%€£ "))
    except ValueError:
        return normal_form(text)


def authored_questions(*, development: bool) -> Iterator[tuple[Table, table_questions.TableQuestion]]:
    """Yield the authored questions over tables of development domains, or of others, with their tables."""
    for question in table_questions.load():
        if (question.table.domain in DEVELOPMENT_DOMAINS) is development:
            yield _made(question.table), question


def wikipedia_table(name: str, caption: str = "") -> Table:
    """Return a table of WikiTableQuestions by its file's path in the data set's folder."""
    with (real_data() / "tables" / "wikitablequestions" / name).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, doublequote=False, escapechar="\\"))
    return make_table(name, caption, rows[:1], rows[1:])


def questions(*, development: bool) -> Iterator[KeyedQuestion]:
    """Yield a half's questions with their tables and keys.

    Raises:
        UnavailableError: the data set is not there.
    """
    folder = real_data() / "tables" / "wikitablequestions"
    text = (folder / "data" / "training_300_tables.tsv").read_text(encoding="utf-8")
    tables: dict[str, Table] = {}
    for line in text.splitlines()[1:]:
        _, question, name, key = line.split("\t")
        if in_development(name) is not development:
            continue
        if name not in tables:
            tables[name] = wikipedia_table(name)
        yield tables[name], question, tuple(part.strip() for part in key.split("|"))

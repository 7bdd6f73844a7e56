"""Small tables of made-up contests, counties and machines that claims of several tests are made about."""

from __future__ import annotations

from evidence_assets.tables.hygiene import make_table

COMICS = make_table(
    "comics",
    "Harbour comics, collected editions",
    [["Edition", "Volume", "Title", "Main story", "Pages", "Release date"]],
    [
        ["1", "14", "The Pilots", "Low Water", "120", "3 May 2013"],
        ["2", "9", "Salt Girl", "Red Tide", "132", "7 June 2013"],
        ["3", "TBC", "Night Ferry", "Fog Bell", "TBC", "5 July 2013"],
        ["4", "22", "Old Harry", "?", "118", "2 August 2013"],
        ["5", "TBC", "The Diver", "None", "?", "6 September 2013"],
        ["6", "31", "Grey Gull", "Long Haul", "144", "4 October 2013"],
    ],
)
DRAFT = make_table(
    "draft",
    "Draft of the harbour league",
    [["Pick", "Player", "Position", "Team"]],
    [
        ["11", "Eino Falk", "centre", "Gulls"],
        ["17", "Ari Rask", "goalkeeper", "Owls"],
        ["23", "Tor Nygard", "wing", "Gulls"],
        ["31", "Olav Krog", "centre", "Terns"],
        ["44", "Jan Lund", "defence", "Owls"],
    ],
)
HANDS = make_table(
    "hands",
    "Payout of a machine",
    [["Hand", "1 coin", "2 coins", "5 coins"]],
    [
        ["Royal flush", "250", "500", "4000"],
        ["Straight flush", "50", "100", "250"],
        ["Full house", "9", "18", "45"],
        ["Flush", "6", "12", "30"],
        ["Straight", "4", "8", "20"],
    ],
)
HEAT = make_table(
    "heat",
    "Regional swimming championships – women's 50 metre backstroke, semi-final",
    [["Rank", "Lane", "Name", "Nationality", "Time", "Notes"]],
    [
        ["1", "4", "Petra Novak", "Czech Republic", "28.41", "Q"],
        ["2", "5", "Siobhan Kelly", "Ireland", "28.55", "Q, SB"],
        ["3", "3", "Elena Ruiz", "Spain", "28.60", "Q"],
        ["4", "6", "Maja Dahl", "Sweden", "28.88", "q"],
        ["5", "2", "Freja Holm", "Denmark", "29.02", ""],
        ["6", "7", "Anna Kask", "Estonia", "29.20", "SB"],
        ["7", "1", "Claire Petit", "France", "29.31", ""],
        ["", "8", "Joan Reed", "United States", "", "DNF"],
    ],
)
INCOME = make_table(
    "income",
    "Counties of Marrow",
    [["County", "Population", "Income per head"]],
    [
        ["Tioga", "50,500", "24,885"],
        ["Schuyler", "18,343", "22,000"],
        ["Yates", "25,300", "19,650"],
        ["Broome", "200,600", "21,100"],
    ],
)
PLACES = make_table(
    "places",
    "Results of the walker Lio Ruiz",
    [["Year", "Competition", "Venue", "Position", "Event"]],
    [
        ["2002", "Junior Games", "Bridgeport", "1st", "5 km"],
        ["2004", "Junior Games", "Grosseto", "4th", "10 km"],
        ["2005", "World Cup", "Helm", "8th", "20 km"],
        ["2007", "World Cup", "Osara", "4th", "20 km"],
        ["2009", "World Cup", "Berlau", "3rd", "20 km"],
        ["2010", "Island Games", "Mayar", "1st", "20 km"],
    ],
)
PRIZE = make_table(
    "prize",
    "Taite Prize",
    [["Year", "Winner", "Album", "Finalists"]],
    [
        ["2004", "Scribe", "The Crusader", "Mareko, Nesian"],
        ["2005", "Big Pony", "Magic City", "Scribe, Tiki"],
        ["2006", "Frontline", "Borrowed Time", "Mareko, Opensouls"],
        ["2007", "Ladysix", "Time Tells", "Savage, Tiki"],
        ["2008", "Scribe", "Rhyme Book", "Mareko, Tha Feel"],
        ["2009", "Homebrew", "Kiwi Sound", "Savage, Opensouls"],
        ["2010", "Ladysix", "Half Light", "Tiki, Opensouls"],
    ],
)
RACES = make_table(
    "races",
    "Superbike season",
    [["Round", "Circuit", "Pole position", "Winner"]],
    [
        ["1", "Daylon", "Ben Spice", "Matt Ladin"],
        ["2", "Fontane", "Matt Ladin", "Ben Spice"],
        ["3", "Barbery", "Ben Spice", "Ben Spice"],
        ["4", "Mid Ohia", "Neil Hodge", "Matt Ladin"],
    ],
)
TOWNS = make_table(
    "towns",
    "Townships of Harlow County",
    [["Township", "Population", "Land area km^2 (sq mi)", "Seat"]],
    [
        ["Alta", "221", "93 (36)", "Alta"],
        ["Burton", "1,143", "92 (36)", "Sedge"],
        ["Emma", "4,181", "95 (37)", "Moun"],
        ["Lakin", "357", "88 (34)", "Lakin"],
        ["Newton", "1,950", "94 (36)", "Newton City"],
    ],
)

"""Words of general English by what they do in a question: ask, join, order, deny; of no domain."""

from __future__ import annotations

from evidence_assets.text.calendar_words import DAY_NAMES, MONTH_NAMES
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import word_set

# English question words. Which of them ask for what is the schema's to say.
QUESTION_WORDS = word_set("what which who whom whose when where how")
# Those that ask for what does something, or where it is, whatever that is.
ACTING_OR_HOLDING = word_set("who whom whose where")
# Before a noun they ask for a thing of its type: "which film".
DETERMINERS = word_set("what which whose")
# What follows these is a noun.
COUNTED = word_set("which many whose")
PREPOSITIONS = word_set("by in at on from to for with of into under near against over after about")
# What makes another verb of one: "came up with" is no "came".
PARTICLES = word_set("up out off down away")
# What follows a noun for a relation: "the gift from Ada". Where something is says nothing of what it is.
OF_NOUNS = word_set("of from to by against")
# What a noun that is asked for follows: "name libraries", "which libraries".
ASKED_BY = word_set("which what whose many all both these those other each")
# How often, as a number.
TIMES_OVER = {"once": 1.0, "twice": 2.0}
# What counts or orders, and so says no relation.
ORDINALS = word_set("first second third last next top bottom best better worst worse twice once again alone")
# Words before a superlative that count from it on: "the second longest".
RANKS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
GENERIC = word_set("high low great large big small little")
LOW = word_set("low small little")
# Words that ask to be answered, not about anything.
REQUESTS = word_set("list name give show tell find state identify say know please enumerate need want")
# What may stand before a request.
POLITE = word_set("please can could would will do you i d to like want me us and")
# Verbs that say no more of a thing than that it is where it is.
LOCATED = word_set("find located situated lie lies")
SAYING_LITTLE = word_set("different distinct various")
# Verbs that say of a thing how high, long or deep it is: "stands higher".
POSITIONED = word_set("lie stand sit rise run reach go")
# Verbs of going somewhere: what went to a place may have flown there.
MOTION = word_set("go come travel fly sail drive ride journey cruise voyage visit reach")
# Verbs that say no more than "is".
COPULAR = word_set("considered regarded deemed called counted classed worth")
# Prepositions that say no more than that things are related: "the brewers behind the beers".
LESSER_PREPOSITIONS = word_set("behind within inside among amongst alongside across")
# What somebody is called before it is said who: "the person who", "everybody that".
PERSONS = word_set("person people someone everyone everybody one ones")
WILD = PERSONS | word_set("everything name names thing things")
TIMES = word_set("year years date time")
WHOLES = word_set("all every each")
# Words by which what several have is one amount.
ADDED_UP = word_set("combined altogether")
# Phrases that do where amounts are asked for, and else say nothing.
PERHAPS_TOTAL = frozenset(["together", "in total", "in all", "of them all", "between them"])
NOBODY = (("nobody",), ("nothing",), ("no", "one"), ("none",))
EVERYBODY = word_set("everyone everybody")
BE, DO = word_set("is are was were be been being"), word_set("do does did")
PRESENT, PAST = word_set("is are be been being has have"), word_set("was were had")
HAVE = word_set("has have had having")
ASKS_OF_BEING = word_set("is are was were")
AUXILIARIES = ASKS_OF_BEING | DO | word_set("has have had can could")
ARTICLES = word_set("a an the")
# Words that ask, and that after a noun say more of it: "someone who was born in Leeds".
RELATIVE = word_set("who whom whose when where")
# What begins a clause that says more of the noun before it.
RELATIVES = word_set("that who which")
LINKING = word_set("who what which is are was were there the a an of me us")
# What a noun follows, or a noun is followed by: no verb.
BEFORE_NOUNS = word_set("the a an most fewest more fewer s any no of")
# What is measured or counted follows these: "more code".
COMPARED = word_set("most more least less fewest fewer much greatest highest lowest")
# What says that a relation is meant twice: "films of the same director", "who else acted in", "co-wrote".
SAMENESS = word_set(
    "same share shares shared sharing common co other others another else also too together with fellow"
)
# Pronouns of what a verb is about, which nothing takes up.
THEM = word_set("them him themselves itself")
# Pronouns of what a question begins with: "Leeds: when was it founded?", and whether they are possessive.
BACK = {"its": True, "their": True, "his": True, "her": True, "it": False, "they": False}
# Verbs that say that something may, must, will or would hold, which a fact does not tell.
MODALS = word_set("will would wo shall sha may might could ought must should")
# What says before "to" and a verb that something is to come, or is said to.
TO_COME = word_set("going about supposed likely unlikely bound meant")
# "Used to coach", "did it use to coach".
HABITS = word_set("used use")
# What says that something held before, and may no longer.
NO_LONGER = word_set("former formerly previous previously erstwhile ex")
# What picks one of several by how much it counts.
MAIN = word_set("main primary principal chief foremost")
# Who asks, or whoever it may be: "where could I find", "what would one need".
ANYBODY = word_set("i you we one anybody anyone somebody someone people")
# Verbs of general English that say of two things what neither function words nor their types tell.
STATIVE = word_set("own like need know want love hate")
# What says that something is another than somebody's, before "than" or "from".
COMPARED_OTHERS = word_set("different other another distinct")
# Units of time that a year does not tell, or does not tell as they are asked for.
TIME_UNITS = word_set(
    "month months season seasons day days week weekday quarter decade century hour minute date"
)
# What tells why: "failed because of", "cause of".
REASONS = word_set("because cause reason due purpose motive")
# What stands for a thing among its like: "which room", of a room's number.
IDENTIFYING = word_set("number no id code type kind sort category class title")
# "March" and "may" are oftener verbs.
CALENDAR = frozenset({*DAY_NAMES, *MONTH_NAMES, "weekend"} - {"march", "may"})
# Verbs that are listed with function words, for "a boat of her own" and "won't" parted at its apostrophe.
_LISTED_VERBS = word_set("own won")


def is_function_word(word: str) -> bool:
    """Return whether a word of a graph's names and sentences says nothing of its relations."""
    return word in function_words() and word not in _LISTED_VERBS

"""What composing a question costs, in words left out, and how much of it is kept."""

from __future__ import annotations

# What is kept of a span of the question, and how many slots a question may have.
BEAM, MOST_SLOTS = 14, 11
# Costs, in words left out: a step that no word says, with a preposition of the relation's name or without; a
# direction that the voice speaks against; another preposition; nothing in the graph.
UNSAID_PREPOSITION, UNSAID, RIVAL, AGAINST_VOICE, OTHER_PREPOSITION, LACKING = 0.1, 0.35, 0.25, 0.6, 0.15, 0.3
# Nothing in the graph, where it is asked whether there is.
LACKING_ASKED = 0.05
# A measure that is no noun of what it compares: "costs less" asks for what does.
SAID_TWICE = 0.2
# What is taken away is not there in the first place.
EXCLUDES_NOTHING = 0.1
# A step to anything; what was asked for in another form; what was asked for is not what is answered.
OPEN, SAID_BEFORE, OTHER_FORM, BURIED, MOST_UNSAID = 0.7, 0.05, 0.6, 0.6, 2
# What a phrase leads to by its meaning alone, if no noun says what that is; a condition on what already has
# some, not on the noun next to it; a name that is restricted further.
UNTYPED, LOOSE, RESTRICTED_NAME = 0.5, 0.06, 0.3
# Any of a type, for words that no type is called by: they may be a name that the graph lacks.
NAMELESS = 0.4
# A noun for a role that stands for any of its type: "which director discovered Ada", who directed nothing.
ANY_ROLE = 0.25
# A name in small letters, as one of the schema's words: "moons", where a graph has "moon".
COMMON_NOUN = 0.3
# "Who" asked for what is no person, animal or group of them.
NO_ONE = 0.95
# "Who" asked for no person, where the graph has persons.
NO_PERSON = 0.15
# "Where" asked for what is no place.
NO_PLACE = 0.8
# How many steps that no word says join two things.
LONGEST_JOIN = 4
# How many things "all" stands for at most, each of which a query names.
MOST_OF_ALL = 20
# A fact of something else than a yes-no question begins with.
OF_ANOTHER = 3.0

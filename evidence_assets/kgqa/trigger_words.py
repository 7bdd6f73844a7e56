"""Words of general English that bound, count, compare, deny, ask and join: nothing of any domain."""

from __future__ import annotations

from evidence_assets.kgqa.algebra import Relational
from evidence_assets.kgqa.slots import Kind, Part

_MORE, _LESS = Relational.MORE, Relational.LESS
_LEAST, _MOST = Relational.AT_LEAST, Relational.AT_MOST
# Words before a number, or before what has one, by how they compare; `True`: of times alone.
BOUNDS: dict[tuple[str, ...], tuple[Relational, bool]] = {
    ("more", "than"): (_MORE, False),
    ("greater", "than"): (_MORE, False),
    ("over",): (_MORE, False),
    ("above",): (_MORE, False),
    ("exceeding",): (_MORE, False),
    ("less", "than"): (_LESS, False),
    ("fewer", "than"): (_LESS, False),
    ("under",): (_LESS, False),
    ("below",): (_LESS, False),
    ("at", "least"): (_LEAST, False),
    ("no", "fewer", "than"): (_LEAST, False),
    ("no", "less", "than"): (_LEAST, False),
    ("at", "most"): (_MOST, False),
    ("no", "more", "than"): (_MOST, False),
    ("up", "to"): (_MOST, False),
    ("exactly",): (Relational.EQUAL, False),
    ("after",): (_MORE, True),
    ("later", "than"): (_MORE, True),
    ("since",): (_LEAST, True),
    ("before",): (_LESS, True),
    ("prior", "to"): (_LESS, True),
    ("earlier", "than"): (_LESS, True),
    ("until",): (_MOST, True),
}
AFTERWARDS: dict[tuple[str, ...], Relational] = {
    ("or", "more"): _LEAST,
    ("or", "later"): _LEAST,
    ("or", "above"): _LEAST,
    ("or", "fewer"): _MOST,
    ("or", "less"): _MOST,
    ("or", "earlier"): _MOST,
}
PHRASES: dict[tuple[str, ...], Part] = {
    ("how", "many"): Part(Kind.COUNT),
    ("number", "of"): Part(Kind.COUNT),
    ("total", "number", "of"): Part(Kind.COUNT),
    ("kind", "of"): Part(Kind.EMPTY),
    ("kinds", "of"): Part(Kind.EMPTY),
    ("sort", "of"): Part(Kind.EMPTY),
    ("sorts", "of"): Part(Kind.EMPTY),
    ("it", "true", "that"): Part(Kind.EMPTY),
    ("the", "case", "that"): Part(Kind.EMPTY),
    ("it", "correct", "that"): Part(Kind.EMPTY),
    ("it", "right", "that"): Part(Kind.EMPTY),
    ("i", "d", "like", "to", "know"): Part(Kind.EMPTY),
    ("like", "to", "know"): Part(Kind.EMPTY),
    ("each", "of", "them"): Part(Kind.EMPTY),
    ("want", "to", "know"): Part(Kind.EMPTY),
    ("largest", "number", "of"): Part(Kind.MOST),
    ("highest", "number", "of"): Part(Kind.MOST),
    ("greatest", "number", "of"): Part(Kind.MOST),
    ("biggest", "number", "of"): Part(Kind.MOST),
    ("smallest", "number", "of"): Part(Kind.MOST, greatest=False),
    ("lowest", "number", "of"): Part(Kind.MOST, greatest=False),
    ("as", "well", "as"): Part(Kind.AND),
    ("other", "than"): Part(Kind.EXCEPT),
    ("apart", "from"): Part(Kind.EXCEPT),
    ("aside", "from"): Part(Kind.EXCEPT),
    ("but", "not"): Part(Kind.NEGATION),
    ("rather", "than"): Part(Kind.NEGATION),
    ("but",): Part(Kind.AND),
    ("and",): Part(Kind.AND),
    ("or",): Part(Kind.OR),
    ("nor",): Part(Kind.NEGATION),
    ("neither",): Part(Kind.NEGATION),
    ("except",): Part(Kind.EXCEPT),
    ("excluding",): Part(Kind.EXCEPT),
    ("besides",): Part(Kind.EXCEPT),
    ("not",): Part(Kind.NEGATION),
    ("n't",): Part(Kind.NEGATION),
    ("never",): Part(Kind.NEGATION),
    ("no",): Part(Kind.NEGATION),
    ("nobody",): Part(Kind.NEGATION),
    ("nothing",): Part(Kind.NEGATION),
    ("none",): Part(Kind.NEGATION),
    ("without",): Part(Kind.NEGATION),
    ("cannot",): Part(Kind.NEGATION),
    ("most",): Part(Kind.MOST),
    ("maximum",): Part(Kind.MOST),
    ("fewest",): Part(Kind.MOST, greatest=False),
    ("least",): Part(Kind.MOST, greatest=False),
    ("minimum",): Part(Kind.MOST, greatest=False),
    ("more",): Part(Kind.MORE),
    ("fewer",): Part(Kind.MORE, greatest=False),
    ("less",): Part(Kind.MORE, greatest=False),
    ("than",): Part(Kind.THAN),
    ("same",): Part(Kind.SAME),
    ("other",): Part(Kind.OTHER),
    ("another",): Part(Kind.OTHER),
    ("else",): Part(Kind.OTHER),
    ("in", "turn"): Part(Kind.EMPTY),
    ("at", "all"): Part(Kind.EMPTY),
    ("in", "all"): Part(Kind.EMPTY),
    ("in", "total"): Part(Kind.EMPTY),
    ("of", "them", "all"): Part(Kind.EMPTY),
    ("of", "all", "time"): Part(Kind.EMPTY),
    ("of", "their", "own"): Part(Kind.EMPTY),
    ("of", "its", "own"): Part(Kind.EMPTY),
    ("as", "well"): Part(Kind.EMPTY),
    ("together",): Part(Kind.EMPTY),
    ("directly",): Part(Kind.EMPTY),
    ("i", "m", "looking", "for"): Part(Kind.EMPTY),
    ("i", "am", "looking", "for"): Part(Kind.EMPTY),
    ("both",): Part(Kind.EMPTY),
    ("either",): Part(Kind.EMPTY),
    ("any",): Part(Kind.EMPTY),
    ("some",): Part(Kind.EMPTY),
    ("how", "much"): Part(Kind.EMPTY),
}
# What follows these is a noun.
COUNTED = frozenset({"which", "many", "whose"})
PREPOSITIONS = frozenset(
    "by in at on from to for with of into under near against over after about".split()  # noqa: SIM905
)
# What follows a noun for a relation: "the gift from Ada". Where something is says nothing of what it is.
OF_NOUNS = frozenset(["of", "from", "to", "by", "against"])
# What a noun that is asked for follows: "name libraries", "which libraries".
ASKED_BY = frozenset(["which", "what", "whose", "many", "all", "both", "these", "those", "other", "each"])
# How often, as a number.
TIMES_OVER = {"once": 1.0, "twice": 2.0}
# What counts or orders, and so says no relation.
ORDINALS = frozenset(
    [
        "first",
        "second",
        "third",
        "last",
        "next",
        "best",
        "better",
        "worst",
        "worse",
        "twice",
        "once",
        "again",
        "alone",
    ]
)
GENERIC = frozenset({"high", "low", "great", "large", "big", "small", "little"})
LOW = frozenset({"low", "small", "little"})
# Words that ask to be answered, not about anything.
REQUESTS = frozenset(
    [
        "list",
        "name",
        "give",
        "show",
        "tell",
        "find",
        "state",
        "identify",
        "say",
        "know",
        "please",
        "enumerate",
        "need",
        "want",
    ]
)
# What may stand before a request.
POLITE = frozenset(
    [
        "please",
        "can",
        "could",
        "would",
        "will",
        "do",
        "you",
        "i",
        "d",
        "to",
        "like",
        "want",
        "me",
        "us",
        "and",
    ]
)
SAYING_LITTLE = frozenset({"different", "distinct", "various"})
# Verbs that say no more than "is".
COPULAR = frozenset(["considered", "regarded", "deemed", "called", "counted", "classed", "worth"])
# Prepositions that say no more than that things are related: "the brewers behind the beers".
LESSER_PREPOSITIONS = frozenset(["behind", "within", "inside", "among", "amongst", "alongside", "across"])
WILD = frozenset(
    [
        "person",
        "people",
        "someone",
        "everything",
        "everyone",
        "everybody",
        "name",
        "names",
        "one",
        "ones",
        "thing",
        "things",
    ]
)
TIMES = frozenset({"year", "years", "date", "time"})
WHOLES = frozenset({"all", "every", "each"})
AUXILIARIES = frozenset(
    ["is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could"]
)
ASKING = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "how"})
# Words that ask, and that after a noun say more of it: "someone who was born in Leeds".
RELATIVE = frozenset({"who", "whom", "whose", "when", "where"})
DETERMINERS = frozenset({"which", "what", "whose"})
LINKING = frozenset(["who", "what", "which", "is", "are", "was", "were", "the", "a", "an", "of", "me", "us"])
# What a noun follows, or a noun is followed by: no verb.
BEFORE_NOUNS = frozenset(["the", "a", "an", "most", "fewest", "more", "fewer", "s", "any", "no", "of"])
# What is measured or counted follows these: "more code".
COMPARED = frozenset(
    ["most", "more", "least", "less", "fewest", "fewer", "much", "greatest", "highest", "lowest"]
)
# Pronouns of what a verb is about, which nothing takes up.
THEM = frozenset({"them", "him", "themselves", "itself"})
# Pronouns of what a question begins with: "Leeds: when was it founded?", and whether they are possessive.
BACK = {"its": True, "their": True, "his": True, "her": True, "it": False, "they": False}

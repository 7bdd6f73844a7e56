"""The kind of answer that a question asks for: "why" asks for a reason, "how many" for a number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from evidence_assets.text.function_words import up_to_a_function_word
from evidence_assets.text.words import words


class AnswerKind(StrEnum):
    """What is asked for."""

    REASON = "reason"
    YEAR = "year"
    TIME = "time"
    COUNT = "count"
    DURATION = "duration"
    PRICE = "price"
    AMOUNT = "amount"
    PERSON = "person"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for.

    `degree`: of an amount, the adjective, "deep" of "how deep" and of "what depth". `counted`: the noun of
    which a number is asked for, "chairs" of "how many new chairs". `by_role`: of a person, whether what
    somebody is may tell as well as a name, "tenants" for "who may". `by_name`: of a place, whether a name
    alone may tell, as of "which town".
    """

    kind: AnswerKind
    degree: str = ""
    counted: str = ""
    by_role: bool = False
    by_name: bool = False


_ASKING = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
# A question that begins so is answered by yes or no, unless it asks to be told something else.
_YES_OR_NO = re.compile(
    r"\s*(?:am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would)\b"
    r"(?! you (?:explain|know|say|show|tell))",
    re.IGNORECASE,
)
# A clause before what is asked: "When the alarm rings, what should I do?"
_CONDITION = re.compile(
    r"(?:when|where)\b[^,?]*, (?=(?:[a-z]+ )?(?:who|whom|whose|what|which|how)\b)", re.IGNORECASE
)
# Between what asks and its noun: "what was the highest price".
_COPULA = "(?:is|was|are|were) (?:the )?(?:[a-z]+ )?"
# What stands behind a time that is asked for: "which day is", and not "which day ticket is".
_ASKS_ON = (
    r"(?= (?:am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would"
    r"|of|in|on|for|at|to|from|before|after|until)\b|\W*$)"
)
# What stands behind a noun that is asked for, and not behind one that only qualifies another.
_ENDS = r"(?= (?:of|in|at|for|per|a|between|from|to|on|is|was|are|were|do|does|did)\b(?! *\W*$)|\W*$)"
# What is asked the price of by "how much is": not what is done, "reduced by trees", and not an amount.
_PRICED = r"(?!enough|known|left|needed|used)(?!.*(?:\b(?:allowed|by|than)\b|(?:ed|ing|wn)\b\W*$))"
_PRICES = "(?:charge|cost|deposit|fare|fee|fine|price|rent|salary|tax|wage)s?"
# The adjective of a size that is asked for; "" of what is told in units of any kind.
_SIZES = {
    "age": "old",
    "depth": "deep",
    "distance": "far",
    "height": "high",
    "length": "long",
    "temperature": "warm",
    "weight": "heavy",
    "width": "wide",
} | dict.fromkeys(("amount", "number", "percentage", "population", "rate", "share", "size", "speed"), "")
_DEGREES = (
    "big|bright|broad|cold|dear|deep|expensive|far(?! back)|fast|frequently|heavy|high|hot|large|little"
    "|long(?! ago)|loud|low|much|often|old|short|slow|small|steep|strong|tall|thick|thin|warm|wide|young"
)
_REGIONS = "city|continent|country|county|island|province|town|village"
# From where a question asks: the first of them that fits tells the kind.
_ASKED = {
    kind: re.compile(rf"(?:{pattern})", re.IGNORECASE)
    for kind, pattern in {
        AnswerKind.REASON: rf"why\b|how come\b|(?:what|which) (?:{_COPULA})?(?:cause|reasons?)\b"
        r"|what (?:caused|causes|led to)\b",
        AnswerKind.YEAR: r"(?:what|which) (?:year|decade|century)\b",
        AnswerKind.TIME: r"when\b|(?:what|which) "
        rf"(?:month|day|date|time|season|hour|weekday|morning|afternoon|evening)s?\b{_ASKS_ON}",
        AnswerKind.DURATION: r"how many (?:more |whole |full |calendar |business |working |consecutive )?"
        r"(?:seconds|minutes|hours|nights|days|weeks|months|years|decades|centuries)\b(?! old\b)",
        AnswerKind.COUNT: r"how many\b",
        AnswerKind.PRICE: rf"how much (?:are|is|was|were) {_PRICED}"
        r"|how much (?:can|could|did|do|does|must|should|will|would|has|have|had) .*"
        r"\b(?:charged?|costs?|earn|pay|paid)\b"
        r"|what (?:did|do|does|will|would) (?:.*\b(?:charge|earn|pay)\W*$"
        r"|(?:(?!(?:a|of|the) cost\b).)*\bcost\b)"
        r"|what (?:is|was) paid\b"
        rf"|what (?:{_COPULA})?{_PRICES}{_ENDS}|how high (?:is|was) (?:the )?(?:[a-z]+ )?{_PRICES}\b",
        AnswerKind.AMOUNT: r"(?P<weighs>(?:how much|what) (?:did|do|does|will|would) .*\bweigh\b)"
        rf"|how (?P<degree>{_DEGREES})\b|what {_COPULA}(?P<size>{'|'.join(_SIZES)}){_ENDS}",
        AnswerKind.PERSON: r"(?:who|whom|whose)\b",
        AnswerKind.PLACE: rf"where\b|(?:what|which) (?P<region>{_REGIONS})\b",
    }.items()
}
# What asks who may or who does something in general.
_BY_ROLE = re.compile(
    r"who (?:(?:are|can|could|do|does|has|have|may|might|must|shall|should|will|would|is (?!the\b))\b"
    r"|(?!(?:is|was)\b)[a-z]+s\b)",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\bsince $", re.IGNORECASE)


def asked(question: str) -> Asked | None:
    """Return what a question asks for first; None where it may be of any kind."""
    condition = _CONDITION.match(question)
    asking = _ASKING.search(question, condition.end() if condition else 0)
    if asking is None or _YES_OR_NO.match(question):
        return None
    before, asked_for = question[: asking.start()], question[asking.start() :]
    if _SINCE.search(before) and asked_for.lower().startswith("when"):
        return Asked(AnswerKind.YEAR)
    matches = ((kind, pattern.match(asked_for)) for kind, pattern in _ASKED.items())
    kind, match = next(((kind, match) for kind, match in matches if match), (None, None))
    if kind is None or match is None:
        return None
    return Asked(
        kind,
        degree=_degree(match) if kind is AnswerKind.AMOUNT else "",
        counted=_counted(asked_for[match.end() :]) if kind is AnswerKind.COUNT else "",
        by_role=kind is AnswerKind.PERSON and _BY_ROLE.match(asked_for) is not None,
        by_name=kind is AnswerKind.PLACE and match["region"] is not None,
    )


def _degree(match: re.Match[str]) -> str:
    if match["weighs"]:
        return "heavy"
    size = match["size"]
    return match["degree"].lower() if size is None else _SIZES[size.lower()]


def _counted(after: str) -> str:
    """Return the noun behind "how many": the last of its words that is a plural, or the first of them."""
    group = up_to_a_function_word(words(after))
    plurals = [word for word in group if word.endswith("s")]
    return next(iter([*plurals[-1:], *group]), "")

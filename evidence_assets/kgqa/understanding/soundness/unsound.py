"""The words of a question for which a reading that seems sure is not answered, each with why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.queries.algebra import Query
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.understanding.soundness.amounts_asked import (
    answered_by_no_amount,
    bounds_of_no_times,
    counts_that_none_asks_for,
)
from evidence_assets.kgqa.understanding.soundness.compound_nouns import compound_nouns
from evidence_assets.kgqa.understanding.soundness.contrary_words import contrary_words
from evidence_assets.kgqa.understanding.soundness.deeds_in_time import deeds_in_time
from evidence_assets.kgqa.understanding.soundness.misread_times import misread_times
from evidence_assets.kgqa.understanding.soundness.nouns_for_persons import nouns_that_no_relation_tells
from evidence_assets.kgqa.understanding.soundness.numbers_of_names import numbers_of_names
from evidence_assets.kgqa.understanding.soundness.objects_of_verbs import objects_of_other_relations
from evidence_assets.kgqa.understanding.soundness.qualified_things import (
    further_circumstances,
    qualified_things,
)
from evidence_assets.kgqa.understanding.soundness.quantified_conditions import quantified_conditions
from evidence_assets.kgqa.understanding.soundness.reversed_steps import reversed_steps
from evidence_assets.kgqa.understanding.soundness.sizes import sizes_of_no_size
from evidence_assets.kgqa.understanding.soundness.verbs_of_other_relations import verbs_of_other_relations
from evidence_assets.kgqa.understanding.soundness.who_answers import answered_by_nobody


def unsound(
    query: Query, nodes: Nodes, accounting: Accounting, lexicon: Lexicon, values: NDArray[np.float64]
) -> dict[str, str]:
    """Return the words of a question that a query does not have as they are meant, each with why.

    Args:
        nodes: The set that it is about.
        values: Each node's value as a literal.
    """
    reasons: dict[str, str] = {}
    for words, why in _checked(query, nodes, accounting, lexicon, values):
        for word in words:
            reasons.setdefault(word, why)
    return reasons


def _checked(
    query: Query, nodes: Nodes, accounting: Accounting, lexicon: Lexicon, values: NDArray[np.float64]
) -> Iterator[tuple[Sequence[str], str]]:
    yield misread_times(query, accounting, lexicon), "says of a time what the reading has not"
    yield quantified_conditions(query, accounting), "says of how many it holds, and the reading asks of any"
    yield verbs_of_other_relations(accounting, lexicon), "names another relation than it is read as"
    yield contrary_words(query, accounting, lexicon), "says that it is not so, or no longer"
    yield deeds_in_time(accounting, lexicon), "is another deed than the one whose time is told"
    yield answered_by_nobody(query, nodes, accounting, lexicon, values), "would be answered by things"
    yield (
        answered_by_no_amount(query, nodes, accounting, lexicon, values),
        "would not be answered by one number of what is counted",
    )
    yield bounds_of_no_times(query, accounting, lexicon), "is compared with times, and is none"
    yield counts_that_none_asks_for(query, accounting), "counts what is not asked for"
    yield numbers_of_names(accounting, lexicon), "is of a name that the graph lacks"
    yield objects_of_other_relations(query, accounting, lexicon), "is of the verb, which is read without it"
    yield reversed_steps(query, accounting, lexicon), "may say it the other way round"
    yield sizes_of_no_size(query, accounting, lexicon), "asks for a size, and none is told"
    yield compound_nouns(query, accounting), "may be a noun with the one before it"
    yield nouns_that_no_relation_tells(query, accounting, lexicon), "says of persons what no relation tells"
    yield (
        [*qualified_things(accounting), *further_circumstances(accounting, lexicon)],
        "says more than the relation that is told",
    )

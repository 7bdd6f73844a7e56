"""The kinds of nodes of a graph that states none, inferred from the ends of its relations.

Ends that share most of their nodes hold things of one kind: what is owned and what depends on something are
both services. A kind is called by the noun of the one relation that leads to it, else by the last word
that its members share, else by some of them.
"""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.naming import SUCH_AS, shared_noun
from evidence_assets.kgqa.graph.node_values import node_values
from evidence_assets.kgqa.words.derivations import is_participle
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import lemma
from evidence_assets.text.verbalisation import spelt

# Two ends are of one kind if they share at least this part of the smaller one's nodes.
_SHARED = 0.5
# Members by which a kind is called that no noun names, and those that are looked at for one.
_SHOWN, _LOOKED_AT = 3, 200


def inferred_kinds(graph: Graph) -> list[str | None] | None:
    """Return the kinds of a graph's nodes; None where all ends of relations would be of one.

    A node is of the kind that most ends it is at are of; numbers and dates are of none.
    """
    if not len(graph.heads):
        return None
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    count, size = len(graph.relation_names), len(graph.labels)
    places = np.concatenate([graph.relations, graph.relations + count]).astype(np.int64)
    nodes = np.concatenate([graph.heads, graph.tails])
    is_entity = np.isnan(node_values(graph).values)[nodes]
    at_end = csr_matrix(
        (np.ones(is_entity.sum()), (places[is_entity], nodes[is_entity])), shape=(2 * count, size)
    )
    at_end.data[:] = 1.0
    shared = (at_end @ at_end.T).toarray()
    sizes = np.maximum(np.diag(shared), 1.0)
    _, kind_of_end = connected_components(shared >= _SHARED * np.minimum.outer(sizes, sizes), directed=False)
    used_ends = np.flatnonzero(np.diag(shared))
    if len(set(kind_of_end[used_ends].tolist())) < 2:
        return None
    kind_numbers, kind_of_used = np.unique(kind_of_end[used_ends], return_inverse=True)
    votes = (
        csr_matrix((np.ones(len(used_ends)), (kind_of_used, used_ends)), shape=(len(kind_numbers), 2 * count))
        @ at_end
    )
    most = np.asarray(votes.argmax(axis=0)).ravel()
    voted = np.asarray(votes.sum(axis=0)).ravel() > 0
    names = [
        _called(graph, used_ends[kind_of_used == kind], np.flatnonzero((most == kind) & voted))
        for kind in range(len(kind_numbers))
    ]
    return [
        names[kind] if has_kind else None
        for kind, has_kind in zip(most.tolist(), voted.tolist(), strict=True)
    ]


def _called(graph: Graph, ends: NDArray[np.int64], members: NDArray[np.int64]) -> str:
    """Return what a kind is called: by the one relation that leads to it, else by its members."""
    count = len(graph.relation_names)
    if len(ends) == 1 and ends[0] >= count:
        noun = (spelt(graph.relation_names[ends[0] - count]).split() or [""])[-1]
        if (
            noun.isalpha()
            and noun not in function_words()
            and not is_participle(noun)
            and lemma(noun) == noun
        ):
            return noun
    labels = pc.utf8_lower(graph.labels.take(members[:_LOOKED_AT])).to_pylist()
    return shared_noun(labels) or SUCH_AS + ", ".join(labels[:_SHOWN])

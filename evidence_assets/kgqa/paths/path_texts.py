"""Relation paths in words, as a question for the end of the path would put them."""

from __future__ import annotations

from itertools import product

from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.relation_paths import RelationPath, path_types
from evidence_assets.text.verbalisation import verbalise

# Of a path of two steps with three sentences each there are nine wordings.
MOST_WORDINGS = 16


def path_wordings(path: RelationPath, vocabulary: Vocabulary, templates: bool = True) -> list[str]:
    """Return a path's wordings, one for each choice of a sentence a step, at most `MOST_WORDINGS`.

    "a movie was directed by that person, the movie was released in which year": the topic is "that", as in a
    masked question, the answer is "which". `templates` False: names of relations in place of sentences.
    """
    schema = vocabulary.schema
    types = path_types(path, schema)
    nouns = [vocabulary.noun(type_) for type_ in types]
    last = len(path.steps) - 1
    sentences = []
    for place, (relation, backwards) in enumerate(path.steps):
        near = f"the {nouns[place]}" if place else f"that {nouns[0]}"
        far = f"{'which' if place == last else 'a'} {nouns[place + 1]}"
        head, tail = (far, near) if backwards else (near, far)
        name_alone = f"{{head}} {relation.replace('_', ' ')} {{tail}}"
        texts = schema.relations[relation].sentences if templates else (name_alone,)
        sentences.append([verbalise(text, head, tail) for text in texts])
    return [", ".join(chosen) for chosen in product(*sentences)][:MOST_WORDINGS]

"""Triples of several sources as one graph: what they call the same is merged into a concept."""

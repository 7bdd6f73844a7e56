"""Relation paths: read from a question by their sentences, scored, and joined where it has several topics."""

"""Triples mined out of a language model."""

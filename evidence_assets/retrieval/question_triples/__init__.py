"""Concepts of a graph named by a benchmark's questions, and the triples around them."""

"""Queries over a graph, what they denote, and how the lake holds them."""

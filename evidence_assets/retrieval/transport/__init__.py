"""Comparing token sets: ground costs, marginals, closed forms."""

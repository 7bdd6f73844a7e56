"""Measures of options weighed: how few weights are fitted, and what probabilities come of them."""

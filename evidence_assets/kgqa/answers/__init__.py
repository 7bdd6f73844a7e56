"""Answers from a graph: baselines, and facts that are read by likelihoods or by a language model."""

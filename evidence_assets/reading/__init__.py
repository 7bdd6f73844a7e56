"""Readers of evidence: by nearness, by likelihoods, by prompts, by single sentences, and what they share."""

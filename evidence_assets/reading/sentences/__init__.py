"""Sentences that answer a question by themselves: what kind it asks for, and which sentence tells it."""

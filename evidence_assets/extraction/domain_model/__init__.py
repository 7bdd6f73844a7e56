"""A masked language model trained on a corpus: mined where the profile names none."""

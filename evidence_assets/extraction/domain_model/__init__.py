"""A masked language model of a corpus's own: what is mined where the profile names none."""

"""Claims of which rows, or how many, meet what is said: facts, counts, quantifiers and denials."""

"""Arms that ask a language model."""

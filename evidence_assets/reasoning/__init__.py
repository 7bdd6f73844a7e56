"""From evidence to chains and answers."""

"""The contract of all systems: evidence units, chains, citations, answers, experiments."""

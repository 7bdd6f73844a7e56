"""Words of English by themselves: derivations, degrees, numbers, spans of years."""

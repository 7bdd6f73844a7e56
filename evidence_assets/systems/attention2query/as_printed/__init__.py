"""What only the printed and tuned arms use: untrained attention heads, a trained relevance classifier."""

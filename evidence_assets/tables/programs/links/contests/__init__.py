"""What a claim says of contests: outcomes, scores, margins and sides."""

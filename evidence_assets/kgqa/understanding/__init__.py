"""What a question asks: its readings, what they leave of it, and the one that is likeliest."""

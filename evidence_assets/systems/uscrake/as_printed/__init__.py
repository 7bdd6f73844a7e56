"""What only the thesis's arms use: its two prompts, and how the answer is read off a step-by-step reply."""

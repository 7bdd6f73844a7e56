"""What a program leaves of its claim, and whether that decides."""

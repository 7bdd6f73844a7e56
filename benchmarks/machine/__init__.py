"""What the machine costs: loading, asking, daemons, faults, damaged files, large lakes."""

"""Programs that a free question may stand for, and its answer."""

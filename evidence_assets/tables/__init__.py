"""Tables to reason over: cells with typed values and addresses that never change."""

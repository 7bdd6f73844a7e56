"""What is told of answers afterwards: integrity, traces, pages, ablations, gates, exports."""

"""The `evidence-assets` command."""

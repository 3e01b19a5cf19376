"""Experiments with the engine: what each technique of the search is worth."""

"""Endgame tablebases in Syzygy's format: what a file holds, how to find a position in it, what the rules make of it."""

"""What is told of positions and games: many at once, judgements, accuracy, reports, puzzles."""

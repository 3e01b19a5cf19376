"""What can be told of games that were played: evaluations of every position, judgements, accuracy, reports, puzzles."""

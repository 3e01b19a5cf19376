"""What results say: Elo and its interval, sequential tests, rating tables. No engine, no file."""

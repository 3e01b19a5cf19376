"""What is built from the engine to look at positions and games."""

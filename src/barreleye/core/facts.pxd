"""What the compiled core is made for, as numbers that everything above it asks for instead of repeating them."""

WEIGHTS: dict[str, list[int | tuple[int, int]]]

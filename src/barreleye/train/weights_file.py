"""The file of evaluation weights as text: new numbers go in, names, order and comments stay."""

import re
from pathlib import Path

from barreleye import output

Weight = int | tuple[int, int]
Weights = dict[str, list[Weight]]

GROUP = re.compile(r'("(\w+)": \[)(.*?)(\])', re.DOTALL)
NUMBER = re.compile(r"\([^)]*\)|-?\d+")


def default_path() -> Path:
    """Where the weights of this installation are."""
    from barreleye.core.evaluate import weights

    return Path(weights.__file__)


def write_weights(path: Path, weights: Weights) -> None:
    """Put new numbers into the file; it must have the same groups of the same size."""
    output.write_text(path, replace_weights(path.read_text(encoding="utf-8"), weights))


def replace_weights(text: str, weights: Weights) -> str:
    """The text of a weights file with other numbers in it."""
    odd = weights.keys() ^ {match[2] for match in GROUP.finditer(text)}
    if odd:
        raise ValueError(f"the weights file and the new weights do not both have {', '.join(sorted(odd))}")

    def group(match: re.Match[str]) -> str:
        values = iter(weights[match[2]])
        numbers = NUMBER.sub(lambda _: number(next(values)), match[3])
        if next(values, None) is not None:
            raise ValueError(f"{match[2]} has more weights than the file has room for")
        return match[1] + numbers + match[4]

    return GROUP.sub(group, text)


def number(weight: Weight) -> str:
    return f"({weight[0]:4d}, {weight[1]:4d})" if isinstance(weight, tuple) else str(weight)

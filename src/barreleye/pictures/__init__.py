"""Pictures of positions and results, as SVG and HTML without scripts: for reports and for notebooks."""

from typing import Any


def show_positions(shell: Any) -> None:
    """Let an IPython draw positions: they are compiled and know nothing of pictures."""
    shell.display_formatter.mimebundle_formatter.for_type_by_name("barreleye.core.position", "Position", drawn)


def drawn(position: Any) -> dict[str, Any]:
    from barreleye.pictures.notebook import of_position

    return of_position(position)

"""A plan as a moving picture."""

from __future__ import annotations

import re
from pathlib import Path


class Animation:
    """Pictures one after the other, as one SVG that moves by itself: for notebooks, pages and files."""

    def __init__(self, frames: list[str], seconds: float = 0.4) -> None:
        self.frames = frames
        self.seconds = seconds

    def svg(self) -> str:
        """The moving picture. It begins again after its last frame, which is shown four times as long."""
        head = re.match(r"<svg [^>]*>", self.frames[0])
        if head is None:
            raise ValueError("a frame is no SVG")
        last = len(self.frames) - 1
        whole = (len(self.frames) + 3) * self.seconds
        parts = [head.group(0)]
        for number, frame in enumerate(self.frames):
            begin = number * self.seconds / whole
            end = 1.0 if number == last else (number + 1) * self.seconds / whole
            values, times = ["none", "inline", "none"], [0.0, begin, end]
            if number == 0:
                values, times = values[1:], times[1:]
            if number == last:
                values, times = values[:-1], times[:-1]
            keys = ";".join(f"{time:.5f}" for time in times)
            parts.append(
                f'<g display="none"><animate attributeName="display" calcMode="discrete" dur="{whole:.3f}s" '
                f'repeatCount="indefinite" values="{";".join(values)}" keyTimes="{keys}"/>{frame}</g>'
            )
        return "\n".join([*parts, "</svg>\n"])

    def save(self, path: str | Path) -> None:
        """Writes the moving picture into a file."""
        Path(path).write_text(self.svg(), encoding="utf-8")

    def __len__(self) -> int:
        return len(self.frames)

    def _repr_html_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<beeline animation of {len(self.frames)} frames>"

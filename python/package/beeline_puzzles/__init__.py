"""Provably shortest ways through puzzle worlds.

>>> import beeline_puzzles as beeline
>>> beeline.load("gate-first").solve().cost
9
"""

from beeline_puzzles._beeline import (
    DEAD,
    Batch,
    Check,
    Event,
    Game,
    LimitError,
    Puzzle,
    PuzzleError,
    RejectedError,
    Result,
    Search,
    UnsupportedError,
    __version__,
    compare,
    dataset,
    examples,
    kinds,
    load,
    load_all,
    make,
    strategies,
)
from beeline_puzzles.animation import Animation

__all__ = [
    "DEAD",
    "Animation",
    "Batch",
    "Check",
    "Event",
    "Game",
    "LimitError",
    "Puzzle",
    "PuzzleError",
    "RejectedError",
    "Result",
    "Search",
    "UnsupportedError",
    "__version__",
    "compare",
    "dataset",
    "examples",
    "kinds",
    "load",
    "load_all",
    "make",
    "strategies",
]

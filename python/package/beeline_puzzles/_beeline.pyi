"""The types of the native half; docs/python.md says what everything means."""

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict, overload

import numpy as np
from numpy.typing import NDArray

from beeline_puzzles.animation import Animation

Board: TypeAlias = NDArray[np.uint8]
State: TypeAlias = Board | Game | Puzzle
Source: TypeAlias = str | PathLike[str]
# Cells row by row, or a string for each row.
Rows: TypeAlias = Sequence[str] | Sequence[Sequence[object]] | NDArray[Any]

__version__: str
DEAD: int

class PuzzleError(ValueError):
    line: int | None
    column: int | None
    expected: str | None
    help: str | None

class LimitError(RuntimeError):
    limit: Literal["time", "memory", "nodes", "cancelled"]

class UnsupportedError(ValueError): ...
class RejectedError(RuntimeError): ...

class Round(TypedDict):
    bound: int
    expanded: int
    generated: int
    duplicates: int

class Stats(TypedDict):
    expanded: int
    generated: int
    duplicates: int
    reopened: int
    pruned: dict[str, int]
    depth: int
    stored: int
    frontier_peak: int
    bytes: int
    seconds: float
    rounds: list[Round]

class Row(TypedDict):
    schema: str
    kind: str
    seed: int
    text: str
    cost: int
    plan: list[str]
    boards: list[str]
    distances: list[int]
    tried_at: list[int]
    tried: list[str]
    tried_distance: list[int]

class Puzzle:
    @property
    def kind(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    @property
    def facts(self) -> dict[str, str]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def known(self) -> Result | None: ...
    @property
    def board(self) -> Board: ...
    @property
    def actions(self) -> list[str]: ...
    def solve(
        self,
        strategy: str | None = None,
        objective: str | None = None,
        heuristic: str | None = None,
        *,
        time: float | None = None,
        memory: int | None = None,
        nodes: int | None = None,
        threads: int = 1,
        rules: Sequence[str] | None = None,
        width: int | None = None,
        weight: float | None = None,
        depth: int | None = None,
        seed: int = 0,
    ) -> Result: ...
    def search(
        self,
        strategy: str,
        heuristic: str | None = None,
        objective: str | None = None,
        *,
        boards: bool = False,
        time: float | None = None,
        memory: int | None = None,
        nodes: int | None = None,
        rules: Sequence[str] | None = None,
        width: int | None = None,
        weight: float | None = None,
        depth: int | None = None,
        seed: int = 0,
    ) -> Search: ...
    def check(self, plan: str | Sequence[str], objective: str | None = None) -> Check: ...
    def play(self) -> Game: ...
    def at(self, board: State) -> Puzzle: ...
    @overload
    def distance(
        self,
        states: Puzzle | Game | None = None,
        *,
        time: float | None = None,
        memory: int | None = None,
        threads: int = 0,
    ) -> int: ...
    @overload
    def distance(
        self,
        states: Sequence[State],
        *,
        time: float | None = None,
        memory: int | None = None,
        threads: int = 0,
    ) -> NDArray[np.int64]: ...
    @overload
    def distance(
        self,
        states: Board,
        *,
        time: float | None = None,
        memory: int | None = None,
        threads: int = 0,
    ) -> Any: ...
    @overload
    def dead(
        self,
        states: Puzzle | Game | None = None,
        *,
        time: float | None = None,
        memory: int | None = None,
        threads: int = 0,
    ) -> bool: ...
    @overload
    def dead(
        self,
        states: Sequence[State],
        *,
        time: float | None = None,
        memory: int | None = None,
        threads: int = 0,
    ) -> NDArray[np.bool_]: ...
    @overload
    def dead(
        self,
        states: Board,
        *,
        time: float | None = None,
        memory: int | None = None,
        threads: int = 0,
    ) -> Any: ...
    def distance_method(
        self, *, time: float | None = None, memory: int | None = None
    ) -> tuple[Literal["table"], int] | tuple[Literal["solves"], None]: ...
    def svg(self) -> str: ...
    def _repr_svg_(self) -> str: ...

class Result:
    @property
    def verdict(self) -> Literal["solved", "unsolvable", "gave up", "stopped", "rejected"]: ...
    @property
    def solved(self) -> bool: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def plan(self) -> list[str] | None: ...
    @property
    def plan_text(self) -> str | None: ...
    @property
    def cost(self) -> int | None: ...
    @property
    def lower_bound(self) -> int | None: ...
    @property
    def proved(self) -> bool: ...
    @property
    def checked(self) -> bool: ...
    @property
    def stats(self) -> Stats: ...
    @property
    def strategy(self) -> str: ...
    @property
    def heuristic(self) -> str | None: ...
    @property
    def objective(self) -> str: ...
    def boards(self) -> Board: ...
    def frames(self) -> list[str]: ...
    def animate(self, seconds: float = 0.4) -> Animation: ...
    def _repr_svg_(self) -> str | None: ...
    def __bool__(self) -> bool: ...

class Check:
    @property
    def valid(self) -> bool: ...
    @property
    def cost(self) -> int | None: ...
    @property
    def bad_step(self) -> int | None: ...
    @property
    def reason(self) -> str | None: ...
    def __bool__(self) -> bool: ...

class Game:
    def legal(self) -> list[str]: ...
    def step(self, step: str) -> None: ...
    def undo(self) -> bool: ...
    @property
    def solved(self) -> bool: ...
    @property
    def history(self) -> list[str]: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def board(self) -> Board: ...
    @property
    def text(self) -> str: ...
    def puzzle(self) -> Puzzle: ...
    def _repr_svg_(self) -> str: ...

class Event:
    @property
    def kind(self) -> Literal["expanded", "generated", "duplicate", "pruned", "round", "found"]: ...
    @property
    def rule(self) -> str | None: ...
    @property
    def cost(self) -> int: ...
    @property
    def estimate(self) -> int: ...
    @property
    def state(self) -> int: ...
    @property
    def next(self) -> int | None: ...
    @property
    def step(self) -> str | None: ...
    @property
    def board(self) -> Board | None: ...

class Search(Iterator[Event]):
    @property
    def result(self) -> Result | None: ...
    def close(self) -> None: ...
    def __next__(self) -> Event: ...
    def __enter__(self) -> Search: ...
    def __exit__(self, *args: object) -> None: ...

class Batch:
    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        boards: int = 1,
        *,
        reward: Literal["sparse", "step", "potential"] = "sparse",
        gamma: float = 1.0,
        max_steps: int | None = None,
        distances: bool = False,
        distance: int | None = None,
        restart: bool = True,
        time: float | None = None,
        memory: int | None = None,
    ) -> None: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def actions(self) -> int: ...
    @property
    def optimal(self) -> list[int]: ...
    def puzzle(self, board: int) -> Puzzle: ...
    def step_name(self, board: int, action: int) -> str | None: ...
    def action_of(self, board: int, step: str) -> int | None: ...
    def reset(self, seeds: Sequence[int | None] | None = None, level: int | None = None) -> list[NDArray[Any]]: ...
    def step(self, actions: bytes) -> list[NDArray[Any]]: ...

def load(source: Source | Rows, kind: str | None = None, level: int | str | None = None) -> Puzzle: ...
def load_all(source: Source | Rows, kind: str | None = None) -> list[Puzzle]: ...
def kinds() -> list[str]: ...
def examples(kind: str | None = None) -> dict[str, str]: ...
def strategies(kind: str | None = None) -> dict[str, str]: ...
def make(
    kind: str,
    seed: int = 0,
    *,
    size: tuple[int, int] | None = None,
    pieces: int | None = None,
    distance: int | None = None,
    hardness: Literal["easy", "medium", "hard"] | None = None,
    walk: int | None = None,
    unsolvable: bool = False,
    time: float | None = None,
    memory: int | None = None,
    nodes: int | None = None,
) -> Puzzle: ...
def compare(
    puzzles: Puzzle | Sequence[Puzzle],
    strategies: Sequence[str] | None = None,
    *,
    heuristic: str | None = None,
    objective: str | None = None,
    time: float | None = 10.0,
    memory: int | None = None,
    nodes: int | None = None,
    threads: int = 1,
) -> list[dict[str, Any]]: ...
def dataset(
    kind: str,
    n: int,
    seed: int = 0,
    *,
    out: Source | None = None,
    size: tuple[int, int] | None = None,
    pieces: int | None = None,
    distance: int | None = None,
    hardness: Literal["easy", "medium", "hard"] | None = None,
    walk: int | None = None,
    unsolvable: bool = False,
    time: float | None = None,
    memory: int | None = None,
    threads: int = 0,
) -> list[Row]: ...

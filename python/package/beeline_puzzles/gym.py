"""Gymnasium environments for all five kinds; importing this module registers them.

>>> import gymnasium, beeline_puzzles.gym
>>> env = gymnasium.make("Beeline/Sokoban-v0", reward="potential")
>>> many = gymnasium.make_vec("Beeline/Sokoban-v0", num_envs=1024, vectorization_mode="vector_entry_point")
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from os import PathLike
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from beeline_puzzles._beeline import Batch, Puzzle, load_all, make

Reward = Literal["sparse", "step", "potential"]
Source = str | PathLike[str] | Puzzle

#: The environments with their kinds and the size of the puzzles that are made for them. Sizes are columns and rows (of tiles,
#: rows and columns), small enough that exact distances come from a table; Flow solves for them, which is as quick there.
ENVIRONMENTS: dict[str, tuple[str, tuple[int, int], int | None]] = {
    "Gate": ("gate", (7, 7), 3),
    "Tiles": ("tiles", (3, 3), None),
    "Flow": ("flow", (5, 5), None),
    "Sokoban": ("sokoban", (7, 7), 2),
    "Bricks": ("bricks", (5, 5), None),
}

#: What the arrays of `Batch` are, in their order.
_FIELDS = ("boards", "action_mask", "rewards", "terminated", "truncated", "distance", "optimal", "level", "steps")

#: Colours of `rgb_array`: outside, wall, floor, goal; then things, over and over.
_GROUNDS = np.array([[246, 243, 236], [63, 71, 86], [255, 253, 248], [251, 231, 178]], np.uint8)
_THINGS = np.array(
    [[214, 84, 65], [196, 142, 72], [74, 134, 196], [92, 158, 96], [148, 104, 182], [222, 166, 60], [88, 168, 176]],
    np.uint8,
)


@lru_cache(maxsize=64)
def _made(
    kind: str,
    count: int,
    seed: int,
    size: tuple[int, int] | None,
    pieces: int | None,
    hardness: Any,
    distance: int | None,
) -> tuple[Puzzle, ...]:
    # A plan of Flow is as long as the board is large, so it is not made for a distance: it starts within a plan.
    exact = None if kind == "flow" else distance
    recipe: dict[str, Any] = {"size": size, "pieces": pieces, "hardness": hardness, "distance": exact}
    return tuple(make(kind, seed + number, **recipe) for number in range(count))


def _puzzles(kind: str, levels: int | Source | Sequence[Source], **recipe: Any) -> list[Puzzle]:
    if isinstance(levels, int):
        return list(_made(kind, levels, **recipe))
    puzzles: list[Puzzle] = []
    for source in [levels] if isinstance(levels, (str, PathLike, Puzzle)) else levels:
        puzzles += [source] if isinstance(source, Puzzle) else load_all(source, kind)
    return puzzles


def _batch(
    kind: str,
    boards: int,
    levels: int | Source | Sequence[Source],
    level_seed: int,
    size: tuple[int, int] | None,
    pieces: int | None,
    hardness: Literal["easy", "medium", "hard"] | None,
    distance: int | None,
    reward: Reward,
    gamma: float,
    max_steps: int | None,
    distances: bool,
    restart: bool,
) -> Batch:
    recipe = {"seed": level_seed, "size": size, "pieces": pieces, "hardness": hardness, "distance": distance}
    return Batch(
        _puzzles(kind, levels, **recipe),
        boards,
        reward=reward,
        gamma=gamma,
        max_steps=max_steps,
        distances=distances,
        distance=distance,
        restart=restart,
    )


def _picture(board: NDArray[np.uint8], pixels: int = 16) -> NDArray[np.uint8]:
    things, ground = board[0], board[1] & 3
    picture = np.where(things[..., None] > 0, _THINGS[(things.astype(int) - 1) % len(_THINGS)], _GROUNDS[ground])
    return np.repeat(np.repeat(picture, pixels, axis=0), pixels, axis=1).astype(np.uint8)


class PuzzleEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """One board. Observations are its two planes, actions are numbers; `info["action_mask"]` says which are legal."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        kind: str,
        levels: int | Source | Sequence[Source] = 8,
        *,
        level_seed: int = 0,
        size: tuple[int, int] | None = None,
        pieces: int | None = None,
        hardness: Literal["easy", "medium", "hard"] | None = None,
        distance: int | None = None,
        reward: Reward = "sparse",
        gamma: float = 1.0,
        max_steps: int | None = None,
        distances: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.batch = _batch(
            kind, 1, levels, level_seed, size, pieces, hardness, distance, reward, gamma, max_steps, distances, False
        )
        rows, columns = self.batch.shape
        self.observation_space = spaces.Box(0, 255, (2, rows, columns), np.uint8)
        self.action_space = spaces.Discrete(self.batch.actions)
        self._board = np.zeros((2, rows, columns), np.uint8)

    def _take(self, fields: list[NDArray[Any]]) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        boards, mask, rewards, terminated, truncated, distance, optimal, level, steps = (field[0] for field in fields)
        self._board = boards
        info = {"action_mask": mask, "optimal": int(optimal), "level": int(level), "steps": int(steps)}
        if distance != -2:
            info["distance"] = int(distance)
        return boards, float(rewards), bool(terminated), bool(truncated), info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Starts an episode in a random level, or in `options["level"]`."""
        super().reset(seed=seed)
        level = (options or {}).get("level")
        board, _, _, _, info = self._take(self.batch.reset([seed], level))
        return board, info

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Takes an action. One that is not legal changes nothing and counts as a step."""
        return self._take(self.batch.step(np.array([action], "<i8").tobytes()))

    def puzzle(self) -> Puzzle:
        """The puzzle that starts where the board stands: for solving, drawing and distances."""
        return self.batch.puzzle(0)

    def expert(self) -> np.int64:
        """The first action of a shortest plan from here; raises `ValueError` in a dead end."""
        result = self.puzzle().solve()
        if not result.plan:
            raise ValueError("no plan leads from here to the goal")
        action = self.batch.action_of(0, result.plan[0])
        if action is None:
            raise ValueError("the plan begins with a step that is not legal")
        return np.int64(action)

    def render(self) -> Any:
        """The board as text (`ansi`) or as an array of pixels (`rgb_array`)."""
        if self.render_mode == "ansi":
            return str(self.puzzle())
        if self.render_mode == "rgb_array":
            return _picture(self._board)
        return None


class PuzzleVectorEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """Many boards, stepped together in one call. A board that has ended starts again at the next step."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        kind: str,
        levels: int | Source | Sequence[Source] = 8,
        *,
        level_seed: int = 0,
        size: tuple[int, int] | None = None,
        pieces: int | None = None,
        hardness: Literal["easy", "medium", "hard"] | None = None,
        distance: int | None = None,
        reward: Reward = "sparse",
        gamma: float = 1.0,
        max_steps: int | None = None,
        distances: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.batch = _batch(
            kind, num_envs, levels, level_seed, size, pieces, hardness, distance, reward, gamma, max_steps, distances, True
        )
        rows, columns = self.batch.shape
        self.single_observation_space = spaces.Box(0, 255, (2, rows, columns), np.uint8)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._boards = np.zeros((num_envs, 2, rows, columns), np.uint8)
        self._all = np.ones(num_envs, bool)
        self._with_distance = distances or reward == "potential"

    def _info(self, fields: dict[str, NDArray[Any]]) -> dict[str, Any]:
        info: dict[str, Any] = {}
        for name in ("action_mask", "optimal", "level", "steps", *(["distance"] if self._with_distance else [])):
            info[name], info[f"_{name}"] = fields[name], self._all
        return info

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Starts all boards: with `seed`, `seed + 1`, … or with a seed each; in `options["level"]` if it is given."""
        one = seed if isinstance(seed, int) else None
        super().reset(seed=one)
        seeds = seed if isinstance(seed, list) else [None if one is None else one + i for i in range(self.num_envs)]
        fields = dict(zip(_FIELDS, self.batch.reset(seeds, (options or {}).get("level")), strict=True))
        self._boards = fields["boards"]
        return self._boards, self._info(fields)

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Takes an action on each board."""
        taken = np.ascontiguousarray(actions, "<i8").tobytes()
        fields = dict(zip(_FIELDS, self.batch.step(taken), strict=True))
        self._boards = fields["boards"]
        return self._boards, fields["rewards"], fields["terminated"], fields["truncated"], self._info(fields)

    def render(self) -> Any:
        """The boards as arrays of pixels."""
        return tuple(_picture(board) for board in self._boards) if self.render_mode == "rgb_array" else None


def register() -> None:
    """Registers `Beeline/Gate-v0` and the four others, unless they are."""
    for name, (kind, size, pieces) in ENVIRONMENTS.items():
        env_id = f"Beeline/{name}-v0"
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="beeline_puzzles.gym:PuzzleEnv",
                vector_entry_point="beeline_puzzles.gym:PuzzleVectorEnv",
                kwargs={"kind": kind, "size": size, "pieces": pieces},
            )


register()

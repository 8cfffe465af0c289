"""Exact distances against searches that are written here."""

from collections import deque
from itertools import permutations

import numpy as np
import pytest

import beeline_puzzles as beeline


def walk(puzzle: beeline.Puzzle, steps: int) -> list[beeline.Game]:
    random = np.random.default_rng(4)
    game, games = puzzle.play(), []
    for _ in range(steps):
        game.step(random.choice(game.legal()))
        games.append(game.puzzle())
    return games


def breadth_first(puzzle: beeline.Puzzle) -> int:
    """The length of a shortest plan, by games that are played from the start again and again."""
    seen, queue = {puzzle.board.tobytes()}, deque([[]])
    while queue:
        plan = queue.popleft()
        game = puzzle.play()
        for step in plan:
            game.step(step)
        if game.solved:
            return len(plan)
        for step in game.legal():
            game.step(step)
            key = game.board.tobytes()
            game.undo()
            if key not in seen:
                seen.add(key)
                queue.append([*plan, step])
    return -1


def test_the_eight_puzzle_is_known_whole() -> None:
    puzzle = beeline.load("0 1 2\n3 4 5\n6 7 8\n")
    assert puzzle.distance_method() == ("table", 181_440)
    tiles = np.array(list(permutations(range(9))), np.uint8)
    inversions = sum((tiles[:, i] > tiles[:, j]) & (tiles[:, j] > 0) for i in range(9) for j in range(i + 1, 9))
    tiles = tiles[inversions % 2 == 0]
    home = np.where(tiles == np.arange(9), 3, 2).astype(np.uint8)
    boards = np.stack([tiles, home], axis=1).reshape(-1, 2, 3, 3)
    distances = puzzle.distance(boards)
    assert len(distances) == 181_440 and distances.max() == 31
    assert (distances == 31).sum() == 2 and (distances == 0).sum() == 1 and not puzzle.dead(boards[:100]).any()
    assert puzzle.distance(boards[7]) == distances[7] == puzzle.at(boards[7]).solve().cost


@pytest.mark.parametrize("name", ["gate-first", "tiles-first", "bricks-first", "sokoban-two"])
def test_states_of_a_walk(name: str) -> None:
    puzzle = beeline.load(name)
    states = walk(puzzle, 6)
    distances = puzzle.distance(states)
    assert distances.dtype == np.int64 and distances.shape == (6,)
    for state, distance in zip(states, distances, strict=True):
        result = state.solve()
        assert distance == (beeline.DEAD if result.verdict == "unsolvable" else result.cost)
        assert puzzle.dead(state) == (distance == beeline.DEAD)


def test_a_small_puzzle_by_hand() -> None:
    puzzle = beeline.load("#######\n#     #\n#@$  .#\n#     #\n#######\n")
    assert puzzle.distance() == breadth_first(puzzle) == puzzle.solve().cost == 3
    game = puzzle.play()
    for step in "drU":
        game.step(step)
    assert puzzle.dead(game) and puzzle.distance(game) == beeline.DEAD == breadth_first(game.puzzle())


def test_flow_solves_for_what_is_drawn() -> None:
    puzzle = beeline.load("flow-first")
    assert puzzle.distance_method() == ("solves", None)
    plan = puzzle.solve().plan
    boards = puzzle.solve().boards()
    assert puzzle.distance(boards).tolist() == list(range(len(plan), -1, -1))
    game = puzzle.play()
    dead = [step for step in game.legal() if puzzle.dead(puzzle.at(after(puzzle, step)))]
    assert dead, "some first step spoils this board"


def after(puzzle: beeline.Puzzle, step: str) -> np.ndarray:
    game = puzzle.play()
    game.step(step)
    return game.board


def test_large_spaces_are_solved_for() -> None:
    puzzle = beeline.make("tiles", 2, size=(4, 4), distance=14)
    boards = puzzle.known.boards()
    assert puzzle.distance_method() == ("solves", None)
    assert puzzle.distance(np.concatenate([boards, boards])).tolist() == 2 * list(range(14, -1, -1))


def test_boards_that_are_none_are_refused() -> None:
    puzzle = beeline.load("sokoban-first")
    with pytest.raises(ValueError, match="no state"):
        puzzle.distance(np.zeros_like(puzzle.board))
    with pytest.raises(ValueError, match="shape"):
        puzzle.distance(np.zeros((3, 3), np.uint8))
    assert puzzle.distance([]).shape == (0,)

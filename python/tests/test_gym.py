"""The environments, by Gymnasium's own checkers and against the puzzles they are made of."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import beeline_puzzles as beeline
from beeline_puzzles.gym import ENVIRONMENTS, PuzzleEnv, PuzzleVectorEnv

NAMES = [f"Beeline/{name}-v0" for name in ENVIRONMENTS]


def vector(name: str, num_envs: int, **options) -> PuzzleVectorEnv:
    return gymnasium.make_vec(name, num_envs=num_envs, vectorization_mode="vector_entry_point", **options)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("error")
def test_the_checkers_of_gymnasium_pass(name: str) -> None:
    check_env(gymnasium.make(name, levels=2, render_mode="ansi").unwrapped)
    check_env(gymnasium.make(name, levels=2, reward="potential", render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("name", NAMES)
def test_an_expert_needs_the_optimal_number_of_steps(name: str) -> None:
    env: PuzzleEnv = gymnasium.make(name, levels=2, distance=6, reward="potential", distances=True).unwrapped
    _, info = env.reset(seed=1)
    assert info["optimal"] == info["distance"] == 6
    rewards, terminated = 0.0, False
    for left in range(5, -1, -1):
        action = env.expert()
        assert not terminated and info["action_mask"][action] == 1
        _, reward, terminated, truncated, info = env.step(action)
        rewards += reward
        assert info["distance"] == left and not truncated
    assert terminated and rewards == pytest.approx(2.0)


@pytest.mark.parametrize("name", NAMES)
def test_a_vector_environment_is_many_environments(name: str) -> None:
    many = vector(name, 3, levels=2, max_steps=7)
    singles = [gymnasium.make(name, levels=2, max_steps=7).unwrapped for _ in range(3)]
    boards, infos = many.reset(seed=11)
    assert many.observation_space.contains(boards) and infos["action_mask"].shape == (3, many.single_action_space.n)
    for number, env in enumerate(singles):
        board, info = env.reset(seed=11 + number)
        assert (board == boards[number]).all() and info["optimal"] == infos["optimal"][number]
    random = np.random.default_rng(0)
    over = np.zeros(3, bool)
    for _ in range(20):
        actions = random.integers(many.single_action_space.n, size=3)
        boards, rewards, terminated, truncated, infos = many.step(actions)
        for number, env in enumerate(singles):
            if over[number]:
                board, info = env.reset()
                reward, ends = 0.0, (False, False)
            else:
                board, reward, *ends, info = env.step(actions[number])
            assert (board == boards[number]).all() and reward == rewards[number]
            assert tuple(ends) == (terminated[number], truncated[number])
            assert (info["action_mask"] == infos["action_mask"][number]).all()
        over = terminated | truncated
    assert truncated.any() or over.any() or infos["steps"].max() < 7


def test_masks_are_the_legal_actions() -> None:
    env: PuzzleEnv = gymnasium.make("Beeline/Gate-v0", levels=1).unwrapped
    board, info = env.reset(seed=0)
    legal = [env.batch.step_name(0, action) for action in np.flatnonzero(info["action_mask"])]
    assert sorted(legal) == sorted(env.puzzle().play().legal())
    bad = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, terminated, _, info = env.step(bad)
    assert (after == board).all() and reward == 0.0 and not terminated and info["steps"] == 1


def test_level_files_are_sources(tmp_path) -> None:
    path = tmp_path / "levels.txt"
    small = "; 1\n#####\n#@$.#\n#####\n"
    path.write_text(small + "\n; 2\n#######\n#@ $ .#\n#     #\n#######\n")
    env = gymnasium.make("Beeline/Sokoban-v0", levels=path, reward="step").unwrapped
    assert env.batch.optimal == [1, 3] and env.observation_space.shape == (2, 4, 7)
    board, info = env.reset(options={"level": 0})
    assert (board[:, 3, :] == 0).all() and (board[:, :, 5:] == 0).all(), "the smaller board has nothing behind it"
    _, reward, terminated, _, _ = env.step(1)
    assert terminated and reward == -1.0
    assert {env.reset()[1]["level"] for _ in range(40)} == {0, 1}
    puzzles = [beeline.load("sokoban-two"), small]
    assert gymnasium.make("Beeline/Sokoban-v0", levels=puzzles).unwrapped.batch.optimal[1] == 1
    with pytest.raises(ValueError, match="cannot be solved"):
        gymnasium.make("Beeline/Sokoban-v0", levels="#####\n#@$ #\n#.  #\n#####\n".replace("$ #", "* #").replace("#.  #", "#. $#"))


def test_potentials_change_no_return_but_by_a_constant() -> None:
    """With gamma 1 the shaping telescopes: every solved episode is worth 2, and a dead end costs at once."""
    level = "######\n#    #\n#@$. #\n#    #\n######\n"
    env = gymnasium.make("Beeline/Sokoban-v0", levels=level, reward="potential").unwrapped
    env.reset(seed=0)
    total = 0.0
    for action in (3, 2, 1):
        total += env.step(action)[1]
    assert total == pytest.approx(2.0)
    env.reset(seed=0)
    rewards = [env.step(action)[1] for action in (3, 1, 2)]
    assert rewards[-1] < -0.9 and sum(rewards) == pytest.approx(-2.0)


def test_rewards_have_names() -> None:
    with pytest.raises(ValueError, match="sparse, step, potential"):
        gymnasium.make("Beeline/Tiles-v0", levels=1, reward="gold")


def test_a_thousand_boards_step_in_one_call() -> None:
    many = vector("Beeline/Tiles-v0", 1000, levels=4)
    boards, infos = many.reset(seed=0)
    random = np.random.default_rng(1)
    for _ in range(20):
        actions = (infos["action_mask"] * random.random(infos["action_mask"].shape)).argmax(axis=1)
        before = boards
        boards, _, terminated, _, infos = many.step(actions)
        assert (boards != before).any(axis=(1, 2, 3)).all()
    assert boards.shape == (1000, 2, 3, 3) and infos["_optimal"].all()

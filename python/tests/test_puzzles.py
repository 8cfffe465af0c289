"""Loading, solving, checking, playing, making, comparing and drawing."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import beeline_puzzles as beeline

# Published or proved by exhaustion; docs/*.md name the sources.
KNOWN = {"gate-first": 9, "tiles-first": None, "sokoban-first": None, "bricks-first": None, "flow-first": None}


@pytest.mark.parametrize("name", KNOWN)
def test_a_shortest_plan_is_found_proved_and_checked(name: str) -> None:
    puzzle = beeline.load(name)
    result = puzzle.solve()
    assert result.solved and result.proved and result.checked and result.verdict == "solved"
    assert result.cost == result.lower_bound == puzzle.distance() == len(result.plan)
    assert KNOWN[name] in (None, result.cost)
    assert puzzle.check(result.plan).cost == puzzle.check(result.plan_text).cost == result.cost
    game = puzzle.play()
    for step in result.plan:
        assert step in game.legal() and not game.solved
        game.step(step)
    assert game.solved and game.history == result.plan
    assert (game.board == result.boards()[-1]).all() and (puzzle.board == result.boards()[0]).all()
    while game.undo():
        pass
    assert (game.board == puzzle.board).all()


def test_the_command_finds_the_same_lengths(command: str) -> None:
    names = [name for name in beeline.examples() if not name.startswith(("tiles-korf", "tiles-twenty", "sokoban-hall"))]
    done = subprocess.run([command, "solve", "--json", *names], capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) >= len(names)
    for row in rows:
        result = beeline.load(row["source"], level=row["level"]).solve()
        assert (result.verdict, result.cost) == (row["verdict"], row["cost"]), row["source"]
        assert result.lower_bound == row["lower_bound"]


def test_strategies_heuristics_and_objectives_are_chosen_by_name() -> None:
    puzzle = beeline.load("gate-first")
    bfs = puzzle.solve("bfs")
    assert (bfs.cost, bfs.stats["expanded"], bfs.strategy, bfs.objective) == (9, 657, "bfs", "steps")
    assert puzzle.solve("astar", heuristic="blind").cost == 9
    assert puzzle.solve(objective="moves").cost < 9
    assert puzzle.solve("wastar", weight=3.0).lower_bound <= 9
    assert "astar" in beeline.strategies() and "best" in beeline.strategies("gate")
    for bad in ({"strategy": "magic"}, {"heuristic": "magic"}, {"objective": "magic"}):
        with pytest.raises(beeline.UnsupportedError, match="magic.*best|magic.*blockers|magic.*steps"):
            puzzle.solve(**bad)
    with pytest.raises(ValueError, match="weight"):
        puzzle.solve("wastar", weight=0.5)


def test_what_cannot_be_solved_is_proved() -> None:
    result = beeline.load("gate-never").solve()
    assert not result and result.verdict == "unsolvable" and result.proved and result.plan is None and result.cost is None


def test_limits_are_arguments() -> None:
    hard = beeline.load("tiles-korf-88")
    nodes = hard.solve("bfs", nodes=100)
    assert (nodes.verdict, nodes.reason, nodes.stats["expanded"]) == ("stopped", "nodes", 100)
    assert hard.solve("bfs", time=0.05).reason == "time"
    assert hard.solve("bfs", memory=1 << 20).reason == "memory"
    with pytest.raises(ValueError, match="time"):
        hard.solve(time=-1)
    with pytest.raises(beeline.LimitError) as caught:
        hard.distance(time=0.001)
    assert caught.value.limit == "time"
    with pytest.raises(beeline.LimitError):
        beeline.make("sokoban", hardness="hard", nodes=1)


def test_rows_and_single_lines_are_puzzles() -> None:
    rows = [[3, 1, 2], [0, 4, 5], [6, 7, 8]]
    for source in [rows, tuple(map(tuple, rows)), np.array(rows), "3 1 2 0 4 5 6 7 8", ["3 1 2", "0 4 5", "6 7 8"]]:
        assert beeline.load(source).distance() == 1
    level = ["#####", "#@$.#", "#####"]
    assert beeline.load(level).kind == "sokoban"
    assert beeline.load([list(row) for row in level]).solve().plan_text == "R"
    with pytest.raises(TypeError):
        beeline.load(5)  # type: ignore[arg-type]


def test_errors_have_a_line_and_a_column() -> None:
    with pytest.raises(beeline.PuzzleError) as caught:
        beeline.load("1 2 3\n4 five 6\n7 8 0\n", kind="tiles")
    error = caught.value
    assert (error.line, error.column, error.expected, error.help) == (2, 3, "a number", "0 is the blank")
    assert "<text>:2:3" in str(error) and isinstance(error, ValueError)
    with pytest.raises(beeline.PuzzleError, match="recognises") as caught:
        beeline.load("what is\nthis\n")
    assert caught.value.line is None
    with pytest.raises(beeline.PuzzleError, match="as tiles, 3:5: tile 8 is here twice"):
        beeline.load("1 2 3\n4 5 6\n7 8 8\n")
    with pytest.raises(FileNotFoundError):
        beeline.load("no-such-puzzle")
    with pytest.raises(ValueError, match="kind"):
        beeline.load("tiles-first", kind="chess")
    with pytest.raises(beeline.PuzzleError):
        beeline.load("gate-first").check("0q")


def test_files_levels_and_titles(tmp_path) -> None:
    path = tmp_path / "two.txt"
    path.write_text("1 2 0\n3 4 5\n6 7 8\n\n1 0 2\n3 4 5\n6 7 8\n")
    assert [puzzle.distance() for puzzle in beeline.load_all(path)] == [2, 1]
    assert beeline.load(path, level=2).solve().cost == 1
    with pytest.raises(ValueError, match="holds 2 puzzles"):
        beeline.load(path)
    with pytest.raises(ValueError, match="no level 3"):
        beeline.load(path, level=3)
    titled = "; First\n#####\n#@$.#\n#####\n\n; Second\n######\n#@ $.#\n######\n"
    assert beeline.load(titled, level="second").solve().cost == 2
    puzzle = beeline.load(str(path), level=1)
    assert puzzle == pickle.loads(pickle.dumps(puzzle)) and hash(puzzle) == hash(beeline.load(puzzle.text))
    assert puzzle != beeline.load(path, level=2)


def test_the_checker_says_which_step_is_wrong() -> None:
    check = beeline.load("gate-first").check("0l0u")
    assert not check and check.bad_step == 2 and "piece 1 is in the way" in check.reason and check.cost is None
    with pytest.raises(ValueError, match="not possible|wall|way"):
        beeline.load("gate-first").play().step("0u")


def test_new_puzzles_are_the_same_for_the_same_seed() -> None:
    for kind in beeline.kinds():
        one = beeline.make(kind, 5)
        assert one == beeline.make(kind, 5) != beeline.make(kind, 6)
        assert one.known.proved and one.kind == kind
    puzzle = beeline.make("sokoban", 1, size=(7, 7), pieces=2, distance=12)
    assert puzzle.known.cost == puzzle.solve().cost == 12
    with pytest.raises(ValueError, match="hardness"):
        beeline.make("tiles", hardness="absurd")
    with pytest.raises(beeline.UnsupportedError, match="flow is not made with a distance"):
        beeline.make("flow", distance=3)


def test_comparisons_are_rows_with_equal_counters() -> None:
    rows = beeline.compare(beeline.load("gate-first"))
    assert [row["strategy"] for row in rows] == ["best", "bfs", "idastar", "astar", "iw", "greedy"]
    assert {row["cost"] for row in rows if row["promise"] == "optimal"} == {9}
    both = beeline.compare([beeline.load("gate-first"), beeline.load("tiles-first")], ["bfs"])
    assert [row["puzzle"] for row in both] == [0, 1] and both[0]["expanded"] == 657


def test_pictures_are_svg_and_move() -> None:
    puzzle = beeline.load("sokoban-first")
    result = puzzle.solve()
    animation = result.animate(seconds=0.1)
    for picture in (puzzle._repr_svg_(), result._repr_svg_(), puzzle.play()._repr_svg_(), animation._repr_html_()):
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert len(animation) == result.cost + 1
    assert str(puzzle) == puzzle.play().text and "sokoban" in repr(puzzle) and "cost" in repr(result)


def test_a_search_gives_its_events() -> None:
    puzzle = beeline.load("gate-first")
    search = puzzle.search("astar", boards=True)
    events = list(search)
    result = search.result
    assert result.cost == 9
    count = {kind: sum(event.kind == kind for event in events) for kind in ("expanded", "duplicate", "found")}
    assert count["expanded"] == result.stats["expanded"] and count["duplicate"] == result.stats["duplicates"]
    first = next(event for event in events if event.kind == "expanded")
    assert (first.board == puzzle.board).all() and first.cost == 0 and first.estimate > 0
    made = next(event for event in events if event.kind == "generated")
    assert made.step in puzzle.play().legal() and made.state == first.state != made.next
    with beeline.load("tiles-korf-88").search("idastar") as search:
        assert next(search).kind in ("round", "expanded")
    assert search.result is None and list(search) == []
    with pytest.raises(beeline.UnsupportedError):
        list(puzzle.search("magic"))


def test_the_interpreter_is_free_while_it_searches() -> None:
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    assert beeline.load("tiles-korf-88").solve("idastar", time=1.0).reason == "time"
    stop.set()
    thread.join()
    assert counted > 20


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    "call",
    [
        'beeline.load("tiles-twenty-four").solve("idastar")',
        'beeline.load("tiles-twenty-four").solve("bfs", threads=2)',
        'list(event.cost for event in beeline.load("tiles-korf-88").search("idastar"))',
        'beeline.load("sokoban-hall").distance()',
    ],
)
def test_ctrl_c_ends_a_search(call: str) -> None:
    # A shell's background job ignores the signal, and its children inherit that.
    listen = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code = f"{listen}import beeline_puzzles as beeline\nprint('ready', flush=True)\n{call}\n"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    assert "KeyboardInterrupt" in errors, errors
    assert child.returncode == -signal.SIGINT


def test_the_types_are_there() -> None:
    folder = os.path.dirname(beeline.__file__)
    assert os.path.exists(f"{folder}/py.typed") and os.path.exists(f"{folder}/_beeline.pyi")
    stubs = open(f"{folder}/_beeline.pyi", encoding="utf-8").read()
    for name in beeline.__all__:
        assert name in stubs
    for cls in (beeline.Puzzle, beeline.Result, beeline.Game, beeline.Batch, beeline.Event, beeline.Search, beeline.Check):
        for member in vars(cls):
            assert member.startswith("__") or f"def {member}(" in stubs, f"{cls.__name__}.{member}"
    assert isinstance(beeline.load("gate-first").board, np.ndarray)

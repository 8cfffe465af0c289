"""Data sets: the same bytes for the same seed, readable by others, with labels that hold."""

import json
import subprocess

import pyarrow.parquet
import pytest

import beeline_puzzles as beeline

RECIPES = [
    ("tiles", {"size": (3, 3), "distance": 9}),
    ("sokoban", {"size": (7, 7), "pieces": 2, "distance": 10}),
    ("flow", {"size": (5, 5)}),
    ("gate", {"size": (7, 6), "pieces": 3, "distance": 6}),
]


@pytest.mark.parametrize(("kind", "recipe"), RECIPES)
def test_rows_have_labels_that_hold(kind: str, recipe: dict) -> None:
    for row in beeline.dataset(kind, 2, seed=5, **recipe):
        puzzle = beeline.load(row["text"], kind)
        assert row["cost"] == puzzle.solve().cost == puzzle.check(row["plan"]).cost == row["distances"][0]
        assert row["distances"] == list(range(row["cost"], -1, -1))
        states = [beeline.load(text, kind) for text in row["boards"]]
        for at, step, distance in zip(row["tried_at"], row["tried"], row["tried_distance"], strict=True):
            if at in (0, len(row["plan"]) - 1):
                game = states[at].play()
                game.step(step)
                assert puzzle.distance(game) == distance
        legal = [step for at, step in zip(row["tried_at"], row["tried"], strict=True) if at == 0]
        assert sorted(legal) == sorted(puzzle.play().legal())


def test_files_are_the_same_byte_for_byte_and_others_read_them(tmp_path) -> None:
    recipe = {"size": (7, 7), "pieces": 2, "distance": 10}
    rows = beeline.dataset("sokoban", 3, seed=7, **recipe)
    for name, threads in (("one.jsonl", 1), ("two.jsonl", 2), ("one.parquet", 1), ("two.parquet", 2)):
        assert beeline.dataset("sokoban", 3, seed=7, out=tmp_path / name, threads=threads, **recipe) == rows
    for kind in ("jsonl", "parquet"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()
    read = [json.loads(line) for line in (tmp_path / "one.jsonl").read_text().splitlines()]
    assert read == rows
    table = pyarrow.parquet.read_table(tmp_path / "one.parquet")
    assert table.to_pylist() == rows
    assert str(table.schema.field("tried_distance").type) == "list<element: int64 not null>"
    with pytest.raises(ValueError, match="jsonl or .parquet"):
        beeline.dataset("tiles", 1, out=tmp_path / "data.csv")


def test_parquet_with_many_rows_and_empty_lists(tmp_path) -> None:
    rows = beeline.dataset("tiles", 1100, size=(2, 2), distance=2, out=tmp_path / "many.parquet")
    assert pyarrow.parquet.ParquetFile(tmp_path / "many.parquet").num_row_groups == 2
    assert pyarrow.parquet.read_table(tmp_path / "many.parquet").to_pylist() == rows
    dead = beeline.dataset("gate", 1, size=(7, 6), pieces=3, unsolvable=True, out=tmp_path / "dead.parquet")
    assert dead[0]["cost"] == beeline.DEAD and dead[0]["plan"] == [] and set(dead[0]["tried_distance"]) <= {-1}
    assert pyarrow.parquet.read_table(tmp_path / "dead.parquet").to_pylist() == dead


def test_the_command_writes_the_same_bytes(command: str, tmp_path) -> None:
    beeline.dataset("sokoban", 2, seed=7, size=(7, 7), pieces=2, out=tmp_path / "python.parquet")
    wanted = ["make", "sokoban", "--count", "2", "--seed", "7", "--size", "7x7", "--pieces", "2", "--solve", "--out"]
    subprocess.run([command, *wanted, tmp_path / "command.parquet"], check=True, capture_output=True)
    assert (tmp_path / "command.parquet").read_bytes() == (tmp_path / "python.parquet").read_bytes()

"""The examples of the documentation and the notebooks run as they stand."""

import json
import re
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parents[1]
PAGES = [HOME.parent / "docs" / "python.md", HOME / "README.md"]
NOTEBOOKS = sorted((HOME / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page: Path, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict = {"__name__": "example"}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{page.name} block {number + 1}", "exec"), names)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook: Path, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    names: dict = {"__name__": "notebook"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{notebook.name} cell {number}", "exec"), names)


def test_there_are_four_notebooks() -> None:
    assert len(NOTEBOOKS) == 4

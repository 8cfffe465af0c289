"""What the tests share."""

import os

import pytest

os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture
def command() -> str:
    """The built command; `cargo xtask test` says where it is."""
    path = os.environ.get("BEELINE_COMMAND")
    if path is None:
        pytest.skip("BEELINE_COMMAND is not set to the built command")
    return path

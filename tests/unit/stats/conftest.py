"""scipy, where it is installed: the second opinion on what the package computes by itself."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="session")
def scipy_stats() -> Any:
    """The module `scipy.stats`; tests that ask for it are skipped without it."""
    return pytest.importorskip("scipy.stats")

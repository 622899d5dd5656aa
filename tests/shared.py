"""Where the real logs lie that are no part of the repository; tests that use them skip without them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared"

#: The folder with `data/`, or where it would be.
SHARED = Path(os.environ.get("ITEMPROOF_SHARED", _BESIDE))

needs_shared = pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="the real logs are not here")

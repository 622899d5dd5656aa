"""What holds for every test: one hypothesis profile, and nothing of the person's own machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# What a helper asserts is explained as what a test does.
pytest.register_assert_rewrite("cli.workbench")

# A busy machine is no fault of the code.
settings.register_profile("itemproof", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("itemproof")

#: Settings of the person who runs the tests that would reach into them.
_PERSONAL = ("ITEMPROOF_ROOT", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE")


@pytest.fixture(scope="session", autouse=True)
def _nobody_in_particular(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tests run at home in an empty folder, with no archive named and no locale chosen."""
    with pytest.MonkeyPatch.context() as patch:
        home: Path = tmp_path_factory.mktemp("home")
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        for name in _PERSONAL:
            patch.delenv(name, raising=False)
        yield

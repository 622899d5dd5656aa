"""The lock keeps one writer; how long others wait is theirs to say. Processes are tried in `tests/faults`."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from itemproof.core.errors import Refused, Unavailable
from itemproof.files import lock as lock_module
from itemproof.files.lock import Holder, Patience, hold, this_process

HOLDER = Holder(pid=7, host="here", since="2026-11-30T13:33:32Z", command="import")
AT_ONCE = Patience(timeout_s=0.0)


class Watch:
    """A clock that goes on only while somebody waits."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def pause(self, seconds: float) -> None:
        self.now_s += seconds

    def elapsed_s(self) -> float:
        return self.now_s


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def test_the_lock_is_free_again_after_the_block(lock: Path) -> None:
    for _ in range(2):
        with hold(lock, HOLDER, patience=AT_ONCE):
            assert lock.exists()
    assert lock.read_bytes() == b""


def test_the_lock_is_free_again_though_a_starting_process_has_a_copy_of_its_descriptor(lock: Path) -> None:
    with ExitStack() as copies:
        with hold(lock, HOLDER, patience=AT_ONCE):
            for held in sorted(lock_module._held):
                copies.callback(os.close, os.dup(held))
        with hold(lock, HOLDER, patience=AT_ONCE):
            pass


def test_the_lock_is_free_again_after_an_error(lock: Path) -> None:
    with pytest.raises(ValueError, match="stop"), hold(lock, HOLDER, patience=AT_ONCE):
        raise ValueError("stop")
    with hold(lock, HOLDER, patience=AT_ONCE):
        pass


def test_a_second_holder_waits_its_time_and_is_told_who_holds_it(lock: Path) -> None:
    watch = Watch()
    patience = Patience(timeout_s=10.0, pause=watch.pause, elapsed_s=watch.elapsed_s)
    with hold(lock, HOLDER, patience=AT_ONCE), pytest.raises(Refused) as error, hold(lock, HOLDER, patience=patience):
        pytest.fail("two writers hold the lock")
    assert 110.0 <= watch.now_s < 110.1
    assert error.value.code.id == "D008"
    assert error.value.text == (
        "Another writer holds the archive: import, process 7 on here, since 2026-11-30T13:33:32Z; waited 10 s. "
        "Try again when it has finished, or wait longer with --lock-timeout."
    )


def test_a_second_holder_gets_the_lock_when_the_first_lets_go(lock: Path) -> None:
    first = ExitStack()
    first.enter_context(hold(lock, HOLDER, patience=AT_ONCE))
    patience = Patience(timeout_s=10.0, pause=lambda _: first.close(), elapsed_s=Watch().elapsed_s)
    with hold(lock, HOLDER, patience=patience):
        pass


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b'{"pid": 7}', b"\xff"], ids=["empty", "torn", "list", "part", "bytes"]
)
def test_a_lock_whose_text_says_nothing_is_held_all_the_same(lock: Path, text: bytes) -> None:
    with hold(lock, HOLDER, patience=AT_ONCE):
        lock.write_bytes(text)
        with pytest.raises(Refused) as error, hold(lock, HOLDER, patience=AT_ONCE):
            pytest.fail("two writers hold the lock")
    assert error.value.text.startswith("Another writer holds the archive; waited 0 s.")


def test_a_text_that_a_dead_writer_left_holds_nothing(lock: Path) -> None:
    lock.write_text('{"pid": 1, "host": "x", "since": "y", "command": "z"}', encoding="utf-8")
    with hold(lock, HOLDER, patience=AT_ONCE):
        assert '"pid": 7' in lock.read_text(encoding="utf-8")


def test_a_lock_file_that_was_removed_meanwhile_is_taken_anew(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really = fcntl.flock
    removed: list[int] = []

    def removed_in_between(descriptor: int, operation: int) -> None:
        really(descriptor, operation)
        if not removed:
            removed.append(descriptor)
            lock.unlink()

    monkeypatch.setattr(fcntl, "flock", removed_in_between)
    watch = Watch()
    with hold(lock, HOLDER, patience=Patience(timeout_s=1.0, pause=watch.pause, elapsed_s=watch.elapsed_s)):
        assert lock.exists()


def unable(number: int) -> Callable[[int, int], None]:
    def flock(_: int, __: int) -> None:
        raise OSError(number, os.strerror(number))

    return flock


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOLCK, "The file system of this folder has no locks (No locks available)"),
        (errno.ENOSYS, "The file system of this folder has no locks (Function not implemented)"),
        (errno.EOPNOTSUPP, "The file system of this folder has no locks (Operation not supported)"),
        (errno.EIO, "The lock could not be taken: Input/output error"),
    ],
    ids=lambda value: errno.errorcode[value] if isinstance(value, int) else "",
)
def test_a_file_system_without_locks_is_said_and_not_worked_around(
    lock: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    monkeypatch.setattr(fcntl, "flock", unable(number))
    with pytest.raises(Unavailable) as error, hold(lock, HOLDER, patience=Patience()):
        pytest.fail("no lock was taken")
    assert error.value.code.id == "D009"
    assert error.value.text.startswith(said)


def open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_no_descriptor_is_left_open_by_a_wait_in_vain(lock: Path) -> None:
    with hold(lock, HOLDER, patience=AT_ONCE):
        before = open_descriptors()
        for _ in range(3):
            with pytest.raises(Refused), hold(lock, HOLDER, patience=AT_ONCE):
                pytest.fail("two writers hold the lock")
        assert open_descriptors() == before


def test_a_link_is_not_locked(lock: Path, tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"")
    lock.symlink_to(tmp_path / "target")
    with pytest.raises(Unavailable) as error, hold(lock, HOLDER, patience=AT_ONCE):
        pytest.fail("a link was locked")
    assert error.value.code.id == "D004"


def test_this_process_is_named_by_its_number() -> None:
    holder = this_process(since="2026-11-30T13:33:32Z", command="seal")
    assert (holder.pid, holder.since, holder.command) == (os.getpid(), "2026-11-30T13:33:32Z", "seal")
    assert holder.host

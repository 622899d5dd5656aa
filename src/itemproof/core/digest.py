"""SHA-256 as the archive writes it: 64 lower-case hexadecimal digits."""

from __future__ import annotations

import hashlib
import re

from itemproof.core.canonical import canonical_bytes

__all__ = ["is_sha256", "sha256_of", "sha256_of_value"]

_SHA256 = re.compile(r"[0-9a-f]{64}")


def sha256_of(data: bytes) -> str:
    """The digest of some bytes."""
    return hashlib.sha256(data).hexdigest()


def sha256_of_value(value: object) -> str:
    """The digest of a value's canonical JSON."""
    return sha256_of(canonical_bytes(value))


def is_sha256(text: str) -> bool:
    """Whether the text has the form of a digest."""
    return _SHA256.fullmatch(text) is not None

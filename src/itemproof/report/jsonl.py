"""A comparison as JSON Lines: the identity, the outcome, and the whole record of each side to the byte."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from itemproof.files.strict_json import dumps
from itemproof.records.item import Item

__all__ = ["write_jsonl"]


def write_jsonl(items: Iterable[Item], out: BinaryIO) -> int:
    """Each item stands on a line with `identity`, `outcome`, `left` and `right`; their number is returned."""
    count = 0
    for item in items:
        head = dumps({"identity": item.key._asdict(), "outcome": item.outcome})
        left, right = item.left or b"null", item.right or b"null"
        out.write(b'%b,"left":%b,"right":%b}\n' % (head[:-1], left, right))
        count += 1
    return count

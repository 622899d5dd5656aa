from __future__ import annotations

import pytest

from itemproof.archive.rules import base
from itemproof.archive.rules.base import Listing
from itemproof.core.findings import Code, Finding
from itemproof.core.where import Where

_ONE, _OTHER = Code("T001", "one"), Code("T002", "other")


def test_a_listing_keeps_the_first_of_each_code_and_counts_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "LISTED", 2)
    listing = Listing()
    for line in range(1, 6):
        listing.add(Finding(_ONE, "odd.", Where(line=line)))
    listing.add(Finding(_OTHER, "other.", Where(line=9)))

    assert listing.done() == [
        Finding(_ONE, "odd.", Where(line=1)),
        Finding(_ONE, "odd. 3 more of this kind in this file are not listed.", Where(line=2)),
        Finding(_OTHER, "other.", Where(line=9)),
    ]


def test_a_listing_that_holds_all_says_nothing_of_others() -> None:
    listing = Listing()
    listing.extend([Finding(_ONE, "odd.")])

    assert listing.done() == [Finding(_ONE, "odd.")]

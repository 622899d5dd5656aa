"""A runner without a model: answers every request with its reference, or with the head it expects and nothing else.

    python mock_responses.py REQUESTS RESPONSES

REQUESTS is what `itemproof generation-eval --export-requests` wrote, as lines or as a batch. RESPONSES must not exist.
A request has a reference only when it was exported with --include-reference. Without one the answer is the expected
head with empty brackets, which is often wrong: this shows that files travel, not that a model is good.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESPONSE = "coglang-generation-eval-response/v0.1"


def requests(text: str) -> Iterator[dict[str, Any]]:
    """The requests of a batch, or of lines."""
    try:
        batch = json.loads(text)
    except json.JSONDecodeError:
        yield from (json.loads(line) for line in text.split("\n") if line.strip())
    else:
        yield from batch.get("requests", [batch])


def response(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request."""
    output = request.get("reference_expr") or request["expected_top_level_heads"][0] + "[]"
    return {
        "schema_version": RESPONSE,
        "case_id": request["case_id"],
        "output": output,
        "provider": "offline",
        "model": "mock",
    }


def main(source: Path, destination: Path) -> None:
    """Writes a response line for each request."""
    with destination.open("x", encoding="utf-8") as out:
        for request in requests(source.read_text(encoding="utf-8")):
            out.write(json.dumps(response(request)) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: mock_responses.py REQUESTS RESPONSES")
    main(Path(sys.argv[1]), Path(sys.argv[2]))

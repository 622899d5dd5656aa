"""Ask a model behind any OpenAI-compatible endpoint, and write response lines as they come.

    export OPENAI_BASE_URL=http://localhost:8000/v1
    export OPENAI_API_KEY=...                       # leave it out where none is needed
    python run_model.py requests.jsonl responses.jsonl --model my-model --concurrency 4

requests.jsonl is what `itemproof generation-eval --export-requests --request-format jsonl --with-primer` wrote. Those
that have a line in the responses already are left out, so that an interrupted run goes on where it stopped. What the
model wrote is kept as it is. A request that fails is named on standard error and has no line; then the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

RESPONSE = "coglang-generation-eval-response/v0.1"
#: Worth another try: too fast, or a server in trouble.
AGAIN = {408, 429, 500, 502, 503, 504}


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of lines; none where there is no file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def asked(base_url: str, key: str, body: dict[str, Any], timeout_s: float) -> dict[str, Any]:
    """The endpoint's answer to one chat completion."""
    request = urllib.request.Request(
        base_url.rstrip("/") + "/chat/completions",
        data=json.dumps(body).encode("utf-8"),
        headers={"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})},
    )
    with urllib.request.urlopen(request, timeout=timeout_s) as reply:
        answer: dict[str, Any] = json.load(reply)
    return answer


def answered(request: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """The response line to one request, tried again where that may help."""
    body = {
        "model": options.model,
        "temperature": options.temperature,
        "max_tokens": options.max_tokens,
        "messages": [
            {"role": "system", "content": request["instructions"]},
            {"role": "user", "content": request["prompt"]},
        ],
    }
    began = time.monotonic()
    for attempt in range(1, options.attempts + 1):
        try:
            answer = asked(options.base_url, options.key, body, options.timeout_s)
            break
        except urllib.error.HTTPError as error:
            error.close()
            if error.code not in AGAIN or attempt == options.attempts:
                raise
        except OSError:
            if attempt == options.attempts:
                raise
        time.sleep(options.pause_s * 2 ** (attempt - 1))
    usage = answer.get("usage") or {}
    return {
        "schema_version": RESPONSE,
        "case_id": request["case_id"],
        "output": answer["choices"][0]["message"]["content"],
        "provider": options.base_url,
        "model": answer.get("model", options.model),
        "latency_ms": round((time.monotonic() - began) * 1000),
        "raw_response_id": answer.get("id"),
        "input_token_count": usage.get("prompt_tokens"),
        "output_token_count": usage.get("completion_tokens"),
    }


def main(options: argparse.Namespace) -> int:
    """The exit code; every request that was answered has its line."""
    there = {line["case_id"] for line in lines(options.responses)}
    waiting = [request for request in lines(options.requests) if request["case_id"] not in there]
    failed = 0
    with options.responses.open("a", encoding="utf-8") as out, ThreadPoolExecutor(options.concurrency) as pool:
        running = {pool.submit(answered, request, options): request["case_id"] for request in waiting}
        for done in as_completed(running):
            try:
                line = done.result()
            except (OSError, LookupError, TypeError, ValueError) as error:
                failed += 1
                print(f"{running[done]}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            out.write(json.dumps(line) + "\n")
            out.flush()
    print(f"{len(waiting) - failed} answered, {len(there)} were there, {failed} failed", file=sys.stderr)
    return 1 if failed else 0


def parsed(arguments: list[str]) -> argparse.Namespace:
    """The options of a command line and of the environment."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("requests", type=Path)
    parser.add_argument("responses", type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--concurrency", type=int, default=4, help="requests at once")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--max-tokens", type=int, default=1024)
    parser.add_argument("--timeout-s", type=float, default=60.0, help="for one attempt")
    parser.add_argument("--attempts", type=int, default=4)
    parser.add_argument("--pause-s", type=float, default=1.0, help="before the second attempt; doubles from there")
    options = parser.parse_args(arguments)
    options.base_url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    options.key = os.environ.get("OPENAI_API_KEY", "")
    return options


if __name__ == "__main__":
    sys.exit(main(parsed(sys.argv[1:])))

"""The example runner against a server of its own kind: answers kept as they are, failures tried again, runs resumed."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from types import ModuleType
from typing import Any

import pytest

from itemproof.app.generation import Settings, evaluate, prepared
from itemproof.generation.requests import Export, requests

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Server(ThreadingHTTPServer):
    """Answers a prompt with its reference; what it was asked is kept.

    Attributes:
        answers: By prompt.
        troubles: Statuses to answer with before any answer.
        asked: Headers and bodies, in order.
        most: How many requests were there at once.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, str | None] = {}
        self.troubles: list[int] = []
        self.asked: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.lock = Lock()
        self.now = self.most = 0


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
            self.server.asked.append((dict(self.headers), body))
            status = self.server.troubles.pop() if self.server.troubles else 200
        answer = self.server.answers[body["messages"][1]["content"]]
        reply = {"id": "r-1", "model": "served", "choices": [{"message": {"content": answer}}]}
        data = json.dumps({**reply, "usage": {"prompt_tokens": 3, "completion_tokens": 5}}).encode()
        with self.server.lock:
            self.server.now -= 1
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def server() -> Iterator[_Server]:
    with _Server() as running:
        thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        running.answers = {case.prompt: case.reference_expr for case in prepared(None).fixture.cases}
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def runner(server: _Server, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return _loaded(EXAMPLES / "openai_compatible_runner" / "run_model.py")


def _run(runner: ModuleType, folder: Path, *more: str) -> int:
    source = folder / "requests.jsonl"
    plan = prepared(None, ["L1"])
    source.write_text("".join(json.dumps(one) + "\n" for one in requests(plan.fixture, Export())), encoding="utf-8")
    given = [str(source), str(folder / "out.jsonl"), "--model", "m", "--pause-s", "0", *more]
    code: int = runner.main(runner.parsed(given))
    return code


def test_what_the_model_says_is_scored(runner: ModuleType, server: _Server, tmp_path: Path) -> None:
    assert _run(runner, tmp_path, "--concurrency", "3") == 0

    assert evaluate(prepared(None, ["L1"]), tmp_path / "out.jsonl", Settings(strict=True)).is_ok
    assert server.most <= 3
    headers, body = server.asked[0]
    assert headers["Authorization"] == "Bearer a-key"
    assert (body["model"], [one["role"] for one in body["messages"]]) == ("m", ["system", "user"])


def test_a_server_in_trouble_is_asked_again(runner: ModuleType, server: _Server, tmp_path: Path) -> None:
    server.troubles = [503, 429, 500]

    assert _run(runner, tmp_path, "--concurrency", "1") == 0
    assert len(server.asked) == 15


def test_a_refusal_is_not_asked_again_and_a_second_run_goes_on(
    runner: ModuleType, server: _Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.troubles = [401]

    assert _run(runner, tmp_path, "--concurrency", "1") == 1
    assert "L1-01: HTTPError" in capsys.readouterr().err
    assert _run(runner, tmp_path) == 0
    assert len(server.asked) == 13
    assert evaluate(prepared(None, ["L1"]), tmp_path / "out.jsonl", Settings()).is_ok


def test_an_answer_without_content_is_kept_as_null(runner: ModuleType, server: _Server, tmp_path: Path) -> None:
    server.answers = dict.fromkeys(server.answers)

    assert _run(runner, tmp_path) == 0
    result = evaluate(prepared(None, ["L1"]), tmp_path / "out.jsonl", Settings()).result
    assert result["summary"]["missing_output_count"] == 12

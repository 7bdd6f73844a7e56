"""An object store behind a proxy that answers as a busy, a slow, a lost or a forbidding store does."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest
import s3fs

from evidence_assets_tests.testing.object_store import object_store

# Told by each side for its own connection.
_OF_ONE_CONNECTION = ("connection", "transfer-encoding", "content-length", "expect")
_CODES = {400: "ExpiredToken", 403: "AccessDenied", 500: "InternalError", 503: "SlowDown"}
_MESSAGES = {
    400: "The provided token has expired.",
    403: "Access Denied",
    500: "We encountered an internal error.",
    503: "Please reduce your request rate.",
}


@dataclass
class Faults:
    """What goes wrong from now on.

    `share`: of requests, those that fail, with a `status` drawn of these; `after`: so many are answered
    first. `replies`: where methods are named, requests of these alone fail, and are done all the same: it is
    the reply that is lost. `seconds`: each takes so long.
    """

    client: Any
    share: float = 0.0
    statuses: tuple[int, ...] = (503,)
    after: int = 0
    replies: tuple[str, ...] = ()
    seconds: float = 0.0
    answered: int = 0
    failed: int = 0
    _random: random.Random = field(default_factory=lambda: random.Random(7))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self.share, self.after, self.replies, self.seconds = 0.0, 0, (), 0.0

    def away(self, after: int = 0) -> None:
        """The store answers every request by 503."""
        self.share, self.statuses, self.after = 1.0, (503,), self.answered + after

    def expired(self, after: int = 0) -> None:
        """The store refuses the credentials of every request."""
        self.share, self.statuses, self.after = 1.0, (400,), self.answered + after

    def draw(self, method: str) -> int:
        """The status that a request fails with; 0 where it is answered."""
        with self._lock:
            fails = self.answered >= self.after and self._random.random() < self.share
            fails = fails and method in (self.replies or (method,))
            self.answered += not fails
            self.failed += fails
            return self._random.choice(self.statuses) if fails else 0


@contextmanager
def faulty_store(bucket: str) -> Iterator[Faults]:
    """An object store with a bucket, reached by the environment, and what goes wrong on the way."""
    with object_store(bucket) as client, pytest.MonkeyPatch.context() as environment:
        faults = Faults(client)
        address = urlsplit(os.environ["AWS_ENDPOINT_URL"]).netloc
        proxy = ThreadingHTTPServer(("127.0.0.1", 0), _handler(faults, address))
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        environment.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{proxy.server_port}")
        s3fs.S3FileSystem.clear_instance_cache()
        try:
            yield faults
        finally:
            proxy.shutdown()
            proxy.server_close()


def _handler(faults: Faults, address: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            time.sleep(faults.seconds)
            status = faults.draw(self.command)
            if status and not faults.replies:
                self.answer(status, *_refusal(status))
                return
            connection = HTTPConnection(address)
            kept = {name: value for name, value in self.headers.items() if _is_passed_on(name)}
            connection.request(self.command, self.path, body, {**kept, "Content-Length": str(len(body))})
            response = connection.getresponse()
            content = response.read()
            connection.close()
            if status:
                self.answer(status, *_refusal(status))
            else:
                self.answer(response.status, _headers(response, content), content)

        def answer(self, status: int, headers: dict[str, str], content: bytes) -> None:
            self.send_response_only(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = pass_on

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


def _is_passed_on(name: str) -> bool:
    return name.lower() not in _OF_ONE_CONNECTION


def _headers(response: HTTPResponse, content: bytes) -> dict[str, str]:
    length = response.getheader("Content-Length") or str(len(content))
    kept = {name: value for name, value in response.getheaders() if _is_passed_on(name)}
    return {**kept, "Content-Length": length}


def _refusal(status: int) -> tuple[dict[str, str], bytes]:
    told = f"<Code>{_CODES[status]}</Code><Message>{_MESSAGES[status]}</Message>"
    content = f"<?xml version='1.0'?><Error>{told}</Error>".encode()
    return {"Content-Type": "application/xml", "Content-Length": str(len(content))}, content


@contextmanager
def little_patience() -> Iterator[None]:
    """Have who asks a store for something give up at once, so that a test of its absence does not wait."""
    with pytest.MonkeyPatch.context() as patience:
        patience.setenv("AWS_MAX_ATTEMPTS", "1")
        patience.setattr(s3fs.S3FileSystem, "retries", 1)
        s3fs.S3FileSystem.clear_instance_cache()
        yield
    s3fs.S3FileSystem.clear_instance_cache()

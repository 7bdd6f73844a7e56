"""A server of files on loopback that answers, refuses, redirects or breaks off, as a test says."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Answer:
    """A status, a body and headers; `missing`: bytes that the header promises beyond the body."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: int = 0


@contextmanager
def file_server(answer: Callable[[str], Answer]) -> Iterator[str]:
    """The address of a server whose answer to each path, as it is asked, the function gives."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answered = answer(self.path)
            self.send_response(answered.status)
            for name, value in answered.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answered.body) + answered.missing))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(answered.body)
            self.close_connection = bool(answered.missing)

        do_HEAD = do_GET

        def log_message(self, format: str, *values: object) -> None:
            """Say nothing: what is asked stands in no output of a test."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

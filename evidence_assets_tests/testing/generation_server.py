"""A server of the OpenAI protocol on loopback that replies, and fails, as a test says.

with ScriptedServer(lambda body, attempt: "yes" if attempt > 1 else status(500)) as server:
    OpenAiGenerator("scripted", "model", server.url)

A reply is a text (a whole, well-formed completion of it) or a `Response`: made by `answer`, `status`,
`dropped`, `silent`, `truncated`, `dripping`, or by hand.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

_POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Response:
    """What goes over the wire, and how.

    `delay`: seconds before the first byte. `drip`: seconds between the bytes of the body. `content_length`:
    what the header claims; None: the truth. `cut_after`: bytes of the body after which the connection is
    closed. `drop`: the connection is reset and nothing sent.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    content_length: int | None = None
    cut_after: int | None = None
    drop: bool = False


Script = Callable[[dict[str, Any], int], Response | str]


def completion(
    text: str | None,
    *,
    finished: str = "stop",
    refusal: str | None = None,
    prompt_tokens: int = 10,
    completion_tokens: int = 2,
    cached_tokens: int | None = None,
    log_probabilities: Sequence[float] | None = None,
) -> dict[str, Any]:
    """Return a completion as the protocol has it."""
    usage: dict[str, Any] = {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }
    if cached_tokens is not None:
        usage["prompt_tokens_details"] = {"cached_tokens": cached_tokens}
    token_log_probabilities = None
    if log_probabilities is not None:
        token_log_probabilities = {
            "content": [{"token": "t", "logprob": value} for value in log_probabilities]
        }
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return {
        "id": "completion",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [
            {"index": 0, "message": message, "logprobs": token_log_probabilities, "finish_reason": finished}
        ],
        "usage": usage,
    }


def answer(text: str | None, *, delay: float = 0.0, **more: Any) -> Response:
    """Return a whole reply; `more` as in `completion`."""
    return Response(json.dumps(completion(text, **more)).encode(), delay=delay)


def status(code: int, message: str = "failed", *, retry_after: str | None = None) -> Response:
    """Return an error as servers of the protocol state it."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    error = {"error": {"message": message, "type": "error", "param": None, "code": None}}
    return Response(json.dumps(error).encode(), code, headers)


def dropped() -> Response:
    """Return a connection reset before a byte was sent."""
    return Response(drop=True)


def silent(seconds: float) -> Response:
    """Return a reply whose first byte comes late."""
    return answer("late", delay=seconds)


def dripping(text: str, seconds_a_byte: float) -> Response:
    """Return a reply whose bytes come one by one."""
    return replace(answer(text), drip=seconds_a_byte)


def truncated(text: str, length: int = 40, *, lie: bool = False) -> Response:
    """Return the first bytes of a reply; the header tells them, or (a lie) the length of the whole."""
    body = answer(text).body
    if lie:
        return Response(body, cut_after=length)
    return Response(body[:length])


def user_text(body: Mapping[str, Any]) -> str:
    """Return what a request's user says."""
    return str(body["messages"][-1]["content"])


class ScriptedServer:
    """A server while the block lasts.

    Args:
        reply: Given a request's parsed body and how often that same body has come (from 1), says what to
            reply. It is called from several threads at once. What it raises is raised again at the end of the
            block.

    Attributes:
        requests: Parsed bodies, in the order in which they came.
        keys: Their `Authorization` headers.
        most_at_once: Most requests that were under way together.
    """

    def __init__(self, reply: Script) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.most_at_once = 0
        self._reply = reply
        self._attempts: Counter[str] = Counter()
        self._at_once = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._errors: list[BaseException] = []
        self._server: _Server | None = None

    def __enter__(self) -> ScriptedServer:
        self._server = _Server(self)
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": _POLL_SECONDS}, daemon=True
        ).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        if error is None and self._errors:
            raise self._errors[0]

    @property
    def url(self) -> str:
        """The address, up to and with `/v1`."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def users(self) -> list[str]:
        """What the requests' users said, in the order in which they came."""
        return [user_text(body) for body in self.requests]

    def begin(self, body: dict[str, Any], key: str) -> int:
        """Note a request; return how often it has come."""
        with self._lock:
            self.requests.append(body)
            self.keys.append(key)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            same = json.dumps(body, sort_keys=True)
            self._attempts[same] += 1
            return self._attempts[same]

    def end(self) -> None:
        """Note that a request is done with."""
        with self._lock:
            self._at_once -= 1

    def decide(self, body: dict[str, Any], attempt: int) -> Response:
        """Return what the script says; what it raises is kept for the end of the block."""
        try:
            reply = self._reply(body, attempt)
        except BaseException as error:
            self._errors.append(error)
            return status(500, f"the script raised {error!r}")
        return answer(reply) if isinstance(reply, str) else reply

    def waited(self, seconds: float, connection: socket.socket) -> bool:
        """Wait; return False as soon as the client has left, or the block has ended."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            readable, _, _ = select.select([connection], [], [], min(left, _POLL_SECONDS))
            if self._closing.is_set() or (readable and not connection.recv(1, socket.MSG_PEEK)):
                return False
            if readable:
                time.sleep(min(left, _POLL_SECONDS))
        return True


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 1_024

    def __init__(self, scripted: ScriptedServer) -> None:
        self.scripted = scripted
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that leave are what tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            self._send(status(404, f"no route {self.path}"))
            return
        scripted = self.server.scripted
        attempt = scripted.begin(body, self.headers.get("Authorization", ""))
        try:
            self._send(scripted.decide(body, attempt), scripted.end)
        except OSError:
            self.close_connection = True

    def _send(self, response: Response, end: Callable[[], None] = lambda: None) -> None:
        ended = False
        try:
            if response.drop:
                # No lingering: the client sees a reset, not an end.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                ended = True
                end()
                self.connection.close()
                return
            if not self._wait(response.delay):
                return
            claimed = len(response.body) if response.content_length is None else response.content_length
            headers = {"Content-Type": "application/json", "Content-Length": str(claimed), **response.headers}
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = f"HTTP/1.1 {response.status} {'OK' if response.status < 400 else 'Failed'}\r\n{lines}\r\n"
            sent = response.body if response.cut_after is None else response.body[: response.cut_after]
            if response.cut_after is not None or claimed != len(response.body):
                self.close_connection = True
            if not response.drip:
                # Before the last byte: whoever has read it may ask again at once.
                ended = True
                end()
                self.wfile.write(head.encode() + sent)
                return
            self.wfile.write(head.encode())
            for byte in sent:
                if not self._wait(response.drip):
                    return
                self.wfile.write(bytes([byte]))
        finally:
            if not ended:
                end()

    def _wait(self, seconds: float) -> bool:
        if seconds <= 0 or self.server.scripted.waited(seconds, self.connection):
            return True
        self.close_connection = True
        return False

    def log_message(self, format: str, *args: object) -> None:
        """Keep tests' output clean."""

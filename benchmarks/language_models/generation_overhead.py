"""What keeping every call of a language model costs, and what replaying them takes.

Requests through the recorded generator, each kept in a lake, against the client library alone, at one
concurrency, to one server that takes 50 ms a reply, in a process of its own. Both make their client anew. The
best of several repeats of either, in turn. Then recorded requests are answered from the lake. Bounds: less
than 5 % more time, and at least 2,000 replayed requests a second.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GENERATIONS
from evidence_assets.models.generation.openai_http import OpenAiGenerator
from evidence_assets.models.generation.protocol import Ability, Outcome, Reply, Request, Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator

REQUESTS, CONCURRENT, REPLY_SECONDS, REPEATS = 256, 8, 0.05, 5
REPLAYED, REPLAYS = 10_000, 3
SLOWER, REPLAYED_A_SECOND = 1.05, 2_000.0
SYSTEM = "You argue for one option of a question from numbered evidence, and cite what you use. " * 6
EVIDENCE = "[{place}] Swellings on the roots of white clover house bacteria called rhizobia. " * 12

_SERVER = """
import asyncio, json, sys

BODY = json.dumps({
    "id": "reply", "object": "chat.completion", "created": 0, "model": "model",
    "choices": [{"index": 0, "finish_reason": "stop",
                 "message": {"role": "assistant", "content": "It is the second option [1][3]. " * 16}}],
    "usage": {"prompt_tokens": 900, "completion_tokens": 160, "total_tokens": 1060},
}).encode()
HEAD = f"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: {len(BODY)}\\r\\n\\r\\n"

async def serve(reader, writer):
    try:
        while head := await reader.readuntil(b"\\r\\n\\r\\n"):
            lines = head.lower().split(b"\\r\\n")
            length = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
            await reader.readexactly(length)
            await asyncio.sleep(float(sys.argv[1]))
            writer.write(HEAD.encode() + BODY)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


def run() -> dict[str, Any]:
    """Return seconds with and without the record, their ratio, and requests replayed a second."""
    with _server() as url:
        recorded, direct = _overhead(url)
    replayed = _replayed_a_second()
    ratio = min(recorded) / min(direct)
    return {
        "requests": REQUESTS,
        "concurrent": CONCURRENT,
        "seconds_a_reply": REPLY_SECONDS,
        "seconds_recorded": [round(seconds, 3) for seconds in recorded],
        "seconds_direct": [round(seconds, 3) for seconds in direct],
        "times_the_time": round(ratio, 4),
        "requests_in_the_record": REPLAYED,
        "replayed_a_second": round(replayed),
        "bound": {"times_the_time": SLOWER, "replayed_a_second": REPLAYED_A_SECOND},
        "within_bound": ratio < SLOWER and replayed >= REPLAYED_A_SECOND,
    }


@contextmanager
def _server() -> Iterator[str]:
    command = [sys.executable, "-c", _SERVER, str(REPLY_SECONDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


def _overhead(url: str) -> tuple[list[float], list[float]]:
    # Before either is timed: the library's imports.
    asyncio.run(_ask_directly(url, _requests(CONCURRENT)))
    recorded, direct = [], []
    for _ in range(REPEATS):
        started = time.perf_counter()
        asyncio.run(_ask_directly(url, _requests(REQUESTS)))
        direct.append(time.perf_counter() - started)
        with tempfile.TemporaryDirectory() as folder:
            generator = OpenAiGenerator("server", "model", url, concurrent=CONCURRENT)
            recording = _recorded(generator, Path(folder))
            started = time.perf_counter()
            replies = recording.replies(_requests(REQUESTS))
            recorded.append(time.perf_counter() - started)
        assert all(reply.reply.outcome is Outcome.ANSWERED and not reply.replayed for reply in replies)
    return recorded, direct


async def _ask_directly(url: str, requests: Sequence[Request]) -> list[str]:
    """Ask as one would without this project: so many workers, and texts in a list."""
    import openai

    texts = [""] * len(requests)
    waiting = iter(enumerate(requests))
    async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:

        async def work() -> None:
            for number, request in waiting:
                completion = await client.chat.completions.create(
                    model="model",
                    messages=request.messages,  # type: ignore[arg-type]
                    max_tokens=request.sampling.max_tokens,
                    temperature=request.sampling.temperature,
                    top_p=request.sampling.top_p,
                    seed=request.sampling.seed,
                )
                texts[number] = completion.choices[0].message.content or ""

        await asyncio.gather(*(work() for _ in range(CONCURRENT)))
    assert all(texts)
    return texts


class _Instant:
    """Replies at once: what is timed is the record."""

    name = model = generator_id = "instant"
    revision = ""
    context_tokens = 8_192
    ability = Ability()

    def count_tokens(self, request: Request) -> int:
        return len(request.user) // 3

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for number, request in enumerate(requests):
            yield number, Reply(Outcome.ANSWERED, f"{request.user[:200]} [1]", 900, 160)


def _replayed_a_second() -> float:
    requests = _requests(REPLAYED)
    with tempfile.TemporaryDirectory() as folder:
        _recorded(_Instant(), Path(folder)).replies(requests)
        best = float("inf")
        for _ in range(REPLAYS):
            recording = _recorded(_Instant(), Path(folder))
            started = time.perf_counter()
            replies = recording.replies(requests)
            best = min(best, time.perf_counter() - started)
            assert all(reply.replayed for reply in replies)
    return REPLAYED / best


def _recorded(generator: Any, folder: Path) -> RecordedGenerator:
    lake = Lake(str(folder))

    def write(partition: Mapping[str, str], rows: pa.Table) -> None:
        lake.write(GENERATIONS, partition, rows)

    return RecordedGenerator(generator, lake, write)


def _requests(count: int) -> list[Request]:
    return [
        Request(
            "explain_option",
            "0" * 32,
            SYSTEM,
            f"Question {number}.\n" + EVIDENCE.format(place=number),
            Sampling(),
        )
        for number in range(count)
    ]

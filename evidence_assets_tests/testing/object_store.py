"""A real HTTP server that speaks S3, for as long as a test needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def object_store(bucket: str) -> Iterator[Any]:
    """A boto3 client of the server, with one bucket; the environment names the server for s3fs too."""
    import boto3
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
            environment.setenv("AWS_ACCESS_KEY_ID", "test")
            environment.setenv("AWS_SECRET_ACCESS_KEY", "test")
            environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
            s3fs.S3FileSystem.clear_instance_cache()
            client = boto3.client("s3")
            client.create_bucket(Bucket=bucket)
            yield client
    finally:
        server.stop()
        s3fs.S3FileSystem.clear_instance_cache()

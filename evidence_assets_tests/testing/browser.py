"""Headless Chromium, driven by its own protocol: pages as a person gets them, at any width, light or dark."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_PATIENCE = 180.0
_QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
)


class Browser:
    """One tab. `requests`, `dialogs`, `errors`: what came of the page that was opened last."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._number = connection, 0
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> Mapping[str, Any]:
        """Give a command of the DevTools protocol and return its result."""
        self._number += 1
        number = self._number
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._connection.recv(timeout=_PATIENCE))
            if message.get("id") == number:
                assert "error" not in message, message
                return dict(message["result"])
            self._note(message)

    def _note(self, message: Mapping[str, Any]) -> None:
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(parameters["message"])
        elif method == "Log.entryAdded":
            self.errors.append(parameters["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(str(parameters["exceptionDetails"]))

    def open(self, page: Path | str, width: int = 1400, dark: bool = False, height: int = 900) -> None:
        """Open a file or an address at a width, in a colour scheme."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.requests, self.dialogs, self.errors = [], [], []
        self.send("Page.navigate", url=page if isinstance(page, str) else page.as_uri())
        self.until("document.readyState == 'complete'")

    def until(self, expression: str, seconds: float = _PATIENCE) -> None:
        """Wait until a JavaScript expression holds; fail with what the page shows."""
        if not self.holds(expression, seconds):
            shown = self.value("document.body.innerText")
            raise AssertionError(f"not within {seconds:.0f} s: {expression}; the page shows:\n{shown}")

    def holds(self, expression: str, seconds: float) -> bool:
        """Tell whether a JavaScript expression comes to hold within some seconds."""
        deadline = time.monotonic() + seconds
        while not self.value(f"Boolean({expression})"):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def click(self, element: str, seconds: float = _PATIENCE) -> None:
        """Click with the mouse on the element that a JavaScript expression gives, once there is one."""
        deadline, before = time.monotonic() + seconds, None
        # What opens moves into its place.
        while (place := self._middle(element)) is None or place != before:
            assert time.monotonic() < deadline, f"not within {seconds:.0f} s: {element}"
            before = place
            time.sleep(0.1)
        x, y = place
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _middle(self, element: str) -> list[float] | None:
        place: list[float] | None = self.value(
            f"(() => {{ const place = {element}?.getBoundingClientRect();"
            " return place ? [place.x + place.width / 2, place.y + place.height / 2] : null; })()"
        )
        return place

    def write(self, text: str) -> None:
        """Write where the cursor is."""
        self.send("Input.insertText", text=text)

    def value(self, expression: str) -> Any:
        """Return what a JavaScript expression comes to."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """Press and let go of a key: Tab, Enter, ArrowRight, or one that writes `text`."""
        codes = {"Tab": 9, "Enter": 13, " ": 32, "ArrowRight": 39}
        code = codes.get(key, ord(text.upper()) if text else 0)
        common = {"key": key, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, height: int | None = None, kind: str = "png", quality: int = 82) -> bytes:
        """Return a picture of the page, whole or so many pixels from its top."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        shown = min(size["height"], height or size["height"])
        clip = {"x": 0, "y": 0, "width": size["width"], "height": shown, "scale": 1}
        options = {} if kind == "png" else {"quality": quality}
        screenshot = self.send(
            "Page.captureScreenshot", format=kind, clip=clip, captureBeyondViewport=True, **options
        )
        return base64.b64decode(screenshot["data"])


def installed() -> str | None:
    """Return the path of a browser, if there is one."""
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser with nothing remembered; skip the test, with the reason, where none is installed."""
    program = installed()
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is on the path")
    with tempfile.TemporaryDirectory(prefix="evidence-assets-browser-", ignore_cleanup_errors=True) as folder:
        options = [*_QUIET, f"--user-data-dir={folder}", "about:blank"]
        process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with connect(_address(Path(folder), process), max_size=None) as connection:
                yield Browser(connection)
        finally:
            process.terminate()
            process.wait(timeout=_PATIENCE)


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """Return the address of the browser's first tab, once it says on which port it listens."""
    from urllib.request import urlopen

    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, "the browser ended"
        port_file = folder / "DevToolsActivePort"
        if port_file.exists() and (lines := port_file.read_text().split()):
            with urlopen(f"http://127.0.0.1:{lines[0]}/json/list", timeout=_PATIENCE) as answer:
                tabs = [tab for tab in json.load(answer) if tab["type"] == "page"]
            if tabs:
                return str(tabs[0]["webSocketDebuggerUrl"])
        time.sleep(0.1)
    raise AssertionError("the browser did not say where it listens")

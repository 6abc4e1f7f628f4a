"""The page of `playout serve` in Firefox, which a socket with WebDriver BiDi steers without a driver."""

from __future__ import annotations

import base64
import itertools
import json
import re
import shutil
import subprocess
from contextlib import contextmanager

from browser import DESK, Player
from waiting import HANG_SECONDS, wait_until

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
_PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://localhost:9",
}
"""Nothing but the page is loaded and shown."""
_KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue006",
    "Space": " ",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
"""Names of keys, and the characters for them in WebDriver."""


@contextmanager
def running_firefox(folder):
    """The page of a Firefox without windows, whose profile is an empty folder."""
    from websockets.sync.client import connect

    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _PREFERENCES.items()]
    (folder / "user.js").write_text("".join(lines))
    command = [FIREFOX, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as browser:
        try:
            for line in browser.stderr:
                if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                    with connect(f"{found[1]}/session", max_size=None) as socket:
                        yield FirefoxPage(socket)
                    break
            else:
                raise RuntimeError(f"{FIREFOX} ended before it listened")
        finally:
            browser.terminate()
            browser.communicate(timeout=HANG_SECONDS)


class FirefoxPlayer(Player):
    """A player in Firefox, with what tests ask of one in Chromium."""

    def __init__(self, page, address):
        self.page = page
        self.address = address
        self.errors = page.errors


class FirefoxPage:
    """One tab of Firefox, with the methods of a page of Playwright that players need."""

    def __init__(self, socket):
        self._socket = socket
        self._ids = itertools.count()
        self.keyboard = self
        self.mouse = _Mouse(self)
        self.errors = []
        """Errors and warnings on the console, and exceptions."""
        self._command("session.new", capabilities={})
        self._command("session.subscribe", events=["log.entryAdded"])
        self._tab = {"context": self._command("browsingContext.getTree")["contexts"][0]["context"]}
        self._command("browsingContext.setViewport", **self._tab, viewport=DESK)

    def goto(self, address):
        self._command("browsingContext.navigate", **self._tab, url=address, wait="complete")

    def evaluate(self, expression, argument=None):
        """The value of an expression, or of a function of the argument."""
        return json.loads(
            self._call(
                f"""async argument => {{
                    const value = ({expression});
                    const result = await (typeof value === "function" ? value(JSON.parse(argument)) : value);
                    return JSON.stringify(result ?? null);
                }}""",
                {"type": "string", "value": json.dumps(argument)},
            )["value"]
        )

    def wait_for_function(self, expression, arg=None):
        wait_until(lambda: self.evaluate(expression, arg), f"{expression} did not become true")

    def wait_for_selector(self, selector):
        self.wait_for_function("selector => document.querySelector(selector) !== null", selector)

    def query_selector_all(self, selector):
        """Locators of the elements that there are now."""
        found = self.locator(selector)
        return [found.nth(number) for number in range(found.count())]

    def query_selector(self, selector):
        """True if there is such an element, else None."""
        return self.evaluate("selector => document.querySelector(selector) !== null || null", selector)

    def inner_text(self, selector):
        return self.evaluate("selector => document.querySelector(selector).innerText", selector)

    def is_visible(self, selector):
        return self.evaluate("selector => document.querySelector(selector)?.checkVisibility() ?? false", selector)

    def is_disabled(self, selector):
        return self.evaluate("selector => document.querySelector(selector).disabled", selector)

    def locator(self, selector):
        return _Locator(self, selector)

    def fill(self, selector, text):
        """Type a text in place of the value of an input."""
        self.evaluate("selector => document.querySelector(selector).select()", selector)
        for character in text:
            self.press(character)

    def click(self, selector, number=0):
        """Click one of the elements of a selector with the mouse, as soon as it stands still and nothing covers it.

        The box of a group with a nested picture is wrong in Firefox, so the rectangle of a cell is clicked.
        """
        self.wait_for_function(
            """async ([selector, number]) => {
                const element = document.querySelectorAll(selector)[number];
                const found = element?.querySelector(":scope > rect") ?? element;
                found?.scrollIntoView({block: "center", behavior: "instant"});
                const before = found?.getBoundingClientRect();
                await new Promise(requestAnimationFrame);
                const box = found?.getBoundingClientRect();
                if (!box || box.x !== before.x || box.y !== before.y) return false;
                const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                return element.contains(over);
            }""",
            [selector, number],
        )
        element = self._call(
            """(selector, number) => {
                const element = document.querySelectorAll(selector)[number];
                return element.querySelector(":scope > rect") ?? element;
            }""",
            {"type": "string", "value": selector},
            {"type": "number", "value": number},
        )
        origin = {"type": "element", "element": {"sharedId": element["sharedId"]}}
        self.point({"type": "pointerMove", "x": 0, "y": 0, "origin": origin})

    def point(self, move):
        """Move the mouse, and click."""
        self._perform("pointer", move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def press(self, name):
        """Press and release a key. The page gets its events, but no button of a Firefox without windows is pressed."""
        key = _KEYS.get(name, name)
        self._perform("key", {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})

    def screenshot(self):
        """The visible part of the page as PNG."""
        return base64.b64decode(self._command("browsingContext.captureScreenshot", **self._tab)["data"])

    def _perform(self, kind, *steps):
        self._command("input.performActions", **self._tab, actions=[{"type": kind, "id": kind, "actions": steps}])

    def _call(self, function, *arguments):
        done = self._command(
            "script.callFunction",
            functionDeclaration=function,
            arguments=arguments,
            target=self._tab,
            awaitPromise=True,
        )
        assert done["type"] == "success", done["exceptionDetails"]["text"]
        return done["result"]

    def _command(self, method, **parameters):
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=HANG_SECONDS))
            if message["type"] == "event":
                if message["params"]["level"] in ("error", "warn"):
                    self.errors.append(message["params"]["text"])
            elif message["id"] == number:
                assert message["type"] == "success", f"{method}: {message['error']}: {message['message']}"
                return message["result"]


class _Mouse:
    def __init__(self, page):
        self._page = page

    def click(self, x, y):
        """Click a point of the visible part of the page."""
        self._page.point({"type": "pointerMove", "x": round(x), "y": round(y)})


class _Locator:
    def __init__(self, page, selector, number=0):
        self._page, self._selector, self._number = page, selector, number

    def count(self):
        return self._page.evaluate("selector => document.querySelectorAll(selector).length", self._selector)

    def get_attribute(self, name):
        return self._page.evaluate(
            "([selector, number, name]) => document.querySelectorAll(selector)[number].getAttribute(name)",
            [self._selector, self._number, name],
        )

    @property
    def first(self):
        return self.nth(0)

    def nth(self, number):
        return _Locator(self._page, self._selector, number)

    def click(self):
        self._page.click(self._selector, self._number)

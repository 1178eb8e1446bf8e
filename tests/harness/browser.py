# SPDX-License-Identifier: MIT
"""Chromium, as tests use it: with Browser() as b: b.open(url) ...

A machine without it skips these tests, but not where CI=true: there a missing
browser is a failure."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

from harness.tap import Skip
from harness.until import equal

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "web"))
from node import environment  # noqa: E402


def chromium():
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None and os.environ.get("CI") != "true":
        raise Skip("there is no chromium here (config/setup.sh chromium)")
    assert found, "CI has no chromium"
    return found


class Browser:
    def __enter__(self):
        self.process = subprocess.Popen(
            ["node", ROOT / "tests/harness/browser.mjs", ROOT / "web",
             chromium()], env=environment(), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, kind, *_):
        wrong = self.do("wrong") if kind is None else []
        self.process.stdin.close()
        self.process.wait()
        equal(wrong, [])

    def do(self, act, **args):
        self.process.stdin.write(json.dumps({"act": act, **args}) + "\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline())
        assert "error" not in said, f"{act} {args}: {said['error']}"
        return said["said"]

    def open(self, url, width=1440, height=900, language="en", theme="dark"):
        self.do("open", width=width, height=height, language=language,
                theme=theme,
                file=url.partition("#")[0] if url.startswith("file:") else "")
        self.do("goto", url=url)

    def goto(self, url):
        self.do("goto", url=url)

    def look(self, script, argument=None):
        """What a function says in the page."""
        return self.do("look", script=script, argument=argument)

    def wait(self, script, argument=None):
        """Until a function is true in the page."""
        self.do("wait", script=script, argument=argument)

    def until_text(self, text, selector="body"):
        self.wait("([s, t]) => [...document.querySelectorAll(s)]"
                  ".some(e => e.textContent.includes(t))", [selector, text])

    def click(self, selector):
        self.do("click", selector=selector)

    def fill(self, selector, text):
        self.do("fill", selector=selector, text=text)

    def press(self, key):
        self.do("press", key=key)

    def serious(self):
        """What axe-core finds that is serious or worse."""
        return self.do("axe")

    def sticks_out(self):
        """How far the page is wider than its window."""
        return self.look(
            "() => { const m = document.getElementById('main'); return "
            "Math.max(document.documentElement.scrollWidth - innerWidth, "
            "m.scrollWidth - m.clientWidth); }")

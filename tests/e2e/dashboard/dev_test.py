#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`./run dev`: the dashboard from its sources, against a hub, with hot
reload; as careful about who asks as the hub itself."""

import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time
import urllib.parse

from harness import tap
from harness.browser import Browser
from harness.command import CommandHome
from harness.http import request
from harness.tools import start_agents, wait_for
from harness.users import become_nobody, needs_root
from harness.until import DEADLINE, contains, equal

ROOT = pathlib.Path(__file__).resolve().parents[3]
from node import environment  # noqa: E402  harness.browser has found it


def copy_of_sources(folder):
    """web/ to be changed, with the packages of the real one."""
    shutil.copytree(ROOT / "web", folder,
                    ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(ROOT / "web/node_modules")
    return folder


@contextlib.contextmanager
def developed(h, web):
    """dev.mjs at work in the home's project: (process, hub's URL, its own)."""
    env = {**h.env, "PATH": environment()["PATH"], "TMPDIR": str(h.top)}
    with subprocess.Popen(["node", web / "dev.mjs", h.build], env=env,
                          cwd=h.project, stdout=subprocess.PIPE,
                          text=True) as dev:
        try:
            urls = [dev.stdout.readline().split()[-1] for _ in range(2)]
            yield dev, *urls
        finally:
            if dev.poll() is None:
                dev.send_signal(signal.SIGINT)
            equal(dev.wait(DEADLINE), 0)


def change(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert old in text, (file, old)
    file.write_text(text.replace(old, new), encoding="utf-8")


def left(h):
    return sorted(p.name for p in h.top.glob("kuromajutsu-dev-*"))


def status(h):
    return h.run("status").returncode


@tap.test
def a_change_is_seen_at_once_and_the_hub_behind_it():
    with Browser() as b, CommandHome() as h:
        web = copy_of_sources(h.top / "web")
        h.begin()
        with developed(h, web) as (_, hub, url):
            agent, = start_agents(h.talk, "report")
            wait_for(h.talk, agent)
            b.open(url)
            b.wait("id => document.querySelector(`[data-agent='${id}'] "
                   ".st[data-s=resultReported]`)", agent)
            b.look("() => { window.isSame = true; }")
            change(web / "src/screens/live/verdict.tsx",
                   '<div className="verdict">',
                   '<div className="verdict changed">')
            b.wait("() => document.querySelector('.verdict.changed')")
            change(web / "src/screens/live/live.css", ".verdict {",
                   ".verdict { outline-offset: 7px;")
            b.wait("() => getComputedStyle(document.querySelector('.verdict'))"
                   ".outlineOffset === '7px'")
            equal(b.look("() => window.isSame"), True)
            # Its data came by the socket, and goes on coming.
            later, = start_agents(h.talk, "hang")
            b.wait("id => document.querySelector(`[data-agent='${id}'] "
                   ".st[data-s=running]`)", later)
            h.talk.call("cancel_agent", agentIds=[later])
        equal((status(h), left(h)), (0, []))


@tap.test
def nobody_else_gets_through_to_the_hub():
    with CommandHome() as h:
        h.begin()
        with developed(h, ROOT / "web") as (_, hub, url):
            port = urllib.parse.urlsplit(url).port
            own = f"127.0.0.1:{port}"
            upgrade = {"Connection": "Upgrade", "Upgrade": "websocket",
                       "Sec-WebSocket-Version": "13",
                       "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}

            def ask(path, **headers):
                named = {k.replace("_", "-"): v for k, v in headers.items()}
                return request(port, "GET", path, headers=named)[0]

            equal(ask("/api/status", Host=own), 200)
            equal(ask("/api/status", Host=own, Origin=f"http://{own}"), 200)
            equal(ask("/ws", Host=own, Origin=f"http://{own}", **upgrade), 101)
            hub_port = urllib.parse.urlsplit(hub).port
            for path in ("/api/status", "/", "/src/main.tsx", "/ws"):
                more = upgrade if path == "/ws" else {}
                for bad in ({"Host": "evil.example"},
                            {"Host": f"evil.example:{port}"},
                            {"Host": f"127.0.0.1:{hub_port}"},
                            {"Host": own, "Origin": "http://evil.example"},
                            {"Host": own, "Origin": "null"},
                            {"Host": own,
                             "Origin": f"http://127.0.0.1:{hub_port}"},
                            {"Host": own, "Sec-Fetch-Site": "cross-site"},
                            {"Host": own, "Sec-Fetch-Site": "same-site"}):
                    equal((path, bad, ask(path, **bad, **more)),
                          (path, bad, 403))
            # Vite's own socket, too: it tells of the sources.
            equal(ask("/", Host=own, Origin="http://evil.example",
                      Sec_WebSocket_Protocol="vite-hmr", **upgrade), 403)
            with open("/proc/net/tcp", encoding="utf-8") as table:
                listening = [line.split()[1] for line in table
                             if f":{port:04X} " in line and " 0A " in line]
            equal(listening, [f"0100007F:{port:04X}"])


def is_heard(port, be):
    """Whether one gets an answer, who has become somebody first."""
    child = os.fork()
    if child == 0:
        be()
        try:
            status = request(port, "GET", "/api/status")[0]
        except (OSError, http.client.HTTPException):
            status = 0
        os._exit(status == 200)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


@tap.test
def another_user_is_not_heard():
    needs_root()
    with CommandHome() as h:
        h.begin()
        with developed(h, ROOT / "web") as (_, _, url):
            port = urllib.parse.urlsplit(url).port
            equal([is_heard(port, be) for be in (lambda: None, become_nobody)],
                  [True, False])


@tap.test
def a_hub_of_its_own_ends_with_it():
    with CommandHome() as h:
        h.set(KUROMAJUTSU_AGENT_COMMAND=h.path("kuromajutsu-puppet"))
        equal(status(h), 3)
        with developed(h, ROOT / "web") as (dev, hub, url):
            equal(status(h), 0)
            contains(request(urllib.parse.urlsplit(url).port, "GET",
                             "/")[2].decode(), "/src/main.tsx")
            dev.send_signal(signal.SIGINT)
            equal(dev.wait(DEADLINE), 0)
        equal((status(h), left(h)), (3, []))


def keep_writing(folder):
    """As Vite may, which is not done with everything when it is closed; for a
    part of the time for which it is waited for."""
    folder.mkdir()
    end, i = time.monotonic() + 1, 0
    while time.monotonic() < end and folder.exists():
        with contextlib.suppress(FileNotFoundError):
            (folder / str(i := i + 1)).write_bytes(b"")


@tap.test
def what_is_still_written_when_it_ends_goes_too():
    with CommandHome() as h:
        h.begin()
        with developed(h, ROOT / "web"):
            name, = left(h)
            writer = threading.Thread(target=keep_writing,
                                      args=(h.top / name / "late",))
            writer.start()
        writer.join()
        equal(left(h), [])


if __name__ == "__main__":
    tap.run()

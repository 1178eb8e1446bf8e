# SPDX-License-Identifier: MIT
"""A person is told what happens: by a notify-send, a command and a webhook
that are real, once for each event, also over the death of a hub."""

import http.server
import json
import os
import threading

from harness import tap
from harness.hub import HubHome, read
from harness.tools import new_group, start_agents, wait_for
from harness.until import contains, equal, until

HOSTILE = "<b>&out --of; $(touch ran-shell)"
QUIET = {"failed": [], "stalled": [], "conflict": [], "groupDone": [],
         "budget": [], "noRole": []}
# Writes its words down, each ended by a 0, and its stdin.
RECORDER = """#!/bin/sh
printf '%s\\0' "$@" >{dir}/new-$$
printf '\\0' >>{dir}/new-$$
cat >>{dir}/new-$$
mv {dir}/new-$$ {dir}/$$
{more}
"""


class Told(HubHome):
    """A hub whose user sits before a desktop. Kinds that are not named are
    not told."""

    def __init__(self, more="", **kinds):
        super().__init__()
        self.bin = self.folder("bin")
        self.set(PATH=f"{self.bin}:{os.environ['PATH']}",
                 DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere")
        self.recorder("notify-send", "desktop")
        self.program = self.recorder("tell", "command", more)
        self.choose(**kinds)

    def recorder(self, name, folder, more=""):
        dir = self.folder(folder)
        path = self.bin / name
        path.write_text(RECORDER.format(dir=dir, more=more))
        path.chmod(0o755)
        return str(path)

    def choose(self, **kinds):
        self.configure({"language": "en", "notifications": {**QUIET, **kinds}})

    def had(self, folder):
        """What its program was given: (words, stdin), oldest first."""
        files = sorted((f for f in (self.top / folder).iterdir()
                        if not f.name.startswith("new-")),
                       key=lambda f: f.stat().st_mtime_ns)
        for file in files:
            words, _, said = file.read_bytes().partition(b"\0\0")
            yield [w.decode() for w in words.split(b"\0")], said

    def until_had(self, folder, count=1):
        got = until(lambda: len(seen := list(self.had(folder))) >= count
                    and seen, f"{count} by {folder}")
        equal(len(got), count)
        return got


def raised(w):
    return [e["data"] for e in w.call("notifications")["events"]][::-1]


def until_raised(w, count=1):
    got = until(lambda: len(seen := raised(w)) >= count and seen,
                f"{count} notifications")
    equal(len(got), count)
    return got


def fail(p, w, *words, group=None, more=()):
    """One agent for each of these words, which it dies with; and others."""
    prompts = list(more)
    for i, text in enumerate(words or (HOSTILE,)):
        path = p.project / f"fail-{i}.yaml"
        path.write_text(json.dumps(["init", {"stderr": text}, {"exit": 1}]))
        prompts.append(f"puppet-file: {path}")
    made = w.call("run_agents", groupId=group or new_group(w), agents=[
        {"role": "impl-code", "prompt": prompt} for prompt in prompts])
    ids = [agent["agentId"] for agent in made["agents"]]
    wait_for(w, *ids)
    return ids


@tap.test
def a_failure_is_told_at_the_desktop_and_to_the_command():
    with Told(failed=["desktop", "command"],
              command=["tell", "-x", "; touch ran-shell"]) as p:
        p.trust()
        p.hub()
        with p.session() as w:
            id, = fail(p, w)
            note, = until_raised(w)
            equal((note["kind"], note["count"], note["agentId"],
                   note["channels"]), ("failed", 1, id, ["desktop", "command"]))
            (words, _), = p.until_had("desktop")
            equal(words[:3], ["--app-name=Kuromajutsu", "--",
                              "An agent has failed"])
            contains(words[3], id)
            contains(words[3], "&lt;b&gt;&amp;out --of; $(touch ran-shell)")
            equal(len(words), 4)
            (words, said), = p.until_had("command")
            equal(words, ["-x", "; touch ran-shell"])
            equal(json.loads(said), note)
            contains(note["body"], "<b>&out")
        assert not list(p.project.rglob("ran-shell"))
        until(lambda: not list(p.state().glob("notify*/*")),
              "nothing left of the processes")


@tap.test
def many_at_once_are_one():
    with Told(failed=["desktop"]) as p:
        p.hub()
        with p.session() as w:
            group = new_group(w)
            ids = fail(p, w, *["no"] * 8, group=group)
            seen = until(lambda: sum(n["count"] for n in raised(w)) == 8
                         and raised(w), "all of them counted")
            assert len(seen) <= 2, seen  # those of one second, and the rest
            equal(seen[0]["groupId"], group)
            assert set(seen[0]["agentIds"]) <= set(ids)
            words, _ = p.until_had("desktop", len(seen))[0]
            if len(seen) == 1:
                equal(words[2], "8 agents have failed")


@tap.test
def what_a_dead_hub_had_told_is_not_told_again():
    with Told(failed=["desktop"], noRole=["desktop"]) as p:
        p.hub()
        with p.session() as w:
            fail(p, w)
            until_raised(w)
            p.until_had("desktop")
        p.replace_hub()
        with p.session() as w:
            # What comes now is told alone, and behind it nothing is left.
            fail(p, w, "again")
            contains(until_raised(w, 2)[1]["body"], "again")
            p.until_had("desktop", 2)


@tap.test
def what_a_dead_hub_had_not_told_is_told_by_the_next():
    with Told(failed=["desktop"], interval_ms=86400000) as p:
        p.hub()
        with p.session() as w:
            fail(p, w)
            until_raised(w)
            # The next is gathered for a day, or until there is another hub.
            id, = fail(p, w, "second")
        p.replace_hub()
        with p.session() as w:
            equal(until_raised(w, 2)[1]["agentId"], id)
            contains(p.until_had("desktop", 2)[1][0][3], "second")
        p.replace_hub()
        with p.session() as w:
            fail(p, w, "third")
            contains(until_raised(w, 3)[2]["body"], "third")


@tap.test
def a_checkout_runs_no_command_until_it_is_trusted():
    with Told(failed=["command"], command=["tell"]) as p:
        p.hub()
        with p.session() as w:
            fail(p, w)
            until_raised(w)
            p.until_logged("config.warning", what="notifications.command")
            equal(list(p.had("command")), [])
            p.trust()
            until(lambda: p.run("status", "--json").out and
                  "withheld" not in p.run("status").out, "trusted")
        p.replace_hub()
        with p.session() as w:
            fail(p, w)
            until_raised(w, 2)
            p.until_had("command", 1)


@tap.test
def a_command_that_does_not_end_is_ended():
    with Told(more="sleep 600", failed=["command"], command=["tell"],
              timeout_ms=300) as p:
        p.trust()
        p.hub()
        with p.session() as w:
            fail(p, w)
            p.until_had("command")
            line, = p.until_logged("notification.undelivered")
            contains(line, "command")
            contains(line, "ETIMEDOUT")
        until(lambda: not p.living("sleep"), "the end of it")


@tap.test
def a_command_that_is_not_there_is_told_in_the_log():
    with Told(failed=["command"], command=["/nowhere/at/all"]) as p:
        p.trust()
        p.hub()
        with p.session() as w:
            fail(p, w)
            contains(p.until_logged("notification.undelivered")[0], "ENOENT")


class Hook:
    """A web server that writes down what is posted to it."""

    def __init__(self, status=204):
        got = self.got = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                got.append((self.path, dict(self.headers), json.loads(body)))
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def url(self, scheme="http"):
        return f"{scheme}://127.0.0.1:{self.server.server_port}/secret?a=b"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@tap.test
def a_webhook_gets_the_same():
    with Hook() as hook, Told(failed=["webhook"], groupDone=["webhook"],
                              webhook=hook.url()) as p:
        p.trust()
        p.hub()
        with p.session() as w:
            fail(p, w)
            notes = until_raised(w, 2)
            until(lambda: len(hook.got) == 2, "both of them")
            equal(sorted(n["kind"] for n in notes), ["failed", "groupDone"])
            for path, headers, body in hook.got:
                equal(path, "/secret?a=b")
                assert body in notes
                equal(headers["Content-Type"],
                      "application/json; charset=utf-8")


@tap.test
def a_webhook_that_refuses_is_logged_without_its_address():
    for status, scheme, why in ((500, "http", "HTTP: 500"),
                                (302, "http", "HTTP: 302"),
                                (204, "https", "TLS: ")):
        with Hook(status) as hook, Told(failed=["webhook"],
                                        webhook=hook.url(scheme)) as p:
            p.trust()
            p.hub()
            with p.session() as w:
                fail(p, w)
                line, = p.until_logged("notification.undelivered")
                contains(line, why)
            assert not any("secret" in line for line in p.log())


@tap.test
def a_group_that_has_ended_is_told_with_its_outcome():
    with Told(groupDone=["desktop"]) as p:
        p.hub()
        with p.session() as w:
            group = new_group(w, description="rites\nof spring")
            fail(p, w, "no", group=group, more=["puppet: reply"])
            note, = until_raised(w)
            equal((note["kind"], note["groupId"]), ("groupDone", group))
            equal(note["body"],
                  f"{group}: 1 well, 1 badly – rites of spring")


@tap.test
def a_budget_is_told_once():
    with Told(budget=["browser"]) as p:
        p.configure({**json.loads(read(p.config)),
                     "prices": [{"model": "*", "input": 1000000,
                                 "output": 1000000}],
                     "budget": {"dayUsd": 0.01}})
        p.hub()
        with p.session() as w:
            wait_for(w, *start_agents(w, "default"))
            note, = until_raised(w)
            equal((note["kind"], note["agentId"]), ("budget", None))
            contains(note["body"], "budget.dayUsd")
        p.replace_hub()
        with p.session() as w:
            is_error, answer = w.answer(w.order(
                "run_agents", {"groupId": new_group(w), "agents": [
                    {"role": "impl-code", "prompt": "x"}]}))
            equal((is_error, answer["code"]), (True, "BUDGET_EXCEEDED"))
            equal(len(raised(w)), 1)


@tap.test
def a_hub_without_a_usable_role_says_so_once():
    with Told(noRole=["desktop"]) as p:
        p.set(KUROMAJUTSU_AGENT_COMMAND="/nowhere/agent")
        p.hub()
        with p.session() as w:
            equal(until_raised(w)[0]["kind"], "noRole")
            p.until_had("desktop")
        p.replace_hub()
        p.until_logged("health.complete", 2)
        with p.session() as w:
            equal(len(raised(w)), 1)
        p.until_had("desktop")


def findings(p):
    said = json.loads(p.run("doctor", "--json").out)
    return [(f["verdict"], f["text"]) for f in said["findings"]
            if f["subject"] == "notifications"]


@tap.test
def doctor_says_which_channels_work():
    with Told(failed=["desktop", "command", "webhook"], command=["tell"],
              webhook="https://hooks.example/secret") as p:
        desktop, command, webhook = findings(p)
        equal(desktop, ("ok", f"desktop, by {p.bin}/notify-send"))
        for key, (verdict, message) in (("command", command),
                                        ("webhook", webhook)):
            equal(verdict, "warn")
            contains(message, f"notifications.{key} does not hold")
        p.trust()
        equal(findings(p)[1:], [("ok", f"command, by {p.program}"),
                                ("ok", "webhook, to https://hooks.example")])
        p.choose(failed=["command"], webhook="http://h/")
        p.trust()
        equal([verdict for verdict, _ in findings(p)], ["warn", "warn"])
        p.choose(failed=["desktop"])
        p.set(DBUS_SESSION_BUS_ADDRESS=None, XDG_RUNTIME_DIR=None)
        (verdict, message), = findings(p)
        equal(verdict, "note")
        contains(message, "no desktop session")


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""A person is told what happens: by a notify-send and a command that are real,
once for each event, also over the death of a hub."""

import json

from harness import tap
from harness.hub import read
from harness.tools import new_group, start_agents, wait_for
from harness.until import contains, equal, until
from told import Told, fail, raised, until_raised


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
        until(lambda: not p.state("notify.old").exists(), "it is tidied up")
        until(lambda: not list(p.state().glob("notify/*")),
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


@tap.test
def an_agent_that_is_stuck_is_told_once():
    with Told(stalled=["desktop", "command"], command=["tell"]) as p:
        p.configure({**json.loads(read(p.config)),
                     "agent": {"stallWarn_ms": 300}})
        p.trust()
        p.hub()
        with p.session() as w:
            group = new_group(w)
            id, = start_agents(w, "hang", group=group)
            note, = until_raised(w)
            equal((note["kind"], note["count"], note["agentId"],
                   note["groupId"], note["agentIds"], note["title"]),
                  ("stalled", 1, id, group, [id],
                   "An agent seems to be stuck"))
            contains(note["body"], f"{id} (role impl-code, group {group})")
            (words, _), = p.until_had("desktop")
            equal(words[2:], [note["title"], note["body"]])
            (_, said), = p.until_had("command")
            equal(json.loads(said), note)
        # Another hub finds it as it was, and says nothing.
        p.replace_hub(id)
        with p.session() as w:
            other, = start_agents(w, "hang", group=group)
            until(lambda: other in raised(w)[-1]["agentIds"], "the other's")
            equal([n["agentIds"] for n in raised(w)], [[id], [other]])
            w.call("cancel_agent", agentIds=[id, other])


@tap.test
def two_on_one_file_are_told_once():
    with Told(conflict=["desktop"]) as p:
        p.hub()
        path = p.project / "edits.yaml"
        path.write_text(json.dumps([
            {"edit": {"path": "src/<b>&.c", "old": "a", "content": "b"}},
            "hang"]))
        with p.session() as w:
            group = new_group(w)
            made = w.call("run_agents", groupId=group, agents=[
                {"role": "impl-code", "prompt": f"puppet-file: {path}",
                 "workingDirectory": str(p.project)}] * 2)
            ids = [agent["agentId"] for agent in made["agents"]]
            note, = until_raised(w)
            equal((note["kind"], note["count"], note["groupId"],
                   note["title"]), ("conflict", 1, group,
                                    "Two agents have changed the same file"))
            equal(sorted(note["agentIds"]), sorted(ids))
            for word in (*ids, "src/<b>&.c"):
                contains(note["body"], word)
            (words, _), = p.until_had("desktop")
            contains(words[3], "src/&lt;b&gt;&amp;.c")
        p.replace_hub(*ids)
        with p.session() as w:
            until(lambda: all(a["conflicts"] for a in w.call("snapshot")
                              ["agents"]), "a hub that knows of it")
            equal(raised(w), [note])
            w.call("cancel_agent", agentIds=ids)


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

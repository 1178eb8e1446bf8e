#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How projects stand, for people: by the API, now and then, and on the command
line."""

import json
import os

from harness import tap
from harness.http import request
from harness.tools import roles_are_judged
from harness.until import contains, equal, until
from talks import NAMES, call, end, inject, served, states


def asked(home, wire, query=""):
    port = int(home.url(wire).rsplit(":", 1)[1].strip("/"))
    status, _, body = request(port, "GET", f"/api/phases{query}")
    return status, json.loads(body)


def stands(said, project):
    for one in said["projects"]:
        if one["projectPath"] == project:
            return [p["status"] for p in one["phases"]]
    return None


@tap.test
def the_api_tells_how_each_project_stands_and_what_is_asked():
    with served() as (home, talk), home.session() as wire:
        other = str(home.folder("other"))
        end(talk, "phase0", summary="s", outputFiles=["a.md"])
        end(talk, "phase0", path=other)
        end(talk, "phase1", path=other)
        status, said = asked(home, wire)
        equal(status, 200)
        equal(stands(said, os.path.realpath(home.project))[:2],
              ["completed", "in_progress"])
        equal(stands(said, other)[:3],
              ["completed", "completed", "in_progress"])
        equal([p["phase"] for p in said["prompts"]], NAMES)
        contains(said["prompts"][0]["content"], "Phase 0")
        _, said = asked(home, wire, f"?projectPath={other}")
        equal([p["projectPath"] for p in said["projects"]], [other])
        equal(asked(home, wire, "?projectPath=/nonexistent")[0], 400)
        equal(asked(home, wire, "?at=yesterday")[0], 400)


@tap.test
def a_past_moment_is_as_it_was():
    with served() as (home, talk), home.session() as wire:
        def moment():
            return wire.ask("events", {"limit": 500, "type": "phase:changed"})[
                "events"]

        before = wire.ask("snapshot")["seq"]
        end(talk, "phase0", summary="s")
        first = until(lambda: len(found := moment()) == 2 and found,
                      "two events")[-1]["seq"]
        call(talk, "save_phase_result", phase="phase1",
             result={"checkpoint": "c", "data": {"n": 1}})
        end(talk, "phase1")
        until(lambda: len(moment()) == 5, "five events")
        own = os.path.realpath(home.project)
        for at, wanted in ((before, ["pending"] * 5),
                           (first, ["completed", "in_progress", "pending",
                                    "pending", "pending"]),
                           (moment()[-1]["seq"], states(talk))):
            _, said = asked(home, wire, f"?at={at}")
            equal((at, stands(said, own)), (at, wanted))
        one = asked(home, wire, f"?at={first}")[1]["projects"][0]["phases"][1]
        equal([one["result"], one["checkpoints"]], [None, []])
        equal(asked(home, wire, "?at=100000")[0], 400)


def prompts(home, wire, query=""):
    return asked(home, wire, query)[1]["prompts"]


@tap.test
def a_prompt_is_shown_as_it_would_be_handed_out_with_its_origin():
    with served({"promptDirectory": "prompts"}) as (home, talk), \
            home.session() as wire:
        folder = home.project / "prompts"
        folder.mkdir()
        file = folder / "phase1.md"
        file.write_text("# Ours\n\nDo it.")
        (folder / "phase2.md").write_bytes(b"\xff\xfe")
        zero, one, two, *_ = prompts(home, wire)
        equal([zero["source"], zero["origin"], zero["version"],
               zero["fetchedAt"], zero["isStale"]],
              ["builtin", None, 1, None, False])
        equal([one["source"], one["origin"], one["title"], one["content"],
               one["version"], one["fetchedAt"]],
              ["file", os.path.realpath(file), "Ours", "# Ours\n\nDo it.", 1,
               None])
        equal([two["source"], two["content"], two["version"]],
              ["file", "", 0])
        contains(two["origin"], "prompts/phase2.md")
        assert two["problem"], two
        # Handed out it has a time; changed, the next version and none yet.
        given = inject(talk, "phase1")[1]
        one = prompts(home, wire)[1]
        equal([one["version"], one["fetchedAt"]], [1, given["fetchedAt"]])
        file.write_text("# Ours, again")
        one = prompts(home, wire)[1]
        equal([one["version"], one["fetchedAt"], one["content"]],
              [2, None, "# Ours, again"])
        # What lies there no more is not asked any more.
        file.unlink()
        equal(prompts(home, wire)[1]["source"], "builtin")


@tap.test
def plans_are_told_with_the_moment_from_which_they_were_there():
    with served() as (home, talk), home.session() as wire:
        roles_are_judged(talk)
        before = wire.ask("snapshot")["seq"]
        made = wire.ask("run_phases", {"text": "A shop.\npuppet: reply",
                                       "projectPath": str(home.project),
                                       "from": "phase4"})
        event = until(lambda: wire.ask("events", {
            "limit": 500, "type": "phase:planned"})["events"], "it")[0]
        plan = {"groupId": made["groupId"], "from": "phase4",
                "projectPath": os.path.realpath(home.project)}
        equal({**event["data"], **plan}, event["data"])
        equal(asked(home, wire)[1]["projects"][0]["plans"], [event["data"]])
        equal(asked(home, wire, f"?at={before}")[1]["projects"][0]["plans"],
              [])
        equal(asked(home, wire, f"?at={event['seq']}")[1]["projects"][0][
            "plans"], [event["data"]])


@tap.test
def a_project_of_which_nothing_is_entered_yet_is_told_too():
    with served() as (home, talk), home.session() as wire:
        roles_are_judged(talk)
        other = str(home.folder("other"))
        wire.ask("run_phases", {"text": "puppet: hang", "projectPath": other})
        equal(stands(asked(home, wire)[1], other), ["pending"] * 5)


@tap.test
def the_command_line_shows_and_runs():
    with served() as (home, talk):
        roles_are_judged(talk)
        done = home.run("phases", "run", "--from", "phase0", "puppet: reply")
        equal(done.returncode, 0)
        contains(done.out, "grp-")
        until(lambda: states(talk) == ["completed"] * 5, "all of it")
        shown = home.run("phases", "status")
        for name in NAMES:
            contains(shown.out, name)
        contains(shown.out, "completed")
        said = json.loads(home.run("phases", "status", "--json").out)
        equal(stands(said, os.path.realpath(home.project)), ["completed"] * 5)
        for words in ((), ("walk",), ("run",), ("run", "--from", "phase9", "x"),
                      ("status", "too", "much")):
            equal((words, home.run("phases", *words).returncode), (words, 2))
        equal(home.run("phases", "status", "--project-path",
                       "/nonexistent").returncode, 1)


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The five phases of a mock-up, by MCP clients: their prompts, their order,
what is kept on the way and over the death of a hub."""

import json
import os
import signal
import sqlite3

from harness import inner, tap
from harness.http import Connection, Message
from harness.tools import roles_are_judged
from harness.until import contains, equal, until
from talks import (NAMES, TIME, age, another, call, context, end, error, inject,
                   served, states, text_of)

PENDING = {"status": "pending", "startedAt": None, "completedAt": None,
           "result": None, "outputFiles": [], "attempts": 0, "checkpoints": []}


# ---- prompts ----------------------------------------------------------------

@tap.test
def a_prompt_is_handed_out_and_then_from_the_copy():
    for language, word in (("en", "Requirements"), ("ja", "要件定義")):
        with served(language=language) as (_, talk):
            text, first = inject(talk, "phase0")
            contains(text.splitlines()[0], "Phase 0")
            contains(text, word)
            equal([first["phase"], first["version"], first["cached"]],
                  ["phase0", 1, False])
            assert TIME.fullmatch(first["fetchedAt"]), first
            again = inject(talk, "phase0")[1]
            equal([again["cached"], again["fetchedAt"]],
                  [True, first["fetchedAt"]])


@tap.test
def every_phase_has_a_prompt_that_names_its_tools():
    for language in ("en", "ja"):
        with served(language=language) as (_, talk):
            for i, name in enumerate(NAMES):
                text, about = inject(talk, name)
                contains(text, f"# Phase {i}: ")
                contains(text, "save_phase_result")
                contains(text, f'currentPhase: "{name}"')
                equal(about["source"], "builtin")


@tap.test
def a_copy_is_not_used_beyond_its_time():
    with served({"cacheTtl_ms": 0}) as (_, talk):
        for _ in range(2):
            equal(inject(talk, "phase0")[1]["cached"], False)
    with served({"cacheTtl_ms": 60000}) as (home, talk):
        inject(talk, "phase0")
        equal(inject(talk, "phase0")[1]["cached"], True)
        age(home, 60001)
        again = inject(talk, "phase0")[1]
        equal([again["cached"], again["version"]], [False, 1])
        age(home, -5000)  # fetched in the future: a clock was set back
        equal(inject(talk, "phase0")[1]["cached"], False)


@tap.test
def the_time_of_copies_may_come_from_the_environment():
    with served(CACHE_TTL="0") as (_, talk):
        inject(talk, "phase0")
        equal(inject(talk, "phase0")[1]["cached"], False)
    with served(CACHE_TTL="one hour") as (home, talk):
        inject(talk, "phase0")
        equal(inject(talk, "phase0")[1]["cached"], True)
        contains(home.run("status").err + home.run("doctor").out, "CACHE_TTL")


@tap.test
def the_project_and_earlier_results_are_told_with_it():
    with served() as (home, talk):
        path = str(home.project)
        text, _ = inject(talk, "phase1", context={
            "projectPath": path,
            "previousPhaseResults": {"phase0": {"summary": "要件"}}})
        assert text.startswith(f"Project Path: {path}\n\n# Phase 1"), text
        contains(text, "Previous phase results\n\n```json\n"
                 '{"phase0":{"summary":"要件"}}\n```')
        text, _ = inject(talk, "phase1", projectPath=path)
        assert text.startswith(f"Project Path: {path}\n\n"), text


@tap.test
def a_file_of_the_project_wins_and_holds_when_it_is_changed():
    with served({"promptDirectory": "prompts"}) as (home, talk):
        folder = home.project / "prompts"
        equal(inject(talk, "phase0")[1]["source"], "builtin")
        folder.mkdir()
        own = folder / "phase0.md"
        own.write_text("# Phase 0: ours\n\nDo it.")
        text, about = inject(talk, "phase0")
        equal((text, about["source"], about["version"], about["cached"]),
              ("# Phase 0: ours\n\nDo it.", "file", 1, False))
        equal(inject(talk, "phase0")[1]["cached"], True)
        own.write_text("# Phase 0: ours, again")
        text, about = inject(talk, "phase0")
        equal((text, about["version"], about["cached"]),
              ("# Phase 0: ours, again", 2, False))
        equal(inject(talk, "phase1")[1]["source"], "builtin")


@tap.test
def a_file_that_cannot_be_used_is_named():
    with served({"promptDirectory": "prompts"}) as (home, talk):
        folder = home.project / "prompts"
        folder.mkdir()
        for content in (b"", b"\xff\xfe", b"x" * (200 * 1024 + 1)):
            (folder / "phase0.md").write_bytes(content)
            refused = error(talk, "inject_phase_prompt", phase="phase0")
            equal(refused["code"], "PROMPT_NOT_FOUND")
            contains(refused["message"], "prompts/phase0.md")
        equal(context(talk, "phase0")["status"], "pending")
        # A checkout's name for another's file is not followed.
        secret = home.top / "secret"
        secret.write_text("secret")
        (folder / "phase1.md").symlink_to(secret)
        os.mkfifo(folder / "phase2.md")
        for name in ("phase1", "phase2"):
            assert "secret" not in inject(talk, name)[0]


# ---- the order of phases ----------------------------------------------------

@tap.test
def a_phase_is_ended_and_the_next_begins():
    with served() as (_, talk):
        inject(talk, "phase0")
        made = end(talk, "phase0", outputFiles=["docs/requirements.md"],
                   summary="要件定義・技術設計が完了しました。")
        equal(text_of(made).splitlines()[0], "Phase 0 completed successfully. "
              "Transitioning to Phase 1...")
        contains(text_of(made), "phase=phase1")
        equal(made["nextPhase"], "phase1")
        assert TIME.fullmatch(made["transitionedAt"]), made
        zero = context(talk, "phase0")
        equal([zero["status"], zero["result"], zero["outputFiles"],
               zero["attempts"]],
              ["completed", {"status": "completed",
                             "outputFiles": ["docs/requirements.md"],
                             "summary": "要件定義・技術設計が完了しました。"},
               ["docs/requirements.md"], 1])
        assert zero["startedAt"] <= zero["completedAt"], zero
        equal(states(talk), ["completed", "in_progress", "pending", "pending",
                             "pending"])


@tap.test
def all_five_in_their_order():
    with served() as (_, talk):
        for i, name in enumerate(NAMES):
            made = end(talk, name, "partial" if i == 2 else "completed")
            equal(made["nextPhase"], NAMES[i + 1] if i < 4 else None)
        equal(text_of(made), "Phase 4 completed. All phases finished!")
        equal(states(talk), ["completed"] * 5)
        equal(context(talk, "phase2")["result"], {"status": "partial"})
        refused = error(talk, "transition_to_next_phase",
                        currentPhase="phase4", result={"status": "completed"})
        equal([refused["code"], refused["details"]],
              ["INVALID_PHASE_TRANSITION",
               {"currentPhase": "phase4", "status": "completed",
                "expected": None}])


@tap.test
def what_is_out_of_order_is_refused():
    done = {"status": "completed"}
    with served() as (_, talk):
        end(talk, "phase0")
        for name, status in (("phase0", "completed"), ("phase3", "pending")):
            refused = error(talk, "transition_to_next_phase",
                            currentPhase=name, result=done)
            equal([refused["code"], refused["details"]],
                  ["INVALID_PHASE_TRANSITION",
                   {"currentPhase": name, "status": status,
                    "expected": "phase1"}])
            contains(refused["message"], "phase1")
        inject(talk, "phase3")  # to read it is no crime, to end it is
        equal(error(talk, "transition_to_next_phase", currentPhase="phase3",
                    result=done)["details"]["status"], "in_progress")
    with served({"enforceOrder": False}) as (_, talk):
        equal(end(talk, "phase3")["nextPhase"], "phase4")
        equal(error(talk, "transition_to_next_phase", currentPhase="phase3",
                    result=done)["code"], "INVALID_PHASE_TRANSITION")


@tap.test
def one_that_has_failed_stays_and_is_begun_again():
    with served() as (_, talk):
        inject(talk, "phase0")
        refused = error(talk, "transition_to_next_phase",
                        currentPhase="phase0",
                        result={"status": "failed", "summary": "no answers",
                                "outputFiles": ["a.md"]})
        equal(refused["code"], "INVALID_PHASE_TRANSITION")
        contains(refused["message"], "no answers")
        zero = context(talk, "phase0")
        equal([zero["status"], zero["result"]["summary"], zero["completedAt"]],
              ["failed", "no answers", None])
        equal(context(talk, "phase1")["status"], "pending")
        inject(talk, "phase0")
        zero = context(talk, "phase0")
        equal([zero["status"], zero["attempts"], zero["outputFiles"]],
              ["in_progress", 2, ["a.md"]])
        end(talk, "phase0", outputFiles=["b.md", "a.md", "b.md"])
        zero = context(talk, "phase0")
        equal([zero["outputFiles"], zero["result"]["outputFiles"]],
              [["a.md", "b.md"], ["b.md", "a.md", "b.md"]])


# ---- checkpoints ------------------------------------------------------------

@tap.test
def what_is_kept_on_the_way_is_read_back():
    with served() as (_, talk):
        equal(context(talk, "phase3"), {"phase": "phase3", **PENDING})
        data = {"filesGenerated": 5, "remainingTasks": ["css_styling"]}
        saved = call(talk, "save_phase_result", phase="phase3", result={
            "checkpoint": "html_structure_completed", "data": data})
        equal(text_of(saved), "Phase 3 progress saved at checkpoint: "
              "html_structure_completed")
        three = context(talk, "phase3")
        equal([three["status"], three["result"], three["checkpoints"]],
              ["in_progress", {"checkpoint": "html_structure_completed",
                               "data": data},
               [{"checkpoint": "html_structure_completed",
                 "savedAt": saved["savedAt"]}]])
        equal(context(talk, "phase3", includeResults=False)["result"], None)
        call(talk, "save_phase_result", phase="phase3", result={
            "checkpoint": "html_structure_completed", "data": {"n": 2}})
        three = context(talk, "phase3")
        equal([three["result"]["data"], len(three["checkpoints"])],
              [{"n": 2}, 2])


@tap.test
def what_is_completed_takes_checkpoints_and_stays_completed():
    with served() as (_, talk):
        end(talk, "phase0", summary="s")
        call(talk, "save_phase_result", phase="phase0",
             result={"checkpoint": "late", "data": {}})
        inject(talk, "phase0")
        zero = context(talk, "phase0")
        equal([zero["status"], zero["result"]["summary"],
               zero["checkpoints"][0]["checkpoint"], zero["attempts"]],
              ["completed", "s", "late", 1])


@tap.test
def so_many_are_kept_and_not_more():
    with served() as (home, talk):
        for i in range(1010):
            talk.order("save_phase_result", {"phase": "phase0", "result": {
                "checkpoint": f"c{i}", "data": {}}})
        call(talk, "save_phase_result", phase="phase0",
             result={"checkpoint": "last", "data": {}})
        zero = context(talk, "phase0")
        equal([len(zero["checkpoints"]), zero["checkpoints"][-1]["checkpoint"]],
              [100, "last"])
        with sqlite3.connect(home.state("kuromajutsu.db")) as db:
            equal(db.execute("SELECT count(*) FROM phase_checkpoints")
                  .fetchone(), (1000,))
        db.close()


# ---- projects ---------------------------------------------------------------

@tap.test
def projects_know_nothing_of_each_other():
    with served() as (home, talk):
        a, b = home.folder("a"), home.folder("b")
        (home.top / "link").symlink_to(a)
        end(talk, "phase0", path=str(a))
        equal(context(talk, "phase0", projectPath=str(b))["status"], "pending")
        equal(context(talk, "phase0")["status"], "pending")
        for same in (f"{a}/", f"{a}/../a", str(home.top / "link")):
            equal(context(talk, "phase0", projectPath=same)["status"],
                  "completed")
        inject(talk, "phase0", context={"projectPath": str(b)})
        equal(context(talk, "phase0", projectPath=str(b))["status"],
              "in_progress")
        # The argument is before the context's.
        inject(talk, "phase1", projectPath=str(a),
               context={"projectPath": str(b)})
        equal(context(talk, "phase1", projectPath=str(b))["status"], "pending")


@tap.test
def a_project_that_is_none_is_named():
    with served() as (home, talk):
        file = home.top / "file"
        file.write_text("")
        for path in ("/nonexistent/x", str(file), "a" * 4000, "/" * 4095 + "x"):
            for tool, args in TOOLS:
                refused = error(talk, tool, projectPath=path, **args)
                equal(refused["code"], "VALIDATION_ERROR")
                contains(refused["message"], "projectPath")
        refused = error(talk, "inject_phase_prompt", phase="phase0",
                        context={"projectPath": "/nonexistent"})
        contains(refused["message"], "context.projectPath")


# ---- bad arguments ----------------------------------------------------------

RESULT = {"status": "completed"}
POINT = {"checkpoint": "c", "data": {}}
TOOLS = [("inject_phase_prompt", {"phase": "phase0"}),
         ("transition_to_next_phase",
          {"currentPhase": "phase0", "result": RESULT}),
         ("get_phase_context", {"phase": "phase0"}),
         ("save_phase_result", {"phase": "phase0", "result": POINT})]


@tap.test
def bad_arguments_are_told_by_their_field():
    odd = [None, 7, "", [], "phase9", "phase", "PHASE0", "phase0 ", "\0", {}]
    wrong = [(tool, name, {**args, name: value})
             for tool, args in TOOLS for name in args if name != "result"
             for value in odd]
    wrong += [("transition_to_next_phase", field, {
        "currentPhase": "phase0", "result": value}) for field, value in (
            ("result", None), ("result", "completed"), ("result", []),
            ("result.status", {}), ("result.status", {"status": "done"}),
            ("result.status", {"status": None}),
            ("result.outputFiles", {**RESULT, "outputFiles": "a"}),
            ("result.outputFiles[1]", {**RESULT, "outputFiles": ["a", 1]}),
            ("result.summary", {**RESULT, "summary": 1}))]
    wrong += [("save_phase_result", field, {
        "phase": "phase0", "result": value}) for field, value in (
            ("result.checkpoint", {"data": {}}),
            ("result.checkpoint", {"checkpoint": " \n", "data": {}}),
            ("result.checkpoint", {"checkpoint": "x" * 201, "data": {}}),
            ("result.data", {"checkpoint": "c"}),
            ("result.data", {"checkpoint": "c", "data": "text"}))]
    wrong += [("inject_phase_prompt", field, {"phase": "phase0", **args})
              for field, args in (
                  ("context", {"context": "x"}),
                  ("context.projectPath", {"context": {"projectPath": 1}}),
                  ("context.previousPhaseResults",
                   {"context": {"previousPhaseResults": []}}),
                  ("projectPath", {"projectPath": ""}),
                  ("extra", {"extra": 1}))]
    wrong += [("get_phase_context", "includeResults",
               {"phase": "phase0", "includeResults": "true"})]
    for language in ("en", "ja"):
        with served(language=language) as (_, talk):
            for tool, field, args in wrong:
                refused = error(talk, tool, **args)
                equal((tool, args, refused["code"]),
                      (tool, args, "VALIDATION_ERROR"))
                contains(refused["message"], field)
                equal(refused["details"]["path"], field)
            equal(states(talk), ["pending"] * 5)


@tap.test
def what_is_too_long_is_refused_and_leaves_nothing():
    with served() as (_, talk):
        long = "x" * (1 << 20)
        refused = error(talk, "save_phase_result", phase="phase0",
                        result={"checkpoint": "c", "data": {"x": long}})
        contains(refused["message"], "result.data")
        refused = error(talk, "transition_to_next_phase",
                        currentPhase="phase0",
                        result={"status": "completed", "more": long})
        contains(refused["message"], "result ")
        refused = error(talk, "transition_to_next_phase",
                        currentPhase="phase0",
                        result={"status": "completed", "outputFiles": [
                            f"{i}-" + "x" * 1000 for i in range(100)]})
        contains(refused["message"], "result.outputFiles")
        equal(states(talk), ["pending"] * 5)


# ---- who may ----------------------------------------------------------------

@tap.test
def a_plain_sub_agent_has_none_of_it():
    with served(before=inner.install) as (home, talk):
        roles_are_judged(talk)
        _, said = inner.answers(home, talk, [[t, a] for t, a in TOOLS])
        for is_error, body in said:
            assert is_error, body
            equal(body["error"]["code"], "VALIDATION_ERROR")
            contains(body["error"]["message"], "may not")
        equal(states(talk), ["pending"] * 5)


# ---- ways in ----------------------------------------------------------------

def over_http(url, era, tool, **args):
    with Connection(url) as line:
        answer = Message("tools/call", {"name": tool, "arguments": args},
                         era=era).post(line, "/mcp/phases")
        equal(answer.status, 200)
        return answer.message["result"]


@tap.test
def over_http_it_is_the_same():
    with served() as (home, talk):
        with home.session() as wire:
            url = home.url(wire)
            for era in ("legacy", "modern"):
                result = over_http(url, era, "inject_phase_prompt",
                                   phase="phase0")
                equal(result.get("resultType"),
                      "complete" if era == "modern" else None)
                equal(result["metadata"]["phase"], "phase0")
                contains(text_of(result), "Phase 0")
            moved = over_http(url, "modern", "transition_to_next_phase",
                              currentPhase="phase0", result=RESULT)
            equal(moved["nextPhase"], "phase1")
            again = over_http(url, "legacy", "transition_to_next_phase",
                              currentPhase="phase0", result=RESULT)
            equal(again["isError"], True)
        equal(context(talk, "phase0")["status"], "completed")


@tap.test
def older_clients_have_the_members_beside_the_content():
    with served() as (home, _):
        talk = home.relay().talk
        talk.hello("2024-11-05")
        result = talk.result(talk.order("inject_phase_prompt",
                                        {"phase": "phase0"}))
        assert "structuredContent" not in result, result
        equal(result["metadata"]["phase"], "phase0")
        result = talk.result(talk.order("get_phase_context",
                                        {"phase": "phase0"}))
        equal(json.loads(text_of(result)), result["context"])


@tap.test
def the_tools_stand_alone_and_are_short():
    with served() as (home, talk):
        alone = home.start("mcp", "--toolsets", "phases").talk
        alone.hello()
        tools = alone.request("tools/list")["result"]["tools"]
        equal([t["name"] for t in tools], [
            "inject_phase_prompt", "transition_to_next_phase",
            "get_phase_context", "save_phase_result"])
        for tool in tools:
            assert tool["description"].startswith("[Phase] "), tool
            assert len(tool["description"]) <= 200, tool
        size = len(json.dumps(tools, ensure_ascii=False,
                              separators=(",", ":")).encode())
        assert size <= 4000, size
        listed = talk.request("tools/list")["result"]["tools"]
        size = len(json.dumps(listed, ensure_ascii=False,
                              separators=(",", ":")).encode())
        assert size <= 32000, size


# ---- what others hear of it -------------------------------------------------

@tap.test
def agents_are_told_of_a_transition_by_mail():
    with served() as (home, talk):
        talk.call("agent_register", agent_id="coder", name="Coder")
        waiting = another(home)
        id = waiting.order("agent_receive_messages",
                           {"agent_id": "waiter", "wait_ms": 60000})
        until(lambda: "waiter" in mailboxes(home), "one that waits")
        end(talk, "phase0", summary="s")
        for told in (waiting.result(id)["structuredContent"],
                     talk.call("agent_receive_messages", agent_id="coder")):
            message, = told["messages"]
            equal([message["sender_id"], message["message_type"],
                   message["content"]],
                  ["phases", "context", "Phase 0 completed successfully. "
                   "Transitioning to Phase 1..."])
            equal(message["metadata"], {
                "projectPath": os.path.realpath(home.project),
                "phase": "phase0", "status": "completed",
                "nextPhase": "phase1"})


def mailboxes(home):
    with sqlite3.connect(home.state("kuromajutsu.db"), timeout=30) as db:
        found = [row[0] for row in db.execute("SELECT id FROM mail_agents")]
    db.close()
    return found


@tap.test
def every_change_is_an_event_with_the_whole_record():
    with served() as (home, talk):
        end(talk, "phase0", summary="s")
        call(talk, "save_phase_result", phase="phase1",
             result={"checkpoint": "c", "data": {"n": 1}})
        with home.session() as wire:
            seen = until(lambda: [
                e["data"] for e in wire.ask("events", {
                    "limit": 200, "type": "phase:changed"})["events"]][2:],
                "three events")
            equal(len(seen), 1)
            said = dict(seen[0])
            equal(said.pop("projectPath"), os.path.realpath(home.project))
            said.pop("updatedAt")
            equal(said, context(talk, "phase1"))


# ---- the death of a hub -----------------------------------------------------

@tap.test
def nothing_is_lost_with_the_hub():
    with served() as (home, talk):
        end(talk, "phase0", summary="s", outputFiles=["a"])
        call(talk, "save_phase_result", phase="phase1",
             result={"checkpoint": "c", "data": {"n": 1}})
        before = [context(talk, name) for name in NAMES]
        os.kill(home.hub_pid(), signal.SIGKILL)
        equal([context(talk, name) for name in NAMES], before)
        os.kill(home.hub_pid(), signal.SIGKILL)
        equal(end(talk, "phase1")["nextPhase"], "phase2")


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What MCP clients read of projects besides tools: resources and prompts."""

import json
import os
import signal

from harness import tap
from harness.http import Connection, Message
from harness.hub import patient_home
from harness.mcp import meta
from harness.until import contains, equal
from talks import SECRET, agent, frontend, login, project, served, task

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
TEMPLATES = ["agent://{id}", "project://{id}", "task://{id}",
             "context://{taskId}", "handoff://{taskId}"]
PROMPTS = {"task_start": ["task_id", "agent_id"],
           "handoff_template": ["task_id", "from_agent_id"],
           "context_summary": ["task_id"], "task_breakdown": ["task_id"],
           "status_report": ["project_id"]}


def ask(talk, method, **params):
    answer = talk.request(method, params)
    assert "result" in answer, answer
    return answer["result"]


def wrong(talk, method, **params):
    """The code, the text and the data of a request that is refused."""
    error = talk.request(method, params)["error"]
    return error["code"], error["message"], error.get("data")


def read(talk, uri):
    """What a resource has."""
    content, = ask(talk, "resources/read", uri=uri)["contents"]
    equal([content["uri"], content["mimeType"]], [uri, "application/json"])
    return json.loads(content["text"])


def prompt(talk, name, **arguments):
    said = ask(talk, "prompts/get", name=name, arguments=arguments)
    message, = said["messages"]
    equal([message["role"], message["content"]["type"]], ["user", "text"])
    assert said["description"], said
    return message["content"]["text"]


def scene(talk):
    """A task with a past: contexts, and a handoff that waits."""
    frontend(talk)
    task(talk, "tsk_first", status="todo")
    task(talk, "tsk_1", description="Make it blue", priority="high",
         dependencies=[])
    for words in ("began", "half of it"):
        talk.call("save_context", task_id="tsk_1", agent_id="agt_developer",
                  progress=words, next_steps="the rest")
    talk.call("create_handoff", task_id="tsk_1", summary="please finish",
              from_agent_id="agt_developer", to_agent_id="agt_reviewer",
              recommendations="hurry")


# ---- resources --------------------------------------------------------------

@tap.test
def what_can_be_read_is_told_without_a_hub():
    with patient_home() as home:
        talk = home.relay().talk
        offered = talk.hello()["capabilities"]
        equal([offered["resources"], offered["prompts"]], [{}, {}])
        listed = ask(talk, "resources/templates/list")["resourceTemplates"]
        equal([t["uriTemplate"] for t in listed], TEMPLATES)
        equal([t["name"] for t in listed],
              ["Agent by ID", "Project by ID", "Task by ID", "Task Context",
               "Task Handoff"])
        equal({t["mimeType"] for t in listed}, {"application/json"})
        known = ask(talk, "prompts/list")["prompts"]
        equal({p["name"]: [a["name"] for a in p["arguments"]] for p in known},
              PROMPTS)
        assert all(a["required"] for p in known for a in p["arguments"])
        for method in ("resources/templates/list", "prompts/list"):
            equal(wrong(talk, method, cursor="x")[0], -32602)


@tap.test
def titles_are_for_versions_that_have_them_and_words_in_both_languages():
    for language in ("en", "ja"):
        with patient_home() as home:
            for version in VERSIONS:
                talk = home.relay(KUROMAJUTSU_LANGUAGE=language).talk
                talk.hello(version)
                for method, name in (("resources/templates/list",
                                      "resourceTemplates"),
                                     ("prompts/list", "prompts")):
                    for one in ask(talk, method)[name]:
                        equal("title" in one, version >= "2025-06-18")
                        equal(one["description"].isascii(), language == "en")


@tap.test
def only_the_toolset_of_projects_has_any():
    with patient_home() as home:
        for words in ("kuro,mail", "phases", "pm_admin"):
            talk = home.start("mcp", "--toolsets", words).talk
            offered = talk.hello()["capabilities"]
            equal(set(offered) & {"resources", "prompts"}, set())
            for method in ("resources/list", "prompts/list", "prompts/get"):
                equal(wrong(talk, method)[0], -32601)
        # What no toolset has is no more than before.
        talk = home.start("mcp", "--toolsets", "pm").talk
        talk.hello()
        for method in ("resources/subscribe", "completion/complete"):
            equal(wrong(talk, method, uri="task://x")[0], -32601)


@tap.test
def an_agent_of_the_runner_has_them_and_other_agents_have_not():
    with patient_home() as home:
        for which, has in (("runner", True), ("agent", False)):
            talk = home.relay(KUROMAJUTSU_TOOLS=which).talk
            equal("prompts" in talk.hello()["capabilities"], has)


@tap.test
def each_template_is_read():
    with served() as (_, talk):
        scene(talk)
        task_now = talk.call("get_task", task_id="tsk_1")
        equal(read(talk, "task://tsk_1"), task_now)
        equal(task_now["latest_context"]["progress"], "half of it")
        equal(read(talk, "project://prj_frontend"),
              talk.call("get_project", project_id="prj_frontend"))
        contexts = read(talk, "context://tsk_1")
        equal([contexts["task_id"],
               [c["progress"] for c in contexts["contexts"]]],
              ["tsk_1", ["half of it", "began"]])
        handoffs = read(talk, "handoff://tsk_1")
        equal(handoffs["handoffs"],
              talk.call("get_pending_handoffs")["handoffs"])
        dev = read(talk, "agent://agt_developer")
        profile = talk.call("get_agent_profile", agent_id="agt_developer")
        equal({k: dev[k] for k in profile}, profile)
        equal(dev["projects"], [{"project_id": "prj_frontend",
                                 "project_name": "Frontend App"}])
        equal(dev["open_tasks"], [
            {"id": id, "title": f"Do {id}", "status": status,
             "project_id": "prj_frontend"}
            for id, status in (("tsk_first", "todo"),
                               ("tsk_1", "in_progress"))])
        equal(read(talk, "handoff://tsk_first"),
              {"task_id": "tsk_first", "handoffs": []})


@tap.test
def longer_names_say_the_same():
    with served() as (_, talk):
        scene(talk)
        for long, short in (
                ("agent://agt_developer/profile", "agent://agt_developer"),
                ("agent://agt_developer/tasks", "agent://agt_developer"),
                ("agent://agt_developer/sessions", "agent://agt_developer"),
                ("project://prj_frontend/overview", "project://prj_frontend"),
                ("project://prj_frontend/agents", "project://prj_frontend"),
                ("task://tsk_1/detail", "task://tsk_1"),
                ("task://tsk_1/context", "context://tsk_1"),
                ("task://tsk_1/history", "context://tsk_1"),
                ("task://tsk_1/", "task://tsk_1"),
                # As libraries for addresses may write them.
                ("task://TSK_1", "task://tsk_1"),
                ("task://tsk%5F1", "task://tsk_1"),
                ("task://tsk%5f1/detail", "task://tsk_1")):
            equal(read(talk, long), read(talk, short))
        equal([t["id"] for t in
               read(talk, "project://prj_frontend/tasks")["tasks"]],
              ["tsk_first", "tsk_1"])
        # Of two that differ by nothing else the one that is written.
        talk.call("create_task", task_id="TSK_1", title="Another",
                  project_id="prj_frontend")
        equal(read(talk, "task://TSK_1")["title"], "Another")
        equal(read(talk, "task://tsk_1")["title"], "Do tsk_1")


@tap.test
def what_is_not_there_is_refused_by_the_code_of_the_version():
    with served() as (home, talk):
        scene(talk)
        gone = ["task://tsk_none", "agent://me", "session://current",
                "task://", "task:///detail", "tsk_1", "://tsk_1",
                "task://tsk_1/everything", "agent://agt%00", "nothing at all",
                "project://tsk_1", "context://agt_developer"]
        for version in VERSIONS:
            talk = home.relay().talk
            talk.hello(version)
            for uri in gone:
                code, text, data = wrong(talk, "resources/read", uri=uri)
                equal([code, data["uri"]], [-32002, uri])
                contains(text, uri)
        for uri in gone:
            error = talk.request("resources/read", {
                "uri": uri, "_meta": meta()})["error"]
            equal([error["code"], error["data"]["uri"]], [-32602, uri])
        for params in ({}, {"uri": 7}, {"uri": ""}, {"uri": "x" * 2000}):
            code, text, _ = wrong(talk, "resources/read", **params)
            equal(code, -32602)
            contains(text, "uri")


@tap.test
def nothing_that_is_read_is_a_secret():
    with served() as (_, talk):
        scene(talk)
        token = login(talk)
        texts = [json.dumps(read(talk, t.replace("{id}", id)
                                 .replace("{taskId}", "tsk_1")))
                 for t, id in zip(TEMPLATES, ("agt_developer", "prj_frontend",
                                              "tsk_1", "", ""))]
        texts += [prompt(talk, name, task_id="tsk_1", agent_id="agt_developer",
                         from_agent_id="agt_developer",
                         project_id="prj_frontend") for name in PROMPTS]
        for text in texts:
            for secret in (token, SECRET, "Be brief."):
                assert secret not in text, (secret, text)


@tap.test
def what_there_is_comes_in_pages():
    with served() as (_, talk):
        equal(ask(talk, "resources/list"), {"resources": []})
        frontend(talk)
        project(talk, "prj_old")
        agent(talk, "agt_many", "prj_frontend", max_parallel_tasks=999)
        for i in range(120):
            talk.call("create_task", task_id=f"tsk_{i:03}", title=f"Task {i}",
                      project_id="prj_frontend", assignee_id="agt_many",
                      status="todo")
        talk.call("update_task_status", task_id="tsk_007", status="cancelled")
        page = ask(talk, "resources/list")
        equal(len(page["resources"]), 100)
        equal(page["resources"][0], {
            "uri": "project://prj_frontend", "name": "Frontend App",
            "description": "Project (active)",
            "mimeType": "application/json"})
        # What is made meanwhile moves no page.
        talk.call("create_project", project_id="prj_aaa", name="New")
        rest = ask(talk, "resources/list", cursor=page["nextCursor"])
        assert "nextCursor" not in rest, rest
        uris = [r["uri"] for r in page["resources"] + rest["resources"]]
        equal(uris, ["project://prj_frontend", "project://prj_old",
                     "agent://agt_developer", "agent://agt_many",
                     "agent://agt_reviewer", "agent://agt_stranger",
                     *(f"task://tsk_{i:03}" for i in range(120) if i != 7)])
        for uri in uris[::10]:
            read(talk, uri)
        for cursor in ("x", "9:x", "1", "agt_developer", 7):
            code, text, _ = wrong(talk, "resources/list", cursor=cursor)
            equal(code, -32602)
            contains(text, "cursor")


# ---- prompts ----------------------------------------------------------------

@tap.test
def a_task_is_begun_with_all_that_is_known_of_it():
    with served() as (_, talk):
        scene(talk)
        text = prompt(talk, "task_start", task_id="tsk_1",
                      agent_id="agt_developer")
        assert text.startswith("# Task: Do tsk_1\n\n## Identification\n"), text
        for words in ("- Task ID: tsk_1\n- Project ID: prj_frontend\n"
                      "- Project: Frontend App\n- Agent ID: agt_developer\n"
                      "- Agent Name: agt_developer\n",
                      "## Description\nMake it blue\n",
                      "- Status: in_progress\n- Priority: high\n\n",
                      "## Working Directory\n/projects/frontend\n",
                      "- Progress: half of it\n- Next steps: the rest\n\n",
                      "- From: agt_developer\n- Summary: please finish\n"
                      "- Recommendations: hurry\n\n",
                      'save_context(task_id="tsk_1", '
                      'agent_id="agt_developer"'):
            contains(text, words)
        # What there is nothing of has no heading either.
        text = prompt(talk, "task_start", task_id="tsk_first",
                      agent_id="agt_reviewer")
        for words in ("## Description", "Previous Context", "Handoff Inf",
                      "Findings", "{", "\n\n\n"):
            assert words not in text, text


@tap.test
def a_handoff_is_written_with_the_call_that_sends_it():
    with served() as (_, talk):
        scene(talk)
        text = prompt(talk, "handoff_template", task_id="tsk_1",
                      from_agent_id="agt_developer")
        contains(text, 'create_handoff(task_id="tsk_1", '
                       'from_agent_id="agt_developer"')
        contains(text, "- agt_reviewer (agt_reviewer, Reviewer)\n")
        assert "- agt_developer (" not in text, text
        assert "agt_stranger" not in text, text


@tap.test
def a_project_is_reported_by_its_figures():
    with served() as (_, talk):
        scene(talk)
        talk.call("update_task_status", task_id="tsk_1", status="done")
        text = prompt(talk, "status_report", project_id="prj_frontend")
        contains(text, "- backlog: 0\n- todo: 1\n- in_progress: 0\n"
                       "- blocked: 0\n- done: 1\n- cancelled: 0\n")
        contains(text, "- tsk_first [todo] Do tsk_first\n")
        for name in ("context_summary", "task_breakdown"):
            contains(prompt(talk, name, task_id="tsk_1"), "Make it blue")


@tap.test
def prompts_are_in_the_language_of_who_asks():
    with served(language="ja") as (_, talk):
        scene(talk)
        text = prompt(talk, "task_start", task_id="tsk_1",
                      agent_id="agt_developer")
        assert text.startswith("# タスク: Do tsk_1\n\n## 識別情報\n"), text
        code, text, _ = wrong(talk, "prompts/get", name="x")
        equal([code, text], [-32602, "プロンプトがありません: x"])


@tap.test
def what_a_prompt_lacks_is_named():
    with served() as (_, talk):
        scene(talk)
        both = {"task_id": "tsk_1", "agent_id": "agt_developer"}
        for params, code, words in (
                ({"name": "review"}, "PROMPT_NOT_FOUND",
                 "Unknown prompt: review"),
                ({"name": "task_start"}, "MISSING_ARGUMENTS", "'task_id'"),
                ({"name": "task_start", "arguments": {"task_id": "tsk_1"}},
                 "MISSING_ARGUMENTS", "'agent_id'"),
                ({"name": "task_start", "arguments": {**both, "task_id": 1}},
                 "MISSING_ARGUMENTS", "'task_id'"),
                ({"name": "task_start",
                  "arguments": {**both, "task_id": "tsk_x"}},
                 "TASK_NOT_FOUND", "Task not found: tsk_x"),
                ({"name": "task_start",
                  "arguments": {**both, "agent_id": "agt_x"}},
                 "AGENT_NOT_FOUND", "Agent not found: agt_x"),
                ({"name": "status_report", "arguments": {"project_id": "p"}},
                 "PROJECT_NOT_FOUND", "Project not found: p")):
            for more in ({}, {"_meta": meta()}):
                said = wrong(talk, "prompts/get", **params, **more)
                equal([said[0], said[2]], [-32602, {"code": code}])
                contains(said[1], words)
        for params in ({}, {"name": 5}, {"name": "task_start",
                                         "arguments": "task_id"}):
            equal(wrong(talk, "prompts/get", **params)[0], -32602)


# ---- every way in -----------------------------------------------------------

@tap.test
def the_new_era_is_told_how_long_it_holds():
    with served() as (_, talk):
        scene(talk)
        for method, params, ttl in (
                ("resources/list", {}, 300000),
                ("resources/templates/list", {}, 300000),
                ("prompts/list", {}, 300000),
                ("resources/read", {"uri": "task://tsk_1"}, 0),
                ("prompts/get", {"name": "context_summary",
                                 "arguments": {"task_id": "tsk_1"}}, None)):
            said = ask(talk, method, **params, _meta=meta())
            equal([said["resultType"], said.get("ttlMs")], ["complete", ttl])
            old = ask(talk, method, **params)
            assert not {"resultType", "ttlMs", "_meta"} & set(old), old


@tap.test
def a_hub_alone_and_one_over_http_answer_the_same():
    with served(dashboard={"port": 0}) as (home, talk):
        scene(talk)
        asked = [("resources/read", {"uri": "task://tsk_1"}),
                 ("resources/list", {}), ("resources/templates/list", {}),
                 ("prompts/list", {}),
                 ("prompts/get", {"name": "status_report", "arguments": {
                     "project_id": "prj_frontend"}}),
                 ("resources/read", {"uri": "task://x"}),
                 ("prompts/get", {"name": "task_start"})]
        url = json.loads(home.run("status", "--json").out)["url"]
        before = [talk.request(m, p) for m, p in asked]
        with Connection(url) as at:
            for (method, params), was in zip(asked, before):
                for era in ("legacy", "modern"):
                    message = Message(method, params, era=era)
                    if era == "legacy":
                        message.set(MCP_Protocol_Version="2025-11-25")
                    said = message.post(at)
                    same(said.message, was, era)
                    equal(said.status, 200)
            none = Message("prompts/list").post(at, "/mcp/kuro")
            equal(none.message["error"]["code"], -32601)
        home.run("stop")
        alone = home.standalone().talk
        alone.hello()
        for (method, params), was in zip(asked, before):
            same(alone.request(method, params), was, "legacy")


def same(said, was, era):
    """The same answer, but for what its era adds."""
    if "error" in was:
        equal(said["error"]["message"], was["error"]["message"])
        if era == "legacy":
            equal(said["error"], was["error"])
    else:
        equal({k: said["result"][k] for k in was["result"]}, was["result"])


@tap.test
def a_request_outlives_its_hub():
    with served() as (home, talk):
        scene(talk)
        os.kill(home.hub_pid(), signal.SIGSTOP)
        asked = [talk.ask("resources/read", {"uri": "task://tsk_1"}),
                 talk.ask("prompts/get", {"name": "context_summary",
                                          "arguments": {"task_id": "tsk_1"}}),
                 talk.ask("resources/list"),
                 talk.ask("resources/read", {"uri": "task://x"})]
        talk.flush()
        os.kill(home.hub_pid(), signal.SIGKILL)
        read_, got, listed, none = [talk.answer(id) for id in asked]
        contains(read_["result"]["contents"][0]["text"], "Make it blue")
        contains(got["result"]["messages"][0]["content"]["text"], "tsk_1")
        assert len(listed["result"]["resources"]) == 6, listed
        equal(none["error"]["code"], -32002)


@tap.test
def a_batch_has_them_among_its_answers():
    with served() as (home, talk):
        scene(talk)
        talk = home.relay().talk
        talk.hello("2025-03-26")
        talk.say([{"jsonrpc": "2.0", "id": i, "method": method,
                   "params": params} for i, (method, params) in enumerate((
                       ("resources/read", {"uri": "task://tsk_1"}),
                       ("prompts/list", {}), ("prompts/get", {})), 100)])
        answers = [talk.answer(i) for i in (100, 101, 102)]
        contains(answers[0]["result"]["contents"][0]["text"], "Make it blue")
        equal(len(answers[1]["result"]["prompts"]), 5)
        equal(answers[2]["error"]["code"], -32602)


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The API as one meets it who has read docs/api.md and nothing else: every
path with every parameter, and what is asked wrongly."""

import contextlib
import json
import pathlib
import time

from harness import tap
from harness.tools import new_group, start_agents, wait_for
from harness.until import equal, until
from harness.web import served

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "transport/web/api.json").read_text())


class Api:
    """A hub with agents that have ended and one at work."""

    def __init__(self, web):
        self.web = web
        self.group = new_group(web.wire)
        ids = start_agents(web.wire, "report", "failure", "hang",
                           group=self.group)
        self.agent, _, self.busy = ids
        wait_for(web.wire, *ids[:2])
        web.gone(*ids[:2])
        web.home.until_running(web.wire, self.busy)
        web.wire.ask("create_project", {"project_id": "prj_1", "name": "P"})
        web.wire.ask("create_task", {"task_id": "tsk_1", "title": "t",
                                     "project_id": "prj_1"})
        self.ids = {"groupId": self.group, "agentId": self.agent,
                    "roleId": "impl-code", "task_id": "tsk_1"}
        # A moment at which all of it was there.
        now = until(lambda: [e["seq"] for e in web.ask("events?type=pm:task")
                             ["events"]], "its event")[-1]
        self.values = {
            **self.ids, "at": str(now), "kind": "run", "limit": "1",
            "after": "1", "since": "1", "project_id": "prj_1",
            "before": "9007199254740991", "from": "1", "until":
            "2030-01-01T00:00:00Z", "type": "agent:created", "below": "true",
            "status": "running", "role": "impl-code", "search": "report",
            "by": "day", "state": "failed", "order": "oldest", "agent": "a",
            "with": "b", "projectPath": "/"}
        self.beside = {"below": f"&groupId={self.group}", "agent": "&with=b",
                       "with": "&agent=a"}

    def paths(self):
        """(path, its parameters) of all that is documented."""
        for one in SCHEMA["paths"]:
            path = one["path"]
            if "id" in one:
                path = path.replace("*", self.ids[one["id"]])
            yield path, one.get("parameters", {})


@contextlib.contextmanager
def met():
    with served(language="en") as web:
        api = Api(web)
        yield api, web
        web.wire.call("cancel_agent", agentIds=[api.busy])


@tap.test
def every_parameter_that_is_documented_is_taken():
    with met() as (api, web):
        assert len(list(api.paths())) >= 20
        for path, parameters in api.paths():
            web.ask(path)
            for name in parameters:
                more = api.beside.get(name, "")
                web.ask(f"{path}?{name}={api.values[name]}{more}")


@tap.test
def what_is_not_documented_is_refused_and_says_what_there_is():
    with met() as (api, web):
        for path, parameters in api.paths():
            said = web.ask(f"{path}?bogus=1", 400)
            equal(said["code"], "VALIDATION_ERROR")
            names = said["message"].partition("; there is: ")[2]
            equal((path, set(names.split(", ")) - {""}),
                  (path, set(parameters)))
            equal(web.ask(path + "/", 404)["code"], "NOT_FOUND")


@tap.test
def a_head_is_that_of_a_get_and_other_methods_are_not_served():
    with met() as (api, web):
        for path, _ in api.paths():
            status, headers, body = web.get(f"/api/{path}", "HEAD")
            equal((path, status, body), (path, 200, b""))
            equal(headers["content-type"], "application/json; charset=utf-8")
            assert int(headers["content-length"]) > 2, headers
            for method in ("POST", "DELETE"):
                status, headers, body = web.get(
                    f"/api/{path}", method, Content_Type="application/json")
                equal((path, status, headers["allow"]),
                      (path, 405, "GET, HEAD"))
                equal(json.loads(body)["code"], "METHOD_NOT_ALLOWED")
        equal(web.get("/api/nothing", "HEAD")[0], 404)


@tap.test
def a_query_is_read_as_it_is_written():
    with met() as (_, web):
        for query in ("limit=1", "limit=1&", "&limit=1", "&&limit=%31"):
            equal(len(web.ask(f"events?{query}")["events"]), 1)
        for query, words in (
                ("limit=1&limit=2", "limit: given more than once"),
                ("limit=1&since=0&limit=1", "limit: given more than once"),
                ("limit=", "limit: expected a number"),
                ("limit=007", "limit: expected a number"),
                ("limit=99999999999999999999", "limit: expected a number"),
                ("limit=5001", "from 1 to 5000"),
                ("type=", "type"), ("below=yes", "true or false"),
                ("LIMIT=1", "unknown parameter: LIMIT")):
            message = web.ask(f"events?{query}", 400)["message"]
            assert words in message, (query, message)


@tap.test
def groups_below_are_asked_for_by_a_word():
    with served(language="en") as web:
        led = web.wire.call(
            "run_magentic", description="Led", maxIterations=5, scope="here",
            task='Lead\npuppet: orchestrator delay=5 work="report ms=5"',
            completionCriteria="all is done")
        wait_for(web.wire, led["orchestratorAgentId"])

        def groups(below):
            events = web.ask(f"events?groupId={led['groupId']}&below={below}"
                             "&limit=5000")["events"]
            return {e["data"].get("groupId") for e in events}
        equal(groups("false"), {led["groupId"]})
        until(lambda: len(groups("true")) > 1, "those below")


@tap.test
def a_moment_that_is_yet_to_come_is_now():
    with met() as (api, web):
        before = time.time()
        picture = web.ask("snapshot?at=2099-01-01T00:00:00Z")
        busy, = (a for a in picture["agents"] if a["agentId"] == api.busy)
        assert picture["at"] < "2099", picture["at"]
        assert busy["elapsed_ms"] < 1000 * (time.time() - before + 3600), busy
        said = web.ask("snapshot?at=2001-09-10", 400)["message"]
        assert said.startswith("'at': nothing is kept of that moment; the "
                               "first that there is: event 1, 20"), said
        assert '"' not in said and said.endswith("Z"), said


@tap.test
def behind_the_end_of_a_transcript_is_its_end():
    with met() as (api, web):
        for id in (api.agent, api.busy):
            page = web.ask(f"agents/{id}/transcript?from=99999999")
            equal((page["lines"], page["from"], page["next"],
                   page["previous"]),
                  ([], page["size"], page["size"], page["size"]))
            assert page["size"] > 0, page


@tap.test
def a_state_that_there_is_not_says_which_there_are():
    with met() as (_, web):
        for path in ("history", "agents"):
            said = web.ask(f"{path}?status=nonsense", 400)["message"]
            for word in ("running", "timedOut", "resultReported", "all"):
                assert word in said, said


if __name__ == "__main__":
    tap.run()

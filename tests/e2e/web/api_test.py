#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a hub serves to a browser and to scripts: the page, /api, /metrics,
/healthz."""

import gzip
import json
import re
import socket

from harness import tap
from harness.hub import patient_home
from harness.until import equal, until
from harness.web import Web, served


@tap.test
def the_page_is_served_and_kept():
    with served() as web:
        status, headers, page = web.get("/")
        equal((status, headers["content-type"], headers["cache-control"]),
              (200, "text/html; charset=utf-8", "no-cache"))
        assert "default-src 'self'" in headers["content-security-policy"]
        equal(web.get("/", If_None_Match=headers["etag"])[0], 304)
        equal(gzip.decompress(web.get("/", Accept_Encoding="gzip")[2]), page)
        names = re.findall(r'(?:href|src)="(/assets/[^"]+)"', page.decode())
        assert {n.rpartition(".")[2] for n in names} == {"js", "css"}, names
        for name in names:
            status, headers, _ = web.get(name)
            equal(status, 200)
            assert "immutable" in headers["cache-control"], headers
        equal(web.get("/", "POST")[0], 405)
        equal(web.get("/app.js")[0], 404)


@tap.test
def a_screen_has_the_page_at_its_address():
    with served() as web:
        page = web.get("/")[2]
        for path in ("/agents/impl-code-1-a", "/groups/g", "/timeline",
                     "/history", "/roles/research", "/health", "/system"):
            status, headers, body = web.get(path)
            equal((path, status, body), (path, 200, page))
            equal(headers["cache-control"], "no-cache")
        for path in ("/agent", "/timelines", "/assets/nothing.js", "/agents.js"):
            equal((path, web.get(path)[0]), (path, 404))


@tap.test
def a_file_is_sent_as_small_as_the_browser_takes_it():
    with served() as web:
        page = web.get("/")[2].decode()
        name = re.search(r'src="(/assets/[^"]+)"', page)[1]
        sizes = {}
        for accepted in ("", "gzip", "gzip, deflate, br"):
            _, headers, body = web.get(name, Accept_Encoding=accepted)
            sizes[headers.get("content-encoding", "")] = len(body)
        equal(list(sizes), ["", "gzip", "br"])
        assert sizes["br"] < sizes["gzip"] < sizes[""], sizes
        equal(gzip.decompress(web.get(name, Accept_Encoding="gzip")[2]),
              web.get(name)[2])


@tap.test
def the_page_allows_nothing_inline():
    with served() as web:
        _, headers, page = web.get("/")
        policy = headers["content-security-policy"]
        for word in ("unsafe-inline", "unsafe-eval", "http:", "https:", "*"):
            assert word not in policy, policy
        assert not re.search(rb"<style|<script(?![^>]*src=)| on\w+=", page), page


@tap.test
def questions_are_answered():
    with served() as web:
        group, agent = web.finished_agent()
        until(lambda: web.ask("status")["agents"]["leaving"] == 0, "its end")
        equal([g["groupId"] for g in web.ask("groups")["groups"]], [group])
        equal(web.ask(f"groups/{group}")["groups"][0]["groupId"], group)
        equal([a["agentId"] for a in web.ask(
            f"agents?groupId={group}")["agents"]], [agent])
        equal(web.ask(f"agents/{agent}")["agentId"], agent)
        page = web.ask(f"agents/{agent}/transcript?limit=1")
        equal(len(page["lines"]), 1)
        rest = web.ask(f"agents/{agent}/transcript?from={page['next']}")
        assert rest["isComplete"] and rest["lines"], rest
        equal([a["agentId"] for a in web.ask(
            "history?search=report")["agents"]], [agent])
        assert web.ask("events?since=0&limit=10")["events"]
        assert "total" in web.ask("usage?by=role")
        assert len(web.ask("roles")["roles"]) >= 6
        picture = web.ask("snapshot")
        equal([a["agentId"] for a in picture["agents"]], [agent])
        equal(web.ask("health").keys(), picture["healthcheck"].keys())


@tap.test
def wrong_questions_are_refused_by_name():
    with served() as web:
        for path, status, said in (
                ("nothing", 404, "/api/nothing"),
                ("agents/nobody", 404, "nobody"),
                ("agents/a/b/c", 404, "/api/agents/a/b/c"),
                ("history?limit=many", 400, "limit"),
                ("history?limit=0", 400, "limit"),
                ("history?colour=red", 400, "colour"),
                ("history?since=yesterday", 400, "since"),
                ("agents?status=odd", 400, "status"),
                ("agents/a/story?limit=201", 400, "limit"),
                ("agents/a/story?since=1", 400, "since"),
                ("agents/a/story?from=1&before=2", 400, "before"),
                ("agents/a/story?agentId=b", 400, "agentId"),
                ("agents/nobody/story", 404, "nobody"),
                ("agents/nobody/stderr", 404, "nobody"),
                ("agents/nobody/prompt", 404, "nobody"),
                ("agents/nobody/process", 404, "nobody"),
                ("agents/a/prompt?from=1", 400, "from"),
                ("agents/a/process?pid=1", 400, "pid"),
                ("agents/a/stderr?limit=0", 400, "limit"),
                ("agents/a/stderr?limit=1048577", 400, "limit"),
                ("agents/a/stderr?from=1&before=2", 400, "before"),
                ("agents/a/transcript?from=1&before=2", 400, "before")):
            answer = web.ask(path, status)
            assert answer["error"] and said in answer["message"], answer
        equal(web.get("/api/status", "DELETE")[0], 405)


@tap.test
def metrics_count_what_happens():
    with served() as web:
        web.finished_agent()

        def look():
            text = web.get("/metrics")[2].decode()
            return text, dict(line.rsplit(" ", 1)
                              for line in text.splitlines()
                              if not line.startswith("#"))
        # A report does not wait for what was said before it to be read.
        until(lambda: look()[1]["kuromajutsu_stream_lines_total"] != "0",
              "its words")
        text, seen = look()
        assert all(value.isdigit() for value in seen.values()), seen
        equal(seen["kuromajutsu_agents_started_total"], "1")
        equal(seen['kuromajutsu_agents{state="resultReported"}'], "1")
        for name in ("actors", "messages_sent_total", "stream_lines_total",
                     "resident_bytes", "http_requests_total"):
            assert int(seen["kuromajutsu_" + name]) > 0, name
        assert "kuromajutsu_messages_waiting" in seen
        families = re.findall(r"^# TYPE (\S+) (?:counter|gauge)$", text, re.M)
        equal(sorted(set(families)),
              sorted({name.split("{")[0] for name in seen}))


@tap.test
def it_says_that_it_lives():
    with served() as web:
        equal(json.loads(web.get("/healthz")[2]), {"status": "ok"})


@tap.test
def a_taken_port_is_left_to_its_owner():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with patient_home(dashboard={"port": port}) as home:
            assert Web(home).port > port
            home.until_logged("web.port")


if __name__ == "__main__":
    tap.run()

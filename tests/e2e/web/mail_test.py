#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the hub tells of mail over HTTP: conversations, mailboxes and what is
shared, now and at any moment of the past."""

import contextlib
import sqlite3

from harness import tap
from harness.hub import patient_home
from harness.tools import roles_are_judged
from harness.until import contains, equal, until
from harness.web import Web


@contextlib.contextmanager
def posted():
    with patient_home(dashboard={"port": 0}) as home:
        web = Web(home)
        until(lambda: roles_are_judged(web.wire), "checks that are done")
        yield web


def send(web, sender, content, receiver=None, **more):
    to = {} if receiver is None else {"receiver_id": receiver}
    return web.wire.ask("agent_send_message", {
        "sender_id": sender, "content": content, **to, **more})


def read(web, agent, **more):
    return web.wire.ask("agent_receive_messages",
                        {"agent_id": agent, **more})["messages"]


def share(web, key, value, **more):
    web.wire.ask("context_share", {"key": key, "value": value,
                                   "agent_id": "boss", **more})


def told(web, count):
    """The numbers of mail's events, once there are so many."""
    def look():
        events = web.ask("events?limit=1000&type=mail:registered,mail:sent,"
                         "mail:read,context:shared")["events"]
        return [e["seq"] for e in events] if len(events) == count else None
    return until(look, f"{count} events of mail")


def unread(web, at=""):
    return {b["id"]: b["unread"] for b in web.ask(f"mail/boxes{at}")["boxes"]}


def talks(web, at=""):
    return [(t["agents"], t["count"], t["unread"], t["last"]["content"])
            for t in web.ask(f"mail{at}")["talks"]]


def letters(web, query):
    return [m["content"] for m in web.ask(f"mail/messages?{query}")
            ["messages"]]


@tap.test
def without_mail_all_lists_are_empty():
    with posted() as web:
        equal(web.ask("mail"), {"talks": []})
        equal(web.ask("mail/boxes"), {"boxes": []})
        equal(web.ask("mail/values"), {"values": []})
        equal(web.ask("mail/messages"), {"messages": [], "has_more": False})


@tap.test
def conversations_are_between_two_and_newest_first():
    with posted() as web:
        send(web, "coder", "ready", "reviewer")
        send(web, "boss", "to all")
        send(web, "reviewer", "looks good", "coder",
             metadata={"files": 3})
        send(web, "boss", "begin", "coder")
        equal(talks(web), [
            (["boss", "coder"], 1, 1, "begin"),
            (["coder", "reviewer"], 2, 2, "looks good"),
            ([], 1, 0, "to all")])
        read(web, "coder")
        equal([t[2] for t in talks(web)], [0, 1, 0])
        page = web.ask("mail/messages?agent=reviewer&with=coder")
        equal([(m["sender_id"], m["receiver_id"], m["content"], m["status"],
                m.get("metadata")) for m in page["messages"]],
              [("coder", "reviewer", "ready", "pending", None),
               ("reviewer", "coder", "looks good", "read", {"files": 3})])
        one, = web.ask("mail/messages")["messages"]
        equal([one["content"], one["receiver_id"], one["read_by"]],
              ["to all", None, 1])
        equal(unread(web), {"boss": 0, "coder": 0, "reviewer": 2})


@tap.test
def a_conversation_is_paged_both_ways():
    with posted() as web:
        for i in range(7):
            send(web, "ab"[i % 2], str(i), "ba"[i % 2])
            send(web, "a", "apart", "c")
        newest = web.ask("mail/messages?agent=a&with=b&limit=3")
        equal([[m["content"] for m in newest["messages"]],
               newest["has_more"]], [["4", "5", "6"], True])
        first = newest["messages"][0]["number"]
        equal(letters(web, f"agent=a&with=b&limit=3&before={first}"),
              ["1", "2", "3"])
        equal(letters(web, f"agent=a&with=b&limit=3&before={first}"
                      "&after=1"), ["1", "2", "3"])
        after = web.ask(f"mail/messages?agent=b&with=a&limit=2&after={first}")
        equal([[m["content"] for m in after["messages"]], after["has_more"]],
              [["5", "6"], False])
        after = web.ask("mail/messages?agent=b&with=a&limit=2&after=0")
        equal([[m["content"] for m in after["messages"]], after["has_more"]],
              [["0", "1"], True])


@tap.test
def mailboxes_are_paged_by_their_ids():
    with posted() as web:
        for name in ("c", "a", "b"):
            web.wire.ask("agent_register", {"agent_id": name,
                                            "name": name.upper()})
        send(web, "a", "hello", "not yet")
        page = web.ask("mail/boxes?limit=2")
        equal([[b["id"] for b in page["boxes"]], page["next"]],
              [["a", "b"], "b"])
        page = web.ask("mail/boxes?limit=2&after=b")
        equal([[(b["id"], b["name"], b["state"], b["unread"])
                for b in page["boxes"]], "next" in page],
              [[("c", "C", "registered", 0),
                ("not yet", "not yet", "expected", 1)], False])


@tap.test
def what_is_shared_says_who_may_read_it():
    with posted() as web:
        share(web, "plan", {"stage": "testing"})
        share(web, "secret", "x", access_level="restricted",
              allowed_agents=["tester", "coder"])
        share(web, "big", "x" * 20_000)
        big, plan, secret = web.ask("mail/values")["values"]
        equal([plan["value"], plan["access_level"], plan["owner_agent_id"]],
              [{"stage": "testing"}, "public", "boss"])
        equal([secret["access_level"], secret["allowed_agents"]],
              ["restricted", ["coder", "tester"]])
        equal([big["bytes"], "value" in big], [20_002, False])
        page = web.ask("mail/values?limit=1&after=big")
        equal([page["values"], page["next"]], [[plan], "plan"])


@tap.test
def every_moment_is_as_it_was():
    with posted() as web:
        seen = []

        def look(at=""):
            return [unread(web, at), talks(web, at),
                    [(v["key"], v["value"], v["allowed_agents"])
                     for v in web.ask(f"mail/values{at}")["values"]],
                    [(b["id"], b["name"]) for b in
                     web.ask(f"mail/boxes{at}")["boxes"]],
                    letters(web, (at[1:] + "&agent=a&with=b").lstrip("&")),
                    [(m["content"], m["read_by"]) for m in
                     web.ask(f"mail/messages{at}")["messages"]]]

        steps = [
            lambda: send(web, "a", "one", "b"),
            lambda: share(web, "k", 1),
            lambda: send(web, "a", "to all"),
            lambda: read(web, "b", limit=1),
            lambda: web.wire.ask("agent_register", {"agent_id": "b",
                                                    "name": "B"}),
            lambda: share(web, "k", 2, access_level="restricted",
                          allowed_agents=["b"]),
            lambda: read(web, "b"),
            lambda: send(web, "b", "two", "a"),
            lambda: share(web, "other", None),
            lambda: read(web, "a"),
        ]
        for step in steps:
            step()
            seen.append((told(web, len(seen) + 1)[-1], look()))
        for seq, then in seen:
            equal(look(f"?at={seq}"), then)
        events = {e["seq"]: e["at"] for e in
                  web.ask("events?limit=1000")["events"]}
        last = events[seen[-1][0]]
        equal(look(f"?at={last}"), seen[-1][1])


@tap.test
def reads_of_one_moment_are_told_apart():
    """Many within a millisecond, which the clock does not."""
    with posted() as web:
        for i in range(20):
            send(web, "a", str(i), "b")
        calls = [web.wire.order("agent_receive_messages",
                                {"agent_id": "b", "limit": 1})
                 for _ in range(20)]
        for call in calls:
            web.wire.answer(call)
        seqs = told(web, 40)
        equal([unread(web, f"?at={seq}")["b"] for seq in seqs[:20]],
              list(range(1, 21)))


@tap.test
def questions_use_indexes_and_not_whole_tables():
    """A long history is asked as quickly as a short one."""
    with posted() as web:
        send(web, "a", "one", "b")
        path = web.home.state("kuromajutsu.db")
        with contextlib.closing(sqlite3.connect(path)) as db:
            for sql in ("SELECT data FROM events WHERE type = 'mail:sent'"
                        " AND seq > 1 ORDER BY seq LIMIT 1",
                        "SELECT seq FROM mail_messages WHERE sender = 'a'"
                        " AND receiver = 'b' AND seq > 0 ORDER BY seq"):
                plan = " ".join(row[3] for row in db.execute(
                    "EXPLAIN QUERY PLAN " + sql))
                assert "SEARCH" in plan and "TEMP B-TREE" not in plan, plan


@tap.test
def a_moment_that_cannot_be_shown_is_refused_by_name():
    with posted() as web:
        send(web, "a", "one", "b")
        for path in ("mail", "mail/boxes", "mail/messages", "mail/values"):
            said = web.ask(f"{path}?at=yesterday", 400)
            contains(said["message"], "'at'")
            said = web.ask(f"{path}?at=999999999", 400)
            contains(said["message"], "999999999")
        said = web.ask("mail/messages?agent=a", 400)
        contains(said["message"], "agent and with go together")
        said = web.ask("mail/messages?from=1", 400)
        contains(said["message"], "unknown parameter: from")


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mail between agents, by MCP clients: who gets which message, how often, and
what those read who may not."""

import contextlib
import json
import os
import re
import signal
import sqlite3

from harness import inner, tap
from harness.hub import patient_home
from harness.tools import roles_are_judged
from harness.until import contains, equal, until

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                  r"[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@contextlib.contextmanager
def served(**env):
    with patient_home() as home:
        home.set(KUROMAJUTSU_LANGUAGE="en", **env)
        relay = home.relay()
        relay.talk.hello()
        relay.talk.learn()
        yield home, relay.talk


def another(home, **env):
    """One more client of the same hub."""
    relay = home.relay(**env)
    relay.talk.hello()
    relay.talk.learn()
    return relay.talk


def send(talk, sender, content, receiver=None, **more):
    to = {} if receiver is None else {"receiver_id": receiver}
    return talk.call("agent_send_message", sender_id=sender, content=content,
                     **to, **more)


def received(talk, agent, **more):
    answer = talk.call("agent_receive_messages", agent_id=agent, **more)
    equal(answer["total"], len(answer["messages"]))
    return [m["content"] for m in answer["messages"]]


def error(talk, tool, **args):
    """(type, message) of a refusal, in mail's own manner."""
    body = json.loads(talk.refused(tool, **args)["content"][0]["text"])
    equal(body["error"], True)
    assert TIME.fullmatch(body["timestamp"]), body
    return body["error_type"], body["message"]


# ---- mailboxes --------------------------------------------------------------

@tap.test
def an_agent_registers_and_is_found():
    with served() as (_, talk):
        made = talk.call("agent_register", agent_id="coder",
                         name="Coding Agent",
                         description="Handles code implementation tasks")
        equal({k: made[k] for k in ("id", "name", "description",
                                    "registered")},
              {"id": "coder", "name": "Coding Agent", "registered": True,
               "description": "Handles code implementation tasks"})
        assert TIME.fullmatch(made["created_at"]), made
        found = talk.call("agent_get", agent_id="coder")
        equal(list(found), ["id", "name", "description", "created_at",
                            "last_active_at"])
        equal(found["created_at"], made["created_at"])


@tap.test
def who_registers_twice_keeps_the_first():
    with served() as (_, talk):
        talk.call("agent_register", agent_id="a", name="first")
        again = talk.call("agent_register", agent_id="a", name="second",
                          description="new")
        equal([again["name"], again["description"], again["registered"]],
              ["first", None, True])


@tap.test
def one_that_was_written_to_gets_its_name_when_it_registers():
    with served() as (_, talk):
        sent = send(talk, "boss", "hello", "late")
        equal(sent["warning"], "receiver 'late' has not registered yet")
        equal(talk.call("agent_get", agent_id="late")["name"], "late")
        equal(talk.call("agent_get", agent_id="boss")["name"], "boss")
        equal(talk.call("agent_register", agent_id="late",
                        name="Late")["name"], "Late")
        equal(talk.call("agent_register", agent_id="boss",
                        name="Boss")["name"], "Boss")
        equal(received(talk, "late"), ["hello"])
        assert "warning" not in send(talk, "boss", "again", "late")


@tap.test
def nobody_is_found_who_never_was():
    with served() as (_, talk):
        equal(error(talk, "agent_get", agent_id="unknown_agent"),
              ("NotFoundError", "Agent not found: unknown_agent"))


@tap.test
def blanks_are_refused_by_name():
    with served() as (_, talk):
        equal(error(talk, "agent_register", agent_id=" ", name="x"),
              ("ValidationError", "agent_id cannot be empty"))
        equal(error(talk, "agent_register", agent_id="a", name=""),
              ("ValidationError", "name cannot be empty"))
        equal(error(talk, "agent_send_message", sender_id="a", content="\n "),
              ("ValidationError", "content cannot be empty"))
        equal(error(talk, "agent_send_message", sender_id="a", content="x",
                    message_type="loud"),
              ("ValidationError", "Invalid message_type: loud. Must be one of:"
               " direct, broadcast, context"))
        equal(error(talk, "agent_receive_messages", agent_id="a",
                    status="new"),
              ("ValidationError",
               "Invalid status: new. Must be one of: pending, read, all"))
        for limit in (0, 501, "5"):
            equal(error(talk, "agent_receive_messages", agent_id="a",
                        limit=limit)[0], "ValidationError")


# ---- messages ---------------------------------------------------------------

@tap.test
def a_message_reaches_its_receiver_once_and_whole():
    with served() as (_, talk):
        sent = send(talk, "coder", "機能を実装しました 🎉", "tester",
                    metadata={"feature_id": "AUTH-001", "files_changed": 3})
        assert UUID.fullmatch(sent["id"]), sent
        equal(sent["sent"], True)
        answer = talk.call("agent_receive_messages", agent_id="tester")
        message, = answer["messages"]
        equal(message, {
            "id": sent["id"], "sender_id": "coder", "receiver_id": "tester",
            "content": "機能を実装しました 🎉", "message_type": "direct",
            "status": "pending", "created_at": sent["created_at"],
            "metadata": {"feature_id": "AUTH-001", "files_changed": 3}})
        equal([answer["total"], answer["has_more"]], [1, False])
        equal(received(talk, "tester"), [])
        equal(received(talk, "tester", status="read"),
              ["機能を実装しました 🎉"])
        equal(received(talk, "coder", status="all"), [])


@tap.test
def a_broadcast_reaches_all_others_once_and_those_who_come_late():
    with served() as (_, talk):
        for agent in "DCR":
            talk.call("agent_register", agent_id=agent, name=agent)
        sent = send(talk, "D", "to all")
        equal(sent["recipients"], 2)
        equal([received(talk, a) for a in "CRD"], [["to all"], ["to all"], []])
        equal([received(talk, a) for a in "CRD"], [[], [], []])
        equal(received(talk, "late"), ["to all"])
        answer = talk.call("agent_receive_messages", agent_id="C",
                           status="all")
        equal([(m["receiver_id"], m["message_type"], m["status"])
               for m in answer["messages"]], [(None, "broadcast", "read")])


@tap.test
def what_is_not_marked_stays_unread():
    with served() as (_, talk):
        send(talk, "a", "one", "b")
        send(talk, "a", "all")
        for _ in range(2):
            equal(received(talk, "b", mark_as_read=False), ["one", "all"])
        equal(received(talk, "b", status="read"), [])
        equal(received(talk, "b"), ["one", "all"])
        equal(received(talk, "b", status="read"), ["all", "one"])
        equal(received(talk, "b", status="all"), ["all", "one"])


@tap.test
def a_limit_leaves_the_rest_for_the_next_look():
    with served() as (_, talk):
        for i in range(5):
            send(talk, "a", str(i), "b" if i % 2 else None)
        answer = talk.call("agent_receive_messages", agent_id="b", limit=3)
        equal([m["content"] for m in answer["messages"]], ["0", "1", "2"])
        equal(answer["has_more"], True)
        equal(received(talk, "b", limit=3), ["3", "4"])
        equal(received(talk, "b"), [])


@tap.test
def large_messages_come_a_few_at_a_time_and_none_is_lost():
    with served() as (_, talk):
        texts = [str(i) * 200_000 for i in range(6)]
        for text in texts:
            send(talk, "a", text, "b")
        got, looks = [], 0
        while more := received(talk, "b"):
            got += more
            looks += 1
        equal([len(t) for t in got], [len(t) for t in texts])
        equal(got, texts)
        assert looks > 1, looks


@tap.test
def what_could_not_be_read_is_not_sent():
    with served() as (_, talk):
        kind, message = error(talk, "agent_send_message", sender_id="a",
                              receiver_id="b", content="\x01" * 500_000)
        equal(kind, "ValidationError")
        assert "content is too long" in message, message
        equal(received(talk, "b"), [])


@tap.test
def type_and_receiver_must_fit():
    with served() as (_, talk):
        equal(error(talk, "agent_send_message", sender_id="a", content="x",
                    message_type="direct"),
              ("ValidationError",
               "receiver_id is required for direct messages"))
        equal(error(talk, "agent_send_message", sender_id="a", content="x",
                    receiver_id="b", message_type="broadcast"),
              ("ValidationError",
               "receiver_id must be omitted for broadcast messages"))
        send(talk, "a", "hint", "b", message_type="context")
        send(talk, "a", "hint to all", message_type="context")
        answer = talk.call("agent_receive_messages", agent_id="b")
        equal([(m["content"], m["message_type"]) for m in answer["messages"]],
              [("hint", "context"), ("hint to all", "context")])
        equal(received(talk, "c"), ["hint to all"])


# ---- waiting ----------------------------------------------------------------

@tap.test
def a_wait_ends_with_the_message():
    with served() as (home, talk):
        other = another(home)
        waits = [talk.order("agent_receive_messages",
                            {"agent_id": a, "wait_ms": 3_600_000})
                 for a in ("one", "two", "two")]
        send(other, "x", "for one", "one")
        send(other, "x", "for all")
        equal([m["content"] for m in talk.result(waits[0])
               ["structuredContent"]["messages"]], ["for one"])
        # Two look into one mailbox: one of them gets it.
        first, second = waits[1:]
        got = talk.until(lambda: next((i for i in (first, second)
                                       if talk.has_answered(i)), None),
                         "one of the two")
        equal([m["content"] for m in talk.result(got)
               ["structuredContent"]["messages"]], ["for all"])
        send(other, "x", "more", "two")
        rest = second if got == first else first
        equal([m["content"] for m in talk.result(rest)
               ["structuredContent"]["messages"]], ["more"])
        equal(received(talk, "one"), ["for all"])


@tap.test
def a_wait_without_mail_says_so():
    with served() as (_, talk):
        answer = talk.call("agent_receive_messages", agent_id="a", wait_ms=1)
        equal(answer, {"messages": [], "total": 0, "has_more": False,
                       "again": True})


@tap.test
def a_wait_that_was_taken_back_takes_nothing():
    with served() as (home, talk):
        wait = talk.order("agent_receive_messages",
                          {"agent_id": "a", "wait_ms": 3_600_000})
        talk.call("agent_get", agent_id=talk.call(
            "agent_register", agent_id="x", name="x")["id"])
        talk.note("notifications/cancelled", {"requestId": wait})
        talk.call("agent_get", agent_id="x")
        send(talk, "x", "still there", "a")
        equal(received(another(home), "a"), ["still there"])


# ---- shared context ---------------------------------------------------------

@tap.test
def values_come_back_as_they_were():
    with served() as (_, talk):
        for value in ("text", "日本語", 7, -1.5, [1, [2, {}]], {"a": {"b": []}},
                      True, None):
            stored = talk.call("context_share", key="k", value=value,
                               agent_id="a")
            equal([stored["key"], stored["stored"]], ["k", True])
            read = talk.call("context_read", key="k", agent_id="who ever")
            equal(read, {"key": "k", "value": value, "owner_agent_id": "a",
                         "updated_at": stored["updated_at"]})


@tap.test
def who_may_not_read_finds_nothing():
    with served() as (_, talk):
        talk.call("context_share", key="s", value={"api_key_hash": "abc123"},
                  agent_id="director", access_level="restricted",
                  allowed_agents=["coder", "tester"])
        for reader in ("director", "coder", "tester"):
            equal(talk.call("context_read", key="s", agent_id=reader)["value"],
                  {"api_key_hash": "abc123"})
        denied = error(talk, "context_read", key="s", agent_id="stranger")
        equal(denied, ("NotFoundError",
                       "Context not found or access denied: s"))
        missing = error(talk, "context_read", key="x", agent_id="stranger")
        equal((denied[0], denied[1].replace(": s", ": x")), missing)


@tap.test
def an_update_keeps_who_may_read():
    with served() as (_, talk):
        talk.call("context_share", key="s", value=1, agent_id="owner",
                  access_level="restricted", allowed_agents=["friend"])
        talk.call("context_share", key="s", value=2, agent_id="owner")
        equal(error(talk, "context_read", key="s", agent_id="x")[0],
              "NotFoundError")
        talk.call("context_share", key="s", value=3, agent_id="friend")
        read = talk.call("context_read", key="s", agent_id="friend")
        equal([read["value"], read["owner_agent_id"]], [3, "owner"])
        for more in ({"access_level": "public"},
                     {"allowed_agents": ["x", "friend"]}):
            equal(error(talk, "context_share", key="s", value=4,
                        agent_id="friend", **more)[0], "NotFoundError")
        equal(error(talk, "context_share", key="s", value=4, agent_id="x")[0],
              "NotFoundError")
        equal(talk.call("context_read", key="s", agent_id="owner")["value"], 3)
        talk.call("context_share", key="s", value=5, agent_id="owner",
                  access_level="public")
        equal(talk.call("context_read", key="s", agent_id="x")["value"], 5)


# ---- over the hub's death ---------------------------------------------------

@tap.test
def mail_is_there_after_a_crash():
    with served() as (home, talk):
        send(talk, "a", "kept", "b")
        send(talk, "a", "for all")
        equal(received(talk, "c"), ["for all"])
        talk.call("context_share", key="k", value=1, agent_id="a")
        until(lambda: roles_are_judged(talk), "checks that are done")
        os.kill(home.hub_pid(), signal.SIGKILL)
        equal(received(talk, "b"), ["kept", "for all"])
        equal(received(talk, "c"), [])
        equal(talk.call("context_read", key="k", agent_id="z")["value"], 1)


@tap.test
def what_happens_is_told_in_the_feed():
    with served() as (home, talk):
        talk.call("agent_register", agent_id="a", name="A")
        sent = send(talk, "a", "hello", "b")
        received(talk, "b")
        talk.call("context_share", key="k", value=[1], agent_id="a",
                  access_level="restricted", allowed_agents=["b"])
        refused = talk.refused("context_read", key="k", agent_id="x")
        assert refused
        with home.session() as wire:
            def told():
                events = wire.ask("events", {"limit": 500})["events"]
                numbers = [e["seq"] for e in events]
                # None is left out.
                equal(numbers, list(range(numbers[0],
                                          numbers[0] + len(numbers))))
                found = [e for e in events
                         if re.match("mail:|context:", e["type"])]
                return found if len(found) == 4 else None
            events = until(told, "four events")
        equal([e["type"] for e in events],
              ["mail:registered", "mail:sent", "mail:read", "context:shared"])
        equal([events[0]["data"]["id"], events[1]["data"]["id"]],
              ["a", sent["id"]])
        equal([events[2]["data"][k] for k in ("agent_id", "direct",
                                              "broadcast")], ["b", 1, 0])
        equal([events[3]["data"][k] for k in
               ("key", "access_level", "allowed_agents", "value")],
              ["k", "restricted", ["b"], [1]])


@tap.test
def what_a_killed_hub_had_no_time_to_tell_the_next_one_tells_once():
    with served() as (home, talk):
        send(talk, "a", "hello", "b")
        until(lambda: roles_are_judged(talk), "checks that are done")
        talk.close()
        home.run("stop")
        path = home.state("kuromajutsu.db")
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("INSERT INTO untold(at, type, data) VALUES(1000,"
                       " 'mail:read', '{\"left\":true}')")
            db.commit()
        for _ in range(2):
            one = another(home)
            send(one, "a", "again", "b")
            with home.session() as wire:
                until(lambda: [e for e in wire.ask(
                    "events", {"limit": 500, "type": "mail:read"})["events"]
                    if e["data"] == {"left": True}], "what was left")
                equal(len(wire.ask("events", {"limit": 500,
                                              "type": "mail:read"})["events"]),
                      1)
            one.close()
            home.run("stop")
        with contextlib.closing(sqlite3.connect(path)) as db:
            equal(db.execute("SELECT count(*) FROM untold WHERE data LIKE"
                             " '%left%'").fetchone(), (0,))


# ---- who one is -------------------------------------------------------------

@contextlib.contextmanager
def inhabited():
    """A home whose agents call tools themselves."""
    with patient_home() as home:
        inner.install(home)
        relay = home.relay()
        relay.talk.hello()
        relay.talk.learn()
        yield home, relay.talk


def kinds(answers):
    return [body.get("error_type") for _, body in answers]


@tap.test
def an_agent_acts_under_its_own_names_only():
    with inhabited() as (home, talk):
        send(talk, "boss", "an order", "main")
        talk.call("context_share", key="secret", value=1, agent_id="boss",
                  access_level="restricted")
        agent, said = inner.answers(home, talk, [
            ["agent_send_message", {"sender_id": "${id}", "receiver_id": "main",
                                    "content": "as myself"}],
            ["agent_register", {"agent_id": "mine", "name": "Mine"}],
            ["agent_send_message", {"sender_id": "mine", "receiver_id": "main",
                                    "content": "as mine"}],
            # What somebody uses is not to be had by registering it.
            ["agent_register", {"agent_id": "boss", "name": "Stolen"}],
            ["agent_send_message", {"sender_id": "boss", "receiver_id": "main",
                                    "content": "as boss"}],
            ["agent_receive_messages", {"agent_id": "main"}],
            ["agent_send_message", {"sender_id": "new", "content": "x"}],
            ["context_share", {"key": "k", "value": 1, "agent_id": "boss"}],
            ["context_read", {"key": "secret", "agent_id": "boss"}],
            ["context_read", {"key": "secret", "agent_id": "${id}"}]])
        equal(kinds(said), [None, None, None, None, "ValidationError",
                            "ValidationError", "ValidationError",
                            "ValidationError", "ValidationError",
                            "NotFoundError"])
        contains(said[4][1]["message"], agent)
        equal(received(talk, "main"), ["an order", "as myself", "as mine"])
        equal(talk.call("agent_get", agent_id="boss")["name"], "boss")


@tap.test
def a_name_that_was_only_written_to_goes_to_who_registers_first():
    with inhabited() as (home, talk):
        send(talk, "boss", "for whoever reviews", "reviewer")
        receive = ["agent_receive_messages", {"agent_id": "reviewer"}]
        register = ["agent_register", {"agent_id": "reviewer", "name": "R"}]
        _, said = inner.answers(home, talk, [receive, register, receive])
        equal(kinds(said), ["ValidationError", None, None])
        equal(said[2][1]["total"], 1)
        # And to no other.
        _, said = inner.answers(home, talk, [register, receive])
        equal(kinds(said), [None, "ValidationError"])


@tap.test
def a_launched_agent_has_a_mailbox_from_its_start():
    with inhabited() as (home, talk):
        send(talk, "boss", "before")
        agent, said = inner.answers(home, talk, [
            ["agent_get", {"agent_id": "${id}"}],
            ["agent_send_message", {"sender_id": "${id}", "content": "hi"}],
            ["agent_receive_messages", {"agent_id": "${id}"}]])
        equal([said[0][1]["id"], said[0][1]["name"]], [agent, "impl-code"])
        # What was told to all before it was there is not its own.
        equal(said[2][1]["messages"], [])
        equal(received(talk, "boss"), ["hi"])
        sent = send(talk, "boss", "too late", agent)
        equal(sent["warning"], f"agent '{agent}' has ended: it will not read"
              " this by itself")
        equal(talk.call("agent_get", agent_id=agent)["name"], "impl-code")


# ---- which tools there are --------------------------------------------------

@tap.test
def toolsets_are_chosen_by_configuration_or_command_line():
    with patient_home() as home:
        def listed(*words, **env):
            server = home.start("mcp", *words, **env)
            server.talk.hello()
            return server, [t["name"] for t in
                            server.talk.request("tools/list")["result"]
                            ["tools"]]
        _, every = listed("--toolsets", "kuro,mail")
        equal(listed()[1][:len(every)], every)
        kuro, mail = every[:13], every[13:]
        equal([kuro[0], mail[0], mail[-1], len(mail)],
              ["create_group", "agent_register", "context_read", 6])
        equal(listed("--toolsets", "mail")[1], mail)
        equal(listed("--toolsets", "mail,kuro")[1], every)
        equal(listed(KUROMAJUTSU_TOOLSETS="kuro")[1], kuro)
        equal(listed("--toolsets", "mail", KUROMAJUTSU_TOOLSETS="kuro")[1],
              mail)
        server, _ = listed("--toolsets", "mail")
        refusal = server.talk.request("tools/call", {
            "name": "list_roles", "arguments": {}})["error"]
        equal([refusal["code"], refusal["message"]],
              [-32602, "Unknown tool: list_roles"])
        home.configure({"toolsets": ["mail"]})
        equal(listed()[1], mail)
        equal(listed("--toolsets", "kuro")[1], kuro)


@tap.test
def a_toolset_that_is_none_is_named():
    with patient_home() as home:
        said = home.run("mcp", "--toolsets", "kuro,mial")
        equal(said.returncode, 2)
        contains(said.err, "'mial'")
        contains(said.err, "kuro, mail")
        home.configure({"language": "en", "toolsets": []})
        said = home.run("status")
        contains(said.err, "toolsets: expected a list of one or more of")


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""Sessions: what relays and commands say over the wire, and what they hear."""

import json
import os
import resource
import threading

from harness import tap
from harness.hub import patient_home, read
from harness.processes import is_sanitized, peak_kb, stuck
from harness.programs import HUB, PUPPET, build_of
from harness.tools import start_agents
from harness.until import equal, until
from harness.wire import (ANSWER, CALL, CANCEL, GREETING, HEAD, HELLO, LEAVING,
                          PROGRESS, STOP, WELCOME, frame, packed)


def call(name, args=None, **more):
    return packed({"name": name, "args": args or {}, **more})


@tap.test
def who_comes_is_told_who_we_are():
    with patient_home() as p:
        hub = p.hub()
        build = build_of(HUB)
        for client in ("relay", "command"):
            with p.connect(client=client) as w:
                equal(w.hello(), {"build": build, "pid": hub.pid,
                                  "agentId": None, "running": 0})


@tap.test
def running_agents_are_told_of():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            ids = start_agents(w, "hang")
            p.until_running(w, *ids)
            with p.connect() as x:
                assert x.hello()["running"] > 0
            w.ask("cancel_agent", {"agentIds": ids})
            until(lambda: not p.alive(ids[0]), "its end")

            def none():
                with p.connect() as x:
                    return x.hello()["running"] == 0
            until(none, "no agents")


@tap.test
def all_questions_are_answered():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            equal(w.ask("list_agents"), {"agents": [], "total": 0})
            equal(w.ask("list_groups", {}), {"groups": [], "total": 0})
            equal(len(w.ask("list_roles")["roles"]), 6)
            equal(w.refused("show_agent", {"agentId": "nobody"}),
                  "AGENT_NOT_FOUND")
            assert w.ask("hub_status")["stateDir"] in str(p.state())


@tap.test
def wrong_arguments_are_refused_here_too():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            for name, args, code in (
                    ("no_such_tool", {}, "VALIDATION_ERROR"),
                    ("create_group", {}, "VALIDATION_ERROR"),
                    ("create_group", {"description": 1}, "VALIDATION_ERROR"),
                    ("create_group", [], "VALIDATION_ERROR"),
                    ("create_group", "x", "VALIDATION_ERROR"),
                    ("list_agents", {"nonsense": 1}, "VALIDATION_ERROR"),
                    ("show_agent", {}, "VALIDATION_ERROR"),
                    ("wait_agent", {"agentIds": []}, "EMPTY_AGENT_IDS")):
                equal((name, args, w.refused(name, args)), (name, args, code))


@tap.test
def whatever_the_pieces_the_frames_are_the_same():
    with patient_home() as p:
        p.hub()
        with p.connect() as w:
            for byte in (GREETING + frame(HELLO, packed(w.said)) +
                         frame(CALL, call("list_agents"), 2**64 - 1)):
                w.raw(bytes([byte]))
            equal(w.next()[0], WELCOME)
            equal(w.next()[:3], (ANSWER, 0, 2**64 - 1))
        with p.connect() as w:
            w.raw(GREETING + frame(HELLO, packed(w.said)) +
                  b"".join(frame(CALL, call("list_agents"), i)
                           for i in range(1000)))
            equal(w.next()[0], WELCOME)
            equal([w.next()[:3] for _ in range(1000)],
                  [(ANSWER, 0, i) for i in range(1000)])


@tap.test
def nothing_is_taken_before_a_hello():
    with patient_home() as p:
        p.hub()
        for early in (frame(CALL, call("list_agents"), 1), frame(CANCEL),
                      frame(STOP, b"{}"), frame(WELCOME, b"{}"),
                      frame(HELLO), frame(HELLO, b"no JSON"),
                      frame(HELLO, b"[]"), frame(HELLO, b"{}"),
                      HEAD.pack(9 << 20, HELLO, 0, 0, 0) + b" " * (9 << 20)):
            with p.connect() as w:
                try:
                    w.raw(GREETING + early)
                except (BrokenPipeError, ConnectionResetError):
                    pass
                assert w.is_closed()
        p.until_logged("session.broken", 9)


@tap.test
def a_wrong_hello_is_none():
    with patient_home() as p:
        p.hub()
        for wrong in ({"client": "browser"}, {"client": None}, {"build": 1},
                      {"cwd": "here"}, {"cwd": ""}, {"cwd": 1},
                      {"cwd": "/a\0b"}, {"env": {}}, {"env": [1]},
                      {"env": ["A=\0"]}, {"bytes": {"cwd": 1}},
                      {"bytes": {"cwd": ""}}, {"bytes": {"cwd": "here"}},
                      {"bytes": {"cwd": "/a\0b"}},
                      {"bytes": {"cwd": "/\u0100"}},
                      {"bytes": {"env": {"-1": "A=b"}}},
                      {"bytes": {"env": {"0": 1}}},
                      {"env": ["A=b"], "bytes": {"env": {"1": "A=b"}}}):
            with p.connect(**wrong) as w:
                w.raw(GREETING + frame(HELLO, packed(w.said)))
                assert w.is_closed(), wrong
        with p.session() as w:
            w.ask("list_agents")


@tap.test
def broken_frames_end_the_visit_and_nothing_else():
    with patient_home() as p:
        p.hub()
        witness = p.session()
        for broken in (HEAD.pack((80 << 20) + 1, CALL, 0, 0, 1),
                       HEAD.pack(2, CALL, 0, 7, 1) + b"{}",
                       frame(0), frame(99), frame(HELLO, b"{}"),
                       frame(ANSWER, b"{}"), frame(LEAVING),
                       frame(CALL, b"", 1), frame(CALL, b"{", 1),
                       frame(CALL, b"[]", 1), frame(CALL, b"{}", 1),
                       frame(CALL, b'{"name":"\xff"}', 1),
                       frame(CALL, b'{"name":1}', 1),
                       frame(STOP, b""), frame(STOP, b"1"), b"\0" * 16,
                       b"GET / HTTP/1.1\r\nHost: hub\r\n\r\n"):
            with p.session() as w:
                w.raw(broken)
                assert w.is_closed(), broken[:40]
        p.until_logged("session.broken", 17)
        equal(witness.ask("list_agents")["total"], 0)


@tap.test
def a_handle_is_used_once_at_a_time():
    with patient_home() as p:
        p.hub()
        with p.session() as w, p.session() as x:
            ids = start_agents(w, "hang")
            wait = frame(CALL, call("wait_agent", {"agentIds": ids}), 5)
            x.raw(wait)
            x.ask("list_agents")
            x.raw(wait)
            assert x.is_closed()
            for _ in range(2):
                w.send(CALL, call("list_agents"), 5)
                equal(w.next()[:3], (ANSWER, 0, 5))


@tap.test
def half_a_frame_and_gone():
    with patient_home() as p:
        p.hub()
        whole = GREETING + frame(HELLO, b"{}")
        for end in range(len(GREETING), len(whole)):
            with p.connect() as w:
                w.raw(whole[:end])
        with p.session() as w:
            w.raw(frame(CALL, call("list_agents"), 1)[:-1])
        with p.session() as w:
            w.ask("list_agents")


@tap.test
def one_who_greets_and_says_nothing_is_shown_out():
    with patient_home() as p:
        p.hub()
        with p.connect() as w:
            w.raw(GREETING)
            assert w.is_closed()


@tap.test
def a_cancelled_wait_is_silent():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            ids = start_agents(w, "hang")
            p.until_running(w, *ids)
            wait = w.order("wait_agent", {"agentIds": ids})
            w.ask("list_agents")
            w.send(CANCEL, handle=wait)
            w.send(CANCEL, handle=12345)
            w.ask("cancel_agent", {"agentIds": ids})
            until(lambda: not p.alive(ids[0]), "its end")
            w.ask("list_agents")
            equal([k for k in w.kept if k[2] == wait], [])


@tap.test
def a_cancelled_call_is_done_and_not_answered():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            lost = next(w.handles)
            w.raw(frame(CALL, call("create_group", {"description": "d"}), lost)
                  + frame(CANCEL, handle=lost))
            equal(w.ask("list_groups")["total"], 1)
            assert len([k for k in w.kept if k[2] == lost]) == 0


@tap.test
def progress_comes_before_the_answer():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            ids = start_agents(w, "reply", "hang")
            wait = w.order("wait_agent", {"agentIds": ids}, progress=True)

            def heard():
                w.ask("list_agents")
                return [k for k in w.kept if k[0] == PROGRESS]
            kind, _, handle, payload = until(heard, "progress")[-1]
            equal((handle, len(payload)), (wait, 8))
            w.ask("cancel_agent", {"agentIds": ids})
            is_error, answer = w.answer(wait)
            assert not is_error, answer
            equal(len(answer["completed"]), 2)


@tap.test
def too_many_calls_are_refused():
    with patient_home() as p:
        p.hub()
        with p.session() as w, p.session() as x:
            ids = start_agents(w, "hang")
            waits = [w.order("wait_agent", {"agentIds": ids})
                     for _ in range(300)]
            for late in waits[192:]:
                is_error, answer = w.answer(late)
                equal((is_error, answer["code"]), (True, "HUB_UNAVAILABLE"))
            equal(x.ask("list_agents")["total"], 1)
            # There is room for what is no wait.
            asked = [w.order("list_agents") for _ in range(1000)]
            for handle in asked:
                equal(w.answer(handle)[1]["total"], 1)
            for early in waits[:192]:
                w.send(CANCEL, handle=early)
            equal(w.ask("list_agents")["total"], 1)
            equal([k for k in w.kept if k[2] in waits], [])


@tap.test
def one_who_does_not_read_harms_nobody():
    with patient_home() as p:
        hub = p.hub()
        count = 20000
        with p.session() as slow, p.session() as w:
            def send():
                for i in range(count):
                    slow.send(CALL, call("list_roles"), i + 1)
            sender = threading.Thread(target=send, daemon=True)
            sender.start()
            one = len(packed(w.ask("list_roles")))
            equal(w.ask("list_agents")["total"], 0)
            for _ in range(200):
                w.ask("list_agents")
            # Until all is stuck: it has sent what it could.
            until(stuck(sender), "a sender that waits")
            assert sender.is_alive()
            assert one * count > 40 << 20, one
            heard = []
            while len(heard) < count:
                kind, flags, handle, _ = slow.next()
                equal((kind, flags), (ANSWER, 0))
                heard.append(handle)
            sender.join()
            equal(heard, list(range(1, count + 1)))
        if not is_sanitized(hub.pid):
            assert peak_kb(hub.pid) < 40 << 10, peak_kb(hub.pid)


@tap.test
def one_who_leaves_without_reading_harms_nobody():
    with patient_home() as p:
        p.hub()
        for _ in range(20):
            with p.session() as w:
                ids = w.order("wait_agent", {"agentIds": ["nobody"]})
                w.raw(b"".join(frame(CALL, call("list_roles"), i + 100)
                               for i in range(60)))
                assert ids
        with p.session() as w:
            w.ask("list_agents")


@tap.test
def a_call_of_many_megabytes():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            long = {"description": "長" * (16 << 20)}
            w.order("create_group", long)
            equal(w.ask("list_agents")["total"], 0)
            equal(w.ask("list_groups")["total"], 1)


@tap.test
def too_many_bytes_are_refused():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            ids = start_agents(w, "hang")
            long = {"agentIds": ids * ((20 << 20) // (len(ids[0]) + 4))}
            waits = [w.order("wait_agent", long) for _ in range(6)]
            last = w.answer(waits[-1])
            equal((last[0], last[1]["code"]), (True, "HUB_UNAVAILABLE"))
            equal(w.ask("list_agents")["total"], 1)


@tap.test
def many_visitors_at_once():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with patient_home() as p:
        p.hub()
        crowd = [p.session(client="relay") for _ in range(min(200, soft // 3))]
        for w in crowd:
            w.ask("list_agents")
        for w in crowd:
            w.close()
        with p.session() as w:
            w.ask("list_agents")


@tap.test
def beyond_what_descriptors_allow_they_are_shown_out():
    def lower():
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
    with patient_home() as p:
        p.hub(preexec_fn=lower)
        with p.session() as w:
            crowd = []
            for _ in range(60):
                x = p.connect()
                x.raw(GREETING + frame(HELLO, packed(x.said)))
                crowd.append(x)
            p.until_logged("sessions.full")
            equal(w.ask("list_agents")["total"], 0)
            # There is room for agents still.
            ids = start_agents(w, "reply")
            answer = w.ask("wait_agent", {"agentIds": ids})
            equal(answer["completed"][0]["status"], "completed")
            for x in crowd:
                x.close()


@tap.test
def an_agent_has_its_callers_environment_and_directory():
    with patient_home() as p:
        p.hub()
        place = os.path.join(p.top, "place")
        os.mkdir(place)
        mine = ["HELLO_SAYS=it", p.mark]
        with p.session(client="relay", cwd=place, env=mine) as w:
            ids = start_agents(w, "hang")
            p.until_running(w, *ids)
            pid, = p.tree(ids[0])
            equal(os.readlink(f"/proc/{pid}/exe"), PUPPET)
            env = read(f"/proc/{pid}/environ").split("\0")
            assert "HELLO_SAYS=it" in env, env
            equal([e for e in env if e.startswith("HOME=")], [])
            equal(os.readlink(f"/proc/{pid}/cwd"), place)


if __name__ == "__main__":
    tap.run()

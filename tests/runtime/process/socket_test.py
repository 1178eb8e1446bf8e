# SPDX-License-Identifier: MIT
"""The hub's socket: who comes in, and what others can do there."""

import json
import os
import resource
import socket
import stat

from harness import tap
from harness.agents import RESULT, AgentHome, puppet
from harness.programs import acts
from harness.until import DEADLINE, contains, equal, until


def knock(h):
    """A connection, once the hub listens."""
    def look():
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(DEADLINE)
        try:
            s.connect(h.socket)
        except (FileNotFoundError, ConnectionRefusedError):
            s.close()
            return None
        return s
    return until(look, "an open door")


def is_shown_out(s):
    try:
        while s.recv(65536):
            pass
    except (BrokenPipeError, ConnectionResetError):
        pass
    return True


def hello(id, warden=None, **more):
    return json.dumps({"hello": "warden", "agent": id, "build": "test",
                       "warden": warden or os.getpid(), "cli": os.getpid(),
                       "state": "running", **more}).encode() + b"\n"


def sockets(hub):
    """How many the hub has open."""
    folder = f"/proc/{hub.proc.pid}/fd"
    count = 0
    for name in os.listdir(folder):
        try:
            count += os.readlink(f"{folder}/{name}").startswith("socket:")
        except FileNotFoundError:
            pass
    return count


def limit(hard):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return set_limit


@tap.test
def a_long_path_is_a_place_too():
    with AgentHome(folder="d" * 100 + "/" + "e" * 100) as h:
        hub = h.hub()
        assert len(h.socket) > 200
        equal(hub.finish("a", puppet("reply"))["state"], "completed")


@tap.test
def the_socket_is_ours_alone():
    with AgentHome() as h:
        h.hub()
        until(lambda: os.path.exists(h.socket), "the socket")
        equal(stat.S_IMODE(os.stat(h.socket).st_mode), 0o600)


@tap.test
def a_socket_that_cannot_be_is_said_so():
    with AgentHome() as h:
        h.socket = f"{h.top}/no/such/folder/hub.sock"
        hub = h.hub()
        contains(hub.event("processes ended")["error"], "No such file")


@tap.test
def strangers_are_shown_out():
    with AgentHome() as h:
        hub = h.hub()
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\0" * 100 + b"\n", b"{}\n",
                        b'{"hello":"warden"\n', b"\xff\xfe\n", b"x" * 5000,
                        b'{"hello":"nobody","agent":"a"}\n'):
            with knock(h) as s:
                s.sendall(garbage)
                assert is_shown_out(s)
        with knock(h) as s:
            try:
                s.sendall(b"x" * 10000000)
            except (BrokenPipeError, ConnectionResetError):
                pass
            assert is_shown_out(s)
        equal(hub.finish("a", puppet("reply"))["state"], "completed")


@tap.test
def a_silent_stranger_is_no_hindrance():
    with AgentHome() as h:
        hub = h.hub()
        with knock(h):
            equal(hub.finish("a", puppet("reply"))["state"], "completed")


@tap.test
def an_impostor_does_not_get_the_wardens_place():
    with AgentHome(lease=3000) as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        # Before the agent is there, so that it comes first.
        early = knock(h)
        early.sendall(hello("a"))
        hub.run("a", acts("print", RESULT, "await", go), exit_grace=60000)
        with knock(h) as s:
            s.sendall(hello("a"))
            s.sendall(b'{"event":"ended"}\n')
            assert is_shown_out(s)
        v = hub.state("a", "running")
        assert v["pid"] != os.getpid(), v
        open(go, "w").close()
        equal(hub.gone("a")["state"], "completed")
        assert is_shown_out(early)
        early.close()


@tap.test
def an_impostor_does_not_get_an_adopted_ones_place():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        hub.run("a", acts("await", go, "print", RESULT))
        hub.state("a", "running")
        warden = h.warden("a")
        hub.kill()
        hub = h.hub()
        early = knock(h)
        early.sendall(hello("a"))
        lying = knock(h)
        lying.sendall(hello("a", warden=warden))
        # The warden is back, so that all three ask for one place.
        until(lambda: sockets(hub) == 4, "the listener and three at it")
        hub.order("adopt", "a", argv=["/bin/true"])
        assert hub.state("a", "running")["pid"] != os.getpid()
        open(go, "w").close()
        for s in (early, lying):
            assert is_shown_out(s)
            s.close()
        equal(hub.gone("a")["state"], "completed")


GREETING = b"kuromajutsu-wire 1\n"


@tap.test
def a_visitor_is_handed_over_with_all_it_said():
    with AgentHome() as h:
        hub = h.hub()
        for rest in (b"", b"x", b"and\nmore\n"):
            with knock(h) as s:
                start = hub.here()
                s.sendall(GREETING + rest)
                came = hub.event("session", start=start)["id"]
                equal(came, f"{os.getpid()} {rest.decode()}")
                equal(s.recv(100), b"come in\n")
                assert is_shown_out(s)


@tap.test
def a_greeting_in_pieces_is_a_greeting():
    with AgentHome() as h:
        hub = h.hub()
        with knock(h) as s:
            for byte in GREETING:
                s.sendall(bytes([byte]))
            hub.event("session")
            equal(s.recv(100), b"come in\n")


@tap.test
def nearly_a_greeting_is_none():
    with AgentHome() as h:
        hub = h.hub()
        for line in (b"kuromajutsu-wire 2\n", b"kuromajutsu-wire 1 \n",
                     b" " + GREETING, b"kuromajutsu-wire 1\r\n",
                     hello("a") + GREETING[:-1]):
            with knock(h) as s:
                s.sendall(line)
                if not line.startswith(b"{"):
                    assert is_shown_out(s)
        equal(hub.finish("a", puppet("reply"))["state"], "completed")
        assert not [e for e in hub.events if e["event"] == "session"]


@tap.test
def nobody_to_receive_shows_visitors_out():
    with AgentHome() as h:
        hub = h.hub()
        hub.order("dismiss", "")
        hub.event("sessions ended")
        with knock(h) as s:
            s.sendall(GREETING)
            assert is_shown_out(s)
        equal(hub.finish("a", puppet("reply"))["state"], "completed")


@tap.test
def visitors_leave_room_for_others():
    """A handed-over one is not counted among the silent."""
    with AgentHome() as h:
        hub = h.hub()
        for i in range(100):
            with knock(h) as s:
                s.sendall(GREETING)
                equal(s.recv(100), b"come in\n")
        equal(hub.finish("a", puppet("reply"))["state"], "completed")


@tap.test
def many_connections_are_no_hindrance():
    with AgentHome() as h:
        hub = h.hub(preexec_fn=limit(200))
        crowd = []
        try:
            for _ in range(400):
                crowd.append(knock(h))
        except OSError:
            pass  # its queue is full as well
        v = hub.finish("a", puppet("reply"))
        equal((v["state"], v["result"]["error"]), ("completed", ""))
        for s in crowd:
            s.close()


@tap.test
def three_hundred_at_once_fit_a_raised_limit():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2048:
        raise tap.Skip(f"a hard limit of {hard} descriptors")

    def lower():
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, hard), hard))
    with AgentHome() as h:
        hub, go = h.hub(preexec_fn=lower), os.path.join(h.top, "go")
        assert hub.room >= 300, hub.room
        for i in range(300):
            hub.run(f"a{i}", acts("await", go, "print", RESULT))
        for i in range(300):
            hub.state(f"a{i}", "running")
        open(go, "w").close()
        for i in range(300):
            equal(hub.gone(f"a{i}")["state"], "completed")


@tap.test
def one_too_many_is_refused_and_the_others_are_well():
    with AgentHome() as h:
        hub, go = h.hub(preexec_fn=limit(128)), os.path.join(h.top, "go")
        room = hub.room
        assert 10 <= room <= 40, room
        for i in range(60):
            hub.run(f"a{i}", acts("await", go, "print", RESULT))
        # Which of them is the ward's to choose.
        ids = {f"a{i}" for i in range(60)}
        refused = set()
        while len(refused) < 60 - room:
            v = hub.wait(lambda e: "gone" in e.get("news", []) and
                         e["id"] not in refused, "a refusal")
            equal(v["state"], "failed")
            contains(v["result"]["error"], "Too many open files")
            refused.add(v["id"])
        for id in ids - refused:
            hub.state(id, "running")
        open(go, "w").close()
        for id in ids - refused:
            equal(hub.gone(id)["state"], "completed")
        equal(hub.finish("late", acts("print", RESULT))["state"],
              "completed")


if __name__ == "__main__":
    tap.run()

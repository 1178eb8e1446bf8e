# SPDX-License-Identifier: MIT
"""The hub's life: its lock, its signals, its end."""

import json
import os
import signal
import sqlite3
import stat
import time
import urllib.parse

from harness import tap
from harness.http import BOTH, JSON, request
from harness.hub import HubHome, patient_home, read
from harness.processes import is_sanitized, resident_kb
from harness.programs import built
from harness.record import ended
from harness.tools import roles_are_judged, start_agents
from harness.until import FOREVER, contains, equal, until
from harness.wire import GREETING, HELLO, LEAVING, STOP, frame, packed

# A relay of another build.
ANOTHER = built("tests/e2e/kuromajutsu-of-another-build")


@tap.test
def the_command_line_teaches():
    with patient_home() as p:
        equal(p.try_hub("--help"), (0, ""))
        equal(p.try_hub("--version"), (0, ""))
        for wrong in (("--nonsense",), ("dance",), ("serve", "serve"),
                      ("--config",)):
            code, said = p.try_hub(*wrong)
            equal(code, 2)
            assert "usage: kuromajutsu-hub" in said, said


@tap.test
def a_wrong_configuration_is_said_where():
    with patient_home() as p:
        path = os.path.join(p.project, "wrong.yaml")
        with open(path, "w") as f:
            f.write("language: en\nagent:\n  maxConcurrent: many\n")
        code, said = p.try_hub("serve", "--config", path)
        equal(code, 2)
        assert f"{path}:3:18:" in said, said
        equal(p.try_hub("--config", "/no/such/file")[0], 2)


@tap.test
def a_token_that_others_can_read_is_none():
    with patient_home() as p:
        path = os.path.join(p.project, "token.yaml")
        secret = os.path.join(p.project, "secret")
        for name in (path, secret):
            with open(name, "w") as f:
                f.write("dashboard: {tokenFile: secret}\n")
        os.chmod(secret, 0o644)
        code, said = p.try_hub("serve", "--config", path)
        equal(code, 2)
        assert "secret を他のユーザーも読めます。chmod 600" in said, said
        os.remove(secret)
        code, said = p.try_hub("serve", "--config", path)
        equal(code, 2)
        assert "dashboard.tokenFile: secret を読めません" in said, said


@tap.test
def without_a_home_there_is_no_hub():
    with patient_home() as p:
        p.set(KUROMAJUTSU_HOME=None, HOME=None)
        code, said = p.try_hub("serve")
        equal(code, 2)
        assert "KUROMAJUTSU_HOME" in said, said
        p.set(KUROMAJUTSU_HOME=str(p.home))
        p.home.rmdir()
        p.home.touch()
        code, said = p.try_hub("serve")
        equal(code, 1)
        assert str(p.home) in said, said


@tap.test
def its_directory_is_ours_alone():
    with patient_home() as p:
        hub = p.hub()
        with p.session():
            pass
        for name, mode in (("", 0o700), ("agents", 0o700),
                           ("hub.sock", 0o600), ("hub.lock", 0o600)):
            equal(stat.S_IMODE(os.stat(p.state(name)).st_mode), mode)
        equal(read(p.state("hub.lock")), f"{hub.pid}\n")


@tap.test
def an_open_directory_is_closed():
    with patient_home() as p:
        p.hub()
        p.session().close()
        p.stop(p.hubs[0])
        os.chmod(p.state(), 0o755)
        p.hub()
        p.session().close()
        equal(stat.S_IMODE(os.stat(p.state()).st_mode), 0o700)


@tap.test
def an_idle_hub_is_small():
    with patient_home() as p:
        # meson has malloc write all over what is only reserved.
        p.set(MALLOC_PERTURB_="0")
        hub = p.hub()
        with p.session() as w:
            if is_sanitized(hub.pid):
                raise tap.Skip("a sanitizer's memory is not ours")
            until(lambda: roles_are_judged(w), "all checks")
            seen = resident_kb(hub.pid)
        assert seen <= 12 * 1024, f"{seen} kB"


@tap.test
def a_check_that_passed_is_not_paid_for_again():
    def judged(p):
        """When each role was tried, once all are."""
        with p.session() as w:
            until(lambda: roles_are_judged(w), "all checks")
            roles = w.ask("list_roles")["roles"]
        return {r["id"]: r["healthCheck"]["checkedAt"] for r in roles
                if r["healthCheck"]["status"] == "passed"}
    with patient_home() as p:
        p.hub()
        before = judged(p)
        assert before
        p.stop(p.hubs[0])
        p.hub()
        equal(judged(p), before)


@tap.test
def a_second_hub_leaves_the_place_to_the_first():
    with patient_home() as p:
        first = p.hub()
        with p.session() as w:
            for args in ((), ("serve",), ("--background",)):
                code, said = p.try_hub(*args)
                equal(code, 0)
                assert f"pid {first.pid}" in said, said
            equal(w.ask("hub_status")["pid"], first.pid)


@tap.test
def nobody_stands_alone_beside_a_hub():
    with patient_home() as p:
        first = p.hub()
        with p.session() as w:
            code, said = p.try_hub("--standalone")
            equal(code, 1)
            assert f"pid {first.pid}" in said, said
            equal(w.ask("hub_status")["pid"], first.pid)


@tap.test
def of_many_at_once_one_serves():
    with patient_home() as p:
        hubs = [p.hub() for _ in range(10)]
        with p.session() as w:
            until(lambda: sum(h.poll() is None for h in hubs) == 1, "one")
            pid = w.ask("hub_status")["pid"]
            equal([h.pid for h in hubs if h.poll() is None], [pid])
        for h in hubs:
            if h.pid != pid:
                equal(h.returncode, 0)


@tap.test
def a_killed_hub_is_followed_by_the_next():
    with patient_home(lease=3000) as p:
        p.hub()
        with p.session():
            p.hubs[0].kill()
            p.hubs[0].wait()
        assert os.path.exists(p.state("hub.sock"))
        until(p.is_deserted, "a socket that nobody has any more")
        second = p.hub()
        with p.session() as w:
            equal(w.ask("hub_status")["pid"], second.pid)


@tap.test
def signals_end_it_in_order():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with patient_home() as p:
            hub = p.hub()
            with p.session() as w, p.session(client="relay") as x, \
                    p.connect() as silent:
                hub.send_signal(number)
                for y in (w, x):
                    equal(y.next()[0], LEAVING)
                    assert y.is_closed()
                assert silent.is_closed()
            p.stopped(hub)
            assert not os.path.exists(p.state("hub.sock"))


@tap.test
def agents_end_before_it_and_who_waits_is_answered():
    with patient_home() as p:
        hub = p.hub()
        with p.session() as w:
            ids = start_agents(w, "hang", "hang", "hang")
            p.until_running(w, *ids)
            wait = w.order("wait_agent", {"agentIds": ids})
            # Behind it in the registry's inbox: the wait has begun.
            w.ask("list_agents")
            hub.terminate()
            is_error, answer = w.answer(wait)
            assert not is_error, answer
            equal([a["status"] for a in answer["completed"]],
                  ["cancelled"] * 3)
            seen = w.next()
            equal(seen[0], LEAVING)
            assert w.is_closed()
        p.stopped(hub)
        equal([p.tree(id) for id in ids], [[], [], []])


@tap.test
def one_that_hears_no_term_is_killed():
    with patient_home() as p:
        hub = p.hub()
        with p.session() as w:
            ids = start_agents(w, "ignore-term")
            p.until_running(w, *ids)
            w.send(STOP, packed({"keepAgents": False}))
            assert w.is_closed()
        p.stopped(hub)
        equal(p.tree(ids[0]), [])


@tap.test
def asked_twice_it_hurries():
    with patient_home() as p:
        hub = p.hub()
        with p.session() as w:
            ids = start_agents(w, "ignore-term")
            p.until_running(w, *ids)
            hub.terminate()
            p.until_logged("hub.signal")
            hub.send_signal(signal.SIGINT)
            assert w.is_closed()
        p.stopped(hub)
        # Its warden goes on with what it was told.
        until(lambda: not p.alive(ids[0]), "its end")


@tap.test
def nothing_new_begins_while_it_leaves():
    with patient_home(agent={"exitGrace_ms": 3600000}) as p:
        hub = p.hub()
        with p.session() as w:
            ids = start_agents(w, "hang")
            p.until_running(w, *ids)
            # It cannot leave before its agent, nor this before we say so.
            warden = p.warden(ids[0])
            os.kill(warden, signal.SIGSTOP)
            hub.terminate()
            p.until_logged("hub.leaving")
            # The order to leave and this call are on their way together.
            until(lambda: w.answer(w.order("create_group",
                                           {"description": "late"}))[0],
                  "a refusal")
            equal(w.refused("create_group", {"description": "late"}),
                  "HUB_UNAVAILABLE")
            equal(len(w.ask("list_agents")["agents"]), 1)
            os.kill(warden, signal.SIGCONT)
            assert w.is_closed()
        p.stopped(hub)


@tap.test
def stopped_by_a_command():
    with patient_home() as p:
        hub = p.hub()
        with p.session() as w, p.session(client="relay") as x:
            w.send(STOP, b"{}")
            equal(x.next()[0], LEAVING)
            equal(w.next()[0], LEAVING)
        p.stopped(hub)


@tap.test
def a_command_that_does_not_wait_stops_it_too():
    with patient_home() as p:
        hub = p.hub()
        with p.connect() as w:
            w.raw(GREETING + frame(HELLO, packed(w.said)) +
                  frame(STOP, b'{"keepAgents":false}'))
        p.stopped(hub)


def keep(p):
    """Has a hub leave its agents behind: their ids."""
    hub = p.hub()
    with p.session() as w:
        ids = start_agents(w, "hang", "ignore-term")
        p.until_running(w, *ids)
        w.send(STOP, packed({"keepAgents": True}))
        assert w.is_closed()
    p.stopped(hub)
    return ids


@tap.test
def kept_agents_live_on():
    with patient_home() as p:
        ids = keep(p)
        for id in ids:
            assert p.tree(id), id
            equal(ended(p.state(f"agents/{id}")), None)
        p.hub()  # takes them over, and they end with it
        with p.session() as w:
            until(lambda: {a["agentId"]: a["status"]
                           for a in w.ask("list_agents")["agents"]}
                  == dict.fromkeys(ids, "running"), "both taken over")


def running(p, ids):
    """Whether they are, as far as the hub and /proc know, and nothing else is:
    a check that loses its hub would stay for its lease."""
    with p.session() as w:
        seen = {a["agentId"]: a["status"]
                for a in w.ask("list_agents")["agents"]}
        return (seen == dict.fromkeys(ids, "running") and
                all(map(p.tree, ids)) and roles_are_judged(w) and
                len(p.living("kuromajutsu-warden")) == len(ids))


def next_hub(p, ids):
    """Kills the hub of these agents, and starts another."""
    until(lambda: running(p, ids), "agents at work")
    p.hubs[-1].kill()
    p.hubs[-1].wait()
    until(p.is_deserted, "a socket that nobody has any more")
    hub = p.hub()
    p.connect().close()
    return hub


@tap.test
def a_new_hub_knows_its_agents_before_it_speaks():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            ids = start_agents(w, "hang", "hang")
            p.until_running(w, *ids)
        for _ in range(10):
            next_hub(p, ids)
            with p.connect() as w:
                assert w.hello()["running"] > 0
        until(lambda: running(p, ids), "both taken over")


@tap.test
def a_relay_of_another_build_costs_no_agent_its_life():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            ids = start_agents(w, "hang", "hang")
            p.until_running(w, *ids)
        for _ in range(10):
            hub = next_hub(p, ids)
            relay = p.start("mcp", program=ANOTHER)
            relay.talk.hello()
            equal(relay.talk.call("list_agents")["total"], 2)
            contains(relay.said(), "another build")
            relay.end()
            equal(hub.poll(), None)
        until(lambda: running(p, ids), "both taken over")


@tap.test
def stopped_before_it_knows_its_agents_it_keeps_them():
    with patient_home() as p:
        ids = keep(p)
        lock = sqlite3.connect(p.state("kuromajutsu.db"))
        lock.execute("PRAGMA locking_mode = EXCLUSIVE")
        lock.execute("BEGIN EXCLUSIVE")
        hub = p.hub()
        p.connect().close()
        hub.terminate()
        p.until_logged("hub.leaving", 2, "agents are kept")
        lock.close()
        p.stopped(hub)
        equal([bool(p.tree(id)) for id in ids], [True, True])
        p.hub()
        until(lambda: running(p, ids), "both taken over")


@tap.test
def kept_agents_live_on_until_their_lease():
    with patient_home(lease=1000) as p:
        ids = keep(p)
        until(lambda: not any(map(p.alive, ids)), "the end of the lease")
        for id in ids:
            equal(ended(p.state(f"agents/{id}"))["reason"], "lease")


@tap.test
def without_its_lock_it_leaves():
    with patient_home(lease=3000) as p:
        first = p.hub()
        with p.session() as w:
            os.unlink(p.state("hub.lock"))
            second = p.hub()
            assert w.is_closed()
        p.stopped(first)
        with p.session() as w:
            equal(w.ask("hub_status")["pid"], second.pid)


@tap.test
def without_its_directory_it_leaves():
    with patient_home(lease=3000) as p:
        hub = p.hub()
        with p.session() as w:
            p.state().rename(p.home / "moved")
            assert w.is_closed()
        p.stopped(hub)


@tap.test
def in_the_background_it_lingers_and_leaves():
    with patient_home(linger=300) as p:
        hub = p.hub("--background")
        with p.session(client="relay") as w, p.session() as x:
            ids = start_agents(w, "hang")
            p.until_running(w, *ids)
            x.close()
        # Nobody is there but the agent.
        with p.session() as w:
            equal(w.ask("hub_status")["pid"], hub.pid)
            w.ask("cancel_agent", {"agentIds": ids})
            until(lambda: not p.alive(ids[0]), "its end")
            equal(w.ask("hub_status")["pid"], hub.pid)
        p.stopped(hub)
        log = read(p.state("hub.log")).splitlines()
        events = [json.loads(line)["event"] for line in log]
        equal(events[-3:], ["hub.idle", "hub.leaving", "hub.left"])


INITIALIZE = packed({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                     "params": {"protocolVersion": "2025-11-25",
                                "capabilities": {},
                                "clientInfo": {"name": "t", "version": "1"}}})


def leaves_after(method, path, body, stay):
    """How many ms after a request it left, which nobody else has used."""
    with HubHome({"language": "en", "dashboard": {"port": 0},
                  "hub": {"linger_ms": 0, "httpLinger_ms": stay}}) as p:
        hub = p.hub("--background")
        with p.session() as w:
            port = urllib.parse.urlsplit(p.url(w)).port
            began = time.monotonic()
            status, _, _ = request(port, method, path, body, {
                "content-type": JSON, "accept": BOTH})
            equal(status, 200)
        p.stopped(hub)
        return (time.monotonic() - began) * 1000


@tap.test
def after_a_call_over_http_it_stays_longer():
    """Nothing would start another for such a client."""
    for call in (("GET", "/api/status", None), ("POST", "/mcp", INITIALIZE)):
        assert leaves_after(*call, 1500) >= 1500
    # What only looks whether it lives keeps nobody alive: or this waits long.
    leaves_after("GET", "/healthz", None, FOREVER)


@tap.test
def in_the_background_a_first_relay_is_awaited():
    with patient_home(linger=0) as p:
        hub = p.hub("--background")
        p.session().close()
        p.stopped(hub)


@tap.test
def in_the_foreground_it_stays():
    with patient_home(linger=0) as p:
        hub = p.hub()
        p.session().close()
        # One second look of its own, and it is still there.
        p.session().close()
        with p.session() as w:
            equal(w.ask("hub_status")["pid"], hub.pid)


if __name__ == "__main__":
    tap.run()

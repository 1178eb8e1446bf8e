# SPDX-License-Identifier: MIT
"""Who a caller is: an agent, whatever it does not to be one; nobody's; or one
of whom it cannot be known, and who is refused."""

import json
import os
import subprocess
import sys

from harness import tap
from harness.hub import patient_home, read
from harness.processes import environments
from harness.programs import BUILD, HUB, PUPPET
from harness.tools import start_agents
from harness.until import DEADLINE, contains, equal, until
from harness.users import NOBODY, needs_root, nobody_listens
from harness.wire import STOP, InheritedWire, Wire

SPY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spy.py")
KEY = "KUROMAJUTSU_AGENT_KEY="
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}",
             "--clear-groups"]


def spying(p):
    """A command for its agents: the puppet, by way of spy.py."""
    path = p.top / "spy"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -B {SPY} {PUPPET} '
                    '"$@"\n')
    path.chmod(0o700)
    p.set(KUROMAJUTSU_AGENT_COMMAND=str(path))


def spied(p, meanwhile=lambda: None):
    """An agent that asks around in all ways, after something has happened: its
    id, and what it was told."""
    note, go = os.path.join(p.top, "note"), os.path.join(p.top, "go")
    spying(p)
    p.hub()
    with p.session() as w:
        group = w.ask("create_group", {"description": "t"})["groupId"]
        run = w.ask("run_agents", {"groupId": group, "agents": [
            {"role": "impl-code",
             "prompt": f"spy when: {go}\nspy: {note}\npuppet: reply"}]})
        id = run["agents"][0]["agentId"]
        until(lambda: w.call("get_agent_status", agentId=id)["status"]
              == "running", "a spy")
    meanwhile()
    open(go, "w", encoding="utf-8").close()
    with p.session() as w:
        answer = w.ask("wait_agent", {"agentIds": [id]})
        equal(answer["completed"][0]["status"], "completed")
    return id, lambda way: json.loads(read(f"{note}.{way}"))


def is_known(told, id):
    for way in ("plain", "forged", "nameless", "orphaned"):
        seen = told(way)
        equal((way, seen["welcome"]["agentId"]), (way, id))
        equal(seen["stop"], [True, 1, 77, "NOT_PERMITTED"])
        equal(seen["edits"], ["NOT_PERMITTED"] * 2)


@tap.test
def an_agent_is_known_by_its_ancestors_or_refused():
    with patient_home() as p:
        id, told = spied(p)
        is_known(told, id)
        for way in ("inherited", "deep"):
            seen = told(way)
            equal((way, seen["welcome"]["agentId"]), (way, None))
            equal(seen["stop"], [True, 1, 77, "CALLER_UNKNOWN"])
            equal(seen["edits"], ["CALLER_UNKNOWN"] * 2)


def killing(p, victims):
    """Ends hub, zygote or both, in that order; then there is a hub."""
    def kill():
        zygote, = p.zygotes()
        for victim in victims:
            os.kill(zygote if victim == "zygote" else p.hub_pid(), 9)
        until(lambda: zygote not in p.zygotes(), "no zygote")
        if "hub" in victims:
            p.hubs[-1].wait()
            until(p.is_deserted, "no hub")
            p.hub()
    return kill


@tap.test
def it_is_known_whoever_has_been_killed():
    for victims in (["zygote"], ["hub"], ["zygote", "hub"]):
        with patient_home() as p:
            id, told = spied(p, killing(p, victims))
            is_known(told, id)


@tap.test
def who_only_says_so_is_no_agent():
    with patient_home() as p:
        p.hub()
        with p.connect(env=["KUROMAJUTSU_AGENT_ID=impl-code-1-abcd"]) as w:
            equal(w.hello()["agentId"], None)
            w.ask("list_agents")


def agent_with_key(p):
    """Starts a hub and an agent: its id, and what it was given."""
    p.hub()
    with p.session() as w:
        id, = start_agents(w, "hang")
        p.until_running(w, id)
    env = next(env for pid, env in environments() if pid in p.tree(id))
    key, = [v.decode() for v in env if v.startswith(KEY.encode())]
    return id, key.removeprefix(KEY)


def is_hiding():
    """Whether /proc hides the first of all processes from us."""
    return not os.path.exists("/proc/1/stat")


@tap.test
def where_ancestors_are_hidden_who_says_so_is_refused():
    if not is_hiding():
        raise tap.Skip("nothing is hidden here")
    with patient_home() as p:
        p.hub()
        p.session().close()
        equal(p.run("status").returncode, 0)
        refused = p.run("status", KUROMAJUTSU_AGENT_ID="impl-code-1-abcd")
        equal(refused.returncode, 1)
        contains(refused.err, "unset that")


def nobodys_python():
    """One that runs this as another user."""
    for python in (sys.executable, "/usr/bin/python3"):
        # By way of a shell: what setpriv runs is still found as by root.
        if subprocess.run(
                [*AS_NOBODY, "sh", "-c", '"$1" -c "import json" && '
                 'test -r "$2" && test -x "$3"', "sh", python,
                 os.path.abspath(__file__), HUB], cwd="/", check=False,
                capture_output=True).returncode == 0:
            return python
    raise tap.Skip("others may not enter where this was built")


@tap.test
def hidden_ancestors_lock_nobody_out_and_let_nobody_in():
    if is_hiding():
        raise tap.Skip("this is what is tried here")
    needs_root()
    cases = (an_agent_is_known_by_its_ancestors_or_refused,
             where_ancestors_are_hidden_who_says_so_is_refused)
    # The first process stays root's: that is the one which is hidden.
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
         'mount -t proc -o hidepid=2 proc /proc || exit 9\n"$@"; exit $?',
         "sh", *AS_NOBODY, nobodys_python(), "-B", os.path.abspath(__file__),
         BUILD], capture_output=True, text=True, timeout=4 * DEADLINE,
        check=False, cwd="/", env=dict(os.environ, TAP_ONLY="\n".join(
            case.__name__ for case in cases)))
    if done.returncode == 9:
        raise tap.Skip(f"mount: {done.stderr.strip()}")
    for line in done.stdout.splitlines():
        print(f"# {line}")
    equal([line for line in done.stdout.splitlines() if "ok " in line[:7]],
          [f"ok {i} - {case.__name__}" for i, case in enumerate(cases, 1)])


@tap.test
def one_of_another_namespace_needs_the_key():
    alone = ["unshare", "--user", "--map-root-user", "--pid", "--fork",
             "--mount-proc"]
    if subprocess.run([*alone, "true"], capture_output=True,
                      check=False).returncode != 0:
        raise tap.Skip("no namespace for the hub")
    with patient_home() as p:
        id, key = agent_with_key(p)
        p.stop(p.hubs[0])
        with open(p.top / "stderr-alone", "wb") as said:
            p.hubs.append(subprocess.Popen([*alone, HUB, "serve"], env=p.env,
                                           cwd=p.project, stderr=said))
        with p.connect() as w:
            equal(w.hello()["agentId"], None)
            is_error, body = w.answer(w.order("list_agents"))
            equal((is_error, body["code"]), (True, "CALLER_UNKNOWN"))
            contains(body["message"], "KUROMAJUTSU_AGENT_KEY")
        equal(p.run("stop").returncode, 1)
        with p.connect(key=key) as w:
            equal(w.hello()["agentId"], id)
            w.ask("list_agents")


@tap.test
def who_shows_an_agents_key_is_that_agent():
    with patient_home() as p:
        id, key = agent_with_key(p)
        # Outside its tree, and even where nothing else is known.
        for wire in (Wire, InheritedWire):
            with wire(p.state("hub.sock"), key=key) as w:
                equal(w.hello()["agentId"], id)
                equal(w.refused("update_role", {"roleId": "research",
                                                "model": "auto"}),
                      "NOT_PERMITTED")
        for wrong in ("", "x", id, key[:-1], key[:-1] + "x"):
            with Wire(p.state("hub.sock"), key=wrong) as w:
                equal(w.hello()["agentId"], None)
                w.ask("list_agents")


@tap.test
def one_who_is_refused_is_told_why_and_what_to_do():
    with patient_home() as p:
        p.hub()
        p.session().close()
        with InheritedWire(p.state("hub.sock")) as w:
            w.hello()
            for name in ("list_agents", "wait_agent", "hub_status"):
                is_error, body = w.answer(w.order(name, {"agentIds": ["a"]}))
                equal((is_error, body["code"]), (True, "CALLER_UNKNOWN"))
                contains(body["message"], "has ended. Start")
            w.send(STOP, b"{}")
            assert w.next()[1] & 1
        p.until_logged("session.unknown")
        with p.session() as w:
            w.ask("hub_status")


@tap.test
def an_agent_that_stops_its_hub_is_told_at_once():
    with patient_home(language="en") as p:
        script = p.top / "stopper"
        said = p.top / "said"
        script.write_text(
            f'#!/bin/sh\nif [ -n "$KUROMAJUTSU_GROUP_ID" ]; then\n'
            f'{p.path("kuromajutsu")} stop >{said}.new 2>&1\n'
            f'echo $? >>{said}.new; mv {said}.new {said}\nfi\n'
            f'exec {PUPPET} "$@"\n')
        script.chmod(0o700)
        p.set(KUROMAJUTSU_AGENT_COMMAND=str(script))
        p.hub()
        with p.session() as w:
            start_agents(w, "reply")
            until(lambda: said.exists(), "its words")
            equal(said.read_text().splitlines()[-1], "1")
            contains(said.read_text(), "an agent cannot stop its own hub")
            w.ask("hub_status")


# ---- the other end --------------------------------------------------------

@tap.test
def another_users_hub_is_told_nothing():
    needs_root()
    with patient_home() as p:
        p.hub()
        p.session().close()
        p.stop(p.hubs[0])
        os.chown(p.state(), NOBODY, NOBODY)
        for folder in (p.top, p.home):  # as in a place that is everybody's
            folder.chmod(0o755)
        note = p.top / "note"
        with nobody_listens(p.state("hub.sock"), note):
            relay = p.relay()
            relay.talk.hello()
            is_error, body = relay.talk.use("list_agents")
            equal((is_error, body["code"]), (True, "HUB_UNAVAILABLE"))
            contains(body["message"], "another user listens there")
            for words in (("status",), ("stop",), ("doctor",)):
                said = p.run(*words)
                equal(said.returncode, 1)
                contains(said.out + said.err, "another user listens")
            equal(note.read_bytes(), b"")


@tap.test
def another_users_directory_is_not_ours():
    needs_root()
    with patient_home() as p:
        p.hub()
        p.session().close()
        p.stop(p.hubs[0])
        state = p.state()
        theirs = p.folder("theirs")
        os.chown(theirs, NOBODY, NOBODY)

        def refused():
            code, said = p.try_hub("serve")
            equal(code, 1)
            contains(said, "belongs to another user")
            is_error, body = p.relay().talk.use("list_agents")
            equal((is_error, body["code"]), (True, "HUB_UNAVAILABLE"))
            contains(body["message"], "belongs to another user")
            equal(p.living("kuromajutsu-hub"), [])
        os.chown(state, NOBODY, NOBODY)
        refused()
        os.chown(state, 0, 0)
        # A link is as good as the directory behind it, and as whose it is.
        kept = state.rename(p.top / "kept")
        state.symlink_to(theirs)
        refused()
        state.unlink()
        state.symlink_to(kept)
        os.chown(state, NOBODY, NOBODY, follow_symlinks=False)
        refused()
        os.chown(state, 0, 0, follow_symlinks=False)
        p.hub()
        p.session().close()


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""Agents started by the real launch under the real ward find what they need:
their files, their own configuration, and the hub's MCP server."""

import json
import os
import stat

from harness import tap
from harness.health import HealthHome
from harness.until import contains, equal, until

SERVER = """#!/bin/sh
printf '%s\\n' "$@" >{top}/server-argv
env >{top}/server-env
exec python3 -B {echo}
"""
ECHO = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                    "../../transport/puppet/echo_server.py")
FOLDER = ".cursor-plugin"
CALL = "puppet-file: {top}/call.yaml"
SCENARIO = """
- mcp: {tool: echo, args: {text: hello}}
- result: {text: 'asked by ${agent_id}'}
"""


def set_up(name="cursor-agent", config=""):
    c = HealthHome(config)
    c.copy = os.path.join(c.top, "copy")
    c.install(name, f'''case "$*" in *stream-json*)
[ -z "$CURSOR_CONFIG_DIR" ] || cp -a "$CURSOR_CONFIG_DIR" {c.copy};; esac''')
    c.write(os.path.join(c.user, ".cursor", "cli-config.json"), '{"a":1}')
    c.write(os.path.join(c.top, "call.yaml"), SCENARIO)
    c.relay = os.path.join(c.top, "relay")
    c.write(c.relay, SERVER.format(top=c.top, echo=ECHO), 0o755)
    return c


def read(*path):
    with open(os.path.join(*path)) as f:
        return f.read()


def run(c, prompt, id="impl-code-1-abcd"):
    hub = c.hub(relay=c.relay)
    roles = hub.settled()
    equal(roles["impl-code"]["available"], 1)
    hub.order("run", id=id, role="impl-code", prompt=prompt)
    return hub.event("ran")


def check_server(c, ran):
    equal((ran["passed"], ran["stderr"]), (1, ""))
    equal(read(c.top, "server-argv"), "mcp\n")
    env = read(c.top, "server-env").splitlines()
    for line in (f"KUROMAJUTSU_SOCKET={c.state}/hub.sock",
                 "KUROMAJUTSU_AGENT_ID=impl-code-1-abcd",
                 "KUROMAJUTSU_GROUP_ID=grp-1-abcd"):
        assert line in env, env
    result = json.loads(ran["output"].splitlines()[-1])
    equal((result["type"], result["is_error"]), ("result", False))
    contains(ran["output"], "hello")


@tap.test
def a_cursor_agent_starts_the_hubs_server():
    with set_up() as c:
        check_server(c, run(c, CALL.format(top=c.top)))
        contains(c.called()[-1], "--approve-mcps --plugin-dir "
                 f"{c.state}/agents/impl-code-1-abcd --model")


@tap.test
def a_claude_agent_starts_the_hubs_server():
    with set_up("claude", "agent: {backend: claude}\nroles:\n"
                "- {id: impl-code, model: opus}\n") as c:
        check_server(c, run(c, CALL.format(top=c.top)))


@tap.test
def all_of_it_is_the_agents_alone():
    with set_up() as c:
        run(c, "puppet: reply")
        home = os.path.join(c.state, "agents", "impl-code-1-abcd")
        # Its copies are being removed: of them the CLI's own copy tells.
        until(lambda: not os.path.exists(os.path.join(home, FOLDER)),
              "no copy")
        for path, folders, files in os.walk(home):
            for name in folders + files:
                mode = os.stat(os.path.join(path, name)).st_mode
                equal(mode & 0o077, 0)
        for name in (c.copy, os.path.join(c.copy, "cli-config.json")):
            equal(os.stat(name).st_mode & 0o077, 0)
        equal(json.loads(read(c.copy, "cli-config.json")), {"a": 1})


@tap.test
def copies_of_the_users_go_with_the_agent():
    """And only they: nothing is followed out of the folder."""
    with set_up() as c:
        kept = os.path.join(c.top, "kept")
        c.write(os.path.join(kept, "file"), "x")
        c.behave(f'''case "$*" in *stream-json*)
mkdir -p "$CURSOR_CONFIG_DIR/a/b"; : >"$CURSOR_CONFIG_DIR/a/b/c"
ln -s {kept} "$CURSOR_CONFIG_DIR/link";; esac''')
        equal(run(c, "puppet: reply")["passed"], 1)
        home = os.path.join(c.state, "agents", "impl-code-1-abcd")
        until(lambda: not os.path.exists(os.path.join(home, FOLDER)),
              "no copy")
        assert os.path.exists(os.path.join(home, "stdout.ndjson"))
        equal(read(kept, "file"), "x")


@tap.test
def the_users_folder_is_copied_in_part_and_never_written():
    with set_up() as c:
        user = os.path.join(c.user, ".cursor")
        c.write(os.path.join(user, "big"), "x" * ((1 << 20) + 1))
        c.write(os.path.join(user, "fits"), "x" * (1 << 20))
        c.write(os.path.join(user, "projects", "deep"), "x")
        os.mkfifo(os.path.join(user, "pipe"))
        os.symlink("/nowhere", os.path.join(user, "broken"))
        os.symlink(os.path.join(user, "projects", "deep"),
                   os.path.join(user, "linked"))
        before = sorted(os.listdir(user))
        run(c, "puppet: reply")
        equal(sorted(os.listdir(c.copy)),
              ["cli-config.json", "fits", "linked", "plugin.json"])
        assert stat.S_ISREG(os.lstat(os.path.join(c.copy, "linked")).st_mode)
        equal(sorted(os.listdir(user)), before)


@tap.test
def a_user_without_a_folder_has_one_with_our_file_alone():
    """Which stays: there is nothing of the user's in it."""
    with set_up() as c:
        os.remove(os.path.join(c.user, ".cursor", "cli-config.json"))
        os.rmdir(os.path.join(c.user, ".cursor"))
        equal(run(c, "puppet: reply")["passed"], 1)
        equal(os.listdir(c.copy), ["plugin.json"])
        equal(os.path.exists(os.path.join(c.user, ".cursor")), False)
        home = os.path.join(c.state, "agents", "impl-code-1-abcd")
        equal(os.listdir(os.path.join(home, FOLDER)), ["plugin.json"])


@tap.test
def what_an_earlier_version_has_copied_goes_too():
    with set_up() as c:
        home = os.path.join(c.state, "agents", "impl-code-1-abcd")
        c.write(os.path.join(home, "cursor", "cli-config.json"), "key")
        equal(run(c, "puppet: reply")["passed"], 1)
        until(lambda: not os.path.exists(os.path.join(home, "cursor")),
              "no copy")


@tap.test
def many_files_are_bounded():
    with set_up() as c:
        for i in range(200):
            c.write(os.path.join(c.user, ".cursor", f"f{i}"), "x")
        equal(run(c, "puppet: reply")["passed"], 1)
        equal(len(os.listdir(c.copy)), 64 + 1)


@tap.test
def a_long_prompt_arrives_whole():
    with set_up() as c:
        prompt = "puppet: reply\n" + "長" * 70000 + "\nlast line"
        ran = run(c, prompt)
        equal((ran["passed"], ran["stderr"]), (1, ""))
        contains(ran["output"].splitlines()[-1], "last line")


@tap.test
def a_prompt_may_begin_with_a_dash():
    with set_up() as c:
        ran = run(c, "--version\npuppet: reply\n-x")
        equal((ran["passed"], ran["stderr"]), (1, ""))
        contains(ran["output"].splitlines()[-1], "-x")


@tap.test
def what_cannot_be_laid_out_is_not_started():
    with set_up() as c:
        for name, stage in ((FOLDER + "/plugin.json/x", "files"),
                            (FOLDER, "copies")):
            home = os.path.join(c.state, "agents", "x-" + stage)
            c.write(os.path.join(home, name), "in the way")
        hub = c.hub(relay=c.relay)
        hub.settled()
        for i, stage in enumerate(("files", "copies")):
            hub.order("run", id="x-" + stage, role="impl-code", prompt="hi")
            ran = hub.wait(lambda e: e["event"] == "ran" and e["run"] == i,
                           stage)
            equal((ran["passed"], ran["stage"]), (0, stage))
            contains(ran["detail"], stage)


if __name__ == "__main__":
    tap.run()

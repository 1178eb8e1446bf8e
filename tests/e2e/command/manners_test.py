#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every command has in common: exit codes as the help says them, mistakes
that are named, and nothing on stdout that was not asked for."""

import json
import os
import re
import subprocess

from harness import tap
from harness.command import CommandHome, served
from harness.until import equal

# By what they need: words that make sense, as far as any can.
WORDS = {
    "status": (), "agents": (), "show": ("impl-code-1-none",),
    "logs": ("impl-code-1-none",), "groups": (), "roles": (),
    "cancel": ("impl-code-1-none",), "retry": ("impl-code-1-none",),
    "wait": ("impl-code-1-none",), "report": ("grp-1-none",),
    "start": (), "stop": (), "hubs": (), "history": (), "usage": (),
    "export": ("impl-code-1-none",), "replay": ("grp-1-none",), "gc": (),
    "doctor": (), "trust": (), "mcp-config": (), "help": (), "version": (),
}
NEEDS_HUB = ("status", "roles", "cancel", "retry", "stop", "gc")
TABLES = ("status", "agents", "groups", "roles", "hubs", "history", "usage")


def commands(home):
    """The names that the help lists."""
    text = home.run("--help").out.split("Usage:")[1].split("More:")[0]
    names = re.findall(r"^  ([a-z][a-z-]+)  ", text, re.M)
    return [n for n in names if n not in ("mcp", "serve")]


@tap.test
def every_command_is_looked_at():
    with CommandHome() as h:
        new = [n for n in commands(h) if n not in WORDS]
        assert len(new) <= 4, f"give these words to be tried with: {new}"
        assert set(WORDS) <= set(commands(h)), commands(h)


@tap.test
def unknown_options_and_words_are_named():
    with CommandHome() as h:
        for name in commands(h):
            run = h.run(name, "--no-such-option")
            equal((name, run.returncode, run.out), (name, 2, ""))
            assert "--no-such-option" in run.err and name in run.err, run.err
            run = h.run(name, *["x"] * 40, "--", "-y")
            if name not in ("cancel", "retry", "wait"):
                equal((name, run.returncode, run.out), (name, 2, ""))
                assert "'x'" in run.err or "x" in run.err, run.err
        run = h.run("statsu")
        equal((run.returncode, run.out), (2, ""))
        assert "status" in run.err


SERVICES = ("mcp", "serve", "--standalone")


@tap.test
def services_name_what_they_do_not_know():
    """They are no commands, and are as well-mannered: in the caller's
    language, by name, and never by the usage of another program."""
    for language, unknown, too_much, value in (
            ("en", "unknown option '--bogus'", "'x' is too much",
             "option --config needs a value"),
            ("ja", "不明なオプション '--bogus'", "余分な引数 'x'",
             "オプション --config に値が必要です")):
        with CommandHome(KUROMAJUTSU_LANGUAGE=language) as h:
            for name in SERVICES:
                for words, said in (((name, "--bogus"), unknown),
                                    ((name, "x"), too_much),
                                    ((name, "--config"), value),
                                    (("--project", ".", name, "x"), too_much)):
                    run = h.run(*words)
                    equal((words, run.returncode, run.out), (words, 2, ""))
                    assert f"{name}: {said}" in run.err, run.err
                    assert "usage" not in run.err, run.err
    with CommandHome() as h:
        run = h.run("mcp", "--tolsets", "kuro")
        assert "Did you mean --toolsets?" in run.err, run.err


@tap.test
def services_may_stand_behind_the_programs_options():
    with CommandHome() as h:
        for name in SERVICES:
            run = h.run("--config", "missing.yaml", name)
            equal((name, run.returncode, run.out), (name, 2, ""))
            assert "missing.yaml" in run.err, run.err
            run = h.run("--config=missing.yaml", name)
            assert "missing.yaml" in run.err, run.err
            for words in ((name, "-h"), ("--project", ".", name, "--help"),
                          (name, "--project", ".", "-h")):
                run = h.run(*words)
                equal((words, run.returncode, run.out),
                      (words, 0, h.run("help", name).out))
        talk = h.start(f"--project={h.project}", "mcp").talk
        assert talk.hello()["serverInfo"]["name"] == "kuromajutsu"


@tap.test
def no_path_is_told_that_leads_nowhere():
    with CommandHome() as h:
        for name in ("status", "roles", "agents", "history", "stop"):
            run = h.run(name)
            equal((name, run.returncode, run.out), (name, 3, ""))
            told = re.findall(r"(?<=\()/[^)]*", run.err)
            equal((name, [p for p in told if not os.path.exists(p)]),
                  (name, []))
        h.told_state().mkdir(parents=True)
        assert f"({h.told_state()})" in h.run("status").err


@tap.test
def a_hub_is_not_started_on_wrong_settings():
    with CommandHome("agent: [") as h:
        for name in ("start", "serve", "status"):
            run = h.run(name)
            equal((name, run.returncode, run.out), (name, 2, ""))
            assert "kuromajutsu.config.yaml:2:1" in run.err, run.err


@tap.test
def the_programs_own_options_are_named():
    with CommandHome() as h:
        run = h.run("--bogus")
        equal((run.returncode, run.out), (2, ""))
        assert "unknown option '--bogus'" in run.err, run.err
        for words in (("status", "--project"), ("status", "--config"),
                      ("--config=", "status"), ("--project", "", "agents")):
            run = h.run(*words)
            equal((words, run.returncode, run.out), (words, 2, ""))
            option = "--project" if "--project" in words else "--config"
            assert f"option {option} needs a value" in run.err, run.err


@tap.test
def a_misspelt_option_is_guessed():
    with CommandHome() as h:
        for name, option, meant in (
                ("agents", "--gruop", "--group"), ("usage", "--jsno", "--json"),
                ("logs", "--folow", "--follow"), ("hubs", "--al", "--all"),
                ("stop", "--keep-agent", "--keep-agents"),
                ("retry", "--fail", "--failed")):
            run = h.run(name, option)
            equal((name, run.returncode), (name, 2))
            assert f"Did you mean {meant}?" in run.err, run.err


@tap.test
def a_value_that_cannot_be_is_told_with_those_that_can():
    with CommandHome() as h:
        for name, option, value, some in (
                ("agents", "--status", "runing", "Did you mean running?"),
                ("agents", "--status", "odd", "timedOut"),
                ("history", "--status", "odd", "cancelled"),
                ("usage", "--by", "odd", "model, day"),
                ("history", "--limit", "0", "from 1 to 500"),
                ("history", "--since", "someday", "2026-02-13"),
                ("logs", "--tail", "x", "--tail")):
            words = ("--hub",) if name == "logs" else ()
            run = h.run(name, *words, option, value)
            equal((name, value, run.returncode, run.out), (name, value, 2, ""))
            assert option in run.err and some in run.err, run.err
            assert "VALIDATION_ERROR" not in run.err, run.err


@tap.test
def an_option_given_twice_is_refused():
    with CommandHome() as h:
        for name, option in (("agents", "--status"), ("history", "--limit"),
                             ("usage", "--by"), ("cancel", "--reason")):
            run = h.run(name, option, "all", option, "all")
            equal((name, run.returncode, run.out), (name, 2, ""))
            assert f"{option} is given twice" in run.err, run.err
        run = h.run("agents", "--status")
        equal(run.returncode, 2)
        assert "needs a value" in run.err
        run = h.run("hubs", "--json=yes")
        equal(run.returncode, 2)
        assert "takes no value" in run.err


@tap.test
def without_a_hub_it_is_three():
    with CommandHome() as h:
        for name in NEEDS_HUB:
            run = h.run(name, *WORDS[name])
            equal((name, run.returncode, run.out), (name, 3, ""))
            assert "kuromajutsu start" in run.err, run.err


@tap.test
def what_is_not_there_is_one_and_prints_nothing():
    with served() as h:
        for name in ("show", "logs", "cancel", "retry", "export", "replay",
                     "report"):
            run = h.run(name, *WORDS[name])
            equal((name, run.returncode, run.out), (name, 1, ""))
            assert WORDS[name][0] in run.err, run.err
        run = h.run("agents", "--group", "grp-1-none")
        equal((run.returncode, run.out), (1, ""))


@tap.test
def tables_are_json_for_programs_and_nothing_else():
    with served() as h:
        h.group("report")
        for name in TABLES:
            run = h.run(name, "--json")
            equal((name, run.returncode, run.err), (name, 0, ""))
            json.loads(run.out)


@tap.test
def wrong_settings_are_two():
    with CommandHome("agent: {maxConcurrent: no}\n") as h:
        for name in ("start", "doctor"):
            run = h.run(name)
            assert run.returncode in (1, 2), (name, run.returncode)
            assert "maxConcurrent" in run.err + run.out, (name, run.err)


# ---- where it goes ----------------------------------------------------------

@tap.test
def a_full_disk_is_a_failure():
    with served() as h:
        for name in ("--help", "status", "roles", "hubs", "version"):
            with open("/dev/full", "wb") as full:
                run = subprocess.run([h.path("kuromajutsu"), name], env=h.env,
                                     cwd=h.project, stdout=full,
                                     stdin=subprocess.DEVNULL, check=False,
                                     stderr=subprocess.PIPE)
            equal((name, run.returncode), (name, 1))


@tap.test
def a_reader_that_left_is_no_crash():
    with served() as h:
        ours, theirs = os.pipe()
        os.close(ours)
        for name in ("--help", "status", "roles", "hubs"):
            run = subprocess.run([h.path("kuromajutsu"), name], env=h.env,
                                 cwd=h.project, stdout=theirs, check=False,
                                 stdin=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE)
            assert run.returncode in (1, -13), (name, run.returncode)
        os.close(theirs)


@tap.test
def a_file_that_cannot_be_written_is_named():
    with served() as h:
        group, ids = h.group("report")
        for name in ("export", "report"):
            run = h.run(name, group, "-o", "no/such/folder/file")
            equal((name, run.returncode, run.out), (name, 1, ""))
            assert "no/such/folder/file" in run.err, run.err
        h.talk.call("cancel_agent", agentIds=ids)


@tap.test
def after_two_dashes_all_are_words():
    with CommandHome() as h:
        run = h.run("agents", "--", "--json")
        equal((run.returncode, run.out), (2, ""))
        assert "'--json'" in run.err, run.err
        run = h.run("help", "--", "agents")
        equal(run.returncode, 0)
        assert run.out.startswith("kuromajutsu agents"), run.out


# ---- start, stop, hubs ------------------------------------------------------

@tap.test
def a_hub_is_started_listed_and_stopped():
    with CommandHome() as h:
        equal(h.run("hubs").out, "No hub is running.\n")
        run = h.run("start")
        equal((run.returncode, run.err), (0, ""))
        url = re.search(r"http://\S+", run.out).group()
        pid = int(re.search(r"pid (\d+)", run.out).group(1))
        run = h.run("start")
        equal(run.returncode, 0)
        assert "runs already" in run.out and url in run.out, run.out
        hub, = json.loads(h.run("hubs", "--json").out)["hubs"]
        equal((hub["pid"], hub["url"], hub["running"]), (pid, url, True))
        assert os.path.samefile(hub["project"], h.project), hub
        out = h.run("hubs", COLUMNS="60").out
        assert str(pid) in out and url in out, out
        # With no client, and it stays: nothing is left to wait for.
        equal(h.run("stop").returncode, 0)
        equal(h.run("stop").returncode, 3)
        equal(h.run("hubs").out, "No hub is running.\n")
        hub, = json.loads(h.run("hubs", "--all", "--json").out)["hubs"]
        equal(hub["running"], False)
        assert "none" in h.run("hubs", "--all").out


@tap.test
def one_that_was_started_stays():
    with CommandHome("hub: {linger_ms: 1}\n") as h:
        h.run("start")
        run = h.run("logs", "--hub", "--json")
        assert "hub.serving" in run.out, run.out
        talk = h.relay().talk
        talk.hello()
        talk.close()
        # One that does not leaves a millisecond after its last client.
        for _ in range(20):
            equal(h.run("status").returncode, 0)
        assert "hub.idle" not in h.run("logs", "--hub", "--json").out
        equal(h.run("stop").returncode, 0)


@tap.test
def a_hub_that_cannot_start_says_why():
    with CommandHome() as h:
        state = h.told_state()
        state.mkdir(parents=True)
        (state / "hub.lock").mkdir()
        run = h.run("start")
        equal((run.returncode, run.out), (1, ""))
        assert "hub.log" in run.err or "hub.lock" in run.err, run.err


if __name__ == "__main__":
    tap.run()

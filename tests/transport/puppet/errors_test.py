#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a wrong scenario is told: where it is wrong and what was expected."""

import subprocess
import tempfile

from harness import tap
from puppet import PUPPET, environment, play, scenario


def wrong(text, place, *words):
    """The scenario is refused whole, at line:column, in these words."""
    run = scenario(text)
    assert run.code == 2, (run.code, run.raw, run.err)
    assert run.raw == b"", "something was played"
    assert run.err.startswith(f"{run.path}:{place}: "), run.err
    assert run.err.count("\n") == 1, run.err
    for word in words:
        assert word in run.err, (word, run.err)


@tap.test
def unknown_step_lists_the_known_ones():
    wrong("- say: a\n- sayy: b\n", "2:3", "unknown step 'sayy'",
          "expected one of: say, think, tool, edit, mcp, wait_mcp, result,",
          "daemon", "exit")
    wrong("- hangg\n", "1:3", "unknown step 'hangg'")


@tap.test
def nothing_is_played_before_all_is_checked():
    wrong("- say: fine\n- edit: {path: a, content: b, write: true}\n"
          "- exit: 999\n", "3:9", "from 0 to 255, found '999'")


@tap.test
def unknown_argument_lists_the_known_ones():
    wrong("- say: {txt: a}\n", "1:9", "unknown argument of 'say'",
          "text, chunks, delay, complete")
    wrong("- hang: {for: 3}\n", "1:10", "expected one of: nothing")


@tap.test
def missing_and_double_arguments():
    wrong("- say: {chunks: 3}\n", "1:3", "expected 'text' in 'say'")
    wrong("- say\n", "1:3", "expected 'text' in 'say'")
    wrong("- tool: {args: {a: 1}}\n", "1:3", "expected 'name' in 'tool'")
    wrong("- say: {text: a, text: b}\n", "1:18", "'text' only once")


@tap.test
def wrong_types():
    wrong("- sleep: soon\n", "1:10",
          "expected for 'ms' a whole number from 0 to", "found 'soon'")
    wrong("- sleep: 1.5\n", "1:10", "whole number")
    wrong("- sleep: -1\n", "1:10", "from 0 to")
    wrong("- sleep: 99999999999999999999\n", "1:10", "whole number")
    wrong("- flood: {lines: 0}\n", "1:18", "from 1 to")
    wrong("- ignore_term: maybe\n", "1:16", "true or false, found 'maybe'")
    wrong("- crash: BANG\n", "1:10", "one of: SEGV ABRT", "found 'BANG'")
    wrong("- say: [a]\n", "1:8", "expected a text")
    wrong("- sleep: [1]\n", "1:10", "expected a single value")
    wrong("- tool: {name: x, result: maybe}\n", "1:27",
          "success rejected error denied")


@tap.test
def wrong_structure():
    wrong("", "1:1", "expected a list of steps, found nothing")
    wrong("just text\n", "1:1", "expected a list of steps")
    wrong("- [a]\n", "1:3", "expected a step, written 'name: value'")
    wrong("- {}\n", "1:3", "expected a step")
    wrong("- say: a\n  delay: 3\n", "2:3", "expected one name in a step",
          "indent")
    wrong("- usage: 3\n", "1:10", "a mapping of: input, output, cache_read")
    wrong("- repeat: {times: 2, steps: {say: a}}\n", "1:29",
          "expected a list of steps")
    wrong("steps: []\nother: 1\n", "2:1", "expected one of: params, init")
    wrong("params: {a: 1}\n", "1:1", "expected 'steps'")
    wrong("params: [a]\nsteps: []\n", "1:9", "'name: default'")
    wrong("params: {a: [1]}\nsteps: []\n", "1:10", "'name: default'")


@tap.test
def yaml_errors_have_a_place_too():
    wrong("- say: {text: a\n- b\n", "3:1", "expected YAML:")
    wrong("- say: \"a\n", "2:1", "expected YAML:")
    wrong("\t- say: a\n", "1:1", "expected YAML:")


@tap.test
def unknown_variables():
    wrong("- say: 'hello ${nme}'\n", "1:8", "unknown variable 'nme'",
          "last_line", "KUROMAJUTSU_*")
    wrong("- mcp: {tool: t, args: {a: {b: ['${later}']}}}\n"
          "- mcp: {tool: t, save: {later: /x}}\n", "1:33", "'later'")
    wrong("- sleep: '${x}'\n", "1:10", "unknown variable 'x'")


@tap.test
def wrong_pointers():
    wrong("- mcp: {tool: t, save: {a: agentId}}\n", "1:24",
          "expected for 'a' a JSON pointer such as /agents/0/agentId")
    wrong("- mcp: {tool: t, save: a}\n", "1:24", "variable: /pointer")


@tap.test
def aliases_are_refused():
    wrong("- say: &a hello\n- say: *a\n", "2:8", "expected no alias")
    wrong("&a [*a]\n", "1:5", "expected no alias")
    wrong("params: {a: &a [x]}\nsteps: *a\n", "2:8", "expected no alias")


@tap.test
def depth_has_a_limit():
    text = "- say: deep\n"
    for _ in range(40):
        text = "- repeat:\n    times: 1\n    steps:\n" + "".join(
            "    " + line + "\n" for line in text.splitlines())
    run = scenario(text)
    assert run.code == 2 and "32 at most" in run.err, run.err
    run = scenario("- tool: {name: x, args: " + "[" * 500 + "]" * 500 + "}\n")
    assert run.code == 2 and "32 at most" in run.err, run.err


@tap.test
def size_has_a_limit():
    run = scenario("# " + "x" * 300000 + "\n- say: a\n")
    assert run.code == 2 and "at most 262144 bytes" in run.err, run.err
    run = scenario("- hang\n" * 25000)
    assert run.code == 2 and "20000 at most" in run.err, run.err


@tap.test
def brackets_without_end_are_refused_quickly():
    run = scenario("[" * 260000)
    assert run.code == 2 and run.raw == b"", run.err


@tap.test
def not_utf8():
    with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
        file.write(b"- say: \xff\xfe\n")
        file.flush()
        done = subprocess.run(
            [PUPPET, "-p", "x"], stdin=subprocess.DEVNULL, capture_output=True,
            env=environment(KUROMAJUTSU_PUPPET=file.name))
    assert done.returncode == 2 and b"expected YAML" in done.stderr


@tap.test
def not_a_file():
    run = play("x", KUROMAJUTSU_PUPPET="/")
    assert run.code == 2 and "Is a directory" in run.err
    run = play("x", KUROMAJUTSU_PUPPET="/dev/null")
    assert run.code == 2, run.err


if __name__ == "__main__":
    tap.run()

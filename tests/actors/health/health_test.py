# SPDX-License-Identifier: MIT
"""Which roles can be hired, found out with real CLIs' stand-in."""

import os
import time

from harness import tap
from harness.health import (BROKEN, CHECKS, MODELS, OK, ONE, HealthHome,
                            all_are, column)
from harness.until import contains, equal, patiently, until

LIMIT = ('{"type":"result","subtype":"success","is_error":true,'
         '"result":"You’ve hit your limit"}')
MODEL = '{"type":"error","error":{"data":{"message":"no model x"}}}'


@tap.test
def all_pass_and_equal_checks_are_made_once():
    with HealthHome() as c:
        c.install()
        began = time.time() * 1000
        hub = c.hub()
        roles = hub.settled()
        equal(len(roles), 6)
        all_are(roles, check="passed", available=1, model="valid", reason="",
                message="", program=os.path.join(c.bin, "cursor-agent"))
        for role in roles.values():
            assert began - 50 <= role["validatedAt"] <= role["checkedAt"]
            assert role["checkedAt"] <= time.time() * 1000 + 50
        equal(c.called()[0], "cursor-agent models")
        equal(sorted(c.called()[1:]), CHECKS)
        equal(hub.events[-1]["models"], MODELS)
        equal(c.checks_under_way(), [])


@tap.test
def all_are_pending_at_first():
    with HealthHome() as c:
        c.install()
        hub = c.hub()
        first = hub.event("roster")
        all_are(first["roles"], check="pending", pending=1, available=1)
        equal(first["models"], [])
        known = hub.roster(lambda r: all(x["model"] == "valid"
                                         for x in r.values()),
                           "a list of models")
        all_are(known, available=1)
        hub.settled()


@tap.test
def an_unknown_model_is_not_tried():
    with HealthHome("roles:\n- {id: research, model: no-such}\n"
                    "- {id: impl-test, model: 'claude-opus-4-8[effort=high]'}\n"
                    "- {id: code-review, model: composer-1.5}\n") as c:
        c.install()
        roles = c.hub().settled()
        r = roles["research"]
        equal((r["check"], r["model"], r["available"]),
              ("skipped", "invalid", 0))
        equal(r["message"], "モデル 'no-such' は利用できません")
        equal(r["reason"], "モデル検証に失敗したためスキップ")
        equal(roles["impl-test"]["check"], "passed")
        assert not [x for x in c.called() if "no-such" in x], c.called()


@tap.test
def messages_are_english_if_so_wanted():
    with HealthHome("language: en\nroles:\n- {id: research, model: x}\n") as c:
        c.install()
        r = c.hub().settled()["research"]
        equal(r["message"], "model 'x' is not available")
        equal(r["reason"], "skipped: its model is not valid")


@tap.test
def without_a_cli_it_says_what_to_do():
    for config, part in (("", "をインストールするか"),
                         ("language: en", "install Cursor's CLI"),
                         ("agent: {command: /no/such}", "'/no/such'"),
                         ("agent: {backend: claude}\nlanguage: en",
                          "install Claude Code")):
        with HealthHome(config) as c:
            roles = c.hub().settled()
            all_are(roles, check="skipped", model="invalid", available=0, program="")
            for text in ("reason", "message"):
                contains(roles["research"][text], part)
                contains(roles["research"][text], "agent.command")


@tap.test
def a_cli_that_lists_no_models_fails_with_its_words():
    with HealthHome() as c:
        c.install(mode='echo "no key" >&2; exit 3')
        roles = c.hub().settled()
        all_are(roles, check="skipped", available=0)
        equal(roles["research"]["reason"], "cursor-agent models "
              "コマンドの実行に失敗したため検証できません: no key")
        equal(c.called(), ["cursor-agent models"])
        equal(c.checks_under_way(), [])


@tap.test
def the_shorter_name_comes_first():
    with HealthHome() as c:
        c.install()
        c.install("agent")
        roles = c.hub().settled()
        all_are(roles, available=1, program=os.path.join(c.bin, "agent"))
        equal(c.called()[:2], ["agent --help", "agent models"])
        assert not [x for x in c.called() if "cursor-agent" in x], c.called()


@tap.test
def another_makers_program_is_asked_for_its_help_and_nothing_else():
    for mode in ("echo 'Usage: agent PROMPT: moves the cursor'; exit 0",
                 "echo 'unknown flag' >&2; exit 2", "kill -9 $$"):
        with HealthHome() as c:
            c.install()
            c.install("agent", mode=mode)
            roles = c.hub().settled()
            all_are(roles, available=1,
                    program=os.path.join(c.bin, "cursor-agent"))
            equal(c.called()[:2], ["agent --help", "cursor-agent models"])
            equal([x for x in c.called() if x.startswith("agent")],
                  ["agent --help"])


@tap.test
def another_makers_program_alone_is_named():
    with HealthHome("language: en") as c:
        c.install("agent", mode="echo 'Usage: something else'; exit 0")
        roles = c.hub().settled()
        all_are(roles, check="skipped", available=0, program="")
        for part in (f"{c.bin}/agent", "another maker's", "cursor.com",
                     "agent.command"):
            contains(roles["research"]["reason"], part)
        equal(c.called(), ["agent --help"])


@tap.test
def the_next_name_is_tried_when_one_lists_no_models():
    with HealthHome() as c:
        c.install("agent", mode='[ "$1" = --help ] || exit 1')
        c.install()
        all_are(c.hub().settled(), available=1,
                program=os.path.join(c.bin, "cursor-agent"))
        equal(c.called()[:3],
              ["agent --help", "agent models", "cursor-agent models"])


@tap.test
def two_names_of_one_program_are_one():
    """As Cursor's installer makes them; its help need not be asked for."""
    with HealthHome() as c:
        c.install(mode="exit 1")
        os.symlink("cursor-agent", os.path.join(c.bin, "agent"))
        c.hub().settled()
        equal(c.called(), ["cursor-agent models"])


@tap.test
def a_command_of_the_users_is_the_only_candidate():
    with HealthHome() as c:
        c.install()
        c.install("mine")
        c.write(c.config, f"agent: {{command: {c.bin}/mine}}\n")
        roles = c.hub().settled()
        all_are(roles, available=1, program=os.path.join(c.bin, "mine"))
        equal({x.split()[0] for x in c.called()}, {"mine"})


@tap.test
def a_failing_check_is_explained():
    for act, reason in (('echo "over quota" >&2; exit 4', "over quota"),
                        ("exit 4", "終了コード 4"),
                        ('echo "Not logged in · Please run /login"; exit 1',
                         "Not logged in · Please run /login"),
                        ('echo a; echo b >&2; exit 1', "b"),
                        (f"echo '{LIMIT}'; exit 1", "You’ve hit your limit"),
                        (f"echo '{MODEL}'; echo '{{}}'; exit 1", "no model x"),
                        ("echo '{\"type\": 1}'; exit 5", "終了コード 5"),
                        ("kill -9 $$", "シグナル 9 で終了"),
                        ("exit 0", "応答が空です"),
                        ("echo; echo ' '; exit 0", "応答が空です")):
        with HealthHome() as c:
            c.install(mode=BROKEN % act)
            roles = c.hub().settled()
            r = roles.pop("research")
            equal((r["check"], r["available"], r["model"], r["reason"]),
                  ("failed", 0, "valid", reason))
            all_are(roles, available=1)


@tap.test
def a_hanging_check_is_ended():
    with HealthHome(ONE) as c:
        c.install(mode='case "$*" in *-p*) exec sleep 100000;; esac')

        def attempt(ms):
            hub = c.hub(limit=ms)
            r = hub.settled()["impl-code"]
            hub.stop()
            if r["check"] == "skipped":  # already the list took longer
                return False
            equal((r["check"], r["reason"]),
                  ("failed", f"{ms} ms 以内に応答がありません"))
            return True
        patiently(attempt, 500)


@tap.test
def a_hanging_list_of_models_is_ended():
    with HealthHome() as c:
        c.install(mode="exec sleep 100000")
        roles = c.hub(limit=300).settled()
        contains(roles["research"]["reason"], "300 ms")


@tap.test
def what_hangs_ends_with_the_hub():
    """The end of its home sees that nothing is left alive."""
    with HealthHome() as c:
        c.install(mode="exec sleep 100000")
        hub = c.hub()
        until(c.called, "a call")
        hub.stop()


@tap.test
def no_more_than_four_at_once():
    """Each waits for four marks, and says how many it has seen then."""
    roles = "".join(f"- {{id: r{i}, model: auto, description: d, name: n, "
                    f"systemPrompt: s, healthCheckPrompt: 'p{i}'}}\n"
                    for i in range(9))
    with HealthHome(ONE + roles) as c:
        c.install(mode=f'''case "$*" in *-p*)
mkdir -p {c.top}/now; : >{c.top}/now/$$
while n=$(ls {c.top}/now | wc -l); [ ! -e {c.top}/go ] && [ $n -lt 4 ]
do :; done
echo $n >>{c.top}/seen; : >{c.top}/go
rm {c.top}/now/$$; echo fine; exit 0;; esac''')
        all_are(c.hub().settled(), available=1)
        with open(os.path.join(c.top, "seen")) as f:
            seen = [int(line) for line in f]
        equal((len(seen), max(seen)), (10, 4))


@tap.test
def a_missing_tool_is_a_warning_and_nothing_is_installed():
    """npx and its like install what is missing unless they are told not to."""
    watch = ("env | grep -iE 'npm_config_yes|uv_offline|corepack_enable|"
             "gotoolchain|rustup_auto' | LC_ALL=C sort >&2; exit 1")
    for tool, words in (("textlint", "npm install --save-dev textlint"),
                        ("lint", "COREPACK_ENABLE_NETWORK=0 "
                         "GOTOOLCHAIN=local RUSTUP_AUTO_INSTALL=0 UV_OFFLINE=1"
                         " npm_config_yes=false")):
        with HealthHome("language: en\n" + ONE +
                        f"- {{id: impl-code, tools: [{tool}]}}\n" +
                        TOOLS % watch) as c:
            c.install()
            c.write(c.bin / "npx", f"#!/bin/sh\necho npx $* >>{c.calls}\n",
                    0o755)
            r = c.hub().settled()["impl-code"]
            equal((r["check"], r["available"], r["reason"]), ("passed", 1, ""))
            contains(" ".join(r["warning"].split()), words)
            assert not [x for x in c.called() if "npx" in x], c.called()


TOOLS = """
tools:
- {id: lint, name: Lint, description: d, promptInstructions: p,
   healthCheckCommand: "%s"}
"""
LINTED = "- {id: impl-code, tools: [lint]}\n"


@tap.test
def a_tool_is_checked_in_the_project():
    with HealthHome(ONE + LINTED + TOOLS % "test -e package.json") as c:
        c.install()
        hub = c.hub()
        r = hub.settled()["impl-code"]
        equal((r["check"], r["available"], r["reason"]), ("passed", 1, ""))
        equal(r["warning"], "ツール lint なしで動きます: 終了コード 1")
        c.write(os.path.join(c.project, "package.json"), "{}")
        start = hub.here()
        hub.order("recheck", role="impl-code")
        hub.roster(lambda x: x["impl-code"]["warning"] == "", "a cure", start)


@tap.test
def a_tool_need_not_say_anything():
    with HealthHome(ONE + LINTED + TOOLS % "true") as c:
        c.install()
        all_are(c.hub().settled(), available=1)


@tap.test
def claude_has_no_list_of_models():
    with HealthHome("agent: {backend: claude}\n" + ONE +
                    "- {id: impl-code, model: opus}\n") as c:
        c.install("claude")
        r = c.hub().settled()["impl-code"]
        equal((r["available"], r["model"], r["validatedAt"]),
              (1, "notChecked", 0))
        equal(c.called(), ["claude -p --model opus --strict-mcp-config "
                           "--dangerously-skip-permissions" + OK])


@tap.test
def two_back_ends_at_once():
    with HealthHome(ONE.replace("- {id: research, enabled: false}\n", "") +
                    "- {id: impl-code, model: opus, backend: claude}\n") as c:
        c.install()
        c.install("claude")
        hub = c.hub()
        roles = hub.settled()
        equal(column(roles, "backend"),
              {"impl-code": "claude", "research": "cursor"})
        all_are(roles, available=1)
        equal(hub.events[-1]["models"], MODELS)


if __name__ == "__main__":
    tap.run()

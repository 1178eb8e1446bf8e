# SPDX-License-Identifier: MIT
"""Which roles can be hired, found out with real CLIs' stand-in."""

import json
import os
import time

from clinic import MODELS, Clinic, contains, equal, until
import tap

ASK = "cursor-agent -p --trust --model "
OK = " Hello, respond with exactly: OK"
CHECKS = sorted(ASK + m + OK for m in
                ("claude-4-sonnet", "composer-1.5", "opus-4.6-thinking"))
ONE = "roles:\n" + "".join(
    f"- {{id: {id}, enabled: false}}\n" for id in
    ("code-review", "text-review", "research", "impl-test", "orchestrator"))


def column(roles, name):
    return {id: r[name] for id, r in roles.items()}


def all_are(roles, **wanted):
    for name, value in wanted.items():
        equal(set(column(roles, name).values()), {value})


@tap.test
def all_pass_and_equal_checks_are_made_once():
    with Clinic() as c:
        c.install()
        began = time.time() * 1000
        hub = c.heal()
        roles = hub.settled()
        equal(len(roles), 6)
        all_are(roles, check="passed", available=1, valid=1, reason="",
                message="", program=os.path.join(c.bin, "cursor-agent"))
        for role in roles.values():
            assert began - 50 <= role["validatedAt"] <= role["checkedAt"]
            assert role["checkedAt"] <= time.time() * 1000 + 50
        equal(c.called()[0], "cursor-agent models")
        equal(sorted(c.called()[1:]), CHECKS)
        equal(hub.events[-1]["models"], MODELS)
        equal(c.rooms(), [])


@tap.test
def all_are_pending_at_first():
    with Clinic() as c:
        c.install()
        hub = c.heal()
        first = hub.event("roster")
        all_are(first["roles"], check="pending", pending=1, available=0)
        equal(first["models"], [])
        known = hub.roster(lambda r: all(x["valid"] for x in r.values()),
                           "a list of models")
        all_are(known, available=0)
        hub.settled()


@tap.test
def an_unknown_model_is_not_tried():
    with Clinic("roles:\n- {id: research, model: no-such}\n"
                "- {id: impl-test, model: 'claude-opus-4-8[effort=high]'}\n"
                "- {id: code-review, model: composer-1.5}\n") as c:
        c.install()
        roles = c.heal().settled()
        r = roles["research"]
        equal((r["check"], r["valid"], r["available"]), ("skipped", 0, 0))
        equal(r["message"], "モデル 'no-such' は利用できません")
        equal(r["reason"], "モデル検証に失敗したためスキップ")
        equal(roles["impl-test"]["check"], "passed")
        assert not [x for x in c.called() if "no-such" in x], c.called()


@tap.test
def messages_are_english_if_so_wanted():
    with Clinic("language: en\nroles:\n- {id: research, model: x}\n") as c:
        c.install()
        r = c.heal().settled()["research"]
        equal(r["message"], "model 'x' is not available")
        equal(r["reason"], "skipped: its model is not valid")


@tap.test
def without_a_cli_it_says_what_to_do():
    for config, part in (("", "をインストールするか"),
                         ("language: en", "install Cursor's CLI"),
                         ("agent: {command: /no/such}", "'/no/such'"),
                         ("agent: {backend: claude}\nlanguage: en",
                          "install Claude Code")):
        with Clinic(config) as c:
            roles = c.heal().settled()
            all_are(roles, check="skipped", valid=0, available=0, program="")
            for text in ("reason", "message"):
                contains(roles["research"][text], part)
                contains(roles["research"][text], "agent.command")


@tap.test
def a_cli_installed_later_is_found():
    with Clinic() as c:
        hub = c.heal(retry=1)
        hub.settled()
        c.install()
        hub.roster(lambda r: all(x["available"] for x in r.values()),
                   "a cure")


@tap.test
def a_cli_that_lists_no_models_fails_with_its_words():
    with Clinic() as c:
        c.install(mode='echo "no key" >&2; exit 3')
        roles = c.heal().settled()
        all_are(roles, check="skipped", available=0)
        equal(roles["research"]["reason"], "cursor-agent models "
              "コマンドの実行に失敗したため検証できません: no key")
        equal(c.called(), ["cursor-agent models"])
        equal(c.rooms(), [])


@tap.test
def the_next_name_is_tried():
    """Another product has a program called like one of Cursor's."""
    with Clinic() as c:
        c.install(mode="echo 'Usage: something else'; exit 0")
        c.install("agent")
        roles = c.heal().settled()
        all_are(roles, available=1, program=os.path.join(c.bin, "agent"))
        equal(c.called()[:2], ["cursor-agent models", "agent models"])


@tap.test
def two_names_of_one_program_are_one():
    with Clinic() as c:
        c.install(mode="exit 1")
        os.symlink("cursor-agent", os.path.join(c.bin, "agent"))
        c.heal().settled()
        equal(c.called(), ["cursor-agent models"])


@tap.test
def a_command_of_the_users_is_the_only_candidate():
    with Clinic() as c:
        c.install()
        c.install("mine")
        c.write(c.config, f"agent: {{command: {c.bin}/mine}}\n")
        roles = c.heal().settled()
        all_are(roles, available=1, program=os.path.join(c.bin, "mine"))
        equal({x.split()[0] for x in c.called()}, {"mine"})


BROKEN = 'case "$*" in *composer*) %s;; esac'


@tap.test
def a_failing_check_is_explained():
    for act, reason in (('echo "over quota" >&2; exit 4', "over quota"),
                        ("exit 4", "終了コード 4"),
                        ("kill -9 $$", "シグナル 9 で終了"),
                        ("exit 0", "応答が空です"),
                        ("echo; echo ' '; exit 0", "応答が空です")):
        with Clinic() as c:
            c.install(mode=BROKEN % act)
            roles = c.heal().settled()
            r = roles.pop("research")
            equal((r["check"], r["available"], r["valid"], r["reason"]),
                  ("failed", 0, 1, reason))
            all_are(roles, available=1)


@tap.test
def a_hanging_check_is_ended():
    with Clinic(ONE) as c:
        c.install(mode='case "$*" in *-p*) exec sleep 100000;; esac')
        hub = c.heal(limit=500, retry=1)  # a slow list is asked for again
        hub.roster(lambda r: r["impl-code"]["check"] == "failed" and
                   r["impl-code"]["reason"] ==
                   "500 ms 以内に応答がありません", "the end of a check")


@tap.test
def a_hanging_list_of_models_is_ended():
    with Clinic() as c:
        c.install(mode="exec sleep 100000")
        roles = c.heal(limit=300).settled()
        contains(roles["research"]["reason"], "300 ms")


@tap.test
def what_hangs_ends_with_the_hub():
    """The clinic's own end sees that nothing is left alive."""
    with Clinic() as c:
        c.install(mode="exec sleep 100000")
        hub = c.heal()
        until(c.called, "a call")
        hub.stop()


@tap.test
def no_more_than_four_at_once():
    """Each waits for the others' marks, and says how many it has seen."""
    roles = "".join(f"- {{id: r{i}, model: auto, description: d, name: n, "
                    f"systemPrompt: s, healthCheckPrompt: 'p{i}'}}\n"
                    for i in range(9))
    with Clinic(ONE + roles) as c:
        c.install(mode=f'''case "$*" in *-p*)
mkdir -p {c.top}/now; : >{c.top}/now/$$; ls {c.top}/now | wc -l >>{c.top}/seen
while [ ! -e {c.top}/go ] && [ $(ls {c.top}/now | wc -l) -lt 4 ]; do :; done
: >{c.top}/go; rm {c.top}/now/$$; echo fine; exit 0;; esac''')
        all_are(c.heal().settled(), available=1)
        with open(os.path.join(c.top, "seen")) as f:
            seen = [int(line) for line in f]
        equal((len(seen), max(seen)), (10, 4))


@tap.test
def failures_are_tried_again_by_themselves():
    with Clinic(ONE) as c:
        c.install(mode='case "$*" in *-p*) exit 1;; esac')
        hub = c.heal(retry=1)
        equal(hub.settled()["impl-code"]["check"], "failed")
        until(lambda: len(c.called()) >= 4, "more tries")
        with hub.heard:
            states = [e["roles"]["impl-code"]["check"] for e in hub.events
                      if e["event"] == "roster"]
        equal("pending" in states[states.index("failed"):], False)
        c.behave("")
        hub.roster(lambda r: r["impl-code"]["available"], "a cure")


@tap.test
def an_unknown_model_may_be_offered_later():
    with Clinic(ONE + "- {id: impl-code, model: new-one}\n") as c:
        c.install()
        hub = c.heal(retry=1)
        equal(hub.settled()["impl-code"]["check"], "skipped")
        c.behave("export KUROMAJUTSU_PUPPET_MODELS=auto=Auto,new-one=New")
        hub.roster(lambda r: r["impl-code"]["available"], "the new model")


@tap.test
def a_recheck_asks_again():
    with Clinic() as c:
        c.install(mode=BROKEN % "exit 1")
        hub = c.heal()
        equal(hub.settled()["research"]["check"], "failed")
        c.behave("")
        calls, start = len(c.called()), hub.here()
        hub.order("recheck", role="research")
        hub.roster(lambda r: r["research"]["check"] == "pending" and
                   r["impl-code"]["available"], "research pending", start)
        all_are(hub.settled(hub.here() - 1), available=1)
        equal(c.called()[calls:],
              ["cursor-agent models", ASK + "composer-1.5" + OK])


@tap.test
def a_recheck_of_all_pays_for_all():
    with Clinic() as c:
        c.install()
        hub = c.heal()
        hub.settled()
        calls, start = len(c.called()), hub.here()
        hub.order("recheck", role="")
        hub.roster(lambda r: all(x["pending"] for x in r.values()),
                   "all pending", start)
        hub.roster(lambda r: all(x["available"] for x in r.values()),
                   "all passed", start)
        equal(sorted(c.called()[calls + 1:]), CHECKS)


@tap.test
def a_recheck_looks_for_the_cli_again():
    with Clinic() as c:
        hub = c.heal()
        hub.settled()
        c.install()
        hub.order("recheck", role="")
        hub.roster(lambda r: all(x["available"] for x in r.values()),
                   "a cure")


@tap.test
def a_pass_is_kept_over_restarts():
    with Clinic() as c:
        c.install()
        first = c.heal()
        before = first.settled()
        first.stop()
        calls = len(c.called())
        hub = c.heal()
        all_are(hub.event("roster")["roles"], pending=1)
        after = hub.settled()
        equal(c.called()[calls:], ["cursor-agent models"])
        for name in ("checkedAt", "responseTime", "available"):
            equal(column(after, name), column(before, name))
        path = os.path.join(c.state, "health.json")
        equal(os.stat(path).st_mode & 0o777, 0o600)


@tap.test
def a_failure_is_not_kept_and_ends_a_pass():
    with Clinic(ONE) as c:
        c.install()
        hub = c.heal()
        hub.settled()
        c.behave('case "$*" in *-p*) exit 1;; esac')
        start = hub.here()
        hub.order("recheck", role="impl-code")
        hub.roster(lambda r: r["impl-code"]["check"] == "failed", "failure",
                   start)
        hub.stop()
        with open(os.path.join(c.state, "health.json")) as f:
            equal(json.load(f), {"passed": []})
        c.behave("")
        calls = len(c.called())
        all_are(c.heal().settled(), available=1)
        equal(len(c.called()) - calls, 2)


def spoil(text):
    with Clinic(ONE) as c:
        c.install()
        c.heal().settled()
        c.hubs[0].stop()
        path = os.path.join(c.state, "health.json")
        with open(path) as f:
            entry = json.load(f)["passed"][0]
        c.write(path, text(entry))
        calls = len(c.called())
        all_are(c.heal().settled(), available=1)
        equal(len(c.called()) - calls, 2)


@tap.test
def what_is_kept_is_not_believed_blindly():
    hour = 3600 * 1000
    spoil(lambda e: "")
    spoil(lambda e: "{\"passed\":[{")
    spoil(lambda e: "[1]")
    spoil(lambda e: json.dumps({"passed": [1, {}, {**e, "at": "now"}]}))
    spoil(lambda e: json.dumps({"passed": [{**e, "at": e["at"] - hour}]}))
    spoil(lambda e: json.dumps({"passed": [{**e, "at": e["at"] + hour}]}))
    spoil(lambda e: json.dumps({"passed": [{**e, "program": "/other"}]}))


@tap.test
def nothing_is_kept_if_so_wanted():
    with Clinic(ONE + "health: {keep_ms: 0}\n") as c:
        c.install()
        c.heal().settled()
        c.hubs[0].stop()
        c.heal().settled()
        equal(len(c.called()), 4)


TOOLS = """
tools:
- {id: lint, name: Lint, description: d, promptInstructions: p,
   healthCheckCommand: "%s"}
"""
LINTED = "- {id: impl-code, tools: [lint]}\n"


@tap.test
def a_tool_is_checked_in_the_project():
    with Clinic(ONE + LINTED + TOOLS % "test -e package.json") as c:
        c.install()
        hub = c.heal()
        r = hub.settled()["impl-code"]
        equal((r["check"], r["available"]), ("failed", 0))
        equal(r["reason"], "ツールチェック失敗: lint (終了コード 1)")
        c.write(os.path.join(c.project, "package.json"), "{}")
        start = hub.here()
        hub.order("recheck", role="impl-code")
        hub.roster(lambda x: x["impl-code"]["available"], "a cure", start)


@tap.test
def a_tool_need_not_say_anything():
    with Clinic(ONE + LINTED + TOOLS % "true") as c:
        c.install()
        all_are(c.heal().settled(), available=1)


@tap.test
def claude_has_no_list_of_models():
    with Clinic("agent: {backend: claude}\n" + ONE +
                "- {id: impl-code, model: opus}\n") as c:
        c.install("claude")
        r = c.heal().settled()["impl-code"]
        equal((r["available"], r["valid"], r["validatedAt"]), (1, 1, 0))
        equal(c.called(), ["claude -p --model opus --strict-mcp-config" + OK])


@tap.test
def two_back_ends_at_once():
    with Clinic(ONE.replace("- {id: research, enabled: false}\n", "") +
                "- {id: impl-code, model: opus, backend: claude}\n") as c:
        c.install()
        c.install("claude")
        hub = c.heal()
        roles = hub.settled()
        equal(column(roles, "backend"),
              {"impl-code": "claude", "research": "cursor"})
        all_are(roles, available=1)
        equal(hub.events[-1]["models"], MODELS)


@tap.test
def an_edited_model_is_judged_at_once():
    with Clinic(ONE) as c:
        c.install()
        hub = c.heal()
        hub.settled()
        start = hub.here()
        hub.order("settings", yaml=ONE + "- {id: impl-code, model: x}\n")
        r = hub.wait(lambda e: e["event"] == "roster", "a roster",
                     start)["roles"]["impl-code"]
        equal((r["check"], r["valid"], r["available"]), ("skipped", 0, 0))
        start, calls = hub.here(), len(c.called())
        hub.order("settings", yaml=ONE + "- {id: impl-code, model: auto}\n")
        hub.roster(lambda x: x["impl-code"]["available"], "auto", start)
        equal(c.called()[calls:], [ASK + "auto" + OK])


@tap.test
def another_command_is_another_program():
    with Clinic(ONE) as c:
        c.install()
        c.install("mine")
        hub = c.heal()
        hub.settled()
        start = hub.here()
        hub.order("settings",
                  yaml=ONE + f"agent: {{command: {c.bin}/mine}}\n")
        hub.roster(lambda x: x["impl-code"]["available"] and
                   x["impl-code"]["program"].endswith("mine"), "mine", start)
        equal([x for x in c.called() if x.startswith("mine")],
              ["mine models", "mine -p --trust --model claude-4-sonnet" + OK])


@tap.test
def what_an_earlier_life_left_is_removed():
    with Clinic(ONE) as c:
        c.install()
        c.write(os.path.join(c.state, "health", "1-1", "a", "b"), "x")
        c.heal().settled()
        equal(c.rooms(), [])


if __name__ == "__main__":
    tap.run()

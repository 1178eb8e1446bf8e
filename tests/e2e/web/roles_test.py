#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Roles, models and settings over the API, and what the dashboard may change
in the file."""

import contextlib
import json
import re

from harness import tap
from harness.hub import HubHome, read
from harness.until import contains, equal, until
from harness.web import Web
from harness.websocket import WebSocket

MODEL = "composer-1.5"  # the puppet has it
YAML = """# ours
language: en
dashboard: {port: 0}
hub: {linger_ms: 600000, lease_ms: 600000}
log:
  level: warn # few words
roles:
  # the one that looks
  - id: research
    model: composer-1.5 # the quick one
    timeout_ms: 60000
  # the one that writes poems
  - id: poet
    name: Poet
    model: composer-1.5
    systemPrompt: |
      Write poems.
"""


@contextlib.contextmanager
def hub(text=YAML):
    with HubHome(text) as home:
        web = Web(home)
        until(lambda: web.ask("health")["status"] == "complete", "all checks")
        yield web


def change(web, order, **args):
    """First dry: that says what is written, and writes nothing."""
    before = read(web.home.config)
    dry = web.wire.ask(order, {**args, "dryRun": True})
    equal((read(web.home.config), dry["dryRun"]), (before, True))
    made = web.wire.ask(order, args)
    equal(made["diff"], dry["diff"])
    equal(read(web.home.config), patched(before, dry["diff"]))
    return made


def patched(text, diff):
    """What the diff makes of the text, as `patch` would."""
    old, out, at = text.splitlines(True), [], 0
    for line in diff.splitlines(True)[2:]:
        if hunk := re.match(r"@@ -(\d+)(?:,(\d+))? ", line):
            first = int(hunk[1]) - (hunk[2] != "0")
            out += old[at:first]
            at = first
        elif line[0] == "\\":
            out[-1] = out[-1].rstrip("\n")
        elif line[0] == "+":
            out.append(line[1:])
        else:
            equal(old[at].rstrip("\n"), line[1:].rstrip("\n"))
            out += [old[at]] if line[0] == " " else []
            at += 1
    return "".join(out + old[at:])


def refused(web, order, code, word, **args):
    before = read(web.home.config)
    is_error, said = web.wire.answer(web.wire.order(order, args))
    equal((is_error, said["code"]), (True, code))
    contains(said["message"], word)
    equal(read(web.home.config), before)


@tap.test
def a_role_is_told_whole_with_its_sources():
    with hub() as web:
        said = web.ask("roles/research")
        role = said["role"]
        equal((role["id"], role["model"], role["timeout_ms"], role["enabled"],
               role["isBuiltin"], role["available"]),
              ("research", MODEL, 60000, True, True, True))
        equal({k: role["sources"][k] for k in ("model", "timeout_ms", "tools",
                                               "systemPrompt")},
              {"model": "file", "timeout_ms": "file", "tools": "builtin",
               "systemPrompt": "builtin"})
        equal([x["layer"] for x in role["layers"]][:2], ["role", "identity"])
        equal(role["layers"][0]["text"], role["systemPrompt"])
        contains(role["layers"][1]["text"], "{agentId}")
        equal(web.ask("roles/poet")["role"]["sources"]["id"], "file")
        equal(web.ask("roles/poet")["version"], said["version"])
        code = web.ask("roles/impl-code")["role"]
        equal((code["timeout_ms"], code["isDefaultTimeout"]), (None, True))
        contains(web.ask("roles/nobody", 404)["message"], "nobody")
        contains(web.ask("roles/poet?model=x", 400)["message"], "model")


@tap.test
def models_are_told_by_back_end():
    with hub() as web:
        said = web.ask("models")
        cursor, claude = said["backends"]
        equal((cursor["backend"], cursor["isUsed"], cursor["hasList"],
               cursor["reason"]), ("cursor", True, True, None))
        equal(said["count"], cursor["count"] + claude["count"])
        equal(cursor["count"], len(cursor["models"]))
        assert MODEL in [m["id"] for m in cursor["models"]], cursor
        assert all(m["label"] for m in cursor["models"]), cursor
        equal((claude["isUsed"], claude["models"], claude["checkedAt"]),
              (False, [], None))
        contains(web.ask("models?backend=x", 400)["message"], "backend")


@tap.test
def settings_say_where_they_are_from_and_no_secret():
    text = YAML.replace("{port: 0}", "{port: 0, token: hush-hush}")
    with HubHome(text, env={"KUROMAJUTSU_MAX_CONCURRENT": "7"}) as home:
        home.trust()
        home.hub()
        with home.session() as w:
            said = w.ask("config")
            assert "hush-hush" not in json.dumps(said), said
            keys = {k["key"]: k for k in said["keys"]}
            equal([(keys[k]["value"], keys[k]["source"], keys[k]["from"])
                   for k in ("log.level", "agent.maxConcurrent",
                             "agent.maxQueued")],
                  [("warn", "file", said["file"]),
                   (7, "environment", "KUROMAJUTSU_MAX_CONCURRENT"),
                   (0, "builtin", None)])
            token = keys["dashboard.token"]
            equal((token["value"], token["isSecret"], token["isSet"],
                   token["source"]), (None, True, True, "file"))
            equal((said["isTrusted"], said["withheld"]), (True, []))
            assert "textlint" in [t["id"] for t in said["tools"]]


@tap.test
def a_role_is_made_copied_changed_and_deleted():
    with hub() as web:
        made = change(web, "create_role", roleId="critic", model=MODEL,
                      systemPrompt="Judge.\nTwice.\n", timeout_ms=None,
                      tools=["textlint"], description="judges")
        equal((made["created"], made["role"]["id"], made["role"]["tools"],
               made["role"]["timeout_ms"], made["role"]["isDefaultTimeout"]),
              (True, "critic", ["textlint"], None, False))
        until(lambda: web.ask("roles/critic")["role"]["available"], "it works")
        copy = change(web, "create_role", roleId="critic-2",
                      **{"from": "critic"}, name="Second")["role"]
        equal((copy["name"], copy["systemPrompt"], copy["tools"],
               copy["isDefaultTimeout"]),
              ("Second", "Judge.\nTwice.\n", ["textlint"], False))
        equal(web.ask("roles/critic-2")["role"]["layers"][-1]["text"],
              "{task}")
        change(web, "update_role", roleId="critic-2", tools=[],
               timeout_ms=5000, backend="claude", model="sonnet")
        equal([web.ask("roles/critic-2")["role"][k] for k in
               ("tools", "timeout_ms", "backend", "model")],
              [[], 5000, "claude", "sonnet"])
        change(web, "update_role", roleId="critic-2", unset=["timeout_ms",
                                                             "backend"])
        equal([web.ask("roles/critic-2")["role"][k] for k in
               ("isDefaultTimeout", "backend")], [True, "cursor"])
        for role in ("critic-2", "critic", "poet"):
            equal(change(web, "delete_role", roleId=role)["deleted"], True)
            web.ask(f"roles/{role}", 404)
        text = read(web.home.config)
        for kept in ("# ours", "# few words", "# the one that looks",
                     "# the quick one"):
            contains(text, kept)
        assert "poems" not in text, text


@tap.test
def one_that_is_disabled_can_be_enabled_again():
    with hub() as web:
        change(web, "update_role", roleId="research", enabled=False)
        role = web.ask("roles/research")["role"]
        equal((role["enabled"], role["available"],
               role["healthCheck"]["status"]), (False, False, "skipped"))
        assert "research" not in [r["id"] for r in web.ask("roles")["roles"]]
        told = {r["id"]: r["enabled"]
                for r in web.ask("snapshot")["config"]["roles"]}
        equal((told["research"], told["poet"]), (False, True))
        change(web, "update_role", roleId="research", enabled=True)
        until(lambda: web.ask("roles/research")["role"]["available"], "again")


@tap.test
def what_cannot_be_done_is_refused_with_the_way_out():
    with hub() as web:
        for order, code, word, args in (
                ("delete_role", "VALIDATION_ERROR", "disable it instead",
                 {"roleId": "research"}),
                ("delete_role", "ROLE_NOT_FOUND", "nobody",
                 {"roleId": "nobody"}),
                ("create_role", "VALIDATION_ERROR", "choose another id",
                 {"roleId": "poet", "from": "research"}),
                ("create_role", "VALIDATION_ERROR", "letters",
                 {"roleId": "a b", "from": "research"}),
                ("create_role", "VALIDATION_ERROR", "model",
                 {"roleId": "new", "systemPrompt": "s"}),
                ("create_role", "VALIDATION_ERROR", "systemPrompt",
                 {"roleId": "new", "model": "m"}),
                ("create_role", "ROLE_NOT_FOUND", "nobody",
                 {"roleId": "new", "from": "nobody"}),
                ("update_role", "VALIDATION_ERROR", "unset",
                 {"roleId": "poet"}),
                ("update_role", "VALIDATION_ERROR", "cursor",
                 {"roleId": "poet", "backend": "emacs"}),
                ("update_role", "VALIDATION_ERROR", "textlint",
                 {"roleId": "poet", "tools": ["hammer"]}),
                ("update_role", "VALIDATION_ERROR", "timeout_ms",
                 {"roleId": "poet", "timeout_ms": 0}),
                ("update_role", "VALIDATION_ERROR", "expected the key model",
                 {"roleId": "poet", "unset": ["model"]}),
                ("update_role", "CONFIG_NOT_WRITTEN", "changed since",
                 {"roleId": "poet", "model": "m", "version": "0" * 16})):
            for dry in (False, True):
                refused(web, order, code, word, **args, dryRun=dry)


@tap.test
def a_japanese_hub_refuses_in_japanese():
    with hub(YAML.replace("language: en", "language: ja")) as web:
        for order, word, args in (
                ("delete_role", "無効にしてください", {"roleId": "research"}),
                ("create_role", "別の ID", {"roleId": "poet", "from": "poet"}),
                ("create_role", "英数字", {"roleId": "a b", "from": "poet"})):
            refused(web, order, "VALIDATION_ERROR", word, **args)


@tap.test
def a_hand_edit_meanwhile_is_not_written_over():
    with hub() as web:
        version = web.ask("roles/poet")["version"]
        text = read(web.home.config).replace("Poet", "Bard")
        web.home.configure(text)
        until(lambda: web.ask("roles/poet")["role"]["name"] == "Bard",
              "the hand edit")
        refused(web, "update_role", "CONFIG_NOT_WRITTEN", "change it again",
                roleId="poet", model="m", version=version)
        change(web, "update_role", roleId="poet", model="m",
               version=web.ask("roles/poet")["version"])
        contains(read(web.home.config), "Bard")


@tap.test
def an_unknown_model_has_suggestions_and_a_time():
    with hub() as web:
        before = web.ask("roles/poet")["role"]
        assert before["healthCheck"]["startedAt"] <= before["healthCheck"][
            "checkedAt"], before
        role = change(web, "update_role", roleId="poet",
                      model="composer-1.4")["role"]
        seen = role["modelValidation"]
        equal((seen["status"], seen["suggestions"][0]), ("invalid", MODEL))
        assert seen["checkedAt"] > before["modelValidation"]["checkedAt"], seen
        other = web.ask("roles/research")["role"]["modelValidation"]
        equal(other["checkedAt"], before["modelValidation"]["checkedAt"])


@tap.test
def the_feed_changes_roles_for_the_page_alone():
    with hub() as web:
        origin = f"http://127.0.0.1:{web.port}"
        with WebSocket(web.port, "/ws", origin=origin) as socket:
            def do(type, **data):
                socket.say({"type": type, "id": 7, "data": data})
                return until(lambda: (m := socket.event()).get("id") == 7
                             and m, "its answer")
            said = do("config:create_role", id="new", **{"from": "poet"},
                      dryRun=True)
            contains(said["data"]["diff"], "+  - id: new")
            equal(do("config:create_role", id="new", **{"from": "poet"})[
                "success"], True)
            equal(do("config:delete_role", id="new")["data"]["deleted"], True)
            equal(do("config:delete_role")["error"]["code"],
                  "VALIDATION_ERROR")
        status = web.ask("status")
        assert status["memory"]["resident_bytes"] > 1 << 20, status
        assert status["store"]["bytes"] > 1 << 12, status
        assert status["seq"] > 0, status


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""What the dashboard asks a hub for: the whole picture, health as events, a
role's new model, a transcript page by page."""

import contextlib
import gzip
import json
import os
import shutil

from harness import tap
from harness.hub import patient_home, read
from harness.tools import start_agents
from harness.until import equal, until

MODEL = "composer-1.5"  # the puppet has it


def events(w, **args):
    return w.ask("events", {"limit": 500, **args})["events"]


def types(w):
    return [e["type"] for e in events(w)]


def settled(w, count=1):
    """Until health has said so often that all is known."""
    return until(lambda: (seen := types(w)).count("healthcheck:complete")
                 >= count and seen, "the end of all checks")


def role(w, id):
    found, = (r for r in w.ask("list_roles")["roles"] if r["id"] == id)
    return found


def gone(w, *ids):
    for id in ids:
        until(lambda: w.ask("show_agent", {"agentId": id})["gone"],
              f"{id} gone")


@contextlib.contextmanager
def served(text=None, **settings):
    """A project with a hub, and a session with it; `text` is the
    configuration as it is."""
    with patient_home(**settings) as p:
        if text is not None:
            p.configure(text)
        p.hub()
        with p.session() as w:
            yield p, w


def ended(p, w):
    """An agent that is gone: its id, and the path of its transcript."""
    id, = start_agents(w, "default")
    gone(w, id)
    return id, str(p.state(f"agents/{id}/stdout.ndjson"))


# ---- the picture -----------------------------------------------------------

@tap.test
def a_picture_has_it_all():
    with served() as (p, w):
        settled(w)
        ids = start_agents(w, "reply", "hang")
        gone(w, ids[0])
        p.until_running(w, ids[1])
        # Told by another than the one who told that it is gone.
        until(lambda: w.ask("hub_status")["places"]["held"] == 1,
              "an empty place")
        seen = w.ask("snapshot")
        equal([a["agentId"] for a in seen["agents"]], ids)
        equal([a["status"] for a in seen["agents"]],
              ["completed", "running"])
        equal(seen["totalAgents"], 2)
        listed, = w.ask("list_groups")["groups"]
        group, = seen["groups"]
        assert listed.items() <= group.items(), (listed, group)
        equal((group["agentIds"], group["completed"], group["finishedAt"]),
              (ids, False, None))
        equal(seen["roles"], w.ask("list_roles")["roles"])
        equal(seen["places"], w.ask("hub_status")["places"])
        equal(seen["healthcheck"]["status"], "complete")
        equal([r["available"] for r in seen["healthcheck"]["results"]],
              [True] * 6)
        assert MODEL in seen["availableModels"], seen["availableModels"]
        equal([r["id"] for r in seen["config"]["roles"]],
              [r["id"] for r in seen["roles"]])
        assert seen["config"]["roles"][0]["systemPrompt"]
        assert seen["build"].startswith(seen["version"] + "+"), seen
        equal(seen["language"], "en")
        equal(seen["seq"], events(w)[-1]["seq"])
        equal(w.refused("snapshot", {"all": True}), "VALIDATION_ERROR")
        w.ask("cancel_agent", {"agentIds": ids[1:]})


@tap.test
def numbers_go_on_in_the_next_hub():
    with patient_home() as p:
        hub = p.hub()
        with p.session() as w:
            settled(w)
            before = w.ask("snapshot")["seq"]
        p.stop(hub)
        p.hub()
        with p.session() as w:
            equal(events(w, since=before)[0]["type"], "server:startup")
            seen = [e["seq"] for e in events(w)]
            equal(seen, list(range(1, len(seen) + 1)))


# ---- health ----------------------------------------------------------------

def check_health(seen):
    equal(seen[0]["type"], "server:startup")
    kinds = [e["type"].split(":")[1] for e in seen
             if e["type"].startswith("healthcheck:")]
    equal(kinds[-1], "complete")
    equal(kinds.count("complete"), 1)
    equal(kinds.count("model_validation"), 1)
    assert kinds.index("model_validation") < kinds.index("role_complete")
    for kind in ("role_start", "role_complete"):
        roles = [e["data"]["roleId"] for e in seen
                 if e["type"] == "healthcheck:" + kind]
        equal(len(roles), len(set(roles)))
        equal(len(roles), 6)
    for e in seen:
        if e["type"] == "healthcheck:complete":
            equal([r["healthCheck"]["status"] for r in e["data"]["results"]],
                  ["passed"] * 6)


@tap.test
def health_is_told_also_when_it_was_kept():
    with patient_home() as p:
        hub = p.hub()
        with p.session() as w:
            settled(w)
            check_health(events(w))
            last = events(w)[-1]["seq"]
        p.stop(hub)
        p.hub()
        with p.session() as w:
            settled(w, 2)
            check_health([e for e in events(w) if e["seq"] > last])


# ---- roles -----------------------------------------------------------------

@tap.test
def a_role_is_edited():
    with served("language: en\n# mind the comment\n") as (p, w):
        settled(w)
        text = read(p.config)
        answer = w.ask("update_role", {"roleId": "impl-code",
                                       "model": MODEL,
                                       "description": "d: \"é\"\n"})
        equal((answer["roleId"], answer["role"]["model"]),
              ("impl-code", MODEL))
        equal(os.path.realpath(answer["file"]),
              os.path.realpath(p.config))
        equal(answer["role"]["modelValidation"]["status"], "valid")
        equal(role(w, "impl-code")["description"], "d: \"é\"\n")
        now = read(p.config)
        assert "# mind the comment" in now and MODEL in now, now
        assert len(now) - len(text) < 200, now
        updated, = (e for e in events(w) if e["type"] == "config:updated")
        equal([r["model"] for r in updated["data"]["roles"]
               if r["id"] == "impl-code"], [MODEL])
        settled(w, 2)
        equal(role(w, "impl-code")["available"], True)
        # Once more: the file is known to be as we left it.
        w.ask("update_role", {"roleId": "impl-code", "name": "n"})
        equal(role(w, "impl-code")["name"], "n")


@tap.test
def an_unknown_model_is_told_at_once():
    with served() as (p, w):
        settled(w)
        answer = w.ask("update_role", {"roleId": "research",
                                       "model": "no-such-model"})
        equal((answer["role"]["available"],
               answer["role"]["modelValidation"]["status"],
               answer["role"]["healthCheck"]["status"]),
              (False, "invalid", "skipped"))
        group = w.ask("create_group", {"description": "d"})["groupId"]
        equal(w.refused("run_agents", {
            "groupId": group,
            "agents": [{"role": "research", "prompt": "p"}]}),
            "ROLE_UNAVAILABLE")
        w.ask("update_role", {"roleId": "research", "model": MODEL})
        until(lambda: role(w, "research")["available"], "a good model")


@tap.test
def wrong_edits_are_refused_by_their_field():
    with served() as (p, w):
        settled(w)
        before = read(p.config)
        for args, code, word in (
                ({"model": "m"}, "VALIDATION_ERROR", "roleId"),
                ({"roleId": "research"}, "VALIDATION_ERROR", "model"),
                ({"roleId": "nobody", "model": "m"}, "ROLE_NOT_FOUND",
                 "nobody"),
                ({"roleId": "research", "model": ""}, "VALIDATION_ERROR",
                 "model"),
                ({"roleId": "research", "model": 1}, "VALIDATION_ERROR",
                 "model"),
                ({"roleId": "research", "model": "a\0b"},
                 "VALIDATION_ERROR", "model"),
                ({"roleId": "research", "name": "a\nb"},
                 "VALIDATION_ERROR", "name"),
                ({"roleId": "research", "healthCheckPrompt": "x" * 5000},
                 "VALIDATION_ERROR", "healthCheckPrompt"),
                ({"roleId": "research", "backend": "emacs"},
                 "VALIDATION_ERROR", "backend")):
            is_error, answer = w.answer(w.order("update_role", args))
            equal((args, is_error, answer["code"]), (args, True, code))
            assert word in answer["message"], answer
        equal(read(p.config), before)
        assert "config:updated" not in types(w)


@tap.test
def a_file_that_is_not_as_we_left_it_is_not_written():
    with served() as (p, w):
        settled(w)
        with open(p.config, "a") as f:
            f.write("\n# by hand: [\n}")  # so it is not taken over either
        edit = {"roleId": "research", "model": MODEL}
        equal(w.refused("update_role", edit), "CONFIG_NOT_WRITTEN")
        assert read(p.config).endswith("}")
        os.unlink(p.config)
        equal(w.refused("update_role", edit), "CONFIG_NOT_WRITTEN")
        assert not os.path.exists(p.config)
        equal(w.ask("hub_status")["language"], "en")


@tap.test
def roles_are_checked_again():
    with served() as (p, w):
        settled(w)
        equal(w.ask("revalidate", {"roleId": "research"}),
              {"roleIds": ["research"]})
        settled(w, 2)
        equal(len(w.ask("revalidate")["roleIds"]), 6)
        settled(w, 3)
        equal(w.refused("revalidate", {"roleId": "x"}), "ROLE_NOT_FOUND")
        equal(w.refused("revalidate", {"role": "research"}),
              "VALIDATION_ERROR")


# ---- transcripts -----------------------------------------------------------

def backward(w, id, **args):
    """The same lines from the end on: with where each begins."""
    lines, at = [], 1 << 53
    while at is not None:
        page = w.ask("transcript", {"agentId": id, "before": at, **args})
        equal(len(page["lines"]), len(page["offsets"]))
        lines[:0] = zip(page["offsets"], page["lines"])
        assert page["previous"] is None or page["previous"] < at, page
        at = page["previous"]
    return lines


def pages(w, id, **args):
    """All pages of a transcript: its lines, and the last page."""
    lines, at = [], 0
    while True:
        page = w.ask("transcript", {"agentId": id, "from": at, **args})
        equal((page["agentId"], page["from"]), (id, at))
        lines += page["lines"]
        assert page["next"] > at or not page["lines"], page
        at = page["next"]
        if page["isComplete"] or not page["lines"]:
            return lines, page


@tap.test
def a_transcript_is_read_page_by_page():
    with served() as (p, w):
        id, path = ended(p, w)
        size = os.path.getsize(path)
        wanted = [json.loads(x) for x in read(path).splitlines()]
        for limit in (1, 3, 10000):
            lines, last = pages(w, id, limit=limit)
            equal(lines, wanted)
            found = backward(w, id, limit=limit)
            equal([line for _, line in found], wanted)
            text = read(path).encode()
            for at, line in found:
                equal(json.loads(text[at:].split(b"\n")[0]), line)
            equal((last["next"], last["size"], last["isComplete"]),
                  (size, size, True))
        page = w.ask("transcript", {"agentId": id, "from": size + 5})
        equal((page["lines"], page["next"]), ([], size))  # its end
        # Packed, it is the same.
        with open(path, "rb") as f, gzip.open(path + ".gz", "wb") as g:
            shutil.copyfileobj(f, g)
        os.unlink(path)
        for limit in (1, 10000):
            lines, last = pages(w, id, limit=limit)
            equal((lines, last["size"]), (wanted, size))
            equal([x for _, x in backward(w, id, limit=limit)], wanted)
        os.unlink(path + ".gz")
        equal(w.refused("transcript", {"agentId": id}),
              "TRANSCRIPT_NOT_FOUND")


@tap.test
def lines_of_any_kind_and_length_come_through():
    with served() as (p, w):
        id, path = ended(p, w)
        long = "é" * (5 << 19)
        texts = ["{\"a\": 1}", "no JSON", "", "[1]", "x", long,
                 json.dumps({"b": "y" * 900000}), "{\"c\":2}",
                 "no end"]
        data = "\n".join(texts).encode()
        data = data.replace(b"\nx\n", b"\n\xff\n")
        for is_packed in (False, True):
            with open(path, "wb") as f:
                f.write(data)
            if is_packed:
                with gzip.open(path + ".gz", "wb") as g:
                    g.write(data)
                os.unlink(path)
            lines, last = pages(w, id)
            equal(last["next"], len(data))
            equal(lines[:4], [{"a": 1}, "no JSON", [1], "\ufffd"])
            equal(lines[-3:], [{"b": "y" * 900000}, {"c": 2}, "no end"])
            equal("".join(lines[4:-3]), long)
            lines = [line for _, line in backward(w, id)]
            equal(lines[:4], [{"a": 1}, "no JSON", [1], "\ufffd"])
            equal(lines[-3:], [{"b": "y" * 900000}, {"c": 2}, "no end"])
            equal(len("".join(lines[4:-3])), len(long))


@tap.test
def a_long_packed_transcript_is_read_from_anywhere():
    with served() as (p, w):
        id, path = ended(p, w)
        line = b'{"n":"%s"}\n' % (b"z" * 990)
        with gzip.open(path + ".gz", "wb", compresslevel=1) as g:
            for _ in range(20000):
                g.write(line)
        os.unlink(path)
        size = 20000 * len(line)
        for at in (19999, 3, 15000, 15001, 0):
            page = w.ask("transcript", {"agentId": id, "limit": 1,
                                        "from": at * len(line)})
            equal((page["next"], page["size"], page["lines"]),
                  ((at + 1) * len(line), size, [json.loads(line)]))


@tap.test
def one_that_runs_is_read_as_far_as_it_is():
    with served() as (p, w):
        id, = start_agents(w, "hang")
        p.until_running(w, id)

        def so_far():
            lines, last = pages(w, id)
            assert not last["isComplete"], last
            return last["next"] == last["size"] and lines
        lines = until(so_far, "all that it has said")
        w.ask("cancel_agent", {"agentIds": [id]})
        gone(w, id)
        more, last = pages(w, id)
        equal((more[:len(lines)], last["isComplete"]), (lines, True))


@tap.test
def whom_nobody_knows_has_no_transcript():
    with served(agent={"maxQueued": 5}) as (p, w):
        for id in ("nobody-1-aaaa", "..", "../..", "a/b", "x" * 95):
            equal(w.refused("transcript", {"agentId": id}),
                  "AGENT_NOT_FOUND")
        for args in ({}, {"agentId": 1}, {"agentId": "x" * 96},
                     {"agentId": "a", "from": -1},
                     {"agentId": "a", "from": "0"},
                     {"agentId": "a", "limit": 0},
                     {"agentId": "a", "limit": 10001},
                     {"agentId": "a", "until": 1}):
            equal(w.refused("transcript", args), "VALIDATION_ERROR")


@tap.test
def one_that_waits_has_an_empty_one():
    with served(agent={"maxQueued": 5, "maxConcurrent": 1}) as (p, w):
        ids = start_agents(w, "hang", "hang")
        p.until_running(w, ids[0])
        equal(w.ask("transcript", {"agentId": ids[1]}),
              {"agentId": ids[1], "from": 0, "lines": [], "offsets": [],
               "previous": None, "next": 0, "size": 0, "isComplete": False})
        w.ask("cancel_agent", {"agentIds": ids[::-1]})
        gone(w, *ids)
        equal(w.refused("transcript", {"agentId": ids[1]}),
              "TRANSCRIPT_NOT_FOUND")


if __name__ == "__main__":
    tap.run()

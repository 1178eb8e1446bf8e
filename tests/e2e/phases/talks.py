# SPDX-License-Identifier: MIT
"""Clients of the tools of phases, and what they are answered."""

import contextlib
import json
import re
import sqlite3

from harness.hub import patient_home
from harness.until import equal

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
NAMES = [f"phase{i}" for i in range(5)]


@contextlib.contextmanager
def served(settings=None, language="en", before=lambda home: None,
           is_trusted=True, **env):
    """A home with a hub, and a client of it."""
    with patient_home(phases=settings or {}) as home:
        home.set(KUROMAJUTSU_LANGUAGE=language, AIAGENTSTUDIO_API_URL=None,
                 AIAGENTSTUDIO_API_KEY=None, CACHE_TTL=None)
        home.set(**env)
        before(home)
        if is_trusted and {"apiUrl", "apiKey"} & set(settings or {}):
            home.trust()
        yield home, another(home)


def another(home, **env):
    relay = home.relay(**env)
    relay.talk.hello()
    return relay.talk


def call(talk, tool, **args):
    """The whole result of a call that is answered; the members beside its
    content are in structuredContent too, and so is what it says."""
    result = talk.result(talk.order(tool, args))
    assert not result.get("isError"), result
    text, = result["content"]
    equal(text["type"], "text")
    beside = {k: v for k, v in result.items()
              if k not in ("content", "structuredContent", "_meta")}
    told = dict(result["structuredContent"])
    said = told.pop("text", None)
    equal(beside, told)
    if said is None:
        equal(json.loads(text["text"]), result["context"])
    else:
        equal(text["text"], said)
    return result


def error(talk, tool, **args):
    """The error of one that is refused, in the manner of phases."""
    result = talk.refused(tool, **args)
    body = json.loads(result["content"][0]["text"])
    equal(result["structuredContent"], body)
    equal(list(body), ["error"])
    assert set(body["error"]) <= {"code", "message", "details"}, body
    return body["error"]


def text_of(result):
    return result["content"][0]["text"]


def inject(talk, phase, **more):
    result = call(talk, "inject_phase_prompt", phase=phase, **more)
    return text_of(result), result["metadata"]


def end(talk, phase, status="completed", **more):
    path = {"projectPath": more.pop("path")} if "path" in more else {}
    return call(talk, "transition_to_next_phase", currentPhase=phase,
                result={"status": status, **more}, **path)


def context(talk, phase, **more):
    return call(talk, "get_phase_context", phase=phase, **more)["context"]


def states(talk, **more):
    return [context(talk, name, **more)["status"] for name in NAMES]


def age(home, ms):
    """Makes all copies so much older."""
    with sqlite3.connect(home.state("kuromajutsu.db"), timeout=30) as db:
        db.execute("UPDATE phase_prompts SET fetched_at = fetched_at - ?",
                   (ms,))
    db.close()

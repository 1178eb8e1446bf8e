# SPDX-License-Identifier: MIT
"""Whoever listens to an agent hears what it says, while it says it."""

import json
import os

from harness import tap
from harness.agents import RESULT, AgentHome
from harness.programs import acts
from harness.until import equal

INIT = '{"type":"system","subtype":"init","session_id":"s","model":"m"}'


def said(text):
    return json.dumps({"type": "assistant", "message": {
        "role": "assistant", "content": [{"type": "text", "text": text}]},
        "session_id": "s"}, ensure_ascii=False)


def heard(hub, id):
    """The events of all that was streamed, once it is gone."""
    hub.gone(id)
    found = []
    for e in hub.events:
        if e["event"] != "stream":
            continue
        line = json.loads(e["line"])
        equal((line["type"], line["data"]["agentId"], e["id"]),
              ("agent:status_update", id, id))
        equal(line["data"]["event"]["kind"], e["kind"])
        assert "seq" not in line and line["at"].endswith("Z"), line
        found.append(line["data"]["event"])
    return found


@tap.test
def all_of_it_is_heard_in_order():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", acts("print", INIT, "print", said("one \"é\""),
                          "print", "no JSON", "print", said("two"),
                          "print", RESULT), listen=True)
        events = heard(hub, "a")
        equal([e["kind"] for e in events],
              ["started", "text", "note", "text", "result"])
        equal([e.get("text") for e in events],
              [None, "one \"é\"", "no JSON", "two", "ok"])
        equal(events[1]["form"], "full")
        # Where its line lies in the transcript.
        with open(h.path("a", "stdout.ndjson"), "rb") as f:
            text = f.read()
        equal([text[e["offset"]:].split(b"\n")[0] for e in events],
              text.splitlines())


@tap.test
def a_long_text_is_cut():
    with AgentHome() as h:
        hub = h.hub()
        path = os.path.join(h.top, "said")
        with open(path, "w") as f:
            f.write("\n".join((INIT, said("é" * 40000), RESULT, "")))
        hub.run("a", ["/bin/cat", path], listen=True)
        text = heard(hub, "a")[1]
        equal((text["text"], text["cut"]), ("é" * 32768, True))


@tap.test
def nobody_hears_it_who_does_not_listen():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", acts("print", INIT, "print", RESULT))
        equal(heard(hub, "a"), [])


@tap.test
def what_an_adopted_one_had_said_is_not_live():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        argv = acts("print", INIT, "print", said("old"), "await", go,
                    "print", said("new"), "print", RESULT)
        hub.run("a", argv, listen=True)
        h.until_printed("a", "old")
        hub.kill()
        hub = h.hub()
        hub.order("adopt", "a", argv=list(argv), listen=True)
        hub.state("a", "running")
        open(go, "w").close()
        equal([e.get("text") for e in heard(hub, "a")], ["new", "ok"])


if __name__ == "__main__":
    tap.run()

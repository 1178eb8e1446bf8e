#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The session in docs/mail.md, by a real client: every call is made as it
stands there, and answered as it says, but for ids and times."""

import ast
import json
import pathlib
import re

from harness import tap
from harness.hub import patient_home
from harness.until import equal

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/mail.md"
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def blocks():
    """(language, text) of every fenced block."""
    return re.findall(r"^```(python|json)\n(.*?)^```$",
                      PAGE.read_text(encoding="utf-8"), re.M | re.S)


def calls(text):
    """(tool, arguments) of each."""
    for line in ast.parse(text).body:
        call = line.value
        yield call.func.id, {k.arg: ast.literal_eval(k.value)
                             for k in call.keywords}


def shape(value):
    """The same with ids and times as what they are."""
    if isinstance(value, dict):
        return {key: shape(v) for key, v in value.items()}
    if isinstance(value, list):
        return [shape(v) for v in value]
    for name, form in (("uuid", UUID), ("time", TIME)):
        if isinstance(value, str) and form.fullmatch(value):
            return name
    return value


@tap.test
def the_session_goes_as_the_page_says():
    with patient_home() as home:
        home.set(KUROMAJUTSU_LANGUAGE="en")
        talk = home.relay().talk
        talk.hello()
        said, made = None, 0
        for language, text in blocks():
            if language == "json":
                equal(shape(said), shape(json.loads(text)))
                continue
            for tool, arguments in calls(text):
                result = talk.result(talk.order(tool, arguments))
                said = json.loads(result["content"][0]["text"])
                equal(result.get("isError", False), "error" in said)
                made += 1
        assert made >= 9, made


@tap.test
def every_tool_of_mail_is_told_of():
    with patient_home() as home:
        server = home.start("mcp", "--toolsets", "mail")
        server.talk.hello()
        tools = server.talk.request("tools/list")["result"]["tools"]
        told = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"),
                          re.M)
        equal(told, [tool["name"] for tool in tools])


if __name__ == "__main__":
    tap.run()

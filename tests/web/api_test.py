#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The API has one schema, transport/web/api.json: what the hub serves, what
docs/api.md says and what the page takes for its types are the same. That the
hub answers so is e2e/web/schema's to see."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "web")]

import api_schema  # noqa: E402
from harness import tap  # noqa: E402
from harness.until import equal  # noqa: E402

SCHEMA = api_schema.load()
AGAIN = "say it in transport/web/api.json, then: web/api_schema.py --write"


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def name_of(order):
    """update_role of ORDER_UPDATE_ROLE."""
    return re.search(rf'\[{order}\] =\s*{{SLICE_INIT\("(\w*)"\)',
                     read("actors/order/order_kind.c"))[1]


@tap.test
def every_path_that_is_served_is_told():
    served = {path: (name_of(order), *ids) for path, order, *ids in re.findall(
        r'\{"([\w*/]+)", (ORDER_\w+), (?:NULL|"(\w+)"), (?:NULL|"(\w+)")\}',
        read("transport/web/api.c"))}
    assert len(served) > 15, served
    told = {p["path"]: (p["order"], p.get("id", ""), p.get("instead", ""))
            for p in SCHEMA["paths"]}
    equal(told, served)


@tap.test
def every_parameter_has_a_meaning():
    for path in SCHEMA["paths"]:
        known = set(api_schema.parameters(path))
        told = set(path.get("parameters", {}))
        assert known == told, f"/api/{path['path']}: {known ^ told}: {AGAIN}"


@tap.test
def every_command_of_the_feed_is_told():
    verbs = re.findall(r'\{SLICE_INIT\("([\w:]+)"\),\s*(ORDER_\w+)',
                       read("transport/feed/commands.c"))
    assert len(verbs) >= 7, verbs
    equal({name: order for name, (order, *_) in SCHEMA["commands"].items()},
          {name: name_of(order) for name, order in verbs})


@tap.test
def every_event_is_told():
    texts = [p.read_text(encoding="utf-8") for room in ("registry", "mail", "phases",
                                                              "projects")
             for p in (ROOT / "actors" / room).glob("*.[ch]")]
    kinds = "server|healthcheck|group|agent|config|notification|mail|context|phase|pm"
    seen = {name for text in texts
            for name in re.findall(rf'"((?:{kinds}):[a-z_]+)"', text)}
    assert len(seen) > 15, seen
    equal(seen - set(SCHEMA["events"]), set())
    equal(set(SCHEMA["events"]) - seen, set())


@tap.test
def types_name_types_that_exist():
    known = set(SCHEMA["types"]) | {"string", "number", "boolean", "null",
                                    "unknown", "Record"}
    used = {p["answer"] for p in SCHEMA["paths"]}
    used |= {form for form, _ in SCHEMA["events"].values()}
    used |= {answer for _, answer, _ in SCHEMA["commands"].values() if answer}
    for name, kind in SCHEMA["types"].items():
        forms = [kind["is"]] if "is" in kind else [
            form for _, _, form, _ in api_schema.fields(kind)]
        for form in forms:
            for word in re.findall(r"\w+", re.sub(r"'\w+'", "", form)):
                assert word in known, (name, word)
                used.add(word)
    unused = set(SCHEMA["types"]) - used
    assert not unused, f"types that nothing has: {unused}"


@tap.test
def page_and_document_are_written_out_of_it():
    assert api_schema.TYPES.read_text(encoding="utf-8") == \
        api_schema.typescript(SCHEMA), f"web/src/feed/api.ts is old: {AGAIN}"
    assert api_schema.PAGE.read_text(encoding="utf-8") == \
        api_schema.page(SCHEMA), f"docs/api.md is old: {AGAIN}"


@tap.test
def what_is_not_so_is_seen():
    good = {"id": "a", "label": "A"}
    see = lambda value, form="Model": list(  # noqa: E731
        api_schema.problems(SCHEMA, form, value))
    equal(see(good), [])
    equal(len(see({"id": "a"})), 1)
    equal(len(see({**good, "more": 1})), 1)
    equal(len(see({"id": 1, "label": "A"})), 1)
    equal(see([good], "Model[] | null"), [])
    equal(see(None, "Model[] | null"), [])
    equal(len(see(True, "number")), 1)
    equal(len(see("x", "Mode")), 1)
    equal(see({"a": ["b"]}, "Record<string, string[]>"), [])
    equal(len(see({"a": "b"}, "Record<string, string[]>")), 1)


if __name__ == "__main__":
    tap.run()

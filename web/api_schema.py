#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""transport/web/api.json says what the hub answers; this makes of it the types
of the page (web/src/feed/api.ts) and the reference in docs/api.md, and tells
what is not as it says.

    web/api_schema.py --write     after a change of api.json or of a toolset

A field is "name: type" or, where it is not always there, "name?: type"; types
are TypeScript's. `loose` types are those of which a hub of another version may
lack something: the page takes all but the fields named there to be optional."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "transport/web/api.json"
TOOLSETS = ROOT / "transport/mcp/toolsets"
TYPES = ROOT / "web/src/feed/api.ts"
PAGE = ROOT / "docs/api.md"
BEGIN = "<!-- What follows is written by web/api_schema.py. -->\n"

PLAIN = {"string": str, "boolean": bool, "number": (int, float)}


def load():
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def orders():
    tables = [json.loads(path.read_text(encoding="utf-8"))
              for path in TOOLSETS.glob("*.json")]
    return {o["name"]: o["inputSchema"] for table in tables
            for o in table["tools"] + table.get("orders", [])}


def fields(kind):
    """(name, whether it is always there, type, meaning) of each."""
    for head, says in kind["fields"].items():
        name, _, form = head.partition(": ")
        yield name.removesuffix("?"), not name.endswith("?"), form, says


def parameters(path):
    """Names of the query's parameters, as the hub checks them."""
    known = orders()[path["order"]]["properties"]
    return [name for name in known
            if name not in (path.get("id"), path.get("instead"))]


# ---- checking ---------------------------------------------------------------

def problems(schema, form, value, where="answer"):
    """What of the value is not of this type."""
    options = split(form)
    if len(options) > 1:
        tries = [list(problems(schema, o, value, where)) for o in options]
        yield from [] if [] in tries else min(tries, key=len)
    elif form.endswith("[]"):
        if not isinstance(value, list):
            yield f"{where}: expected a list, found {value!r:.60}"
            return
        for i, item in enumerate(value):
            yield from problems(schema, form[:-2], item, f"{where}[{i}]")
    elif form.startswith("Record<string, "):
        if not isinstance(value, dict):
            yield f"{where}: expected an object, found {value!r:.60}"
            return
        for key, item in value.items():
            yield from problems(schema, form[15:-1], item, f"{where}.{key}")
    elif form in schema["types"]:
        yield from named_problems(schema, form, value, where)
    else:
        yield from plain_problems(form, value, where)


def split(form):
    return [part.strip() for part in re.split(r" \| (?![^<]*>)", form)]


def plain_problems(form, value, where):
    if form == "unknown":
        return
    if form == "null":
        is_good = value is None
    elif form.startswith("'"):
        is_good = value == form.strip("'")
    else:
        is_good = isinstance(value, PLAIN[form]) and (
            form == "boolean" or not isinstance(value, bool))
    if not is_good:
        yield f"{where}: expected {form}, found {value!r:.60}"


def named_problems(schema, name, value, where):
    kind = schema["types"][name]
    if "is" in kind:
        yield from problems(schema, kind["is"], value, where)
        return
    if not isinstance(value, dict):
        yield f"{where}: expected {name}, found {value!r:.60}"
        return
    known = {f[0]: f for f in fields(kind)}
    for key in value:
        if key not in known:
            yield f"{where}.{key}: {name} has no such field in api.json"
    for key, is_always, form, _ in known.values():
        if key in value:
            yield from problems(schema, form, value[key], f"{where}.{key}")
        elif is_always:
            yield f"{where}.{key}: is missing"


# ---- writing ----------------------------------------------------------------

def typescript(schema):
    out = ["// Written by web/api_schema.py out of transport/web/api.json: what "
           "the hub says.\n"]
    for name, kind in schema["types"].items():
        out.append(f"\n/** {kind['says']} */\n")
        if "is" in kind:
            out.append(f"export type {name} = {kind['is']};\n")
            continue
        needed = kind.get("loose")
        out.append(f"export interface {name} {{\n")
        for key, is_always, form, says in fields(kind):
            is_needed = is_always if needed is None else key in needed
            out.append(f"  /** {says} */\n  {key}{'' if is_needed else '?'}: "
                       f"{form};\n")
        out.append("}\n")
    return "".join(out)


def cell(form):
    return "`" + form.replace("|", "\\|") + "`"


def table(heads, rows):
    yield "| " + " | ".join(heads) + " |\n"
    yield "|" + "---|" * len(heads) + "\n"
    for row in rows:
        yield "| " + " | ".join(row) + " |\n"
    yield "\n"


def path_rows(schema):
    for path in schema["paths"]:
        says = path.get("parameters", {})
        told = ", ".join(f"`{name}` ({says[name]})"
                         for name in parameters(path) if name in says)
        shown = path["path"].replace("*", "ID")
        yield f"`/api/{shown}`", told or "–", f"`{path['answer']}`"


def markdown(schema):
    out = ["\n## Reference\n\n### Paths\n\n"]
    out += table(["path", "parameters", "answer"], path_rows(schema))
    out.append("### Events\n\n")
    out += table(["event", "when", "data"], (
        (f"`{name}`", says, f"`{form}`")
        for name, (form, says) in schema["events"].items()))
    out.append("### Commands of the feed\n\n")
    out += table(["command", "what it does", "members of data", "answer"], (
        (f"`{name}`", says,
         ", ".join(f"`{p}`" for p in orders()[order]["properties"]) or "–",
         f"`{answer}`" if answer else "–")
        for name, (order, answer, says) in schema["commands"].items()))
    out.append("### Types\n\nA field with a `?` is not always there.\n\n")
    for name, kind in schema["types"].items():
        out.append(f"#### `{name}`\n\n{kind['says']}")
        if "is" in kind:
            out.append(f" {cell(kind['is'])}\n\n".replace("\\|", "|"))
            continue
        out.append("\n\n")
        out += table(["field", "type", "meaning"], (
            (f"`{key}{'' if is_always else '?'}`", cell(form), says)
            for key, is_always, form, says in fields(kind)))
    return "".join(out).rstrip("\n") + "\n"


def page(schema):
    """docs/api.md as it should be."""
    by_hand = PAGE.read_text(encoding="utf-8").partition(BEGIN)[0]
    return by_hand.rstrip("\n") + "\n\n" + BEGIN + markdown(schema)


def main():
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    schema = load()
    TYPES.write_text(typescript(schema), encoding="utf-8")
    PAGE.write_text(page(schema), encoding="utf-8")


if __name__ == "__main__":
    main()

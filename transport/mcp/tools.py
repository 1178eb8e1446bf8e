#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes JSON, without its blanks, as a C array.

tools.py table OUT.c TOOLSET.json...   the tables of all toolsets as one, for
                                       tools_json.h
tools.py file OUT.c IN.json NAME HEADER   one file as it is

A table is JSON to be read and edited as JSON; a C literal of it would be one
long line of escapes. Bytes are written, as C11 promises no more than 4095 in a
literal."""

import json
import pathlib
import sys


def read(path: str) -> dict:
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def likened(schema: dict, tools: list[dict]) -> dict:
    """{"like": NAME, "properties", "required"}: what that tool takes, and these
    properties too; these are required. Anywhere in a schema."""
    own = {key: likened(value, tools) if isinstance(value, dict) else value
           for key, value in schema.items()}
    if not isinstance(own.get("like"), str):
        return own
    like = next(t for t in tools if t["name"] == own["like"])["inputSchema"]
    return like | {"properties": like["properties"] | own["properties"],
                   "required": own["required"]}


def table(paths: list[str]) -> dict:
    """First all tools, then all other orders: as enum order_kind has them. A
    toolset may share tools of another."""
    merged: dict = {"toolsets": {}, "tools": [], "orders": []}
    for path in paths:
        one, name = read(path), pathlib.Path(path).stem
        merged["toolsets"][name] = {
            key: one[key] for key in ("instructions", "sets", "resources",
                                      "prompts") if key in one}
        merged["tools"] += [tool | {"toolset": name, "shared": []}
                            for tool in one["tools"]]
        for tool in merged["tools"]:
            if tool["name"] in one.get("shares", []):
                tool["shared"].append(name)
        merged["orders"] += one.get("orders", [])
    merged["orders"] = [likened(o, merged["tools"]) for o in merged["orders"]]
    return merged


def write(out: str, value: dict, name: str, header: str) -> None:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    data = text.encode()
    with open(out, "w", encoding="utf-8") as f:
        f.write("/* SPDX-License-Identifier: MIT */\n")
        f.write(f'#include "{header}"\n\n')
        f.write(f"const size_t {name}_len = {len(data)};\n")
        f.write(f"const char {name}[] = {{")
        for i, byte in enumerate(data):
            f.write("\n    " if i % 12 == 0 else " ")
            f.write(f"{byte if byte < 128 else byte - 256},")
        f.write("\n};\n")


def main() -> None:
    kind, out, *rest = sys.argv[1:]
    if kind == "table":
        write(out, table(rest), "tools_json", "transport/mcp/tools_json.h")
    else:
        write(out, read(rest[0]), rest[1], rest[2])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a file of JSON, without its blanks, as a C array.

tools.py IN.json OUT.c [NAME HEADER], for tools.json if none are given. A table
is JSON to be read and edited as JSON; a C literal of it would be one long line
of escapes. Bytes are written, as C11 promises no more than 4095 in a
literal."""

import json
import sys


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as f:
        text = json.dumps(json.load(f), ensure_ascii=False, separators=(",", ":"))
    data = text.encode()
    name, header = sys.argv[3:] or ("tools_json", "transport/mcp/tools_json.h")
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("/* SPDX-License-Identifier: MIT */\n")
        out.write(f'#include "{header}"\n\n')
        out.write(f"const size_t {name}_len = {len(data)};\n")
        out.write(f"const char {name}[] = {{")
        for i, byte in enumerate(data):
            out.write("\n    " if i % 12 == 0 else " ")
            out.write(f"{byte if byte < 128 else byte - 256},")
        out.write("\n};\n")


main()

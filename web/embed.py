#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""embed.py FOLDER OUT.c OUT.d: the dashboard's files as constants of a C
program, packed, and under names that change with what is in them.

index.html names the others by their plain names; here they get their hash, so
that a browser may keep them for ever."""

import gzip
import hashlib
import pathlib
import re
import sys

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript",
         ".css": "text/css", ".svg": "image/svg+xml"}


def named(path: pathlib.Path, text: bytes) -> str:
    mark = hashlib.sha256(text).hexdigest()[:12]
    return f"/assets/{path.stem}-{mark}{path.suffix}"


def literal(data: bytes) -> str:
    lines = (data[i:i + 16] for i in range(0, len(data), 16))
    return ",\n    ".join(", ".join(str(b) for b in line) for line in lines)


def main() -> None:
    folder, out, dep = pathlib.Path(sys.argv[1]), *sys.argv[2:4]
    files = sorted(p for p in folder.iterdir() if p.suffix in TYPES)
    texts = {p: p.read_bytes() for p in files}
    names = {p: named(p, t) for p, t in texts.items() if p.suffix != ".html"}
    for path, text in texts.items():
        if path.suffix != ".html":
            continue
        for other, name in names.items():
            text = re.sub(rb'(["\'])' + re.escape(other.name.encode()) + rb"\1",
                          f'"{name}"'.encode(), text)
        texts[path] = text
    with open(out, "w", encoding="utf-8") as c:
        c.write('/* Made by embed.py. */\n#include "transport/web/asset.h"\n\n')
        rows = []
        for i, path in enumerate(files):
            text = texts[path]
            packed = gzip.compress(text, 9, mtime=0)
            c.write(f"static const unsigned char plain_{i}[] = {{\n    "
                    f"{literal(text)}}};\n"
                    f"static const unsigned char packed_{i}[] = {{\n    "
                    f"{literal(packed)}}};\n")
            tag = hashlib.sha256(text).hexdigest()[:16]
            name = names.get(path, "/" if path.name == "index.html"
                             else f"/{path.name}")
            rows.append(
                f'    {{"{name}", "{TYPES[path.suffix]}", "\\"{tag}\\"", '
                f"{str(path in names).lower()}, plain_{i}, {len(text)}, "
                f"packed_{i}, {len(packed)}}},\n")
        c.write("const struct asset assets[] = {\n" + "".join(rows) + "};\n"
                f"const size_t asset_count = {len(rows)};\n")
    with open(dep, "w", encoding="utf-8") as d:
        d.write(f"{out}: " + " ".join(str(p) for p in files) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes build_id() as C: the version, and a hash of what is built.

    build.py VERSION ROOT OUTPUT DEPFILE FOLDER...

A hash of the sources and not a time: two builds of the same text are the same
program, and a relay of one may speak with the hub of the other.
"""

import hashlib
import sys
from pathlib import Path

KINDS = {".c", ".h", ".json", ".py", ".build"}

version, root, output, depfile = sys.argv[1:5]
files = sorted(p for folder in sys.argv[5:]
               for p in (Path(root) / folder).rglob("*") if p.suffix in KINDS)
digest = hashlib.sha256()
for path in files:
    name, text = str(path.relative_to(root)).encode(), path.read_bytes()
    digest.update(b"%d %s %d " % (len(name), name, len(text)) + text)

Path(output).write_text(
    "/* Made by transport/wire/build.py. */\n"
    '#include "transport/wire/build.h"\n\n'
    "const char *build_id(void)\n{\n"
    f'    return "{version}+{digest.hexdigest()[:16]}";\n}}\n')
escaped = (str(p).replace(" ", "\\ ") for p in files)
Path(depfile).write_text(f"{output}: " + " ".join(escaped) + "\n")

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""build.py OUT.S OUT.c OUT.d: the dashboard, and the page of a recording,
built by Vite from what lies beside this file, packed (gzip and Brotli) and made
constants of the hub.

The depfile names every source, so a build in which none of them has changed
does nothing here. Packages are config/setup.sh's to install; what is missing
is said in words."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import embed
from node import WEB, NotThere, environment

SOURCES = ("*.ts", "*.json", "index.html", "*.py", "*.mjs", "public/*",
           "src/**/*")


def sources():
    found = {p for form in SOURCES for p in WEB.glob(form) if p.is_file()}
    return sorted(p for p in found if ".test." not in p.name)


def run(tool, *words):
    """One of the packages' programs; what it says is shown if it fails."""
    done = subprocess.run([str(WEB / "node_modules/.bin" / tool), *words],
                          cwd=WEB, env=environment(), text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"web: {tool} has failed:\n{done.stdout}")


def vite(dist, *words):
    run("vite", "build", "--outDir", str(dist), "--emptyOutDir",
        "--logLevel", "warn", *words)


def node(script, *words):
    subprocess.run(["node", str(WEB / script), *map(str, words)],
                   env=environment(), check=True)


def main():
    asm, table, dep = map(pathlib.Path, sys.argv[1:4])
    dist = pathlib.Path(tempfile.mkdtemp(dir=asm.resolve().parent))
    try:
        run("tsc", "--noEmit")
        packed = asm.resolve().parent / (asm.name + ".d")
        shutil.rmtree(packed, ignore_errors=True)
        vite(dist)
        node("pack.mjs", dist, packed / "page")
        vite(dist, "--config", "vite.recording.config.ts")
        node("single.mjs", dist, packed / "recording.gz")
        embed.write(packed / "page", packed / "recording.gz", asm, table)
    finally:
        shutil.rmtree(dist, ignore_errors=True)
    dep.write_text(f"{asm} {table}: " + " ".join(map(str, sources())) + "\n",
                   encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except NotThere as e:
        sys.exit(f"web: {e}")

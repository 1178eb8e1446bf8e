# SPDX-License-Identifier: MIT
"""The official conformance suite (npm: @modelcontextprotocol/conformance): what
it asks of a server in each revision of the protocol, and what it found.

It is run with -o, so that what it found is read from its own files and not
from what it prints for people."""

import json
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INSTALL = os.path.join(HERE, "../clients/install.sh")

# A scenario that hangs ends the wait, no scenario is judged by its speed.
TIMEOUT_MS = 120000
BAD = ("FAILURE", "WARNING")
RANK = {"FAILURE": 3, "WARNING": 2, "SUCCESS": 1}


class Missing(Exception):
    """The suite is not here and cannot be had; the text says why."""


class Suite:
    """`node` runs the script `program`."""

    def __init__(self):
        run = subprocess.run(["bash", INSTALL], capture_output=True, text=True,
                             check=False)
        if run.returncode == 3:
            raise Missing(run.stdout.strip())
        assert run.returncode == 0, run.stdout + run.stderr
        self.node, deps = run.stdout.splitlines()
        self.program = os.path.join(deps, "node_modules/.bin/conformance")

    def _run(self, *words, **options):
        return subprocess.run([self.node, self.program, *words],
                              stdin=subprocess.DEVNULL, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              **options)

    def scenarios(self, revision):
        """(required, the others but those of extensions), of a server."""
        run = self._run("list", "--requirements", revision)
        assert run.returncode == 0, run.stdout
        required, others, reason = [], [], ""
        part = ""
        for line in run.stdout.splitlines():
            if head := re.match(r"(\w+) scenarios|Run and reported", line):
                part = head[1] or "others"
            elif head := re.fullmatch(r"  ([\w-]+) \(\d+\):", line):
                reason = head[1]
            elif item := re.fullmatch(r" +- (\S+)(?: \[(\w+)\])?", line):
                if part == "Server":
                    required.append(item[1])
                elif item[2] == "server" and reason != "extension":
                    others.append(item[1])
        assert required, run.stdout
        return required, others

    def run(self, url, revision, baseline=None):
        """Everything of a revision, against a server."""
        with tempfile.TemporaryDirectory() as top:
            words = ["server", "--url", url, "--requirements", revision,
                     "--timeout", str(TIMEOUT_MS), "-o", os.path.join(top, "o")]
            if baseline:
                words += ["--expected-failures", baseline]
            run = self._run(*words, env={**os.environ, "HOME": top})
            return Found(run.returncode, run.stdout, os.path.join(top, "o"))


class Found:
    """What a run of the suite found: its own verdict, and by scenario the
    checks."""

    def __init__(self, code, said, folder):
        self.code, self.said = code, said
        self.checks = {}
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            path = os.path.join(folder, name, "checks.json")
            if os.path.exists(path):
                scenario = re.fullmatch(r"server-(.+)-\d{4}-.*Z", name)[1]
                with open(path, encoding="utf-8") as f:
                    self.checks[scenario] = json.load(f)

    def worst(self, scenario):
        """By id, what is worst of a scenario's checks: a check is made for
        many messages under one id. What only informs is not there."""
        worst = {}
        for check in self.checks.get(scenario, ()):
            id = check["id"]
            if RANK.get(check["status"], 0) > RANK.get(
                    worst.get(id, {}).get("status"), 0):
                worst[id] = check
        return worst

    def judge(self, scenario, expected=()):
        """Raises AssertionError unless exactly the expected checks fail. A
        warning is a failure, here as in the suite's own baselines."""
        assert scenario in self.checks, (
            f"{scenario} did not come to its end:\n{self.said[-3000:]}")
        worst = self.worst(scenario)
        bad = {id: c for id, c in worst.items() if c["status"] in BAD}
        told = [f"{c['status']} {id}: {c.get('errorMessage') or ''}"
                for id, c in bad.items() if id not in expected]
        told += [f"STALE {id}: it does not fail (any more)"
                 for id in expected if id not in bad]
        assert not told, scenario + "\n" + "\n".join(told)
        assert self.checks[scenario], f"{scenario}: nothing was checked"


def read_baseline(path):
    """{scenario: [check-id]} of an expected-failures file in the suite's own
    format. Every entry must be a single check and say why it is there."""
    expected = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            if not re.match(r"\s*-", line):
                continue
            entry = re.fullmatch(r"  - ([\w-]+):([\w-]+) +# \S.*\n", line)
            assert entry, f"{path}: no check with its reason: {line}"
            checks = expected.setdefault(entry[1], [])
            assert entry[2] not in checks, f"{path}: twice: {line}"
            checks.append(entry[2])
    return expected

# SPDX-License-Identifier: MIT
"""A program that says {"port": N} and then serves HTTP there."""

import json
import os
import socket
import subprocess

from harness import http
from harness.until import DEADLINE, equal


class Site:
    """with Site(PROGRAM, "--idle", "500") as s: ...

    It ends with its stdin, or is_told by a signal."""

    def __init__(self, program, *options, host="127.0.0.1", env=None,
                 is_told=False, **popen):
        self.command = [program, *map(str, options)]
        self.host, self.is_told = host, is_told
        self.popen = {"env": {**os.environ, **(env or {})}, **popen}

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, **self.popen)
        self.port = json.loads(self.process.stdout.readline())["port"]
        return self

    def __exit__(self, kind, *_):
        code = self.leave()
        if kind is None:
            equal(code, 0)

    def leave(self):
        """Lets it end by itself; its exit status."""
        if self.is_told:
            self.process.terminate()
        self.process.stdin.close()
        code = self.process.wait(DEADLINE)
        self.process.stdout.close()
        return code

    @property
    def url(self):
        return f"http://{self.host}:{self.port}/"

    def answer(self, method, path, body=None, headers=None):
        """Status, headers and body."""
        return http.request(self.port, method, path, body, headers, self.host)

    def ask(self, method, path, body=None, headers=None):
        """Status and body."""
        return self.answer(method, path, body, headers)[::2]

    def connect(self):
        return socket.create_connection((self.host, self.port), DEADLINE)

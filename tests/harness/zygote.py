# SPDX-License-Identifier: MIT
"""A zygote whose hub the test itself plays: orders go to it as in
runtime/warden/order.h."""

import array
import os
import socket
import struct
import subprocess

from harness import record
from harness.programs import WARDEN
from harness.until import DEADLINE
from harness.warden import WardenHome

HEAD = struct.Struct("=QIIII")
ANSWER = struct.Struct("=Qii")
SOCKET = 3
RESERVE, PADDING = 4608, 160


def strings(words):
    return b"".join(os.fsencode(word) + b"\0" for word in words)


class Waited:
    """A warden that a zygote has forked, which is our child all the same."""

    def __init__(self, pid):
        self.pid, self.returncode = pid, None

    def wait(self, _=None):
        if self.returncode is None:
            status = os.waitpid(self.pid, 0)[1]
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def kill(self):
        if self.returncode is None:
            os.kill(self.pid, 9)


class ZygoteHome(WardenHome):
    """A home of wardens, one zygote for all of them."""

    def __init__(self, env=None, **more):
        super().__init__(**more)
        self.hub, theirs = socket.socketpair()
        self.hub.settimeout(DEADLINE)
        reserve = "KUROMAJUTSU_ZYGOTE=".ljust(RESERVE - 1, "-")

        def take():
            os.dup2(theirs.fileno(), SOCKET)
            os.setsid()
        name, _, value = reserve.partition("=")
        self.zygote = subprocess.Popen(
            [WARDEN, "--zygote", "1", "-" * (PADDING - 1)],
            env={name: value, **self.env, **(env or {})},
            close_fds=False, preexec_fn=take)
        theirs.close()

    def order(self, words, variables, ticket=1):
        """Sends one, and does not wait for what comes of it."""
        self.send(strings(words) + strings(variables), len(words),
                  len(variables), ticket)

    def send(self, body, words, variables=0, ticket=1, size=None):
        """An order of these bytes, which are said to be so many strings."""
        head = HEAD.pack(ticket, len(body) if size is None else size, words,
                         variables, 0)
        dir = os.open(self.dir, os.O_RDONLY | os.O_DIRECTORY)
        self.hub.sendmsg([head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                   array.array("i", [dir]))])
        os.close(dir)
        self.hub.sendall(body)

    def answer(self):
        """The next: its ticket, the pid, an errno. None at the end."""
        said = self.hub.recv(ANSWER.size, socket.MSG_WAITALL)
        return ANSWER.unpack(said) if said else None

    def words(self, program, **options):
        words = {"dir": self.dir, "socket": self.path, "id": "coder-1",
                 "build": "b1", "record": record.NAME, **options}
        return [WARDEN, *(str(w) for name, value in words.items() for w in
                          ("--" + name.replace("_", "-"), value)),
                "--", *program]

    def start(self, program, env=None, popen=None, **options):
        variables = {**(self.env if env is None else env),
                     "KUROMAJUTSU_AGENT_ID": options.get("id", "coder-1"),
                     "KUROMAJUTSU_SOCKET": self.path}
        self.order(self.words(program, **options),
                   [f"{k}={v}" for k, v in variables.items()])
        _, pid, error = self.answer()
        assert error == 0, error
        warden = Waited(pid)
        self.wardens.append(warden)
        return warden

    def survivors(self):
        return [pid for pid in super().survivors() if pid != self.zygote.pid]

    def finish(self):
        super().finish()
        self.hub.close()
        self.zygote.wait(DEADLINE)

    def abandon(self):
        super().abandon()
        self.hub.close()
        self.zygote.kill()
        self.zygote.wait()

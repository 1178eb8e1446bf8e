# SPDX-License-Identifier: MIT
"""An MCP client over a relay's standard input and output, for the demo: calls
may be under way at once, as a model's are."""

import json
import queue
import subprocess
import threading


class Refused(Exception):
    """A tool answered with an error; its text is code and message."""


class Client:
    def __init__(self, argv, env, cwd):
        self.process = subprocess.Popen(argv, env=env, cwd=cwd,
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.answers = {}
        self.next_id = 0
        self.lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()
        self._take(self._send("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "demo", "version": "1"}}))
        self._write({"method": "notifications/initialized"})

    def _write(self, message):
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()

    def _send(self, method, params):
        with self.lock:
            self.next_id += 1
            mine = self.answers[self.next_id] = queue.Queue()
            self._write({"id": self.next_id, "method": method,
                         "params": params})
        return mine

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") in self.answers:
                self.answers.pop(message["id"]).put(message)
        for waiting in list(self.answers.values()):
            waiting.put({"error": {"message": "the relay has left"}})

    @staticmethod
    def _take(answer):
        message = answer.get()
        if "error" in message:
            raise Refused(message["error"]["message"])
        return message["result"]

    def start(self, tool, **args):
        """Calls a tool; done() on what is returned says whether it answered,
        result() waits for it."""
        return Call(self, self._send("tools/call",
                                     {"name": tool, "arguments": args}))

    def call(self, tool, **args):
        return self.start(tool, **args).result()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Call:
    def __init__(self, client, answer):
        self.client = client
        self.answer = answer

    def done(self):
        return not self.answer.empty()

    def result(self):
        result = Client._take(self.answer)
        body = json.loads(result["content"][0]["text"])
        if result.get("isError"):
            raise Refused(f"{body['code']}: {body['message']}")
        return body

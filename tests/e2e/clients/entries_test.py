#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What mcp-config prints, put before the real programs it is for: they read
it, start us by it and shake hands. No account and no model is needed."""

import fcntl
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import threading

from harness import tap
from harness.command import CommandHome
from harness.programs import PROGRAM
from harness.until import DEADLINE, equal

HERE = pathlib.Path(__file__).resolve().parent / "programs"
DEPS = pathlib.Path(__file__).resolve().parents[3] / ".deps/programs"
PROGRAMS = {
    "claude": ["node_modules/@anthropic-ai/claude-code-linux-x64/claude"],
    "codex": ["node_modules/@openai/codex-linux-x64/vendor/"
              "x86_64-unknown-linux-musl/bin/codex"],
    "gemini": ["node", "node_modules/@google/gemini-cli/bundle/gemini.js"],
    "opencode": ["node_modules/opencode-linux-x64-baseline/bin/opencode"],
}


def npm(*words):
    return subprocess.run(["npm", *words], cwd=DEPS, capture_output=True,
                          text=True, check=False)


def install():
    """Once, by the lock file. Why there is nothing to say, or None."""
    if not shutil.which("npm") or not shutil.which("node"):
        return "no npm"
    if "KUROMAJUTSU_LONG" not in os.environ and not DEPS.exists():
        return "they are 0.9 GB, which ./test --all installs"
    DEPS.mkdir(parents=True, exist_ok=True)
    with open(f"{DEPS}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (HERE / "package-lock.json").read_text()
        done = DEPS / "installed"
        if done.exists() and done.read_text() == wanted:
            return None
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, DEPS)
        run = npm("ci", "--ignore-scripts", "--no-audit", "--no-fund")
        if run.returncode:
            # Only an unreachable registry excuses.
            if npm("view", "@google/gemini-cli", "version").returncode:
                return "no registry"
            raise AssertionError(run.stderr)
        done.write_text(wanted)
    return None


def ask(h, name, *words):
    """What it says, in the project and with a home of its own."""
    argv = [word if word == "node" else str(DEPS / word)
            for word in PROGRAMS[name]]
    if not os.path.exists(argv[-1]):
        raise tap.Skip(f"no {name} for this machine")
    run = subprocess.run([*argv, *words], cwd=h.project, env={
        **h.env, "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1", "DISABLE_AUTOUPDATER": "1",
    }, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=DEADLINE, check=False)
    assert run.returncode == 0, run
    return run


def home():
    return CommandHome(CODEX_HOME=None, CLAUDE_CONFIG_DIR=None,
                       GEMINI_CLI_HOME=None, XDG_CONFIG_HOME=None,
                       CURSOR_API_KEY="x")


def put(h, name, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(h.run("mcp-config", "--for", name).out)


def our_line(run):
    """Gemini lists its servers on stderr."""
    return next(line for line in (run.stdout + run.stderr).splitlines()
                if "kuromajutsu" in line)


@tap.test
def claude_code_connects():
    with home() as h:
        # Its user's own file: one of the project's waits for an approval.
        put(h, "claude", h.user / ".claude.json")
        assert "Connected" in our_line(ask(h, "claude", "mcp", "list"))


@tap.test
def codex_reads_every_setting():
    with home() as h:
        path = h.user / ".codex/config.toml"
        put(h, "codex", path)
        seen = json.loads(ask(h, "codex", "mcp", "get", "kuromajutsu",
                              "--json").stdout)
        equal((seen["enabled"], seen["transport"]["command"]),
              (True, os.path.realpath(PROGRAM)))
        assert "CURSOR_API_KEY" in seen["transport"]["env_vars"], seen
        equal(seen["tool_timeout_sec"], 300.0)
        # The one that it does not show is one it judges.
        path.write_text(path.read_text().replace('"approve"', '"nonsense"'))
        try:
            ask(h, "codex", "mcp", "list")
        except AssertionError as error:
            assert "default_tools_approval_mode" in str(error), error
        else:
            raise AssertionError("nonsense was taken")


class Model(http.server.BaseHTTPRequestHandler):
    """Stands in for a model: calls run_agents once, then is done."""

    CALL = {"type": "function_call", "id": "f", "call_id": "c",
            "namespace": "mcp__kuromajutsu", "name": "run_agents",
            "arguments": json.dumps({"groupId": "grp-1-none", "agents": [
                {"role": "impl-code", "prompt": "x"}]})}
    WORDS = {"type": "message", "id": "m", "role": "assistant",
             "content": [{"type": "output_text", "text": "done"}]}

    def log_message(self, format, *args):
        pass

    def say(self, type, **more):
        data = json.dumps({"type": type, **more})
        self.wfile.write(f"event: {type}\ndata: {data}\n\n".encode())

    def do_POST(self):
        asked = json.loads(self.rfile.read(
            int(self.headers["content-length"])))
        is_called = any(i.get("type") == "function_call_output"
                        for i in asked["input"])
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.say("response.created", response={"id": "r"})
        self.say("response.output_item.done", output_index=0,
                 item=self.WORDS if is_called else self.CALL)
        self.say("response.completed", response={"id": "r", "usage": {
            "input_tokens": 1, "output_tokens": 1, "total_tokens": 2}})


def codex_calls(h, entry):
    """What becomes of a call of run_agents by codex exec with that entry."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model) as model:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        (h.user / ".codex/config.toml").write_text(f"""
model = "gpt-5.5"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:{model.server_address[1]}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
{entry}""")
        h.set(MOCK_KEY="x")
        said = ask(h, "codex", "exec", "--json", "--skip-git-repo-check",
                   "go").stdout
        model.shutdown()
    return next(json.dumps(item) for line in said.splitlines()
                if (item := json.loads(line)).get("type") == "item.completed"
                and item["item"]["type"] == "mcp_tool_call")


@tap.test
def codex_runs_agents_by_our_entry_alone():
    with home() as h:
        (h.user / ".codex").mkdir()
        entry = h.run("mcp-config", "--for", "codex").out
        bare = "".join(line for line in entry.splitlines(True)
                       if "approval_mode" not in line)
        assert "requires approval" in codex_calls(h, bare)
        # Our own refusal: the call has arrived.
        assert "GROUP_NOT_FOUND" in codex_calls(h, entry)


@tap.test
def gemini_connects():
    with home() as h:
        put(h, "gemini", h.project / ".gemini/settings.json")
        (h.user / ".gemini").mkdir()
        (h.user / ".gemini/trustedFolders.json").write_text(
            json.dumps({str(h.project): "TRUST_FOLDER"}))
        assert "Connected" in our_line(ask(h, "gemini", "mcp", "list"))


@tap.test
def opencode_connects():
    with home() as h:
        put(h, "opencode", h.project / "opencode.json")
        assert "connected" in our_line(ask(h, "opencode", "mcp", "list"))


if __name__ == "__main__":
    missing = install()
    if missing:
        tap.skip_all(missing)
    else:
        tap.run()

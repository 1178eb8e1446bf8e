#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prompts of the Cloud API, from a stand-in that is a real web server: what it
answers well, badly, late or not at all, and to whom the key goes."""

import http.server
import json
import ssl
import subprocess
import tempfile
import threading

from harness import tap
from harness.programs import built
from harness.until import contains, equal, until
from talks import age, another, context, error, inject, served

KEY = "cli_0123456789abcdef0123456789abcdef_01234567"


def prompt(phase, content=None, **more):
    return {"id": "8d6a", "phase": phase, "title": "t", "version": 3,
            "content": content or f"# Phase {phase[-1]}: from the cloud",
            "isActive": True, "createdAt": "2026-01-12T10:00:00Z",
            "updatedAt": "2026-01-12T10:00:00Z", **more}


class Cloud:
    """`answers` are what it says, one after the other and the last for ever:
    a status, or (status, body, headers), or a function of the handler."""

    def __init__(self, *answers, certificate=None):
        got = self.got = []
        self.answers = list(answers) or [200]
        cloud = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                got.append((self.path, dict(self.headers)))
                say = cloud.answers[0]
                if len(cloud.answers) > 1:
                    cloud.answers.pop(0)
                if callable(say):
                    say(self)
                else:
                    self.reply(*(say if isinstance(say, tuple) else (say,)))

            def reply(self, status, body=None, headers=()):
                phase = self.path.rsplit("/", 1)[1]
                if body is None:
                    body = json.dumps(prompt(phase) if status == 200 else
                                      {"statusCode": status,
                                       "message": "a body of theirs"})
                body = body if isinstance(body, bytes) else body.encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """Who does not trust it, or has heard enough, leaves."""

        self.over = threading.Event()
        self.server = Server(("127.0.0.1", 0), Handler)
        if certificate:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate)
            self.server.socket = tls.wrap_socket(
                self.server.socket, server_side=True,
                do_handshake_on_connect=False)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def url(self, scheme="http", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.server.server_port}"

    def stop(self):
        self.over.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self.over.is_set():
            self.stop()


def told(cloud, **env):
    return served(AIAGENTSTUDIO_API_URL=cloud.url(),
                  AIAGENTSTUDIO_API_KEY=KEY, **env)


@tap.test
def a_prompt_comes_with_its_version_and_is_kept():
    with Cloud() as cloud, told(cloud) as (home, talk):
        text, about = inject(talk, "phase0")
        equal((text, about["version"], about["cached"], about["source"]),
              ("# Phase 0: from the cloud", 3, False, "cloud"))
        equal(inject(talk, "phase0")[1]["cached"], True)
        (path, headers), = cloud.got
        equal((path, headers["X-API-Key"]), ("/api/v1/prompts/phase0", KEY))
        age(home, 3600001)
        cloud.answers[0] = (200, json.dumps(prompt("phase0", "# Phase 0: new",
                                                   version=4)))
        text, about = inject(talk, "phase0")
        equal((text, about["version"], about["cached"]),
              ("# Phase 0: new", 4, False))


@tap.test
def who_only_looks_sees_the_copy_and_asks_nothing():
    with Cloud() as cloud, told(cloud) as (home, talk), \
            home.session() as wire:
        def shown():
            one = wire.ask("phases")["prompts"][0]
            return [one[k] for k in ("source", "origin", "content", "version",
                                     "isStale")]

        equal(shown(), ["cloud", cloud.url(), "", 0, False])
        equal(cloud.got, [])
        inject(talk, "phase0")
        text = "# Phase 0: from the cloud"
        equal(shown(), ["cloud", cloud.url(), text, 3, False])
        age(home, 3600001)
        equal(shown(), ["cloud", cloud.url(), text, 3, True])
        equal(len(cloud.got), 1)


@tap.test
def many_who_want_it_ask_once():
    gate = threading.Event()

    def late(handler):
        gate.wait(60)
        handler.reply(200)

    with Cloud(late) as cloud, told(cloud) as (home, talk):
        others = [another(home) for _ in range(4)]
        ids = [t.order("inject_phase_prompt", {"phase": "phase0"})
               for t in others]
        until(lambda: cloud.got, "a question")
        # Orders of other kinds do not wait for it.
        equal(context(talk, "phase0")["status"], "pending")
        gate.set()
        for t, id in zip(others, ids):
            contains(t.result(id)["content"][0]["text"], "from the cloud")
        equal(len(cloud.got), 1)


@tap.test
def what_it_does_not_have_is_not_found():
    off = json.dumps(prompt("phase0", isActive=False))
    for say in (404, (200, off)):
        with Cloud(say) as cloud, told(cloud) as (_, talk):
            refused = error(talk, "inject_phase_prompt", phase="phase0")
            equal(refused, {"code": "PROMPT_NOT_FOUND",
                            "message": "Prompt not found for phase: phase0"})
            equal(context(talk, "phase0")["status"], "pending")
            equal(len(cloud.got), 1)


@tap.test
def what_it_refuses_or_garbles_is_told_without_its_words():
    wrong = json.dumps(prompt("phase1"))
    for say, why in ((401, "HTTP 401"), (403, "HTTP 403"),
                     ((200, "<html>"), "no prompt"),
                     ((200, wrong), "no prompt"),
                     ((200, json.dumps(prompt("phase0", " "))), "no prompt"),
                     ((200, "x" * (1 << 20)), "too large"),
                     ((302, "", [("Location", "http://127.0.0.1:1/x")]),
                      "HTTP 302")):
        with Cloud(say) as cloud, told(cloud) as (home, talk):
            refused = error(talk, "inject_phase_prompt", phase="phase0")
            equal(refused["code"], "CLOUD_API_ERROR")
            contains(refused["message"],
                     "Failed to fetch prompt from Cloud API: ")
            contains(refused["message"], why)
            for secret in (KEY, "theirs", cloud.url(), "<html>"):
                assert secret not in json.dumps(refused), refused
                assert not any(secret in line for line in home.log())
            equal(len(cloud.got), 1)


@tap.test
def a_redirection_is_not_followed_with_the_key():
    with Cloud() as other:
        to = other.url() + "/api/v1/prompts/phase0"
        with Cloud((302, "", [("Location", to)])) as cloud, \
                told(cloud) as (_, talk):
            equal(error(talk, "inject_phase_prompt", phase="phase0")["code"],
                  "CLOUD_API_ERROR")
        equal(other.got, [])


@tap.test
def what_passes_is_tried_again():
    for first in (429, 500, 503, lambda handler: handler.connection.close()):
        with Cloud(first, 200) as cloud, told(cloud) as (_, talk):
            text, about = inject(talk, "phase0")
            equal((text, about["source"], "warning" in about),
                  ("# Phase 0: from the cloud", "cloud", False))
            equal(len(cloud.got), 2)


@tap.test
def an_answer_in_chunks_is_put_together_and_half_a_one_is_none():
    body = json.dumps(prompt("phase0", "# Phase 0: " + "長" * 5000)).encode()

    def chunked(handler, is_whole=True):
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for i in range(0, len(body), 1000):
            part = body[i:i + 1000]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        if is_whole:
            handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = True

    with Cloud(lambda h: chunked(h, False), chunked) as cloud, \
            told(cloud) as (_, talk):
        text, about = inject(talk, "phase0")
        equal((text, about["source"]), ("# Phase 0: " + "長" * 5000, "cloud"))
        equal(len(cloud.got), 2)


@tap.test
def when_it_is_away_the_copy_will_do_and_else_our_own():
    with Cloud() as cloud, told(cloud) as (home, talk):
        fetched = inject(talk, "phase0")[1]["fetchedAt"]
        cloud.stop()
        equal(inject(talk, "phase0")[1]["cached"], True)
        age(home, 3600001)
        text, about = inject(talk, "phase0")
        equal((text, about["warning"], about["cached"], about["source"],
               about["version"]),
              ("# Phase 0: from the cloud", "API unavailable", True, "cloud",
               3))
        contains(about["cause"], "connect: ")
        assert about["fetchedAt"] < fetched, about
        text, about = inject(talk, "phase1")
        contains(text, "Phase 1: Design system")
        equal((about["warning"], about["cached"], about["source"]),
              ("API unavailable", False, "builtin"))


@tap.test
def a_copy_will_do_also_when_the_key_is_refused():
    with Cloud(200, 401) as cloud, told(cloud) as (home, talk):
        inject(talk, "phase0")
        age(home, 3600001)
        _, about = inject(talk, "phase0")
        equal((about["warning"], about["cause"]),
              ("API unavailable", "HTTP 401"))


@tap.test
def one_that_never_ends_is_not_waited_for():
    """Slower than its time: what follows is of the budget, not of the test."""
    def endless(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        cloud.over.wait(60)

    with Cloud(endless) as cloud, told(cloud) as (_, talk):
        _, about = inject(talk, "phase0")
        equal((about["source"], about["cause"]), ("builtin", "timed out"))
        equal(context(talk, "phase0")["status"], "in_progress")


@tap.test
def the_key_goes_to_no_other_machine_in_the_clear():
    for url in ("http://example.com", "http://127.0.0.1.example.com",
                "http://192.0.2.1:80", "http://localhost.example.com"):
        with served(AIAGENTSTUDIO_API_URL=url,
                    AIAGENTSTUDIO_API_KEY=KEY) as (_, talk):
            refused = error(talk, "inject_phase_prompt", phase="phase0")
            equal(refused["code"], "CLOUD_API_ERROR")
            contains(refused["message"], "phases.apiUrl")
            contains(refused["message"], "https://")


@tap.test
def by_tls_it_is_asked_if_its_certificate_holds():
    with tempfile.TemporaryDirectory(prefix="kuromajutsu-") as top:
        for who in ("ours", "theirs"):
            subprocess.run([built("tests/e2e/certificate"), f"{top}/{who}-ca",
                            f"{top}/{who}"], check=True)
        for trusted in ("ours", "theirs"):
            with Cloud(certificate=f"{top}/ours") as cloud, served(
                    AIAGENTSTUDIO_API_URL=cloud.url("https"),
                    AIAGENTSTUDIO_API_KEY=KEY,
                    SSL_CERT_FILE=f"{top}/{trusted}-ca") as (_, talk):
                _, about = inject(talk, "phase0")
                equal(about["source"],
                      "cloud" if trusted == "ours" else "builtin")
                equal(len(cloud.got), trusted == "ours")


@tap.test
def an_address_of_the_project_holds_only_once_it_is_trusted():
    with Cloud() as cloud:
        with served({"apiUrl": cloud.url()}, is_trusted=False,
                    AIAGENTSTUDIO_API_KEY=KEY) as (_, talk):
            equal(inject(talk, "phase0")[1]["source"], "builtin")
            equal(cloud.got, [])
        with served({"apiUrl": cloud.url(), "apiKey": "of-the-file"}) as (
                _, talk):
            equal(inject(talk, "phase0")[1]["source"], "cloud")
            equal(cloud.got[0][1]["X-API-Key"], "of-the-file")


@tap.test
def the_key_is_in_nobodys_environment_nor_on_a_command_line():
    with Cloud() as cloud, told(cloud) as (home, talk):
        seen = []

        def look(handler):
            for pid in home.everybody():
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    line = f.read()
                with open(f"/proc/{pid}/environ", "rb") as f:
                    seen.append((line, KEY.encode() in f.read()))
            handler.reply(200)

        cloud.answers[0] = look
        inject(talk, "phase0")
        fetch = [has for line, has in seen if b"--fetch" in line]
        assert fetch and not any(fetch), seen
        assert not any(KEY.encode() in line for line, _ in seen), seen


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""A webhook that is real is told what a person is told, in the clear and over
TLS."""

import http.server
import json
import ssl
import subprocess
import tempfile
import threading

from harness import tap
from harness.programs import built
from harness.until import contains, equal, until
from told import Told, fail, until_raised


class Hook:
    """A web server that writes down what is posted to it; with a certificate
    (a file that has its key too) it speaks TLS."""

    def __init__(self, status=204, certificate=None):
        got = self.got = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                got.append((self.path, dict(self.headers), json.loads(body)))
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """A client that does not trust it says so, and leaves."""

        self.server = Server(("127.0.0.1", 0), Handler)
        if certificate:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate)
            # Each is greeted by the thread that serves it: one who is refused
            # holds nobody up.
            self.server.socket = tls.wrap_socket(
                self.server.socket, server_side=True,
                do_handshake_on_connect=False)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def url(self, scheme="http"):
        return f"{scheme}://127.0.0.1:{self.server.server_port}/secret?a=b"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@tap.test
def a_webhook_gets_the_same():
    with Hook() as hook, Told(failed=["webhook"], groupDone=["webhook"],
                              webhook=hook.url()) as p:
        p.trust()
        p.hub()
        with p.session() as w:
            fail(p, w)
            notes = until_raised(w, 2)
            until(lambda: len(hook.got) == 2, "both of them")
            equal(sorted(n["kind"] for n in notes), ["failed", "groupDone"])
            for path, headers, body in hook.got:
                equal(path, "/secret?a=b")
                assert body in notes
                equal(headers["Content-Type"],
                      "application/json; charset=utf-8")


@tap.test
def a_webhook_that_refuses_is_logged_without_its_address():
    for status, scheme, why in ((500, "http", "HTTP: 500"),
                                (302, "http", "HTTP: 302"),
                                (204, "https", "TLS: ")):
        with Hook(status) as hook, Told(failed=["webhook"],
                                        webhook=hook.url(scheme)) as p:
            p.trust()
            p.hub()
            with p.session() as w:
                fail(p, w)
                line, = p.until_logged("notification.undelivered")
                contains(line, why)
            assert not any("secret" in line for line in p.log())


@tap.test
def a_webhook_over_tls_is_told_if_its_certificate_holds():
    """Trusted are the authorities that the system has, which is as OpenSSL's
    variables say; another's certificate is worth nothing, and neither is one
    of the right authority for another name."""
    with tempfile.TemporaryDirectory(prefix="kuromajutsu-") as top:
        for who in ("ours", "theirs"):
            subprocess.run([built("tests/e2e/certificate"), f"{top}/{who}-ca",
                            f"{top}/{who}"], check=True)
        for trusted, host, why in (("ours", "127.0.0.1", None),
                                   ("theirs", "127.0.0.1", "TLS: "),
                                   ("ours", "localhost", "TLS: ")):
            with Hook(certificate=f"{top}/ours") as hook, Told(
                    failed=["webhook"], webhook=hook.url("https").replace(
                        "127.0.0.1", host)) as p:
                p.set(SSL_CERT_FILE=f"{top}/{trusted}-ca",
                      SSL_CERT_DIR="/nowhere")
                p.trust()
                p.hub()
                with p.session() as w:
                    fail(p, w)
                    note, = until_raised(w)
                    if why:
                        line, = p.until_logged("notification.undelivered")
                        contains(line, why)
                        equal(hook.got, [])
                    else:
                        until(lambda: hook.got, "it at the webhook")
                        (path, _, body), = hook.got
                        equal((path, body), ("/secret?a=b", note))


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which status and which error each kind of request to /mcp gets, in both
eras, from the hub itself.

The row that no hub can show, a client capability that a tool needs and the
client has not, is the conformance suite's."""

import base64
import json

from harness import tap
from harness.http import JSON, SSE, Message, initialize, refused
from harness.mcp import MODERN
from harness.until import equal
import hub
from hub import ERAS, call, line, post, raw, served, session, tools_list

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


@tap.test
def a_request_is_answered():
    for era in ERAS:
        assert served(tools_list(era))["tools"]
        result = served(call("list_roles", era=era))
        assert hub.content(result)["roles"], result
        equal("resultType" in result, era == "modern")
    for version in LEGACY:
        result = served(initialize(version))
        equal(result["protocolVersion"], version)
    for strange in ("1999-01-01", MODERN):
        result = served(initialize(strange))
        equal(result["protocolVersion"], "2025-11-25")


@tap.test
def strangers_by_host_or_origin_are_refused():
    port = hub.port()
    bad = [{"Host": "evil.example.com"}, {"Host": f"evil.example.com:{port}"},
           {"Host": "evil.example.com", "Origin": "http://evil.example.com"},
           {"Origin": "http://evil.example.com"}, {"Origin": "null"},
           {"Origin": f"https://127.0.0.1.example.com:{port}"},
           {"Host": f"localhost.example.com:{port}"}]
    for era in ERAS:
        for headers in bad:
            answer = post(tools_list(era).set(**headers))
            equal(answer.status, 403)
            said = json.loads(answer.body)
            assert said["error"]["code"] and said.get("id") is None, said
            assert "access-control-allow-origin" not in answer.headers


@tap.test
def our_own_host_and_origin_pass():
    port = hub.port()
    for era in ERAS:
        for host in ("localhost", "127.0.0.1", "[::1]"):
            name = f"{host}:{port}"
            served(tools_list(era).set(Host=name))
            served(tools_list(era).set(Host=name, Origin=f"http://{name}"))


@tap.test
def other_paths_are_not_there():
    for path in ("/.well-known/oauth-protected-resource",
                 "/.well-known/oauth-protected-resource/mcp",
                 "/.well-known/oauth-authorization-server",
                 "/.well-known/openid-configuration", "/mcpx", "/mcp/no/such",
                 "/MCP"):
        with line() as at:
            answer = at.ask("GET", path)
            equal((path, answer.status), (path, 404))
            assert len(answer.body) < 1000
        with line() as at:
            answer = tools_list().post(at, path)
            equal((path, answer.status), (path, 404))


@tap.test
def other_methods_are_not_allowed():
    preflight = [("Origin", hub.url().rstrip("/")),
                 ("Access-Control-Request-Method", "POST")]
    for method in ("PUT", "PATCH", "HEAD", "TRACE", "OPTIONS", "FOO"):
        with line() as at:
            answer = at.ask(method, "/mcp", preflight)
            equal((method, answer.status), (method, 405))
            assert not [h for h in answer.headers if h.startswith("access-")]


@tap.test
def other_types_of_content_are_not_taken():
    for era in ERAS:
        for kind in ("text/plain", "application/x-www-form-urlencoded",
                     "application/jsonx", "multipart/form-data", "", None):
            answer = post(tools_list(era).set(Content_Type=kind))
            equal((era, kind, answer.status), (era, kind, 415))
        for kind in ("application/json; charset=utf-8", "Application/JSON",
                     "application/json;charset=UTF-8"):
            served(tools_list(era).set(Content_Type=kind))


@tap.test
def what_is_accepted_is_what_comes():
    for era in ERAS:
        lenient = (None, "*/*", f"{SSE}, {JSON};q=0.5",
                   "text/html, */*;q=0.1", "application/*, text/*")
        for accept in (*lenient, JSON) if era == "modern" else lenient:
            answer = post(tools_list(era).set(Accept=accept))
            equal((era, accept, answer.status), (era, accept, 200))
            if accept is None or SSE not in accept:
                equal((accept, answer.type), (accept, JSON))
        for accept in ("text/html", "image/png, text/plain"):
            answer = post(tools_list(era).set(Accept=accept))
            equal((era, accept, answer.status), (era, accept, 406))
    for accept in (JSON, SSE):  # the older era must take both
        equal((accept, post(tools_list().set(Accept=accept)).status),
              (accept, 406))


@tap.test
def a_body_has_a_limit():
    kind = ("Content-Type", JSON)
    with line() as at:
        at.say(at.head("POST", "/mcp", [kind, ("Content-Length", 1 << 30)]))
        equal(at.hear().status, 413)
    with line() as at:
        at.say(at.head("POST", "/mcp", [kind, ("Transfer-Encoding", "chunked")]))
        chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
        try:
            for _ in range(64):
                at.say(chunk)
        except OSError:
            pass  # it has heard enough
        equal(at.hear().status, 413)
    served(call("list_roles", {}).set(X_Padding="x" * 1000))


@tap.test
def what_is_no_json_is_a_parse_error():
    for version in (None, "2025-11-25", MODERN):
        for body in (b"", b"{", b"nonsense", b'{"a":\xff}', b"{}{}",
                     b'{"jsonrpc":"2.0","id":1,"method":"tools/list"',
                     b"[" * 100000, b'{"id":1}\0'):
            refused(raw(body, MCP_Protocol_Version=version), 400, -32700)


@tap.test
def what_is_no_message_is_an_invalid_request():
    bad = [1, "x", None, True, {}, {"jsonrpc": "2.0"}, {"id": 1},
           {"jsonrpc": "1.0", "id": 1, "method": "ping"},
           {"id": 1, "method": "ping"},
           {"jsonrpc": "2.0", "id": None, "method": "ping"},
           {"jsonrpc": "2.0", "id": {}, "method": "ping"},
           {"jsonrpc": "2.0", "id": True, "method": "ping"},
           {"jsonrpc": "2.0", "id": 1, "method": 5}]
    for version in (None, "2025-11-25", MODERN):
        for body in bad:
            answer = raw(json.dumps(body).encode(),
                         MCP_Protocol_Version=version)
            equal((body, answer.status), (body, 400))
            equal((body, json.loads(answer.body)["error"]["code"]),
                  (body, -32600))


def encoded(text):
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@tap.test
def headers_of_the_new_era_must_say_what_the_body_says():
    def list_roles():
        return call("list_roles", era="modern", id="an id")

    bad = [{"MCP_Protocol_Version": None},
           {"MCP_Protocol_Version": "2025-11-25"},
           {"MCP_Protocol_Version": "v999.0.0"},
           {"Mcp_Method": None}, {"Mcp_Method": "tools/list"},
           {"Mcp_Method": "TOOLS/CALL"}, {"Mcp_Method": ""},
           {"Mcp_Name": None}, {"Mcp_Name": "list_agents"},
           {"Mcp_Name": "LIST_ROLES"}, {"Mcp_Name": encoded("list_agents")},
           {"Mcp_Name": "=?base64?bGlzdF9yb2xlcw?="},
           {"Mcp_Name": "=?base64?bGlzdF9yb2xlc$==?="},
           {"Mcp_Name": "=?base64?"}]
    for headers in bad:
        answer = post(list_roles().set(**headers))
        try:
            refused(answer, 400, -32020, "an id")
        except AssertionError as why:
            raise AssertionError(f"{headers}: {why}") from why
    served(list_roles().set(Mcp_Name=encoded("list_roles")))
    served(list_roles().set(Mcp_Name="  list_roles \t",
                            Mcp_Method=" tools/call "))
    served(list_roles().set(MCP_METHOD="tools/call", mcp_name="list_roles"))
    # The version comes first: what cannot be read is not compared.
    refused(post(list_roles().meta(protocolVersion="v999.0.0")), 400, -32020,
            "an id")


@tap.test
def the_old_era_knows_nothing_of_those_headers():
    served(call("list_roles").set(Mcp_Method="nonsense", Mcp_Name="other"))
    served(call("list_roles").set(Mcp_Name="=?base64?!?=", **session()))


@tap.test
def the_new_era_needs_its_envelope():
    bare = tools_list().set(MCP_Protocol_Version=MODERN,
                            Mcp_Method="tools/list")
    refused(post(bare), 400, -32602, 1)
    for member in ("protocolVersion", "clientCapabilities"):
        message = tools_list("modern").meta(**{member: None})
        refused(post(message), 400, -32602, 1)
    refused(post(tools_list("modern").meta(clientCapabilities="x")), 400,
            -32602, 1)
    served(tools_list("modern").meta(clientInfo=None))


@tap.test
def versions_that_nobody_speaks_are_named():
    for version in ("1900-01-01", "v999.0.0", "2099-01-01"):
        message = tools_list("modern").meta(protocolVersion=version)
        error = refused(post(message.set(MCP_Protocol_Version=version)),
                        400, -32022, 1)
        equal(error["data"], {"supported": [MODERN], "requested": version})


@tap.test
def methods_that_are_not_there_are_not_found_in_the_new_era():
    for method in ("initialize", "ping", "logging/setLevel",
                   "resources/subscribe", "resources/unsubscribe",
                   "completion/complete", "unknown/method"):
        answer = post(Message(method, {"uri": "x://y", "name": "n"},
                              era="modern").set(Mcp_Name="n"))
        equal((method, answer.status), (method, 404))
        refused(answer, 404, -32601, 1)
    for method in ("resources/subscribe", "unknown/method"):
        answer = post(Message(method))
        equal((method, answer.status), (method, 200))
        refused(answer, 200, -32601, 1)


@tap.test
def errors_of_handlers_come_with_200():
    for era in ERAS:
        refused(post(call("nonsense", era=era)), 200, -32602, 1)
        refused(post(Message("tools/list", {"cursor": "never given"},
                             era=era)), 200, -32602, 1)
        result = served(call("delete_group", {"groupId": "none"}, era=era))
        equal(result["isError"], True)


@tap.test
def the_old_era_has_its_versions_too():
    for version in LEGACY[1:]:
        served(tools_list().set(MCP_Protocol_Version=version))
    for version in ("1999-01-01", "nonsense", "2025-11-26"):
        answer = post(tools_list().set(MCP_Protocol_Version=version))
        equal((version, answer.status), (version, 400))
        assert json.loads(answer.body)["error"]
    answer = post(initialize().set(MCP_Protocol_Version=MODERN))
    refused(answer, 400, -32020, 1)


if __name__ == "__main__":
    hub.run()

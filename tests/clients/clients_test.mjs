// SPDX-License-Identifier: MIT
// clients_test.mjs DEPS BUILD: the official clients, old and new, in every
// mode they have, against the built programs with puppets for agents: the
// relay with its hub, and both in one process. What a hub has no reason to do
// is done by mcp-echo (tests/transport/echo_main.c).
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { openHome } from "./home.mjs";
import { hang, story, tools, waitFor } from "./story.mjs";
import { run, test } from "./tap.mjs";

const [deps, build] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(deps, "package.json"));
const v1 = {
  ...require("@modelcontextprotocol/sdk/client/index.js"),
  ...require("@modelcontextprotocol/sdk/client/stdio.js"),
};
const v2 = {
  ...require("@modelcontextprotocol/client"),
  ...require("@modelcontextprotocol/client/stdio"),
};
const Ajv = require("ajv").default;
const ajv = new Ajv({ strict: false });

const relay = { name: "relay", args: ["mcp"] };
const standalone = { name: "standalone", args: ["--standalone"] };
const command = join(build, "kuromajutsu");
const echo = join(build, "tests/transport/mcp-echo");

// Each way a client opens: what makes it, and how it passes call options.
const kinds = [
  { name: "sdk v1", sdk: v1, call: (c, p, o) => c.callTool(p, undefined, o) },
  ...[
    ["legacy", { mode: "legacy" }],
    ["auto", { mode: "auto" }],
    ["pinned", { mode: { pin: "2026-07-28" } }],
  ].map(([name, versionNegotiation]) => ({
    name: `sdk v2 ${name}`,
    sdk: v2,
    options: { versionNegotiation },
    version: name === "legacy" ? "2025-11-25" : "2026-07-28",
    call: (c, p, o) => c.callTool(p, o),
  })),
];

// What a client finds wrong with the server outside of any call fails a test.
async function withClient(kind, server, fn, extra = {}) {
  const client = new kind.sdk.Client(
    { name: "test", version: "1" }, { ...kind.options, ...extra });
  const troubles = [];
  client.onerror = (error) => troubles.push(error);
  await client.connect(new kind.sdk.StdioClientTransport(server));
  try {
    await fn(client);
  } finally {
    await client.close();
  }
  assert.deepEqual(troubles, []);
}

// The client checks answers against the outputSchema too; but what a client
// does not check is no promise of ours that it will not.
async function checker(list) {
  const checks = new Map(list.map(
    (tool) => [tool.name, ajv.compile(tool.outputSchema)]));
  return (name, result) => {
    assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    const check = checks.get(name);
    assert.ok(check(result.structuredContent), `${name}: ${ajv.errorsText(check.errors)}`);
    return result.structuredContent;
  };
}

async function caller(kind, client) {
  const checked = await checker((await client.listTools()).tools);
  return async (name, args, options) =>
    checked(name, await kind.call(client, { name, arguments: args }, options));
}

async function startHanging(call) {
  const { groupId } = await call("create_group", { description: "d" });
  const { agents } = await call("run_agents", { groupId, agents: [hang, hang] });
  return agents.map((agent) => agent.agentId);
}

function testKind(kind, mode) {
  const on = (name, fn) => test(`${kind.name}, ${mode.name}: ${name}`, async () => {
    const home = openHome(build);
    const server = {
      command, args: mode.args, env: home.env, cwd: home.project, stderr: "ignore",
    };
    try {
      await withClient(kind, server, fn);
    } finally {
      home.close();
    }
  });

  on("says hello", async (client) => {
    assert.equal(client.getServerVersion().name, "kuromajutsu");
    assert.equal(client.getServerVersion().title, "Kuromajutsu");
    assert.match(client.getInstructions(), /run_magentic/);
    assert.deepEqual(client.getServerCapabilities().tools, { listChanged: true });
    if (kind.version)
      assert.equal(client.getNegotiatedProtocolVersion(), kind.version);
  });

  on("lists the twelve tools", async (client) => {
    const list = await client.listTools();
    assert.deepEqual(list.tools.map((t) => t.name), tools);
    for (const tool of list.tools) {
      assert.equal(tool.inputSchema.type, "object");
      assert.equal(tool.outputSchema.type, "object");
      assert.ok(tool.title && tool.description && tool.annotations);
    }
  });

  on("calls every tool", async (client) => story(await caller(kind, client)));

  on("is told what is wrong", async (client) => {
    await client.listTools();
    const refused = async (name, args) => {
      const result = await kind.call(client, { name, arguments: args });
      assert.equal(result.isError, true);
      return JSON.parse(result.content[0].text);
    };
    assert.equal((await refused("run_agents", { groupId: "g", agents: [] })).code,
      "EMPTY_AGENTS");
    assert.equal((await refused("delete_group", { groupId: "missing" })).code,
      "GROUP_NOT_FOUND");
    const body = await refused("wait_agent", { agentIds: ["a"], timeout: 1 });
    assert.equal(body.code, "VALIDATION_ERROR");
    assert.equal(body.details.path, "timeout");
    await assert.rejects(kind.call(client, { name: "nonsense" }), /-32602|Unknown tool/);
  });

  // The second agent ends only after the client has seen that the first has:
  // official clients lose progress that arrives together with the answer.
  on("gets progress of a wait", async (client) => {
    const call = await caller(kind, client);
    const agentIds = await startHanging(call);
    const seen = [];
    let tell;
    const half = new Promise((resolve) => (tell = resolve));
    const wait = call("wait_agent", { agentIds }, {
      onprogress: (p) => {
        seen.push(p);
        if (p.progress >= 1) tell();
      },
    });
    await call("cancel_agent", { agentIds: [agentIds[0]] });
    await half;
    await call("cancel_agent", { agentIds: [agentIds[1]] });
    const { completed, timedOut } = await wait;
    assert.equal(timedOut, false);
    assert.deepEqual(completed.map((a) => a.status), ["cancelled", "cancelled"]);
    const numbers = seen.map((p) => p.progress);
    assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
    assert.ok(seen.every((p) => p.total === 2 && p.message));
  });

  // The notice of cancellation goes ahead of the next request on the pipe; the
  // agent that was waited for is none the wiser.
  on("cancels a wait", async (client) => {
    const call = await caller(kind, client);
    const agentIds = await startHanging(call);
    const abort = new AbortController();
    const wait = kind.call(client, { name: "wait_agent", arguments: { agentIds } },
      { signal: abort.signal });
    abort.abort("enough");
    await assert.rejects(wait);
    const { agents } = await call("list_agents", {});
    assert.ok(agents.every((agent) => ["queued", "running"].includes(agent.status)));
    await call("cancel_agent", { agentIds });
    await waitFor(call, agentIds);
  });

  on("calls forty at once", async (client) => {
    const call = await caller(kind, client);
    const [agentId] = await startHanging(call);
    const many = [
      ["list_roles", {}], ["list_agents", {}], ["get_agent_status", { agentId }],
      ["create_group", { description: "d" }],
      ["wait_agent", { agentIds: [agentId], timeout_ms: 5 }],
    ];
    await Promise.all(Array.from({ length: 40 },
      (_, i) => call(...many[i % many.length])));
  });
}

for (const kind of kinds) {
  for (const mode of [relay, standalone]) testKind(kind, mode);

  // Nothing makes our tools change yet; so that clients would hear it is shown
  // by the same session in mcp-echo.
  test(`${kind.name}, mcp-echo: hears that the tools have changed`, async () => {
    let tell;
    const heard = new Promise((resolve) => (tell = resolve));
    const listChanged = {
      tools: { onChanged: (error, list) => tell({ error, list }), debounceMs: 0 },
    };
    await withClient(kind, { command: echo }, async (client) => {
      await kind.call(client, { name: "delete_group", arguments: { groupId: "g" } });
      const { error, list } = await heard;
      assert.equal(error, null);
      assert.equal(list.length, tools.length);
    }, { listChanged });
  });
}

const inspector = join(deps, "node_modules/.bin/mcp-inspector");

// The Inspector starts a server for each thing it does.
async function inspect(home, mode, ...words) {
  const env = Object.entries(home.env).flatMap(([k, v]) => ["-e", `${k}=${v}`]);
  const { stdout } = await promisify(execFile)(process.execPath,
    [inspector, "--cli", ...env, ...words, "--format", "json", "--", command,
      ...mode.args], { cwd: home.project, maxBuffer: 1 << 26 });
  return JSON.parse(stdout).result;
}

function inspectorTest(era, mode, name, fn) {
  test(`inspector ${era}, ${mode.name}: ${name}`, async () => {
    const home = openHome(build);
    try {
      await fn((...words) => inspect(home, mode, "--protocol-era", era, ...words));
    } finally {
      home.close();
    }
  });
}

for (const era of ["legacy", "auto", "modern"]) {
  for (const mode of [relay, standalone]) {
    inspectorTest(era, mode, "lists tools, portable by its own lint", async (ask) => {
      const answer = await ask("--strict", "--method", "tools/list");
      assert.deepEqual(answer.tools.map((tool) => tool.name), tools);
    });
  }
  // One relay after the other, and the hub behind them goes on.
  inspectorTest(era, relay, "calls every tool", async (ask) => {
    const list = await ask("--method", "tools/list");
    const checked = await checker(list.tools);
    await story(async (name, args) => checked(name, await ask("--method",
      "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args))));
  });
  inspectorTest(era, standalone, "calls a tool", async (ask) => {
    const list = await ask("--method", "tools/list");
    const checked = await checker(list.tools);
    const { roles } = checked("list_roles", await ask("--method", "tools/call",
      "--tool-name", "list_roles", "--tool-args-json", "{}"));
    assert.ok(roles.some((role) => role.id === "impl-code"));
  });
}

await run();

// SPDX-License-Identifier: MIT
// clients_test.mjs DEPS SERVER: the official clients, old and new, in every
// mode they have, against mcp-echo (tests/transport/echo_main.c).
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { run, test } from "./tap.mjs";

const [deps, server] = process.argv.slice(2);
const require = createRequire(join(deps, "package.json"));
const v1 = {
  ...require("@modelcontextprotocol/sdk/client/index.js"),
  ...require("@modelcontextprotocol/sdk/client/stdio.js"),
};
const v2 = {
  ...require("@modelcontextprotocol/client"),
  ...require("@modelcontextprotocol/client/stdio"),
};

const tools = [
  "create_group", "delete_group", "run_agents", "run_sequential",
  "run_magentic", "list_agents", "get_agent_status", "wait_agent",
  "report_result", "list_roles", "update_ledger", "cancel_agent",
];
const task = { role: "research", prompt: "p" };
const yes = { reason: "r", answer: true };
const text = { reason: "r", answer: "a" };
const args = {
  create_group: { description: "d" },
  delete_group: { groupId: "g" },
  run_agents: { groupId: "g", agents: [{ ...task, timeout_ms: 1000 }] },
  run_sequential: { groupId: "g", stages: [{ tasks: [task] }] },
  run_magentic: { description: "d", task: "t", completionCriteria: "c", scope: "s" },
  list_agents: {},
  get_agent_status: { agentId: "a" },
  wait_agent: { agentIds: ["a"] },
  report_result: { agentId: "a", status: "success", summary: "s", response: "r" },
  list_roles: {},
  update_ledger: {
    groupId: "g", type: "progress", isRequestSatisfied: yes, isInLoop: yes,
    isProgressBeingMade: yes, nextAction: text, instruction: text,
  },
  cancel_agent: { agentIds: ["a"] },
};

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
async function withClient(kind, fn, extra = {}) {
  const client = new kind.sdk.Client(
    { name: "test", version: "1" }, { ...kind.options, ...extra });
  const troubles = [];
  client.onerror = (error) => troubles.push(error);
  await client.connect(new kind.sdk.StdioClientTransport({ command: server }));
  try {
    await fn(client);
  } finally {
    await client.close();
  }
  assert.deepEqual(troubles, []);
}

for (const kind of kinds) {
  const on = (name, fn, extra) =>
    test(`${kind.name}: ${name}`, () => withClient(kind, fn, extra));

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

  // The client checks structuredContent against the outputSchema listed.
  on("calls every tool", async (client) => {
    await client.listTools();
    for (const name of tools) {
      const result = await kind.call(client, { name, arguments: args[name] });
      assert.ok(!result.isError, name);
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    }
  });

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

  // The server holds the answer back until another call comes.
  on("gets progress", async (client) => {
    const seen = [];
    let tell;
    const all = new Promise((resolve) => (tell = resolve));
    const call = kind.call(client, { name: "wait_agent", arguments: { agentIds: ["slow"] } },
      { onprogress: (p) => seen.push(p) === 3 && tell() });
    await all;
    await kind.call(client, { name: "list_roles" });
    assert.equal((await call).structuredContent.timedOut, false);
    assert.deepEqual(seen.map((p) => p.progress), [1, 2, 3]);
    assert.equal(seen[0].message, "still at work");
  });

  // The notice of cancellation goes ahead of the next request on the pipe.
  on("cancels", async (client) => {
    const abort = new AbortController();
    const call = kind.call(client, { name: "wait_agent", arguments: { agentIds: ["never"] } },
      { signal: abort.signal });
    const status = () => kind.call(client,
      { name: "get_agent_status", arguments: args.get_agent_status });
    assert.equal((await status()).structuredContent.toolCallCount, 0);
    abort.abort("enough");
    await assert.rejects(call);
    assert.equal((await status()).structuredContent.toolCallCount, 1);
  });

  on("calls forty at once", async (client) => {
    const calls = Array.from({ length: 40 }, (_, i) => tools[i % tools.length]).map(
      (name) => kind.call(client, { name, arguments: args[name] }));
    for (const result of await Promise.all(calls))
      assert.ok(result.structuredContent);
  });

  test(`${kind.name}: hears that the tools have changed`, async () => {
    let tell;
    const heard = new Promise((resolve) => (tell = resolve));
    const listChanged = {
      tools: { onChanged: (error, list) => tell({ error, list }), debounceMs: 0 },
    };
    await withClient(kind, async (client) => {
      await kind.call(client, { name: "delete_group", arguments: args.delete_group });
      const { error, list } = await heard;
      assert.equal(error, null);
      assert.equal(list.length, tools.length);
    }, { listChanged });
  });
}

const inspector = join(deps, "node_modules/.bin/mcp-inspector");
const inspect = (...more) =>
  promisify(execFile)(process.execPath, [inspector, "--cli", ...more, "--", server]);

for (const era of ["legacy", "auto", "modern"]) {
  test(`inspector ${era}: lists tools, portable by its own lint`, async () => {
    const { stdout } = await inspect("--protocol-era", era, "--strict",
      "--method", "tools/list", "--format", "json");
    for (const name of tools)
      assert.ok(stdout.includes(`"${name}"`), name);
  });

  test(`inspector ${era}: calls a tool`, async () => {
    const { stdout } = await inspect("--protocol-era", era, "--method",
      "tools/call", "--tool-name", "list_roles", "--tool-args-json", "{}",
      "--format", "json");
    assert.ok(stdout.includes("impl-code"));
  });
}

await run();

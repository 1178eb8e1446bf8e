// SPDX-License-Identifier: MIT
// clients_test.mjs DEPS BUILD: the official clients, old and new, in every
// mode they have, against the built programs with puppets for agents: the
// relay with its hub, both in one process, and the hub over HTTP. What a hub
// has no reason to do is done by mcp-echo (tests/transport/mcp/echo.c).
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { openHome } from "./home.mjs";
import { checkerOf, kindsOf, withClient } from "./kinds.mjs";
import { modesOf } from "./modes.mjs";
import { hang, setUpProject, story, tools, waitFor } from "./story.mjs";
import { run, test } from "./tap.mjs";

const [deps, build] = process.argv.slice(2).map((path) => resolve(path));
const { relay, standalone, http } = modesOf(build);
const kinds = kindsOf(deps);
const checker = checkerOf(deps);
const echo = join(build, "tests/transport/mcp/mcp-echo");

async function caller(kind, client) {
  const checked = checker((await client.listTools()).tools);
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
    try {
      const { transport } = await mode.open(home);
      await withClient(kind, transport(kind.sdk), fn);
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

  on("lists all tools", async (client) => {
    const list = await client.listTools();
    assert.deepEqual(list.tools.map((t) => t.name), tools);
    for (const tool of list.tools) {
      assert.equal(tool.inputSchema.type, "object");
      assert.equal(tool.outputSchema.type, "object");
      assert.ok(tool.title && tool.description && tool.annotations);
    }
  });

  on("calls every tool", async (client) => story(await caller(kind, client)));

  on("reads resources and prompts", async (client) => {
    await setUpProject(await caller(kind, client));
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.equal(resourceTemplates.length, 5);
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map((r) => r.uri), ["project://prj_shop",
      "agent://agt_dev", "agent://agt_rev", "task://tsk_1", "task://tsk_2"]);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      assert.equal(contents[0].uri, uri);
      assert.ok(JSON.parse(contents[0].text));
    }
    await assert.rejects(client.readResource({ uri: "task://missing" }),
      /Resource not found: task:\/\/missing/);
    const { prompts } = await client.listPrompts();
    assert.equal(prompts.length, 5);
    const { messages } = await client.getPrompt({ name: "task_start",
      arguments: { task_id: "tsk_1", agent_id: "agt_dev" } });
    assert.match(messages[0].content.text, /^# Task: tsk_1\n/);
    await assert.rejects(client.getPrompt({ name: "task_start", arguments: {} }),
      /'task_id'/);
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

  // The first agent ends after the wait has begun, since calls over HTTP may
  // overtake each other, and the second only after the client has seen that
  // the first has: official clients lose progress that comes with the answer.
  on("gets progress of a wait", async (client) => {
    const call = await caller(kind, client);
    const agentIds = await startHanging(call);
    const seen = [];
    const begun = Promise.withResolvers();
    const half = Promise.withResolvers();
    const wait = call("wait_agent", { agentIds }, {
      onprogress: (p) => {
        seen.push(p);
        (p.progress >= 1 ? half : begun).resolve();
      },
    });
    await begun.promise;
    await call("cancel_agent", { agentIds: [agentIds[0]] });
    await half.promise;
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
  for (const mode of [relay, standalone, http]) testKind(kind, mode);

  // Nothing makes our tools change yet; so that clients would hear it is shown
  // by the same session in mcp-echo.
  test(`${kind.name}, mcp-echo: hears that the tools have changed`, async () => {
    let tell;
    const heard = new Promise((resolve) => (tell = resolve));
    const listChanged = {
      tools: { onChanged: (error, list) => tell({ error, list }), debounceMs: 0 },
    };
    const transport = new kind.sdk.StdioClientTransport({ command: echo });
    await withClient(kind, transport, async (client) => {
      await kind.call(client, { name: "delete_group", arguments: { groupId: "g" } });
      const { error, list } = await heard;
      assert.equal(error, null);
      assert.equal(list.length, tools.length);
    }, { listChanged });
  });
}

const inspector = join(deps, "node_modules/.bin/mcp-inspector");

async function inspect(home, way, words) {
  const { stdout } = await promisify(execFile)(process.execPath,
    [inspector, "--cli", ...way.inspect([...words, "--format", "json"])],
    { cwd: home.project, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

function inspectorTest(era, mode, name, fn) {
  test(`inspector ${era}, ${mode.name}: ${name}`, async () => {
    const home = openHome(build);
    try {
      const way = await mode.open(home);
      await fn(async (...words) =>
        (await inspect(home, way, ["--protocol-era", era, ...words])).result);
    } finally {
      home.close();
    }
  });
}

for (const era of ["legacy", "auto", "modern"]) {
  for (const mode of [relay, standalone, http]) {
    inspectorTest(era, mode, "lists tools, portable by its own lint", async (ask) => {
      const answer = await ask("--strict", "--method", "tools/list");
      assert.deepEqual(answer.tools.map((tool) => tool.name), tools);
    });
  }
  // One relay or connection after the other, and the hub behind them goes on.
  for (const mode of [relay, http]) {
    inspectorTest(era, mode, "calls every tool", async (ask) => {
      const checked = checker((await ask("--method", "tools/list")).tools);
      await story(async (name, args) => checked(name, await ask("--method",
        "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args))),
        era === "modern" && mode === http);
    });
  }
  inspectorTest(era, http, "calls a thousand times, twenty at once", async (ask) => {
    const seen = await ask("--method", "tools/call", "--tool-name", "list_roles",
      "--load", "--load-requests", "1000", "--load-concurrency", "20");
    assert.deepEqual([seen.ok, seen.toolErrors, seen.errors], [1000, 0, 0]);
  });
  inspectorTest(era, standalone, "calls a tool", async (ask) => {
    const checked = checker((await ask("--method", "tools/list")).tools);
    const { roles } = checked("list_roles", await ask("--method", "tools/call",
      "--tool-name", "list_roles", "--tool-args-json", "{}"));
    assert.ok(roles.some((role) => role.id === "impl-code"));
  });
}

await run();

// SPDX-License-Identifier: MIT
// The official clients, old and new, in every mode they have.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";

// Each way a client opens: what makes it, and how it passes call options.
export function kindsOf(deps) {
  const require = createRequire(join(deps, "package.json"));
  const v1 = {
    ...require("@modelcontextprotocol/sdk/client/index.js"),
    ...require("@modelcontextprotocol/sdk/client/stdio.js"),
    ...require("@modelcontextprotocol/sdk/client/streamableHttp.js"),
  };
  const v2 = {
    ...require("@modelcontextprotocol/client"),
    ...require("@modelcontextprotocol/client/stdio"),
  };
  return [
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
}

// What a client finds wrong with the server outside of any call fails a test;
// but not what it finds after it has ended its session: its stream ends with
// it, a second later it opens another, and is told by 404, as it should be,
// that there is no such session.
export async function withClient(kind, transport, fn, extra = {}) {
  const client = new kind.sdk.Client(
    { name: "test", version: "1" }, { ...kind.options, ...extra });
  const troubles = [];
  client.onerror = (error) => troubles.push(error);
  await client.connect(transport);
  try {
    await fn(client);
    if (transport.sessionId)
      await transport.listens; // or its stream might come after the end
    assert.deepEqual(troubles, []);
    if (transport.sessionId) await transport.terminateSession();
  } finally {
    await client.close();
  }
}

// The client checks answers against the outputSchema too; but what a client
// does not check is no promise of ours that it will not.
export function checkerOf(deps) {
  const Ajv = createRequire(join(deps, "package.json"))("ajv").default;
  const ajv = new Ajv({ strict: false });
  return (list) => {
    const checks = new Map(list.map(
      (tool) => [tool.name, ajv.compile(tool.outputSchema)]));
    return (name, result) => {
      assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
      const { text } = result.content[0];
      // Phases answer in words, beside what programs read.
      if (/_phase(_|$)/.test(name)) assert.ok(text.length > 0);
      else assert.deepEqual(JSON.parse(text), result.structuredContent);
      const check = checks.get(name);
      assert.ok(check(result.structuredContent), `${name}: ${ajv.errorsText(check.errors)}`);
      return result.structuredContent;
    };
  };
}

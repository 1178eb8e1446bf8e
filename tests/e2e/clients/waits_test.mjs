// SPDX-License-Identifier: MIT
// waits_test.mjs DEPS BUILD: a call that takes long, through the official
// clients as people use them: they give up after 60 s unless progress is told,
// and the HTTP below them gives up after 300 s without a word. All of them
// wait at the same time, each for an agent of its own that goes on for 20 s,
// or with KUROMAJUTSU_LONG set longer than any of those limits. It is ended
// right after progress was seen: official clients take it amiss when a notice
// of progress and the answer come together.
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { openHome } from "./home.mjs";
import { kindsOf, withClient } from "./kinds.mjs";
import { modesOf } from "./modes.mjs";
import { run, test } from "./tap.mjs";

const [deps, build] = process.argv.slice(2).map((path) => resolve(path));
const seconds = process.env.KUROMAJUTSU_LONG ? 330 : 20;
const { relay, http } = modesOf(build);
const task = {
  role: "impl-code", prompt: "puppet: trickle lines=100000 every=1000",
};

async function wait(kind, transport) {
  const seen = [];
  await withClient(kind, transport, async (client) => {
    const call = async (name, args, options) =>
      (await kind.call(client, { name, arguments: args }, options)).structuredContent;
    const { groupId } = await call("create_group", { description: "d" });
    const { agents } = await call("run_agents", { groupId, agents: [task] });
    const agentIds = [agents[0].agentId];
    const start = performance.now();
    let ended;
    const onprogress = (p) => {
      seen.push(p);
      if (performance.now() - start >= seconds * 1000) {
        ended ??= call("cancel_agent", { agentIds });
      }
    };
    const answer = await call("wait_agent", {
      agentIds, timeout_ms: (seconds + 600) * 1000,
    }, { onprogress, resetTimeoutOnProgress: true });
    assert.equal(answer.timedOut, false);
    assert.deepEqual(answer.completed.map((a) => a.status), ["cancelled"]);
    assert.deepEqual((await ended).cancelled, agentIds);
  });
  const numbers = seen.map((p) => p.progress);
  assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
  assert.ok(numbers.length >= seconds / 20, `progress: ${numbers}`);
}

// One hub for everybody, whichever way they come to it.
const home = openHome(build);
const ways = await Promise.all([http, relay].map(async (mode) => ({
  name: mode.name, ...await mode.open(home),
})));
for (const kind of kindsOf(deps)) {
  for (const way of ways) {
    const waiting = wait(kind, way.transport(kind.sdk));
    waiting.catch(() => {}); // told by the test, which may come to it later
    test(`${kind.name}, ${way.name}: waits for ${seconds} s`, () => waiting);
  }
}
await run();
home.close();

// SPDX-License-Identifier: MIT
// TAP for tests in JavaScript: each test is one "ok" or "not ok" line. The
// program ends with 0 whatever the verdict, for TAP carries it.
const tests = [];

export function test(name, fn) {
  tests.push({ name, fn });
}

// Runs every test, or those that TAP_ONLY names, a line each.
export async function run() {
  const only = (process.env.TAP_ONLY ?? "").split("\n").filter(Boolean);
  const chosen = tests.filter(
    ({ name }) => only.length === 0 || only.includes(name));
  console.log(`1..${chosen.length}`);
  for (const [i, { name, fn }] of chosen.entries()) {
    let verdict = "ok";
    try {
      await fn();
    } catch (error) {
      verdict = "not ok";
      console.log(String(error.stack ?? error).replace(/^/gm, "# "));
    }
    console.log(`${verdict} ${i + 1} - ${name}`);
  }
}

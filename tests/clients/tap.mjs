// SPDX-License-Identifier: MIT
// TAP for tests in JavaScript: each test is one "ok" or "not ok" line. The
// program ends with 0 whatever the verdict, for TAP carries it.
const tests = [];

export function test(name, fn) {
  tests.push({ name, fn });
}

export async function run() {
  console.log(`1..${tests.length}`);
  for (const [i, { name, fn }] of tests.entries()) {
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

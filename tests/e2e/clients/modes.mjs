// SPDX-License-Identifier: MIT
// The ways in which a client reaches the built programs. `open(home)` gives
// for one home: `transport(sdk)`, a new one for an SDK's client, and
// `inspect(words)`, the Inspector's words with where to go.
import { join } from "node:path";

function stdio(name, build, args) {
  const command = join(build, "kuromajutsu");
  const open = async (home) => ({
    transport: (sdk) => new sdk.StdioClientTransport({
      command, args, env: home.env, cwd: home.project, stderr: "ignore",
    }),
    inspect: (words) => [
      ...Object.entries(home.env).flatMap(([k, v]) => ["-e", `${k}=${v}`]),
      ...words, "--", command, ...args,
    ],
  });
  return { name, open };
}

// Clients that have a session open a stream beside their calls and do not say
// when it is there: `transport.listens` is when that was answered.
function httpTransport(sdk, url) {
  const listens = Promise.withResolvers();
  const noticed = async (where, init) => {
    try {
      return await fetch(where, init);
    } finally {
      if (init?.method === "GET") listens.resolve();
    }
  };
  const transport = new sdk.StreamableHTTPClientTransport(url, { fetch: noticed });
  return Object.assign(transport, { listens: listens.promise });
}

async function openHttp(home) {
  const url = new URL("mcp", await home.serve());
  return {
    transport: (sdk) => httpTransport(sdk, url),
    inspect: (words) => [url.href, "--transport", "http", ...words],
  };
}

export const modesOf = (build) => ({
  relay: stdio("relay", build, ["mcp"]),
  standalone: stdio("standalone", build, ["--standalone"]),
  http: { name: "http", open: openHttp },
});

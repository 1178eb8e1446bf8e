// SPDX-License-Identifier: MIT
// A home of its own for a server under test: state, project, configuration,
// puppets for agents. Everything started in it carries its mark, or its hub's
// socket, by which whoever is left at the end is found and ended.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync,
  writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const settings = {
  language: "en",
  toolsets: ["kuro", "mail", "phases", "pm", "pm_admin"],
  dashboard: { port: 0 },
  agent: { maxConcurrent: 20, maxOrchestrators: 4 },
};

export function openHome(build) {
  const top = mkdtempSync(join(tmpdir(), "kuromajutsu-"));
  const mark = top;
  const project = join(top, "project");
  mkdirSync(project);
  writeFileSync(join(project, "kuromajutsu.config.yaml"), JSON.stringify(settings));
  // The configuration is found from the directory that the server starts in;
  // not every client lets us choose that, so it is named here too.
  const env = {
    KUROMAJUTSU_HOME: join(top, "state"),
    KUROMAJUTSU_CONFIG: join(project, "kuromajutsu.config.yaml"),
    KUROMAJUTSU_AGENT_COMMAND: join(build, "kuromajutsu-puppet"),
    KUROMAJUTSU_TEST_MARK: mark,
  };
  const program = join(build, "kuromajutsu");
  const options = { cwd: project, env: { ...process.env, ...env } };
  return {
    project,
    env,
    // Starts the hub and gives its address. It says so when it listens, and
    // until then there is nobody to ask.
    async serve() {
      const hub = spawn(program, ["serve"], { ...options, stdio: "ignore" });
      hub.unref();
      while (hub.exitCode === null) {
        try {
          const { stdout } = await promisify(execFile)(
            program, ["status", "--json"], options);
          const { url } = JSON.parse(stdout);
          if (url) return url;
        } catch (error) {
          if (error.code === "ENOENT") throw error;
        }
      }
      throw new Error(`the hub has left with ${hub.exitCode}`);
    },
    close() {
      while (endAll(mark) > 0);
      // A thread of somebody who was killed may be about to make a file.
      rmSync(top, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

function endAll(mark) {
  let count = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const env = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      if (!env.some((v) => v === `KUROMAJUTSU_TEST_MARK=${mark}` ||
        v.startsWith(`KUROMAJUTSU_SOCKET=${mark}/`))) continue;
      process.kill(Number(pid), "SIGKILL");
      count++;
    } catch {
      // It has ended meanwhile, or is somebody else's.
    }
  }
  return count;
}

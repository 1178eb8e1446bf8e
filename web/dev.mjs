// SPDX-License-Identifier: MIT
// dev.mjs BUILD: the dashboard from its sources, with hot reload, against the
// hub of this project; one is started if there is none, and ended with us.
//
// What the hub asks of a request is asked here first, for behind this port it
// would see us instead of who has asked: the peer's user, Host, and which page
// it comes from. Only then it is passed on, under the hub's own names. Tokens
// and cookies pass as they are, and are the hub's to judge.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';

const [build] = process.argv.slice(2);
const root = fileURLToPath(new URL('.', import.meta.url));
const program = join(build, 'kuromajutsu');
const cacheDir = mkdtempSync(join(tmpdir(), 'kuromajutsu-dev-'));
let server = null;
let hub = null;

// ---- the hub ----------------------------------------------------------------

const status = () => new Promise(then => execFile(program, ['status', '--json'], (error, out) => then(error ? null : JSON.parse(out))));

async function findHub() {
  let said = await status();
  if (!said) {
    hub = spawn(program, ['serve'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
    hub.on('exit', code => { hub = null; void end(code === 0 ? 0 : 1); });
  }
  while (!said?.url) {
    await new Promise(then => setTimeout(then, 50));
    said = await status();
  }
  return said.url.replace(/\/$/, '');
}

// ---- who may ask ------------------------------------------------------------

/** As the kernel writes an address of IPv4 in /proc/net/tcp. */
const hex = (address, port) => `${address.split('.').reverse().map(n => Number(n).toString(16).padStart(2, '0')).join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();

/** Whose socket is at the other end; undefined: it cannot be found. */
function userOf(socket) {
  if (!socket.remoteAddress) return undefined;
  const peer = hex(socket.remoteAddress, socket.remotePort);
  const own = hex(socket.localAddress, socket.localPort);
  const line = readFileSync('/proc/net/tcp', 'utf8').split('\n').map(l => l.trim().split(/\s+/)).find(w => w[1] === peer && w[2] === own);
  return line && Number(line[7]);
}

const isOurs = socket => [0, process.getuid()].includes(userOf(socket));

/** Why a request is not served; '' if it is. */
export function judge({ headers, method }, port) {
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return 'Host does not name this server';
  if (origin !== undefined && origin !== `http://${host}`) return 'Origin is not this server';
  const isOfAnother = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isOfAnother && !(method === 'GET' && headers['sec-fetch-mode'] === 'navigate') ? "another site's page has asked for this" : '';
}

/** Before everything else of Vite's. */
const guard = {
  name: 'guard',
  configureServer({ httpServer, middlewares }) {
    const port = () => httpServer.address().port;
    httpServer.on('connection', socket => { if (!isOurs(socket)) socket.destroy(); });
    middlewares.use((request, answer, next) => {
      const why = judge(request, port());
      if (why === '') return next();
      answer.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(`${why}\n`);
    });
    // All who listen for upgrades hear of each: one that is refused must be
    // nobody's.
    httpServer.prependListener('upgrade', (request, socket) => {
      const why = judge(request, port());
      if (why === '') return;
      request.url = '/refused';
      request.headers['sec-websocket-protocol'] = '';
      socket.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n${why}\n`);
    });
  },
};

// ---- the page ---------------------------------------------------------------

async function serve(target) {
  const to = { target, changeOrigin: true, headers: { origin: target } };
  server = await createServer({
    root, cacheDir, configFile: false, plugins: [guard, react()], clearScreen: false, logLevel: 'warn',
    server: {
      host: '127.0.0.1', cors: false, allowedHosts: [], fs: { allow: [root, cacheDir] },
      proxy: { '^/api/': to, '^/ws(\\?|$)': { ...to, ws: true } },
    },
  });
  await server.listen();
  return server.resolvedUrls.local[0];
}

// Vite may still be writing there what it was at when it was closed.
async function clear() {
  for (let tries = 100; ; tries--) {
    try {
      return rmSync(cacheDir, { recursive: true, force: true });
    } catch (error) {
      if (tries === 0) throw error;
    }
    await new Promise(then => setTimeout(then, 50));
  }
}

let isEnding = false;

async function end(code) {
  if (isEnding) return;
  isEnding = true;
  await server?.close();
  if (hub) await new Promise(then => { hub.removeAllListeners('exit').on('exit', then); hub.kill('SIGTERM'); });
  await clear();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0));
const address = await findHub();
console.log(`hub: ${address}/`);
console.log(`dashboard, from web/src with hot reload: ${await serve(address)}`);
console.log('Ctrl-C ends it.');

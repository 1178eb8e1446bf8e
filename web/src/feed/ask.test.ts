import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { ask } from './ask';

let server: Server | undefined;

afterEach(() => { vi.unstubAllGlobals(); server?.closeAllConnections(); server?.close(); });

/** A hub that answers so; of the browser's fetch only the page's own address is put in front. */
async function hub(answer: RequestListener): Promise<void> {
  const real = globalThis.fetch;
  server = createServer(answer);
  await new Promise<void>(done => server!.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal('fetch', (path: string, how?: RequestInit) => real(`http://127.0.0.1:${port}${path}`, how));
}

test('an answer that breaks off in its body is none', async () => {
  await hub((_, out) => {
    out.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    out.write('{"role":', () => out.destroy());
  });
  await expect(ask('roles/impl-code')).rejects.toThrow();
});

test('nor is one that was withdrawn while it came', async () => {
  const withdrawn = new AbortController();
  await hub((_, out) => {
    out.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    out.write('{"role":');
  });
  const asked = ask('roles/impl-code', withdrawn.signal);
  await new Promise<void>(done => server!.once('request', () => done()));
  withdrawn.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

test('one that is whole is given', async () => {
  await hub((_, out) => out.end('{"role":{"id":"impl-code"}}'));
  await expect(ask('roles/impl-code')).resolves.toEqual({ role: { id: 'impl-code' } });
});

test('an error is told by its own words, or by its status', async () => {
  await hub((asked, out) => {
    out.writeHead(502, 'Bad Gateway');
    out.end(asked.url === '/api/roles/x' ? '{"error":{"code":"X","message":"no such role","remedy":"look"}}' : 'no JSON');
  });
  await expect(ask('roles/x')).rejects.toMatchObject({ status: 502, code: 'X', message: 'no such role', remedy: 'look' });
  await expect(ask('roles/y')).rejects.toMatchObject({ status: 502, message: 'Bad Gateway' });
});

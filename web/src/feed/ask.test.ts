import { afterEach, expect, test, vi } from 'vitest';
import { ask } from './ask';

afterEach(() => vi.unstubAllGlobals());

const hub = (ok: boolean, json: () => Promise<unknown>) => vi.stubGlobal('fetch', async () => ({ ok, status: ok ? 200 : 502, statusText: 'Bad Gateway', json }));

test('an answer that breaks off in its body is none', async () => {
  hub(true, () => Promise.reject(new DOMException('aborted', 'AbortError')));
  await expect(ask('roles/impl-code')).rejects.toMatchObject({ name: 'AbortError' });
  hub(true, () => Promise.resolve({ role: { id: 'impl-code' } }));
  await expect(ask('roles/impl-code')).resolves.toEqual({ role: { id: 'impl-code' } });
});

test('an error is told by its own words, or by its status', async () => {
  hub(false, () => Promise.resolve({ error: { code: 'X', message: 'no such role', remedy: 'look' } }));
  await expect(ask('roles/x')).rejects.toMatchObject({ status: 502, code: 'X', message: 'no such role', remedy: 'look' });
  hub(false, () => Promise.reject(new SyntaxError('no JSON')));
  await expect(ask('roles/x')).rejects.toMatchObject({ status: 502, message: 'Bad Gateway' });
});

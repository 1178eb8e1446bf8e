import { expect, test } from 'vitest';
import { answerBy } from '../feed/ask';
import type { Message } from '../feed/types';
import { HubPast, ReelPast } from './past';
import { emptyWorld } from './world';

const T = Date.UTC(2026, 1, 14, 12);
const at = (s: number) => new Date(T + s * 1000).toISOString();
const event = (seq: number, status = 'completed'): Message => ({ seq, at: at(seq), type: 'agent:completed', data: { agentId: `a${seq}`, groupId: 'g', status } });
const all = [event(1), event(2, 'failed'), event(3), event(4), event(5, 'timedOut'), event(6)];

/** A hub's answers, and what it was asked. */
function hub(limit: number): string[] {
  const asked: string[] = [];
  answerBy(async path => {
    asked.push(path);
    const [name, query = ''] = path.split('?');
    const q = new URLSearchParams(query);
    if (name === 'snapshot') return { seq: 3, groups: [{ groupId: 'g', agentIds: ['a'] }], agents: [{ agentId: 'a', groupId: 'g', status: 'running', startedAt: at(1), about: 'Do it', toolCallCount: 7, elapsed_ms: 900 }] };
    const before = Number(q.get('before') ?? Infinity);
    const found = all.filter(e => e.seq! > Number(q.get('since') ?? 0) && e.seq! < before && Date.parse(e.at!) >= Number(q.get('from') ?? 0) && Date.parse(e.at!) <= Number(q.get('until') ?? Infinity));
    const most = Math.min(limit, Number(q.get('limit')));
    const events = q.has('before') ? found.slice(-most) : found.slice(0, most);
    const more = found.length > events.length;
    return { events, begins: { seq: 2, at: at(1.5) }, ...(more && (q.has('before') ? { previous: events[0]!.seq } : { next: events.at(-1)!.seq })) };
  });
  return asked;
}

test('a moment is the picture that the hub draws of it, and nothing else is asked', async () => {
  const asked = hub(5000);
  const w = await new HubPast().at(T + 3000.7);
  expect(asked).toEqual([`snapshot?at=${T + 3000}`]);
  expect(w).toMatchObject({ seq: 3, at: T + 3000.7 });
  expect(w.agents.get('a')).toMatchObject({ status: 'running', about: 'Do it', tools: 7, elapsed: 900 });
});

test('steps go from event to event, both ways, from the first complete moment on', async () => {
  hub(5000);
  const past = new HubPast();
  expect(await past.from()).toBe(T + 1500);
  expect(await past.step(T + 3000, 1, false)).toBe(T + 4000);
  expect(await past.step(T + 3000, -1, false)).toBe(T + 2000);
  expect(await past.step(T + 2000, -1, false)).toBe(null);
  expect(await past.step(T + 6000, 1, false)).toBe(null);
});

test('failures are looked for page by page', async () => {
  hub(1);
  const past = new HubPast();
  expect(await past.step(T + 2000, 1, true)).toBe(T + 5000);
  expect(await past.step(T + 5000, -1, true)).toBe(T + 2000);
  expect(await past.step(T + 5000, 1, true)).toBe(null);
});

test('a recording folds its own events', async () => {
  hub(5000);
  const past = new ReelPast(emptyWorld);
  expect(await past.from()).toBe(T + 1000);
  expect((await past.at(T + 2500)).agents.get('a2')).toMatchObject({ status: 'failed' });
  expect((await past.at(T + 2500)).agents.has('a3')).toBe(false);
  expect(await past.step(T + 3000, 1, true)).toBe(T + 5000);
});

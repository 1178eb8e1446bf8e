/// <reference types="node" />
import { runInNewContext } from 'node:vm';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import type { Message } from '../feed/types';
import { beginning, KEPT, light } from './light';
import { Store } from './store';

const LONG = 100_000;
const report = (i: number): Message => JSON.parse(JSON.stringify({
  type: 'agent:result_reported', seq: i + 1, at: new Date(i).toISOString(), data: { agentId: `a-${i}`, groupId: 'g', status: 'success', summary: 'Done', response: `${i} ${'r'.repeat(LONG)}` },
})) as Message;
const born = (i: number): Message => JSON.parse(JSON.stringify({
  type: 'agent:created', seq: i + 1, at: new Date(i).toISOString(), data: { agentId: `a-${i}`, groupId: 'g', status: 'queued', prompt: `Do the thing that is number ${i}\n${'p'.repeat(LONG)}` },
})) as Message;

test('what is short stays as it is', () => {
  const m = { type: 'agent:completed', seq: 1, data: { agentId: 'a', result: { response: 'ok' }, prompt: 'Do it' } };
  expect(light(m)).toBe(m);
});

test('long texts are begun, and their size is known', () => {
  const m = light(report(1));
  expect(String(m.data['response']).length).toBe(KEPT);
  expect(m.data['responseBytes']).toBe(LONG + 2);
  expect(light(m)).toBe(m);
  const nested = light({ type: 'agent:completed', data: { result: { response: '黒'.repeat(LONG) } } });
  expect(nested.data['result']).toEqual({ response: '黒'.repeat(KEPT), responseBytes: 3 * LONG });
  expect(beginning('a🧙'.repeat(KEPT), 3)).toHaveLength(3);
});

test('an agent knows how much it handed on', () => {
  const store = new Store(() => undefined);
  store.take({ type: 'server:startup', at: new Date(0).toISOString(), data: { seq: 0, groups: [{ groupId: 'g' }], agents: [] } });
  store.take(report(0));
  store.flush();
  expect(store.live.agents.get('a-0')).toMatchObject({ responseBytes: LONG + 2, summary: 'Done' });
  expect(store.live.agents.get('a-0')!.response.length).toBe(KEPT);
});

test('a page does not keep what it was told', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const store = new Store(() => undefined);
  store.take({ type: 'server:startup', at: new Date(0).toISOString(), data: { seq: 0, groups: [{ groupId: 'g' }], agents: [] } });
  store.flush();
  collect();
  const before = getHeapStatistics().used_heap_size;
  // Forty megabytes pass by.
  for (let i = 0; i < 200; i++) {
    store.take(born(2 * i));
    store.take(report(2 * i + 1));
    store.flush();
  }
  collect();
  const grown = getHeapStatistics().used_heap_size - before;
  expect(store.live.agents.size).toBe(400);
  expect(grown).toBeLessThan(10 << 20);
});

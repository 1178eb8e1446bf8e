import { expect, test } from 'vitest';
import type { Message } from '../feed/types';
import { Store } from './store';
import { emptyWorld } from './world';

const startup = (agents: object[] = [{ agentId: 'a', groupId: 'g', status: 'running' }, { agentId: 'b', groupId: 'g', status: 'running' }]): Message =>
  ({ type: 'server:startup', at: new Date().toISOString(), data: { seq: 5, groups: [{ groupId: 'g' }], agents } });
const progress = (agentId: string, toolCallCount: number): Message => ({ type: 'agent:status_update', at: new Date().toISOString(), data: { agentId, groupId: 'g', status: 'running', toolCallCount } });

function heard(): { store: Store; frames: (() => void)[]; told: string[] } {
  const frames: (() => void)[] = [];
  const store = new Store(then => frames.push(then));
  store.take(startup());
  frames.shift()!();
  const told: string[] = [];
  for (const key of ['agent:a', 'agent:b', 'group:g', 'states:g', 'agents', 'groups']) store.subscribe(key, () => told.push(key));
  return { store, frames, told };
}

test('many messages are one frame, and only whom they concern is told', () => {
  const { store, frames, told } = heard();
  for (let i = 1; i <= 50; i++) store.take(progress('a', i));
  expect(frames.length).toBe(1);
  expect(told).toEqual([]);
  frames.shift()!();
  expect(store.shown.agents.get('a')?.tools).toBe(50);
  expect(told).toEqual(['agent:a', 'group:g']);
});

test('a new picture is told to all', () => {
  const { store, frames, told } = heard();
  store.take(startup([]));
  frames.shift()!();
  expect(store.shown.agents.size).toBe(0);
  expect(new Set(told)).toEqual(new Set(['agent:a', 'agent:b', 'group:g', 'states:g', 'agents', 'groups']));
});

test('while the past is shown the present goes on unseen', () => {
  const { store, frames, told } = heard();
  store.show(emptyWorld(), 1000);
  told.length = 0;
  store.take(progress('a', 7));
  frames.shift()!();
  expect(told).toEqual([]);
  expect(store.now()).toBe(1000);
  expect(store.shown.agents.size).toBe(0);
  store.show(null, null);
  expect(store.shown.agents.get('a')?.tools).toBe(7);
});

test('time stands still where the connection was lost', () => {
  const { store } = heard();
  store.setConnection({ state: 'lost', since: 5000, retryAt: 6000 });
  expect(store.now()).toBe(5000 + store.skew);
});

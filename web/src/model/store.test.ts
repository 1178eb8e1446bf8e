import { expect, test } from 'vitest';
import type { Message } from '../feed/types';
import { Reel } from './reel';
import { Store } from './store';

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
  const reel = new Reel();
  store.show(reel.after(0), 1000);
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

test('numbered events are kept for the player, once', () => {
  const { store, frames } = heard();
  const e: Message = { type: 'agent:completed', seq: 6, data: { agentId: 'a', status: 'completed' } };
  store.take(e);
  store.take(e);
  frames.shift()!();
  expect(store.heard.map(m => m.seq)).toEqual([6]);
});

test('a sparse picture is filled from the record, and keeps what it said itself', () => {
  const { store } = heard();
  expect(store.isSparse()).toBe(true);
  const reel = new Reel();
  reel.add([{ type: 'agent:created', seq: 1, at: '2026-02-14T12:00:00Z', data: { agentId: 'a', groupId: 'g', status: 'queued', prompt: 'Do it', createdAt: '2026-02-14T12:00:00Z', stageIndex: 2 } },
    { type: 'agent:created', seq: 2, at: '2026-02-14T12:00:00Z', data: { agentId: 'b', groupId: 'g', status: 'queued', createdAt: '2026-02-14T12:00:00Z' } }]);
  store.fill(reel.after(2));
  expect(store.shown.agents.get('a')).toMatchObject({ status: 'running', about: 'Do it', stage: 2, createdAt: Date.UTC(2026, 1, 14, 12) });
  expect(store.isSparse()).toBe(false);
});

import { expect, test } from 'vitest';
import type { Message, Status } from '../feed/types';
import { isFailure, Reel } from './reel';
import { emptyWorld, fold, type World } from './world';

const T0 = Date.UTC(2026, 1, 14);
const STATES: Status[] = ['running', 'completed', 'failed', 'resultReported', 'timedOut'];

/** Agents that come, run and end, by a rule: no two runs differ. */
function story(count: number): Message[] {
  const out: Message[] = [{ type: 'group:created', seq: 1, at: new Date(T0).toISOString(), data: { id: 'g', status: 'active', createdAt: new Date(T0).toISOString() } }];
  for (let i = 1; i < count; i++) {
    const id = `a-${Math.floor(i / 3)}`;
    const status = i % 3 === 1 ? 'running' : i % 3 === 2 ? STATES[1 + i % 4]! : 'queued';
    const type = i % 3 === 0 ? 'agent:created' : i % 3 === 1 ? 'agent:status_update' : 'agent:completed';
    out.push({ type, seq: i + 1, at: new Date(T0 + i * 1000).toISOString(), data: { agentId: id, groupId: 'g', status, elapsed_ms: i, toolCallCount: i % 7 } });
  }
  return out;
}

const plain = (w: World) => JSON.stringify([w.seq, [...w.groups], [...w.agents]]);
const straight = (events: Message[], n: number): World => {
  const w = emptyWorld();
  for (const e of events.slice(0, n)) fold(w, e, new Set());
  return w;
};

test('any moment is what folding up to it gives, whichever way one comes', () => {
  const events = story(1500);
  const reel = new Reel();
  reel.add(events);
  for (const n of [0, 1, 255, 256, 257, 1000, 512, 3, 1499, 1500]) expect(plain(reel.after(n))).toBe(plain(straight(events, n)));
});

test('showing a moment does not change another', () => {
  const reel = new Reel();
  reel.add(story(600));
  const before = plain(reel.after(300));
  const w = reel.after(300);
  fold(w, { type: 'group:deleted', seq: 9999, data: { groupId: 'g' } }, new Set());
  expect(plain(reel.after(300))).toBe(before);
});

test('pages that overlap are one record', () => {
  const events = story(900);
  const reel = new Reel();
  reel.add(events.slice(0, 500));
  reel.add(events.slice(300));
  expect(reel.count).toBe(900);
  expect(plain(reel.after(900))).toBe(plain(straight(events, 900)));
});

test('a time is the last event up to it, and is the clock shown', () => {
  const reel = new Reel();
  reel.add(story(100));
  const w = reel.atTime(T0 + 40_500);
  expect(w.seq).toBe(41);
  expect(w.at).toBe(T0 + 40_500);
  expect(reel.atSeq(41).seq).toBe(41);
  expect(reel.atTime(T0 - 1).seq).toBe(0);
});

test('steps go from event to event and from failure to failure', () => {
  const reel = new Reel();
  reel.add(story(100));
  expect(reel.step(T0 + 10_000, 1)?.seq).toBe(12);
  expect(reel.step(T0 + 10_000, -1)?.seq).toBe(10);
  const failure = reel.step(T0, 1, isFailure);
  expect(failure?.data['status']).toMatch(/failed|timedOut/);
  expect(reel.step(T0, -1)).toBeNull();
});

test('it goes on from a picture', () => {
  const events = story(400);
  const reel = new Reel(straight(events, 200));
  reel.add(events);
  expect(reel.count).toBe(200);
  expect(plain(reel.atSeq(300))).toBe(plain(straight(events, 300)));
});

test('progress stands behind the event it follows, and is no step', () => {
  const said = (follows: number, s: number, tools: number, agentId = 'a-1'): Message => ({
    type: 'agent:status_update', follows, at: new Date(T0 + s * 1000).toISOString(), data: { agentId, groupId: 'g', status: 'running', toolCallCount: tools, lastAssistantMessage: `said ${tools}` },
  });
  // a-1 is made by event 4 (at 3 s), runs from 5 (4 s) and ends with 6 (5 s).
  const reel = new Reel(emptyWorld(), [said(5, 4.2, 41), said(5, 4.6, 42), said(6, 5.5, 99), said(30, 29.5, 1, 'a-9')]);
  reel.add(story(30));
  reel.end();
  const at = (s: number) => { const a = reel.atTime(T0 + s * 1000).agents.get('a-1')!; return [a.tools, a.words]; };
  expect(at(4.1)).toEqual([4, '']);
  expect(at(4.3)).toEqual([41, 'said 41']);
  expect(at(4.9)).toEqual([42, 'said 42']);
  // What it ended with is not overtaken by what came late.
  expect(at(5.9)).toEqual([5, 'said 42']);
  expect(reel.atTime(T0 + 60_000).agents.get('a-9')!.tools).toBe(1);
  expect(reel.lastSeq).toBe(30);
  expect(reel.atSeq(5).agents.get('a-1')!.tools).toBe(4);
  expect(reel.atSeq(6).agents.get('a-1')!.tools).toBe(5);
  expect(reel.step(T0 + 4000, 1)!.seq).toBe(6);
  expect(reel.step(T0 + 5000, -1)!.seq).toBe(5);
});

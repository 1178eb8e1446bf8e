import { expect, test } from 'vitest';
import type { StoryEntry } from '../feed/types';
import { isWholeAt, processAt, storyAt, wholeAt } from './hindsight';
import { emptyStory, type Story } from './story';
import { newAgent, type Agent } from './world';

const T = Date.UTC(2026, 1, 14, 12);
const iso = (s: number) => new Date(T + s * 1000).toISOString();
const text = (offset: number, s: number | null): StoryEntry => ({ offset, end: offset + 10, at: s === null ? null : iso(s), kind: 'text', text: `said ${offset}` });
const call = (offset: number, s: number, took: number | null, end = offset + 30): StoryEntry => ({
  offset, end, at: iso(s), kind: 'tool',
  tool: { callId: `c${offset}`, name: 'shell', kind: 'shell', title: 'make', arguments: { command: 'make' }, result: 'no', status: 'error', isError: true, message: 'bad', exitCode: 2, duration_ms: took, resultBytes: 2 },
});
const story = (entries: StoryEntry[], more: Partial<Story> = {}): Story => ({ ...emptyStory(), entries, upTo: 1000, isComplete: true, ...more });
const offsets = (s: Story) => s.entries.map(e => e.offset);

test('what came after the moment is not told', () => {
  const s = story([text(0, 1), text(10, 2), text(20, 3), text(30, 4)]);
  const then = storyAt(s, T + 2500, false);
  expect(offsets(then.story)).toEqual([0, 10]);
  expect(then).toMatchObject({ untimed: 0, upTo: 20 });
  expect(offsets(storyAt(s, T + 9000, true).story)).toEqual([0, 10, 20, 30]);
  expect(storyAt(s, T + 9000, true).upTo).toBe(Infinity);
  // Nothing came after it that is known; but of one at work more may have.
  expect(storyAt(s, T + 9000, false).upTo).toBe(1000);
  expect(storyAt(s, T, false)).toMatchObject({ story: { entries: [] }, upTo: 0 });
});

test('a call that was under way has no end yet', () => {
  const s = story([call(0, 1, 4000, 80), text(90, 6)]);
  const then = storyAt(s, T + 3000, false);
  expect(then.story.entries).toEqual([{ offset: 0, end: 80, at: iso(1), kind: 'tool', isOpen: true, tool: { callId: 'c0', name: 'shell', kind: 'shell', title: 'make', arguments: { command: 'make' } } }]);
  // Its last line is of its end.
  expect(then).toMatchObject({ upTo: 79, before: 90 });
  expect(storyAt(s, T + 5000, false).story.entries[0]).toMatchObject({ tool: { exitCode: 2 } });
});

test('a call of unknown length had ended if something was said after it', () => {
  const s = story([call(0, 1, null), text(40, 3), text(50, 5)]);
  expect(storyAt(s, T + 2000, false).story.entries[0]).toMatchObject({ isOpen: true });
  expect(storyAt(s, T + 3000, false).story.entries[0]).not.toHaveProperty('isOpen');
  expect(storyAt(s, T + 2000, true).story.entries[0]).not.toHaveProperty('isOpen');
});

test('of unknown times the neighbours tell; what they leave open is counted', () => {
  const s = story([text(0, null), text(10, 2), text(20, null), text(30, null), text(40, 6), text(50, null)]);
  const then = storyAt(s, T + 3000, false);
  expect(offsets(then.story)).toEqual([0, 10]);
  expect(then).toMatchObject({ untimed: 2, upTo: 20 });
  expect(offsets(storyAt(s, T + 6000, false).story)).toEqual([0, 10, 20, 30, 40]);
  expect(storyAt(s, T + 6000, false).untimed).toBe(1);
  // One that had ended has said all of it.
  expect(offsets(storyAt(s, T + 7000, true).story)).toEqual([0, 10, 20, 30, 40, 50]);
  expect(storyAt(story([text(0, null)]), T, false)).toMatchObject({ story: { entries: [] }, untimed: 1, upTo: 0 });
  expect(storyAt(story([text(0, null)]), T, true)).toMatchObject({ story: { entries: [{}] }, untimed: 0 });
});

test('whether there is enough of it to tell that moment', () => {
  const s = story([text(50, 5), text(60, 6)], { previous: 50 });
  expect(isWholeAt(s, T + 5000)).toBe(true);
  expect(isWholeAt(s, T + 4000)).toBe(false);
  expect(isWholeAt({ ...s, previous: null }, T + 4000)).toBe(true);
  expect(isWholeAt(story([text(50, null)], { previous: 50 }), T)).toBe(false);
});

const agent = (more: Partial<Agent>): Agent => ({ ...newAgent('a-1771045922-abcd'), ...more });
const record = agent({ status: 'resultReported', about: 'Do it', summary: 'Done', words: 'Bye', outcome: 'success', error: '', response: 'All', edited: ['a.c'], created: ['b.c'], place: '/p', backend: 'cursor', tokens: 9, cost: 1, createdAt: T + 1000, finishedAt: T + 9000 });

test('an agent of a moment is filled up by what held then already', () => {
  const then = agent({ status: 'running', words: '', tokens: 0 });
  expect(wholeAt(then, record, T + 5000)).toMatchObject({ status: 'running', about: 'Do it', place: '/p', backend: 'cursor', createdAt: T + 1000, summary: '', words: '', outcome: '', response: '', edited: [], created: [], tokens: 0, cost: null });
  expect(wholeAt(then, record, null)).toMatchObject({ status: 'running', summary: 'Done', edited: ['a.c'] });
  expect(wholeAt(agent({ status: 'completed' }), record, T + 9500)).toMatchObject({ status: 'completed', summary: 'Done', edited: ['a.c'], cost: 1 });
  expect(wholeAt(then, null, T)).toBe(then);
});

test('one that is in no picture is there from its beginning on', () => {
  expect(wholeAt(undefined, record, T)).toBe('notYet');
  expect(wholeAt(undefined, record, T + 9500)).toBe(record);
  expect(wholeAt(undefined, record, null)).toBe(record);
  expect(wholeAt(undefined, null, T)).toBe(null);
});

test('a process has neither end nor use before it', () => {
  const p = { argv: ['x'], workingDirectory: '/p', pid: 1, wardenPid: 2, startedAt: iso(1), endedAt: iso(5), exitCode: 1, reason: 'exited', cpu_ms: 5, peakMemory_bytes: 6, stdoutBytes: 7, isRunning: false };
  expect(processAt(p, null, false)).toBe(p);
  expect(processAt(p, T + 5000, true)).toBe(p);
  expect(processAt(p, T + 3000, false)).toEqual({ isRunning: true, argv: ['x'], workingDirectory: '/p', pid: 1, wardenPid: 2, startedAt: iso(1) });
  expect(processAt(p, T, false)).toBe(null);
  // How it ended is known of an agent that had; not all note when.
  expect(processAt({ ...p, endedAt: null }, T + 3000, true)).toMatchObject({ exitCode: 1 });
  expect(processAt({ ...p, endedAt: null }, T + 3000, false)).not.toHaveProperty('exitCode');
});

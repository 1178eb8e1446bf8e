import { expect, test } from 'vitest';
import { Store } from '../model/store';
import { answererOf, endOf, messagesOf, pageOf, progressOf, readRecording, type RecordingSaid } from './recording';
import type { StoryEntry } from './types';

const at = (s: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, s)).toISOString();
const entry = (offset: number, kind: StoryEntry['kind'] = 'text'): StoryEntry => ({ offset, at: at(offset), kind, text: `at ${offset}` });

const recording = (): RecordingSaid => ({
  version: 1, groupId: 'grp-1', exportedAt: at(100), build: 'b', language: 'ja',
  groups: [{ groupId: 'grp-1', description: 'Led', mode: 'magentic', status: 'deleted', createdAt: at(0), ledgers: [{ ledger: { iteration: 2 } }], agents: [
    { record: { agentId: 'a', groupId: 'grp-1', role: 'r', status: 'resultReported', createdAt: at(1), startedAt: at(2), finishedAt: at(9) }, prompt: { isKnown: true }, story: { entries: [entry(0), entry(5), entry(5, 'file'), entry(9)], size: 12 } },
    { record: { agentId: 'b', groupId: 'grp-1', role: 'r', status: 'failed', createdAt: at(1), startedAt: at(3), finishedAt: at(8) } },
  ] }],
  events: [
    { seq: 4, at: at(0), type: 'group:created', data: { groupId: 'grp-1', description: 'Led', mode: 'magentic', maxIterations: 7 } },
    { seq: 5, at: at(1), type: 'agent:created', data: { agentId: 'a', groupId: 'grp-1', status: 'queued' } },
    { seq: 9, at: at(9), type: 'agent:result_reported', data: { agentId: 'a', status: 'success', summary: 'done' } },
    { seq: 12, at: at(20), type: 'group:deleted', data: { groupId: 'grp-1' } },
  ],
});

test('it shows its end, and a deleted group as it was', () => {
  const r = readRecording(JSON.stringify(recording()));
  const store = new Store(then => then());
  store.setRecording(messagesOf(r), endOf(r));
  expect(store.hasPicture).toBe(true);
  expect(store.connection.state).toBe('recording');
  expect(store.now()).toBe(Date.parse(at(9)));
  expect(store.live.groups.get('grp-1')).toMatchObject({ isDeleted: false, maxIterations: 7, iteration: 2, agents: ['a', 'b'] });
  expect(store.live.agents.get('a')).toMatchObject({ status: 'resultReported', summary: 'done' });
  expect(store.live.agents.get('b')!.status).toBe('failed');
  expect(store.live.language).toBe('ja');
});

test('while something was under way it ends when it was written', () => {
  const r = recording();
  r.groups[0]!.agents[1]!.record = { agentId: 'b', groupId: 'grp-1', status: 'running' };
  expect(endOf(readRecording(JSON.stringify(r)))).toBe(Date.parse(at(100)));
});

test('questions are answered out of it, others are not', async () => {
  const ask = answererOf(readRecording(JSON.stringify(recording())));
  expect((await ask('events?since=0&limit=2') as { events: { seq: number }[] }).events.map(e => e.seq)).toEqual([4, 5]);
  expect((await ask('events?since=5&limit=5000') as { events: { seq: number }[] }).events.map(e => e.seq)).toEqual([9]);
  expect(await ask('agents/a')).toMatchObject({ agentId: 'a' });
  expect(await ask('agents/a/prompt')).toEqual({ isKnown: true });
  await expect(ask('agents/b/story?from=0')).rejects.toMatchObject({ status: 404 });
  await expect(ask('agents/nobody')).rejects.toMatchObject({ status: 404 });
  await expect(ask('agents/__proto__')).rejects.toMatchObject({ status: 404 });
  await expect(ask('health')).rejects.toMatchObject({ status: 404 });
});

test('pages of a story part no line, both ways', () => {
  const all = [entry(0), entry(5), entry(5, 'file'), entry(9)];
  const page = (query: string) => { const p = pageOf(all, 12, new URLSearchParams(query)); return [p.entries.map(e => e.offset), p.previous, p.next, p.upTo]; };
  expect(page('before=9007199254740991&limit=2')).toEqual([[5, 5, 9], 5, null, 12]);
  expect(page('before=5&limit=2')).toEqual([[0], null, 5, null]);
  expect(page('from=0&limit=2')).toEqual([[0, 5, 5], null, 9, null]);
  expect(page('from=9&limit=2')).toEqual([[9], 9, null, 12]);
  expect(page('from=99&limit=2')).toEqual([[], 12, null, 12]);
});

test('samples are progress between events, in their order', () => {
  const r = recording();
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const sample = (s: number, follows: number) => ({ at: at(s), follows, toolCallCount: s, tool: '', editedFileCount: 0, createdFileCount: 0, usage });
  r.groups[0]!.agents[0]!.record.samples = [sample(3, 5), sample(5, 7)];
  r.groups[0]!.agents[1]!.record.samples = [sample(4, 5)];
  const said = progressOf(readRecording(JSON.stringify(r)));
  expect(said.map(m => [m.data['agentId'], m.follows, m.data['toolCallCount'], m.seq])).toEqual([['a', 5, 3, undefined], ['b', 5, 4, undefined], ['a', 7, 5, undefined]]);
  // The end is what the records say.
  expect(messagesOf(readRecording(JSON.stringify(r))).some(m => m.follows !== undefined)).toBe(false);
});

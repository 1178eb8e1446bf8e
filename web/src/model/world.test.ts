import { describe, expect, test } from 'vitest';
import type { Message, SnapshotSaid } from '../feed/types';
import { treeOf, sumOf } from './sum';
import { begin, emptyWorld, fold, isUnsorted, seenAs, type Changed, type World } from './world';

const at = (s: number) => new Date(Date.UTC(2026, 1, 14, 12, 0, s)).toISOString();
const ms = (s: number) => Date.UTC(2026, 1, 14, 12, 0, s);
const hear = (w: World, ...messages: Message[]): Changed => {
  const changed: Changed = new Set();
  for (const m of messages) fold(w, m, changed);
  return changed;
};
const created = (seq: number, id: string, more = {}): Message =>
  ({ type: 'agent:created', seq, at: at(seq), data: { agentId: id, groupId: 'g', role: 'impl-code', model: 'm', status: 'queued', prompt: 'Do it\nwell', createdAt: at(seq), ...more } });
const group: Message = { type: 'group:created', seq: 1, at: at(1), data: { id: 'g', description: 'three', mode: 'concurrent', status: 'active', createdAt: at(1), agentIds: [] } };

test('a report of failure is seen as one, a cancelled agent as cancelled', () => {
  expect((['resultReported', 'completed', 'cancelled', 'timedOut', 'running'] as const).map(status => seenAs({ status, outcome: 'failure' }))).toEqual(['failed', 'failed', 'cancelled', 'timedOut', 'running']);
  expect(seenAs({ status: 'resultReported', outcome: 'success' })).toBe('resultReported');
});

describe('fold', () => {
  test('an agent comes, works and ends', () => {
    const w = emptyWorld();
    hear(w, group, created(2, 'a'));
    expect(w.agents.get('a')).toMatchObject({ status: 'queued', about: 'Do it', createdAt: ms(2), startedAt: null });
    hear(w, { type: 'agent:status_update', seq: 3, at: at(4), data: { agentId: 'a', groupId: 'g', status: 'running', elapsed_ms: 1000, toolCallCount: 0 } });
    expect(w.agents.get('a')).toMatchObject({ status: 'running', startedAt: ms(3) });
    hear(w, { type: 'agent:status_update', at: at(5), data: { agentId: 'a', groupId: 'g', status: 'running', toolCallCount: 2, tool: 'grepToolCall', lastAssistantMessage: 'Looking', editedFileCount: 1, createdFileCount: 2, usage: { inputTokens: 10, outputTokens: 5 } } });
    expect(w.agents.get('a')).toMatchObject({ tool: 'grep', tools: 2, words: 'Looking', files: 3, tokens: 15 });
    hear(w, { type: 'agent:completed', seq: 4, at: at(9), data: { agentId: 'a', groupId: 'g', status: 'failed', startedAt: at(3), elapsed_ms: 6000, toolCallCount: 2, result: { status: 'failure', summary: 'No', errorMessage: 'exit 1', timestamp: at(9) } } });
    expect(w.agents.get('a')).toMatchObject({ status: 'failed', outcome: 'failure', error: 'exit 1', summary: 'No', finishedAt: ms(9), elapsed: 6000, tool: '' });
  });

  test('progress that comes late does not wake an ended one', () => {
    const w = emptyWorld();
    hear(w, group, created(2, 'a', { status: 'completed' }));
    const before = w.agents.get('a');
    const changed = hear(w, { type: 'agent:status_update', at: at(9), data: { agentId: 'a', status: 'running', toolCallCount: 9 } });
    expect(w.agents.get('a')).toBe(before);
    expect(changed.size).toBe(0);
  });

  test('an agent of no group that is known is in a section of its own', () => {
    const w = emptyWorld();
    hear(w, group, created(2, 'a'), { type: 'agent:created', seq: 3, at: at(3), data: { agentId: 'x', status: 'running', createdAt: at(3) } });
    const sections = treeOf(w).map(x => [isUnsorted(x.group), x.group.agents]);
    expect(sections).toContainEqual([true, ['x']]);
    expect(sections).toContainEqual([false, ['a']]);
  });

  test('two on one file know of each other until one has ended', () => {
    const w = emptyWorld();
    hear(w, group, created(2, 'a', { status: 'running' }), created(3, 'b', { status: 'running' }));
    const changed = hear(w, { type: 'agent:conflict', seq: 4, at: at(4), data: { agentId: 'b', groupId: 'g', path: '/p/x.c', with: ['a'] } });
    expect(w.agents.get('a')?.conflicts).toEqual([{ path: '/p/x.c', agentId: 'b' }]);
    expect(w.agents.get('b')?.conflicts).toEqual([{ path: '/p/x.c', agentId: 'a' }]);
    expect([...changed].sort()).toEqual(['agent:a', 'agent:b', 'agents']);
    const ended = hear(w, { type: 'agent:completed', seq: 5, at: at(5), data: { agentId: 'a', groupId: 'g', status: 'completed' } });
    expect(w.agents.get('b')?.conflicts).toEqual([]);
    expect(ended.has('agent:b')).toBe(true);
  });

  test('what was heard already changes nothing', () => {
    const w = emptyWorld();
    hear(w, group, created(2, 'a'));
    expect(hear(w, created(2, 'b')).size).toBe(0);
    expect(w.agents.has('b')).toBe(false);
    expect(w.seq).toBe(2);
  });

  test('only the one that a message is about is another object after it', () => {
    const w = emptyWorld();
    hear(w, group, created(2, 'a'), created(3, 'b'));
    const b = w.agents.get('b');
    const changed = hear(w, { type: 'agent:status_update', at: at(5), data: { agentId: 'a', status: 'running', toolCallCount: 1 } });
    expect(w.agents.get('b')).toBe(b);
    expect([...changed].filter(k => k.startsWith('agent:'))).toEqual(['agent:a']);
  });

  test('stages, ledgers and stalls', () => {
    const w = emptyWorld();
    hear(w, group, { type: 'group:stage_advanced', seq: 2, data: { groupId: 'g', stageIndex: 1, totalStages: 3 } },
      { type: 'group:ledger_updated', seq: 3, data: { groupId: 'g', iteration: 2, taskLedger: { plan: ['one'] } } }, created(4, 'a', { status: 'running' }),
      { type: 'agent:stalled', seq: 5, data: { agentId: 'a', groupId: 'g', status: 'running' } });
    expect(w.groups.get('g')).toMatchObject({ stageIndex: 1, stageTotal: 3, iteration: 2 });
    expect(w.agents.get('a')?.stalled).toBe(true);
    hear(w, { type: 'group:deleted', seq: 6, data: { groupId: 'g' } });
    expect(treeOf(w)).toEqual([]);
  });

  test('roles are checked in steps', () => {
    const w = emptyWorld();
    hear(w, { type: 'healthcheck:model_validation', seq: 1, data: { results: [{ roleId: 'r', model: 'm', modelValidation: { status: 'valid' }, healthCheck: { status: 'pending' }, available: false }] } },
      { type: 'healthcheck:role_start', seq: 2, at: at(2), data: { roleId: 'r' } });
    expect(w.roles.get('r')?.healthCheck?.status).toBe('running');
    hear(w, { type: 'healthcheck:role_complete', seq: 3, at: at(3), data: { roleId: 'r', available: true, healthCheck: { status: 'passed', responseTime_ms: 900 } } }, { type: 'healthcheck:complete', seq: 4, data: { results: [] } });
    expect(w.roles.get('r')).toMatchObject({ available: true, healthCheck: { status: 'passed', startedAt: at(2) } });
    expect(w.health).toBe('complete');
  });

  test('a kind nobody knows is passed over', () => {
    const w = emptyWorld();
    expect(hear(w, { type: 'moon:risen', seq: 1, data: {} }).size).toBe(0);
    expect(w.seq).toBe(1);
  });
});

describe('begin', () => {
  const picture: SnapshotSaid = {
    seq: 7, language: 'ja', availableModels: ['m'], roles: [{ id: 'r', available: true }],
    groups: [{ groupId: 'p', mode: 'magentic', createdAt: at(1), orchestratorAgentId: 'o' }, { groupId: 'c', parentGroupId: 'p', createdAt: at(2) }, { groupId: 'n', createdAt: at(9) }],
    agents: [{ agentId: 'o', groupId: 'p', status: 'running' }, { agentId: 'x', groupId: 'c', status: 'resultReported', usage: { inputTokens: 3, costUsd: .5 } }],
  };
  test('the picture is a tree of groups, the newest first', () => {
    const w = begin(picture, ms(10));
    expect(treeOf(w).map(t => [t.group.id, t.children.map(c => c.group.id)])).toEqual([['n', []], ['p', ['c']]]);
    expect(sumOf(w, ['o', 'x'])).toMatchObject({ count: 2, ended: 1, tokens: 3, cost: .5, hasCost: true });
  });
  test('events go on from it', () => {
    const w = begin(picture, ms(10));
    hear(w, created(7, 'old'), created(8, 'new'));
    expect([...w.agents.keys()]).toEqual(['o', 'x', 'new']);
  });
});

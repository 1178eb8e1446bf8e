import { expect, test } from 'vitest';
import type { AgentSaid, RoleSaid, Status } from '../feed/types';
import { agentsInNeed, verdictOf } from './verdict';
import { begin } from './world';

const world = (states: (Status | AgentSaid)[], roles: RoleSaid[] = [{ id: 'r', available: true }]) => begin({
  seq: 1, roles, healthcheck: { status: 'complete' }, groups: [{ groupId: 'g', description: 'G' }],
  agents: states.map((s, i) => typeof s === 'string' ? { agentId: `a${i}`, groupId: 'g', status: s } : { groupId: 'g', ...s }),
}, 0);

test('nothing there', () => expect(verdictOf(world([]), null)).toMatchObject({ mood: 'empty', needs: [] }));
test('all that run run well', () => expect(verdictOf(world(['running', 'completed']), null).mood).toBe('well'));
test('all done', () => expect(verdictOf(world(['resultReported', 'completed']), null).mood).toBe('done'));

test('failures of one group are one need, and are counted', () => {
  const v = verdictOf(world(['running', 'failed', 'timedOut', ...Array<Status>(9).fill('completed')]), null);
  expect(v.mood).toBe('needs');
  expect(v.needs).toMatchObject([{ kind: 'bad', failed: 1, timedOut: 1, groupId: 'g' }]);
  expect(agentsInNeed(v.needs)).toEqual(new Set(['a1', 'a2']));
});

test('a stalled agent needs me by itself', () => {
  const v = verdictOf(world([{ agentId: 'x', status: 'running', stalled: true }]), null);
  expect(v.needs).toMatchObject([{ kind: 'stalled', agent: { id: 'x' } }]);
});

test('a group that makes no progress needs me while its orchestrator runs', () => {
  const led = (status: Status) => {
    const w = world([{ agentId: 'lead', status }]);
    w.groups.set('g', { ...w.groups.get('g')!, orchestrator: 'lead', stalled: true });
    return verdictOf(w, null);
  };
  expect(led('running').needs).toMatchObject([{ kind: 'stuck', groupId: 'g' }]);
  expect(agentsInNeed(led('running').needs)).toEqual(new Set(['lead']));
  expect(led('cancelled').needs).toEqual([]);
});

test('two under way on one file conflict; one that has ended is in nobody\'s way', () => {
  const on = (agentId: string, other: string, status: Status): AgentSaid => ({ agentId, status, conflicts: [{ path: '/p/a.ts', agentId: other }] });
  expect(verdictOf(world([on('a', 'b', 'running'), on('b', 'a', 'running')]), null).needs).toMatchObject([{ kind: 'conflict', file: '/p/a.ts', agents: [{ id: 'a' }, { id: 'b' }] }]);
  expect(verdictOf(world([on('a', 'b', 'running'), on('b', 'a', 'completed')]), null).needs).toEqual([]);
});

test('a role that cannot be used needs me, one being checked or switched off does not', () => {
  const roles: RoleSaid[] = [
    { id: 'off', available: false, enabled: false }, { id: 'soon', available: false, healthCheck: { status: 'running' } }, { id: 'ok', available: true },
    { id: 'bad', model: 'nope', available: false, modelValidation: { status: 'invalid', suggestions: ['yes'] } },
  ];
  expect(verdictOf(world(['running'], roles), null).needs).toMatchObject([{ kind: 'role', roleId: 'bad', suggestion: 'yes' }]);
});

test('trouble: no role at all, or a quarter of what ended went badly', () => {
  expect(verdictOf(world(['running'], [{ id: 'r', available: false }]), null).mood).toBe('trouble');
  expect(verdictOf(world(['failed', 'failed', 'failed', ...Array<Status>(8).fill('completed')]), null).mood).toBe('trouble');
  expect(verdictOf(world(['failed', 'failed', 'failed', ...Array<Status>(9).fill('completed')]), null).mood).toBe('needs');
});

test('a file that is not taken over is told until it is', () => {
  const wrong = { config: '/p/kuromajutsu.config.yaml', configError: { line: 41, column: 3, message: 'unknown key' } };
  expect(verdictOf(world(['running']), wrong)).toMatchObject({ mood: 'needs', needs: [{ kind: 'config', file: '/p/kuromajutsu.config.yaml', line: 41, message: 'unknown key' }] });
  expect(verdictOf(world(['running']), { ...wrong, configError: null }).mood).toBe('well');
});

test('budget and trust are of the hub', () => {
  const v = verdictOf(world(['running']), { budget: { dayUsd: 10, spentTodayUsd: 10.02 }, withheld: ['agent.command'] });
  expect(v.needs.map(n => n.kind)).toEqual(['budget', 'trust']);
});

test('what a deleted group has is nobody\'s need', () => {
  const w = world(['failed']);
  w.groups.set('g', { ...w.groups.get('g')!, isDeleted: true });
  expect(verdictOf(w, null)).toMatchObject({ mood: 'empty', needs: [] });
});

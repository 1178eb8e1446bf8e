import { expect, test } from 'vitest';
import { landscape } from './density';
import { failuresOf, handOvers, sectionsOf, spanOf, stateAt } from './lanes';
import { begin } from './world';

const iso = (s: number) => new Date(s * 1000).toISOString();
const w = begin({
  seq: 1,
  groups: [{ groupId: 's', mode: 'sequential', createdAt: iso(10), description: 'S' }, { groupId: 'm', mode: 'magentic', createdAt: iso(5), orchestratorAgentId: 'o', ledger: { progressLedger: { iteration: 2, updatedAt: iso(30) }, progressHistory: [{ iteration: 1, updatedAt: iso(8) }] } }, { groupId: 'c', parentGroupId: 'm', createdAt: iso(9) }],
  agents: [
    { agentId: 'a', groupId: 's', status: 'resultReported', createdAt: iso(10), startedAt: iso(11), finishedAt: iso(20), elapsed_ms: 9000, stageIndex: 0 },
    { agentId: 'b', groupId: 's', status: 'running', createdAt: iso(10), startedAt: iso(21), stageIndex: 1 },
    { agentId: 'q', groupId: 's', status: 'queued', createdAt: iso(10), stageIndex: 2 },
    { agentId: 'o', groupId: 'm', status: 'running', createdAt: iso(5), startedAt: iso(6) },
    { agentId: 'f', groupId: 'c', status: 'failed', createdAt: iso(9), startedAt: iso(9), finishedAt: iso(15), elapsed_ms: 6000 },
  ],
}, 40_000);
const sections = sectionsOf(w, null);

test('one lane per agent, child groups below their own', () => {
  expect(sections.map(s => [s.groupId, s.depth, s.lanes.map(l => l.id)])).toEqual([['s', 0, ['a', 'b', 'q']], ['m', 0, ['o']], ['c', 1, ['f']]]);
  expect(sectionsOf(w, 'c').map(s => s.groupId)).toEqual(['c']);
});
test('iterations and stages are spans', () => {
  expect(sections[1]!.iterations).toEqual([{ index: 1, from: 8000, to: 30_000 }, { index: 2, from: 30_000, to: null }]);
  expect(sections[0]!.stages).toEqual([{ index: 0, from: 11_000, to: 20_000 }, { index: 1, from: 21_000, to: null }]);
});
test('a stage hands over to those that began in the next', () => expect(handOvers(sections[0]!)).toEqual([{ from: 0, to: 1 }]));
test('states of any moment', () => {
  const a = sections[0]!.lanes[0]!;
  expect([5, 10.5, 15, 25].map(s => stateAt(a, s * 1000))).toEqual([null, 'queued', 'running', 'resultReported']);
});
test('the whole span has room on both sides', () => {
  const span = spanOf(sections, 40_000);
  expect(span.from).toBeLessThan(5000);
  expect(span.to).toBeGreaterThan(40_000);
});
test('failures in their order', () => expect(failuresOf(sections)).toEqual([{ at: 15_000, id: 'f' }]));
test('the landscape counts who runs', () => {
  const l = landscape(w.agents.values(), 40_000, 35);
  expect(l.from).toBe(5000);
  expect(l.running[0]).toBe(0);
  expect(l.running[8]).toBe(3);
  expect(l.running[34]).toBe(2);
  expect(l.failures).toEqual([{ at: 15_000, id: 'f' }]);
});

test('the landscape begins where moments can be shown', () => {
  const whole = landscape(w.agents.values(), 40_000, 35);
  const l = landscape(w.agents.values(), 40_000, 20, 20_000);
  expect(whole.from).toBeLessThan(20_000);
  expect(l).toMatchObject({ from: 20_000, to: 40_000 });
  expect(l.failures.every(f => f.at >= 20_000)).toBe(true);
});

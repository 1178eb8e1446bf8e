import { expect, test } from 'vitest';
import type { AgentSaid } from '../feed/types';
import { stepsOf } from './plan';
import { treeOf } from './sum';
import { begin } from './world';

const steps = (plan: string[], agents: AgentSaid[] = [], description = 'Round one') => {
  const w = begin({
    seq: 1, agents: agents.map(a => ({ groupId: 'kid', ...a })),
    groups: [{ groupId: 'top', mode: 'magentic', ledger: { taskLedger: { plan } } }, { groupId: 'kid', parentGroupId: 'top', description }],
  }, 0);
  return stepsOf(w, treeOf(w)[0]!).map(s => [s.text, s.state, s.agents.length]);
};
const agent = (agentId: string, status: AgentSaid['status'], about: string, more = {}): AgentSaid => ({ agentId, status, about, ...more });

test('a plan is words: without a mark or an agent a step has no state', () => {
  expect(steps(['Find the leak', 'Mend it'])).toEqual([['Find the leak', null, 0], ['Mend it', null, 0]]);
});

test('marks say the state and are not shown', () => {
  expect(steps(['[x] Find it', '- [ ] Mend it', '✅ Prove it', '[~] Tell it', '❌ Sell it'])).toEqual([
    ['Find it', 'resultReported', 0], ['Mend it', 'queued', 0], ['Prove it', 'resultReported', 0], ['Tell it', 'running', 0], ['Sell it', 'failed', 0]]);
});

test('agents that speak of a step say how it stands', () => {
  expect(steps(['1. Find the leak', 'Mend the pool', 'Review all of it'], [
    agent('a', 'resultReported', 'Find the leak in net/'), agent('b', 'running', 'Mend the pool.'), agent('c', 'queued', 'T3: review all of it')])).toEqual([
    ['1. Find the leak', 'resultReported', 1], ['Mend the pool', 'running', 1], ['Review all of it', 'queued', 1]]);
});

test('what failed and was done again is done', () => {
  expect(steps(['Mend the pool'], [agent('a', 'failed', 'Mend the pool'), agent('b', 'resultReported', 'Mend the pool')])[0]).toEqual(['Mend the pool', 'resultReported', 2]);
  expect(steps(['Mend the pool'], [agent('a', 'resultReported', 'Mend the pool', { outcome: 'failure' })])[0]).toEqual(['Mend the pool', 'failed', 1]);
});

test('a group speaks for its agents, and a short word for none', () => {
  expect(steps(['ログアウトの不具合を直す'], [agent('a', 'running', 'x'), agent('b', 'resultReported', 'y')], 'ログアウトの不具合を直す')[0]).toEqual(['ログアウトの不具合を直す', 'running', 2]);
  expect(steps(['It is a long story'], [agent('a', 'running', 'a')], 'is')[0]).toEqual(['It is a long story', null, 0]);
});

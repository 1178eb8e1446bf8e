import { expect, test } from 'vitest';
import { atWork } from './sum';
import { begin } from './world';

test('an orchestrator holds none of the places that agents share', () => {
  const agent = (agentId: string, groupId: string) => ({ agentId, groupId, status: 'running' as const });
  const w = begin({
    seq: 1, groups: [{ groupId: 'm', mode: 'magentic' }, { groupId: 'c', mode: 'concurrent', parentGroupId: 'm' }, { groupId: 'n', mode: 'magentic', parentGroupId: 'm', orchestratorAgentId: 'o2' }],
    agents: [agent('o', 'm'), agent('o2', 'n'), agent('a', 'c'), agent('b', 'c'), { ...agent('d', 'c'), status: 'completed' }],
  }, 0);
  expect(atWork(w)).toBe(2);
});

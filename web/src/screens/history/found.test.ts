import { expect, test } from 'vitest';
import { byEnd, found, markedIn } from './found';

const a = { agentId: 'a', summary: 'All is well', hit: 'deep in the report: a needle in hay' };

test('a row shows what was found, wherever it was', () => {
  expect(found(a, '')).toBe('All is well');
  expect(found(a, 'WELL needle')).toBe('All is well');
  expect(found(a, 'needle')).toBe(a.hit);
  expect(found({ agentId: 'a', errorMessage: 'it broke' }, 'needle')).toBe('it broke');
});

test('one that ended badly says why', () => {
  const bad = { ...a, errorMessage: 'killed by signal 11' };
  expect(found({ ...bad, status: 'failed' }, '')).toBe('killed by signal 11');
  expect(found({ ...bad, status: 'resultReported', outcome: 'failure' }, '')).toBe('killed by signal 11');
  expect(found({ ...bad, status: 'resultReported', outcome: 'success' }, '')).toBe('All is well');
});

test('every word is marked, and no word is a pattern', () => {
  expect(markedIn('one Two three two', 'two ONE')).toEqual(['', 'one', ' ', 'Two', ' three ', 'two', '']);
  expect(markedIn('a.c (x)', '.c (x')).toEqual(['a', '.c', ' ', '(x', ')']);
  expect(markedIn('as it is', '  ')).toEqual(['as it is']);
  expect(markedIn(`${'x'.repeat(300)}needle`, 'needle')).toEqual([`…${'x'.repeat(60)}`, 'needle', '']);
});

test('rows stand by when they ended, whichever way', () => {
  const end = (agentId: string, s: number) => ({ agentId, finishedAt: new Date(s * 1000).toISOString() });
  const made = [end('c', 5), end('b', 9), end('a', 2)];
  expect(byEnd(made, false).map(x => x.agentId)).toEqual(['b', 'c', 'a']);
  expect(byEnd(made, true).map(x => x.agentId)).toEqual(['a', 'c', 'b']);
});

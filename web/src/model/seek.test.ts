import { expect, test } from 'vitest';
import { BEGIN, excerpt, hasWords, hitsIn, seek, type Page, type Sought } from './seek';

/** Pages of ten bytes, one hit on each whose number is in `at`. */
const reader = (pages: number, at: number[]) => async (from: number): Promise<Page> =>
  ({ hits: at.includes(from / 10) ? [{ offset: from, text: `hit ${from}` }] : [], next: from + 10 < pages * 10 ? from + 10 : null, size: pages * 10 });

test('it reads on over pages without a hit, and tells how far it is', async () => {
  const told: Sought[] = [];
  await seek(reader(5, [0, 4]), BEGIN, 10, s => told.push(s));
  expect(told.map(s => s.next)).toEqual([0, 10, 20, 30, 40, null]);
  expect(told.map(s => s.isReading)).toEqual([true, true, true, true, true, false]);
  expect(told.at(-1)!.hits.map(h => h.offset)).toEqual([0, 40]);
});

test('it stops when it has enough, and goes on from there', async () => {
  let now = BEGIN;
  const read = reader(5, [0, 1, 3]);
  await seek(read, now, 2, s => { now = s; });
  expect([now.hits.length, now.next, now.isReading]).toEqual([2, 20, false]);
  await seek(read, now, 2, s => { now = s; });
  expect([now.hits.map(h => h.offset), now.next]).toEqual([[0, 10, 30], null]);
});

test('a page that cannot be read ends it', async () => {
  await expect(seek(() => Promise.reject(new Error('gone')), BEGIN, 1, () => undefined)).rejects.toThrow('gone');
});

test('lines are counted in bytes, and one that is cut off is left for the next page', () => {
  expect(hitsIn('あ x\nb\nc X', 100, null, 'x')).toEqual({ hits: [{ offset: 100, text: 'あ x' }, { offset: 108, text: 'c X' }], next: null });
  expect(hitsIn('あ x\nb\nc X', 100, 111, 'x')).toEqual({ hits: [{ offset: 100, text: 'あ x' }], next: 108 });
  // One without an end is taken as it is, or it would never end.
  expect(hitsIn('xxx', 5, 8, 'x')).toEqual({ hits: [{ offset: 5, text: 'xxx' }], next: 8 });
});

test('a long line is shown by what stands around the words', () => {
  expect(excerpt('say Hello now', 'hello')).toEqual(['say ', 'Hello', ' now']);
  const [before, hit, after] = excerpt(`${'a'.repeat(500)}KEY${'b'.repeat(500)}`, 'key');
  expect([before, hit, after.length]).toEqual([`…${'a'.repeat(80)}`, 'KEY', 321]);
  expect(excerpt('z'.repeat(400), 'q')[0]).toHaveLength(321);
  expect([hasWords('ABC', 'b'), hasWords('ABC', 'd')]).toEqual([true, false]);
});

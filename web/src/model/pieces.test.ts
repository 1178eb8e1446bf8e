import { expect, test } from 'vitest';
import { piecesOf } from './pieces';

const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}`);

test('what is short is one piece', () => {
  expect(piecesOf('')).toEqual(['']);
  expect(piecesOf('a\n\nb')).toEqual(['a\n\nb']);
});

test('nothing is lost, and no piece is long', () => {
  const text = lines(10_000).join('\n');
  const pieces = piecesOf(text);
  expect(pieces.join('\n')).toBe(text);
  expect(Math.max(...pieces.map(p => p.split('\n').length))).toBeLessThanOrEqual(1000);
});

test('an empty line nearby is where it is cut', () => {
  const text = [...lines(900), '', ...lines(900)].join('\n');
  expect(piecesOf(text)[0]).toBe(lines(900).join('\n'));
});

test('a fence that is cut is closed and opened again', () => {
  const [first, second] = piecesOf(['```c', ...lines(1500), '```', 'after'].join('\n'));
  expect(first!.split('\n').at(-1)).toBe('```');
  expect(second!.split('\n')[0]).toBe('```c');
  expect(second!.endsWith('```\nafter')).toBe(true);
});

test('one endless line is cut too', () => {
  const pieces = piecesOf('x'.repeat(500_000));
  expect(pieces.map(p => p.length)).toEqual([200_000, 200_000, 100_000]);
});

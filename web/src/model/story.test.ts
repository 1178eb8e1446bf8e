import { expect, test } from 'vitest';
import type { StoryEntry, StoryPage } from '../feed/types';
import { addPage, changesOf, emptyStory, filesByCall, hear, readDiff } from './story';

const text = (offset: number, words: string, isOpen?: boolean): StoryEntry => ({ offset, at: null, kind: 'text', text: words, ...(isOpen ? { isOpen } : {}) });
const page = (entries: StoryEntry[], more: Partial<StoryPage> = {}): StoryPage => ({ entries, previous: null, next: null, upTo: 100, size: 100, isComplete: false, ...more });

test('pages join in either direction, and what went on is replaced', () => {
  let s = addPage(emptyStory(), page([text(50, 'b', true)], { previous: 50 }), 'end');
  expect(s).toMatchObject({ previous: 50, upTo: 100 });
  s = addPage(s, page([text(10, 'a')], { previous: null, upTo: null }), 'start');
  expect(s.entries.map(e => e.text)).toEqual(['a', 'b']);
  expect(s).toMatchObject({ previous: null, upTo: 100 });
  s = addPage(s, page([text(50, 'b whole'), text(120, 'c')], { upTo: 140 }), 'end');
  expect(s.entries.map(e => e.text)).toEqual(['a', 'b whole', 'c']);
  expect(s.upTo).toBe(140);
});

test('live text goes on behind the story without gap or double', () => {
  let s = addPage(emptyStory(), page([text(50, 'Hel', true)]), 'end');
  s = hear(s, { kind: 'text', form: 'delta', text: 'XX', offset: 60 }, null).story;
  expect(s.entries.at(-1)?.text).toBe('Hel');
  s = hear(s, { kind: 'text', form: 'delta', text: 'lo', offset: 100 }, null).story;
  expect(s.entries.map(e => e.text)).toEqual(['Hello']);
  const end = hear(s, { kind: 'text', form: 'end', offset: 120 }, null);
  expect(end).toMatchObject({ isStale: true, story: { entries: [{ text: 'Hello', isOpen: false }] } });
  s = hear(end.story, { kind: 'text', form: 'delta', text: 'Next', offset: 140 }, null).story;
  expect(s.entries.map(e => e.text)).toEqual(['Hello', 'Next']);
  s = hear(s, { kind: 'text', form: 'void', offset: 150 }, null).story;
  expect(s.entries.map(e => e.text)).toEqual(['Hello']);
  expect(hear(s, { kind: 'tool_start', offset: 160 }, null).isStale).toBe(true);
});

const file = (offset: number, path: string, change: string, added: number, removed: number): StoryEntry =>
  ({ offset, at: null, kind: 'file', file: { path, change, added, removed, diff: '@@ -1 +1 @@\n-a\n+b\n', callId: `c${offset}` } });

test('a file that was changed often is one entry', () => {
  const entries = [file(1, 'b.ts', 'created', 5, 0), file(2, 'a.ts', 'edited', 1, 1), file(3, 'b.ts', 'edited', 2, 1)];
  expect(changesOf(entries)).toMatchObject([{ path: 'a.ts', change: 'edited', added: 1 }, { path: 'b.ts', change: 'created', added: 7, removed: 1, diffs: [{}, {}] }]);
  expect(filesByCall(entries).get('c2')).toMatchObject([{ path: 'a.ts' }]);
});

test('a diff has the numbers of its lines', () => {
  expect(readDiff('--- a/x\n+++ b/x\n@@ -41,2 +41,3 @@ f(\n same\n-old\n+new\n+more\n\\ No newline at end of file\n').map(l => [l.kind, l.old, l.new, l.text])).toEqual([
    ['@', null, null, '@@ -41,2 +41,3 @@ f('], [' ', 41, 41, 'same'], ['-', 42, null, 'old'], ['+', null, 42, 'new'], ['+', null, 43, 'more']]);
});

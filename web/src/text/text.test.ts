import { expect, test } from 'vitest';
import { kindOf, plainTool } from '../model/kind';
import { closest } from '../model/closest';
import { en } from './en';
import { brief, bytes, duration, halves, idParts, tokens } from './format';
import { ja } from './ja';

const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/;
// Names of things that are the same in every language.
const NAMES = /pm_admin|wait_ms|inject_phase_prompt|phase\d|phases run|agent_\w+|context_\w+|reviewer|kuromajutsu export --html --full|Agent|ID|kuromajutsu|trust|list_roles|CLI|CPU|OK|KB|Space|Enter|Esc|JavaScript|src\/|JSON|YAML|MCP|English|Switch to/gi;

function* strings(value: unknown, path: string, given = [3, 4, 5]): Iterable<[string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'function') yield [path, String((value as (...a: unknown[]) => unknown)(...given))];
  else if (value && typeof value === 'object') for (const [k, v] of Object.entries(value)) yield* strings(v, `${path}.${k}`, given);
}

test('both languages have the same lists', () => {
  expect(ja.keys.list.map(([k]) => k)).toEqual(en.keys.list.map(([k]) => k));
  expect(ja.live.columns.length).toBe(en.live.columns.length);
  expect(ja.history.columns.length).toBe(en.history.columns.length);
});

// Numbers that lead to what they count: [[name|number]].
const MARKS = /\[\[(\w+)\|([^\]]*)\]\]/g;
const marks = (text: string) => [...text.matchAll(MARKS)].map(m => m[1]).sort();

test('the verdict counts the same in both languages, and every number leads somewhere', () => {
  const of = (all: unknown) => [...strings(all, 'verdict')].filter(([path]) => /needs|ended|mix|places|rate/.test(path));
  expect(of(ja.verdict).map(([, text]) => marks(text))).toEqual(of(en.verdict).map(([, text]) => marks(text)));
  for (const [path, text] of [...of(ja.verdict), ...of(en.verdict)]) expect.soft(/\d/.test(text.replace(MARKS, '').replace(/直近 4 秒|4 s/, '')), `${path}: ${text}`).toBe(false);
});

test('no Japanese in English, no English sentences in Japanese', () => {
  for (const [path, text] of strings(en, 'en')) if (path !== 'en.frame.language') expect.soft(japanese.test(text), `${path}: ${text}`).toBe(false);
  for (const [path, text] of strings(ja, 'ja')) if (path !== 'ja.frame.language' && !path.startsWith('ja.keys')) expect.soft(/[a-z]{4,}/i.test(text.replace(MARKS, '$2').replace(NAMES, '')), `${path}: ${text}`).toBe(false);
});

test('one is not many', () => {
  // Two at least: agents on one file, parts of what is shown in parts.
  const many = new Set(['en.verdict.conflict', 'en.agent.moreOfIt']);
  for (const [path, text] of strings(en, 'en', [1, 1, 1])) if (!many.has(path)) expect.soft(/\b1 (more )?(?!is|was|has)[a-z]+s\b/.test(text.replace(MARKS, '$2')), `${path}: ${text}`).toBe(false);
});

test('numbers as people read them', () => {
  expect([0, 96_000, 3_723_000, 200_000_000].map(duration)).toEqual(['0:00', '1:36', '1:02:03', '2 d 7 h']);
  expect([300, 9800, 75_000].map(brief)).toEqual(['300 ms', '9.8 s', '1:15']);
  expect([950, 61_200, 6_300_000].map(tokens)).toEqual(['950', '61 k', '6.30 M']);
  expect([12, 6349, 3 << 20].map(bytes)).toEqual(['12 B', '6.2 KB', '3.0 MB']);
});

test('a long text is cut in its middle, between letters', () => {
  expect(halves('make check')).toEqual(['make check', '']);
  expect(halves('packages/queue/test/retry.test.ts')).toEqual(['packages/queue/test', '/retry.test.ts']);
  expect(halves('meson test -C build-asan --suite net')).toEqual(['meson test -C build-asan', ' --suite net']);
  expect(halves(`a/${'n'.repeat(60)}`)).toEqual([`a/${'n'.repeat(48)}`, 'n'.repeat(12)]);
  expect(halves('🦊'.repeat(20))).toEqual(['🦊'.repeat(8), '🦊'.repeat(12)]);
});

test('ids name role and tail', () => {
  expect(idParts('impl-code-1771045922-e07c')).toEqual({ head: 'impl-code-17', tail: 'e07c' });
  expect(idParts('x'.repeat(64))).toEqual({ head: 'x'.repeat(14), tail: 'x'.repeat(6) });
  expect(idParts(`${'r'.repeat(64)}-1771045922-e07c`)).toEqual({ head: 'r'.repeat(14), tail: 'e07c' });
  expect(idParts('short')).toBeNull();
});

test('tools have a kind, also by their inner names', () => {
  expect(['grepToolCall', 'Bash', 'editToolCall', 'Read', 'WebFetch', 'mcpToolCall', 'kuromajutsu:report_result', 'Task'].map(kindOf)).toEqual(['search', 'shell', 'edit', 'read', 'web', 'mcp', 'mcp', 'other']);
  expect(plainTool('grepToolCall')).toBe('grep');
});

test('a mistyped model finds what it meant', () => expect(closest('claude-4-sonet', ['auto', 'claude-4-sonnet', 'gpt-5'], 1)).toEqual(['claude-4-sonnet']));

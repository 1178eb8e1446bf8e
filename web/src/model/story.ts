// An agent's story on the page: pages of the API, and what the feed says
// behind them, joined by offsets without a gap.

import type { LiveEvent, StoryEntry, StoryFile, StoryPage } from '../feed/types';

export interface Story {
  entries: StoryEntry[];
  previous: number | null;
  upTo: number | null;
  isComplete: boolean;
  /** What is before its beginning was left out. */
  isCut: boolean;
}

export const emptyStory = (): Story => ({ entries: [], previous: null, upTo: null, isComplete: false, isCut: false });

/** One offset may carry several entries (a call and its file): kind and call
 * tell them apart. */
const keyOf = (e: StoryEntry) => `${e.offset}/${e.kind}/${e.tool?.callId ?? e.file?.path ?? ''}`;

/** Adds a page; what is there already is replaced, for it may have gone on. */
export function addPage(s: Story, page: StoryPage, where: 'end' | 'start'): Story {
  const byKey = new Map(s.entries.map(e => [keyOf(e), e]));
  for (const e of page.entries) byKey.set(keyOf(e), e);
  const entries = [...byKey.values()].sort((a, b) => a.offset - b.offset);
  return {
    entries,
    previous: where === 'start' || s.entries.length === 0 ? page.previous : s.previous,
    upTo: where === 'end' ? page.upTo ?? s.upTo : s.upTo,
    isComplete: where === 'end' ? page.isComplete : s.isComplete,
    isCut: s.isCut || page.isCut === true,
  };
}

function appendText(s: Story, e: LiveEvent, kind: 'text' | 'thinking', at: string | null): Story {
  const last = s.entries.at(-1);
  const isGoingOn = last !== undefined && last.kind === kind && last.isOpen === true;
  const before = isGoingOn ? s.entries.slice(0, -1) : s.entries;
  if (e.form === 'void') return { ...s, entries: before };
  if (e.form === 'end') return isGoingOn ? { ...s, entries: [...before, { ...last, isOpen: false }] } : s;
  const old = isGoingOn ? last : { offset: e.offset ?? s.upTo ?? 0, at, kind, text: '' };
  const text = e.form === 'full' ? e.text ?? '' : (old.text ?? '') + (e.text ?? '');
  return { ...s, entries: [...before, { ...old, text, isOpen: e.form !== 'full' }] };
}

/** What the feed said. Text goes on at once; for the rest the story is asked
 * again, for only the transcript knows results and changes whole. */
export function hear(s: Story, e: LiveEvent, at: string | null): { story: Story; isStale: boolean } {
  if (e.offset !== undefined && s.upTo !== null && e.offset < s.upTo) return { story: s, isStale: false };
  if (e.kind === 'text' || e.kind === 'thinking') return { story: appendText(s, e, e.kind, at), isStale: e.form === 'end' || e.form === 'full' };
  return { story: s, isStale: true };
}

export interface FileChange extends StoryFile {
  diffs: { diff: string; at: string | null }[];
}

/** Files touched, one entry each, with sums of their lines. */
export function changesOf(entries: readonly StoryEntry[]): FileChange[] {
  const byPath = new Map<string, FileChange>();
  for (const e of entries) {
    const f = e.file;
    if (e.kind !== 'file' || !f) continue;
    const old = byPath.get(f.path);
    const diffs = f.diff ? [{ diff: f.diff, at: e.at }] : [];
    byPath.set(f.path, old
      ? { ...old, change: old.change === 'created' && f.change === 'edited' ? 'created' : f.change, added: (old.added ?? 0) + (f.added ?? 0), removed: (old.removed ?? 0) + (f.removed ?? 0), diffs: [...old.diffs, ...diffs] }
      : { ...f, diffs });
  }
  return [...byPath.values()].sort((a, b) => a.path < b.path ? -1 : 1);
}

/** Files of a call, which stand under it. */
export function filesByCall(entries: readonly StoryEntry[]): Map<string, StoryFile[]> {
  const out = new Map<string, StoryFile[]>();
  for (const e of entries) if (e.file?.callId) out.set(e.file.callId, [...(out.get(e.file.callId) ?? []), e.file]);
  return out;
}

export interface DiffLine { kind: ' ' | '+' | '-' | '@'; old: number | null; new: number | null; text: string }

/** A unified diff as lines with their numbers; heads of files are left out. */
export function readDiff(diff: string): DiffLine[] {
  const out: DiffLine[] = [];
  let a = 1;
  let b = 1;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      a = Number(hunk[1]);
      b = Number(hunk[2]);
      out.push({ kind: '@', old: null, new: null, text: line });
    } else if (/^(diff |index |--- |\+\+\+ |\\ )/.test(line)) continue;
    else if (line.startsWith('+')) out.push({ kind: '+', old: null, new: b++, text: line.slice(1) });
    else if (line.startsWith('-')) out.push({ kind: '-', old: a++, new: null, text: line.slice(1) });
    else out.push({ kind: ' ', old: a++, new: b++, text: line.slice(1) });
  }
  return out;
}

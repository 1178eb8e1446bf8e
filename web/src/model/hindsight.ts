// What is known now of an agent, less what came after a moment: the past must
// not tell the future. Pure.

import type { StoryEntry, StoryTool } from '../feed/types';
import type { Story } from './story';
import { isEnded, moment, type Agent } from './world';

export interface Then {
  story: Story;
  /** Entries left out for it is not known whether they were there yet. */
  untimed: number;
  /** Lines of the transcript that end up to here were there. */
  upTo: number;
  /** A line begins here, or all ends: reading backwards begins here. */
  before: number;
}

/** What was known of a call when it began. */
const begun = ({ callId, name, kind, title, arguments: given, argumentBytes }: StoryTool): StoryTool => ({
  callId, name, kind, ...(title !== undefined && { title }), ...(given !== undefined && { arguments: given }), ...(argumentBytes !== undefined && { argumentBytes }),
});

/** Whether a call had ended: by how long it took, else by what was said after
 * it, else by the end of the agent. */
function hasEnded(e: StoryEntry, at: number, said: number, isOver: boolean): boolean {
  const took = e.tool?.duration_ms;
  const from = moment(e.at);
  if (from !== null && took !== null && took !== undefined) return from + took <= at;
  return isOver || (e.end ?? e.offset) <= said;
}

/** The story as it was. Entries stand in the order in which they happened: one
 * of unknown time was there if something behind it was, and was not if
 * something before it was not. `isOver`: the agent had ended. */
export function storyAt(story: Story, at: number, isOver: boolean): Then {
  const times = story.entries.map(e => moment(e.at));
  const last = times.findLastIndex(t => t !== null && t <= at);
  const later = times.findIndex((t, i) => i > last && t !== null);
  const open = later === -1 ? story.entries.length : later;
  const count = isOver ? open : last + 1;
  const said = last === -1 ? 0 : story.entries[last]!.offset;
  const before = story.entries[count]?.offset ?? (isOver ? Infinity : story.upTo ?? 0);
  let upTo = before;
  const entries = story.entries.slice(0, count).map(e => {
    if (e.kind !== 'tool' || !e.tool || hasEnded(e, at, said, isOver)) return e;
    upTo = Math.min(upTo, (e.end ?? e.offset + 1) - 1);
    return { ...e, isOpen: true, tool: begun(e.tool) };
  });
  return { story: { ...story, entries }, untimed: open - count, upTo, before };
}

/** Whether all that was there then, as far as one page shows it, is in what was
 * read; else what is before it is to be read. */
export function isWholeAt(story: Story, at: number): boolean {
  if (story.previous === null) return true;
  return story.entries.some(e => { const t = moment(e.at); return t !== null && t <= at; });
}

/** What the picture has, filled up by the record, which is of now. 'notYet':
 * there was no such agent then. */
export function wholeAt(known: Agent | undefined, record: Agent | null, past: number | null): Agent | 'notYet' | null {
  if (!record) return known ?? null;
  if (!known) return past !== null && record.createdAt !== null && record.createdAt > past ? 'notYet' : record;
  const fixed = { ...known, about: known.about || record.about, place: known.place || record.place, backend: known.backend || record.backend, createdAt: known.createdAt ?? record.createdAt };
  if (past !== null && !isEnded(known.status)) return fixed;
  return {
    ...fixed, summary: known.summary || record.summary, words: known.words || record.words, error: known.error || record.error, outcome: known.outcome || record.outcome,
    response: known.response || record.response, usage: known.usage ?? record.usage, tokens: known.tokens || record.tokens, cost: known.cost ?? record.cost,
    edited: known.edited.length > 0 ? known.edited : record.edited, created: known.created.length > 0 ? known.created : record.created,
  };
}

export interface ProcessSaid {
  isRunning?: boolean; argv?: string[] | null; workingDirectory?: string; pid?: number | null; wardenPid?: number | null; startedAt?: string | null; endedAt?: string | null;
  exitCode?: number | null; signal?: string | number | null; reason?: string | null; error?: string | null; cpu_ms?: number | null; memory_bytes?: number | null; peakMemory_bytes?: number | null;
  processes?: number | null; stdoutBytes?: number; stderrBytes?: number;
}

/** What it used then nobody has noted; so before its end there is only how it
 * was started, and before that nothing. */
export function processAt(p: ProcessSaid, past: number | null, isOver: boolean): ProcessSaid | null {
  if (past === null) return p;
  const ended = moment(p.endedAt);
  const started = moment(p.startedAt);
  if (ended !== null ? ended <= past : isOver) return p;
  if (started !== null && started > past) return null;
  const { argv, workingDirectory, pid, wardenPid, startedAt } = p;
  return { isRunning: true, argv, workingDirectory, pid, wardenPid, startedAt };
}

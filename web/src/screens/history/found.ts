// What a row of History says, and in which order rows stand.

import type { AgentSaid } from '../../feed/types';
import { moment, wentBadly } from '../../model/world';

const AROUND = 60;
const wordsOf = (words: string) => words.trim().split(/\s+/).filter(Boolean);
const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Of one that ended badly why, else what came of it. */
const saidBy = (a: AgentSaid): string =>
  (wentBadly({ status: a.status ?? 'completed', outcome: a.outcome ?? '' }) && a.errorMessage) || a.summary || a.errorMessage || a.about || '';

/** Its own words; where they do not have what was searched for, what does. */
export function found(a: AgentSaid, words: string): string {
  const own = saidBy(a);
  const first = wordsOf(words)[0];
  return first === undefined || !a.hit || own.toLowerCase().includes(first.toLowerCase()) ? own : a.hit;
}

/** The text in pieces, every second of which is one of the words; long ones
 * begin shortly before the first of them. */
export function markedIn(text: string, words: string): string[] {
  const all = wordsOf(words);
  if (all.length === 0) return [text];
  const parts = text.split(new RegExp(`(${all.map(escaped).join('|')})`, 'gi'));
  const before = parts[0] ?? '';
  if (parts.length > 1 && before.length > AROUND) parts[0] = `…${before.slice(-AROUND)}`;
  return parts;
}

/** By when they ended: the hub pages them by when they were made. */
export function byEnd(agents: readonly AgentSaid[], isOldest: boolean): AgentSaid[] {
  const way = isOldest ? 1 : -1;
  return [...agents].sort((a, b) => way * ((moment(a.finishedAt) ?? 0) - (moment(b.finishedAt) ?? 0)));
}

// Mail as its screen shows it: which conversation is open, what is unread, what
// belongs together.

import type { BoxSaid, LetterSaid, TalkSaid } from '../feed/types';

/** A conversation between two, or what is written to all. */
export type Open = { one: string; other: string } | 'all';

export const openOf = (t: TalkSaid): Open => t.agents.length === 2 ? { one: t.agents[0]!, other: t.agents[1]! } : 'all';

export const isSame = (a: Open | null, b: Open | null): boolean =>
  a === b || (a !== null && b !== null && a !== 'all' && b !== 'all' && ((a.one === b.one && a.other === b.other) || (a.one === b.other && a.other === b.one)));

/** Which one the address says; null: none. */
export function openIn(query: URLSearchParams): Open | null {
  const one = query.get('one');
  const other = query.get('other');
  if (one !== null && other !== null) return { one, other };
  return query.get('to') === 'all' ? 'all' : null;
}

/** The address says it by these. */
export const queryOf = (open: Open | null): { one: string | null; other: string | null; to: string | null } => ({
  one: open === null || open === 'all' ? null : open.one,
  other: open === null || open === 'all' ? null : open.other,
  to: open === 'all' ? 'all' : null,
});

/** The question for a page of it. */
export function pageOf(open: Open, limit: number, before?: number): string {
  const query = new URLSearchParams({ limit: String(limit) });
  if (open !== 'all') {
    query.set('agent', open.one);
    query.set('with', open.other);
  }
  if (before !== undefined) query.set('before', String(before));
  return `mail/messages?${query.toString()}`;
}

/** Who has something to read comes first; else as the hub says. */
export const byUnread = (boxes: readonly BoxSaid[]): BoxSaid[] => [...boxes].sort((a, b) => Number(b.unread > 0) - Number(a.unread > 0));

/** A letter starts a new block where its sender or its day is another. */
export const isSpokenOn = (before: LetterSaid | undefined, l: LetterSaid): boolean =>
  before !== undefined && before.sender_id === l.sender_id && before.created_at.slice(0, 10) === l.created_at.slice(0, 10) && Date.parse(l.created_at) - Date.parse(before.created_at) < 300_000;

/** A value in a line, or over lines where it has parts. */
export const valueText = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'null';

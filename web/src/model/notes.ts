// Notifications as the feed and the API tell them, and what each is about.

export const NOTE_KINDS = ['failed', 'stalled', 'conflict', 'groupDone', 'budget', 'noRole'] as const;
export type NoteKind = typeof NOTE_KINDS[number];

export interface Note {
  id: string;
  kind: NoteKind;
  count: number;
  body: string;
  groupId: string | null;
  agentId: string | null;
  at: number;
  isForBrowsers: boolean;
}

const text = (value: unknown) => typeof value === 'string' ? value : '';

/** null: a kind that this page does not know yet. */
export function noteOf(m: { at?: string; data: Record<string, unknown> }): Note | null {
  const { kind, channels } = m.data;
  if (!NOTE_KINDS.includes(kind as NoteKind) || !text(m.data['notificationId'])) return null;
  return {
    id: text(m.data['notificationId']), kind: kind as NoteKind, count: Number(m.data['count']) || 1, body: text(m.data['body']),
    groupId: text(m.data['groupId']) || null, agentId: text(m.data['agentId']) || null,
    at: Date.parse(m.at ?? '') || 0, isForBrowsers: Array.isArray(channels) && channels.includes('browser'),
  };
}

/** The screen that shows what it is about. */
export function placeOf(n: Note): string {
  if (n.agentId) return `/agents/${encodeURIComponent(n.agentId)}`;
  if (n.groupId) return `/groups/${encodeURIComponent(n.groupId)}`;
  if (n.kind === 'budget') return '/history?usage=day';
  if (n.kind === 'noRole') return '/health';
  return n.kind === 'groupDone' ? '/' : n.kind === 'failed' ? '/?filter=failed' : '/?filter=needs';
}

const MOST = 50;

/** Newest first, each once. */
export function joined(list: readonly Note[], more: readonly Note[]): Note[] {
  const all = new Map<string, Note>();
  for (const n of [...list, ...more]) all.set(n.id, n);
  return [...all.values()].sort((a, b) => b.at - a.at || (b.id < a.id ? -1 : 1)).slice(0, MOST);
}

/** The ids that were shown, with one more; null if that is there already. */
export function withShown(said: string | null, id: string): string | null {
  const ids = (said ?? '').split(' ').filter(Boolean);
  return ids.includes(id) ? null : [...ids, id].slice(-200).join(' ');
}

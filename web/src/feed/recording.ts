// A recording: a group and those below it as `kuromajutsu export --html` wrote
// them into the page's own file. It answers what a hub would of them, and asks
// nobody.

import { ApiError, type Answerer } from './ask';
import { CommandError, type Wire } from './feed';
import type { AgentSaid, GroupSaid, Language, LedgerSaid, Message, StoryEntry, StoryPage } from './types';

export interface RecordedAgent {
  record: AgentSaid;
  prompt?: unknown;
  process?: unknown;
  story?: { entries: StoryEntry[]; size?: number; isCut?: boolean };
}

interface Head {
  version: number;
  groupId: string;
  exportedAt: string;
  build: string;
  language: Language;
  events: Message[];
}

/** As it stands in the file: agents with their groups. */
export interface RecordingSaid extends Head {
  groups: (GroupSaid & { agents: RecordedAgent[]; ledgers?: { ledger: LedgerSaid | null }[] })[];
}

export interface Recording extends Head {
  groups: GroupSaid[];
  agents: RecordedAgent[];
}

/** A group that was deleted since is shown as it was. */
const isShown = (e: Message) => e.type !== 'group:deleted';

/** What of a story lies before (or from) an offset, as the API's pages are. */
export function pageOf(all: readonly StoryEntry[], size: number, query: URLSearchParams): StoryPage {
  const limit = Number(query.get('limit') ?? 100);
  const before = query.get('before');
  let first = 0;
  let last = all.length;
  if (before !== null) {
    last = countBefore(all, Number(before));
    first = Math.max(0, last - limit);
    while (first > 0 && all[first - 1]!.offset === all[first]!.offset) first--;
  } else {
    first = countBefore(all, Number(query.get('from') ?? 0));
    last = Math.min(all.length, first + limit);
    while (last > first && last < all.length && all[last - 1]!.offset === all[last]!.offset) last++;
  }
  const isEnd = last === all.length;
  return {
    entries: all.slice(first, last), previous: first > 0 ? all[first]?.offset ?? size : null, next: isEnd ? null : all[last]!.offset,
    upTo: isEnd ? size : null, size, isComplete: isEnd,
  };
}

function countBefore(all: readonly StoryEntry[], offset: number): number {
  const at = all.findIndex(e => e.offset >= offset);
  return at === -1 ? all.length : at;
}

function eventsOf(events: readonly Message[], query: URLSearchParams): { events: Message[] } {
  const since = Number(query.get('since') ?? 0);
  const first = events.findIndex(e => (e.seq ?? 0) > since);
  return { events: first === -1 ? [] : events.slice(first, first + Number(query.get('limit') ?? 1000)) };
}

const notThere = (path: string) => new ApiError(404, 'NOT_RECORDED', path, '');

function answer(r: Recording, byId: ReadonlyMap<string, RecordedAgent>, path: string): unknown {
  const [name = '', words = ''] = path.split('?', 2);
  const query = new URLSearchParams(words);
  const [first, id = '', what] = name.split('/');
  if (first === 'events') return eventsOf(r.events, query);
  const agent = first === 'agents' ? byId.get(decodeURIComponent(id)) : undefined;
  if (!agent) throw notThere(path);
  if (what === undefined) return agent.record;
  if (what === 'story' && agent.story) return { ...pageOf(agent.story.entries, agent.story.size ?? 0, query), isCut: agent.story.isCut };
  if (what === 'prompt' && agent.prompt) return agent.prompt;
  if (what === 'process' && agent.process) return agent.process;
  throw notThere(path);
}

/** How agents got on between events, as the feed would have told it. It is no
 * part of the end, which the records tell. */
export function progressOf(r: Recording): Message[] {
  const all = r.agents.flatMap(({ record: { agentId, groupId, samples } }) => (samples ?? []).map(
    ({ at, follows, ...data }): Message => ({ type: 'agent:status_update', at, follows, data: { agentId, groupId, status: 'running', ...data } })));
  return all.sort((a, b) => a.follows! - b.follows! || (a.at! < b.at! ? -1 : a.at! > b.at! ? 1 : 0));
}

export function answererOf(r: Recording): Answerer {
  const byId = new Map(r.agents.map(a => [a.record.agentId, a]));
  return async path => answer(r, byId, path);
}

export function readRecording(text: string): Recording {
  const r = JSON.parse(text) as RecordingSaid;
  const groups = r.groups.map(({ agents: _, ledgers, ...g }) => ({ ...g, status: 'active', ledger: ledgers?.at(-1)?.ledger ?? null }));
  return { ...r, events: r.events.filter(isShown), groups, agents: r.groups.flatMap(g => g.agents) };
}

/** The picture at its end, and all that was said of it until then. Events stand
 * behind the picture: what they know more of groups comes in, and an agent that
 * has ended is not woken by what was said while it ran. */
export function messagesOf(r: Recording): Message[] {
  const at = r.events[0]?.at ?? r.exportedAt;
  const data = { seq: 0, language: r.language, build: r.build, groups: r.groups, agents: r.agents.map(a => a.record) };
  return [{ type: 'server:startup', at, data }, ...r.events];
}

/** Its last moment: while something was under way, when it was written. */
export function endOf(r: Recording): number {
  const isOver = r.agents.every(a => Boolean(a.record.finishedAt));
  const last = Math.max(0, ...r.agents.map(a => Date.parse(a.record.finishedAt ?? '') || 0), Date.parse(r.events.at(-1)?.at ?? '') || 0);
  return isOver && last > 0 ? last : Date.parse(r.exportedAt);
}

/** Nothing can be ordered of a file, and it says nothing new. */
export class RecordingWire implements Wire {
  retry(): void { /* It is all there. */ }
  command(): Promise<never> { return Promise.reject(new CommandError('CONNECTION_LOST', '', '')); }
  listen(): () => void { return () => undefined; }
}

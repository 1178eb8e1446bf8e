// Sums over agents: what headers, bars and counts show.

import { STATUSES, type Status } from '../feed/types';
import { isEnded, wentBadly, type Agent, type Group, type World } from './world';

export interface Sum {
  count: number;
  by: Record<Status, number>;
  ended: number;
  bad: number;
  stalled: number;
  tools: number;
  tokens: number;
  cost: number;
  hasCost: boolean;
  from: number | null;
  to: number | null;
}

export function emptySum(): Sum {
  const by = Object.fromEntries(STATUSES.map(s => [s, 0])) as Record<Status, number>;
  return { count: 0, by, ended: 0, bad: 0, stalled: 0, tools: 0, tokens: 0, cost: 0, hasCost: false, from: null, to: null };
}

export function addAgent(s: Sum, a: Agent): Sum {
  s.count++;
  s.by[a.status]++;
  if (isEnded(a.status)) s.ended++;
  if (wentBadly(a)) s.bad++;
  if (a.stalled) s.stalled++;
  s.tools += a.tools;
  s.tokens += a.tokens;
  if (a.cost !== null) {
    s.cost += a.cost;
    s.hasCost = true;
  }
  const from = a.createdAt ?? a.startedAt;
  if (from !== null && (s.from === null || from < s.from)) s.from = from;
  if (a.finishedAt !== null && (s.to === null || a.finishedAt > s.to)) s.to = a.finishedAt;
  return s;
}

export function addSum(s: Sum, o: Sum): Sum {
  for (const k of STATUSES) s.by[k] += o.by[k];
  for (const k of ['count', 'ended', 'bad', 'stalled', 'tools', 'tokens', 'cost'] as const) s[k] += o[k];
  s.hasCost ||= o.hasCost;
  if (o.from !== null && (s.from === null || o.from < s.from)) s.from = o.from;
  if (o.to !== null && (s.to === null || o.to > s.to)) s.to = o.to;
  return s;
}

export function sumOf(w: World, ids: Iterable<string>): Sum {
  const s = emptySum();
  for (const id of ids) {
    const a = w.agents.get(id);
    if (a) addAgent(s, a);
  }
  return s;
}

export interface Tree {
  group: Group;
  children: Tree[];
}

/** Groups that stand on top, the newest first, with their child groups. */
export function treeOf(w: World): Tree[] {
  const byParent = new Map<string, Group[]>();
  const tops: Group[] = [];
  for (const g of w.groups.values()) {
    if (g.isDeleted) continue;
    const parent = g.parent !== null ? w.groups.get(g.parent) : undefined;
    if (!parent || parent.isDeleted) tops.push(g);
    else byParent.set(parent.id, [...(byParent.get(parent.id) ?? []), g]);
  }
  const newest = (a: Group, b: Group) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
  const grow = (group: Group): Tree => ({ group, children: (byParent.get(group.id) ?? []).sort(newest).map(grow) });
  return tops.sort(newest).map(grow);
}

export function* agentsOf(tree: Tree): Iterable<string> {
  yield* tree.group.agents;
  for (const child of tree.children) yield* agentsOf(child);
}

/** Agents that hold a place of those that agents share. An orchestrator has one
 * of its own; it alone is in a magentic group itself, which may be known before
 * it is known to lead. */
export function atWork(w: World): number {
  let count = 0;
  for (const a of w.agents.values()) {
    const g = w.groups.get(a.groupId);
    if (a.status === 'running' && g?.mode !== 'magentic' && g?.orchestrator !== a.id) count++;
  }
  return count;
}

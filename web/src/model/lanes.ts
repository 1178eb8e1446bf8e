// The time line's rows: one lane per agent, bands of iterations, brackets of
// stages, hand-overs. Pure, so that what is drawn can be tested without a
// canvas.

import type { Status } from '../feed/types';
import { isBad, isEnded, moment, seenAs, type Agent, type Group, type World } from './world';
import { treeOf, type Tree } from './sum';

/** A call; `took` of one under way is null. */
export interface Mark { at: number; took: number | null; kind: string; name: string; title: string; isBad: boolean }

export interface Lane {
  id: string;
  role: string;
  status: Status;
  stalled: boolean;
  queued: number;
  started: number | null;
  ended: number | null;
  stage: number | null;
  isLead: boolean;
}

export interface Span { index: number; from: number; to: number | null }

export interface Section {
  groupId: string;
  title: string;
  mode: Group['mode'];
  depth: number;
  lanes: Lane[];
  /** More than this many are a landscape instead of lanes. */
  isFolded: boolean;
  iterations: Span[];
  stages: Span[];
  from: number;
}

export const FOLD = 60;

function laneOf(a: Agent, g: Group): Lane | null {
  const queued = a.createdAt ?? a.startedAt;
  if (queued === null) return null;
  return { id: a.id, role: a.role, status: seenAs(a), stalled: a.stalled, queued, started: a.startedAt, ended: isEnded(a.status) ? a.finishedAt ?? (a.startedAt ?? queued) + a.elapsed : null, stage: a.stage, isLead: g.orchestrator === a.id };
}

/** An iteration lasts from its judgement to the next one's. */
export function iterationsOf(g: Group): Span[] {
  const told = [...(g.ledger?.progressHistory ?? []), ...(g.ledger?.progressLedger ? [g.ledger.progressLedger] : [])];
  const starts = new Map<number, number>();
  for (const p of told) {
    const at = moment(p.updatedAt);
    if (at !== null && p.iteration !== undefined && !starts.has(p.iteration)) starts.set(p.iteration, at);
  }
  const list = [...starts].sort((a, b) => a[0] - b[0]);
  return list.map(([index, from], i) => ({ index, from, to: list[i + 1]?.[1] ?? g.finishedAt }));
}

function stagesOf(lanes: Lane[]): Span[] {
  const out: Span[] = [];
  for (const l of lanes) {
    if (l.stage === null || l.started === null) continue;
    const s = out[l.stage] ??= { index: l.stage, from: l.started, to: l.ended };
    s.from = Math.min(s.from, l.started);
    s.to = s.to === null || l.ended === null ? null : Math.max(s.to, l.ended);
  }
  return out.filter(Boolean);
}

function sectionOf(w: World, tree: Tree, depth: number): Section[] {
  const g = tree.group;
  const lanes = g.agents.map(id => w.agents.get(id)).filter((a): a is Agent => a !== undefined).map(a => laneOf(a, g)).filter((l): l is Lane => l !== null);
  const own: Section = {
    groupId: g.id, title: g.description || g.id, mode: g.mode, depth, lanes, isFolded: lanes.length > FOLD, iterations: g.mode === 'magentic' ? iterationsOf(g) : [],
    stages: g.mode === 'sequential' ? stagesOf(lanes) : [], from: lanes.reduce((m, l) => Math.min(m, l.queued), g.createdAt || Infinity),
  };
  // An orchestrator's agents stand below it, in the order they were started.
  const children = [...tree.children].reverse().flatMap(c => sectionOf(w, c, depth + 1));
  return own.lanes.length === 0 && children.length === 0 ? [] : [own, ...children];
}

export function sectionsOf(w: World, only: string | null): Section[] {
  const find = (trees: Tree[]): Tree[] => trees.flatMap(t => t.group.id === only ? [t] : find(t.children));
  const trees = only ? find(treeOf(w)) : treeOf(w);
  return trees.flatMap(t => sectionOf(w, t, 0));
}

export function spanOf(sections: readonly Section[], now: number): { from: number; to: number } {
  let from = Infinity;
  let to = -Infinity;
  for (const s of sections) for (const l of s.lanes) {
    from = Math.min(from, l.queued);
    to = Math.max(to, l.ended ?? now);
  }
  if (!Number.isFinite(from)) return { from: now - 60_000, to: now };
  const room = Math.max(500, (to - from) * .02);
  return { from: from - room, to: to + room };
}

/** State of a lane at a moment; null: it was not there yet. */
export function stateAt(l: Lane, at: number): Status | null {
  if (at < l.queued) return null;
  if (l.started === null || at < l.started) return l.ended !== null && at >= l.ended ? l.status : 'queued';
  return l.ended !== null && at >= l.ended ? l.status : 'running';
}

/** From the last that ended of a stage to each that began in the next. */
export function handOvers(s: Section): { from: number; to: number }[] {
  const out: { from: number; to: number }[] = [];
  const byStage = new Map<number, number[]>();
  s.lanes.forEach((l, i) => { if (l.stage !== null) byStage.set(l.stage, [...(byStage.get(l.stage) ?? []), i]); });
  for (const [stage, lanes] of byStage) {
    const next = (byStage.get(stage + 1) ?? []).filter(i => s.lanes[i]!.started !== null);
    const last = lanes.filter(i => s.lanes[i]!.ended !== null).sort((a, b) => s.lanes[b]!.ended! - s.lanes[a]!.ended!)[0];
    if (last !== undefined) for (const to of next) out.push({ from: last, to });
  }
  return out;
}

export const failuresOf = (sections: readonly Section[]): { at: number; id: string }[] =>
  sections.flatMap(s => s.lanes).filter(l => isBad(l.status) && l.ended !== null).map(l => ({ at: l.ended!, id: l.id })).sort((a, b) => a.at - b.at);

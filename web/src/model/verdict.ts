// The verdict on top of Live, by the rule that docs/dashboard.md gives.

import type { StatusSaid } from '../feed/types';
import { addSum, emptySum, sumOf, type Sum } from './sum';
import { isEnded, wentBadly, type Agent, type World } from './world';

export type Need =
  | { kind: 'role'; key: string; roleId: string; model: string; reason: string; suggestion: string | null }
  | { kind: 'stalled'; key: string; agent: Agent }
  | { kind: 'stuck'; key: string; groupId: string; title: string; orchestrator: string | null }
  | { kind: 'bad'; key: string; groupId: string; title: string; failed: number; timedOut: number; agents: Agent[] }
  | { kind: 'conflict'; key: string; file: string; agents: Agent[] }
  | { kind: 'budget'; key: string; spent: number; limit: number }
  | { kind: 'config'; key: string; file: string; line: number; message: string }
  | { kind: 'trust'; key: string; count: number };

export type Mood = 'empty' | 'well' | 'needs' | 'trouble' | 'done';

export interface Verdict {
  mood: Mood;
  needs: Need[];
  sum: Sum;
}

/** A role that is being checked is not unavailable yet. */
export function rolesInNeed(w: World): Need[] {
  const out: Need[] = [];
  for (const r of w.roles.values()) {
    const isChecking = ['pending', 'running', 'checking'].includes(r.healthCheck?.status ?? '');
    if (r.available !== false || r.enabled === false || (isChecking && r.modelValidation?.status !== 'invalid')) continue;
    const check = r.modelValidation?.status === 'invalid' ? r.modelValidation : r.healthCheck;
    out.push({
      kind: 'role', key: `role:${r.id}`, roleId: r.id, model: r.model ?? '',
      reason: check?.reason ?? check?.message ?? check?.status ?? '', suggestion: r.modelValidation?.suggestions?.[0] ?? null,
    });
  }
  return out;
}

function badByGroup(w: World): Need[] {
  const out: Need[] = [];
  for (const g of w.groups.values()) {
    if (g.isDeleted) continue;
    const bad = g.agents.map(id => w.agents.get(id)).filter((a): a is Agent => a !== undefined && wentBadly(a));
    if (bad.length === 0) continue;
    const failed = bad.filter(a => a.status !== 'timedOut').length;
    out.push({ kind: 'bad', key: `bad:${g.id}`, groupId: g.id, title: g.description, failed, timedOut: bad.length - failed, agents: bad });
  }
  return out;
}

/** Files that two have touched who are under way. */
function conflicts(w: World): Need[] {
  const byFile = new Map<string, Set<Agent>>();
  for (const a of w.agents.values())
    for (const c of a.conflicts) {
      const other = w.agents.get(c.agentId);
      if (!other || isEnded(other.status)) continue;
      const all = byFile.get(c.path) ?? new Set();
      byFile.set(c.path, all.add(a).add(other));
    }
  return [...byFile].map(([file, agents]) => ({ kind: 'conflict' as const, key: `conflict:${file}`, file, agents: [...agents] }));
}

function ofTheHub(status: StatusSaid | null): Need[] {
  const out: Need[] = [];
  const limit = status?.budget?.dayUsd ?? 0;
  const spent = status?.budget?.spentTodayUsd ?? 0;
  if (limit > 0 && spent >= limit) out.push({ kind: 'budget', key: 'budget', spent, limit });
  const wrong = status?.configError;
  if (wrong) out.push({ kind: 'config', key: 'config', file: status.config ?? '', line: wrong.line, message: wrong.message });
  const withheld = status?.withheld?.length ?? 0;
  if (withheld > 0) out.push({ kind: 'trust', key: 'trust', count: withheld });
  return out;
}

/** Magentic groups that the hub has seen go round without progress. */
function stuck(w: World): Need[] {
  return [...w.groups.values()].filter(g => {
    const lead = g.orchestrator ? w.agents.get(g.orchestrator) : undefined;
    return g.stalled && !g.isDeleted && lead !== undefined && !isEnded(lead.status);
  }).map(g => ({ kind: 'stuck' as const, key: `stuck:${g.id}`, groupId: g.id, title: g.description, orchestrator: g.orchestrator }));
}

export function needsOf(w: World, status: StatusSaid | null): Need[] {
  const stalled = [...w.agents.values()].filter(a => a.stalled && !w.groups.get(a.groupId)?.isDeleted)
    .map(agent => ({ kind: 'stalled' as const, key: `stalled:${agent.id}`, agent }));
  return [...ofTheHub(status), ...rolesInNeed(w), ...conflicts(w), ...stalled, ...stuck(w), ...badByGroup(w)];
}

/** Ids of the agents that the needs are about: what "Needs me" shows. */
export function agentsInNeed(needs: readonly Need[]): Set<string> {
  const ids = new Set<string>();
  for (const n of needs) {
    if (n.kind === 'stalled') ids.add(n.agent.id);
    if (n.kind === 'stuck' && n.orchestrator) ids.add(n.orchestrator);
    if (n.kind === 'bad' || n.kind === 'conflict') for (const a of n.agents) ids.add(a.id);
  }
  return ids;
}

export function totalOf(w: World): Sum {
  const s = emptySum();
  for (const g of w.groups.values()) if (!g.isDeleted) addSum(s, sumOf(w, g.agents));
  return s;
}

function moodOf(w: World, needs: Need[], s: Sum): Mood {
  const roles = [...w.roles.values()].filter(r => r.enabled !== false);
  const isNoneUsable = roles.length > 0 && w.health === 'complete' && roles.every(r => r.available === false);
  const isMostlyBad = s.bad >= 3 && s.bad * 4 > s.ended;
  if (isNoneUsable || isMostlyBad) return 'trouble';
  if (s.count === 0) return needs.length > 0 ? 'needs' : 'empty';
  if (needs.length > 0) return 'needs';
  return s.ended === s.count ? 'done' : 'well';
}

export function verdictOf(w: World, status: StatusSaid | null): Verdict {
  const needs = needsOf(w, status);
  const sum = totalOf(w);
  return { mood: moodOf(w, needs, sum), needs, sum };
}

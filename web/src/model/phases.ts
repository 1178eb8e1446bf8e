// Phases as their screen shows them: which project and phase is open, how a
// phase stands while a plan runs it, whose its prompt is.

import type { PhaseCheckpointSaid, PhasePlanSaid, PhaseProjectSaid, PhasePromptSaid, PhaseRecordSaid, PhasesAnswer, Status } from '../feed/types';
import { isEnded, seenAs, type Agent, type World } from './world';

export const numberOf = (phase: string): number => Number(phase.slice('phase'.length));

/** The first that is not completed; null: all are. */
export function firstOpen(p: PhaseProjectSaid): PhaseRecordSaid | null {
  return p.phases.find(r => r.status !== 'completed') ?? null;
}

/** The asker's own, and all others of which there was something by then. */
export const projectsOf = (said: PhasesAnswer): PhaseProjectSaid[] => said.projects.filter((p, i) => i === 0 || !isUntouched(p));

/** What the address names, else the asker's own project. */
export function projectIn(said: PhasesAnswer, query: URLSearchParams): PhaseProjectSaid | undefined {
  return projectsOf(said).find(p => p.projectPath === query.get('project')) ?? said.projects[0];
}

/** What the address names, else where the project stands. */
export function phaseIn(p: PhaseProjectSaid, query: URLSearchParams): PhaseRecordSaid {
  return p.phases.find(r => r.phase === query.get('phase')) ?? firstOpen(p) ?? p.phases.at(-1)!;
}

/** A project without a plan in which nothing was begun. */
export const isUntouched = (p: PhaseProjectSaid): boolean => p.plans.length === 0 && p.phases.every(r => r.status === 'pending' && r.checkpoints.length === 0);

// ---- plans ------------------------------------------------------------------

const agentsOf = (w: World, plan: PhasePlanSaid): Agent[] =>
  (w.groups.get(plan.groupId)?.agents ?? []).flatMap(id => w.agents.get(id) ?? []);

export interface Run { plan: PhasePlanSaid; agent: Agent | null }

/** The newest plan that the phase is a stage of, and who is to do it: of several
 * attempts the last. */
export function runOf(w: World, p: PhaseProjectSaid, phase: string): Run | null {
  const plan = p.plans.find(x => numberOf(x.from) <= numberOf(phase));
  if (!plan) return null;
  const stage = numberOf(phase) - numberOf(plan.from);
  return { plan, agent: agentsOf(w, plan).filter(a => a.stage === stage).at(-1) ?? null };
}

/** The plan that is at work; null: none is. */
export function planAtWork(w: World, p: PhaseProjectSaid): PhasePlanSaid | null {
  return p.plans.find(plan => agentsOf(w, plan).some(a => !isEnded(a.status))) ?? null;
}

const STATES: Record<PhaseRecordSaid['status'], Status> = { pending: 'queued', in_progress: 'running', completed: 'resultReported', failed: 'failed' };

/** A phase is entered when its run has ended; while it runs, it is at work. */
export function stateOf(r: PhaseRecordSaid, run: Run | null): Status {
  return run?.agent?.status === 'running' && r.status !== 'completed' ? 'running' : STATES[r.status];
}

/** Whether a stage of a plan waits for its turn. */
export const isPlanned = (r: PhaseRecordSaid, run: Run | null): boolean => r.status === 'pending' && run?.agent?.status === 'queued';

/** How its run went, where that is more than the phase itself says. */
export const runState = (run: Run): Status | null => run.agent && seenAs(run.agent);

// ---- what it came to --------------------------------------------------------

export interface Outcome {
  /** What it ended with, or what was kept last. */
  kind: 'end' | 'checkpoint';
  status: string;
  summary: string;
  /** What has no place of its own. */
  rest: Record<string, unknown> | null;
}

const textIn = (value: unknown): string => typeof value === 'string' ? value : '';
const filled = (rest: Record<string, unknown>) => Object.keys(rest).length > 0 ? rest : null;

export function outcomeOf(r: PhaseRecordSaid): Outcome | null {
  if (r.result === null) return null;
  if ('checkpoint' in r.result && 'data' in r.result && !('status' in r.result))
    return { kind: 'checkpoint', status: textIn(r.result['checkpoint']), summary: '', rest: { data: r.result['data'] } };
  const { status, summary, outputFiles: _, ...rest } = r.result;
  return { kind: 'end', status: textIn(status), summary: textIn(summary), rest: filled(rest) };
}

/** The newest first: that is where one goes on. */
export const newestFirst = (points: readonly PhaseCheckpointSaid[]): PhaseCheckpointSaid[] => [...points].reverse();

// ---- prompts ----------------------------------------------------------------

export type Source = 'builtin' | 'file' | 'unreadable' | 'cloud' | 'copy' | 'unfetched';

export function sourceOf(p: PhasePromptSaid): Source {
  if (p.source === 'file') return p.problem === undefined ? 'file' : 'unreadable';
  if (p.source !== 'cloud') return 'builtin';
  return p.fetchedAt === null ? 'unfetched' : p.isStale ? 'copy' : 'cloud';
}

/** The last part of a path; of the root the whole. */
export const baseName = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? path;

import { expect, test } from 'vitest';
import type { PhasePlanSaid, PhaseProjectSaid, PhasePromptSaid, PhaseRecordSaid, Status } from '../feed/types';
import { baseName, firstOpen, isPlanned, isUntouched, newestFirst, outcomeOf, phaseIn, planAtWork, projectIn, projectsOf, runOf, runState, sourceOf, stateOf } from './phases';
import { emptyWorld, fold, newAgent, type World } from './world';

const record = (i: number, status: PhaseRecordSaid['status'] = 'pending', more: Partial<PhaseRecordSaid> = {}): PhaseRecordSaid => ({
  projectPath: '/p', phase: `phase${i}`, status, startedAt: null, completedAt: null, result: null, outputFiles: [], attempts: 0, checkpoints: [], ...more,
});
const project = (statuses: PhaseRecordSaid['status'][], plans: PhasePlanSaid[] = [], path = '/p'): PhaseProjectSaid =>
  ({ projectPath: path, phases: [0, 1, 2, 3, 4].map(i => record(i, statuses[i])), plans });
const plan = (groupId: string, from = 'phase0'): PhasePlanSaid => ({ groupId, projectPath: '/p', from, createdAt: '2026-01-01T00:00:00.000Z' });

/** A world in which the group has these agents, a stage each. */
function withGroup(id: string, ...states: Status[]): World {
  const w = emptyWorld();
  fold(w, { type: 'group:created', seq: 1, data: { groupId: id, description: 'd', mode: 'sequential' } }, new Set());
  const agents = states.map((status, stage) => ({ ...newAgent(`${id}-${stage}`), groupId: id, status, stage }));
  for (const a of agents) w.agents.set(a.id, a);
  w.groups.set(id, { ...w.groups.get(id)!, agents: agents.map(a => a.id) });
  return w;
}

test('a screen without words in its address shows the own project where it stands', () => {
  const said = { projects: [project(['completed', 'in_progress']), project(['failed'], [], '/q'), project([], [], '/later')], prompts: [] };
  const none = new URLSearchParams();
  expect(projectIn(said, none)?.projectPath).toBe('/p');
  expect(projectIn(said, new URLSearchParams('project=/q'))?.projectPath).toBe('/q');
  expect(projectIn(said, new URLSearchParams('project=/gone'))?.projectPath).toBe('/p');
  expect(phaseIn(said.projects[0]!, none).phase).toBe('phase1');
  expect(phaseIn(said.projects[0]!, new URLSearchParams('phase=phase3')).phase).toBe('phase3');
  expect(phaseIn(project(Array(5).fill('completed')), none).phase).toBe('phase4');
  expect(firstOpen(project(Array(5).fill('completed')))).toBeNull();
  // What was begun later was not there then; the own one always is.
  expect(projectsOf(said).map(p => p.projectPath)).toEqual(['/p', '/q']);
  expect(projectsOf({ projects: [project([])], prompts: [] })).toHaveLength(1);
  expect(projectIn({ projects: [], prompts: [] }, none)).toBeUndefined();
});

test('untouched is where neither a phase nor a plan was begun', () => {
  expect(isUntouched(project([]))).toBe(true);
  expect(isUntouched(project([], [plan('g')]))).toBe(false);
  expect(isUntouched(project(['failed']))).toBe(false);
});

test('a phase is at work while the agent of its stage is', () => {
  const p = project(['completed', 'pending', 'pending'], [plan('g', 'phase1'), plan('old')]);
  const w = withGroup('g', 'running', 'queued');
  const [zero, one, two] = p.phases;
  // Phase 0 is no stage of the newest plan, but of the one before it.
  expect(runOf(w, p, 'phase0')?.plan.groupId).toBe('old');
  const run = runOf(w, p, 'phase1')!;
  expect([run.plan.groupId, run.agent?.id, runState(run)]).toEqual(['g', 'g-0', 'running']);
  expect(stateOf(one!, run)).toBe('running');
  expect(stateOf(two!, runOf(w, p, 'phase2'))).toBe('queued');
  expect(isPlanned(two!, runOf(w, p, 'phase2'))).toBe(true);
  expect(isPlanned(zero!, null)).toBe(false);
  // What was completed by itself is so, though its agent goes on.
  expect(stateOf(record(1, 'completed'), run)).toBe('resultReported');
  expect([stateOf(record(0, 'failed'), null), stateOf(record(0, 'in_progress'), null)]).toEqual(['failed', 'running']);
  expect(planAtWork(w, p)?.groupId).toBe('g');
  expect(planAtWork(withGroup('g', 'resultReported', 'cancelled'), p)).toBeNull();
});

test('a run that failed says so, and a group that is gone has no agent', () => {
  const p = project(['failed'], [plan('g')]);
  expect(runState(runOf(withGroup('g', 'timedOut'), p, 'phase0')!)).toBe('timedOut');
  expect(runOf(emptyWorld(), p, 'phase0')).toEqual({ plan: p.plans[0], agent: null });
  expect(runOf(emptyWorld(), project([]), 'phase0')).toBeNull();
});

test('what it came to is its end, or what was kept last', () => {
  expect(outcomeOf(record(0))).toBeNull();
  expect(outcomeOf(record(0, 'completed', { result: { status: 'partial', summary: 's', outputFiles: ['a'], next: 1 } }))).toEqual({ kind: 'end', status: 'partial', summary: 's', rest: { next: 1 } });
  expect(outcomeOf(record(0, 'completed', { result: { status: 'completed' } }))).toEqual({ kind: 'end', status: 'completed', summary: '', rest: null });
  expect(outcomeOf(record(0, 'in_progress', { result: { checkpoint: 'c', data: { n: 1 } } }))).toEqual({ kind: 'checkpoint', status: 'c', summary: '', rest: { data: { n: 1 } } });
  expect(newestFirst([{ checkpoint: 'a', savedAt: '1' }, { checkpoint: 'b', savedAt: '2' }]).map(c => c.checkpoint)).toEqual(['b', 'a']);
});

test('a prompt is of a file, of the Cloud API, an old copy of it, or built in', () => {
  const prompt = (more: Partial<PhasePromptSaid>): PhasePromptSaid => ({ phase: 'phase0', source: 'builtin', origin: null, title: '', version: 1, fetchedAt: null, isStale: false, content: '', ...more });
  const at = '2026-01-01T00:00:00.000Z';
  expect([prompt({}), prompt({ source: 'file' }), prompt({ source: 'file', problem: 'no' }), prompt({ source: 'cloud' }), prompt({ source: 'cloud', fetchedAt: at }), prompt({ source: 'cloud', fetchedAt: at, isStale: true })].map(sourceOf))
    .toEqual(['builtin', 'file', 'unreadable', 'unfetched', 'cloud', 'copy']);
});

test('a project is called by the last part of its path', () => expect(['/a/b', '/a/b/', '/'].map(baseName)).toEqual(['b', 'b', '/']));

test('what happens in phases is told to their screen, and changes nothing else', () => {
  for (const type of ['phase:changed', 'phase:planned']) {
    const changed = new Set<string>();
    fold(emptyWorld(), { type, seq: 1, data: { projectPath: '/p' } }, changed);
    expect([...changed]).toEqual(['phases']);
  }
});

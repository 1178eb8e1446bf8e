import { describe, expect, it } from 'vitest';
import type { PmTaskSaid, ProjectsAnswer } from '../feed/types';
import { boardOf, candidatesOf, hindranceOf, mayMove, nextMove, pendingOf, projectIn, sessionAt } from './projects';

const time = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
const task = (id: string, more: Partial<PmTaskSaid> = {}): PmTaskSaid =>
  ({ id, project_id: 'prj_a', title: id, description: '', status: 'todo', priority: 'medium', created_at: time(0), updated_at: time(0), dependencies: [], ...more });
const agent = (id: string, more = {}) => ({ id, name: id.slice(4), role: '', type: 'ai' as const, role_type: 'developer', hierarchy_type: 'worker', max_parallel_tasks: 1, capabilities: [], status: 'active', created_at: time(0), ...more });
const project = (id: string, status: 'active' | 'paused' = 'active') => ({ id, name: id, description: '', status, created_at: time(0), updated_at: time(0) });
const said = (more: Partial<ProjectsAnswer> = {}): ProjectsAnswer => ({ projects: [project('prj_a')], tasks: [], agents: [], assignments: [], sessions: [], handoffs: [], ...more });

describe('moves of a person', () => {
  it('are those of the hub', () => {
    expect(mayMove(task('t', { status: 'in_progress' }), 'todo')).toBe(true);
    expect(mayMove(task('t', { status: 'backlog' }), 'in_progress')).toBe(false);
    expect(mayMove(task('t', { status: 'done' }), 'todo')).toBe(false);
  });
  it('skip columns where it may not go', () => {
    expect(nextMove(task('t', { status: 'backlog' }), 1)).toBe('todo');
    expect(nextMove(task('t', { status: 'blocked' }), -1)).toBe('in_progress');
    expect(nextMove(task('t', { status: 'blocked' }), 1)).toBe('cancelled');
    expect(nextMove(task('t', { status: 'backlog' }), -1)).toBe(null);
    expect(nextMove(task('t', { status: 'done' }), -1)).toBe(null);
  });
});

describe('the project shown', () => {
  const three = said({ projects: [project('prj_a'), project('prj_b'), project('prj_c', 'paused')] });
  it('is the one of the address, else the newest active', () => {
    expect(projectIn(three, new URLSearchParams('project=prj_c'))?.id).toBe('prj_c');
    expect(projectIn(three, new URLSearchParams('project=gone'))?.id).toBe('prj_b');
    expect(projectIn(said({ projects: [] }), new URLSearchParams())).toBe(undefined);
  });
});

describe('a board', () => {
  it('has what is urgent first, what ended last first, and counts what was not given up', () => {
    const b = boardOf(said({ tasks: [
      task('tsk_low', { priority: 'low' }), task('tsk_new', { priority: 'high', created_at: time(2) }), task('tsk_old', { priority: 'high', created_at: time(1) }),
      task('tsk_d1', { status: 'done', completed_at: time(1) }), task('tsk_d2', { status: 'done', completed_at: time(2) }),
      task('tsk_c', { status: 'cancelled' }), task('tsk_other', { project_id: 'prj_b' }),
    ] }), project('prj_a'));
    expect(b.columns.map(c => c.tasks.map(t => t.id))).toEqual([[], ['tsk_old', 'tsk_new', 'tsk_low'], [], [], ['tsk_d2', 'tsk_d1'], ['tsk_c']]);
    expect([b.done, b.all]).toEqual([2, 5]);
  });
  it('finds by words and by assignee, and still counts all', () => {
    const all = said({ tasks: [task('tsk_1', { title: 'Boil Water', assignee_id: 'agt_a' }), task('tsk_2', { description: 'hot water' }), task('tsk_3')] });
    const ids = (words: string, who = '') => boardOf(all, project('prj_a'), words, who).columns.flatMap(c => c.tasks.map(t => t.id));
    expect(ids('water')).toEqual(['tsk_1', 'tsk_2']);
    expect(ids('', 'agt_a')).toEqual(['tsk_1']);
    expect(ids('', '-')).toEqual(['tsk_2', 'tsk_3']);
    expect(boardOf(all, project('prj_a'), 'water').all).toBe(3);
  });
  it('shows who works there and at what, and no one who was taken off', () => {
    const b = boardOf(said({
      agents: [agent('agt_a'), agent('agt_b'), agent('agt_c')], tasks: [task('tsk_1', { assignee_id: 'agt_a', status: 'in_progress' })],
      assignments: [{ project_id: 'prj_a', agent_id: 'agt_a', assigned: true }, { project_id: 'prj_a', agent_id: 'agt_b', assigned: false }, { project_id: 'prj_b', agent_id: 'agt_c', assigned: true }],
      sessions: [{ id: 'ses_1', agent_id: 'agt_a', project_id: 'prj_a', task_id: 'tsk_1', run_id: 'impl-1' }],
    }), project('prj_a'));
    expect(b.agents.map(w => [w.agent.id, w.session?.run_id, w.tasks.length])).toEqual([['agt_a', 'impl-1', 1]]);
  });
  it('lists what nobody has taken before the rest', () => {
    const hand = (id: string, n: number, by?: string) => ({ id, task_id: 'tsk_1', project_id: 'prj_a', from_agent_id: 'agt_a', summary: '', created_at: time(n), ...(by ? { accepted_by: by } : {}) });
    const all = said({ handoffs: [hand('h1', 1), hand('h2', 2, 'agt_b'), hand('h3', 3)] });
    expect(boardOf(all, project('prj_a')).handoffs.map(h => h.id)).toEqual(['h3', 'h1', 'h2']);
    expect(pendingOf(all, task('tsk_1'))?.id).toBe('h1');
  });
});

describe('what keeps a task from beginning', () => {
  const all = said({ agents: [agent('agt_a'), agent('agt_two', { max_parallel_tasks: 2 })], tasks: [
    task('tsk_at', { status: 'in_progress', assignee_id: 'agt_a' }), task('tsk_two', { status: 'in_progress', assignee_id: 'agt_two' }), task('tsk_done', { status: 'done' })] });
  it('is what is not done, nobody to do it, or who is busy', () => {
    expect(hindranceOf(all, task('t', { dependencies: ['tsk_done', 'tsk_at', 'gone'] }))).toEqual({ kind: 'needs', tasks: ['tsk_at', 'gone'] });
    expect(hindranceOf(all, task('t', { dependencies: ['tsk_done'] }))).toEqual({ kind: 'assignee' });
    expect(hindranceOf(all, task('t', { assignee_id: 'agt_a' }))).toEqual({ kind: 'busy', agent: 'agt_a', most: 1 });
    expect(hindranceOf(all, task('t', { assignee_id: 'agt_two' }))).toBe(null);
    expect(hindranceOf(all, all.tasks[0]!)).toBe(null);
  });
});

describe('who', () => {
  it('is at work on a task', () => {
    expect(sessionAt(said({ sessions: [{ id: 's', agent_id: 'agt_a', project_id: 'prj_a', task_id: 't' }] }), task('t'))?.id).toBe('s');
  });
  it('may be given one: active agents of its project', () => {
    const all = said({ agents: [agent('agt_a'), agent('agt_off', { status: 'suspended' }), agent('agt_b')], assignments: ['agt_a', 'agt_off'].map(agent_id => ({ project_id: 'prj_a', agent_id, assigned: true })) });
    expect(candidatesOf(all, 'prj_a').map(a => a.id)).toEqual(['agt_a']);
  });
});

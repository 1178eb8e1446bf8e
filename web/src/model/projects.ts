// Projects as their screen shows them: which is open, its board, where a person
// may move a task and what keeps it from beginning, who is at work at what.

import type { PmAgentSaid, PmAssignedSaid, PmHandoffSaid, PmProjectSaid, PmSessionSaid, PmTaskSaid, ProjectsAnswer, Status } from '../feed/types';

export type TaskStatus = PmTaskSaid['status'];

/** The columns of the board, in the order in which a task goes through them. */
export const COLUMNS = ['backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const satisfies readonly TaskStatus[];
export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const satisfies readonly PmTaskSaid['priority'][];

/** Where a person may put a task: the hub's own table (docs/projects.md). The
 * hub judges; this says what to offer. */
const MOVES: Record<TaskStatus, readonly TaskStatus[]> = {
  backlog: ['todo', 'cancelled'],
  todo: ['backlog', 'in_progress', 'cancelled'],
  in_progress: ['todo', 'blocked', 'done', 'cancelled'],
  blocked: ['todo', 'in_progress', 'cancelled'],
  done: [],
  cancelled: [],
};
export const movesOf = (t: PmTaskSaid): readonly TaskStatus[] => MOVES[t.status];
export const mayMove = (t: PmTaskSaid, to: TaskStatus): boolean => MOVES[t.status].includes(to);

/** The nearest column in that direction where it may go; null: none. */
export function nextMove(t: PmTaskSaid, way: 1 | -1): TaskStatus | null {
  for (let i = COLUMNS.indexOf(t.status) + way; i >= 0 && i < COLUMNS.length; i += way)
    if (mayMove(t, COLUMNS[i]!)) return COLUMNS[i]!;
  return null;
}

/** A state of tasks is told by the glyph and colour of the agents' state that is
 * nearest to it. */
const STATES: Record<TaskStatus, Status> = { backlog: 'queued', todo: 'queued', in_progress: 'running', blocked: 'timedOut', done: 'resultReported', cancelled: 'cancelled' };
export const taskState = (t: TaskStatus): Status => STATES[t];

export const isOver = (t: PmTaskSaid): boolean => t.status === 'done' || t.status === 'cancelled';

/** What the address names, else the newest one that is active, else the newest. */
export function projectIn(said: ProjectsAnswer, query: URLSearchParams): PmProjectSaid | undefined {
  const named = said.projects.find(p => p.id === query.get('project'));
  return named ?? said.projects.findLast(p => p.status === 'active') ?? said.projects.at(-1);
}

export interface Board {
  project: PmProjectSaid;
  columns: { status: TaskStatus; tasks: PmTaskSaid[] }[];
  agents: Worker[];
  /** The newest first, those that nobody has taken before the others. */
  handoffs: PmHandoffSaid[];
  done: number;
  /** Of all that were not given up. */
  all: number;
}

/** An agent of the project, and what it is at. */
export interface Worker {
  agent: PmAgentSaid;
  assigned: PmAssignedSaid;
  session: PmSessionSaid | null;
  tasks: PmTaskSaid[];
}

const rankOf = (t: PmTaskSaid): number => PRIORITIES.indexOf(t.priority);

/** What is urgent first, and of the same the oldest; what is over, by its end. */
const inOrder = (status: TaskStatus) => (a: PmTaskSaid, b: PmTaskSaid): number =>
  status === 'done' || status === 'cancelled'
    ? Date.parse(b.completed_at ?? b.updated_at) - Date.parse(a.completed_at ?? a.updated_at)
    : rankOf(a) - rankOf(b) || Date.parse(a.created_at) - Date.parse(b.created_at);

const isFound = (t: PmTaskSaid, words: string, who: string): boolean =>
  (who === '' || (t.assignee_id ?? '-') === who) && (words === '' || `${t.title}\n${t.id}\n${t.description}`.toLowerCase().includes(words.toLowerCase()));

export function boardOf(said: ProjectsAnswer, project: PmProjectSaid, words = '', who = ''): Board {
  const tasks = said.tasks.filter(t => t.project_id === project.id);
  const found = tasks.filter(t => isFound(t, words, who));
  const handoffs = said.handoffs.filter(h => h.project_id === project.id);
  return {
    project,
    columns: COLUMNS.map(status => ({ status, tasks: found.filter(t => t.status === status).sort(inOrder(status)) })),
    agents: said.assignments.filter(x => x.project_id === project.id && x.assigned).flatMap(assigned => {
      const agent = said.agents.find(a => a.id === assigned.agent_id);
      const session = said.sessions.findLast(s => s.project_id === project.id && s.agent_id === assigned.agent_id) ?? null;
      return agent ? [{ agent, assigned, session, tasks: tasks.filter(t => t.assignee_id === agent.id) }] : [];
    }),
    handoffs: [...handoffs].sort((a, b) => Number(a.accepted_by !== undefined) - Number(b.accepted_by !== undefined) || Date.parse(b.created_at) - Date.parse(a.created_at)),
    done: tasks.filter(t => t.status === 'done').length,
    all: tasks.filter(t => t.status !== 'cancelled').length,
  };
}

/** What keeps a task from being begun, as the hub would say it. */
export type Hindrance = { kind: 'assignee' } | { kind: 'needs'; tasks: string[] } | { kind: 'busy'; agent: string; most: number };

export function hindranceOf(said: ProjectsAnswer, t: PmTaskSaid): Hindrance | null {
  if (isOver(t) || t.status === 'in_progress') return null;
  const open = t.dependencies.filter(id => said.tasks.find(x => x.id === id)?.status !== 'done');
  if (open.length > 0) return { kind: 'needs', tasks: open };
  if (t.assignee_id === undefined) return { kind: 'assignee' };
  const most = said.agents.find(a => a.id === t.assignee_id)?.max_parallel_tasks ?? 1;
  const busy = said.tasks.filter(x => x.project_id === t.project_id && x.assignee_id === t.assignee_id && x.status === 'in_progress').length;
  return busy >= most ? { kind: 'busy', agent: t.assignee_id, most } : null;
}

/** Who is at work on it just now. */
export const sessionAt = (said: ProjectsAnswer, t: PmTaskSaid): PmSessionSaid | undefined => said.sessions.findLast(s => s.task_id === t.id);

/** Handed on, and not taken yet. */
export const pendingOf = (said: ProjectsAnswer, t: PmTaskSaid): PmHandoffSaid | undefined => said.handoffs.find(h => h.task_id === t.id && h.accepted_by === undefined);

/** To whom a task may be given: who works in its project. */
export const candidatesOf = (said: ProjectsAnswer, project: string): PmAgentSaid[] =>
  said.agents.filter(a => a.status === 'active' && said.assignments.some(x => x.project_id === project && x.agent_id === a.id && x.assigned));

export const nameOf = (said: ProjectsAnswer, id: string): string => said.agents.find(a => a.id === id)?.name ?? id;

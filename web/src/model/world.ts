// The folded state: what all messages up to one moment come to. Entries are
// never changed in place, so whoever holds one knows by identity whether it is
// the newest. fold() is pure but for the world it is given.

import type {
  AgentSaid, ConfigSaid, GroupSaid, HealthSaid, Language, LedgerSaid, Message, Mode, ResultSaid, RoleSaid, SnapshotSaid, Status, UsageSaid,
} from '../feed/types';
import { plainTool } from './kind';
import { beginning, sizeOf } from './light';

export interface Conflict { path: string; agentId: string }

export interface Agent {
  id: string;
  groupId: string;
  role: string;
  model: string;
  backend: string;
  status: Status;
  stalled: boolean;
  createdAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  elapsed: number;
  tools: number;
  files: number;
  tool: string;
  /** What that is about: a file, a command, a pattern. */
  title: string;
  /** When it began; 0: not known. */
  toolAt: number;
  words: string;
  about: string;
  summary: string;
  outcome: string;
  error: string;
  tokens: number;
  cost: number | null;
  usage: UsageSaid | null;
  stage: number | null;
  edited: readonly string[];
  created: readonly string[];
  /** The beginning of its report, and how long the whole is. */
  response: string;
  responseBytes: number;
  place: string;
  /** Files that another agent under way has touched too. */
  conflicts: readonly Conflict[];
  /** When its state last changed, as we heard it: one-shot motion hangs on it. */
  changedAt: number;
}

export interface Group {
  id: string;
  description: string;
  mode: Mode;
  createdAt: number;
  finishedAt: number | null;
  parent: string | null;
  orchestrator: string | null;
  iteration: number | null;
  maxIterations: number | null;
  stageIndex: number | null;
  stageTotal: number | null;
  ledger: LedgerSaid | null;
  stalled: boolean;
  isDeleted: boolean;
  task: string;
  scope: string;
  criteria: string;
  agents: readonly string[];
}

export interface World {
  seq: number;
  at: number;
  startedAt: number;
  version: string;
  build: string;
  language: Language | null;
  models: readonly string[];
  health: string;
  config: ConfigSaid;
  roles: Map<string, RoleSaid>;
  groups: Map<string, Group>;
  agents: Map<string, Agent>;
}

/** Names of what a message changed: `agent:ID`, `group:ID`, or a whole. */
export type Changed = Set<string>;

/** Systems that have screens of their own, by what their events begin with. The
 * world has nothing of them: their screens ask (parts/shown.ts). */
const SYSTEMS = { 'mail:': 'mail', 'context:': 'mail', 'phase:': 'phases', 'pm:': 'projects' } as const;
export type System = (typeof SYSTEMS)[keyof typeof SYSTEMS];
const systemOf = (type: string): System | undefined => SYSTEMS[type.slice(0, type.indexOf(':') + 1) as keyof typeof SYSTEMS];

export const ENDED: ReadonlySet<Status> = new Set<Status>(['completed', 'resultReported', 'failed', 'timedOut', 'cancelled']);
export const isEnded = (s: Status) => ENDED.has(s);
export const isBad = (s: Status) => s === 'failed' || s === 'timedOut';

/** Ended badly: by its state, or by its own report. */
export const wentBadly = (a: Pick<Agent, 'status' | 'outcome'>) => isBad(a.status) || (isEnded(a.status) && a.status !== 'cancelled' && a.outcome === 'failure');

/** A report of failure is seen as one, on every screen. */
export const seenAs = (a: Pick<Agent, 'status' | 'outcome'>): Status => wentBadly(a) && !isBad(a.status) ? 'failed' : a.status;

/** Agents of a group that nobody has told of are not sorted anywhere. */
export const isUnsorted = (g: Group): boolean => g.createdAt === 0 && g.description === '';

export function emptyWorld(): World {
  return {
    seq: 0, at: 0, startedAt: 0, version: '', build: '', language: null, models: [], health: '', config: {},
    roles: new Map(), groups: new Map(), agents: new Map(),
  };
}

/** A copy that may be folded on; entries are shared, for they never change. */
export function copyWorld(w: World): World {
  return { ...w, roles: new Map(w.roles), groups: new Map(w.groups), agents: new Map(w.agents) };
}

export const moment = (text: string | null | undefined): number | null => {
  const ms = text ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? null : ms;
};

/** What an agent is about stands in a line. */
const ABOUT = 300;

export const firstLine = (text: string): string =>
  text.split('\n').map(line => line.trim()).find(line => line !== '') ?? '';

function tokensOf(u: UsageSaid | null | undefined): number {
  return u ? (u.inputTokens ?? 0) + (u.outputTokens ?? 0) + (u.cacheReadTokens ?? 0) + (u.cacheWriteTokens ?? 0) : 0;
}

export function newAgent(id: string): Agent {
  return {
    id, groupId: '', role: id.replace(/-\d+-[0-9a-z]+$/, ''), model: '', backend: '', status: 'queued', stalled: false, createdAt: null,
    startedAt: null, finishedAt: null, elapsed: 0, tools: 0, files: 0, tool: '', title: '', toolAt: 0, words: '', about: '', summary: '', outcome: '',
    error: '', tokens: 0, cost: null, usage: null, stage: null, edited: [], created: [], response: '', responseBytes: 0, place: '', conflicts: [], changedAt: 0,
  };
}

function takeResult(a: Agent, r: ResultSaid | null | undefined): Agent {
  if (!r) return a;
  return {
    ...a, outcome: r.status ?? a.outcome, summary: r.summary ?? a.summary, error: r.errorMessage ?? a.error, response: beginning(r.response ?? a.response),
    responseBytes: r.responseBytes ?? (r.response === undefined ? a.responseBytes : sizeOf(r.response)),
    edited: r.editedFiles ?? a.edited, created: r.createdFiles ?? a.created,
    files: Math.max(a.files, (r.editedFiles?.length ?? 0) + (r.createdFiles?.length ?? 0)),
    finishedAt: a.finishedAt ?? moment(r.timestamp), elapsed: r.duration_ms ?? a.elapsed,
  };
}

/** Progress of an ended agent that was under way must not wake it again. */
function isLate(old: Agent, said: AgentSaid): boolean {
  return isEnded(old.status) && said.status !== undefined && !isEnded(said.status);
}

export function takeAgent(old: Agent, said: AgentSaid, at: number): Agent {
  if (isLate(old, said)) return old;
  const status = said.status ?? old.status;
  const tool = said.tool === undefined ? old.tool : plainTool(said.tool);
  const counted = said.editedFileCount === undefined ? old.files : said.editedFileCount + (said.createdFileCount ?? 0);
  const usage = said.usage ?? old.usage;
  const startedAt = moment(said.startedAt) ?? old.startedAt ?? (status === 'running' && at > 0 ? at - (said.elapsed_ms ?? 0) : null);
  const finished = moment(said.finishedAt) ?? old.finishedAt;
  const elapsed = said.elapsed_ms ?? said.duration_ms ?? old.elapsed;
  const toolAt = said.toolAt !== undefined ? moment(said.toolAt) ?? 0 : tool === old.tool && (said.toolCallCount ?? old.tools) === old.tools ? old.toolAt : at;
  const made: Agent = {
    ...old,
    groupId: said.groupId ?? old.groupId,
    role: said.role ?? old.role,
    model: said.model ?? old.model,
    backend: said.backend ?? old.backend,
    status,
    stalled: isEnded(status) ? false : said.stalled ?? old.stalled,
    createdAt: moment(said.createdAt) ?? old.createdAt,
    startedAt,
    finishedAt: isEnded(status) ? finished ?? (startedAt === null ? null : startedAt + elapsed) : null,
    elapsed,
    tools: said.toolCallCount ?? old.tools,
    files: Math.max(counted, (said.editedFiles?.length ?? 0) + (said.createdFiles?.length ?? 0)),
    tool: isEnded(status) ? '' : tool,
    title: isEnded(status) ? '' : said.tool === undefined ? old.title : said.toolTitle ?? '',
    toolAt,
    words: said.lastAssistantMessage || old.words,
    about: said.about || (said.prompt ? beginning(firstLine(said.prompt), ABOUT) : '') || old.about,
    summary: said.summary ?? old.summary,
    outcome: said.outcome ?? old.outcome,
    error: said.errorMessage ?? old.error,
    tokens: usage ? tokensOf(usage) : old.tokens,
    cost: said.costUsd ?? usage?.costUsd ?? old.cost,
    usage,
    stage: said.stageIndex ?? old.stage,
    edited: said.editedFiles ?? old.edited,
    created: said.createdFiles ?? old.created,
    place: said.workingDirectory ?? old.place,
    conflicts: said.conflicts ?? old.conflicts,
    changedAt: status === old.status ? old.changedAt : at,
  };
  return takeResult(made, said.result);
}

function newGroup(id: string): Group {
  return {
    id, description: '', mode: 'concurrent', createdAt: 0, finishedAt: null, parent: null, orchestrator: null, iteration: null,
    maxIterations: null, stageIndex: null, stageTotal: null, ledger: null, stalled: false, isDeleted: false, task: '', scope: '',
    criteria: '', agents: [],
  };
}

function takeGroup(old: Group, said: GroupSaid): Group {
  return {
    ...old,
    description: said.description ?? old.description,
    mode: said.mode ?? old.mode,
    createdAt: moment(said.createdAt) ?? old.createdAt,
    finishedAt: said.finishedAt === undefined ? old.finishedAt : moment(said.finishedAt),
    parent: said.parentGroupId ?? old.parent,
    orchestrator: said.orchestratorAgentId ?? old.orchestrator,
    iteration: said.iteration ?? said.ledger?.iteration ?? old.iteration,
    maxIterations: said.maxIterations ?? old.maxIterations,
    stageIndex: said.stage?.index ?? old.stageIndex,
    stageTotal: said.stage?.total ?? said.stages?.length ?? old.stageTotal,
    ledger: said.ledger ?? old.ledger,
    stalled: said.stalled ?? old.stalled,
    isDeleted: said.status === 'deleted' ? true : said.status ? false : old.isDeleted,
    task: said.task ?? old.task,
    scope: said.scope ?? old.scope,
    criteria: said.completionCriteria ?? old.criteria,
  };
}

function setAgent(w: World, said: AgentSaid, at: number, changed: Changed) {
  const old = w.agents.get(said.agentId);
  const made = takeAgent(old ?? newAgent(said.agentId), said, at);
  if (made === old) return;
  w.agents.set(made.id, made);
  changed.add(`agent:${made.id}`).add(`group:${made.groupId}`);
  const group = w.groups.get(made.groupId) ?? newGroup(made.groupId);
  if (old?.groupId !== made.groupId) {
    if (!group.agents.includes(made.id)) w.groups.set(group.id, { ...group, agents: [...group.agents, made.id] });
    changed.add('groups').add('agents');
  }
  if (isEnded(made.status)) leave(w, made.id, changed);
  if (!old || old.status !== made.status || old.stalled !== made.stalled) changed.add('agents').add(`states:${made.groupId}`);
}

/** Who has ended is in nobody's way any more. */
function leave(w: World, id: string, changed: Changed) {
  const gone = w.agents.get(id)!;
  if (gone.conflicts.length === 0) return;
  w.agents.set(id, { ...gone, conflicts: [] });
  for (const other of new Set(gone.conflicts.map(c => c.agentId))) {
    const a = w.agents.get(other);
    if (!a) continue;
    w.agents.set(other, { ...a, conflicts: a.conflicts.filter(c => c.agentId !== id) });
    changed.add(`agent:${other}`);
  }
  changed.add('agents');
}

function meet(w: World, id: string, path: string, other: string, changed: Changed) {
  const a = w.agents.get(id);
  if (!a || isEnded(a.status) || a.conflicts.some(c => c.path === path && c.agentId === other)) return;
  w.agents.set(id, { ...a, conflicts: [...a.conflicts, { path, agentId: other }] });
  changed.add(`agent:${id}`).add('agents');
}

function setGroup(w: World, said: GroupSaid, changed: Changed) {
  const id = said.groupId ?? said.id ?? '';
  const old = w.groups.get(id);
  w.groups.set(id, takeGroup(old ?? newGroup(id), said));
  changed.add(`group:${id}`).add(`states:${id}`).add('groups');
}

function setHealth(w: World, said: HealthSaid, changed: Changed) {
  const old = w.roles.get(said.roleId);
  const { roleId, ...rest } = said;
  w.roles.set(roleId, { ...(old ?? { id: roleId }), ...rest });
  changed.add('roles');
}

/** Its roles are all there are; what is known of their health stays. */
function setConfig(w: World, said: ConfigSaid) {
  w.config = said;
  if (!said.roles) return;
  const old = w.roles;
  w.roles = new Map(said.roles.map(role => [role.id, { ...old.get(role.id), ...role }]));
}

/** The whole picture takes the place of what was there. */
export function begin(said: SnapshotSaid, at: number): World {
  const w = emptyWorld();
  const none: Changed = new Set();
  w.seq = said.seq ?? 0;
  w.at = at;
  w.startedAt = moment(said.startedAt) ?? 0;
  w.version = said.version ?? '';
  w.build = said.build ?? '';
  w.language = said.language ?? null;
  w.models = said.availableModels ?? [];
  w.health = said.healthcheck?.status ?? '';
  for (const role of said.roles ?? []) w.roles.set(role.id, role);
  if (said.config) setConfig(w, said.config);
  for (const group of said.groups ?? []) setGroup(w, group, none);
  const members = new Map<string, string[]>();
  for (const agent of said.agents ?? []) {
    const made = { ...takeAgent(newAgent(agent.agentId), agent, at), changedAt: 0, ...(agent.toolAt === undefined && { toolAt: 0 }) };
    w.agents.set(made.id, made);
    const list = members.get(made.groupId);
    if (list) list.push(made.id);
    else members.set(made.groupId, [made.id]);
  }
  const isAtWork = (id: string) => { const a = w.agents.get(id); return a !== undefined && !isEnded(a.status); };
  for (const a of w.agents.values()) if (a.conflicts.length > 0) w.agents.set(a.id, { ...a, conflicts: isAtWork(a.id) ? a.conflicts.filter(c => isAtWork(c.agentId)) : [] });
  for (const [id, agents] of members) w.groups.set(id, { ...(w.groups.get(id) ?? newGroup(id)), agents });
  return w;
}

type Handler = (w: World, data: never, changed: Changed, at: number) => void;

const handlers: Record<string, Handler> = {
  'group:created': (w, data: GroupSaid, changed) => setGroup(w, data, changed),
  'group:updated': (w, data: GroupSaid, changed) => setGroup(w, data, changed),
  'group:deleted': (w, data: GroupSaid, changed) => setGroup(w, { groupId: data.groupId, status: 'deleted' }, changed),
  'group:completed': (w, data: GroupSaid, changed, at) => setGroup(w, { groupId: data.groupId, finishedAt: data.finishedAt ?? new Date(at).toISOString() }, changed),
  'group:stalled': (w, data: GroupSaid, changed) => setGroup(w, { groupId: data.groupId, stalled: true }, changed),
  'group:stage_advanced': (w, data: { groupId: string; stageIndex: number; totalStages: number }, changed) =>
    setGroup(w, { groupId: data.groupId, stage: { index: data.stageIndex, total: data.totalStages } }, changed),
  'group:ledger_updated': (w, data: LedgerSaid, changed) =>
    setGroup(w, { groupId: data.groupId, ledger: data, iteration: data.iteration, stalled: false }, changed),
  'agent:result_reported': (w, data: ResultSaid & { agentId: string }, changed, at) =>
    setAgent(w, { agentId: data.agentId, result: data }, at, changed),
  'agent:stalled': (w, data: AgentSaid, changed, at) => setAgent(w, { ...data, stalled: true }, at, changed),
  'agent:conflict': (w, data: { agentId: string; path: string; with: string[] }, changed) => {
    for (const other of data.with) {
      meet(w, data.agentId, data.path, other, changed);
      meet(w, other, data.path, data.agentId, changed);
    }
  },
  'healthcheck:model_validation': (w, data: { results?: HealthSaid[] }, changed) => {
    w.health = 'running';
    for (const said of data.results ?? []) setHealth(w, said, changed);
  },
  'healthcheck:role_start': (w, data: HealthSaid, changed, at) =>
    setHealth(w, { roleId: data.roleId, healthCheck: { status: 'running', startedAt: new Date(at).toISOString() } }, changed),
  'healthcheck:role_complete': (w, data: HealthSaid, changed) => {
    const before = w.roles.get(data.roleId)?.healthCheck?.startedAt;
    setHealth(w, before && data.healthCheck ? { ...data, healthCheck: { startedAt: before, ...data.healthCheck } } : data, changed);
  },
  'healthcheck:complete': (w, data: { results?: HealthSaid[]; availableModels?: string[] }, changed) => {
    w.health = 'complete';
    for (const said of data.results ?? []) {
      const before = w.roles.get(said.roleId)?.healthCheck?.startedAt;
      setHealth(w, before ? { ...said, healthCheck: { startedAt: before, ...said.healthCheck } } : said, changed);
    }
    if (data.availableModels) w.models = data.availableModels;
    changed.add('roles');
  },
  'config:updated': (w, data: ConfigSaid, changed) => {
    setConfig(w, data);
    changed.add('roles').add('config');
  },
  // What is wrong is asked of the hub; here it is only heard of.
  'config:trouble': (_w, _data: unknown, changed) => void changed.add('config'),
};

/** Folds one message into the world and says what it changed. */
export function fold(w: World, m: Message, changed: Changed): void {
  const at = moment(m.at) ?? w.at;
  if (m.seq !== undefined) {
    if (m.seq <= w.seq && m.seq > 0) return;
    w.seq = m.seq;
  }
  if (at > w.at) w.at = at;
  if (m.type === 'agent:status_update' && m.data['event']) return;
  const handler = handlers[m.type];
  const system = systemOf(m.type);
  if (system) changed.add(system);
  else if (handler) handler(w, m.data as never, changed, at);
  else if (m.type.startsWith('agent:') && m.data['agentId']) setAgent(w, m.data as unknown as AgentSaid, at, changed);
}

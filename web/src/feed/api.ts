// Written by web/api_schema.py out of transport/web/api.json: what the hub says.

/** How far an agent is. */
export type Status = 'queued' | 'running' | 'completed' | 'resultReported' | 'failed' | 'timedOut' | 'cancelled';

/** How a group works. */
export type Mode = 'concurrent' | 'sequential' | 'magentic';

/** Of prompts and messages. */
export type Language = 'ja' | 'en';

/** Where a value is from: built in, the user's own file, the project's file, a variable. */
export type Origin = 'builtin' | 'user' | 'file' | 'environment';

/** Tokens and cost. */
export interface Usage {
  /** read */
  inputTokens?: number;
  /** written */
  outputTokens?: number;
  /** read from the cache */
  cacheReadTokens?: number;
  /** written to the cache */
  cacheWriteTokens?: number;
  /** dollars; not there where no price is known */
  costUsd?: number;
  /** of a sum: tokens that have no price */
  unpricedTokens?: number;
  /** of a sum: agents whose cost is known */
  pricedAgents?: number;
}

/** What an agent has done. */
export interface Result {
  /** whose it is */
  agentId?: string;
  /** its group */
  groupId?: string;
  /** success, failure, timeout or cancelled */
  status?: string;
  /** in a sentence */
  summary?: string;
  /** the report, Markdown */
  response?: string;
  /** of the whole, where it was cut */
  responseBytes?: number;
  /** paths */
  editedFiles?: string[];
  /** paths */
  createdFiles?: string[];
  /** from its start to its end */
  duration_ms?: number;
  /** as its role had it */
  model?: string;
  /** its role */
  role?: string;
  /** calls of tools */
  toolCallCount?: number;
  /** why it failed */
  errorMessage?: string;
  /** when it was given */
  timestamp?: string;
  /** its process tree has ended: nothing changes any more */
  final?: boolean;
  /** of an orchestrator: its last ledger */
  finalLedger?: Ledger;
}

/** A file that another agent has touched too. */
export interface Conflict {
  /** the file */
  path: string;
  /** the other */
  agentId: string;
}

/** A state that an agent was in. */
export interface StateKept {
  /** since when */
  at: string;
  /** which */
  state: Status;
}

/** How an agent got on, between two events. */
export interface Sample {
  /** when */
  at: string;
  /** the number of the event before */
  follows: number;
  /** calls of tools */
  toolCallCount: number;
  /** the tool at work; empty: none */
  tool: string;
  /** what that is about, one line */
  toolTitle?: string;
  /** since when; null: not known */
  toolAt?: string | null;
  /** its last words */
  lastAssistantMessage?: string;
  /** files it has edited */
  editedFileCount: number;
  /** files it has created */
  createdFileCount: number;
  /** tokens and cost */
  usage: Usage;
}

/** An agent. Lists have less of it than its own page. */
export interface Agent {
  /** its id */
  agentId: string;
  /** its group */
  groupId?: string;
  /** what that is about */
  groupDescription?: string;
  /** its role */
  role?: string;
  /** its model */
  model?: string;
  /** its CLI */
  backend?: string;
  /** how far it is */
  status?: Status;
  /** success or failure, once it is done */
  outcome?: string | null;
  /** when it was ordered */
  createdAt?: string | null;
  /** when it was started; null: not yet */
  startedAt?: string | null;
  /** when it was done; null: not yet */
  finishedAt?: string | null;
  /** since its start, or until its end */
  elapsed_ms?: number;
  /** of one that has ended */
  duration_ms?: number;
  /** calls of tools */
  toolCallCount?: number;
  /** the tool at work; empty: none */
  tool?: string;
  /** what that is about, one line: a file, a command, a pattern */
  toolTitle?: string;
  /** since when; null: not known */
  toolAt?: string | null;
  /** its last words */
  lastAssistantMessage?: string;
  /** the first line of its prompt */
  about?: string;
  /** its task */
  prompt?: string;
  /** of its result */
  summary?: string | null;
  /** why it failed */
  errorMessage?: string | null;
  /** of a search: where its first word is, and what stands around it */
  hit?: string;
  /** once it is done */
  result?: Result | null;
  /** files it has edited */
  editedFileCount?: number;
  /** files it has created */
  createdFileCount?: number;
  /** these */
  editedFiles?: string[];
  /** these */
  createdFiles?: string[];
  /** tokens and cost */
  usage?: Usage | null;
  /** of a sequential plan: which stage, from 0 */
  stageIndex?: number | null;
  /** it has been silent for long */
  stalled?: boolean;
  /** where it works */
  workingDirectory?: string;
  /** its process; 0: none */
  pid?: number | null;
  /** the CLI's own name for the session */
  sessionId?: string;
  /** the model, as the CLI says it */
  cliModel?: string;
  /** that it has written */
  messages?: number;
  /** of its transcript */
  lines?: number;
  /** of its transcript */
  bytes?: number;
  /** lines that this version does not know */
  unknownLines?: number;
  /** lines that were too long */
  skippedLines?: number;
  /** its process tree has ended */
  gone?: boolean;
  /** its directory in the state directory */
  dir?: string;
  /** the agent that it stands in for */
  retryOf?: string;
  /** of its record: 0: none */
  timeout_ms?: number;
  /** of its record: when its process tree had ended */
  goneAt?: string | null;
  /** of its record: whether it has reported */
  reported?: boolean;
  /** of its record: what it has been */
  states?: StateKept[];
  /** of its record: how it got on, in the order of time */
  samples?: Sample[];
  /** of its record */
  events?: Event[];
  /** files that others have touched too */
  conflicts?: Conflict[];
  /** dollars */
  costUsd?: number | null;
}

/** An orchestrator's plan. */
export interface TaskLedger {
  /** by kind: given, toInvestigate, toDerive, assumptions */
  facts?: Record<string, string[]>;
  /** its steps */
  plan?: string[];
  /** when it was written */
  updatedAt?: string;
}

/** Yes or no, with its reason. */
export interface Judgement {
  /** why */
  reason?: string;
  /** the judgement */
  answer?: boolean;
}

/** A text, with its reason. */
export interface Advice {
  /** why */
  reason?: string;
  /** the text */
  answer?: string;
}

/** An orchestrator's judgement of how it goes. */
export interface ProgressLedger {
  /** whether all is done */
  isRequestSatisfied?: Judgement;
  /** whether it goes in circles */
  isInLoop?: Judgement;
  /** whether it moves */
  isProgressBeingMade?: Judgement;
  /** what is next */
  nextAction?: Advice;
  /** for whom that is */
  instruction?: Advice;
  /** which round */
  iteration?: number;
  /** when it was written */
  updatedAt?: string;
}

/** An orchestrator's own record. */
export interface Ledger {
  /** of which group */
  groupId?: string;
  /** the plan */
  taskLedger?: TaskLedger;
  /** the last judgement */
  progressLedger?: ProgressLedger;
  /** rounds so far */
  iteration?: number;
  /** earlier judgements */
  progressHistory?: ProgressLedger[];
  /** nothing was heard of it for long */
  stalled?: boolean;
}

/** How many agents, by what became of them. */
export interface AgentCounts {
  /** all */
  total?: number;
  /** waiting */
  queued?: number;
  /** at work */
  running?: number;
  /** whose result can be read */
  done?: number;
  /** of these well */
  succeeded?: number;
  /** of these badly */
  failed?: number;
  /** by status */
  states?: Record<string, number>;
}

/** The stage at work. */
export interface Stage {
  /** from 0 */
  index: number;
  /** how many there are */
  total: number;
}

/** One stage of a plan. */
export interface StagePlan {
  /** from 0 */
  stageIndex: number;
  /** its agents */
  agentIds: string[];
}

/** A group of agents. */
export interface Group {
  /** its id */
  groupId?: string;
  /** the same, in events of versions before */
  id?: string;
  /** what it is about */
  description?: string;
  /** how it works */
  mode?: Mode;
  /** active or deleted */
  status?: string;
  /** when it was made */
  createdAt?: string;
  /** when its last agent was done; null: not yet */
  finishedAt?: string | null;
  /** whether all its agents are done */
  completed?: boolean;
  /** when it was deleted */
  deletedAt?: string | null;
  /** the magentic group above it */
  parentGroupId?: string | null;
  /** who leads it */
  orchestratorAgentId?: string | null;
  /** how many */
  agents?: AgentCounts;
  /** in the order they were ordered */
  agentIds?: string[];
  /** of all its agents */
  usage?: Usage;
  /** rounds of its orchestrator */
  iteration?: number;
  /** that are allowed */
  maxIterations?: number;
  /** of a sequential one: where it is */
  stage?: Stage;
  /** of a sequential one: all of them */
  stages?: StagePlan[];
  /** of an event: the stage that begins */
  stageIndex?: number;
  /** of an event: how many there are */
  totalStages?: number;
  /** of a magentic one */
  ledger?: Ledger | null;
  /** nothing was heard of its orchestrator for long */
  stalled?: boolean;
  /** of a magentic one: what is wanted */
  task?: string;
  /** and within which bounds */
  scope?: string;
  /** and when it is done */
  completionCriteria?: string;
  /** and under which conditions */
  constraints?: string;
  /** and what else is known */
  context?: string;
}

/** What a check has found. */
export interface Check {
  /** of a model: pending, valid, invalid, notChecked (its CLI has no list); of a role: pending, passed, failed, skipped */
  status?: string;
  /** why a model is invalid */
  message?: string;
  /** models that may have been meant, the nearest first */
  suggestions?: string[];
  /** why a role's check failed or was skipped */
  reason?: string;
  /** what its agents will miss */
  warning?: string;
  /** one is under way; what was found before still holds */
  isChecking?: boolean;
  /** when the one under way, else the last, began */
  startedAt?: string;
  /** how long it took */
  responseTime_ms?: number;
  /** when it was found; of a model: when it was compared with the list */
  checkedAt?: string;
}

/** A role as it can be used. */
export interface Role {
  /** its id */
  id: string;
  /** to show */
  name?: string;
  /** what it is for */
  description?: string;
  /** its model */
  model?: string;
  /** its CLI */
  backend?: string;
  /** ids of its tools */
  tools?: string[];
  /** whether agents of it can be started */
  available?: boolean;
  /** whether it answers */
  healthCheck?: Check;
  /** whether its model is offered */
  modelValidation?: Check;
  /** the first layer of its prompt */
  systemPrompt?: string;
  /** what the check asks */
  healthCheckPrompt?: string;
  /** its own time-out, or null */
  timeout_ms?: number | null;
  /** false: nobody can start agents of it */
  enabled?: boolean;
  /** one of the six */
  isBuiltin?: boolean;
}

/** Where an agent can be written to. */
export interface Mailbox {
  /** its id */
  id: string;
  /** its name */
  name: string;
  /** what it is for */
  description: string | null;
  /** when it came to be */
  created_at: string;
  /** when its agent last acted */
  last_active_at: string;
  /** the launched agent that did; empty: none */
  registered_by: string;
}

/** What an agent has written. */
export interface MailMessage {
  /** its id */
  id: string;
  /** who */
  sender_id: string;
  /** to whom; null: to all */
  receiver_id: string | null;
  /** what kind */
  message_type: 'direct' | 'broadcast' | 'context';
  /** what, or its beginning */
  content: string;
  /** it is longer */
  truncated?: boolean;
  /** when */
  created_at: string;
}

/** What an agent has read. */
export interface MailRead {
  /** who */
  agent_id: string;
  /** messages to it alone */
  direct: number;
  /** messages to all */
  broadcast: number;
  /** when */
  read_at: string;
}

/** A value that agents share. */
export interface SharedContext {
  /** its name */
  key: string;
  /** whose it is */
  owner_agent_id: string;
  /** who may read it */
  access_level: 'public' | 'restricted';
  /** these too, if it is restricted */
  allowed_agents: string[];
  /** who wrote it last */
  updated_by: string;
  /** when */
  updated_at: string;
  /** of its JSON */
  bytes: number;
  /** if it is not long */
  value?: unknown;
}

/** A message as it is kept. */
export interface Letter {
  /** of its place among all messages */
  number: number;
  /** its id */
  id: string;
  /** who */
  sender_id: string;
  /** to whom; null: to all */
  receiver_id: string | null;
  /** what kind */
  message_type: 'direct' | 'broadcast' | 'context';
  /** what, or its beginning */
  content: string;
  /** of the whole content */
  bytes: number;
  /** it is longer */
  truncated?: boolean;
  /** what else its sender has said, if it is not long */
  metadata?: Record<string, unknown>;
  /** when */
  created_at: string;
  /** of one to one agent: whether that has read it */
  status?: 'pending' | 'read';
  /** when */
  read_at?: string;
  /** of one to all: how many have read it */
  read_by?: number;
}

/** What two agents have written to each other, or all that was written to all. */
export interface Talk {
  /** the two; none: it was written to all */
  agents: string[];
  /** messages, of those looked at */
  count: number;
  /** of them not read by whom they are to; of one to all see mailboxes */
  unread: number;
  /** the newest, and the beginning of its content */
  last: Letter;
}

/** Who writes to whom, newest first. */
export interface TalksAnswer {
  /** of the newest 5000 messages */
  talks: Talk[];
  /** there are older ones: ask for those before this number */
  previous?: number;
}

/** A mailbox, and what is unread in it. */
export interface Box {
  /** where its agent is written to */
  id: string;
  /** its name */
  name: string;
  /** what it is for */
  description: string | null;
  /** it was only written to; its agent has acted; has registered; is one that was launched here */
  state: 'expected' | 'acting' | 'registered' | 'launched';
  /** when it came to be */
  created_at: string | null;
  /** when its agent last acted; null: not known, or later */
  last_active_at: string | null;
  /** messages, up to 1000 of each kind */
  unread: number;
  /** of them to it alone */
  unread_direct: number;
}

/** Mailboxes by their ids. */
export interface BoxesAnswer {
  /** a page of them */
  boxes: Box[];
  /** there are more: ask for those after this id */
  next?: string;
}

/** A page of messages, by number. */
export interface LettersAnswer {
  /** of a conversation, or to all */
  messages: Letter[];
  /** there are more the way one has asked: before the first of them, or after the last */
  has_more: boolean;
}

/** What agents share, by its keys. */
export interface ValuesAnswer {
  /** a page of them */
  values: SharedContext[];
  /** there are more: ask for those after this key */
  next?: string;
}

/** How far a phase of a project has come. */
export interface PhaseRecord {
  /** the project's real path */
  projectPath: string;
  /** phase0 to phase4 */
  phase: string;
  /** how it stands */
  status: 'pending' | 'in_progress' | 'completed' | 'failed';
  /** when its last attempt began */
  startedAt: string | null;
  /** when it was completed */
  completedAt: string | null;
  /** what it ended with, or else the last checkpoint */
  result: Record<string, unknown> | null;
  /** files of all attempts */
  outputFiles: string[];
  /** how often it was begun */
  attempts: number;
  /** the newest 100, oldest first */
  checkpoints: PhaseCheckpoint[];
  /** the result is too long for the feed */
  truncated?: boolean;
  /** when this was so, in events */
  updatedAt?: string;
}

/** How far a project has come. */
export interface PhaseProject {
  /** its real path */
  projectPath: string;
  /** all five */
  phases: PhaseRecord[];
  /** groups that were to lead it through them, the newest first, at most 20 */
  plans: PhasePlan[];
}

/** A group whose stages are the phases of a project. */
export interface PhasePlan {
  /** its group */
  groupId: string;
  /** the project's real path */
  projectPath: string;
  /** the phase of its first stage */
  from: string;
  /** when it was made */
  createdAt: string;
}

/** What a phase asks, as it would be handed out now. */
export interface PhasePrompt {
  /** phase0 to phase4 */
  phase: string;
  /** whose it is */
  source: 'builtin' | 'file' | 'cloud';
  /** the file, or the address of the Cloud API; null: it is built in */
  origin: string | null;
  /** its first heading */
  title: string;
  /** of its text; 0: there is none */
  version: number;
  /** when this text was first handed out, or got from the Cloud API; null: it was not yet */
  fetchedAt: string | null;
  /** a copy of the Cloud API's that is older than phases.cacheTtl_ms: the API is asked when it is used */
  isStale: boolean;
  /** Markdown; empty: the Cloud API was not asked for it yet, or the file cannot be used */
  content: string;
  /** why the file cannot be used */
  problem?: string;
}

/** How projects stand in their phases. */
export interface PhasesAnswer {
  /** the asker's own first */
  projects: PhaseProject[];
  /** what the phases ask now */
  prompts: PhasePrompt[];
}

/** What was kept on the way. */
export interface PhaseCheckpoint {
  /** its name */
  checkpoint: string;
  /** when */
  savedAt: string;
}

/** A project. */
export interface PmProject {
  /** its id */
  id: string;
  /** to show */
  name: string;
  /** what it is */
  description: string;
  /** only active ones get agents */
  status: 'active' | 'paused' | 'archived';
  /** where its agents work */
  working_directory?: string;
  /** when it was made */
  created_at: string;
  /** when it was last changed */
  updated_at: string;
  /** in lists: its tasks */
  counts?: PmCounts;
  /** in events: created or updated */
  event?: string;
}

/** A registered agent, by whomever it is run. */
export interface PmAgent {
  /** its id */
  id: string;
  /** to show */
  name: string;
  /** in words */
  role: string;
  /** who it is */
  type: 'ai' | 'human';
  /** developer, reviewer and so on */
  role_type: string;
  /** manager or worker */
  hierarchy_type: string;
  /** in progress at once, in a project */
  max_parallel_tasks: number;
  /** what it can do */
  capabilities: string[];
  /** active, inactive, suspended or archived */
  status: string;
  /** when it was made */
  created_at: string;
  /** its provider */
  ai_type?: string;
  /** its model */
  model?: string;
  /** the role that the runner starts */
  runs_as?: string;
  /** whom it belongs to */
  parent_agent_id?: string;
  /** in events: created or updated */
  event?: string;
}

/** Whether an agent works in a project. */
export interface PmAssigned {
  /** in events: assigned, unassigned, cooldown or recovered */
  event?: string;
  /** the project */
  project_id: string;
  /** the agent */
  agent_id: string;
  /** from now on */
  assigned: boolean;
  /** of its agents there, one after the other */
  failures?: number;
  /** until then none is started */
  cool_until?: string;
  /** what went wrong */
  cool_reason?: string;
}

/** A task. */
export interface PmTask {
  /** its id */
  id: string;
  /** its project */
  project_id: string;
  /** what is to be done */
  title: string;
  /** in detail */
  description: string;
  /** how it stands */
  status: 'backlog' | 'todo' | 'in_progress' | 'blocked' | 'done' | 'cancelled';
  /** how much it matters */
  priority: 'low' | 'medium' | 'high' | 'urgent';
  /** whose it is */
  assignee_id?: string;
  /** of which it is a part */
  parent_task_id?: string;
  /** why it does not go on */
  blocked_reason?: string;
  /** success, failed or blocked */
  completion_result?: string;
  /** what its agent said at the end */
  completion_summary?: string;
  /** planned */
  estimated_minutes?: number;
  /** from its start to its end */
  actual_minutes?: number;
  /** when it was made */
  created_at: string;
  /** when it was last changed */
  updated_at: string;
  /** when it was done */
  completed_at?: string;
  /** tasks that must be done before */
  dependencies: string[];
  /** in events: the description is longer */
  truncated?: boolean;
  /** in events: created, updated, assigned, unassigned, started or status_changed */
  event?: string;
  /** in events: the status or assignee before */
  previous_state?: string;
  /** in events: the one now */
  new_state?: string;
  /** in events: why */
  reason?: string;
  /** in events: which agent did it */
  by?: string;
}

/** What was kept of a task on the way. */
export interface PmContext {
  /** its id */
  id: string;
  /** its task */
  task_id: string;
  /** who kept it */
  agent_id?: string;
  /** in which session */
  session_id?: string;
  /** what is done */
  progress?: string;
  /** what was found */
  findings?: string;
  /** what is in the way */
  blockers?: string;
  /** what is next */
  next_steps?: string;
  /** in events: a text is longer */
  truncated?: boolean;
  /** when */
  created_at: string;
}

/** A task that goes from one agent to another. */
export interface PmHandoff {
  /** its id */
  id: string;
  /** its task */
  task_id: string;
  /** of this project */
  project_id: string;
  /** who gives it */
  from_agent_id: string;
  /** who is to take it; none: anybody */
  to_agent_id?: string;
  /** what was done */
  summary: string;
  /** what is to be known */
  context?: string;
  /** what is advised */
  recommendations?: string;
  /** who has taken it */
  accepted_by?: string;
  /** when */
  accepted_at?: string;
  /** when it was made */
  created_at: string;
  /** in events: a text is longer */
  truncated?: boolean;
  /** in events: created or completed */
  event?: string;
}

/** An agent at work in a project. */
export interface PmSession {
  /** in events: started, bound (to a task), completed, logout, expired or ended */
  event?: string;
  /** its id */
  id: string;
  /** who */
  agent_id: string;
  /** where */
  project_id: string;
  /** at what */
  task_id?: string;
  /** the launched agent that it is */
  run_id?: string;
}

/** How many tasks stand where. */
export interface PmCounts {
  /** not planned yet */
  backlog: number;
  /** planned */
  todo: number;
  /** begun */
  in_progress: number;
  /** held up */
  blocked: number;
  /** done */
  done: number;
  /** given up */
  cancelled: number;
}

/** All that there is of projects. Long texts are cut, and marked so. */
export interface ProjectsAnswer {
  /** the oldest first, as are the others */
  projects: PmProject[];
  /** theirs */
  tasks: PmTask[];
  /** all that are registered */
  agents: PmAgent[];
  /** who works where */
  assignments: PmAssigned[];
  /** who is at work */
  sessions: PmSession[];
  /** taken or not */
  handoffs: PmHandoff[];
  /** there was too much for one answer */
  more?: boolean;
}

/** What became of a task. */
export interface PmChange {
  /** its number in the feed */
  seq: number;
  /** when */
  at: string;
  /** as in PmTask */
  event: string;
  /** the status or assignee before */
  previous_state?: string;
  /** the one after */
  new_state?: string;
  /** why */
  reason?: string;
  /** which agent did it */
  by?: string;
}

/** A task and all that there is of it. */
export interface ProjectTaskAnswer {
  /** the task */
  task: PmTask;
  /** what was kept of it, the oldest first */
  contexts: PmContext[];
  /** to whom it went, the oldest first */
  handoffs: PmHandoff[];
  /** what became of it, the newest first */
  history: PmChange[];
}

/** A layer of a prompt. */
export interface Layer {
  /** role, identity, tools, previousStage, retry, task or orchestration */
  layer: string;
  /** what it says */
  text: string;
}

/** All of a role: what can be edited, where it is from, what comes of it. */
export interface RoleWhole {
  /** its id */
  id: string;
  /** to show */
  name: string;
  /** what it is for */
  description: string;
  /** its model */
  model: string;
  /** its CLI */
  backend: string;
  /** the first layer of its prompt */
  systemPrompt: string;
  /** what the check asks */
  healthCheckPrompt: string;
  /** ids of its tools */
  tools: string[];
  /** its own time-out; null: none, or nothing is set */
  timeout_ms: number | null;
  /** what its agents get; null: no time-out */
  timeoutInForce_ms: number | null;
  /** nothing is set: agent.defaultTimeout_ms holds */
  isDefaultTimeout: boolean;
  /** false: nobody can start agents of it */
  enabled: boolean;
  /** one of the six: it cannot be deleted */
  isBuiltin: boolean;
  /** whether agents of it can be started */
  available: boolean;
  /** whether it answers */
  healthCheck: Check;
  /** whether its model is offered */
  modelValidation: Check;
  /** by key: where it is from */
  sources: Record<string, Origin>;
  /** the prompt of an agent of it; names in braces stand for what only an agent has */
  layers: Layer[];
}

/** One role, and the file it can be changed in. */
export interface RoleAnswer {
  /** the project's file */
  file: string;
  /** whether it is there */
  hasFile: boolean;
  /** tells its text from any other */
  version: string;
  /** the role */
  role: RoleWhole;
}

/** What a change of a role has written, or would write. */
export interface ChangeAnswer {
  /** true: nothing was written */
  dryRun?: boolean;
  /** true: of config:create_role */
  created?: boolean;
  /** true: of config:update_role */
  updated?: boolean;
  /** true: of config:delete_role */
  deleted?: boolean;
  /** which role */
  roleId: string;
  /** which file */
  file: string;
  /** whether it is there */
  hasFile?: boolean;
  /** of its text, as it is now */
  version: string;
  /** unified, and exactly what is written; empty: nothing */
  diff: string;
  /** of a dry run: the prompt that would come of it */
  layers?: Layer[];
  /** as it is now */
  role?: RoleWhole;
}

/** A model that a CLI offers. */
export interface Model {
  /** as --model takes it */
  id: string;
  /** as the CLI calls it */
  label: string;
}

/** A CLI, and what it offers. */
export interface Backend {
  /** its name */
  backend: string;
  /** by a role */
  isUsed: boolean;
  /** whether it lists models; else any may be asked for */
  hasList: boolean;
  /** where it was found */
  program: string | null;
  /** why it was not */
  reason: string | null;
  /** when the list was read */
  checkedAt: string | null;
  /** of models */
  count: number;
  /** as it lists them */
  models: Model[];
}

/** What each back-end offers. */
export interface ModelsAnswer {
  /** all that there are */
  backends: Backend[];
  /** of models in all */
  count: number;
}

/** A setting in force. */
export interface Setting {
  /** as the file has it, with its section */
  key: string;
  /** null too where it is a secret */
  value: string | number | boolean | string[] | null;
  /** never shown */
  isSecret: boolean;
  /** it is not what is built in */
  isSet: boolean;
  /** where it is from */
  source: Origin;
  /** which file or variable */
  from: string | null;
  /** in a project's file it holds by trust alone */
  needsTrust: boolean;
  /** a hub reads it once */
  isAtStart: boolean;
}

/** Where a file is wrong. */
export interface Trouble {
  /** from 1; 0: no place */
  line: number;
  /** from 1 */
  column: number;
  /** what is wrong */
  message: string;
}

/** A tool that roles can have. */
export interface Tool {
  /** as roles name it */
  id: string;
  /** to show */
  name: string;
  /** what it does */
  description: string;
  /** it came with the hub */
  isBuiltin: boolean;
}

/** The settings in force. */
export interface ConfigAnswer {
  /** the project's file */
  file: string;
  /** whether it is there */
  hasFile: boolean;
  /** of its text */
  version: string;
  /** the user's own file */
  userFile: string | null;
  /** whether all of the project's file holds */
  isTrusted: boolean;
  /** keys of it that do not, for want of trust */
  withheld: string[];
  /** why a change of the files was not taken over */
  configError: Trouble | null;
  /** keys whose change takes effect with the next hub */
  atRestart: string[];
  /** what looks wrong in the files */
  warnings: string[];
  /** every setting */
  keys: Setting[];
  /** every tool */
  tools: Tool[];
}

/** What the checks have found of a role. */
export interface Finding {
  /** which */
  roleId: string;
  /** its model */
  model?: string;
  /** whether agents of it can be started */
  available?: boolean;
  /** whether its model is offered */
  modelValidation?: Check;
  /** whether it answers */
  healthCheck?: Check;
}

/** What the checks have found. */
export interface Health {
  /** running or complete */
  status?: string;
  /** of every role that is enabled */
  results?: Finding[];
}

/** Places for agents at work. */
export interface Places {
  /** how many there are */
  max?: number;
  /** taken, without orchestrators */
  held?: number;
  /** agents in the line */
  waiting?: number;
  /** how long that may be */
  maxQueued?: number;
  /** places of orchestrators */
  maxOrchestrators?: number;
  /** of these taken */
  orchestrators?: number;
}

/** The configuration, as the feed tells it. */
export interface Config {
  /** port */
  dashboard?: Record<string, unknown>;
  /** maxConcurrent */
  agent?: Record<string, unknown>;
  /** level */
  log?: Record<string, unknown>;
  /** of the hub */
  language?: Language;
  /** the project's file */
  file?: string;
  /** keys that wait for trust */
  withheld?: string[];
  /** why a change was not taken over */
  configError?: Trouble | null;
  /** keys that wait for the next hub */
  atRestart?: string[];
  /** all, also those that are disabled */
  roles?: Role[];
}

/** A moment of the past. */
export interface Moment {
  /** the last event up to it */
  seq: number;
  /** when it was */
  at: string;
}

/** The whole picture, at one number of the feed. */
export interface Snapshot {
  /** the last event in it */
  seq: number;
  /** its moment */
  at?: string;
  /** when the hub was */
  startedAt?: string;
  /** the hub's */
  version?: string;
  /** the hub's */
  build?: string;
  /** the hub's process */
  pid?: number;
  /** where it serves */
  url?: string;
  /** of the default back-end */
  availableModels?: string[];
  /** of the hub */
  language?: Language;
  /** those that are enabled */
  roles?: Role[];
  /** that are not deleted */
  groups?: Group[];
  /** of these groups */
  agents?: Agent[];
  /** how many there are, if not all are told */
  totalAgents?: number;
  /** what the checks have found */
  healthcheck?: Health;
  /** for agents at work; not of a past moment */
  places?: Places;
  /** the configuration */
  config?: Config;
  /** of a past moment: the first that can be had */
  begins?: Moment | null;
}

/** Agents of the hub. */
export interface HubAgents {
  /** waiting */
  queued?: number;
  /** at work */
  running?: number;
  /** done, and not gone */
  leaving?: number;
  /** all it knows */
  total?: number;
  /** by status */
  byState?: Record<string, number>;
}

/** Groups of the hub. */
export interface HubGroups {
  /** not deleted */
  active: number;
  /** all it knows */
  total: number;
}

/** What was read of agents. */
export interface Streams {
  /** agents */
  started?: number;
  /** of transcripts */
  lines?: number;
  /** of transcripts */
  bytes?: number;
}

/** What may be spent; null: no limit. */
export interface Budget {
  /** a day (UTC) */
  dayUsd?: number | null;
  /** a group */
  groupUsd?: number | null;
  /** so far */
  spentTodayUsd?: number | null;
}

/** Of the hub's process. */
export interface Memory {
  /** that it occupies */
  resident_bytes?: number;
}

/** Of the database. */
export interface StoreSize {
  /** on the disk, with its log */
  bytes?: number;
}

/** How the hub is. */
export interface HubStatus {
  /** its process */
  pid?: number;
  /** its build */
  build?: string;
  /** when it was */
  startedAt?: string;
  /** where it serves */
  url?: string;
  /** since then */
  uptime_ms?: number;
  /** counted */
  agents?: HubAgents;
  /** counted */
  groups?: HubGroups;
  /** for agents at work */
  places?: Places;
  /** what was read */
  streams?: Streams;
  /** what was spent */
  budget?: Budget;
  /** that it occupies */
  memory?: Memory;
  /** of its database */
  store?: StoreSize;
  /** of the last event */
  seq?: number;
  /** where its state is */
  stateDir?: string;
  /** its store, if it was named */
  database?: string;
  /** the project's file */
  config?: string;
  /** whether it is there */
  hasConfig?: boolean;
  /** keys that wait for trust */
  withheld?: string[];
  /** why a change was not taken over */
  configError?: Trouble | null;
  /** keys that wait for the next hub */
  atRestart?: string[];
  /** of the hub */
  language?: Language;
}

/** The roles that are enabled. */
export interface RolesAnswer {
  /** in the configuration's order */
  roles: Role[];
}

/** Groups, the newest first. */
export interface GroupsAnswer {
  /** 100 unless said */
  groups: Group[];
  /** how many there are */
  total: number;
}

/** Agents, those that are not done first. */
export interface AgentsAnswer {
  /** 200 at most */
  agents: Agent[];
  /** how many there are */
  total: number;
  /** what to give as before for the page after this one */
  next?: number | null;
}

/** A ledger as it once was. */
export interface LedgerKept {
  /** when it was written */
  at: string;
  /** its round */
  iteration: number;
  /** all of it */
  ledger: Ledger;
}

/** What was ordered of a group. */
export interface OrderKept {
  /** the tool */
  kind: string;
  /** as it was called */
  args: unknown;
  /** in whose name */
  caller: string;
  /** from where */
  directory: string;
  /** that came of it */
  agents: number;
  /** when */
  createdAt: string;
}

/** All there is of a group. */
export interface GroupAnswer {
  /** the one */
  groups: Group[];
  /** groups below it */
  childGroupIds: string[];
  /** of a magentic one */
  ledgers: LedgerKept[];
  /** by which it got agents */
  orders: OrderKept[];
  /** its agents */
  agents?: Agent[];
  /** of it and its agents */
  events: Event[];
  /** what to give as after for the next page */
  next?: number | null;
}

/** A sum of tokens and cost. */
export interface UsageRow {
  /** whose, by agent */
  agentId?: string;
  /** whose, by group */
  groupId?: string;
  /** of the group */
  groupDescription?: string;
  /** whose, by role */
  role?: string;
  /** whose, by model */
  model?: string;
  /** of which day */
  day?: string;
  /** how many */
  agents: number;
  /** read */
  inputTokens: number;
  /** written */
  outputTokens: number;
  /** read from the cache */
  cacheReadTokens: number;
  /** written to the cache */
  cacheWriteTokens: number;
  /** dollars, where prices are known */
  costUsd?: number;
  /** tokens that have no price */
  unpricedTokens?: number;
  /** agents whose cost is known */
  pricedAgents?: number;
  /** calls of tools */
  toolCallCount: number;
  /** of all of them */
  duration_ms: number;
}

/** Tokens and cost, summed up. */
export interface UsageAnswer {
  /** agent, group, role, model or day */
  by: string;
  /** one for each */
  rows: UsageRow[];
  /** of all */
  total: UsageRow;
}

/** A numbered event. */
export interface Event {
  /** its number; none is left out */
  seq: number;
  /** when it was */
  at: string;
  /** see Events */
  type: string;
  /** see Events */
  data: unknown;
}

/** Events in the order of their numbers. */
export interface EventsAnswer {
  /** a page */
  events: Event[];
  /** what to ask from next */
  next?: number | null;
  /** what to ask before next */
  previous?: number | null;
  /** the first moment of which there is a picture */
  begins?: Moment | null;
}

/** A call of a tool. */
export interface StoryTool {
  /** the CLI's id of it */
  callId: string;
  /** plain; empty where only its end is told */
  name: string;
  /** read, search, edit, shell, web, mcp, agent or other */
  kind: string;
  /** what it is about, one line */
  title?: string;
  /** as the CLI has them, or null */
  arguments?: unknown;
  /** as text */
  result?: string | null;
  /** ok, error, rejected, denied or unsaid; null: under way */
  status?: string | null;
  /** whether it went wrong */
  isError?: boolean;
  /** why */
  message?: string;
  /** of a shell's command */
  exitCode?: number | null;
  /** how long it took */
  duration_ms?: number | null;
  /** of the whole, also when cut */
  argumentBytes?: number;
  /** of the whole, also when cut */
  resultBytes?: number;
}

/** A change of a file. */
export interface StoryFile {
  /** the file */
  path: string;
  /** created, edited or deleted */
  change: string;
  /** lines */
  added?: number | null;
  /** lines */
  removed?: number | null;
  /** unified */
  diff?: string | null;
  /** of the call that did it */
  callId?: string;
}

/** A try of the CLI's own that went wrong. */
export interface StoryRetry {
  /** which */
  attempt?: number;
  /** of how many */
  maxAttempts?: number;
  /** until the next */
  delay_ms?: number;
  /** HTTP's; 0: not said */
  status?: number;
}

/** What an agent said or did. */
export interface StoryEntry {
  /** where its first line begins */
  offset: number;
  /** behind the last line that belongs to it */
  end?: number;
  /** when its first line was written; null: not known */
  at: string | null;
  /** what it is */
  kind: 'text' | 'thinking' | 'tool' | 'file' | 'retry' | 'notice';
  /** it is under way */
  isOpen?: boolean;
  /** the next piece of a long text */
  isContinued?: boolean;
  /** a text in it is longer than what is given */
  isCut?: boolean;
  /** the call by which a child agent inside was started */
  parent?: string;
  /** what it says */
  text?: string;
  /** of a call */
  tool?: StoryTool;
  /** of a change */
  file?: StoryFile;
  /** of a try */
  retry?: StoryRetry;
  /** of a notice: what it is */
  notice?: string;
  /** of a result */
  ok?: boolean;
  /** why */
  reason?: string;
}

/** A page of a story. */
export interface StoryPage {
  /** whose */
  agentId?: string;
  /** in ascending order */
  entries: StoryEntry[];
  /** what to give as before */
  previous: number | null;
  /** what to give as from */
  next: number | null;
  /** up to here it was there */
  upTo: number | null;
  /** bytes of the transcript */
  size: number;
  /** nothing will follow */
  isComplete: boolean;
}

/** Lines of a transcript. */
export interface TranscriptPage {
  /** whose */
  agentId: string;
  /** where the page begins */
  from: number;
  /** JSON, or strings */
  lines: unknown[];
  /** where each begins */
  offsets: number[];
  /** what to give as before */
  previous: number | null;
  /** where the next page begins */
  next: number;
  /** bytes in all */
  size: number;
  /** nothing will follow */
  isComplete: boolean;
  /** a line goes on with the next page */
  isCut?: boolean;
}

/** What was written to stderr. */
export interface StderrPage {
  /** whose */
  agentId: string;
  /** where the page begins */
  from: number;
  /** what it says */
  text: string;
  /** what to give as before */
  previous: number | null;
  /** what to give as from */
  next: number | null;
  /** bytes that are kept */
  size: number;
  /** nothing will follow */
  isComplete: boolean;
}

/** What an agent was started with. */
export interface PromptAnswer {
  /** whose */
  agentId: string;
  /** false: it is not known */
  isKnown: boolean;
  /** of all of it */
  bytes: number;
  /** in their order */
  layers: Layer[];
}

/** An agent's process. */
export interface ProcessAnswer {
  /** whose */
  agentId: string;
  /** right now */
  isRunning: boolean;
  /** as it was started */
  argv: string[] | null;
  /** argument or stdin */
  promptAs: string | null;
  /** where */
  workingDirectory: string;
  /** while it runs */
  pid: number | null;
  /** while it runs */
  wardenPid: number | null;
  /** when it was */
  startedAt: string | null;
  /** when it had ended */
  endedAt: string | null;
  /** of the CLI */
  exitCode: number | null;
  /** of the CLI */
  signal: number | null;
  /** why it has ended */
  reason: string | null;
  /** why it never ran */
  error: string | null;
  /** of the whole tree */
  cpu_ms: number | null;
  /** while it runs */
  memory_bytes: number | null;
  /** of the largest, once it has ended */
  peakMemory_bytes: number | null;
  /** in its tree, while it runs */
  processes: number | null;
  /** written */
  stdoutBytes: number | null;
  /** written */
  stderrBytes: number | null;
}

/** A report, as it was given. */
export interface ReportedResult {
  /** whose it is */
  agentId: string;
  /** its group */
  groupId: string;
  /** success or failure */
  status: string;
  /** in a sentence */
  summary: string;
  /** the report, Markdown */
  response: string;
  /** paths */
  editedFiles: string[];
  /** paths */
  createdFiles: string[];
  /** from its start */
  duration_ms: number;
  /** its role's */
  model: string;
  /** its role */
  role: string;
  /** calls of tools */
  toolCallCount: number;
  /** why it failed */
  errorMessage?: string;
  /** when it was given */
  timestamp: string;
  /** its process tree has ended */
  final: boolean;
  /** success or failure */
  outcome: string;
  /** of an orchestrator */
  finalLedger?: Ledger;
}

/** Two agents in one file. */
export interface ConflictEvent {
  /** who touched it last */
  agentId: string;
  /** its group */
  groupId: string;
  /** the file */
  path: string;
  /** the others */
  with: string[];
}

/** All models were compared. */
export interface Validation {
  /** of every role */
  results: Finding[];
  /** of the default back-end */
  availableModels: string[];
}

/** All checks have ended. */
export interface Checked {
  /** of every role */
  results: Finding[];
}

/** A hub has begun. */
export interface Startup {
  /** when */
  startedAt: string;
  /** its version */
  version: string;
  /** its build */
  build: string;
  /** its process */
  pid: number;
  /** where it serves */
  url?: string;
  /** of the default back-end */
  availableModels?: string[];
}

/** What a person is told. */
export interface Notification {
  /** never used again */
  notificationId: string;
  /** failed, stalled, conflict, groupDone, budget or noRole */
  kind: string;
  /** how many things it tells of */
  count: number;
  /** one line */
  title: string;
  /** one line */
  body: string;
  /** what it is about */
  groupId: string | null;
  /** what it is about */
  agentId: string | null;
  /** at most 20 of them */
  agentIds: string[];
  /** where it is told */
  channels: string[];
  /** the hub's */
  project: string;
  /** where the hub serves */
  url: string | null;
}

/** The files cannot be taken over, or can again. */
export interface TroubleEvent {
  /** what is wrong; null: all is well */
  configError: Trouble | null;
  /** keys that wait for the next hub */
  atRestart: string[];
}

// What the hub says, as docs/api.md has it. Everything a hub of another
// version may lack is optional here: the page shows what there is.

export const STATUSES = ['queued', 'running', 'completed', 'resultReported', 'failed', 'timedOut', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];
export type Mode = 'concurrent' | 'sequential' | 'magentic';
export type Language = 'ja' | 'en';

export interface UsageSaid {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  costUsd?: number;
}

export interface ResultSaid {
  agentId?: string;
  status?: string;
  summary?: string;
  response?: string;
  /** Of the whole, where it was cut. */
  responseBytes?: number;
  editedFiles?: string[];
  createdFiles?: string[];
  duration_ms?: number;
  errorMessage?: string;
  timestamp?: string;
}

export interface AgentSaid {
  agentId: string;
  groupId?: string;
  role?: string;
  model?: string;
  backend?: string;
  status?: Status;
  createdAt?: string | null;
  startedAt?: string | null;
  finishedAt?: string | null;
  elapsed_ms?: number;
  toolCallCount?: number;
  lastAssistantMessage?: string;
  tool?: string;
  editedFileCount?: number;
  createdFileCount?: number;
  usage?: UsageSaid | null;
  costUsd?: number | null;
  result?: ResultSaid | null;
  outcome?: string | null;
  summary?: string | null;
  errorMessage?: string | null;
  prompt?: string;
  promptLine?: string | null;
  stageIndex?: number | null;
  stalled?: boolean;
  workingDirectory?: string;
  pid?: number | null;
  groupDescription?: string;
  duration_ms?: number;
  editedFiles?: string[];
  createdFiles?: string[];
  conflicts?: { path: string; agentId: string }[];
}

export interface Judged<T> {
  reason?: string;
  answer?: T;
}

export interface ProgressLedger {
  isRequestSatisfied?: Judged<boolean>;
  isInLoop?: Judged<boolean>;
  isProgressBeingMade?: Judged<boolean>;
  nextAction?: Judged<string>;
  instruction?: Judged<string>;
  iteration?: number;
  updatedAt?: string;
}

export interface LedgerSaid {
  groupId?: string;
  taskLedger?: {
    facts?: Record<string, string[]>;
    plan?: string[];
    updatedAt?: string;
  };
  progressLedger?: ProgressLedger;
  iteration?: number;
  progressHistory?: ProgressLedger[];
}

export interface GroupSaid {
  groupId?: string;
  id?: string;
  description?: string;
  mode?: Mode;
  status?: string;
  createdAt?: string;
  finishedAt?: string | null;
  completed?: boolean;
  parentGroupId?: string | null;
  orchestratorAgentId?: string | null;
  agentIds?: string[];
  iteration?: number;
  maxIterations?: number;
  stage?: { index: number; total: number };
  stages?: { stageIndex: number; agentIds: string[] }[];
  ledger?: LedgerSaid | null;
  stalled?: boolean;
  task?: string;
  scope?: string;
  completionCriteria?: string;
}

export interface CheckSaid {
  status?: string;
  checkedAt?: string;
  startedAt?: string;
  responseTime_ms?: number;
  isChecking?: boolean;
  reason?: string;
  warning?: string;
  message?: string;
  suggestions?: string[];
}

export interface RoleSaid {
  id: string;
  name?: string;
  description?: string;
  model?: string;
  backend?: string;
  available?: boolean;
  enabled?: boolean;
  systemPrompt?: string;
  healthCheckPrompt?: string;
  timeout_ms?: number | null;
  isBuiltin?: boolean;
  tools?: string[];
  healthCheck?: CheckSaid;
  modelValidation?: CheckSaid;
}

export type Origin = 'builtin' | 'user' | 'file' | 'environment';

export interface LayerSaid { layer: string; text: string }

/** All of a role: what can be edited, where it is from, what comes of it. */
export interface RoleWhole {
  id: string;
  name: string;
  description: string;
  model: string;
  backend: string;
  systemPrompt: string;
  healthCheckPrompt: string;
  tools: string[];
  timeout_ms: number | null;
  timeoutInForce_ms: number | null;
  isDefaultTimeout: boolean;
  enabled: boolean;
  isBuiltin: boolean;
  available: boolean;
  healthCheck: CheckSaid;
  modelValidation: CheckSaid;
  sources: Record<string, Origin>;
  layers: LayerSaid[];
}

export interface RoleAnswer {
  file: string;
  hasFile: boolean;
  version: string;
  role: RoleWhole;
}

/** What a change of a role has written, or would write. */
export interface ChangeAnswer {
  roleId: string;
  file: string;
  version: string;
  diff: string;
  layers?: LayerSaid[];
  role?: RoleWhole;
}

export interface BackendSaid {
  backend: string;
  isUsed: boolean;
  hasList: boolean;
  program: string | null;
  reason: string | null;
  checkedAt: string | null;
  count: number;
  models: { id: string; label: string }[];
}

export interface ModelsAnswer {
  backends: BackendSaid[];
  count: number;
}

export interface SettingSaid {
  key: string;
  value: string | number | boolean | null;
  isSecret: boolean;
  isSet: boolean;
  source: Origin;
  from: string | null;
  needsTrust: boolean;
  isAtStart: boolean;
}

export interface ConfigAnswer {
  file: string;
  hasFile: boolean;
  version: string;
  userFile: string | null;
  isTrusted: boolean;
  withheld: string[];
  configError: { line: number; column: number; message: string } | null;
  atRestart: string[];
  warnings: string[];
  keys: SettingSaid[];
  tools: { id: string; name: string; description: string; isBuiltin: boolean }[];
}

export interface HealthSaid {
  roleId: string;
  model?: string;
  available?: boolean;
  modelValidation?: CheckSaid;
  healthCheck?: CheckSaid;
}

export interface SnapshotSaid {
  seq: number;
  startedAt?: string;
  version?: string;
  build?: string;
  pid?: number;
  url?: string;
  language?: Language;
  availableModels?: string[];
  roles?: RoleSaid[];
  groups?: GroupSaid[];
  agents?: AgentSaid[];
  healthcheck?: { status?: string; results?: HealthSaid[] };
  config?: ConfigSaid;
}

/** The configuration in force, as it is told. */
export interface ConfigSaid {
  roles?: RoleSaid[];
  file?: string;
  [section: string]: unknown;
}

export interface StatusSaid {
  pid?: number;
  build?: string;
  startedAt?: string;
  uptime_ms?: number;
  places?: { max?: number; held?: number; waiting?: number; maxQueued?: number; maxOrchestrators?: number; orchestrators?: number };
  streams?: { started?: number; lines?: number; bytes?: number };
  stateDir?: string;
  config?: string;
  hasConfig?: boolean;
  withheld?: (string | { key?: string; message?: string })[];
  language?: Language;
  budget?: { dayUsd?: number | null; spentTodayUsd?: number | null; groupUsd?: number | null };
  store?: { bytes?: number };
  memory?: { resident_bytes?: number };
  seq?: number;
}

/** What the agent said or did, as it does. */
export interface LiveEvent {
  kind: string;
  offset?: number;
  text?: string;
  form?: 'delta' | 'full' | 'end' | 'void';
  tool?: string;
  callId?: string;
  title?: string;
  path?: string;
  op?: string;
  count?: number;
  ok?: boolean;
  [more: string]: unknown;
}

/** One line of the feed. With a number it is in the record of events. */
export interface Message {
  type: string;
  seq?: number;
  at?: string;
  data: Record<string, unknown>;
  id?: unknown;
  success?: boolean;
  error?: { code?: string; message?: string; remedy?: string };
}

export interface StoryTool {
  callId: string;
  name: string;
  kind: string;
  title?: string;
  arguments?: unknown;
  result?: string | null;
  status?: string | null;
  isError?: boolean;
  message?: string;
  exitCode?: number | null;
  duration_ms?: number | null;
  argumentBytes?: number;
  resultBytes?: number;
}

export interface StoryFile {
  path: string;
  change: string;
  added?: number | null;
  removed?: number | null;
  diff?: string | null;
  callId?: string;
}

export interface StoryEntry {
  offset: number;
  end?: number;
  at: string | null;
  kind: 'text' | 'thinking' | 'tool' | 'file' | 'retry' | 'notice';
  isOpen?: boolean;
  isContinued?: boolean;
  isCut?: boolean;
  parent?: string;
  text?: string;
  tool?: StoryTool;
  file?: StoryFile;
  retry?: { attempt?: number; maxAttempts?: number; delay_ms?: number; status?: number };
  notice?: string;
  ok?: boolean;
  reason?: string;
}

export interface StoryPage {
  entries: StoryEntry[];
  previous: number | null;
  next: number | null;
  upTo: number | null;
  size: number;
  isComplete: boolean;
  /** Of a recording: its beginning was left out. */
  isCut?: boolean;
}

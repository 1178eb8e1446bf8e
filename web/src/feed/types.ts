// What the hub says. The types of it are written out of the schema by which the
// hub's answers are tested and documented (web/api_schema.py); here they have
// the names by which the page knows them.

import type { Agent, Status, StoryPage as PageOfStory } from './api';

export type {
  Backend as BackendSaid, Box as BoxSaid, BoxesAnswer, ChangeAnswer, Check as CheckSaid, Config as ConfigSaid, ConfigAnswer, Finding as HealthSaid, Group as GroupSaid, HubStatus as StatusSaid, Language, Layer as LayerSaid, Ledger as LedgerSaid, Letter as LetterSaid, LettersAnswer,
  Mode, ModelsAnswer, Origin, PhaseCheckpoint as PhaseCheckpointSaid, PhasePlan as PhasePlanSaid, PhaseProject as PhaseProjectSaid, PhasePrompt as PhasePromptSaid, PhaseRecord as PhaseRecordSaid, PhasesAnswer, PmAgent as PmAgentSaid, PmAssigned as PmAssignedSaid, PmContext as PmContextSaid, PmHandoff as PmHandoffSaid, PmProject as PmProjectSaid, PmSession as PmSessionSaid, PmTask as PmTaskSaid, ProgressLedger, ProjectsAnswer, ProjectTaskAnswer, Result as ResultSaid, Role as RoleSaid, RoleAnswer, RoleWhole, Setting as SettingSaid, Snapshot as SnapshotSaid, Status, StoryEntry, StoryFile,
  SharedContext as ValueSaid, StoryTool, Talk as TalkSaid, TalksAnswer, TranscriptPage, Usage as UsageSaid, ValuesAnswer,
} from './api';

export const STATUSES = ['queued', 'running', 'completed', 'resultReported', 'failed', 'timedOut', 'cancelled'] as const satisfies readonly Status[];

/** A judgement of an orchestrator's, with its reason. */
export interface Judged<T> {
  reason?: string;
  answer?: T;
}

export interface AgentSaid extends Agent {
  /** As versions before have called `about`. */
  promptLine?: string | null;
}

export interface StoryPage extends PageOfStory {
  /** Of a recording: it has the beginning alone. */
  isCut?: boolean;
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
  /** Of what has no number: that of the event before it. */
  follows?: number;
  at?: string;
  data: Record<string, unknown>;
  id?: unknown;
  success?: boolean;
  error?: { code?: string; message?: string; remedy?: string };
}

// The orchestrator's plan, joined with whom it has set to work: a plan is
// words, so a step's state is what its own mark says ([x], ✅, …), else what has
// become of the agents whose task or group speaks of that step.

import type { Tree } from './sum';
import { isEnded, wentBadly, type Agent, type World } from './world';
import type { Status } from '../feed/types';

export interface Step {
  text: string;
  state: Status | null;
  agents: readonly Agent[];
}

const MARK = /^\s*(?:[-*]\s+)?(?:\[([ xX~>-])\]|(✅|☑|✔|✓|⏳|🔄|❌))\s*/u;
const STATES: Record<string, Status> = {
  x: 'resultReported', X: 'resultReported', '✅': 'resultReported', '☑': 'resultReported', '✔': 'resultReported', '✓': 'resultReported',
  '~': 'running', '>': 'running', '🔄': 'running', '⏳': 'queued', ' ': 'queued', '-': 'cancelled', '❌': 'failed',
};

const plain = (text: string) => text.toLowerCase().replace(/^\s*(?:step|task|ステップ|タスク)?\s*[t#]?\d+\s*[.:：、)）-]\s*/u, '').replace(/[\s。、.,:;!?「」"'`]+/gu, ' ').trim();
const LEAST = 6;
/** One speaks of the other: the shorter stands whole in the longer. */
const isAbout = (a: string, b: string) => a === b || (Math.min(a.length, b.length) >= LEAST && (a.includes(b) || b.includes(a)));

function stateOf(agents: readonly Agent[]): Status | null {
  if (agents.length === 0) return null;
  if (agents.some(a => a.status === 'running')) return 'running';
  if (agents.some(a => a.status === 'queued')) return agents.some(a => isEnded(a.status)) ? 'running' : 'queued';
  // The newest says how it stands: what failed may have been done again.
  const last = agents[agents.length - 1]!;
  return wentBadly(last) ? 'failed' : last.status;
}

interface Work { text: string; agents: Agent[] }

/** Every task and every child group below the orchestrator's own. */
function workBelow(w: World, trees: readonly Tree[]): Work[] {
  return trees.flatMap(tree => {
    const agents = tree.group.agents.map(id => w.agents.get(id)).filter((a): a is Agent => a !== undefined);
    return [...agents.map(a => ({ text: plain(a.about), agents: [a] })), { text: plain(tree.group.description), agents }, ...workBelow(w, tree.children)];
  });
}

export function stepsOf(w: World, tree: Tree): Step[] {
  const plan = tree.group.ledger?.taskLedger?.plan ?? [];
  const work = workBelow(w, tree.children);
  return plan.map(said => {
    const raw = typeof said === 'string' ? said : JSON.stringify(said);
    const mark = MARK.exec(raw);
    const text = mark ? raw.slice(mark[0].length) : raw;
    const own = plain(text);
    const agents = [...new Set(work.filter(x => x.text !== '' && isAbout(own, x.text)).flatMap(x => x.agents))];
    return { text, state: mark ? STATES[mark[1] ?? mark[2] ?? ''] ?? null : stateOf(agents), agents };
  });
}

// How many agents ran at each part of a span: the landscape under the player.

import type { Agent } from './world';
import { wentBadly } from './world';

export interface Landscape {
  from: number;
  to: number;
  running: number[];
  most: number;
  failures: { at: number; id: string }[];
}

/** `begins`: what was before cannot be shown. */
export function landscape(agents: Iterable<Agent>, now: number, bins: number, begins = 0): Landscape {
  const list = [...agents].filter(a => (a.finishedAt ?? now) >= begins);
  const from = list.reduce((m, a) => Math.min(m, Math.max(begins, a.createdAt ?? a.startedAt ?? now)), now);
  const to = Math.max(now, from + 1000);
  const width = (to - from) / bins;
  const steps = new Array<number>(bins + 1).fill(0);
  const failures: Landscape['failures'] = [];
  for (const a of list) {
    if (a.startedAt === null) continue;
    const first = Math.max(0, Math.min(bins - 1, Math.floor((a.startedAt - from) / width)));
    const last = Math.max(first, Math.min(bins - 1, Math.floor(((a.finishedAt ?? now) - from) / width)));
    steps[first]!++;
    steps[last + 1]!--;
    if (wentBadly(a) && a.finishedAt !== null) failures.push({ at: a.finishedAt, id: a.id });
  }
  let at = 0;
  const running = steps.slice(0, bins).map(step => (at += step));
  return { from, to, running, most: Math.max(1, ...running), failures: failures.sort((a, b) => a.at - b.at) };
}

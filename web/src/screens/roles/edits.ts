// What one has edited of roles and not saved. It outlives the editor: who looks
// at another role, or at another screen, finds it when coming back, and who
// leaves the page is asked.

import { useSyncExternalStore } from 'react';
import { isSame, type Draft, type Field } from './fields';

/** What it is now, and what it was when one began. */
export type Edits = Partial<{ [F in Field]: { now: Draft[F]; was: Draft[F] } }>;

const NONE: Edits = {};
const listeners = new Set<() => void>();
/** By the ids of roles; one without edits is not in it. */
let kept: ReadonlyMap<string, Edits> = new Map();

const ask = (e: Event) => e.preventDefault();

function keep(id: string, edits: Edits): void {
  const next = new Map(kept);
  if (Object.keys(edits).length > 0) next.set(id, edits);
  else next.delete(id);
  kept = next;
  if (kept.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
  for (const l of [...listeners]) l();
}

const without = (edits: Edits, field: Field): Edits => {
  const rest = { ...edits };
  delete rest[field];
  return rest;
};

export const editsOf = (id: string): Edits => kept.get(id) ?? NONE;

/** What is typed back to what it was is no edit. */
export function edit<F extends Field>(id: string, field: F, now: Draft[F], was: Draft[F]): void {
  const edits = editsOf(id);
  const before = edits[field] ? edits[field].was : was;
  keep(id, isSame(now, before) ? without(edits, field) : { ...edits, [field]: { now, was: before } });
}

export const dropEdit = (id: string, field: Field): void => keep(id, without(editsOf(id), field));
export const dropEdits = (id: string): void => keep(id, NONE);

/** The file has come to say what one was about to: that is no edit any more. */
export function settle(id: string, file: Draft): void {
  const edits = editsOf(id);
  const same = (Object.keys(edits) as Field[]).filter(f => isSame(edits[f]!.now, file[f]));
  if (same.length > 0) keep(id, same.reduce(without, edits));
}

const listen = (l: () => void) => { listeners.add(l); return () => { listeners.delete(l); }; };
/** All of them, by the ids of roles. */
export const useEdits = (): ReadonlyMap<string, Edits> => useSyncExternalStore(listen, () => kept);

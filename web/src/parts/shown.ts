// How a system's screen (mail, and others like it) gets what it shows. It asks
// the hub one question, live or past: live it asks again when the feed has told
// of the system (SYSTEMS in model/world.ts), at a past moment with that moment.
// What is shown stays until the next answer is there, so nothing blinks.

import { useEffect, useRef, useState } from 'react';
import { ask } from '../feed/ask';
import { Again } from '../model/again';
import type { System } from '../model/world';
import { useApp, useChanges } from './app';

const GAP_MS = 200;

/** The question as it is to be asked at a moment; null: now. */
export const atMoment = (path: string, past: number | null): string =>
  past === null ? path : `${path}${path.includes('?') ? '&' : '?'}at=${Math.floor(past)}`;

export interface Shown<T> { data: T | null; error: Error | null; isLoading: boolean }

/** null asks nothing. */
export function useShown<T>(path: string | null, system: System): Shown<T> {
  const { store } = useApp();
  const version = useChanges(system);
  const [state, setState] = useState<Shown<T> & { path: string | null }>({ path: null, data: null, error: null, isLoading: true });
  const again = useRef<Again | null>(null);
  const past = store.past;
  const full = path === null ? null : atMoment(path, past);
  useEffect(() => {
    if (full === null) return;
    const stop = new AbortController();
    const read = () => ask<T>(full, stop.signal).then(
      data => { if (!stop.signal.aborted) setState({ path, data, error: null, isLoading: false }); },
      (error: Error) => { if (!stop.signal.aborted) setState(s => ({ ...s, error, isLoading: false })); });
    const mine = new Again(read, GAP_MS);
    again.current = mine;
    setState(s => s.path === path ? { ...s, isLoading: true } : { path, data: null, error: null, isLoading: true });
    mine.want();
    return () => { mine.end(); stop.abort(); };
  }, [full]);
  useEffect(() => { if (past === null) again.current?.want(); }, [version]);
  const isOther = state.path !== path;
  return { data: isOther ? null : state.data, error: isOther ? null : state.error, isLoading: isOther || state.isLoading };
}

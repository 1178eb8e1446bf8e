// A question to the API, while the part that asks is there.

import { useCallback, useEffect, useState } from 'react';
import { ask } from '../feed/ask';

export interface Answer<T> {
  data: T | null;
  error: Error | null;
  isLoading: boolean;
  again: () => void;
}

/** null asks nothing. `key` asks anew when it changes. */
export function useAnswer<T>(path: string | null, key: unknown = 0): Answer<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; error: Error | null; isLoading: boolean }>({ path: null, data: null, error: null, isLoading: path !== null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    setState(s => ({ path, data: s.path === path ? s.data : null, error: null, isLoading: true }));
    ask<T>(path, stop.signal).then(
      data => { if (!stop.signal.aborted) setState({ path, data, error: null, isLoading: false }); },
      (error: Error) => { if (!stop.signal.aborted) setState(s => ({ ...s, error, isLoading: false })); });
    return () => stop.abort();
  }, [path, key, round]);
  return { data: state.data, error: state.error, isLoading: state.isLoading, again: useCallback(() => setRound(r => r + 1), []) };
}

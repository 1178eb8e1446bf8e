// An agent's story, live: the newest page first, older ones when asked for,
// and what it says now behind them. For a past moment pages are read back until
// there is one of then.

import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, ask } from '../../feed/ask';
import type { StoryPage } from '../../feed/types';
import { isWholeAt } from '../../model/hindsight';
import { addPage, emptyStory, hear, type Story } from '../../model/story';
import { useApp } from '../../parts/app';

const NEWEST = 'before=9007199254740991&limit=200';
const AGAIN_MS = 300;

export interface Telling {
  story: Story;
  isLoading: boolean;
  error: ApiError | Error | null;
  earlier: () => void;
}

/** From here on entries may have changed: the first that is under way. */
const resumeFrom = (s: Story): number => {
  const open = s.entries.find(e => e.isOpen);
  return Math.min(open?.offset ?? Infinity, s.upTo ?? Infinity);
};

export function useStory(id: string, isLive: boolean, past: number | null): Telling {
  const { feed, store } = useApp();
  const [story, setStory] = useState(emptyStory);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<Error | null>(null);
  const now = useRef(story);
  /** Up to when what happened is in it. */
  const readAt = useRef(0);
  const set = useCallback((s: Story) => { now.current = s; setStory(s); }, []);

  const load = useCallback(async (query: string, where: 'end' | 'start', signal?: AbortSignal) => {
    const at = store.present();
    try {
      const page = await ask<StoryPage>(`agents/${encodeURIComponent(id)}/story?${query}`, signal);
      if (!signal?.aborted) {
        if (where === 'end') readAt.current = at;
        set(addPage(now.current, page, where));
        setError(null);
      }
    } catch (e) {
      if (!signal?.aborted) setError(e as Error);
    } finally {
      if (!signal?.aborted) setLoading(false);
    }
  }, [id, set, store]);

  useEffect(() => {
    const stop = new AbortController();
    set(emptyStory());
    setLoading(true);
    void load(NEWEST, 'end', stop.signal);
    return () => stop.abort();
  }, [id, load, set]);

  useEffect(() => {
    if (!isLive) return;
    const stop = new AbortController();
    let timer = 0;
    const again = () => {
      timer = 0;
      const from = resumeFrom(now.current);
      void load(Number.isFinite(from) ? `from=${from}&limit=200` : NEWEST, 'end', stop.signal);
    };
    const end = feed.listen(id, (agentId, event, at) => {
      if (agentId !== id) return;
      const heard = hear(now.current, event, at ?? null);
      if (heard.story !== now.current) set(heard.story);
      if (heard.isStale && timer === 0) timer = window.setTimeout(again, AGAIN_MS);
    });
    return () => { clearTimeout(timer); stop.abort(); end(); again(); };
  }, [id, isLive, feed, load, set]);

  useEffect(() => {
    if (past === null || isLoading || error) return;
    const stop = new AbortController();
    const from = resumeFrom(now.current);
    if (past > readAt.current) void load(Number.isFinite(from) ? `from=${from}&limit=200` : NEWEST, 'end', stop.signal);
    else if (!isWholeAt(story, past)) void load(`before=${story.previous}&limit=200`, 'start', stop.signal);
    return () => stop.abort();
  }, [past, story, isLoading, error, load]);

  const earlier = useCallback(() => {
    const at = now.current.previous;
    if (at !== null) void load(`before=${at}&limit=200`, 'start');
  }, [load]);
  return { story, isLoading, error, earlier };
}

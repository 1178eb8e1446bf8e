// What every part may use: the store, the feed and the words. One of each, for
// a page is of one hub.

import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { Wire } from '../feed/feed';
import type { Language } from '../feed/types';
import type { Store } from '../model/store';
import type { Agent, Group, World } from '../model/world';
import type { Text } from '../text/text';
import type { Notes } from './notes';

export interface App {
  store: Store;
  feed: Wire;
  /** What a person is told; a recording tells nothing. */
  notes?: Notes | null;
  text: Text;
  language: Language;
  setLanguage: (language: Language) => void;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('no app around this part');
  return app;
}

export const useText = (): Text => useApp().text;

/** Renders again when this part of the world has changed, and only then. */
export function useChanges(key: string): number {
  const { store } = useApp();
  return useSyncExternalStore(listener => store.subscribe(key, listener), () => store.version(key));
}

export function useAgent(id: string): Agent | undefined {
  const { store } = useApp();
  return useSyncExternalStore(listener => store.subscribe(`agent:${id}`, listener), () => store.shown.agents.get(id));
}

export function useGroup(id: string): Group | undefined {
  const { store } = useApp();
  return useSyncExternalStore(listener => store.subscribe(`group:${id}`, listener), () => store.shown.groups.get(id));
}

export function useWorld(key: string): World {
  const { store } = useApp();
  useChanges(key);
  return store.shown;
}

/** The same for several parts at once. */
export function useManyChanges(keys: readonly string[]): number {
  const { store } = useApp();
  const joined = keys.join(' ');
  const subscribe = useCallback((listener: () => void) => {
    const ends = joined.split(' ').map(key => store.subscribe(key, listener));
    return () => { for (const end of ends) end(); };
  }, [store, joined]);
  return useSyncExternalStore(subscribe, () => joined.split(' ').reduce((sum, key) => sum + store.version(key), 0));
}

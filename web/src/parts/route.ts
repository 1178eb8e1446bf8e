// Addresses of the screens, by the browser's own history. Filters and the
// moment live in the query, so that a shared address shows the same.

import { useSyncExternalStore, type MouseEvent } from 'react';

const listeners = new Set<() => void>();
const tell = () => { for (const l of [...listeners]) l(); };

if (typeof window !== 'undefined') window.addEventListener('popstate', tell);

const now = () => location.pathname + location.search;

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (address === now()) return;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  tell();
}

export function useRoute(): { path: string; query: URLSearchParams } {
  const address = useSyncExternalStore(l => { listeners.add(l); return () => listeners.delete(l); }, now);
  const [path = '/', query = ''] = address.split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

/** This address with these parameters changed; null takes one away. */
export function withQuery(changes: Record<string, string | null>, path = location.pathname): string {
  const query = new URLSearchParams(location.search);
  for (const [k, v] of Object.entries(changes)) {
    if (v === null || v === '') query.delete(k);
    else query.set(k, v);
  }
  const said = query.toString();
  return path + (said ? `?${said}` : '');
}

/** A screen's address; the moment shown goes along. */
export function screen(path: string): string {
  const at = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('at');
  return at ? `${path}${path.includes('?') ? '&' : '?'}at=${at}` : path;
}

/** For onClick of a link: the browser's own ways (new tab) stay. */
export function follow(e: MouseEvent<HTMLAnchorElement>): void {
  if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  const href = e.currentTarget.getAttribute('href');
  if (href) go(href);
}

// Addresses of the screens, by the browser's own history. Filters and the
// moment live in the query, so that a shared address shows the same. A page out
// of a file has one path for ever: there all of it stands behind the #.

import { useSyncExternalStore, type MouseEvent } from 'react';

const listeners = new Set<() => void>();
const tell = () => { for (const l of [...listeners]) l(); };
let isHashed = false;

if (typeof window !== 'undefined') {
  window.addEventListener('popstate', tell);
  window.addEventListener('hashchange', tell);
}

/** Before anything is drawn. */
export function standInHash(): void { isHashed = true; }

/** Path and query of the screen shown. */
export function here(): string {
  if (!isHashed) return location.pathname + location.search;
  return location.hash.startsWith('#/') ? location.hash.slice(1) : '/';
}

/** What a link to this address says. */
export const hrefOf = (address: string): string => isHashed ? `#${address}` : address;
/** The same for others. */
export const linkTo = (address: string): string => new URL(hrefOf(address), location.href).href;

export const pathNow = (): string => here().split('?', 1)[0]!;
export const queryNow = (): URLSearchParams => new URLSearchParams(here().split('?', 2)[1] ?? '');

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (address === here()) return;
  if (how === 'push') history.pushState(null, '', hrefOf(address));
  else history.replaceState(null, '', hrefOf(address));
  tell();
}

export function useRoute(): { path: string; query: URLSearchParams } {
  const address = useSyncExternalStore(l => { listeners.add(l); return () => listeners.delete(l); }, here);
  const [path = '/', query = ''] = address.split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

/** This address with these parameters changed; null takes one away. */
export function withQuery(changes: Record<string, string | null>, path = pathNow()): string {
  const query = queryNow();
  for (const [k, v] of Object.entries(changes)) {
    if (v === null || v === '') query.delete(k);
    else query.set(k, v);
  }
  const said = query.toString();
  return path + (said ? `?${said}` : '');
}

/** A screen's address; the moment shown goes along. */
export function screen(path: string): string {
  const at = typeof location === 'undefined' ? null : queryNow().get('at');
  return at ? `${path}${path.includes('?') ? '&' : '?'}at=${at}` : path;
}

/** For onClick of a link: the browser's own ways (new tab) stay. */
export function follow(e: MouseEvent<HTMLAnchorElement>, address: string): void {
  if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  go(address);
}

// Keys that work on every screen. Where one types, they are letters.

import { useEffect } from 'react';
import { go, pathNow, queryNow, screen, withQuery } from './route';
import type { Travel } from './travel';

const isTyping = (e: KeyboardEvent) =>
  e.target instanceof HTMLElement && (e.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName));
const isOnButton = (e: KeyboardEvent) => e.target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(e.target.tagName);

/** What j and k walk over carries data-stop; what lies behind a dialog cannot
 * be walked to. */
function walk(way: 1 | -1): void {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const stops = [...top.querySelectorAll<HTMLElement>('[data-stop]')].filter(e => e.offsetParent !== null);
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at === -1 ? (way === 1 ? 0 : stops.length - 1) : at + way];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

export function useKeys(travel: Travel, showKeys: () => void): void {
  useEffect(() => {
    const acts: Record<string, () => void> = {
      '?': showKeys,
      j: () => walk(1),
      k: () => walk(-1),
      '/': () => document.dispatchEvent(new Event('app:search')),
      t: () => go(screen('/timeline')),
      l: () => go(screen('/')),
      m: () => go(screen('/mail')),
      p: () => go(screen('/phases')),
      b: () => go(screen('/projects')),
      n: () => go(pathNow() === '/' ? withQuery({ filter: queryNow().get('filter') === 'needs' ? null : 'needs' }) : screen('/?filter=needs')),
      ' ': () => travel.toggle(),
      ArrowLeft: () => void travel.step(-1),
      ArrowRight: () => void travel.step(1),
    };
    const onKey = (e: KeyboardEvent) => {
      const act = acts[e.key];
      if (!act || e.ctrlKey || e.metaKey || e.altKey || isTyping(e) || document.querySelector('dialog[open].box')) return;
      if (e.key === ' ' && isOnButton(e)) return;
      if (e.key === 'n' && pathNow() === '/timeline') return;
      e.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [travel, showKeys]);
}

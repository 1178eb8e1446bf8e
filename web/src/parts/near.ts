// What is far from the window is not drawn: a page of a thousand agents is as
// large as what one sees of it. While away a part keeps the height it had, so
// that nothing jumps.

import { useEffect, useRef, useState, type RefObject } from 'react';

const MARGIN = '600px 0px';

type Told = (entry: IntersectionObserverEntry) => void;
const told = new WeakMap<Element, Told>();
/** One for each part that scrolls, and of those a page has one. */
const watches = new WeakMap<Element, IntersectionObserver>();

function watchOf(root: Element): IntersectionObserver {
  const watch = watches.get(root) ?? new IntersectionObserver(entries => { for (const entry of entries) told.get(entry.target)?.(entry); }, { root, rootMargin: MARGIN });
  watches.set(root, watch);
  return watch;
}

function observe(e: Element, tell: Told): () => void {
  const watch = watchOf(e.closest('#main') ?? document.documentElement);
  told.set(e, tell);
  watch.observe(e);
  return () => {
    told.delete(e);
    watch.unobserve(e);
  };
}

/** Who has the focus, or a menu open, stays. */
const isHeld = (e: Element) => e.contains(document.activeElement) || e.querySelector(':popover-open') !== null;

/** Whether the element is near, and how high it was while it was; always near
 * where one does not ask. */
export function useNear<E extends HTMLElement>(isAsked: boolean, isFirst: boolean): { box: RefObject<E | null>; isNear: boolean; height: number | null } {
  const box = useRef<E>(null);
  const [isNear, setNear] = useState(isFirst);
  const height = useRef<number | null>(null);
  useEffect(() => {
    const e = box.current;
    if (!isAsked || !e) return;
    return observe(e, entry => {
      if (entry.isIntersecting) setNear(true);
      else if (!isHeld(e)) {
        setNear(was => {
          if (was) height.current = entry.boundingClientRect.height;
          return false;
        });
      }
    });
  }, [isAsked]);
  return { box, isNear: !isAsked || isNear, height: height.current };
}

const kept = new Map<string, unknown>();

/** A state that outlives its part: what one has opened is open when one comes
 * back to it. */
export function useKept<T>(name: string, first: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => kept.has(name) ? kept.get(name) as T : first);
  return [value, next => { kept.set(name, next); setValue(next); }];
}

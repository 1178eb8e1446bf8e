// Tool calls of the agents in view, out of their stories. Asked for one after
// the other: the line is drawn at once, and its marks fill in.

import { useEffect, useRef, useState } from 'react';
import { ApiError, ask } from '../../feed/ask';
import type { StoryPage } from '../../feed/types';
import type { Lane, Mark } from '../../model/lanes';
import { moment } from '../../model/world';

const MOST_LANES = 48;
const PAGES = 5;
const AGAIN_MS = 4000;

export function marksOf(page: StoryPage): Mark[] {
  const out: Mark[] = [];
  for (const e of page.entries) {
    const at = moment(e.at);
    if (e.kind !== 'tool' || !e.tool || at === null) continue;
    out.push({ at, took: e.isOpen ? null : e.tool.duration_ms ?? 0, kind: e.tool.kind, name: e.tool.name, title: e.tool.title ?? '', isBad: e.tool.isError === true || Boolean(e.tool.exitCode) });
  }
  return out;
}

/** Its transcript was let go: it has no marks, and the others have theirs. */
const isGone = (e: unknown) => e instanceof ApiError && e.status === 404;

interface Kept { marks: Mark[]; from: number; isWhole: boolean; readAt: number }
const NOTHING: Kept = { marks: [], from: 0, isWhole: true, readAt: 0 };

async function read(id: string, old: Kept | undefined, signal: AbortSignal): Promise<Kept> {
  let from = old?.from ?? 0;
  const byTime = new Map((old?.marks ?? []).map(m => [`${m.at}/${m.name}`, m]));
  for (let i = 0; i < PAGES; i++) {
    const page = await ask<StoryPage>(`agents/${encodeURIComponent(id)}/story?from=${from}&limit=200`, signal);
    for (const m of marksOf(page)) byTime.set(`${m.at}/${m.name}`, m);
    const open = page.entries.find(e => e.isOpen);
    from = page.next ?? open?.offset ?? page.upTo ?? from;
    if (page.next === null) return { marks: [...byTime.values()], from, isWhole: page.isComplete, readAt: Date.now() };
  }
  return { marks: [...byTime.values()], from, isWhole: false, readAt: Date.now() };
}

export function useMarks(lanes: readonly Lane[]): Map<string, Mark[]> {
  const kept = useRef(new Map<string, Kept>());
  const [marks, setMarks] = useState(() => new Map<string, Mark[]>());
  const ids = lanes.filter(l => l.started !== null).slice(0, MOST_LANES).map(l => l.id).join(' ');
  useEffect(() => {
    const stop = new AbortController();
    const tell = () => setMarks(new Map([...kept.current].map(([id, k]) => [id, k.marks])));
    const round = async () => {
      for (const id of ids.split(' ').filter(Boolean)) {
        const old = kept.current.get(id);
        if (old?.isWhole) continue;
        kept.current.set(id, await read(id, old, stop.signal).catch((e: unknown) => {
          if (!isGone(e)) throw e;
          return NOTHING;
        }));
        tell();
      }
    };
    let timer = 0;
    const loop = () => round().catch(() => undefined).then(() => { if (!stop.signal.aborted) timer = window.setTimeout(loop, AGAIN_MS); });
    void loop();
    return () => { stop.abort(); clearTimeout(timer); };
  }, [ids]);
  return marks;
}

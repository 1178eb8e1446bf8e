// Output: the raw transcript and stderr, paged both ways, searched as a whole.

import { useCallback, useEffect, useRef, useState } from 'react';
import { ask } from '../../feed/ask';
import type { TranscriptPage } from '../../feed/types';
import type { Then } from '../../model/hindsight';
import { BEGIN, excerpt, hitsIn, seek, type Hit, type Read, type Sought } from '../../model/seek';
import { useText } from '../../parts/app';
import { useAnswer } from '../../parts/ask';
import { Icon, Segments } from '../../parts/basic';
import { bytes } from '../../text/format';

type Which = 'transcript' | 'stderr';
interface StderrSaid { from: number; text: string; previous: number | null; next: number | null; size: number }
const LINES = 200;
/** Lines of a search at a time. */
const HITS = 100;
const TYPING_MS = 250;

function Pager({ previous, next, from, size: all, onGo }: { previous: string | null; next: string | null; from: number; size: number; onGo: (q: string) => void }) {
  const t = useText();
  return (
    <span className="pager">
      <button type="button" className="btn" disabled={previous === null} onClick={() => previous !== null && onGo(previous)}>{t.agent.older}</button>
      <button type="button" className="btn" disabled={next === null} onClick={() => next !== null && onGo(next)}>{t.agent.newer}</button>
      <span className="dim">{bytes(from)} / {bytes(all)}</span>
    </span>
  );
}

function save(name: string, text: string): void {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  a.download = name;
  a.click();
  URL.revokeObjectURL(a.href);
}

const Lines = ({ lines }: { lines: string[] }) => <pre className="term raw" tabIndex={0}>{lines.join('\n')}</pre>;

/** Of a past moment the page that ends with it, and what is before. */
function Transcript({ id, at, then: { upTo, before } }: { id: string; at: number | null; then: Then }) {
  const t = useText();
  const isPast = Number.isFinite(upTo);
  const newest = isPast ? `before=${before}&limit=${LINES}` : `limit=${LINES}`;
  const [chosen, setQuery] = useState(at === null ? null : `from=${at}&limit=${LINES}`);
  const query = chosen ?? newest;
  const said = useAnswer<TranscriptPage>(upTo > 0 ? `agents/${encodeURIComponent(id)}/transcript?${query}` : null);
  const d = said.data;
  if (said.error) return <p className="dim">{said.error.message}</p>;
  if (upTo <= 0) return <p className="dim">{t.agent.nothingYet}</p>;
  if (!d) return null;
  const wasThere = (_: unknown, i: number) => (d.offsets[i + 1] ?? d.next) <= upTo;
  const lines = d.lines.filter(wasThere).map(l => typeof l === 'string' ? l : JSON.stringify(l));
  const end = Math.min(d.size, upTo);
  return (
    <>
      <div className="output-tools"><Pager from={d.from} size={end} previous={d.previous ? `before=${d.previous}&limit=${LINES}` : d.from > 0 ? `limit=${LINES}` : null} next={d.next < Math.min(end, before) ? `from=${d.next}&limit=${LINES}` : null} onGo={setQuery} />
      <button type="button" className="btn quiet" onClick={() => save(`${id}.ndjson`, lines.join('\n'))}><Icon name="down2" small />{t.agent.download}</button></div>
      <Lines lines={lines} />
    </>
  );
}

function Stderr({ id, at }: { id: string; at: number | null }) {
  const t = useText();
  const [query, setQuery] = useState(at === null ? '' : `?from=${at}`);
  const said = useAnswer<StderrSaid>(`agents/${encodeURIComponent(id)}/stderr${query}`);
  const d = said.data;
  if (said.error) return <p className="dim">{said.error.message}</p>;
  if (!d) return null;
  if (d.size === 0) return <p className="dim">{t.agent.emptyStderr}</p>;
  return (
    <>
      <div className="output-tools"><Pager from={d.from} size={d.size} previous={d.previous !== null ? `?before=${d.previous}` : null} next={d.next !== null ? `?from=${d.next}` : null} onGo={setQuery} />
      <button type="button" className="btn quiet" onClick={() => save(`${id}.stderr.txt`, d.text)}><Icon name="down2" small />{t.agent.download}</button></div>
      <Lines lines={d.text.split('\n')} />
    </>
  );
}

// ---- search -----------------------------------------------------------------

/** What is searched through: all of it up to the moment, not the page shown. */
function readerOf(id: string, which: Which, words: string, upTo: number, signal: AbortSignal): Read {
  const of = `agents/${encodeURIComponent(id)}/${which}`;
  if (which === 'stderr') return async from => {
    const d = await ask<StderrSaid>(`${of}?from=${from}&limit=${1 << 20}`, signal);
    return { ...hitsIn(d.text, from, d.next, words), size: d.size };
  };
  return async from => {
    const d = await ask<TranscriptPage>(`${of}?from=${from}&limit=${HITS}&search=${encodeURIComponent(words)}`, signal);
    const size = Math.min(d.size, upTo);
    const hits = d.lines.map((l, i) => ({ offset: d.offsets[i]!, text: typeof l === 'string' ? l : JSON.stringify(l) })).filter(h => h.offset < upTo);
    return { hits, next: d.next > from && d.next < size ? d.next : null, size };
  };
}

/** Begins when one has stopped typing; what is under way for other words ends. */
function useSeek(id: string, which: Which, words: string, upTo: number) {
  const [now, setNow] = useState<Sought>(BEGIN);
  const [error, setError] = useState('');
  const stop = useRef(new AbortController());
  const go = useCallback((was: Sought) => {
    const mine = stop.current;
    seek(readerOf(id, which, words, upTo, mine.signal), was, HITS, s => { if (!mine.signal.aborted) setNow(s); })
      .catch((e: unknown) => { if (!mine.signal.aborted) { setError(String((e as Error).message)); setNow(s => ({ ...s, isReading: false })); } });
  }, [id, which, words, upTo]);
  useEffect(() => {
    stop.current = new AbortController();
    setNow({ ...BEGIN, isReading: true });
    setError('');
    const timer = setTimeout(() => go(BEGIN), TYPING_MS);
    return () => { clearTimeout(timer); stop.current.abort(); };
  }, [go]);
  return { now, error, more: () => go(now) };
}

function Found({ id, which, words, upTo, onOpen }: { id: string; which: Which; words: string; upTo: number; onOpen: (offset: number) => void }) {
  const t = useText();
  const { now, error, more } = useSeek(id, which, words, upTo);
  const line = (h: Hit) => { const [before, hit, after] = excerpt(h.text, words); return <>{before}<mark>{hit}</mark>{after}</>; };
  return (
    <div className="hits">
      <p className="dim" role="status">{error ? <span className="bad-words">{error}</span> : now.isReading ? t.agent.seeking(bytes(now.next ?? 0), bytes(now.size)) : now.hits.length === 0 ? t.agent.noHits : now.next === null ? t.agent.hits(now.hits.length) : t.agent.firstHits(now.hits.length)}</p>
      <ol>{now.hits.map(h => <li key={h.offset}><button type="button" className="hit" data-stop="" title={t.agent.showThere} onClick={() => onOpen(h.offset)}><span className="dim num">{bytes(h.offset)}</span><code dir="auto">{line(h)}</code></button></li>)}</ol>
      {!now.isReading && now.next !== null && !error && <button type="button" className="btn" onClick={more}>{t.agent.moreHits}</button>}
    </div>
  );
}

// ---- both -------------------------------------------------------------------

export function OutputTab({ id, then, isErrShown }: { id: string; then: Then; isErrShown: boolean }) {
  const t = useText();
  const [which, setWhich] = useState<Which>('transcript');
  const [words, setWords] = useState('');
  const [at, setAt] = useState<number | null>(null);
  const choose = (w: Which) => { setWhich(w); setAt(null); };
  const open = (offset: number) => { setAt(offset); setWords(''); };
  const body = words && (which === 'stderr' || then.upTo > 0) ? <Found id={id} which={which} words={words} upTo={then.upTo} onOpen={open} />
    : which === 'transcript' ? <Transcript key={at} id={id} at={at} then={then} /> : <Stderr key={at} id={id} at={at} />;
  return (
    <div className="tab-body output">
      <div className="output-bar">
        <Segments value={which} label={t.agent.output} onChange={choose} options={[{ value: 'transcript', label: t.agent.transcript }, { value: 'stderr', label: t.agent.stderr }]} />
        <input className="in" type="search" value={words} placeholder={t.agent.searchAll} aria-label={t.agent.searchAll} onChange={e => setWords(e.target.value)} />
      </div>
      {which === 'stderr' && !isErrShown ? <p className="dim">{t.agent.stderrUntimed}</p> : body}
    </div>
  );
}

// Search over ids, prompts and summaries: what is on the page at once, what is
// in History by its own search.

import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { isEnded, seenAs, type Agent, type World } from '../model/world';
import { useApp, useText } from './app';
import { Glyph, Icon, Id, roleIcon } from './basic';
import { go, screen } from './route';

const MOST = 12;

export function findAgents(w: World, words: string): Agent[] {
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (all.length === 0) return [];
  const hits: Agent[] = [];
  for (const a of w.agents.values()) {
    const text = `${a.id} ${a.about} ${a.summary} ${a.words} ${a.role} ${w.groups.get(a.groupId)?.description ?? ''}`.toLowerCase();
    if (all.every(word => text.includes(word))) hits.push(a);
    if (hits.length > 200) break;
  }
  return hits.sort((a, b) => Number(isEnded(a.status)) - Number(isEnded(b.status))).slice(0, MOST);
}

export function Search() {
  const t = useText();
  const { store } = useApp();
  const [words, setWords] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const hits = useMemo(() => isOpen ? findAgents(store.shown, words) : [], [words, isOpen, store]);
  useEffect(() => {
    const away = (e: Event) => { if (!box.current?.contains(e.target as Node)) setOpen(false); };
    const focus = () => { setOpen(true); input.current?.focus(); input.current?.select(); };
    document.addEventListener('pointerdown', away);
    document.addEventListener('app:search', focus);
    return () => { document.removeEventListener('pointerdown', away); document.removeEventListener('app:search', focus); };
  }, []);
  const hasHistory = store.endsAt === null;
  const open = (i: number) => {
    const hit = hits[i];
    if (!hit && !hasHistory) return;
    setOpen(false);
    input.current?.blur();
    go(screen(hit ? `/agents/${hit.id}` : `/history?search=${encodeURIComponent(words)}`));
  };
  const onKey = (e: KeyboardEvent) => {
    if (e.key === 'ArrowDown') setAt(i => Math.min(i + 1, hits.length - (hasHistory ? 0 : 1)));
    else if (e.key === 'ArrowUp') setAt(i => Math.max(0, i - 1));
    else if (e.key === 'Enter' && words) open(at);
    else if (e.key === 'Escape') { setOpen(false); input.current?.blur(); }
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div className={isOpen ? 'find open' : 'find'} role="search" ref={box} onClick={() => { setOpen(true); input.current?.focus(); }}>
      <Icon name="find" small />
      <input ref={input} type="search" value={words} placeholder={t.frame.find} aria-label={t.frame.find} role="combobox" aria-expanded={isOpen && words !== ''} aria-controls="found" aria-activedescendant={isOpen && words !== '' ? `found-${at}` : undefined} autoComplete="off"
        onChange={e => { setWords(e.target.value); setAt(0); setOpen(true); }} onFocus={() => setOpen(true)} onKeyDown={onKey} />
      <span className="kbd" aria-hidden="true">/</span>
      {isOpen && words !== '' && (
        <ul className="found" id="found" role="listbox" aria-label={t.search.agents}>
          {hits.map((a, i) => (
            <li key={a.id} id={`found-${i}`} role="option" aria-selected={i === at} onPointerDown={e => { e.preventDefault(); open(i); }}>
              <span className="st" data-s={seenAs(a)}><Glyph state={seenAs(a)} label /></span><Icon name={roleIcon(a.role)} small /><Id id={a.id} /><span className="cut">{a.about || a.summary}</span>
            </li>
          ))}
          {hasHistory && <li id={`found-${hits.length}`} role="option" aria-selected={at === hits.length} onPointerDown={e => { e.preventDefault(); open(hits.length); }}><Icon name="hist" small /><span className="cut">{t.search.past}: {words}</span></li>}
          {!hasHistory && hits.length === 0 && <li role="option" aria-selected={false} aria-disabled>{t.search.none}</li>}
        </ul>
      )}
    </div>
  );
}

// The bell: what was told lately, where it leads, and what one wants to be told
// in this browser.

import { useEffect, useReducer, useState } from 'react';
import { NOTE_KINDS, placeOf, type Note } from '../model/notes';
import { clock, day } from '../text/format';
import { useApp, useText } from './app';
import { Icon, Link } from './basic';
import type { Notes } from './notes';

function Permission({ notes }: { notes: Notes }) {
  const t = useText();
  const permission = notes.permission();
  if (permission === 'default') return <button type="button" className="btn primary" onClick={() => void notes.allow()}>{t.notes.allow}</button>;
  return <p className="dim">{permission === 'granted' ? t.notes.allowed : permission === 'denied' ? t.notes.denied : t.notes.none}</p>;
}

function Wants({ notes }: { notes: Notes }) {
  const t = useText();
  return (
    <fieldset className="wants">
      <legend>{t.notes.wants}</legend>
      {NOTE_KINDS.map(kind => (
        <label key={kind}><input type="checkbox" checked={notes.wants(kind)} onChange={e => notes.want(kind, e.target.checked)} />{t.notes.kinds[kind]}</label>
      ))}
    </fieldset>
  );
}

function Line({ n, onGo }: { n: Note; onGo: () => void }) {
  const t = useText();
  return (
    <li>
      <Link href={placeOf(n)} onClick={onGo}>
        <b>{t.notes.say[n.kind](n.count)}</b><time dateTime={new Date(n.at).toISOString()} title={day(n.at)}>{clock(n.at)}</time>
        <span>{n.body}</span>
      </Link>
    </li>
  );
}

export function Bell({ notes }: { notes: Notes }) {
  const t = useText();
  const { store } = useApp();
  const [isOpen, setOpen] = useState(false);
  const [, draw] = useReducer((n: number) => n + 1, 0);
  useEffect(() => notes.subscribe(draw), [notes]);
  useEffect(() => notes.speak(t), [notes, t]);
  useEffect(() => {
    const load = () => void notes.load().catch(() => undefined);
    load();
    return store.subscribe('picture', load);
  }, [notes, store]);
  const unread = notes.unread();
  const latest = notes.latest;
  const close = () => document.getElementById('notes')?.hidePopover();
  return (
    <>
      <button type="button" className="btn quiet icon bell" popoverTarget="notes" title={t.notes.title} aria-label={unread > 0 ? t.notes.unread(unread) : t.notes.title}>
        <Icon name="bell" />{unread > 0 && <b aria-hidden="true">{unread > 9 ? '9+' : unread}</b>}
      </button>
      <div className="unseen" role="status" aria-live="polite">{latest ? `${t.notes.say[latest.kind](latest.count)} ${latest.body}` : ''}</div>
      <div popover="auto" id="notes" className="menu-pop notes" role="dialog" aria-label={t.notes.title}
        onToggle={e => { const is = e.newState === 'open'; setOpen(is); if (is) notes.read(); }}>
        {isOpen && <>
          <h2>{t.notes.title}</h2>
          {notes.list.length === 0 ? <p className="dim">{t.notes.empty}</p> : <ul>{notes.list.map(n => <Line key={n.id} n={n} onGo={close} />)}</ul>}
          <Wants notes={notes} />
          <Permission notes={notes} />
        </>}
      </div>
    </>
  );
}

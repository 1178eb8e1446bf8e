// Starts the phases of a project as a plan of agents.

import { useId, useState } from 'react';
import type { PhaseProjectSaid } from '../../feed/types';
import { baseName, firstOpen, numberOf } from '../../model/phases';
import { useApp, useText } from '../../parts/app';
import { Dialog, sayError } from '../../parts/dialog';

export function RunDialog({ p, onClose }: { p: PhaseProjectSaid; onClose: () => void }) {
  const t = useText();
  const { feed } = useApp();
  const own = useId();
  const open = firstOpen(p)?.phase ?? 'phase0';
  const [text, setText] = useState('');
  const [from, setFrom] = useState(open);
  const [state, setState] = useState({ isBusy: false, error: '' });
  const chosen = numberOf(from);
  const isEarly = chosen > numberOf(open);
  const isDone = p.phases[chosen]?.status === 'completed';
  const run = () => {
    setState({ isBusy: true, error: '' });
    feed.command('phases:run', { text, from, projectPath: p.projectPath }).then(onClose, (e: unknown) => setState({ isBusy: false, error: sayError(e, t.error.lost) }));
  };
  return (
    <Dialog onClose={onClose} label={t.phases.runTitle} className="box wide run-phases">
      <h2>{t.phases.runTitle}</h2><p>{t.phases.runSay(baseName(p.projectPath))}</p>
      <form onSubmit={e => { e.preventDefault(); if (text.trim() !== '' && !state.isBusy) run(); }}>
        <div className="f"><label htmlFor={`${own}text`}>{t.phases.wanted}</label>
          <textarea id={`${own}text`} name="text" className="in area" rows={5} dir="auto" autoFocus required maxLength={100000} placeholder={t.phases.wantedLike} value={text} onChange={e => setText(e.target.value)} /></div>
        <div className="f"><label htmlFor={`${own}from`}>{t.phases.from}</label>
          <select id={`${own}from`} name="from" className="in" value={from} aria-describedby={`${own}say`} onChange={e => setFrom(e.target.value)}>
            {p.phases.map(r => <option key={r.phase} value={r.phase}>{numberOf(r.phase)}: {t.phases.names[r.phase] ?? r.phase}</option>)}
          </select>
          <div id={`${own}say`} className="note">{isEarly ? t.phases.early : isDone ? t.phases.doneStays : ''}</div></div>
        {state.error && <p className="bad-words" role="alert">{state.error}</p>}
        <div className="row-end">
          <button type="button" className="btn" onClick={onClose}>{t.phases.keep}</button>
          <button type="submit" className="btn primary" disabled={text.trim() === '' || state.isBusy}>{state.isBusy ? t.phases.starting : t.phases.run}</button>
        </div>
      </form>
    </Dialog>
  );
}

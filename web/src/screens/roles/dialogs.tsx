import { useId, useState } from 'react';
import type { BackendSaid, RoleSaid } from '../../feed/types';
import { useApp, useText } from '../../parts/app';
import { Dialog, sayError } from '../../parts/dialog';
import { go } from '../../parts/route';
import { Diff } from '../agent/diff';
import { dropEdits } from './edits';
import { useDryRun, type Change } from './use-change';

function What({ change }: { change: Change | null }) {
  const t = useText();
  const dry = useDryRun(change);
  return (
    <div className="what" aria-live="polite">
      {dry.error && <p className="bad-words" role="alert">{dry.error}</p>}
      {dry.answer && <><h3>{t.roles.willBeSaved} <span className="mono dim">{dry.answer.file.split('/').at(-1)}</span></h3><Diff diff={dry.answer.diff} label={t.roles.willBeSaved} /></>}
    </div>
  );
}

function Act({ change, isReady, yes, onClose, onDone }: { change: Change; isReady: boolean; yes: string; onClose: () => void; onDone: () => void }) {
  const t = useText();
  const { feed } = useApp();
  const [state, setState] = useState({ isBusy: false, error: '' });
  const act = () => {
    setState({ isBusy: true, error: '' });
    feed.command(change.deed, change.data).then(onDone, (e: unknown) => setState({ isBusy: false, error: sayError(e, t.error.lost) }));
  };
  return (
    <>
      {state.error && <p className="bad-words" role="alert">{state.error}</p>}
      <div className="row-end">
        <button type="button" className="btn" onClick={onClose}>{t.roles.cancel}</button>
        <button type="button" className="btn primary" disabled={!isReady || state.isBusy} onClick={act}>{yes}</button>
      </div>
    </>
  );
}

export interface Sure { title: string; say: string; yes: string; change: Change; then?: string }

/** Shows what would be written before it is. */
export function SureDialog({ sure, onClose }: { sure: Sure; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} label={sure.title} className="box wide">
      <h2>{sure.title}</h2><p>{sure.say}</p>
      <What change={sure.change} />
      <Act change={sure.change} isReady yes={sure.yes} onClose={onClose} onDone={() => { onClose(); if (sure.change.deed === 'config:delete_role') dropEdits(String(sure.change.data['roleId'])); if (sure.then) go(sure.then); }} />
    </Dialog>
  );
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;

function freeId(like: string, roles: readonly RoleSaid[]): string {
  const stem = like || 'role';
  for (let i = 2; ; i++) if (!roles.some(r => r.id === `${stem}-${i}`)) return `${stem}-${i}`;
}

export function NewDialog({ like, roles, backends, onClose }: { like: string; roles: readonly RoleSaid[]; backends: readonly BackendSaid[]; onClose: () => void }) {
  const t = useText();
  const own = useId();
  const [from, setFrom] = useState(like);
  const [id, setId] = useState(like ? freeId(like, roles) : '');
  const [name, setName] = useState('');
  const [model, setModel] = useState('');
  const [prompt, setPrompt] = useState('');
  const isTaken = roles.some(r => r.id === id);
  const isWrong = id !== '' && (!ID.test(id) || isTaken);
  const isReady = ID.test(id) && !isTaken && (from !== '' || (model !== '' && prompt !== ''));
  const data = { roleId: id, ...(name ? { name } : {}), ...(from ? { from } : { model, systemPrompt: prompt }) };
  const change: Change = { deed: 'config:create_role', data };
  return (
    <Dialog onClose={onClose} label={t.roles.newTitle} className="box wide new-role">
      <h2>{t.roles.newTitle}</h2>
      <div className="two">
        <div className="f"><label htmlFor={`${own}id`}>{t.roles.id}</label><input id={`${own}id`} name="id" className="in mono" autoFocus value={id} aria-invalid={isWrong} aria-describedby={`${own}say`} onChange={e => setId(e.target.value.trim())} />
          <div id={`${own}say`} className={isWrong ? 'note bad-words' : 'note'}>{isTaken ? t.roles.idTaken : t.roles.idSay}</div></div>
        <div className="f"><label htmlFor={`${own}from`}>{t.roles.like}</label><select id={`${own}from`} name="from" className="in" value={from} onChange={e => setFrom(e.target.value)}>
          <option value="">{t.roles.nothingLike}</option>{roles.map(r => <option key={r.id} value={r.id}>{r.id}</option>)}</select></div>
      </div>
      <div className="f"><label htmlFor={`${own}name`}>{t.roles.name}</label><input id={`${own}name`} name="name" className="in" value={name} dir="auto" onChange={e => setName(e.target.value)} /></div>
      {from === '' && <>
        <div className="f"><label htmlFor={`${own}model`}>{t.roles.model}</label><input id={`${own}model`} name="model" className="in mono" list={`${own}models`} value={model} onChange={e => setModel(e.target.value)} />
          <datalist id={`${own}models`}>{backends.flatMap(b => b.models.map(m => <option key={b.backend + m.id} value={m.id}>{m.label}</option>))}</datalist></div>
        <div className="f"><label htmlFor={`${own}prompt`}>{t.roles.systemPrompt}</label><textarea id={`${own}prompt`} name="systemPrompt" className="in area" rows={5} dir="auto" value={prompt} onChange={e => setPrompt(e.target.value)} /></div>
      </>}
      <What change={isReady ? change : null} />
      <Act change={change} isReady={isReady} yes={t.roles.create} onClose={onClose} onDone={() => { onClose(); go(`/roles/${id}`); }} />
    </Dialog>
  );
}

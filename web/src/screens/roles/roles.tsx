import { useEffect, useMemo, useState } from 'react';
import type { RoleSaid } from '../../feed/types';
import { closest } from '../../model/closest';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { Icon, Id, Link, roleIcon, State } from '../../parts/basic';
import { sayError } from '../../parts/dialog';
import { bytes } from '../../text/format';
import { yamlDiff } from './yaml';
import './roles.css';

const FIELDS = ['model', 'name', 'description', 'systemPrompt', 'healthCheckPrompt'] as const;
type Field = (typeof FIELDS)[number];
type Draft = Record<Field, string>;

const draftOf = (r: RoleSaid): Draft => ({ model: r.model ?? '', name: r.name ?? '', description: r.description ?? '', systemPrompt: r.systemPrompt ?? '', healthCheckPrompt: r.healthCheckPrompt ?? '' });
const size = (text: string) => new TextEncoder().encode(text).length;

function stateOf(r: RoleSaid): 'completed' | 'failed' | 'cancelled' | 'running' {
  if (r.enabled === false) return 'cancelled';
  if (r.available) return 'completed';
  return r.healthCheck?.status === 'running' || r.healthCheck?.status === 'pending' ? 'running' : 'failed';
}

function List({ roles, at }: { roles: RoleSaid[]; at: string }) {
  const t = useText();
  const words = { completed: t.roles.available, failed: t.roles.unavailable, cancelled: t.roles.disabled, running: t.roles.checking };
  return (
    <nav className="list" aria-label={t.roles.list}>
      <header><h1>{t.screens.roles}</h1></header>
      {roles.map(r => (
        <Link key={r.id} className={r.enabled === false ? 'rl off' : 'rl'} href={`/roles/${r.id}`} aria-current={r.id === at ? 'true' : undefined} data-stop="">
          <Icon name={roleIcon(r.id)} /><b className="cut">{r.name ?? r.id}</b><span className="st" data-s={stateOf(r)} title={words[stateOf(r)]}><i className="g" data-s={stateOf(r)} role="img" aria-label={words[stateOf(r)]} /></span>
          <small>{r.id} {r.modelValidation?.status === 'invalid' ? <span className="bad">{t.roles.unknownModel}</span> : <span className="m">{r.model}</span>}</small>
        </Link>
      ))}
    </nav>
  );
}

function Source({ role, field, isEdited }: { role: RoleSaid; field: Field; isEdited: boolean }) {
  const t = useText();
  if (isEdited) return <span className="src edit">{t.roles.edited}</span>;
  const said = role.sources?.[field];
  return said ? <span className="src">{t.roles.source[said] ?? said}</span> : null;
}

function ModelField({ role, value, onChange, isEdited }: { role: RoleSaid; value: string; onChange: (v: string) => void; isEdited: boolean }) {
  const t = useText();
  const { store } = useApp();
  const models = store.live.models;
  const isListed = models.includes(value);
  const near = isListed ? [] : closest(value, models, 3);
  return (
    <div className="f"><label htmlFor="role-model">{t.roles.model} <Source role={role} field="model" isEdited={isEdited} /></label>
      <select id="role-model" className="in mono" value={value} onChange={e => onChange(e.target.value)}>
        {!isListed && <option value={value}>{value}</option>}
        <optgroup label={role.backend ?? 'CLI'}>{models.map(m => <option key={m} value={m}>{m}</option>)}</optgroup>
      </select>
      <div className="note">{isListed ? <><State state="completed">{t.roles.valid}</State>{isEdited && t.roles.checkAfter}</> : <><State state="failed">{t.roles.unknownModel}</State>{t.roles.notListed}{near.map(m => <button type="button" key={m} className="btn small mono" onClick={() => onChange(m)}>{m}</button>)}</>}</div>
    </div>
  );
}

function TextField({ role, field, label, value, was, onChange, rows }: { role: RoleSaid; field: Field; label: string; value: string; was: string; onChange: (v: string) => void; rows: number }) {
  const t = useText();
  const isEdited = value !== was;
  const isWrong = field === 'name' && value.trim() === '';
  const props = { id: `role-${field}`, className: 'in', value, 'aria-invalid': isWrong, placeholder: was === '' && field !== 'name' ? t.roles.unread : undefined, onChange: (e: { target: { value: string } }) => onChange(e.target.value) };
  return (
    <div className="f"><label htmlFor={props.id}>{label} <Source role={role} field={field} isEdited={isEdited} /></label>
      {rows > 1 ? <textarea {...props} className="in area" rows={rows} dir="auto" /> : <input {...props} dir="auto" />}
      {isWrong && <div className="note bad-words" role="alert">{t.roles.empty}</div>}
    </div>
  );
}

function Preview({ role, was, now }: { role: RoleSaid; was: Draft; now: Draft }) {
  const t = useText();
  const { store } = useApp();
  const lines = useMemo(() => yamlDiff(role.id, FIELDS, was, now), [role.id, was, now]);
  const plus = lines.filter(l => l.kind === '+').length;
  const minus = lines.filter(l => l.kind === '-').length;
  const file = store.status?.config?.split('/').at(-1) ?? 'kuromajutsu.config.yaml';
  const tools = role.tools ?? [];
  return (
    <aside className="prev" aria-label={t.roles.willBeSaved}>
      <h2 className="prev-title">{t.roles.willBeSaved}</h2>
      <h3><span className="mono">{file}</span><em>{plus > 0 && <span className="plus">+{plus}</span>} {minus > 0 && <span className="minus">−{minus}</span>} {t.roles.stays}</em></h3>
      {plus + minus === 0 ? <p className="dim">{t.roles.nothing}</p> : <div className="diff">{lines.map((l, i) => <div key={i} className={l.kind === '+' ? 'a' : l.kind === '-' ? 'd' : ''}><span /><span /><span>{l.kind === '-' ? '−' : l.kind}</span><span>{l.text}</span></div>)}</div>}
      <h3>{t.roles.nextPrompt(role.id)}</h3>
      <div className="layer"><span>1</span><span><b>{t.roles.layerRole}</b>{now.systemPrompt !== was.systemPrompt && `, ${t.roles.editedHere}`}</span><span className="num">{now.systemPrompt ? bytes(size(now.systemPrompt)) : ''}</span></div>
      <div className="layer"><span>2</span><span><b>{t.roles.layerMeta}</b></span><span className="num" /></div>
      <div className={tools.length > 0 ? 'layer' : 'layer none'}><span>3</span><span><b>{t.roles.layerTools}</b>: {tools.map(x => x.name ?? x.id).join(', ') || t.roles.noTools}</span><span className="num" /></div>
      <div className="layer none"><span>4</span><span><b>{t.roles.layerStage}</b></span><span className="num" /></div>
      <div className="layer none"><span>5</span><span><b>{t.roles.layerTask}</b></span><span className="num">–</span></div>
    </aside>
  );
}

function Editor({ role }: { role: RoleSaid }) {
  const t = useText();
  const { feed, store } = useApp();
  const was = useMemo(() => draftOf(role), [role]);
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const [state, setState] = useState<{ isSaving: boolean; error: string; isSaved: boolean }>({ isSaving: false, error: '', isSaved: false });
  const now: Draft = { ...was, ...edits };
  const changed = FIELDS.filter(f => now[f] !== was[f]);
  const isWrong = now.name.trim() === '';
  const set = (f: Field) => (v: string) => { setEdits(e => ({ ...e, [f]: v })); setState(s => ({ ...s, isSaved: false })); };
  const save = () => {
    setState({ isSaving: true, error: '', isSaved: false });
    feed.command('config:update_role', { roleId: role.id, ...Object.fromEntries(changed.map(f => [f, now[f]])) }).then(
      () => { store.setRoles([{ ...Object.fromEntries(changed.map(f => [f, now[f]])), id: role.id }]); setEdits({}); setState({ isSaving: false, error: '', isSaved: true }); },
      (e: unknown) => setState({ isSaving: false, error: sayError(e, t.error.lost), isSaved: false }));
  };
  const text = (f: Field, label: string, rows: number) => <TextField role={role} field={f} label={label} value={now[f]} was={was[f]} onChange={set(f)} rows={rows} />;
  return (
    <>
      <form className="form" onSubmit={e => { e.preventDefault(); if (changed.length > 0 && !isWrong) save(); }}>
        <header><h2>{role.name ?? role.id}</h2><Id id={role.id} /><span className="grow" /><State state={stateOf(role)}>{role.available ? t.roles.available : stateOf(role) === 'running' ? t.roles.checking : t.roles.unavailable}</State></header>
        {!role.available && (role.healthCheck?.errorMessage ?? role.modelValidation?.errorMessage) && <p className="note bad-words">{role.healthCheck?.errorMessage ?? role.modelValidation?.errorMessage}</p>}
        <ModelField role={role} value={now.model} onChange={set('model')} isEdited={now.model !== was.model} />
        <div className="two">{text('name', t.roles.name, 1)}<div className="f"><label htmlFor="role-backend">{t.roles.backend}</label><input id="role-backend" className="in" readOnly aria-readonly="true" value={role.backend ?? ''} /></div></div>
        {text('systemPrompt', t.roles.systemPrompt, 8)}
        {text('description', t.roles.description, 3)}
        {text('healthCheckPrompt', t.roles.healthPrompt, 1)}
      </form>
      <Preview role={role} was={was} now={now} />
      <div className="save" role="status">
        {state.error ? <span className="bad-words">{state.error}</span> : changed.length > 0 ? <span><b>{t.roles.changes(changed.length)}</b> <span className="mid opt">{t.roles.notSaved(role.id)}</span></span> : <span className="dim">{state.isSaved ? t.roles.saved : t.roles.nothing}</span>}
        <span className="grow" />
        <button type="button" className="btn" disabled={changed.length === 0} onClick={() => setEdits({})}>{t.roles.discard}</button>
        <button type="button" className="btn primary" disabled={changed.length === 0 || isWrong || state.isSaving || store.past !== null} onClick={save}>{state.isSaving ? t.roles.saving : t.roles.save}</button>
      </div>
    </>
  );
}

export default function Roles({ id }: { id: string }) {
  const t = useText();
  const { store } = useApp();
  useManyChanges(['roles', 'status', 'config']);
  const roles = [...store.shown.roles.values()];
  const at = id || roles[0]?.id || '';
  const shown = store.shown.roles.get(at);
  useEffect(() => { document.getElementById('main')?.scrollTo(0, 0); }, [at]);
  return (
    <div id="roles">
      <List roles={roles} at={at} />
      {shown ? <Editor key={at} role={shown} /> : <p className="dim form">{t.roles.none}</p>}
    </div>
  );
}

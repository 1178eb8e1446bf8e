import { useId, type ReactNode } from 'react';
import type { BackendSaid, ConfigAnswer, RoleWhole } from '../../feed/types';
import { closest } from '../../model/closest';
import { useText } from '../../parts/app';
import { State } from '../../parts/basic';
import { brief } from '../../text/format';

export interface Draft {
  name: string;
  description: string;
  model: string;
  backend: string;
  systemPrompt: string;
  healthCheckPrompt: string;
  tools: string[];
  /** Milliseconds; null: none; undefined: as agents in general. */
  timeout_ms: number | null | undefined;
}
export type Field = keyof Draft;
export const FIELDS: readonly Field[] = ['model', 'backend', 'name', 'systemPrompt', 'description', 'tools', 'timeout_ms', 'healthCheckPrompt'];

export function draftOf(r: RoleWhole): Draft {
  const { name, description, model, backend, systemPrompt, healthCheckPrompt, tools } = r;
  return { name, description, model, backend, systemPrompt, healthCheckPrompt, tools, timeout_ms: r.isDefaultTimeout ? undefined : r.timeout_ms };
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? (a === null ? null : 'default')) === JSON.stringify(b ?? (b === null ? null : 'default'));

/** What a field has around it: label, where it is from, what is wrong. */
export interface Around {
  role: RoleWhole;
  isEdited: boolean;
  wrong: string;
  /** What the file has come to say since one began to edit. */
  meanwhile: string | null;
  onTakeFile: () => void;
  onReset: (() => void) | null;
  isLocked: boolean;
}

export function Frame({ field, label, around, id, children, note }: { field: Field; label: string; around: Around; id: string; children: ReactNode; note?: ReactNode }) {
  const t = useText();
  const said = around.role.sources[field] ?? 'builtin';
  return (
    <div className="f" data-field={field}>
      <div className="f-head"><label htmlFor={id}>{label}</label>
        {around.onReset && !around.isEdited && said === 'file' && <button type="button" className="btn small quiet reset" onClick={around.onReset}>{t.roles.reset}</button>}
        {around.isEdited ? <span className="src edit">{t.roles.edited}</span> : <span className="src">{t.roles.source[said] ?? said}</span>}</div>
      {children}
      {note && <div className="note">{note}</div>}
      {around.wrong && <div className="note bad-words" role="alert">{around.wrong}</div>}
      {around.meanwhile !== null && <div className="note bad-words" role="alert">{t.roles.meanwhile} <span className="mono cut">{around.meanwhile}</span><button type="button" className="btn small" onClick={around.onTakeFile}>{t.roles.takeFile}</button></div>}
    </div>
  );
}

export function TextField({ field, label, value, onChange, rows, around }: { field: Field; label: string; value: string; onChange: (v: string) => void; rows: number; around: Around }) {
  const props = { id: `role-${field}`, value, readOnly: around.isLocked, 'aria-invalid': around.wrong !== '', dir: 'auto', onChange: (e: { target: { value: string } }) => onChange(e.target.value) } as const;
  return (
    <Frame field={field} label={label} around={around} id={props.id}>
      {rows > 1 ? <textarea {...props} className="in area" rows={rows} /> : <input {...props} className="in" />}
    </Frame>
  );
}

export function BackendField({ value, backends, onChange, around }: { value: string; backends: readonly BackendSaid[]; onChange: (v: string) => void; around: Around }) {
  const t = useText();
  const names = backends.length > 0 ? backends.map(b => b.backend) : [value];
  return (
    <Frame field="backend" label={t.roles.backend} around={around} id="role-backend">
      <select id="role-backend" className="in" value={value} disabled={around.isLocked} onChange={e => onChange(e.target.value)}>{names.map(b => <option key={b} value={b}>{b}</option>)}</select>
    </Frame>
  );
}

/** Of a back-end that lists its models a choice, grouped; of another a text. */
export function ModelField({ value, backend, backends, onChange, around }: { value: string; backend: string; backends: readonly BackendSaid[]; onChange: (v: string) => void; around: Around }) {
  const t = useText();
  const mine = backends.find(b => b.backend === backend);
  const ids = mine?.models.map(m => m.id) ?? [];
  const isListed = ids.includes(value.split('[')[0]!);
  const near = isListed ? [] : around.role.model === value ? around.role.modelValidation.suggestions ?? [] : closest(value, ids, 3);
  const note = mine === undefined ? null : !mine.hasList ? t.roles.typeModel
    : isListed ? <><State state="completed">{t.roles.valid}</State>{around.isEdited && t.roles.checkAfter}</>
      : <><State state="failed">{t.roles.unknownModel}</State>{t.roles.notListed}{near.map(m => <button type="button" key={m} className="btn small mono" disabled={around.isLocked} onClick={() => onChange(m)}>{m}</button>)}</>;
  return (
    <Frame field="model" label={t.roles.model} around={around} id="role-model" note={note}>
      {mine?.hasList ? (
        <select id="role-model" className="in mono" value={value} disabled={around.isLocked} onChange={e => onChange(e.target.value)}>
          {!ids.includes(value) && <option value={value}>{value}</option>}
          {backends.filter(b => b.models.length > 0).map(b => <optgroup key={b.backend} label={b.backend} disabled={b.backend !== backend}>{b.models.map(m => <option key={m.id} value={m.id}>{m.label && m.label !== m.id ? `${m.id} – ${m.label}` : m.id}</option>)}</optgroup>)}
        </select>
      ) : <input id="role-model" className="in mono" value={value} readOnly={around.isLocked} onChange={e => onChange(e.target.value)} />}
    </Frame>
  );
}

export function ToolsField({ value, all, onChange, around }: { value: readonly string[]; all: ConfigAnswer['tools']; onChange: (v: string[]) => void; around: Around }) {
  const t = useText();
  const toggle = (id: string) => onChange(value.includes(id) ? value.filter(x => x !== id) : [...value, id]);
  return (
    <Frame field="tools" label={t.roles.tools} around={around} id="role-tools">
      <div id="role-tools" className="tks" role="group" aria-label={t.roles.tools}>
        {all.map(tool => <label key={tool.id} className="tk" title={tool.description}><input type="checkbox" checked={value.includes(tool.id)} disabled={around.isLocked} onChange={() => toggle(tool.id)} /><span>{tool.name}</span></label>)}
        {all.length === 0 && <span className="dim">{t.roles.noTools}</span>}
      </div>
    </Frame>
  );
}

export function TimeoutField({ value, onChange, around }: { value: number | null | undefined; onChange: (v: number | null | undefined) => void; around: Around }) {
  const t = useText();
  const unit = useId();
  const kind = value === undefined ? 'default' : value === null ? 'none' : 'own';
  const held = around.role.timeoutInForce_ms;
  return (
    <Frame field="timeout_ms" label={t.roles.timeout} around={around} id="role-timeout" note={around.isEdited ? null : t.roles.timeoutHeld(held === null ? t.roles.timeoutNone : brief(held))}>
      <div className="time">
        <select id="role-timeout" className="in" value={kind} disabled={around.isLocked} onChange={e => onChange(e.target.value === 'default' ? undefined : e.target.value === 'none' ? null : held ?? 600000)}>
          <option value="default">{t.roles.timeoutDefault}</option><option value="none">{t.roles.timeoutNone}</option><option value="own">{t.roles.timeoutOwn}</option>
        </select>
        {kind === 'own' && <><input id="role-timeout-own" className="in num" inputMode="decimal" aria-label={t.roles.timeout} aria-describedby={unit} defaultValue={(value ?? 0) / 1000} readOnly={around.isLocked} onChange={e => onChange(Math.round(Number(e.target.value) * 1000) || 0)} /><span id={unit} className="dim">{t.roles.timeoutUnit}</span></>}
      </div>
    </Frame>
  );
}

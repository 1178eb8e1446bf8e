import { useEffect, useState } from 'react';
import type { BackendSaid, ChangeAnswer, ConfigAnswer, LayerSaid, RoleAnswer, RoleWhole } from '../../feed/types';
import { useApp, useText } from '../../parts/app';
import { Id, State } from '../../parts/basic';
import { CommandError } from '../../feed/feed';
import { sayError } from '../../parts/dialog';
import { bytes } from '../../text/format';
import { Diff } from '../agent/diff';
import type { Sure } from './dialogs';
import { dropEdit, dropEdits, edit, settle, useEdits, type Edits } from './edits';
import { BackendField, draftOf, FIELDS, isSame, ModelField, TextField, TimeoutField, ToolsField, type Around, type Draft, type Field } from './fields';
import { stateOf, stateWords } from './list';
import { useDryRun, type Change, type Dry } from './use-change';

const NONE: Edits = {};
const size = (text: string) => new TextEncoder().encode(text).length;

function dataOf(role: RoleWhole, version: string, now: Draft, changed: readonly Field[]): Record<string, unknown> {
  const data: Record<string, unknown> = { roleId: role.id, version };
  const unset: string[] = [];
  for (const f of changed) {
    if (f === 'timeout_ms' && now.timeout_ms === undefined) unset.push(f);
    else data[f] = now[f];
  }
  return unset.length > 0 ? { ...data, unset } : data;
}

const LAYERS = ['role', 'identity', 'tools', 'previousStage', 'task'];

function Preview({ dry, layers, isChanged }: { dry: Dry; layers: readonly LayerSaid[]; isChanged: boolean }) {
  const t = useText();
  const lines = dry.answer?.diff.split('\n') ?? [];
  const plus = lines.filter(l => l.startsWith('+') && !l.startsWith('+++')).length;
  const minus = lines.filter(l => l.startsWith('-') && !l.startsWith('---')).length;
  return (
    <aside className="prev" aria-label={t.roles.willBeSaved}>
      <h2 className="prev-title">{t.roles.willBeSaved}</h2>
      {dry.answer && <h3><span className="mono" title={dry.answer.file}>{dry.answer.file.split('/').at(-1)}</span><em>{plus > 0 && <span className="plus">+{plus}</span>} {minus > 0 && <span className="minus">−{minus}</span>} {t.roles.stays}</em></h3>}
      {!isChanged ? <p className="dim">{t.roles.nothing}</p> : dry.error ? <p className="bad-words" role="alert">{dry.error}</p> : dry.answer && <Diff diff={dry.answer.diff} label={t.roles.willBeSaved} />}
      <h2 className="prev-title">{t.roles.preview}</h2><p className="dim small">{t.roles.previewSay}</p>
      {LAYERS.map((name, i) => {
        const said = layers.find(l => l.layer === name);
        return said && name !== 'task'
          ? <details key={name} className="layer"><summary><span>{i + 1}</span><b>{t.agent.layers[name] ?? name}</b><span className="num">{bytes(size(said.text))}</span></summary><pre dir="auto" tabIndex={0}>{said.text}</pre></details>
          : <div key={name} className="layer none"><span>{i + 1}</span><b>{t.agent.layers[name] ?? name}</b><span className="num">–</span></div>;
      })}
    </aside>
  );
}

/** The field that the hub's words name, if they name one. */
function fieldIn(error: string): Field | null {
  const named = /\.(\w+)(?:\[\d+\])?: /.exec(error)?.[1];
  return FIELDS.find(f => f === named) ?? null;
}

function Actions({ role, version, onSure, onCopy }: { role: RoleWhole; version: string; onSure: (s: Sure) => void; onCopy: () => void }) {
  const t = useText();
  const update = (data: Record<string, unknown>): Change => ({ deed: 'config:update_role', data: { roleId: role.id, version, ...data } });
  const flip: Sure = role.enabled
    ? { title: t.roles.disableTitle, say: t.roles.disableSay, yes: t.roles.disable, change: update({ enabled: false }) }
    : { title: t.roles.enableTitle, say: t.roles.enableSay, yes: t.roles.enable, change: update({ enabled: true }) };
  const remove: Sure = { title: t.roles.removeTitle, say: t.roles.removeSay, yes: t.roles.remove, change: { deed: 'config:delete_role', data: { roleId: role.id, version } }, then: '/roles' };
  return (
    <div className="role-acts">
      <button type="button" className="btn" data-act="duplicate" onClick={onCopy}>{t.roles.duplicate}</button>
      <button type="button" className="btn" data-act="flip" onClick={() => onSure(flip)}>{flip.yes}</button>
      {!role.isBuiltin && <button type="button" className="btn" data-act="delete" onClick={() => onSure(remove)}>{t.roles.remove}</button>}
    </div>
  );
}

interface Props { said: RoleAnswer; backends: readonly BackendSaid[]; tools: ConfigAnswer['tools']; onSure: (s: Sure) => void; onCopy: () => void; onSaved: () => void }

export function Editor({ said, backends, tools, onSure, onCopy, onSaved }: Props) {
  const t = useText();
  const { feed, store } = useApp();
  const { role, version } = said;
  const edits = useEdits().get(role.id) ?? NONE;
  const [state, setState] = useState({ isSaving: false, error: '', isSaved: false });
  const was = draftOf(role);
  const now = { ...was, ...Object.fromEntries(Object.entries(edits).map(([f, e]) => [f, e.now])) } as Draft;
  const changed = FIELDS.filter(f => !isSame(now[f], was[f]));
  const isLocked = store.past !== null || store.endsAt !== null;
  const isTimeWrong = now.timeout_ms !== undefined && now.timeout_ms !== null && now.timeout_ms <= 0;
  const wrong = (f: Field): string => (f === 'name' || f === 'systemPrompt' || f === 'model' || f === 'healthCheckPrompt') && now[f].trim() === '' ? t.roles.empty : f === 'timeout_ms' && isTimeWrong ? t.roles.timeoutWrong : '';
  const isWrong = FIELDS.some(f => wrong(f) !== '');
  const change: Change | null = changed.length > 0 && !isWrong && !isLocked ? { deed: 'config:update_role', data: dataOf(role, version, now, changed) } : null;
  const dry = useDryRun(change);
  const set = <F extends Field>(f: F) => (v: Draft[F]) => { edit(role.id, f, v, was[f]); setState({ isSaving: false, error: '', isSaved: false }); };
  useEffect(() => settle(role.id, was), [said]);
  const around = (f: Field): Around => ({
    role, isEdited: changed.includes(f), isLocked, wrong: wrong(f) || (dry.error && fieldIn(dry.error) === f ? dry.error : ''),
    meanwhile: edits[f] && changed.includes(f) && !isSame(edits[f].was, was[f]) ? String(was[f] ?? '–').slice(0, 80) : null, onTakeFile: () => dropEdit(role.id, f),
    onReset: isLocked || (!role.isBuiltin && (f === 'model' || f === 'systemPrompt')) ? null
      : () => onSure({ title: t.roles.resetTitle, say: t.roles.resetSay, yes: t.roles.reset, change: { deed: 'config:update_role', data: { roleId: role.id, version, unset: [f] } } }),
  });
  const save = () => {
    if (!change) return;
    setState({ isSaving: true, error: '', isSaved: false });
    feed.command(change.deed, change.data).then(
      data => { if ((data as unknown as ChangeAnswer).role) onSaved(); dropEdits(role.id); setState({ isSaving: false, error: '', isSaved: true }); },
      (e: unknown) => { onSaved(); setState({ isSaving: false, isSaved: false, error: e instanceof CommandError && e.code === 'CONFIG_NOT_WRITTEN' && version !== '' ? `${t.roles.stale} ${e.message}` : sayError(e, t.error.lost) }); });
  };
  const text = (f: 'name' | 'description' | 'systemPrompt' | 'healthCheckPrompt', label: string, rows: number) => <TextField field={f} label={label} value={now[f]} onChange={set(f)} rows={rows} around={around(f)} />;
  const why = role.healthCheck.reason ?? role.modelValidation.message;
  return (
    <>
      <form className="form" onSubmit={e => { e.preventDefault(); if (!isWrong && !dry.error) save(); }}>
        <header><h2>{role.name}</h2><Id id={role.id} /><span className="src">{role.isBuiltin ? t.roles.builtin : t.roles.custom}</span><span className="grow" /><State state={stateOf(role)}>{stateWords(t)[stateOf(role)]}</State></header>
        {!isLocked && <Actions role={role} version={version} onSure={onSure} onCopy={onCopy} />}
        {role.enabled && !role.available && why && <p className="note bad-words">{why}</p>}
        {role.healthCheck.warning && <p className="note">{role.healthCheck.warning}</p>}
        <ModelField value={now.model} backend={now.backend} backends={backends} onChange={set('model')} around={around('model')} />
        <div className="two">{text('name', t.roles.name, 1)}<BackendField value={now.backend} backends={backends} onChange={set('backend')} around={around('backend')} /></div>
        {text('systemPrompt', t.roles.systemPrompt, 8)}
        {text('description', t.roles.description, 3)}
        <div className="two"><ToolsField value={now.tools} all={tools} onChange={set('tools')} around={around('tools')} /><TimeoutField value={now.timeout_ms} onChange={set('timeout_ms')} around={around('timeout_ms')} /></div>
        {text('healthCheckPrompt', t.roles.healthPrompt, 1)}
      </form>
      <Preview dry={dry} layers={dry.answer?.layers ?? role.layers} isChanged={change !== null} />
      <div className="save" role="status">
        {state.error ? <span className="bad-words">{state.error}</span> : changed.length > 0 ? <span><b>{t.roles.changes(changed.length)}</b> <span className="mid opt">{t.roles.notSaved(role.id)}</span></span> : <span className="dim">{state.isSaved ? t.roles.saved : t.roles.nothing}</span>}
        <span className="grow" />
        <button type="button" className="btn" disabled={changed.length === 0} onClick={() => { dropEdits(role.id); setState({ isSaving: false, error: '', isSaved: false }); }}>{t.roles.discard}</button>
        <button type="button" className="btn primary" disabled={change === null || dry.error !== '' || state.isSaving} onClick={save}>{state.isSaving ? t.roles.saving : t.roles.save}</button>
      </div>
    </>
  );
}

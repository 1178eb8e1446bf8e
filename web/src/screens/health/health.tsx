import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { RoleSaid } from '../../feed/types';
import { moment } from '../../model/world';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { Icon, Link, roleIcon, State, type Shown } from '../../parts/basic';
import { sayError } from '../../parts/dialog';
import { useSecond } from '../../parts/frame';
import { brief, clock } from '../../text/format';
import { closest } from '../../model/closest';
import '../roles/roles.css';

const isInvalid = (r: RoleSaid) => r.modelValidation?.status === 'invalid';
/** By what was heard, or by the picture, which says it of a check under way. */
const isChecking = (r: RoleSaid) => r.healthCheck?.status === 'running' || r.healthCheck?.isChecking === true;

function modelState(r: RoleSaid, t: ReturnType<typeof useText>): [Shown, string] {
  const s = r.modelValidation?.status;
  if (s === 'valid') return ['completed', t.health.valid];
  if (isInvalid(r)) return ['failed', t.health.invalid];
  return s === 'notChecked' ? ['cancelled', t.health.notChecked] : ['queued', t.health.pending];
}

function checkState(r: RoleSaid, t: ReturnType<typeof useText>): [Shown, string] {
  const c = r.healthCheck;
  if (isInvalid(r)) return ['cancelled', t.health.skipped];
  if (isChecking(r)) return ['running', t.health.running];
  if (c?.status === 'passed') return ['completed', t.health.passed];
  if (c?.status === 'failed') return ['failed', c.reason ?? t.health.failed];
  return c?.status === 'skipped' ? ['cancelled', c.reason ?? t.health.skipped] : ['queued', t.health.pending];
}

/** When a check ran: from its start, or back from its end. */
function spanOf(r: RoleSaid, now: number): { from: number; to: number } | null {
  const c = r.healthCheck;
  const end = isChecking(r) ? null : moment(c?.checkedAt);
  const start = moment(c?.startedAt) ?? (end !== null && c?.responseTime_ms !== undefined ? end - c.responseTime_ms : null);
  if (start === null) return null;
  // One that passed before this hub began has an end, and no start here.
  return { from: start, to: isChecking(r) ? now : end !== null && end >= start ? end : start + (c?.responseTime_ms ?? 0) };
}

/** Tenths of a second, past React, for as long as it lasts. */
function LiveBrief({ from }: { from: number }) {
  const { store } = useApp();
  const span = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const draw = () => { if (span.current) span.current.textContent = brief(Math.max(0, store.now() - from)); };
    draw();
    const timer = setInterval(draw, 100);
    return () => clearInterval(timer);
  }, [from, store]);
  return <span ref={span} />;
}

function Line({ r, middle, state, bar, took, isLast }: { r: RoleSaid; middle: string; state: [Shown, string]; bar?: { left: number; width: number } | null; took?: ReactNode; isLast: boolean }) {
  return (
    <div className={isLast ? 'ck end' : 'ck'}>
      <span className="who"><Icon name={roleIcon(r.id)} small /><span className="mono">{r.id}</span></span>
      <span className="mono dim cut" title={middle}>{middle}</span><State state={state[0]}>{state[1]}</State>
      <span className={bar === undefined ? '' : 'wf'}>{bar && <i data-s={state[0]} className={state[0] === 'running' ? 'run' : ''} style={{ left: `${bar.left}%`, width: `${Math.max(.5, bar.width)}%` }} />}</span>
      <span className="num mid">{took ?? ''}</span>
    </div>
  );
}

function Hint({ r, models, isLocked }: { r: RoleSaid; models: readonly string[]; isLocked: boolean }) {
  const t = useText();
  const { feed } = useApp();
  const [error, setError] = useState('');
  const suggestions = r.modelValidation?.suggestions ?? closest(r.model ?? '', models, 2);
  const use = (model: string) => feed.command('config:update_role', { roleId: r.id, model }).then(() => setError(''), (e: unknown) => setError(sayError(e, t.error.lost)));
  return (
    <div className="hint">{t.health.notAmong(models.length)}{suggestions.map(m => <button type="button" key={m} className="btn" disabled={isLocked} onClick={() => void use(m)}>{m}</button>)}<Link href={`/roles/${r.id}`} className="mid under">{t.health.edit}</Link>{error && <span className="bad-words" role="alert">{error}</span>}</div>
  );
}

export default function Health() {
  const t = useText();
  const { store, feed } = useApp();
  const [error, setError] = useState('');
  useManyChanges(['roles', 'status']);
  useSecond();
  const w = store.shown;
  const roles = [...w.roles.values()].filter(r => r.enabled !== false);
  const now = store.now();
  const ok = roles.filter(r => r.available).length;
  const isRunning = w.health === 'running' || roles.some(isChecking);
  const spans = roles.map(r => spanOf(r, now));
  const first = Math.min(...spans.filter(s => s !== null).map(s => s.from));
  const last = Math.max(...spans.filter(s => s !== null).map(s => s.to));
  const scale = Math.max(50, last - first);
  const checked = Math.max(0, ...roles.map(r => moment(r.healthCheck?.checkedAt) ?? 0));
  const valid = roles.filter(r => r.modelValidation?.status === 'valid').length;
  const invalid = roles.filter(isInvalid).length;
  const passed = roles.filter(r => !isChecking(r) && r.healthCheck?.status === 'passed').length;
  const running = roles.filter(isChecking).length;
  const failed = roles.filter(r => r.healthCheck?.status === 'failed').length;
  const ends = new Set(roles.map(r => r.backend).filter(Boolean));
  const again = () => feed.command('config:revalidate_model', {}).then(() => setError(''), (e: unknown) => setError(sayError(e, t.error.lost)));
  return (
    <div className="hp"><div>
      <header><h1>{t.screens.health}</h1><State state={isRunning ? 'running' : ok === roles.length ? 'completed' : 'failed'}>{isRunning ? t.health.checking : t.health.done}</State><span className="grow" />{store.past === null && <button type="button" className="btn" disabled={isRunning} onClick={() => void again()}>{t.health.again}</button>}</header>
      <p className="sum">{isRunning ? t.health.far(ok, roles.length) : t.health.sum(ok, roles.length)} {error && <span className="bad-words" role="alert">{error}</span>}</p>
      <dl className="env">
        <div><dt>{t.health.cli}</dt><dd>{[...ends].join(', ') || '–'}</dd></div><div><dt>{t.health.hub}</dt><dd>{w.version}</dd></div>
        <div><dt>{t.health.models}</dt><dd><i className="g" data-s={w.models.length > 0 ? 'completed' : 'queued'} aria-hidden="true" />{t.health.modelsIn(w.models.length, Math.max(1, ends.size))}</dd></div><div><dt>{t.health.last}</dt><dd>{checked > 0 ? clock(checked) : t.health.none}</dd></div>
      </dl>
      <section className="phase" aria-label={t.health.step1}><h2><span className="mono">[1/3]</span>{t.health.step1}<em>{t.health.ofModels(valid, invalid)}</em></h2>
        <ul>{roles.map((r, i) => <li key={r.id}><Line r={r} middle={r.model ?? ''} state={modelState(r, t)} isLast={i === roles.length - 1 && !isInvalid(r)} />{isInvalid(r) && <Hint r={r} models={w.models} isLocked={store.past !== null} />}</li>)}</ul></section>
      <section className="phase" aria-label={t.health.step2}><h2><span className="mono">[2/3]</span>{t.health.step2}<em>{t.health.ofChecks(passed, running, failed)}</em></h2>
        <ul>{roles.map((r, i) => {
          const s = spans[i];
          return <li key={r.id}><Line r={r} middle={r.healthCheckPrompt ?? r.model ?? ''} state={checkState(r, t)} bar={s ? { left: (s.from - first) / scale * 96, width: (s.to - s.from) / scale * 96 } : null} took={s ? isChecking(r) && store.past === null ? <LiveBrief from={s.from} /> : brief(s.to - s.from) : ''} isLast={i === roles.length - 1} /></li>;
        })}</ul></section>
      <section className="phase"><h2 className={isRunning ? 'dim' : ''}><span className="mono">[3/3]</span>{t.health.step3}</h2><div className="end-line">{isRunning ? t.health.follows : t.health.all(ok, roles.length)}</div></section>
    </div></div>
  );
}

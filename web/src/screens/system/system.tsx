import { useEffect, useState, type ReactNode } from 'react';
import { ask } from '../../feed/ask';
import type { BackendSaid, ConfigAnswer, ModelsAnswer, SettingSaid, StatusSaid } from '../../feed/types';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { useAnswer } from '../../parts/ask';
import { CopyButton, Elapsed, Icon, Link, Segments, State } from '../../parts/basic';
import { bytes, dayAndClock } from '../../text/format';
import '../roles/roles.css';
import './system.css';

const LOOK_MS = 5000;

function Facts({ title, rows }: { title: string; rows: [string, ReactNode][] }) {
  return <section className="sys-box"><h2>{title}</h2><dl className="kv">{rows.filter(([, v]) => v !== null && v !== undefined && v !== '').map(([k, v]) => <div key={k}><dt>{k}</dt><dd>{v}</dd></div>)}</dl></section>;
}

/** How long the hub took to answer, and how many events were yet to come. */
function useLag(): { took: number; behind: number } | null {
  const { store } = useApp();
  const [lag, setLag] = useState<{ took: number; behind: number } | null>(null);
  useEffect(() => {
    const look = () => {
      const began = performance.now();
      ask<StatusSaid>('status').then(s => {
        store.setStatus(s);
        setLag({ took: performance.now() - began, behind: Math.max(0, (s.seq ?? 0) - store.live.seq) });
      }, () => setLag(null));
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [store]);
  return lag;
}

function Models({ b }: { b: BackendSaid }) {
  const t = useText();
  const { store } = useApp();
  const users = (model: string) => [...store.shown.roles.values()].filter(r => r.model === model && r.backend === b.backend && r.enabled !== false);
  return (
    <section className="sys-box" data-backend={b.backend}><h2>{b.backend} <span className="src">{t.system.count(b.count)}</span></h2>
      {b.program && <p className="dim mono cut" title={b.program}>{b.program}</p>}
      {b.reason && <p className="bad-words">{b.reason}</p>}
      {b.count === 0 && !b.reason && <p className="dim">{b.program === null ? t.system.notUsed : b.hasList ? t.system.noModels : t.system.noList}</p>}
      <ul className="models">{b.models.map(m => <li key={m.id}><span className="mono sel">{m.id}</span><span className="dim cut">{m.label !== m.id && <span>{m.label}</span>}{users(m.id).length > 0 && <span className="users">{t.system.usedBy} </span>}{users(m.id).map((r, i) => <span key={r.id}>{i > 0 && ', '}<Link href={`/roles/${r.id}`}>{r.id}</Link></span>)}</span><CopyButton text={m.id} label={t.frame.copy} /></li>)}</ul>
    </section>
  );
}

function Setting({ s, isLate, isWithheld }: { s: SettingSaid; isLate: boolean; isWithheld: boolean }) {
  const t = useText();
  const value = s.isSecret ? s.isSet ? t.system.secret : t.system.unset : s.value === null || s.value === '' ? '–' : String(s.value);
  return (
    <tr data-key={s.key}><th scope="row" className="mono">{s.key}</th><td className={s.isSecret ? 'dim' : 'mono'}>{value}{isLate && <div className="note">{t.system.nextStart}</div>}{isWithheld && <div className="note bad-words">{t.system.needsTrust}</div>}</td>
      <td><span className="src">{t.roles.source[s.source] ?? s.source}</span> {s.from && <span className="mono dim" title={s.from}>{s.source === 'environment' ? s.from : s.from.split('/').at(-1)}</span>}</td></tr>
  );
}

function Settings({ c }: { c: ConfigAnswer }) {
  const t = useText();
  const [isAll, setAll] = useState(false);
  const shown = c.keys.filter(k => isAll || k.source !== 'builtin' || c.withheld.includes(k.key));
  return (
    <section className="sys-box"><h2>{t.system.settings}</h2>
      {c.configError && <p className="bad-words" role="alert">{c.configError.message}</p>}
      <label className="tk"><input type="checkbox" checked={!isAll} onChange={() => setAll(a => !a)} /><span>{t.system.onlySet}</span></label>
      {shown.length === 0 ? <p className="dim">{t.system.nothingSet}</p> : (
        <div className="set-box" tabIndex={0}><table className="set"><thead><tr><th scope="col">{t.system.setting}</th><th scope="col">{t.system.value}</th><th scope="col">{t.system.from}</th></tr></thead>
          <tbody>{shown.map(k => <Setting key={k.key} s={k} isLate={c.atRestart.includes(k.key)} isWithheld={c.withheld.includes(k.key)} />)}</tbody></table></div>
      )}
      {c.warnings.length > 0 && <><h3>{t.system.warnings}</h3><ul className="warnings">{c.warnings.map(x => <li key={x}>{x}</li>)}</ul></>}
    </section>
  );
}

export default function System() {
  const t = useText();
  const { store, language, setLanguage } = useApp();
  const round = useManyChanges(['status', 'roles', 'connection', 'config']);
  const w = store.shown;
  const s = store.status;
  const lag = useLag();
  const models = useAnswer<ModelsAnswer>('models', store.version('roles'));
  const config = useAnswer<ConfigAnswer>('config', store.version('config'));
  const withheld = config.data?.withheld ?? [];
  const backends = models.data?.backends.filter(b => b.isUsed || b.count > 0) ?? [];
  void round;
  return (
    <div className="hp sys"><div>
      <header><h1>{t.screens.system}</h1></header>
      <h2 className="sys-title">{t.system.models} <span className="src badge">{t.system.count(models.data?.count ?? w.models.length)}</span></h2>
      {(models.data?.count ?? w.models.length) === 0 && <p className="dim sys-none">{t.system.noModels}</p>}
      {backends.map(b => <Models key={b.backend} b={b} />)}
      <section className="sys-box prefs"><h2>{t.system.page}</h2>
        <Segments value={language} label={t.system.language} onChange={setLanguage} options={[{ value: 'ja', label: '日本語' }, { value: 'en', label: 'English' }]} />
        <button type="button" className="btn" onClick={() => document.dispatchEvent(new Event('app:toggle-theme'))}><Icon name="sun" small />{t.frame.theme}</button>
        <button type="button" className="btn" data-act="still" onClick={() => document.dispatchEvent(new Event('app:toggle-still'))}><Icon name="pause" small />{t.frame.motion}</button></section>
      {!s ? <p className="dim" role="status">{t.system.loading}</p> : (
        <div className="sys-grid">
          <Facts title={t.system.hub} rows={[[t.system.version, w.version], [t.system.build, <span className="mono cut">{s.build ?? w.build}</span>], [t.system.pid, s.pid ?? null], [t.system.since, w.startedAt > 0 ? dayAndClock(w.startedAt) : null], [t.system.up, w.startedAt > 0 ? <Elapsed from={w.startedAt} to={null} /> : null], [t.system.memory, s.memory?.resident_bytes ? bytes(s.memory.resident_bytes) : null], [t.system.store, s.store?.bytes ? bytes(s.store.bytes) : null], [t.system.language, s.language ?? null]]} />
          <Facts title={t.system.places} rows={[[t.system.places, t.system.inUse(s.places?.held ?? 0, s.places?.max ?? 0)], [t.system.waiting, `${s.places?.waiting ?? 0}${s.places?.maxQueued ? ` / ${s.places.maxQueued}` : ''}`], [t.system.orchestrators, t.system.inUse(s.places?.orchestrators ?? 0, s.places?.maxOrchestrators ?? 0)], [t.system.streams, s.streams ? `${t.system.lines(s.streams.lines ?? 0)}, ${bytes(s.streams.bytes ?? 0)}` : null]]} />
          <Facts title={t.system.config} rows={[[t.system.file, s.hasConfig ? <span className="mono cut" title={s.config}>{s.config}</span> : t.system.noFile], [t.system.state, <span className="mono cut" title={s.stateDir}>{s.stateDir}</span>], [t.system.trust, withheld.length > 0 ? <State state="timedOut">{t.system.withheld(withheld.length)}</State> : t.system.trusted]]} />
          <Facts title={t.system.feed} rows={[[t.system.connected, store.connection.state === 'live' ? t.frame.live : store.connection.state === 'lost' ? t.frame.lost('') : t.frame.connecting], [t.system.seq, store.live.seq.toLocaleString()], [t.system.lag, lag && t.system.lagEvents(lag.behind)], [t.system.roundTrip, lag && `${Math.round(lag.took)} ms`], [t.system.skew, `${Math.abs(Math.round(store.skew))} ms`], [t.system.address, <span className="mono">{location.host}</span>]]} />
        </div>
      )}
      {config.data && <Settings c={config.data} />}
    </div></div>
  );
}

import type { ReactNode } from 'react';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { CopyButton, Elapsed, Icon, Link, Segments } from '../../parts/basic';
import { bytes, dayAndClock } from '../../text/format';
import '../roles/roles.css';
import './system.css';

function Facts({ title, rows }: { title: string; rows: [string, ReactNode][] }) {
  return <section className="sys-box"><h2>{title}</h2><dl className="kv">{rows.filter(([, v]) => v !== null && v !== undefined && v !== '').map(([k, v]) => <div key={k}><dt>{k}</dt><dd>{v}</dd></div>)}</dl></section>;
}

export default function System() {
  const t = useText();
  const { store, language, setLanguage } = useApp();
  useManyChanges(['status', 'roles', 'connection']);
  const w = store.shown;
  const s = store.status;
  const roles = [...w.roles.values()];
  const users = (model: string) => roles.filter(r => r.model === model);
  const withheld = s?.withheld?.length ?? 0;
  const backends = [...new Set(roles.map(r => r.backend ?? '').filter(Boolean))];
  return (
    <div className="hp sys"><div>
      <header><h1>{t.screens.system}</h1><span className="src">{t.system.count(w.models.length)}</span></header>
      <section className="sys-box"><h2>{t.system.models} <span>{backends.join(', ')}</span></h2>
        {w.models.length === 0 ? <p className="dim">{t.system.noModels}</p> : (
          <ul className="models">{w.models.map(m => <li key={m}><span className="mono sel">{m}</span><span className="dim cut">{users(m).map((r, i) => <span key={r.id}>{i > 0 && ', '}<Link href={`/roles/${r.id}`}>{r.id}</Link></span>)}</span><CopyButton text={m} label={t.frame.copy} /></li>)}</ul>
        )}</section>
      <section className="sys-box prefs"><h2>{t.system.page}</h2>
        <Segments value={language} label={t.system.language} onChange={setLanguage} options={[{ value: 'ja', label: '日本語' }, { value: 'en', label: 'English' }]} />
        <button type="button" className="btn" onClick={() => document.dispatchEvent(new Event('app:toggle-theme'))}><Icon name="sun" small />{t.frame.theme}</button></section>
      <details className="sys-box"><summary>{t.system.config}</summary><pre className="conf" tabIndex={0}>{JSON.stringify({ ...w.config, roles: undefined }, null, 2)}</pre></details>
      {!s ? <p className="dim" role="status">{t.system.loading}</p> : (
        <div className="sys-grid">
          <Facts title={t.system.hub} rows={[[t.system.version, w.version], [t.system.build, <span className="mono cut">{s.build ?? w.build}</span>], [t.system.pid, s.pid ?? null], [t.system.since, w.startedAt > 0 ? dayAndClock(w.startedAt) : null], [t.system.up, w.startedAt > 0 ? <Elapsed from={w.startedAt} to={null} /> : null], [t.system.language, s.language ?? null]]} />
          <Facts title={t.system.places} rows={[[t.system.places, t.system.inUse(s.places?.held ?? 0, s.places?.max ?? 0)], [t.system.waiting, `${s.places?.waiting ?? 0}${s.places?.maxQueued ? ` / ${s.places.maxQueued}` : ''}`], [t.system.orchestrators, t.system.inUse(s.places?.orchestrators ?? 0, s.places?.maxOrchestrators ?? 0)], [t.system.streams, s.streams ? `${t.system.lines(s.streams.lines ?? 0)}, ${bytes(s.streams.bytes ?? 0)}` : null]]} />
          <Facts title={t.system.config} rows={[[t.system.file, s.hasConfig ? <span className="mono cut" title={s.config}>{s.config}</span> : t.system.noFile], [t.system.state, <span className="mono cut" title={s.stateDir}>{s.stateDir}</span>], [t.system.trust, withheld > 0 ? <span className="st" data-s="timedOut"><i className="g" data-s="timedOut" aria-hidden="true" />{t.system.withheld(withheld)}</span> : t.system.trusted], ...(s.withheld ?? []).map((x, i): [string, ReactNode] => [i === 0 ? '' : ' '.repeat(i), <span className="mono">{typeof x === 'string' ? x : x.key ?? x.message}</span>])]} />
          <Facts title={t.system.feed} rows={[[t.system.connected, store.connection.state === 'live' ? t.frame.live : store.connection.state === 'lost' ? t.frame.lost('') : t.frame.connecting], [t.system.seq, store.live.seq.toLocaleString()], [t.system.skew, `${Math.abs(Math.round(store.skew))} ms`], [t.system.address, <span className="mono">{location.host}</span>]]} />
        </div>
      )}
    </div></div>
  );
}

// Rail, top and what holds all screens.

import { useEffect, useState, type ReactNode } from 'react';
import type { Connection, Store } from '../model/store';
import { rolesInNeed, totalOf } from '../model/verdict';
import { clock, day, dollars, duration } from '../text/format';
import type { Text } from '../text/text';
import { useApp, useChanges, useText } from './app';
import { Glyph, Icon, Link } from './basic';
import { Bell } from './bell';
import type { IconName } from './paths';
import { Search } from './search';
import type { Travel } from './travel';

export type ScreenName = 'live' | 'timeline' | 'history' | 'mail' | 'phases' | 'projects' | 'roles' | 'health' | 'system';
export const SCREENS: [ScreenName, string, IconName][] = [
  ['live', '/', 'live'], ['timeline', '/timeline', 'lane'], ['history', '/history', 'hist'], ['mail', '/mail', 'mail'], ['projects', '/projects', 'board'], ['phases', '/phases', 'phases'], ['roles', '/roles', 'role'], ['health', '/health', 'health'], ['system', '/system', 'sys'],
];

export function useSecond(): void {
  const [, set] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => set(n => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}

/** A recording's Live is not live. */
export const screenName = (t: Text, name: ScreenName, store: Store) => name === 'live' && store.endsAt !== null ? t.recording.screen : t.screens[name];

export function Rail({ at, has }: { at: ScreenName | null; has: Partial<Record<ScreenName, unknown>> }) {
  const t = useText();
  const { store } = useApp();
  useChanges('roles');
  const off = rolesInNeed(store.shown).length;
  return (
    <nav className="rail" aria-label={t.frame.screens}>
      <Link href="/" className="mark" aria-label="Kuromajutsu">
        <svg viewBox="0 0 24 24" aria-hidden="true"><rect x="1" y="1" width="22" height="22" rx="3" fill="none" stroke="currentColor" strokeWidth="1.4" /><text x="12" y="17.3" textAnchor="middle" fontSize="15" fontWeight="700" fill="currentColor">黒</text></svg>
      </Link>
      {SCREENS.filter(([name]) => name === 'live' || name === 'timeline' || name in has).map(([name, href, icon]) => (
        <Link key={name} href={href} title={screenName(t, name, store)} aria-current={name === at ? 'page' : undefined}>
          <Icon name={icon} /><span>{screenName(t, name, store)}</span>
          {name === 'health' && off > 0 && <b className="flag" title={t.frame.flag(off)} aria-label={t.frame.flag(off)} role="img" />}
        </Link>
      ))}
    </nav>
  );
}

function ConnectionSign({ c, past }: { c: Connection; past: number | null }) {
  const t = useText();
  const { store, feed } = useApp();
  useSecond();
  if (past !== null) return <div className="conn">{t.frame.past}<small>{(store.endsAt === null ? t.frame.ago : t.recording.before)(duration(store.present() - past))}</small></div>;
  if (c.state === 'recording') return <div className="conn">{t.recording.sign}<small>{day(store.present())}</small></div>;
  if (c.state === 'lost') {
    const wait = Math.max(0, Math.ceil((c.retryAt - Date.now()) / 1000));
    return <><div className="conn" role="status">{t.frame.lost(clock(c.since))}<small>{t.frame.again(wait)}</small></div><button type="button" className="btn try" onClick={() => feed.retry()}>{t.frame.tryNow}</button></>;
  }
  if (c.state === 'catching') return <div className="conn" role="status">{t.frame.catching}</div>;
  if (c.state === 'connecting') return <div className="conn" role="status">{t.frame.connecting}</div>;
  return <div className="conn" role="status">{t.frame.live}</div>;
}

function Counts() {
  const t = useText();
  const { store } = useApp();
  useChanges('agents');
  useChanges('groups');
  const s = totalOf(store.shown);
  if (s.count === 0) return <div className="counts"><span className="dim">{store.hasPicture ? t.frame.none : ''}</span></div>;
  const one = (state: 'running' | 'queued' | 'resultReported' | 'failed', word: string, count: number, filter: string) => (
    <Link href={`/?filter=${filter}`} className="st" data-s={state} title={word}><Glyph state={state} />{count} <span>{word}</span></Link>
  );
  return (
    <div className="counts">
      {one('running', t.frame.running, s.by.running, 'running')}{one('queued', t.frame.queued, s.by.queued, 'queued')}
      {one('resultReported', t.frame.done, s.ended - s.bad - s.by.cancelled, 'done')}{one('failed', t.frame.failed, s.bad, 'failed')}
    </div>
  );
}

function Cost() {
  const t = useText();
  const { store } = useApp();
  useChanges('status');
  useChanges('agents');
  const s = totalOf(store.shown);
  const limit = store.status?.budget?.dayUsd ?? 0;
  const spent = store.past === null ? store.status?.budget?.spentTodayUsd ?? (s.hasCost ? s.cost : null) : s.hasCost ? s.cost : null;
  if (spent === null || (spent === 0 && limit === 0)) return null;
  if (store.endsAt !== null) return <span className="cost"><span><b>{dollars(spent)}</b> <span className="dim">{t.frame.spent}</span></span></span>;
  return (
    <Link className="cost" href="/history?usage=day">
      <span><b>{dollars(spent)}</b> <span className="dim">{limit > 0 ? `/ ${dollars(limit).replace('.00', '')} ${t.frame.today}` : t.frame.spent}</span></span>
      {limit > 0 && <span className="bar"><i style={{ flex: Math.min(spent, limit) }} /><span style={{ flex: Math.max(0, limit - spent) }} /></span>}
    </Link>
  );
}

function Clock() {
  const { store } = useApp();
  useSecond();
  useChanges('*');
  const at = store.now();
  return <div className="clock">{clock(at)}<small>{day(at)}</small></div>;
}

export function Top({ onKeys, onTheme, isStill, onStill }: { onKeys: () => void; onTheme: () => void; isStill: boolean; onStill: () => void }) {
  const t = useText();
  const { store, notes, language, setLanguage } = useApp();
  useChanges('connection');
  useChanges('*');
  const tool = (icon: IconName, label: string, act: () => void, pressed?: boolean) => (
    <button type="button" className="btn quiet icon" title={label} aria-label={label} aria-pressed={pressed} onClick={act}><Icon name={icon} /></button>
  );
  return (
    <header className="top">
      <ConnectionSign c={store.connection} past={store.past} />
      <Counts />
      <div className="grow" />
      <Search />
      <Cost />
      <Clock />
      {notes && <Bell notes={notes} />}
      <div className="tools">
        {tool('lang', t.frame.language, () => setLanguage(language === 'ja' ? 'en' : 'ja'))}
        {tool('sun', t.frame.theme, onTheme)}
        {tool('pause', t.frame.motion, onStill, isStill)}
        {tool('help', t.frame.keys, onKeys)}
      </div>
    </header>
  );
}

export function frameClass(connection: Connection, past: number | null): string {
  return ['app', past !== null ? 'past' : '', connection.state === 'lost' && past === null ? 'lost' : '', connection.state === 'catching' ? 'catch' : ''].filter(Boolean).join(' ');
}

export type FrameProps = { children: ReactNode; travel: Travel };

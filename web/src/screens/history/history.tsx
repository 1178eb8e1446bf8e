import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { ask } from '../../feed/ask';
import { STATUSES, type AgentSaid } from '../../feed/types';
import { moment, seenAs } from '../../model/world';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { Ghost, Icon, Id, Link, roleIcon, Segments, State, Trouble } from '../../parts/basic';
import { go, screen, useRoute, withQuery } from '../../parts/route';
import { clock, day, dayAndClock, dollars, duration, tokens } from '../../text/format';
import { byEnd, found, markedIn } from './found';
import { Usage } from './usage';
import './history.css';

/** Has ended; at a past moment: had by then. */
const isOverAt = (past: number | null) => (a: AgentSaid) => a.status !== 'queued' && a.status !== 'running' && (past === null || (moment(a.finishedAt) ?? Infinity) <= past);

interface Page { agents: AgentSaid[]; next?: number | null; total: number }
const LIMIT = 100;

/** What the address asks for, as the hub is asked. */
const askedOf = (q: URLSearchParams): string => {
  const out = new URLSearchParams({ limit: String(LIMIT) });
  for (const k of ['search', 'role', 'groupId']) if (q.get(k)) out.set(k, q.get(k)!);
  // As they are shown: to the hub's `status` a cancelled one is failed too.
  if (q.get('status')) out.set('state', q.get('status')!);
  if (q.get('sort') === 'oldest') out.set('order', 'oldest');
  return out.toString();
};

const pageOf = (asked: string, before: number | null, until: number | null) =>
  `history?${asked}${before !== null ? `&before=${before}` : ''}${until !== null ? `&until=${until}` : ''}`;

function useHistory(query: URLSearchParams, version: number, past: number | null) {
  const [pages, setPages] = useState<Page[]>([]);
  const [error, setError] = useState<Error | null>(null);
  const [isLoading, setLoading] = useState(true);
  const until = past === null ? null : Math.floor(past) + 1;
  const isOver = isOverAt(past);
  const asked = askedOf(query);
  useEffect(() => {
    const stop = new AbortController();
    setLoading(true);
    // Those that wait or run are on Live; on with the pages until some have ended.
    const read = async () => {
      const all: Page[] = [];
      for (let before: number | null = null; all.length < 20;) {
        const p: Page = await ask<Page>(pageOf(asked, before, until), stop.signal);
        all.push(p);
        if (!p.next || p.agents.length === 0 || all.flatMap(x => x.agents.filter(isOver)).length >= 40) break;
        before = p.next;
      }
      setPages(all);
      setError(null);
    };
    read().catch((e: Error) => { if (!stop.signal.aborted) setError(e); }).finally(() => { if (!stop.signal.aborted) setLoading(false); });
    return () => stop.abort();
  }, [asked, version, until]);
  const older = () => {
    const next = pages.at(-1)?.next;
    if (next) ask<Page>(pageOf(asked, next, until)).then(p => setPages(was => [...was, p]), setError);
  };
  const agents = pages.flatMap(p => p.agents);
  const left = agents.filter(a => !isOver(a)).length;
  return { agents: agents.filter(isOver), total: Math.max(0, (pages[0]?.total ?? 0) - left), next: pages.at(-1)?.next ?? null, error, isLoading, older };
}

/** What was searched for, seen in the text. */
function Hit({ text, words }: { text: string; words: string }): ReactNode {
  return markedIn(text, words).map((part, i) => i % 2 === 1 ? <mark key={i}>{part}</mark> : part);
}

const SHOWN_FILES = 3;
const nameOf = (path: string) => path.split('/').slice(-2).join('/');

function Files({ files }: { files: readonly string[] }) {
  if (files.length === 0) return null;
  return <span className="files mono cut" title={files.join('\n')}>{files.slice(0, SHOWN_FILES).map(nameOf).join(', ')}{files.length > SHOWN_FILES && ` +${files.length - SHOWN_FILES}`}</span>;
}

const usageOf = (a: AgentSaid) => (a.usage?.inputTokens ?? 0) + (a.usage?.outputTokens ?? 0) + (a.usage?.cacheReadTokens ?? 0) + (a.usage?.cacheWriteTokens ?? 0);

function Row({ a, words, hasDay }: { a: AgentSaid; words: string; hasDay: boolean }) {
  const t = useText();
  const ended = moment(a.finishedAt);
  const files = [...(a.editedFiles ?? []), ...(a.createdFiles ?? [])];
  const used = usageOf(a);
  return (
    <Link href={`/agents/${a.agentId}`} className="hrow" data-stop="">
      <span><State state={seenAs({ status: a.status ?? 'completed', outcome: a.outcome ?? '' })} /></span>
      <span className="who" title={a.role}><Icon name={roleIcon(a.role ?? '')} small /><Id id={a.agentId} /></span>
      <span className="sum"><span className="cut" dir="auto" title={a.summary ?? ''}><Hit text={found(a, words)} words={words} /></span><Files files={files} /></span>
      <span className="cut dim" dir="auto" title={a.groupId}>{a.groupDescription || a.groupId}</span>
      <span className="num" title={files.join('\n')}>{files.length || '–'}</span><span className="num">{a.toolCallCount || '–'}</span>
      <span className="num">{used > 0 ? tokens(used) : '–'}</span><span className="num">{duration(a.duration_ms ?? 0)}</span>
      <span className="num dim" title={ended !== null ? dayAndClock(ended) : ''}>{ended === null ? t.status.running : hasDay ? dayAndClock(ended).slice(5) : clock(ended)}</span>
    </Link>
  );
}

function groupsOf(agents: AgentSaid[]): { key: string; title: string; agents: AgentSaid[] }[] {
  const by = new Map<string, { key: string; title: string; agents: AgentSaid[] }>();
  for (const a of agents) {
    const key = a.groupId ?? '';
    const g = by.get(key) ?? { key, title: a.groupDescription ?? key, agents: [] };
    g.agents.push(a);
    by.set(key, g);
  }
  return [...by.values()];
}

const byDay = (agents: AgentSaid[]) => {
  const by = new Map<string, AgentSaid[]>();
  for (const a of agents) {
    const key = day(moment(a.finishedAt) ?? moment(a.createdAt) ?? 0);
    by.set(key, [...(by.get(key) ?? []), a]);
  }
  return [...by].map(([key, list]) => ({ key, title: key, agents: list }));
};

function Filters({ query, roles, groups }: { query: URLSearchParams; roles: string[]; groups: [string, string][] }) {
  const t = useText();
  const [words, setWords] = useState(query.get('search') ?? '');
  useEffect(() => setWords(query.get('search') ?? ''), [query.get('search')]);
  useEffect(() => {
    const timer = setTimeout(() => go(withQuery({ search: words || null }), 'replace'), 250);
    return () => clearTimeout(timer);
  }, [words]);
  const pick = (name: string, label: string, options: [string, string][]) => (
    <label className="pick"><span className="sr">{label}</span>
      <select className="btn" value={query.get(name) ?? ''} aria-label={label} onChange={e => go(withQuery({ [name]: e.target.value || null }))}><option value="">{label}: {t.history.any}</option>{options.map(([v, l]) => <option key={v} value={v}>{l}</option>)}</select>
    </label>
  );
  const hasAny = ['search', 'role', 'status', 'groupId'].some(k => query.get(k));
  return (
    <>
      <label className="find wide"><Icon name="find" small /><input type="search" value={words} placeholder={t.history.search} aria-label={t.history.search} onChange={e => setWords(e.target.value)} /></label>
      {pick('status', t.history.status, STATUSES.filter(s => s !== 'queued' && s !== 'running').map(s => [s, t.status[s]]))}
      {pick('role', t.history.role, roles.map(r => [r, r]))}
      {pick('groupId', t.history.group, groups)}
      {hasAny && <button type="button" className="btn quiet" onClick={() => go(screen('/history'))}><Icon name="x" small />{t.history.clear}</button>}
    </>
  );
}

export default function HistoryScreen() {
  const t = useText();
  const { store } = useApp();
  const { query } = useRoute();
  const version = useManyChanges(['agents', '*']);
  const past = store.past;
  const h = useHistory(query, Math.floor(version / 5), past);
  const isByGroup = query.get('by') === 'group';
  const isOldest = query.get('sort') === 'oldest';
  const words = query.get('search') ?? '';
  const sections = useMemo(() => {
    const agents = byEnd(h.agents, isOldest);
    return isByGroup ? groupsOf(agents) : byDay(agents);
  }, [h.agents, isByGroup, isOldest]);
  // Those of the past too, as far as they are here, and the one chosen.
  const groups = [...new Map([
    ...[query.get('groupId')].filter(id => id !== null).map(id => [id, id] as const),
    ...h.agents.map(a => [a.groupId ?? '', a.groupDescription || (a.groupId ?? '')] as const),
    ...[...store.live.groups.values()].map(g => [g.id, g.description || g.id] as const),
  ])].filter(([id]) => id !== '') as [string, string][];
  return (
    <div className="page history">
      <Usage version={Math.floor(version / 5)} past={past} />
      <div className="bench">
        <Filters query={query} roles={[...store.live.roles.keys()]} groups={groups} />
        <span className="grow" />
        <span className="dim hide-s">{t.history.total(h.total)}</span>
        <button type="button" className="btn quiet hide-s" onClick={() => go(withQuery({ sort: isOldest ? null : 'oldest' }), 'replace')}>{isOldest ? t.history.oldest : t.history.newest}</button>
        <Segments value={isByGroup ? 'group' : 'time'} label={t.history.byGroup} onChange={v => go(withQuery({ by: v === 'group' ? 'group' : null }), 'replace')} options={[{ value: 'time', label: t.history.byTime }, { value: 'group', label: t.history.byGroup }]} />
      </div>
      {h.error && <Trouble title={t.error.title} say={h.error.message} />}
      {h.isLoading && h.agents.length === 0 && !h.error && <Ghost cards={3} />}
      {!h.isLoading && h.agents.length === 0 && !h.error && <p className="dim none">{words || query.get('status') || query.get('role') || query.get('groupId') ? t.history.empty : t.history.none}</p>}
      {h.agents.length > 0 && <div className="hrow head" aria-hidden="true">{t.history.columns.map((c, i) => <span key={c} className={i > 3 ? 'num' : ''}>{c}</span>)}</div>}
      {sections.map(s => (
        <section key={s.key} className="hsec"><h2>{s.title || t.live.unsorted} {isByGroup && <Id id={s.key} />} <small>{t.history.total(s.agents.length)}{s.agents.some(a => a.usage?.costUsd) && ` · ${dollars(s.agents.reduce((n, a) => n + (a.usage?.costUsd ?? 0), 0))}`}</small></h2>
          {s.agents.map(a => <Row key={a.agentId} a={a} words={words} hasDay={isByGroup} />)}</section>
      ))}
      {h.next !== null && h.agents.length < h.total && <button type="button" className="btn older" onClick={h.older}>{t.history.older}</button>}
    </div>
  );
}

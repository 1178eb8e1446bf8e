import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { ask } from '../../feed/ask';
import { STATUSES, type AgentSaid } from '../../feed/types';
import { moment, seenAs } from '../../model/world';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { Ghost, Icon, Id, Link, roleIcon, Segments, State, Trouble } from '../../parts/basic';
import { go, useRoute, withQuery } from '../../parts/route';
import { clock, day, dollars, duration, tokens } from '../../text/format';
import { Usage } from './usage';
import './history.css';

/** Has ended; at a past moment: had by then. */
const isOverAt = (past: number | null) => (a: AgentSaid) => a.status !== 'queued' && a.status !== 'running' && (past === null || (moment(a.finishedAt) ?? Infinity) <= past);

interface Page { agents: AgentSaid[]; next?: number | null; total: number }
const LIMIT = 100;

const queryOf = (q: URLSearchParams, before: number | null, until: number | null) => {
  const out = new URLSearchParams({ limit: String(LIMIT) });
  for (const k of ['search', 'role', 'status', 'groupId']) if (q.get(k)) out.set(k, q.get(k)!);
  if (before !== null) out.set('before', String(before));
  if (until !== null) out.set('until', String(until));
  return out.toString();
};

function useHistory(query: URLSearchParams, version: number, past: number | null) {
  const [pages, setPages] = useState<Page[]>([]);
  const [error, setError] = useState<Error | null>(null);
  const [isLoading, setLoading] = useState(true);
  const until = past === null ? null : Math.floor(past) + 1;
  const isOver = isOverAt(past);
  const base = queryOf(query, null, null);
  useEffect(() => {
    const stop = new AbortController();
    setLoading(true);
    // Those that wait or run are on Live; on with the pages until some have ended.
    const read = async () => {
      const all: Page[] = [];
      for (let before: number | null = null; all.length < 20;) {
        const p: Page = await ask<Page>(`history?${queryOf(new URLSearchParams(base), before, until)}`, stop.signal);
        all.push(p);
        if (!p.next || p.agents.length === 0 || all.flatMap(x => x.agents.filter(isOver)).length >= 40) break;
        before = p.next;
      }
      setPages(all);
      setError(null);
    };
    read().catch((e: Error) => { if (!stop.signal.aborted) setError(e); }).finally(() => { if (!stop.signal.aborted) setLoading(false); });
    return () => stop.abort();
  }, [base, version, until]);
  const older = () => {
    const next = pages.at(-1)?.next;
    if (next) ask<Page>(`history?${queryOf(query, next, until)}`).then(p => setPages(was => [...was, p]), setError);
  };
  const agents = pages.flatMap(p => p.agents);
  const left = agents.filter(a => !isOver(a)).length;
  return { agents: agents.filter(isOver), total: Math.max(0, (pages[0]?.total ?? 0) - left), next: pages.at(-1)?.next ?? null, error, isLoading, older };
}

/** What was searched for, seen in the text. */
function Hit({ text, words }: { text: string; words: string }): ReactNode {
  const at = words ? text.toLowerCase().indexOf(words.toLowerCase()) : -1;
  if (at < 0) return text;
  const from = Math.max(0, at - 60);
  return <>{from > 0 && '…'}{text.slice(from, at)}<mark>{text.slice(at, at + words.length)}</mark>{text.slice(at + words.length)}</>;
}

const usageOf = (a: AgentSaid) => (a.usage?.inputTokens ?? 0) + (a.usage?.outputTokens ?? 0) + (a.usage?.cacheReadTokens ?? 0) + (a.usage?.cacheWriteTokens ?? 0);

function Row({ a, words }: { a: AgentSaid; words: string }) {
  const t = useText();
  const ended = moment(a.finishedAt);
  const files = [...(a.editedFiles ?? []), ...(a.createdFiles ?? [])];
  const used = usageOf(a);
  return (
    <Link href={`/agents/${a.agentId}`} className="hrow" data-stop="">
      <span><State state={seenAs({ status: a.status ?? 'completed', outcome: a.outcome ?? '' })} /></span>
      <span className="who" title={a.role}><Icon name={roleIcon(a.role ?? '')} small /><Id id={a.agentId} /></span>
      <span className="cut sum" dir="auto" title={a.summary ?? ''}><Hit text={a.summary || a.errorMessage || a.about || ''} words={words} /></span>
      <span className="cut dim" dir="auto" title={a.groupId}>{a.groupDescription || a.groupId}</span>
      <span className="num" title={files.join('\n')}>{files.length || '–'}</span><span className="num">{a.toolCallCount || '–'}</span>
      <span className="num">{used > 0 ? tokens(used) : '–'}</span><span className="num">{duration(a.duration_ms ?? 0)}</span>
      <span className="num dim">{ended !== null ? clock(ended) : t.status.running}</span>
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
      {hasAny && <button type="button" className="btn quiet" onClick={() => go('/history')}><Icon name="x" small />{t.history.clear}</button>}
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
    const agents = isOldest ? [...h.agents].reverse() : h.agents;
    return isByGroup ? groupsOf(agents) : byDay(agents);
  }, [h.agents, isByGroup, isOldest]);
  const groups: [string, string][] = [...store.live.groups.values()].map(g => [g.id, g.description || g.id]);
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
      {!h.isLoading && h.agents.length === 0 && !h.error && <p className="dim none">{words || query.get('status') || query.get('role') ? t.history.empty : t.history.none}</p>}
      {h.agents.length > 0 && <div className="hrow head" aria-hidden="true">{t.history.columns.map((c, i) => <span key={c} className={i > 3 ? 'num' : ''}>{c}</span>)}</div>}
      {sections.map(s => (
        <section key={s.key} className="hsec"><h2>{s.title || t.live.unsorted} {isByGroup && <Id id={s.key} />} <small>{t.history.total(s.agents.length)}{s.agents.some(a => a.usage?.costUsd) && ` · ${dollars(s.agents.reduce((n, a) => n + (a.usage?.costUsd ?? 0), 0))}`}</small></h2>
          {s.agents.map(a => <Row key={a.agentId} a={a} words={words} />)}</section>
      ))}
      {h.next !== null && h.agents.length < h.total && <button type="button" className="btn older" onClick={h.older}>{t.history.older}</button>}
    </div>
  );
}

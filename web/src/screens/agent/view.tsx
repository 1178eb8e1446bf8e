// One agent: header, tabs, and beside the story what one wants at hand.

import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../feed/ask';
import type { AgentSaid } from '../../feed/types';
import { processAt, storyAt, wholeAt, type ProcessSaid, type Then } from '../../model/hindsight';
import { isEnded, newAgent, takeAgent, type Agent } from '../../model/world';
import { useAgent, useApp, useChanges, useGroup, useText } from '../../parts/app';
import { useAnswer } from '../../parts/ask';
import { CopyButton, Elapsed, Ghost, HomeLink, Icon, Id, Link, roleIcon, State, Trouble } from '../../parts/basic';
import { useQuestion } from '../../parts/dialog';
import { go, hrefOf, linkTo, screen, withQuery } from '../../parts/route';
import { clock, dollars, duration, tokens } from '../../text/format';
import { fromOf, shownState, toOf } from '../live/card';
import { PlusMinus } from './diff';
import { OutputTab } from './output';
import { StoryTab } from './story';
import { allChanges, ChangesTab, commandLine, FileLine, ProcessFacts, ProcessTab, PromptTab, ResultTab } from './tabs';
import { useStory } from './use-story';
import './agent.css';

type Tab = 'story' | 'changes' | 'result' | 'prompt' | 'output' | 'process';
const TABS: Tab[] = ['story', 'changes', 'result', 'prompt', 'output', 'process'];
const PROCESS_MS = 3000;

/** What the world knows, filled up by what the record has. */
function useWhole(id: string): { a: Agent | 'notYet' | null; createdAt: number | null; task: string; report: string; error: Error | null } {
  const { store } = useApp();
  const known = useAgent(id);
  const said = useAnswer<AgentSaid>(`agents/${encodeURIComponent(id)}`, known?.status);
  const record = useMemo(() => said.data ? takeAgent(newAgent(id), said.data, store.present()) : null, [said.data, id, store]);
  const past = store.past;
  const a = useMemo(() => wholeAt(known, record, past), [known, record, past]);
  // The world has its beginning alone; before it was given there is none.
  const isReported = a !== null && a !== 'notYet' && (isEnded(a.status) || a.outcome !== '');
  const report = isReported ? said.data?.result?.response ?? a.response : '';
  return { a, createdAt: record?.createdAt ?? null, task: said.data?.prompt ?? '', report, error: said.error };
}

function Facts({ a }: { a: Agent }) {
  const t = useText();
  const { store } = useApp();
  const u = a.usage;
  const role = store.shown.roles.get(a.role);
  return (
    <dl className="fx">
      <div><dt>{t.agent.role}</dt><dd className="with-icon"><Icon name={roleIcon(a.role)} small /><span className="cut" dir="auto" title={a.role}>{role?.name ?? a.role}</span></dd></div>
      <div><dt>{t.agent.model}</dt><dd>{a.model} <small>{a.backend}</small></dd></div>
      {a.startedAt !== null && <div className="opt"><dt>{t.agent.started}</dt><dd>{clock(a.startedAt)} {a.createdAt !== null && a.startedAt - a.createdAt >= 1000 && <small>{t.agent.queuedFor(duration(a.startedAt - a.createdAt))}</small>}</dd></div>}
      {a.tokens > 0 && <div><dt>{t.agent.tokens}</dt><dd>{tokens(a.tokens)} {u && <small className="opt">{t.agent.tokensIn(tokens(u.inputTokens ?? 0), tokens((u.cacheReadTokens ?? 0) + (u.cacheWriteTokens ?? 0)), tokens(u.outputTokens ?? 0))}</small>}</dd></div>}
      {a.cost !== null && <div><dt>{t.agent.cost}</dt><dd>{dollars(a.cost)}</dd></div>}
      <div><dt>{t.agent.tools}</dt><dd>{a.tools}</dd></div>
      {a.place && <div className="opt"><dt>{t.agent.directory}</dt><dd className="mono cut" title={a.place}>{a.place}</dd></div>}
    </dl>
  );
}

function Crumbs({ a }: { a: Agent }) {
  const t = useText();
  const group = useGroup(a.groupId);
  const parent = useGroup(group?.parent ?? '');
  return (
    <nav className="crumbs" aria-label={t.agent.group}>
      {parent && <><Link className="cut" href={`/groups/${parent.id}`}>{parent.description || parent.id}</Link><Icon name="right" /></>}
      {group && <><Link className="cut" href={`/groups/${group.id}`}>{group.description || group.id}</Link><Icon name="right" /></>}
      <Id id={a.id} /><CopyButton text={a.id} label={t.live.copyId} />
    </nav>
  );
}

function Header({ a, isDrawer }: { a: Agent; isDrawer: boolean }) {
  const t = useText();
  const { feed, store } = useApp();
  const ask = useQuestion();
  const cancel = () => ask({ title: t.agent.cancelAsk, say: t.live.cancelSay, yes: t.agent.cancel, act: () => feed.command('agent:cancel', { agentId: a.id }) });
  return (
    <>
      <Crumbs a={a} />
      <div className="row">
        <State state={shownState(a)} /><span className="mid num"><Elapsed from={fromOf(a)} to={toOf(a)} /></span>
        <h1 className="cut" dir="auto" title={a.about}>{a.about || a.summary || a.role}</h1><span className="grow" />
        <span className="act-w">{isDrawer && <Link className="btn" aria-label={t.agent.asPage} href={`/agents/${a.id}`}><Icon name="page" small /><span className="lbl">{t.agent.asPage}</span></Link>}
          {!isDrawer && <CopyButton wide text={linkTo(screen(`/agents/${a.id}`))} label={t.agent.copyLink} />}
          <Link className="btn" aria-label={t.agent.onTimeline} href={`/timeline?group=${a.groupId}`}><Icon name="lane" small /><span className="lbl">{t.agent.onTimeline}</span></Link>
          {!isEnded(a.status) && store.past === null && store.endsAt === null && <button type="button" className="btn" aria-label={t.agent.cancel} onClick={cancel}><Icon name="stop" small /><span className="lbl">{t.agent.cancel}</span></button>}</span>
      </div>
      <Facts a={a} />
    </>
  );
}

function Side({ a, files, onTab, live }: { a: Agent; files: ReturnType<typeof allChanges>; onTab: (t: Tab) => void; live: unknown }) {
  const t = useText();
  const { store } = useApp();
  const group = useGroup(a.groupId);
  const parent = useGroup(group?.parent ?? '');
  const said = useAnswer<ProcessSaid>(`agents/${encodeURIComponent(a.id)}/process`, live);
  const added = files.reduce((n, f) => n + (f.added ?? 0), 0);
  const removed = files.reduce((n, f) => n + (f.removed ?? 0), 0);
  const process = said.data && processAt(said.data, store.past, isEnded(a.status));
  const beside = (group?.agents ?? []).filter(id => id !== a.id && store.shown.agents.has(id)).slice(0, 5);
  return (
    <aside className="side" aria-label={t.agent.process}>
      <section><h2>{t.agent.changes} <span>{t.agent.files(files.length)}</span><PlusMinus added={added} removed={removed} /></h2>{files.slice(0, 12).map(f => <FileLine key={f.path} f={f} place={a.place} onClick={() => onTab('changes')} />)}</section>
      <section><h2>{t.agent.task} {a.stage !== null && <span>{t.live.stage(a.stage + 1)}</span>}</h2>
        <dl className="kv">
          {parent?.orchestrator && <div><dt>{t.agent.askedBy}</dt><dd><Link href={`/agents/${parent.orchestrator}`}><Id id={parent.orchestrator} /></Link></dd></div>}
          {parent?.scope && <div><dt>{t.live.scope}</dt><dd className="mono">{parent.scope}</dd></div>}
          {beside.map((id, i) => { const b = store.shown.agents.get(id); return b && <div key={id}><dt>{i === 0 ? t.agent.beside : ''}</dt><dd><span className="st" data-s={shownState(b)}><i className="g" data-s={shownState(b)} role="img" aria-label={t.status[shownState(b)]} /></span><Link href={`/agents/${id}`}><Id id={id} /></Link></dd></div>; })}
        </dl></section>
      {process && <section><h2>{t.agent.process} {process.pid ? <span>pid {process.pid}</span> : null}</h2><ProcessFacts p={process} />{process.argv && <div className="cmdl">{commandLine(process.argv)}</div>}</section>}
    </aside>
  );
}

/** The moment shown is before its beginning. */
function NotYet({ at }: { at: number }) {
  const t = useText();
  const address = withQuery({ at: String(Math.ceil(at)) });
  return <Trouble title={t.agent.notYetThere} say={t.agent.notYetSay(clock(at))}><a className="btn" href={hrefOf(address)} onClick={e => { e.preventDefault(); go(address); }}>{t.agent.goThere}</a></Trouble>;
}

function useBeat(isOn: boolean): number {
  const [n, set] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => set(v => v + 1), PROCESS_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return n;
}

export function AgentView({ id, isDrawer }: { id: string; isDrawer: boolean }) {
  const t = useText();
  const { store } = useApp();
  useChanges('*');
  const [tab, setTab] = useState<Tab>('story');
  const whole = useWhole(id);
  const { task, report, error, createdAt } = whole;
  const isNotYet = whole.a === 'notYet';
  const a = whole.a === 'notYet' ? null : whole.a;
  const past = store.past;
  const isOver = a !== null && isEnded(a.status);
  const isLive = a !== null && !isOver && past === null && store.endsAt === null;
  const read = useStory(id, isLive, isNotYet ? null : past);
  const then = useMemo<Then>(() => past === null ? { story: read.story, untimed: 0, upTo: Infinity, before: Infinity } : storyAt(read.story, past, isOver), [read.story, past, isOver]);
  const telling = useMemo(() => ({ ...read, story: then.story }), [read, then]);
  const beat = useBeat(isLive);
  const files = useMemo(() => allChanges(then.story, a ?? undefined), [then, a]);
  if (isNotYet) return <NotYet at={createdAt!} />;
  if (!a) return error ? <Trouble title={t.agent.notFound} say={error instanceof ApiError ? [error.message, error.remedy].filter(Boolean).join(' ') : id}><HomeLink /></Trouble> : <div className="pad tab-pad"><Ghost cards={2} /></div>;
  // Raw lines are not in a recording; its story is.
  const tabs = store.endsAt === null ? TABS : TABS.filter(k => k !== 'output');
  const counts: Partial<Record<Tab, string | number>> = { changes: files.length || undefined };
  return (
    <div className="agent">
      <div className="phead">
        <Header a={a} isDrawer={isDrawer} />
        <div className="tabs" role="tablist" aria-label={a.id}>
          {tabs.map((k, i) => <button type="button" key={k} role="tab" id={`tab-${k}`} aria-controls="tab-panel" aria-selected={k === tab} tabIndex={k === tab ? 0 : -1} onClick={() => setTab(k)}
            onKeyDown={e => { const way = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0; if (way === 0) return; e.preventDefault(); e.stopPropagation(); const next = tabs[(i + way + tabs.length) % tabs.length]!; setTab(next); document.getElementById(`tab-${next}`)?.focus(); }}>
            {t.agent[k]}{counts[k] !== undefined && <small>{counts[k]}</small>}</button>)}
        </div>
      </div>
      <div className="panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        {tab === 'story' && <StoryTab telling={telling} untimed={then.untimed} from={fromOf(a)} isLive={isLive} isOver={isOver} place={a.place} />}
        {tab === 'changes' && <ChangesTab files={files} place={a.place} />}
        {tab === 'result' && <ResultTab a={a} response={report} />}
        {tab === 'prompt' && <PromptTab id={id} task={task} isComposed={past === null || a.status !== 'queued'} />}
        {tab === 'output' && <OutputTab id={id} then={then} isErrShown={past === null || isOver} />}
        {tab === 'process' && <ProcessTab id={id} live={beat} past={past} isOver={isOver} />}
      </div>
      {!isDrawer && <Side a={a} files={files} onTab={setTab} live={beat} />}
    </div>
  );
}

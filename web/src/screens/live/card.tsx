import { memo } from 'react';
import { kindOf } from '../../model/kind';
import { isEnded, seenAs, wentBadly, type Agent } from '../../model/world';
import { useAgent, useText } from '../../parts/app';
import { Elapsed, Icon, Id, Middle, roleIcon, State } from '../../parts/basic';
import { go, hrefOf, screen, withQuery } from '../../parts/route';
import { inside } from '../agent/place';
import { dollars, tokens } from '../../text/format';

/** A plain click opens the drawer; the address is the agent's own page. */
export function AgentLink({ id, className, children, ...data }: { id: string; className?: string; children?: React.ReactNode; [k: `data-${string}`]: string | boolean | undefined; title?: string; 'aria-label'?: string }) {
  return (
    <a href={hrefOf(screen(`/agents/${encodeURIComponent(id)}`))} className={className} data-stop="" {...data} onClick={e => {
      if (e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
      e.preventDefault();
      go(withQuery({ agent: id }));
    }}>{children}</a>
  );
}

export const shownState = (a: Agent) => a.stalled ? 'stalled' as const : seenAs(a);
/** What it says for itself: while it works its last words, then how it ended. */
export const wordsOf = (a: Agent) => wentBadly(a) ? a.error || a.summary || a.words : isEnded(a.status) ? a.summary || a.words : a.words;
export const aboutOf = (a: Agent) => a.about || a.summary || a.role;
export const fromOf = (a: Agent) => a.startedAt ?? a.createdAt;
export const toOf = (a: Agent) => isEnded(a.status) ? (fromOf(a) ?? 0) + a.elapsed : null;

/** What its tool works on; a file by where the agent works. */
export const titleOf = (a: Agent) => inside(a.title, a.place);

export function Doing({ a }: { a: Agent }) {
  if (!a.tool || a.status !== 'running') return null;
  const kind = kindOf(a.tool);
  return (
    <div className="doing" data-k={kind}><Icon name={kind} small /><span className="mono">{a.tool}</span><Middle text={titleOf(a)} />
      {a.toolAt > 0 && <time><Elapsed from={a.toolAt} to={null} isShort /></time>}</div>
  );
}

const JUST_MS = 400;

function classOf(a: Agent, more: string): string {
  const isJust = a.changedAt > 0 && isEnded(a.status) && Date.now() - a.changedAt < JUST_MS;
  return ['card', more, (a.tool && a.status === 'running') || a.conflicts.length > 0 ? 'has-now' : '', a.status === 'queued' ? 'q' : '', wentBadly(a) || a.stalled ? 'bad' : a.conflicts.length > 0 ? 'clashes' : '',
    isJust ? (a.status === 'failed' ? 'just-failed' : 'just-ended') : ''].filter(Boolean).join(' ');
}

export function Feet({ a }: { a: Agent }) {
  const t = useText();
  return (
    <div className="feet">
      <span className="mdl" title={a.model}>{a.model}</span><span className="grow" />
      {a.files > 0 && <span title={t.live.files}><Icon name="file" small />{a.files}</span>}
      <span title={t.live.tools}><Icon name="wrench" small />{a.tools}</span>
      {a.tokens > 0 && <span title={t.live.tokens}>{tokens(a.tokens)}</span>}
      {a.cost !== null && <span className="usd">{dollars(a.cost)}</span>}
    </div>
  );
}

/** The file and who else is at it: a link each, above the card's own. */
function Conflicts({ a }: { a: Agent }) {
  const t = useText();
  const first = a.conflicts[0];
  if (!first) return null;
  const others = [...new Set(a.conflicts.map(c => c.agentId))];
  return (
    <div className="clash" title={a.conflicts.map(c => `${c.path} · ${c.agentId}`).join('\n')}>
      <i className="g" data-s="timedOut" aria-hidden="true" /><span className="cut"><span className="mono">{inside(first.path, a.place)}</span> {t.live.alsoBy}</span>
      <AgentLink id={first.agentId} data-stop={undefined}><Id id={first.agentId} /></AgentLink>
      {others.length > 1 && <span>+{others.length - 1}</span>}
    </div>
  );
}

export const Card = memo(function Card({ id, className = '', about }: { id: string; className?: string; about?: string }) {
  const t = useText();
  const a = useAgent(id);
  if (!a) return null;
  return (
    <article className={classOf(a, className)} data-s={shownState(a)} data-end={isEnded(a.status) ? '' : undefined} data-agent={id}>
      <div className="l1">
        <State state={shownState(a)} /><span className={a.status === 'queued' ? 't dim' : 't'}><Elapsed from={fromOf(a)} to={toOf(a)} /></span>
        {a.stalled && <span className="dim">{t.live.silent}</span>}
        <span className="role" title={a.role}><Icon name={roleIcon(a.role)} small /><Id id={a.id} /></span>
      </div>
      <AgentLink id={id} className="about"><span className="cut" dir="auto">{about || aboutOf(a)}</span></AgentLink>
      <div><div className="words" dir="auto">{wordsOf(a)}</div>{a.conflicts.length > 0 ? <Conflicts a={a} /> : <Doing a={a} />}</div>
      <Feet a={a} />
    </article>
  );
});

// Three questions, three answers, no click.

import { useEffect, useState } from 'react';
import { kindOf } from '../../model/kind';
import type { Need, Verdict } from '../../model/verdict';
import type { Agent } from '../../model/world';
import { useApp, useChanges, useText } from '../../parts/app';
import { Bar, Elapsed, Glyph, Icon, Link } from '../../parts/basic';
import { go, hrefOf, withQuery } from '../../parts/route';
import { dollars, idParts } from '../../text/format';
import { duration } from '../../text/format';

const short = (a: Agent) => `${a.role} ${idParts(a.id)?.tail ?? ''}`.trim();

function Heading({ v }: { v: Verdict }) {
  const t = useText();
  const count = v.needs.length;
  const isOver = v.sum.count > 0 && v.sum.ended === v.sum.count;
  switch (v.mood) {
    case 'empty': return <>{t.verdict.empty}</>;
    case 'well': return <>{t.verdict.well}</>;
    case 'done': return <>{t.verdict.done}</>;
    case 'trouble': return <>{t.verdict.trouble}</>;
    case 'needs': return <>{v.sum.count === 0 ? t.verdict.needsIdle(count) : isOver ? t.verdict.needsDone(count) : t.verdict.needs(count)}</>;
  }
}

function Going({ v }: { v: Verdict }) {
  const t = useText();
  const { store } = useApp();
  useChanges('status');
  const s = v.sum;
  const places = store.status?.places;
  // Orchestrators have places of their own.
  const leads = [...store.shown.groups.values()].filter(g => g.orchestrator && store.shown.agents.get(g.orchestrator)?.status === 'running').length;
  return (
    <section>
      <h1 data-mood={v.mood}><Heading v={v} /></h1>
      <p><Link href="/?filter=done">{t.verdict.ended(s.ended, s.count)}</Link></p>
      <Bar sum={s} tall />
      <div className="scale">
        <Link href="/?filter=failed">{t.verdict.mix(s.ended - s.bad - s.by.cancelled, s.bad, s.by.cancelled)}</Link>
        {places?.max !== undefined && store.past === null && <Link href="/system" className="hide-p">{t.verdict.places(s.by.running - leads, places.max)}</Link>}
        {s.hasCost && <span className="on-phone">{dollars(s.cost)}</span>}
      </div>
    </section>
  );
}

/** The newest calls, looked at twice a second: more often nobody can read. */
function Now() {
  const t = useText();
  const { store } = useApp();
  useChanges('*');
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look(n => n + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const busy = [...store.shown.agents.values()].filter(a => a.status === 'running' && a.tool).sort((a, b) => b.toolAt - a.toolAt || (a.id < b.id ? -1 : 1)).slice(0, 4);
  return (
    <section className="now">
      <div className="h">{t.verdict.now}{store.past === null && store.endsAt === null && <span className="dim push">{t.verdict.rate(store.rate())}</span>}</div>
      {busy.length === 0 ? <p className="dim">{t.verdict.quiet}</p> : (
        <ul>{busy.map(a => (
          <li key={a.id} data-k={kindOf(a.tool)}>
            <time><Elapsed from={a.toolAt} to={null} isShort /></time><Icon name={kindOf(a.tool)} small /><span className="mono cut">{a.tool}</span>
            <a className="cut" href={hrefOf(`/agents/${a.id}`)} onClick={e => { e.preventDefault(); go(withQuery({ agent: a.id })); }}><span>{short(a)}</span> <span className="dim" dir="auto">{a.about}</span></a>
          </li>
        ))}</ul>
      )}
    </section>
  );
}

function sayNeed(n: Need, t: ReturnType<typeof useText>, now: number): { state: 'failed' | 'stalled' | 'timedOut'; name: string; say: string; act: string; href: string } {
  switch (n.kind) {
    case 'role': return { state: 'failed', name: n.roleId, say: `${t.verdict.role}: ${n.reason} ${n.model}`, act: t.verdict.edit, href: `/roles/${n.roleId}` };
    case 'stalled': return { state: 'stalled', name: short(n.agent), say: t.verdict.silent(duration(now - Math.max(n.agent.toolAt, n.agent.changedAt, n.agent.startedAt ?? 0)), n.agent.tool), act: t.frame.open, href: `/?agent=${n.agent.id}` };
    case 'bad': return n.agents.length === 1
      ? { state: n.failed ? 'failed' : 'timedOut', name: `${short(n.agents[0]!)} ${t.status[n.failed ? 'failed' : 'timedOut']}`, say: t.verdict.inGroup(n.title), act: t.frame.open, href: `/?agent=${n.agents[0]!.id}` }
      : { state: n.failed ? 'failed' : 'timedOut', name: t.verdict.bad(n.failed, n.timedOut), say: t.verdict.inGroup(n.title), act: t.verdict.show, href: `/groups/${n.groupId}?filter=failed` };
    case 'conflict': return { state: 'timedOut', name: n.file, say: t.verdict.conflict(n.agents.length), act: t.frame.open, href: `/?agent=${n.agents[0]!.id}` };
    case 'budget': return { state: 'timedOut', name: t.verdict.budgetName, say: t.verdict.budget(dollars(n.spent), dollars(n.limit)), act: t.verdict.show, href: '/history?usage=day' };
    case 'trust': return { state: 'timedOut', name: t.verdict.trustName, say: t.verdict.trust(n.count), act: t.verdict.show, href: '/system' };
  }
}

const SHOWN = 4;

function Needs({ needs }: { needs: Need[] }) {
  const t = useText();
  const { store } = useApp();
  return (
    <section className="need">
      <div className={needs.length > 0 ? 'h warm' : 'h'}>{needs.length > 0 ? <Link href="/?filter=needs">{t.verdict.need} {needs.length}</Link> : t.verdict.need}</div>
      {needs.length === 0 ? <p className="dim">{t.verdict.nothing}</p> : (
        <ul>{needs.slice(0, SHOWN).map(n => {
          const s = sayNeed(n, t, store.now());
          return <li key={n.key} data-s={s.state}><Glyph state={s.state} /><span className="cut" title={`${s.name} ${s.say}`}><b>{s.name}</b> <span className="mid">{s.say}</span></span><Link className="act" href={s.href}>{s.act}</Link></li>;
        })}</ul>
      )}
    </section>
  );
}

export function VerdictStrip({ v }: { v: Verdict }) {
  return <div className="verdict"><Going v={v} /><Now /><Needs needs={v.needs} /></div>;
}

// Three questions, three answers, no click.

import { useEffect, useState } from 'react';
import { kindOf } from '../../model/kind';
import { atWork } from '../../model/sum';
import type { Need, Verdict } from '../../model/verdict';
import type { Agent, World } from '../../model/world';
import { useApp, useChanges, useText } from '../../parts/app';
import { Bar, Elapsed, Glyph, Icon, Link, Middle } from '../../parts/basic';
import { go, hrefOf, screen, withQuery } from '../../parts/route';
import { inside } from '../agent/place';
import { dollars, duration, idParts } from '../../text/format';
import { titleOf } from './card';

const SHOWN = 4;

const short = (a: Agent) => `${a.role} ${idParts(a.id)?.tail ?? ''}`.trim();

const COUNTED: Record<string, string> = {
  all: '/', ended: '/?filter=ended', done: '/?filter=done', failed: '/?filter=failed', cancelled: '/?filter=cancelled', running: '/?filter=running', needs: '/?filter=needs',
  places: '/system', rate: '/timeline',
};

/** Words in which [[name|number]] leads to what it counts. */
function Counted({ say }: { say: string }) {
  return <>{say.split(/(\[\[\w+\|[^\]]*\]\])/).map((part, i) => {
    const m = /^\[\[(\w+)\|([^\]]*)\]\]$/.exec(part);
    return m ? <Link key={i} className="num-link" data-counts={m[1]} href={COUNTED[m[1]!] ?? '/'}>{m[2]}</Link> : part;
  })}</>;
}

function Heading({ v }: { v: Verdict }) {
  const t = useText();
  const count = v.needs.length;
  const isOver = v.sum.count > 0 && v.sum.ended === v.sum.count;
  switch (v.mood) {
    case 'empty': return <>{t.verdict.empty}</>;
    case 'well': return <>{t.verdict.well}</>;
    case 'done': return <>{t.verdict.done}</>;
    case 'trouble': return <>{t.verdict.trouble}</>;
    case 'needs': return <Counted say={v.sum.count === 0 ? t.verdict.needsIdle(count) : isOver ? t.verdict.needsDone(count) : t.verdict.needs(count)} />;
  }
}

function Going({ v }: { v: Verdict }) {
  const t = useText();
  const { store } = useApp();
  useChanges('status');
  const s = v.sum;
  const places = store.status?.places;
  return (
    <section>
      <h1 data-mood={v.mood}><Heading v={v} /></h1>
      <p><Counted say={t.verdict.ended(s.ended, s.count)} /></p>
      <Bar sum={s} tall />
      <div className="scale">
        <span><Counted say={t.verdict.mix(s.ended - s.bad - s.by.cancelled, s.bad, s.by.cancelled)} /></span>
        {places?.max !== undefined && store.past === null && <span className="hide-p"><Counted say={t.verdict.places(atWork(store.shown), places.max)} /></span>}
        {s.hasCost && <Link className="on-phone" href="/history?usage=day">{dollars(s.cost)}</Link>}
      </div>
    </section>
  );
}

const isNewer = (a: Agent, b: Agent) => a.toolAt > b.toolAt || (a.toolAt === b.toolAt && a.id < b.id);

/** The few newest of all calls under way, the newest first. */
export function newestCalls(w: World, most: number): Agent[] {
  const found: Agent[] = [];
  for (const a of w.agents.values()) {
    if (a.status !== 'running' || !a.tool) continue;
    if (found.length === most && !isNewer(a, found[most - 1]!)) continue;
    const at = found.findIndex(b => isNewer(a, b));
    found.splice(at === -1 ? found.length : at, 0, a);
    if (found.length > most) found.pop();
  }
  return found;
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
  const busy = newestCalls(store.shown, SHOWN);
  return (
    <section className="now">
      <div className="h">{t.verdict.now}{store.past === null && store.endsAt === null && <span className="dim push"><Counted say={t.verdict.rate(...store.rate())} /></span>}</div>
      {busy.length === 0 ? <p className="dim">{t.verdict.quiet}</p> : (
        <ul>{busy.map(a => (
          <li key={a.id} data-k={kindOf(a.tool)}>
            <time>{a.toolAt > 0 && <Elapsed from={a.toolAt} to={null} isShort />}</time><Icon name={kindOf(a.tool)} small /><span className="mono cut">{a.tool}</span>
            <a href={hrefOf(screen(`/agents/${a.id}`))} title={a.about} onClick={e => { e.preventDefault(); go(withQuery({ agent: a.id })); }}><span>{short(a)}</span> {a.title ? <Middle text={titleOf(a)} /> : <span className="dim cut" dir="auto">{a.about}</span>}</a>
          </li>
        ))}</ul>
      )}
    </section>
  );
}

function sayNeed(n: Need, t: ReturnType<typeof useText>, now: number): { state: 'failed' | 'stalled' | 'timedOut'; name: string; say: string; act: string; href: string } {
  switch (n.kind) {
    case 'role': return { state: 'failed', name: n.roleId, say: `${t.verdict.role}: ${n.reason || n.model}`, act: t.verdict.edit, href: `/roles/${n.roleId}` };
    case 'stalled': return { state: 'stalled', name: short(n.agent), say: t.verdict.silent(duration(now - Math.max(n.agent.toolAt, n.agent.changedAt, n.agent.startedAt ?? 0)), n.agent.tool), act: t.frame.open, href: `/?agent=${n.agent.id}` };
    case 'bad': return n.agents.length === 1
      ? { state: n.failed ? 'failed' : 'timedOut', name: `${short(n.agents[0]!)} ${t.status[n.failed ? 'failed' : 'timedOut']}`, say: t.verdict.inGroup(n.title), act: t.frame.open, href: `/?agent=${n.agents[0]!.id}` }
      : { state: n.failed ? 'failed' : 'timedOut', name: t.verdict.bad(n.failed, n.timedOut), say: t.verdict.inGroup(n.title), act: t.verdict.show, href: `/groups/${n.groupId}?filter=failed` };
    case 'conflict': return { state: 'timedOut', name: inside(n.file, n.agents[0]!.place), say: t.verdict.conflict(n.agents.length), act: t.frame.open, href: `/?agent=${n.agents[0]!.id}` };
    case 'stuck': return { state: 'stalled', name: n.title || n.groupId, say: t.verdict.stuck, act: t.verdict.show, href: `/groups/${n.groupId}` };
    case 'budget': return { state: 'timedOut', name: t.verdict.budgetName, say: t.verdict.budget(dollars(n.spent), dollars(n.limit)), act: t.verdict.show, href: '/history?usage=day' };
    case 'config': return { state: 'failed', name: [n.file.split('/').at(-1), n.line > 0 ? t.verdict.line(n.line) : ''].filter(Boolean).join(' '), say: `${n.message} ${t.verdict.held}`, act: t.verdict.show, href: '/system' };
    case 'trust': return { state: 'timedOut', name: t.verdict.trustName, say: t.verdict.trust(n.count), act: t.verdict.show, href: '/system' };
  }
}

function NeedLine({ need }: { need: Need }) {
  const t = useText();
  const { store } = useApp();
  const s = sayNeed(need, t, store.now());
  return (
    <li data-s={s.state} data-need={need.kind}><Glyph state={s.state} />
      <span className="cut" dir="auto" title={`${s.name} ${s.say}`}><b><Link href={s.href}>{s.name}</Link></b> <span className="mid">{s.say}</span></span>
      <Link className="act" href={s.href} aria-label={`${s.act}: ${s.name}`}>{s.act}</Link></li>
  );
}

function Needs({ needs }: { needs: Need[] }) {
  const t = useText();
  const shown = needs.length > SHOWN ? needs.slice(0, SHOWN - 1) : needs;
  return (
    <section className="need">
      <div className={needs.length > 0 ? 'h warm' : 'h'}>{needs.length > 0 ? <Link href="/?filter=needs">{t.verdict.need} {needs.length}</Link> : t.verdict.need}</div>
      {needs.length === 0 ? <p className="dim">{t.verdict.nothing}</p> : <ul>{shown.map(n => <NeedLine key={n.key} need={n} />)}</ul>}
      {shown.length < needs.length && <Link className="rest" href="/?filter=needs">{t.verdict.more(needs.length - shown.length)}</Link>}
    </section>
  );
}

/** All of them, also those that are no agent's: roles, budget, trust. */
export function NeedsList({ needs }: { needs: readonly Need[] }) {
  return needs.length === 0 ? null : <ul className="needs-list">{needs.map(n => <NeedLine key={n.key} need={n} />)}</ul>;
}

export function VerdictStrip({ v }: { v: Verdict }) {
  return <div className="verdict"><Going v={v} /><Now /><Needs needs={v.needs} /></div>;
}

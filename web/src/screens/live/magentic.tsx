// A magentic group: orchestrator, ledger, child groups.

import { useState } from 'react';
import type { Judged, ProgressLedger } from '../../feed/types';
import type { Tree } from '../../model/sum';
import { stepsOf, type Step } from '../../model/plan';
import { firstLine, isEnded, moment, type Group } from '../../model/world';
import { useAgent, useApp, useChanges, useGroup, useManyChanges, useText } from '../../parts/app';
import { Elapsed, Icon, Id, State } from '../../parts/basic';
import { useKept } from '../../parts/near';
import { clock } from '../../text/format';
import { AgentLink, Card } from './card';
import { Facts } from './group';
import { Pipe } from './pipe';
import { Rows } from './rows';

/** "last word 1:34 ago", in which only the time changes. */
function Ago({ from }: { from: number }) {
  const t = useText();
  const [before = '', after = ''] = t.live.progress('\u0000').split('\u0000');
  return <>{before}<Elapsed from={from} to={null} />{after}</>;
}

function Iterations({ at, max }: { at: number; max: number | null }) {
  const t = useText();
  return (
    <span className="iterations">
      {max !== null && max <= 30 && <span className="iters" aria-hidden="true">{Array.from({ length: max }, (_, i) => <i key={i} className={i < at - 1 ? 'on' : i === at - 1 ? 'at' : ''} />)}</span>}
      {max === null ? t.live.iterationOnly(at) : t.live.iteration(at, max)}
    </span>
  );
}

function Check({ said, yes, no, isGood, isOpen }: { said: Judged<boolean> | undefined; yes: string; no: string; isGood: (answer: boolean) => boolean; isOpen?: boolean }) {
  if (said?.answer === undefined) return null;
  const state = isGood(said.answer) ? 'completed' : isOpen ? 'queued' : 'timedOut';
  return <span className="st" data-s={state}><i className="g" data-s={state} aria-hidden="true" /><span>{said.answer ? yes : no} <em dir="auto">{said.reason}</em></span></span>;
}

function Judgement({ p, group }: { p: ProgressLedger | undefined; group: Group }) {
  const t = useText();
  const lead = useAgent(group.orchestrator ?? '');
  const isAtWork = lead !== undefined && !isEnded(lead.status);
  const at = moment(p?.updatedAt);
  const words = p ? [p.nextAction?.answer, p.nextAction?.reason, p.instruction?.answer].filter(Boolean) : [];
  return (
    <div>
      <div className="h"><span>{t.live.judgement} {at !== null && clock(at)}</span><Iterations at={group.iteration ?? 0} max={group.maxIterations} /></div>
      {p ? <p className="judge" dir="auto">{words[0]}{words.length > 1 && <span className="mid">{'。.!?'.includes(String(words[0]).slice(-1)) ? ' ' : ' — '}{words.slice(1).join('; ')}</span>}</p> : <p className="judge dim">{t.live.noJudgement}</p>}
      <div className="crit">
        <Check said={p?.isRequestSatisfied} yes={t.live.satisfied} no={group.criteria || t.live.criteria} isGood={a => a} isOpen={isAtWork} />
        <Check said={p?.isProgressBeingMade} yes={t.live.moving} no={t.live.stuck} isGood={a => a} />
        {p?.isInLoop?.answer === true && <Check said={p.isInLoop} yes={t.live.looping} no="" isGood={() => false} />}
      </div>
    </div>
  );
}

/** A step of the plan, how it stands, and who is or was at it. */
function StepLine({ step, number }: { step: Step; number: number }) {
  const last = step.agents[step.agents.length - 1];
  return (
    <div className="task"><span className="n">{number}</span>
      {step.state === null ? <span className="st none" /> : <State state={step.state} />}
      <span className="cut" dir="auto" title={step.text}>{step.text}</span>
      {last && <AgentLink id={last.id} data-stop={undefined}><Id id={last.id} /></AgentLink>}
    </div>
  );
}

const MOST_STEPS = 8;
const isDone = (step: Step) => step.state === 'resultReported' || step.state === 'completed';
const keysBelow = (trees: readonly Tree[]): string[] => trees.flatMap(c => [`states:${c.group.id}`, ...keysBelow(c.children)]);

function Plan({ tree }: { tree: Tree }) {
  const t = useText();
  const { store } = useApp();
  const [isWhole, setWhole] = useState(false);
  useManyChanges(['groups', ...keysBelow(tree.children)]);
  const steps = stepsOf(store.shown, tree);
  const hasStates = steps.some(s => s.state !== null);
  const hidden = isWhole ? 0 : Math.max(0, steps.length - MOST_STEPS);
  return (
    <>
      <div className="h"><span>{t.live.tasks}</span>{steps.length > 0 && <span>{hasStates ? t.live.stepsDone(steps.filter(isDone).length, steps.length) : t.live.steps(steps.length)}</span>}</div>
      {steps.length === 0 && <p className="dim">{t.live.noPlan}</p>}
      <div className={hasStates ? 'steps' : 'steps plain'}>{steps.slice(0, steps.length - hidden).map((step, i) => <StepLine key={i} step={step} number={i + 1} />)}</div>
      {hidden > 0 && <button type="button" className="more-steps" onClick={() => setWhole(true)}>{t.live.moreSteps(hidden)}</button>}
    </>
  );
}

function Ledger({ tree }: { tree: Tree }) {
  const t = useText();
  const group = tree.group;
  const lead = useAgent(group.orchestrator ?? '');
  const open = group.ledger?.taskLedger?.facts?.['toInvestigate'] ?? [];
  const p = group.ledger?.progressLedger;
  const last = moment(p?.updatedAt ?? group.ledger?.taskLedger?.updatedAt);
  const isOver = lead !== undefined && isEnded(lead.status);
  return (
    <div className="ledger">
      <div>
        <Plan tree={tree} />
        {open.length > 0 && <div className="facts-line cut" dir="auto" title={open.join('\n')}>? {open.join(' · ')}</div>}
        <div className="foot">
          {group.scope && <span className="cut">{t.live.scope} <b dir="auto">{group.scope}</b></span>}
          {last !== null && !isOver && <span>{group.stalled ? <State state="stalled">{t.live.stuck}</State> : t.live.moving}{t.live.comma}<Ago from={last} /></span>}
        </div>
      </div>
      <Judgement p={p} group={group} />
    </div>
  );
}

function Kid({ tree, isFirst, shows }: { tree: Tree; isFirst: boolean; shows: (id: string) => boolean }) {
  const t = useText();
  const { store } = useApp();
  useChanges(`states:${tree.group.id}`);
  const group = useGroup(tree.group.id) ?? tree.group;
  const isAtWork = group.agents.some(id => !isEnded(store.shown.agents.get(id)?.status ?? 'completed'));
  const [isOpen, setOpen] = useKept<boolean | null>(`kid:${tree.group.id}`, null);
  const open = isOpen ?? (isFirst || isAtWork);
  const ids = group.agents.filter(shows);
  return (
    <div className="kid" id={`group-${group.id}`}>
      <header>
        <button type="button" className="fold" aria-expanded={open} aria-label={open ? t.live.fold : t.live.unfold} onClick={() => setOpen(!open)}><Icon name={open ? 'down' : 'right'} small /></button>
        <h3 className="cut" dir="auto">{group.description || group.id}</h3><span className="gid"><Id id={group.id} /></span><span className="grow" />
        <Facts tree={{ ...tree, group }} />
      </header>
      {open && (group.mode === 'sequential' && ids.length === group.agents.length && ids.length <= 12 ? <Pipe group={group} /> : ids.length > 0 && <Rows ids={ids} name={group.id} />)}
      {open && tree.children.length > 0 && <Kids children_={tree.children} shows={shows} />}
    </div>
  );
}

function Kids({ children_, shows }: { children_: Tree[]; shows: (id: string) => boolean }) {
  return <div className="kids">{children_.map((c, i) => <Kid key={c.group.id} tree={c} isFirst={i === 0} shows={shows} />)}</div>;
}

export function Magentic({ tree, shows }: { tree: Tree; shows: (id: string) => boolean }) {
  const group = tree.group;
  const lead = group.orchestrator;
  const others = group.agents.filter(id => id !== lead && shows(id));
  return (
    <>
      <div className="lead">{lead ? <Card id={lead} className="orch" about={firstLine(group.task) || group.description} /> : <div className="card q" />}<Ledger tree={tree} /></div>
      {others.length > 0 && <Rows ids={others} name={group.id} />}
      {tree.children.length > 0 && <Kids children_={tree.children} shows={shows} />}
    </>
  );
}

// A sequential group: its stages side by side, and what is handed on.

import { useEffect, useLayoutEffect, useRef, useState, Fragment } from 'react';
import { sizeOf } from '../../model/light';
import { isEnded, seenAs, type Agent, type Group, type World } from '../../model/world';
import { useApp, useChanges, useText } from '../../parts/app';
import { Elapsed, Glyph, Icon } from '../../parts/basic';
import { bytes, clock } from '../../text/format';
import { Card } from './card';

export interface Stage { index: number; agents: Agent[] }

/** A hub that does not say an agent's stage leaves it to what is known: who
 * waits is of a later one. */
export function stagesOf(w: World, g: Group): Stage[] {
  const now = g.stageIndex ?? 0;
  const stages: Stage[] = [];
  for (const id of g.agents) {
    const a = w.agents.get(id);
    if (!a) continue;
    const index = a.stage ?? (a.status === 'queued' && a.startedAt === null ? now + 1 : now);
    (stages[index] ??= { index, agents: [] }).agents.push(a);
  }
  for (let i = 0; i < Math.max(stages.length, g.stageTotal ?? 0); i++) stages[i] ??= { index: i, agents: [] };
  return stages;
}

/** A stage is no better than the worst of its agents. */
function worstOf(agents: readonly Agent[]) {
  const seen = agents.map(seenAs);
  return (['failed', 'timedOut', 'cancelled', 'completed'] as const).find(s => seen.includes(s)) ?? 'resultReported' as const;
}

export function stateOf(s: Stage) {
  if (s.agents.length > 0 && s.agents.every(a => isEnded(a.status))) return worstOf(s.agents);
  return s.agents.some(a => a.status === 'running') ? 'running' as const : 'queued' as const;
}

const handedText = (s: Stage) => s.agents.map(a => a.summary || a.words).filter(Boolean).join(' ');
const handedSize = (s: Stage) => s.agents.reduce((n, a) => n + (a.responseBytes || sizeOf(a.summary)), 0);
const started = (s: Stage) => s.agents.reduce<number | null>((m, a) => a.startedAt !== null && (m === null || a.startedAt < m) ? a.startedAt : m, null);
const ended = (s: Stage) => s.agents.every(a => a.finishedAt !== null) ? s.agents.reduce((m, a) => Math.max(m, a.finishedAt ?? 0), 0) : null;

function StageColumn({ s, next }: { s: Stage; next: Stage | undefined }) {
  const t = useText();
  const from = started(s);
  const text = handedText(s);
  return (
    <div className="stage" data-stage={s.index}>
      <h3><span className="st" data-s={stateOf(s)}><Glyph state={stateOf(s)} label /></span>{t.live.stage(s.index + 1)}
        <em>{from === null ? (s.index > 0 ? t.live.waits(s.index) : '') : <Elapsed from={from} to={ended(s)} />}</em></h3>
      {s.agents.map(a => <Card key={a.id} id={a.id} className="tight" />)}
      {next && started(next) !== null && text !== '' && (
        <div className="hand"><div className="h"><Icon name="hand" small />{t.live.handed(clock(started(next)!))}, {bytes(handedSize(s))} {t.live.toNext(next.agents.length)}</div><p dir="auto">{text}</p></div>
      )}
    </div>
  );
}

interface Wire { d: string; form: string }

function measure(box: HTMLElement, stages: Stage[]): Wire[] {
  const o = box.getBoundingClientRect();
  const columns = [...box.querySelectorAll('.stage')];
  const at = (e: Element, isRight: boolean): [number, number] => {
    const r = e.getBoundingClientRect();
    return [(isRight ? r.right : r.left) - o.left, r.top - o.top + Math.min(r.height / 2, 52)];
  };
  const wires: Wire[] = [];
  for (let i = 0; i + 1 < columns.length; i++) {
    const isPast = started(stages[i + 1]!) !== null;
    for (const a of columns[i]!.querySelectorAll('.card')) for (const b of columns[i + 1]!.querySelectorAll('.card')) {
      const [x, y] = at(a, true);
      const [u, v] = at(b, false);
      const middle = (x + u) / 2;
      const isReady = (a as HTMLElement).dataset['s'] === 'resultReported' || (a as HTMLElement).dataset['s'] === 'completed';
      wires.push({ d: `M${x} ${y}C${middle} ${y} ${middle} ${v} ${u} ${v}`, form: isPast ? 'past' : isReady ? 'past wait' : 'wait' });
    }
  }
  return wires;
}

/** A dot along each line, once, when a stage hands on. */
function useHandOver(stage: number | null): boolean {
  const [isMoving, setMoving] = useState(false);
  const before = useRef(stage);
  useEffect(() => {
    const was = before.current;
    before.current = stage;
    if (stage === null || was === null || stage <= was) return;
    setMoving(true);
    const timer = setTimeout(() => setMoving(false), 600);
    return () => clearTimeout(timer);
  }, [stage]);
  return isMoving;
}

export function Pipe({ group }: { group: Group }) {
  const { store } = useApp();
  const version = useChanges(`states:${group.id}`);
  const stages = stagesOf(store.shown, group);
  const box = useRef<HTMLDivElement>(null);
  const [wires, setWires] = useState<Wire[]>([]);
  const isMoving = useHandOver(group.stageIndex);
  useLayoutEffect(() => {
    const b = box.current;
    if (!b) return;
    const draw = () => setWires(measure(b, stages));
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(b);
    return () => watch.disconnect();
  }, [version, group]);
  const columns = stages.map(() => 'minmax(0, 1fr)').join(' var(--gap) ');
  return (
    <div className="pipe-view"><div className="pipe" ref={box} style={{ '--columns': columns, '--count': stages.length } as React.CSSProperties}>
      {stages.map((s, i) => (
        <Fragment key={s.index}>
          <StageColumn s={s} next={stages[i + 1]} />
          {i + 1 < stages.length && <div className={started(stages[i + 1]!) === null ? 'link-cap wait' : 'link-cap'}>{started(stages[i + 1]!) === null ? '' : bytes(handedSize(s))}</div>}
        </Fragment>
      ))}
      <svg className="wires" aria-hidden="true">
        {wires.map((w, i) => <path key={i} className={w.form} d={w.d} />)}
        {isMoving && wires.filter(w => w.form === 'past').map((w, i) => <circle key={i} className="go" r="3" style={{ offsetPath: `path('${w.d}')` }} />)}
      </svg>
    </div></div>
  );
}

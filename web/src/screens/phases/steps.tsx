// The five phases in their order, each with how it stands.

import { useEffect, useRef } from 'react';
import { isPlanned, numberOf, runOf, stateOf } from '../../model/phases';
import { moment } from '../../model/world';
import type { PhaseProjectSaid, PhaseRecordSaid } from '../../feed/types';
import { useApp, useText } from '../../parts/app';
import { Elapsed, Glyph, Link, State } from '../../parts/basic';
import { withQuery } from '../../parts/route';

/** The word for its state; a stage that waits for its turn says so. */
export function useStateWord(p: PhaseProjectSaid, r: PhaseRecordSaid) {
  const t = useText();
  const { store } = useApp();
  const run = runOf(store.shown, p, r.phase);
  const state = stateOf(r, run);
  const words = { queued: isPlanned(r, run) ? t.phases.planned : t.phases.pending, running: t.phases.inProgress, resultReported: t.phases.completed, failed: t.phases.failed } as Record<string, string>;
  return { state, word: words[state] ?? t.status[state] };
}

/** Since when, or how long it took. */
export function Took({ r }: { r: PhaseRecordSaid }) {
  const started = moment(r.startedAt);
  if (started === null) return null;
  const isOver = r.status === 'completed' || r.status === 'failed';
  const ended = moment(r.completedAt);
  return isOver && ended === null ? null : <Elapsed from={started} to={isOver ? ended : null} />;
}

function Step({ p, r, isOpen }: { p: PhaseProjectSaid; r: PhaseRecordSaid; isOpen: boolean }) {
  const t = useText();
  const { state, word } = useStateWord(p, r);
  return (
    <li><Link className="step" data-stop="" data-s={state} data-phase={r.phase} href={withQuery({ project: p.projectPath, phase: r.phase, at: null }, '/phases')} aria-current={isOpen ? 'step' : undefined}>
      <span className="nr" aria-hidden="true">{numberOf(r.phase)}</span>
      <b className="cut">{t.phases.names[r.phase] ?? r.phase}</b>
      <State state={state}>{word}</State>
      <small className="dim num">{r.checkpoints.length > 0 && <span className="points">{t.phases.checkpoints(r.checkpoints.length)}</span>}<Took r={r} /></small>
    </Link></li>
  );
}

export function Steps({ p, open }: { p: PhaseProjectSaid; open: PhaseRecordSaid }) {
  const t = useText();
  return <ol className="steps" aria-label={t.phases.all}>{p.phases.map(r => <Step key={r.phase} p={p} r={r} isOpen={r.phase === open.phase} />)}</ol>;
}

function Dot({ p, r }: { p: PhaseProjectSaid; r: PhaseRecordSaid }) {
  const t = useText();
  const { state, word } = useStateWord(p, r);
  const said = `${t.phases.names[r.phase] ?? r.phase}: ${word}`;
  return <span className="st" data-s={state} role="img" title={said} aria-label={said}><Glyph state={state} /></span>;
}

/** A project in the list: its name, and how its phases stand. */
export function ProjectLink({ p, name, isOpen }: { p: PhaseProjectSaid; name: string; isOpen: boolean }) {
  const own = useRef<HTMLLIElement>(null);
  // Where the list is a row one can push, what is open may lie beside it.
  useEffect(() => { if (isOpen) own.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }); }, [isOpen]);
  return (
    <li ref={own}><Link className="project" data-stop="" href={withQuery({ project: p.projectPath, phase: null, at: null }, '/phases')} aria-current={isOpen ? 'true' : undefined} title={p.projectPath}>
      <b className="cut" dir="auto">{name}</b><span className="dots">{p.phases.map(r => <Dot key={r.phase} p={p} r={r} />)}</span><small className="cut mono dim" dir="auto">{p.projectPath}</small>
    </Link></li>
  );
}

// One phase of a project: what it asks and whose prompt that is; how it went,
// what was kept on the way and what it came to; the agent that does it.

import { lazy, Suspense } from 'react';
import type { PhaseProjectSaid, PhasePromptSaid, PhaseRecordSaid } from '../../feed/types';
import { valueText } from '../../model/mail';
import { newestFirst, numberOf, outcomeOf, runOf, runState, sourceOf, type Outcome } from '../../model/phases';
import { useApp, useText } from '../../parts/app';
import { At, CopyButton, Icon, Id, Link, Middle, State } from '../../parts/basic';
import type { IconName } from '../../parts/paths';
import { Took, useStateWord } from './steps';

const Markdown = lazy(() => import('../agent/markdown'));

// ---- what it asks -----------------------------------------------------------

const SIGNS: Record<ReturnType<typeof sourceOf>, IconName> = { builtin: 'mcp', file: 'file', unreadable: 'warn', cloud: 'web', copy: 'copy', unfetched: 'web' };

function SourceLine({ p }: { p: PhasePromptSaid }) {
  const t = useText();
  const { store } = useApp();
  const source = sourceOf(p);
  return (
    <div className="whose" data-source={source}>
      <p><Icon name={SIGNS[source]} small /><b>{t.phases.sources[source]}</b>{p.origin && <Middle text={p.origin} />}
        {p.version > 0 && <span className="dim">{t.phases.version(p.version)}</span>}{p.fetchedAt && <span className="dim">{p.source === 'cloud' ? t.phases.fetched : t.phases.handed} <At at={p.fetchedAt} /></span>}</p>
      {p.problem && <p className="bad-words">{p.problem}</p>}
      {t.phases.sourceSay[source] && <p className="dim">{t.phases.sourceSay[source]}</p>}
      {store.past !== null && <p className="dim">{t.phases.promptNow}</p>}
    </div>
  );
}

function Asked({ p }: { p: PhasePromptSaid }) {
  const t = useText();
  return (
    <section className="asked" aria-label={t.phases.asks}>
      <h2>{t.phases.asks}<span className="grow" />{p.content && <CopyButton text={p.content} label={t.phases.copyPrompt} />}</h2>
      <SourceLine p={p} />
      {p.content && <Suspense fallback={null}><Markdown text={p.content} /></Suspense>}
    </section>
  );
}

// ---- how it went ------------------------------------------------------------

function Facts({ p, r }: { p: PhaseProjectSaid; r: PhaseRecordSaid }) {
  const t = useText();
  const { state, word } = useStateWord(p, r);
  const rows: [string, React.ReactNode][] = [
    [t.phases.state, <State state={state}>{word}</State>],
    [t.phases.attempts, r.attempts > 0 ? r.attempts : null],
    [t.phases.started, r.startedAt && <At at={r.startedAt} />],
    [t.phases.ended, r.completedAt && <At at={r.completedAt} />],
    [t.phases.took, r.startedAt && (r.completedAt || r.status === 'in_progress') ? <Took r={r} /> : null],
  ];
  return <dl className="kv">{rows.filter(([, v]) => v !== null).map(([k, v]) => <div key={k}><dt>{k}</dt><dd>{v}</dd></div>)}</dl>;
}

function RunPart({ p, r }: { p: PhaseProjectSaid; r: PhaseRecordSaid }) {
  const t = useText();
  const { store } = useApp();
  const run = runOf(store.shown, p, r.phase);
  if (!run) return null;
  const group = store.shown.groups.get(run.plan.groupId);
  const state = runState(run);
  return (
    <section className="run"><h2>{t.phases.plan}</h2>
      <dl className="kv">
        <div><dt>{t.phases.group}</dt><dd className="cut">{group ? <Link className="plan-link" href={`/groups/${encodeURIComponent(group.id)}`}>{group.description || group.id}</Link> : <Id id={run.plan.groupId} />}</dd></div>
        {run.agent && <div><dt>{t.phases.agent}</dt><dd><Link className="agent-link" href={`/agents/${encodeURIComponent(run.agent.id)}`}><Id id={run.agent.id} /></Link> {state && <State state={state} />}</dd></div>}
      </dl>
    </section>
  );
}

function Points({ r }: { r: PhaseRecordSaid }) {
  const t = useText();
  if (r.checkpoints.length === 0) return null;
  return (
    <section className="kept"><h2>{t.phases.kept}</h2>
      <ol tabIndex={0} aria-label={t.phases.kept}>{newestFirst(r.checkpoints).map((c, i) => <li key={i}><span dir="auto">{c.checkpoint}</span><small className="dim num"><At at={c.savedAt} /></small></li>)}</ol>
    </section>
  );
}

function Came({ r, said }: { r: PhaseRecordSaid; said: Outcome | null }) {
  const t = useText();
  if (r.truncated) return <section className="came"><h2>{t.phases.result}</h2><p className="dim">{t.phases.tooLong}</p></section>;
  if (!said) return null;
  return (
    <section className="came"><h2>{said.kind === 'end' ? t.phases.result : t.phases.lastKept}</h2>
      {said.kind === 'checkpoint' ? <p><b dir="auto">{said.status}</b></p> : said.status && <p className="mid">{t.phases.ends[said.status] ?? said.status}</p>}
      {said.summary && <p className="summary" dir="auto">{said.summary}</p>}
      {said.rest && <pre className="mono" dir="auto" tabIndex={0}>{valueText(said.kind === 'checkpoint' ? said.rest['data'] : said.rest)}</pre>}
    </section>
  );
}

function Files({ r }: { r: PhaseRecordSaid }) {
  const t = useText();
  if (r.outputFiles.length === 0) return null;
  return <section className="made"><h2>{t.phases.files} <span className="dim">{r.outputFiles.length}</span></h2><ul tabIndex={0} aria-label={t.phases.files}>{r.outputFiles.map(f => <li key={f}><Icon name="file" small /><Middle text={f} /></li>)}</ul></section>;
}

export function Phase({ p, r, prompt }: { p: PhaseProjectSaid; r: PhaseRecordSaid; prompt: PhasePromptSaid | undefined }) {
  const t = useText();
  return (
    <article className="phase-open" aria-label={t.phases.names[r.phase] ?? r.phase} data-phase={r.phase}>
      <aside className="went" aria-label={t.phases.went}>
        <h2>{t.phases.phase(numberOf(r.phase))}: {t.phases.names[r.phase] ?? r.phase}</h2>
        <Facts p={p} r={r} /><RunPart p={p} r={r} /><Came r={r} said={outcomeOf(r)} /><Files r={r} /><Points r={r} />
      </aside>
      {prompt && <Asked p={prompt} />}
    </article>
  );
}

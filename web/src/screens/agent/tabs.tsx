// Changes, Result, Prompt, Process.

import { lazy, Suspense, useState } from 'react';
import { processAt, type ProcessSaid } from '../../model/hindsight';
import { changesOf, type FileChange, type Story } from '../../model/story';
import { moment, type Agent } from '../../model/world';
import { useText } from '../../parts/app';
import { useAnswer } from '../../parts/ask';
import { CopyButton, Glyph, Icon, State } from '../../parts/basic';
import { bytes, clock } from '../../text/format';
import { Diff, PlusMinus } from './diff';
import { inside } from './place';

const Markdown = lazy(() => import('./markdown'));
const FIRST_FILES = 300;

// ---- changes ----------------------------------------------------------------

function Blocks({ f }: { f: FileChange }) {
  const plus = f.added ?? 0;
  const all = plus + (f.removed ?? 0);
  const green = all === 0 ? 0 : Math.round(5 * plus / all);
  const red = all === 0 ? 0 : Math.min(5 - green, Math.ceil(5 * (all - plus) / all));
  return <span className="blk" aria-hidden="true">{Array.from({ length: 5 }, (_, i) => <i key={i} className={i < green ? 'p' : i < green + red ? 'm' : ''} />)}</span>;
}

export function allChanges(story: Story, a: Agent | undefined): FileChange[] {
  const known = changesOf(story.entries);
  const paths = new Set(known.map(f => f.path));
  const more = [...(a?.edited ?? []).map(p => [p, 'edited'] as const), ...(a?.created ?? []).map(p => [p, 'created'] as const)];
  return [...known, ...more.filter(([p]) => !paths.has(p)).map(([path, change]) => ({ path, change, diffs: [] }))];
}

export function FileLine({ f, place, onClick }: { f: FileChange; place: string; onClick?: () => void }) {
  const t = useText();
  const short = inside(f.path, place);
  const cut = short.lastIndexOf('/') + 1;
  return (
    <button type="button" className="fl" onClick={onClick} title={f.path}>
      <span className={f.change === 'created' ? 'x new' : f.change === 'deleted' ? 'x gone' : 'x'} title={t.agent.change[f.change] ?? f.change}>{f.change === 'created' ? 'A' : f.change === 'deleted' ? 'D' : 'M'}</span>
      <span className="p cut"><span>{short.slice(0, cut)}</span>{short.slice(cut)}</span><PlusMinus added={f.added} removed={f.removed} /><Blocks f={f} /><span className="sr">{f.change === 'created' ? t.agent.newFile : f.change === 'deleted' ? t.agent.deleted : ''}</span>
    </button>
  );
}

export function ChangesTab({ files, place }: { files: FileChange[]; place: string }) {
  const t = useText();
  const [open, setOpen] = useState<Set<string>>(() => new Set(files.slice(0, 5).map(f => f.path)));
  const [count, setCount] = useState(FIRST_FILES);
  const toggle = (path: string) => setOpen(was => { const next = new Set(was); if (!next.delete(path)) next.add(path); return next; });
  if (files.length === 0) return <p className="dim pad tab-pad">{t.agent.noChanges}</p>;
  return (
    <div className="tab-body">
      {files.slice(0, count).map(f => (
        <section key={f.path} className="change">
          <FileLine f={f} place={place} onClick={() => toggle(f.path)} />
          {open.has(f.path) && f.diffs.map((d, i) => <Diff key={i} diff={d.diff} label={f.path} isNew={f.change === 'created' && i === 0} />)}
        </section>
      ))}
      {count < files.length && <button type="button" className="btn" onClick={() => setCount(count + FIRST_FILES)}>{t.agent.moreFiles(Math.min(FIRST_FILES, files.length - count))}</button>}
    </div>
  );
}

// ---- result -----------------------------------------------------------------

export function ResultTab({ a, response }: { a: Agent; response: string }) {
  const t = useText();
  if (!a.summary && !response && !a.error) return <p className="dim pad tab-pad">{t.agent.noResult}</p>;
  const isBad = a.outcome === 'failure';
  return (
    <div className="tab-body result">
      {a.outcome && <p><State state={isBad ? 'failed' : 'resultReported'}>{t.outcome[a.outcome] ?? a.outcome}</State> {a.finishedAt !== null && <span className="dim">{clock(a.finishedAt)}</span>} <CopyButton text={response || a.summary} label={t.frame.copy} /></p>}
      {a.summary && <p className="lead-words" dir="auto">{a.summary}</p>}
      {a.error && <p className="bad-words" dir="auto"><Icon name="warn" small /> {a.error}</p>}
      {response && <Suspense fallback={null}><Markdown text={response} /></Suspense>}
    </div>
  );
}

// ---- prompt -----------------------------------------------------------------

interface PromptSaid { isKnown: boolean; bytes: number; layers: { layer: string; text: string }[] }
const size = (text: string) => new TextEncoder().encode(text).length;

/** It is composed when the agent starts; while it waited there was the task. */
export function PromptTab({ id, task, isComposed }: { id: string; task: string; isComposed: boolean }) {
  const t = useText();
  const said = useAnswer<PromptSaid>(`agents/${encodeURIComponent(id)}/prompt`);
  if (said.isLoading && !said.data) return <p className="dim pad tab-pad" role="status">…</p>;
  const layers = said.data?.isKnown && isComposed ? said.data.layers : [];
  return (
    <div className="tab-body">
      {layers.length === 0 && <><p className="dim">{isComposed ? t.agent.promptUnknown : t.agent.promptWaits}</p><pre className="term prompt" dir="auto">{task}</pre></>}
      {layers.map((l, i) => (
        <section key={l.layer} className="prompt-layer">
          <h2><span className="dim">{i + 1}</span> {t.agent.layers[l.layer] ?? l.layer} <em>{bytes(size(l.text))}</em><CopyButton text={l.text} label={t.frame.copy} /></h2>
          <pre className="term prompt" dir="auto" tabIndex={0}>{l.text}</pre>
        </section>
      ))}
    </div>
  );
}

// ---- process ----------------------------------------------------------------

export function ProcessFacts({ p, more = [] }: { p: ProcessSaid; more?: [string, React.ReactNode][] }) {
  const t = useText();
  const rows: [string, React.ReactNode][] = [
    ...more,
    [t.agent.pid, p.pid ?? null], [t.agent.warden, p.wardenPid ?? null],
    [t.agent.cpu, p.cpu_ms != null ? `${(p.cpu_ms / 1000).toFixed(1)} s` : null],
    [p.isRunning ? t.agent.memory : t.agent.peak, p.memory_bytes != null ? bytes(p.memory_bytes) : p.peakMemory_bytes != null ? bytes(p.peakMemory_bytes) : null],
    [t.agent.processes, p.processes ?? null],
    [t.agent.exitCode, p.isRunning ? <span className="dim">{t.agent.notYet}</span> : p.signal != null ? String(p.signal) : p.exitCode != null ? <><Glyph state={p.exitCode === 0 ? 'completed' : 'failed'} /> {p.exitCode}</> : null],
    [t.agent.reason, p.reason ? t.agent.reasons[p.reason] ?? p.reason : null], [t.agent.error, p.error ?? null],
    [t.agent.stdoutSize, p.stdoutBytes != null ? bytes(p.stdoutBytes) : null], [t.agent.stderr, p.stderrBytes != null ? bytes(p.stderrBytes) : null],
  ];
  return <dl className="kv">{rows.filter(([, v]) => v !== null && v !== '').map(([k, v]) => <div key={k}><dt>{k}</dt><dd>{v}</dd></div>)}</dl>;
}

export const commandLine = (argv: readonly string[]) => argv.map(w => /^[\w@%+=:,./{}-]+$/.test(w) ? w : `'${w.replaceAll("'", "'\\''")}'`).join(' ');

export function ProcessTab({ id, live, past, isOver }: { id: string; live: unknown; past: number | null; isOver: boolean }) {
  const t = useText();
  const said = useAnswer<ProcessSaid>(`agents/${encodeURIComponent(id)}/process`, live);
  const p = said.data && processAt(said.data, past, isOver);
  if (!p) return <p className="dim pad tab-pad">{said.isLoading && !said.data ? '…' : said.data ? t.agent.notStarted : t.agent.noProcess}</p>;
  const started = moment(p.startedAt);
  const ended = moment(p.endedAt);
  const more: [string, React.ReactNode][] = [
    [t.agent.started, started === null ? null : clock(started)], [t.agent.ended, ended === null ? null : clock(ended)],
    [t.agent.directory, p.workingDirectory ? <span className="mono">{p.workingDirectory}</span> : null],
  ];
  return (
    <div className="tab-body process">
      <ProcessFacts p={p} more={more} />
      {p.argv && <><h2 className="h">{t.agent.commandLine}</h2><div className="cmdl">{commandLine(p.argv)}</div></>}
    </div>
  );
}

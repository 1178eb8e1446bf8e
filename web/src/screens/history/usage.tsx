// Usage by day, model and role: bars of our own, for that is all they are.

import { useState } from 'react';
import { useText } from '../../parts/app';
import { useAnswer } from '../../parts/ask';
import { dollars, duration, tokens } from '../../text/format';

interface Row { day?: string; model?: string; role?: string; agents?: number; inputTokens?: number; outputTokens?: number; cacheReadTokens?: number; cacheWriteTokens?: number; toolCallCount?: number; duration_ms?: number; costUsd?: number }
interface UsageSaid { rows: Row[]; total: Row }
type Measure = 'tokens' | 'cost' | 'agents' | 'tools' | 'time';

const sum = (r: Row) => (r.inputTokens ?? 0) + (r.outputTokens ?? 0) + (r.cacheReadTokens ?? 0) + (r.cacheWriteTokens ?? 0);
const VALUE: Record<Measure, (r: Row) => number> = { tokens: sum, cost: r => r.costUsd ?? 0, agents: r => r.agents ?? 0, tools: r => r.toolCallCount ?? 0, time: r => r.duration_ms ?? 0 };
const SAY: Record<Measure, (n: number) => string> = { tokens, cost: dollars, agents: String, tools: String, time: duration };

function Columns({ rows, measure }: { rows: Row[]; measure: Measure }) {
  const most = Math.max(1e-9, ...rows.map(VALUE[measure]));
  const list = rows.slice(0, 14).reverse();
  return (
    <ol className="columns">{list.map(r => {
      const v = VALUE[measure](r);
      return <li key={r.day} title={`${r.day}: ${SAY[measure](v)}`}><span className="val">{SAY[measure](v)}</span><i style={{ height: `${Math.max(2, v / most * 72)}px` }} /><small>{r.day?.slice(5)}</small></li>;
    })}</ol>
  );
}

function Lines({ rows, by, measure }: { rows: Row[]; by: 'model' | 'role'; measure: Measure }) {
  const most = Math.max(1e-9, ...rows.map(VALUE[measure]));
  const list = [...rows].sort((a, b) => VALUE[measure](b) - VALUE[measure](a)).slice(0, 6);
  return (
    <ol className="hbars">{list.map(r => {
      const v = VALUE[measure](r);
      return <li key={r[by]}><span className="cut mono" title={r[by]}>{r[by]}</span><span className="track-bar"><i style={{ width: `${v / most * 100}%` }} /></span><span className="num">{SAY[measure](v)}</span></li>;
    })}</ol>
  );
}

function Panel({ by, title, measure, version, until }: { by: 'day' | 'model' | 'role'; title: string; measure: Measure; version: number; until: string }) {
  const said = useAnswer<UsageSaid>(`usage?by=${by}${until}`, version);
  const rows = said.data?.rows ?? [];
  return <section className="usage-panel"><h2 className="h">{title}</h2>{by === 'day' ? <Columns rows={rows} measure={measure} /> : <Lines rows={rows} by={by} measure={measure} />}</section>;
}

/** Of a past moment: of the agents that had begun, all that they used. */
export function Usage({ version, past }: { version: number; past: number | null }) {
  const t = useText();
  const until = past === null ? '' : `&until=${Math.floor(past) + 1}`;
  const [measure, setMeasure] = useState<Measure>('tokens');
  const total = useAnswer<UsageSaid>(`usage?by=day${until}`, version).data?.total;
  if (!total || !total.agents) return null;
  const names: Record<Measure, string> = { tokens: t.history.tokens, cost: t.history.cost, agents: t.history.agents, tools: t.history.tools, time: t.history.time };
  return (
    <div className="usage">
      <header><h1>{t.history.usage}</h1>{past !== null && <span className="dim hide-s">{t.history.usagePast}</span>}<span className="grow" />
        <dl className="totals">{(Object.keys(names) as Measure[]).filter(m => m !== 'cost' || total.costUsd !== undefined).map(m => <div key={m}><dt>{names[m]}</dt><dd><button type="button" aria-pressed={m === measure} onClick={() => setMeasure(m)}>{SAY[m](VALUE[m](total))}</button></dd></div>)}</dl>
      </header>
      <div className="usage-panels">
        <Panel by="day" title={t.history.days} measure={measure} version={version} until={until} /><Panel by="model" title={t.history.models} measure={measure} version={version} until={until} /><Panel by="role" title={t.history.roles} measure={measure} version={version} until={until} />
      </div>
    </div>
  );
}

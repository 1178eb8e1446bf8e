import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { failuresOf, sectionsOf, spanOf, type Lane, type Mark, type Section } from '../../model/lanes';
import { treeOf } from '../../model/sum';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { Icon, Id, State } from '../../parts/basic';
import type { IconName } from '../../parts/paths';
import { go, hrefOf, useRoute, withQuery } from '../../parts/route';
import { brief, clock, duration } from '../../text/format';
import { draw, layOut, toTime, type Scene, type View } from './draw';
import { useMarks } from './marks';
import './timeline.css';

const KINDS = ['read', 'search', 'edit', 'shell', 'web', 'mcp'] as const;
const SHORTEST_MS = 20;

/** `at`: the moment pointed at; null: the lane as a whole. */
interface Hover { x: number; y: number; lane: Lane; mark: Mark | null; at: number | null }

function useSize(ref: React.RefObject<HTMLElement | null>): [number, number] {
  const [size, setSize] = useState<[number, number]>([0, 0]);
  useLayoutEffect(() => {
    const e = ref.current;
    if (!e) return;
    const measure = () => setSize([e.clientWidth, e.clientHeight]);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(e);
    return () => watch.disconnect();
  }, [ref]);
  return size;
}

/** Colours of the theme in force, asked of the page once per theme. */
function useColors(): { color: (n: string) => string; font: string; mono: string } {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const again = () => setRound(n => n + 1);
    document.addEventListener('app:theme', again);
    return () => document.removeEventListener('app:theme', again);
  }, []);
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const known = new Map<string, string>();
    const color = (n: string) => { let c = known.get(n); if (c === undefined) known.set(n, c = style.getPropertyValue(`--${n}`).trim() || '#888'); return c; };
    return { color, font: style.getPropertyValue('--font'), mono: style.getPropertyValue('--mono') };
  }, [round]);
}

function HoverCard({ h, width, onOpen }: { h: Hover; width: number; onOpen: () => void }) {
  const t = useText();
  const { store } = useApp();
  const a = store.shown.agents.get(h.lane.id);
  const m = h.mark;
  const left = Math.max(8, Math.min(h.x + 12, width - 360));
  return (
    <div className="hover" style={{ left, top: h.y + 16 }} role="status">
      <div className="l" data-k={m?.kind}>
        {m ? <><span className="kc"><Icon name={KINDS.includes(m.kind as never) ? m.kind as IconName : 'other'} /></span><b className="cut">{m.name}</b><time>{clock(m.at)}, {m.took === null ? t.agent.open : t.timeline.took(brief(m.took))}</time></>
          : <><State state={h.lane.stalled ? 'stalled' : h.lane.status} /><time>{h.lane.started !== null && clock(h.lane.started)}{h.lane.started !== null && `, ${t.timeline.took(duration((h.lane.ended ?? store.now()) - h.lane.started))}`}</time></>}
      </div>
      <div className="cmd">{m ? m.title : a?.about}</div>
      {!m && (a?.summary || a?.words) && <pre>{a.summary || a.words}</pre>}
      <dl><dt>{t.timeline.agent}</dt><dd><Id id={h.lane.id} /></dd><dt>{t.timeline.calls}</dt><dd>{a?.tools ?? 0}</dd></dl>
      <button type="button" className="go" onClick={onOpen}><span>{t.timeline.go}</span><span className="kbd">↵</span></button>
    </div>
  );
}

const Table = memo(function Table({ sections }: { sections: readonly Section[] }) {
  const t = useText();
  const { store } = useApp();
  return (
    <table className="sr"><caption>{t.timeline.caption}</caption>
      <thead><tr><th>{t.timeline.agent}</th><th>{t.timeline.state}</th><th>{t.timeline.start}</th><th>{t.timeline.end}</th><th>{t.timeline.calls}</th></tr></thead>
      <tbody>{sections.flatMap(s => s.lanes).slice(0, 500).map(l => (
        <tr key={l.id}><td><a href={hrefOf(`/agents/${l.id}`)} tabIndex={-1}>{l.id}</a></td><td>{t.status[l.status]}</td><td>{l.started !== null ? clock(l.started) : ''}</td><td>{l.ended !== null ? clock(l.ended) : ''}</td><td>{store.shown.agents.get(l.id)?.tools ?? 0}</td></tr>
      ))}</tbody></table>
  );
});

function Legend({ marks, past }: { marks: Map<string, Mark[]>; past: number | null }) {
  const t = useText();
  const counts = useMemo(() => {
    const by: Record<string, number> = {};
    for (const list of marks.values()) for (const m of list) if (past === null || m.at <= past) by[m.kind] = (by[m.kind] ?? 0) + 1;
    return by;
  }, [marks, past]);
  return (
    <div className="keyline" tabIndex={0} role="group" aria-label={t.timeline.label}>
      <span><i className="q" />{t.timeline.queued}</span><span><i className="r" />{t.timeline.running}</span><span><i className="d" />{t.timeline.report}</span><span><i className="h" />{t.timeline.handover}</span><span className="sp opt" />
      {KINDS.map(k => <span key={k} data-k={k}><i className="k" />{t.kind[k]} {counts[k] !== undefined && <b className="dim">{counts[k]}</b>}</span>)}
    </div>
  );
}

function hitAt(s: Scene, x: number, y: number): Hover | null {
  if (y < s.layout.ruler) return null;
  for (const at of s.layout.placed) for (const { lane, y: middle } of at.lanes) {
    if (Math.abs(middle - s.view.top - y) > s.layout.lane / 2) continue;
    const t = toTime(s, x);
    const isOnName = x < s.layout.gutter;
    const slack = (s.view.to - s.view.from) / s.width * 3;
    const mark = isOnName ? undefined : (s.marks.get(lane.id) ?? []).find(m => t >= m.at - slack && t <= (m.took === null ? s.now : m.at + m.took) + slack);
    const isOnBar = isOnName || (t >= lane.queued - slack && t <= (lane.ended ?? s.now) + slack);
    const moment = Math.min(Math.max(t, lane.queued), lane.ended ?? s.now);
    return isOnBar ? { x, y: middle - s.view.top, lane, mark: mark ?? null, at: isOnName ? null : mark?.at ?? moment } : null;
  }
  return null;
}

export default function Timeline() {
  const t = useText();
  const { store } = useApp();
  const { query } = useRoute();
  const only = query.get('group');
  const version = useManyChanges(['groups', 'agents']);
  const sheet = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, height] = useSize(sheet);
  const colors = useColors();
  // Of the past the lanes stay whole: what came later stands back.
  const world = store.past === null ? store.shown : store.live;
  const sections = useMemo(() => sectionsOf(world, only), [version, only, world]);
  const [view, setView] = useState<{ from: number; to: number } | null>(null);
  const [top, setTop] = useState(0);
  const [hover, setHover] = useState<Hover | null>(null);
  const marks = useMarks(useMemo(() => sections.filter(s => !s.isFolded).flatMap(s => s.lanes), [sections]));
  const layout = useMemo(() => layOut(sections, width, height), [sections, width, height]);
  const scene = useRef<Scene | null>(null);
  const drag = useRef<{ x: number; y: number; from: number; to: number; top: number; moved: boolean } | null>(null);
  const liveNow = () => store.present();
  const span = () => view ?? spanOf(sections, liveNow());

  useEffect(() => {
    const paint = () => {
      const c = canvas.current;
      const cx = c?.getContext('2d');
      if (!c || !cx || width === 0) return;
      const ratio = devicePixelRatio || 1;
      if (c.width !== Math.round(width * ratio) || c.height !== Math.round(height * ratio)) { c.width = Math.round(width * ratio); c.height = Math.round(height * ratio); }
      cx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const s: View = { ...span(), top };
      scene.current = { width, height, view: s, layout, now: liveNow(), head: store.past, marks, chosen: hover ? { id: hover.lane.id, mark: hover.mark } : null, text: t, ...colors };
      draw(cx, scene.current);
    };
    paint();
    const timer = setInterval(paint, 500);
    return () => clearInterval(timer);
  }, [width, height, layout, marks, view, top, hover, colors, t, store, sections, version, store.past]);

  const zoom = (factor: number, at?: number) => {
    const { from, to } = span();
    const center = at ?? store.past ?? (from + to) / 2;
    if ((to - from) * factor < SHORTEST_MS) return;
    setView({ from: center - (center - from) * factor, to: center + (to - center) * factor });
  };
  const pan = (share: number) => { const { from, to } = span(); const d = (to - from) * share; setView({ from: from + d, to: to + d }); };
  const most = Math.max(0, layout.height - height);
  const open = (h: Hover) => {
    go(h.at !== null ? `/agents/${h.lane.id}?at=${Math.round(h.at)}` : withQuery({ group: null }, `/agents/${h.lane.id}`));
  };

  /** By keys one is on a lane, whatever part of it is in view. */
  const walk = (way: 1 | -1) => {
    const all = layout.placed.flatMap(x => x.lanes);
    const at = all.findIndex(x => x.lane.id === hover?.lane.id);
    const next = all[at === -1 ? (way === 1 ? 0 : all.length - 1) : at + way];
    if (!next) return;
    const into = Math.max(0, Math.min(most, Math.max(next.y - height + layout.lane, Math.min(top, next.y - layout.ruler - layout.lane))));
    setTop(into);
    setHover({ x: layout.gutter, y: next.y - into, lane: next.lane, mark: null, at: null });
  };

  useEffect(() => {
    const c = canvas.current;
    if (!c) return;
    const onWheel = (e: WheelEvent) => {
      e.preventDefault();
      if (!scene.current) return;
      if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan((e.deltaX || e.deltaY) / 1200);
      else if (e.altKey || e.offsetX < scene.current.layout.gutter) setTop(v => Math.max(0, Math.min(most, v + e.deltaY)));
      else zoom(Math.exp(e.deltaY / 500), toTime(scene.current, e.offsetX));
    };
    const onKey = (e: KeyboardEvent) => {
      if (e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || e.ctrlKey || e.metaKey) return;
      const acts: Record<string, () => void> = {
        w: () => zoom(.8), s: () => zoom(1.25), a: () => pan(-.1), d: () => pan(.1), f: () => setView(null), '+': () => zoom(.8), '-': () => zoom(1.25),
        n: () => { const at = failuresOf(sections).find(x => x.at > (view ? (view.from + view.to) / 2 : 0) + 1); if (at) { const half = Math.min(30_000, (span().to - span().from) / 4); setView({ from: at.at - half, to: at.at + half }); } },
      };
      if (e.key === 'j' || e.key === 'k') walk(e.key === 'j' ? 1 : -1);
      else if (e.key === 'Enter' && hover && !(e.target instanceof HTMLElement && e.target.closest('button, a'))) open(hover);
      else if (e.key === 'Escape') setHover(null);
      else acts[e.key.toLowerCase()]?.();
    };
    c.addEventListener('wheel', onWheel, { passive: false });
    document.addEventListener('keydown', onKey);
    return () => { c.removeEventListener('wheel', onWheel); document.removeEventListener('keydown', onKey); };
  });

  const groups = treeOf(world);
  const shown = span();
  return (
    <div className="timeline">
      <div className="bench"><h1>{t.screens.timeline}</h1>
        <select className="btn" aria-label={t.timeline.all} value={only ?? ''} onChange={e => { setView(null); go(withQuery({ group: e.target.value || null })); }}>
          <option value="">{t.timeline.all}</option>{groups.map(g => <option key={g.group.id} value={g.group.id}>{g.group.description || g.group.id}</option>)}
        </select>
        <span className="grow" />
        <span className="dim opt hints"><span className="kbd">W</span> <span className="kbd">S</span> {t.timeline.zoom} <span className="kbd">A</span> <span className="kbd">D</span> {t.timeline.pan} <span className="kbd">N</span> {t.timeline.nextFailure}</span>
        <div className="zoom"><button type="button" aria-label={t.timeline.zoomOut} onClick={() => zoom(1.4)}><Icon name="minus" small /></button><output>{t.timeline.shown(shown.to - shown.from < 10_000 ? brief(shown.to - shown.from) : duration(shown.to - shown.from))}</output><button type="button" aria-label={t.timeline.zoomIn} onClick={() => zoom(.7)}><Icon name="plus" small /></button></div>
        <button type="button" className="btn icon" aria-label={t.timeline.fit} title={t.timeline.fit} onClick={() => setView(null)}><Icon name="fit" small /></button>
      </div>
      <div className="sheet" ref={sheet}>
        <canvas ref={canvas} role="img" data-marks={marks.size} aria-label={t.timeline.label}
          onPointerDown={e => { const s = span(); drag.current = { x: e.clientX, y: e.clientY, from: s.from, to: s.to, top, moved: false }; e.currentTarget.setPointerCapture(e.pointerId); }}
          onPointerMove={e => {
            const d = drag.current;
            const s = scene.current;
            if (!s) return;
            if (!d) { const r = e.currentTarget.getBoundingClientRect(); setHover(hitAt(s, e.clientX - r.left, e.clientY - r.top)); return; }
            if (Math.abs(e.clientX - d.x) + Math.abs(e.clientY - d.y) > 4) d.moved = true;
            if (!d.moved) return;
            const dt = (d.x - e.clientX) / (s.width - s.layout.gutter) * (d.to - d.from);
            setView({ from: d.from + dt, to: d.to + dt });
            setTop(Math.max(0, Math.min(most, d.top + d.y - e.clientY)));
          }}
          onPointerUp={e => { const d = drag.current; drag.current = null; if (!d || d.moved || !scene.current) return; const r = e.currentTarget.getBoundingClientRect(); const h = hitAt(scene.current, e.clientX - r.left, e.clientY - r.top); if (h) open(h); }}
          onPointerLeave={() => setHover(null)} />
        {sections.length === 0 && <p className="nothing dim">{t.timeline.empty}</p>}
        {hover && <HoverCard h={hover} width={width} onOpen={() => open(hover)} />}
        <Table sections={sections} />
      </div>
      <Legend marks={marks} past={store.past} />
    </div>
  );
}

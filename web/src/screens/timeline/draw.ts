// The time line on a canvas: only what is in view is drawn.

import { handOvers, stateAt, type Lane, type Mark, type Section } from '../../model/lanes';
import { PATHS } from '../../parts/paths';
import { clock, duration, idParts } from '../../text/format';
import type { Text } from '../../text/text';

export interface View { from: number; to: number; top: number }

export interface Placed { section: Section; y: number; height: number; lanes: { lane: Lane; y: number }[] }

export interface Layout { gutter: number; ruler: number; lane: number; placed: Placed[]; height: number; isPhone: boolean }

const KINDS = new Set(['read', 'search', 'edit', 'shell', 'web', 'mcp']);
const MODES = { concurrent: PATHS.conc, sequential: PATHS.seq, magentic: PATHS.mag };
const FOLDED = 1.6;

export function layOut(sections: readonly Section[], width: number, height: number): Layout {
  const isPhone = width < 560;
  const gutter = isPhone ? 104 : width < 900 ? 176 : 228;
  const ruler = 28;
  const rows = sections.reduce((n, s) => n + 1 + (s.isFolded ? FOLDED : s.lanes.length), 0);
  const lane = isPhone ? 24 : Math.max(22, Math.min(32, (height - ruler - 6) / Math.max(1, rows)));
  const placed: Placed[] = [];
  let y = ruler + 3;
  for (const section of sections) {
    const lanes = section.isFolded ? [] : section.lanes.map((l, i) => ({ lane: l, y: y + lane * (i + 1.5) }));
    const tall = lane * (1 + (section.isFolded ? FOLDED : section.lanes.length));
    placed.push({ section, y, height: tall, lanes });
    y += tall;
  }
  return { gutter, ruler, lane, placed, height: y + 6, isPhone };
}

export interface Scene {
  width: number;
  height: number;
  view: View;
  layout: Layout;
  now: number;
  /** The moment shown; after it, everything stands back. */
  head: number | null;
  marks: Map<string, Mark[]>;
  chosen: { id: string; mark: Mark | null } | null;
  text: Text;
  color: (name: string) => string;
  font: string;
  mono: string;
}

export const toX = (s: Pick<Scene, 'width' | 'view' | 'layout'>, t: number) => s.layout.gutter + (t - s.view.from) / (s.view.to - s.view.from) * (s.width - s.layout.gutter - 14);
export const toTime = (s: Pick<Scene, 'width' | 'view' | 'layout'>, x: number) => s.view.from + (x - s.layout.gutter) / (s.width - s.layout.gutter - 14) * (s.view.to - s.view.from);

class Pen {
  constructor(readonly c: CanvasRenderingContext2D, readonly s: Scene) {}
  ink(color: string, alpha = 1) { this.c.globalAlpha = alpha; this.c.fillStyle = color; this.c.strokeStyle = color; }
  text(words: string, x: number, y: number, color: string, font: string, align: CanvasTextAlign = 'left') {
    this.ink(color);
    this.c.font = font;
    this.c.textAlign = align;
    this.c.textBaseline = 'middle';
    this.c.fillText(words, x, y);
  }
  cut(words: string, width: number, font: string): string {
    this.c.font = font;
    if (this.c.measureText(words).width <= width) return words;
    let n = words.length;
    while (n > 1 && this.c.measureText(`${words.slice(0, n)}…`).width > width) n = Math.min(n - 1, Math.floor(n * .92));
    return `${words.slice(0, n)}…`;
  }
  clipped(x: number, y: number, w: number, h: number, draw: () => void) {
    this.c.save();
    this.c.beginPath();
    this.c.rect(x, y, w, h);
    this.c.clip();
    draw();
    this.c.restore();
  }
}

function drawGlyph(p: Pen, state: string, x: number, y: number): void {
  const { c, s } = p;
  const color = s.color(`st-${state}`);
  const ground = s.color('bg-0');
  const check = (a: number, b: number) => { c.beginPath(); c.moveTo(x - 2.3, y + a); c.lineTo(x - .5, y + 1.8); c.lineTo(x + 2.4, y - b); c.stroke(); };
  p.ink(color);
  c.lineWidth = 1.4;
  c.beginPath();
  switch (state) {
    case 'failed':
      for (let i = 0; i < 8; i++) { const a = Math.PI / 8 + i * Math.PI / 4; if (i) c.lineTo(x + 6.2 * Math.cos(a), y + 6.2 * Math.sin(a)); else c.moveTo(x + 6.2 * Math.cos(a), y + 6.2 * Math.sin(a)); }
      c.closePath(); c.fill(); p.ink(ground); c.lineWidth = 1.6; c.beginPath();
      c.moveTo(x - 2.2, y - 2.2); c.lineTo(x + 2.2, y + 2.2); c.moveTo(x + 2.2, y - 2.2); c.lineTo(x - 2.2, y + 2.2); c.stroke();
      break;
    case 'timedOut': c.moveTo(x, y - 6); c.lineTo(x + 6.5, y + 5); c.lineTo(x - 6.5, y + 5); c.fill(); break;
    case 'resultReported':
      c.moveTo(x, y - 6); c.lineTo(x + 6, y); c.lineTo(x, y + 6); c.lineTo(x - 6, y); c.fill(); p.ink(ground); check(.1, 1.6);
      break;
    case 'completed': p.ink(ground); c.arc(x, y, 5, 0, 7); c.fill(); p.ink(color); c.stroke(); check(.2, 1.7); break;
    case 'cancelled': p.ink(ground); c.arc(x, y, 5, 0, 7); c.fill(); p.ink(color); c.stroke(); c.beginPath(); c.moveTo(x - 3.2, y + 3.2); c.lineTo(x + 3.2, y - 3.2); c.stroke(); break;
    case 'running': c.arc(x, y, 4.6, 0, 7); c.stroke(); c.beginPath(); c.arc(x, y, 2.2, 0, 7); c.fill(); break;
    default: c.setLineDash([2, 2]); c.arc(x, y, 4.6, 0, 7); c.stroke(); c.setLineDash([]);
  }
}

const STEPS = [1, 5, 10, 50, 100, 500, 1000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 43_200_000, 86_400_000];

function stepLabel(t: number, step: number): string {
  if (step < 1000) return `${clock(t).slice(3)}.${String(Math.round(t) % 1000).padStart(3, '0')}`;
  return step < 60_000 ? clock(t) : clock(t).slice(0, 5);
}

function drawRuler(p: Pen): void {
  const { c, s } = p;
  const per = (s.view.to - s.view.from) / (s.width - s.layout.gutter);
  const step = STEPS.find(x => x / per > 74) ?? 86_400_000;
  p.ink(s.color('bg-0'));
  c.fillRect(0, 0, s.width, s.layout.ruler);
  p.clipped(s.layout.gutter, 0, s.width - s.layout.gutter, s.height, () => {
    for (let t = Math.ceil(s.view.from / step) * step; t < s.view.to; t += step) {
      const x = Math.round(toX(s, t));
      p.ink(s.color('line-2'));
      c.fillRect(x, s.layout.ruler - 8, 1, 8);
      const isUnderHead = s.head !== null && Math.abs(x + 20 - toX(s, s.head)) < 52;
      c.font = `11px ${s.font}`;
      const isCut = x + 8 + c.measureText(stepLabel(t, step)).width > s.width;
      if (!isUnderHead && !isCut) p.text(stepLabel(t, step), x + 4, 14, s.color('text-3'), `11px ${s.font}`);
    }
  });
  if (!s.layout.isPhone) p.text([s.view.from, s.view.to].map(t => clock(t).slice(0, s.view.to - s.view.from < 600_000 ? 8 : 5)).join(' – '), 16, 14, s.color('text-3'), `11px ${s.font}`);
  p.ink(s.color('line-1'));
  c.fillRect(0, s.layout.ruler - 1, s.width, 1);
}

function drawGrid(p: Pen): void {
  const { c, s } = p;
  const per = (s.view.to - s.view.from) / (s.width - s.layout.gutter);
  const step = STEPS.find(x => x / per > 74) ?? 86_400_000;
  p.ink(s.color('line-1'), .8);
  for (let t = Math.ceil(s.view.from / step) * step; t < s.view.to; t += step) {
    const x = Math.round(toX(s, t));
    if (x > s.layout.gutter) c.fillRect(x, s.layout.ruler, 1, s.height);
  }
}

function drawTitle(p: Pen, at: Placed, y: number): void {
  const { c, s } = p;
  const g = at.section;
  const inset = (s.layout.isPhone ? 14 : 36) + Math.min(g.depth, 4) * 10;
  p.ink(s.color('line-1'));
  c.fillRect(g.depth > 0 ? inset - 20 : 0, Math.round(y), s.width, 1);
  const font = `600 12px ${s.font}`;
  p.text(p.cut(g.title, s.layout.gutter - 12 - inset, font), inset, y + s.layout.lane / 2 + 1, s.color('text-1'), font);
  if (s.layout.isPhone) return;
  c.save();
  c.translate(inset - 21, y + s.layout.lane / 2 - 6);
  c.scale(.85, .85);
  p.ink(s.color('text-3'));
  c.lineWidth = 1.6;
  c.stroke(new Path2D(MODES[g.mode]));
  c.restore();
}

function drawIterations(p: Pen, at: Placed, y: number, below: number): void {
  const { c, s } = p;
  at.section.iterations.forEach((it, i) => {
    const a = toX(s, it.from);
    const b = toX(s, it.to ?? s.now);
    p.ink(s.color('accent'), i % 2 ? .085 : .04);
    c.fillRect(a, y + 1, b - a, below - 2);
    p.ink(s.color('accent'), .55);
    c.fillRect(a, y + 1, 1, below - 2);
    const room = b - Math.max(a, s.layout.gutter);
    const took = Math.min(it.to ?? s.now, s.head ?? Infinity) - it.from;
    if (room > 30) p.text(room > 130 ? `${s.text.timeline.it(it.index)}   ${took > 0 ? duration(took) : ''}` : s.text.timeline.itShort(it.index), Math.max(a, s.layout.gutter) + 7, y + s.layout.lane / 2 + 1, s.color('accent'), `500 11px ${s.font}`);
  });
}

function drawStages(p: Pen, at: Placed, y: number): void {
  const { c, s } = p;
  const middle = y + s.layout.lane / 2 + 1;
  for (const st of at.section.stages) {
    const a = toX(s, st.from);
    const b = toX(s, st.to ?? s.now);
    const room = b - a;
    p.ink(s.color('line-2'));
    c.fillRect(a, middle - 6, 1, 12);
    if (room < 16) continue;
    c.font = `500 11px ${s.font}`;
    const whole = s.text.live.stage(st.index + 1);
    const words = c.measureText(whole).width <= room - 8 ? whole : String(st.index + 1);
    p.text(words, a + 7, middle, s.color('text-2'), `500 11px ${s.font}`);
    const used = c.measureText(words).width + 14;
    p.ink(s.color('line-2'));
    c.fillRect(a + used, middle, Math.max(0, room - used - 6), 1);
  }
}

function drawMarks(p: Pen, l: Lane, y: number, tall: number): void {
  const { c, s } = p;
  for (const m of s.marks.get(l.id) ?? []) {
    const x = toX(s, m.at);
    const w = toX(s, m.took === null ? l.ended ?? s.now : m.at + m.took) - x;
    if (x + w < s.layout.gutter || x > s.width) continue;
    const isLong = m.kind === 'mcp' && w > 60;
    p.ink(s.color(KINDS.has(m.kind) ? `k-${m.kind}` : 'text-3'), isLong ? .3 : m.took === null ? .55 : .92);
    c.fillRect(x, y - tall / 2 + (isLong ? 4 : 2), Math.max(1.6, w - .5), tall - (isLong ? 8 : 4));
    if (m.isBad) { p.ink(s.color('st-failed')); c.fillRect(x, y + tall / 2 - 2, Math.max(1.6, w), 2); }
    const chosen = s.chosen;
    if (chosen?.id === l.id && chosen.mark?.at === m.at) { p.ink(s.color('text-1')); c.lineWidth = 1.5; c.strokeRect(x - 2.5, y - tall / 2 - 2.5, Math.max(1.6, w) + 5, tall + 5); }
  }
}

function drawStall(p: Pen, from: number, to: number, y: number, tall: number): void {
  p.clipped(from, y - tall / 2, Math.max(0, to - from), tall, () => {
    p.ink(p.s.color('st-timedOut'), .8);
    p.c.lineWidth = 1.2;
    for (let x = from - 14; x < to; x += 6) { p.c.beginPath(); p.c.moveTo(x, y + tall / 2); p.c.lineTo(x + tall, y - tall / 2); p.c.stroke(); }
  });
}

function drawLane(p: Pen, l: Lane, y: number): void {
  const { c, s } = p;
  const tall = Math.min(12, s.layout.lane - 10);
  const color = s.color(`st-${l.status}`);
  const end = toX(s, l.ended ?? s.now);
  p.ink(s.color('st-queued'), .9);
  c.fillRect(toX(s, l.queued), y - 1, Math.max(2, (l.started !== null ? toX(s, l.started) : end) - toX(s, l.queued)), 2);
  if (l.started === null) { if (l.ended !== null) drawGlyph(p, l.status, end, y); return; }
  const start = toX(s, l.started);
  p.ink(color, l.ended === null ? .27 : .2);
  c.beginPath();
  c.roundRect(start, y - tall / 2, Math.max(1.5, end - start), tall, 2);
  c.fill();
  p.ink(color, .75);
  c.fillRect(start, y - tall / 2, 1.5, tall);
  drawMarks(p, l, y, tall);
  if (l.stalled) drawStall(p, Math.max(start, end - 60), end, y, tall);
  if (l.ended === null) { p.ink(s.color('st-running')); c.fillRect(end - 1, y - tall / 2 - 1, 2.5, tall + 2); } else drawGlyph(p, l.status, end, y);
}

function drawName(p: Pen, l: Lane, y: number, depth: number): void {
  const { s } = p;
  const state = stateAt(l, s.head ?? s.now);
  const inset = s.layout.isPhone ? 22 : 22 + Math.min(depth, 4) * 10;
  if (state) drawGlyph(p, l.stalled && s.head === null ? 'timedOut' : state, inset, y);
  else { p.ink(s.color('text-3'), .7); p.c.beginPath(); p.c.arc(inset, y, 1.5, 0, 7); p.c.fill(); }
  const ink = s.chosen?.id === l.id ? s.color('text-1') : state ? s.color('text-2') : s.color('text-3');
  const tail = idParts(l.id)?.tail ?? l.id.slice(-4);
  if (s.layout.isPhone) { p.text(tail, inset + 14, y, ink, `11px ${s.mono}`); return; }
  p.text(p.cut(l.role, s.layout.gutter - inset - 66, `12px ${s.font}`), inset + 14, y, ink, `12px ${s.font}`);
  p.text(tail, s.layout.gutter - 14, y, s.color('text-3'), `11px ${s.mono}`, 'right');
}

function drawFolded(p: Pen, at: Placed, y: number): void {
  const { c, s } = p;
  const tall = s.layout.lane * FOLDED;
  const top = y + s.layout.lane;
  p.text(s.layout.isPhone ? String(at.section.lanes.length) : s.text.timeline.folded(at.section.lanes.length), s.layout.isPhone ? 14 : 36, top + tall / 2 - 2, s.color('text-3'), `12px ${s.font}`);
  p.clipped(s.layout.gutter, y, s.width - s.layout.gutter, tall + s.layout.lane, () => {
    const bins = Math.max(1, Math.floor((s.width - s.layout.gutter) / 3));
    const counts = new Array<number>(bins + 1).fill(0);
    const binOf = (t: number) => Math.max(0, Math.min(bins, Math.floor((toX(s, t) - s.layout.gutter) / 3)));
    for (const l of at.section.lanes) if (l.started !== null) { counts[binOf(l.started)]!++; counts[binOf(l.ended ?? s.now)]!--; }
    let n = 0;
    const heights = counts.map(d => (n += d));
    const most = Math.max(1, ...heights);
    c.beginPath();
    c.moveTo(s.layout.gutter, top + tall - 6);
    heights.forEach((h, i) => { c.lineTo(s.layout.gutter + i * 3, top + tall - 6 - h / most * (tall - 4)); c.lineTo(s.layout.gutter + i * 3 + 3, top + tall - 6 - h / most * (tall - 4)); });
    c.lineTo(s.width, top + tall - 6);
    p.ink(s.color('st-running'), .34);
    c.fill();
    for (const l of at.section.lanes) if (l.ended !== null && (l.status === 'failed' || l.status === 'timedOut')) drawGlyph(p, l.status, toX(s, l.ended), top + tall - 7);
  });
}

function drawHandOvers(p: Pen, at: Placed, dy: number): void {
  const { c, s } = p;
  for (const h of handOvers(at.section)) {
    const from = at.lanes[h.from];
    const to = at.lanes[h.to];
    if (!from || !to) continue;
    const x = toX(s, from.lane.ended!);
    const u = toX(s, to.lane.started!);
    p.ink(s.color('text-1'), .85);
    c.lineWidth = 1.4;
    c.beginPath();
    c.moveTo(x + 6, from.y + dy);
    c.bezierCurveTo(x + 22, from.y + dy, u - 22, to.y + dy, u - 2, to.y + dy);
    c.stroke();
    c.beginPath();
    c.moveTo(u + 1, to.y + dy);
    c.lineTo(u - 5, to.y + dy - 3.5);
    c.lineTo(u - 5, to.y + dy + 3.5);
    c.fill();
  }
}

function drawHead(p: Pen): void {
  const { c, s } = p;
  if (s.head === null) return;
  const x = toX(s, s.head);
  p.clipped(s.layout.gutter, 0, s.width, s.height, () => {
    p.ink(s.color('bg-0'), .58);
    c.fillRect(x, s.layout.ruler, s.width - x, s.height);
  });
  if (x <= s.layout.gutter) return;
  p.ink(s.color('accent'));
  c.fillRect(Math.round(x) - 1, 0, 2, s.height);
  p.ink(s.color('accent-fill'));
  c.beginPath();
  c.roundRect(x - 31, 4, 62, 19, 3);
  c.fill();
  p.text(clock(s.head), x, 14, s.color('on-accent'), `600 11px ${s.font}`, 'center');
}

export function draw(c: CanvasRenderingContext2D, s: Scene): void {
  const p = new Pen(c, s);
  const dy = -s.view.top;
  p.ink(s.color('bg-0'));
  c.fillRect(0, 0, s.width, s.height);
  drawGrid(p);
  s.layout.placed.forEach((at, i) => {
    const y = at.y + dy;
    // Bands reach down over the child groups, which belong to them.
    let below = at.height;
    for (let k = i + 1; k < s.layout.placed.length && s.layout.placed[k]!.section.depth > at.section.depth; k++) below += s.layout.placed[k]!.height;
    if (y + below < 0 || y > s.height) return;
    p.clipped(s.layout.gutter, s.layout.ruler, s.width, s.height, () => { drawIterations(p, at, y, below); drawStages(p, at, y); });
    drawTitle(p, at, y);
    if (at.section.isFolded) { drawFolded(p, at, y); return; }
    for (const { lane, y: middle } of at.lanes) {
      if (middle + dy < -20 || middle + dy > s.height + 20) continue;
      drawName(p, lane, middle + dy, at.section.depth);
      p.clipped(s.layout.gutter, s.layout.ruler, s.width, s.height, () => drawLane(p, lane, middle + dy));
    }
    p.clipped(s.layout.gutter, s.layout.ruler, s.width, s.height, () => drawHandOvers(p, at, dy));
  });
  p.ink(s.color('line-1'));
  c.fillRect(s.layout.gutter - 1, 0, 1, s.height);
  drawRuler(p);
  drawHead(p);
  c.globalAlpha = 1;
}

// The bar of time under every screen.

import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type KeyboardEvent, type PointerEvent } from 'react';
import { landscape, type Landscape } from '../model/density';
import { clock } from '../text/format';
import { useApp, useChanges, useText } from './app';
import { Icon } from './basic';
import type { IconName } from './paths';
import { SPEEDS, type Travel } from './travel';

const BINS = 160;

function areaOf(l: Landscape, from: number, to: number): string {
  if (to <= from) return '';
  let d = `M${from / BINS * 1000} 28`;
  for (let i = from; i < to; i++) {
    const y = 28 - Math.min(26, l.running[i]! / l.most * 25 + (l.running[i]! > 0 ? 1 : 0));
    d += `L${i / BINS * 1000} ${y}L${(i + 1) / BINS * 1000} ${y}`;
  }
  return `${d}L${to / BINS * 1000} 28Z`;
}

/** Drawn anew each second at most: nothing here is read to the millisecond. */
function useLandscape(begins: number): Landscape {
  const { store } = useApp();
  const [l, setL] = useState(() => landscape(store.live.agents.values(), store.present(), BINS, begins));
  const version = useChanges('*');
  useEffect(() => {
    const draw = () => { if (!document.hidden && store.connection.state !== 'lost') setL(landscape(store.live.agents.values(), store.present(), BINS, begins)); };
    draw();
    const timer = setInterval(draw, 1000);
    return () => clearInterval(timer);
  }, [store, version, begins]);
  return l;
}

function Key({ icon, label, step, act }: { icon: IconName; label: string; step?: boolean; act: () => void }) {
  return <button type="button" className={`btn quiet icon ${step ? 'step' : 'play'}`} title={label} aria-label={label} onClick={act}><Icon name={icon} /></button>;
}

function Track({ travel, l, at }: { travel: Travel; l: Landscape; at: number }) {
  const t = useText();
  const { store } = useApp();
  const box = useRef<HTMLDivElement>(null);
  const share = Math.max(0, Math.min(1, (at - l.from) / (l.to - l.from)));
  const cut = Math.round(share * BINS);
  const areas = useMemo(() => [areaOf(l, 0, cut), areaOf(l, cut, BINS)], [l, cut]);
  const drag = (e: PointerEvent) => {
    const r = box.current!.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (e.clientX - r.left) / r.width));
    travel.pause();
    if (share > .995) travel.toLive();
    else void travel.goTo(l.from + share * (l.to - l.from));
  };
  const onKey = (e: KeyboardEvent) => {
    const way = e.key === 'ArrowLeft' ? -1 : e.key === 'ArrowRight' ? 1 : 0;
    if (way !== 0) void travel.goTo(store.now() + way * (l.to - l.from) / 100);
    else if (e.key === 'Home') void travel.goTo(l.from);
    else if (e.key === 'End') travel.toLive();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div className="track" ref={box} role="slider" tabIndex={0} aria-label={t.player.label} aria-valuemin={0} aria-valuemax={1000} aria-valuenow={Math.round(share * 1000)} aria-valuetext={clock(at)}
      onKeyDown={onKey} onPointerDown={e => { e.currentTarget.setPointerCapture(e.pointerId); drag(e); }} onPointerMove={e => { if (e.buttons & 1) drag(e); }}>
      <svg viewBox="0 0 1000 28" preserveAspectRatio="none" aria-hidden="true"><path className="area done" d={areas[0]} /><path className="area" d={areas[1]} /></svg>
      <div className="base"><i style={{ width: `${share * 100}%` }} /></div>
      {l.failures.slice(-60).map(f => <span key={f.id} className="fail" title={`${t.player.failed} ${clock(f.at)}`} style={{ left: `${(f.at - l.from) / (l.to - l.from) * 100}%` }}><i className="g" data-s="failed" /></span>)}
      <div className="head" style={{ left: `${share * 100}%` }} />
    </div>
  );
}

export function Player({ travel }: { travel: Travel }) {
  const t = useText();
  const { store } = useApp();
  useSyncExternalStore(travel.subscribe, () => travel.version);
  useChanges('connection');
  const l = useLandscape(travel.begins);
  const isPast = store.past !== null;
  const at = store.past ?? l.to;
  return (
    <footer className="player" aria-label={t.player.label}>
      <div className="keys">
        <Key icon="pfail" step label={t.player.previousFailure} act={() => void travel.step(-1, true)} />
        <Key icon="back" step label={t.player.previous} act={() => void travel.step(-1)} />
        <Key icon={travel.isPlaying ? 'pause' : 'play'} label={travel.isPlaying ? t.player.pause : t.player.play} act={() => travel.toggle()} />
        <Key icon="fwd" step label={t.player.next} act={() => void travel.step(1)} />
        <Key icon="nfail" step label={t.player.nextFailure} act={() => void travel.step(1, true)} />
      </div>
      <span className="t-from dim">{clock(l.from)}</span>
      <Track travel={travel} l={l} at={at} />
      <span className={isPast ? 't-to dim' : 't-to'}>{clock(l.to)}</span>
      <select className="speed btn quiet" aria-label={t.player.speed} value={travel.speed} onChange={e => travel.setSpeed(Number(e.target.value))}>
        {SPEEDS.map(s => <option key={s} value={s}>{s}×</option>)}
      </select>
      <button type="button" className="live-btn" aria-pressed={!isPast} onClick={() => travel.toLive()}>{store.endsAt !== null ? (isPast ? t.recording.back : t.recording.end) : isPast ? t.player.back : t.player.live}</button>
      {travel.isLoading && <span className="sr" role="status">{t.player.loading}</span>}
    </footer>
  );
}

// Small parts that every screen is made of.

import { memo, useEffect, useRef, useState, type AnchorHTMLAttributes, type ReactNode, type Ref } from 'react';
import { STATUSES, type Status } from '../feed/types';
import type { Sum } from '../model/sum';
import { moment } from '../model/world';
import { clock, day, dayAndClock, duration, halves, idParts, seconds } from '../text/format';
import { useApp, useText } from './app';
import { PATHS, type IconName } from './paths';
import { follow, hrefOf, screen } from './route';
import { tick } from './ticker';

export const Icon = memo(function Icon({ name, small }: { name: IconName; small?: boolean }) {
  return <svg className={small ? 'i s' : 'i'} viewBox="0 0 16 16" aria-hidden="true"><path d={PATHS[name]} /></svg>;
});

const ROLE_ICONS = new Set<string>(['impl-code', 'impl-test', 'code-review', 'text-review', 'research', 'orchestrator']);
export const roleIcon = (role: string): IconName => ROLE_ICONS.has(role) ? role as IconName : 'wrench';

export type Shown = Status | 'stalled';

export function Glyph({ state, label }: { state: Shown; label?: boolean }) {
  const t = useText();
  return label
    ? <i className="g" data-s={state} role="img" aria-label={t.status[state]} />
    : <i className="g" data-s={state} aria-hidden="true" />;
}

/** Glyph and word: a state is never told by colour alone. */
export function State({ state, children }: { state: Shown; children?: ReactNode }) {
  const t = useText();
  return <span className="st" data-s={state}><Glyph state={state} /><span className="word">{children ?? t.status[state]}</span></span>;
}

export const Id = memo(function Id({ id }: { id: string }) {
  const parts = idParts(id);
  return parts
    ? <span className="id" title={id}><span>{parts.head}</span><i>…</i><b>{parts.tail}</b></span>
    : <span className="id" title={id}>{id}</span>;
});

/** Shortened in the middle where there is no room. */
export const Middle = memo(function Middle({ text }: { text: string }) {
  const [head, tail] = halves(text);
  return <span className="middle mono" title={text} dir="auto"><span>{head}</span><span>{tail}</span></span>;
});

const ORDER: Status[] = ['resultReported', 'completed', 'cancelled', 'timedOut', 'failed', 'running', 'queued'];

export function Bar({ sum, tall }: { sum: Sum; tall?: boolean }) {
  const t = useText();
  const there = ORDER.filter(s => sum.by[s] > 0);
  const label = STATUSES.filter(s => sum.by[s] > 0).map(s => `${sum.by[s]} ${t.status[s]}`).join(', ');
  return (
    <div className={tall ? 'bar tall' : 'bar'} role="img" aria-label={label || '0'}>
      {there.map(s => <i key={s} data-s={s} style={{ flex: sum.by[s] }} />)}
    </div>
  );
}

/** Counts up by itself, past React: a thousand of them cost a text each. */
export const Elapsed = memo(function Elapsed({ from, to, isShort }: { from: number | null; to: number | null; isShort?: boolean }) {
  const { store } = useApp();
  const span = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let said = '';
    const draw = () => {
      const text = from === null ? '–' : isShort ? seconds((to ?? store.now()) - from) : duration((to ?? store.now()) - from);
      // The same text set again would be laid out again.
      if (span.current && text !== said) span.current.textContent = said = text;
    };
    draw();
    // Another moment is another time at once, not with the next second.
    const ends = [store.subscribe('*', draw), ...(to === null && from !== null ? [tick(draw)] : [])];
    return () => { for (const end of ends) end(); };
  }, [from, to, store, isShort]);
  return <span ref={span} className="elapsed" />;
});

/** Of today the hour, of other days the day too. */
export function At({ at }: { at: string | null }) {
  const { store } = useApp();
  const ms = moment(at);
  if (ms === null) return <>–</>;
  return <time dateTime={at!}>{day(ms) === day(store.now()) ? clock(ms) : dayAndClock(ms)}</time>;
}

export function Link(props: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; ref?: Ref<HTMLAnchorElement> }) {
  return <a {...props} href={hrefOf(screen(props.href))} onClick={e => { props.onClick?.(e); follow(e, screen(props.href)); }} />;
}

export function HomeLink() {
  const t = useText();
  const { store } = useApp();
  return <Link className="btn" href="/">{store.endsAt === null ? t.frame.home : t.recording.home}</Link>;
}

export function CopyButton({ text, label, wide }: { text: string; label: string; wide?: boolean }) {
  const t = useText();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <button type="button" className={wide ? 'btn' : 'btn quiet icon'} aria-label={label} title={label}
      onClick={() => void navigator.clipboard?.writeText(text).then(() => setDone(true))}>
      <Icon name={isDone ? 'check' : 'copy'} small />{wide && <span className="lbl">{isDone ? t.frame.copied : label}</span>}
      <span className="sr" role="status">{isDone ? t.frame.copied : ''}</span>
    </button>
  );
}

/** Something to paste elsewhere. */
export function Paste({ text, isProse }: { text: string; isProse?: boolean }) {
  const t = useText();
  return <div className={isProse ? 'paste prose' : 'paste'}><span className="cut">{text}</span><span className="grow" /><CopyButton text={text} label={t.frame.copy} /></div>;
}

export function Wait({ children }: { children: ReactNode }) {
  return <div className="wait-box" role="status">{children}</div>;
}

/** Shapes of what is coming, while it does. */
export function Ghost({ cards = 6 }: { cards?: number }) {
  return (
    <div className="ghost" aria-hidden="true">
      <div className="sk w40 big" /><div className="sk w20" /><div className="sk thin" />
      <div className="cs">{Array.from({ length: cards }, (_, i) => <div className="c" key={i}><div className="sk w40" /><div className="sk w80" /><div className="sk w60" /></div>)}</div>
    </div>
  );
}

export function Trouble({ title, say, children }: { title: string; say: string; children?: ReactNode }) {
  return <div className="trouble" role="alert"><h2>{title}</h2><p>{say}</p>{children}</div>;
}

export function Segments<T extends string>({ value, options, onChange, label }: {
  value: T; options: { value: T; label: ReactNode }[]; onChange: (v: T) => void; label: string;
}) {
  return (
    <div className="seg" role="group" aria-label={label}>
      {options.map(o => <button type="button" key={o.value} aria-pressed={o.value === value} onClick={() => onChange(o.value)}>{o.label}</button>)}
    </div>
  );
}

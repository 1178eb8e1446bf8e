// The one store of the page. What comes from the feed is gathered and folded
// once per frame; then only those are told whose part has changed. The world
// that screens see is the live one or a past one.

import type { Message, SnapshotSaid, StatusSaid } from '../feed/types';
import { light } from './light';
import { begin, emptyWorld, fold, type Changed, type World } from './world';

export type Connection =
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'catching'; behind: number }
  | { state: 'lost'; since: number; retryAt: number }
  | { state: 'recording' };

const RATE_MS = 60_000;

/** Told when they happen, not when all is drawn anew. */
const HAPPENINGS = new Set(['picture', 'config', 'status', 'connection']);

type Frame = (then: () => void) => void;

/** A hidden page gets no frames; it is kept true all the same, only slower. */
const nextFrame: Frame = then => {
  if (typeof document !== 'undefined' && !document.hidden) requestAnimationFrame(then);
  else setTimeout(then, 250);
};

export class Store {
  live: World = emptyWorld();
  shown: World = this.live;
  status: StatusSaid | null = null;
  connection: Connection = { state: 'connecting' };
  hasPicture = false;
  /** The hub's clock less ours. */
  skew = 0;
  /** What a past moment shows instead of now; null: live. */
  past: number | null = null;
  /** Of a page out of a file: where what it shows ends; else null. */
  endsAt: number | null = null;

  private queue: Message[] = [];
  private isDue = false;
  private listeners = new Map<string, Set<() => void>>();
  private versions = new Map<string, number>();
  private calls: { at: number; tools: number }[] = [];

  constructor(private readonly frame: Frame = nextFrame) {}

  // ---- hearing ----------------------------------------------------------

  take(m: Message): void {
    this.queue.push(m);
    this.wake();
  }

  private wake(): void {
    if (this.isDue) return;
    this.isDue = true;
    this.frame(() => this.flush());
  }

  /** Folds what has come; for tests too, which have no frames. */
  flush(): void {
    const changed: Changed = new Set();
    this.isDue = false;
    for (const m of this.queue.splice(0)) this.hear(m, changed);
    if (this.past === null) this.tell(changed);
    else this.tell(new Set([...changed].filter(k => k === 'connection' || k === 'player')));
  }

  private hear(whole: Message, changed: Changed): void {
    if (whole.type === 'server:startup' && whole.data['groups']) {
      this.setPicture(whole.data as unknown as SnapshotSaid, whole, changed);
      return;
    }
    const m = light(whole);
    if (m.at) this.skew = Date.parse(m.at) - Date.now();
    if (m.seq !== undefined && m.seq > this.live.seq) changed.add('player');
    fold(this.live, m, changed);
  }

  private setPicture(said: SnapshotSaid, m: Message, changed: Changed): void {
    const at = m.at ? Date.parse(m.at) : Date.now() + this.skew;
    this.live = begin({ ...said, seq: said.seq ?? m.seq ?? 0 }, at);
    if (this.past === null) this.shown = this.live;
    this.hasPicture = true;
    changed.add('*').add('picture');
  }

  /** What a file has, up to where it ends; nothing will follow. */
  setRecording(messages: readonly Message[], endsAt: number): void {
    this.endsAt = endsAt;
    for (const m of messages) this.take(m);
    this.flush();
    this.setConnection({ state: 'recording' });
  }

  setConnection(c: Connection): void {
    this.connection = c;
    this.tell(new Set(['connection']));
  }

  setStatus(s: StatusSaid): void {
    this.status = s;
    this.tell(new Set(['status']));
  }

  /** Roles as their editor reads them: prompts are not in the picture. */
  setRoles(roles: Iterable<{ id: string }>): void {
    for (const r of roles) this.live.roles.set(r.id, { ...this.live.roles.get(r.id), ...r });
    this.tell(new Set(['roles']));
  }

  // ---- moments ----------------------------------------------------------

  /** Shows a past world at its moment, or the live one again. */
  show(w: World | null, at: number | null): void {
    this.shown = w ?? this.live;
    this.past = w === null ? null : at;
    this.tell(new Set(['*']));
  }

  /** The moment shown: the hub's now, a past one, or where it was lost. */
  now(): number { return this.past ?? this.present(); }

  /** The same whatever is shown: what the bar of time ends with. */
  present(): number {
    if (this.endsAt !== null) return this.endsAt;
    if (this.connection.state === 'lost') return this.connection.since + this.skew;
    return Date.now() + this.skew;
  }

  /** Tool calls of the last seconds, a minute at most, by what this page has
   * seen: how many, and of how long it speaks. */
  rate(): [calls: number, seconds: number] {
    let tools = 0;
    for (const a of this.live.agents.values()) tools += a.tools;
    const at = Date.now();
    this.calls.push({ at, tools });
    while (this.calls.length > 1 && this.calls[0]!.at < at - RATE_MS) this.calls.shift();
    return [Math.max(0, tools - this.calls[0]!.tools), Math.min(60, Math.max(1, Math.round((at - this.calls[0]!.at) / 1000)))];
  }

  // ---- telling ----------------------------------------------------------

  subscribe(key: string, listener: () => void): () => void {
    const set = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0) this.listeners.delete(key);
    };
  }

  version(key: string): number { return this.versions.get(key) ?? 0; }

  private tell(changed: Changed): void {
    if (changed.size === 0) return;
    changed.add('any');
    const everything = changed.has('*') ? [...this.listeners.keys(), ...this.versions.keys()].filter(key => !HAPPENINGS.has(key)) : [];
    for (const key of new Set([...everything, ...changed])) {
      this.versions.set(key, (this.versions.get(key) ?? 0) + 1);
      for (const listener of [...(this.listeners.get(key) ?? [])]) listener();
    }
  }
}

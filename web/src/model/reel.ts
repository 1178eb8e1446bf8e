// The record of numbered events, and the world at any of them. Going back is
// going forward from the checkpoint before: nothing has to be undone, and any
// moment is at most EVERY events away.

import type { Message } from '../feed/types';
import { light } from './light';
import { copyWorld, emptyWorld, fold, moment, type Changed, type World } from './world';

const EVERY = 256;

export class Reel {
  readonly events: Message[] = [];
  private readonly checkpoints: World[] = [];
  private last: World;

  /** `base` is the picture from which the first event goes on. */
  constructor(private readonly base: World = emptyWorld()) {
    this.last = copyWorld(base);
    this.checkpoints.push(copyWorld(base));
  }

  get count() { return this.events.length; }
  get firstSeq() { return this.events[0]?.seq ?? this.base.seq; }
  get lastSeq() { return this.events.at(-1)?.seq ?? this.base.seq; }
  get from() { return moment(this.events[0]?.at) ?? this.base.at; }
  get to() { return moment(this.events.at(-1)?.at) ?? this.base.at; }

  /** Appends what comes next; what is known already is passed over. */
  add(events: readonly Message[]): void {
    const ignored: Changed = new Set();
    for (const whole of events) {
      if (whole.seq === undefined || whole.seq <= this.lastSeq) continue;
      const e = light(whole);
      this.events.push(e);
      fold(this.last, e, ignored);
      if (this.events.length % EVERY === 0) this.checkpoints.push(copyWorld(this.last));
    }
  }

  /** The world after the first `count` events. */
  after(count: number): World {
    const n = Math.max(0, Math.min(count, this.events.length));
    const k = Math.floor(n / EVERY);
    const w = copyWorld(this.checkpoints[k]!);
    const ignored: Changed = new Set();
    for (let i = k * EVERY; i < n; i++) fold(w, this.events[i]!, ignored);
    return w;
  }

  /** How many events there were up to and with this number. */
  indexOfSeq(seq: number): number {
    return this.search(e => e.seq! <= seq);
  }

  /** How many events had happened at this moment. */
  indexOfTime(at: number): number {
    return this.search(e => (moment(e.at) ?? 0) <= at);
  }

  private search(isBefore: (e: Message) => boolean): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(this.events[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  atSeq(seq: number): World { return this.after(this.indexOfSeq(seq)); }

  /** The world of a moment; its clock is the moment, not the last event's. */
  atTime(at: number): World {
    const w = this.after(this.indexOfTime(at));
    w.at = Math.max(w.at, at);
    return w;
  }

  /** The event that stands before (-1) or after (+1) this moment. */
  step(at: number, way: 1 | -1, isWanted: (e: Message) => boolean = () => true): Message | null {
    let i = way === 1 ? this.indexOfTime(at) : this.search(e => (moment(e.at) ?? 0) < at) - 1;
    for (; i >= 0 && i < this.events.length; i += way) if (isWanted(this.events[i]!)) return this.events[i]!;
    return null;
  }
}

export function isFailure(e: Message): boolean {
  return e.type === 'agent:completed' && (e.data['status'] === 'failed' || e.data['status'] === 'timedOut');
}

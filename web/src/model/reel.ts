// The record of numbered events, with the progress that agents made between
// them, and the world at any of them. Going back is going forward from the
// checkpoint before: nothing has to be undone, and any moment is at most EVERY
// messages away.

import type { Message } from '../feed/types';
import { light } from './light';
import { copyWorld, emptyWorld, fold, moment, type Changed, type World } from './world';

const EVERY = 256;

/** The number of the event behind which progress was made. */
const follows = (m: Message): number => m.follows ?? 0;

export class Reel {
  readonly events: Message[] = [];
  private readonly checkpoints: World[] = [];
  private last: World;
  private gone = 0; // of the progress
  lastSeq: number;

  /** `base` is the picture from which the first event goes on; `progress` is
   * without numbers, in the order in which it follows events. */
  constructor(private readonly base: World = emptyWorld(), private readonly progress: readonly Message[] = []) {
    this.lastSeq = base.seq;
    this.last = copyWorld(base);
    this.checkpoints.push(copyWorld(base));
  }

  get count() { return this.events.length; }
  get firstSeq() { return this.events[0]?.seq ?? this.base.seq; }
  get from() { return moment(this.events[0]?.at) ?? this.base.at; }
  get to() { return moment(this.events.at(-1)?.at) ?? this.base.at; }

  /** Appends what comes next; what is known already is passed over. */
  add(events: readonly Message[]): void {
    for (const e of events) {
      if (e.seq === undefined || e.seq <= this.lastSeq) continue;
      this.goOn(e.seq);
      this.append(e);
      this.lastSeq = e.seq;
    }
  }

  /** There will be no more events. */
  end(): void { this.goOn(Infinity); }

  /** The progress that was made before this event. */
  private goOn(seq: number): void {
    while (this.gone < this.progress.length && follows(this.progress[this.gone]!) < seq) this.append(this.progress[this.gone++]!);
  }

  private append(whole: Message): void {
    const m = light(whole);
    this.events.push(m);
    fold(this.last, m, new Set());
    if (this.events.length % EVERY === 0) this.checkpoints.push(copyWorld(this.last));
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
    return this.search(e => (e.seq ?? follows(e) + 0.5) <= seq);
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
    for (; i >= 0 && i < this.events.length; i += way) if (this.events[i]!.seq !== undefined && isWanted(this.events[i]!)) return this.events[i]!;
    return null;
  }
}

export function isFailure(e: Message): boolean {
  return e.type === 'agent:completed' && (e.data['status'] === 'failed' || e.data['status'] === 'timedOut');
}

// Where past moments come from. A hub draws the picture of any moment itself; a
// recording has all its events, and folds them.

import { ask } from '../feed/ask';
import type { Message, SnapshotSaid } from '../feed/types';
import { isFailure, Reel } from './reel';
import { begin, emptyWorld, moment, type World } from './world';

export interface Past {
  /** The first moment that can be shown. */
  from(): Promise<number>;
  at(time: number): Promise<World>;
  /** When the event before (-1) or after (+1) this moment was. */
  step(time: number, way: 1 | -1, isOnlyFailures: boolean): Promise<number | null>;
}

interface EventsSaid { events: Message[]; next?: number; previous?: number; begins?: { seq: number; at: string } | null }

const FAILURES = 200;
const END = Number.MAX_SAFE_INTEGER;

export class HubPast implements Past {
  private first: Promise<number> | null = null;

  from(): Promise<number> {
    this.first ??= ask<EventsSaid>('events?limit=1').then(said => {
      const at = moment(said.begins?.at);
      if (at === null) this.first = null;
      return at ?? END;
    });
    return this.first;
  }

  async at(time: number): Promise<World> {
    const said = await ask<SnapshotSaid>(`snapshot?at=${Math.floor(time)}`);
    return begin(said, time);
  }

  async step(time: number, way: 1 | -1, isOnlyFailures: boolean): Promise<number | null> {
    const kinds = isOnlyFailures ? `&type=agent:completed&limit=${FAILURES}` : '&limit=1';
    const first = await this.from();
    let query = way === 1 ? `events?from=${Math.floor(time) + 1}` : `events?until=${Math.ceil(time) - 1}&before=${END}`;
    for (;;) {
      const said = await ask<EventsSaid>(query + kinds);
      const found = isOnlyFailures ? said.events.filter(isFailure) : said.events;
      const at = moment((way === 1 ? found[0] : found.at(-1))?.at);
      if (at !== null) return at >= first ? at : null;
      const on = way === 1 ? said.next : said.previous;
      if (on === undefined) return null;
      query = way === 1 ? `events?since=${on}` : `events?before=${on}`;
    }
  }
}

const PAGE = 5000;

export class ReelPast implements Past {
  private reel: Promise<Reel> | null = null;

  constructor(private readonly base: () => World, private readonly progress: readonly Message[] = []) {}

  private read(): Promise<Reel> {
    this.reel ??= (async () => {
      const live = this.base();
      const reel = new Reel({ ...emptyWorld(), roles: new Map(live.roles), models: live.models, language: live.language, version: live.version, build: live.build, startedAt: live.startedAt }, this.progress);
      for (let since = 0; ;) {
        const page = await ask<EventsSaid>(`events?since=${since}&limit=${PAGE}`);
        reel.add(page.events);
        const last = page.events.at(-1)?.seq;
        if (last === undefined || page.events.length < PAGE) break;
        since = last;
      }
      reel.end();
      return reel;
    })();
    return this.reel;
  }

  async from(): Promise<number> { return (await this.read()).from; }
  async at(time: number): Promise<World> { return (await this.read()).atTime(time); }

  async step(time: number, way: 1 | -1, isOnlyFailures: boolean): Promise<number | null> {
    const reel = await this.read();
    return moment(reel.step(time, way, isOnlyFailures ? isFailure : undefined)?.at);
  }
}

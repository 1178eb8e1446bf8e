// Travel in time: the player's moment, its reel of events, and the address
// that carries it.

import { ask } from '../feed/ask';
import type { Message } from '../feed/types';
import { isFailure, Reel } from '../model/reel';
import type { Store } from '../model/store';
import { emptyWorld, moment } from '../model/world';
import { go, withQuery } from './route';

const PAGE = 5000;
export const SPEEDS = [1, 2, 5, 20, 100];
const STEP_MS = 80;

export class Travel {
  private reel: Reel | null = null;
  private loading: Promise<Reel> | null = null;
  private timer = 0;
  private played = 0;
  isPlaying = false;
  isLoading = false;
  speed = 1;
  private readonly listeners = new Set<() => void>();
  version = 0;

  constructor(private readonly store: Store) {}

  subscribe = (l: () => void) => { this.listeners.add(l); return () => { this.listeners.delete(l); }; };
  private tell() { this.version++; for (const l of [...this.listeners]) l(); }

  /** All numbered events that the hub has, and those heard since. */
  private async read(): Promise<Reel> {
    const live = this.store.live;
    const reel = new Reel({ ...emptyWorld(), roles: new Map(live.roles), models: live.models, language: live.language, version: live.version, build: live.build, startedAt: live.startedAt });
    for (let since = 0; ;) {
      const page = await ask<{ events: Message[] }>(`events?since=${since}&limit=${PAGE}`);
      reel.add(page.events);
      const last = page.events.at(-1)?.seq;
      if (last === undefined || page.events.length < PAGE) break;
      since = last;
    }
    return reel;
  }

  private async ready(): Promise<Reel> {
    if (!this.reel) {
      this.isLoading = true;
      this.tell();
      this.loading ??= this.read();
      try {
        this.reel = await this.loading;
      } finally {
        this.loading = null;
        this.isLoading = false;
        this.tell();
      }
    }
    this.reel.add(this.store.heard);
    return this.reel;
  }

  /** Fills a sparse picture up out of the record. */
  async fill(): Promise<void> {
    if (!this.store.isSparse()) return;
    const reel = await this.ready();
    this.store.fill(reel.after(reel.count));
  }

  async goTo(at: number): Promise<void> {
    const reel = await this.ready();
    const end = this.store.present();
    if (at >= end) {
      this.toLive();
      return;
    }
    const t = Math.max(at, reel.from);
    this.store.show(reel.atTime(t), t);
    go(withQuery({ at: String(Math.round(t)) }), 'replace');
    this.tell();
  }

  toLive(): void {
    this.pause();
    this.store.show(null, null);
    go(withQuery({ at: null }), 'replace');
    this.tell();
  }

  async step(way: 1 | -1, isOnlyFailures = false): Promise<void> {
    this.pause();
    const reel = await this.ready();
    const e = reel.step(this.store.now(), way, isOnlyFailures ? isFailure : undefined);
    if (e) await this.goTo(moment(e.at) ?? reel.to);
    else if (way === 1) this.toLive();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  async play(): Promise<void> {
    const reel = await this.ready();
    if (this.store.past === null) await this.goTo(reel.from);
    this.isPlaying = true;
    this.played = performance.now();
    clearInterval(this.timer);
    this.timer = window.setInterval(() => this.advance(), STEP_MS);
    this.tell();
  }

  private advance(): void {
    const now = performance.now();
    const at = (this.store.past ?? this.store.now()) + (now - this.played) * this.speed;
    this.played = now;
    void this.goTo(at);
  }

  pause(): void {
    clearInterval(this.timer);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.tell();
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else void this.play();
  }
}

// Travel in time: the player's moment, and the address that carries it.

import type { Past } from '../model/past';
import type { Store } from '../model/store';
import { go, withQuery } from './route';

export const SPEEDS = [1, 2, 5, 20, 100];
const STEP_MS = 80;

export class Travel {
  private timer = 0;
  private played = 0;
  private wanted: number | null = null;
  private going: Promise<void> | null = null;
  /** Live is wanted: a moment that is still on its way is not shown. */
  private isHome = false;
  isPlaying = false;
  isLoading = false;
  speed = 1;
  private readonly listeners = new Set<() => void>();
  version = 0;

  /** The first moment that can be shown; 0: not known yet. */
  begins = 0;

  constructor(private readonly store: Store, private readonly past: Past) {
    this.past.from().then(at => {
      if (at >= Number.MAX_SAFE_INTEGER) return;
      this.begins = at;
      this.tell();
    }, () => undefined);
  }

  subscribe = (l: () => void) => { this.listeners.add(l); return () => { this.listeners.delete(l); }; };
  private tell() { this.version++; for (const l of [...this.listeners]) l(); }

  /** One moment is asked for at a time; of those wanted meanwhile the last. */
  goTo(at: number): Promise<void> {
    this.wanted = at;
    this.isHome = false;
    this.going ??= this.travel().finally(() => { this.going = null; });
    return this.going;
  }

  private async travel(): Promise<void> {
    this.isLoading = true;
    this.tell();
    try {
      while (this.wanted !== null) {
        const wanted = this.wanted;
        this.wanted = null;
        const at = Math.max(wanted, await this.past.from());
        if (at >= this.store.present()) this.toLive();
        else await this.arrive(at);
      }
    } finally {
      this.isLoading = false;
      this.tell();
    }
  }

  private async arrive(at: number): Promise<void> {
    const world = await this.past.at(at);
    if (this.isHome) return;
    this.store.show(world, at);
    go(withQuery({ at: String(Math.floor(at)) }), 'replace');
  }

  toLive(): void {
    this.pause();
    this.wanted = null;
    this.isHome = true;
    this.store.show(null, null);
    go(withQuery({ at: null }), 'replace');
    this.tell();
  }

  async step(way: 1 | -1, isOnlyFailures = false): Promise<void> {
    this.pause();
    const at = await this.past.step(this.store.now(), way, isOnlyFailures);
    if (at !== null) await this.goTo(at);
    else if (way === 1) this.toLive();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  async play(): Promise<void> {
    if (this.store.past === null) await this.goTo(await this.past.from());
    this.isPlaying = true;
    this.played = performance.now();
    clearInterval(this.timer);
    this.timer = window.setInterval(() => this.advance(), STEP_MS);
    this.tell();
  }

  private advance(): void {
    const now = performance.now();
    if (this.going) return;
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

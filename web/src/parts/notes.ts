// What a person is told in this browser. Every tab hears of a notification; the
// one that notes it first shows it, under a lock that all tabs share.

import { ask } from '../feed/ask';
import type { Wire } from '../feed/feed';
import type { Message } from '../feed/types';
import { joined, noteOf, placeOf, withShown, type Note, type NoteKind } from '../model/notes';
import type { Text } from '../text/text';
import { keep, kept } from './keep';
import { go, screen } from './route';

export type Permission = NotificationPermission | 'none';

export class Notes {
  list: readonly Note[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly here = new Set<string>();
  private words: Text | null = null;
  /** The newest that came while this page was open. */
  latest: Note | null = null;

  constructor(feed: Wire) {
    feed.onNote?.(m => this.hear(m));
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  };

  private tell(): void { for (const l of [...this.listeners]) l(); }

  speak(words: Text): void { this.words = words; }

  /** Those of before: listed, not shown. */
  async load(): Promise<void> {
    const said = await ask<{ events: Message[] }>('notifications?limit=50');
    this.add(said.events.map(noteOf).filter(n => n !== null));
  }

  private add(more: Note[]): void {
    this.list = joined(this.list, more);
    this.tell();
  }

  private hear(m: Message): void {
    const n = noteOf(m);
    if (!n) return;
    this.latest = n;
    this.add([n]);
    if (n.isForBrowsers && this.wants(n.kind) && this.permission() === 'granted') this.showOnce(n);
  }

  // ---- read -------------------------------------------------------------

  unread(): number {
    const read = Number(kept('notes:read') ?? 0);
    return this.list.filter(n => n.at > read).length;
  }

  read(): void {
    keep('notes:read', String(Math.max(Number(kept('notes:read') ?? 0), this.list[0]?.at ?? 0)));
    this.tell();
  }

  // ---- what one wants ---------------------------------------------------

  wants(kind: NoteKind): boolean { return !(kept('notes:off') ?? '').split(' ').includes(kind); }

  want(kind: NoteKind, is: boolean): void {
    const off = (kept('notes:off') ?? '').split(' ').filter(k => k && k !== kind);
    keep('notes:off', (is ? off : [...off, kind]).join(' '));
    this.tell();
  }

  permission(): Permission { return typeof Notification === 'undefined' || !window.isSecureContext ? 'none' : Notification.permission; }

  /** By a click only: browsers refuse those who ask by themselves. */
  async allow(): Promise<void> {
    await Notification.requestPermission();
    this.tell();
  }

  // ---- showing ----------------------------------------------------------

  private showOnce(n: Note): void {
    const act = () => {
      const shown = withShown(kept('notes:shown'), n.id);
      if (shown === null || this.here.has(n.id)) return;
      keep('notes:shown', shown);
      this.here.add(n.id);
      this.show(n);
    };
    if ('locks' in navigator) void navigator.locks.request('kuromajutsu-notes', act);
    else act();
  }

  private show(n: Note): void {
    const said = new Notification(this.words?.notes.say[n.kind](n.count) ?? n.kind, { body: n.body, tag: n.id, icon: '/icon.svg' });
    said.onclick = () => {
      window.focus();
      go(screen(placeOf(n)));
      said.close();
    };
  }
}

// One WebSocket to the hub. It asks for what came after the last number it has
// heard, so a hub that was away for a moment costs neither a flicker nor a
// loss; commands are answered by id.

import type { Store } from '../model/store';
import { answeredIn } from './ask';
import type { LiveEvent, Message } from './types';

const FIRST_MS = 250;
const LONGEST_MS = 5000;
/** So many events in one go are a catching up worth showing. */
const MANY = 200;

export class CommandError extends Error {
  constructor(readonly code: string, message: string, readonly remedy: string) { super(message); }
}

type Waiting = { resolve: (data: Record<string, unknown>) => void; reject: (e: Error) => void };
export type Listener = (agentId: string, event: LiveEvent, at: string | undefined) => void;

/** What the page has to do with its source beside asking. */
export interface Wire {
  retry(): void;
  command(type: string, data: Record<string, unknown>): Promise<Record<string, unknown>>;
  listen(agentId: string, listener: Listener): () => void;
  /** What a person is to be told, as it is raised; not in a recording. */
  onNote?(listener: (m: Message) => void): void;
}

export class Feed implements Wire {
  private socket: WebSocket | null = null;
  private delay = FIRST_MS;
  private timer = 0;
  private next = 1;
  private burst = 0;
  private lostSince: number | null = null;
  private isWelcome = false;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Set<Listener>();
  private readonly notes = new Set<(m: Message) => void>();
  private interest: string | null = null;

  constructor(private readonly store: Store, private readonly address: string) {}

  open(): void {
    clearTimeout(this.timer);
    const seq = this.store.hasPicture ? this.store.live.seq : 0;
    const socket = new WebSocket(`${this.address}${seq > 0 ? `?since=${seq}` : ''}`);
    this.socket = socket;
    this.isWelcome = false;
    socket.onopen = () => this.opened();
    socket.onmessage = e => this.heard(JSON.parse(String(e.data)) as Message);
    socket.onclose = () => { if (this.socket === socket) this.closed(); };
  }

  /** At once, instead of when the wait is over. */
  retry(): void {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    this.delay = FIRST_MS;
    this.open();
  }

  private opened(): void {
    this.delay = FIRST_MS;
    this.lostSince = null;
    if (this.store.hasPicture) this.welcome();
    if (this.interest !== null) this.sayInterest();
  }

  private welcome(): void {
    this.isWelcome = true;
    this.store.setConnection({ state: 'live' });
  }

  private closed(): void {
    this.lostSince ??= Date.now();
    for (const w of this.waiting.values()) w.reject(new CommandError('CONNECTION_LOST', '', ''));
    this.waiting.clear();
    this.store.setConnection({ state: 'lost', since: this.lostSince, retryAt: Date.now() + this.delay });
    this.timer = window.setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(this.delay * 2, LONGEST_MS);
  }

  private heard(m: Message): void {
    if (m.id !== undefined && this.answered(m)) return;
    const event = m.data?.['event'] as LiveEvent | undefined;
    if (event && m.type === 'agent:status_update') {
      for (const l of this.listeners) l(String(m.data['agentId']), event, m.at);
      return;
    }
    this.store.take(m);
    if (m.type === 'notification:raised' && m.seq !== undefined) for (const l of this.notes) l(m);
    if (!this.isWelcome) this.welcome();
    if (m.seq !== undefined) this.countBurst();
  }

  private countBurst(): void {
    if (this.burst++ === 0) setTimeout(() => {
      const was = this.burst;
      this.burst = 0;
      if (this.store.connection.state === 'catching' && was < MANY) this.store.setConnection({ state: 'live' });
    }, 300);
    if (this.burst === MANY && this.store.connection.state === 'live') this.store.setConnection({ state: 'catching', behind: MANY });
  }

  // ---- commands ---------------------------------------------------------

  private answered(m: Message): boolean {
    const waits = this.waiting.get(Number(m.id));
    if (!waits) return false;
    this.waiting.delete(Number(m.id));
    const e = m.error;
    if (m.success) waits.resolve(m.data ?? {});
    else waits.reject(new CommandError(e?.code ?? '', e?.message ?? '', e?.remedy ?? ''));
    return true;
  }

  command(type: string, data: Record<string, unknown>): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new CommandError('CONNECTION_LOST', '', ''));
        return;
      }
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ type, id, language: answeredIn(), data }));
    });
  }

  onNote(listener: (m: Message) => void): void { this.notes.add(listener); }

  // ---- live text --------------------------------------------------------

  private sayInterest(): void {
    const data = this.interest ? { agentId: this.interest, text: true } : {};
    void this.command('feed:interest', data).catch(() => undefined);
  }

  /** Hears what one agent says, as it says it; one at a time. */
  listen(agentId: string, listener: Listener): () => void {
    this.listeners.add(listener);
    this.interest = agentId;
    this.sayInterest();
    return () => {
      this.listeners.delete(listener);
      if (this.interest === agentId) {
        this.interest = null;
        this.sayInterest();
      }
    };
  }
}

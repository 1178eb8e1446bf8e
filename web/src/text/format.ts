// Numbers and times as they stand on the page: tabular, units apart.

const two = (n: number) => String(n).padStart(2, '0');

/** Milliseconds as 1:36 or 1:02:03. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  const h = Math.floor(s / 3600);
  const m = Math.floor((s % 3600) / 60);
  if (h >= 48) return `${Math.floor(h / 24)} d ${h % 24} h`;
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** The same, fine enough for a tool call. */
export function brief(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms);
}

/** Whole seconds of something short. */
export const seconds = (ms: number): string => ms < 100_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : duration(ms);

export function tokens(n: number): string {
  if (n >= 1e6) return `${(n / 1e6).toFixed(2)} M`;
  return n >= 1000 ? `${Math.round(n / 1000)} k` : String(n);
}

export const dollars = (n: number): string => `$${n.toFixed(2)}`;

export function bytes(n: number): string {
  if (n >= 1 << 20) return `${(n / (1 << 20)).toFixed(1)} MB`;
  return n >= 1024 ? `${(n / 1024).toFixed(1)} KB` : `${n} B`;
}

export function clock(ms: number): string {
  const d = new Date(ms);
  return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

export function day(ms: number): string {
  const d = new Date(ms);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
}

export const dayAndClock = (ms: number): string => `${day(ms)} ${clock(ms).slice(0, 5)}`;

/** A text in two, of which the first is cut where there is no room for both: of
 * a path the name stays, of a command its last words. */
export function halves(text: string): [head: string, tail: string] {
  const letters = [...text];
  if (letters.length <= 16) return [text, ''];
  const slash = text.includes(' ') ? -1 : text.lastIndexOf('/');
  const name = slash > 0 ? [...text.slice(slash)].length : 0;
  const tail = name > 1 && name <= 28 ? name : 12;
  return [letters.slice(0, -tail).join(''), letters.slice(-tail).join('')];
}

/** An id's parts: the role and the tail that one compares. */
export function idParts(id: string): { head: string; tail: string } | null {
  const m = /^(.*?)-(\d{6,})-(\w+)$/.exec(id);
  if (m) return { head: m[1]!.length > 16 ? m[1]!.slice(0, 14) : `${m[1]}-${m[2]!.slice(0, 2)}`, tail: m[3]! };
  return id.length > 24 ? { head: id.slice(0, 14), tail: id.slice(-6) } : null;
}

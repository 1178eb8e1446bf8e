// A search through something long that is read page by page: it goes on from
// page to page until it has found enough, and tells how far it is.

export interface Hit {
  /** Where its line begins. */
  offset: number;
  text: string;
}

/** What a page has of it. */
export interface Page {
  hits: Hit[];
  /** Where the next begins; null: there is none. */
  next: number | null;
  /** Of the whole. */
  size: number;
}

export interface Sought extends Page {
  isReading: boolean;
}

export type Read = (from: number) => Promise<Page>;

/** Reads on from there, until there are `more` or nothing is left. */
export async function seek(read: Read, was: Sought, more: number, tell: (now: Sought) => void): Promise<void> {
  let now: Sought = { ...was, isReading: true };
  const wanted = was.hits.length + more;
  while (now.next !== null && now.hits.length < wanted) {
    tell(now);
    const page = await read(now.next);
    now = { ...page, hits: [...now.hits, ...page.hits], isReading: true };
  }
  tell({ ...now, isReading: false });
}

export const BEGIN: Sought = { hits: [], next: 0, size: 0, isReading: false };

const lower = (text: string) => text.toLowerCase();
export const hasWords = (text: string, words: string): boolean => lower(text).includes(lower(words));

/** Lines of a text that begins at this byte. A line that the page cuts off is
 * left for the next one, which begins with it. */
export function hitsIn(text: string, from: number, next: number | null, words: string): Pick<Page, 'hits' | 'next'> {
  const size = (part: string) => new TextEncoder().encode(part).length;
  const end = next === null ? text.length : text.lastIndexOf('\n') + 1;
  const whole = end > 0 ? text.slice(0, end) : text;
  const hits: Hit[] = [];
  let at = from;
  for (const line of whole.split('\n')) {
    if (hasWords(line, words)) hits.push({ offset: at, text: line });
    at += size(line) + 1;
  }
  return { hits, next: next === null ? null : end > 0 ? from + size(whole) : next };
}

const BEFORE = 80;
const AFTER = 320;

/** What stands around the words, if there is much of it. */
export function excerpt(text: string, words: string): [before: string, hit: string, after: string] {
  const at = lower(text).indexOf(lower(words));
  if (at < 0) return [text.length > AFTER ? `${text.slice(0, AFTER)}…` : text, '', ''];
  const end = at + words.length;
  return [at > BEFORE ? `…${text.slice(at - BEFORE, at)}` : text.slice(0, at), text.slice(at, end), text.length > end + AFTER ? `${text.slice(end, end + AFTER)}…` : text.slice(end)];
}

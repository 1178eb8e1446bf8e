import { expect, test } from 'vitest';
import type { BoxSaid, LetterSaid, TalkSaid } from '../feed/types';
import { byUnread, isSame, isSpokenOn, openIn, openOf, pageOf, queryOf, valueText } from './mail';
import { emptyWorld, fold } from './world';

const letter = (number: number, sender: string, at: string): LetterSaid => ({
  number, id: String(number), sender_id: sender, receiver_id: 'b', message_type: 'direct', content: 'x', bytes: 1, created_at: at,
});

test('a conversation is the same whoever is named first, and the address carries it', () => {
  const talk: TalkSaid = { agents: ['a', 'b c'], count: 1, unread: 0, last: letter(1, 'a', '2026-01-01T00:00:00.000Z') };
  const open = openOf(talk);
  expect(isSame(open, { one: 'b c', other: 'a' })).toBe(true);
  expect(isSame(open, 'all')).toBe(false);
  expect(isSame(null, null)).toBe(true);
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(queryOf(open))) if (value !== null) query.set(key, value);
  expect(openIn(query)).toEqual(open);
  expect(openIn(new URLSearchParams('to=all'))).toBe('all');
  expect(openIn(new URLSearchParams('one=a'))).toBeNull();
  expect(openOf({ ...talk, agents: [] })).toBe('all');
});

test('a page is asked for by both names, or by none', () => {
  expect(pageOf({ one: 'a&b', other: 'c d' }, 50)).toBe('mail/messages?limit=50&agent=a%26b&with=c+d');
  expect(pageOf('all', 50, 7)).toBe('mail/messages?limit=50&before=7');
});

test('who has something to read comes first, in the order of the hub', () => {
  const box = (id: string, unread: number): BoxSaid => ({ id, name: id, description: null, state: 'acting', created_at: null, last_active_at: null, unread, unread_direct: 0 });
  expect(byUnread([box('a', 0), box('b', 2), box('c', 0), box('d', 9)]).map(b => b.id)).toEqual(['b', 'd', 'a', 'c']);
});

test('who goes on speaking is not named again, but on another day', () => {
  const a = letter(1, 'a', '2026-01-01T23:59:00.000Z');
  expect(isSpokenOn(undefined, a)).toBe(false);
  expect(isSpokenOn(a, letter(2, 'a', '2026-01-01T23:59:30.000Z'))).toBe(true);
  expect(isSpokenOn(a, letter(2, 'b', '2026-01-01T23:59:30.000Z'))).toBe(false);
  expect(isSpokenOn(a, letter(2, 'a', '2026-01-02T00:00:30.000Z'))).toBe(false);
});

test('values are shown as JSON, also nothing', () => {
  expect([valueText(null), valueText('x'), valueText(undefined)]).toEqual(['null', '"x"', 'null']);
});

test('what happens in mail is told to its screen, and changes nothing else', () => {
  const w = emptyWorld();
  for (const [seq, type] of ['mail:sent', 'mail:read', 'mail:registered', 'context:shared'].entries()) {
    const changed = new Set<string>();
    fold(w, { type, seq: seq + 1, data: { agentId: 'a' } }, changed);
    expect([...changed]).toEqual(['mail']);
  }
  expect([w.seq, w.agents.size]).toEqual([4, 0]);
});

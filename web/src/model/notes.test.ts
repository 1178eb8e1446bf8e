import { expect, test } from 'vitest';
import { joined, noteOf, placeOf, withShown, type Note } from './notes';

const said = (more: Record<string, unknown> = {}) => ({ at: '2026-11-17T15:00:00.000Z', data: { notificationId: 'notification-1-2', kind: 'failed', count: 3, body: '<b>', groupId: 'grp-1', agentId: null, channels: ['browser'], ...more } });
const note = (more: Record<string, unknown> = {}) => noteOf(said(more)) as Note;

test('a notification is read, and one of a kind to come is passed over', () => {
  expect(note()).toEqual({ id: 'notification-1-2', kind: 'failed', count: 3, body: '<b>', groupId: 'grp-1', agentId: null, at: Date.UTC(2026, 10, 17, 15), isForBrowsers: true });
  expect(noteOf(said({ kind: 'eclipse' }))).toBeNull();
  expect(note({ channels: ['desktop'] }).isForBrowsers).toBe(false);
});

test('each leads to what it is about', () => {
  expect(placeOf(note({ agentId: 'a/b' }))).toBe('/agents/a%2Fb');
  expect(placeOf(note())).toBe('/groups/grp-1');
  expect(placeOf(note({ groupId: null }))).toBe('/?filter=failed');
  expect(placeOf(note({ groupId: null, kind: 'conflict' }))).toBe('/?filter=needs');
  expect(placeOf(note({ groupId: null, kind: 'budget' }))).toBe('/history?usage=day');
  expect(placeOf(note({ groupId: null, kind: 'noRole' }))).toBe('/health');
});

test('what comes twice is there once, the newest first', () => {
  const old = { ...note(), at: 1 }, late = { ...note(), id: 'other', at: 2 };
  expect(joined([old], [late, old]).map(n => n.id)).toEqual(['other', 'notification-1-2']);
});

test('an id is noted once', () => {
  expect(withShown(null, 'a')).toBe('a');
  expect(withShown('a b', 'a')).toBeNull();
  expect(withShown(Array.from({ length: 200 }, (_, i) => `n${i}`).join(' '), 'x')?.split(' ')).toHaveLength(200);
});

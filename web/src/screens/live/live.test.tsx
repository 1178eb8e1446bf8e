// @vitest-environment happy-dom
// How much of the page one update draws again, and how much of a thousand
// agents is there at all: counted, not timed.

import { act, Profiler, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Feed } from '../../feed/feed';
import type { Language, Message } from '../../feed/types';
import { Store } from '../../model/store';
import { AppContext, type App } from '../../parts/app';
import { Questions } from '../../parts/dialog';
import { Top } from '../../parts/frame';
import { textOf } from '../../text/text';
import { Card } from './card';
import { Live } from './live';
import { Row } from './rows';
import { newestCalls } from './verdict';

const drawn: string[] = [];
/** Every part that draws an agent draws its id. */
vi.mock('../../parts/basic', async original => {
  const real = await original<typeof import('../../parts/basic')>();
  return { ...real, Id: (props: { id: string }) => { drawn.push(props.id); return real.Id.type(props); } };
});

let frames: (() => void)[] = [];
let root: Root;
let box: HTMLElement;
let seen: { target: Element; tell: (isNear: boolean, height?: number) => void }[] = [];

/** The window of the tests: what is near it is told by hand. */
class Watch {
  constructor(private readonly told: (entries: { target: Element; isIntersecting: boolean; boundingClientRect: { height: number } }[]) => void) {}
  observe(target: Element) { seen.push({ target, tell: (isIntersecting, height = 500) => this.told([{ target, isIntersecting, boundingClientRect: { height } }]) }); }
  unobserve() { /* of no matter here */ }
}

const id = (g: number, i: number) => `impl-code-17000000${String(g).padStart(2, '0')}-${String(i).padStart(4, '0')}`;
const at = () => new Date(1_700_000_000_000).toISOString();

function snapshot(groups: number, members: number): Message {
  const list = Array.from({ length: groups }, (_, g) => g);
  return {
    type: 'server:startup', at: at(), data: {
      seq: 1, startedAt: at(), roles: [], groups: list.map(g => ({ groupId: `g${g}`, description: `Group ${g}`, mode: 'concurrent', createdAt: at() })),
      agents: list.flatMap(g => Array.from({ length: members }, (_, i) => ({ agentId: id(g, i), groupId: `g${g}`, role: 'impl-code', status: 'running', createdAt: at(), startedAt: at(), about: 'Do it' }))),
    },
  };
}

function open(groups: number, members: number, view: ReactNode, language: Language = 'en'): Store {
  const store = new Store(then => frames.push(then));
  store.take(snapshot(groups, members));
  for (const frame of frames.splice(0)) frame();
  const app = { store, feed: {} as Feed, language, text: textOf(language), setLanguage: () => undefined } satisfies App;
  act(() => root.render(<AppContext.Provider value={app}><Questions>{view}</Questions></AppContext.Provider>));
  return store;
}

function say(store: Store, ...messages: Message[]): void {
  drawn.length = 0;
  act(() => {
    for (const m of messages) store.take(m);
    for (const frame of frames.splice(0)) frame();
  });
}

const progress = (g: number, i: number, toolCallCount: number): Message =>
  ({ type: 'agent:status_update', at: at(), data: { agentId: id(g, i), groupId: `g${g}`, status: 'running', toolCallCount, lastAssistantMessage: `step ${toolCallCount}` } });

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', Watch);
  localStorage.clear();
  frames = [];
  seen = [];
  document.body.innerHTML = '<main id="main"></main>';
  box = document.getElementById('main')!;
  root = createRoot(box);
});

afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('one update draws one card, and one row', () => {
  const store = open(1, 50, <>{Array.from({ length: 50 }, (_, i) => <Card key={i} id={id(0, i)} />)}</>);
  say(store, progress(0, 7, 1));
  expect(drawn).toEqual([id(0, 7)]);
  expect(box.querySelector(`[data-agent="${id(0, 7)}"] .words`)?.textContent).toBe('step 1');
  const rows = open(1, 50, <>{Array.from({ length: 50 }, (_, i) => <Row key={i} id={id(0, i)} />)}</>);
  say(rows, progress(0, 9, 1), progress(0, 9, 2), progress(0, 9, 3));
  expect(drawn).toEqual([id(0, 9)]);
});

test('on Live one update draws the agent and nothing of the others', () => {
  const store = open(10, 10, <Live />);
  expect(box.querySelectorAll('[data-agent]').length).toBe(100);
  say(store, progress(3, 4, 1));
  expect(drawn.filter(name => name.startsWith('impl-code'))).toEqual([id(3, 4)]);
});

test('of a thousand agents only those near the window are there', () => {
  open(50, 20, <Live />);
  expect(box.querySelectorAll('section.group').length).toBe(50);
  expect(box.querySelectorAll('.group h2').length).toBe(50);
  expect(box.querySelectorAll('[data-agent]').length).toBeLessThan(60);
  expect(box.querySelectorAll('*').length).toBeLessThan(3000);
});

test('a group comes when one nears it, and keeps its height when one leaves', () => {
  open(50, 20, <Live />);
  const far = seen.at(-1)!;
  const section = far.target as HTMLElement;
  expect(section.querySelector('[data-agent]')).toBeNull();
  expect(parseInt(section.style.height)).toBeGreaterThan(300);
  act(() => far.tell(true));
  expect(section.querySelectorAll('[data-agent]').length).toBeGreaterThan(10);
  expect(section.style.height).toBe('');
  act(() => section.querySelector<HTMLElement>('.more')!.click());
  act(() => far.tell(false, 777));
  expect(section.querySelector('[data-agent]')).toBeNull();
  expect(section.style.height).toBe('777px');
  act(() => far.tell(true));
  expect(section.querySelector('.more')?.getAttribute('aria-expanded')).toBe('true');
});

test('who has the focus is not taken away', () => {
  open(50, 20, <Live />);
  const far = seen.at(-2)!;
  act(() => far.tell(true));
  const link = far.target.querySelector<HTMLElement>('[data-agent]')!;
  link.focus();
  act(() => far.tell(false));
  expect(link.isConnected).toBe(true);
  link.blur();
  act(() => far.tell(false));
  expect(link.isConnected).toBe(false);
});

test('an agent far away changes nothing of what is drawn', () => {
  let commits = 0;
  const store = open(50, 20, <Profiler id="live" onRender={() => commits++}><Live /></Profiler>);
  commits = 0;
  // The newest stand on top; the oldest is far below.
  say(store, progress(0, 0, 1));
  expect(drawn).toEqual([]);
  expect(commits).toBe(0);
});

test('progress of agents does not draw the frame again', () => {
  let commits = 0;
  const nothing = () => undefined;
  const store = open(5, 5, <Profiler id="top" onRender={() => commits++}><Top onKeys={nothing} onTheme={nothing} isStill={false} onStill={nothing} /></Profiler>);
  commits = 0;
  say(store, progress(1, 1, 1), progress(2, 2, 1));
  expect(commits).toBe(0);
  say(store, { type: 'agent:completed', seq: 2, at: at(), data: { agentId: id(1, 1), groupId: 'g1', status: 'completed' } });
  expect(commits).toBeGreaterThan(0);
  expect(box.querySelector('.counts')?.textContent).toContain('24 running');
});

test('the newest calls are those that sorting all would give', () => {
  const store = open(4, 25, <></>);
  const calls = (i: number): Message => ({ type: 'agent:status_update', at: new Date(1_700_000_000_000 + (i * 37) % 50).toISOString(), data: { agentId: id(i % 4, Math.floor(i / 4)), groupId: `g${i % 4}`, status: 'running', toolCallCount: 1, tool: i % 5 === 0 ? '' : 'read' } });
  say(store, ...Array.from({ length: 100 }, (_, i) => calls(i)));
  const all = [...store.shown.agents.values()].filter(a => a.tool).sort((a, b) => b.toolAt - a.toolAt || (a.id < b.id ? -1 : 1));
  expect(all.length).toBe(80);
  for (const most of [1, 4, 80, 200]) expect(newestCalls(store.shown, most)).toEqual(all.slice(0, most));
});

test('cells of many agents hold still', () => {
  open(1, 70, <Live />);
  expect(box.querySelectorAll('.cells:not(.crowd) a').length).toBe(70);
  open(1, 150, <Live />);
  expect(box.querySelectorAll('.cells.crowd a').length).toBe(150);
});

test('a card says which tool is at work, and on what, cut in the middle', () => {
  const store = open(1, 2, <Live />);
  const path = '/home/me/shop/packages/queue/test/retry.test.ts';
  const call = (tool: string, toolTitle: string, toolCallCount: number): Message => ({ type: 'agent:status_update', at: at(), data: { agentId: id(0, 1), groupId: 'g0', status: 'running', workingDirectory: '/home/me/shop', toolCallCount, tool, toolTitle } });
  const doing = () => box.querySelector(`[data-agent="${id(0, 1)}"] .doing`);
  say(store, call('edit', path, 1));
  expect(doing()?.querySelector('.mono')?.textContent).toBe('edit');
  const halves = [...doing()!.querySelectorAll('.middle > span')].map(e => e.textContent);
  expect(halves).toEqual(['packages/queue/test', '/retry.test.ts']);
  expect(doing()?.querySelector('.middle')?.getAttribute('title')).toBe('packages/queue/test/retry.test.ts');
  act(() => { vi.advanceTimersByTime(600); });
  expect(box.querySelector('.now li')?.textContent).toContain('packages/queue/test/retry.test.ts');
  // The next one has nothing to say of itself, then there is none.
  say(store, call('think', '', 2));
  expect(doing()?.querySelector('.middle')?.textContent).toBe('');
  say(store, call('', '', 2));
  expect(doing()).toBeNull();
});

test('of a call that began before one looked it is not said how long it lasts', () => {
  const store = open(0, 0, <Live />);
  say(store, { type: 'server:startup', at: at(), data: { seq: 1, groups: [{ groupId: 'g0' }], roles: [], agents: [{ agentId: id(0, 0), groupId: 'g0', status: 'running', toolCallCount: 3, tool: 'read', toolTitle: 'a.c', toolAt: null }] } });
  expect(box.querySelector('.doing .middle')?.textContent).toBe('a.c');
  expect(box.querySelector('.doing time')).toBeNull();
  say(store, { type: 'agent:status_update', at: at(), data: { agentId: id(0, 0), groupId: 'g0', status: 'running', toolCallCount: 4, tool: 'read', toolTitle: 'b.c', toolAt: new Date(1_699_999_995_000).toISOString() } });
  expect(box.querySelector('.doing time')?.textContent).toBe('5 s');
});

test('agents of no known group stand under a title of their own', () => {
  const store = open(1, 1, <Live />, 'ja');
  say(store, { type: 'agent:created', seq: 2, at: at(), data: { agentId: 'x-1771045922-abcd', status: 'running', createdAt: at() } });
  const titles = [...box.querySelectorAll('.group h2')].map(e => e.textContent);
  expect(titles).toEqual(['Group 0', '未分類']);
  expect(box.querySelector('.group:last-child [data-agent]')?.getAttribute('data-agent')).toBe('x-1771045922-abcd');
});

test('another moment is another time at once', () => {
  const store = open(1, 1, <Card id={id(0, 0)} />);
  const elapsed = () => box.querySelector('.card .elapsed')?.textContent;
  act(() => store.show(store.live, 1_700_000_090_000));
  expect(elapsed()).toBe('1:30');
});

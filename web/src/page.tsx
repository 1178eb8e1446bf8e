// The page: which screen stands in the frame, language, theme, keys.

import { Component, lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { answerIn } from './feed/ask';
import type { Wire } from './feed/feed';
import type { Language } from './feed/types';
import type { Store } from './model/store';
import { AppContext, useApp, useChanges, useText, type App } from './parts/app';
import { Ghost, HomeLink, Trouble } from './parts/basic';
import { Dialog, Questions } from './parts/dialog';
import { frameClass, Rail, screenName, Top, type ScreenName } from './parts/frame';
import { keep, kept } from './parts/keep';
import { useKeys } from './parts/keys';
import type { Notes } from './parts/notes';
import { Player } from './parts/player';
import { pathNow, useRoute } from './parts/route';
import type { Travel } from './parts/travel';
import { Live } from './screens/live/live';
import { browserLanguage, chooseLanguage, chosenLanguage, textOf } from './text/text';

const AgentPage = lazy(() => import('./screens/agent/page'));
const Timeline = lazy(() => import('./screens/timeline/timeline'));

/** Screens that only a hub can fill; a recording has none of them. */
export type HubScreens = Partial<Record<ScreenName, ComponentType<{ id: string }>>>;

/** A % that stands for nothing stands for itself: such an address names what is
 * not there, and that is said. */
function plainOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function choose(path: string, screens: HubScreens): { name: ScreenName | null; view: ReactNode } {
  const [, first = '', second = ''] = path.split('/');
  const id = plainOf(second);
  if (first === '') return { name: 'live', view: <Live /> };
  if (first === 'groups') return { name: 'live', view: <Live only={id} /> };
  if (first === 'agents') return { name: 'live', view: <AgentPage id={id} /> };
  if (first === 'timeline') return { name: 'timeline', view: <Timeline /> };
  const Screen = Object.hasOwn(screens, first) ? screens[first as ScreenName] : undefined;
  if (Screen) return { name: first as ScreenName, view: <Screen id={id} /> };
  return { name: null, view: <NotFound /> };
}

function NotFound() {
  const t = useText();
  return <Trouble title={t.frame.notFound} say={pathNow()}><HomeLink /></Trouble>;
}

/** A screen that could not be fetched, for the hub is gone: it is when the hub
 * is back, and not before that. */
function Unfetched() {
  const t = useText();
  const { store } = useApp();
  useChanges('connection');
  const now = store.connection.state;
  const was = useRef(now);
  useEffect(() => {
    if (was.current !== 'live' && now === 'live') location.reload();
    was.current = now;
  }, [now]);
  return <Trouble title={t.error.screen} say={t.error.lost}><button type="button" className="btn" onClick={() => location.reload()}>{t.error.reload}</button></Trouble>;
}

const isOfFetching = (e: Error) => /dynamically imported module|module script failed|error loading|unable to preload/i.test(e.message);

/** A screen that fails takes no other with it. */
class Guard extends Component<{ children: ReactNode; title: string; reload: string; at: string }, { error: Error | null; at: string }> {
  override state = { error: null as Error | null, at: this.props.at };
  static getDerivedStateFromError(error: Error) { return { error }; }
  static getDerivedStateFromProps(props: { at: string }, state: { at: string }) {
    return props.at === state.at ? null : { error: null, at: props.at };
  }
  override render() {
    if (!this.state.error) return this.props.children;
    if (isOfFetching(this.state.error)) return <Unfetched />;
    return <Trouble title={this.props.title} say={this.state.error.message}><button type="button" className="btn" onClick={() => location.reload()}>{this.props.reload}</button></Trouble>;
  }
}

function useTheme(): () => void {
  const [theme, setTheme] = useState(() => kept('theme') ?? 'dark');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    keep('theme', theme);
    document.dispatchEvent(new Event('app:theme'));
  }, [theme]);
  const toggle = useCallback(() => setTheme(was => was === 'light' ? 'dark' : 'light'), []);
  useEffect(() => {
    document.addEventListener('app:toggle-theme', toggle);
    return () => document.removeEventListener('app:toggle-theme', toggle);
  }, [toggle]);
  return toggle;
}

function Keys({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <Dialog onClose={onClose} label={t.keys.title}>
      <h2>{t.keys.title}</h2>
      <dl className="key-list">{t.keys.list.map(([key, what]) => <div key={key}><dt>{key!.split('  ').map(k => <kbd className="kbd" key={k}>{k}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
      <div className="row-end"><button type="button" className="btn" autoFocus onClick={onClose}>{t.frame.close}</button></div>
    </Dialog>
  );
}

function Frame({ travel, screens }: { travel: Travel; screens: HubScreens }) {
  const { store } = useApp();
  const t = useText();
  const { path, query } = useRoute();
  const [hasKeys, setKeys] = useState(false);
  const [isStill, setStill] = useState(() => kept('still') === '1');
  const toggleTheme = useTheme();
  useChanges('connection');
  useChanges('*');
  useKeys(travel, () => setKeys(true));
  const { name, view } = choose(path, screens);
  const said = query.get('at');
  const at = said !== null && Number.isFinite(Number(said)) ? said : null;
  useEffect(() => {
    // Also when one goes back, or changes the address by hand.
    if (at !== null && store.hasPicture && (store.past === null || Math.abs(store.past - Number(at)) >= 1)) void travel.goTo(Number(at));
  }, [at, store.hasPicture]);
  useEffect(() => { document.title = `${name ? screenName(t, name, store) : ''} · Kuromajutsu`; }, [name, t]);
  useEffect(() => {
    const flip = () => setStill(was => !was);
    document.documentElement.classList.toggle('still', isStill);
    keep('still', isStill ? '1' : '0');
    document.addEventListener('app:toggle-still', flip);
    return () => document.removeEventListener('app:toggle-still', flip);
  }, [isStill]);
  return (
    <div className={frameClass(store.connection, store.past)}>
      <a className="skip" href="#main" onClick={e => { e.preventDefault(); document.getElementById('main')?.focus(); }}>{t.frame.skip}</a>
      <Rail at={name} has={screens} />
      <Top onKeys={() => setKeys(true)} onTheme={toggleTheme} isStill={isStill} onStill={() => setStill(!isStill)} />
      <main className="main" id="main" tabIndex={-1}>
        <Guard title={t.error.screen} reload={t.error.reload} at={path}>
          <Suspense fallback={<div className="page pad"><Ghost /></div>}>
            {store.hasPicture ? view : <div className="page pad"><Ghost cards={8} /></div>}
          </Suspense>
        </Guard>
      </main>
      <Player travel={travel} />
      {hasKeys && <Keys onClose={() => setKeys(false)} />}
    </div>
  );
}

export function Page({ store, feed, notes = null, travel, screens }: { store: Store; feed: Wire; notes?: Notes | null; travel: Travel; screens: HubScreens }) {
  const [chosen, setChosen] = useState(chosenLanguage);
  const [hubs, setHubs] = useState(store.live.language);
  useEffect(() => store.subscribe('*', () => setHubs(store.live.language)), [store]);
  const language: Language = chosen ?? hubs ?? browserLanguage();
  answerIn(language); // before a screen asks
  useEffect(() => { document.documentElement.lang = language; }, [language]);
  const app: App = useMemo(() => ({
    store, feed, notes, language, text: textOf(language), setLanguage: l => { chooseLanguage(l); setChosen(l); },
  }), [store, feed, notes, language]);
  return <AppContext.Provider value={app}><Questions><Frame travel={travel} screens={screens} /></Questions></AppContext.Provider>;
}

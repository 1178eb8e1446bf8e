// The page: which screen stands in the frame, language, theme, keys.

import { Component, lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Feed } from './feed/feed';
import type { Language } from './feed/types';
import type { Store } from './model/store';
import { AppContext, useApp, useChanges, useText, type App } from './parts/app';
import { Ghost, Link, Trouble } from './parts/basic';
import { Dialog, Questions } from './parts/dialog';
import { frameClass, Rail, Top, type ScreenName } from './parts/frame';
import { useKeys } from './parts/keys';
import { Player } from './parts/player';
import { useRoute } from './parts/route';
import type { Travel } from './parts/travel';
import { Live } from './screens/live/live';
import { browserLanguage, chooseLanguage, chosenLanguage, textOf } from './text/text';

const AgentPage = lazy(() => import('./screens/agent/page'));
const Timeline = lazy(() => import('./screens/timeline/timeline'));
const HistoryScreen = lazy(() => import('./screens/history/history'));
const Roles = lazy(() => import('./screens/roles/roles'));
const Health = lazy(() => import('./screens/health/health'));
const System = lazy(() => import('./screens/system/system'));

function choose(path: string): { name: ScreenName | null; view: ReactNode } {
  const [, first = '', second = ''] = path.split('/');
  const id = decodeURIComponent(second);
  if (first === '') return { name: 'live', view: <Live /> };
  if (first === 'groups') return { name: 'live', view: <Live only={id} /> };
  if (first === 'agents') return { name: 'live', view: <AgentPage id={id} /> };
  if (first === 'timeline') return { name: 'timeline', view: <Timeline /> };
  if (first === 'history') return { name: 'history', view: <HistoryScreen /> };
  if (first === 'roles') return { name: 'roles', view: <Roles id={id} /> };
  if (first === 'health') return { name: 'health', view: <Health /> };
  if (first === 'system') return { name: 'system', view: <System /> };
  return { name: null, view: <NotFound /> };
}

function NotFound() {
  const t = useText();
  return <Trouble title={t.frame.notFound} say={location.pathname}><Link className="btn" href="/">{t.frame.home}</Link></Trouble>;
}

/** A screen that fails takes no other with it. */
class Guard extends Component<{ children: ReactNode; title: string; reload: string; at: string }, { error: Error | null; at: string }> {
  override state = { error: null as Error | null, at: this.props.at };
  static getDerivedStateFromError(error: Error) { return { error }; }
  static getDerivedStateFromProps(props: { at: string }, state: { at: string }) {
    return props.at === state.at ? null : { error: null, at: props.at };
  }
  override render() {
    if (!this.state.error) return this.props.children;
    return <Trouble title={this.props.title} say={this.state.error.message}><button type="button" className="btn" onClick={() => location.reload()}>{this.props.reload}</button></Trouble>;
  }
}

function useTheme(): () => void {
  const [theme, setTheme] = useState(() => localStorage.getItem('theme') ?? 'dark');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem('theme', theme);
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

function Frame({ travel }: { travel: Travel }) {
  const { store } = useApp();
  const t = useText();
  const { path, query } = useRoute();
  const [hasKeys, setKeys] = useState(false);
  const [isStill, setStill] = useState(() => localStorage.getItem('still') === '1');
  const toggleTheme = useTheme();
  useChanges('connection');
  useChanges('*');
  useKeys(travel, () => setKeys(true));
  const { name, view } = choose(path);
  const at = query.get('at');
  useEffect(() => {
    if (at !== null && store.hasPicture && store.past === null) void travel.goTo(Number(at));
  }, [at, store.hasPicture]);
  useEffect(() => { document.title = `${name ? t.screens[name] : ''} · Kuromajutsu`; }, [name, t]);
  useEffect(() => {
    document.documentElement.classList.toggle('still', isStill);
    localStorage.setItem('still', isStill ? '1' : '0');
  }, [isStill]);
  return (
    <div className={frameClass(store.connection, store.past)}>
      <a className="skip" href="#main">{t.frame.skip}</a>
      <Rail at={name} />
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

export function Page({ store, feed, travel }: { store: Store; feed: Feed; travel: Travel }) {
  const [chosen, setChosen] = useState(chosenLanguage);
  const [hubs, setHubs] = useState(store.live.language);
  useEffect(() => store.subscribe('*', () => setHubs(store.live.language)), [store]);
  const language: Language = chosen ?? hubs ?? browserLanguage();
  useEffect(() => { document.documentElement.lang = language; }, [language]);
  const app: App = useMemo(() => ({
    store, feed, language, text: textOf(language), setLanguage: l => { chooseLanguage(l); setChosen(l); },
  }), [store, feed, language]);
  return <AppContext.Provider value={app}><Questions><Frame travel={travel} /></Questions></AppContext.Provider>;
}

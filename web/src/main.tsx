import { lazy, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ask } from './feed/ask';
import { Feed } from './feed/feed';
import type { StatusSaid } from './feed/types';
import { HubPast } from './model/past';
import { Store } from './model/store';
import { Page, type HubScreens } from './page';
import { Notes } from './parts/notes';
import { Travel } from './parts/travel';
import './style/tokens.css';
import './style/parts.css';
import './style/page.css';

// All but Live are loaded when they are first opened.
const SCREENS: HubScreens = {
  history: lazy(() => import('./screens/history/history')),
  mail: lazy(() => import('./screens/mail/mail')),
  projects: lazy(() => import('./screens/projects/projects')),
  phases: lazy(() => import('./screens/phases/phases')),
  roles: lazy(() => import('./screens/roles/roles')),
  health: lazy(() => import('./screens/health/health')),
  system: lazy(() => import('./screens/system/system')),
};
const STATUS_MS = 10_000;

const store = new Store();
const feed = new Feed(store, `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`);
const travel = new Travel(store, new HubPast());
const notes = new Notes(feed);

const askStatus = () => {
  if (!document.hidden) ask<StatusSaid>('status').then(s => store.setStatus(s), () => undefined);
};

feed.open();
askStatus();
setInterval(askStatus, STATUS_MS);
document.addEventListener('visibilitychange', () => { if (!document.hidden) { askStatus(); feed.retry(); } });
store.subscribe('config', askStatus);

createRoot(document.getElementById('root')!).render(<StrictMode><Page store={store} feed={feed} notes={notes} travel={travel} screens={SCREENS} /></StrictMode>);

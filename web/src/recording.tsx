// The same page out of a file, which `kuromajutsu export --html` has written:
// what it shows stands in the file itself, and no hub is asked.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { answerBy } from './feed/ask';
import { answererOf, endOf, messagesOf, progressOf, readRecording, RecordingWire } from './feed/recording';
import { ReelPast } from './model/past';
import { Store } from './model/store';
import { Page } from './page';
import { standInHash } from './parts/route';
import { Travel } from './parts/travel';
import { browserLanguage, textOf } from './text/text';
import './style/tokens.css';
import './style/parts.css';
import './style/page.css';

const root = document.getElementById('root')!;

function show(text: string): void {
  const recording = readRecording(text);
  const store = new Store();
  standInHash();
  answerBy(answererOf(recording));
  store.setRecording(messagesOf(recording), endOf(recording));
  createRoot(root).render(<StrictMode><Page store={store} feed={new RecordingWire()} travel={new Travel(store, new ReelPast(() => store.live, progressOf(recording)))} screens={{}} /></StrictMode>);
}

try {
  show(document.getElementById('recording')!.textContent);
} catch (e) {
  root.textContent = `${textOf(browserLanguage()).recording.unreadable} ${e instanceof Error ? e.message : ''}`;
}

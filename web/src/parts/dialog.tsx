// Native dialogs: focus, Escape and the backdrop are the browser's work.

import { createContext, useCallback, useContext, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { CommandError } from '../feed/feed';
import { useText } from './app';
import { Icon } from './basic';

export function Dialog({ onClose, label, className, children }: { onClose: () => void; label: string; className?: string; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null);
  // Closed while it is still there: only then does the focus go back.
  useLayoutEffect(() => {
    const d = ref.current;
    if (d && !d.open) d.showModal();
    return () => d?.close();
  }, []);
  return (
    <dialog ref={ref} className={className ?? 'box'} aria-label={label} onCancel={e => { e.preventDefault(); onClose(); }}
      onMouseDown={e => { if (e.target === ref.current) onClose(); }}>
      {children}
    </dialog>
  );
}

export interface Question { title: string; say: string; yes: string; act: () => Promise<unknown> }

const AskContext = createContext<(q: Question) => void>(() => undefined);
/** Asks before something is done that cannot be undone. */
export const useQuestion = () => useContext(AskContext);

export function Questions({ children }: { children: ReactNode }) {
  const t = useText();
  const [question, setQuestion] = useState<Question | null>(null);
  const [error, setError] = useState('');
  const close = useCallback(() => { setQuestion(null); setError(''); }, []);
  const act = (q: Question) => q.act().then(close, (e: unknown) => setError(sayError(e, t.error.lost)));
  return (
    <AskContext.Provider value={setQuestion}>
      {children}
      {question && (
        <Dialog onClose={close} label={question.title}>
          <h2>{question.title}</h2>
          <p>{question.say}</p>
          {error && <p className="bad-words" role="alert"><Icon name="warn" small /> {error}</p>}
          <div className="row-end">
            <button type="button" className="btn" autoFocus onClick={close}>{t.live.keep}</button>
            <button type="button" className="btn primary" onClick={() => void act(question)}>{question.yes}</button>
          </div>
        </Dialog>
      )}
    </AskContext.Provider>
  );
}

export function sayError(e: unknown, lost: string): string {
  if (e instanceof CommandError) return e.code === 'CONNECTION_LOST' ? lost : [e.message, e.remedy].filter(Boolean).join(' ');
  return e instanceof Error ? e.message : String(e);
}

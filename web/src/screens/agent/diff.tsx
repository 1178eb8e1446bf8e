import { memo, useState } from 'react';
import { readDiff } from '../../model/story';
import { useText } from '../../parts/app';

const LONG = 400;

/** A diff as a diff; of a very long one the beginning, until one asks. */
export const Diff = memo(function Diff({ diff, label, isNew }: { diff: string; label: string; isNew?: boolean }) {
  const t = useText();
  const [isWhole, setWhole] = useState(false);
  // Some CLIs have a new file begin as one empty line.
  const lines = readDiff(diff).filter(l => !(isNew && l.kind === '-' && l.text === ''));
  const shown = isWhole ? lines : lines.slice(0, LONG);
  return (
    <div className="diff" role="group" aria-label={label} tabIndex={0}>
      {shown.map((l, i) => l.kind === '@'
        ? <div key={i} className="hunk"><span>{l.text}</span></div>
        : <div key={i} className={l.kind === '+' ? 'a' : l.kind === '-' ? 'd' : ''}><span>{l.old ?? ''}</span><span>{l.new ?? ''}</span><span>{l.kind === '-' ? '−' : l.kind}</span><span>{l.text}</span></div>)}
      {shown.length < lines.length && <button type="button" className="btn quiet" onClick={() => setWhole(true)}>{t.agent.lines(lines.length)}</button>}
    </div>
  );
});

export function PlusMinus({ added, removed }: { added: number | null | undefined; removed: number | null | undefined }) {
  if (!added && !removed) return null;
  return <span className="pm">{added ? <span className="plus">+{added}</span> : null} {removed ? <span className="minus">−{removed}</span> : null}</span>;
}

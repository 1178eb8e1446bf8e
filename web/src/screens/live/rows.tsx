import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { kindOf } from '../../model/kind';
import { wentBadly, type Agent, type World } from '../../model/world';
import { useAgent, useApp, useText } from '../../parts/app';
import { Elapsed, Icon, Id, Middle, roleIcon, State } from '../../parts/basic';
import { useKept } from '../../parts/near';
import { dollars, tokens } from '../../text/format';
import { inside } from '../agent/place';
import { aboutOf, AgentLink, fromOf, shownState, titleOf, toOf, wordsOf } from './card';

const FEW = 13;
const ROW = 28;

const rank = (a: Agent) => wentBadly(a) ? 0 : a.stalled ? 1 : a.status === 'running' ? 2 : a.status === 'queued' ? 3 : 4;

/** Failed first, then running, then the rest as they were made. */
export function ranked(w: World, ids: readonly string[]): string[] {
  return ids.map(id => w.agents.get(id)).filter((a): a is Agent => a !== undefined)
    .map((a, i) => ({ a, i })).sort((x, y) => rank(x.a) - rank(y.a) || x.i - y.i).map(({ a }) => a.id);
}

function Num({ value, say }: { value: number; say: (n: number) => string }) {
  return <span className={value ? 'num' : 'num zero'}>{value ? say(value) : '–'}</span>;
}

export const Row = memo(function Row({ id }: { id: string }) {
  const t = useText();
  const a = useAgent(id);
  if (!a) return null;
  const kind = a.tool ? kindOf(a.tool) : undefined;
  return (
    <AgentLink id={id} className="row" data-agent={id}>
      <span><State state={shownState(a)} /></span>
      <span className="who"><Icon name={roleIcon(a.role)} small /><Id id={a.id} /></span>
      <span className={a.status === 'queued' ? 'cut q' : 'cut'} dir="auto">{aboutOf(a)}</span>
      {a.conflicts[0] ? <span className="last clash"><i className="g" data-s="timedOut" aria-hidden="true" /><span className="cut"><span className="mono">{inside(a.conflicts[0].path, a.place)}</span> {t.live.alsoBy} <Id id={a.conflicts[0].agentId} /></span></span>
        : <span className="last" data-k={kind} title={kind && `${a.tool} ${titleOf(a)}`.trim()}>{kind && <Icon name={kind} small />}{wordsOf(a) || !kind ? <span className="cut" dir="auto">{wordsOf(a)}</span> : <Middle text={titleOf(a) || a.tool} />}</span>}
      <span className="num"><Elapsed from={fromOf(a)} to={toOf(a)} /></span>
      <Num value={a.tools} say={String} /><Num value={a.files} say={String} /><Num value={a.tokens} say={tokens} /><Num value={a.cost ?? 0} say={dollars} />
    </AgentLink>
  );
});

function Virtual({ ids }: { ids: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const main = () => document.getElementById('main');
  useLayoutEffect(() => {
    const m = main();
    if (m && box.current) setMargin(box.current.getBoundingClientRect().top - m.getBoundingClientRect().top + m.scrollTop);
  }, []);
  const v = useVirtualizer({ count: ids.length, getScrollElement: main, estimateSize: () => window.innerWidth <= 560 ? 48 : ROW, overscan: 12, scrollMargin: margin });
  return (
    <div className="virtual" ref={box} style={{ height: v.getTotalSize() }}>
      {v.getVirtualItems().map(item => (
        <div key={ids[item.index]} className="slot" style={{ transform: `translateY(${item.start - margin}px)` }}><Row id={ids[item.index]!} /></div>
      ))}
    </div>
  );
}

export function Rows({ ids, name, all }: { ids: readonly string[]; name: string; all?: boolean }) {
  const t = useText();
  const { store } = useApp();
  const [isLong, setLong] = useKept(`rows:${name}`, false);
  const list = ranked(store.shown, ids);
  const few = all || list.length <= FEW + 3;
  return (
    <div className="rows">
      <div className="head" aria-hidden="true">{t.live.columns.map((c, i) => <span key={c} className={i > 3 ? 'num' : ''}>{c}</span>)}</div>
      {isLong ? <Virtual ids={list} /> : (few ? list : list.slice(0, FEW)).map(id => <Row key={id} id={id} />)}
      {!few && (
        <button type="button" className="more" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
          <Icon name={isLong ? 'right' : 'down'} small /> {isLong ? t.live.fewer : t.live.moreRows(list.length - FEW)}
        </button>
      )}
    </div>
  );
}

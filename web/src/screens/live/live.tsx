import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { agentsOf, treeOf, type Tree } from '../../model/sum';
import { agentsInNeed, verdictOf } from '../../model/verdict';
import { isEnded, wentBadly, type Agent } from '../../model/world';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { Icon, Segments } from '../../parts/basic';
import { keep, kept } from '../../parts/keep';
import { go, useRoute, withQuery } from '../../parts/route';
import { First } from './first';
import { CROWD, GroupSection, type Density } from './group';
import { NeedsList, VerdictStrip } from './verdict';
import './live.css';

const Drawer = lazy(() => import('../agent/drawer'));

const FILTERS: Record<string, (a: Agent) => boolean> = {
  running: a => a.status === 'running',
  queued: a => a.status === 'queued',
  done: a => (a.status === 'completed' || a.status === 'resultReported') && !wentBadly(a),
  failed: wentBadly,
  cancelled: a => a.status === 'cancelled',
  ended: a => isEnded(a.status),
};

function Chip({ name, at, label, count, isNeed }: { name: string; at: string; label: string; count: number; isNeed?: boolean }) {
  const isOn = name === at;
  return (
    <button type="button" className={isNeed ? 'chip need-me' : 'chip'} aria-pressed={isOn} onClick={() => go(withQuery({ filter: isOn || name === 'all' ? null : name }), 'replace')}>
      {isNeed && <i className="g" data-s="timedOut" aria-hidden="true" />}{label} <b>{count}</b>
    </button>
  );
}

function useDensity(total: number): [Density, (d: Density) => void] {
  const [chosen, setChosen] = useState(() => kept('density') as Density | null);
  const choose = (d: Density) => { keep('density', d); setChosen(d); };
  return [chosen ?? (total >= CROWD ? 'rows' : 'cards'), choose];
}

/** So many groups are drawn before it is known which ones are in view. */
const FIRST = 2;

const hasAny = (tree: Tree, shows: (id: string) => boolean) => {
  for (const id of agentsOf(tree)) if (shows(id)) return true;
  return false;
};

export function Live({ only }: { only?: string }) {
  const t = useText();
  const { store } = useApp();
  const { query } = useRoute();
  const version = useManyChanges(['groups', 'agents', 'roles', 'status']);
  const w = store.shown;
  const v = useMemo(() => verdictOf(w, store.past === null ? store.status : null), [version, w]);
  const filter = query.get('filter') ?? 'all';
  const isOldest = query.get('sort') === 'oldest';
  const [density, setDensity] = useDensity(v.sum.count);
  const inNeed = useMemo(() => agentsInNeed(v.needs), [v]);
  const shows = useMemo(() => {
    const test = FILTERS[filter];
    if (filter === 'needs') return (id: string) => inNeed.has(id);
    return test ? (id: string) => { const a = w.agents.get(id); return a !== undefined && test(a); } : () => true;
  }, [filter, inNeed, w, version]);
  const tops = useMemo(() => {
    const all = treeOf(w);
    const flat = (trees: Tree[]): Tree[] => trees.flatMap(x => [x, ...flat(x.children)]);
    const chosen = only ? flat(all).filter(x => x.group.id === only) : isOldest ? [...all].reverse() : all;
    return filter === 'all' ? chosen : chosen.filter(x => hasAny(x, shows));
  }, [w, version, only, isOldest, filter, shows]);
  useEffect(() => { document.getElementById('main')?.scrollTo(0, 0); }, [only]);
  const agent = query.get('agent');
  const isWhole = filter === 'all';
  const s = v.sum;
  const chosen: [string, number] | undefined = ({
    ended: [t.live.ended, s.ended], done: [t.live.done, s.ended - s.bad - s.by.cancelled], failed: [t.live.bad, s.bad], cancelled: [t.status.cancelled, s.by.cancelled],
  } as Record<string, [string, number]>)[filter];
  return (
    <div className="page">
      {v.sum.count === 0 && v.needs.length === 0 && tops.length === 0 ? <First /> : (
        <>
          <VerdictStrip v={v} />
          <div className="bench">
            <Chip name="all" at={filter} label={t.live.all} count={v.sum.count} />
            <Chip name="running" at={filter} label={t.status.running} count={v.sum.by.running} />
            <span className="hide-p"><Chip name="queued" at={filter} label={t.status.queued} count={v.sum.by.queued} /></span>
            <span className="need-slot"><Chip name="needs" at={filter} label={t.live.needsMe} count={v.needs.length} isNeed /></span>
            {chosen && <Chip name={filter} at={filter} label={chosen[0]} count={chosen[1]} />}
            <span className="grow" />
            <span className="dim hide-s">{t.live.groups(tops.length)}</span>
            <button type="button" className="btn quiet hide-s" onClick={() => go(withQuery({ sort: isOldest ? null : 'oldest' }), 'replace')}>{isOldest ? t.live.oldest : t.live.newest} <Icon name="down" small /></button>
            <Segments value={density} label={`${t.live.cards} / ${t.live.rows}`} onChange={setDensity}
              options={[{ value: 'cards', label: <><Icon name="cards" small />{t.live.cards}</> }, { value: 'rows', label: <><Icon name="rows" small />{t.live.rows}</> }]} />
          </div>
          {filter === 'needs' && <NeedsList needs={v.needs} />}
          {tops.map((tree, i) => <GroupSection key={tree.group.id} tree={tree} density={density} shows={shows} isWhole={isWhole} isCrowd={v.sum.count >= CROWD} isFirst={i < FIRST} />)}
          {tops.length === 0 && (filter !== 'needs' || v.needs.length === 0) && <div className="nothing"><p>{t.live.nothingFits}</p><button type="button" className="btn" onClick={() => go('/')}>{t.live.showAll}</button></div>}
        </>
      )}
      {agent && <Suspense fallback={null}><Drawer id={agent} onClose={() => go(withQuery({ agent: null }))} /></Suspense>}
    </div>
  );
}

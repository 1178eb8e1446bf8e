import { memo, useState } from 'react';
import { agentsOf, sumOf, type Tree } from '../../model/sum';
import { isEnded, isUnsorted } from '../../model/world';
import { useApp, useGroup, useManyChanges, useText } from '../../parts/app';
import { Bar, CopyButton, Elapsed, Glyph, Icon, Id, Link, type Shown } from '../../parts/basic';
import { useQuestion } from '../../parts/dialog';
import { useNear } from '../../parts/near';
import { dollars, tokens } from '../../text/format';
import { AgentLink, Card, shownState } from './card';
import { Magentic } from './magentic';
import { Pipe } from './pipe';
import { Rows } from './rows';

export type Density = 'cards' | 'rows';
/** From here on a group is rows, and cells above them. */
const MANY = 60;
/** From so many agents on the page all groups are rows unless one chooses. */
export const CROWD = 200;
/** Each cell that breathes is a layer of its own to the browser: of a thousand
 * it draws less than a frame a second. */
const BREATHING = 100;

const MODE_ICONS = { concurrent: 'conc', sequential: 'seq', magentic: 'mag' } as const;
const keysOf = (tree: Tree): string[] => [`group:${tree.group.id}`, ...tree.children.flatMap(keysOf)];

export function Facts({ tree }: { tree: Tree }) {
  const t = useText();
  const { store } = useApp();
  useManyChanges(keysOf(tree));
  const group = store.shown.groups.get(tree.group.id) ?? tree.group;
  const s = sumOf(store.shown, agentsOf({ ...tree, group }));
  const isOver = s.count > 0 && s.ended === s.count;
  return (
    <div className="facts">
      <Bar sum={s} />
      <span><b>{s.ended}</b> <em>{t.live.of} {s.count}</em></span>
      <span><Elapsed from={s.from ?? group.createdAt} to={isOver ? s.to : null} /></span>
      <span className="tokens">{s.tokens > 0 && <>{tokens(s.tokens)} <em>{t.live.tokens}</em></>}</span>
      <span>{s.hasCost ? dollars(s.cost) : ''}</span>
    </div>
  );
}

function Menu({ tree, isOver }: { tree: Tree; isOver: boolean }) {
  const t = useText();
  const { feed, store } = useApp();
  const ask = useQuestion();
  const id = `menu-${tree.group.id}`;
  return (
    <>
      <button type="button" className="btn quiet icon" aria-label={t.frame.more} popoverTarget={id} style={{ anchorName: `--${id}` } as React.CSSProperties}><Icon name="more" /></button>
      <div popover="auto" id={id} className="menu-pop" style={{ positionAnchor: `--${id}` } as React.CSSProperties}>
        <Link href={`/timeline?group=${tree.group.id}`}><Icon name="lane" small />{t.live.onTimeline}</Link>
        <span className="copy-line"><CopyButton text={tree.group.id} label={t.live.copyId} /><Id id={tree.group.id} /></span>
        {store.endsAt === null && <button type="button" disabled={!isOver} onClick={() => ask({ title: t.live.removeAsk, say: t.live.removeSay, yes: t.live.remove, act: () => feed.command('group:delete', { groupId: tree.group.id }) })}><Icon name="trash" small />{t.live.remove}</button>}
      </div>
    </>
  );
}

function Acts({ tree, density, onDensity }: { tree: Tree; density: Density | null; onDensity: () => void }) {
  const t = useText();
  const { feed, store } = useApp();
  const ask = useQuestion();
  useManyChanges(keysOf(tree));
  const s = sumOf(store.shown, agentsOf(tree));
  const left = s.count - s.ended;
  const cancel = () => ask({ title: t.live.cancelAsk(left), say: t.live.cancelSay, yes: t.live.cancel, act: () => feed.command('group:cancel', { groupId: tree.group.id }) });
  return (
    <div className="acts">
      {density && <button type="button" className="btn quiet icon wide" title={`${t.live.cards} / ${t.live.rows}`} aria-label={`${t.live.cards} / ${t.live.rows}`} onClick={onDensity}><Icon name={density === 'cards' ? 'rows' : 'cards'} /></button>}
      {left > 0 && store.past === null && store.endsAt === null && <button type="button" className="btn quiet wide" data-act="cancel" onClick={cancel}><Icon name="stop" small />{t.live.cancel}</button>}
      <Menu tree={tree} isOver={left === 0 && store.past === null} />
    </div>
  );
}

const Cell = memo(function Cell({ id, state }: { id: string; state: Shown }) {
  const t = useText();
  return <AgentLink id={id} data-s={state} data-stop={undefined} title={`${id} · ${t.status[state]}`} aria-label={`${id} ${t.status[state]}`} />;
});

function Cells({ ids }: { ids: readonly string[] }) {
  const t = useText();
  const { store } = useApp();
  const w = store.shown;
  const s = sumOf(w, ids);
  const legend = (['failed', 'timedOut', 'running', 'queued', 'completed', 'resultReported', 'cancelled'] as const).filter(k => s.by[k] > 0);
  return (
    <>
      <div className={ids.length > BREATHING ? 'cells crowd' : 'cells'} role="group" aria-label={t.live.cells(ids.length)}>
        {ids.map(id => {
          const a = w.agents.get(id);
          return a && <Cell key={id} id={id} state={shownState(a)} />;
        })}
      </div>
      <div className="legend">{legend.map(k => <span key={k} className="st" data-s={k}><Glyph state={k} /><b>{s.by[k]}</b> {t.status[k]}</span>)}</div>
    </>
  );
}

function Body({ tree, density, shows, isWhole }: { tree: Tree; density: Density; shows: (id: string) => boolean; isWhole: boolean }) {
  const t = useText();
  const group = useGroup(tree.group.id) ?? tree.group;
  useManyChanges([`states:${group.id}`]);
  const ids = group.agents.filter(shows);
  if (group.mode === 'magentic') return <Magentic tree={{ ...tree, group }} shows={shows} />;
  if (ids.length === 0) return <p className="dim none">{t.live.noAgents}</p>;
  if (group.mode === 'sequential' && isWhole && ids.length <= MANY) return <Pipe group={group} />;
  if (ids.length > MANY) return <><Cells ids={ids} /><Rows ids={ids} name={group.id} /></>;
  if (density === 'rows') return <Rows ids={ids} name={group.id} />;
  return <div className="cards">{ids.map(id => <Card key={id} id={id} />)}</div>;
}

/** About as high as it will be: it is not drawn yet. */
function heightOf(tree: Tree, density: Density): number {
  const count = tree.group.agents.length;
  const body = density === 'rows' || count > MANY ? 24 + 28 * Math.min(count, 14) : 130 * Math.ceil(count / 4);
  return 66 + body;
}

type SectionProps = { tree: Tree; density: Density; shows: (id: string) => boolean; isWhole: boolean };

function Inside({ tree, density, shows, isWhole, own, setOwn, isFolded, setFolded }: SectionProps & {
  own: Density | null; setOwn: (d: Density) => void; isFolded: boolean; setFolded: (is: boolean) => void;
}) {
  const t = useText();
  const group = useGroup(tree.group.id) ?? tree.group;
  const mine = own ?? density;
  const hasChoice = group.mode === 'concurrent' && group.agents.length <= MANY;
  return (
    <>
      <header>
        <button type="button" className="fold" aria-expanded={!isFolded} aria-label={isFolded ? t.live.unfold : t.live.fold} onClick={() => setFolded(!isFolded)}><Icon name={isFolded ? 'right' : 'down'} small /></button>
        <span className="mode" title={t.mode[group.mode]}><Icon name={MODE_ICONS[group.mode]} /><span>{t.mode[group.mode]}</span></span>
        <h2 className="cut" dir="auto" title={group.description}>{group.description || (isUnsorted(group) ? t.live.unsorted : group.id)}</h2><span className="gid"><Id id={group.id} /></span><span className="grow" />
        <Facts tree={tree} />
        <Acts tree={tree} density={hasChoice ? mine : null} onDensity={() => setOwn(mine === 'cards' ? 'rows' : 'cards')} />
      </header>
      {!isFolded && <Body tree={tree} density={mine} shows={shows} isWhole={isWhole} />}
    </>
  );
}

/** In a crowd a group that is far from the window is its title, no more. */
export function GroupSection({ isCrowd, isFirst, ...props }: SectionProps & { isCrowd: boolean; isFirst: boolean }) {
  const { tree, density } = props;
  const { store } = useApp();
  const group = useGroup(tree.group.id) ?? tree.group;
  const [own, setOwn] = useState<Density | null>(null);
  const [isFolded, setFolded] = useState(false);
  const { box, isNear, height } = useNear<HTMLElement>(isCrowd, isFirst);
  const isFinished = [...agentsOf(tree)].every(id => isEnded(store.shown.agents.get(id)?.status ?? 'completed'));
  const style = isNear ? undefined : { height: height ?? heightOf(tree, own ?? density) };
  return (
    <section ref={box} className={isFinished ? 'group over' : 'group'} id={`group-${group.id}`} data-group={group.id} aria-label={group.description || group.id} style={style}>
      {isNear ? <Inside {...props} own={own} setOwn={setOwn} isFolded={isFolded} setFolded={setFolded} /> : <h2 className="cut" dir="auto">{group.description || group.id}</h2>}
    </section>
  );
}

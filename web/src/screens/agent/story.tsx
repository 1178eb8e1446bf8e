// Messages and tool calls in their order.

import { memo, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { StoryEntry, StoryFile, StoryTool } from '../../feed/types';
import { filesByCall } from '../../model/story';
import { moment } from '../../model/world';
import { useApp, useText } from '../../parts/app';
import { Ghost, Glyph, Icon, State } from '../../parts/basic';
import type { IconName } from '../../parts/paths';
import { brief, bytes, clock, duration } from '../../text/format';
import { Diff, PlusMinus } from './diff';
import { Inline } from './prose';
import { inside } from './place';
import type { Telling } from './use-story';

const KINDS = new Set(['read', 'search', 'edit', 'shell', 'web', 'mcp']);
const iconOf = (kind: string): IconName => KINDS.has(kind) ? kind as IconName : kind === 'agent' ? 'orchestrator' : 'other';
const SHORT_LINES = 14;

function Clipped({ text }: { text: string }) {
  const t = useText();
  const [isWhole, setWhole] = useState(false);
  const lines = text.replace(/\n$/, '').split('\n');
  const hidden = isWhole ? 0 : Math.max(0, lines.length - SHORT_LINES);
  return (
    <pre className="term" tabIndex={0}>
      {hidden > 0 && <button type="button" className="dimline" onClick={() => setWhole(true)}>{t.agent.linesBefore(hidden)}{'\n'}</button>}
      {lines.slice(hidden).join('\n')}
    </pre>
  );
}

function Took({ tool, longest }: { tool: StoryTool; longest: number }) {
  if (tool.duration_ms === null || tool.duration_ms === undefined) return <span className="took" />;
  return <span className="took">{brief(tool.duration_ms)}<i style={{ width: Math.max(3, Math.round(54 * tool.duration_ms / Math.max(1, longest))) }} /></span>;
}

function Outcome({ tool, isOpen, files }: { tool: StoryTool; isOpen: boolean; files: StoryFile[] }) {
  const t = useText();
  if (isOpen) return <span className="res">{t.agent.open}</span>;
  const isBad = tool.isError || (tool.exitCode !== null && tool.exitCode !== undefined && tool.exitCode !== 0);
  const lines = tool.result ? tool.result.replace(/\n$/, '').split('\n').length : 0;
  return (
    <span className="res">
      {files.map(f => <PlusMinus key={f.path} added={f.added} removed={f.removed} />)}
      {files.some(f => f.change === 'created') && t.agent.newFile}
      {isBad && <span className="st" data-s="failed"><Glyph state="failed" label />{tool.exitCode ? t.agent.exit(tool.exitCode) : tool.message || tool.status}</span>}
      {!isBad && files.length === 0 && lines > 1 && t.agent.lines(lines)}{(tool.resultBytes ?? 0) > 2048 && `, ${bytes(tool.resultBytes!)}`}
    </span>
  );
}

const pretty = (value: unknown) => typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** What was asked, where its title does not say all of it. */
function asked(tool: StoryTool, title: string): string {
  const said = tool.arguments;
  if (said === null || said === undefined) return '';
  const values = typeof said === 'object' ? Object.values(said) : [said];
  return values.length === 0 || (values.length === 1 && (values[0] === tool.title || values[0] === title)) ? '' : pretty(said);
}

function Inside({ tool, title }: { tool: StoryTool; title: string }) {
  const t = useText();
  const before = asked(tool, title);
  if (!before || !tool.result) return <Clipped text={tool.result || before || pretty(tool.arguments)} />;
  return <><p className="part">{t.agent.asked}</p><Clipped text={before} /><p className="part">{t.agent.answered}</p><Clipped text={tool.result} /></>;
}

function Call({ e, files, isOpenNow, onToggle, longest, place }: { e: StoryEntry; files: StoryFile[]; isOpenNow: boolean; onToggle: () => void; longest: number; place: string }) {
  const tool = e.tool!;
  const hasMore = Boolean(tool.result || tool.arguments || files.length > 0);
  const said = inside(tool.title || files.map(f => f.path).join(', '), place);
  const title = tool.name === said || tool.name.endsWith(`:${said}`) ? '' : said;
  return (
    <>
      <span className="n">{e.isOpen ? <Glyph state="running" label /> : <Icon name={iconOf(tool.kind)} />}</span>
      <div className="call">
        <button type="button" className="c1" data-stop="" aria-expanded={hasMore ? isOpenNow : undefined} onClick={onToggle}>
          <b>{tool.name}</b><span className="arg cut" dir="auto">{title}</span><Outcome tool={tool} isOpen={e.isOpen === true} files={files} />
          {hasMore && <span className="fold"><Icon name={isOpenNow ? 'down' : 'right'} small /></span>}
        </button>
        {isOpenNow && hasMore && (
          <div className="out">
            {files.length > 0 ? files.map(f => f.diff ? <Diff key={f.path} diff={f.diff} label={f.path} isNew={f.change === 'created'} /> : <p key={f.path} className="dim mono">{f.path}</p>) : <Inside tool={tool} title={said} />}
          </div>
        )}
      </div>
      {e.isOpen ? <span className="took running" /> : <Took tool={tool} longest={longest} />}
    </>
  );
}

function Said({ e }: { e: StoryEntry }) {
  return <><span className="n"><b /></span><div className="say" dir="auto"><Inline text={e.text ?? ''} />{e.isOpen && <span className="caret" aria-hidden="true" />}</div><span /></>;
}

function Aside({ icon, name, text, isOpenNow, onToggle, isBad }: { icon: IconName; name: string; text: string; isOpenNow: boolean; onToggle: () => void; isBad?: boolean }) {
  return (
    <>
      <span className="n"><Icon name={icon} /></span>
      <div className="call">
        <button type="button" className="c1" data-stop="" aria-expanded={text ? isOpenNow : undefined} onClick={onToggle}><span className={isBad ? 'bad-words' : 'mid'}>{name}</span>{!isOpenNow && <span className="res cut" dir="auto">{text.slice(0, 300)}</span>}{text && <span className="fold"><Icon name={isOpenNow ? 'down' : 'right'} small /></span>}</button>
        {isOpenNow && text && <div className="out"><div className="say thought" dir="auto">{text}</div></div>}
      </div>
      <span className="took" />
    </>
  );
}

const isFailed = (e: StoryEntry) => e.tool !== undefined && (e.tool.isError === true || Boolean(e.tool.exitCode));

const Entry = memo(function Entry({ e, from, files, isOpenNow, onToggle, longest, place }: { e: StoryEntry; from: number | null; files: StoryFile[]; isOpenNow: boolean; onToggle: (e: StoryEntry) => void; longest: number; place: string }) {
  const t = useText();
  const at = moment(e.at);
  const toggle = () => onToggle(e);
  let body: ReactNode;
  if (e.kind === 'tool') body = <Call e={e} files={files} isOpenNow={isOpenNow} onToggle={toggle} longest={longest} place={place} />;
  else if (e.kind === 'text') body = <Said e={e} />;
  else if (e.kind === 'thinking') body = <Aside icon="think" name={t.agent.thinking} text={e.text ?? ''} isOpenNow={isOpenNow} onToggle={toggle} />;
  else if (e.kind === 'retry') body = <Aside icon="hist" name={t.agent.retry(e.retry?.attempt ?? 0, e.retry?.maxAttempts ?? 0)} text={e.text ?? ''} isOpenNow={isOpenNow} onToggle={toggle} isBad />;
  else body = <Aside icon={e.ok === false || e.notice === 'error' ? 'warn' : 'more'} name={t.agent.notices[e.notice ?? ''] ?? e.notice ?? t.agent.notice} text={e.text || e.reason || ''} isOpenNow={isOpenNow} onToggle={toggle} isBad={e.ok === false || e.notice === 'error'} />;
  return <li className="e" data-k={e.tool?.kind} data-kind={e.kind}><time>{at !== null && from !== null ? duration(at - from) : ''}</time>{body}</li>;
});

/** Open unless folded: diffs and failures; folded unless opened: the rest. */
const opensByItself = (e: StoryEntry, files: StoryFile[]) => isFailed(e) || files.some(f => Boolean(f.diff));

/** Files stand under their call; those of no call are told as their own. */
function visible(entries: readonly StoryEntry[]): StoryEntry[] {
  const calls = new Set(entries.map(e => e.tool?.callId).filter(Boolean));
  return entries.filter(e => e.kind !== 'file' || !calls.has(e.file?.callId)).filter(e => !(e.kind === 'notice' && e.notice === 'started'));
}

function FileEntry({ e }: { e: StoryEntry }) {
  const t = useText();
  const f = e.file!;
  return <li className="e" data-k="edit"><time /><span className="n"><Icon name="edit" /></span><div className="call"><div className="c1"><b>{t.agent.change[f.change] ?? f.change}</b><span className="arg cut">{f.path}</span><PlusMinus added={f.added} removed={f.removed} /></div>{f.diff && <div className="out"><Diff diff={f.diff} label={f.path} isNew={f.change === 'created'} /></div>}</div><span className="took" /></li>;
}

export function StoryTab({ telling, untimed, from, isLive, isOver, place }: { telling: Telling; untimed: number; from: number | null; isLive: boolean; isOver: boolean; place: string }) {
  const t = useText();
  const { store } = useApp();
  const isRecording = store.endsAt !== null;
  const { story, isLoading, error } = telling;
  const [toggled, setToggled] = useState<Record<string, boolean>>({});
  const [isFollowing, setFollowing] = useState(true);
  const box = useRef<HTMLDivElement>(null);
  const byCall = useMemo(() => filesByCall(story.entries), [story]);
  const shown = useMemo(() => visible(story.entries), [story]);
  const longest = useMemo(() => shown.reduce((m, e) => Math.max(m, e.tool?.duration_ms ?? 0), 1), [shown]);
  useEffect(() => {
    const b = box.current;
    if (b && isFollowing) b.scrollTop = b.scrollHeight;
  }, [story, isFollowing]);
  const key = (e: StoryEntry) => `${e.offset}/${e.kind}/${e.tool?.callId ?? ''}`;
  const filesOf = (e: StoryEntry) => e.tool ? byCall.get(e.tool.callId) ?? [] : [];
  const isOpenNow = (e: StoryEntry) => toggled[key(e)] ?? opensByItself(e, filesOf(e));
  const toggle = (e: StoryEntry) => setToggled(was => ({ ...was, [key(e)]: !(was[key(e)] ?? opensByItself(e, filesOf(e))) }));
  const foldAll = (isOpen: (e: StoryEntry) => boolean) => setToggled(Object.fromEntries(shown.map(e => [key(e), isOpen(e)])));
  const onScroll = () => { const b = box.current; if (b) setFollowing(b.scrollHeight - b.scrollTop - b.clientHeight < 40); };
  const calls = shown.filter(e => e.kind === 'tool').length;
  return (
    <div className="story" ref={box} onScroll={onScroll} tabIndex={0} aria-label={t.agent.story}>
      {story.previous !== null && <button type="button" className="btn quiet earlier" onClick={telling.earlier}>{t.agent.earlier}</button>}
      {story.previous === null && story.isCut && <p className="dim pad">{t.recording.cut}</p>}
      {isLoading && shown.length === 0 && <Ghost cards={2} />}
      {error && shown.length === 0 && !isLoading && <p className="dim pad">{isRecording ? t.recording.none : error.message}</p>}
      {!isLoading && !error && shown.length === 0 && untimed === 0 && <p className="dim pad">{t.agent.empty}</p>}
      <ol>{shown.map(e => e.kind === 'file' ? <FileEntry key={key(e)} e={e} /> : <Entry key={key(e)} e={e} from={from} files={filesOf(e)} isOpenNow={isOpenNow(e)} onToggle={toggle} longest={longest} place={place} />)}</ol>
      {untimed > 0 && <p className="dim pad untimed" role="note">{t.agent.untimed(untimed)}</p>}
      <div className="follow">
        {isLive ? <button type="button" aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}><State state={isFollowing ? 'running' : 'queued'}>{isFollowing ? t.agent.following : t.agent.follow}</State></button> : <span>{store.past !== null && !isOver ? t.agent.upTo(clock(store.past)) : t.agent.ended}</span>}
        <span className="opt">{t.agent.counts(calls, shown.filter(e => e.kind === 'text').length)}</span><span className="grow" />
        <button type="button" className="btn quiet opt" onClick={() => foldAll(() => false)}>{t.agent.foldAll}</button>
        <button type="button" className="btn quiet" onClick={() => foldAll(isFailed)}>{t.agent.failures}</button>
      </div>
    </div>
  );
}

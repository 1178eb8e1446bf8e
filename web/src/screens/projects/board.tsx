// The board of a project: a column per state. A task is moved by dragging it, by
// Shift and the arrow keys, or on its own sheet, to where a person may put it.

import { createContext, useContext, useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import type { PmTaskSaid, ProjectsAnswer } from '../../feed/types';
import { hindranceOf, isOver, mayMove, nameOf, nextMove, pendingOf, sessionAt, taskState, type Board, type TaskStatus } from '../../model/projects';
import { useApp, useText } from '../../parts/app';
import { Glyph, Icon, Id, Link } from '../../parts/basic';
import { sayError } from '../../parts/dialog';
import { withQuery } from '../../parts/route';

/** As many as one looks through; the others are a click away. */
const PORTION = 50;

interface Moves {
  /** Nobody moves anything in the past. */
  isOpen: boolean;
  dragged: PmTaskSaid | null;
  moving: string | null;
  setDragged: (t: PmTaskSaid | null) => void;
  move: (t: PmTaskSaid, to: TaskStatus) => void;
  /** What is to have the focus again when it is in its new column. */
  focus: React.RefObject<string | null>;
}
const MovesContext = createContext<Moves | null>(null);
const useMoves = () => useContext(MovesContext)!;

export const taskHref = (id: string | null): string => withQuery({ task: id, at: null }, '/projects');

/** What it waits for, said in a few words. */
function Waits({ said, t: task }: { said: ProjectsAnswer; t: PmTaskSaid }) {
  const t = useText();
  const why = hindranceOf(said, task);
  if (task.status === 'blocked') return <small className="why"><Icon name="warn" small /><span className="cut" dir="auto">{task.blocked_reason ?? t.projects.status.blocked}</span></small>;
  if (!why || (task.status === 'backlog' && why.kind !== 'needs')) return null;
  const words = why.kind === 'needs' ? t.projects.waitsFor(why.tasks.length) : why.kind === 'busy' ? t.projects.busy(nameOf(said, why.agent)) : t.projects.nobody;
  return <small className="why"><Icon name="hist" small /><span className="cut" dir="auto">{words}</span></small>;
}

/** Who has it, and whether a process is at work on it this moment. */
function Whose({ said, t: task }: { said: ProjectsAnswer; t: PmTaskSaid }) {
  const t = useText();
  const session = sessionAt(said, task);
  const pending = pendingOf(said, task);
  if (task.assignee_id === undefined) return <span className="dim">{t.projects.unassigned}</span>;
  return (
    <span className="whose-task">
      {session ? <span className="st" data-s="running" title={t.projects.atWork}><Glyph state="running" /><span className="sr">{t.projects.atWork}</span></span> : <Icon name="role" small />}
      <b className="cut" dir="auto">{nameOf(said, task.assignee_id)}</b>
      {pending && !isOver(task) && <span className="handed"><Icon name="right" small /><span className="cut" dir="auto">{pending.to_agent_id ? nameOf(said, pending.to_agent_id) : t.projects.anybody}</span></span>}
    </span>
  );
}

function Card({ said, t: task, isSheet }: { said: ProjectsAnswer; t: PmTaskSaid; isSheet: boolean }) {
  const t = useText();
  const m = useMoves();
  const own = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (m.focus.current !== task.id) return;
    m.focus.current = null;
    own.current?.focus();
  }, [task.status]);
  const mayBe = m.isOpen && !isOver(task);
  const onKeyDown = (e: KeyboardEvent) => {
    if (!e.shiftKey || (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight')) return;
    e.preventDefault();
    e.stopPropagation();
    const to = mayBe ? nextMove(task, e.key === 'ArrowRight' ? 1 : -1) : null;
    if (to) { m.focus.current = task.id; m.move(task, to); }
  };
  const onDragStart = (e: DragEvent) => {
    e.dataTransfer.setData('text/plain', task.id);
    e.dataTransfer.effectAllowed = 'move';
    m.setDragged(task);
  };
  return (
    <li><Link ref={own} className="slip" data-stop="" data-task={task.id} data-priority={task.priority} href={taskHref(task.id)} draggable={mayBe} aria-current={isSheet ? 'true' : undefined} aria-busy={m.moving === task.id}
      aria-keyshortcuts={mayBe ? 'Shift+ArrowLeft Shift+ArrowRight' : undefined} onKeyDown={onKeyDown} onDragStart={onDragStart} onDragEnd={() => m.setDragged(null)}>
      <span className="title" dir="auto">{task.title}</span>
      <span className="row">{task.priority !== 'medium' && <span className="tag" data-priority={task.priority}>{t.projects.priority[task.priority]}</span>}<Id id={task.id} /></span>
      <span className="row"><Whose said={said} t={task} /></span>
      <Waits said={said} t={task} />
      {task.status === 'done' && task.completion_summary && <small className="cut dim" dir="auto">{task.completion_summary}</small>}
    </Link></li>
  );
}

function Column({ said, status, tasks, open }: { said: ProjectsAnswer; status: TaskStatus; tasks: PmTaskSaid[]; open: string | null }) {
  const t = useText();
  const m = useMoves();
  const [most, setMost] = useState(PORTION);
  const [isAbove, setAbove] = useState(false);
  const may = m.dragged !== null && mayMove(m.dragged, status);
  const own = `column-${status}`;
  return (
    <section className="column" data-status={status} data-drop={m.dragged === null || m.dragged.status === status ? undefined : may ? isAbove ? 'over' : 'may' : 'no'} aria-labelledby={own}
      onDragOver={e => { if (may) { e.preventDefault(); e.dataTransfer.dropEffect = 'move'; if (!isAbove) setAbove(true); } }} onDragLeave={() => setAbove(false)}
      onDrop={e => { e.preventDefault(); setAbove(false); if (may && m.dragged) m.move(m.dragged, status); m.setDragged(null); }}>
      <h2 id={own}><span className="st" data-s={taskState(status)}><Glyph state={taskState(status)} />{t.projects.status[status]}</span><span className="num dim">{tasks.length}</span></h2>
      <ul>{tasks.slice(0, most).map(x => <Card key={x.id} said={said} t={x} isSheet={x.id === open} />)}</ul>
      {tasks.length > most && <button type="button" className="btn quiet" onClick={() => setMost(tasks.length)}>{t.projects.more(tasks.length - most)}</button>}
      {tasks.length === 0 && <p className="none dim">{t.projects.noTasks}</p>}
    </section>
  );
}

/** Moving a task, and what the hub says to it. */
export function useMove() {
  const t = useText();
  const { feed } = useApp();
  const [state, setState] = useState<{ moving: string | null; error: string; said: string }>({ moving: null, error: '', said: '' });
  const move = (task: PmTaskSaid, status: TaskStatus) => {
    setState({ moving: task.id, error: '', said: '' });
    feed.command('pm:move_task', { task_id: task.id, status }).then(
      () => setState({ moving: null, error: '', said: t.projects.moved(task.title, t.projects.status[status]) }),
      (e: unknown) => setState({ moving: null, error: sayError(e, t.error.lost), said: '' }));
  };
  return { ...state, move, clear: () => setState(s => ({ ...s, error: '' })) };
}

export function BoardView({ said, board, open }: { said: ProjectsAnswer; board: Board; open: string | null }) {
  const t = useText();
  const { store } = useApp();
  const [dragged, setDragged] = useState<PmTaskSaid | null>(null);
  const focus = useRef<string | null>(null);
  const { moving, error, said: words, move, clear } = useMove();
  const isOpen = store.past === null;
  return (
    <MovesContext.Provider value={{ isOpen, dragged, setDragged, moving, move, focus }}>
      <div className="sr" role="status">{words}</div>
      {error && <div className="note-bar refused" role="alert"><Icon name="warn" small /><span>{error}</span><span className="grow" /><button type="button" className="btn quiet icon" aria-label={t.frame.close} title={t.frame.close} onClick={clear}><Icon name="x" small /></button></div>}
      <div className="board" role="group" aria-label={t.projects.board}>{board.columns.map(c => <Column key={c.status} said={said} status={c.status} tasks={c.tasks} open={open} />)}</div>
    </MovesContext.Provider>
  );
}

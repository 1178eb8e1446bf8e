// One task, whole: what is asked, how it stands, what was kept on the way, to
// whom it went, what became of it.

import { useEffect, useState, type ReactNode } from 'react';
import type { PmContextSaid, PmHandoffSaid, PmTaskSaid, ProjectsAnswer, ProjectTaskAnswer } from '../../feed/types';
import { candidatesOf, hindranceOf, isOver, movesOf, nameOf, sessionAt, taskState } from '../../model/projects';
import { useApp, useText } from '../../parts/app';
import { At, CopyButton, Ghost, Icon, Id, Link, State, Trouble } from '../../parts/basic';
import { Dialog, sayError } from '../../parts/dialog';
import { go } from '../../parts/route';
import { useShown } from '../../parts/shown';
import { taskHref, useMove } from './board';
import { TaskForm } from './forms';

function Move({ said, task }: { said: ProjectsAnswer; task: PmTaskSaid }) {
  const t = useText();
  const { moving, error, said: words, move } = useMove();
  if (isOver(task)) return null;
  return (
    <div className="moves" role="group" aria-label={t.projects.moveTo}>
      <span className="dim">{t.projects.moveTo}</span>
      {movesOf(task).map(to => <button key={to} type="button" className="btn" data-to={to} disabled={moving !== null || (to === 'in_progress' && hindranceOf(said, task) !== null)} onClick={() => move(task, to)}>{t.projects.status[to]}</button>)}
      {error && <p className="bad-words" role="alert">{error}</p>}<span className="sr" role="status">{words}</span>
    </div>
  );
}

/** Whose it is; one that is at work changes hands by a handoff alone. */
function Assignee({ said, task }: { said: ProjectsAnswer; task: PmTaskSaid }) {
  const t = useText();
  const { feed, store } = useApp();
  const [error, setError] = useState('');
  const all = candidatesOf(said, task.project_id);
  const mine = task.assignee_id;
  if (store.past !== null || isOver(task) || task.status === 'in_progress') return <>{mine ? <><b dir="auto">{nameOf(said, mine)}</b> <Id id={mine} /></> : t.projects.unassigned}</>;
  const give = (to: string) => {
    setError('');
    feed.command('pm:assign_task', { task_id: task.id, assignee_id: to === '' ? null : to }).catch((e: unknown) => setError(sayError(e, t.error.lost)));
  };
  return (
    <>
      <select className="in" name="assignee" aria-label={t.projects.assignee} value={mine ?? ''} onChange={e => give(e.target.value)}>
        <option value="">{t.projects.unassigned}</option>
        {mine && !all.some(a => a.id === mine) && <option value={mine}>{nameOf(said, mine)}</option>}
        {all.map(a => <option key={a.id} value={a.id}>{a.name}</option>)}
      </select>
      {error && <p className="bad-words" role="alert">{error}</p>}
    </>
  );
}

function TaskLink({ said, id }: { said: ProjectsAnswer; id: string }) {
  const other = said.tasks.find(x => x.id === id);
  return <Link className="task-link" href={taskHref(id)}>{other && <State state={taskState(other.status)}><span className="sr">{other.status}</span></State>}<span className="cut" dir="auto">{other?.title ?? id}</span></Link>;
}

function Facts({ said, task }: { said: ProjectsAnswer; task: PmTaskSaid }) {
  const t = useText();
  const session = sessionAt(said, task);
  const parts = said.tasks.filter(x => x.parent_task_id === task.id);
  const links = (ids: readonly string[]) => <ul className="links">{ids.map(id => <li key={id}><TaskLink said={said} id={id} /></li>)}</ul>;
  const rows: [string, ReactNode][] = [
    [t.projects.state, <State key="s" state={taskState(task.status)}>{t.projects.status[task.status]}</State>],
    [t.projects.assignee, <Assignee key="a" said={said} task={task} />],
    ...(session?.run_id ? [[t.projects.process, <Link key="r" className="run-link" href={`/agents/${encodeURIComponent(session.run_id)}`}><Icon name="live" small /><Id id={session.run_id} /></Link>] as [string, ReactNode]] : []),
    [t.projects.priorityWord, t.projects.priority[task.priority]],
    ...(task.dependencies.length > 0 ? [[t.projects.needs, links(task.dependencies)] as [string, ReactNode]] : []),
    ...(task.parent_task_id ? [[t.projects.partOf, links([task.parent_task_id])] as [string, ReactNode]] : []),
    ...(parts.length > 0 ? [[t.projects.parts, links(parts.map(x => x.id))] as [string, ReactNode]] : []),
    ...(task.estimated_minutes !== undefined ? [[t.projects.estimated, t.projects.minutes(task.estimated_minutes)] as [string, ReactNode]] : []),
    ...(task.actual_minutes !== undefined ? [[t.projects.took, t.projects.minutes(task.actual_minutes)] as [string, ReactNode]] : []),
    [t.projects.made, <At key="m" at={task.created_at} />],
    ...(task.completed_at ? [[t.projects.doneAt, <At key="d" at={task.completed_at} />] as [string, ReactNode]] : []),
  ];
  return <dl className="kv">{rows.map(([word, what]) => <div key={word}><dt>{word}</dt><dd>{what}</dd></div>)}</dl>;
}

function Context({ said, c }: { said: ProjectsAnswer; c: PmContextSaid }) {
  const t = useText();
  const parts = (['progress', 'findings', 'blockers', 'next_steps'] as const).filter(k => c[k]);
  return (
    <li className="kept-one">
      <div className="row"><b className="cut" dir="auto">{c.agent_id ? nameOf(said, c.agent_id) : '–'}</b><span className="grow" /><small className="dim num"><At at={c.created_at} /></small></div>
      <dl>{parts.map(k => <div key={k}><dt>{t.projects.kept[k]}</dt><dd className="words" dir="auto">{c[k]}</dd></div>)}</dl>
      {c.truncated && <small className="dim">{t.projects.cut}</small>}
    </li>
  );
}

function Handed({ said, h }: { said: ProjectsAnswer; h: PmHandoffSaid }) {
  const t = useText();
  return (
    <li className="kept-one">
      <div className="row way"><b className="cut" dir="auto">{nameOf(said, h.from_agent_id)}</b><Icon name="right" small /><b className="cut" dir="auto">{h.accepted_by ?? h.to_agent_id ? nameOf(said, (h.accepted_by ?? h.to_agent_id)!) : t.projects.anybody}</b><span className="grow" /><small className="dim num"><At at={h.created_at} /></small></div>
      <p className="words" dir="auto">{h.summary}</p>
      {h.context && <p className="words mid" dir="auto">{h.context}</p>}
      {h.recommendations && <p className="words mid" dir="auto">{h.recommendations}</p>}
      <State state={h.accepted_by ? 'resultReported' : 'queued'}>{h.accepted_by ? t.projects.taken : t.projects.offered}</State>
    </li>
  );
}

/** A word for what happened, with where it went. */
function Became({ said, one }: { said: ProjectsAnswer; one: ProjectTaskAnswer['history'][number] }) {
  const t = useText();
  const word = (s: string | undefined) => s === undefined ? '' : t.projects.status[s as PmTaskSaid['status']] ?? nameOf(said, s);
  return (
    <li><span>{t.projects.happened[one.event] ?? one.event}{(one.previous_state || one.new_state) && <span className="mid"> {[word(one.previous_state), word(one.new_state)].filter(Boolean).join(' → ')}</span>}{one.by && <span className="dim"> {t.projects.by(nameOf(said, one.by))}</span>}{one.reason && <span className="dim words" dir="auto"> {one.reason}</span>}</span><small className="dim num"><At at={one.at} /></small></li>
  );
}

function Sheet({ said, all }: { said: ProjectsAnswer; all: ProjectTaskAnswer }) {
  const t = useText();
  const { store } = useApp();
  const [isEditing, setEditing] = useState(false);
  const task = all.task;
  const isNow = store.past === null;
  return (
    <div className="sheet-body">
      <header><h2 dir="auto">{task.title}</h2><div className="row"><Id id={task.id} /><CopyButton text={task.id} label={t.projects.copyId} /><span className="grow" />
        {isNow && !isOver(task) && <button type="button" className="btn" data-act="edit" onClick={() => setEditing(true)}>{t.projects.edit}</button>}</div></header>
      {isNow && <Move said={said} task={task} />}
      {task.status === 'blocked' && task.blocked_reason && <p className="blocked words" dir="auto"><Icon name="warn" small /> {task.blocked_reason}</p>}
      <Facts said={said} task={task} />
      {task.description && <section><h3>{t.projects.description}</h3><p className="words" dir="auto">{task.description}</p></section>}
      {task.completion_summary && <section><h3>{t.projects.outcome}</h3><p className="words" dir="auto">{task.completion_summary}</p></section>}
      {all.contexts.length > 0 && <section><h3>{t.projects.keptTitle}</h3><ul>{[...all.contexts].reverse().map(c => <Context key={c.id} said={said} c={c} />)}</ul></section>}
      {all.handoffs.length > 0 && <section><h3>{t.projects.handoffs}</h3><ul>{[...all.handoffs].reverse().map(h => <Handed key={h.id} said={said} h={h} />)}</ul></section>}
      {all.history.length > 0 && <section><h3>{t.projects.history}</h3><ul className="became">{all.history.map(x => <Became key={x.seq} said={said} one={x} />)}</ul></section>}
      {isEditing && <TaskForm said={said} project={task.project_id} task={task} onClose={() => setEditing(false)} />}
    </div>
  );
}

export function TaskSheet({ said, id }: { said: ProjectsAnswer; id: string }) {
  const t = useText();
  const { data, error } = useShown<ProjectTaskAnswer>(`projects/tasks/${encodeURIComponent(id)}`, 'projects');
  const close = () => go(taskHref(null));
  useEffect(() => { document.querySelector('dialog.task-sheet')?.scrollTo(0, 0); }, [id]);
  return (
    <Dialog onClose={close} label={data?.task.title ?? id} className="drawer task-sheet">
      <button type="button" className="btn quiet icon drawer-close" aria-label={t.frame.close} title={t.frame.close} onClick={close}><Icon name="x" /></button>
      {error && !data && <Trouble title={t.projects.noTask} say={error.message} />}
      {!data && !error && <div className="sheet-body"><Ghost cards={2} /></div>}
      {data && <Sheet said={said} all={data} />}
    </Dialog>
  );
}

// Projects: the board of one, who works there and what is handed on.

import { useState } from 'react';
import type { PmProjectSaid, ProjectsAnswer } from '../../feed/types';
import { boardOf, COLUMNS, projectIn, taskState, type Board, type Worker } from '../../model/projects';
import { useApp, useChanges, useText } from '../../parts/app';
import { Ghost, Icon, Link, Middle, Paste, Segments, State, Trouble } from '../../parts/basic';
import { useQuestion } from '../../parts/dialog';
import { go, useRoute, withQuery } from '../../parts/route';
import { useShown } from '../../parts/shown';
import { BoardView } from './board';
import { AgentForm, ProjectForm, TaskForm } from './forms';
import { Handoffs, Workers } from './people';
import { TaskSheet } from './task';
import './projects.css';

type View = 'board' | 'agents' | 'handoffs';
type Asked = 'project' | 'edit' | 'task' | 'agent' | null;

/** How far a project is: a bar cut by state, and the words for it. */
function Progress({ p, done, all }: { p: PmProjectSaid; done: number; all: number }) {
  const t = useText();
  const there = COLUMNS.filter(s => s !== 'cancelled' && (p.counts?.[s] ?? 0) > 0).reverse();
  return (
    <span className="progress">
      <span className="bar" role="img" aria-label={t.projects.done(done, all)}>{there.map(s => <i key={s} data-s={taskState(s)} style={{ flex: p.counts![s] }} />)}</span>
      <small className="dim num">{done} / {all}</small>
    </span>
  );
}

function ProjectLink({ said, p, isOpen }: { said: ProjectsAnswer; p: PmProjectSaid; isOpen: boolean }) {
  const t = useText();
  const b = boardOf(said, p);
  const at = b.agents.filter(w => w.session).length;
  return (
    <li><Link className="project" data-stop="" data-project={p.id} href={withQuery({ project: p.id, task: null, at: null }, '/projects')} aria-current={isOpen ? 'true' : undefined}>
      <b className="cut" dir="auto">{p.name}</b>{p.status !== 'active' ? <span className="tag">{t.projects.projectStatus[p.status]}</span> : at > 0 ? <State state="running">{String(at)}</State> : <span />}
      <Progress p={p} done={b.done} all={b.all} />
    </Link></li>
  );
}

function Head({ said, board, ask }: { said: ProjectsAnswer; board: Board; ask: (what: Asked) => void }) {
  const t = useText();
  const { store } = useApp();
  const { query } = useRoute();
  const p = board.project;
  const isNow = store.past === null;
  const workers = board.agents.map(w => w.agent);
  return (
    <header className="head">
      <div className="what"><h1 dir="auto" className="cut" title={p.id}>{p.name}</h1>{p.status !== 'active' && <span className="tag">{t.projects.projectStatus[p.status]}</span>}{p.working_directory && <Middle text={p.working_directory} />}</div>
      <Progress p={p} done={board.done} all={board.all} />
      {isNow && <div className="buttons"><button type="button" className="btn" data-act="edit-project" onClick={() => ask('edit')}>{t.projects.edit}</button><button type="button" className="btn primary" data-act="task" onClick={() => ask('task')}><Icon name="plus" small />{t.projects.newTask}</button></div>}
      {p.description && <p className="about words mid" dir="auto" title={p.description}>{p.description}</p>}
      <div className="filters">
        <input className="in" type="search" name="find" aria-label={t.projects.find} placeholder={t.projects.find} defaultValue={query.get('q') ?? ''} dir="auto" onChange={e => go(withQuery({ q: e.target.value }), 'replace')} />
        <select className="in" name="who" aria-label={t.projects.whose} value={query.get('who') ?? ''} onChange={e => go(withQuery({ who: e.target.value }), 'replace')}>
          <option value="">{t.projects.all}</option><option value="-">{t.projects.unassigned}</option>{workers.map(a => <option key={a.id} value={a.id}>{a.name}</option>)}
        </select>
      </div>
      {said.more && <p className="dim more">{t.projects.tooMany}</p>}
    </header>
  );
}

function Empty({ ask }: { ask: (what: Asked) => void }) {
  const t = useText();
  const { store } = useApp();
  return (
    <div className="first projects-first"><h1>{store.past === null ? t.projects.empty : t.projects.emptyPast}</h1><p>{t.projects.emptySay}</p>
      {store.past === null && <ol>
        <li><div>{t.projects.byHand}<div><button type="button" className="btn primary" data-act="project" onClick={() => ask('project')}><Icon name="plus" small />{t.projects.newProject}</button></div></div></li>
        <li><div>{t.projects.byCommand}<Paste text="kuromajutsu pm setup" /></div></li>
        <li><div>{t.projects.byAgent}<Paste text="kuromajutsu mcp-config --toolsets kuro,mail,pm,pm_admin" /></div></li>
      </ol>}
    </div>
  );
}

function Full({ said, ask }: { said: ProjectsAnswer; ask: (what: Asked) => void }) {
  const t = useText();
  const { feed, store } = useApp();
  const question = useQuestion();
  const { query } = useRoute();
  const asked = query.get('view');
  const view: View = asked === 'agents' || asked === 'handoffs' ? asked : 'board';
  const project = projectIn(said, query)!;
  const board = boardOf(said, project, query.get('q') ?? '', query.get('who') ?? '');
  const open = query.get('task');
  const takeOff = (w: Worker) => question({
    title: t.projects.takeOff(w.agent.name), say: t.projects.takeOffSay(project.name), yes: t.projects.takeOffYes,
    act: () => feed.command('pm:assign_agent', { project_id: project.id, agent_id: w.agent.id, assigned: false }),
  });
  return (
    <div className="projects" data-view={view}>
      <nav className="list" aria-label={t.screens.projects}>
        <ul>{said.projects.map(p => <ProjectLink key={p.id} said={said} p={p} isOpen={p === project} />)}</ul>
        {store.past === null && <button type="button" className="btn quiet" data-act="project" onClick={() => ask('project')}><Icon name="plus" small />{t.projects.newProject}</button>}
      </nav>
      <div className="body">
        <Head key={project.id} said={said} board={board} ask={ask} />
        <div className="views"><Segments value={view} label={t.projects.views} onChange={v => go(withQuery({ view: v === 'board' ? null : v }), 'replace')}
          options={[{ value: 'board', label: t.projects.board }, { value: 'agents', label: t.projects.agents }, { value: 'handoffs', label: t.projects.handoffs }]} /></div>
        <BoardView key={`${project.id}-board`} said={said} board={board} open={open} />
      </div>
      <aside className="side" aria-label={`${t.projects.agents}, ${t.projects.handoffs}`}><Workers board={board} onAdd={() => ask('agent')} onTakeOff={takeOff} /><Handoffs said={said} board={board} /></aside>
      {open && <TaskSheet said={said} id={open} />}
    </div>
  );
}

export default function ProjectsScreen() {
  const t = useText();
  const { query } = useRoute();
  const { data, error } = useShown<ProjectsAnswer>('projects', 'projects');
  const [asked, ask] = useState<Asked>(null);
  useChanges('*');
  const project = data ? projectIn(data, query) : undefined;
  const close = () => ask(null);
  return (
    <div className={project ? 'page projects-page' : 'page'}>
      {!project && <h1 className="sr">{t.screens.projects}</h1>}
      {error && <Trouble title={t.error.title} say={error.message} />}
      {!data && !error && <div className="pad"><Ghost cards={6} /></div>}
      {data && (project ? <Full said={data} ask={ask} /> : <Empty ask={ask} />)}
      {asked === 'project' && <ProjectForm project={null} onClose={close} />}
      {asked === 'edit' && project && <ProjectForm project={project} onClose={close} />}
      {asked === 'task' && data && project && <TaskForm said={data} project={project.id} task={null} onClose={close} />}
      {asked === 'agent' && data && project && <AgentForm said={data} project={project.id} onClose={close} />}
    </div>
  );
}

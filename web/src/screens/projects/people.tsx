// Who works in a project, at what, by which process; and what they hand on.

import type { PmHandoffSaid, ProjectsAnswer } from '../../feed/types';
import { nameOf, type Board, type Worker } from '../../model/projects';
import { moment } from '../../model/world';
import { useApp, useText } from '../../parts/app';
import { At, Icon, Id, Link, State } from '../../parts/basic';
import { clock } from '../../text/format';
import { taskHref } from './board';

/** At work, resting after failures, out of service, or waiting. */
function Standing({ w }: { w: Worker }) {
  const t = useText();
  const { store } = useApp();
  const until = moment(w.assigned.cool_until ?? null);
  if (w.session) return <State state="running">{t.projects.atWork}</State>;
  if (w.agent.status !== 'active') return <State state="cancelled">{t.projects.agentStatus[w.agent.status] ?? w.agent.status}</State>;
  if (until !== null && until > store.now()) return <span title={w.assigned.cool_reason}><State state="timedOut">{t.projects.rests(clock(until))}</State></span>;
  return <State state="queued">{t.projects.idle}</State>;
}

function WorkerRow({ w, onTakeOff }: { w: Worker; onTakeOff: ((w: Worker) => void) | null }) {
  const t = useText();
  const at = w.tasks.find(x => x.id === w.session?.task_id);
  const open = w.tasks.filter(x => x.status !== 'done' && x.status !== 'cancelled').length;
  return (
    <li className="worker" data-worker={w.agent.id}>
      <div className="row"><Icon name="role" small /><b className="cut" dir="auto">{w.agent.name}</b><Id id={w.agent.id} /><span className="grow" />
        {onTakeOff && <button type="button" className="btn quiet icon" aria-label={t.projects.takeOff(w.agent.name)} title={t.projects.takeOff(w.agent.name)} onClick={() => onTakeOff(w)}><Icon name="x" small /></button>}</div>
      <div className="row"><Standing w={w} /><span className="grow" /><small className="dim">{t.projects.tasks(open)}</small></div>
      {at && <Link className="cut at-task" href={taskHref(at.id)} dir="auto">{at.title}</Link>}
      {w.session?.run_id && <Link className="run-link" href={`/agents/${encodeURIComponent(w.session.run_id)}`}><Icon name="live" small /><Id id={w.session.run_id} /></Link>}
      {w.assigned.cool_reason && <small className="dim cut" dir="auto">{t.projects.failures(w.assigned.failures ?? 0)}: {w.assigned.cool_reason}</small>}
    </li>
  );
}

export function Workers({ board, onAdd, onTakeOff }: { board: Board; onAdd: () => void; onTakeOff: (w: Worker) => void }) {
  const t = useText();
  const { store } = useApp();
  const isNow = store.past === null;
  return (
    <section className="side-part workers"><h2>{t.projects.agents}<span className="grow" />{isNow && <button type="button" className="btn quiet" data-act="agent" onClick={onAdd}><Icon name="plus" small />{t.projects.add}</button>}</h2>
      <ul>{board.agents.map(w => <WorkerRow key={w.agent.id} w={w} onTakeOff={isNow ? onTakeOff : null} />)}</ul>
      {board.agents.length === 0 && <p className="none dim">{t.projects.noAgents}</p>}
    </section>
  );
}

function HandoffCard({ said, h }: { said: ProjectsAnswer; h: PmHandoffSaid }) {
  const t = useText();
  const task = said.tasks.find(x => x.id === h.task_id);
  const to = h.accepted_by ?? h.to_agent_id;
  return (
    <li className="handoff" data-taken={h.accepted_by ? 'yes' : 'no'}>
      <div className="row way"><b className="cut" dir="auto">{nameOf(said, h.from_agent_id)}</b><Icon name="right" small /><b className="cut" dir="auto">{to ? nameOf(said, to) : t.projects.anybody}</b></div>
      <p className="words" dir="auto">{h.summary}</p>
      <div className="row"><Link className="cut at-task" href={taskHref(h.task_id)} dir="auto">{task?.title ?? h.task_id}</Link></div>
      <div className="row"><State state={h.accepted_by ? 'resultReported' : 'queued'}>{h.accepted_by ? t.projects.taken : t.projects.offered}</State><span className="grow" /><small className="dim num"><At at={h.accepted_at ?? h.created_at} /></small></div>
    </li>
  );
}

export function Handoffs({ said, board }: { said: ProjectsAnswer; board: Board }) {
  const t = useText();
  return (
    <section className="side-part handoffs"><h2>{t.projects.handoffs}</h2>
      <ul>{board.handoffs.map(h => <HandoffCard key={h.id} said={said} h={h} />)}</ul>
      {board.handoffs.length === 0 && <p className="none dim">{t.projects.noHandoffs}</p>}
    </section>
  );
}

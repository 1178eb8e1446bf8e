// Dialogs in which a person makes and changes projects, agents and tasks. What
// is wrong with a value is the hub's own word.

import { useId, useRef, useState, type ReactNode } from 'react';
import type { PmAgentSaid, PmProjectSaid, PmTaskSaid, ProjectsAnswer } from '../../feed/types';
import { candidatesOf, isOver, PRIORITIES } from '../../model/projects';
import { useApp, useText } from '../../parts/app';
import { Dialog, sayError } from '../../parts/dialog';
import { Paste } from '../../parts/basic';
import { go, withQuery } from '../../parts/route';

/** Sends one command after the other; the first refusal ends it, and is said. */
function useSend() {
  const t = useText();
  const { feed } = useApp();
  const [state, setState] = useState({ isBusy: false, error: '' });
  const send = async <T,>(act: (command: typeof feed.command) => Promise<T>, then: (answer: T) => void) => {
    setState({ isBusy: true, error: '' });
    try {
      const answer = await act(feed.command.bind(feed));
      setState({ isBusy: false, error: '' });
      then(answer);
    } catch (e) {
      setState({ isBusy: false, error: sayError(e, t.error.lost) });
    }
  };
  return { ...state, send };
}

interface Form { title: string; say?: string; yes: string; isReady: boolean; isBusy: boolean; error: string; onYes: () => void; onClose: () => void; children: ReactNode }
function FormDialog({ title, say, yes, isReady, isBusy, error, onYes, onClose, children }: Form) {
  const t = useText();
  return (
    <Dialog onClose={onClose} label={title} className="box wide pm-form">
      <h2>{title}</h2>{say && <p>{say}</p>}
      <form onSubmit={e => { e.preventDefault(); e.stopPropagation(); if (isReady && !isBusy) onYes(); }}>
        {children}
        {error && <p className="bad-words" role="alert">{error}</p>}
        <div className="row-end"><button type="button" className="btn" onClick={onClose}>{t.projects.cancel}</button><button type="submit" className="btn primary" disabled={!isReady || isBusy}>{yes}</button></div>
      </form>
    </Dialog>
  );
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return <div className="f"><label htmlFor={id}>{label}</label>{children(id)}</div>;
}

interface TextField { label: string; name: string; value: string; onChange: (v: string) => void; max: number; rows?: number; isMono?: boolean; isFirst?: boolean; like?: string }
function Text({ label, name, value, onChange, max, rows, isMono, isFirst, like }: TextField) {
  return (
    <Field label={label}>{id => rows
      ? <textarea id={id} name={name} className="in area" rows={rows} dir="auto" maxLength={max} placeholder={like} value={value} autoFocus={isFirst} onChange={e => onChange(e.target.value)} />
      : <input id={id} name={name} className={isMono ? 'in mono' : 'in'} dir="auto" maxLength={max} placeholder={like} value={value} autoFocus={isFirst} autoComplete="off" onChange={e => onChange(e.target.value)} />}</Field>
  );
}

/** Only what was given: an empty field is no value. */
const filled = (all: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(all).filter(([, v]) => v !== ''));

export function ProjectForm({ project, onClose }: { project: PmProjectSaid | null; onClose: () => void }) {
  const t = useText();
  const { isBusy, error, send } = useSend();
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const [directory, setDirectory] = useState(project?.working_directory ?? '');
  const [status, setStatus] = useState(project?.status ?? 'active');
  const act = () => void send(
    command => project
      ? command('pm:update_project', { project_id: project.id, name: name.trim(), description, working_directory: directory.trim() || null, status })
      : command('pm:create_project', filled({ name: name.trim(), description, working_directory: directory.trim() })),
    answer => {
      const made = (answer as { project?: PmProjectSaid })?.project?.id;
      onClose();
      if (made) go(withQuery({ project: made, task: null, at: null }, '/projects'));
    });
  return (
    <FormDialog title={project ? t.projects.editProject : t.projects.newProject} yes={project ? t.projects.save : t.projects.make} isReady={name.trim() !== ''} {...{ isBusy, error, onClose }} onYes={act}>
      <Text label={t.projects.name} name="name" value={name} onChange={setName} max={256} isFirst />
      <Text label={t.projects.directory} name="directory" value={directory} onChange={setDirectory} max={4095} isMono />
      <Text label={t.projects.description} name="description" value={description} onChange={setDescription} max={100000} rows={3} />
      {project && <Field label={t.projects.state}>{id => <select id={id} name="status" className="in" value={status} onChange={e => setStatus(e.target.value as PmProjectSaid['status'])}>{(['active', 'paused', 'archived'] as const).map(s => <option key={s} value={s}>{t.projects.projectStatus[s]}</option>)}</select>}</Field>}
    </FormDialog>
  );
}

export function TaskForm({ said, project, task, onClose }: { said: ProjectsAnswer; project: string; task: PmTaskSaid | null; onClose: () => void }) {
  const t = useText();
  const { isBusy, error, send } = useSend();
  const [title, setTitle] = useState(task?.title ?? '');
  const [description, setDescription] = useState(task?.description ?? '');
  const [priority, setPriority] = useState<PmTaskSaid['priority']>(task?.priority ?? 'medium');
  const [assignee, setAssignee] = useState('');
  const [status, setStatus] = useState<'backlog' | 'todo'>('todo');
  const [needs, setNeeds] = useState<readonly string[]>(task?.dependencies ?? []);
  const others = said.tasks.filter(x => x.project_id === project && x.id !== task?.id && (!isOver(x) || needs.includes(x.id)));
  const act = () => void send(
    command => task
      // A text that was cut is not written back: it would be lost.
      ? command('pm:update_task', { task_id: task.id, title: title.trim(), priority, dependencies: needs, ...(task.truncated ? {} : { description }) })
      : command('pm:create_task', filled({ project_id: project, title: title.trim(), description, priority, status, assignee_id: assignee, ...(needs.length > 0 ? { dependencies: needs } : {}) })),
    onClose);
  return (
    <FormDialog title={task ? t.projects.editTask : t.projects.newTask} yes={task ? t.projects.save : t.projects.make} isReady={title.trim() !== ''} {...{ isBusy, error, onClose }} onYes={act}>
      <Text label={t.projects.title} name="title" value={title} onChange={setTitle} max={1000} isFirst />
      {!task?.truncated && <Text label={t.projects.description} name="description" value={description} onChange={setDescription} max={100000} rows={5} />}
      <div className="pair">
        <Field label={t.projects.priorityWord}>{id => <select id={id} name="priority" className="in" value={priority} onChange={e => setPriority(e.target.value as PmTaskSaid['priority'])}>{PRIORITIES.map(p => <option key={p} value={p}>{t.projects.priority[p]}</option>)}</select>}</Field>
        {!task && <Field label={t.projects.assignee}>{id => <select id={id} name="assignee" className="in" value={assignee} onChange={e => setAssignee(e.target.value)}><option value="">{t.projects.unassigned}</option>{candidatesOf(said, project).map(a => <option key={a.id} value={a.id}>{a.name}</option>)}</select>}</Field>}
        {!task && <Field label={t.projects.column}>{id => <select id={id} name="status" className="in" value={status} onChange={e => setStatus(e.target.value as 'todo')}>{(['todo', 'backlog'] as const).map(s => <option key={s} value={s}>{t.projects.status[s]}</option>)}</select>}</Field>}
      </div>
      {others.length > 0 && <fieldset className="f needs"><legend>{t.projects.needs}</legend><div>{others.map(x => <label key={x.id}><input type="checkbox" checked={needs.includes(x.id)} onChange={e => setNeeds(e.target.checked ? [...needs, x.id] : needs.filter(id => id !== x.id))} /><span className="cut" dir="auto">{x.title}</span></label>)}</div></fieldset>}
    </FormDialog>
  );
}

/** The one moment in which a passkey can be seen. */
function Passkey({ name, passkey, onClose }: { name: string; passkey: string; onClose: () => void }) {
  const t = useText();
  return (
    <Dialog onClose={onClose} label={t.projects.passkeyTitle} className="box wide pm-form">
      <h2>{t.projects.passkeyTitle}</h2><p>{t.projects.passkeySay(name)}</p>
      <Paste text={passkey} />
      <div className="row-end"><button type="button" className="btn primary" autoFocus onClick={onClose}>{t.frame.close}</button></div>
    </Dialog>
  );
}

const ANOTHER = '';
interface Made { agent: PmAgentSaid; passkey?: string }

/** Lets an agent work in a project: one that is registered, or another. */
export function AgentForm({ said, project, onClose }: { said: ProjectsAnswer; project: string; onClose: () => void }) {
  const t = useText();
  const { store } = useApp();
  const { isBusy, error, send } = useSend();
  const free = said.agents.filter(a => a.status === 'active' && !said.assignments.some(x => x.project_id === project && x.agent_id === a.id && x.assigned));
  const [chosen, setChosen] = useState(free[0]?.id ?? ANOTHER);
  const [name, setName] = useState('');
  const [role, setRole] = useState('');
  const [type, setType] = useState<'ai' | 'human'>('ai');
  const [runsAs, setRunsAs] = useState('');
  const [words, setWords] = useState('');
  const [secret, setSecret] = useState('');
  const made = useRef<Made>(null);
  const roles = [...store.live.roles.values()].map(r => r.id);
  const act = () => void send(async command => {
    if (chosen !== ANOTHER) return void await command('pm:assign_agent', { project_id: project, agent_id: chosen });
    // What is registered stays so when the rest is refused: the next try goes on from there.
    made.current ??= await command('pm:create_agent', filled({ name: name.trim(), role, type, runs_as: type === 'ai' ? runsAs : '', system_prompt: words })) as unknown as Made;
    await command('pm:assign_agent', { project_id: project, agent_id: made.current.agent.id });
    return made.current.passkey;
  }, passkey => passkey ? setSecret(passkey) : onClose());
  if (secret) return <Passkey name={name} passkey={secret} onClose={onClose} />;
  return (
    <FormDialog title={t.projects.addAgent} yes={chosen === ANOTHER ? t.projects.register : t.projects.add} isReady={chosen !== ANOTHER || name.trim() !== ''} {...{ isBusy, error, onClose }} onYes={act}>
      {free.length > 0 && <Field label={t.projects.agent}>{id => <select id={id} name="agent" className="in" value={chosen} onChange={e => setChosen(e.target.value)}>{free.map(a => <option key={a.id} value={a.id}>{a.name} ({a.id})</option>)}<option value={ANOTHER}>{t.projects.another}</option></select>}</Field>}
      {chosen === ANOTHER && <>
        <Text label={t.projects.name} name="name" value={name} onChange={setName} max={256} isFirst={free.length === 0} />
        <div className="pair">
          <Field label={t.projects.kind}>{id => <select id={id} name="type" className="in" value={type} onChange={e => setType(e.target.value as 'ai')}><option value="ai">{t.projects.ai}</option><option value="human">{t.projects.human}</option></select>}</Field>
          {type === 'ai' && <Field label={t.projects.runsAs}>{id => <select id={id} name="runs_as" className="in" value={runsAs} onChange={e => setRunsAs(e.target.value)}><option value="">{t.projects.runnersRole}</option>{roles.map(r => <option key={r} value={r}>{r}</option>)}</select>}</Field>}
        </div>
        <Text label={t.projects.roleWords} name="role" value={role} onChange={setRole} max={1000} />
        {type === 'ai' && <Text label={t.projects.prompt} name="system_prompt" value={words} onChange={setWords} max={100000} rows={3} />}
      </>}
    </FormDialog>
  );
}

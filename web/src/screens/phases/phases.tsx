import { useState } from 'react';
import type { PhaseProjectSaid, PhasesAnswer } from '../../feed/types';
import { baseName, isUntouched, phaseIn, planAtWork, projectIn, projectsOf } from '../../model/phases';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { CopyButton, Ghost, Icon, Link, Paste, Trouble } from '../../parts/basic';
import { useRoute } from '../../parts/route';
import { useShown } from '../../parts/shown';
import { Phase } from './phase';
import { RunDialog } from './run';
import { ProjectLink, Steps } from './steps';
import './phases.css';

function Head({ p, onRun }: { p: PhaseProjectSaid; onRun: () => void }) {
  const t = useText();
  const { store } = useApp();
  const plan = planAtWork(store.shown, p);
  const isNow = store.past === null && store.endsAt === null;
  return (
    <header className="head">
      <div className="what"><h1 dir="auto" className="cut" title={p.projectPath}>{baseName(p.projectPath)}</h1><span className="mono dim cut path" dir="auto">{p.projectPath}</span><CopyButton text={p.projectPath} label={t.phases.copyPath} /></div>
      <span className="grow" />
      {plan ? <Link className="btn at-work" href={`/groups/${encodeURIComponent(plan.groupId)}`}><Icon name="seq" small />{t.phases.atWork}</Link>
        : isNow && <button type="button" className="btn primary" data-act="run" onClick={onRun}><Icon name="play" small />{t.phases.run}</button>}
    </header>
  );
}

/** Nothing was begun: how one begins. */
function Begin() {
  const t = useText();
  return (
    <div className="begin"><p>{t.phases.begin}</p><ul>
      <li><div>{t.phases.beginByAgent}<Paste text={t.phases.beginAsk} isProse /></div></li>
      <li><div>{t.phases.beginByCommand}<Paste text={t.phases.beginCommand} /></div></li>
    </ul></div>
  );
}

function Full({ said }: { said: PhasesAnswer }) {
  const t = useText();
  const { store } = useApp();
  const { query } = useRoute();
  const [isAsking, setAsking] = useState(false);
  useManyChanges(['agents', 'groups']);
  const projects = projectsOf(said);
  const p = projectIn(said, query);
  if (!p) return null;
  const open = phaseIn(p, query);
  return (
    <div className={projects.length > 1 ? 'phases' : 'phases one'}>
      {projects.length > 1 && <nav className="projects" aria-label={t.phases.projects}><ul>{projects.map(x => <ProjectLink key={x.projectPath} p={x} name={baseName(x.projectPath)} isOpen={x === p} />)}</ul></nav>}
      <div className="body">
        <Head p={p} onRun={() => setAsking(true)} />
        <Steps p={p} open={open} />
        {isUntouched(p) && store.past === null && <Begin />}
        <Phase key={p.projectPath + open.phase} p={p} r={open} prompt={said.prompts.find(x => x.phase === open.phase)} />
      </div>
      {isAsking && <RunDialog p={p} onClose={() => setAsking(false)} />}
    </div>
  );
}

export default function PhasesScreen() {
  const t = useText();
  const { data, error } = useShown<PhasesAnswer>('phases', 'phases');
  return (
    <div className={data ? 'page phases-page' : 'page'}>
      {!data && <h1 className="sr">{t.screens.phases}</h1>}
      {error && <Trouble title={t.error.title} say={error.message} />}
      {!data && !error && <div className="pad"><Ghost cards={5} /></div>}
      {data && <Full said={data} />}
    </div>
  );
}

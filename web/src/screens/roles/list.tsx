import type { RoleSaid } from '../../feed/types';
import { useText } from '../../parts/app';
import { Icon, Link, roleIcon } from '../../parts/basic';
import type { Text } from '../../text/text';
import { useEdits } from './edits';

type Shape = Pick<RoleSaid, 'enabled' | 'available' | 'healthCheck'>;

export function stateOf(r: Shape): 'completed' | 'failed' | 'cancelled' | 'running' {
  if (r.enabled === false) return 'cancelled';
  if (r.available === undefined || r.healthCheck?.isChecking || r.healthCheck?.status === 'running' || r.healthCheck?.status === 'pending') return 'running';
  return r.available ? 'completed' : 'failed';
}

export const stateWords = (t: Text) => ({ completed: t.roles.available, failed: t.roles.unavailable, cancelled: t.roles.disabled, running: t.roles.checking });

export function List({ roles, at, onNew }: { roles: readonly RoleSaid[]; at: string; onNew: (() => void) | null }) {
  const t = useText();
  const words = stateWords(t);
  const edits = useEdits();
  return (
    <nav className="list" aria-label={t.roles.list}>
      <header><h1>{t.screens.roles}</h1><span className="grow" />{onNew && <button type="button" className="btn" data-act="new" onClick={onNew}>{t.roles.new}</button>}</header>
      {roles.map(r => (
        <Link key={r.id} className={r.enabled === false ? 'rl off' : 'rl'} href={`/roles/${r.id}`} aria-current={r.id === at ? 'true' : undefined} data-stop="">
          <Icon name={roleIcon(r.id)} /><b className="cut">{r.name ?? r.id}</b><span className="ends">{edits.has(r.id) && <span className="unsaved" title={t.roles.unsaved}><i aria-hidden="true" /><span className="sr">{t.roles.unsaved}</span></span>}<span className="st" data-s={stateOf(r)} title={words[stateOf(r)]}><i className="g" data-s={stateOf(r)} role="img" aria-label={words[stateOf(r)]} /></span></span>
          <small>{r.id} {r.enabled === false ? <span className="m">{t.roles.disabled}</span> : r.modelValidation?.status === 'invalid' ? <span className="bad">{t.roles.unknownModel}</span> : <span className="m">{r.model}</span>}</small>
        </Link>
      ))}
    </nav>
  );
}

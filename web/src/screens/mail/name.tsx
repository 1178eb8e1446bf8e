// An agent by its id, as mail knows it; a launched one has its role's sign.

import { useAgent } from '../../parts/app';
import { Icon, Id, Link, roleIcon } from '../../parts/basic';

export function Name({ id }: { id: string }) {
  const agent = useAgent(id);
  return <span className="name" dir="auto">{agent && <Icon name={roleIcon(agent.role)} small />}{agent ? <Id id={id} /> : <b className="cut" title={id}>{id}</b>}</span>;
}

/** The same, and the way to its page if it has one. */
export function NameLink({ id }: { id: string }) {
  return useAgent(id) ? <Link href={`/agents/${encodeURIComponent(id)}`}><Name id={id} /></Link> : <Name id={id} />;
}

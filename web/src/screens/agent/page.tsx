import { AgentView } from './view';

export default function AgentPage({ id }: { id: string }) {
  return <AgentView key={id} id={id} isDrawer={false} />;
}

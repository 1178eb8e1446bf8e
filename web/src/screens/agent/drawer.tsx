import { useText } from '../../parts/app';
import { Icon } from '../../parts/basic';
import { Dialog } from '../../parts/dialog';
import { AgentView } from './view';

export default function Drawer({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText();
  return (
    <Dialog onClose={onClose} label={id} className="drawer">
      <button type="button" className="btn quiet icon drawer-close" aria-label={t.frame.close} title={t.frame.close} onClick={onClose}><Icon name="x" /></button>
      <AgentView key={id} id={id} isDrawer />
    </Dialog>
  );
}

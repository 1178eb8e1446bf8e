import { useEffect, useState } from 'react';
import type { ConfigAnswer, ModelsAnswer, RoleAnswer } from '../../feed/types';
import { useApp, useManyChanges, useText } from '../../parts/app';
import { useAnswer } from '../../parts/ask';
import { Trouble, Wait } from '../../parts/basic';
import { NewDialog, SureDialog, type Sure } from './dialogs';
import { Editor } from './editor';
import { List } from './list';
import './roles.css';

export default function Roles({ id }: { id: string }) {
  const t = useText();
  const { store } = useApp();
  // A hand edit of the file and a check that ends both change what is said.
  const round = useManyChanges(['roles', 'config']);
  const [like, setLike] = useState<string | null>(null);
  const [sure, setSure] = useState<Sure | null>(null);
  const roles = [...store.shown.roles.values()];
  const at = id || roles[0]?.id || '';
  const isKnown = store.live.roles.has(at);
  const said = useAnswer<RoleAnswer>(at && isKnown ? `roles/${encodeURIComponent(at)}` : null, round);
  const models = useAnswer<ModelsAnswer>('models', store.live.models.length);
  const config = useAnswer<ConfigAnswer>('config', round);
  const backends = models.data?.backends ?? [];
  useEffect(() => { document.getElementById('main')?.scrollTo(0, 0); }, [at]);
  const isLocked = store.past !== null || store.endsAt !== null;
  return (
    <div id="roles">
      <List roles={roles} at={at} onNew={isLocked ? null : () => setLike('')} />
      {said.data?.role.id === at
        ? <Editor key={at} said={said.data} backends={backends} tools={config.data?.tools ?? []} onSure={setSure} onCopy={() => setLike(at)} onSaved={said.again} />
        : <div className="form">{said.error ? <Trouble title={t.error.title} say={said.error.message} /> : at && isKnown ? <Wait>{t.roles.loading}</Wait> : <p className="dim">{t.roles.none}</p>}</div>}
      {like !== null && <NewDialog like={like} roles={roles} backends={backends} onClose={() => setLike(null)} />}
      {sure && <SureDialog sure={sure} onClose={() => setSure(null)} />}
    </div>
  );
}

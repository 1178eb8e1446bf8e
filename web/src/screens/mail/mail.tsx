import { useSyncExternalStore } from 'react';
import type { TalksAnswer } from '../../feed/types';
import { openIn, openOf } from '../../model/mail';
import { useApp, useText } from '../../parts/app';
import { Ghost, Paste, Segments, Trouble } from '../../parts/basic';
import { go, useRoute, withQuery } from '../../parts/route';
import { useShown } from '../../parts/shown';
import { Boxes, Values } from './side';
import { Talks } from './talks';
import { Thread } from './thread';
import './mail.css';

type View = 'talks' | 'boxes' | 'values';

const CALL = 'agent_send_message(sender_id="coder", receiver_id="reviewer", content="Ready for review")';
const SHARE = 'context_share(key="current_task", value={"id": "TASK-1"}, agent_id="director")';

/** Nobody has written: how they do. */
function Empty() {
  const t = useText();
  const { store } = useApp();
  return (
    <div className="first mail-first">
      <h1>{store.past === null ? t.mail.empty : t.mail.emptyPast}</h1>
      <p>{t.mail.emptySay}</p>
      <ol>
        <li><div>{t.mail.tell}<Paste text={t.mail.ask} isProse /></div></li>
        <li><div>{t.mail.call}<Paste text={CALL} /></div></li>
        <li><div>{t.mail.share}<Paste text={SHARE} /></div></li>
      </ol>
    </div>
  );
}

const phone = typeof matchMedia === 'undefined' ? null : matchMedia('(max-width: 760px)');
const useIsPhone = () => useSyncExternalStore(l => { phone?.addEventListener('change', l); return () => phone?.removeEventListener('change', l); }, () => phone?.matches ?? false);

function Full({ said, view }: { said: TalksAnswer; view: View }) {
  const t = useText();
  const { query } = useRoute();
  const isPhone = useIsPhone();
  const first = said.talks[0];
  // On a phone there is room for the list or for one of it.
  const open = openIn(query) ?? (isPhone || !first ? null : openOf(first));
  return (
    <div className="mail" data-view={view} data-open={open === null ? 'none' : 'one'}>
      <div className="bench mail-views">
        <Segments value={view} label={t.mail.views} onChange={v => go(withQuery({ view: v === 'talks' ? null : v }), 'replace')}
          options={[{ value: 'talks', label: t.mail.talks }, { value: 'boxes', label: t.mail.boxes }, { value: 'values', label: t.mail.values }]} />
      </div>
      <Talks said={said} open={open} />
      {open ? <Thread key={JSON.stringify(open)} open={open} /> : <p className="dim none thread">{said.talks.length === 0 ? t.mail.noneYet : t.mail.choose}</p>}
      <aside className="side" aria-label={`${t.mail.boxes}, ${t.mail.values}`}><Boxes /><Values /></aside>
    </div>
  );
}

/** Anything at all: values can be shared before a word is written. */
const useIsEmpty = (said: TalksAnswer | null) => {
  const boxes = useShown<{ boxes: unknown[] }>('mail/boxes?limit=1', 'mail');
  return said !== null && said.talks.length === 0 && boxes.data !== null && boxes.data.boxes.length === 0;
};

export default function MailScreen() {
  const t = useText();
  const { query } = useRoute();
  const { data, error } = useShown<TalksAnswer>('mail', 'mail');
  const isEmpty = useIsEmpty(data);
  const asked = query.get('view');
  const view: View = asked === 'boxes' || asked === 'values' ? asked : 'talks';
  return (
    <div className={isEmpty || !data ? 'page' : 'page mail-page'}>
      <h1 className="sr">{t.screens.mail}</h1>
      {error && <Trouble title={t.error.title} say={error.message} />}
      {!data && !error && <div className="pad"><Ghost cards={4} /></div>}
      {data && (isEmpty ? <Empty /> : <Full said={data} view={view} />)}
    </div>
  );
}

// Beside the conversations: mailboxes with what is unread, and what is shared
// with whom.

import { useEffect, useState } from 'react';
import { ask } from '../../feed/ask';
import type { BoxesAnswer, BoxSaid, ValuesAnswer, ValueSaid } from '../../feed/types';
import { byUnread, valueText } from '../../model/mail';
import { moment } from '../../model/world';
import { useApp, useText } from '../../parts/app';
import { Ghost, Icon, Trouble } from '../../parts/basic';
import { atMoment, useShown } from '../../parts/shown';
import { bytes, clock } from '../../text/format';
import { NameLink } from './name';

function Box({ b }: { b: BoxSaid }) {
  const t = useText();
  const active = moment(b.last_active_at);
  return (
    <li className="box-row">
      <NameLink id={b.id} />
      <span className="cut dim" dir="auto" title={b.description ?? ''}>{b.name !== b.id && `${b.name} · `}{t.mail.states[b.state]}{b.state !== 'expected' && active !== null && ` · ${t.mail.active(clock(active).slice(0, 5))}`}</span>
      {b.unread > 0 ? <b className="count" title={t.mail.unread(b.unread)} aria-label={t.mail.unread(b.unread)} role="img">{b.unread}</b> : <span />}
    </li>
  );
}

/** The pages after the first, as far as one has asked; anew at every moment. */
function useMore<A extends { next?: string }>(path: string, first: A | null) {
  const { store } = useApp();
  const [more, setMore] = useState<A[]>([]);
  useEffect(() => setMore([]), [store.past]);
  const next = (more.at(-1) ?? first)?.next;
  const read = () => {
    if (next !== undefined) ask<A>(atMoment(`${path}?after=${encodeURIComponent(next)}`, store.past)).then(a => setMore(was => [...was, a]), () => undefined);
  };
  return { pages: more, read: next === undefined ? null : read };
}

export function Boxes() {
  const t = useText();
  const { data, error } = useShown<BoxesAnswer>('mail/boxes', 'mail');
  const more = useMore('mail/boxes', data);
  const all = byUnread([...data?.boxes ?? [], ...more.pages.flatMap(p => p.boxes)]);
  return (
    <section className="side-part"><h2>{t.mail.boxes}</h2>
      {error && <Trouble title={t.error.title} say={error.message} />}
      {!data && !error && <Ghost cards={1} />}
      {data && all.length === 0 && <p className="dim">{t.mail.noBoxes}</p>}
      <ul>{all.map(b => <Box key={b.id} b={b} />)}</ul>
      {more.read && <button type="button" className="btn quiet" onClick={more.read}>{t.mail.moreBoxes}</button>}
    </section>
  );
}

function Readers({ v }: { v: ValueSaid }) {
  const t = useText();
  const isPublic = v.access_level === 'public';
  const said = isPublic ? t.mail.everybody : v.allowed_agents.length > 0 ? t.mail.readers([v.owner_agent_id, ...v.allowed_agents].join(', ')) : t.mail.onlyOwner(v.owner_agent_id);
  return <span className={isPublic ? 'readers' : 'readers few'}><Icon name={isPublic ? 'code-review' : 'lock'} small /><span className="sr">{t.mail.mayRead}: </span><span dir="auto">{said}</span></span>;
}

function Value({ v }: { v: ValueSaid }) {
  const t = useText();
  return (
    <li className="value">
      <details><summary data-stop=""><b className="mono cut" dir="auto" title={v.key}>{v.key}</b><Readers v={v} /></summary>
        {v.value === undefined ? <p className="dim">{t.mail.tooLong(bytes(v.bytes))}</p> : <pre className="mono" dir="auto" tabIndex={0}>{valueText(v.value)}</pre>}
      </details>
      <small className="dim" dir="auto">{t.mail.by(v.updated_by, clock(moment(v.updated_at) ?? 0))}</small>
    </li>
  );
}

export function Values() {
  const t = useText();
  const { data, error } = useShown<ValuesAnswer>('mail/values', 'mail');
  const more = useMore('mail/values', data);
  const all = [...data?.values ?? [], ...more.pages.flatMap(p => p.values)];
  return (
    <section className="side-part"><h2>{t.mail.values}</h2>
      {error && <Trouble title={t.error.title} say={error.message} />}
      {!data && !error && <Ghost cards={1} />}
      {data && all.length === 0 && <p className="dim">{t.mail.noValues}</p>}
      <ul>{all.map(v => <Value key={v.key} v={v} />)}</ul>
      {more.read && <button type="button" className="btn quiet" onClick={more.read}>{t.mail.moreValues}</button>}
    </section>
  );
}

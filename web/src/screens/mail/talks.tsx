// Who writes to whom: the newest conversation first.

import { useEffect, useState } from 'react';
import { ask } from '../../feed/ask';
import type { TalkSaid, TalksAnswer } from '../../feed/types';
import { isSame, openOf, queryOf, type Open } from '../../model/mail';
import { moment } from '../../model/world';
import { useApp, useText } from '../../parts/app';
import { Icon, Link } from '../../parts/basic';
import { withQuery } from '../../parts/route';
import { atMoment } from '../../parts/shown';
import { clock, day } from '../../text/format';
import { Name } from './name';

/** Of today the hour, of other days the day. */
export function When({ at }: { at: string }) {
  const { store } = useApp();
  const ms = moment(at) ?? 0;
  return <time className="dim when" dateTime={at} title={`${day(ms)} ${clock(ms)}`}>{day(ms) === day(store.now()) ? clock(ms).slice(0, 5) : day(ms)}</time>;
}

function Talk({ talk, isOpen }: { talk: TalkSaid; isOpen: boolean }) {
  const t = useText();
  const open = openOf(talk);
  return (
    <li><Link className="talk" data-stop="" href={withQuery(queryOf(open), '/mail')} aria-current={isOpen ? 'true' : undefined}>
      <span className="who">{open === 'all' ? <><Icon name="all" small /><b>{t.mail.toAll}</b></> : <><Name id={open.one} /><span className="dim" aria-hidden="true">⇄</span><span className="sr">{t.mail.and}</span><Name id={open.other} /></>}</span>
      <When at={talk.last.created_at} />
      <span className="cut mid last" dir="auto">{talk.last.sender_id}: {talk.last.content}</span>
      {talk.unread > 0 && <b className="count" title={t.mail.unread(talk.unread)} aria-label={t.mail.unread(talk.unread)} role="img">{talk.unread}</b>}
    </Link></li>
  );
}

/** Those of older messages, a step at a time; anew at every moment. */
function useOlder(previous: number | undefined, past: number | null) {
  const [older, setOlder] = useState<TalksAnswer[]>([]);
  useEffect(() => setOlder([]), [past]);
  const next = older.length > 0 ? older.at(-1)!.previous : previous;
  const more = () => {
    if (next !== undefined) ask<TalksAnswer>(atMoment(`mail?before=${next}`, past)).then(a => setOlder(was => [...was, a]), () => undefined);
  };
  return { talks: older.flatMap(a => a.talks), more: next === undefined ? null : more };
}

export function Talks({ said, open }: { said: TalksAnswer; open: Open | null }) {
  const t = useText();
  const { store } = useApp();
  const older = useOlder(said.previous, store.past);
  const known = said.talks.map(openOf);
  const rest = older.talks.filter(x => !known.some(k => isSame(k, openOf(x))));
  return (
    <nav className="talks" aria-label={t.mail.talks}>
      <ul>{[...said.talks, ...rest].map(x => <Talk key={x.agents.join('\n')} talk={x} isOpen={isSame(open, openOf(x))} />)}</ul>
      {older.more && <button type="button" className="btn quiet" onClick={older.more}>{t.mail.moreTalks}</button>}
    </nav>
  );
}

// One conversation, oldest on top; a page of it at a time.

import { useEffect, useRef, useState } from 'react';
import type { LetterSaid, LettersAnswer } from '../../feed/types';
import { isSpokenOn, pageOf, queryOf, valueText, type Open } from '../../model/mail';
import { moment } from '../../model/world';
import { useApp, useText } from '../../parts/app';
import { Ghost, Icon, Link, Trouble } from '../../parts/basic';
import { withQuery } from '../../parts/route';
import { useShown } from '../../parts/shown';
import { bytes, clock } from '../../text/format';
import { NameLink } from './name';
import { When } from './talks';

const PAGE = 100;
/** Characters; what is longer is folded. */
const LONG = 1500;

function Content({ l }: { l: LetterSaid }) {
  const t = useText();
  const [isWhole, setWhole] = useState(false);
  const isLong = l.content.length > LONG;
  return (
    <>
      <p className="words" dir="auto">{isLong && !isWhole ? `${l.content.slice(0, LONG)}…` : l.content}</p>
      {isLong && <button type="button" className="btn quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>{isWhole ? t.mail.less : t.mail.whole}</button>}
      {l.truncated && (isWhole || !isLong) && <p className="dim">{t.mail.cut(bytes(new TextEncoder().encode(l.content).length), bytes(l.bytes))}</p>}
      {l.metadata && <details className="meta"><summary>{t.mail.metadata}</summary><pre className="mono">{valueText(l.metadata)}</pre></details>}
    </>
  );
}

/** Whether it was read is told by a sign and words. */
function ReadMark({ l }: { l: LetterSaid }) {
  const t = useText();
  if (l.receiver_id === null) return <span className="dim mark-read"><Icon name="code-review" small />{t.mail.readBy(l.read_by ?? 0)}</span>;
  if (l.status === 'pending') return <span className="unread"><i aria-hidden="true" />{t.mail.unreadHere}</span>;
  return <span className="dim mark-read"><Icon name="check" small />{t.mail.readAt(clock(moment(l.read_at) ?? 0))}</span>;
}

function Letter({ l, isOn, isOther }: { l: LetterSaid; isOn: boolean; isOther: boolean }) {
  const t = useText();
  return (
    <li className={`letter${isOn ? ' on' : ''}${isOther ? ' other' : ''}`} data-stop="" tabIndex={-1}>
      {!isOn && <header><NameLink id={l.sender_id} /><When at={l.created_at} />{l.message_type === 'context' && <span className="tag">{t.mail.kinds.context}</span>}</header>}
      <div className="sheet"><Content l={l} /></div>
      <footer><ReadMark l={l} /></footer>
    </li>
  );
}

/** What is new is seen by who is at the end; who reads above stays there. */
function useFollow(last: number | undefined) {
  const end = useRef<HTMLDivElement>(null);
  const wasAtEnd = useRef(true);
  useEffect(() => {
    const box = end.current?.closest('.thread-scroll');
    if (!box) return;
    const note = () => { wasAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 80; };
    box.addEventListener('scroll', note, { passive: true });
    return () => box.removeEventListener('scroll', note);
  });
  useEffect(() => {
    const box = end.current?.closest('.thread-scroll');
    if (box && wasAtEnd.current) box.scrollTop = box.scrollHeight;
  }, [last]);
  return end;
}

function Letters({ said, one }: { said: LettersAnswer; one: string | null }) {
  const t = useText();
  const { store } = useApp();
  const end = useFollow(said.messages.at(-1)?.number);
  if (said.messages.length === 0) return <p className="dim none">{store.past === null ? t.mail.noneYet : t.mail.none}</p>;
  return (
    <>
      <ol className="letters">{said.messages.map((l, i) => <Letter key={l.number} l={l} isOn={isSpokenOn(said.messages[i - 1], l)} isOther={one !== null && l.sender_id !== one} />)}</ol>
      <div ref={end} />
    </>
  );
}

export function Thread({ open }: { open: Open }) {
  const t = useText();
  /** Where the pages shown before this one ended. */
  const [ends, setEnds] = useState<number[]>([]);
  const page = useShown<LettersAnswer>(pageOf(open, PAGE, ends.at(-1)), 'mail');
  const first = page.data?.messages[0]?.number;
  return (
    <section className="thread" aria-label={open === 'all' ? t.mail.toAll : `${open.one} ${t.mail.and} ${open.other}`}>
      <header className="thread-head">
        <Link className="btn quiet icon back" href={withQuery(queryOf(null), '/mail')} aria-label={t.mail.back} title={t.mail.back}><Icon name="left" /></Link>
        <h2>{open === 'all' ? <><Icon name="all" small />{t.mail.toAll}</> : <><NameLink id={open.one} /><span className="dim" aria-hidden="true">⇄</span><NameLink id={open.other} /></>}</h2>
      </header>
      <div className="thread-scroll" tabIndex={0} role="region" aria-label={t.mail.talks}>
        {page.data?.has_more && first !== undefined && <button type="button" className="btn older" onClick={() => setEnds([...ends, first])}>{t.mail.older}</button>}
        {page.error && <Trouble title={t.error.title} say={page.error.message} />}
        {!page.data && !page.error && <Ghost cards={2} />}
        {page.data && <Letters said={page.data} one={open === 'all' ? null : open.one} />}
        {ends.length > 0 && <button type="button" className="btn older" onClick={() => setEnds(ends.slice(0, -1))}>{t.mail.newer}</button>}
      </div>
    </section>
  );
}

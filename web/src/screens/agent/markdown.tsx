// A result as Markdown, made safe: what DOMPurify does not know is gone, and
// nothing in it may fetch anything. What is long comes in pieces.

import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { memo, useMemo, useState } from 'react';
import { piecesOf } from '../../model/pieces';
import { useText } from '../../parts/app';
import './markdown.css';

const TAGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'ul', 'ol', 'li', 'pre', 'code', 'em', 'strong', 'del', 'blockquote', 'hr', 'br', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'input'];
const PLAIN = ['type', 'checked', 'disabled', 'align', 'start'];

// Of what one can fill in there is nothing but the box of a list of tasks.
DOMPurify.addHook('afterSanitizeAttributes', node => {
  if (node.nodeName !== 'INPUT') return;
  if (node.getAttribute('type') !== 'checkbox') { node.remove(); return; }
  node.setAttribute('disabled', '');
  node.setAttribute('aria-label', node.hasAttribute('checked') ? '✓' : '–');
});

// Markup in it is shown as what was written: passed on, an unclosed comment
// would swallow the rest. A picture is a link to it, for nothing is fetched.
const escaped = (text: string) => text.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
marked.use({
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
  },
});

export function toHtml(text: string): string {
  const html = marked.parse(text, { async: false, gfm: true, breaks: true });
  return DOMPurify.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ['href', ...PLAIN], ADD_URI_SAFE_ATTR: PLAIN, ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i });
}

const Piece = memo(function Piece({ text }: { text: string }) {
  const html = useMemo(() => toHtml(text), [text]);
  return <div className="md-piece" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
});

export default function Markdown({ text }: { text: string }) {
  const t = useText();
  const pieces = useMemo(() => piecesOf(text), [text]);
  const [count, setCount] = useState(1);
  const open = (e: React.MouseEvent) => {
    const a = (e.target as HTMLElement).closest('a');
    if (!a) return;
    e.preventDefault();
    if (/^https?:/.test(a.href)) window.open(a.href, '_blank', 'noopener,noreferrer');
  };
  return (
    <div className="md" onClick={open}>
      {pieces.slice(0, count).map((p, i) => <Piece key={i} text={p} />)}
      {count < pieces.length && <button type="button" className="btn md-more" onClick={() => setCount(count + 1)}>{t.agent.moreOfIt(count, pieces.length)}</button>}
    </div>
  );
}

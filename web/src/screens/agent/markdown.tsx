// A result as Markdown, made safe: what DOMPurify does not know is gone, and
// nothing in it may fetch anything.

import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';

const LIMIT = 1 << 20;

const TAGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'ul', 'ol', 'li', 'pre', 'code', 'em', 'strong', 'del', 'blockquote', 'hr', 'br', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'input'];

export function toHtml(text: string): string {
  const html = marked.parse(text.slice(0, LIMIT), { async: false, gfm: true, breaks: true });
  return DOMPurify.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ['href', 'type', 'checked', 'disabled', 'align', 'start'], ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i });
}

export default function Markdown({ text }: { text: string }) {
  const html = useMemo(() => toHtml(text), [text]);
  return <div className="md" dir="auto" dangerouslySetInnerHTML={{ __html: html }} onClick={e => {
    const a = (e.target as HTMLElement).closest('a');
    if (!a) return;
    e.preventDefault();
    if (/^https?:/.test(a.href)) window.open(a.href, '_blank', 'noopener,noreferrer');
  }} />;
}

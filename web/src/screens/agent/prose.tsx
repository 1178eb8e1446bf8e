// Text of agents. What stands in `ticks` is code; nothing else is read into
// it, and nothing of it is ever markup.

import { Fragment, memo } from 'react';

export const Inline = memo(function Inline({ text }: { text: string }) {
  const parts = text.split(/(`[^`\n]+`)/g);
  return <>{parts.map((p, i) => i % 2 === 1 ? <code key={i}>{p.slice(1, -1)}</code> : <Fragment key={i}>{p}</Fragment>)}</>;
});

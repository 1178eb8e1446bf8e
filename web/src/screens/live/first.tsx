// First run: what to do next, ready to paste.

import { useState } from 'react';
import { useApp, useChanges, useText } from '../../parts/app';
import { Paste, Segments } from '../../parts/basic';

const CLIENTS = ['Cursor', 'Claude Code', 'Codex', 'Gemini'] as const;
type Client = (typeof CLIENTS)[number];

export const LINES: Record<Client, string> = {
  Cursor: 'mkdir -p .cursor && kuromajutsu mcp-config > .cursor/mcp.json',
  'Claude Code': 'claude mcp add kuromajutsu -- kuromajutsu mcp',
  Codex: 'codex mcp add kuromajutsu -- kuromajutsu mcp',
  Gemini: 'gemini mcp add kuromajutsu kuromajutsu mcp',
};

export function First() {
  const t = useText();
  const { store } = useApp();
  useChanges('connection');
  const [client, setClient] = useState<Client>('Cursor');
  return (
    <div className="first">
      <h1>{t.first.title}</h1>
      <p>{store.connection.state === 'lost' ? t.error.lost : t.first.say}</p>
      <ol>
        <li><div>{t.first.tell}<Segments value={client} label={t.first.tell} onChange={setClient} options={CLIENTS.map(c => ({ value: c, label: c }))} /><Paste text={LINES[client]} /></div></li>
        <li><div>{t.first.ask}<Paste text={t.first.example} isProse /></div></li>
      </ol>
    </div>
  );
}

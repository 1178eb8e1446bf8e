// A page that is left open for days keeps what it shows, not what it was told:
// reports and prompts may be as long as one likes, and the agent's own page
// asks for them.

import type { Message } from '../feed/types';

/** Characters of a long text that stay. */
export const KEPT = 2000;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const sizeOf = (text: string): number => encoder.encode(text).length;

/** The beginning of a text, as a text of its own: a mere slice would keep the
 * whole alive. */
export function beginning(text: string, most = KEPT): string {
  return text.length <= most ? text : decoder.decode(encoder.encode(text.slice(0, most)));
}

type Said = Record<string, unknown>;
const isLong = (v: unknown): v is string => typeof v === 'string' && v.length > KEPT;

function lightReport(said: Said): Said {
  if (!isLong(said['response'])) return said;
  return { ...said, response: beginning(said['response']), responseBytes: said['responseBytes'] ?? sizeOf(said['response']) };
}

/** The message as it is kept; the same one where it is short. */
export function light(m: Message): Message {
  if (!m.data) return m;
  let data = lightReport(m.data);
  const result = data['result'];
  if (typeof result === 'object' && result !== null) {
    const small = lightReport(result as Said);
    if (small !== result) data = { ...data, result: small };
  }
  if (isLong(data['prompt'])) data = { ...data, prompt: beginning(data['prompt']) };
  return data === m.data ? m : { ...m, data };
}

// Questions of the API. Who answers them is the page's source: a hub, or what a
// file has with it.

import type { Language } from './types';

export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly remedy: string) { super(message); }
}

interface ErrorBody { code?: string; message?: string; remedy?: string; error?: boolean | { code?: string; message?: string; remedy?: string } }

export type Answerer = (path: string, signal?: AbortSignal) => Promise<unknown>;

let spoken: Language | null = null;

/** In which language the hub is to answer. */
export function answerIn(language: Language): void { spoken = language; }
export const answeredIn = (): Language | undefined => spoken ?? undefined;

async function askHub(path: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(`/api/${path}`, { signal, headers: spoken ? { 'accept-language': spoken } : {} });
  // A body that breaks off, for nobody wants it any more, is no answer.
  if (answer.ok) return answer.json();
  const body = await answer.json().catch(() => ({})) as ErrorBody;
  const e = typeof body.error === 'object' ? body.error : body;
  throw new ApiError(answer.status, e.code ?? '', e.message ?? answer.statusText, e.remedy ?? '');
}

let answerer: Answerer = askHub;

/** Before the first question. */
export function answerBy(other: Answerer): void { answerer = other; }

export const ask = <T>(path: string, signal?: AbortSignal): Promise<T> => answerer(path, signal) as Promise<T>;

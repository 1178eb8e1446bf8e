// Questions of the API. Who answers them is the page's source: a hub, or what a
// file has with it.

export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly remedy: string) { super(message); }
}

interface ErrorBody { code?: string; message?: string; remedy?: string; error?: boolean | { code?: string; message?: string; remedy?: string } }

export type Answerer = (path: string, signal?: AbortSignal) => Promise<unknown>;

async function askHub(path: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(`/api/${path}`, { signal });
  const body = await answer.json().catch(() => ({})) as ErrorBody;
  if (answer.ok) return body;
  const e = typeof body.error === 'object' ? body.error : body;
  throw new ApiError(answer.status, e.code ?? '', e.message ?? answer.statusText, e.remedy ?? '');
}

let answerer: Answerer = askHub;

/** Before the first question. */
export function answerBy(other: Answerer): void { answerer = other; }

export const ask = <T>(path: string, signal?: AbortSignal): Promise<T> => answerer(path, signal) as Promise<T>;

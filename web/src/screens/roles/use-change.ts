// What a change of a role would write, asked of the hub while one types: the
// hub alone knows the file, and says what is wrong with a value as well.

import { useEffect, useRef, useState } from 'react';
import type { ChangeAnswer } from '../../feed/types';
import { useApp, useText } from '../../parts/app';
import { sayError } from '../../parts/dialog';

const TYPING_MS = 250;

export type Deed = 'config:update_role' | 'config:create_role' | 'config:delete_role';

export interface Change { deed: Deed; data: Record<string, unknown> }
export interface Dry { answer: ChangeAnswer | null; error: string; isAsking: boolean }

/** null: nothing is to be changed. */
export function useDryRun(change: Change | null): Dry {
  const t = useText();
  const { feed } = useApp();
  const [dry, setDry] = useState<Dry>({ answer: null, error: '', isAsking: false });
  const round = useRef(0);
  const asked = change === null ? '' : JSON.stringify(change);
  useEffect(() => {
    const mine = ++round.current;
    if (asked === '') {
      setDry({ answer: null, error: '', isAsking: false });
      return;
    }
    setDry(d => ({ ...d, isAsking: true }));
    const c = JSON.parse(asked) as Change;
    const timer = setTimeout(() => {
      feed.command(c.deed, { ...c.data, dryRun: true }).then(
        data => { if (mine === round.current) setDry({ answer: data as unknown as ChangeAnswer, error: '', isAsking: false }); },
        (e: unknown) => { if (mine === round.current) setDry({ answer: null, error: sayError(e, t.error.lost), isAsking: false }); });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [asked, feed, t]);
  return dry;
}

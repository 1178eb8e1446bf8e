import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Again } from './again';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

test('what is wanted is done at once, and of what is wanted meanwhile one more', async () => {
  let count = 0;
  let done = () => undefined as void;
  const again = new Again(() => { count++; return new Promise(then => { done = then; }); }, 100);
  again.want();
  expect(count).toBe(1);
  again.want();
  again.want();
  expect(count).toBe(1);
  done();
  await vi.advanceTimersByTimeAsync(99);
  expect(count).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(count).toBe(2);
  done();
  await vi.advanceTimersByTimeAsync(1000);
  expect(count).toBe(2);
});

test('after its end nothing is done any more', async () => {
  let count = 0;
  const again = new Again(() => { count++; return Promise.resolve(); }, 100);
  again.want();
  again.want();
  again.end();
  await vi.advanceTimersByTimeAsync(1000);
  again.want();
  expect(count).toBe(1);
});

// SPDX-License-Identifier: MIT
// dashboard.mjs WEB CHROMIUM JSON: looks at the dashboard of a hub as a person
// does, and prints figures of it as one JSON object.
//
//   {"scene": "crowd", "url": URL, "seconds": N, "loads": N}
//   {"scene": "past", "url": URL, "jumps": N, "seconds": N}
//
// Tasks are those of Chromium's own trace of the page's main thread. Each has
// a length by the clock and one in CPU time of its thread: the two are the same
// on a machine that has nothing else to do.
import { createRequire } from 'node:module';

const [web, executablePath, text] = process.argv.slice(2);
const ask = JSON.parse(text);
const { chromium } = createRequire(`${web}/`)('playwright-core');

const BRIEF = Math.max(5, Math.min(30, ask.seconds / 10));
const SETTLE_MS = Math.min(5000, ask.seconds * 500);
const DEADLINE_MS = 120_000;
const CATEGORIES = ['toplevel', 'blink.user_timing', '__metadata'];
const TASK = 'ThreadControllerImpl::RunTask';

const sleep = ms => new Promise(then => setTimeout(then, ms));

async function until(page, script, what) {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end; await sleep(20)) if (await page.evaluate(script)) return;
  throw new Error(`waited in vain for ${what}`);
}

// ---- the trace ---------------------------------------------------------------

async function traced(browser, during) {
  const cdp = await browser.newBrowserCDPSession();
  const done = new Promise(then => cdp.once('Tracing.tracingComplete', then));
  await cdp.send('Tracing.start', {
    transferMode: 'ReturnAsStream', traceConfig: { recordMode: 'recordAsMuchAsPossible', traceBufferSizeInKb: 1_000_000, includedCategories: CATEGORIES, excludedCategories: ['*'] },
  });
  await during();
  await cdp.send('Tracing.end');
  const { stream } = await done;
  const parts = [];
  for (;;) {
    const { data, eof } = await cdp.send('IO.read', { handle: stream, size: 1 << 24 });
    parts.push(data);
    if (eof) break;
  }
  await cdp.send('IO.close', { handle: stream });
  await cdp.detach();
  return JSON.parse(parts.join('')).traceEvents;
}

/** Tasks of the busiest renderer's main thread: the page's, for there is one. */
function tasksOf(events) {
  const mains = new Set(events.filter(e => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map(e => `${e.pid}/${e.tid}`));
  const by = new Map([...mains].map(key => [key, []]));
  for (const e of events) if (e.ph === 'X' && e.name.endsWith(TASK)) by.get(`${e.pid}/${e.tid}`)?.push(e);
  const sum = list => list.reduce((n, e) => n + e.dur, 0);
  return [...by.values()].sort((a, b) => sum(b) - sum(a))[0] ?? [];
}

/** CPU time of the tasks between each mark "begin" of the page and its "end", in
 * ns; the marks of a page that has just been opened have no beginning. */
function costs(events) {
  const tasks = tasksOf(events);
  const at = name => events.filter(e => e.name === name && e.cat.includes('user_timing')).map(e => e.ts).sort((a, b) => a - b);
  const begins = at('bench-begin');
  return at('bench-end').map((end, i) => tasks.filter(e => e.ts + e.dur > (begins[i] ?? 0) && e.ts < end).reduce((n, e) => n + (e.tdur ?? 0), 0) * 1000);
}

/** Shares in percent, lengths in ns; what no task was seen of is an error. */
async function watch(browser, seconds) {
  const events = await traced(browser, () => sleep(seconds * 1000));
  const tasks = tasksOf(events);
  if (tasks.length === 0) throw new Error('the trace has no task of the page');
  const begin = tasks[0].ts;
  const last = tasks.reduce((m, e) => Math.max(m, e.ts + e.dur), begin);
  const sum = of => tasks.reduce((n, e) => n + of(e), 0);
  const most = of => tasks.reduce((n, e) => Math.max(n, of(e)), 0);
  return {
    busy: sum(e => e.dur) / (last - begin) * 100, busy_cpu: sum(e => e.tdur ?? 0) / (last - begin) * 100,
    longest: most(e => e.dur) * 1000, longest_cpu: most(e => e.tdur ?? 0) * 1000, tasks: tasks.length,
  };
}

// ---- the page ----------------------------------------------------------------

/** Notes when a frame with agents in it was painted, and counts what is heard. */
function beforeAll() {
  localStorage.setItem('language', 'en');
  window.bench = { painted: 0, heard: 0, bytes: 0 };
  const look = () => {
    if (!document.querySelector('[data-agent]')) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => { window.bench.painted = performance.mark('bench-end').startTime; }));
  };
  requestAnimationFrame(look);
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...words) {
      super(...words);
      this.addEventListener('message', e => {
        window.bench.heard++;
        window.bench.bytes += e.data.length;
      });
    }
  };
}

async function open(browser) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(beforeAll);
  const page = await context.newPage();
  await page.goto(ask.url);
  await until(page, 'window.bench.painted > 0', 'the first agents');
  return page;
}

async function memory(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  await cdp.detach();
  return { heap: usedSize, nodes };
}

/** The middle one of several: what counts is neither luck nor bad luck. */
async function firstPaint(browser) {
  const took = [];
  for (let i = 0; i < ask.loads; i++) {
    const page = await open(browser);
    took.push(await page.evaluate('window.bench.painted'));
    await page.context().close();
  }
  const [first_paint_cpu] = costs(await traced(browser, async () => (await open(browser)).context().close()));
  return { first_paint: took.sort((a, b) => a - b)[took.length >> 1] * 1e6, first_paint_cpu };
}

const named = (name, figures) => Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name}_${key}`, value]));

/** What a screen costs, once it has come to rest. */
async function screen(browser, page, name, seconds) {
  await sleep(SETTLE_MS);
  const before = await memory(page);
  const heard = await page.evaluate('window.bench.heard');
  const from = Date.now();
  const figures = await watch(browser, seconds);
  const updates = (await page.evaluate('window.bench.heard') - heard) / (Date.now() - from) * 1000;
  const after = await memory(page);
  return { ...named(name, { ...figures, nodes: after.nodes, heap: after.heap }), updates, grown: Math.max(0, after.heap - before.heap) };
}

async function crowd(browser) {
  const first = await firstPaint(browser);
  const page = await open(browser);
  const live = await screen(browser, page, 'live', ask.seconds);
  await page.click('.bench .seg button:nth-child(1)');
  await until(page, "document.querySelectorAll('.card').length > 0", 'the cards');
  const cards = await screen(browser, page, 'cards', BRIEF);
  await page.goto(`${ask.url}timeline`);
  await until(page, "document.querySelector('.timeline canvas') !== null", 'the time line');
  const lanes = await screen(browser, page, 'lanes', BRIEF);
  return { ...first, ...lanes, ...cards, ...live };
}

// ---- time travel -------------------------------------------------------------

/** From a press on the bar to the frame that shows that moment. */
function jump(share) {
  return new Promise(then => {
    const track = document.querySelector('.track');
    const { left, width, top } = track.getBoundingClientRect();
    const said = document.querySelector('.clock').textContent;
    const from = performance.mark('bench-begin').startTime;
    const look = () => {
      if (document.querySelector('.app.past') && document.querySelector('.clock').textContent !== said) requestAnimationFrame(() => setTimeout(() => then(performance.mark('bench-end').startTime - from)));
      else requestAnimationFrame(look);
    };
    track.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 1, buttons: 1, clientX: left + share * width, clientY: top + 10 }));
    requestAnimationFrame(look);
  });
}

async function past(browser) {
  const page = await open(browser);
  await sleep(SETTLE_MS);
  // A pointer that no mouse has cannot be captured.
  await page.evaluate('Element.prototype.setPointerCapture = () => {}');
  const go = share => page.evaluate(`(${jump})(${share})`);
  const travel_first = await go(.5) * 1e6;
  const took = [];
  const events = await traced(browser, async () => {
    for (let i = 0; i < ask.jumps; i++) took.push(await go((i * 0.382 + 0.03) % 0.97) * 1e6);
  });
  const middle = list => list.sort((a, b) => a - b)[list.length >> 1];
  const cpu = costs(events);
  return { travel_first, travel_p50: middle(took), travel: Math.max(...took), travel_cpu: Math.max(...cpu), travel_cpu_p50: middle(cpu) };
}

const browser = await chromium.launch({
  executablePath, headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  console.log(JSON.stringify(await ({ crowd, past })[ask.scene](browser)));
} finally {
  await browser.close();
}

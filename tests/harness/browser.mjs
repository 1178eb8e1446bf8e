// SPDX-License-Identifier: MIT
// A browser on a string: a JSON object per line on stdin, an answer per line on
// stdout. harness/browser.py holds the other end.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [web, executablePath] = process.argv.slice(2);
const require = createRequire(`${web}/`);
const { chromium } = require('playwright-core');
const WAIT = Number(process.env.LOOK_DEADLINE ?? 120) * 1000;

const browser = await chromium.launch({
  executablePath, headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
let page = null;
const wrong = [];

const acts = {
  async open({ width, height, language, theme, file }) {
    // A page out of a file has nobody to ask: no network, and no other file.
    const context = await browser.newContext({ viewport: { width, height }, offline: Boolean(file) });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addInitScript(([l, t]) => { localStorage.setItem('language', l); localStorage.setItem('theme', t); }, [language, theme]);
    page = await context.newPage();
    page.setDefaultTimeout(WAIT);
    page.on('pageerror', e => wrong.push(`error: ${e}`));
    page.on('console', m => { if (m.type() === 'error' && /Content.Security.Policy|Refused to/i.test(m.text())) wrong.push(`policy: ${m.text()}`); });
    page.on('dialog', d => { wrong.push(`dialog: ${d.message()}`); void d.dismiss(); });
    const isOurs = url => file ? url.href.split('#')[0] === file : url.hostname === '127.0.0.1';
    page.on('request', r => { if (!/^(data|blob):/.test(r.url()) && !isOurs(new URL(r.url()))) wrong.push(`request: ${r.url()}`); });
  },
  async grant({ permissions }) { await page.context().grantPermissions(permissions); },
  // A function that every page of this context runs before its own scripts.
  async before({ script }) { await page.context().addInitScript(`(${script})()`); },
  // Another tab beside it, or one that was there: the others stay open.
  async tab({ index }) {
    page = index === undefined ? await page.context().newPage() : page.context().pages()[index];
    page.setDefaultTimeout(WAIT);
  },
  async close() { await page.context().close(); },
  async goto({ url }) { await page.goto(url); },
  async reload() { await page.reload(); },
  async look({ script, argument }) { return page.evaluate(`(${script})(${JSON.stringify(argument ?? null)})`); },
  // Not waitForFunction: it would evaluate in the page, whose policy forbids it.
  async wait({ script, argument }) {
    const end = Date.now() + WAIT;
    for (let why = ''; ;) {
      const isSo = await page.evaluate(`Boolean((${script})(${JSON.stringify(argument ?? null)}))`).catch(e => {
        // What is looked into is not drawn yet.
        why = String(e).split('\n')[0];
        if (!/context was destroyed|navigat|of (null|undefined)/i.test(why)) throw e;
      });
      if (isSo) return;
      if (Date.now() > end) throw new Error(`waited in vain: ${script} ${JSON.stringify(argument ?? null)} ${why}`);
      await new Promise(then => setTimeout(then, 10));
    }
  },
  async click({ selector }) { await page.click(selector); },
  async fill({ selector, text }) { await page.fill(selector, text); },
  async choose({ selector, value }) { await page.selectOption(selector, value); },
  async drag({ selector, to }) { await page.dragAndDrop(selector, to); },
  async press({ key }) { await page.keyboard.press(key); },
  async text({ selector }) { return page.textContent(selector); },
  async resize({ width, height }) { await page.setViewportSize({ width, height }); },
  async shot({ path }) {
    if (!path.endsWith('.webp')) { await page.screenshot({ path }); return; }
    const taken = await (await page.context().newCDPSession(page)).send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    require('node:fs').writeFileSync(path, Buffer.from(taken.data, 'base64'));
  },
  async motion({ reduced }) { await page.emulateMedia({ reducedMotion: reduced ? 'reduce' : 'no-preference' }); },
  async address() { return page.url(); },
  async wrong() { return wrong; },
  async axe() {
    await page.evaluate(require('node:fs').readFileSync(require.resolve('axe-core'), 'utf8'));
    const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    return found.violations.filter(v => v.impact === 'serious' || v.impact === 'critical')
      .map(v => `${v.id}: ${v.nodes.slice(0, 4).map(n => n.target.join(' ')).join(' | ')}: ${v.nodes[0].failureSummary?.split('\n')[1] ?? ''}`);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { act, ...args } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ said: (await acts[act](args)) ?? null }));
  } catch (e) {
    console.log(JSON.stringify({ error: String(e.message ?? e).split('\n').slice(0, 4).join('\n') }));
  }
}
await browser.close();

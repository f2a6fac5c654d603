// What every visitor can use: narrow screens, both themes, a keyboard, a screen reader.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { open, settled, start } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const noFit = '#v=1&model.preset=llama-3.1-405b&cluster.preset=h100-spine-leaf&cluster.devices=16';
let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

async function violations(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run());
  return result.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
  );
}

const visits = [
  ['the first example', '', { width: 1400, height: 900 }],
  ['a narrow screen', '', { width: 360, height: 740 }],
  ['what does not fit', noFit, { width: 1400, height: 900 }],
  ['a link with faults', '#v=1&model.preset=none&colour=red', { width: 360, height: 740 }],
];

for (const colorScheme of ['light', 'dark']) {
  for (const [name, hash, viewport] of visits) {
    test(`axe finds nothing: ${name}, ${colorScheme}`, async () => {
      const { page, context } = await open(site, hash, { viewport, colorScheme });
      if (hash.includes('none')) await page.locator('.notice').first().waitFor();
      else await settled(page);
      if (viewport.width < 900) await page.getByRole('button', { name: 'Edit' }).click();
      await page.evaluate(() => {
        const root = document.querySelector('nestplan-page').shadowRoot;
        for (const details of root.querySelectorAll('details')) details.open = true;
      });
      assert.deepEqual(await violations(page), []);
      await context.close();
    });
  }
}

for (const width of [360, 600, 768, 901, 1280, 1920]) {
  test(`the page does not scroll sideways at ${width} px`, async () => {
    for (const hash of ['', noFit]) {
      const { page, context } = await open(site, hash, { viewport: { width, height: 740 } });
      await settled(page);
      const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok((await wider()) <= 0);
      const edit = page.getByRole('button', { name: 'Edit' });
      if (await edit.isVisible()) await edit.click();
      assert.ok((await wider()) <= 0);
      await context.close();
    }
  });
}

test('the keyboard reaches the answer first, and focus shows', async () => {
  const { page, context } = await open(site);
  await settled(page);
  await page.keyboard.press('Tab');
  const focused = () =>
    page.evaluate(
      () => document.querySelector('nestplan-page').shadowRoot.activeElement?.className,
    );
  assert.equal(await focused(), 'skip button');
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'main');
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => {
    const element = document.querySelector('nestplan-page').shadowRoot.activeElement;
    return getComputedStyle(element).outlineStyle;
  });
  assert.equal(outline, 'solid');
  assert.equal(new URL(page.url()).hash, '');
  await context.close();
});

test('the theme is kept, with and without storage', async () => {
  const { page, context } = await open(site, '', { colorScheme: 'light' });
  await settled(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByLabel('Theme').last().selectOption('Dark');
  assert.notEqual(await background(), light);
  const dark = await background();
  await page.reload();
  assert.equal(await background(), dark);
  await context.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  await page.reload();
  await settled(page);
  assert.equal(await background(), light);
  await context.close();
});

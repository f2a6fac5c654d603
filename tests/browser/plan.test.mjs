import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { headline, numberOf, open, replanned, settled, start, textOf } from './browser.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

// Runs a check on a page of its own; no check may leave an error or reach another host.
async function visit(hash, check, options) {
  const { page, context, watched } = await open(site, hash, options);
  try {
    await check(page, context);
    assert.deepEqual(watched, { faults: [], foreign: [] });
  } finally {
    await context.close();
  }
}

test('plans the first example, and its numbers agree', () =>
  visit('', async (page) => {
    await settled(page);
    assert.match(await textOf(headline(page)), /^Trains at [\d,]+\stokens\/s/);
    const cells = await page
      .locator('[aria-labelledby=step-title] td:nth-child(2)')
      .allTextContents();
    const times = cells.filter((text) => !text.startsWith('<')).map(numberOf);
    const total = numberOf(
      await textOf(page.locator('[aria-labelledby=step-title] tfoot td').first()),
    );
    const sum = times.slice(0, -1).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - total) <= 0.006 * total + 0.01 * times.length, `${sum} ≠ ${total}`);
    assert.ok((await page.locator('.memory-bar').count()) > 0);
    assert.equal(await page.locator('.stage.worst').count(), 1);
  }));

test('nothing moves while the page loads', () =>
  visit('', async (page) => {
    await settled(page);
    const shift = await page.evaluate(
      () =>
        new Promise((done) => {
          const observer = new PerformanceObserver((list) =>
            done(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)),
          );
          observer.observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => done(0), 500);
        }),
    );
    assert.ok(shift < 0.0005, `layout shift ${shift}`); // a right-aligned number may grow
  }));

test('another number of devices gives another request and a new plan', () =>
  visit('', async (page) => {
    await settled(page);
    await page.getByLabel('Devices').first().fill('512');
    await replanned(page);
    assert.match(new URL(page.url()).hash, /cluster\.devices=512/);
  }));

test('a choice makes a history entry, and back returns to it', () =>
  visit('', async (page) => {
    await settled(page);
    const model = page.getByLabel('Model', { exact: true });
    const first = await model.inputValue();
    await model.selectOption('llama-2-7b');
    await replanned(page);
    assert.match(new URL(page.url()).hash, /model\.preset=llama-2-7b/);
    await page.goBack();
    await replanned(page);
    assert.equal(await model.inputValue(), first);
    await page.goForward();
    await replanned(page);
    assert.equal(await model.inputValue(), 'llama-2-7b');
  }));

test('a lock pins the current value, and the link keeps it', () =>
  visit('', async (page) => {
    await settled(page);
    await page.locator('.chip', { hasText: 'TP' }).first().click();
    await replanned(page);
    assert.match(new URL(page.url()).hash, /search\.pins\.tp=\d+/);
    await page.reload();
    await settled(page);
    const chip = page.locator('.chip', { hasText: 'TP' }).first();
    assert.equal(await chip.getAttribute('aria-pressed'), 'true');
    await chip.click();
    await replanned(page);
    assert.doesNotMatch(new URL(page.url()).hash, /pins/);
  }));

test('an error stands at its field, and the last answer stays', () =>
  visit('', async (page) => {
    await settled(page);
    const before = await textOf(headline(page));
    const devices = page.getByLabel('Devices').first();
    await devices.fill('99999999999');
    await page.locator('.field .error').waitFor();
    assert.equal(await devices.getAttribute('aria-invalid'), 'true');
    assert.equal(await textOf(headline(page)), before);
    await devices.fill('many');
    assert.match(await textOf(page.locator('.field .error')), /“many” is not a number/);
    await devices.fill('1,024');
    await replanned(page);
    assert.equal(await page.locator('.error').count(), 0);
  }));

test('what cannot fit says by how much', () =>
  visit(
    '#v=1&model.preset=llama-3.1-405b&cluster.preset=h100-spine-leaf&cluster.devices=16',
    async (page) => {
      await settled(page);
      assert.match(await textOf(headline(page)), /No plan fits: [\d.,]+\sGB too much/);
      assert.equal(await textOf(page.locator('.tag.bad')), 'Does not fit');
      await page.getByRole('button', { name: 'Apply' }).first().click();
      await page.locator('.tag.bad').waitFor({ state: 'detached' });
      await settled(page);
      assert.match(await textOf(headline(page)), /Trains at/);
    },
  ));

test('links that cannot be read, or hold unknown keys, say so', async () => {
  await visit('#v=9&model.preset=llama-2-7b', async (page) => {
    await settled(page);
    assert.match(await textOf(page.locator('.notice')), /another version/);
  });
  await visit(`#v=1&model.preset=${'x'.repeat(17_000)}`, async (page) => {
    await settled(page);
    assert.match(await textOf(page.locator('.notice')), /too long/);
  });
  await visit(
    '#v=1&model.preset=llama-2-7b&cluster.preset=h100-spine-leaf&cluster.devices=64&colour=red',
    async (page) => {
      await settled(page);
      assert.match(await textOf(page.locator('.notice')), /left out: colour/);
      await page.getByRole('button', { name: 'Remove' }).click();
      assert.equal(await page.locator('.notice').count(), 0);
      assert.doesNotMatch(new URL(page.url()).hash, /colour/);
    },
  );
});

test('the whole request can be edited as JSON', () =>
  visit('', async (page) => {
    await settled(page);
    await page.getByText('All settings').click();
    const editor = page.getByLabel('The whole request, as JSON');
    const request = JSON.parse(await editor.inputValue());
    await editor.fill(
      JSON.stringify({ ...request, cluster: { ...request.cluster, devices: 256 } }),
    );
    await replanned(page);
    assert.equal(await page.getByLabel('Devices').first().inputValue(), '256');
    await editor.fill('{');
    assert.equal(await editor.getAttribute('aria-invalid'), 'true');
  }));

test('a planner that cannot load says so and can be tried again', async () => {
  const { page, context } = await open(site);
  await context.route('**/presets-*.json', (route) => route.abort());
  await page.reload();
  await page.getByText(/could not be loaded/).waitFor();
  await context.unroute('**/presets-*.json');
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  assert.equal(await page.locator('.notice').count(), 0);
  await context.close();
});

test('works without a network once it has been loaded', async () => {
  const local = await start();
  const { page } = await open(local, '', { serviceWorkers: 'allow' });
  await settled(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await local.server.close();
  await page.reload();
  await settled(page);
  assert.match(await textOf(headline(page)), /^Trains at/);
  await local.browser.close();
});

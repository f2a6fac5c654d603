// Opens the built page (web/dist) in Chromium, served from the loopback, and watches what it asks
// the network for. Set NESTPLAN_CHROMIUM for another browser than Debian's.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/serve.mjs';

const dist = fileURLToPath(new URL('../../web/dist', import.meta.url));
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

export async function start() {
  if (!existsSync(dist)) throw new Error('web/dist is missing: run scripts/build web first');
  const server = await serve(dist);
  const browser = await chromium.launch({
    executablePath: process.env.NESTPLAN_CHROMIUM ?? '/usr/bin/chromium',
    args: quiet,
  });
  const close = async () => {
    await browser.close();
    await server.close();
  };
  return { browser, server, close };
}

// A page of its own context at `hash`; `watched` collects faults and foreign requests.
export async function open({ browser, server }, hash = '', options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const watched = { faults: [], foreign: [] };
  page.on('pageerror', (error) => watched.faults.push(error.message));
  page.on('console', (message) => {
    const blocked = message.text().includes('registration blocked by Playwright');
    if (message.type() === 'error' && !blocked) watched.faults.push(message.text());
  });
  context.on('request', (request) => {
    if (!request.url().startsWith(server.url)) watched.foreign.push(request.url());
  });
  await page.goto(server.url + hash);
  return { page, context, watched };
}

export const headline = (page) => page.locator('.headline:not(.blank)');

// The page has an answer for its newest request.
export async function settled(page) {
  await page.locator('.answer[aria-busy=false] .headline:not(.blank)').waitFor({ timeout: 60_000 });
}

// An edit reaches the planner 120 ms later: wait for the work to begin, then to end.
export async function replanned(page) {
  await page.waitForTimeout(300);
  await settled(page);
}

// What an element says, with single spaces.
export const textOf = async (locator) =>
  ((await locator.textContent()) ?? '').replace(/\s+/g, ' ').trim();

export const numberOf = (text) => Number(text.replace(/[^0-9.]/g, ''));

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { chromium } from '@playwright/test';
import type { BrowserContext } from '@playwright/test';

import ensureAllIsBuilt from '../../tools/build.mjs';
import { findBrowser } from '../../e2e/src/browser.ts';
import { openClinic } from '../../e2e/src/clinic-process.ts';
import { ordinaryMorning } from '../../e2e/src/moments.ts';
import { signIn } from '../../e2e/src/sign-in.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';

/** What a page fetches for as long counts as its own, whoever asked for it. */
const FIRST_SECONDS = 5;

const dist = fileURLToPath(new URL('../../apps/web/dist/', import.meta.url));

/** All that a page fetches in its first seconds, in a browser that was never there. */
export async function measurePageWeight(): Promise<Row[]> {
  ensureAllIsBuilt();
  const clinic = await openClinic({ now: ordinaryMorning });
  const { executablePath, args, env } = findBrowser();
  const browser = await chromium.launch({ executablePath, args: [...args], env: { ...env } });
  const fresh = () => browser.newContext({ baseURL: clinic.url, serviceWorkers: 'block' });
  try {
    const visitor = await fresh();
    const login = await filesOf(visitor, `${clinic.url}/login`);
    const patient = await fresh();
    await signIn(patient, clinic.url, 'new1@practice.example');
    const booking = await filesOf(patient, `${clinic.url}/`);
    const fonts = [...booking].filter((file) => /\.(woff2|png|jpg|webp)$/.test(file));
    return [
      weight('JavaScript of the login route, gz', scripts(login).map(gzipped), 105),
      weight('JavaScript of the booking route, gz', scripts(booking).map(gzipped), 145),
      weight('fonts and images', fonts.map(size), 60),
    ];
  } finally {
    await browser.close();
    await clinic.stop();
  }
}

/** The files of the built web app that are fetched, workers and what waits for the page included. */
async function filesOf(context: BrowserContext, url: string): Promise<Set<string>> {
  const files = new Set<string>();
  context.on('request', (request) => {
    const [, file] = /\/(assets\/[^?]+)/.exec(request.url()) ?? [];
    if (file !== undefined) files.add(file);
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForTimeout(FIRST_SECONDS * 1000);
  await context.close();
  return files;
}

const scripts = (files: Set<string>) => [...files].filter((file) => file.endsWith('.js'));
const size = (file: string) => readFileSync(dist + file).length;
const gzipped = (file: string) => gzipSync(readFileSync(dist + file), { level: 9 }).length;

function weight(name: string, bytes: readonly number[], aim: number): Row {
  return {
    name,
    ours: figure('kB', [bytes.reduce((sum, one) => sum + one, 0) / 1000]),
    limit: { what: 'aim', value: aim },
    aim: 'under',
  };
}

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { type CDPSession, type Page, chromium } from '@playwright/test';
import type pg from 'pg';

import { SPECIFIED_NAMES, scheduledSlots } from '@clinic/domain';

import { freePort } from '../../apps/service/testing/free-port.ts';
import type { ServiceOnOptions } from '../../apps/service/testing/service-on.ts';
import { findBrowser } from '../../e2e/src/browser.ts';
import ensureAllIsBuilt from '../../tools/build.mjs';
import { PROVIDERS, SEARCHED_AT, TEMPLATE, providerId } from '../reference-work.ts';
import { type BenchPatient, OTHER_DAYS, insertAppointments } from './clinic.ts';
import { type Row, figure } from './report.ts';
import { serving } from './serving.ts';

const EACH = 25;
const SLOWDOWN = 4;
const TRIES = 9;
const UNCOUNTED = 2;
const FIRST_SEEN_MS = 1_000;
const CHANGE_MS = 200;
const KEY_MS = 50;

interface DeskSheet {
  readonly client: pg.Client;
  readonly options: ServiceOnOptions;
  readonly patients: readonly BenchPatient[];
}

/** The sheet of a day with 25 appointments of each of 40 providers, in a real Chromium, slowed down. */
export async function measureDeskSheet({ client, options, patients }: DeskSheet): Promise<Row[]> {
  ensureAllIsBuilt();
  const date = OTHER_DAYS[0] ?? '';
  const slots = scheduledSlots({ date, template: TEMPLATE }, SPECIFIED_NAMES);
  const taken = slots.slice(0, EACH);
  await insertAppointments(
    client,
    Array.from({ length: PROVIDERS }, (_, at) =>
      taken.map(({ start }) => ({ provider: providerId(at), date, start })),
    ).flat(),
  );
  const token = await staffSession(client);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const deskRoot = resolve(import.meta.dirname, '../../apps/desk/dist');
  const config = { ...options.config, publicUrl: url, deskRoot };
  const service = await serving({ kind: 'service', options: { ...options, port, config } });
  const { executablePath, args, env } = findBrowser();
  const browser = await chromium.launch({ executablePath, args: [...args], env: { ...env } });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addCookies([{ name: 'desk', value: token, url }]);
    await context.addInitScript(noteFirstAppointment);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const address = `${url}/desk/day/${date}`;
    const seen: number[] = [];
    for (let time = 0; time < TRIES; time++) seen.push(await firstSeen(page, address));
    const drawn = PROVIDERS * (EACH + 1);
    await page.evaluate(untilCountIs, drawn);
    const changed: number[] = [];
    for (let time = 0; time < TRIES; time++) {
      const slot = slots[EACH + time];
      if (!slot) throw new Error('The day has too few times');
      const before = await beforeWork(page, cdp);
      await book(url, patients[time]?.token ?? '', {
        start: slot.start,
        end: slot.end,
        doctor: providerId(time),
      });
      await page.evaluate(untilCountIs, drawn + time + 1);
      await bringToRest(page, cdp);
      changed.push((await taskMs(cdp)) - before);
    }
    await page.locator('[data-entry]').first().focus();
    const moved: number[] = [];
    for (let time = 0; time < TRIES; time++) {
      const before = await beforeWork(page, cdp);
      await page.keyboard.press('ArrowDown');
      await bringToRest(page, cdp);
      moved.push((await taskMs(cdp)) - before);
    }
    const row = (name: string, samples: readonly number[], value: number): Row => ({
      name: `desk, ${drawn} appointments at 1/${SLOWDOWN} speed, ${name}`,
      ours: figure('ms', samples.slice(UNCOUNTED)),
      limit: { what: 'aim', value },
      aim: 'under',
    });
    return [
      row('first appointment drawn', seen, FIRST_SEEN_MS),
      row('main thread for a booking', changed, CHANGE_MS),
      row('main thread for an arrow key', moved, KEY_MS),
    ];
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** A receptionist who is signed in; the token of their cookie. */
export async function staffSession(client: pg.Client): Promise<string> {
  const [id, token] = [randomUUID(), randomBytes(32).toString('base64url')];
  await client.query(
    `insert into staff (id, email, name, roles, created_at_s)
     values ($1, 'robin@bench.example', 'Robin Lee', '{receptionist}', $2)`,
    [id, SEARCHED_AT],
  );
  await client.query(
    `insert into staff_session (token_hash, staff_id, created_at_s, last_active_at_s, factor_at_s)
     values ($1, $2, $3, $3, $3)`,
    [createHash('sha256').update(token).digest(), id, SEARCHED_AT],
  );
  return token;
}

interface Noted extends Window {
  firstDrawnAt?: number;
}

/** Runs in each page: notes the frame in which the first appointment is drawn. */
function noteFirstAppointment(): void {
  const watcher = new MutationObserver(() => {
    if (document.querySelector('[data-entry]') === null) return;
    watcher.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => ((window as Noted).firstDrawnAt = performance.now())),
    );
  });
  watcher.observe(document, { subtree: true, childList: true });
}

async function firstSeen(page: Page, address: string): Promise<number> {
  await page.goto(address);
  const drawnAt = await page.waitForFunction(() => (window as Noted).firstDrawnAt);
  return (await drawnAt.jsonValue()) ?? Number.NaN;
}

/** Runs in the page, which is not asked in every frame: its main thread is what is measured. */
function untilCountIs(count: number): Promise<void> {
  const isIt = () => document.querySelectorAll('[data-entry]').length === count;
  return new Promise((resolve) => {
    const watcher = new MutationObserver(() => {
      if (!isIt()) return;
      watcher.disconnect();
      resolve();
    });
    watcher.observe(document, { subtree: true, childList: true });
    if (isIt()) resolve();
  });
}

/** How long the page's main thread has worked until now. */
async function taskMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
}

/** What the main thread has worked once nothing of before, such as the pages opened until now, is left to collect. */
async function beforeWork(page: Page, cdp: CDPSession): Promise<number> {
  await bringToRest(page, cdp);
  await cdp.send('HeapProfiler.collectGarbage');
  return taskMs(cdp);
}

/** Until the page has drawn what it knows, and has nothing else to do. */
async function bringToRest(page: Page, cdp: CDPSession): Promise<void> {
  await cdp.send('Performance.enable');
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    await scheduler.postTask(() => {}, { priority: 'background' });
  });
}

interface ToBook {
  readonly start: number;
  readonly end: number;
  readonly doctor: string;
}

async function book(url: string, token: string, slot: ToBook): Promise<void> {
  const answer = await fetch(`${url}/api/schedule/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-access-token': token },
    body: JSON.stringify({ ...slot, selectedType: 'O', reason: 'A cough that does not go away' }),
  });
  if (answer.status !== 200)
    throw new Error(`A booking was answered with ${answer.status}: ${await answer.text()}`);
}

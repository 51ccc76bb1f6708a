import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { chromium } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import type { ApiDoctor, ApiDoctorStatus, ApiScheduleDay } from '@clinic/contract';

import ensureAllIsBuilt from '../../tools/build.mjs';
import { type Browser, findBrowser } from '../../e2e/src/browser.ts';
import { openClinic } from '../../e2e/src/clinic-process.ts';
import { openSignedInAtDesk } from '../../e2e/src/sign-in-at-desk.ts';
import { accessToken, tokenKey } from '../../e2e/src/sign-in.ts';
import { unhurried } from '../../e2e/src/unhurried.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';

/** Monday 2026-11-23, 06:00 clinic time: a whole day of slots. */
const MONDAY = '2026-11-23T14:00:00Z';
const PHONE = { width: 375, height: 812 };
const DESKTOP = { width: 1280, height: 900 };
const SLOWDOWN = 4;
/** Each doctor of the practice clinic stands this often in the grid: over 2,000 slots on a day. */
const COPIES = 22;
const TRIES = 3;
/** Fetched by npx when it is first run, since nothing else needs it. */
const LIGHTHOUSE = 'lighthouse@13.0.0';

const PAGES = [
  ['login', 'login'],
  ['', 'home'],
  ['appointments', 'My Appointments'],
  ['account', 'My Account'],
] as const;

/** What the browsers of a patient and of staff make of the pages of a practice clinic, in a real Chromium. */
export async function measurePages(): Promise<Row[]> {
  ensureAllIsBuilt();
  const clinic = await openClinic({ now: MONDAY });
  const folder = mkdtempSync(join(tmpdir(), 'clinic-browser-'));
  const browser = findBrowser();
  const open = async (profile: string) =>
    unhurried(
      await chromium.launchPersistentContext(join(folder, profile), {
        ...browser,
        args: [...browser.args],
        viewport: PHONE,
      }),
    );
  try {
    const rows: Row[] = [];
    const visitor = await open('visitor');
    rows.push(await shiftOf(await visitor.newPage(), `${clinic.url}/login`, 'login'));
    await visitor.close();
    const patient = await open('patient');
    const page = await patient.newPage();
    const token = await accessToken(clinic.url, 'new1@practice.example');
    await page.goto(`${clinic.url}/walkin`);
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      tokenKey,
      token,
    ] as const);
    for (const [path, name] of PAGES.slice(1))
      rows.push(await shiftOf(page, `${clinic.url}/${path}`, name));
    rows.push(...(await interactions(patient, clinic.url)));
    await patient.close();
    for (const [path, name] of PAGES.slice(0, 3)) {
      const profile = join(folder, path === 'login' ? 'visitor' : 'patient');
      rows.push(...(await lighthouse({ url: `${clinic.url}/${path}`, name, profile, browser })));
    }
    const staff = await open('staff');
    const sheet = `${clinic.url}/desk/day/${MONDAY.slice(0, 10)}`;
    await openSignedInAtDesk(staff, clinic.url, 'robin@practice.example', sheet);
    await staff.close();
    for (const [url, name, whose] of [
      [`${clinic.url}/desk`, 'the desk’s sign-in', 'visitor'],
      [sheet, 'the day sheet', 'staff'],
    ] as const) {
      const profile = join(folder, whose);
      rows.push(...(await lighthouse({ url, name, profile, browser }, COMPUTER)));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await clinic.stop();
  }
}

/** Cumulative layout shift of a page from its first byte until it has been quiet for a second. */
async function shiftOf(page: Page, url: string, name: string): Promise<Row> {
  const shifts: number[] = [];
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  for (let time = 0; time < TRIES; time++) {
    await page.goto(url);
    await page.waitForLoadState('networkidle');
    shifts.push(await page.evaluate(layoutShift));
  }
  await cdp.detach();
  return {
    name: `layout shift of ${name}, phone at 1/${SLOWDOWN} speed`,
    ours: figure('×', shifts),
    limit: { what: 'aim', value: 0.05 },
    aim: 'under',
  };
}

/** Runs in the page. */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        };
        if (!hadRecentInput) sum += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 1_000);
  });
}

/** Showing over 2,000 slots, and picking one of them, as the time until the next frame. */
async function interactions(context: BrowserContext, url: string): Promise<Row[]> {
  const page = await context.newPage();
  await page.setViewportSize(DESKTOP);
  await manyDoctors(page);
  const cdp = await context.newCDPSession(page);
  const shown: number[] = [];
  const picked: number[] = [];
  for (let time = 0; time < TRIES; time++) {
    // Home by itself would go on where the last round was.
    await page.goto(`${url}/walkin`);
    await page.goto(url);
    await page.getByRole('radio', { name: /^In-person/ }).check();
    await page.getByRole('radio', { name: 'Earliest available doctor' }).check();
    await page.evaluate(watchInteractions);
    const slots = page.locator('[data-slot]');
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await slots.first().waitFor();
    shown.push(await page.evaluate(slowestInteraction));
    const count = await slots.count();
    if (count < 2_000) throw new Error(`The grid shows ${count} slots, not 2,000`);
    await page.locator('[data-slot^="101@"]').first().click();
    await page.getByRole('textbox').first().waitFor();
    picked.push(await page.evaluate(slowestInteraction));
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.goBack();
  }
  const row = (name: string, samples: readonly number[], value: number): Row => ({
    name: `${name} of 2,000 slots at 1/${SLOWDOWN} speed, to the next frame`,
    ours: figure('ms', samples),
    limit: { what: 'aim', value },
    aim: 'under',
  });
  return [row('showing', shown, 120), row('picking', picked, 80)];
}

/** Runs in the page: remembers the slowest interaction since it was asked last. */
function watchInteractions(): void {
  const seen = window as unknown as { slowest: number };
  seen.slowest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.slowest = Math.max(seen.slowest, duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}

/** Runs in the page; the entry of an event comes a moment after its frame. */
function slowestInteraction(): Promise<number> {
  const seen = window as unknown as { slowest: number };
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(seen.slowest);
      seen.slowest = 0;
    }, 1_000);
  });
}

/** Answers the schedule with each doctor several times over, and all of a day's times free. */
async function manyDoctors(page: Page): Promise<void> {
  const copies = Array.from({ length: COPIES }, (_, copy) => (copy === 0 ? '' : `${copy}0`));
  await page.route(/\/api\/doctors(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const doctors = (await answer.json()) as ApiDoctor[];
    await route.fulfill({
      response: answer,
      json: copies.flatMap((copy) => doctors.map((one) => ({ ...one, id: one.id + copy }))),
    });
  });
  await page.route('**/api/doctors/status', async (route) => {
    const answer = await route.fetch();
    const statuses = Object.entries((await answer.json()) as Record<string, ApiDoctorStatus>);
    const json = copies.flatMap((copy) => statuses.map(([id, status]) => [id + copy, status]));
    await route.fulfill({ response: answer, json: Object.fromEntries(json) as object });
  });
  await page.route('**/api/doctors/schedule*', async (route) => {
    const answer = await route.fetch();
    const { extras, ...rest } = (await answer.json()) as { extras: ApiScheduleDay[] };
    const many = extras.map(({ date, providers }) => ({
      date,
      providers: copies.flatMap((copy) =>
        providers.map(({ doctor, schedule }) => ({ doctor: doctor + copy, schedule, booked: [] })),
      ),
    }));
    await route.fulfill({ response: answer, json: { ...rest, extras: many } });
  });
}

const EMULATED_PHONE = {
  name: 'phone',
  words: [],
  aims: [
    ['performance', 0.97],
    ['accessibility', 1],
    ['best-practices', 1],
    ['seo', 1],
  ],
} as const;

/**
 * At which the staff sit; no search engine is to show their pages. Whether somebody is signed in only the service
 * knows, and browsers log its 401 as an error: that alone costs the sign-in 0.04.
 */
const COMPUTER = {
  name: 'computer',
  words: ['--preset=desktop'],
  aims: [
    ['performance', 0.97],
    ['accessibility', 1],
    ['best-practices', 0.96],
  ],
} as const;

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
}

interface Visit {
  readonly url: string;
  readonly name: string;
  /** The folder of a browser that is signed in, or not. */
  readonly profile: string;
  readonly browser: Browser;
}

/** Lighthouse's scores of a page on what it emulates. */
async function lighthouse(
  { url, name, profile, browser }: Visit,
  screen: typeof EMULATED_PHONE | typeof COMPUTER = EMULATED_PHONE,
): Promise<Row[]> {
  const flags = [...browser.args, '--headless', `--user-data-dir=${profile}`].join(' ');
  const only = screen.aims.map(([category]) => category).join();
  const words = [
    '--quiet',
    '--output=json',
    '--disable-storage-reset',
    `--only-categories=${only}`,
    ...screen.words,
  ];
  const env = { ...browser.env, CHROME_PATH: browser.executablePath };
  const reports: Report[] = [];
  for (let time = 0; time < TRIES; time++) {
    const { stdout } = await promisify(execFile)(
      'npx',
      ['--yes', LIGHTHOUSE, url, ...words, `--chrome-flags=${flags}`],
      { env, maxBuffer: 50_000_000 },
    );
    reports.push(JSON.parse(stdout) as Report);
  }
  return screen.aims.map(([category, aim]): Row => ({
    name: `Lighthouse, ${screen.name}, ${category} of ${name}`,
    ours: figure(
      '×',
      reports.map(({ categories }) => categories[category]?.score ?? 0),
    ),
    limit: { what: 'best', value: 1 },
    aim,
  }));
}

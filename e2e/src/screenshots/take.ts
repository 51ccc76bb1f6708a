import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { languageOf } from '@clinic/texts/languages';
import { type Page, chromium } from '@playwright/test';

import { findBrowser } from '../browser.ts';
import { forgetSeededFolders, openClinic } from '../clinic-process.ts';
import { flows, lapsingFlows } from '../flows/all-flows.ts';
import { deskFlows } from '../flows/desk-flows.ts';
import { takeFlows } from '../flows/flow.ts';
import { ordinaryMorning } from '../moments.ts';

const folder = resolve(import.meta.dirname, '../../../screens');

const usual = { width: 1280, height: 900 };
const tablet = { width: 768, height: 1024 };
/** The windows in which each state is drawn: patients come with phones, and a front desk has large screens. */
const ofPatients = [{ width: 375, height: 812 }, tablet, usual];
const ofDesk = [tablet, usual, { width: 1920, height: 1080 }];
const schemes = ['light', 'dark'] as const;

const [locale = 'en', only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
forgetSeededFolders();
const clinic = await openClinic({ now: ordinaryMorning });
const { executablePath, args, env } = findBrowser();
const browser = await chromium.launch({ executablePath, args: [...args], env: { ...env } });
try {
  let pictures = 0;
  const look = async (page: Page, name: string) => {
    pictures += await draw(page, locale === 'en' ? name : `${locale}-${name}`);
  };
  const walk = { browser, clinic, locale, look, options: { viewport: usual } };
  const failures = [
    ...(await takeFlows(only === 'desk' ? [] : Object.values(flows).flat(), {
      ...walk,
      atOnce: 3,
    })),
    ...(await takeFlows(languageOf(locale) ? deskFlows : [], { ...walk, atOnce: 1 })),
    ...(await takeFlows(only === 'desk' ? [] : lapsingFlows, { ...walk, atOnce: 1 })),
  ];
  process.stdout.write(`${pictures} pictures in ${join(folder, '/')}\n`);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await clinic.stop();
}

async function draw(page: Page, name: string): Promise<number> {
  const sizes = new URL(page.url()).pathname.startsWith('/desk') ? ofDesk : ofPatients;
  for (const size of sizes) {
    await page.setViewportSize(size);
    // A dialog belongs to the window; a page is drawn to its end, with what is fixed where it ends.
    if ((await page.locator('dialog[open]').count()) === 0)
      await page.setViewportSize({ ...size, height: await heightOf(page, size.height) });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      const path = join(folder, `${name}-${size.width}-${colorScheme}.png`);
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(usual);
  return sizes.length * schemes.length;
}

async function heightOf(page: Page, atLeast: number): Promise<number> {
  const content = await page.evaluate(() => document.documentElement.scrollHeight);
  return Math.max(content, atLeast);
}

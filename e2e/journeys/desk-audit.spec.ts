import { readFile } from 'node:fs/promises';

import type { Locator } from '@playwright/test';
import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { DeskAudit } from '../src/pages/desk-audit.ts';
import { DeskMessages } from '../src/pages/desk-messages.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

/** The words that stand on two lines. */
const brokenWords = (table: Locator): Promise<string[]> =>
  table.evaluate((root) => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
    return broken;
  });

// Shows: S-14, S-18
test('an auditor comes in to the trail, and reads who looked at a patient; a manager takes it along', async ({
  page,
  browser,
  clinic,
  caller,
}) => {
  const patient = await caller('new1@practice.example');
  expect((await patient.write('My knee hurts.')).status).toBe(200);
  const context = await browser.newContext({ baseURL: clinic.url });
  const manager = await context.newPage();
  await signInAtDesk(manager, clinic.url, 'morgan@practice.example', '/desk/messages');
  const inbox = await DeskMessages.arrive(manager);
  await inbox.open('Newcomer, Ari', 'My knee hurts.');

  await signInAtDesk(page, clinic.url, 'avery@practice.example', '/desk');
  const audit = await DeskAudit.arrive(page);
  expect(new URL(page.url()).pathname).toBe('/desk/audit');
  await audit.ofPatient('newcomer ari', 'Newcomer, Ari');
  await expect(audit.row('Message read')).toContainText('Morgan Hale');
  await expect(audit.row('Message started')).toContainText('Newcomer, Ari');
  await expect(page.getByRole('button', { name: 'Save as CSV' })).toHaveCount(0);
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await brokenWords(page.getByRole('table'))).toEqual([]);
  }

  await manager.getByRole('link', { name: 'Audit' }).click();
  await DeskAudit.arrive(manager);
  const saving = manager.waitForEvent('download');
  await manager.getByRole('button', { name: 'Save as CSV' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^audit-trail-.*\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain('message read');
  await expect(manager.getByRole('alert')).toContainText('The file is saved.');
  await expectAccessible(manager);
  await page.getByRole('button', { name: 'All patients again' }).click();
  await expect(audit.row('Audit trail exported')).toContainText('Morgan Hale');
  await context.close();
});

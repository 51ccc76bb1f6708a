import type { ApiPrintedDay } from '@clinic/contract';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

const TODAY = '2026-11-21';
const EIGHT = Date.parse('2026-11-21T16:00:00Z') / 1000;

/** How many pages the browser would print. */
async function pagesOf(page: Page): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

/** A day on which each provider sees this many, each with all that a line can have. */
const fullDay = (providers: number, rows: number): ApiPrintedDay => ({
  providers: Array.from({ length: providers }, (_, of) => ({
    id: String(100 + of),
    name: `Dr. A. Provider-Longname${of}`,
    busy: [],
    appointments: Array.from({ length: rows }, (__, at) => ({
      id: `${of}-${at}`,
      start: EIGHT + at * 900,
      end: EIGHT + (at + 1) * 900,
      description: 'In-person visit with paperwork',
      patient: `Fairweather-Morgan, Cassandra ${at}`,
      age: 42,
      phones: ['+16045550177', '+16045550100'],
      reason: 'Follow-up of the blood pressure, and the form of her employer',
      attendance: 'expected',
      fee: 'due',
      feeCents: 14_000,
      linkUntil: null,
      isFirst: at % 3 === 0,
      alerts: at % 5 === 0 ? ['Deaf in the left ear.'] : [],
    })),
  })),
});

// Shows: S-18
test('a receptionist prints the day from its sheet: who comes, why, and whom to call', async ({
  page,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'robin@practice.example', `/desk/day/${TODAY}`);
  const columns = page.getByRole('group', { name: 'Appointments by provider' }).getByRole('region');
  await expect(columns.first()).toBeVisible();
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^On paper: / })).toBeVisible();
  const sheets = page.getByRole('main').getByRole('region');
  await expect(sheets.first().getByRole('table')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Phone list' }).click();
  await expect(sheets).toHaveCount(1);
  await expect(sheets.getByRole('columnheader', { name: 'Called' })).toBeVisible();
  await expectAccessible(page);

  await page.goto('/desk/print/2026-11-01');
  await page.getByLabel('Why do you print this day?').selectOption('To keep the record right');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText('Nobody has an appointment on this day.')).toBeVisible();
});

test('thirty appointments fit on a page, and each of seven providers has one', async ({
  page,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'robin@practice.example', `/desk/day/${TODAY}`);
  await page.route('**/api/desk/day/*/print', (route) =>
    route.fulfill({ json: { success: true, extras: fullDay(7, 30) } }),
  );
  await page.goto(`/desk/print/${TODAY}`);
  await expect(page.getByRole('main').getByRole('table')).toHaveCount(7);
  expect(await pagesOf(page)).toBe(7);
});

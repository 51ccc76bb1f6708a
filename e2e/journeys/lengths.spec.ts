import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expectAccessible } from '../src/accessible.ts';
import type { ClinicProcess } from '../src/clinic-process.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { liveConnection } from '../src/waiting.ts';

const PATIENT = 'new1@practice.example';
const stone = 'Dr. A. Stone';
const mehta = 'Dr. R. Mehta';

/** The instant of a time on the clinic's wall, in seconds. */
const at = (wall: string) => Date.parse(`${wall}:00-07:00`) / 1000;

/** Imports files into the running clinic as an operator does: what is imported, and its rows. */
async function importAll(
  clinic: ClinicProcess,
  files: readonly (readonly [what: string, csv: string])[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    for (const [what, csv] of files) {
      const file = join(folder, `${what}.csv`);
      writeFileSync(file, csv);
      await clinic.command('import', what, '--file', file);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.describe('at a clinic whose appointments differ in length', () => {
  const exam = 'Complete physical exam';
  // Monday 2026-11-23, 09:00 clinic time: this clinic is closed on weekends.
  test.use({ now: '2026-11-23T16:00:00Z', clinicEnv: { PRACTICE_CLINIC: 'lengths' } });

  // Shows: R-84, R-90, R-93
  test('40 minutes are booked, moved to a doctor who takes 50, and cancelled; the end stands wherever the time does', async ({
    page,
    atHome,
    clinic,
  }) => {
    const home = await atHome(PATIENT);
    await expect(home.type(exam)).toHaveAccessibleDescription(/40 minutes · In person/);
    const grid = await home.search(exam, stone);
    const slot = await grid.offered('16:15 to 16:55, 40 minutes, Tue Nov 24, Dr. A. Stone');
    await expect(grid.chip(slot.spoken)).toHaveText('16:15 to 16:55');
    await expectAccessible(page);
    const confirm = await grid.pick(slot);
    await expect(confirm.summary).toContainText('40 minutes, until 16:55');
    await expect(confirm.summary).toContainText('In person');
    const details = await confirm.next('a check-up');
    await expect(details.box).toContainText('40 minutes, until 16:55 · In person');
    const booked = await details.agree();
    await expect(booked.says('40 minutes, until 16:55 · In person')).toBeVisible();
    expect((await booked.calendarFile()).text).toContain('DTEND:20261124T235500Z\r\n');
    const mail = await expectMail(page, PATIENT, /is booked/);
    expect(mail).toContain('Tue Nov 24 2026 16:15');
    expect(mail).toContain('40 minutes, until 16:55');

    await importAll(clinic, [['paces', 'provider,type,offers,minutes\n102,H,yes,50\n']]);
    await page.goto('/appointments');
    const appointments = await Appointments.arrive(page);
    const question = await appointments.reschedule(
      appointments.card('40 minutes, until 16:55 · In person'),
    );
    await expect(question.box).toContainText('40 minutes, until 16:55');
    await question.press('Yes, reschedule appointment');
    const again = await (await ChooseType.arrive(page)).search(exam, mehta);
    const moved = await again.pickFirst(/, 50 minutes, Wed Nov 25, Dr\. R\. Mehta$/);
    const [, end = ''] = /to (\d\d:\d\d)/.exec(moved.slot.spoken) ?? [];
    const there = await moved.confirm.book('a check-up');
    await expect(there.says(`50 minutes, until ${end} · In person`)).toBeVisible();
    expect(await expectMail(page, PATIENT, /is rescheduled/)).toContain(`50 minutes, until ${end}`);

    await page.goto('/appointments');
    await Appointments.arrive(page);
    const card = appointments.card(`50 minutes, until ${end} · In person`, mehta);
    await expect(appointments.cards('Upcoming')).toHaveCount(1);
    await (await appointments.cancel(card)).press('Confirm Cancellation');
    await Appointments.arrive(page);
    await expect(await appointments.unfold('Cancelled')).toContainText(exam);
    await expect(appointments.cards('Upcoming')).toHaveCount(0);
  });

  // Shows: R-91, S-12
  test('who takes the middle of them strikes each start through that it overlaps, until it is given back', async ({
    page,
    atHome,
    caller,
  }) => {
    const connected = liveConnection(page);
    const grid = await (await atHome(PATIENT)).search(exam, mehta);
    await connected;
    const before = '09:20 to 10:00, 40 minutes, Wed Nov 25, Dr. R. Mehta';
    const after = '09:40 to 10:20, 40 minutes, Wed Nov 25, Dr. R. Mehta';
    const apart = '10:40 to 11:20, 40 minutes, Wed Nov 25, Dr. R. Mehta';
    const gone = 'no longer available';
    // It stands struck through for as long as somebody is on it.
    await grid.chip(before).focus();
    const rival = await caller('new2@practice.example');
    const theirs = await rival.book({ doctor: '102', start: at('2026-11-25T09:40') });
    expect(theirs.status).toBe(200);
    await expect(grid.chip(`${before}, ${gone}`)).toHaveCSS('text-decoration-line', 'line-through');
    await expect(grid.main.getByRole('status').filter({ hasText: gone })).toHaveText(
      `${before}, ${gone}`,
    );
    await grid.chip(apart).focus();
    for (const each of [before, after]) await expect(grid.chip(`${each}, ${gone}`)).toBeHidden();
    await expect(grid.chip(apart)).toBeVisible();
    expect((await rival.cancel(theirs)).status).toBe(200);
    for (const each of [before, after]) await expect(grid.chip(each)).toBeVisible();
  });
});

const PAGE = resolve(import.meta.dirname, '../../docs/adding-an-appointment-type.md');

// Shows: R-90, R-93
testAlone(
  'a type of 25 minutes that is imported as its page says is offered and paid',
  async ({ page, atHome, clinic }) => {
    const steps = readFileSync(PAGE, 'utf8').matchAll(
      /```csv\n([\s\S]*?)```\s+`npm run clinic -- import (\w+) --file/g,
    );
    const files = [...steps].map(
      ([, csv = '', what = '']) => [what, csv.replace(/^ +/gm, '')] as const,
    );
    expect(files).toHaveLength(5);
    await importAll(clinic, files);

    const travel = 'Travel consultation';
    const home = await atHome(PATIENT);
    await home.showType(travel);
    await expect(home.type(travel)).toHaveAccessibleDescription(
      /25 minutes · In person.+CAD 60\.00/,
    );
    await home.calendar.getByRole('button', { name: 'Next month' }).click();
    await home.day('Monday, December 7, 2026').click();
    const grid = await home.search(travel);
    const confirm = await grid.pick(
      await grid.offered('13:00 to 13:25, 25 minutes, Mon Dec 07, Dr. A. Stone'),
    );
    const payment = await confirm.toPayment('a journey to Peru', { warned: false });
    await expect(payment.total).toHaveText('CAD 60.00');
    const booked = await payment.payAndBook();
    await expect(booked.says('25 minutes, until 13:25 · In person')).toBeVisible();

    await page.goto('/appointments');
    const appointments = await Appointments.arrive(page);
    await expect(appointments.card(travel, '25 minutes, until 13:25', 'CAD 60.00')).toBeVisible();
  },
);

import { test as journey, expect } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';
import { PracticeEmr } from '../src/practice-emr.ts';

/** In a clinic whose EMR keeps the book; whatever happened, it has all that is called booked. */
const test = journey.extend<{ emr: PracticeEmr }>({
  clinicEnv: { PRACTICE_EMR: 'on' },
  emr: async ({ clinic }, give) => {
    const emr = new PracticeEmr(clinic.url);
    await give(emr);
    await emr.expectAllThere();
  },
});

const MONDAY = '2026-11-23';
const ON_MONDAY = /^\d\d:\d\d, Mon Nov 23, Dr\. A\. Stone$/;

// Shows: R-94
test('an appointment is booked once the EMR has it', async ({ page, atHome, emr }) => {
  const home = await atHome('new1@practice.example');
  await home.search('In-person visit', 'Dr. A. Stone');
  const { slot, confirm } = await (await SlotGrid.arrive(page)).pickFirst(ON_MONDAY);
  await confirm.book('a cough');
  expect(await emr.at(slot, MONDAY)).toHaveLength(1);
  await expectMail(page, 'new1@practice.example', new RegExp(`Mon Nov 23 2026 ${slot.time}`));
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  await expect(appointments.cards('Upcoming')).toContainText(`Mon Nov 23 2026 ${slot.time}`);
});

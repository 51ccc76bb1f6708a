import { expect, test } from '../src/journey.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { CrashForm } from '../src/pages/crash-form.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';
import { draftKept } from '../src/waiting.ts';

const everything = [
  'Date of crash is not valid',
  'Please select how you want to be seen by the doctor',
  'Please describe your symptoms in 3 to 300 characters',
  'Please choose at least one thing you are experiencing',
  'Please choose at least one treatment',
  'Please say whether you are taking medication',
];

// Shows: 1.can.8, 2.confirm.3, 2.confirm.4, 2.confirm.5, 2.confirm.7, 3.answers.1,
// 4.confirm-next.4, 5.injury.1, 5.injury.3, 5.injury.5, R-37
test('an injury claim asks its whole set, says what is missing, and keeps it over Back and a reload (§2, §5 Type I extras)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('ICBC injury claim visit');
  const { slot, confirm } = await grid.pickFirst();
  const crash = new CrashForm(confirm);
  await expect(confirm.reason).toHaveAccessibleName('Injury claim number');
  await expect(confirm.main).toContainText(
    'The injury claim number, not the vehicle claim number.',
  );
  for (const name of [
    'Not absent from work/training/studies',
    'Working with modified duties',
    'Missing time from work',
    'Missing time from training',
    'Missing time from studies',
    'No treatment',
    'Physiotherapy',
    'Massage therapy',
    'Active rehabilitation',
    'Kinesiology',
    'Chiropractic care',
    'Acupuncture',
    'Psychology',
    'Counselling',
    'Other treatment',
  ])
    await expect(crash.box(name)).toBeVisible();

  const refused = async (...lines: readonly string[]) => {
    await confirm.press('Next');
    await expect(confirm.alert().getByRole('link')).toHaveText([...lines]);
    await expect(confirm.alert()).toBeFocused();
  };
  await refused('Please enter injury claim number', ...everything);
  await confirm
    .alert()
    .getByRole('link', { name: everything[0] as string })
    .click();
  await expect(crash.part('Month')).toBeFocused();

  await confirm.reason.fill('1234567');
  await crash.fill();
  await crash.date('2026', 'February', '30');
  await crash.text('Symptoms').fill('  ab  ');
  await crash.text('What other treatment?').fill('x'.repeat(51));
  await crash.text('What medication are you taking?').fill('No');
  await refused(
    'The minimum length of injury claim number is 8',
    'Date of crash is not valid',
    'Please describe your symptoms in 3 to 300 characters',
    'Please describe the other treatment in 3 to 50 characters',
    'Please describe your medication in 3 to 200 characters',
  );
  await confirm.reason.fill('AB123456');
  await crash.fill();
  await crash.date('2026', 'November', '22');
  await refused('Date of crash is not valid');
  await Confirm.arrive(page);

  // Opposites clear each other.
  await crash.box('Missing time from work').check();
  await crash.box('Not absent from work/training/studies').check();
  await expect(crash.box('Missing time from work')).not.toBeChecked();
  await crash.box('Not absent from work/training/studies').uncheck();
  await crash.box('No treatment').check();
  await expect(crash.box('Massage therapy')).not.toBeChecked();
  await expect(crash.text('What other treatment?')).toBeHidden();

  await Promise.all([draftKept(page, 'Ibuprofen'), crash.fill()]);
  await confirm.press('Back');
  await (await SlotGrid.arrive(page)).pick(slot);
  await crash.expectFilled();
  await crash.text('Symptoms').fill('Neck pain');
  const symptoms = 'Neck pain since the crash';
  await Promise.all([draftKept(page, symptoms), crash.text('Symptoms').fill(symptoms)]);
  await page.reload();
  const again = await ChooseType.arrive(page);
  await again.press('Continue');
  await Confirm.arrive(page);
  await crash.expectFilled();
  await expect(confirm.reason).toHaveValue('AB123456');

  const icbc = await confirm.nextTo('ICBC Confirmation');
  await expect(icbc.box).toContainText('it is the number of the injury claim');
  await icbc.press('No');
  await icbc.expectGone();
  await expect(confirm.button('Next')).toBeFocused();
  await (await confirm.nextTo('ICBC Confirmation')).press('Yes, I confirm');
  await (await AppointmentDetails.arrive(page, 'Appointment Details')).agree();
});

// Shows: R-41
test('an injury claim with a fee is warned of and carries the whole set with the charge (R-41)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('rosa@practice.example');
  const { confirm } = await (await home.search('ICBC injury claim visit')).pickFirst();
  await new CrashForm(confirm).fill();
  await (await confirm.nextWarned('AB123456')).press('I accept the fee');
  await (await Dialog.arrive(page, 'ICBC Confirmation')).press('Yes, I confirm');
  const details = await AppointmentDetails.arrive(page, 'Appointment Details');
  const payment = await details.agreeToPay();
  await expect(payment.total).toHaveText('CAD 200.00');
  const charged = page.waitForRequest('**/services/charge');
  await payment.payAndBook();
  await expect(page.getByText('our provider will call you')).toBeVisible();
  await expect(page.getByText(/arrive|bring/i)).toHaveCount(0);
  expect((await charged).postDataJSON()).toMatchObject({
    reason: 'AB123456',
    crashYear: 2026,
    crashMonth: 3,
    crashDay: 27,
    contactPreference: 'PHONE',
    symptom: 'Neck pain since the crash',
    experiencingList: ['modifiedDuties'],
    treatmentList: ['massageTherapy', { key: 'other', text: 'Yoga' }],
    medicationTaken: 'Ibuprofen',
  });
});

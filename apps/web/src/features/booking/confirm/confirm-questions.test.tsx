import { screen, waitFor, within } from '@testing-library/react';
import { agreements } from '@clinic/contract/agreements';
import { expect, test } from 'vitest';
import { aDay, aType, bookingTypes, refuse, reply } from '../../../testing/booking-clinic.ts';
import { atConfirm, atHome, heading, tomorrow } from '../../../testing/booking-person.tsx';
import { refusal } from '../../../testing/fake-service.ts';
import { casey, clinicConfig } from '../../../testing/people.ts';

const unknown = reply('findDemographics', () => ({
  success: false,
  extras: { code: 'noEntryFound' },
}));

/** Confirm, of an in-person appointment, with a reason. */
async function withReason(...clinic: Parameters<typeof atConfirm>) {
  const confirm = await atConfirm(...clinic);
  await confirm.person.type(await screen.findByRole('textbox'), 'a cough');
  return confirm;
}

const dialog = (name: string) => screen.findByRole('dialog', { name });

// Shows: 4.confirm-next.5
test.each([
  ['Yes', { familyDoc: '1998', hasFamilyDoc: true }],
  ['No', { familyDoc: '1999', hasFamilyDoc: false }],
])('%s to the family-doctor question opens the record with its id', async (answer, said) => {
  const { press, service } = await withReason({}, unknown);
  let body: unknown = null;
  service.answer('POST /demographics/create', (request) => {
    body = request.body;
    return { body: { success: true } };
  });
  await press('Next');
  await dialog('Family Doctor');
  await press(answer);
  await dialog('Appointment Details');
  expect(body).toEqual({ id: casey.id, ...said });
});

// Shows: 8.alerts.2, 8.alerts.5, text.post-demographics-create
test.each([
  [422, 'Create Demorgraphic request failed.'],
  [500, 'Server Error.'],
])('a record that is answered %i ends with "%s", and can be tried again', async (status, words) => {
  const { press, service } = await withReason({}, unknown);
  service.answer('POST /demographics/create', () => ({ status, body: {} }));
  await press('Next');
  await dialog('Family Doctor');
  await press('Yes');
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  service.answer('POST /demographics/create', () => ({ body: { success: true } }));
  await press('Next');
  await dialog('Family Doctor');
  await press('No');
  await dialog('Appointment Details');
});

// Shows: 8.alerts.5, R-36, text.post-services-agreement-save
test('what the patient agrees to is saved first; without that nothing is booked (R-36)', async () => {
  const { press, service } = await withReason();
  service.answer('POST /services/agreement/save', () => ({ status: 500, body: {} }));
  await press('Next');
  const details = await dialog('Appointment Details');
  expect(
    within(details).getByText('The ordinary booking fee is $10.00.', { exact: false }),
  ).toBeTruthy();
  await press('Agree');
  expect((await screen.findByRole('alert')).textContent).toContain('Server error.');
  expect(service.calls).not.toContain('POST /schedule/create');
  let saved: unknown = null;
  service.answer('POST /services/agreement/save', ({ body }) => {
    saved = body;
    return { body: { success: true } };
  });
  await press('Next');
  await press('Agree');
  await heading('Appointment booked');
  const general = agreements.find(({ kind }) => kind === 'general');
  expect(saved).toEqual({ kind: 'general', version: general?.version, hash: general?.hash });
});

// Shows: R-104
test('a text that the clinic has changed meanwhile is read and agreed to anew, and nothing typed is lost', async () => {
  const { press, service } = await withReason();
  const own = {
    kind: 'general',
    version: '2',
    hash: 'f'.repeat(64),
    texts: [{ locale: 'en', title: 'Our policy', paragraphs: ['Come early.'] }],
  };
  const saved: unknown[] = [];
  service.answer('POST /services/agreement/save', ({ body }) => {
    saved.push(body);
    if (saved.length > 1) return { body: { success: true } };
    service.answer('GET /services/config', () => ({
      body: { success: true, extras: { ...clinicConfig, agreements: [own] } },
    }));
    return { status: 409, body: refusal('agreementOutdated', 'This text has changed.') };
  });
  await press('Next');
  await press('Agree');
  expect((await screen.findByRole('alert')).textContent).toContain('This text has changed.');
  await press('Next');
  expect(within(await dialog('Appointment Details')).getByText('Come early.')).toBeTruthy();
  await press('Agree');
  await heading('Appointment booked');
  expect(saved[1]).toEqual({ kind: 'general', version: '2', hash: 'f'.repeat(64) });
});

// Shows: 2.confirm.8, R-35
test('a notice is understood before the details, and Escape leads back to Next (R-35)', async () => {
  const appointment = aType('O', { notice: 'The ministry restricts these visits.' });
  const { person, press } = await withReason({
    user: { ...casey, appointmentType: [appointment] },
  });
  await press('Next');
  const notice = await dialog('Important Notice');
  expect(within(notice).getByText('The ministry restricts these visits.')).toBeTruthy();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Next');
  await press('I Understand');
  await dialog('Appointment Details');
});

const promptOn = reply('getConfig', () => ({
  success: true,
  extras: { ...clinicConfig, flags: { ...clinicConfig.flags, preferredPharmacy: true } },
}));

// Shows: 2.confirm.9, 5.choose-type.3, R-73
test('with its flag on the preferred pharmacy is asked for, and Confirm needs one (R-73)', async () => {
  const { person, press, service } = await withReason({}, promptOn);
  await press('Next');
  await dialog('Before proceeding, please select your preferred pharmacy');
  await press('Confirm');
  expect(await screen.findByText('Please select the preferred pharmacy.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('combobox'));
  await person.type(screen.getByRole('combobox'), 'harb');
  await person.click(await screen.findByRole('option', { name: /Harbour Pharmacy/ }));
  await press('Confirm');
  await dialog('Appointment Details');
  expect(service.calls).toContain('POST /pharmacy/addPreferredPharmacy');
});

// Shows: 2.confirm.9, R-73
test('the pharmacy prompt can be closed, and the next Next goes on without one', async () => {
  const { press, service } = await withReason({}, promptOn);
  await press('Next');
  await press('Close');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Next');
  await dialog('Appointment Details');
  expect(service.calls).not.toContain('POST /pharmacy/addPreferredPharmacy');
});

// Shows
test('a fee that is accepted is saved as such, and its failure stops there', async () => {
  const days = [aDay(tomorrow, { '101': ['09:00'] }, 'V')];
  const { person, choose, press, service } = await atHome(
    { days },
    refuse('saveAgreement', 503, 'serviceBusy', ''),
  );
  await choose('Private visit');
  await choose('Earliest available doctor');
  await press('Next');
  await press(/^09:00/);
  await person.type(await screen.findByRole('textbox'), 'a cough');
  await press('Next');
  const warning = await dialog('Warning');
  expect(warning.textContent).toContain('The fee for this appointment is CAD 200.00.');
  await press('I accept the fee');
  expect((await screen.findByRole('alert')).textContent).toContain('Server error.');
  service.answer('POST /services/agreement/save', () => ({ body: { success: true } }));
  await press('Next');
  await press('I accept the fee');
  await dialog('Appointment Details');
});

// Shows: 2.confirm.3, 4.confirm-next.4, 5.injury.1, 5.injury.2, 5.injury.4, R-42
test('an injury claim is confirmed with ICBC, told in full, and sent with the appointment', async () => {
  const days = [aDay(tomorrow, { '101': ['09:00'] }, 'I')];
  const user = { ...casey, appointmentType: [...bookingTypes, aType('I')] };
  user.appointmentType.splice(0, 1);
  const { person, choose, press, service } = await atHome({ days, user });
  await choose('In-person visit');
  await choose('Earliest available doctor');
  await press('Next');
  await press(/^09:00/);
  await heading('Confirm your appointment');
  await press('Next');
  const links = within(await screen.findByRole('alert')).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Please enter injury claim number',
    'Date of crash is not valid',
    'Please select how you want to be seen by the doctor',
    'Please describe your symptoms in 3 to 300 characters',
    'Please choose at least one thing you are experiencing',
    'Please choose at least one treatment',
    'Please say whether you are taking medication',
  ]);
  for (const link of links) {
    await person.click(link);
    expect(document.activeElement?.id).toBe(link.getAttribute('href')?.slice(1));
  }
  await person.type(screen.getByLabelText('Injury claim number'), 'AB123456');
  await person.type(screen.getByLabelText('Year'), '2026');
  await person.selectOptions(screen.getByLabelText('Month'), 'March');
  await person.type(screen.getByLabelText('Day'), '27');
  expect(screen.getByText(/^If you come to the clinic, bring your health card/)).toBeTruthy();
  await choose('PHONE');
  expect(screen.getByText('Keep your phone nearby and the line free.')).toBeTruthy();
  expect(screen.queryByText(/arrive|bring/i)).toBeNull();
  await person.type(screen.getByLabelText('Symptoms'), 'Neck pain');
  const tick = (name: string) => person.click(screen.getByRole('checkbox', { name }));
  await tick('Missing time from work');
  await tick('Not absent from work/training/studies');
  await tick('No treatment');
  await tick('Physiotherapy');
  await tick('Other treatment');
  await person.type(screen.getByLabelText('What other treatment?'), 'Yoga');
  await choose('Yes');
  await person.type(screen.getByLabelText('What medication are you taking?'), 'Nothing strong');
  let sent: unknown = null;
  service.answer('POST /schedule/create', ({ body }) => {
    sent = body;
    return { status: 409, body: refusal('conflict', 'Not now.') };
  });
  await press('Next');
  await dialog('ICBC Confirmation');
  await press('No');
  await press('Next');
  await press('Yes, I confirm');
  await press('Agree');
  expect((await screen.findByRole('alert')).textContent).toContain('Not now.');
  expect(sent).toMatchObject({
    selectedType: 'I',
    reason: 'AB123456',
    crashYear: 2026,
    crashMonth: 3,
    crashDay: 27,
    contactPreference: 'PHONE',
    symptom: 'Neck pain',
    experiencingList: ['notAbsent'],
    treatmentList: ['physiotherapy', { key: 'other', text: 'Yoga' }],
    medicationTaken: 'Nothing strong',
  });
});

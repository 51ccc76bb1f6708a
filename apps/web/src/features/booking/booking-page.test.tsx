import { configure, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { addDays, formatDay, toInstant } from '@clinic/domain';
import type { WireHold } from '@clinic/contract';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { keepToken } from '../../shared/api/access-token.ts';
import { PrivateRoute } from '../../shared/session/private-route.tsx';
import {
  aDay,
  aHold,
  aVisit,
  aWireStatus,
  bookingClinic,
  bookingTypes,
  CLINIC_NOW,
  refuse,
  TODAY,
  type ClinicFacts,
  type Replies,
} from '../../testing/booking-clinic.ts';
import { fakeService } from '../../testing/fake-service.ts';
import { casey } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { BookingPage } from './booking-page.tsx';

// Two shared cores: a person waits longer than a second, too.
configure({ asyncUtilTimeout: 4000 });

const tomorrow = addDays(TODAY, 1);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: CLINIC_NOW * 1000 });
  URL.createObjectURL = () => 'blob:calendar';
  URL.revokeObjectURL = () => {};
  return () => {
    vi.useRealTimers();
  };
});

/** A signed-in patient on home, at a clinic that answers so. */
async function atHome(facts: Partial<ClinicFacts> = {}, changed: Replies = {}) {
  const service = fakeService({ ...bookingClinic(facts), ...changed });
  keepToken('token');
  renderPage(
    <Routes>
      <Route element={<PrivateRoute />}>
        <Route index element={<BookingPage />} />
      </Route>
    </Routes>,
  );
  const person = userEvent.setup();
  const press = async (name: string | RegExp) =>
    person.click(await screen.findByRole('button', { name }));
  const choose = async (name: string | RegExp) =>
    person.click(await screen.findByRole('radio', { name }));
  return { service, person, press, choose };
}

async function atSlots(facts: Partial<ClinicFacts> = {}, changed: Replies = {}) {
  const home = await atHome(facts, changed);
  await home.choose('In-person visit');
  await home.choose('Earliest available doctor');
  await home.press('Next');
  return home;
}

async function atConfirm(facts: Partial<ClinicFacts> = {}, changed: Replies = {}) {
  const slots = await atSlots(facts, changed);
  await slots.press(/^09:00/);
  await screen.findByRole('heading', { name: 'Confirm your appointment' });
  return slots;
}

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });

test('a covered patient books a visit from the type to the end', async () => {
  const { service, person, press } = await atSlots();
  await heading('Booking In-person visit: Come to the clinic');
  expect(await screen.findByRole('heading', { name: 'Provider A. Stone' })).toBeTruthy();
  expect(screen.getByText('Please scroll down to view more.')).toBeTruthy();
  await press(`09:00, ${formatDay(tomorrow)}, Dr. A. Stone`);
  await heading('Confirm your appointment');
  expect(screen.getByText('Casey Morgan')).toBeTruthy();
  expect(screen.getAllByText('Sun Nov 22 2026 09:00').length).toBeGreaterThan(0);
  await person.type(screen.getByRole('textbox', { name: 'Reason for the visit' }), 'a cough');
  await press('Next');
  await screen.findByRole('dialog', { name: 'Appointment Details' });
  await press('Agree');
  await heading('Appointment booked');
  expect(
    screen.getByText('Your In-person visit with Dr. A. Stone is on Sun Nov 22 2026 09:00.'),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('download')).toBe(
    'appointment.ics',
  );
  expect(service.calls.filter((call) => call === 'POST /schedule/create')).toHaveLength(1);
  expect(service.calls).not.toContain('DELETE /schedule/hold');
  await press('Return to Home');
  await heading('Please choose appointment type:');
});

test('Next without a type, and without a doctor, says what is missing', async () => {
  const { press, choose } = await atHome();
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please choose the appointment type first.',
  );
  await choose('Phone consultation');
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please choose a doctor or the earliest available doctor.',
  );
});

test('a patient who is blocked reads so on Next', async () => {
  const user = { ...casey, appointmentType: [...bookingTypes], isBlocked: true };
  const { choose, press } = await atHome({ user });
  await choose('In-person visit');
  await choose('Earliest available doctor');
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'You are blocked from booking an appointment using this service. If you wish to see a doctor, please come in person to the medical clinic.',
  );
});

test('doctors show their note, and why they cannot be chosen', async () => {
  const { choose } = await atHome(
    {
      statuses: {
        '101': aWireStatus({ scheduledcomment: 'Away in the afternoons' }),
        '103': aWireStatus({ onlyFamilyDoctor: true }),
        '104': aWireStatus({ noPCP: true }),
        '106': aWireStatus({ noscheduledisplay: true }),
      },
    },
    {
      'GET /clinic/admin/patient/5001': () => ({
        body: { success: true, demographic: { providerNo: '' }, provider: { enabled: false } },
      }),
      'GET /me/check-nopcp': () => ({ body: { success: true, noPCP: false } }),
    },
  );
  await choose('In-person visit');
  expect(await screen.findByText('Note: Away in the afternoons')).toBeTruthy();
  expect(
    await screen.findByText(
      'This doctor only sees patients who have an active doctor at our clinic',
    ),
  ).toBeTruthy();
  expect(
    await screen.findByText("This doctor doesn't accept patients with own family doctor"),
  ).toBeTruthy();
  expect(screen.queryByRole('radio', { name: 'NP J. Avery' })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Dr. G. Liu' }).disabled).toBe(true);
});

test('a nurse practitioner hides every type but O and P until the doctor is cleared', async () => {
  const { choose, press } = await atHome();
  await choose('Private visit');
  await choose('NP J. Avery');
  expect(screen.queryByRole('radio', { name: 'Private visit' })).toBeNull();
  await press('Show all types again');
  expect(await screen.findByRole('radio', { name: 'Private visit' })).toBeTruthy();
});

test('a medication refill hides the day and the doctors, and Next leads to the other site', async () => {
  const { choose } = await atHome();
  await choose('Medication refill');
  const next = await screen.findByRole('link', { name: 'Next' });
  expect(next.getAttribute('href')).toBe('https://medication.example/');
  expect(screen.queryByRole('radio', { name: 'Earliest available doctor' })).toBeNull();
});

test('a type with a fee says that it is not open yet, with the way to the clinic', async () => {
  const { choose } = await atHome();
  await choose('Private visit');
  expect(await screen.findByText('Online booking of this type is not open yet')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Call 604-555-0100' })).toBeTruthy();
});

test('an empty schedule ends in the warning; No stays with the inline text', async () => {
  const { press } = await atSlots({ days: [] });
  const modal = await screen.findByRole('alertdialog', { name: 'Warning' });
  expect(modal.textContent).toContain(
    'No appointments available on Sat Nov 21. Do you want to search for an appointment on a DIFFERENT day?',
  );
  await press('No');
  expect(
    screen.getByText(
      'There are no appointments available for the parameters you selected. Please choose another day, doctor or appointment type.',
    ),
  ).toBeTruthy();
});

test('Yes in the warning goes on from the day after the last one tried', async () => {
  const { service, press } = await atSlots({
    days: [aDay(addDays(TODAY, 9), { '101': ['10:00'] })],
  });
  await screen.findByRole('alertdialog', { name: 'Warning' });
  await press('Yes');
  expect(await screen.findByRole('button', { name: /^10:00, Mon Nov 30/ })).toBeTruthy();
  expect(service.calls.filter((call) => call === 'GET /doctors/schedule').length).toBeLessThan(12);
});

test('one doctor has a column for each day, and moves on by five', async () => {
  const { choose, press } = await atHome({
    days: [aDay(tomorrow, { '101': ['09:00'] }), aDay(addDays(TODAY, 7), { '101': ['11:00'] })],
  });
  await choose('In-person visit');
  await choose('Dr. A. Stone');
  await press('Next');
  await heading('Booking In-person visit with A. Stone: Come to the clinic');
  expect(await screen.findByRole('heading', { level: 2, name: 'Sun Nov 22' })).toBeTruthy();
  await press('Next 5 Days');
  expect(await screen.findByRole('button', { name: /^11:00, Sat Nov 28/ })).toBeTruthy();
});

test('arrow keys move between the times of a column, which is one stop of the Tab key', async () => {
  const { person } = await atSlots();
  const first = await screen.findByRole('button', { name: /^09:00/ });
  const second = screen.getByRole('button', { name: /^09:05/ });
  expect([first.tabIndex, second.tabIndex]).toEqual([0, -1]);
  first.focus();
  await person.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(second);
  expect([first.tabIndex, second.tabIndex]).toEqual([-1, 0]);
});

test('a slot that somebody else has just taken is said on the grid', async () => {
  const { press } = await atSlots(
    {},
    refuse(
      'placeHold',
      409,
      'slotTaken',
      'Somebody else has just taken this time. Please choose another one.',
    ),
  );
  await press(/^09:00/);
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Somebody else has just taken this time. Please choose another one.',
  );
});

test('a slot lost while booking leads back to the grid, and the answer is kept', async () => {
  const { person, press, service } = await atConfirm(
    {},
    refuse(
      'createBooking',
      409,
      'slotTaken',
      'Somebody else has just taken this time. Please choose another one.',
    ),
  );
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  await heading(/^Booking In-person visit/);
  expect((await screen.findByRole('alert')).textContent).toContain('Somebody else');
  await press(/^09:05/);
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox')).value).toBe('a cough');
  expect(service.calls.filter((call) => call === 'POST /schedule/hold')).toHaveLength(2);
});

test('a reason that is missing or too short is said in the words of the specification', async () => {
  const { person, press } = await atConfirm();
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please enter reason for the visit',
  );
  await person.type(screen.getByRole('textbox'), 'x');
  await press('Next');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain(
      'The minimum length of reason for the visit is 2',
    ),
  );
});

test('a second visit on the same day is refused after Agree', async () => {
  const { person, press, service } = await atConfirm({
    appointments: [aVisit({ startTime: toInstant(tomorrow, '15:00') })],
  });
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'You can only book one appointment each day',
  );
  expect(service.calls).not.toContain('POST /schedule/create');
});

test.each([
  ['GET /demographics', 'Get demographic failed.', false],
  ['GET /me/appointments', 'Error occurred on second validation.', true],
  ['GET /services/appstate', 'Cannot get selected appointment state.', true],
  ['POST /schedule/create', 'Error ocurred while booking the appointment.', true],
])('when %s fails the patient reads "%s" and can try again', async (call, words, agrees) => {
  const { person, press, service } = await atConfirm(
    {},
    { [call]: () => ({ status: 500, body: {} }) },
  );
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  if (agrees) await press('Agree');
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('a cough');
  const answers = bookingClinic();
  const working = answers[call];
  if (working) service.answer(call, working);
  await press('Next');
  await press('Agree');
  await heading('Appointment booked');
});

test('a patient whom the records do not know is told that this part is not open yet', async () => {
  const { person, press } = await atConfirm(
    {},
    { 'GET /demographics': () => ({ body: { success: true, extras: { code: 'noEntryFound' } } }) },
  );
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  expect(
    await screen.findByRole('dialog', { name: 'Online booking of this type is not open yet' }),
  ).toBeTruthy();
});

test('within six hours the details say that it cannot be cancelled', async () => {
  const { person, press } = await atSlots({ days: [aDay(TODAY, { '101': ['14:00'] })] });
  await press(/^14:00/);
  await person.type(await screen.findByRole('textbox'), 'a cough');
  await press('Next');
  const dialog = await screen.findByRole('dialog', { name: 'Appointment Details' });
  expect(within(dialog).getByText(/starts within 6 hours\. It cannot be cancelled/)).toBeTruthy();
});

test('Back gives the slot back and keeps the answer', async () => {
  const { person, press, service } = await atConfirm();
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Back');
  await heading(/^Booking In-person visit/);
  await waitFor(() => expect(service.calls).toContain('DELETE /schedule/hold'));
  await press(/^09:05/);
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox')).value).toBe('a cough');
});

test('a hold with its draft is offered on home and resumes on confirm', async () => {
  const hold: WireHold = aHold({ draft: { reason: 'from the draft' } });
  const { press } = await atHome({ hold });
  expect(await screen.findByText('Continue your booking')).toBeTruthy();
  await press('Continue');
  await heading('Confirm your appointment');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('from the draft');
});

test('a hold that lapsed is said, and the time can be held again', async () => {
  const { press, service } = await atConfirm();
  vi.setSystemTime((CLINIC_NOW + 601) * 1000);
  expect(
    await screen.findByText('This time is no longer held for you. It may still be free.'),
  ).toBeTruthy();
  await press('Hold it again');
  await waitFor(() =>
    expect(service.calls.filter((call) => call === 'POST /schedule/hold')).toHaveLength(2),
  );
});

test('the draft is kept by the service a moment after the last key', async () => {
  const { person, service } = await atConfirm();
  await person.type(screen.getByRole('textbox'), 'a cough');
  await waitFor(() => expect(service.calls).toContain('PUT /schedule/hold/draft'));
});

import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { toInstant } from '@clinic/domain';
import {
  aApiStatus,
  aDay,
  anAppointment,
  aType,
  bookingTypes,
  reply,
} from '../../../testing/booking-clinic.ts';
import { bookType, moveAppointment } from '../../../shared/booking-link.ts';
import { speak } from '../../../messages/t.ts';
import { casey } from '../../../testing/people.ts';
import { atHome, heading } from '../../../testing/booking-person.tsx';

afterEach(async () => {
  await speak('en');
  vi.unstubAllGlobals();
});

// Shows: 5.choose-type.1, R-21
test('Next without a type, and without a doctor, says what is missing', async () => {
  const { press, choose } = await atHome();
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please choose the appointment type first.',
  );
  // Choosing a type clears the doctor.
  await choose('Dr. A. Stone');
  await choose('Phone consultation');
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please choose a doctor or the earliest available doctor.',
  );
});

test('the earliest doctor is chosen from the beginning, so that a type is enough', async () => {
  const { press, choose } = await atHome();
  await choose('In-person visit');
  await press('Next');
  expect(await heading('Booking In-person visit: Come to the clinic')).toBeTruthy();
});

// Shows: R-90
test('a type says its minutes where types differ in length, and not where all are alike', async () => {
  const appointmentType = [aType('O'), aType('P', { description: 'Phone', minutes: 15 })];
  await atHome({ user: { ...casey, appointmentType } });
  const phone = await screen.findByRole('radio', { name: /Phone/ });
  const words = () => phone.closest('label')?.textContent ?? '';
  expect(words()).toContain('15 minutes · By phone');
  cleanup();
  await atHome();
  await screen.findByRole('radio', { name: /In-person visit/ });
  expect(document.body.textContent).not.toContain('5 minutes ·');
});

// Shows: R-99
test('a type is called as in the language of the page, and else marked as English', async () => {
  const translations = { fr: 'Consultation téléphonique' };
  const appointmentType = [aType('O'), aType('P', { description: 'Phone', translations })];
  await atHome({ user: { ...casey, language: 'fr', appointmentType } });
  const phone = await screen.findByText('Consultation téléphonique');
  expect(phone.closest('[lang]')).toBe(document.documentElement);
  expect(screen.queryByText('Phone')).toBe(null);
  expect(screen.getByText('In-person visit').lang).toBe('en-CA');
});

// Shows: R-21
test('a patient with a family doctor chooses between the earliest and one doctor', async () => {
  const { press, choose } = await atHome(
    {},
    reply('checkNoPcp', () => ({ success: true, noPCP: false })),
  );
  await choose('In-person visit');
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please choose a doctor or the earliest available doctor.',
  );
});

test('limits that are reached already are told before anything is chosen', async () => {
  const appointments = [
    anAppointment({ id: 'a-1' }),
    anAppointment({ id: 'a-2', startTime: toInstant('2026-12-16', '13:00') }),
  ];
  await atHome({ appointments });
  expect(
    await screen.findByText('You can only book maximum of two upcomming appointments'),
  ).toBeTruthy();
});

test('who may book once a day reads on which day there is an appointment already', async () => {
  await atHome({ appointments: [anAppointment()] });
  expect(await screen.findByText('You can only book one appointment each day')).toBeTruthy();
  expect(screen.getByText('You already have an appointment on Tue Dec 15.')).toBeTruthy();
});

// Shows
test('while a private visit is moved, a nurse practitioner cannot be chosen and says why', async () => {
  const visit = anAppointment({ code: 'V', description: 'Private visit' });
  await atHome({ appointments: [visit] }, {}, moveAppointment(visit.id, 'V'));
  const avery = await screen.findByRole<HTMLInputElement>('radio', { name: 'NP J. Avery' });
  expect(avery.disabled).toBe(true);
  expect(
    screen.getByText('Nurse practitioners do not offer this type of appointment.'),
  ).toBeTruthy();
});

// Shows: R-51
test('the appointment that is being moved is named', async () => {
  const appointment = anAppointment();
  await atHome({ appointments: [appointment] }, {}, moveAppointment(appointment.id, 'O'));
  expect(
    await screen.findByText(
      'You are moving In-person visit with Dr. A. Stone on Tue Dec 15 2026 13:00. It stays booked until the new time is confirmed.',
    ),
  ).toBeTruthy();
});

// Shows: 5.choose-type.2
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

// Shows: 2.choose-type.5, 3.doctor-status.1, 5.doctor-choice.2, R-99
test('doctors show their note in the words and the language of the clinic, and why they cannot be chosen', async () => {
  const { choose } = await atHome(
    {
      statuses: {
        '101': aApiStatus({ scheduledcomment: 'Away in the afternoons' }),
        '103': aApiStatus({ onlyFamilyDoctor: true }),
        '104': aApiStatus({ noPCP: true }),
        '106': aApiStatus({ noscheduledisplay: true }),
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
  const note = await screen.findByText('Away in the afternoons');
  expect(note.lang).toBe('en-CA');
  expect(note.parentElement?.textContent).toBe('Note: Away in the afternoons');
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

// Shows: 4.selection.2
test('a nurse practitioner hides every type but O and P until the doctor is cleared', async () => {
  const { choose, press } = await atHome();
  await choose('Private visit');
  await choose('NP J. Avery');
  expect(screen.queryByRole('radio', { name: 'Private visit' })).toBeNull();
  await press('Show all types');
  expect(await screen.findByRole('radio', { name: 'Private visit' })).toBeTruthy();
});

// Shows: 2.choose-type.4
test('a medication refill hides the day and the doctors, and Next leads to the other site', async () => {
  const { choose } = await atHome();
  await choose('Medication refill');
  const next = await screen.findByRole('link', { name: 'Next' });
  expect(next.getAttribute('href')).toBe('https://medication.example/');
  expect(screen.queryByRole('radio', { name: 'Earliest available doctor' })).toBeNull();
});

// Shows: 2.choose-type.3
test("Next reads 'Checking...' until the check of the primary doctor has answered", async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const { choose, press } = await atHome(
    {},
    {
      'GET /clinic/admin/patient/5001': async () => {
        await asked;
        return {
          body: { success: true, demographic: { providerNo: '101' }, provider: { enabled: true } },
        };
      },
    },
  );
  await choose('In-person visit');
  await choose('Earliest available doctor');
  await press('Next');
  expect(await screen.findByRole('button', { name: 'Checking...' })).toBeTruthy();
  answer();
  expect(await heading('Booking In-person visit: Come to the clinic')).toBeTruthy();
});

test('who leaves the page while the check runs is not led on by it after coming back', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const { choose, press, go, queryClient } = await atHome(
    {},
    {
      'GET /clinic/admin/patient/5001': async () => {
        await asked;
        return {
          body: { success: true, demographic: { providerNo: '101' }, provider: { enabled: true } },
        };
      },
    },
  );
  await choose('In-person visit');
  await press('Next');
  await screen.findByRole('button', { name: 'Checking...' });
  await go('/account');
  await go('/');
  await screen.findByRole('button', { name: 'Next' });
  await act(async () => {
    answer();
    await expect.poll(() => queryClient.isFetching()).toBe(0);
  });
  expect(await heading('Please choose appointment type:')).toBeTruthy();
  expect((await radio('In-person visit')).checked).toBe(true);
});

test('what is chosen while the check runs is not led on by the Next before it', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const { choose, press } = await atHome(
    {},
    {
      'GET /clinic/admin/patient/5001': async () => {
        await asked;
        return { status: 500, body: {} };
      },
    },
  );
  await choose('In-person visit');
  await press('Next');
  await screen.findByRole('button', { name: 'Checking...' });
  await choose('Phone consultation');
  answer();
  await screen.findByRole('button', { name: 'Next' });
  expect(await heading('Please choose appointment type:')).toBeTruthy();
  expect((await radio('Phone consultation')).checked).toBe(true);
});

const radio = (name: string) => screen.findByRole<HTMLInputElement>('radio', { name });
const onPhone = () => vi.stubGlobal('matchMedia', () => ({ matches: true }));

test('a press of a type goes on to the day', async () => {
  const { choose } = await atHome();
  await choose('Phone consultation');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Day' }));
  expect(screen.queryByRole('button', { name: 'Change type' })).toBeNull();
});

test('arrow keys choose a type, and the focus stays with them', async () => {
  const { person } = await atHome();
  (await radio('In-person visit')).focus();
  await person.keyboard('{ArrowDown}');
  const phone = await radio('Phone consultation');
  expect(phone.checked).toBe(true);
  expect(document.activeElement).toBe(phone);
});

// Shows: R-101
test('on a phone the day and the doctor are asked after the type, and Back returns to it', async () => {
  onPhone();
  const { choose, press, go } = await atHome();
  await choose('Phone consultation');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Day' }));
  expect(await screen.findByRole('button', { name: 'Change type' })).toBeTruthy();
  await go(-1);
  const phone = await radio('Phone consultation');
  expect(phone.checked).toBe(true);
  expect(document.activeElement).toBe(phone);
  expect(screen.queryByRole('button', { name: 'Change type' })).toBeNull();
  // The one that is chosen leads on too.
  await choose('Phone consultation');
  await press('Next');
  await heading('Booking Phone consultation: Our provider will call you');
  await press('Back');
  await press('Change type');
  expect(document.activeElement).toBe(await radio('Phone consultation'));
});

test('on a phone Back from the times returns to the day and the doctor', async () => {
  onPhone();
  const { choose, press, go } = await atHome();
  await choose('Phone consultation');
  await press('Next');
  await heading('Booking Phone consultation: Our provider will call you');
  await go(-1);
  await heading('Please choose appointment type:');
  // The history has had time to go further back.
  await go(1);
  await heading('Booking Phone consultation: Our provider will call you');
  await go(-1);
  expect(await screen.findByRole('button', { name: 'Change type' })).toBeTruthy();
});

test('on a phone Next leads from a type that the keys chose to the day and the doctor', async () => {
  onPhone();
  const { person, press } = await atHome();
  (await radio('In-person visit')).focus();
  await person.keyboard('{ArrowDown}');
  await press('Next');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Day' }));
});

// Shows: 5.choose-type.1, R-21
test('on a phone a type that a nurse practitioner has cleared is asked for again', async () => {
  onPhone();
  const { choose, press } = await atHome();
  await choose('Private visit');
  await choose('NP J. Avery');
  await press('Next');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Please choose the appointment type first.');
  expect(document.activeElement).toBe(alert);
  expect(screen.queryByRole('button', { name: 'Change type' })).toBeNull();
});

test("the first types of the clinic's list stand there, the others behind a button", async () => {
  const others = [
    aType('I', { description: 'Injury claim' }),
    aType('M', { description: 'Immigration exam' }),
  ];
  const user = { ...casey, appointmentType: [...bookingTypes, ...others] };
  const { choose, press } = await atHome({ user });
  expect(await radio('Driver medical')).toBeTruthy();
  expect(screen.queryByRole('radio', { name: 'Medication refill' })).toBeNull();
  await press('Other types (3)');
  expect(document.activeElement).toBe(await radio('Medication refill'));
  await choose('Immigration exam');
  expect(screen.queryByRole('button', { name: /^Other types/ })).toBeNull();
});

test('a type behind the button stands there while it is chosen', async () => {
  const others = [aType('I', { description: 'Injury claim' }), aType('M')];
  const user = { ...casey, appointmentType: [...bookingTypes, ...others] };
  await atHome({ user }, {}, bookType('I'));
  expect((await radio('Injury claim')).checked).toBe(true);
  expect(await screen.findByRole('button', { name: 'Other types (2)' })).toBeTruthy();
});

test('days with times for the patient are marked, in words too, once a type is chosen', async () => {
  const { choose, service } = await atHome();
  const calls = () => service.calls.filter((call) => call === 'GET /doctors/schedule').length;
  expect(await screen.findByRole('button', { name: 'Sun Nov 22' })).toBeTruthy();
  expect(calls()).toBe(0);
  await choose('In-person visit');
  const open = await screen.findByRole('button', { name: 'Sun Nov 22 times available' });
  expect(open.hasAttribute('data-marked')).toBe(true);
  const full = screen.getByRole('button', { name: 'Mon Nov 23 no times available' });
  expect(full.hasAttribute('data-marked')).toBe(false);
  const inCalendar = screen.getByRole('button', {
    name: 'Sunday, November 22, 2026',
    description: 'times available',
  });
  expect(inCalendar.hasAttribute('data-marked')).toBe(true);
  await choose('Dr. G. Liu');
  expect(await screen.findByRole('button', { name: 'Sun Nov 22 no times available' })).toBeTruthy();
});

// Shows: R-23
test('where a failed check hides times, a day without others says nothing', async () => {
  const statuses = {
    '101': aApiStatus({ onlyFamilyDoctor: true }),
    '104': aApiStatus(),
  };
  const { choose } = await atHome(
    {
      statuses,
      days: [aDay('2026-11-22', { '101': ['09:00'] }), aDay('2026-11-23', { '104': ['09:00'] })],
    },
    { 'GET /clinic/admin/patient/5001': () => 'unreachable' },
  );
  await choose('In-person visit');
  expect(await screen.findByRole('button', { name: 'Mon Nov 23 times available' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Sun Nov 22' })).toBeTruthy();
});

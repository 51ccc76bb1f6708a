import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { toInstant } from '@clinic/domain';
import {
  aApiStatus,
  aDay,
  anAppointment,
  bookingTypes,
  reply,
  refuse,
  type ClinicFacts,
  type Replies,
} from '../../../testing/booking-clinic.ts';
import { casey } from '../../../testing/people.ts';
import { moveAppointment } from '../../../shared/booking-link.ts';
import { atHome, heading, tomorrow } from '../../../testing/booking-person.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

const before = anAppointment({
  startTime: toInstant('2026-11-03', '10:00'),
  isEditable: false,
  status: 'completed',
});
const start = toInstant(tomorrow, '09:00');
const offer = 'Next available: Sun Nov 22, 09:00 with Dr. A. Stone';
const earliest = reply('earliestSlot', () => ({
  success: true,
  extras: { message: '', slot: { doctor: '101', start, end: start + 300 } },
}));

/** A patient who has been here once. */
const back = (
  facts: Partial<ClinicFacts> = {},
  changed: Replies = {},
  state: object | null = null,
) => atHome({ appointments: [before], ...facts }, { ...earliest, ...changed }, state);

// Shows: R-30
test('who comes back holds the next time with the same doctor in one press', async () => {
  const { press, service } = await back();
  expect(await screen.findByText(/^In-person visit with Dr. A. Stone · No fee$/)).toBeTruthy();
  await press(offer);
  await heading('Confirm your appointment');
  expect(screen.getAllByText('Sun Nov 22 2026 09:00').length).toBeGreaterThan(0);
  expect(service.calls.filter((call) => call === 'POST /schedule/hold')).toHaveLength(1);
  await press('Back');
  await heading('Booking In-person visit with A. Stone: Come to the clinic');
});

test("'Book again' leads to the times of the same type and doctor", async () => {
  const { press } = await back();
  await press('Book again');
  expect(await heading('Booking In-person visit with A. Stone: Come to the clinic')).toBeTruthy();
});

test("'Book again' begins with the first day, whatever day was chosen before", async () => {
  const { person, press } = await back();
  await person.click(await screen.findByRole('button', { name: /^Mon Nov 23/ }));
  await press('Book again');
  await heading('Booking In-person visit with A. Stone: Come to the clinic');
  expect(await screen.findByRole('heading', { level: 2, name: 'Sat Nov 21' })).toBeTruthy();
});

// Shows
test("on a phone a doctor whom the check refuses after 'Book again' is told with the doctors", async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  let asked = 0;
  const { press } = await back(
    { statuses: { '101': aApiStatus({ onlyFamilyDoctor: true }), '104': aApiStatus() } },
    {
      'GET /clinic/admin/patient/5001': () => {
        asked += 1;
        if (asked === 1) return { status: 500, body: {} };
        const demographic = { providerNo: '101' };
        return { body: { success: true, demographic, provider: { enabled: false } } };
      },
    },
  );
  await screen.findByText(/^In-person visit with Dr. A. Stone/);
  await press('Book again');
  const words = 'This doctor only sees patients who have an active doctor at our clinic';
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  expect(screen.getByRole('button', { name: 'Change type' })).toBeTruthy();
});

// Shows: R-30
test('a next time that somebody else has taken is told above the times around it', async () => {
  const { press } = await back(
    { days: [aDay(tomorrow, { '101': ['09:05'] })] },
    refuse('placeHold', 409, 'slotTaken', 'Someone else just took this time.'),
  );
  await press(offer);
  await heading('Booking In-person visit with A. Stone: Come to the clinic');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Someone else just took this time.');
  expect(document.activeElement).toBe(alert);
  expect(await screen.findByRole('button', { name: /^09:05, Sun Nov 22/ })).toBeTruthy();
});

test('a next time that is refused for another reason is told beneath it', async () => {
  const { press } = await back({}, refuse('placeHold', 409, 'twoUpcoming', 'You have two visits.'));
  await press(offer);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('You have two visits.');
  expect(document.activeElement).toBe(alert);
});

test('a doctor who can no longer be chosen is not offered again', async () => {
  const asked: (string | null)[] = [];
  const { press } = await back(
    { statuses: { '101': aApiStatus({ scheduledisable: true }), '104': aApiStatus() } },
    reply('earliestSlot', ({ search }) => {
      asked.push(search.get('id'));
      return { success: true, extras: { message: '', slot: null } };
    }),
  );
  const card = await screen.findByRole('region', { name: 'Same as last time?' });
  expect(card.textContent).toContain('In-person visit · No fee');
  expect(await screen.findByText('Choose your time on the next page.')).toBeTruthy();
  expect(asked).toEqual(['-1']);
  await press('Book again');
  await heading('Booking In-person visit: Come to the clinic');
});

test('where the same doctor has no time, the next time with anybody is offered', async () => {
  await back(
    {},
    reply('earliestSlot', ({ search }) => ({
      success: true,
      extras: {
        message: '',
        slot: search.get('id') === '-1' ? { doctor: '104', start, end: start + 300 } : null,
      },
    })),
  );
  expect(
    await screen.findByRole('button', {
      name: 'Next available: Sun Nov 22, 09:00 with Dr. O. Price',
    }),
  ).toBeTruthy();
});

const upcoming = anAppointment({ id: 'a-1', startTime: toInstant(tomorrow, '15:00') });

// Shows: R-54
test('a next time on a day that a limit refuses is not offered', async () => {
  await back({ appointments: [before, upcoming] });
  expect(await screen.findByText('Choose your time on the next page.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: offer })).toBeNull();
});

test.each<[string, Partial<ClinicFacts>, object | null]>([
  ['has only cancelled', { appointments: [{ ...before, status: 'cancelled' }] }, null],
  [
    'has two appointments to come',
    { appointments: [before, upcoming, { ...upcoming, id: 'a-2', startTime: start + 86_400 }] },
    null,
  ],
  ['is blocked', { user: { ...casey, appointmentType: [...bookingTypes], isBlocked: true } }, null],
  ['had a type that is no longer offered', { appointments: [{ ...before, code: 'M' }] }, null],
  [
    'is moving an appointment',
    { appointments: [before, upcoming] },
    moveAppointment(upcoming.id, 'O'),
  ],
])('who %s is offered nothing again', async (_, facts, state) => {
  await back(facts, {}, state);
  await screen.findByRole('button', { name: 'Next' });
  expect(screen.queryByText('Same as last time?')).toBeNull();
});

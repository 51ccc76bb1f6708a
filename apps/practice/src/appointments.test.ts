import { toInstant } from '@clinic/domain';
import { expect, test } from 'vitest';
import { codesOn } from '@clinic/service/modules/records/index.ts';
import { ACCOUNTS } from './accounts.ts';
import { exceptionRows, templateRows } from './clinic-rows.ts';
import { accountAppointments } from './appointments.ts';

const HOUR = 3600;
const firstStart = toInstant('2026-11-21', '00:00');
const today = '2026-11-21';
const templates = templateRows(today);
const exceptions = exceptionRows(today);
const patients = new Map(
  ACCOUNTS.map(({ name }) => [name, { id: name, recordId: name, eligibility: 'E' }]),
);

const appointmentsAt = (now: number) =>
  accountAppointments(patients, (id, date) => codesOn(date, id, templates, exceptions), now);

test('whatever the hour of the first start, two@ can cancel and not move, and soon@ starts soon', () => {
  for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
    const now = firstStart + minutes * 60;
    const appointments = appointmentsAt(now);
    const next = (name: string) =>
      Math.min(
        ...appointments.filter(({ patient }) => patient?.id === name).map(({ start }) => start),
      ) - now;
    expect(next('two')).toBeGreaterThan(6 * HOUR);
    expect(next('two')).toBeLessThan(24 * HOUR);
    expect(next('soon')).toBeGreaterThanOrEqual(3 * HOUR);
    expect(next('soon')).toBeLessThan(18 * HOUR);
    const places = appointments.map(({ providerId, start }) => `${providerId}/${start}`);
    expect(new Set(places).size).toBe(places.length);
  }
});

import { randomUUID } from 'node:crypto';

import {
  type Oscar,
  type Provider,
  appointmentType,
  demographicNo,
  isLive,
  keysIn,
} from '@clinic/oscar';
import { addDays, daysBetween, toClinic } from '@clinic/domain';

import { type Found, lookAt, right, wrong } from './finding.ts';
import { type Known, policyOf } from './set-up.ts';

/**
 * Books far enough ahead that nobody is in the way, cancels, and reads both back. The row is deleted, where OSCAR
 * lets the token do that.
 */
export async function testAppointment(
  oscar: Oscar,
  people: readonly Provider[],
  type: string,
  known: Known & { readonly testPatient: string },
): Promise<Found> {
  const { urgent } = oscar;
  const provider = people.find(({ no }) => !policyOf(known, no).hidden) ?? people[0];
  const patient = known.testPatient;
  const record = await urgent.patient(demographicNo(patient));
  if (record === null || provider === undefined)
    return wrong(
      record === null ? `OSCAR has no patient ${patient}` : 'there is no doctor to book with',
      'Give the demographic number of a test patient, and see that OSCAR has a doctor',
    );
  const today = toClinic(known.now).date;
  const date = addDays(today, 90 + (daysBetween('2023-01-01', today) % 7));
  const span = { date, start: '00:05', end: '00:10' };
  const where = `${date} ${span.start} with ${provider.no}`;
  const key = `check-${randomUUID()}`;
  const answer = await oscar.book({
    key,
    providerNo: provider.no,
    demographicNo: record.no,
    patient: { firstName: 'Test', lastName: 'Test' },
    span,
    type: appointmentType(type),
    reason: 'Test of the connection',
    location: policyOf(known, provider.no).location ?? '',
  });
  if (answer.kind !== 'booked')
    return wrong(`${where}: ${answer.kind}`, 'Look at that day in OSCAR, and check again');
  const row = `Cancel number ${answer.no} of ${where} in OSCAR by hand`;
  const booked = await urgent.appointment(answer.no);
  const isThere =
    booked !== null &&
    isLive(booked.status) &&
    booked.demographicNo === record.no &&
    keysIn(booked).includes(key) &&
    [booked.span.date, booked.span.start, booked.span.end].join() === Object.values(span).join();
  await urgent.cancelAppointment(answer.no);
  const cancelled = await urgent.appointment(answer.no);
  if (!isThere)
    return wrong(
      `${where} was written, and is not read as it was written`,
      `${row}, and report it`,
    );
  if (cancelled !== null && isLive(cancelled.status))
    return wrong(`${where} was written, and cannot be cancelled`, row);
  const isGone = await urgent.deleteAppointment(answer.no).then(
    async () => (await urgent.appointment(answer.no)) === null,
    () => false,
  );
  const done = `${where} was written and read, cancelled and read`;
  return isGone
    ? right(`${done}, and is gone`)
    : lookAt(`${done}; its cancelled row stays`, `Delete number ${answer.no} in OSCAR by hand`);
}

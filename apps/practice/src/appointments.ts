import { addDays, scheduledSlots, toClinic, toInstant } from '@clinic/domain';
import type { ClinicDate, SlotCode } from '@clinic/domain';
import type { SeededPatient } from './insert-accounts.ts';
import type { SeededAppointment } from './insert-appointments.ts';

/** A provider's codes on a date, as the schedule was seeded. */
export type CodesOn = (providerId: string, date: ClinicDate) => string;

const HOUR = 3600;

/** The appointments of the practice accounts, around the first start. */
export function accountAppointments(
  patients: ReadonlyMap<string, SeededPatient>,
  codesOn: CodesOn,
  now: number,
): SeededAppointment[] {
  const today = toClinic(now).date;
  const appointments: SeededAppointment[] = [];
  const at = (days: number, time: string) => toInstant(addDays(today, days), time);
  const add = (name: string, appointment: Omit<SeededAppointment, 'patient' | 'recordId'>) => {
    const patient = patients.get(name);
    if (!patient) throw new Error(`There is no practice account ${name}`);
    appointments.push({ patient, recordId: patient.recordId, ...appointment });
  };
  const of101 = { providerId: '101', type: 'O', state: 'booked' } as const;

  add('casey', { ...of101, start: at(3, '08:00') });
  add('casey', { ...of101, start: at(-12, '11:10'), state: 'completed' });
  add('casey', { ...of101, start: at(-33, '09:20'), type: 'P', state: 'completed' });
  add('casey', { ...of101, start: at(-58, '11:30'), state: 'no-show' });
  add('casey', { ...of101, start: at(-120, '08:40'), providerId: '990', state: 'completed' });
  add('casey', { ...of101, start: at(-200, '09:05'), providerId: '104', state: 'registered' });
  add('casey', { ...of101, start: at(-20, '11:45'), state: 'cancelled' });
  add('casey', { ...of101, start: at(-75, '09:50'), type: 'P', state: 'cancelled' });
  add('vera', { ...of101, start: at(5, '13:20'), type: 'V', paidCents: 20_000 });
  add('rosa', { ...of101, start: at(4, '17:25'), type: 'PP', paidCents: 7_500 });
  add('two', {
    ...of101,
    start: nearestSlot('106', 'O', now + 12 * HOUR, {
      after: now + 7 * HOUR,
      before: now + 23 * HOUR,
    }),
    providerId: '106',
  });
  add('two', {
    ...of101,
    start: at(6, '11:15'),
    state: 'registered',
    checkin: 'B7',
    isReschedulable: false,
  });
  add('soon', {
    ...of101,
    start: nearestSlot('106', 'O', now + 3 * HOUR, {
      after: now + 3 * HOUR,
      before: now + 36 * HOUR,
    }),
    providerId: '106',
  });
  return appointments;

  /**
   * The free slot whose start is nearest to an instant, within bounds. Only the nurse practitioner
   * gives in-person appointments from the first hour to the last, so that 16 hours always hold one.
   */
  function nearestSlot(
    providerId: string,
    code: SlotCode,
    wanted: number,
    { after, before }: { readonly after: number; readonly before: number },
  ): number {
    const dates = [today, addDays(today, 1), addDays(today, 2)];
    const starts = dates
      .flatMap((date) => scheduledSlots({ date, template: codesOn(providerId, date) }))
      .filter((slot) => slot.code === code && slot.start >= after && slot.start <= before)
      .filter(
        (slot) => !appointments.some((appointment) => isOn(appointment, providerId, slot.start)),
      )
      .map(({ start }) => start)
      .sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted));
    const [start] = starts;
    if (start === undefined) throw new Error('The clinic is closed for too long');
    return start;
  }
}

function isOn(appointment: SeededAppointment, providerId: string, start: number): boolean {
  return appointment.providerId === providerId && appointment.start === start;
}

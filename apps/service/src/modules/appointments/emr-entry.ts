import { addDays, startOfDay, toClinic, toInstant } from '@clinic/domain';
import type { ClinicDate, Span } from '@clinic/domain';

import type { EmrEntry, ProviderId } from '../records/emr.ts';
import type { StoredAppointment } from './appointment.ts';

/**
 * Names the write of an appointment in the EMR for ever: what an EMR has kept goes by these words.
 */
export const emrKey = (appointmentId: string) => `claim:${appointmentId}`;

/** Names its cancellation. */
export const cancelKey = (appointmentId: string) => `cancel:${appointmentId}`;

/** The appointment of ours that a key names, or null. */
export const appointmentNamedBy = (key: string): string | null =>
  /^claim:([0-9a-f-]{36})$/.exec(key)?.[1] ?? null;

/** By which key and at which time an EMR has an appointment of ours. */
export function placeInEmr({ id, providerId, start, end }: Span & { readonly id: string }) {
  const from = toClinic(start);
  const to = toClinic(end);
  return {
    key: emrKey(id),
    providerId: providerId as ProviderId,
    date: from.date,
    start: from.time,
    // Midnight ends the day that it is the end of.
    end: to.date === from.date ? to.time : '24:00',
  };
}

export const spanOf = ({ providerId, date, start, end }: EmrEntry): Span => ({
  providerId,
  start: toInstant(date, start),
  end: end === '24:00' ? startOfDay(addDays(date, 1)) : toInstant(date, end),
});

/** What the clinic's staff did in the EMR to an appointment that stands booked here. */
export type StaffChange =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'arrived' | 'noShow' }
  | { readonly kind: 'moved'; readonly to: Span & { readonly clinicDate: ClinicDate } };

type Standing = Span & Pick<StoredAppointment, 'id' | 'state'>;

/** What staff did to an appointment that stands, as far as it is not followed yet. */
export function differenceOf(own: Standing, entry: EmrEntry): StaffChange | null {
  const here = placeInEmr(own);
  const isThere =
    here.providerId === entry.providerId &&
    here.date === entry.date &&
    here.start === entry.start &&
    here.end === entry.end;
  if (!isThere) return { kind: 'moved', to: { ...spanOf(entry), clinicDate: entry.date } };
  if (entry.state === 'noShow') return { kind: 'noShow' };
  return entry.state === 'arrived' && own.state === 'booked' ? { kind: 'arrived' } : null;
}

/**
 * What staff did before its patient moves or cancels it, by what stands under its key: also that the
 * patient came, although that is known here. One that the EMR never heard of is the patient's to end.
 */
export function staffCameFirst(
  own: Standing,
  found: EmrEntry | 'cancelled' | null,
): StaffChange | null {
  if (found === null) return null;
  if (found === 'cancelled') return { kind: 'cancelled' };
  const known = found.state === 'booked' ? null : { kind: found.state };
  return differenceOf(own, found) ?? known;
}

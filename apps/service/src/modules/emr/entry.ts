import { addDays, isBooked, startOfDay, toClinic, toInstant } from '@clinic/domain';
import type { ClinicDate, Span } from '@clinic/domain';

import type { EmrEntry, ProviderId } from '../records/emr.ts';
import type { BusySpan, StoredAppointment } from '../appointments/index.ts';

/** The key of an appointment's write to the EMR. EMRs store such keys, so its format never changes. */
export const emrKey = (appointmentId: string) => `claim:${appointmentId}`;

/** The key of an appointment's cancellation in the EMR. */
export const cancelKey = (appointmentId: string) => `cancel:${appointmentId}`;

/** The id of the appointment that a key is of, or null. */
export const appointmentIdOf = (key: string | null): string | null =>
  /^claim:([0-9a-f-]{36})$/.exec(key ?? '')?.[1] ?? null;

/** The key, provider and wall-clock time under which an EMR has one of our appointments. */
export function placeInEmr({ id, providerId, start, end }: Span & { readonly id: string }) {
  const from = toClinic(start);
  const to = toClinic(end);
  return {
    key: emrKey(id),
    providerId: providerId as ProviderId,
    date: from.date,
    start: from.time,
    // An end at midnight is 24:00 of the same day.
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

/** What staff did in the EMR to a standing appointment and is not followed here yet; null for nothing. */
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

/** What staff did to an appointment that stands here; null for nothing. */
export const staffChangeOf = (own: Standing, entry: EmrEntry): StaffChange | null =>
  isBooked(own) ? differenceOf(own, entry) : null;

/**
 * What staff did before the patient moves or cancels an appointment, judged by the EMR's entry under
 * its key; includes an arrival that is already known here. Null when staff did nothing, or the EMR
 * never had the appointment: the patient may then go on.
 */
export function staffCameFirst(
  own: Standing,
  found: EmrEntry | 'cancelled' | null,
): StaffChange | null {
  if (found === null) return null;
  if (found === 'cancelled') return { kind: 'cancelled' };
  const { state } = found;
  const known = state === 'arrived' || state === 'noShow' ? { kind: state } : null;
  return differenceOf(own, found) ?? known;
}

/** The busy time of a day that the EMR cannot read: all of it but our own appointments. */
export function busyExceptOurs(entry: EmrEntry, ours: readonly Span[]): BusySpan[] {
  const [whole] = busySpansOf(entry);
  if (whole === undefined) return [];
  const taken = ours
    .filter(({ providerId, start, end }) => {
      return providerId === entry.providerId && start < whole.end && end > whole.start;
    })
    .sort((one, other) => one.start - other.start);
  const spans: BusySpan[] = [];
  let { start } = whole;
  for (const own of taken) {
    const end = own.start - (own.start % 300);
    if (end > start) spans.push({ ...whole, sourceId: `${whole.sourceId} ${start}`, start, end });
    start = Math.max(start, own.end + ((300 - (own.end % 300)) % 300));
  }
  if (whole.end > start) spans.push({ ...whole, sourceId: `${whole.sourceId} ${start}`, start });
  return spans;
}

/** Rounded outwards to our five-minute steps: a step that is partly taken is taken. */
export function busySpansOf(entry: EmrEntry): BusySpan[] {
  const { providerId, start, end } = spanOf(entry);
  if (end <= start) return [];
  const onGrid = { start: start - (start % 300), end: end + ((300 - (end % 300)) % 300) };
  return [{ sourceId: entry.id, providerId, clinicDate: entry.date, ...onGrid }];
}

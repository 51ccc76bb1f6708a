import type { ApiAppointment, ApiHold } from '@clinic/contract';
import type { TextCode } from '@clinic/contract/texts';
import { toClinic } from '@clinic/domain';
import type { AppointmentTypeCode, EpochSeconds, LimitRefusal } from '@clinic/domain';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { clinicNow } from '@clinic/app/clock';
import { takeAnswer } from '../../../api/query-client.ts';
import { t } from '../../../messages/t.ts';
import { holdQuery } from '../booking-data.ts';
import type {
  BookedAppointment,
  Draft,
  OpenJourney,
  PickedSlot,
  RescheduleOf,
} from '../journey.ts';
import {
  bookedOf,
  holdFailure,
  isSlotLost,
  lookAt,
  placeHold,
  settleEarlier,
  StillUnknown,
} from './hold-calls.ts';

/** A time of the patient, and the request that was to book it. */
interface Asked {
  readonly slot: PickedSlot;
  /** Null for a time that is only picked. */
  readonly requestKey: string | null;
  readonly rescheduleOf: RescheduleOf | null;
}

/** Why the service refused, with the words for the patient. */
export interface Refusal {
  readonly code: TextCode | null;
  readonly message: string;
  /** Ids of the patient's own appointments that the service gave as the reason. */
  readonly own?: readonly string[];
}

/** What a page tells after the service refused to hold, book or charge a time. */
type AfterRefusal =
  /** The patient booked the time in another tab or on another device. */
  | { readonly kind: 'booked'; readonly booked: BookedAppointment }
  | {
      readonly kind: 'ownInTheWay';
      readonly message: string;
      readonly appointments: readonly ApiAppointment[];
    }
  | { readonly kind: 'slotLost'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Looks at what became of a request, and at the patient's own appointments, before a refusal is
 * told: what another tab or device of the patient has booked is not blamed on anybody else.
 */
async function afterRefusal(
  queryClient: QueryClient,
  { code, message, own: named = [] }: Refusal,
  asked: Asked,
): Promise<AfterRefusal> {
  const { slot, requestKey } = asked;
  const limit = code === 'oneEachDay' || code === 'twoUpcoming' ? code : null;
  if (requestKey !== null) {
    const looked = await lookAt(requestKey).catch(() => null);
    if (looked?.became.kind === 'booked') return looked.became;
  }
  const lost = isSlotLost(code);
  if (!lost && limit === null) return { kind: 'refused', message };
  const own = await ownAppointments(queryClient).catch(() => null);
  const booked = requestKey !== null && own !== null ? bookedAt(own, asked) : null;
  if (booked !== null) return { kind: 'booked', booked };
  const inTheWay = own?.filter(({ id }) => named.includes(id)) ?? [];
  if (limit !== null || inTheWay.length > 0) {
    const guessed = limit === null || own === null ? [] : limited(own, limit, slot.start);
    const appointments = inTheWay.length > 0 ? inTheWay : guessed;
    return { kind: 'ownInTheWay', message, appointments };
  }
  if (code !== 'slotTaken') return { kind: 'slotLost', message };
  // Where it cannot be known who took the time, nobody is named.
  if (own === null) return { kind: 'slotLost', message: t('booking.slotLost') };
  const taken = own.filter((each) => stands(each) && overlaps(each, slot));
  if (taken.length === 0) return { kind: 'slotLost', message };
  return { kind: 'ownInTheWay', message: t('booking.alreadyYours'), appointments: taken };
}

/**
 * Follows a refusal of the time in hand: to the appointment that the patient has made of it, or to
 * the other times. What stays on the page is for `tell`.
 */
export async function followRefusal(
  queryClient: QueryClient,
  refusal: Refusal,
  asked: Asked & { readonly requestKey: string },
  send: OpenJourney['send'],
  tell: (message: string, inTheWay: readonly ApiAppointment[] | null) => void,
): Promise<void> {
  const after = await afterRefusal(queryClient, refusal, asked);
  switch (after.kind) {
    case 'booked':
      return send({ type: 'booked', booked: after.booked });
    case 'slotLost':
      return send({ type: 'slotLost', message: after.message, requestKey: asked.requestKey });
    case 'ownInTheWay':
      return tell(after.message, after.appointments);
    case 'refused':
      return tell(after.message, null);
  }
}

const refusalOf = (error: ApiError): Refusal => ({
  code: error.code,
  message: messageOf(error, t('booking.slotLost')),
  own: error.own,
});

async function ownAppointments(queryClient: QueryClient): Promise<readonly ApiAppointment[]> {
  const list = { ...appointmentsQuery(), staleTime: 0, retry: false } as const;
  return (await queryClient.fetchQuery(list)).appointments;
}

const stands = ({ status }: ApiAppointment) => status === 'booked' || status === 'registered';

const overlaps = ({ doctor, startTime, endTime }: ApiAppointment, slot: PickedSlot) =>
  doctor === slot.doctor && startTime < slot.end && endTime > slot.start;

/** Those of the patient's appointments that a limit counts against a new one at `start`. */
export function limited(
  own: readonly ApiAppointment[],
  limit: LimitRefusal,
  start: EpochSeconds,
): readonly ApiAppointment[] {
  // One that is still being cancelled counts as booked.
  const counted = own.filter((each) => stands(each) || each.status === 'cancelling');
  const { date } = toClinic(start);
  return limit === 'oneEachDay'
    ? counted.filter(({ startTime }) => toClinic(startTime).date === date)
    : counted.filter(({ startTime }) => startTime > clinicNow());
}

/** The patient's own appointment at just this time: it was booked under another key. */
function bookedAt(
  appointments: readonly ApiAppointment[],
  { slot, rescheduleOf }: Asked,
): BookedAppointment | null {
  const own = appointments
    .filter((each) => stands(each) && each.id !== rescheduleOf?.appointmentId)
    .find(({ doctor, startTime }) => doctor === slot.doctor && startTime === slot.start);
  const code = rescheduleOf === null ? 'booked' : 'rescheduled';
  return own ? bookedOf({ code, appointment: own }) : null;
}

/**
 * The appointment that the patient made of a time in hand, here or elsewhere; null when there is
 * none. Throws when the service does not answer.
 */
export async function madeOf(
  queryClient: QueryClient,
  asked: Asked & { readonly requestKey: string },
): Promise<BookedAppointment | null> {
  const { became } = await lookAt(asked.requestKey);
  if (became.kind === 'booked') return became.booked;
  return bookedAt(await ownAppointments(queryClient), asked);
}

/** A time that the patient picked. */
interface Wanted {
  readonly patientId: string;
  readonly slot: PickedSlot;
  readonly type: AppointmentTypeCode;
  readonly rescheduleOf: RescheduleOf | null;
}

/** The time cannot be had; the message tells the patient why. */
export class TimeLost extends Error {
  override readonly name = 'TimeLost';
}

/** Own appointments of the patient stand in the way of a time. */
export class OwnInTheWay extends Error {
  override readonly name = 'OwnInTheWay';
  readonly appointments: readonly ApiAppointment[];

  constructor(message: string, appointments: readonly ApiAppointment[]) {
    super(message);
    this.appointments = appointments;
  }
}

/** Holds a time, unless an earlier request has made an appointment. Throws TimeLost or OwnInTheWay. */
export async function holdTime(
  queryClient: QueryClient,
  wanted: Wanted,
): Promise<{ readonly booked: BookedAppointment } | { readonly held: ApiHold }> {
  const booked = await settleEarlier(wanted.patientId, null);
  if (booked !== null) return { booked };
  const moved = wanted.rescheduleOf?.appointmentId ?? null;
  const result = await placeHold(wanted.slot, wanted.type, moved);
  if (result.kind === 'answer') return { held: result.answer.extras.hold };
  const error = new ApiError(result);
  hearOfLink(queryClient, error);
  const refusal = refusalOf(error);
  const { slot, rescheduleOf } = wanted;
  const after = await afterRefusal(queryClient, refusal, { slot, rescheduleOf, requestKey: null });
  if (after.kind === 'slotLost') throw new TimeLost(after.message);
  if (after.kind === 'ownInTheWay') throw new OwnInTheWay(after.message, after.appointments);
  throw error;
}

/**
 * On 'linkStands', refetches the clinic's hold, which the page did not know; home then offers to
 * pay for it.
 */
function hearOfLink(queryClient: QueryClient, { code }: ApiError): void {
  if (code === 'linkStands') void queryClient.invalidateQueries({ queryKey: holdQuery.queryKey });
}

/** Tells the patient why `holdTime` failed. */
export function whyNotHeld(error: Error): string {
  const isSaid = [StillUnknown, TimeLost, OwnInTheWay].some((kind) => error instanceof kind);
  return isSaid ? error.message : holdFailure(error);
}

export type Renewed =
  { readonly kind: 'held' } | Extract<AfterRefusal, { kind: 'booked' | 'slotLost' }>;

interface Renewal {
  readonly draft: Extract<Draft, { step: 'confirm' | 'payment' }>;
  readonly rescheduleOf: RescheduleOf | null;
  readonly forPayment: boolean;
}

/** Holds the time in hand again, or extends its hold. Throws OwnInTheWay, or the refusal. */
export async function renewHold(
  queryClient: QueryClient,
  { draft: { slot, search, requestKey }, rescheduleOf, forPayment }: Renewal,
): Promise<Renewed> {
  const moved = rescheduleOf?.appointmentId ?? null;
  const result = await placeHold(slot, search.type, moved, forPayment);
  if (result.kind === 'answer') {
    takeAnswer(queryClient, holdQuery, result.answer.extras.hold);
    return { kind: 'held' };
  }
  const error = new ApiError(result);
  hearOfLink(queryClient, error);
  const refusal = refusalOf(error);
  const after = await afterRefusal(queryClient, refusal, { slot, requestKey, rescheduleOf });
  if (after.kind === 'ownInTheWay') throw new OwnInTheWay(after.message, after.appointments);
  if (after.kind === 'refused') throw error;
  return after;
}

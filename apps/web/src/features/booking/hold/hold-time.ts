import type { ApiAppointment, ApiHold } from '@clinic/contract';
import type { TextCode } from '@clinic/contract/texts';
import { toClinic } from '@clinic/domain';
import type { AppointmentTypeCode, EpochSeconds, LimitRefusal } from '@clinic/domain';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError, messageOf, UserFacingError } from '@clinic/app/api-error';
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
  isSlotLost,
  lookAt,
  needsClinic,
  placeHold,
  settleEarlier,
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

/** The time cannot be had; the message tells the patient why. */
export class TimeLost extends UserFacingError {
  override readonly name = 'TimeLost';
}

/** Own appointments of the patient stand in the way of a time. */
export class OwnInTheWay extends UserFacingError {
  override readonly name = 'OwnInTheWay';
  readonly inTheWay: readonly ApiAppointment[];

  constructor(message: string, inTheWay: readonly ApiAppointment[]) {
    super(message);
    this.inTheWay = inTheWay;
  }
}

/**
 * Looks at what became of a request, and at the patient's own appointments, before a refusal is
 * told: what another tab or device of the patient has booked is not blamed on anybody else. Null
 * where there is no more to tell than the refusal.
 */
async function afterRefusal(
  queryClient: QueryClient,
  { code, message, own: named = [] }: Refusal,
  asked: Asked,
): Promise<BookedAppointment | TimeLost | OwnInTheWay | null> {
  const { slot, requestKey } = asked;
  const limit = code === 'oneEachDay' || code === 'twoUpcoming' ? code : null;
  if (requestKey !== null) {
    const looked = await lookAt(requestKey).catch(() => null);
    if (looked?.became.kind === 'booked') return looked.became.booked;
  }
  if (!isSlotLost(code) && limit === null) return null;
  const own = await ownAppointments(queryClient).catch(() => null);
  const booked = requestKey !== null && own !== null ? bookedAt(own, asked) : null;
  if (booked !== null) return booked;
  const inTheWay = own?.filter(({ id }) => named.includes(id)) ?? [];
  if (inTheWay.length > 0) return new OwnInTheWay(message, inTheWay);
  if (limit !== null) return new OwnInTheWay(message, limited(own ?? [], limit, slot.start));
  if (code !== 'slotTaken') return new TimeLost(message);
  // Where it cannot be known who took the time, nobody is named.
  if (own === null) return new TimeLost(t('booking.slotLost'));
  const taken = own.filter((each) => stands(each) && overlaps(each, slot));
  if (taken.length === 0) return new TimeLost(message);
  return new OwnInTheWay(t('booking.alreadyYours'), taken);
}

/** Why a booking or a payment stopped, as the page says it. */
export interface Problem {
  readonly message: string;
  /** Only the clinic can help. */
  readonly needsClinic?: boolean;
  /** The patient's own appointments that cause the problem, if any. */
  readonly inTheWay?: readonly ApiAppointment[];
}

/** The problem that an error leaves on the page. */
export const problemOf = (error: Error, fallback?: string): Problem => ({
  message: messageOf(error, fallback),
  ...(error instanceof OwnInTheWay && { inTheWay: error.inTheWay }),
});

/**
 * Follows a refusal of the time in hand: to the appointment that the patient has made of it, or to
 * the other times. Returns the problem that stays on the page; null where the page is left.
 */
export async function followRefusal(
  queryClient: QueryClient,
  refusal: Refusal,
  asked: Asked & { readonly requestKey: string },
  send: OpenJourney['send'],
): Promise<Problem | null> {
  const after = await afterRefusal(queryClient, refusal, asked);
  const problem = { message: refusal.message, needsClinic: needsClinic(refusal.code) };
  if (after === null) return problem;
  if (after instanceof OwnInTheWay) return { ...problem, ...problemOf(after) };
  if (after instanceof TimeLost)
    send({ type: 'slotLost', message: after.message, requestKey: asked.requestKey });
  else send({ type: 'booked', booked: after });
  return null;
}

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

/** A time that is held now, or an appointment that the patient has made of it. */
type Held = { readonly booked: BookedAppointment } | { readonly held: ApiHold };

/** Asks for a hold. Throws TimeLost or OwnInTheWay, else the refusal. */
async function askForHold(
  queryClient: QueryClient,
  asked: Asked,
  type: AppointmentTypeCode,
  forPayment = false,
): Promise<Held> {
  const { slot, rescheduleOf } = asked;
  const { doctor, start, end } = slot;
  const result = await placeHold({
    doctor,
    start,
    end,
    selectedType: type,
    ...(rescheduleOf && { rescheduleOf: rescheduleOf.appointmentId }),
    ...(forPayment && { forPayment }),
  });
  if (result.kind === 'answer') return { held: result.answer.extras.hold };
  const error = new ApiError(result);
  const { code, own } = error;
  // The clinic's hold, which the page did not know: home then offers to pay for it.
  if (code === 'linkStands') void queryClient.invalidateQueries({ queryKey: holdQuery.queryKey });
  const message = messageOf(error, t('booking.slotLost'));
  const after = await afterRefusal(queryClient, { code, message, own }, asked);
  if (after === null) throw error;
  if (after instanceof Error) throw after;
  return { booked: after };
}

/** Holds a time, unless an earlier request has made an appointment. Throws as `askForHold`. */
export async function holdTime(
  queryClient: QueryClient,
  { patientId, slot, type, rescheduleOf }: Wanted,
): Promise<Held> {
  const booked = await settleEarlier(patientId, null);
  if (booked !== null) return { booked };
  return askForHold(queryClient, { slot, rescheduleOf, requestKey: null }, type);
}

/** Tells the patient why a time could not be held. */
export const whyNotHeld = (error: Error): string =>
  messageOf(error, t('booking.holdFailed'), t('booking.holdUnknown'));

interface Renewal {
  readonly draft: Extract<Draft, { step: 'confirm' | 'payment' }>;
  readonly rescheduleOf: RescheduleOf | null;
  readonly forPayment: boolean;
}

/** Holds the time in hand again, or extends its hold. Throws as `askForHold`. */
export async function renewHold(
  queryClient: QueryClient,
  { draft: { slot, search, requestKey }, rescheduleOf, forPayment }: Renewal,
): Promise<Held> {
  const asked = { slot, requestKey, rescheduleOf };
  const became = await askForHold(queryClient, asked, search.type, forPayment);
  if ('held' in became) takeAnswer(queryClient, holdQuery, became.held);
  return became;
}

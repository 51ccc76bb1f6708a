import { centsOf, holdIdOfKey } from '@clinic/domain';
import type { ApiAnswers, CallAnswer, CallInput } from '@clinic/contract';
import type { AskOptions, CallResult } from '@clinic/contract/client';
import type { TextCode } from '@clinic/contract/texts';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf, UserFacingError } from '@clinic/app/api-error';
import { BACKGROUND, callService } from '../../../api/service.ts';
import { callUntilKnown } from '../../../api/until-known.ts';
import { dropUnsettled, readUnsettled } from '../../../shared/unsettled-request.ts';
import type { BookedAppointment } from '../journey.ts';

// One for the page: every call about the patient's one hold waits for the one before.
let last: Promise<unknown> = Promise.resolve();

/** Runs calls about the patient's one hold in order, so that a release cannot overtake a hold. */
function inOrder<T>(call: () => Promise<T>): Promise<T> {
  const next = last.then(call, call);
  last = next.catch(() => {});
  return next;
}

/** How long to wait before a hold is asked for again whose answer was lost, in milliseconds. */
const HOLD_AGAIN_MS = [250, 750];

/** Asks for a hold, and again where its answer was lost: the service then renews the same hold. */
export const placeHold = (body: CallInput<'placeHold'>['body']) =>
  inOrder(() => holdOrAskAgain({ body }));

async function holdOrAskAgain(input: CallInput<'placeHold'>): Promise<CallResult<'placeHold'>> {
  let result = await callService('placeHold', input);
  for (const pause of HOLD_AGAIN_MS) {
    if (result.kind === 'answer') return result;
    const { isUnknown, says } = new ApiError(result);
    if (!isUnknown || says !== null) return result;
    await new Promise((over) => setTimeout(over, pause));
    result = await callService('placeHold', input);
  }
  return result;
}

/** Refusals that mean: this time cannot be had, but another may. */
const SLOT_LOST: readonly TextCode[] = [
  'slotTaken',
  'slotNotOffered',
  'slotTooSoon',
  'slotTooLate',
  'doctorNotAvailable',
  'doctorFamilyOnly',
  'doctorNoPcp',
  'holdGone',
  'notCharged',
  'paymentGivenBack',
];

export const isSlotLost = (code: TextCode | null) => code !== null && SLOT_LOST.includes(code);

/** Refusals of which the patient cannot get rid by another try: the clinic helps. */
const FOR_THE_CLINIC: readonly TextCode[] = [
  'bookingBlocked',
  'typeNotOffered',
  'notReschedulable',
  'clinicRefuses',
];

export const needsClinic = (code: TextCode | null) =>
  code !== null && FOR_THE_CLINIC.includes(code);

/**
 * Gives back the slot of a request key, and no later hold of another tab. Failures need no words,
 * as an unreleased hold expires by itself. The request survives the closing of the page. A hold
 * that the clinic placed stays, unless `evenByClinic` says that the patient gives it back.
 */
export function releaseHold(
  requestKey: string,
  { evenByClinic = false } = {},
): Promise<CallResult<'releaseHold'>> {
  const query = evenByClinic ? { linked: 'true' as const } : {};
  const input = { headers: { 'idempotency-key': requestKey }, query };
  return inOrder(() => callService('releaseHold', input, { keepalive: true }));
}

/**
 * Saves the draft with the hold of a request key, and with no later hold of another tab. The
 * request survives the closing or reload of the page, so the last words typed still arrive.
 */
export function saveDraft(draft: ApiAnswers, key: string): Promise<CallResult<'saveDraft'>> {
  const input = { headers: { 'idempotency-key': key }, body: { draft } };
  return inOrder(() => callService('saveDraft', input, { ...BACKGROUND, keepalive: true }));
}

type HoldAnswer = CallAnswer<'readHold'>['extras'];

/** What became of the request of a key. */
type Became =
  | { readonly kind: 'booked'; readonly booked: BookedAppointment }
  /** The hold stands: the request may still arrive, and makes the same booking when sent again. */
  | { readonly kind: 'held' }
  /** Neither an appointment nor a hold of this request stands. */
  | { readonly kind: 'nothing' };

/** It is unknown whether an earlier request booked an appointment. */
export class StillUnknown extends UserFacingError {
  override readonly name = 'StillUnknown';
}

/**
 * Settles this browser's earlier request before a new hold or booking. Returns the appointment that
 * the request made, which the patient has to see first, or null. `ours` is the key of the request
 * about to be sent again, or null before a new hold: the old hold is then released first, after
 * which a late request books nothing. Throws StillUnknown.
 */
export async function settleEarlier(
  patientId: string,
  ours: string | null,
): Promise<BookedAppointment | null> {
  const key = readUnsettled(patientId);
  if (key === null || key === ours) return null;
  if (ours === null) {
    const released = await releaseHold(key);
    if (released.kind !== 'answer') throw stillUnknown(new ApiError(released));
  }
  const { became } = await lookAt(key, {}).catch((error: unknown) => {
    throw stillUnknown(error);
  });
  if (became.kind === 'booked') return became.booked;
  dropUnsettled(patientId, key);
  return null;
}

/**
 * `settleEarlier` for arrival at the page, asking for up to a minute. A standing hold is kept, so
 * that the patient can continue it; a lapsed one is released, so that its request cannot book late.
 */
export async function whatBecameOf(patientId: string, key: string): Promise<Looked> {
  const known = await callUntilKnown('readHold', { headers: { 'idempotency-key': key } });
  if (known.kind !== 'done') throw new StillUnknown(t('booking.outcomeUnknown'));
  const { extras } = known.answer;
  const became = becameOf(key, extras);
  if (became.kind !== 'nothing') return { became, hold: extras.hold };
  const booked = await settleEarlier(patientId, null);
  return { became: booked === null ? became : { kind: 'booked', booked }, hold: extras.hold };
}

interface Looked {
  readonly became: Became;
  readonly hold: HoldAnswer['hold'];
}

/**
 * What became of the request of a key, and the hold that stands, asked once. Throws an ApiError when
 * the service does not answer.
 */
export async function lookAt(key: string, options: AskOptions = BACKGROUND): Promise<Looked> {
  const looked = await callService('readHold', { headers: { 'idempotency-key': key } }, options);
  if (looked.kind !== 'answer') throw new ApiError(looked);
  const { extras } = looked.answer;
  return { became: becameOf(key, extras), hold: extras.hold };
}

function stillUnknown(error: unknown): StillUnknown {
  return new StillUnknown(messageOf(error, t('booking.outcomeUnknown')));
}

function becameOf(key: string, { hold, made }: HoldAnswer): Became {
  const stands = made?.appointment.status === 'booked' || made?.appointment.status === 'registered';
  if (made && stands) return { kind: 'booked', booked: bookedOf(made) };
  return { kind: hold !== null && hold.id === holdIdOfKey(key) ? 'held' : 'nothing' };
}

export function bookedOf({
  code,
  appointment,
}: NonNullable<HoldAnswer['made']>): BookedAppointment {
  const { id, bookingId, doctor, startTime, endTime, paidAmount } = appointment;
  const cents = centsOf(paidAmount) ?? 0;
  return {
    bookingNumber: bookingId ?? id,
    type: appointment.code,
    slot: { doctor, start: startTime, end: endTime },
    appointment,
    outcome: code === 'rescheduled' ? 'rescheduled' : cents > 0 ? 'paid' : 'booked',
    ...(code === 'booked' && cents > 0 ? { receipt: { cents, reference: null } } : {}),
    oldAppointmentStands: false,
  };
}

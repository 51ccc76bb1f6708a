import { centsOf, holdOfKey } from '@clinic/domain';
import type { AppointmentTypeCode } from '@clinic/domain';
import type { ApiAnswers, ApiHold, CallAnswer } from '@clinic/contract';
import type { CallResult } from '@clinic/contract/client';
import type { TextCode } from '@clinic/contract/texts';
import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { callService } from '../../../api/service.ts';
import { callUntilKnown } from '../../../api/until-known.ts';
import { dropUnsettled, readUnsettled } from '../../../shared/unsettled-request.ts';
import { holdQuery } from '../booking-data.ts';
import {
  type BookedAppointment,
  type Draft,
  type PickedSlot,
  type RescheduleOf,
} from '../journey.ts';

let last: Promise<unknown> = Promise.resolve();

/** Runs calls about the patient's one hold in order, so that a release cannot overtake a hold. */
function inOrder<T>(call: () => Promise<T>): Promise<T> {
  const next = last.then(call, call);
  last = next.catch(() => {});
  return next;
}

const TOLD = 'clinic.hold';

/** Tells the patient's other tabs that the hold changed; they then ask the service for it. */
export function tellOtherTabs(holdId: string | null): void {
  try {
    localStorage.setItem(TOLD, holdId ?? '');
  } catch {
    // Without storage no other tab shares the session, so there is none to tell.
  }
}

/** Calls the listener when another tab calls `tellOtherTabs`; returns a function that stops it. */
export function whenToldOfHold(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === TOLD) listener();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

export function placeHold(
  { doctor, start, end }: PickedSlot,
  selectedType: AppointmentTypeCode,
  rescheduleOf: string | null,
  forPayment = false,
): Promise<CallResult<'placeHold'>> {
  const body = {
    doctor,
    start,
    end,
    selectedType,
    ...(rescheduleOf === null ? {} : { rescheduleOf }),
    ...(forPayment ? { forPayment } : {}),
  };
  return inOrder(async () => {
    const placed = await callService('placeHold', { body });
    if (placed.kind === 'answer') tellOtherTabs(placed.answer.extras.hold.id);
    return placed;
  });
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
];

export function isSlotLost(code: TextCode | null): boolean {
  return code !== null && SLOT_LOST.includes(code);
}

/**
 * Tells the patient why a time cannot be had. If the patient booked it in another tab or on another
 * device, nobody else is blamed; nor when the appointments cannot be loaded.
 */
export async function whyLost(
  queryClient: QueryClient,
  error: ApiError,
  { doctor, start, end }: PickedSlot,
): Promise<string> {
  const said = messageOf(error, t('booking.slotLost'));
  if (error.code !== 'slotTaken') return said;
  try {
    const { appointments } = await queryClient.fetchQuery({
      ...appointmentsQuery(),
      staleTime: 0,
      retry: false,
    });
    const isOwn = appointments.some(
      (own) =>
        (own.status === 'booked' || own.status === 'registered') &&
        own.doctor === doctor &&
        own.startTime < end &&
        own.endTime > start,
    );
    return isOwn ? t('booking.alreadyYours') : said;
  } catch {
    return t('booking.slotLost');
  }
}

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
  return inOrder(async () => {
    const released = await callService('releaseHold', input, { keepalive: true });
    if (released.kind === 'answer') tellOtherTabs(null);
    return released;
  });
}

/**
 * Saves the draft with the hold of a request key, and with no later hold of another tab. The
 * request survives the closing or reload of the page, so the last words typed still arrive.
 */
export function saveDraft(draft: ApiAnswers, key: string): Promise<CallResult<'saveDraft'>> {
  const input = { headers: { 'idempotency-key': key }, body: { draft } };
  return inOrder(() => callService('saveDraft', input, { background: true, keepalive: true }));
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
export class StillUnknown extends Error {
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
  const looked = await callService('readHold', { headers: { 'idempotency-key': key } });
  if (looked.kind !== 'answer') throw stillUnknown(new ApiError(looked));
  const became = becameOf(key, looked.answer.extras);
  if (became.kind === 'booked') return became.booked;
  dropUnsettled(patientId, key);
  return null;
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

/** Holds a time, unless an earlier request has made an appointment. Throws TimeLost. */
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
  if (!isSlotLost(error.code)) throw error;
  throw new TimeLost(await whyLost(queryClient, error, wanted.slot));
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
  return error instanceof StillUnknown || error instanceof TimeLost
    ? error.message
    : messageOf(error, t('booking.holdFailed'));
}

/**
 * `settleEarlier` for arrival at the page, asking for up to a minute. A standing hold is kept, so
 * that the patient can continue it; a lapsed one is released, so that its request cannot book late.
 */
export async function whatBecameOf(
  patientId: string,
  key: string,
): Promise<{ readonly became: Became; readonly hold: HoldAnswer['hold'] }> {
  const known = await callUntilKnown('readHold', { headers: { 'idempotency-key': key } });
  if (known.kind !== 'done') throw new StillUnknown(t('booking.outcomeUnknown'));
  const { extras } = known.answer;
  const became = becameOf(key, extras);
  if (became.kind !== 'nothing') return { became, hold: extras.hold };
  const booked = await settleEarlier(patientId, null);
  return { became: booked === null ? became : { kind: 'booked', booked }, hold: extras.hold };
}

/**
 * The appointment made by the request of a key, for example from another tab of the patient; null
 * when there is none or the service does not answer.
 */
export async function madeUnder(key: string): Promise<BookedAppointment | null> {
  const became = await becameNow(key).catch(() => null);
  return became?.kind === 'booked' ? became.booked : null;
}

/** What became of the hold of a key, asked once. Throws an ApiError when the service does not answer. */
export async function becameNow(key: string): Promise<Became> {
  const looked = await callService('readHold', { headers: { 'idempotency-key': key } });
  if (looked.kind !== 'answer') throw new ApiError(looked);
  return becameOf(key, looked.answer.extras);
}

function stillUnknown(error: ApiError): StillUnknown {
  return new StillUnknown(messageOf(error, t('booking.outcomeUnknown')));
}

function becameOf(key: string, { hold, made }: HoldAnswer): Became {
  const stands = made?.appointment.status === 'booked' || made?.appointment.status === 'registered';
  if (made && stands) return { kind: 'booked', booked: bookedOf(made) };
  return { kind: hold !== null && hold.id === holdOfKey(key) ? 'held' : 'nothing' };
}

function bookedOf({ code, appointment }: NonNullable<HoldAnswer['made']>): BookedAppointment {
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

export type Renewed =
  | { readonly kind: 'held' }
  /** The patient booked the time elsewhere meanwhile: nobody else has taken it. */
  | { readonly kind: 'booked'; readonly booked: BookedAppointment }
  | { readonly kind: 'slotLost'; readonly message: string }
  | { readonly kind: 'refused'; readonly error: ApiError };

interface Renewal {
  readonly draft: Extract<Draft, { step: 'confirm' | 'payment' }>;
  readonly rescheduleOf: RescheduleOf | null;
  readonly forPayment: boolean;
}

/** Holds the time in hand again, or extends its hold. */
export async function renewHold(
  queryClient: QueryClient,
  { draft: { slot, search, requestKey }, rescheduleOf, forPayment }: Renewal,
): Promise<Renewed> {
  const moved = rescheduleOf?.appointmentId ?? null;
  const result = await placeHold(slot, search.type, moved, forPayment);
  if (result.kind === 'answer') {
    queryClient.setQueryData(holdQuery.queryKey, result.answer.extras.hold);
    return { kind: 'held' };
  }
  const error = new ApiError(result);
  hearOfLink(queryClient, error);
  if (!isSlotLost(error.code)) return { kind: 'refused', error };
  const booked = await madeUnder(requestKey);
  if (booked !== null) return { kind: 'booked', booked };
  return { kind: 'slotLost', message: await whyLost(queryClient, error, slot) };
}

/** How long after the last keystroke the draft is saved, in milliseconds. */
export const DRAFT_DELAY_MS = 700;
/** How long to wait with saving after the service answered 429, in milliseconds. */
export const DRAFT_AGAIN_MS = 5_000;

interface DraftSaver {
  readonly later: (answers: ApiAnswers) => void;
  /** Saves at once, as when the phone hides the page. */
  readonly flush: () => void;
  readonly cancel: () => void;
}

/**
 * Saves the latest answers some time after the patient stopped typing. `save` returns true when the
 * service refused for too many requests: they are then saved later, unless newer ones come first.
 */
export function createDraftSaver(save: (answers: ApiAnswers) => Promise<boolean>): DraftSaver {
  let waiting: {
    readonly answers: ApiAnswers;
    readonly timer: ReturnType<typeof setTimeout>;
  } | null = null;
  let latest: ApiAnswers | null = null;
  const flush = () => {
    if (!waiting) return;
    const { answers, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    void save(answers).then((tooOften) => {
      if (tooOften && latest === answers) wait(answers, DRAFT_AGAIN_MS);
    });
  };
  const wait = (answers: ApiAnswers, ms: number) => {
    if (waiting) clearTimeout(waiting.timer);
    latest = answers;
    waiting = { answers, timer: setTimeout(flush, ms) };
  };
  const later = (answers: ApiAnswers) => wait(answers, DRAFT_DELAY_MS);
  const cancel = () => {
    if (waiting) clearTimeout(waiting.timer);
    waiting = null;
    latest = null;
  };
  return { later, flush, cancel };
}

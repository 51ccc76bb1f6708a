import { deskCalls } from '@clinic/contract';
import { type SlotRequest, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { PatientId, SignedInStaff } from '../../security/sessions.store.ts';
import { type RequestContext, route } from '../../server/http.ts';
import { refuse } from '../../server/refusal.ts';
import {
  type BookedAppointment,
  type Whose,
  appointments,
  bookByStaff,
  giveFeeBackAtClinic,
  isAccount,
  requestKey,
  takeFeeAtClinic,
  takenTime,
  whoseOf,
} from '../appointments/index.ts';
import { type Person, bounceOf, findPatients, personOf } from '../patients/index.ts';
import { heldPayments } from '../payments/index.ts';
import { eligibilityOfRecord, ownRecord } from '../records/index.ts';
import { freeTimes, freeTimesOfRecord, typesFor, walkInTimes } from '../schedule/index.ts';
import { providersAtDesk, upcomingOf, usualTypes } from './booking.store.ts';
import { openedRow } from './day-sheet.store.ts';

/** So many free times are offered at once. */
const MOST_TIMES = 12;

/** Somebody whom the clinic may book for. */
interface Bookable {
  readonly whose: Whose;
  readonly recordId: string;
  readonly name: string;
  readonly birthDate: string;
  readonly eligibility: string;
  /** They have an address from which no email came back. */
  readonly isReached: boolean;
}

const fullName = ({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`;

/** Finding a patient at the front desk, and booking and moving appointments for them. */
export function registerBookingAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, realtime, emr } = platform;
  const { db } = database;
  const ports = { ...platform, appointments, heldPayments: heldPayments(platform) };
  const timesPorts = { ...platform, takenTime, patientsWhoBook: platform.parts.patients };

  /** Whom the clinic can book for: an open account, or a record of ours that has none. */
  async function known(named: string): Promise<Bookable | null> {
    const person = await personOf(db, named);
    const { account = null, recordId = named } = person ?? {};
    if (account?.closedAt === null)
      return {
        ...account,
        name: fullName(account),
        whose: account.id as PatientId,
        isReached: bounceOf(account) === null,
      };
    // Who has closed their account is booked for by the number of their record alone.
    const record = emr === null && !isUuid(named) ? await ownRecord(db, recordId) : null;
    return (
      record && {
        name: fullName(record),
        birthDate: record.birthDate,
        eligibility: eligibilityOfRecord(record.cardProvince),
        recordId,
        whose: { recordId },
        isReached: false,
      }
    );
  }

  type Place = RequestContext<typeof deskCalls.deskMoveAppointment>['body'];
  interface ToPlace {
    readonly whose: Whose;
    readonly type: string;
    readonly rescheduleOf: string | null;
    readonly byLink: boolean;
    readonly link?: string | null;
    readonly key: string | undefined;
    readonly staff: SignedInStaff;
    readonly now: number;
  }

  async function place(body: Place, { type, key, staff, now, link = null, ...ofWhom }: ToPlace) {
    const { providerId, start, minutes = null, overrideReason = null, wantedBy } = body;
    const slot: SlotRequest = { providerId, start, end: start, type };
    const made = await bookByStaff(
      ports,
      {
        ...ofWhom,
        link,
        staffId: staff.id,
        slot,
        minutes,
        overrideReason,
        movedByClinic: wantedBy === 'clinic',
        requestKey: requestKey(key, slot),
      },
      now,
    );
    if (made.kind === 'refused')
      return refuse(made.code === 'holdGone' ? 'appointmentChanged' : made.code);
    const { whose } = ofWhom;
    if (isAccount(whose)) realtime.sayTo(whose, 'appointments');
    if (made.kind !== 'held') return placed(made, isAccount(whose));
    const held = await openedRow(db, made.appointmentId);
    // Over already: its patient paid, or let it go.
    if (held === null) return refuse('appointmentChanged');
    realtime.sayToDesk();
    const { id, end, linkUntil } = held;
    const at = { id, providerId, start, end };
    return { success: true as const, extras: { ...at, isTold: true, feeCents: 0, linkUntil } };
  }

  /** A link leads to an account, by an address that mail reaches, where cards are taken. No EMR keeps a time for so long. */
  const mayLink = ({ whose, isReached }: Bookable): boolean =>
    isAccount(whose) && isReached && emr === null && platform.cardPayments !== undefined;

  route(app, deskCalls.deskFindPatients, async ({ body, staff, now }) => {
    const found = await findPatients(platform, body.text, { actor: `staff:${staff.id}`, now });
    return { success: true as const, extras: { ...found, patients: [...found.patients] } };
  });

  route(app, deskCalls.deskBookingOptions, async ({ params, staff, now }) => {
    const patient = await known(params.id);
    if (patient === null) return refuse('notFound');
    const { whose, recordId } = patient;
    const hasAccount = isAccount(whose);
    const [types, usual, providers, upcoming] = await Promise.all([
      typesFor(db, patient.eligibility, toClinic(now).date),
      usualTypes(db, recordId),
      providersAtDesk(db),
      upcomingOf(db, recordId, now),
    ]);
    await database.inTransaction((tx) =>
      appendAudit(tx, {
        actor: `staff:${staff.id}`,
        action: 'booking begun at the desk',
        subject: hasAccount ? `patient:${whose}` : `record:${recordId}`,
        details: { record: recordId },
        at: now,
      }),
    );
    const offered = types.filter(({ active, form }) => active && form !== 'refill');
    const place = (code: string) => (usual.includes(code) ? usual.indexOf(code) : usual.length);
    return {
      success: true as const,
      extras: {
        name: patient.name,
        hasAccount,
        mayLink: mayLink(patient),
        birthDate: patient.birthDate,
        types: offered
          .toSorted((one, other) => place(one.code) - place(other.code))
          .map(({ code, description, chargeCents }) => ({
            code,
            description,
            feeCents: chargeCents,
          })),
        providers,
        upcoming,
      },
    };
  });

  route(app, deskCalls.deskFreeTimes, async ({ params, body, now }) => {
    const patient = await known(params.id);
    if (patient === null) return refuse('notFound');
    const { whose, recordId, eligibility } = patient;
    const { type, providerId = null, from } = body;
    const asked = { type, providerId, from, most: MOST_TIMES };
    const record = { recordId, eligibility };
    const [times, walkIns] = await Promise.all([
      isAccount(whose)
        ? freeTimes(timesPorts, { ...asked, patientId: whose }, now)
        : freeTimesOfRecord(timesPorts, { ...asked, record }, now),
      walkInTimes(timesPorts, type, now),
    ]);
    return { success: true as const, extras: { times: [...times], walkIns } };
  });

  route(app, deskCalls.deskBook, async ({ params, headers, body, staff, now }) => {
    const patient = await known(params.id);
    if (patient === null) return refuse('notFound');
    const { type, feeBy, ...where } = body;
    const { whose } = patient;
    const byLink = feeBy === 'link';
    if (byLink && !mayLink(patient)) return refuse('linkNotOffered');
    const key = headers['idempotency-key'];
    return place(where, { whose, type, rescheduleOf: null, byLink, key, staff, now });
  });

  route(app, deskCalls.deskPayAtClinic, async ({ params: { id }, staff, now }) => {
    const row = await openedRow(db, id);
    if (row === null) return refuse('notFound');
    const { providerId, start, end, type, state } = row;
    if (state !== 'held' && state !== 'booked') return refuse('appointmentChanged');
    // The same link is booked once, whoever asks; how long it lasts was decided when it was held.
    const where = { providerId, start, minutes: (end - start) / 60 };
    const ofWhom = { whose: whoseOf(row), type, rescheduleOf: null, byLink: false };
    return place(where, { ...ofWhom, link: id, key: `due-${id}`, staff, now });
  });

  route(app, deskCalls.deskMoveAppointment, async ({ params, headers, body, staff, now }) => {
    const row = await openedRow(db, params.id);
    if (row === null || (row.patientId === null && emr !== null)) return refuse('notFound');
    const { type, id: rescheduleOf } = row;
    const key = headers['idempotency-key'];
    const ofWhom = { whose: whoseOf(row), type, rescheduleOf, byLink: false };
    return place(body, { ...ofWhom, key, staff, now });
  });

  route(app, deskCalls.deskTakeFee, async ({ params: { id }, body: { means }, staff, now }) => {
    const row = await openedRow(db, id);
    if (row === null) return refuse('notFound');
    // Sent again after a lost answer, it has done what it was to do.
    const { taken } = row.feeAtClinic ?? {};
    if (taken?.by === staff.id && taken.means === means) return { success: true as const };
    const who = { actor: `staff:${staff.id}`, now };
    const fee = { ...row, means, staffId: staff.id };
    if (!(await takeFeeAtClinic(ports, fee, who))) return refuse('appointmentChanged');
    realtime.sayToDesk();
    return { success: true as const };
  });

  route(app, deskCalls.deskFeeBack, async ({ params: { id }, body, staff, now }) => {
    const row = await openedRow(db, id);
    if (row === null) return refuse('notFound');
    const { means, reason } = body;
    const { givenBack } = row.feeAtClinic ?? {};
    const isMine = givenBack?.by === staff.id;
    if (isMine && givenBack.means === means && givenBack.reason === reason)
      return { success: true as const };
    const who = { actor: `staff:${staff.id}`, now };
    const fee = { ...row, ...body, staffId: staff.id };
    if (!(await giveFeeBackAtClinic(ports, fee, who))) return refuse('appointmentChanged');
    realtime.sayToDesk();
    return { success: true as const };
  });
}

type Made = BookedAppointment;

const placed = (
  { appointment: { id, providerId, start, end, feeAtClinic } }: Made,
  isTold: boolean,
) => ({
  success: true as const,
  extras: {
    id,
    providerId,
    start,
    end,
    isTold,
    linkUntil: null,
    feeCents: feeAtClinic?.taken === undefined ? (feeAtClinic?.cents ?? 0) : 0,
  },
});

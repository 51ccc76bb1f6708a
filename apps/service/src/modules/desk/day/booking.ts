import { type ApiTextToRead, deskCalls } from '@clinic/contract';
import { currentAgreement, shownAgreement } from '@clinic/contract/agreements';
import {
  type Access,
  type SlotRequest,
  accessOf,
  agreementsOfBooking,
  feeStateOf,
  isHold,
  isBooked,
  fullName,
  listedName,
  toClinic,
} from '@clinic/domain';
import { ENGLISH, formatMoney, formatPrice } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import { detailsLogged } from '../../../security/audit.store.ts';
import type { SignedInStaff } from '../../../security/sessions.store.ts';
import { DONE, success } from '../../../server/responses.ts';
import { type RequestContext, route } from '../../../server/http.ts';
import { look, recordIds, showing } from '../../../server/audited-reads.ts';
import { refuse } from '../../../server/refusal.ts';
import {
  type BookedAppointment,
  type Owner,
  appointments,
  bookForPatient,
  isAccount,
  requestKey,
  takenTime,
  ownerOf,
  undoableAct,
} from '../../appointments/index.ts';
import { alertsOf, findCharts, findPatients } from '../../patients/index.ts';
import { bounceOf, insertAgreement, personOf, publishedAgreements } from '../../accounts/index.ts';
import { heldPayments } from '../../payments/index.ts';
import { chartOf, eligibilityOfRecord, ownRecord } from '../../records/index.ts';
import { freeTimes, knownTypes, typesFor, walkInTimes } from '../../schedule/index.ts';
import { providersToBook, upcomingOf, usualTypes } from './booking.store.ts';
import { isOwn } from '../patients/card.ts';
import { seen } from './day-sheet.ts';
import { type OpenedRow, openedRow } from './day-sheet.store.ts';
import { harmAtDesk, ownOnly } from '../../staff/index.ts';
import { emrBook } from '../../emr/index.ts';

/** The most free times offered at once. */
const MOST_TIMES = 12;

/** A patient for whom staff may book. */
interface Bookable {
  readonly owner: Owner;
  readonly recordId: string;
  readonly name: string;
  readonly birthDate: string;
  readonly eligibility: string;
  readonly access: Access;
  /** True when the patient has an account and no email to its address came back. */
  readonly isReached: boolean;
}

/** Finding a patient at the front desk, and booking and moving appointments for them. */
export function registerBookingAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, realtime, emr, config, ids } = platform;
  const { db } = database;
  const harm = harmAtDesk(platform);
  const ports = { ...platform, appointments, emrBook, heldPayments: heldPayments(platform) };
  const timesPorts = { ...platform, takenTime, patientsWhoBook: platform.parts.patients };

  /**
   * A patient with an open account, or a stored record without one; null when staff cannot book, as for a
   * record that has no chart in the EMR, and to a clinician for who is not their own patient.
   */
  async function known(staff: SignedInStaff, named: string): Promise<Bookable | null> {
    const person = await personOf(db, named);
    const { account = null, recordId = named } = person ?? {};
    if (!(await isOwn(platform, staff, recordId))) return null;
    if (account?.closedAt === null)
      return {
        ...account,
        name: fullName(account),
        owner: account.id,
        access: accessOf(account),
        isReached: bounceOf(account) === null,
      };
    // After an account is closed, staff can book only by the number of its record.
    const record = isUuid(named) ? null : await ownRecord(db, recordId);
    if (record !== null && emr !== null && (await chartOf(db, recordId)) === null) return null;
    return (
      record && {
        name: fullName(record),
        birthDate: record.birthDate,
        eligibility: eligibilityOfRecord(record.cardProvince),
        recordId,
        owner: { recordId },
        access: accessOf(null),
        isReached: false,
      }
    );
  }

  type Place = RequestContext<typeof deskCalls.deskMoveAppointment>['body'];
  interface ToPlace {
    readonly owner: Owner;
    readonly type: string;
    readonly rescheduleOf: string | null;
    readonly withPaymentLink: boolean;
    readonly paymentLinkHoldId?: string | null;
    readonly key: string | undefined;
    readonly staff: SignedInStaff;
    readonly now: number;
  }

  async function place(body: Place, { type, key, staff, now, ...ofWhom }: ToPlace) {
    const { providerId, start, minutes = null, overrideReason = null, wantedBy } = body;
    const slot: SlotRequest = { providerId, start, end: start, type };
    const made = await bookForPatient(
      ports,
      {
        ...ofWhom,
        staffId: staff.id,
        slot,
        minutes,
        overrideReason,
        movedByClinic: wantedBy === 'clinic',
        requestKey: requestKey(key, slot),
      },
      now,
    );
    // What was to move may have been moved by a request whose answer was lost.
    const isChanged = (code: string) =>
      code === 'holdGone' || (code === 'notFound' && ofWhom.rescheduleOf !== null);
    if (made.kind === 'refused')
      return refuse(isChanged(made.code) ? 'appointmentChanged' : made.code);
    const { owner } = ofWhom;
    if (made.kind !== 'held') {
      const of = { subject: made.appointment.id, staffId: staff.id };
      return placed(made, isAccount(owner), await undoableAct(db, of, now));
    }
    const held = await openedRow(db, made.appointmentId);
    // The hold is over already: the patient paid or released it.
    if (held === null) return refuse('appointmentChanged');
    realtime.sayToDesk();
    return success({ ...held, isTold: true, feeCents: 0 });
  }

  /**
   * Payment links need a patient who can sign in and whom email reaches, card payments, and no EMR: none
   * holds time so long.
   */
  const mayLink = ({ access, isReached }: Bookable): boolean =>
    access.signIn === null && isReached && emr === null && platform.cardPayments !== undefined;

  route(app, deskCalls.deskFindPatients, async ({ body }) => {
    const found = await findPatients(platform, body.text);
    return showing(
      { ...found, hasEmr: emr !== null },
      look(
        'patients searched',
        'patients:all',
        recordIds([...found.patients, ...found.soundsLike]),
      ),
    );
  });

  route(app, deskCalls.deskFindCharts, async ({ body, now }) => {
    const { charts, ...found } = await findCharts(platform, body.text, now);
    return showing(
      {
        ...found,
        charts: charts.map((each) => ({ ...each, chart: each.id, name: listedName(each) })),
      },
      look(
        'charts in the EMR searched',
        'patients:all',
        charts.map(({ id, known }) => known?.recordId ?? id),
      ),
    );
  });

  route(app, deskCalls.deskBookingOptions, async ({ params, staff, now, locale }) => {
    const patient = await known(staff, params.id);
    if (patient === null) return refuse('notFound');
    const { owner, recordId } = patient;
    const hasAccount = isAccount(owner);
    const [types, usual, providers, upcoming, alerts] = await Promise.all([
      typesFor(db, patient.eligibility, toClinic(now).date, locale),
      usualTypes(db, recordId),
      providersToBook(db, ownOnly(staff)),
      upcomingOf(db, recordId, ownOnly(staff), now, locale),
      alertsOf(platform, recordId),
    ]);
    const offered = types.filter(({ active, form }) => active && form !== 'refill');
    const place = (code: string) => (usual.includes(code) ? usual.indexOf(code) : usual.length);
    return showing(
      {
        name: patient.name,
        hasAccount,
        block: patient.access.block,
        mayLink: mayLink(patient),
        birthDate: patient.birthDate,
        types: offered
          .toSorted((one, other) => place(one.code) - place(other.code))
          .map((type) => ({ ...type, feeCents: type.chargeCents })),
        providers,
        upcoming,
        alerts,
      },
      look('booking begun at the desk', hasAccount ? `patient:${owner}` : `record:${recordId}`, [
        recordId,
      ]),
    );
  });

  route(app, deskCalls.deskFreeTimes, async ({ params, body, staff, now }) => {
    const patient = await known(staff, params.id);
    if (patient === null) return refuse('notFound');
    const { owner, recordId, eligibility } = patient;
    const whose = ownOnly(staff);
    const { type, providerId = whose, from, notBefore = now } = body;
    if (whose !== null && providerId !== whose) return refuse('notFound');
    const of = isAccount(owner) ? owner : { recordId, eligibility };
    const asked = { whose: of, type, providerId, from, notBefore, most: MOST_TIMES };
    const [times, walkIns] = await Promise.all([
      freeTimes(timesPorts, asked, now),
      walkInTimes(timesPorts, type, now),
    ]);
    const isOffered = ({ doctor }: { doctor: string }) => whose === null || doctor === whose;
    return success({ times, walkIns: walkIns.filter(isOffered) });
  });

  route(app, deskCalls.deskBook, async ({ params, headers, body, staff, now }) => {
    const patient = await known(staff, params.id);
    const whose = ownOnly(staff);
    const isTheirTime = whose === null || body.providerId === whose;
    if (patient === null || !isTheirTime) return refuse('notFound');
    const { type, feeBy, ...where } = body;
    const { owner } = patient;
    const withPaymentLink = feeBy === 'link';
    if (withPaymentLink && !mayLink(patient)) return refuse('linkNotOffered');
    const key = headers['idempotency-key'];
    return place(where, { owner, type, rescheduleOf: null, withPaymentLink, key, staff, now });
  });

  route(app, deskCalls.deskPayAtClinic, async ({ params: { id }, staff, now }) => {
    const row = await openedRow(db, id);
    if (row === null) return refuse('notFound');
    const { providerId, start, end, type } = row;
    if (!isHold(row) && row.state !== 'booked') return refuse('appointmentChanged');
    // The key lets a hold be booked once, by any member of staff. The hold already fixed the appointment's length.
    const where = { providerId, start, minutes: (end - start) / 60 };
    const ofWhom = { owner: ownerOf(row), type, rescheduleOf: null, withPaymentLink: false };
    return place(where, { ...ofWhom, paymentLinkHoldId: id, key: `due-${id}`, staff, now });
  });

  route(app, deskCalls.deskMoveAppointment, async ({ params, headers, body, staff, now }) => {
    const row = await openedRow(db, params.id);
    if (row === null) return refuse('notFound');
    const { type, id: rescheduleOf } = row;
    const key = headers['idempotency-key'];
    const ofWhom = { owner: ownerOf(row), type, rescheduleOf, withPaymentLink: false };
    const move = () => place(body, { ...ofWhom, key, staff, now });
    // What has been moved already is asked for again, as an answer was lost.
    if (row.state !== 'booked') return move();
    const wantedBy = body.wantedBy === 'clinic' ? ('clinic' as const) : ('patient' as const);
    return harm.change(staff, { wantedBy, now }, move);
  });

  /** The texts to read out to a patient, in English; none for a payment-link hold: they agree online. */
  async function textsToRead(row: OpenedRow): Promise<ApiTextToRead[]> {
    if (!isBooked(row)) return [];
    const [types, published] = await Promise.all([knownTypes(db), publishedAgreements(db)]);
    const form = types.find(({ code }) => code === row.type)?.form ?? 'standard';
    const chargeCents = row.feeAtClinic?.cents ?? 0;
    const values = {
      clinicName: config.clinic.name,
      fee: formatMoney(ENGLISH.id, chargeCents),
      bookingFee: formatPrice(ENGLISH.id, config.bookingFeeCents),
    };
    return agreementsOfBooking({ form, chargeCents }).map((kind) => {
      const { version, hash } = currentAgreement(kind, published);
      const { title, paragraphs } = shownAgreement(ENGLISH.id, kind, values, published);
      return { kind, version, hash, title, paragraphs };
    });
  }

  route(app, deskCalls.deskConsents, async ({ params: { id }, staff }) => {
    const row = await seen(db, staff, id);
    if (row === null) return refuse('notFound');
    return success({ texts: await textsToRead(row) });
  });

  route(app, deskCalls.deskNoteConsents, async ({ params: { id }, body, staff, who }) => {
    const row = await seen(db, staff, id);
    if (row === null) return refuse('notFound');
    if (!isBooked(row)) return refuse('appointmentChanged');
    const toRead = await textsToRead(row);
    const isOutdated = (text: NamedText) => !toRead.some((each) => isSameText(each, text));
    if (body.texts.some(isOutdated)) return refuse('agreementOutdated');
    const wasRead = (each: NamedText) => body.texts.some((text) => isSameText(each, text));
    const noting = { action: 'consents read out', subject: `appointment:${id}` };
    await database.inTransaction(async (tx) => {
      // Concurrent notes about the same patient wait for each other.
      await appointments.lockPatient(tx, platform.parts, ownerOf(row));
      const noted = await detailsLogged(tx, noting);
      const texts = toRead.filter(
        (each) => wasRead(each) && !noted.some((kinds) => kinds[each.kind] === each.version),
      );
      if (texts.length === 0) return;
      // Without an account, only the audit trail keeps the consent.
      if (row.patientId !== null)
        for (const { kind, version, hash } of texts)
          await insertAgreement(tx, {
            id: ids.uuid(),
            patientId: row.patientId,
            kind,
            version,
            textHash: hash,
            locale: ENGLISH.id,
            shownHash: hash,
            at: who.now,
            readOutBy: staff.id,
          });
      const details = Object.fromEntries(texts.map(({ kind, version }) => [kind, version]));
      await appendAudit(tx, { ...noting, actor: who.actor, details, at: who.now });
    });
    return DONE;
  });
}

type NamedText = Pick<ApiTextToRead, 'kind' | 'version' | 'hash'>;
const isSameText = (one: NamedText, other: NamedText): boolean =>
  one.kind === other.kind && one.version === other.version && one.hash === other.hash;

const placed = (
  { appointment }: BookedAppointment,
  isTold: boolean,
  undo: Awaited<ReturnType<typeof undoableAct>>,
) => {
  const { feeAtClinic: fee } = appointment;
  const feeCents = fee && feeStateOf(fee) === 'due' ? fee.cents : 0;
  return success({ ...appointment, isTold, linkUntil: null, feeCents, undo });
};

import { deskCalls } from '@clinic/contract';
import { type LookReason, ageOn, doctorName, isEligibility, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { FileAnswer, route } from '../../server/http.ts';
import { Refusal, invalid, refuse } from '../../server/refusal.ts';
import {
  type ClinicDocument,
  documentsOfPatient,
  findDocument,
  refusedDocuments,
} from '../documents/index.ts';
import {
  type DocumentPlace,
  type Person,
  addPatient,
  agreementsOf,
  blockPatient,
  bounceOf,
  cardNumberOf,
  changePatient,
  closeAccount,
  correctDetails,
  correctEmail,
  decideDocument,
  findPatient,
  invitePatient,
  linkOfRecord,
  listDocuments,
  listPatients,
  openDocument,
  personOf,
  unblockPatient,
  versionOfPerson,
} from '../patients/index.ts';
import { heldPayments } from '../payments/index.ts';
import { UNDO_FOR, keptProviders, mergesInto, primaryDoctorIfKnown } from '../records/index.ts';
import { knownTypes } from '../schedule/index.ts';
import { refusedLook } from './day-sheet.ts';
import { startsOfRecord } from './day-sheet.store.ts';
import { isLook, ownOnly } from './door.ts';
import { appointmentsOfRecord } from './patients.store.ts';
import { namesOfStaff } from './schedule.store.ts';

const MOST_WAITING = 50;

/** What the clinic keeps about its patients, and how staff change it. */
export function registerPatientsAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, realtime, emr, config } = platform;
  const withPayments = { ...platform, heldPayments: heldPayments(platform) };
  const { db } = database;

  interface Look {
    readonly staff: SignedInStaff;
    readonly lookReason: LookReason | undefined;
    readonly now: number;
  }

  /** A person whom this member of staff may look at now; a clinician sees only their own patients. */
  async function seen(named: string, look: Look): Promise<Person | Refusal> {
    const person = await personOf(db, named);
    if (person === null) return refuse('notFound');
    const { recordId } = person;
    const whose = ownOnly(look.staff);
    if (whose !== null && (await startsOfRecord(db, recordId, whose)).length === 0)
      return refuse('notFound');
    return (await refusedLook(db, { ...look, recordId })) ?? person;
  }

  const noteLook = (action: string, person: Person, { staff, lookReason, now }: Look) =>
    database.inTransaction((tx) =>
      appendAudit(tx, {
        actor: `staff:${staff.id}`,
        action,
        subject: subjectOf(person),
        details: { record: person.recordId, ...(lookReason !== undefined && { lookReason }) },
        at: now,
      }),
    );

  route(app, deskCalls.deskPatientsWaiting, async ({ body, staff, now }) => {
    const who = { actor: `staff:${staff.id}`, now };
    const after = body.after === undefined ? null : documentPlace(body.after);
    if (after === undefined) return invalid('after');
    const searched = { waiting: true, limit: MOST_WAITING + 1, after };
    const { documents, waiting } = await listDocuments(platform, searched, who);
    const page = documents.slice(0, MOST_WAITING);
    const last = page.at(-1);
    const search = { text: null, blocked: false, bounced: true, limit: MOST_WAITING };
    const bounced = await listPatients(platform, search, who);
    return {
      success: true as const,
      extras: {
        documents: page.map(({ patientId, name, purpose, createdAt: at }) => ({
          patientId,
          name,
          purpose,
          at,
        })),
        waiting,
        next:
          documents.length > page.length && last !== undefined
            ? `${last.createdAt}.${last.id}`
            : null,
        bounced: bounced.map(({ id, firstName, lastName, bouncedAt }) => ({
          patientId: id,
          name: `${lastName}, ${firstName}`,
          at: bouncedAt ?? 0,
        })),
      },
    };
  });

  route(app, deskCalls.deskOpenPatient, async ({ params, body, staff, now, isBackground }) => {
    const look = { staff, lookReason: body.lookReason, now };
    const person = await seen(params.id, look);
    if (person instanceof Refusal) return person;
    // A page that refreshes after a change was looked at before.
    const opening = { action: 'patient opened', subject: subjectOf(person) };
    if (await isLook(db, { staff, isBackground }, opening))
      await noteLook(opening.action, person, look);
    const { account, recordId, firstName, lastName, birthDate } = person;
    const [doctor, types, providers, listed, link, merged, consents, documents] = await Promise.all(
      [
        primaryDoctorIfKnown(platform, recordId),
        knownTypes(db),
        keptProviders(db),
        appointmentsOfRecord(db, recordId, ownOnly(staff)),
        linkOfRecord(db, recordId, now),
        mergesInto(db, recordId, now),
        account === null ? [] : consentsOf(account.id),
        account === null ? [] : documentsWithReasons(account.id),
      ],
    );
    const responsible = [
      ...providers.map((provider) => ({ id: provider.id, name: doctorName(provider) })),
      { id: config.familyDoctorIds.yes, name: 'Family doctor elsewhere' },
      { id: config.familyDoctorIds.no, name: 'No family doctor' },
    ];
    const providerId = doctor?.providerId ?? null;
    return {
      success: true as const,
      extras: {
        recordId,
        firstName,
        lastName,
        birthDate,
        version: versionOfPerson(person),
        age: ageOn(birthDate, toClinic(now).date),
        card: { province: person.cardProvince, isKept: person.cardSealed !== null },
        account: account && accountShown(account),
        provider:
          providerId === null
            ? null
            : (responsible.find(({ id }) => id === providerId) ?? {
                id: providerId,
                name: providerId,
              }),
        isProviderKnown: doctor !== null,
        isInEmr: emr !== null,
        types: types.map(({ code, description }) => ({ code, description })),
        providers: responsible,
        appointments: listed,
        consents,
        documents,
        merges: merged.map(({ id, at, ...gone }) => ({
          id,
          at,
          recordId: gone.recordId,
          name: `${gone.firstName} ${gone.lastName}`,
          birthDate: gone.birthDate,
          undoUntil: at + UNDO_FOR,
        })),
        link: link && {
          kind: link.kind === 'email' ? ('email' as const) : ('invitation' as const),
          email: link.email,
          expiresAt: link.expiresAt,
        },
      },
    };
  });

  async function consentsOf(patientId: string) {
    const [given, names] = await Promise.all([agreementsOf(db, patientId), namesOfStaff(db)]);
    return given.map(({ kind, version, at, readOutBy }) => ({
      kind,
      version,
      at,
      readOutBy: readOutBy && (names.get(readOutBy) ?? readOutBy),
    }));
  }

  async function documentsWithReasons(patientId: string) {
    const refused = await refusedDocuments(platform, db, patientId);
    return (await documentsOfPatient(db, patientId)).map((document) => ({
      ...document,
      at: document.createdAt,
      decision: decisionOf(document),
      reason: refused.find(({ id }) => id === document.id)?.reason ?? null,
    }));
  }

  route(app, deskCalls.deskShowCard, async ({ params, body, staff, now }) => {
    const look = { staff, lookReason: body.lookReason, now };
    const person = await seen(params.id, look);
    if (person instanceof Refusal) return person;
    await noteLook('card number shown', person, look);
    return { success: true as const, extras: { number: cardNumberOf(platform, person) } };
  });

  route(app, deskCalls.deskOpenDocument, async ({ params: { id }, body, staff, now }) => {
    const found = await findDocument(db, id);
    const look = { staff, lookReason: body.lookReason, now };
    const person = found === null ? refuse('notFound') : await seen(found.patientId, look);
    if (person instanceof Refusal) return person;
    const { lookReason } = body;
    const details = lookReason === undefined ? {} : { lookReason };
    const file = await openDocument(platform, id, { actor: `staff:${staff.id}`, now }, details);
    if (found === null || file === null) return refuse('notFound');
    return new FileAnswer({ ...file, mediaType: found.mediaType });
  });

  route(app, deskCalls.deskDecideDocument, async ({ params: { id }, body, staff, now }) => {
    const found = await findDocument(db, id);
    if (found === null) return refuse('notFound');
    const reason = body.reason?.trim() ?? '';
    if (body.kind === 'refused' && reason === '') return invalid('reason');
    const decision = body.kind === 'refused' ? { kind: body.kind, reason } : { kind: body.kind };
    // A repeated decision succeeds: a retry after a lost answer, or a colleague who decided the same.
    const outcome = await decideDocument(platform, id, decision, {
      actor: `staff:${staff.id}`,
      now,
    });
    if (outcome === 'notFound') return refuse('notFound');
    if (outcome === 'decidedAlready' && body.kind === 'refused') {
      const refused = await refusedDocuments(platform, db, found.patientId);
      const standing = refused.find((each) => each.id === id);
      if (standing !== undefined && standing.reason !== reason)
        return refuse('documentRefusedAlready', { values: { reason: standing.reason } });
    }
    realtime.sayTo(found.patientId, 'account');
    return { success: true as const };
  });

  route(app, deskCalls.deskBlockPatient, async ({ params: { id }, body, staff, now }) => {
    const patient = await findPatient(db, id);
    if (patient === null) return refuse('notFound');
    if (patient.closedAt !== null) return refuse('accountClosed');
    const who = { actor: `staff:${staff.id}`, now };
    const reason = body.reason?.trim() ?? '';
    if (body.block === 'none') await unblockPatient(platform, patient, who);
    else if (reason === '') return invalid('reason');
    else
      await blockPatient(withPayments, id, { reason, bookingOnly: body.block === 'booking' }, who);
    realtime.sayTo(id, 'account');
    return { success: true as const };
  });

  route(app, deskCalls.deskChangePatient, async ({ params: { id }, body, staff, now }) => {
    const patient = await findPatient(db, id);
    if (patient === null) return refuse('notFound');
    const { providerId, eligibility, withoutTypes } = body;
    if (providerId !== undefined && emr !== null) return refuse('changedInEmr');
    const change = {
      ...(eligibility !== undefined && { eligibility }),
      ...(withoutTypes !== undefined && { withoutTypes }),
      ...(providerId !== undefined && { mrp: providerId }),
    };
    const why = await changePatient(platform, patient, change, {
      actor: `staff:${staff.id}`,
      now,
    });
    if (why !== null) return refuse('patientNotChanged', { values: { why } });
    realtime.sayTo(id, 'account');
    return { success: true as const };
  });

  route(app, deskCalls.deskCorrectPatient, async ({ params: { id }, body, staff, now }) => {
    const person = await personOf(db, id);
    if (person === null) return refuse('notFound');
    const details = { ...body, card: body.card ?? null };
    const who = { actor: `staff:${staff.id}`, now };
    const refused = await correctDetails(platform, person, details, who);
    if (refused !== null) return refused;
    if (person.account !== null) realtime.sayTo(person.account.id, 'account');
    realtime.sayToDesk();
    return { success: true as const };
  });

  route(app, deskCalls.deskCorrectEmail, async ({ params: { id }, body, staff, now }) => {
    const patient = await findPatient(db, id);
    if (patient === null) return refuse('notFound');
    if (patient.closedAt !== null) return refuse('accountClosed');
    const who = { actor: `staff:${staff.id}`, now };
    return (await correctEmail(platform, patient, body, who)) ?? { success: true as const };
  });

  route(app, deskCalls.deskAddPatient, async ({ body, staff, now }) => {
    const details = { ...body, card: body.card ?? null };
    const added = await addPatient(platform, details, { actor: `staff:${staff.id}`, now });
    if (added instanceof Refusal) return added;
    return { success: true as const, extras: { recordId: added } };
  });

  route(app, deskCalls.deskInvitePatient, async ({ params: { id }, body, staff, now }) => {
    const person = await personOf(db, id);
    if (person === null) return refuse('notFound');
    const who = { actor: `staff:${staff.id}`, now };
    return (await invitePatient(platform, person, body.email, who)) ?? { success: true as const };
  });

  route(app, deskCalls.deskCloseAccount, async ({ params: { id }, staff, now }) => {
    const patient = await findPatient(db, id);
    if (patient === null) return refuse('notFound');
    const who = { actor: `staff:${staff.id}`, now };
    const appointments = await closeAccount(withPayments, id, who);
    return { success: true as const, extras: { appointments } };
  });
}

/** Parses the `next` of an earlier page; undefined when the text is malformed. */
function documentPlace(text: string): DocumentPlace | undefined {
  const [, at, id = ''] = /^(\d{1,12})\.(.+)$/.exec(text) ?? [];
  return isUuid(id) ? { at: Number(at), id } : undefined;
}

function decisionOf({ decision }: ClinicDocument): 'accepted' | 'refused' | null {
  return decision === 'accepted' || decision === 'refused' ? decision : null;
}

const subjectOf = ({ account, recordId }: Person): string =>
  account === null ? `record:${recordId}` : `patient:${account.id}`;

function accountShown(account: NonNullable<Person['account']>) {
  const { eligibility, phone, mobilePhone, internationalPhone } = account;
  if (!isEligibility(eligibility)) throw new Error('An eligibility nobody knows');
  const { address, city, province, postal, country } = account;
  return {
    id: account.id,
    email: account.email,
    phones: [mobilePhone, phone, internationalPhone].filter(Boolean),
    address: [address, city, `${province} ${postal}`.trim(), country].filter(Boolean).join(', '),
    language: account.language,
    eligibility,
    withoutTypes: account.disabledTypes,
    block: blockOf(account),
    blockReason: account.blockedReason,
    closedAt: account.closedAt,
    bounce: bounceOf(account),
    createdAt: account.createdAt,
  };
}

function blockOf({ blocked, bookingBlocked }: NonNullable<Person['account']>) {
  if (blocked) return 'account' as const;
  return bookingBlocked ? ('booking' as const) : ('none' as const);
}

import { deskCalls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import {
  type LookReason,
  type PersonName,
  PHONE_FIELDS,
  accessOf,
  ageOn,
  doctorName,
  fullName,
  isEligibility,
  listedName,
  toClinic,
} from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import type { LookAction } from '../../../security/audit.store.ts';
import { DONE, FileAnswer, success } from '../../../server/responses.ts';
import { type RequestContext, route } from '../../../server/http.ts';
import { Showing, look, recordIds, showing } from '../../../server/audited-reads.ts';
import { e164Of } from '../../../server/phones.ts';
import { Refusal, invalid, refuse } from '../../../server/refusal.ts';
import { versionOfForm } from '../../../server/version.ts';
import { documentsOfPatient, findDocument, refusedDocuments } from '../../documents/index.ts';
import {
  addPatient,
  blockPatient,
  changePatient,
  closeAccount,
  decideDocument,
  likelyPatients,
  listDocuments,
  offersOf,
  openDocument,
  recordsOf,
  unblockPatient,
  unclearPatients,
  waitingPairs,
} from '../../patients/index.ts';
import {
  type Person,
  accountsToCall,
  agreementsOf,
  bounceOf,
  cardNumberOf,
  findPatient,
  identityOf,
  invitePatient,
  linkOfRecord,
  openChangeShown,
  patientsByName,
  personOf,
  refusedSignUps,
  versionOfPerson,
} from '../../accounts/index.ts';
import { heldPayments } from '../../payments/index.ts';
import {
  UNDO_FOR,
  chartOfRecord,
  keptProviders,
  mergesInto,
  primaryDoctorIfKnown,
  unclearInEmr,
} from '../../records/index.ts';
import { knownTypes } from '../../schedule/index.ts';
import { changedFees } from '../day/changed-fees.ts';
import { refusedLook } from '../day/day-sheet.ts';
import { namesOfStaff, ownOnly } from '../../staff/index.ts';
import { isOwn, openCard } from './card.ts';
import { appointmentsOfRecord } from './patients.store.ts';

const MOST_WAITING = 50;

/** What the clinic keeps about its patients, and how staff change it. */
export function registerPatientsAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, emr, config } = platform;
  const withPayments = { ...platform, heldPayments: heldPayments(platform) };
  const { db } = database;

  /** A person whom this member of staff may look at now; a clinician sees only their own patients. */
  async function seen(
    named: string,
    {
      staff,
      body,
      isBackground,
      now,
    }: Pick<
      RequestContext<typeof deskCalls.deskOpenPatient>,
      'staff' | 'body' | 'isBackground' | 'now'
    >,
  ): Promise<Person | Refusal> {
    const person = await personOf(db, named);
    if (person === null) return refuse('notFound');
    const { recordId } = person;
    if (!(await isOwn(platform, staff, recordId))) return refuse('notFound');
    return (await refusedLook(db, { ...body, staff, isBackground, now, recordId })) ?? person;
  }

  route(app, deskCalls.deskPatientsWaiting, async ({ body }) => {
    const [at, documentId] = body.after?.split('.') ?? [];
    const after = documentId === undefined ? null : { at: Number(at), id: documentId };
    const searched = { waiting: true, limit: MOST_WAITING + 1, after };
    const { documents, waiting } = await listDocuments(platform, searched);
    const page = documents.slice(0, MOST_WAITING);
    const last = page.at(-1);
    const search = { text: null, blocked: false, bounced: true, limit: MOST_WAITING };
    const bounced = await patientsByName(db, search);
    const pairs = await waitingPairs(db, MOST_WAITING);
    const toCall = await accountsToCall(db, MOST_WAITING);
    const unclear = emr === null ? [] : await unclearPatients(db, MOST_WAITING);
    const refused = await refusedSignUps(db, MOST_WAITING);
    const records = [
      ...(await recordsOf(
        db,
        page.map(({ patientId }) => patientId),
      )),
      ...bounced.map(({ recordId }) => recordId),
      ...toCall.map(({ recordId }) => recordId),
      ...unclear.map(({ recordId }) => recordId),
      ...pairs.flatMap(({ one, other }) => [one.recordId, other.recordId]),
      // They have no record; the trail names them by the number of their form.
      ...refused.map(({ id }) => id),
    ];
    return showing(
      {
        documents: page.map((each) => ({ ...each, at: each.createdAt })),
        waiting,
        next:
          documents.length > page.length && last !== undefined
            ? `${last.createdAt}.${last.id}`
            : null,
        bounced: bounced.map((each) => waitingSince(each, each.bouncedAt ?? 0)),
        toCall: toCall.map((each) => waitingSince(each, each.at)),
        pairs,
        unclear: unclear.map((each) => ({ ...each, patientId: each.id })),
        refused,
      },
      look('waiting patients shown', 'patients:all', records),
    );
  });

  route(app, deskCalls.deskOpenPatient, async ({ params, ...asked }) => {
    const { staff, now, locale } = asked;
    const person = await seen(params.id, asked);
    if (person instanceof Refusal) return person;
    const { account, recordId, firstName, lastName, birthDate } = person;
    const [doctor, types, providers, listed, link, merged, consents, documents, change] =
      await Promise.all([
        primaryDoctorIfKnown(platform, recordId),
        knownTypes(db, locale),
        keptProviders(db),
        appointmentsOfRecord(db, recordId, ownOnly(staff), locale),
        linkOfRecord(db, recordId, now),
        mergesInto(db, recordId, now),
        account === null ? [] : consentsOf(account.id),
        account === null ? [] : documentsWithReasons(account.id),
        account === null ? null : addressChangeOf(account.id),
      ]);
    const responsible = [
      ...providers.map((provider) => ({ id: provider.id, name: doctorName(provider) })),
      { id: config.familyDoctorIds.yes, name: text(locale, 'familyDoctorElsewhere') },
      { id: config.familyDoctorIds.no, name: text(locale, 'noFamilyDoctor') },
    ];
    const providerId = doctor?.providerId ?? null;
    const { waitsSince, why } = await unclearInEmr(db, recordId);
    const { card: onCard, shown } = await openCard(platform, person, listed, asked);
    const opened = lookAt('patient opened', person, asked.body);
    return showing(
      {
        recordId,
        firstName,
        lastName,
        birthDate,
        version: versionOfPerson(person),
        formVersion: versionOfForm({
          ...identityOf(person),
          ...(account && offersOf(account, providerId)),
        }),
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
        chart: emr === null ? null : await chartOfRecord(db, recordId),
        chartWaits: emr === null || waitsSince === null ? null : { since: waitsSince, why: why },
        types,
        providers: responsible,
        appointments: listed,
        consents,
        documents,
        merges: merged.map((gone) => ({
          ...gone,
          name: fullName(gone),
          undoUntil: gone.at + UNDO_FOR,
        })),
        addressChange: change,
        link,
        onCard,
      },
      { ...opened, records: [...opened.records, ...shown], refreshes: true },
    );
  });

  async function consentsOf(patientId: string) {
    const [given, nameOf] = await Promise.all([agreementsOf(db, patientId), namesOfStaff(db)]);
    return given.map((each) => ({ ...each, readOutBy: nameOf(each.readOutBy) ?? each.readOutBy }));
  }

  async function addressChangeOf(patientId: string) {
    const [change, nameOf] = await Promise.all([openChangeShown(db, patientId), namesOfStaff(db)]);
    return change && { ...change, askedBy: nameOf(change.askedBy) };
  }

  async function documentsWithReasons(patientId: string) {
    const refused = await refusedDocuments(platform, db, patientId);
    return (await documentsOfPatient(db, patientId)).map((document) => ({
      ...document,
      at: document.createdAt,
      formVersion: versionOfForm({ decision: document.decision }),
      reason: refused.find(({ id }) => id === document.id)?.reason ?? null,
    }));
  }

  route(app, deskCalls.deskShowCard, async ({ params, ...asked }) => {
    const person = await seen(params.id, asked);
    if (person instanceof Refusal) return person;
    return showing(
      { number: cardNumberOf(platform, person) },
      lookAt('card number shown', person, asked.body),
    );
  });

  route(app, deskCalls.deskOpenDocument, async ({ params: { id }, ...asked }) => {
    const found = await findDocument(db, id);
    const person = found === null ? refuse('notFound') : await seen(found.patientId, asked);
    if (person instanceof Refusal) return person;
    const file = await openDocument(platform, id);
    if (file === null) return refuse('notFound');
    return new Showing(new FileAnswer(file), {
      ...lookAt('document opened', person, asked.body),
      subject: `file:${id}`,
    });
  });

  route(app, deskCalls.deskDecideDocument, async ({ params: { id }, body, headers, who }) => {
    const found = await findDocument(db, id);
    if (found === null) return refuse('notFound');
    const reason = body.reason?.trim() ?? '';
    if (body.kind === 'refused' && reason === '') return invalid('reason', 'whyMissing');
    const decision = body.kind === 'refused' ? { kind: body.kind, reason } : { kind: body.kind };
    // A repeated decision succeeds: a retry after a lost answer, or a colleague who decided the same.
    const outcome = await decideDocument(platform, id, decision, who, headers);
    if (outcome instanceof Refusal) return outcome;
    if (outcome === 'notFound') return refuse('notFound');
    if (outcome === 'decidedAlready' && body.kind === 'refused') {
      const refused = await refusedDocuments(platform, db, found.patientId);
      const standing = refused.find((each) => each.id === id);
      if (standing !== undefined && standing.reason !== reason)
        return refuse('documentRefusedAlready', { values: { reason: standing.reason } });
    }
    return DONE;
  });

  route(app, deskCalls.deskBlockPatient, async ({ params: { id }, body, headers, who }) => {
    const patient = await findPatient(db, id);
    if (patient === null) return refuse('notFound');
    if (patient.closedAt !== null) return refuse('accountClosed');
    const reason = body.reason?.trim() ?? '';
    const { block } = body;
    if (block !== 'none' && reason === '') return invalid('reason', 'whyMissing');
    const refused =
      block === 'none'
        ? await unblockPatient(platform, patient, who, headers)
        : await blockPatient(
            withPayments,
            patient.id,
            { reason, bookingOnly: block === 'booking' },
            who,
            headers,
          );
    if (refused !== null) return refused;
    const { booksOnline } = accessOf(await findPatient(db, id));
    return success({ booksOnline });
  });

  route(
    app,
    deskCalls.deskChangePatient,
    async ({ params: { id }, body, headers, who, locale }) => {
      const patient = await findPatient(db, id);
      if (patient === null) return refuse('notFound');
      const refused = await changePatient(platform, patient, body, who, headers);
      if (refused !== null) return refused;
      const person = await personOf(db, id);
      return success({
        fees: person === null ? [] : await changedFees(db, person, who.now, locale),
      });
    },
  );

  route(app, deskCalls.deskLikelyPatients, async ({ body, now }) => {
    const details = { ...body, card: body.card ?? null };
    const likely = await likelyPatients(platform, details, now);
    if (likely instanceof Refusal) return likely;
    return showing(
      { patients: likely },
      look('likely patients shown', 'patients:all', recordIds(likely)),
    );
  });

  route(app, deskCalls.deskAddPatient, async ({ body, staff, who }) => {
    const { apartFrom = [] } = body;
    const details = { ...body, card: body.card ?? null, apartFrom, staffId: staff.id };
    const added = await addPatient(platform, details, who);
    if (added instanceof Refusal) return added;
    return success({ recordId: added });
  });

  route(app, deskCalls.deskInvitePatient, async ({ params: { id }, body, who }) => {
    const person = await personOf(db, id);
    if (person === null) return refuse('notFound');
    return (await invitePatient(platform, person, body.email, who)) ?? DONE;
  });

  route(app, deskCalls.deskCloseAccount, async ({ params: { id }, who }) => {
    const patient = await findPatient(db, id);
    if (patient === null) return refuse('notFound');
    const appointments = await closeAccount(withPayments, patient.id, who);
    return success({ appointments });
  });
}

/** Somebody of a list of accounts that wait. */
const waitingSince = (account: PersonName & { readonly id: string }, at: number) => ({
  patientId: account.id,
  name: listedName(account),
  at,
});

const lookAt = (
  action: LookAction,
  { account, recordId }: Person,
  { lookReason }: { readonly lookReason?: LookReason | undefined },
) => ({
  action,
  subject: account === null ? `record:${recordId}` : `patient:${account.id}`,
  records: [recordId],
  details: { lookReason },
});

function accountShown(account: NonNullable<Person['account']>) {
  const { eligibility, mobilePhone, phone } = account;
  const [mobile, home, abroad] = PHONE_FIELDS.map((field) => e164Of(account, field));
  const internationalPhone = abroad ?? account.internationalPhone;
  if (!isEligibility(eligibility)) throw new Error('An eligibility nobody knows');
  const { block, signIn } = accessOf(account);
  const { address, city, province, postal, country } = account;
  return {
    id: account.id,
    email: account.email,
    phones: [mobilePhone, phone, internationalPhone].filter(Boolean),
    wrongPhones: [
      mobile === null ? mobilePhone : '',
      home === null ? phone : '',
      abroad === null ? internationalPhone : '',
    ].filter(Boolean),
    address: [address, city, `${province} ${postal}`.trim(), country].filter(Boolean).join(', '),
    language: account.language,
    eligibility,
    withoutTypes: account.disabledTypes,
    block,
    ...(signIn === 'notVisible' && { notVisible: true as const }),
    blockReason: account.blockedReason,
    closedAt: account.closedAt,
    bounce: bounceOf(account),
    createdAt: account.createdAt,
  };
}

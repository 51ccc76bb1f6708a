import { currentAgreement } from '@clinic/contract/agreements';
import { toInstant } from '@clinic/domain';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type SomeStaff,
  aStaffMember,
  askDesk,
  deskClinic,
  deskSession,
} from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aPatient,
  aPicture,
  ask,
  signIn,
} from '../../../../testing/index.ts';
import { patient, storedFile } from '../../../schema.ts';
import { insertRecord } from '../../records/index.ts';
import type { RecordId } from '../../records/emr.ts';

const TODAY = '2026-11-21';
const CARD = '9876543218';
const CALLED = { lookReason: 'patientCalled' } as const;
let clinic: TestApp;
let casey: PatientRow;
let cookie: string;
let robin: SomeStaff;

beforeEach(async () => {
  const patient = { cardNumber: CARD };
  ({ clinic, casey, robin, cookie } = await deskClinic('receptionist', { patient }));
});
afterEach(() => clinic.close());

const open = (id: string = casey.id, body: object = CALLED, who = cookie, headers = {}) =>
  askDesk(clinic, 'deskOpenPatient', { cookie: who, params: { id }, body, headers });
const record = async (id: string = casey.id) => (await open(id)).answer().extras;
const trail = async (action: string) =>
  (await clinic.trail(action)).map(({ actor, subject, details }) => ({ actor, subject, details }));
const mails = async () =>
  (await clinic.mails()).map(({ to, subject, text }) => ({ to, subject, text }));
const clinician = async (providerId: string) =>
  deskSession(clinic, await aStaffMember(clinic, 'clinician', { providerId }));

/** Books as the patient does. */
async function booked(date = TODAY, time = '11:00') {
  const start = toInstant(date, time);
  const token = await signIn(clinic, casey);
  const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
  await ask(clinic, 'placeHold', { token, body: slot });
  (await ask(clinic, 'createBooking', { token, body: { ...slot, reason: 'A cough' } })).answer();
}

/** Sends a health card as the patient does; gives its id. */
async function sentCard(): Promise<string> {
  const token = await signIn(clinic, casey);
  const body = { isHealthCard: 'true' };
  (await ask(clinic, 'uploadDocuments', { token, body, files: [aPicture()] })).answer();
  return (await record()).documents[0]?.id ?? '';
}
/** Health cards that wait, which nobody opens. */
const documentsOf = (sent: readonly { patientId: string; createdAt: number }[]) =>
  clinic.database.inTransaction((tx) =>
    tx.insert(storedFile).values(
      sent.map((each) => ({
        ...each,
        id: crypto.randomUUID(),
        purpose: 'healthCard',
        mediaType: 'image/png',
        size: 1,
        nameSealed: Buffer.alloc(1),
        keySealed: Buffer.alloc(1),
        contentSealed: Buffer.alloc(1),
      })),
    ),
  );
const decide = (id: string, body: object) =>
  askDesk(clinic, 'deskDecideDocument', { cookie, params: { id }, body });

describe('The record of a patient at the front desk (S-18)', () => {
  test('shows each number with its country code, and those that cannot be right', async () => {
    const pat = await aPatient(clinic, {
      phone: '0000000000',
      mobilePhone: '5555555555',
      internationalPhone: '442079460958',
    });
    const { account } = (await open(pat.id, CALLED)).answer().extras;
    expect(account).toMatchObject({
      phones: ['5555555555', '0000000000', '+442079460958'],
      wrongPhones: ['5555555555', '0000000000'],
    });
  });

  // Shows: S-18
  test('says who they are and how to reach them, and one look is one row of the trail', async () => {
    await booked();
    const shown = (await open(casey.id, {})).answer().extras;
    expect(shown).toMatchObject({
      firstName: 'Casey',
      lastName: 'Morgan',
      birthDate: '1984-05-17',
      age: 42,
      card: { province: 'BC', isKept: true },
      account: { email: casey.email, phones: ['6045550100'], block: 'none', eligibility: 'E' },
      provider: { id: '101', name: 'Dr. A. Stone' },
      isInEmr: false,
    });
    expect(shown.appointments).toMatchObject([
      { start: toInstant(TODAY, '11:00'), description: 'In-person visit', state: 'booked' },
    ]);
    expect(JSON.stringify(shown)).not.toContain(CARD);
    const inFrench = { 'x-background': '1', 'accept-language': 'fr' };
    const anew = (await open(casey.id, {}, cookie, inFrench)).answer().extras;
    expect(anew.providers.map(({ name }) => name)).toContain('Médecin de famille ailleurs');
    expect(await trail('patient opened')).toMatchObject([
      {
        actor: `staff:${robin.id}`,
        subject: `patient:${casey.id}`,
        details: { found: [casey.recordId] },
      },
    ]);
  });

  // Shows: S-14, S-18
  test('is on the trail though a page says that it only shows it anew', async () => {
    (await open(casey.id, CALLED, cookie, { 'x-background': '1' })).answer();
    expect(await trail('patient opened')).toHaveLength(1);
  });

  // Shows: S-18
  test('asks for a reason where they have no appointment from yesterday to tomorrow', async () => {
    const id = await sentCard();
    (await decide(id, { kind: 'accepted' })).answer();
    const colleague = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    const asked = [
      await open(casey.id, {}, colleague),
      await askDesk(clinic, 'deskShowCard', { cookie: colleague, params: { id: casey.id } }),
      await askDesk(clinic, 'deskOpenDocument', { cookie: colleague, params: { id } }),
    ];
    expect(asked.map((each) => each.code())).toEqual(asked.map(() => 'lookReasonMissing'));
    (await open()).answer();
    expect((await trail('patient opened')).at(-1)).toMatchObject({ details: CALLED });
  });

  // Shows: S-18
  test('of a clinician is that of an own patient, with the appointments with them', async () => {
    await booked();
    const [own, other] = [await clinician('101'), await clinician('102')];
    expect((await open(casey.id, CALLED, other)).statusCode).toBe(404);
    expect((await open(casey.id, {}, own)).answer().extras.appointments).toHaveLength(1);
  });

  // Shows: S-18
  test('covers the card number until it is asked for, which stands on the trail without it', async () => {
    const asked = { cookie, params: { id: casey.id }, body: CALLED };
    expect((await askDesk(clinic, 'deskShowCard', asked)).answer().extras.number).toBe(CARD);
    const rows = await trail('card number shown');
    expect(rows).toMatchObject([{ subject: `patient:${casey.id}`, details: CALLED }]);
    expect(JSON.stringify(rows)).not.toContain(CARD);
  });

  test('is found by its number too, and is there without an account', async () => {
    expect((await record(casey.recordId)).account?.id).toBe(casey.id);
    await clinic.database.inTransaction((tx) =>
      insertRecord(tx, clinic.keyring, {
        id: 'W77' as RecordId,
        firstName: 'Ola',
        lastName: 'Berg',
        birthDate: '1951-03-02',
        cardProvince: 'BC',
        cardNumber: '9123456780',
        providerId: '-1',
      }),
    );
    expect(await record('W77')).toMatchObject({ lastName: 'Berg', account: null, documents: [] });
    const asked = { cookie, params: { id: 'W77' }, body: CALLED };
    expect((await askDesk(clinic, 'deskShowCard', asked)).answer().extras.number).toBe(
      '9123456780',
    );
    expect((await trail('patient opened')).at(-1)).toMatchObject({ subject: 'record:W77' });
    expect((await open('W78')).statusCode).toBe(404);
  });

  test('names what was agreed to, and when', async () => {
    const { version, hash } = currentAgreement('general');
    const token = await signIn(clinic, casey);
    const agreed = { kind: 'general', version, hash };
    (await ask(clinic, 'saveAgreement', { token, body: agreed })).answer();
    const at = clinic.clock.now();
    expect((await record()).consents).toEqual([{ kind: 'general', version, at, readOutBy: null }]);
  });
});

describe('Documents at the front desk (S-18)', () => {
  // Shows: S-18
  test('open as a download, which stands on the trail', async () => {
    const id = await sentCard();
    const asked = { cookie, params: { id }, body: CALLED };
    const file = await askDesk(clinic, 'deskOpenDocument', asked);
    expect(file.statusCode).toBe(200);
    expect(file.headers['content-type']).toBe('image/png');
    expect(file.headers['content-security-policy']).toContain('sandbox');
    expect(await trail('document opened')).toMatchObject([
      { actor: `staff:${robin.id}`, subject: `file:${id}`, details: CALLED },
    ]);
  });

  // Shows: S-18
  test('are refused with a reason that the patient reads and is mailed, and accepted again', async () => {
    const id = await sentCard();
    expect((await decide(id, { kind: 'refused', reason: ' ' })).code()).toBe('invalidInput');
    const reason = 'The number cannot be read.';
    (await decide(id, { kind: 'refused', reason })).answer();
    const other = await decide(id, { kind: 'refused', reason: 'It is cut off.' });
    expect(other.code()).toBe('documentRefusedAlready');
    expect(other.refusal().extras.message).toContain(reason);
    (await decide(id, { kind: 'refused', reason })).answer();
    const token = await signIn(clinic, casey);
    const own = (await ask(clinic, 'shouldUploadDocument', { token })).answer();
    expect(own).toMatchObject({ healthcardUploaded: false, refused: [{ reason }] });
    const told = (await mails()).filter(({ text }) => text.includes(reason));
    expect(told).toMatchObject([{ to: casey.email, subject: /We need your document again/ }]);
    expect((await record()).documents).toMatchObject([{ decision: 'refused', reason }]);
    (await decide(id, { kind: 'accepted' })).answer();
    expect((await record()).documents).toMatchObject([{ decision: 'accepted', reason: null }]);
    expect(await trail('document refused')).toHaveLength(1);
  });

  test('are opened and refused under an id in capitals as under their own', async () => {
    const id = await sentCard();
    const params = { id: id.toUpperCase() };
    const file = await askDesk(clinic, 'deskOpenDocument', { cookie, params, body: CALLED });
    expect(file.statusCode).toBe(200);
    expect(await trail('document opened')).toMatchObject([{ subject: `file:${id}` }]);
    (await decide(params.id, { kind: 'refused', reason: 'Too dark.' })).answer();
    expect((await record()).documents).toMatchObject([{ reason: 'Too dark.' }]);
  });

  test('wait on the page of patients until they are decided, beside emails that came back', async () => {
    const id = await sentCard();
    const waiting = async () =>
      (await askDesk(clinic, 'deskPatientsWaiting', { cookie })).answer().extras;
    const at = clinic.clock.now();
    expect(await waiting()).toEqual({
      documents: [{ patientId: casey.id, name: 'Morgan, Casey', purpose: 'healthCard', at }],
      waiting: 1,
      toCall: [],
      next: null,
      bounced: [],
      pairs: [],
      unclear: [],
      refused: [],
    });
    (await decide(id, { kind: 'accepted' })).answer();
    await clinic.database.inTransaction((tx) =>
      tx
        .update(patient)
        .set({ bouncedEmail: casey.email, bouncedAt: at })
        .where(eq(patient.id, casey.id)),
    );
    expect(await waiting()).toEqual({
      documents: [],
      waiting: 0,
      next: null,
      bounced: [{ patientId: casey.id, name: 'Morgan, Casey', at }],
      toCall: [],
      pairs: [],
      unclear: [],
      refused: [],
    });
    expect((await record()).account?.bounce).toEqual({ at, status: null });
  });

  test('wait the longest on top, fifty to a page, and none of an account that is closed', async () => {
    const first = await aPatient(clinic, { firstName: 'Ada', lastName: 'Quinn' });
    const gone = await aPatient(clinic, { closedAt: clinic.clock.now() });
    const at = clinic.clock.now();
    await documentsOf([
      ...Array.from({ length: 51 }, (_, n) => ({ patientId: casey.id, createdAt: at - n })),
      { patientId: first.id, createdAt: at - 60 },
      { patientId: gone.id, createdAt: at - 70 },
    ]);
    const page = async (body: object) =>
      (await askDesk(clinic, 'deskPatientsWaiting', { cookie, body })).answer().extras;
    const { documents, waiting, next } = await page({});
    expect([documents.length, waiting]).toEqual([50, 52]);
    expect(documents.slice(0, 2)).toMatchObject([
      { name: 'Quinn, Ada', at: at - 60 },
      { name: 'Morgan, Casey', at: at - 50 },
    ]);
    const last = await page({ after: next });
    expect(last.documents.map((each) => each.at)).toEqual([at - 1, at]);
    expect([last.waiting, last.next]).toEqual([52, null]);
    const odd = await askDesk(clinic, 'deskPatientsWaiting', { cookie, body: { after: '1.x' } });
    expect(odd.refusal().errors).toMatchObject([{ field: 'after' }]);
  });
});

describe('What staff change of a patient (S-18)', () => {
  const block = (body: object, id = casey.id) =>
    askDesk(clinic, 'deskBlockPatient', { cookie, params: { id }, body });
  const change = (body: object, headers = {}) =>
    askDesk(clinic, 'deskChangePatient', { cookie, params: { id: casey.id }, body, headers });

  // Shows: S-18
  test('is a block with a reason that the patient does not read, and its end', async () => {
    expect((await block({ block: 'account' })).code()).toBe('invalidInput');
    const token = await signIn(clinic, casey);
    (await block({ block: 'account', reason: 'An agency' })).answer();
    expect((await ask(clinic, 'getMe', { token })).statusCode).toBe(401);
    expect((await record()).account).toMatchObject({ block: 'account', blockReason: 'An agency' });
    (await block({ block: 'booking', reason: 'Too many no-shows' })).answer();
    expect((await record()).account).toMatchObject({ block: 'booking' });
    const again = await signIn(clinic, casey);
    const me = (await ask(clinic, 'getMe', { token: again })).answer();
    expect(me).toMatchObject({ isBlocked: true, blocked: false });
    expect(JSON.stringify(me)).not.toContain('no-shows');
    (await block({ block: 'none' })).answer();
    expect((await record()).account).toMatchObject({ block: 'none', blockReason: null });
    expect(await trail('account unblocked')).toMatchObject([{ actor: `staff:${robin.id}` }]);
  });

  // Shows: R-60
  test('says at the end of a block whether the patient books online from then on', async () => {
    const ends = async () => (await block({ block: 'none' })).answer().extras?.booksOnline;
    (await block({ block: 'account', reason: 'An agency' })).answer();
    expect(await ends()).toBe(true);
    await clinic.database.db
      .update(patient)
      .set({ visibility: [] })
      .where(eq(patient.id, casey.id));
    (await block({ block: 'account', reason: 'An agency' })).answer();
    expect(await ends()).toBe(false);
  });

  // Shows: S-18
  test('is eligibility, who is responsible, and what is not offered', async () => {
    (await change({ eligibility: 'NR', providerId: null, withoutTypes: ['V'] })).answer();
    expect(await record()).toMatchObject({
      account: { eligibility: 'NR', withoutTypes: ['V'] },
      provider: null,
    });
    const refused = await change({ providerId: '999' }, { 'accept-language': 'fr' });
    expect(refused.code()).toBe('patientNotChanged');
    expect(refused.refusal().extras.message).toBe('Aucun professionnel n’a le numéro 999.');
    expect(await trail('patient changed by the clinic')).toHaveLength(1);
  });

  test('is not who is responsible where the EMR keeps it', async () => {
    clinic = await clinic.again({ emr: fakeEmr() });
    expect((await change({ providerId: '101' })).code()).toBe('changedInEmr');
    expect((await record()).isInEmr).toBe(true);
  });

  // Shows: S-15, S-18
  test('is an account that a manager closes for good', async () => {
    await booked();
    const close = (who: string) =>
      askDesk(clinic, 'deskCloseAccount', { cookie: who, params: { id: casey.id } });
    expect((await close(cookie)).code()).toBe('notAllowed');
    const manager = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    expect((await close(manager)).answer().extras).toEqual({ appointments: 1 });
    const { closedAt } = (await record()).account ?? {};
    expect(closedAt).toBe(clinic.clock.now());
    clinic.clock.advance(60);
    expect((await close(manager)).answer().extras).toEqual({ appointments: 1 });
    expect((await record()).account?.closedAt).toBe(closedAt);
    expect(await trail('account closed')).toHaveLength(1);
    expect((await block({ block: 'none' })).code()).toBe('accountClosed');
  });

  test('is, of several that were closed, the one that was closed last', async () => {
    const { recordId, email } = casey;
    const same = { recordId, email, primaryDoctor: false } as const;
    const closed = (ago: number) =>
      aPatient(clinic, { ...same, closedAt: clinic.clock.now() - ago });
    const [, last] = [await closed(300), await closed(100), await closed(200)];
    await clinic.database.inTransaction((tx) =>
      tx
        .update(patient)
        .set({ closedAt: clinic.clock.now() - 400 })
        .where(eq(patient.id, casey.id)),
    );
    expect((await record(recordId)).account?.id).toBe(last?.id);
  });
});

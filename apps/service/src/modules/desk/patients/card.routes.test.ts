import { toInstant } from '@clinic/domain';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { strFromU8, unzipSync } from 'fflate';
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
import { looksAt } from '../../../security/audit.store.ts';

const CALLED = { lookReason: 'patientCalled' } as const;
const MONDAY = '2026-11-23';
let clinic: TestApp;
let casey: PatientRow;
let cookie: string;
let robin: SomeStaff;

beforeEach(async () => {
  ({ clinic, casey, robin, cookie } = await deskClinic('manager'));
});
afterEach(() => clinic.close());

const open = async (id: string = casey.id, who = cookie) =>
  askDesk(clinic, 'deskOpenPatient', { cookie: who, params: { id }, body: CALLED });
const card = async (id: string = casey.id, who = cookie) => {
  const { onCard } = (await open(id, who)).answer().extras;
  if (onCard === undefined) throw new Error('A patient without a card');
  return onCard;
};
const anId = () => crypto.randomUUID() as string;
const HOME = {
  kind: 'home',
  number: '604 555 0177',
  whose: ' Pat, her mother ',
  preferred: false,
  mayLeaveMessage: true,
} as const;
const note = (body: object, entryId = anId(), id: string = casey.id, who = cookie) =>
  askDesk(clinic, 'deskNoteOnCard', { cookie: who, params: { id, entryId }, body });
const contact = (over: object = {}, entryId = anId(), id: string = casey.id) =>
  askDesk(clinic, 'deskNoteContact', {
    cookie,
    params: { id, entryId },
    body: { ...HOME, ...over },
  });
const ANY = { type: null, providerId: null, from: null, to: null };
const wish = (over: object = {}, entryId = anId(), id: string = casey.id) =>
  askDesk(clinic, 'deskNoteWish', {
    cookie,
    params: { id, entryId },
    body: { kind: 'followUp', ...ANY, ...over },
  });
const strike = (of: string, entryId: string, isStruck = true, id: string = casey.id) =>
  askDesk(clinic, 'deskStrikeOnCard', { cookie, params: { id, entryId }, body: { of, isStruck } });
const aRecord = async (over: object = {}) => {
  const person = { firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02', ...over };
  const body = { requestId: anId(), ...person };
  return (await askDesk(clinic, 'deskAddPatient', { cookie, body })).answer().extras.recordId;
};
const book = async (id: string, time: string, date = MONDAY) => {
  const body = { type: 'O', providerId: '101', start: toInstant(date, time) };
  const asked = { ...body, overrideReason: 'other' };
  return (await askDesk(clinic, 'deskBook', { cookie, params: { id }, body: asked })).answer()
    .extras.id;
};
const trail = async (action: string) =>
  (await clinic.trail(action)).map(({ subject, details }) => ({ subject, details }));

// Shows: S-18
describe('Notes on the card of a patient', () => {
  test('are alerts, notes and labels, with who wrote them, and stand on the trail without their words', async () => {
    const id = anId();
    (await note({ kind: 'alert', text: ' Deaf in the left ear. ' }, id)).answer();
    clinic.clock.advance(1);
    (await note({ kind: 'label', text: 'Interpreter' })).answer();
    expect((await card()).notes).toMatchObject([
      { kind: 'alert', text: 'Deaf in the left ear.', by: 'Robin Lee', at: clinic.clock.now() - 1 },
      { kind: 'label', text: 'Interpreter' },
    ]);
    const written = await clinic.trail('note noted');
    expect(written[0]).toMatchObject({
      actor: `staff:${robin.id}`,
      subject: `record:${casey.recordId}`,
      details: { entry: id, kind: 'alert' },
    });
    expect(JSON.stringify(written)).not.toContain('Deaf');
    expect((await note({ kind: 'note', text: ' ' })).refusal().errors).toMatchObject([
      { field: 'text' },
    ]);
  });

  test('are written once, however often they are sent', async () => {
    const id = anId();
    for (let again = 0; again < 2; again++)
      (await note({ kind: 'note', text: 'Prefers mornings.' }, id)).answer();
    expect((await card()).notes).toHaveLength(1);
    expect(await clinic.trail('note noted')).toHaveLength(1);
  });

  test('are replaced by another, which a colleague who replaced them meanwhile is told', async () => {
    const first = anId();
    (await note({ kind: 'note', text: 'Prefers mornings.' }, first)).answer();
    const second = anId();
    const later = { kind: 'note', text: 'Prefers evenings.', replaces: first };
    (await note(later, second)).answer();
    (await note(later, second)).answer();
    expect((await note({ ...later, text: 'Prefers noon.' })).code()).toBe('changedMeanwhile');
    expect((await card()).notes).toMatchObject([{ id: second, text: 'Prefers evenings.' }]);
  });

  test('are struck, and put back', async () => {
    const id = anId();
    (await note({ kind: 'alert', text: 'Owes a key.' }, id)).answer();
    for (let again = 0; again < 2; again++) (await strike('note', id)).answer();
    expect((await card()).notes).toEqual([]);
    // Sent again after its answer was lost, it does not come back.
    (await note({ kind: 'alert', text: 'Owes a key.' }, id)).answer();
    expect((await card()).notes).toEqual([]);
    (await strike('note', id, false)).answer();
    expect((await card()).notes).toMatchObject([{ id }]);
    expect(await trail('note struck')).toHaveLength(1);
    expect(await trail('note put back')).toHaveLength(1);
    expect((await strike('contact', id)).statusCode).toBe(404);
    const other = await aPatient(clinic);
    expect((await strike('note', id, true, other.id)).statusCode).toBe(404);
  });

  test('that are alerts are said to whoever begins to book', async () => {
    (await note({ kind: 'alert', text: 'Shouts.' })).answer();
    (await note({ kind: 'note', text: 'Likes tea.' })).answer();
    const options = await askDesk(clinic, 'deskBookingOptions', {
      cookie,
      params: { id: casey.id },
    });
    expect(options.answer().extras.alerts).toEqual(['Shouts.']);
  });

  test('of a clinician are about their own patients', async () => {
    const clinician = await deskSession(clinic, await aStaffMember(clinic, 'clinician'));
    const write = () => note({ kind: 'note', text: 'Ask again.' }, anId(), casey.id, clinician);
    expect((await write()).statusCode).toBe(404);
    await book(casey.id, '11:00');
    (await write()).answer();
    expect((await card()).notes).toHaveLength(1);
  });

  test('stand in the copy of the patient’s data, also what was struck', async () => {
    const id = anId();
    (await note({ kind: 'note', text: 'Was rude.' }, id)).answer();
    (await strike('note', id)).answer();
    clinic.clock.advance(1);
    (await note({ kind: 'alert', text: 'Deaf in the left ear.' })).answer();
    clinic.clock.advance(1);
    (await note({ kind: 'label', text: 'Interpreter' })).answer();
    (await contact()).answer();
    (await wish()).answer();
    const token = await signIn(clinic, casey);
    const zip = (await ask(clinic, 'exportData', { token })).rawPayload;
    const data = JSON.parse(strFromU8(unzipSync(zip)['my-data.json'] ?? new Uint8Array())) as {
      notedByClinic: unknown;
    };
    expect(data.notedByClinic).toMatchObject({
      notes: [
        { text: 'Was rude.', struckAt: { at: clinic.clock.now() - 2 } },
        { kind: 'alert', text: 'Deaf in the left ear.', struckAt: null },
        { kind: 'label', text: 'Interpreter' },
      ],
      wishes: [{ kind: 'followUp' }],
      contacts: [{ number: '+16045550177', whose: 'Pat, her mother' }],
    });
    expect(JSON.stringify(data)).not.toContain(robin.id);
  });
});

// Shows: S-18
describe('Numbers on the card of a patient', () => {
  test('are kept as they are dialled, the preferred first, and find the patient', async () => {
    (await contact()).answer();
    (await contact({ number: '+44 20 7946 0958', preferred: true, kind: 'work' })).answer();
    expect((await card()).contacts).toMatchObject([
      { number: '+442079460958', kind: 'work', preferred: true },
      { number: '+16045550177', whose: 'Pat, her mother', mayLeaveMessage: true },
    ]);
    const found = await askDesk(clinic, 'deskFindPatients', { cookie, body: { text: '5550177' } });
    expect(found.answer().extras.patients).toMatchObject([{ recordId: casey.recordId }]);
    expect((await contact({ number: '555' })).refusal().errors).toMatchObject([
      { field: 'number' },
    ]);
  });

  test('are changed, struck and put back as notes are', async () => {
    const [first, second] = [anId(), anId()];
    (await contact({}, first)).answer();
    (await contact({ number: '604-555-0188', replaces: first }, second)).answer();
    expect((await card()).contacts).toMatchObject([{ id: second, number: '+16045550188' }]);
    (await strike('contact', second)).answer();
    (await strike('contact', first, false)).answer();
    expect((await card()).contacts).toMatchObject([{ id: first }]);
  });

  test('are called first from the day sheet where one is preferred, or the account has none', async () => {
    const ola = await aRecord();
    const [hers, his] = [await book(ola, '11:00'), await book(casey.id, '11:30')];
    const phoneOf = async (id: string) =>
      (
        await askDesk(clinic, 'deskOpenAppointment', { cookie, params: { id }, body: CALLED })
      ).answer().extras.patient.phone;
    expect([await phoneOf(hers), await phoneOf(his)]).toEqual([null, casey.phone]);
    for (const id of [ola, casey.id]) (await contact({}, anId(), id)).answer();
    expect([await phoneOf(hers), await phoneOf(his)]).toEqual(['+16045550177', casey.phone]);
    (await contact({ number: '604 555 0188', preferred: true })).answer();
    expect(await phoneOf(his)).toBe('+16045550188');
  });

  test('are read only where an EMR keeps the chart; notes are not', async () => {
    const id = anId();
    (await contact({}, id)).answer();
    clinic = await clinic.again({ emr: fakeEmr() });
    expect((await contact()).code()).toBe('changedInEmr');
    expect((await strike('contact', id)).code()).toBe('changedInEmr');
    (await note({ kind: 'note', text: 'Prefers mornings.' })).answer();
    expect(await card()).toMatchObject({ contacts: [{ id }], notes: [{ kind: 'note' }] });
  });
});

// Shows: R-122
describe('A follow-up and an earlier time that a patient wishes for', () => {
  test('are due until such an appointment is booked, and again once it is cancelled', async () => {
    await book(casey.id, '11:00');
    (await wish({ type: 'O', providerId: '101', to: '2026-12-31' })).answer();
    (await wish({ kind: 'earlier', type: 'P' })).answer();
    const due = async () => (await card()).wishes.map(({ kind }) => kind);
    expect((await card()).wishes).toMatchObject([
      { kind: 'followUp', description: 'In-person visit', provider: 'Dr. A. Stone' },
      { kind: 'earlier', provider: null },
    ]);
    clinic.clock.advance(60);
    const id = await book(casey.id, '11:30', '2026-11-24');
    expect(await due()).toEqual(['earlier']);
    const cancel = { cookie, params: { id }, body: { wantedBy: 'clinic' } };
    (await askDesk(clinic, 'deskCancelAppointment', cancel)).answer();
    expect(await due()).toEqual(['followUp', 'earlier']);
  });

  test('are over once their last day is, and when they are struck', async () => {
    const id = anId();
    (await wish({ to: '2026-11-21' }, id)).answer();
    (await strike('wish', id)).answer();
    expect((await card()).wishes).toEqual([]);
    (await strike('wish', id, false)).answer();
    expect((await card()).wishes).toHaveLength(1);
    clinic.clock.set(toInstant('2026-11-22', '09:00'));
    cookie = await deskSession(clinic, robin);
    expect((await card()).wishes).toEqual([]);
  });

  test('name a type, a doctor and days that can be', async () => {
    const refused = async (over: object) => (await wish(over)).refusal().errors?.[0]?.field;
    expect(await refused({ type: 'QQ' })).toBe('type');
    expect(await refused({ providerId: '999' })).toBe('providerId');
    expect(await refused({ from: '2026-12-02', to: '2026-12-01' })).toBe('to');
  });
});

// Shows: S-18
describe('What is due, and whom the card shows', () => {
  test('is a fee to be taken, and a text to be read out, of what staff have booked', async () => {
    const ola = await aRecord();
    const id = await book(ola, '11:00');
    const start = toInstant(MONDAY, '11:00');
    const { fees, consents } = await card(ola);
    expect(fees).toMatchObject([{ id, start }]);
    expect(consents).toEqual([{ id, start }]);
    const taken = { cookie, params: { id }, body: { means: 'cash' } };
    (await askDesk(clinic, 'deskTakeFee', taken)).answer();
    const { texts } = (await askDesk(clinic, 'deskConsents', { cookie, params: { id } })).answer()
      .extras;
    const read = { texts: texts.map(({ kind, version, hash }) => ({ kind, version, hash })) };
    (await askDesk(clinic, 'deskNoteConsents', { cookie, params: { id }, body: read })).answer();
    expect(await card(ola)).toMatchObject({ fees: [], consents: [] });
  });

  test('are the latest messages', async () => {
    const token = await signIn(clinic, casey);
    (await ask(clinic, 'startMessage', { token, body: { message: 'My knee' } })).answer();
    expect((await card()).messages).toMatchObject([{ state: 'waiting', message: 'My knee' }]);
  });

  test('is the family, by phone number and address, and the trail names whom it showed', async () => {
    const home = { address: '12 Main Street', postal: 'V5K 0A1', phone: '6045550123' };
    const alex = await aPatient(clinic, { ...home, firstName: 'Alex', lastName: 'Reed' });
    const sam = await aPatient(clinic, {
      ...home,
      firstName: 'Sam',
      lastName: 'Quinn',
      address: '12, main street.',
      postal: 'v5k0a1',
      phone: '6045550124',
      birthDate: '2016-11-22',
    });
    const ola = await aRecord();
    (await contact({ number: '(604) 555-0123' }, anId(), ola)).answer();
    expect((await card(alex.id)).family).toEqual([
      {
        patientId: null,
        recordId: ola,
        name: 'Berg, Ola',
        age: 75,
        samePhone: true,
        sameAddress: false,
      },
      {
        patientId: sam.id,
        recordId: sam.recordId,
        name: 'Quinn, Sam',
        age: 9,
        samePhone: false,
        sameAddress: true,
      },
    ]);
    expect((await card(ola)).family).toMatchObject([{ recordId: alex.recordId, samePhone: true }]);
    const [first] = await trail('patient opened');
    expect(first).toMatchObject({ details: { found: [alex.recordId, ola, sam.recordId] } });
    const whose = { patientId: sam.id, recordIds: [sam.recordId], things: [] };
    expect(await looksAt(clinic.database.db, whose)).toMatchObject([{ action: 'patient opened' }]);
  });

  test('is no family by a number that cannot be right, nor to a clinician', async () => {
    const wrong = { phone: '0000000000', mobilePhone: '' };
    const alex = await aPatient(clinic, { ...wrong, address: '1 A Street' });
    await aPatient(clinic, { ...wrong, address: '2 B Street' });
    expect((await card(alex.id)).family).toEqual([]);
    const same = { phone: '6045550123', address: '1 A Street' };
    await aPatient(clinic, same);
    await book(alex.id, '11:00');
    const clinician = await deskSession(clinic, await aStaffMember(clinic, 'clinician'));
    expect((await card(alex.id)).family).toHaveLength(1);
    expect((await card(alex.id, clinician)).family).toEqual([]);
  });
});

// Shows: S-18
describe('Merging two records', () => {
  test('gives the one that stays the card of the other, and undoing it takes it back', async () => {
    const cass = await aRecord({ card: { province: 'BC', number: validBcNumber(99_300) } });
    const own = anId();
    (await note({ kind: 'alert', text: 'Allergic to latex.' }, own, cass)).answer();
    (await contact({}, anId(), cass)).answer();
    (await wish({}, anId(), cass)).answer();
    clinic.clock.advance(1);
    (await note({ kind: 'note', text: 'Likes tea.' })).answer();
    const merge = { cookie, params: { id: casey.recordId }, body: { other: cass } };
    (await askDesk(clinic, 'deskMergePatients', merge)).answer();
    expect(await card()).toMatchObject({
      notes: [{ text: 'Allergic to latex.' }, { text: 'Likes tea.' }],
      contacts: [{ number: '+16045550177' }],
      wishes: [{ kind: 'followUp' }],
    });
    // From a page of the record that went, and about what it showed.
    (await note({ kind: 'note', text: 'Called back.' }, anId(), cass)).answer();
    (await strike('note', own)).answer();
    (await strike('note', own, false)).answer();
    const [gone] = (await open()).answer().extras.merges;
    const undo = { cookie, params: { id: gone?.id ?? '' } };
    (await askDesk(clinic, 'deskUndoMerge', undo)).answer();
    const texts = async (id: string) => (await card(id)).notes.map(({ text }) => text);
    expect(await texts(cass)).toEqual(['Allergic to latex.']);
    expect((await texts(casey.id)).toSorted()).toEqual(['Called back.', 'Likes tea.']);
    expect(await card(cass)).toMatchObject({ contacts: [{}], wishes: [{ kind: 'followUp' }] });
    expect(await card()).toMatchObject({ contacts: [], wishes: [] });
  });
});

// Shows: R-123
describe('Why a patient is opened is not asked', () => {
  const again = (id: string, who = cookie) =>
    askDesk(clinic, 'deskOpenPatient', { cookie: who, params: { id } });

  test('again within 15 minutes, of whoever opened them, and not of the family that it showed', async () => {
    const sam = await aPatient(clinic, { address: casey.address, postal: casey.postal });
    expect((await again(casey.id)).code()).toBe('lookReasonMissing');
    expect((await card()).family).toHaveLength(1);
    (await again(casey.id)).answer();
    (await again(casey.recordId)).answer();
    expect((await again(sam.id)).code()).toBe('lookReasonMissing');
    const colleague = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    expect((await again(casey.id, colleague)).code()).toBe('lookReasonMissing');
    clinic.clock.advance(16 * 60);
    cookie = await deskSession(clinic, robin);
    expect((await again(casey.id)).code()).toBe('lookReasonMissing');
  });

  test('of whom one has just made the record', async () => {
    const ola = await aRecord();
    expect((await again(ola)).answer().extras.recordId).toBe(ola);
  });

  test('while a document waits for those who decide about it', async () => {
    const token = await signIn(clinic, casey);
    const body = { isHealthCard: 'true' };
    (await ask(clinic, 'uploadDocuments', { token, body, files: [aPicture()] })).answer();
    const { documents } = (await again(casey.id)).answer().extras;
    const shownAnew = { cookie, params: { id: casey.id }, headers: { 'x-background': '1' } };
    const decide = { cookie, params: { id: documents[0]?.id ?? '' }, body: { kind: 'accepted' } };
    (await askDesk(clinic, 'deskDecideDocument', decide)).answer();
    // The page that lies open shows what became of it.
    clinic.clock.advance(8 * 60);
    (await askDesk(clinic, 'deskShowCard', { cookie, params: { id: casey.id } })).answer();
    clinic.clock.advance(8 * 60);
    const { documents: after } = (await askDesk(clinic, 'deskOpenPatient', shownAnew)).answer()
      .extras;
    expect(after).toMatchObject([{ decision: 'accepted' }]);
    expect((await again(casey.id)).code()).toBe('lookReasonMissing');
  });
});

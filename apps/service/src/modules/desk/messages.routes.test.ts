import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toInstant } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import {
  type SomeStaff,
  aStaffMember,
  askDesk,
  deskClinic,
  deskSession,
} from '../../../testing/desk.ts';
import {
  type AskOptions,
  type PatientRow,
  type TestApp,
  aPicture,
  ask,
  signIn,
  unlimitedRates,
} from '../../../testing/index.ts';
import { whoIsTold } from '../../../testing/live-socket.ts';
import { messageNote, patient as patients } from '../../schema.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let clinic: TestApp;
let casey: PatientRow;
let token: string;
let robin: SomeStaff;
let cookie: string;
let told: string[];

beforeEach(async () => {
  const config = { rates: unlimitedRates() };
  ({ clinic, casey, robin, cookie } = await deskClinic('receptionist', { config }));
  token = await signIn(clinic, casey);
  told = [];
  Object.assign(clinic.platform.realtime, { sayToDesk: () => void told.push('desk') });
});
afterEach(() => clinic.close());

const write = async (message: string, as = token, files?: AskOptions['files']) =>
  (
    await ask(clinic, 'startMessage', { token: as, body: { message }, ...(files && { files }) })
  ).answer().extras.message.id;
const reply = (id: string, message: string) =>
  ask(clinic, 'changeMessage', { token, params: { id }, body: { message }, files: [] });
const inbox = async (query: AskOptions['query'] = {}, as = cookie, headers = {}) =>
  (await askDesk(clinic, 'deskInbox', { cookie: as, query, headers })).answer().extras;
const counts = async (as = cookie) =>
  (await askDesk(clinic, 'deskMessageCounts', { cookie: as })).answer().extras;
const open = (id: string, as = cookie, headers = {}) =>
  askDesk(clinic, 'deskOpenMessage', { cookie: as, params: { id }, headers });
const opened = async (id: string, as = cookie) => (await open(id, as)).answer().extras.message;
const answer = async (
  id: string,
  message: string,
  { as = cookie, seen, key = crypto.randomUUID(), files }: Answering = {},
) =>
  askDesk(clinic, 'deskAnswerMessage', {
    cookie: as,
    params: { id },
    headers: { 'idempotency-key': key },
    body: { message, seen: seen ?? (await opened(id, as)).version },
    ...(files && { files }),
  });
interface Answering {
  readonly as?: string;
  readonly seen?: string;
  readonly key?: string;
  readonly files?: AskOptions['files'];
}
const aColleague = async (
  role: 'receptionist' | 'clinician',
  over: Parameters<typeof aStaffMember>[2] = {},
) => {
  const member = await aStaffMember(clinic, role, over);
  return { ...member, cookie: await deskSession(clinic, member) };
};
const asPatient = async (id: string) =>
  (await ask(clinic, 'readMessage', { token, params: { id } })).answer().extras.message;

describe('The inbox of the front desk (S-18)', () => {
  // Shows: S-18
  test('has who waits longest on top, then the others, the newest first', async () => {
    const ids: string[] = [];
    for (const said of ['one', 'two', 'three', 'four']) {
      ids.push(await write(said));
      clinic.clock.advance(60);
    }
    await answer(ids[1] ?? '', 'Answered');
    clinic.clock.advance(60);
    await answer(ids[3] ?? '', 'Answered too');
    const { waiting, settled } = await inbox();
    expect(waiting.map(({ message }) => message)).toEqual(['one', 'three']);
    expect(settled.map(({ message }) => message)).toEqual(['Answered too', 'Answered']);
    expect(waiting[0]).toMatchObject({ patient: 'Morgan, Casey', state: 'waiting', isNew: true });
  });

  test('goes on where a page ended, whatever was answered meanwhile', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 53; n++) {
      const id = await write(`No ${n}`);
      await answer(id, `To ${n}`, { seen: (await opened(id)).version });
      ids.push(id);
    }
    const first = await inbox();
    expect(first.settled).toHaveLength(50);
    const { next } = first;
    if (next === null) throw new Error('There is no second page');
    clinic.clock.advance(60);
    await answer(await write('Later'), 'Later');
    const second = await inbox({ ...next });
    const shown = [...first.settled, ...second.settled].map(({ id }) => id);
    expect(shown).toHaveLength(53);
    expect(new Set(shown)).toEqual(new Set(ids));
    expect(second.next).toBeNull();
  });

  // Shows: S-18
  test('is one row of the trail, which says whose messages were shown; what a page shows anew is none', async () => {
    await write('My knee');
    await inbox();
    await inbox({}, cookie, { 'x-background': '1' });
    expect(await clinic.trail('messages shown')).toMatchObject([
      { actor: `staff:${robin.id}`, details: { whose: 'all', found: [casey.recordId] } },
    ]);
  });

  test('shows those that one looks after, or that nobody does', async () => {
    const mine = await write('Mine');
    clinic.clock.advance(1);
    const nobodys = await write('Nobody’s');
    const params = { id: mine };
    await askDesk(clinic, 'deskAssignMessage', { cookie, params, body: { staffId: robin.id } });
    const idsOf = async (whose: string) => (await inbox({ whose })).waiting.map(({ id }) => id);
    expect(await idsOf('mine')).toEqual([mine]);
    expect(await idsOf('unassigned')).toEqual([nobodys]);
    expect((await inbox()).waiting[0]?.assignedTo).toEqual({ id: robin.id, name: 'Robin Lee' });
    expect(await clinic.trail('message assigned')).toMatchObject([
      { subject: `message:${mine}`, details: { to: robin.id } },
    ]);
  });

  // Shows: S-18
  test('counts what waits and what is new, and is told as patients write', async () => {
    expect(await counts()).toEqual({ waiting: 0, unread: 0 });
    const id = await write('My knee');
    expect(told).toEqual(['desk']);
    expect(await counts()).toEqual({ waiting: 1, unread: 1 });
    await open(id);
    expect(await counts()).toEqual({ waiting: 1, unread: 0 });
    await answer(id, 'Come in');
    expect(await counts()).toEqual({ waiting: 0, unread: 0 });
    told = [];
    await reply(id, 'Thank you');
    expect(told).toEqual(['desk']);
    expect(await counts()).toEqual({ waiting: 1, unread: 1 });
  });
});

describe('A message at the front desk (S-18)', () => {
  // Shows: S-18
  test('is opened with a row of the trail, and is not new any more; shown anew it is neither', async () => {
    const id = await write('My knee hurts');
    expect(await opened(id)).toMatchObject({
      patient: { name: 'Morgan, Casey', birthDate: casey.birthDate },
      state: 'waiting',
      entries: [{ from: 'patient', message: 'My knee hurts', by: null }],
    });
    expect(await clinic.trail('message read')).toMatchObject([
      {
        actor: `staff:${robin.id}`,
        subject: `message:${id}`,
        details: { found: [casey.recordId] },
      },
    ]);
    await reply(id, 'And my hip');
    expect((await open(id, cookie, { 'x-background': '1' })).statusCode).toBe(200);
    expect(await counts()).toEqual({ waiting: 1, unread: 1 });
    expect(await clinic.trail('message read')).toHaveLength(1);
    expect((await open(UNKNOWN)).statusCode).toBe(404);
  });

  // Shows: S-14, S-18
  test('is on the trail with the inbox where nobody looked before a page said that it asks by itself', async () => {
    const id = await write('My knee hurts');
    const background = { 'x-background': '1' };
    await inbox({}, cookie, background);
    await open(id, cookie, background);
    await open(id, cookie, background);
    expect(await clinic.trail('messages shown')).toHaveLength(1);
    expect(await clinic.trail('message read')).toHaveLength(1);
    clinic.clock.advance(60);
    await open(id, await deskSession(clinic, robin), background);
    expect(await clinic.trail('message read')).toHaveLength(2);
  });

  // Shows: S-18
  test('of a patient whom a clinician does not see is to them as none', async () => {
    const stone = await aColleague('clinician');
    const id = await write('My knee', token, [aPicture()]);
    const [file] = (await asPatient(id)).entries[0]?.files ?? [];
    const asked = async () => [
      (await open(id, stone.cookie)).statusCode,
      (
        await askDesk(clinic, 'deskReadAttachment', {
          cookie: stone.cookie,
          params: { id: file?.id ?? '' },
        })
      ).statusCode,
      (await answer(id, 'Hello', { as: stone.cookie, seen: 'x' })).statusCode,
      (
        await askDesk(clinic, 'deskNoteMessage', {
          cookie: stone.cookie,
          params: { id, noteId: crypto.randomUUID() },
          body: { text: 'Mine' },
        })
      ).statusCode,
      (
        await askDesk(clinic, 'deskCloseMessage', {
          cookie: stone.cookie,
          params: { id },
          body: { isClosed: false, seen: 'x' },
        })
      ).statusCode,
      (
        await askDesk(clinic, 'deskAssignMessage', {
          cookie: stone.cookie,
          params: { id },
          body: { staffId: null },
        })
      ).statusCode,
    ];
    expect(await asked()).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await inbox({}, stone.cookie)).waiting).toEqual([]);
    expect(await counts(stone.cookie)).toEqual({ waiting: 0, unread: 0 });
    const start = toInstant('2026-11-25', '08:00');
    const body = { doctor: '101', start, end: start + 300, selectedType: 'O', reason: 'A cough' };
    expect((await ask(clinic, 'createBooking', { token, body })).statusCode).toBe(200);
    expect(await asked()).toEqual([200, 200, 409, 200, 200, 200]);
    await clinic.database.inTransaction((tx) =>
      tx.update(patients).set({ language: 'fr' }).where(eq(patients.id, casey.id)),
    );
    const { patient, upcoming } = await opened(id, stone.cookie);
    // What is begun for an answer is in the language of the patient.
    const begun = 'Nous avons réservé pour vous\u00A0: Consultation en personne, le ';
    expect([patient, upcoming]).toMatchObject([
      { id: casey.id, recordId: casey.recordId },
      [
        {
          start,
          appointmentId: expect.any(String) as string,
          description: 'In-person visit',
          answer: expect.stringContaining(begun) as string,
        },
      ],
    ]);
    expect((await inbox({}, stone.cookie)).waiting.map((each) => each.id)).toEqual([id]);
  });

  test('is assigned to who may see it, and to nobody else', async () => {
    const id = await write('My knee');
    const stone = await aColleague('clinician');
    const left = await aColleague('receptionist', { closedAt: clinic.clock.now() });
    const auditor = await aStaffMember(clinic, 'auditor');
    const assign = (staffId: string) =>
      askDesk(clinic, 'deskAssignMessage', { cookie, params: { id }, body: { staffId } });
    for (const { id: staffId } of [stone, left, auditor, { id: UNKNOWN }])
      expect((await assign(staffId)).code()).toBe('colleagueCannotRead');
    expect((await opened(id)).colleagues).toEqual([
      { id: robin.id, name: 'Robin Lee', isSelf: true },
    ]);
    expect((await assign(robin.id)).statusCode).toBe(200);
    expect((await assign(robin.id)).statusCode).toBe(200);
    expect(await clinic.trail('message assigned')).toHaveLength(1);
  });
});

describe('An answer of the front desk (S-18)', () => {
  // Shows: S-18
  test('reaches the open page of the patient and their mail, as the command line’s does', async () => {
    const id = await write('My knee');
    const patientsTold = await whoIsTold(clinic.database);
    expect((await answer(id, '  Please come in.\r\n')).statusCode).toBe(200);
    expect(await patientsTold()).toEqual([`${casey.id} messages`]);
    expect((await clinic.mails()).map(({ subject }) => subject)).toEqual([
      'The clinic has replied to your message - Test Clinic',
    ]);
    expect(await asPatient(id)).toMatchObject({
      state: 'replied',
      entries: [{ from: 'patient' }, { from: 'clinic', message: 'Please come in.' }],
    });
    expect((await opened(id)).entries[1]).toMatchObject({ by: 'Robin Lee' });
    expect(await clinic.trail('message answered')).toMatchObject([
      { actor: `staff:${robin.id}`, subject: `message:${id}` },
    ]);
  });

  // Shows: S-18, R-95
  test('is sent once, however often it is asked for under one key', async () => {
    const id = await write('My knee');
    const { version: seen } = await opened(id);
    const asked = { seen, key: 'the-key-of-this-answer' };
    for (let times = 0; times < 3; times++)
      expect((await answer(id, 'Come in', asked)).statusCode).toBe(200);
    expect((await asPatient(id)).entries).toHaveLength(2);
    expect(await clinic.mails()).toHaveLength(1);
  });

  // Shows: S-18
  test('of the second of two is refused, until they have seen what the first wrote', async () => {
    const kim = await aColleague('receptionist', { name: 'Kim Park' });
    const id = await write('My knee');
    const { version: seen } = await opened(id);
    const both = await Promise.all([
      answer(id, 'Come in at nine', { seen }),
      answer(id, 'Come in at ten', { seen, as: kim.cookie }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(both.find(({ statusCode }) => statusCode === 409)?.code()).toBe('messageChanged');
    expect((await asPatient(id)).entries).toHaveLength(2);
    expect((await answer(id, 'And bring your card', { as: kim.cookie })).statusCode).toBe(200);
  });

  test('does not go out over what the patient changed or wrote meanwhile', async () => {
    const id = await write('My knee');
    const edit = (message: string) =>
      ask(clinic, 'changeMessage', { token, params: { id }, body: { message } });
    // All within one second.
    const { version: seen } = await opened(id);
    await edit('My elbow');
    const { version: between } = await opened(id);
    await edit('My wrist');
    expect((await answer(id, 'Rest your knee', { seen })).code()).toBe('messageChanged');
    expect((await answer(id, 'Your elbow', { seen: between })).code()).toBe('messageChanged');
    const { version } = await opened(id);
    clinic.clock.advance(1);
    await reply(id, 'And my hip');
    expect((await answer(id, 'Rest', { seen: version })).code()).toBe('messageChanged');
  });

  // Shows: S-4, S-18
  test('has files that are checked as a patient’s are, and which both download alike', async () => {
    const id = await write('My knee', token, [aPicture()]);
    const html = { name: 'a.png', bytes: Buffer.from('<script>1</script>') };
    expect((await answer(id, 'See this', { files: [html] })).refusal().errors).toMatchObject([
      { field: 'file1' },
    ]);
    expect((await answer(id, 'See this', { files: [aPicture()] })).statusCode).toBe(200);
    const [theirs, ours] = (await asPatient(id)).entries.map(({ files }) => files[0]?.id ?? '');
    for (const file of [theirs ?? '', ours ?? '']) {
      const params = { id: file };
      const toPatient = await ask(clinic, 'readAttachment', { token, params });
      const toDesk = await askDesk(clinic, 'deskReadAttachment', { cookie, params });
      expect(toDesk.statusCode).toBe(200);
      expect(toDesk.rawPayload).toEqual(toPatient.rawPayload);
      for (const name of ['content-type', 'content-disposition', 'content-security-policy'])
        expect(toDesk.headers[name]).toBe(toPatient.headers[name]);
    }
    expect(await clinic.trail('attachment opened')).toHaveLength(2);
    expect((await clinic.trail('file stored')).map(({ actor }) => actor)).toEqual([
      `patient:${casey.id}`,
      `staff:${robin.id}`,
    ]);
  });

  test('is not empty', async () => {
    const id = await write('My knee');
    expect((await answer(id, ' \n ')).refusal().errors).toMatchObject([{ field: 'message' }]);
  });
});

describe('Closing a message (S-18)', () => {
  const close = async (id: string, isClosed: boolean, seen?: string) =>
    askDesk(clinic, 'deskCloseMessage', {
      cookie,
      params: { id },
      body: { isClosed, seen: seen ?? (await opened(id)).version },
    });

  test('takes it off those that wait, until somebody opens it or the patient writes', async () => {
    const id = await write('Thank you!');
    expect((await close(id, true)).statusCode).toBe(200);
    expect((await close(id, true)).statusCode).toBe(200);
    expect(await counts()).toEqual({ waiting: 0, unread: 0 });
    expect((await inbox()).settled).toMatchObject([{ id, state: 'closed' }]);
    expect((await asPatient(id)).state).toBe('sent');
    await close(id, false);
    expect((await inbox()).waiting).toMatchObject([{ id, state: 'waiting' }]);
    await close(id, true);
    clinic.clock.advance(1);
    await reply(id, 'One more thing');
    expect((await inbox()).waiting).toMatchObject([{ id, message: 'One more thing' }]);
    await close(id, true);
    await ask(clinic, 'changeMessage', { token, params: { id }, body: { message: 'My chest' } });
    expect((await inbox()).waiting).toMatchObject([{ id, message: 'My chest', isNew: true }]);
    const acts = [
      ...(await clinic.trail('message closed')),
      ...(await clinic.trail('message opened again')),
    ];
    expect(acts).toHaveLength(4);
  });

  test('is refused where the patient wrote what was not read', async () => {
    const id = await write('Thank you!');
    const { version } = await opened(id);
    clinic.clock.advance(1);
    await reply(id, 'One more thing');
    expect((await close(id, true, version)).code()).toBe('messageChanged');
    expect(await counts()).toEqual({ waiting: 1, unread: 1 });
  });
});

describe('A note beside a message (S-18)', () => {
  const note = (id: string, text: string, noteId: string = crypto.randomUUID()) =>
    askDesk(clinic, 'deskNoteMessage', { cookie, params: { id, noteId }, body: { text } });

  // Shows: S-18, S-13
  test('is read by colleagues, sealed, and in no answer to the patient', async () => {
    const id = await write('My knee');
    const noteId = crypto.randomUUID();
    expect((await note(id, 'Called back, quincunx', noteId)).statusCode).toBe(200);
    expect((await note(id, 'Called back, quincunx', noteId)).statusCode).toBe(200);
    expect((await opened(id)).notes).toMatchObject([
      { by: 'Robin Lee', text: 'Called back, quincunx' },
    ]);
    for (const response of [
      await ask(clinic, 'listMessages', { token }),
      await ask(clinic, 'readMessage', { token, params: { id } }),
      await ask(clinic, 'changeMessage', { token, params: { id }, body: { message: 'My elbow' } }),
    ])
      expect(response.body).not.toContain('quincunx');
    const rows = JSON.stringify(await clinic.database.db.select().from(messageNote));
    expect(rows).not.toContain('quincunx');
    expect(await clinic.trail('note written beside a message')).toHaveLength(1);
  });

  test('is read again whatever letters its writer made its id of', async () => {
    const id = await write('My knee');
    const noteId = crypto.randomUUID().toUpperCase();
    expect((await note(id, 'Called back', noteId)).statusCode).toBe(200);
    expect((await opened(id)).notes).toMatchObject([{ text: 'Called back' }]);
  });
});

describe('Saved replies (S-18)', () => {
  test('are kept, changed and deleted by anyone who answers', async () => {
    const id = crypto.randomUUID();
    const stone = await aColleague('clinician');
    const keep = (name: string, text: string, seen: string | null, as = cookie) =>
      askDesk(clinic, 'deskKeepReply', { cookie: as, params: { id }, body: { name, text, seen } });
    const kept = async () =>
      (await askDesk(clinic, 'deskSavedReplies', { cookie })).answer().extras.replies;
    (await keep('Hours', 'We are open until five.', null)).answer();
    const seen = (await kept())[0]?.version ?? '';
    (await keep('Hours', 'We are open until six.', seen, stone.cookie)).answer();
    expect((await keep('Hours', 'Until seven.', seen)).code()).toBe('changedMeanwhile');
    // Sent again after a lost answer.
    (await keep('Hours', 'We are open until six.', seen, stone.cookie)).answer();
    expect(await kept()).toMatchObject([{ id, name: 'Hours', text: 'We are open until six.' }]);
    expect((await keep(' ', 'x', null)).code()).toBe('invalidInput');
    // Who deletes what a colleague has changed since reads that first.
    const drop = (version: string) =>
      askDesk(clinic, 'deskDropReply', { cookie, params: { id }, body: { seen: version } });
    expect((await drop(seen)).code()).toBe('changedMeanwhile');
    expect(await kept()).toHaveLength(1);
    const newest = (await kept())[0]?.version ?? '';
    // The second time after a lost answer.
    for (let times = 0; times < 2; times++) (await drop(newest)).answer();
    expect(await kept()).toEqual([]);
    // What nobody can read any more is kept by the trail.
    const [five, six] = ['We are open until five.', 'We are open until six.'];
    expect(await clinic.trail('saved reply changed')).toMatchObject([
      { details: {} },
      { details: { was: { name: 'Hours', text: five } } },
    ]);
    expect(await clinic.trail('saved reply deleted')).toMatchObject([
      { details: { was: { name: 'Hours', text: six } } },
    ]);
    expect((await keep('Hours', 'Until seven.', seen)).code()).toBe('changedMeanwhile');
  });
});

describe('Suggestions at the front desk', () => {
  test('are listed with who sent them, and read with a row of the trail', async () => {
    const body = { dataURL: '', message: 'Larger print, please', isAppointment: false };
    await ask(clinic, 'reportProblem', { token, body });
    const list = async () =>
      (await askDesk(clinic, 'deskSuggestions', { cookie })).answer().extras.suggestions;
    const [listed] = await list();
    expect(listed).toMatchObject({
      patient: 'Morgan, Casey',
      message: 'Larger print, please',
      isRead: false,
    });
    const params = { id: listed?.id ?? '' };
    const read = await askDesk(clinic, 'deskOpenSuggestion', { cookie, params });
    expect(read.answer().extras).toEqual({ message: 'Larger print, please', picture: null });
    expect((await list())[0]?.isRead).toBe(true);
    expect(await clinic.trail('suggestion read')).toMatchObject([{ actor: `staff:${robin.id}` }]);
    expect(
      (await askDesk(clinic, 'deskOpenSuggestion', { cookie, params: { id: UNKNOWN } })).statusCode,
    ).toBe(404);
  });
});

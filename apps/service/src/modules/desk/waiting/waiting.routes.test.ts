import {
  MOST_EXPORTED,
  STOPPABLE_SECONDS,
  type StaffRole,
  formatTime,
  toInstant,
} from '@clinic/domain';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aPatientRow } from '../../../../testing/a-clinic.ts';
import { ask } from '../../../../testing/ask.ts';
import { aStaffMember, askDesk, deskClinic, deskSession } from '../../../../testing/desk.ts';
import type { TestApp } from '../../../../testing/index.ts';
import { signIn } from '../../../../testing/sign-in.ts';
import { audit } from '../../../schema.ts';
import { appointments } from '../../appointments/index.ts';
import { emrBook, syncFromEmr } from '../../emr/index.ts';
import type { ProviderId, RecordId } from '../../records/emr.ts';
import { insertRecord } from '../../records/index.ts';
import { closeStaffAccount, inviteStaff } from '../../staff/index.ts';
import { workOnInvitations } from './waiting.ts';

let clinic: TestApp;
let cookie: string;

beforeEach(async () => {
  ({ clinic } = await deskClinic());
  await clinic.app.stopJob('invitations');
});
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
async function as(role: StaffRole) {
  const member = await aStaffMember(clinic, role, { name: 'Robin Lee' });
  cookie = await deskSession(clinic, member);
  return member;
}
async function mails() {
  await clinic.platform.outbox.drain();
  return clinic.mail.sent;
}
const told = async () => (await mails()).filter(({ subject }) => subject.includes('Robin Lee'));
const trail = (action: string) =>
  clinic.database.db.select().from(audit).where(eq(audit.action, action));
const acts = async () => (await askDesk(clinic, 'deskWaiting', { cookie })).answer().extras.acts;
const stopAct = (id: string) => askDesk(clinic, 'deskStop', { cookie, params: { id }, body: {} });
const download = (body: object = {}) => askDesk(clinic, 'deskExportAudit', { cookie, body });
const messageOf = (refused: { readonly body: string }) =>
  (JSON.parse(refused.body) as { extras: { message: string } }).extras.message;

/** Has the trail name so many more people. */
async function seen(count: number): Promise<void> {
  await clinic.database.inTransaction(async (tx) => {
    for (let at = 0; at < count; at += 1) {
      const id = `SEEN${crypto.randomUUID().slice(0, 13)}` as RecordId;
      const who = { id, firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02' };
      const card = { cardProvince: 'Other' as const, cardNumber: '' };
      await insertRecord(tx, clinic.keyring, { ...who, ...card, providerId: '-1' });
      const entry = { actor: 'clinic:desk', action: 'record written', subject: `record:${id}` };
      await clinic.platform.appendAudit(tx, { ...entry, at: now() });
    }
  });
}

describe('Exports and invitations that harm many wait (S-18)', () => {
  test('a colleague is invited at once, a manager after 5 minutes, and every manager is told', async () => {
    const other = await as('manager');
    const invite = (email: string, roles: StaffRole[]) =>
      askDesk(clinic, 'deskInvite', { cookie, body: { email, name: 'Uma Fox', roles } });
    const at = (email: string) => async () =>
      (await mails()).filter(({ to }) => to === email).length;
    const [ariHas, umaHas] = [at('ari@clinic.example'), at('uma@clinic.example')];
    const first = (await invite('ari@clinic.example', ['receptionist'])).answer();
    expect(first.extras?.waitsUntil).toBeNull();
    expect([await told(), await ariHas()]).toEqual([[], 1]);

    const waitsUntil = now() + STOPPABLE_SECONDS;
    expect((await invite('uma@clinic.example', ['manager'])).answer().extras).toEqual({
      waitsUntil,
    });
    // An answer that was lost: the same one waits.
    clinic.clock.advance(60);
    expect((await invite('Uma@clinic.example', ['manager'])).answer().extras).toEqual({
      waitsUntil,
    });
    expect(await acts()).toMatchObject([
      { act: 'invite', askedBy: 'Robin Lee', isOwn: true, waitsUntil, state: 'waiting' },
    ]);
    const [letter, ...more] = await told();
    expect(letter).toMatchObject({ to: other.email });
    expect(letter?.text).toContain('as a manager');
    expect(letter?.text).toContain('everybody at the front desk can stop it');
    expect(more).toEqual([]);
    await workOnInvitations(clinic.platform);
    expect(await umaHas()).toBe(0);
    clinic.clock.advance(4 * 60);
    await workOnInvitations(clinic.platform);
    await workOnInvitations(clinic.platform);
    expect(await umaHas()).toBe(1);
    expect(await acts()).toMatchObject([{ state: 'done', invited: { name: 'Uma Fox' } }]);
    const [row] = await acts();
    expect((await stopAct(row?.id ?? '')).code()).toBe('stopOver');
  });

  test('an invitation that an auditor stops, and one of a manager who was closed, invite nobody', async () => {
    await as('manager');
    const mine = cookie;
    const invite = (email: string) =>
      askDesk(clinic, 'deskInvite', {
        cookie,
        body: { email, name: 'Uma Fox', roles: ['manager'] },
      });
    (await invite('uma@clinic.example')).answer();
    await as('auditor');
    clinic.clock.advance(4 * 60);
    const [shown] = await acts();
    expect(shown).toMatchObject({ isOwn: false, invited: { email: 'uma@clinic.example' } });
    (await stopAct(shown?.id ?? '')).answer();
    (await stopAct(shown?.id ?? '')).answer();
    expect(await acts()).toEqual([]);
    cookie = mine;
    expect(await acts()).toMatchObject([{ state: 'stopped', stopped: { by: 'Robin Lee' } }]);

    const ill = await as('manager');
    (await invite('vic@clinic.example')).answer();
    await closeStaffAccount(clinic.platform, ill, { actor: 'clinic:desk', now: now() });
    clinic.clock.advance(60 * 60);
    await workOnInvitations(clinic.platform);
    const to = (await mails()).map((mail) => mail.to);
    expect(to).not.toContain('uma@clinic.example');
    expect(to).not.toContain('vic@clinic.example');
    expect(await trail('invitation stopped')).toHaveLength(1);
    expect(await trail('invitation failed')).toHaveLength(1);
  });

  test('managers are told of one whom the operator invites at once, but not the new one', async () => {
    const by = { actor: 'clinic:desk', now: now() };
    const invite = (email: string, role: StaffRole) =>
      inviteStaff(clinic.platform, { email, name: 'Uma Fox', roles: [role], providerId: null }, by);
    const letters = async () =>
      (await mails()).filter(({ subject }) => subject.includes('the operator of the service'));
    await invite('first@clinic.example', 'manager');
    expect(await letters()).toEqual([]);
    expect(await trail('managers told')).toEqual([]);
    const other = await as('manager');
    await invite('ari@clinic.example', 'receptionist');
    expect(await letters()).toEqual([]);
    await invite('uma@clinic.example', 'manager');
    const told = await letters();
    expect(told.map(({ to }) => to).toSorted()).toEqual(
      ['first@clinic.example', other.email].toSorted(),
    );
    expect(told[0]?.text).toContain('as a manager. Set-up shows who has an account');
  });

  test('an export of 200 people comes at once, of 201 after 5 minutes, with the rows of when it was asked', async () => {
    const other = await as('manager');
    await as('manager');
    await seen(MOST_EXPORTED);
    (await download()).answer();
    await seen(1);
    const waits = await download();
    expect(waits.code()).toBe('exportWaits');
    expect(messageOf(waits)).toContain(formatTime(now() + STOPPABLE_SECONDS));
    const [letter] = await told();
    expect((await told()).map(({ to }) => to)).toContain(other.email);
    expect(letter?.text).toContain('201 people');
    clinic.clock.advance(STOPPABLE_SECONDS - 1);
    expect((await download()).code()).toBe('exportWaits');
    const [act] = await acts();
    expect(act).toMatchObject({ act: 'export', n: 201, state: 'waiting', isOwn: true });
    const ofAct = { waited: act?.id };
    expect((await download(ofAct)).code()).toBe('exportWaits');
    await seen(1);

    clinic.clock.advance(1);
    expect(await acts()).toMatchObject([{ state: 'ready' }]);
    for (const body of [{}, ofAct]) {
      const { csv } = (await download(body)).answer().extras;
      expect(csv.match(/record,SEEN/g)).toHaveLength(MOST_EXPORTED + 1);
    }
    expect((await stopAct(act?.id ?? '')).code()).toBe('stopOver');
    // Another search, another colleague: their own wait.
    expect((await download({ from: '2020-01-01' })).code()).toBe('exportWaits');
    await as('manager');
    expect((await download(ofAct)).code()).toBe('notFound');
    expect((await download()).code()).toBe('exportWaits');
  });

  test('an export that a clinician stops is not given out, and says who stopped it', async () => {
    await as('manager');
    const mine = cookie;
    await seen(MOST_EXPORTED + 1);
    expect((await download()).code()).toBe('exportWaits');
    await as('clinician');
    const [act] = await acts();
    (await stopAct(act?.id ?? '')).answer();
    cookie = mine;
    clinic.clock.advance(STOPPABLE_SECONDS);
    const refused = await download({ waited: act?.id });
    expect(refused.code()).toBe('exportStopped');
    expect(messageOf(refused)).toBe('Robin Lee stopped this file.');
    // Asked for anew it waits anew.
    expect((await download()).code()).toBe('exportWaits');
    expect(await trail('export stopped')).toHaveLength(1);
    expect(await trail('audit trail exported')).toEqual([]);
  });
});

describe('Appointments that are gone from the EMR (R-120)', () => {
  let emr: FakeEmr;
  let id: string;
  const start = toInstant('2026-11-23', '08:00');
  const gone = async () => (await askDesk(clinic, 'deskWaiting', { cookie })).answer().extras.gone;
  const decide = (is: 'kept' | 'cancelled') =>
    askDesk(clinic, 'deskDecideGone', { cookie, params: { id }, body: { is } });

  beforeEach(async () => {
    await clinic.close();
    emr = fakeEmr({ days: null });
    ({ clinic } = await deskClinic('receptionist', { emr }));
    const token = await signIn(clinic, { id: await aPatientRow(clinic.database) });
    const slot = { start, end: start + 300, doctor: '101', selectedType: 'O', reason: 'Cough' };
    const booked = (await ask(clinic, 'createBooking', { token, body: slot })).answer();
    id = booked.extras.appointment.id;
    await syncFromEmr({ ...clinic.platform, appointments, emrBook }, now());
    emr.staff.remove(`claim:${id}`);
    for (const seconds of [60, 20]) {
      clinic.clock.advance(seconds);
      await syncFromEmr({ ...clinic.platform, appointments, emrBook }, now());
    }
  });

  // Shows: R-120
  test('are listed with doctor and time for whoever may cancel, and name no patient', async () => {
    await as('receptionist');
    const listed = { id, start, provider: expect.stringMatching(/^Dr\. /) as string };
    expect(await gone()).toEqual([{ ...listed, until: now() + 600 }]);
    for (const role of ['clinician', 'auditor'] as const) {
      await as(role);
      expect(await gone()).toEqual([]);
      expect((await decide('kept')).code()).toBe('notAllowed');
    }
  });

  // Shows: R-120
  test('are marked on the day sheet while the desk has to decide', async () => {
    await as('receptionist');
    const marked = async () => {
      const sheet = { cookie, params: { date: '2026-11-23' } };
      const { providers } = (await askDesk(clinic, 'deskDay', sheet)).answer().extras;
      return providers.flatMap(({ appointments: all }) =>
        all.map((each) => [each.id, each.isGone]),
      );
    };
    expect(await marked()).toEqual([[id, true]]);
    (await decide('kept')).answer();
    expect(await marked()).toEqual([[id, false]]);
  });

  // Shows: R-120
  test('are kept, once or again after a lost answer', async () => {
    await as('receptionist');
    for (const _ of ['pressed', 'sent again']) (await decide('kept')).answer();
    expect(await gone()).toEqual([]);
    expect((await decide('cancelled')).code()).toBe('appointmentChanged');
    expect(await trail('appointment kept without the EMR')).toHaveLength(1);
  });

  // Shows
  test('are cancelled as by the clinic, once or again after a lost answer', async () => {
    await as('receptionist');
    for (const _ of ['pressed', 'sent again']) (await decide('cancelled')).answer();
    expect(await gone()).toEqual([]);
    expect((await decide('kept')).code()).toBe('appointmentChanged');
    const told = (await mails()).filter(({ text }) => text.includes('the clinic had to cancel'));
    expect(told).toHaveLength(1);
  });

  test('are not cancelled where somebody pasted them meanwhile, nor while the EMR is away', async () => {
    await as('receptionist');
    emr.faults.offline = true;
    expect((await decide('cancelled')).code()).toBe('clinicUnreachable');
    emr.faults.offline = false;
    const place = { providerId: '101' as ProviderId, date: '2026-11-23' };
    emr.staff.book({ ...place, start: '08:00', end: '08:05' }, `claim:${id}`);
    expect((await decide('cancelled')).code()).toBe('appointmentChanged');
  });
});

import { type DeskCallId, deskCalls } from '@clinic/contract';
import { STAFF_ROLES, type StaffRole, may } from '@clinic/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCK_AFTER } from '../src/modules/staff/sessions.store.ts';
import { aStaffMember, askDesk, deskRequest, deskSession } from '../testing/desk.ts';
import { ask, ratesOf, requestOf, testDatabase } from '../testing/index.ts';
import { type DeskRequests, deskRequests } from './desk-requests.ts';
import { patientCalls } from './every-call.ts';
import { type LockableDatabase, lockableDatabase } from './locked-database.ts';
import { changedTables, everyRow } from './rows-of.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';

type DeskCall = (typeof deskCalls)[keyof typeof deskCalls];
const everyDeskCall: readonly DeskCall[] = Object.values(deskCalls);
const staffCalls = everyDeskCall.flatMap((call) =>
  typeof call.access === 'string' ? [] : [{ id: call.id, privilege: call.access.staff }],
);
const writes = everyDeskCall.filter(({ method }) => method !== 'GET');

let lockable: LockableDatabase;
let clinic: TwoPatients;
let requests: DeskRequests;
beforeAll(async () => {
  lockable = lockableDatabase(await testDatabase());
  clinic = await twoPatients(undefined, lockable);
  requests = await deskRequests(clinic);
});
afterAll(() => clinic.close());

const asRole = async (role: StaffRole) => deskSession(clinic, await aStaffMember(clinic, role));
/** A manager, or a clinician where managers may not. */
const asOneWhoMay = (id: DeskCallId) => {
  const { access } = deskCalls[id];
  return asRole(access === 'public' || may('manager', access.staff) ? 'manager' : 'clinician');
};

describe('The role matrix of the front desk (S-18)', () => {
  test('is of every call but the four that lead to a session', () => {
    const open = everyDeskCall.filter(({ access }) => access === 'public').map(({ id }) => id);
    expect(open).toEqual([
      'deskSignIn',
      'deskAskPasskey',
      'deskReadInvitation',
      'deskAcceptInvitation',
    ]);
  });

  // Shows: S-18
  test.each(
    STAFF_ROLES.flatMap((role) => staffCalls.map(({ id, privilege }) => ({ role, id, privilege }))),
  )('$role asks for $id', async ({ role, id, privilege }) => {
    const cookie = await asRole(role);
    const before = await everyRow(clinic);
    const response = await askDesk(clinic, id, { ...requests[id](), cookie });
    if (may(role, privilege)) {
      // A clinician is refused other providers' patients, and what is too early now is nobody's role.
      expect([200, 409]).toContain(response.statusCode);
    } else {
      expect({ status: response.statusCode, code: response.code() }).toEqual({
        status: 403,
        code: 'notAllowed',
      });
      expect(await everyRow(clinic)).toEqual(before);
    }
  });

  // Shows: S-18
  test.each(staffCalls)('a patient’s token does not open $id', async ({ id }) => {
    const { token } = clinic.asker;
    const before = await everyRow(clinic);
    for (const headers of [
      { 'x-access-token': token },
      { authorization: `Bearer ${token}` },
      { cookie: `desk=${token}` },
    ]) {
      const response = await askDesk(clinic, id, { ...requests[id](), headers });
      expect({ status: response.statusCode, code: response.code() }).toEqual({
        status: 401,
        code: 'deskSignedOut',
      });
    }
    expect(await everyRow(clinic)).toEqual(before);
  });

  // Shows: S-18
  test('a cookie of the front desk opens no call of the patients', async () => {
    const cookie = await asRole('manager');
    const before = await everyRow(clinic);
    const token = cookie.replace('desk=', '');
    for (const { id } of patientCalls) {
      expect({ id, status: (await ask(clinic, id, { headers: { cookie } })).statusCode }).toEqual({
        id,
        status: 401,
      });
      expect({ id, status: (await ask(clinic, id, { token })).statusCode }).toEqual({
        id,
        status: 401,
      });
    }
    expect(await everyRow(clinic)).toEqual(before);
  });
});

describe('A change at the front desk (S-18)', () => {
  // Shows: S-18
  test.each(writes)('$id comes from a page of ours, as JSON', async ({ id }) => {
    const cookie = await asRole('manager');
    const before = await everyRow(clinic);
    const asked = deskRequest(id, { ...requests[id](), cookie });
    const send = (headers: Record<string, string>) =>
      clinic.app.inject(requestOf(id, { ...asked, headers }));
    const headers = { ...asked.headers };
    const { origin: _, ...without } = headers;
    for (const sent of [
      without,
      { ...headers, origin: 'https://evil.example' },
      { ...headers, origin: 'null' },
    ]) {
      const response = await send(sent);
      expect(response.json()).toMatchObject({ extras: { code: 'notOurPage' } });
    }
    const asText = { ...headers, 'content-type': 'text/plain' };
    expect((await send(asText)).statusCode).toBe(415);
    expect(await everyRow(clinic)).toEqual(before);
  });

  // Shows: S-18
  test('and every look is refused behind a locked screen', async () => {
    const cookie = await asRole('manager');
    clinic.clock.advance(LOCK_AFTER);
    for (const { id, privilege } of staffCalls.filter((call) => call.privilege !== 'ownSession')) {
      const response = await askDesk(clinic, id, { ...requests[id](), cookie });
      expect({ privilege, status: response.statusCode, code: response.code() }).toEqual({
        privilege,
        status: 401,
        code: 'deskLocked',
      });
    }
  });
});

/** Changing calls that do more each time that they are sent, or look and are noted as a look. */
const MORE_EACH_TIME: Partial<Record<DeskCallId, string>> = {
  deskSignIn: 'begins another session',
  deskUnlock: 'a code is good once',
  deskAskPasskey: 'another challenge',
  deskAskOwnPasskey: 'another challenge',
  deskAskNewPasskey: 'another challenge',
  deskInvite: 'another email; the link is one',
  deskInvitePatient: 'another email; the link is one',
  deskCorrectEmail: 'another email; the link is one',
  deskResetFactor: 'another email; the link is one',
  deskPrintDay: 'a look',
  deskOpenAppointment: 'a look',
  deskFindPatients: 'a look',
  deskFindCharts: 'a look',
  deskLikelyPatients: 'a look',
  deskLikelyCharts: 'a look',
  deskBookingOptions: 'a look',
  deskPatientsWaiting: 'a look',
  deskOpenPatient: 'a look',
  deskShowCard: 'a look',
  deskOpenDocument: 'a look',
  deskForeseeMerge: 'a look',
};
/** Refused of what the matrix sends: their own tests send again what was done. */
const SENT_AGAIN_ELSEWHERE: Partial<Record<DeskCallId, string>> = {
  deskReadInvitation: 'staff.routes.test.ts',
  deskAcceptInvitation: 'staff.routes.test.ts',
  deskAddPasskey: 'passkeys.routes.test.ts',
  deskNoteAttendance: 'day-sheet.routes.test.ts',
  deskCancelAppointment: 'day-sheet.routes.test.ts',
  deskUndo: 'undo.routes.test.ts',
  deskNoteConsents: 'booking.routes.test.ts',
  deskBook: 'booking.routes.test.ts',
  deskMoveAppointment: 'booking.routes.test.ts',
  deskTakeFee: 'booking.routes.test.ts',
  deskPayAtClinic: 'payment-link.routes.test.ts',
  deskWaiveFee: 'fees.routes.test.ts',
  deskStrikeFee: 'fees.routes.test.ts',
  deskFeeBack: 'money.routes.test.ts',
  deskRefund: 'money.routes.test.ts',
  deskAnswerMessage: 'messages.routes.test.ts',
  deskCloseMessage: 'messages.routes.test.ts',
  deskOpenChart: 'found-in-emr.routes.test.ts',
  deskCorrectPatient: 'corrections.routes.test.ts',
};

describe('A request of the front desk whose answer was lost (R-95)', () => {
  test('may be sent again, but for these calls', () => {
    const more = writes.filter(({ idempotency }) => idempotency === 'none').map(({ id }) => id);
    expect(more.toSorted()).toEqual(Object.keys(MORE_EACH_TIME).toSorted());
  });

  // Shows: R-95, S-18
  test.each(writes.filter(({ id }) => !(id in MORE_EACH_TIME) && !(id in SENT_AGAIN_ELSEWHERE)))(
    'does nothing more when $id is sent again',
    async ({ id }) => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const asked = { ...requests[id](), cookie: await asOneWhoMay(id), headers };
      (await askDesk(clinic, id, asked)).answer();
      const before = await everyRow(clinic);
      const { statusCode } = await askDesk(clinic, id, asked);
      expect(statusCode).toBe(id === 'deskSignOut' ? 401 : 200);
      // The trail may name it twice. What was reconciled is asked for again.
      const more = changedTables(before, await everyRow(clinic)).filter(
        (table) => table !== 'audit',
      );
      expect(more).toEqual(id === 'deskReconcile' ? ['payment'] : []);
    },
  );
});

describe('A database that is locked once a member of staff was let in (S-5)', () => {
  const TRIES = 3;
  /** Answered, or refused for what these requests send, without a look at the database. */
  const FROM_MEMORY: readonly string[] = ['deskSession', 'deskImportTable', 'deskEmr'];

  // Shows: S-5
  test.each(staffCalls.filter(({ id }) => !FROM_MEMORY.includes(id)))(
    'costs no try of $id',
    async ({ id }) => {
      Object.assign(clinic.platform.config, { rates: ratesOf(TRIES) });
      const cookie = await asOneWhoMay(id);
      const asked = { ...requests[id](), cookie };
      const seen = new Set<number>();
      for (let n = 0; n <= TRIES; n += 1)
        seen.add(
          await lockable.during(
            clinic,
            'door',
            async () => (await askDesk(clinic, id, asked)).statusCode,
          ),
        );
      expect([...seen]).toEqual([503]);
      expect([429, 503]).not.toContain((await askDesk(clinic, id, asked)).statusCode);
    },
  );
});

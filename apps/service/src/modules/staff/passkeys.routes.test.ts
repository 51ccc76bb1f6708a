import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  STAFF_PASSWORD,
  type SomeStaff,
  aStaffMember,
  askDesk,
  codeAt,
  deskSession,
} from '../../../testing/desk.ts';
import { aProof, type TestApp, aClinic, testApp } from '../../../testing/index.ts';
import { operate } from '../../../testing/operator.ts';
import {
  type DeviceSays,
  type PasskeyDevice,
  aPasskeyDevice,
} from '../../../testing/passkey-device.ts';
import { staff, staffPasskey } from '../../schema.ts';
import { RATES } from '../../server/rates.ts';
import { sweepSpent } from '../privacy/index.ts';
import { RECENT_FACTOR } from './authorize-staff.ts';
import { CHALLENGE_VALID_FOR, MOST_PASSKEYS } from './passkeys.ts';

let clinic: TestApp;
let robin: SomeStaff;
let cookie: string;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  robin = await aStaffMember(clinic, 'manager');
  cookie = await deskSession(clinic, robin);
});
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
const lastEntries = async (most: number) =>
  (await clinic.trail())
    .slice(-most)
    .map(({ actor, action, details }) => ({ actor, action, details }));

const askNew = async (by = cookie) =>
  (await askDesk(clinic, 'deskAskNewPasskey', { cookie: by })).answer().extras;
const add = (made: object, { by = cookie, name = 'Phone' } = {}) =>
  askDesk(clinic, 'deskAddPasskey', { cookie: by, body: { name, ...made } });
const list = async (by = cookie) =>
  (await askDesk(clinic, 'deskPasskeys', { cookie: by })).answer().extras.passkeys;

async function added(by = cookie, device = aPasskeyDevice()): Promise<PasskeyDevice> {
  const { challenge } = await askNew(by);
  expect((await add(device.make(challenge), { by })).statusCode).toBe(200);
  return device;
}

const askToSignIn = async (email = robin.email) =>
  (await askDesk(clinic, 'deskAskPasskey', { body: { email } })).answer().extras;
const signIn = (passkey: object, over: object = {}) =>
  askDesk(clinic, 'deskSignIn', {
    body: {
      email: robin.email,
      password: STAFF_PASSWORD,
      passkey,
      recaptcha: aProof(),
      ...over,
    },
  });
const askToUnlock = async (by = cookie) =>
  (await askDesk(clinic, 'deskAskOwnPasskey', { cookie: by })).answer().extras;
const unlock = (passkey: object, by = cookie) =>
  askDesk(clinic, 'deskUnlock', { cookie: by, body: { passkey } });
const lock = () => askDesk(clinic, 'deskLock', { cookie });

describe('A passkey of somebody of the staff (S-18)', () => {
  // Shows: S-18
  test('is added after a recent factor, listed, noted on the trail and mailed', async () => {
    clinic.clock.advance(RECENT_FACTOR);
    const refused = await askDesk(clinic, 'deskAskNewPasskey', { cookie });
    expect(refused.code()).toBe('factorNeeded');
    await askDesk(clinic, 'deskUnlock', { cookie, body: { secret: codeAt(now()) } });
    const asked = await askNew();
    expect(asked).toMatchObject({
      rp: { id: 'localhost', name: 'Test Clinic' },
      user: { name: robin.email, displayName: 'Robin Lee' },
      excludeCredentials: [],
      attestation: 'none',
    });
    const device = aPasskeyDevice();
    expect((await add(device.make(asked.challenge), { name: 'Robin’s phone' })).statusCode).toBe(
      200,
    );
    const [passkey] = await list();
    expect(passkey).toMatchObject({ name: 'Robin’s phone', createdAt: now(), lastUsedAt: null });
    expect(await lastEntries(1)).toEqual([
      {
        actor: `staff:${robin.id}`,
        action: 'passkey added',
        details: { passkey: passkey?.id },
      },
    ]);
    expect((await clinic.mails()).at(-1)).toMatchObject({
      to: robin.email,
      subject: 'A passkey was added to your account - Test Clinic',
    });
    // A device that has one is told so by its browser.
    expect((await askNew()).excludeCredentials).toEqual([{ type: 'public-key', id: device.id }]);
  });

  // Shows: S-18
  test('is taken beside the password in place of a code', async () => {
    const device = await added();
    clinic.clock.advance(60);
    const asked = await askToSignIn();
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'preferred' });
    const signedIn = await signIn(device.show(asked.challenge, { isVerified: false }));
    expect(signedIn.answer().extras).toMatchObject({ name: 'Robin Lee', isLocked: false });
    expect((await lastEntries(1))[0]).toMatchObject({
      action: 'signed in',
      details: { by: 'passkey' },
    });
    expect(await list()).toMatchObject([{ lastUsedAt: now() }]);
  });

  // Shows: S-18
  test('opens a locked screen alone, and counts as a recent factor', async () => {
    const device = await added();
    clinic.clock.advance(RECENT_FACTOR);
    expect((await askDesk(clinic, 'deskAskNewPasskey', { cookie })).code()).toBe('factorNeeded');
    await lock();
    const asked = await askToUnlock();
    expect(asked.userVerification).toBe('required');
    expect((await unlock(device.show(asked.challenge))).answer().extras.isLocked).toBe(false);
    expect((await askDesk(clinic, 'deskAskNewPasskey', { cookie })).statusCode).toBe(200);
  });

  test('of a phone, which counts nothing, is taken again and again', async () => {
    const device = await added(cookie, aPasskeyDevice({ counts: false }));
    for (let times = 0; times < 3; times++) {
      const { challenge } = await askToSignIn();
      expect((await signIn(device.show(challenge))).statusCode).toBe(200);
    }
  });

  // Shows: S-18
  test('that is removed opens nothing more, which is noted and mailed', async () => {
    const device = await added();
    const id = (await list())[0]?.id ?? '';
    const remove = (by = cookie) =>
      askDesk(clinic, 'deskRemovePasskey', { cookie: by, params: { id } });
    const kim = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    expect((await remove(kim)).statusCode).toBe(200);
    expect(await list()).toHaveLength(1);
    await clinic.platform.outbox.drain();
    clinic.clock.advance(RECENT_FACTOR);
    expect((await remove()).code()).toBe('factorNeeded');
    await askDesk(clinic, 'deskUnlock', { cookie, body: { secret: codeAt(now()) } });
    expect((await remove()).statusCode).toBe(200);
    expect(await list()).toEqual([]);
    expect((await lastEntries(1))[0]).toMatchObject({ action: 'passkey removed' });
    await clinic.platform.outbox.drain();
    const { subject } = clinic.mail.sent.at(-1) ?? {};
    expect(subject).toBe('A passkey was removed from your account - Test Clinic');
    // Sent again after a lost answer, it does nothing that was not done.
    expect((await remove()).statusCode).toBe(200);
    expect(await clinic.platform.outbox.drain()).toBe(0);
    const { challenge } = await askToSignIn();
    expect((await signIn(device.show(challenge))).statusCode).toBe(401);
    await lock();
    const again = await askToUnlock();
    expect((await unlock(device.show(again.challenge))).code()).toBe('passkeyRefused');
  });

  // Shows: S-18
  test.each([
    [
      'a manager',
      async () => {
        const by = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
        await askDesk(clinic, 'deskResetFactor', { cookie: by, params: { id: robin.id } });
      },
    ],
    ['the operator', () => operate(clinic.platform, 'staff', 'reset-factor', robin.email)],
  ])('is void once %s resets the sign-in', async (_, reset) => {
    await added();
    await reset();
    expect(await clinic.database.db.select().from(staffPasskey)).toEqual([]);
  });

  test('is not added by who was reset while their device made it', async () => {
    const { challenge } = await askNew();
    await clinic.database.inTransaction((tx) =>
      // As a reset leaves the account, the moment after the door let the request in.
      tx.update(staff).set({ passwordHash: null }),
    );
    expect((await add(aPasskeyDevice().make(challenge))).code()).toBe('deskSignedOut');
  });
});

describe('What a passkey signs (S-18)', () => {
  type Wrong = (device: PasskeyDevice) => Promise<object>;
  const shown =
    (says: DeviceSays): Wrong =>
    async (device) =>
      device.show((await askToSignIn()).challenge, says);

  // Shows: S-18
  test.each<[string, Wrong]>([
    [
      'what was signed before',
      async () => {
        // By its count it would pass again.
        const device = await added(cookie, aPasskeyDevice({ counts: false }));
        const answer = device.show((await askToSignIn()).challenge);
        expect((await signIn(answer)).statusCode).toBe(200);
        return answer;
      },
    ],
    [
      'a challenge that was answered wrongly before',
      async (device) => {
        const { challenge } = await askToSignIn();
        const wrong = device.show(challenge, { origin: 'https://evil.example' });
        expect((await signIn(wrong)).statusCode).toBe(401);
        return device.show(challenge);
      },
    ],
    ['a challenge of its own', async (device) => device.show('A'.repeat(43))],
    [
      'a challenge of five minutes ago',
      async (device) => {
        const answer = device.show((await askToSignIn()).challenge);
        clinic.clock.advance(CHALLENGE_VALID_FOR);
        return answer;
      },
    ],
    [
      'a challenge for another address',
      async (device) => device.show((await askToSignIn('kim@clinic.example')).challenge),
    ],
    [
      'a challenge for a locked screen',
      async (device) => device.show((await askToUnlock()).challenge),
    ],
    ['what another page asked for', shown({ origin: 'https://evil.example' })],
    ['what belongs to another site', shown({ rpId: 'evil.example' })],
    ['what makes a passkey', shown({ type: 'webauthn.create' })],
    [
      'as another device',
      async (device) => ({
        ...aPasskeyDevice().show((await askToSignIn()).challenge),
        id: device.id,
      }),
    ],
    [
      'with the passkey of a colleague',
      async () => {
        const kim = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
        return (await added(kim)).show((await askToSignIn()).challenge);
      },
    ],
  ])('is refused for %s, as a wrong code is', async (_, wrong) => {
    const refused = await askDesk(clinic, 'deskSignIn', {
      body: {
        email: robin.email,
        password: STAFF_PASSWORD,
        code: '000000',
        recaptcha: aProof(),
      },
    });
    const passkey = await wrong(await added());
    const response = await signIn(passkey);
    expect({ status: response.statusCode, body: response.body }).toEqual({
      status: 401,
      body: refused.body,
    });
  });

  test.each([
    ['nothing', ''],
    ['too little', 'A'],
    ['an empty object', 'e30'],
    ['null', 'bnVsbA'],
    ['a list', 'W10'],
    ['as much as it may be', '_'.repeat(4_096)],
  ])('is refused where an answer holds %s', async (_, junk) => {
    const device = await added();
    const { challenge } = await askToSignIn();
    const right = device.show(challenge);
    for (const place of ['clientDataJSON', 'authenticatorData', 'signature', 'id'] as const) {
      const status = (await signIn({ ...right, [place]: junk })).statusCode;
      expect([401, 422]).toContain(status);
    }
    const made = aPasskeyDevice().make((await askNew()).challenge);
    const spoiled = await add({ ...made, attestationObject: junk });
    expect([409, 422]).toContain(spoiled.statusCode);
  });

  // Shows: S-18
  test('tells by nothing whether there is such an account, or a passkey', async () => {
    await added();
    const ofRobin = await askToSignIn();
    const ofNobody = await askToSignIn('nobody@clinic.example');
    expect({ ...ofNobody, challenge: '' }).toEqual({ ...ofRobin, challenge: '' });
    const device = aPasskeyDevice();
    const email = 'nobody@clinic.example';
    const bodies = await Promise.all([
      signIn(device.show(ofNobody.challenge), { email }),
      signIn(device.show(ofRobin.challenge)),
      signIn(device.show((await askToSignIn()).challenge), { password: 'wrong' }),
    ]);
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(1);
  });

  // Shows: S-18
  test('counts on, or it is refused as a copy and noted so', async () => {
    const device = await added();
    const answer = async (count: number) =>
      signIn(device.show((await askToSignIn()).challenge, { count }));
    expect((await answer(7)).statusCode).toBe(200);
    for (const count of [7, 6, 0]) expect((await answer(count)).statusCode).toBe(401);
    expect(await lastEntries(3)).toMatchObject([
      { actor: `staff:${robin.id}`, action: 'copy of a passkey refused' },
      { actor: 'visitor', action: 'wrong code behind the right password' },
      { actor: 'system', action: 'told of wrong codes' },
    ]);
    expect((await answer(8)).statusCode).toBe(200);
  });

  test('is taken once from two copies that count alike at one moment', async () => {
    const device = await added();
    const answers = [];
    for (let copies = 0; copies < 2; copies++)
      answers.push(device.show((await askToSignIn()).challenge, { count: 7 }));
    const both = await Promise.all(answers.map((answer) => signIn(answer)));
    expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  // Shows: S-18
  test('is counted as a guess where it fails, as a code is', async () => {
    const { challenge } = await askToSignIn();
    const wrong = aPasskeyDevice().show(challenge);
    for (let tries = 0; tries < 5; tries++) expect((await signIn(wrong)).statusCode).toBe(401);
    expect((await signIn(wrong)).headers['retry-after']).toBe('2');
    await lock();
    for (let tries = 0; tries < 5; tries++) expect((await unlock(wrong)).statusCode).toBe(401);
    expect((await unlock(wrong)).statusCode).toBe(429);
  });

  test('is asked of one address so many times, and forgotten once it is over', async () => {
    await clinic.close();
    const passkeysPerAddress = { ...RATES.passkeysPerAddress, count: 3 };
    clinic = await testApp({ config: { rates: { ...RATES, passkeysPerAddress } } });
    const body = { email: robin.email };
    const statuses = [];
    for (let times = 0; times < 4; times++)
      statuses.push((await askDesk(clinic, 'deskAskPasskey', { body })).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
    clinic.clock.advance(CHALLENGE_VALID_FOR + 1);
    expect(await sweepSpent(clinic.platform, now())).toMatchObject({ staffChallenges: 3 });
  });

  test('is neither left out beside the password nor shown beside a code', async () => {
    const right = (await added()).show((await askToSignIn()).challenge);
    expect((await signIn(right, { code: codeAt(now()) })).code()).toBe('invalidInput');
    const neither = { email: robin.email, password: STAFF_PASSWORD };
    expect((await askDesk(clinic, 'deskSignIn', { body: neither })).code()).toBe('invalidInput');
  });
});

describe('A locked screen (S-18)', () => {
  // Shows: S-18
  test.each<[string, () => Promise<object>]>([
    [
      'a device that does not know its owner',
      async () => (await added()).show((await askToUnlock()).challenge, { isVerified: false }),
    ],
    [
      'a colleague',
      async () => {
        const kim = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
        return (await added(kim)).show((await askToUnlock()).challenge);
      },
    ],
    [
      'a challenge for another session of theirs',
      async () => {
        const other = await deskSession(clinic, robin);
        return (await added()).show((await askToUnlock(other)).challenge);
      },
    ],
    [
      'a challenge before the last',
      async () => {
        const device = await added();
        const { challenge } = await askToUnlock();
        await askToUnlock();
        return device.show(challenge);
      },
    ],
    [
      'a challenge for the sign-in',
      async () => (await added()).show((await askToSignIn()).challenge),
    ],
  ])('is not opened by %s', async (_, wrong) => {
    const passkey = await wrong();
    await lock();
    expect((await unlock(passkey)).code()).toBe('passkeyRefused');
    const session = await askDesk(clinic, 'deskSession', { cookie });
    expect(session.answer().extras.isLocked).toBe(true);
  });

  // Shows: S-18
  test('neither shows, adds nor removes a passkey', async () => {
    const device = await added();
    const [passkey] = await list();
    const { challenge } = await askNew();
    await lock();
    for (const refused of [
      await askDesk(clinic, 'deskPasskeys', { cookie }),
      await askDesk(clinic, 'deskAskNewPasskey', { cookie }),
      await add(aPasskeyDevice().make(challenge)),
      await askDesk(clinic, 'deskRemovePasskey', { cookie, params: { id: passkey?.id ?? '' } }),
    ])
      expect(refused.code()).toBe('deskLocked');
    expect((await unlock(device.show((await askToUnlock()).challenge))).statusCode).toBe(200);
  });
});

describe('Adding a passkey (S-18)', () => {
  test.each<[string, (device: PasskeyDevice) => Promise<object>]>([
    [
      'another page',
      async (of) => of.make((await askNew()).challenge, { origin: 'https://a.example' }),
    ],
    ['another site', async (of) => of.make((await askNew()).challenge, { rpId: 'a.example' })],
    [
      'a device that does not know its owner',
      async (of) => of.make((await askNew()).challenge, { isVerified: false }),
    ],
    [
      'a challenge of another session',
      async (of) => of.make((await askNew(await deskSession(clinic, robin))).challenge),
    ],
    ['a challenge to unlock', async (of) => of.make((await askToUnlock()).challenge)],
    [
      'another name than the device gives it',
      async (of) => ({ ...of.make((await askNew()).challenge), id: 'AAAA' }),
    ],
  ])('is refused of %s', async (_, wrong) => {
    expect((await add(await wrong(aPasskeyDevice()))).code()).toBe('passkeyNotAdded');
    expect(await list()).toEqual([]);
  });

  test('reads no statement of who made the device', async () => {
    const { challenge } = await askNew();
    const made = aPasskeyDevice().make(challenge, { format: 'android-safetynet' });
    expect((await add(made)).statusCode).toBe(200);
  });

  // Shows: S-18
  test('is added once where its answer was lost and the browser sends it again, or both at once', async () => {
    const made = aPasskeyDevice().make((await askNew()).challenge);
    const both = await Promise.all([add(made), add(made)]);
    expect([...both, await add(made)].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await add(made, { name: 'Laptop' })).code()).toBe('passkeyNotAdded');
    const kim = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    expect((await add(made, { by: kim })).code()).toBe('passkeyNotAdded');
    expect((await list()).map(({ name }) => name)).toEqual(['Phone']);
    expect(await clinic.mails()).toHaveLength(1);
    const { id } = (await list())[0] ?? { id: '' };
    await askDesk(clinic, 'deskRemovePasskey', { cookie, params: { id } });
    expect((await add(made)).code()).toBe('passkeyNotAdded');
    expect(await list()).toEqual([]);
  });

  test('takes a device once, whosever it is, and ten at most', async () => {
    const device = await added();
    const again = device.make((await askNew()).challenge);
    expect((await add(again)).code()).toBe('passkeyKnown');
    const kim = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    const stolen = device.make((await askNew(kim)).challenge);
    expect((await add(stolen, { by: kim })).code()).toBe('passkeyKnown');
    for (let more = 1; more < MOST_PASSKEYS; more++) await added();
    // Before anything is made on a device.
    expect((await askDesk(clinic, 'deskAskNewPasskey', { cookie })).code()).toBe('passkeysFull');
    expect(await list()).toHaveLength(MOST_PASSKEYS);
  });
});

// Shows: S-18
test('Where the clinic has a number alone, passkeys are not offered', async () => {
  await clinic.close();
  clinic = await testApp({ config: { publicUrl: 'http://203.0.113.5' } });
  const kim = await aStaffMember(clinic, 'receptionist');
  const own = {
    cookie: await deskSession(clinic, kim),
    headers: { origin: 'http://203.0.113.5' },
  };
  const codes = [
    await askDesk(clinic, 'deskAskPasskey', { ...own, body: { email: kim.email } }),
    await askDesk(clinic, 'deskAskOwnPasskey', own),
    await askDesk(clinic, 'deskAskNewPasskey', own),
  ].map((response) => response.code());
  expect(new Set(codes)).toEqual(new Set(['passkeysNotOffered']));
});

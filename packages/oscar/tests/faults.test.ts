import { inspect } from 'node:util';

import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';

import { type WriteFault, bookByStaff } from '../fake/index.ts';
import {
  type AppointmentDraft,
  type AppointmentNo,
  type Oscar,
  OscarFault,
  OscarInvalid,
  OscarOffline,
  OscarOutcomeUnknown,
  OscarRefused,
  type TemplateCode,
  appointmentNo,
} from '../src/index.ts';
import { MONDAY, avery, doctor, draft, monday, openCanned, openClinic, tickler } from './clinic.ts';

const secret = 'secret reason';

describe.each(['classic', 'openo'] as const)('a write on %s', (profile) => {
  test.each(['doneBut500', 'cutAfter'] satisfies WriteFault[])(
    'that is done and answered wrong (%s) is unknown, is found by its key, and is not done twice',
    async (fault) => {
      const { oscar, fake } = await openClinic(profile);
      fake.switches.nextWrite = fault;
      await expect(oscar.book(draft())).rejects.toThrow(OscarOutcomeUnknown);
      expect(await oscar.findByKey('key-1', avery)).toMatchObject({ status: 't' });
      expect(await oscar.book(draft())).toMatchObject({ kind: 'alreadyBooked' });
      expect(fake.memory.appointments).toHaveLength(1);
    },
  );

  test('whose answer was lost is taken back when it is asked for again, if staff were there first', async () => {
    const { oscar, fake } = await openClinic(profile);
    const add = fake.memory.addAppointment.bind(fake.memory);
    fake.memory.addAppointment = (row) => {
      fake.memory.addAppointment = add;
      const at = { providerNo: doctor, date: MONDAY, start: 545, minutes: 15 };
      bookByStaff(fake.memory, { ...at, demographicNo: 2 });
      return add(row);
    };
    fake.switches.nextWrite = 'cutAfter';
    await expect(oscar.book(draft())).rejects.toThrow(OscarOutcomeUnknown);
    expect(await oscar.book(draft())).toEqual({ kind: 'taken' });
    const live = fake.memory.appointments.filter(({ status }) => status !== 'C');
    expect(live.map(({ creator }) => creator)).toEqual(['reception']);
  });

  test('that fails with a 500 is unknown too: OSCAR says the same of both', async () => {
    const { oscar, fake } = await openClinic(profile);
    fake.switches.nextWrite = 'refused500';
    await expect(oscar.book(draft())).rejects.toThrow(OscarOutcomeUnknown);
    expect(await oscar.findByKey('key-1', avery)).toBeNull();
  });

  test('that lands long after the cut is not there at first: not found is not never', async () => {
    const { oscar, fake } = await openClinic(profile);
    fake.switches.nextWrite = 'cutThenLate';
    await expect(oscar.book(draft())).rejects.toThrow(OscarOutcomeUnknown);
    expect(await oscar.findByKey('key-1', avery)).toBeNull();
    fake.landLate();
    expect(await oscar.findByKey('key-1', avery)).toMatchObject({ status: 't' });
  });

  test('that takes too long is unknown, and a read is offline', async () => {
    const { oscar, fake } = await openClinic(profile, { timeoutMs: 9_000 });
    await oscar.checkLogin();
    fake.hang('tomcat');
    const asked = () => [...fake.calls.values()].reduce((sum, times) => sum + times, 0);
    const limit = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => limit.mockRestore());
    const tookTooLong = async (call: () => Promise<unknown>) => {
      const [before, end] = [asked(), new AbortController()];
      limit.mockReturnValueOnce(end.signal);
      const answer = call();
      await expect.poll(asked).toBe(before + 1);
      end.abort(new DOMException('Too long', 'TimeoutError'));
      return answer;
    };
    const write = tookTooLong(() => oscar.createAppointment(draft()));
    await expect(write).rejects.toThrow(OscarOutcomeUnknown);
    const read = tookTooLong(() => oscar.appointments(monday));
    await expect(read).rejects.toThrow(OscarOffline);
    expect(limit.mock.calls).toEqual([[9_000], [9_000]]);
    fake.resume();
  });

  test('that was done, but not seen to stand alone, is unknown', async () => {
    const { oscar, fake } = await openClinic(profile);
    const add = fake.memory.addAppointment.bind(fake.memory);
    fake.memory.addAppointment = (row) => {
      fake.switches.isDown = true;
      return add(row);
    };
    await expect(oscar.book(draft())).rejects.toThrow(OscarOutcomeUnknown);
  });

  test('to a server that cannot be reached was not done', async () => {
    const { oscar, fake } = await openClinic(profile);
    await fake.stop();
    await expect(oscar.createAppointment(draft())).rejects.toThrow(OscarOffline);
  });

  test('to a server that is starting was not done', async () => {
    const { oscar, fake } = await openClinic(profile);
    fake.switches.isDown = true;
    await expect(oscar.createAppointment(draft())).rejects.toThrow(OscarOffline);
    await expect(oscar.cancelAppointment(appointmentNo('1'))).rejects.toThrow(OscarOffline);
  });

  test('that OSCAR would cut, or whose key or time cannot be, is refused before it is sent', async () => {
    const { oscar, fake } = await openClinic(profile);
    const wrong = [
      draft({ reason: 'x'.repeat(81) }),
      draft({ notes: 'x'.repeat(250) }),
      draft({ key: 'a [b]' }),
      draft({ span: { date: MONDAY, start: '25:75', end: '26:00' } }),
    ];
    for (const each of wrong)
      await expect(oscar.createAppointment(each)).rejects.toThrow(OscarInvalid);
    expect(fake.calls.size).toBe(0);
  });
});

test('nobody writes a status, and a template code cannot be written as a type', () => {
  expectTypeOf<AppointmentDraft>().not.toHaveProperty('status');
  expectTypeOf<Parameters<Oscar['cancelAppointment']>>().toEqualTypeOf<[no: AppointmentNo]>();
  expectTypeOf<TemplateCode>().not.toExtend<AppointmentDraft['type']>();
});

describe('a gateway before OSCAR', () => {
  test.each([502, 504])(
    'that answers %i leaves a write unknown: it passed it on',
    async (status) => {
      const oscar = await openCanned(() => ({ status, body: '' }));
      await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarOutcomeUnknown);
      await expect(oscar.checkToken()).rejects.toThrow(OscarOffline);
    },
  );

  test('that answers 403 with a page is a firewall', async () => {
    const oscar = await openCanned(() => ({ status: 403, type: 'text/html', body: '<html>' }));
    const asked = oscar.providers();
    await expect(asked).rejects.toThrow(OscarRefused);
    await expect(asked).rejects.toThrow('did not get past a firewall');
  });
});

describe('what OSCAR answers besides', () => {
  test('a page for people is no answer: a read is offline and a write is unknown', async () => {
    const page = '<html><body>Welcome<br/></body></html>';
    const oscar = await openCanned(() => ({ type: 'text/html', body: page }));
    await expect(oscar.providers()).rejects.toThrow(OscarOffline);
    await expect(oscar.checkToken()).rejects.toThrow(OscarOffline);
    await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarOutcomeUnknown);
  });

  test('a way to the login page is a refusal', async () => {
    const oscar = await openCanned(() => ({ status: 302, body: '', location: '/oscar/login' }));
    await expect(oscar.checkToken()).rejects.toThrow(OscarRefused);
  });

  test('a 404 of OSCAR’s own wrote nothing', async () => {
    const oscar = await openCanned(() => ({ status: 404, body: '' }));
    await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarFault);
  });

  test('XML, which was not asked for, is no answer', async () => {
    const oscar = await openCanned(() => ({
      type: 'application/xml',
      body: '<?xml version="1.0"?><r><success>true</success></r>',
    }));
    await expect(oscar.checkToken()).rejects.toThrow(OscarOffline);
    await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarOutcomeUnknown);
  });
});

describe('no error repeats what OSCAR or a patient said', () => {
  const said = /secret|Exception|org\.|Attention/;
  const errorOf = (act: Promise<unknown>) =>
    act.then(
      () => 'no error',
      (error: unknown) =>
        inspect(error, { depth: 9, showHidden: true }).replaceAll(/\n +at .*/g, ''),
    );

  test('of an error page, of SOAP and of REST', async () => {
    for (const profile of ['classic', 'openo'] as const) {
      const { oscar, fake } = await openClinic(profile);
      fake.switches.nextWrite = 'doneBut500';
      const unknown = await errorOf(oscar.book(draft({ reason: secret })));
      expect(unknown).toContain('OscarOutcomeUnknown');
      expect(unknown).not.toMatch(said);
      const missing = await errorOf(oscar.cancelAppointment(appointmentNo('4711')));
      expect(missing).toContain('OscarOutcomeUnknown');
      expect(missing).not.toMatch(said);
    }
  });

  test('of an answer that is no JSON', async () => {
    const oscar = await openCanned(() => ({ body: `{"${secret}` }));
    const error = await errorOf(oscar.checkToken());
    expect(error).toContain('OscarOffline');
    expect(error).not.toMatch(said);
  });
});

describe('credentials', () => {
  test.each(['classic', 'openo'] as const)(
    'a restart of %s changes the SOAP token: one new login, and nothing is written twice',
    async (profile) => {
      const { oscar, fake } = await openClinic(profile);
      await oscar.dayTemplate(doctor, MONDAY);
      fake.restart();
      expect(await oscar.createAppointment(draft())).toBeTruthy();
      expect(fake.memory.appointments).toHaveLength(1);
      expect(oscar.counts().get('login2')).toBe(2);
    },
  );

  test.each([0, 50])(
    'four calls after a restart share the new login, also where %i ms pass before a token is refused',
    async (refusalMs) => {
      const { oscar, fake } = await openClinic('classic');
      await oscar.checkLogin();
      fake.restart();
      fake.switches.refusalMs = refusalMs;
      const days = ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'];
      await Promise.all(days.map((day) => oscar.dayTemplate(doctor, day)));
      expect(oscar.counts().get('login2')).toBe(2);
    },
  );

  test('a SOAP login that is wrong is refused', async () => {
    const soap = { userName: 'booking', password: 'wrong' };
    const { oscar } = await openClinic('classic', { soap });
    for (const ask of [() => oscar.dayTemplate(doctor, MONDAY), oscar.checkLogin]) {
      const asked = ask();
      await expect(asked).rejects.toThrow(OscarRefused);
      await expect(asked).rejects.toThrow('login2 was refused');
    }
  });

  test('an OAuth token that expired is refused, also where OSCAR says only 500', async () => {
    for (const profile of ['classic', 'openo'] as const) {
      const { oscar, fake } = await openClinic(profile);
      fake.expireToken();
      const asked = oscar.checkToken();
      await expect(asked).rejects.toThrow(OscarRefused);
      await expect(asked).rejects.toThrow('connect again');
    }
  });

  test('a write without a valid token is refused: nothing was done', async () => {
    const { oscar, fake } = await openClinic('openo');
    fake.expireToken();
    await expect(oscar.addTickler(tickler)).rejects.toThrow(OscarRefused);
  });
});

describe('what a clinic’s server is spared', () => {
  test('no more than four requests are under way at once', async () => {
    const held: (() => void)[] = [];
    const oscar = await openCanned(async () => {
      await new Promise<void>((resolve) => {
        held.push(resolve);
      });
      return { body: '{"success":true}' };
    });
    const asked = Array.from({ length: 12 }, () => oscar.checkToken());
    for (let round = 0; round < 3; round += 1) {
      await expect.poll(() => held.length).toBe(4);
      // A fifth would be here by now: the server runs in the same loop.
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
      expect(held).toHaveLength(4);
      for (const answer of held.splice(0)) answer();
    }
    await Promise.all(asked);
    expect(oscar.counts()).toEqual(new Map([['status/checkIfAuthed', 12]]));
  });

  test('reads beyond the budget of a minute are not sent; who waits for a booking is served', async () => {
    let now = 0;
    const { oscar, fake } = await openClinic('classic', { perMinute: 2, now: () => now });
    await oscar.checkToken();
    expect(oscar.left()).toBe(1);
    await oscar.checkToken();
    await expect(oscar.checkToken()).rejects.toThrow(OscarOffline);
    expect([...fake.calls.values()]).toEqual([2]);
    expect(await oscar.book(draft())).toMatchObject({ kind: 'booked' });
    now = 60_001;
    await oscar.checkToken();
  });

  test('after five failures nothing is sent for ten seconds, unless an urgent question is answered', async () => {
    let now = 0;
    const { oscar, fake } = await openClinic('classic', { now: () => now });
    fake.switches.isDown = true;
    const ask = () => oscar.checkToken().catch((error: unknown) => error);
    for (let failure = 0; failure < 5; failure += 1) await ask();
    const sent = oscar.counts().get('status/checkIfAuthed');
    expect(await ask()).toBeInstanceOf(OscarOffline);
    expect(oscar.counts().get('status/checkIfAuthed')).toBe(sent);
    fake.switches.isDown = false;
    now = 9999;
    expect(await ask()).toBeInstanceOf(OscarOffline);
    await oscar.urgent.checkLogin();
    expect(await ask()).toBe(true);
  });

  test('who works there is read once in five minutes, and anew for whoever waits', async () => {
    let now = 0;
    const { oscar, fake } = await openClinic('classic', { now: () => now });
    const before = (await oscar.providers()).length;
    fake.memory.providers.shift();
    expect(await oscar.providers()).toHaveLength(before);
    expect(await oscar.urgent.providers()).toHaveLength(before - 1);
    now = 300_001;
    expect(await oscar.providers()).toHaveLength(before - 1);
  });

  test('a read that failed is not kept', async () => {
    const { oscar, fake } = await openClinic('classic');
    fake.switches.isDown = true;
    await expect(oscar.providers()).rejects.toThrow(OscarOffline);
    fake.switches.isDown = false;
    expect(await oscar.providers()).toHaveLength(4);
  });
});

test('it is healthy while it takes login and token', async () => {
  const { oscar, fake } = await openClinic('classic');
  fake.switches.isDown = true;
  await expect(oscar.checkLogin()).rejects.toThrow(OscarOffline);
  await expect(oscar.checkToken()).rejects.toThrow(OscarOffline);
  fake.switches.isDown = false;
  await oscar.checkLogin();
  await oscar.checkToken();
});

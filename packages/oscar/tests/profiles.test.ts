import { describe, expect, test } from 'vitest';

import { type ProfileName, bookByStaff, dateAfter, moveByStaff, profiles } from '../fake/index.ts';
import {
  OscarFault,
  OscarOutcomeUnknown,
  OscarRefused,
  type PatientSearch,
  appointmentNo,
  demographicNo,
  providerNo,
} from '../src/index.ts';
import { MONDAY, avery, doctor, draft, monday, openClinic, tickler } from './clinic.ts';

const withSoap = (Object.keys(profiles) as ProfileName[]).filter((name) => name !== 'kai');

describe.each(withSoap)('on %s', (profile) => {
  test('what is booked is read back as it was asked for, ends exclusive', async () => {
    const { oscar, fake } = await openClinic(profile);
    const answer = await oscar.book(draft());
    const [booked] = await oscar.urgent.appointments(monday);
    expect(answer).toEqual({ kind: 'booked', no: booked?.no });
    expect(booked).toMatchObject({
      providerNo: doctor,
      demographicNo: avery,
      span: { date: MONDAY, start: '09:00', end: '09:15' },
      status: 't',
    });
    // SOAP does not fill in the name that the day sheet shows.
    const [row] = fake.memory.appointments;
    expect(row).toMatchObject({ name: 'Lindqvist,Avery', type: 'Office Visit', reason: 'Flu' });
  });

  test('an appointment up to midnight ends at 24:00', async () => {
    const { oscar } = await openClinic(profile);
    await oscar.book(draft({ span: { date: MONDAY, start: '23:45', end: '24:00' } }));
    const [booked] = await oscar.urgent.appointments(monday);
    expect(booked?.span).toEqual({ date: MONDAY, start: '23:45', end: '24:00' });
  });

  test('what staff book ends a minute after the last minute that OSCAR keeps', async () => {
    const { oscar, fake } = await openClinic(profile);
    bookByStaff(fake.memory, { ...staffAt(600), minutes: 15 });
    const [booked] = await oscar.appointments(monday);
    expect(booked?.span).toEqual({ date: MONDAY, start: '10:00', end: '10:15' });
  });

  test('times that touch are free, and one minute of another’s is taken', async () => {
    const { oscar, fake } = await openClinic(profile);
    bookByStaff(fake.memory, { ...staffAt(9 * 60 + 15), minutes: 15 });
    expect(await oscar.book(draft())).toMatchObject({ kind: 'booked' });
    const late = { date: MONDAY, start: '09:25', end: '09:40' };
    expect(await oscar.book(draft({ key: 'key-2', span: late }))).toEqual({ kind: 'taken' });
    expect(fake.memory.appointments).toHaveLength(2);
  });

  test('a time that staff cancelled is free again', async () => {
    const { oscar, fake } = await openClinic(profile);
    const row = bookByStaff(fake.memory, { ...staffAt(540), minutes: 15 });
    fake.memory.change(row, { status: 'C' });
    expect(await oscar.appointments(monday)).toEqual([]);
    expect(await oscar.book(draft())).toMatchObject({ kind: 'booked' });
  });

  test('staff who take the time while we write win: ours is cancelled and answered as taken', async () => {
    const { oscar, fake } = await openClinic(profile);
    const add = fake.memory.addAppointment.bind(fake.memory);
    fake.memory.addAppointment = (row) => {
      fake.memory.addAppointment = add;
      bookByStaff(fake.memory, { ...staffAt(545), minutes: 15 });
      return add(row);
    };
    expect(await oscar.book(draft())).toEqual({ kind: 'taken' });
    const live = fake.memory.appointments.filter(({ status }) => status !== 'C');
    expect(live.map(({ creator }) => creator)).toEqual(['reception']);
    expect(await oscar.book(draft())).toMatchObject({ kind: 'cancelled' });
  });

  test('booking again with the same key finds the first, wherever staff moved it', async () => {
    const { oscar, fake } = await openClinic(profile);
    await oscar.book(draft());
    const [row] = fake.memory.appointments;
    if (row === undefined) throw new Error('nothing was booked');
    moveByStaff(fake.memory, row, { providerNo: '102', date: dateAfter(MONDAY, 1), start: 600 });
    bookByStaff(fake.memory, { ...staffAt(540), minutes: 15 });
    expect(await oscar.book(draft())).toMatchObject({
      kind: 'alreadyBooked',
      appointment: {
        providerNo: '102',
        span: { date: '2026-11-24', start: '10:00', end: '10:15' },
      },
    });
    expect(fake.memory.appointments.map(({ status }) => status)).toEqual(['t', 't']);
  });

  test('a cancellation writes the status alone and leaves what staff wrote', async () => {
    const { oscar, fake } = await openClinic(profile);
    await oscar.book(draft());
    const [row] = fake.memory.appointments;
    if (row === undefined) throw new Error('nothing was booked');
    fake.memory.change(row, { notes: `${row.notes} called back` });
    const cancel = () => oscar.cancelAppointment(appointmentNo(String(row.id)));
    expect(await cancel()).toBe(true);
    expect(row).toMatchObject({ status: 'C', notes: '[key-1] called back', reason: 'Flu' });
    expect(await cancel()).toBe(true);
  });

  test('rows that are no people are no providers, and whoever left is not active', async () => {
    const { oscar } = await openClinic(profile);
    const providers = await oscar.providers();
    expect(providers.map(({ no, active, type }) => [no, active, type])).toEqual([
      ['101', true, 'doctor'],
      ['102', true, 'doctor'],
      ['103', true, 'doctor'],
      ['104', false, 'doctor'],
    ]);
  });

  test('template codes come as they stand, twice where a clinic has one twice', async () => {
    const { oscar } = await openClinic(profile);
    const codes = await oscar.templateCodes();
    expect(codes.map(({ code, minutes }) => [code, minutes])).toEqual([
      ['C', 15],
      ['C', 30],
      ['P', null],
      ['V', null],
    ]);
  });

  test('a card number finds who has its digits, beside any province or none, active or not', async () => {
    const { oscar, fake } = await openClinic(profile);
    const find = async (number: string) => (await oscar.findByNumber(number)).map(({ no }) => no);
    // An Ontario card has the same number, and a Quebec one contains it.
    expect(await find('9123456789')).toEqual([avery, '7']);
    expect(await find('9123456791')).toEqual(['3']);
    expect(await find('9123456793')).toEqual(['5', '6']);
    expect(await find('9000000000')).toEqual([]);
    expect(await find('12345')).toEqual([]);
    const [row] = fake.memory.demographics;
    if (row === undefined) throw new Error('There is a patient');
    for (const hin of ['9123 456 789', '9123-456-789', ' 9123456789 ']) {
      Object.assign(row, { hin, hcType: null });
      expect([hin, await find('9123456789')]).toEqual([hin, [avery, '7']]);
    }
  });

  test('a search finds by part of a name, a birth date, a card and the end of a phone number', async () => {
    const { oscar, fake } = await openClinic(profile);
    const [first, second] = fake.memory.demographics;
    if (first === undefined || second === undefined) throw new Error('There are patients');
    Object.assign(first, { phone: '604-555-0142', dobMonth: '09' });
    Object.assign(second, { phone: '', phone2: '(778) 555 0142', headRecord: 1 });
    const found = async (by: PatientSearch) =>
      (await oscar.search(by))?.patients.map(({ no }) => no);
    expect(await found({ lastName: 'lindq' })).toEqual([avery]);
    expect(await found({ firstName: 'Ruth', lastName: 'Abernathy' })).toEqual(['5', '6']);
    expect(await found({ lastName: 'Nobody' })).toEqual([]);
    expect(await found({ birthDate: '1988-09-21' })).toEqual([avery]);
    expect(await found({ number: '9123456793' })).toEqual(['5', '6']);
    expect(await found({ phoneEnd: '5550142' })).toEqual([avery, '2']);
    expect(await found({ phoneEnd: '6045550142' })).toEqual([avery]);
    expect(await oscar.search({ phoneEnd: '7785550142' })).toMatchObject({
      patients: [{ phones: ['(778) 555 0142'], mergedInto: '1' }],
      isWhole: true,
    });
  });

  test('a search takes one request, however many there are, and says that there may be more', async () => {
    const { oscar, fake } = await openClinic(profile);
    const [row] = fake.memory.demographics;
    if (row === undefined) throw new Error('There is a patient');
    const more = Array.from({ length: 150 }, (_, at) => ({ ...row, demographicNo: 100 + at }));
    fake.memory.demographics.push(...more);
    const found = await oscar.search({ lastName: 'Lindqvist' });
    expect([found?.patients.length, found?.isWhole]).toEqual([100, false]);
    expect(oscar.counts().get('searchDemographicsByAttributes')).toBe(1);
    for (const little of [{}, { lastName: 'L' }, { firstName: 'Ли', lastName: '-' }])
      expect(await oscar.search(little)).toBeNull();
    expect(oscar.counts().get('searchDemographicsByAttributes')).toBe(1);
  });

  test('a birth date finds who has it, with zeros or without', async () => {
    const { oscar, fake } = await openClinic(profile);
    const zoe = { firstName: 'Zoe', lastName: 'Okafor', birthDate: '1988-09-21' };
    const found = async () => (await oscar.findByBirthDate(zoe)).map(({ no }) => no);
    const [, row] = fake.memory.demographics;
    if (row === undefined) throw new Error('There is a patient');
    expect(await found()).toContain('2');
    row.dobMonth = '09';
    expect(await found()).toContain('2');
  });

  test('a birth date is read of its three parts, and may lack its zeros', async () => {
    const { oscar } = await openClinic(profile);
    expect(await oscar.patient(avery)).toMatchObject({ birthDate: '1988-09-21' });
    expect(await oscar.patient(demographicNo('4711'))).toBeNull();
  });

  test('the most responsible provider is a number, which may be a row that is no person', async () => {
    const { oscar } = await openClinic(profile);
    const of = async (no: string) => (await oscar.patient(demographicNo(no)))?.providerNo;
    expect([await of(avery), await of('3'), await of('8')]).toEqual(['101', '1998', null]);
  });

  test('a new patient is found by the card', async () => {
    const { oscar, fake } = await openClinic(profile);
    const card = { number: '9876543210', province: 'BC' };
    const no = await oscar.createPatient({
      firstName: 'Élise',
      lastName: 'O’Neil & Søn',
      birthDate: '1990-02-03',
      card,
      providerNo: doctor,
      sex: 'F',
      email: 'elise@example.org',
      phone: '604-555-0142',
      phone2: '778-555-0143',
      address: { address: '2130 West 41st', city: 'Montréal', province: 'QC', postal: 'H2X 1Y4' },
      admissionProgramId: 10_034,
    });
    expect(await oscar.findByNumber(card.number)).toMatchObject([
      {
        no,
        birthDate: '1990-02-03',
        card,
        sex: 'F',
        email: 'elise@example.org',
        phones: ['604-555-0142', '778-555-0143'],
        address: '2130 West 41st, Montréal, QC, H2X 1Y4',
      },
    ]);
    expect(fake.memory.demographic(no)).toMatchObject({
      lastName: 'O’Neil & Søn',
      patientStatus: 'AC',
    });
  });

  test('a tickler is due on the day that was asked for', async () => {
    const { oscar, fake } = await openClinic(profile);
    await oscar.addTickler(tickler);
    const [row] = fake.memory.ticklers;
    const clinicDay = new Date((row?.serviceDate ?? 0) - 8 * 3_600_000).toISOString();
    expect(clinicDay).toContain('2026-11-24');
    expect(row?.message).toBe('ICBC answers are in [key-1]');
  });

  test('a document reaches the patient, and nobody’s inbox, or it is said that it cannot', async () => {
    const { oscar, fake } = await openClinic(profile);
    const stored = oscar.storeDocument({
      demographicNo: avery,
      fileName: 'health-card.jpg',
      contentType: 'image/jpeg',
      description: 'Health card',
      source: 'Online booking',
      bytes: Uint8Array.of(1, 2, 3),
    });
    if (!profiles[profile].takesDocuments) {
      await expect(stored).rejects.toThrow(OscarFault);
      await expect(stored).rejects.toThrow('no such service');
      return;
    }
    await stored;
    expect(fake.memory.documents).toEqual([
      {
        documentNo: expect.any(Number) as number,
        demographicNo: 1,
        fileName: 'health-card.jpg',
        providerNo: '',
        contents: 'AQID',
      },
    ]);
  });

  test('login and token are taken', async () => {
    const { oscar } = await openClinic(profile);
    await expect(oscar.checkLogin()).resolves.toBeGreaterThan(0);
    await expect(oscar.checkToken()).resolves.toBe(true);
  });
});

describe.each(withSoap)('on %s, with SOAP', (profile) => {
  test('a blank in a day template is no work, and the other steps are read', async () => {
    const { oscar, fake } = await openClinic(profile);
    fake.memory.templates.set(`101 ${MONDAY}`, `C \u00A0${'_'.repeat(93)}`);
    expect((await oscar.dayTemplate(doctor, MONDAY))?.steps).toEqual([
      { start: '00:00', code: 'C' },
    ]);
  });

  test('a day template has its steps by the clinic’s clock, whatever the server’s offset', async () => {
    const { oscar } = await openClinic(profile);
    const template = await oscar.dayTemplate(doctor, MONDAY);
    expect(template).toMatchObject({ stepMinutes: 15 });
    expect(template?.steps.at(0)).toEqual({ start: '09:00', code: 'C' });
    expect(template?.steps.at(11)).toEqual({ start: '11:45', code: 'C' });
    expect(template?.steps.at(12)).toEqual({ start: '13:00', code: 'P' });
    expect(template?.steps).toHaveLength(20);
    expect(await oscar.dayTemplate(providerNo('102'), MONDAY)).toMatchObject({ stepMinutes: 5 });
  });

  test('a day without a schedule is none, and a holiday has no steps', async () => {
    const { oscar, fake } = await openClinic(profile);
    expect(await oscar.dayTemplate(doctor, '2026-11-22')).toBeNull();
    fake.memory.holidays.add(MONDAY);
    expect(await oscar.dayTemplate(doctor, MONDAY)).toMatchObject({ steps: [] });
  });

  test('what changed is told once with its end, also within the second of the last look', async () => {
    let now = Date.parse('2026-11-21T18:00:00.400Z');
    const { oscar, fake } = await openClinic(profile, {}, { now: () => now });
    const start = await oscar.changedSince(null);
    bookByStaff(fake.memory, { ...staffAt(600), minutes: 15 });
    const first = await oscar.changedSince(start?.cursor ?? '');
    expect(first?.appointments.map(({ span }) => span.end)).toEqual(['10:15']);
    now += 300;
    const row = bookByStaff(fake.memory, { ...staffAt(700), minutes: 15 });
    const second = await oscar.changedSince(first?.cursor ?? '');
    expect(second?.appointments.map(({ no }) => no)).toContain(String(row.id));
    now += 5000;
    fake.memory.change(row, { status: 'C' });
    const third = await oscar.changedSince(second?.cursor ?? '');
    expect(third?.appointments.find(({ no }) => no === String(row.id))?.status).toBe('C');
    now += 5000;
    const last = await oscar.changedSince(third?.cursor ?? '');
    expect(last?.appointments.map(({ no }) => no)).toEqual([String(row.id)]);
    expect(last?.cursor).toBe(third?.cursor);
  });
});

describe('an import of many rows in one second', () => {
  async function imported(rows: number) {
    let now = Date.parse('2026-11-21T18:00:00.000Z');
    const { oscar, fake } = await openClinic('classic', {}, { now: () => now });
    const start = await oscar.changedSince(null);
    now += 5000;
    for (let row = 0; row < rows; row += 1)
      bookByStaff(fake.memory, { ...staffAt(600), minutes: 15 });
    const first = await oscar.changedSince(start.cursor);
    now += 5000;
    const after = bookByStaff(fake.memory, { ...staffAt(700), minutes: 15 });
    const second = await oscar.changedSince(first.cursor);
    return { oscar, first, second, after: String(after.id) };
  }
  const numbers = ({ appointments }: { readonly appointments: readonly { no: string }[] }) =>
    appointments.map(({ no }) => no);

  test('of more than one look takes hides nothing that comes after it', async () => {
    const { first, second, after } = await imported(1_200);
    const told = new Set([...numbers(first), ...numbers(second)]);
    expect(told.size).toBe(1_201);
    expect(told).toContain(after);
  });

  test('of all that OSCAR gives, which is 5,000, is left behind, and it is said that there may be more', async () => {
    const { oscar, first, second, after } = await imported(5_001);
    const asked = oscar.counts().get('getAppointmentsUpdatedAfterDate');
    const again = await oscar.changedSince(second.cursor);
    expect([first.isWhole, first.appointments.length]).toEqual([true, 500]);
    expect(second.appointments).toHaveLength(5_000);
    expect([second.isWhole, again.isWhole, numbers(again)]).toEqual([false, true, [after]]);
    expect(asked).toBe(4);
  });
});

describe('a row that OSCAR cannot read', () => {
  const bad = (fake: Awaited<ReturnType<typeof openClinic>>['fake'], date: string) =>
    fake.memory.addAppointment({
      ...bookByStaff(fake.memory, { ...staffAt(660), date, minutes: 15 }),
      demographicNo: null as unknown as number,
    });

  test('stops its day of its provider, says which, and nothing else', async () => {
    const { oscar, fake } = await openClinic('openo');
    bad(fake, '2026-12-03');
    bookByStaff(fake.memory, { ...staffAt(600), minutes: 15 });
    bookByStaff(fake.memory, { ...staffAt(600), date: '2026-12-04', minutes: 15 });
    const days = { providers: [doctor, providerNo('102')], from: MONDAY, to: '2026-12-20' };
    const { appointments, unread } = await oscar.readableAppointments(days);
    expect(unread).toEqual([{ providerNo: doctor, date: '2026-12-03' }]);
    expect(appointments.map(({ span }) => span.date)).toEqual([MONDAY, '2026-12-04']);
    await expect(oscar.appointments(days)).rejects.toThrow(OscarFault);
    const there = draft({ span: { date: '2026-12-03', start: '09:00', end: '09:15' } });
    await expect(oscar.book(there)).rejects.toThrow(OscarFault);
    expect(await oscar.book(draft())).toMatchObject({ kind: 'booked' });
  });

  test('among all days, or on more than a week of them, is another fault', async () => {
    const { oscar, fake } = await openClinic('openo');
    for (let day = 1; day < 10; day += 1) bad(fake, `2026-12-0${day}`);
    const days = { providers: [doctor], from: MONDAY, to: '2026-12-20' };
    await expect(oscar.readableAppointments(days)).rejects.toThrow(OscarFault);
  });

  test('is passed by among the changes, once, and it is said that not all are named', async () => {
    let now = Date.parse('2026-11-21T18:00:00.000Z');
    const { oscar, fake } = await openClinic('openo', {}, { now: () => now });
    const { cursor } = await oscar.changedSince(null);
    now += 60_000;
    bad(fake, '2026-12-03');
    now += 60_000;
    const passed = await oscar.changedSince(cursor);
    expect([passed.isWhole, passed.appointments]).toEqual([false, []]);
    now += 1000;
    const row = bookByStaff(fake.memory, { ...staffAt(600), minutes: 15 });
    const next = await oscar.changedSince(passed.cursor);
    expect([next.isWhole, next.appointments.map(({ no }) => no)]).toEqual([true, [String(row.id)]]);
  });
});

test('a merged chart leads to the one that stands, through however many merges', async () => {
  const { oscar, fake } = await openClinic('openo');
  const [first, second] = fake.memory.demographics;
  if (first === undefined || second === undefined) throw new Error('There are patients');
  [first.headRecord, second.headRecord] = [2, 3];
  expect((await oscar.merges(avery)).map(({ no }) => no)).toEqual(['1', '2', '3']);
  expect(await oscar.patient(avery)).toMatchObject({ mergedInto: '2' });
  second.headRecord = 1;
  expect((await oscar.merges(avery)).map(({ no }) => no)).toEqual(['1', '2']);
  expect(await oscar.merges(demographicNo('4711'))).toEqual([]);
});

describe('where the token may not change a status', () => {
  async function booked() {
    const { oscar, fake } = await openClinic('openo');
    await oscar.book(draft());
    const [row] = fake.memory.appointments;
    if (row === undefined) throw new Error('nothing was booked');
    fake.expireToken();
    const no = appointmentNo(String(row.id));
    /** Staff are faster between the look and the write. */
    const meanwhile = (change: Parameters<typeof fake.memory.change>[1]) => {
      fake.switches.meets = ({ name }) => {
        if (name !== 'updateAppointment') return 'none';
        fake.switches.meets = () => 'none';
        fake.memory.change(row, change);
        return 'none';
      };
    };
    return { oscar, fake, row, no, meanwhile };
  }

  test('SOAP cancels, and the rest of the row stays', async () => {
    const { oscar, row, no, fake } = await booked();
    const before = { ...row };
    expect(await oscar.cancelAppointment(no)).toBe(true);
    expect({ ...row, updatedAt: before.updatedAt }).toEqual({
      ...before,
      status: 'C',
      lastUpdateUser: '200',
    });
    expect(fake.memory.appointments).toHaveLength(1);
  });

  test('what staff write at that moment is not lost', async () => {
    const { oscar, row, no, meanwhile } = await booked();
    meanwhile({ notes: `${row.notes} called back`, location: 'Main Clinic' });
    expect(await oscar.cancelAppointment(no)).toBe(true);
    expect(row).toMatchObject({
      status: 'C',
      notes: '[key-1] called back',
      location: 'Main Clinic',
      reason: 'Flu',
    });
  });

  test.each([
    ['mark as here', { status: 'H' }],
    ['move', { status: 't', start: 600 * 60, end: 614 * 60 }],
  ])('what staff %s at that moment is put back as they had it', async (_, change) => {
    const { oscar, row, no, meanwhile } = await booked();
    meanwhile(change);
    expect(await oscar.cancelAppointment(no)).toBe(false);
    expect(row).toMatchObject({ ...change, notes: '[key-1]' });
  });

  test('what cannot be looked at once it was written is of unknown outcome', async () => {
    const { oscar, fake, no } = await booked();
    let isWritten = false;
    fake.switches.meets = ({ name }) => {
      isWritten ||= name === 'updateAppointment';
      return isWritten && name === 'getAppointment2' ? 'cutAfter' : 'none';
    };
    await expect(oscar.cancelAppointment(no)).rejects.toThrow(OscarOutcomeUnknown);
  });
});

describe('an appointment that is given to another patient', () => {
  const MORGAN = { firstName: 'Casey', lastName: 'Morgan' };
  async function booked() {
    const { oscar, fake } = await openClinic('openo');
    await oscar.book(draft());
    const [row] = fake.memory.appointments;
    if (row === undefined) throw new Error('nothing was booked');
    const no = appointmentNo(String(row.id));
    const give = () => oscar.setPatient(no, demographicNo('2'), MORGAN);
    const meanwhile = (change: Parameters<typeof fake.memory.change>[1]) => {
      fake.switches.meets = ({ name }) => {
        if (name !== 'updateAppointment') return 'none';
        fake.switches.meets = () => 'none';
        fake.memory.change(row, change);
        return 'none';
      };
    };
    return { row, give, meanwhile };
  }

  test('keeps its number, its time and all else', async () => {
    const { row, give } = await booked();
    const before = { ...row };
    expect(await give()).toBe(true);
    expect({ ...row, updatedAt: before.updatedAt }).toEqual({
      ...before,
      demographicNo: 2,
      name: 'Morgan,Casey',
      lastUpdateUser: '200',
    });
  });

  test('keeps what staff write at that moment', async () => {
    const { row, give, meanwhile } = await booked();
    meanwhile({ notes: `${row.notes} called back` });
    expect(await give()).toBe(true);
    expect(row).toMatchObject({ demographicNo: 2, notes: '[key-1] called back' });
  });

  test('stays with the first where staff move it at that moment', async () => {
    const { row, give, meanwhile } = await booked();
    const moved = { start: 600 * 60, end: 614 * 60 };
    meanwhile(moved);
    expect(await give()).toBe(false);
    expect(row).toMatchObject({ ...moved, demographicNo: 1 });
  });
});

test('where a firewall lets no SOAP through, nothing is booked, and the firewall is named', async () => {
  const { oscar, fake } = await openClinic('kai');
  for (const ask of [oscar.checkLogin, () => oscar.book(draft())]) {
    const asked = ask();
    await expect(asked).rejects.toThrow(OscarRefused);
    await expect(asked).rejects.toThrow('did not get past a firewall');
  }
  expect(fake.memory.appointments).toEqual([]);
});

const staffAt = (start: number) => ({ providerNo: '101', date: MONDAY, start, demographicNo: 2 });

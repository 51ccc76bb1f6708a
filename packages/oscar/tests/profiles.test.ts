import { describe, expect, test } from 'vitest';

import {
  type ProfileName,
  bookByStaff,
  credentials,
  dateAfter,
  moveByStaff,
  profiles,
} from '../fake/index.ts';
import {
  appointmentNo,
  appointmentStatus,
  demographicNo,
  providerNo,
  statuses,
} from '../src/index.ts';
import { MONDAY, avery, doctor, draft, monday, openClinic } from './clinic.ts';

const every = Object.keys(profiles) as ProfileName[];
const withSoap = every.filter((name) => name !== 'kai');

describe.each(every)('on %s', (profile) => {
  test('what is booked is read back as it was asked for, ends exclusive', async () => {
    const { oscar, fake } = await openClinic(profile);
    const answer = await oscar.book(draft());
    const [booked] = await oscar.urgent.appointments(monday);
    expect(answer).toEqual({ kind: 'booked', no: booked?.no });
    expect(booked).toMatchObject({
      providerNo: doctor,
      demographicNo: avery,
      span: { date: MONDAY, start: '09:00', end: '09:15' },
      status: statuses.toDo,
      type: 'Office Visit',
    });
    // SOAP does not fill in the name that the day sheet shows.
    expect(fake.memory.appointments[0]?.name).toBe('Lindqvist,Avery');
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
    expect(await oscar.cancel(appointmentNo(String(row.id)))).toEqual({ kind: 'cancelled' });
    expect(row).toMatchObject({ status: 'C', notes: '[key-1] called back', reason: 'Flu' });
    expect(await oscar.cancel(appointmentNo(String(row.id)))).toEqual({ kind: 'cancelled' });
  });

  test('whoever is here already is not cancelled: that is for staff', async () => {
    const { oscar, fake } = await openClinic(profile);
    await oscar.book(draft());
    const [row] = fake.memory.appointments;
    if (row === undefined) throw new Error('nothing was booked');
    fake.memory.change(row, { status: 'HS' });
    expect(await oscar.cancel(appointmentNo(String(row.id)))).toMatchObject({
      kind: 'changed',
      appointment: { status: appointmentStatus('HS') },
    });
    expect(row.status).toBe('HS');
  });

  test('rows that are no people are no providers', async () => {
    const { oscar } = await openClinic(profile);
    const providers = await oscar.providers();
    expect(providers.map(({ no }) => no)).toEqual(['101', '102', '103']);
  });

  test('whether a provider still works here is the raw status, and nobody has an unknown number', async () => {
    const { oscar } = await openClinic(profile);
    expect(await oscar.provider(providerNo('104'))).toMatchObject({ active: false });
    expect(await oscar.provider(doctor)).toMatchObject({ active: true, lastName: 'Marchetti' });
    expect(await oscar.provider(providerNo('777'))).toBeNull();
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

  test('a card finds who has exactly this number in this province, active or not', async () => {
    const { oscar } = await openClinic(profile);
    const find = async (number: string, province = 'BC') =>
      (await oscar.findByCard({ number, province })).map(({ no }) => no);
    // An Ontario card has the same number, and a Quebec one contains it.
    expect(await find('9123456789')).toEqual([avery]);
    expect(await find('9123456791')).toEqual(['3']);
    // One record says CA-BC, and another of the same card was moved away: a person decides.
    expect(await find('9123456793')).toEqual(['5', '6']);
    expect(await find('9000000000')).toEqual([]);
    expect(await find('12345')).toEqual([]);
  });

  test('a birth date is read of its three parts, and may lack its zeros', async () => {
    const { oscar } = await openClinic(profile);
    expect(await oscar.patient(avery)).toMatchObject({ birthDate: '1988-09-21' });
    expect(await oscar.patient(demographicNo('4711'))).toBeNull();
  });

  test('the most responsible provider is a number, which may be a row that is no person', async () => {
    const { oscar } = await openClinic(profile);
    expect(await oscar.responsibleProvider(avery)).toBe('101');
    expect(await oscar.responsibleProvider(demographicNo('3'))).toBe('1998');
    expect(await oscar.responsibleProvider(demographicNo('8'))).toBeNull();
  });

  test('a new patient is found by the card', async () => {
    const { oscar, fake } = await openClinic(profile);
    const card = { number: '9876543210', province: 'BC' };
    const no = await oscar.createPatient({
      firstName: 'Élise',
      lastName: 'O’Neil & Søn',
      birthDate: '1990-02-03',
      sex: 'F',
      card,
      admissionProgramId: 10_034,
    });
    expect(await oscar.findByCard(card)).toMatchObject([{ no, birthDate: '1990-02-03' }]);
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

  test('a document reaches the patient and the inbox', async () => {
    const { oscar, fake } = await openClinic(profile);
    const no = await oscar.storeDocument({
      demographicNo: avery,
      inboxOf: doctor,
      fileName: 'health-card.jpg',
      contentType: 'image/jpeg',
      description: 'Health card',
      source: 'Online booking',
      pages: 1,
      bytes: Uint8Array.of(1, 2, 3),
    });
    expect(fake.memory.documents).toEqual([
      {
        documentNo: Number(no),
        demographicNo: 1,
        fileName: 'health-card.jpg',
        providerNo: '101',
        contents: 'AQID',
      },
    ]);
  });

  test('it is alive, and both credentials are taken', async () => {
    const { oscar } = await openClinic(profile);
    expect(await oscar.isAlive()).toBe(true);
    expect(await oscar.isAuthorised()).toBe(true);
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
    expect(template).toMatchObject({ stepMinutes: 15, isHoliday: false });
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
    expect(await oscar.dayTemplate(doctor, MONDAY)).toMatchObject({ isHoliday: true, steps: [] });
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

test('an import of more rows in one second than one look takes hides nothing that comes after it', async () => {
  let now = Date.parse('2026-11-21T18:00:00.000Z');
  const { oscar, fake } = await openClinic('oscar19', {}, { now: () => now });
  const start = await oscar.changedSince(null);
  now += 5000;
  for (let row = 0; row < 1_200; row += 1)
    bookByStaff(fake.memory, { ...staffAt(600), minutes: 15 });
  const first = await oscar.changedSince(start?.cursor ?? '');
  now += 5000;
  const after = bookByStaff(fake.memory, { ...staffAt(700), minutes: 15 });
  const second = await oscar.changedSince(first?.cursor ?? '');
  const told = [...(first?.appointments ?? []), ...(second?.appointments ?? [])];
  expect(new Set(told.map(({ no }) => no)).size).toBe(1_201);
  expect(told.map(({ no }) => no)).toContain(String(after.id));
});

describe('behind a firewall that lets no SOAP through', () => {
  test('what is missing is said as data, and asked for answers null', async () => {
    const { oscar } = await openClinic('kai');
    expect(oscar.capabilities).toEqual({
      templates: 'ours',
      ends: 'perAppointment',
      changes: false,
    });
    expect(await oscar.dayTemplate(doctor, MONDAY)).toBeNull();
    expect(await oscar.changedSince(null)).toBeNull();
  });

  test('ends are asked for once an appointment, and again when it moved', async () => {
    const { oscar, fake } = await openClinic('kai');
    const row = bookByStaff(fake.memory, { ...staffAt(600), minutes: 15 });
    await oscar.appointments(monday);
    await oscar.appointments(monday);
    expect(oscar.counts().get('getAppointment')).toBe(1);
    moveByStaff(fake.memory, row, { providerNo: '101', date: MONDAY, start: 660 });
    expect((await oscar.appointments(monday)).map(({ span }) => span.end)).toEqual(['11:15']);
    expect(oscar.counts().get('getAppointment')).toBe(2);
  });

  test('what was cancelled is asked for no end, and a part of a card number for no record', async () => {
    const { oscar, fake } = await openClinic('kai');
    fake.memory.change(bookByStaff(fake.memory, { ...staffAt(600), minutes: 15 }), { status: 'C' });
    expect(await oscar.appointments(monday)).toEqual([]);
    expect(await oscar.findByCard({ number: '12345', province: 'BC' })).toEqual([]);
    expect([...oscar.counts().keys()].sort()).toEqual(['demographics/search', 'fetchDays']);
  });

  test('a client that has a SOAP login all the same is told of the firewall', async () => {
    const { oscar } = await openClinic('kai', { soap: credentials.soap });
    await expect(oscar.dayTemplate(doctor, MONDAY)).rejects.toMatchObject({
      name: 'OscarRefused',
      by: 'firewall',
    });
  });
});

const staffAt = (start: number) => ({ providerNo: '101', date: MONDAY, start, demographicNo: 2 });
const tickler = {
  key: 'key-1',
  demographicNo: avery,
  assignedTo: doctor,
  text: 'ICBC answers are in',
  priority: 'Normal',
  due: '2026-11-24',
} as const;

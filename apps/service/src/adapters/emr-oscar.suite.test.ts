import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { createOscar, providerNo } from '@clinic/oscar';
import {
  type FakeOscar,
  type ProfileName,
  bookByStaff,
  credentials,
  deleteByStaff,
  moveByStaff,
  profiles,
  startFakeOscar,
} from '@clinic/oscar/fake';
import { type PatientQuery, STEP_SECONDS, addDays, patientQuery, toInstant } from '@clinic/domain';

import { openedRecords } from '../../testing/any-oscar.ts';
import { type EmrUnderTest, emrSuite, suiteContents } from '../../testing/emr.suite.ts';
import {
  type BookRequest,
  type Emr,
  EmrBusy,
  EmrOffline,
  EmrOutcomeUnknown,
  EmrRefused,
  type NewChart,
  type ProviderId,
  type RecordId,
} from '../modules/records/emr.ts';
import { connectedBy } from './emr-oscar/ask-oscar.ts';
import { oscarEmr } from './emr-oscar/oscar-emr.ts';
import { oneAtATime } from './emr-oscar/patients.ts';

const DATE = '2026-12-15';
const NUMBERS = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9'];
const STATUSES = { active: 'AC', inactive: 'IN', deceased: 'DE' };
/** A name of the suite that is no record is a number that nobody has. */
const numberOf = (name: string) => String(NUMBERS.indexOf(name) + 1 || 999_999);

/** The contents of the suite in OSCAR's tables. */
function fill({ memory }: FakeOscar): void {
  for (const rows of [memory.providers, memory.demographics, memory.codes]) rows.length = 0;
  memory.templates.clear();
  for (const { id, ...rest } of suiteContents.providers)
    memory.providers.push({ providerNo: id, ...rest });
  memory.providers.push({ providerNo: '999998', firstName: '', lastName: 'oscardoc', status: '1' });
  const [code] = suiteContents.slotCodes;
  memory.codes.push({
    id: 1,
    code: code?.code ?? '',
    description: code?.description ?? '',
    duration: '',
    confirm: 'N',
    bookinglimit: 1,
  });
  for (const { providerId, date, codes } of suiteContents.days ?? [])
    memory.templates.set(`${providerId} ${date}`, codes);
  for (const {
    id,
    birthDate,
    cardProvince,
    cardNumber,
    providerId,
    phone = '',
    state = 'active',
    mergedInto,
    ...name
  } of suiteContents.records) {
    const [dobYear = '', dobMonth = '', dobDay = ''] = birthDate.split('-');
    memory.demographics.push({
      ...name,
      demographicNo: Number(numberOf(id)),
      sex: 'U',
      dobYear,
      dobMonth,
      dobDay,
      hin: cardNumber,
      hcType: cardProvince,
      providerNo: providerId ?? '',
      patientStatus: STATUSES[state],
      ...(mergedInto !== undefined && { headRecord: Number(numberOf(mergedInto)) }),
      email: '',
      phone,
    });
  }
}

async function openOscar(
  profile: ProfileName,
  { second = false, location = '' }: { second?: boolean; location?: string | null } = {},
) {
  const fake = await startFakeOscar({ profile, today: DATE });
  onTestFinished(() => fake.stop());
  fill(fake);
  const { consumer, token, soap } = credentials;
  const at = (base: string) =>
    createOscar({
      base,
      rest: { consumer, token },
      soap,
      hiddenProviders: [providerNo('200')],
      timeoutMs: 5_000,
      perMinute: 10_000,
    });
  const opened = openedRecords();
  const emr = oscarEmr({
    connection: connectedBy({
      addresses: second ? [at('http://127.0.0.1:9/oscar'), at(fake.base)] : [at(fake.base)],
      programId: 1,
    }),
    opened,
    whose: async (key) => (key === 'never' ? null : (numberOf('c1') as RecordId)),
    nameOfType: async (type) => `Type ${type}`,
    locationOf: async () => location,
    now: () => toInstant('2026-12-10', '12:00'),
  });
  return { emr, fake, opened: opened.rows };
}

const clockOf = (seconds: number) => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
};

async function openForSuite(profile: ProfileName): Promise<EmrUnderTest> {
  const { emr, fake } = await openOscar(profile);
  const { memory } = fake;
  return {
    emr,
    busy: () =>
      memory.appointments
        .filter(({ status }) => status !== 'C')
        .map((row) => ({
          key: /\[([^\s[\]]+)\]$/.exec(row.notes)?.[1] ?? '',
          providerId: row.providerNo as ProviderId,
          date: row.date,
          start: clockOf(row.start),
          end: clockOf(Math.ceil((row.end + 1) / STEP_SECONDS) * STEP_SECONDS),
        })),
    ticklers: () =>
      memory.ticklers.map((row) => ({
        providerId: row.taskAssignedTo as ProviderId,
        recordId: String(row.demographicNo) as RecordId,
        text: row.message.replace(/ \[[^\]]*\]$/, ''),
        date: new Date(row.serviceDate).toISOString().slice(0, 10),
      })),
    documents: () =>
      memory.documents.map(({ demographicNo, fileName: name, contents }) => ({
        recordId: String(demographicNo) as RecordId,
        name,
        bytes: new Uint8Array(Buffer.from(contents, 'base64')),
      })),
  };
}

const withSoap = (Object.keys(profiles) as ProfileName[]).filter((name) => name !== 'kai');

describe.each(withSoap)('OSCAR as %s', (profile) => {
  emrSuite(() => openForSuite(profile), {
    numberOf: (name) => (name.startsWith('n') ? name : numberOf(name)),
    takesDocuments: profiles[profile].takesDocuments,
  });
});

const wanted: BookRequest = {
  key: 'k1',
  providerId: '101' as ProviderId,
  recordId: numberOf('c1') as RecordId,
  date: DATE,
  start: '08:00',
  end: '08:05',
  type: 'O',
  reason: 'Cough',
};
const byStaff = { providerNo: '101', date: DATE, start: 480, minutes: 10, demographicNo: 2 };
const liveRows = ({ memory }: FakeOscar) =>
  memory.appointments.filter(({ status }) => status !== 'C');

describe('OSCAR behind the port', () => {
  test('says in the port’s words what went wrong', async () => {
    const { emr, fake } = await openOscar('classic');
    fake.switches.isDown = true;
    await expect(emr.providers()).rejects.toThrow(EmrOffline);
    await expect(emr.book(wanted)).rejects.toThrow(EmrOffline);
    fake.switches.isDown = false;
    fake.switches.nextWrite = 'cutAfter';
    await expect(emr.book(wanted)).rejects.toThrow(EmrOutcomeUnknown);
    fake.expireToken();
    await expect(emr.createPatient(newcomer)).rejects.toThrow(EmrRefused);
  });

  test('goes on at the second address where the first is not reached', async () => {
    const { emr, fake } = await openOscar('classic', { second: true });
    expect(await emr.book(wanted)).toMatchObject({ kind: 'booked' });
    expect(liveRows(fake)).toHaveLength(1);
  });

  test('writes as booked, with our key, the name of our type and what its database can keep', async () => {
    const { emr, fake } = await openOscar('classic');
    await emr.book({ ...wanted, reason: 'Cough \u{1F912}\uFFFF' });
    expect(liveRows(fake)).toMatchObject([
      {
        status: 't',
        notes: 'Booked online, leave this: [k1]',
        type: 'Type O',
        reason: 'Cough \uFFFD\uFFFD',
        name: 'MORGAN,CASEY',
      },
    ]);
  });

  test('writes the site of the provider, and nothing for who has none where OSCAR has some', async () => {
    const { emr, fake } = await openOscar('openo', { location: 'North' });
    await emr.book(wanted);
    expect(liveRows(fake)).toMatchObject([{ location: 'North' }]);
    const nowhere = await openOscar('openo', { location: null });
    expect(await nowhere.emr.book(wanted)).toEqual({ kind: 'notOffered' });
    expect(liveRows(nowhere.fake)).toEqual([]);
  });

  const names = (emr: Emr) => emr.names().then((said) => said?.locations);
  const staffAt = (providerNo: string, start: number, location?: string) => ({
    ...byStaff,
    providerNo,
    start,
    ...(location !== undefined && { location }),
  });

  test('has the sites of which most rows of staff are, by provider', async () => {
    const { emr, fake } = await openOscar('openo', { location: 'North' });
    expect(await names(emr)).toBeNull();
    const { memory } = fake;
    for (const start of [600, 620, 640]) bookByStaff(memory, staffAt('101', start));
    bookByStaff(memory, staffAt('101', 660, 'A text'));
    expect(await names(emr)).toEqual([]);
    memory.sites.push('Main Clinic', 'North');
    for (const start of [700, 720, 740]) bookByStaff(memory, staffAt('101', start));
    bookByStaff(memory, staffAt('101', 760, 'North'));
    await emr.book(wanted);
    expect(await names(emr)).toEqual([
      { providerId: '101', name: 'Main Clinic', entries: 3 },
      { providerId: '101', name: 'A text', entries: 1 },
      { providerId: '101', name: 'North', entries: 1 },
    ]);
  });

  test('names its types', async () => {
    const { emr } = await openOscar('openo');
    expect((await emr.names())?.types).toEqual(['Office Visit', 'Phone']);
  });

  test('gives back what staff took between the look and the write', async () => {
    const { emr, fake } = await openOscar('classic');
    const { memory } = fake;
    const add = memory.addAppointment.bind(memory);
    vi.spyOn(memory, 'addAppointment').mockImplementationOnce((row) => {
      bookByStaff(memory, byStaff);
      return add(row);
    });
    expect(await emr.book(wanted)).toEqual({ kind: 'taken' });
    expect(liveRows(fake)).toMatchObject([{ creator: 'reception' }]);
  });

  test('knows an appointment by our key, whatever staff wrote in brackets before it', async () => {
    const { emr, fake } = await openOscar('classic');
    const key = 'claim:00000000-0000-4000-8000-000000000001';
    await emr.book({ ...wanted, key });
    for (const row of liveRows(fake)) fake.memory.change(row, { notes: `[urgent] ${row.notes}` });
    expect(await emr.entries({ from: DATE, to: DATE })).toMatchObject([{ key }]);
  });

  test('knows a booking by the bare key that an earlier version wrote', async () => {
    const { emr, fake } = await openOscar('classic');
    const answer = await emr.book(wanted);
    for (const row of liveRows(fake)) fake.memory.change(row, { notes: '[k1]' });
    expect(await emr.findByKey('k1')).toMatchObject({ key: 'k1', state: 'booked' });
    expect(await emr.book(wanted)).toEqual({ ...answer, kind: 'alreadyBooked' });
  });

  test('takes what staff copied with its notes for theirs, and only the oldest for ours', async () => {
    const { emr, fake } = await openOscar('classic');
    await emr.book(wanted);
    const [ours] = liveRows(fake);
    const copy = bookByStaff(fake.memory, { ...byStaff, start: 600, demographicNo: 1 });
    fake.memory.change(copy, { notes: ours?.notes ?? '' });
    expect(await emr.entries({ from: DATE, to: DATE })).toMatchObject([
      { key: 'k1', start: '08:00' },
      { key: null, start: '10:00' },
    ]);
    expect(await emr.findByKey('k1')).toMatchObject({ start: '08:00' });
  });

  test('settles a lost booking: it stands, was never written, or is taken back from where staff are', async () => {
    const { emr, fake } = await openOscar('classic');
    expect(await emr.resolve('k1')).toBeNull();
    fake.switches.nextWrite = 'cutAfter';
    await expect(emr.book(wanted)).rejects.toThrow(EmrOutcomeUnknown);
    expect(await emr.resolve('k1')).toMatchObject({ key: 'k1', start: '08:00' });
    bookByStaff(fake.memory, byStaff);
    expect(await emr.findByKey('k1')).toMatchObject({ key: 'k1' });
    expect(await emr.resolve('k1')).toBe('cancelled');
    expect(liveRows(fake)).toMatchObject([{ creator: 'reception' }]);
  });

  test.each([
    ['H', 'arrived'],
    ['P', 'arrived'],
    ['B', 'arrived'],
    ['N', 'noShow'],
  ] as const)('leaves what staff have marked %s, and says %s', async (status, state) => {
    const { emr, fake } = await openOscar('classic');
    await emr.book(wanted);
    const entry = await emr.findByKey('k1');
    if (entry === null || entry === 'cancelled') throw new Error('It does not stand');
    for (const row of liveRows(fake)) fake.memory.change(row, { status });
    expect(await emr.findByKey('k1')).toMatchObject({ state });
    expect(await emr.cancel('x1', entry)).toEqual({ kind: 'changed' });
    for (const row of liveRows(fake)) fake.memory.change(row, { status: 'a' });
    expect(await emr.cancel('x1', entry)).toEqual({ kind: 'cancelled' });
  });

  test('follows what staff moved by its key, and says on whose day', async () => {
    const { emr, fake } = await openOscar('classic');
    await emr.book(wanted);
    const { cursor } = await emr.changedSince((await emr.changedSince(null)).cursor);
    const [row] = liveRows(fake);
    const there = { providerId: '102', date: '2026-12-16' };
    if (row) moveByStaff(fake.memory, row, { providerNo: '102', date: '2026-12-16', start: 500 });
    expect(await emr.changedSince(cursor)).toMatchObject({ days: [there], keys: ['k1'] });
    expect(await emr.findByKey('k1')).toMatchObject({ date: '2026-12-16', start: '08:20' });
  });

  const newcomer: NewChart = {
    id: 'n1' as RecordId,
    firstName: 'Tess',
    lastName: 'Wong',
    birthDate: '1990-02-03',
    cardProvince: 'BC',
    cardNumber: '9000000003',
    providerId: '1998',
    contact: {
      sex: 'Female',
      phone: '604-555-0142',
      mobilePhone: '778-555-0143',
      internationalPhone: '',
      email: 'tess.wong@example.org',
      address: '2130 West 41st Avenue',
      city: 'Montréal',
      province: 'QC',
      postal: 'H2X 1Y4',
    },
  };
  const withoutCard = { ...newcomer, cardProvince: 'Other', cardNumber: '' };

  test.each([
    ['a card', newcomer],
    ['none', withoutCard],
  ])('opens a record once although the answer is lost, for who has %s', async (_, record) => {
    const { emr, fake } = await openOscar('classic');
    fake.switches.nextWrite = 'cutAfter';
    await expect(emr.createPatient(record)).rejects.toThrow(EmrOutcomeUnknown);
    expect(await emr.createPatient(record)).toBe('alreadyThere');
    expect(fake.memory.demographics).toHaveLength(NUMBERS.length + 1);
    expect(await emr.findPatient({ id: record.id })).toMatchObject({ kind: 'one' });
  });

  const chart = (fake: FakeOscar, over: Partial<FakeOscar['memory']['demographics'][number]>) => {
    const [first] = fake.memory.demographics;
    if (!first) throw new Error('There is a patient');
    const demographicNo = 100 + fake.memory.demographics.length;
    const row = { ...first, demographicNo, firstName: 'Tess', lastName: 'Wong', ...over };
    fake.memory.demographics.push({
      ...row,
      dobYear: '1990',
      dobMonth: '02',
      dobDay: '03',
      ...over,
    });
    return String(demographicNo) as RecordId;
  };

  test.each([
    ['with spaces', { hin: '9000 000 003' }],
    ['with hyphens', { hin: '9000-000-003' }],
    ['without a province', { hin: '9000000003', hcType: '' }],
    ['with NULL as its province', { hin: '9000000003', hcType: null }],
    ['beside another province', { hin: '9000000003', hcType: 'ON' }],
    ['beside a birth date without zeros', { hin: '9000000003', dobMonth: '2', dobDay: '3' }],
    ['of somebody without a status', { hin: '9000000003', patientStatus: null }],
  ])('opens no second record where the card number is stored %s', async (_, over) => {
    const { emr, fake } = await openOscar('openo');
    chart(fake, over);
    expect(await emr.createPatient(newcomer)).toBe('alreadyThere');
    expect(fake.memory.demographics).toHaveLength(NUMBERS.length + 1);
    expect(await emr.findPatient({ id: newcomer.id })).toMatchObject({ kind: 'one' });
  });

  test.each([
    ['another birth date on the card', { ...newcomer, cardNumber: '9876543218' }, null],
    ['two records on the card', { ...newcomer, cardNumber: '9111111111' }, null],
    [
      'the same name and birth date',
      { ...withoutCard, lastName: 'Morgan', firstName: 'Casey', birthDate: '1984-05-17' },
      null,
    ],
    ['a name that OSCAR would cut', { ...newcomer, firstName: 'T'.repeat(31) }, null],
    ['the same name and birth date, and no number', newcomer, { hin: '' }],
    ['the same without zeros in the date', newcomer, { hin: '', dobMonth: '2', dobDay: '3' }],
    ['another number', newcomer, { hin: '9000000011' }],
    ['the name without its marks', { ...newcomer, lastName: 'Wóng' }, { hin: '' }],
    ['the names the other way round', newcomer, { hin: '', firstName: 'Wong', lastName: 'Tess' }],
    [
      'somebody of that family born that day, and no number',
      newcomer,
      { hin: '', firstName: 'Theresa' },
    ],
  ])('opens no record where there is %s, and says which', async (_, record, over) => {
    const { emr, fake } = await openOscar('openo');
    const there = over === null ? null : chart(fake, over);
    const before = fake.memory.demographics.length;
    expect(await emr.createPatient(record)).toBe('unclear');
    expect(fake.memory.demographics).toHaveLength(before);
    if (there !== null)
      expect((await emr.likelyCharts(record)).map(({ id }) => id)).toEqual([there]);
  });

  const opened = async (contact: Partial<NewChart['contact']> = {}) => {
    const { emr, fake } = await openOscar('classic');
    const record = { ...newcomer, contact: { ...newcomer.contact, ...contact } };
    expect(await emr.createPatient(record)).toBe('created');
    return fake.memory.demographics.at(-1);
  };

  test('opens a record with sex, phones, email and address as the patient gave them', async () => {
    expect(await opened()).toMatchObject({
      sex: 'F',
      phone: '604-555-0142',
      phone2: '778-555-0143',
      email: 'tess.wong@example.org',
      address: {
        address: '2130 West 41st Avenue',
        city: 'Montréal',
        province: 'QC',
        postal: 'H2X 1Y4',
      },
    });
  });

  test.each([
    ['Male', 'M'],
    ['Transgendered', 'T'],
    ['Other', 'O'],
    ['', 'U'],
    ['no word of ours', 'U'],
  ])('writes the sex %j as %s, as OSCAR asks for a letter', async (sex, letter) => {
    expect(await opened({ sex })).toMatchObject({ sex: letter });
  });

  test('puts the phones that there are into the columns that every OSCAR has', async () => {
    const abroad = { phone: '', mobilePhone: '', internationalPhone: '+442079460018' };
    expect(await opened(abroad)).toMatchObject({ phone: '+442079460018', phone2: '' });
    const mobile = { phone: '', internationalPhone: '+442079460018' };
    expect(await opened(mobile)).toMatchObject({ phone: '778-555-0143', phone2: '+442079460018' });
  });

  test('leaves out what OSCAR would cut, and a province that is none of Canada is its other', async () => {
    const long = { email: `${'t'.repeat(90)}@example.org`, address: `${'Long '.repeat(12)}Street` };
    expect(await opened({ ...long, city: 'Zoë \u{1F600}', province: 'Other' })).toMatchObject({
      email: '',
      address: { address: '', city: '', province: 'OT', postal: 'H2X 1Y4' },
    });
  });

  test('opens one for a twin, whose card has another number', async () => {
    const { emr, fake } = await openOscar('openo');
    chart(fake, { firstName: 'Theresa', hin: '9000000011' });
    expect(await emr.createPatient(newcomer)).toBe('created');
  });

  test('opens one beside whom staff say to be somebody else', async () => {
    const { emr, fake } = await openOscar('openo');
    const there = chart(fake, { hin: '' });
    expect(await emr.createPatient(newcomer, ['7'])).toBe('unclear');
    expect(await emr.createPatient(newcomer, [there])).toBe('created');
  });

  test('looks for the name of whom staff say to be somebody else than the one with the number', async () => {
    const { emr, fake } = await openOscar('openo');
    const theirs = chart(fake, { firstName: 'Ida', lastName: 'Hart', hin: '9000000003' });
    chart(fake, { hin: '' });
    expect(await emr.createPatient(newcomer, [theirs])).toBe('unclear');
  });

  test('takes a merged chart for the one that stands, with the appointments of both', async () => {
    const { emr, fake } = await openOscar('openo');
    const gone = chart(fake, { hin: '9000000003' });
    expect(await emr.createPatient(newcomer)).toBe('alreadyThere');
    const head = chart(fake, { hin: '', providerNo: '109' });
    const row = fake.memory.demographics.find((each) => each.demographicNo === Number(gone));
    if (!row) throw new Error('There is a chart');
    row.headRecord = Number(head);
    expect(await emr.responsibleProvider(newcomer.id)).toBe('109');
    await emr.book({ ...wanted, recordId: newcomer.id });
    expect(liveRows(fake)).toMatchObject([{ demographicNo: Number(head) }]);
    // Who finds the merged chart by its number is this person, too.
    const other = { ...newcomer, id: 'n2' as RecordId };
    expect(await emr.likelyCharts(other)).toMatchObject([{ id: head, hasCard: true }]);
  });

  const searched = (typed: string): PatientQuery => {
    const query = patientQuery(typed);
    if (query === null) throw new Error('That is no search');
    return query;
  };
  const asked = (emr: Emr) =>
    [...emr.usage.requests()].reduce(
      (sum, [call, times]) => sum + (call.startsWith('login') ? 0 : times),
      0,
    );

  test('asks OSCAR at most four times for a search, and not at all for too little', async () => {
    const { emr, fake } = await openOscar('openo');
    for (const typed of ['Ли', 'x', '-'])
      expect(await emr.searchCharts(searched(typed), 9)).toBeNull();
    expect(asked(emr)).toBe(0);
    for (let at = 0; at < 120; at++) chart(fake, { lastName: 'Singh', hin: '' });
    const { charts = [], hasMore } = (await emr.searchCharts(searched('singh'), 5)) ?? {};
    expect([charts.length, hasMore]).toEqual([5, true]);
    expect(asked(emr)).toBe(2);
    await emr.searchCharts(searched('theresa singh'), 5);
    expect(asked(emr)).toBe(6);
  });

  test('searches for one of the staff after the other, and each is answered', async () => {
    const { emr, fake } = await openOscar('openo');
    const order: string[] = [];
    fake.switches.meets = ({ body }) => {
      const [, name] = /<arg2>(\w+)</.exec(body) ?? [];
      if (name !== undefined) order.push(name);
      return 'none';
    };
    const typed = ['linh', 'casey', 'nguyen'];
    const all = typed.map((each) => emr.searchCharts(searched(each), 9));
    expect((await Promise.all(all)).map((each) => each?.charts.length)).toEqual([1, 7, 3]);
    expect(order).toEqual(typed);
  });

  test('says that it was refused where the login may not see patients, and that it is away', async () => {
    const { emr, fake } = await openOscar('openo');
    fake.switches.hasRole = false;
    await expect(emr.searchCharts(searched('linh'), 9)).rejects.toThrow(EmrRefused);
    fake.switches.isDown = true;
    await expect(emr.searchCharts(searched('linh'), 9)).rejects.toThrow(EmrOffline);
    await expect(emr.chart(numberOf('c6'))).rejects.toThrow(EmrOffline);
  });

  test('finds by its key what was booked before the chart was merged, and what after', async () => {
    const { fake, emr } = await openOscar('openo');
    await emr.book(wanted);
    const [first] = fake.memory.demographics;
    if (first) first.headRecord = 2;
    await emr.book({ ...wanted, key: 'k2', start: '08:30', end: '08:35' });
    expect(liveRows(fake).map(({ demographicNo }) => demographicNo)).toEqual([1, 2]);
    for (const key of ['k1', 'k2']) {
      expect(await emr.findByKey(key)).toMatchObject({ key });
      expect(await emr.resolve(key)).toMatchObject({ key });
    }
  });

  describe('where staff took our key out', () => {
    const key = 'claim:00000000-0000-4000-8000-000000000001';
    const at = { ...wanted, key };

    test('finds the row of its patient at that provider and time, and writes the key back', async () => {
      const { fake, emr } = await openOscar('openo');
      await emr.book(at);
      expect(await emr.findWithoutKey(at)).toBeNull();
      for (const row of liveRows(fake)) fake.memory.change(row, { notes: 'called [twice]' });
      expect(await emr.findByKey(key)).toBeNull();
      expect(await emr.findWithoutKey({ ...at, start: '08:05' })).toBeNull();
      expect(await emr.findWithoutKey({ ...at, providerId: '109' as ProviderId })).toBeNull();
      const entry = await emr.findWithoutKey(at);
      if (entry === null) throw new Error('It stands');
      expect(entry).toMatchObject({ key: null, start: '08:00', state: 'booked' });
      expect(await emr.writeKey(key, entry)).toBe(true);
      expect(liveRows(fake)).toMatchObject([
        { notes: `called [twice] Booked online, leave this: [${key}]` },
      ]);
      expect(await emr.findByKey(key)).toMatchObject({ id: entry.id, key });
      expect(await emr.findWithoutKey(at)).toBeNull();
    });

    test('finds it under the chart into which staff merged the patient’s since', async () => {
      const { fake, emr } = await openOscar('openo');
      await emr.book(at);
      const [first] = fake.memory.demographics;
      if (first) first.headRecord = 2;
      for (const row of liveRows(fake)) deleteByStaff(fake.memory, row);
      bookByStaff(fake.memory, { ...byStaff, demographicNo: 2 });
      expect(await emr.findWithoutKey(at)).toMatchObject({ key: null, start: '08:00' });
    });

    test('takes nobody else’s row for it, nor one that stands under another key of ours', async () => {
      const { fake, emr } = await openOscar('openo');
      await emr.book(at);
      for (const row of liveRows(fake)) fake.memory.change(row, { demographicNo: 3, notes: '' });
      expect(await emr.findWithoutKey(at)).toBeNull();
      const other = key.replace(/1$/, '2');
      for (const row of liveRows(fake))
        fake.memory.change(row, { demographicNo: 1, notes: `[${other}]` });
      expect(await emr.findWithoutKey(at)).toBeNull();
    });

    test('leaves a row that staff have moved since it was found', async () => {
      const { fake, emr } = await openOscar('openo');
      await emr.book(at);
      for (const row of liveRows(fake)) fake.memory.change(row, { notes: '' });
      const entry = await emr.findWithoutKey(at);
      if (entry === null) throw new Error('It stands');
      for (const row of liveRows(fake))
        moveByStaff(fake.memory, row, { providerNo: '101', date: DATE, start: 600 });
      expect(await emr.writeKey(key, entry)).toBe(false);
      expect(liveRows(fake)).toMatchObject([{ notes: '' }]);
    });
  });

  test('books nothing again under the chart that stands where staff cancelled it before a merge', async () => {
    const { fake, emr } = await openOscar('openo');
    await emr.book(wanted);
    for (const row of liveRows(fake)) fake.memory.change(row, { status: 'C' });
    const [first] = fake.memory.demographics;
    if (first) first.headRecord = 2;
    expect(await emr.book(wanted)).toEqual({ kind: 'taken' });
    expect(liveRows(fake)).toEqual([]);
  });

  test('says that what was booked after a merge is cancelled', async () => {
    const { fake, emr } = await openOscar('openo');
    const [first] = fake.memory.demographics;
    if (first) first.headRecord = 2;
    await emr.book(wanted);
    for (const row of liveRows(fake)) fake.memory.change(row, { status: 'C' });
    expect(await emr.findByKey('k1')).toBe('cancelled');
    expect(await emr.resolve('k1')).toBe('cancelled');
  });

  test('shows the chart that stands for a number, with what staff compare', async () => {
    const { emr, fake } = await openOscar('openo');
    const gone = chart(fake, { hin: '9000 000 003' });
    const head = chart(fake, { hin: '', phone: '604-555-0142', sex: 'F', patientStatus: 'IN' });
    expect(await emr.chart(gone)).toMatchObject({
      id: gone,
      firstName: 'TESS',
      birthDate: '1990-02-03',
      card: { province: 'BC', number: '9000 000 003' },
      state: 'active',
    });
    const row = fake.memory.demographic(gone);
    if (row) row.headRecord = Number(head);
    expect(await emr.chart(gone)).toMatchObject({
      id: head,
      card: null,
      phones: ['604-555-0142'],
      sex: 'F',
      state: 'inactive',
    });
    const foreign = chart(fake, { hin: 'X1234', hcType: 'OT' });
    expect(await emr.chart(foreign)).toMatchObject({ card: { province: 'Other' } });
    expect(await emr.chart('999999')).toBeNull();
    expect(await emr.chart('W1')).toBeNull();
  });

  test.each([
    ['the one that stands', 'c2', false],
    ['one that was merged into another', 'c3', true],
  ])(
    'has what was booked follow its patient to %s, where staff chose it',
    async (_, to, isMerged) => {
      const { emr, fake, opened } = await openOscar('openo');
      await emr.book(wanted);
      const [row] = liveRows(fake);
      if (isMerged) {
        const third = fake.memory.demographic(3);
        if (third) third.headRecord = 2;
      }
      expect(await emr.followChart('k1')).toBe('followed');
      expect(row?.demographicNo).toBe(1);
      opened.set(numberOf('c1'), { emrId: numberOf(to), askedAt: 0, earlier: [numberOf('c1')] });
      // Until then it is found where it stands, and nothing is booked beside it.
      expect(await emr.findByKey('k1')).toMatchObject({ key: 'k1', start: wanted.start });
      expect(await emr.book(wanted)).toMatchObject({ kind: 'alreadyBooked' });
      const before = { ...row };
      for (let again = 0; again < 2; again++) expect(await emr.followChart('k1')).toBe('followed');
      expect(liveRows(fake)).toMatchObject([
        { id: before.id, demographicNo: 2, start: before.start, notes: before.notes },
      ]);
      expect(await emr.findByKey('k1')).toMatchObject({ key: 'k1', start: wanted.start });
      expect(await emr.followChart('k2')).toBe('absent');
    },
  );

  test.each(['DE', 'IN', 'MO'])(
    'leaves it to staff where the card is on a record of the status %s',
    async (patientStatus) => {
      const { emr, fake } = await openOscar('openo');
      chart(fake, { hin: '9000000003', patientStatus });
      const { cardProvince, cardNumber, birthDate } = newcomer;
      expect(await emr.findPatient({ cardProvince, cardNumber, birthDate })).toEqual({
        kind: 'many',
      });
      expect(await emr.createPatient(newcomer)).toBe('unclear');
    },
  );

  test('leaves it to staff where the record is another account’s', async () => {
    const { emr, fake, opened } = await openOscar('openo');
    const there = chart(fake, { hin: '9000000003' });
    opened.set('other', { emrId: there, askedAt: 0, earlier: [] });
    expect(await emr.createPatient(newcomer)).toBe('unclear');
  });

  test('reads a patient beside whom another chart names no doctor that OSCAR could have', async () => {
    const { fake, emr } = await openOscar('openo');
    chart(fake, { hin: '', firstName: 'Nobody', lastName: 'Else', providerNo: 'Dr. Who' });
    expect(await emr.createPatient(newcomer)).toBe('created');
  });

  test('leaves it to staff where the card is on the record of somebody who died', async () => {
    const { emr, fake } = await openOscar('classic');
    const { cardProvince } = newcomer;
    const card = { cardProvince, cardNumber: '9876543218', birthDate: '1984-05-17' };
    const [first] = fake.memory.demographics;
    if (first) first.patientStatus = 'DE';
    expect(await emr.findPatient(card)).toEqual({ kind: 'many' });
    expect(await emr.createPatient({ ...newcomer, ...card, lastName: 'Morgan' })).toBe('unclear');
  });

  test('says on which day there is what staff moved, and what it was', async () => {
    const { emr, fake } = await openOscar('classic');
    const theirs = bookByStaff(fake.memory, byStaff);
    const { cursor } = await emr.changedSince((await emr.changedSince(null)).cursor);
    moveByStaff(fake.memory, theirs, { providerNo: '101', date: '2026-12-16', start: 500 });
    const there = { providerId: '101', date: '2026-12-16' };
    const { days, entries } = await emr.changedSince(cursor);
    expect([days, entries]).toEqual([[there], [String(theirs.id)]]);
  });

  test('never shows a provider who is no person', async () => {
    const { emr } = await openOscar('classic');
    expect((await emr.providers()).map(({ id }) => id)).toEqual(['101', '109']);
  });

  test('takes a receptionist, or an account for billing, for no doctor, and reads no day of theirs', async () => {
    const { emr, fake } = await openOscar('openo');
    const { providers, templates } = fake.memory;
    for (const [providerNo, providerType] of [
      ['300', 'receptionist'],
      ['301', 'admin'],
      ['302', ''],
      ['303', 'nurse'],
    ] as const) {
      providers.push({ providerNo, providerType, firstName: 'A', lastName: 'B', status: '1' });
      templates.set(`${providerNo} ${DATE}`, templates.get(`101 ${DATE}`) ?? '');
    }
    const active = (await emr.providers()).filter(({ status }) => status === '1');
    expect(active.map(({ id }) => id)).toEqual(['101', '303']);
    const said = await emr.dayTemplates({ from: DATE, to: DATE });
    expect(said?.days.map(({ providerId }) => providerId)).toEqual(['101', '303']);
  });
});

test('whoever waits behind others of one doctor and day waits as long as for an answer, is then told that it is busy, and nothing is done for them later', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answer = Promise.withResolvers<string>();
  const done: string[] = [];
  const inTurn = oneAtATime();
  const ask = (who: string) =>
    inTurn('one doctor and day', async () => {
      done.push(who);
      return who === 'first' ? answer.promise : who;
    });
  const first = ask('first');
  const [second] = await Promise.all([
    Promise.allSettled([ask('second')]),
    vi.advanceTimersByTimeAsync(8_000),
  ]);
  expect(second).toMatchObject([{ status: 'rejected', reason: expect.any(EmrBusy) as unknown }]);
  answer.resolve('booked');
  expect(await first).toBe('booked');
  expect(await ask('third')).toBe('third');
  expect(done).toEqual(['first', 'third']);
});

/**
 * A day of the sync at 20 providers, from what each of its turns costs: a turn every 20 seconds, the
 * whole window every half hour with the templates of the near days, all templates twice a day, those of two
 * weeks every nine minutes. Each
 * booking and each change by staff comes alone and moves an appointment from another day, which is the
 * dearest case: a call for either day.
 */
test('a day of 20 providers, 400 bookings and 150 changes by staff is at most 70,000 calls', async () => {
  const { emr, fake } = await openOscar('classic');
  const { memory, calls } = fake;
  memory.providers.length = 0;
  const numbers = Array.from({ length: 20 }, (_, at) => String(101 + at));
  for (const no of numbers)
    memory.providers.push({
      providerNo: no,
      firstName: 'Amelia',
      lastName: `Stone${no}`,
      status: '1',
    });
  const count = () => new Map(calls);
  const costOf = async (work: () => Promise<unknown>) => {
    const before = count();
    await work();
    return new Map([...count()].map(([call, n]) => [call, n - (before.get(call) ?? 0)]));
  };
  const templates = async (days: number) => {
    const to = addDays(DATE, days - 1);
    for (let from = DATE; from <= to;) {
      const said = await emr.dayTemplates({ from, to });
      from = addDays(said?.through ?? to, 1);
    }
  };
  await emr.providers();
  const { cursor } = await emr.changedSince(null);
  // The login, which is asked for once.
  await emr.changedSince(cursor);
  const entries = (days: number, of?: readonly ProviderId[]) =>
    emr.entries({ from: DATE, to: addDays(DATE, days - 1) }, of);
  const parts: [number, () => Promise<unknown>][] = [
    [4_320, () => emr.changedSince(cursor)],
    [400 + 150 * 2, () => entries(1, ['101' as ProviderId])],
    [48 * 4, () => entries(23)],
    [48, () => emr.slotCodes()],
    [48, () => templates(4)],
    // The next two weeks once in nine minutes.
    [160 * 14, () => emr.dayNow(DATE, numbers as ProviderId[])],
    [400, () => emr.book({ ...wanted, key: 'k2', start: '08:30', end: '08:35' })],
  ];
  const day = new Map<string, number>();
  const add = (times: number, cost: ReadonlyMap<string, number>) => {
    for (const [call, n] of cost) day.set(call, (day.get(call) ?? 0) + times * n);
  };
  for (const [times, work] of parts) add(times, await costOf(work));
  // The rest of the window twice a day: one call a provider and day, as above.
  add(2, new Map([['getDayWorkSchedule', 88 * numbers.length]]));
  // Who works there is kept for five minutes.
  add(1, new Map([['getProviders2', 288]]));
  const total = [...day.values()].reduce((sum, n) => sum + n, 0);
  const printed = [...day].filter(([, n]) => n > 0).map(([call, n]) => `${n} ${call}`);
  process.stdout.write(`${total} calls a day: ${printed.join(', ')}\n`);
  // What a sync reads after a change is of one provider alone.
  expect(day.get('getAppointmentsForDateRangeAndProvider2')).toBe(700 + 192 * 20 + 400 * 2);
  expect(total).toBeLessThanOrEqual(70_000);
});

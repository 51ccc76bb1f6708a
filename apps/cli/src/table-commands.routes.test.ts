import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ELIGIBILITIES } from '@clinic/domain';

import { type TestApp, aPatient, ask, signIn, testApp } from '@clinic/service/testing/index.ts';
import { operate } from '@clinic/service/testing/operator.ts';

const folder = mkdtempSync(join(tmpdir(), 'imports-'));
afterAll(() => rmSync(folder, { recursive: true }));
let clinic: TestApp;

beforeEach(async () => {
  clinic = await testApp();
});
afterEach(() => clinic.close());

async function load(what: string, content: string | Uint8Array, into = clinic) {
  const file = join(folder, `${what}.csv`);
  writeFileSync(file, content);
  return operate(into.platform, 'import', what, '--file', file);
}
/** Every row that an import could touch. */
async function everything(of = clinic): Promise<string> {
  const tables = ['provider', 'provider_policy', 'records_template', 'schedule_day'];
  tables.push('pharmacy', 'appointment_type', 'fee_policy', 'slot_code', 'provider_type');
  const rows = [];
  for (const table of tables)
    rows.push(
      ...(
        await of.database.db.execute<{ row: string }>(
          sql.raw(`select '${table} ' || row_to_json(t)::text as row from ${table} t order by 1`),
        )
      ).rows.map(({ row }) => row),
    );
  return rows.join('\n');
}

const PROVIDERS = [
  'id,firstName,lastName,comment,noPcp',
  '201,Mei,Wong,,no',
  '202,Aaron NP,Blake,"Mornings, mostly",yes',
].join('\n');
const SCHEDULE = [
  'provider,weekday,from,to,code,validFrom',
  '201,Monday,08:00,12:00,O,2026-11-21',
  '201,Monday,13:00,13:30,PP,2026-11-21',
  '202,tuesday,09:00,24:00,P,2026-11-21',
].join('\n');
const TYPES = [
  'code,description,minutes,mode,form,instruction,enforceMrp,enforceNoPcp,requiresDocuments,insured',
  'O,In-person visit,5,inPerson,standard,comeToClinic,yes,yes,yes,',
  'P,Phone consultation,10,phone,standard,providerWillCall,yes,yes,yes,yes',
  'V,Private visit,5,inPerson,standard,,no,no,yes,no',
].join('\n');
const FEES = [
  'type,eligibility,validFrom,charge,notice',
  ...['O', 'P', 'V'].flatMap((type) =>
    ELIGIBILITIES.map((of) => `${type},${of},2026-11-01,${of === 'E' ? '0' : '10.00'},`),
  ),
].join('\n');
const CODES = [
  'code,description,types,minutes,release,releaseAt',
  'S,Same day,O P,15,sameDay,07:30',
  'O,In-person visit,O,,,',
].join('\n');
const PACES = ['provider,type,offers,minutes', '201,O,,20', '202,P,no,'].join('\n');
const PHARMACIES = [
  'id,name,address,fax,phone',
  'p1,"Quay, Drugs",1 Quay Street,604-555-0100,604-555-0101',
].join('\n');

test('a file that is not found is named by where it was looked for', async () => {
  const imported = (file: string) => operate(clinic.platform, 'import', 'fees', '--file', file);
  await expect(imported('fees.csv')).rejects.toThrow(
    `whole path: it was looked for in ${process.cwd()}.`,
  );
  await expect(imported(join(folder, 'lacking.csv'))).rejects.toThrow(/open '\/.*lacking\.csv'\.$/);
});

describe('A clinic without an EMR', () => {
  test('imports types, fees, doctors, their weeks and pharmacies, and its patients see them', async () => {
    for (const [what, content, rows] of [
      ['types', TYPES, 3],
      ['fees', `\uFEFF${FEES.replaceAll('\n', '\r\n')}\r\n`, 12],
      ['providers', PROVIDERS, 2],
      ['codes', CODES, 2],
      ['paces', PACES, 2],
      ['schedule', SCHEDULE.replace('09:00,24:00,P', '09:00,24:00,S'), 3],
      ['pharmacies', PHARMACIES, 1],
    ] as const)
      expect(await load(what, content)).toMatchObject({
        code: 0,
        lines: [`${rows} ${rows === 1 ? 'row' : 'rows'} imported.`],
      });
    const token = await signIn(clinic, await aPatient(clinic.platform, { primaryDoctor: '201' }));
    const me = (await ask(clinic, 'getMe', { token })).answer();
    expect(me.appointmentType.map(({ code }) => code)).toEqual(['O', 'P', 'V']);
    const doctors = (await ask(clinic, 'listDoctors', { token })).answer();
    expect(doctors).toMatchObject([{ id: '202', firstName: 'Aaron NP' }, { id: '201' }]);
    const query = { from: '2026-11-23', to: '2026-11-24', id: '-1' };
    const days = (await ask(clinic, 'doctorSchedule', { token, query })).answer().extras;
    const slots = days.map(({ providers }) =>
      providers.map(({ doctor, schedule }) => `${doctor} ${schedule.length}`),
    );
    expect(slots).toEqual([
      ['201 54', '202 0'],
      ['201 0', '202 180'],
    ]);
    const pharmacies = (await ask(clinic, 'listPharmacies')).answer();
    expect(pharmacies).toMatchObject([{ name: 'Quay, Drugs' }]);
  });

  test('opens a clinic with the files of ops/sample-clinic, as docs/deploy.md has them imported', async () => {
    const page = readFileSync('docs/deploy.md', 'utf8');
    const tables = /for table in (.*); do/.exec(page)?.[1]?.split(' ') ?? [];
    expect(tables).toHaveLength(6);
    for (const what of tables)
      expect(await load(what, readFileSync(`ops/sample-clinic/${what}.csv`))).toMatchObject({
        code: 0,
        refused: '',
      });
    const { lines } = await operate(clinic.platform, 'status');
    expect(lines[0]).toBe('online: patients can book.');
    const token = await signIn(clinic, await aPatient(clinic.platform));
    const me = (await ask(clinic, 'getMe', { token })).answer();
    expect(me.appointmentType.map(({ code }) => code)).toEqual(['O', 'P', 'V']);
  });

  test('refuses hours by the name of a type that two codes serve alone: which is meant is not said', async () => {
    await load('types', TYPES.replace('V,', 'PP,'));
    await load('providers', PROVIDERS);
    expect(await load('schedule', SCHEDULE)).toMatchObject({ code: 0 });
    await load('codes', 'code,description,types,release\nR,Private calls today,PP,sameDay');
    const refused = await load('schedule', SCHEDULE);
    expect(refused.lines.join()).toMatch(/^line 3, column code: must be one of .*, not 'PP'$/);
    expect(await load('schedule', SCHEDULE.replace('PP', 'Q'))).toMatchObject({ code: 0 });
  });

  test('exports what an empty clinic imports, to the same types, fees, doctors, weeks and days', async () => {
    const weeks = [
      SCHEDULE,
      '202,Friday,09:00,09:40,S,2027-01-04',
      '202,Friday,10:00,24:00,O,2027-01-04',
    ];
    for (const [what, content] of [
      ['types', TYPES],
      ['fees', `${FEES}\nV,E,2026-12-01,12.50,"Says ""no"", plainly"`],
      ['providers', PROVIDERS],
      ['codes', CODES],
      ['paces', PACES],
      ['schedule', weeks.join('\n')],
      ['pharmacies', PHARMACIES],
    ] as const)
      expect(await load(what, content)).toMatchObject({ code: 0 });
    const empty = await testApp();
    try {
      for (const what of [
        'types',
        'fees',
        'codes',
        'providers',
        'paces',
        'schedule',
        'pharmacies',
      ]) {
        const { files, code } = await operate(clinic.platform, 'export', what);
        expect([what, code, [...files.keys()]]).toEqual([what, 0, [`${what}.csv`]]);
        const csv = files.get(`${what}.csv`) ?? Buffer.of();
        expect(await load(what, csv, empty)).toMatchObject({ code: 0, refused: '' });
      }
      expect(await everything(empty)).toBe(await everything());
      const query = { from: '2026-11-23', to: '2026-11-24', id: '-1', type: 'P' };
      const searched = async (at: TestApp) => {
        const token = await signIn(at, await aPatient(at.platform, { primaryDoctor: '201' }));
        return (await ask(at, 'doctorSchedule', { token, query })).answer().extras;
      };
      expect(await searched(empty)).toEqual(await searched(clinic));
    } finally {
      await empty.close();
    }
  });

  // Shows: R-102
  test('asks of a type that is insured what it costs from today on, not what it once cost', async () => {
    await load('types', TYPES);
    const once = FEES.replaceAll('2026-11-01', '2026-10-01').replace(
      'V,E,2026-10-01,0',
      'V,E,2026-10-01,60',
    );
    expect(await load('fees', `${once}\n${FEES.split('\n').slice(1).join('\n')}`)).toMatchObject({
      code: 0,
    });
    const insured = TYPES.replace('no,no,yes,no', 'no,no,yes,yes');
    expect(await load('types', insured)).toMatchObject({ code: 0 });
    expect(await load('fees', once)).toMatchObject({ code: 0 });

    await load('types', TYPES);
    const later = 'type,eligibility,validFrom,charge\nV,E,2026-12-01,60';
    expect(await load('fees', later)).toMatchObject({ code: 0 });
    const refused = await load('types', insured);
    expect(refused.lines.join()).toMatch(/^line 4, column insured: V charges a covered patient/);
  });

  test('imports one type again, and no other type is lost by it', async () => {
    await load('types', TYPES);
    await load('fees', FEES);
    const [header = '', , phone = ''] = TYPES.split('\n');
    await load('types', [header, phone.replace('Phone', 'Telephone')].join('\n'));
    const token = await signIn(clinic, await aPatient(clinic.platform));
    const me = (await ask(clinic, 'getMe', { token })).answer();
    expect(me.appointmentType.map(({ description }) => description)).toEqual([
      'In-person visit',
      'Telephone consultation',
      'Private visit',
    ]);
  });

  test('imports again what changed, and each import stands in the trail', async () => {
    await load('providers', PROVIDERS);
    await load('providers', PROVIDERS.replace('Wong', 'Wang').replace('yes', 'no'));
    const { rows } = await clinic.database.db.execute<{ said: string }>(sql`
      select last_name || ' ' || no_pcp as said from provider r
        join provider_policy p on p.provider_id = r.id order by r.id`);
    expect(rows.map(({ said }) => said)).toEqual(['Wang false', 'Blake false']);
    const trail = await clinic.database.db.execute<{ said: string }>(
      sql`select actor || ' ' || subject as said from audit where action = 'imported'`,
    );
    expect(trail.rows.map(({ said }) => said)).toEqual([
      'clinic:operator import:providers',
      'clinic:operator import:providers',
    ]);
  });
});

const longComment = 'x'.repeat(201);
const MALFORMED: readonly (readonly [string, string, string | Uint8Array, string])[] = [
  ['an empty file', 'providers', '', 'line 1, column 1: the file is empty'],
  ['a header alone', 'providers', 'id,firstName,lastName', 'line 2, column id: there is no row'],
  [
    'a missing column',
    'providers',
    'id,firstName\n1,A',
    'line 1, column lastName: the column is missing',
  ],
  [
    'an unknown column',
    'providers',
    'id,firstName,lastName,shoe\n1,A,B,9',
    'line 1, column shoe: no such column',
  ],
  [
    'a column that stands twice',
    'providers',
    'id,firstName,lastName,id\n1,A,B,1',
    'line 1, column id: the column stands there twice',
  ],
  [
    'a row that is too short',
    'providers',
    'id,firstName,lastName\n1,A,B\n2,A',
    'line 3, column lastName: the row has 2 cells',
  ],
  [
    'a row that is too long',
    'providers',
    'id,firstName,lastName\n1,A,B,C',
    'line 2, column 4: the row has 4 cells',
  ],
  [
    'a quotation mark that stays open',
    'providers',
    'id,firstName,lastName\n1,"A,B\n2,A,B',
    'line 3, column firstName: a quotation mark is opened',
  ],
  [
    'a quotation mark in a cell',
    'providers',
    'id,firstName,lastName\n1,A"b"c,B',
    'line 2, column firstName: a quotation mark stands',
  ],
  [
    'text that is no UTF-8',
    'providers',
    Buffer.from('id,firstName,lastName\n1,Andr\xe9,B', 'latin1'),
    "line 2, column firstName: the text is not UTF-8 (is it 'André'?)",
  ],
  [
    'a spreadsheet in place of text',
    'providers',
    Buffer.from([0x50, 0x4b, 3, 4, 0, 0]),
    'line 1, column 1: the file is a workbook, not CSV',
  ],
  [
    'an empty name',
    'providers',
    'id,firstName,lastName\n1, ,B',
    'line 2, column firstName: is empty',
  ],
  [
    'a name of nothing that can be seen',
    'providers',
    'id,firstName,lastName\n1,\u2800,B',
    'line 2, column firstName: is empty',
  ],
  [
    'a name that turns what is shown',
    'providers',
    'id,firstName,lastName\n1,Anna\u202EeiraM,B',
    'line 2, column firstName: holds a character that cannot be seen',
  ],
  [
    'an id with a space',
    'providers',
    'id,firstName,lastName\n1 2,A,B',
    "line 2, column id: must be 1 to 40 letters, digits, dots or dashes, not '1 2'",
  ],
  [
    'an id that stands twice',
    'providers',
    'id,firstName,lastName\n1,A,B\n1,C,D',
    'line 3, column id: stands in line 2 already',
  ],
  [
    'a status that is none',
    'providers',
    'id,firstName,lastName,status\n1,A,B,active',
    "line 2, column status: must be 1 (active) or 0, not 'active'",
  ],
  [
    'a yes that is none',
    'providers',
    'id,firstName,lastName,hidden\n1,A,B,perhaps',
    "line 2, column hidden: must be yes or no, not 'perhaps'",
  ],
  [
    'a comment that is too long',
    'providers',
    `id,firstName,lastName,comment\n1,A,B,${longComment}`,
    'line 2, column comment: is longer than 200',
  ],
  [
    'a doctor whom nobody knows',
    'schedule',
    SCHEDULE.replace('\n202,', '\n999,'),
    "line 4, column provider: no provider has the id '999'",
  ],
  [
    'a weekday that is none',
    'schedule',
    SCHEDULE.replace('tuesday', 'Someday'),
    "line 4, column weekday: must be a weekday such as Monday, not 'Someday'",
  ],
  [
    'a time off the grid',
    'schedule',
    SCHEDULE.replace('13:30', '13:32'),
    "line 3, column to: must lie on the 5-minute grid, not '13:32'",
  ],
  [
    'a time that is none',
    'schedule',
    SCHEDULE.replace('08:00', '8 am'),
    "line 2, column from: must be a time such as 09:30, not '8 am'",
  ],
  [
    'a span that ends before it begins',
    'schedule',
    SCHEDULE.replace('13:30', '12:30'),
    'line 3, column to: must come after 13:00',
  ],
  [
    'spans that overlap',
    'schedule',
    SCHEDULE.replace('13:00', '11:55'),
    'line 3, column from: overlaps the time of line 2',
  ],
  [
    'a span within a longer one that a shorter one comes after',
    'schedule',
    `${SCHEDULE}\n201,Monday,08:30,09:00,O,2026-11-21\n201,Monday,11:00,11:30,O,2026-11-21`,
    'line 6, column from: overlaps the time of line 2',
  ],
  [
    'a slot code that is none',
    'schedule',
    SCHEDULE.replace(',PP,', ',F,'),
    "line 3, column code: must be one of A, D, G, I, M, O, P, PP, V, Q, not 'F'",
  ],
  [
    'a date that is none',
    'schedule',
    SCHEDULE.replace('2026-11-21', '2026-02-30'),
    "line 2, column validFrom: must be a date such as 2026-12-01, not '2026-02-30'",
  ],
  [
    'a type that is none',
    'types',
    TYPES.replace('P,', 'phone,'),
    "line 3, column code: must be a capital letter and up to 3 letters or digits, other than A, not 'phone'",
  ],
  [
    "a type that is called 'any'",
    'types',
    TYPES.replace('P,', 'A,'),
    "line 3, column code: must be a capital letter and up to 3 letters or digits, other than A, not 'A'",
  ],
  [
    'a length off the grid',
    'types',
    TYPES.replace(',10,', ',12,'),
    "line 3, column minutes: must be a multiple of 5, not '12'",
  ],
  [
    'a way to be seen that is none',
    'types',
    TYPES.replace(',phone,', ',telepathy,'),
    "line 3, column mode: must be one of inPerson, phone, video, not 'telepathy'",
  ],
  [
    'an insured type that is said not to be',
    'types',
    TYPES.replace('yes,yes,yes,yes', 'yes,yes,yes,no'),
    'line 3, column insured: P is insured, whatever it costs (R-102)',
  ],
  [
    'a fee of a type that is none',
    'fees',
    FEES.replace('V,R,', 'X,R,'),
    "column type: no appointment type has the code 'X'",
  ],
  [
    'an amount that is none',
    'fees',
    FEES.replace('O,NR,2026-11-01,10.00', 'O,NR,2026-11-01,10.505'),
    "line 3, column charge: '10.505' may be 10505 dollars or a little more than 10; write the amount such as 10.00",
  ],
  [
    'a fee that the law forbids',
    'fees',
    FEES.replace('O,E,2026-11-01,0', 'O,E,2026-11-01,5'),
    'line 2, column charge: O for E from 2026-11-01 charges a covered patient',
  ],
  [
    'fees with a gap',
    'fees',
    FEES.replace('V,R,2026-11-01,10.00,\n', ''),
    'column type: V for R from 2026-11-21 has no row',
  ],
  [
    'a code of two characters',
    'codes',
    CODES.replace('S,', 'SD,'),
    "line 2, column code: must be one letter or digit, not 'SD'",
  ],
  [
    'a code for a type that is none',
    'codes',
    CODES.replace('O P', 'O X'),
    "line 2, column types: no appointment type has the code 'X'",
  ],
  [
    'a release that is none',
    'codes',
    CODES.replace('sameDay', 'tomorrow'),
    "line 2, column release: must be one of always, sameWeek, sameDay, not 'tomorrow'",
  ],
  [
    'a release at the end of the day',
    'codes',
    CODES.replace('07:30', '24:00'),
    "line 2, column releaseAt: must be a time such as 09:30, not '24:00'",
  ],
  [
    'a pace of a doctor whom nobody knows',
    'paces',
    PACES.replace('201', '999'),
    "line 2, column provider: no provider has the id '999'",
  ],
  [
    'a pace for a type that is none',
    'paces',
    PACES.replace('O,,20', 'X,,20'),
    "line 2, column type: no appointment type has the code 'X'",
  ],
  [
    'a pace off the grid',
    'paces',
    PACES.replace(',20', ',22'),
    "line 2, column minutes: must be a multiple of 5, not '22'",
  ],
  [
    'a phone number with letters',
    'pharmacies',
    PHARMACIES.replace('604-555-0101', 'call us'),
    "line 2, column phone: must be one phone number such as 604-555-0123, or +44 20 7946 0958 of another country, not 'call us'",
  ],
];

describe('A clinic with an EMR', () => {
  const withEmr = () => {
    const config = { ...clinic.platform.config, emrAddresses: ['https://oscar.example.ca/oscar'] };
    return { ...clinic, platform: { ...clinic.platform, config } };
  };

  test('is refused working weeks, with the reason', async () => {
    const before = await everything();
    const refused = await load('schedule', SCHEDULE, withEmr());
    expect(refused).toMatchObject({ code: 1, lines: [] });
    expect(refused.refused).toBe('The EMR keeps this: please change it there.');
    expect(await everything()).toBe(before);
  });

  test('is refused doctors whom the EMR has not named, and imports what is said of those whom it has', async () => {
    const named = PROVIDERS.split('\n').slice(0, 2).join('\n');
    expect(await load('providers', named)).toMatchObject({ code: 0 });
    expect(await load('providers', PROVIDERS, withEmr())).toMatchObject({
      code: 1,
      lines: [
        "line 3, column id: the EMR has not named a provider '202': whoever works there comes from it",
      ],
    });
    expect(await load('providers', named.replace(',,no', ',,yes'), withEmr())).toMatchObject({
      code: 0,
    });
    expect(await load('types', TYPES, withEmr())).toMatchObject({ code: 0 });
  });
});

describe('A malformed file is told by line and column, and changes nothing', () => {
  test.each(MALFORMED)('%s', async (_, what, content, said) => {
    await load('providers', PROVIDERS);
    await load('types', TYPES);
    const before = await everything();
    const refused = await load(what, content);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.lines.join('\n')).toContain(said);
    expect(refused.lines.every((line) => /^line \d+, column \S+: ./.test(line))).toBe(true);
    expect(refused.refused).toMatch(/^Nothing was imported: \d+ problems? in /);
    expect(await everything()).toBe(before);
  });

  test('every wrong cell is told at once', async () => {
    const rows = 'id,firstName,lastName,status\n1,,B,9\n2,A,,1\n!,A,B,1';
    expect((await load('providers', rows)).lines).toHaveLength(4);
  });

  test('without a file there is nothing to import', async () => {
    const refused = await operate(clinic.platform, 'import', 'providers');
    expect(refused.refused).toBe('Name the file with --file.');
  });
});

import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toSheetText } from '@clinic/domain';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { type SomeStaff, aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import { type TestApp, aClinic, ask, testApp } from '../../../testing/index.ts';
import {
  appointmentType,
  emrName,
  pharmacy,
  provider,
  providerPolicy,
  providerType,
  scheduleDay,
  slotCode,
} from '../../schema.ts';
import { importTable } from '../../server/csv-import.ts';
import { keepConnection, scheduleFile } from '../records/index.ts';

let clinic: TestApp;
let manager: SomeStaff;
let cookie: string;

async function open(options: Parameters<typeof testApp>[0] = {}) {
  clinic = await testApp(options);
  await aClinic(clinic);
  manager = await aStaffMember(clinic, 'manager');
  cookie = await deskSession(clinic, manager);
}
beforeEach(() => open());
afterEach(() => clinic.close());

const staffList = async () =>
  (await askDesk(clinic, 'deskStaffList', { cookie })).answer().extras.staff;
const emails = async () => (await clinic.mails()).map(({ to, subject }) => `${to} ${subject}`);

describe('Colleagues (S-18)', () => {
  test('are listed with their standing', async () => {
    await aStaffMember(clinic, 'auditor', { name: 'Ada Quinn', passwordHash: null });
    await aStaffMember(clinic, 'clinician', { name: 'Bo Stone', closedAt: 1 });
    expect(await staffList()).toMatchObject([
      { name: 'Ada Quinn', standing: 'invited', isOwn: false },
      { name: 'Bo Stone', standing: 'closed', providerId: '101' },
      { name: 'Robin Lee', standing: 'open', isOwn: true, roles: ['manager'] },
    ]);
  });

  // Shows: S-18
  test('are reset and closed by a manager, which ends their sessions and is mailed', async () => {
    const robin = await aStaffMember(clinic, 'receptionist');
    const theirs = await deskSession(clinic, robin);
    const params = { id: robin.id };
    // The second time after a lost answer: the invitation of the first goes on working.
    for (let times = 0; times < 2; times += 1)
      (await askDesk(clinic, 'deskResetFactor', { cookie, params })).answer();
    expect(await clinic.trail('second factor reset')).toHaveLength(1);
    expect((await askDesk(clinic, 'deskSession', { cookie: theirs })).code()).toBe('deskSignedOut');
    expect(await emails()).toEqual([`${robin.email} Your second factor was reset - Test Clinic`]);
    (await askDesk(clinic, 'deskCloseStaff', { cookie, params })).answer();
    (await askDesk(clinic, 'deskCloseStaff', { cookie, params })).answer();
    expect(await emails()).toHaveLength(2);
    expect((await askDesk(clinic, 'deskResetFactor', { cookie, params })).code()).toBe(
      'staffClosed',
    );
    expect(await clinic.trail('staff account closed')).toMatchObject([
      { actor: `staff:${manager.id}`, subject: `staff:${robin.id}` },
    ]);
  });

  test('are not oneself, so that a manager is always left', async () => {
    const params = { id: manager.id };
    for (const call of ['deskResetFactor', 'deskCloseStaff'] as const)
      expect((await askDesk(clinic, call, { cookie, params })).code()).toBe('ownStaffAccount');
    const nobody = { id: crypto.randomUUID() };
    for (const call of ['deskResetFactor', 'deskCloseStaff'] as const)
      expect((await askDesk(clinic, call, { cookie, params: nobody })).code()).toBe('notFound');
  });
});

describe('Maintenance from the front desk (R-70)', () => {
  const setUp = async () => (await askDesk(clinic, 'deskSetUp', { cookie })).answer().extras;
  const set = (body: object) => askDesk(clinic, 'deskMaintenance', { cookie, body });

  test('is announced with a sentence, and ended; patients are told', async () => {
    expect((await setUp()).maintenance).toBeNull();
    (await set({ isOffline: true, message: ' Back at noon. ' })).answer();
    expect((await setUp()).maintenance).toEqual({
      since: clinic.clock.now(),
      message: 'Back at noon.',
    });
    expect((await ask(clinic, 'recordsStatus')).answer()).toMatchObject({
      status: false,
      extras: { message: 'Back at noon.' },
    });
    (await set({ isOffline: false })).answer();
    expect((await ask(clinic, 'recordsStatus')).answer().status).toBe(true);
    expect(await clinic.trail('maintenance announced')).toMatchObject([
      { actor: `staff:${manager.id}` },
    ]);
  });
});

const HEAD = 'id,name,address,fax,phone';
const BOTH = `${HEAD}\np1,Quay Drugs,1 Quay Street,,604-555-0101\np2,Hill Drugs,2 Hill Road,,604-555-0102\n`;
const send = (what: string, csv: string, version?: string) =>
  askDesk(clinic, 'deskImportTable', {
    cookie,
    params: { what },
    body: { file: Buffer.from(csv).toString('base64'), ...(version !== undefined && { version }) },
  });
const seen = async (what: string, csv: string, version?: string) =>
  (await send(what, csv, version)).answer().extras;
const imported = async (what: string, csv: string) => {
  const { version, problems } = await seen(what, csv);
  expect(problems).toEqual([]);
  await seen(what, csv, version);
};
const pharmacies = async () =>
  (await clinic.database.db.select().from(pharmacy).orderBy(pharmacy.id)).map(({ name }) => name);

/** Another text for a cell of a column, by what it holds. */
const OTHER: Readonly<Record<string, string>> = {
  text: 'Another',
  number: '35',
  time: '13:00',
};

describe('A table of the clinic as a file (S-18)', () => {
  // Shows: S-18
  test('says what it would change before anything is, then imports just that', async () => {
    const first = await seen('pharmacies', BOTH);
    expect(first).toMatchObject({ rows: 2, changed: 2, problems: [], isImported: false });
    expect(first.changes.map(({ is, fields }) => `${is} ${fields[1]}`)).toEqual([
      'new Quay Drugs',
      'new Hill Drugs',
    ]);
    expect(await pharmacies()).toEqual([]);
    expect(await clinic.trail('imported')).toEqual([]);
    for (const _ of ['sent', 'sent again after a lost answer'])
      expect(await seen('pharmacies', BOTH, first.version)).toMatchObject({ isImported: true });
    expect(await pharmacies()).toEqual(['Quay Drugs', 'Hill Drugs']);
    expect(await clinic.trail('imported')).toMatchObject([
      {
        actor: `staff:${manager.id}`,
        subject: 'import:pharmacies',
        details: {
          rows: 2,
          changed: 2,
          removed: [],
          added: first.changes.map(({ fields }) => fields),
        },
      },
    ]);

    const second = await seen('pharmacies', BOTH.replace('Hill Drugs', 'Hill Pharmacy'));
    expect(second.changes.map(({ is, fields }) => `${is} ${fields[1]}`)).toEqual([
      'old Hill Drugs',
      'new Hill Pharmacy',
    ]);
    expect(await seen('pharmacies', BOTH)).toMatchObject({ changed: 0 });
  });

  test('with a fault names its line, and nothing of it is imported', async () => {
    const bad = `${HEAD}\np1,Quay Drugs,1 Quay Street,,604-555-0101\np2,,2 Hill Road,,604-555-0102\n`;
    const { problems, version } = await seen('pharmacies', bad);
    expect(problems).toEqual([{ line: 3, column: 'name', why: 'is empty' }]);
    expect(await seen('pharmacies', bad, version)).toMatchObject({ isImported: false });
    expect(await pharmacies()).toEqual([]);
  });

  test('takes phone numbers by the rule of all forms, and leaves a kept one that cannot be right', async () => {
    const row = (id: string, phone: string) => `${id},Drugs,1 Way,,${phone}`;
    const given = [row('p1', '+1 (604) 555-0101'), row('p2', "'+44 20 7946 0958"), row('p3', '')];
    const table = [HEAD, ...given, ''].join('\n');
    const { version } = await seen('pharmacies', table);
    await seen('pharmacies', table, version);
    const kept = async () =>
      (await clinic.database.db.select().from(pharmacy)).map(({ phone }) => phone);
    expect((await kept()).toSorted()).toEqual(['', '+442079460958', '604-555-0101']);
    const why = (phone: string) =>
      `must be one phone number such as 604-555-0123, or +44 20 7946 0958 of another country, not '${phone}'`;
    for (const phone of ['0000000000', '604-555-0101 x4', '604-555-01', '442079460958'])
      expect((await seen('pharmacies', `${HEAD}\n${row('p4', phone)}\n`)).problems).toEqual([
        { line: 2, column: 'phone', why: why(phone) },
      ]);
    await clinic.database.inTransaction((tx) =>
      tx
        .insert(pharmacy)
        .values({ id: 'p4', name: 'Old', address: '1 Way', fax: '', phone: '0000000000' }),
    );
    expect((await seen('pharmacies', `${HEAD}\n${row('p4', '0000000000')}\n`)).problems).toEqual(
      [],
    );
  });

  test('may have more rows than one statement writes', async () => {
    const lines = Array.from({ length: 15_000 }, (_, n) => `p${n},Quay Drugs,${n} Quay Street,,`);
    expect(await seen('pharmacies', [HEAD, ...lines, ''].join('\n'))).toMatchObject({
      rows: 15_000,
      changed: 15_000,
    });
    const twice = lines.map((line) => line.replace(/^p\d+/, 'p1'));
    const { problems } = await seen('pharmacies', [HEAD, ...twice, ''].join('\n'));
    expect(problems).toHaveLength(50);
  });

  test('is not imported where the clinic has changed since it was looked at', async () => {
    const { version } = await seen('pharmacies', BOTH);
    await clinic.database.inTransaction((tx) =>
      tx
        .insert(pharmacy)
        .values({ id: 'p1', name: 'Quay', address: '1 Quay Street', fax: '', phone: '' }),
    );
    expect((await send('pharmacies', BOTH, version)).code()).toBe('previewOutdated');
    // What the operator's commands say, who are shown no preview.
    expect((await send('pharmacies', BOTH, 'any')).code()).toBe('invalidInput');
    expect(await pharmacies()).toEqual(['Quay']);
  });

  test('brings the days ahead after it also where an import before has failed to', async () => {
    const codes = async () => {
      const rows = await clinic.database.db.select().from(scheduleDay);
      return rows.filter(({ providerId }) => providerId === '201').map((row) => row.codes);
    };
    await clinic.database.inTransaction((tx) =>
      tx.insert(provider).values({ id: '201', firstName: 'Noah', lastName: 'Reyes', status: '1' }),
    );
    const csv = `provider,weekday,from,to,code,validFrom\n201,Monday,09:00,10:00,O,2026-11-21\n`;
    const who = { actor: 'operator', now: clinic.clock.now(), wanted: 'any' };
    await importTable(clinic.platform, scheduleFile, Buffer.from(csv), who);
    expect(await codes()).toEqual([]);
    expect(await seen('schedule', csv)).toMatchObject({ changed: 0, isImported: false });
    expect((await codes()).filter((day) => day.includes('O')).length).toBeGreaterThan(10);
  });

  // Shows: S-17
  test('begins no field with a formula, and is read back as it was', async () => {
    const names = ['=HYPERLINK("http://x",1)', '+1', '-1', '@x', "'=x", "'plain", 'plain'];
    await clinic.database.inTransaction(async (tx) => {
      await tx.delete(provider);
      await tx
        .insert(provider)
        .values(
          names.map((firstName, at) => ({ id: `p${at}`, firstName, lastName: 'X', status: '1' })),
        );
    });
    const exported = await askDesk(clinic, 'deskExportTable', {
      cookie,
      params: { what: 'providers' },
    });
    const { name, csv } = exported.answer().extras;
    expect(name).toBe('providers.csv');
    for (const line of csv.split('\n')) expect(line).not.toMatch(/(^|,)"?\s*[=+\-@]/);
    expect(await seen('providers', csv)).toMatchObject({ rows: names.length, changed: 0 });
    expect(await clinic.trail('exported')).toMatchObject([{ subject: 'export:providers' }]);
  });

  test('of types and fees are shown row by row; one row that comes back changed leaves the order of types', async () => {
    const rows = async () => (await askDesk(clinic, 'deskSetUp', { cookie })).answer().extras;
    const { tables, types } = await rows();
    const columns = tables.find(({ what }) => what === 'types')?.columns ?? [];
    const at = columns.indexOf('minutes');
    expect(types.length).toBeGreaterThan(2);
    const changed = (types[2] ?? []).map((field, column) => (column === at ? '35' : field));
    const names = columns.map((name) => name.replace(/^\[|\]$/g, ''));
    const file = `${names.join()}\n${changed.join()}\n`;
    const { version, changes } = await seen('types', file);
    expect(changes).toHaveLength(2);
    expect((await send('types', file, version)).answer().extras.isImported).toBe(true);
    expect((await rows()).types).toEqual(types.map((row, line) => (line === 2 ? changed : row)));
  });

  // Shows: S-18
  test.each(['types', 'fees', 'codes', 'providers', 'paces', 'schedule', 'pharmacies'])(
    'of %s has rows and columns for a form: what that sends of a row changes nothing, and what its file undoes is undone',
    async (what) => {
      await clinic.database.inTransaction(async (tx) => {
        await tx
          .insert(pharmacy)
          .values({ id: 'p1', name: 'Quay', address: '1', fax: '', phone: '' });
        await tx.insert(providerType).values({ providerId: '101', type: 'O', minutes: 15 });
      });
      await imported(
        'schedule',
        'provider,weekday,from,to,code,validFrom\n101,Monday,09:00,12:00,O,2026-11-21\n101,Tuesday,09:00,11:00,P,2026-11-21\n',
      );
      const form = async () =>
        (await askDesk(clinic, 'deskTable', { cookie, params: { what } })).answer().extras;
      const { columns, whole, rows } = await form();
      const csv = (lines: readonly (readonly string[])[]) =>
        [columns.map(({ name }) => name), ...lines.map((line) => line.map(quoted))]
          .map((line) => `${line.join()}\n`)
          .join('');
      const quoted = (text: string) => `"${toSheetText(text).replaceAll('"', '""')}"`;
      const place = (name: string) => columns.findIndex((each) => each.name === name);
      const beside = (fields: readonly string[]) =>
        rows
          .map((row) => row.fields)
          .filter(
            (each) =>
              whole.length > 0 && whole.every((name) => each[place(name)] === fields[place(name)]),
          )
          .filter((each) => each !== fields);
      expect(rows.length).toBeGreaterThan(0);
      for (const { fields } of rows)
        expect(await seen(what, csv([...beside(fields), fields]))).toMatchObject({
          changed: 0,
          problems: [],
        });
      const exported = async () =>
        (await askDesk(clinic, 'deskExportTable', { cookie, params: { what } })).answer().extras
          .csv;
      const before = await exported();
      expect(before).not.toBe('');
      const first = rows[0]?.fields ?? [];
      const column = ['text', 'number', 'time']
        .map((kind) => columns.findIndex((each) => !each.isKey && each.kind === kind))
        .find((at) => at >= 0);
      const changed = first.map((field, at) =>
        at === column ? (OTHER[columns[at]?.kind ?? ''] ?? field) : field,
      );
      const file = csv([...beside(first), changed]);
      await imported(what, file);
      expect(await exported()).not.toBe(before);
      await imported(what, before);
      expect(await exported()).toBe(before);
      expect(await form()).toEqual({ columns, whole, rows });
    },
  );

  test('says what each column takes, and names the rows that another table has', async () => {
    const { columns, whole } = (
      await askDesk(clinic, 'deskTable', { cookie, params: { what: 'schedule' } })
    ).answer().extras;
    expect(whole).toEqual(['provider', 'validFrom']);
    const [provider, weekday, from, , code] = columns;
    expect(provider).toMatchObject({
      kind: 'choice',
      isKey: true,
      isNeeded: true,
      choices: [{ value: '101', name: '101 Amelia Stone' }],
    });
    expect(weekday?.choices.map(({ value }) => value)).toContain('Sunday');
    expect(from).toEqual({
      name: 'from',
      kind: 'time',
      isKey: true,
      isNeeded: true,
      otherwise: '',
      choices: [],
    });
    expect(code).toMatchObject({ kind: 'choice', isKey: false });
    const types = (
      await askDesk(clinic, 'deskTable', { cookie, params: { what: 'types' } })
    ).answer().extras.columns;
    const told = (name: string) => types.find((each) => each.name === name);
    expect(told('description')).toMatchObject({ kind: 'text', most: 60, isNeeded: true });
    expect(told('emrName')).toMatchObject({
      kind: 'text',
      most: 50,
      isNeeded: false,
      otherwise: '',
    });
    expect(told('insured')).toMatchObject({ otherwise: 'yes', isNeeded: false });
    expect(told('startEvery')).toMatchObject({ kind: 'number', isNeeded: false, otherwise: '' });
  });

  test('leaves a site, a name of the EMR and a sign where a file has no column for it; an empty cell takes it away', async () => {
    const type = 'O,In-person visit,5,inPerson,standard,comeToClinic';
    const types = 'code,description,minutes,mode,form,instruction';
    const kept = async () => {
      const { db } = clinic.database;
      const [[provider], [first]] = await Promise.all([
        db.select().from(providerPolicy),
        db.select().from(appointmentType).where(eq(appointmentType.code, 'O')),
      ]);
      return [provider?.location, first?.emrName, first?.hue, first?.shape];
    };
    const stands = ['Main Clinic', 'Office Visit', 'red', 'star'];
    await imported('providers', 'id,firstName,lastName,location\n101,Ada,Stone,Main Clinic\n');
    await imported('types', `${types},emrName,hue,shape\n${type},Office Visit,red,star\n`);
    expect(await kept()).toEqual(stands);
    await imported('providers', 'id,firstName,lastName\n101,Ada,Stoner\n');
    await imported('types', `${types}\n${type.replace('5', '10')}\n`);
    expect(await kept()).toEqual(stands);
    await imported('providers', 'id,firstName,lastName,location\n101,Ada,Stoner,\n');
    await imported('types', `${types},emrName,hue,shape\n${type.replace('5', '10')},,,\n`);
    expect(await kept()).toEqual([null, null, null, null]);
    expect((await seen('types', `${types},hue\n${type},mauve\n`)).problems).toMatchObject([
      { line: 2, column: 'hue' },
    ]);
  });

  test('binds a type to a name that the EMR has, and leaves one that it had', async () => {
    await clinic.database.inTransaction(async (tx) => {
      await tx
        .insert(emrName)
        .values({ kind: 'type', providerId: '', name: 'Office Visit', entries: 0 });
      await tx
        .update(appointmentType)
        .set({ emrName: 'Gone' })
        .where(eq(appointmentType.code, 'P'));
    });
    const head = 'code,description,minutes,mode,form,instruction,insured,emrName';
    const phone = 'P,Phone consultation,5,phone,standard,providerWillCall,yes,Gone';
    const file = (name: string) =>
      `${head}\nO,In-person visit,5,inPerson,standard,comeToClinic,yes,${name}\n${phone}\n`;
    expect((await seen('types', file('Visit'))).problems).toEqual([
      { line: 2, column: 'emrName', why: "the EMR has no type 'Visit'; it has Office Visit" },
    ]);
    expect(await seen('types', file('Office Visit'))).toMatchObject({ problems: [] });
    const { emrTypes, emrSites } = (await askDesk(clinic, 'deskSetUp', { cookie })).answer().extras;
    expect({ emrTypes, emrSites }).toEqual({ emrTypes: ['Office Visit'], emrSites: [] });
  });

  test('of slot codes has a question mark for what nobody has said, and for a code that serves nothing none', async () => {
    await clinic.close();
    await open({ emr: fakeEmr() });
    const credentials = { id: 'oscar', credentials: {} };
    await keepConnection(clinic.platform, credentials, { actor: 'clinic:test', now: 0 });
    await clinic.database.inTransaction((tx) =>
      tx.insert(slotCode).values({ code: 'C', description: 'Clinic', types: [] }),
    );
    const said = async () => {
      const { slotCodes = [] } = (await askDesk(clinic, 'deskSetUp', { cookie })).answer().extras;
      return slotCodes.find(([code]) => code === 'C')?.[2];
    };
    const imports = async (types: string) => {
      const csv = `code,description,types\nC,Clinic,${types}\n`;
      const { version, changed, problems } = await seen('codes', csv);
      await seen('codes', csv, version);
      return problems.length > 0 ? problems.map(({ why }) => why) : changed;
    };
    expect(await said()).toBe('?');
    expect(await imports('?')).toBe(0);
    expect(await said()).toBe('?');
    expect(await imports('')).toBe(2);
    expect(await said()).toBe('');
    expect(await imports('O P')).toBe(2);
    expect(await said()).toBe('O P');
    expect(await imports('O ?')).toEqual(["no appointment type has the code '?'"]);
  });

  test('that the EMR keeps is changed there', async () => {
    await clinic.close();
    await open({ emr: fakeEmr() });
    const { tables } = (await askDesk(clinic, 'deskSetUp', { cookie })).answer().extras;
    expect(tables.filter(({ isInEmr }) => isInEmr).map(({ what }) => what)).toEqual(['schedule']);
    expect((await send('schedule', 'provider')).code()).toBe('keptInEmr');
    expect((await send('pharmacies', BOTH)).statusCode).toBe(200);
  });
});

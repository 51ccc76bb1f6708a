/**
 * The stand-in against a real Open-O: each exchange in `recordings` is made again, and what the stand-in answers
 * has the status, the content type, the keys, the kinds of value and the faults that were recorded.
 */
import { readFileSync, readdirSync } from 'node:fs';

import { expect, onTestFinished, test, vi } from 'vitest';

import { type FakeOscar, blockByStaff, credentials, startFakeOscar } from '../fake/index.ts';
import { type Credential, signer } from '../src/oauth.ts';
import { parseXml } from '../src/xml.ts';

interface Recording {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body: string | null;
  };
  readonly response: Answer;
}
interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string | null;
}

const folder = new URL('recordings/', import.meta.url);
const names = readdirSync(folder).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Recording;

/** Where the stand-in answers otherwise, and why. */
const otherwise: Readonly<Record<string, { readonly reason: string; readonly lines: RegExp }>> = {
  'c-1-getAppointment': {
    reason: 'nobody can read this JSON: the stand-in has the number of its patient alone',
    lines: /appointment\.demographic\.|^text /,
  },
  'c-2-getAppointment-of-rest': {
    reason: 'as above',
    lines: /appointment\.demographic\.|^text /,
  },
  '00-providers_json': {
    reason: 'OSCAR’s own doctor has columns filled that no clinic fills',
    lines:
      /content\[\]\.(phone|workPhone|address|sex|dob|hsoNo|rmaNo|signed|email|title|last|pract)/,
  },
  'h-20-getProviders2': {
    reason: 'as above, and the system’s own row has fewer',
    lines:
      /return\.(address|dob|email|hsoNo|phone|practitionerNoType|rmaNo|signed|title|workPhone)/,
  },
  'f-13-oauth-info': {
    reason: 'nobody reads more of it than whom the token acts as',
    lines: /providers\./,
  },
};

test.each(names)('%s is answered as it was', async (name) => {
  const { request, response } = read(name);
  const fake = await clinicOf(name);
  const answer = await again(fake, name, request);
  const [was, is] = [linesOf(response), linesOf(answer)];
  const known = otherwise[name]?.lines ?? /(?!)/;
  const differences = [
    ...was.filter((line) => !is.includes(line)).map((line) => `- ${line}`),
    ...is.filter((line) => !was.includes(line)).map((line) => `+ ${line}`),
  ].filter((line) => !known.test(line.slice(2)));
  expect(differences).toEqual([]);
});

/** A line for each place in the answer, with the kind of value that stands there. */
function linesOf({ status, contentType, body }: Answer): readonly string[] {
  const lines = new Set([`status ${status}`, `type ${contentType}`]);
  const [text = '', fault] = (body ?? '').split(/(?=<ns1:XMLFault)/);
  if (fault !== undefined) lines.add(`text ${fault}`);
  if (text.startsWith('<soap:')) {
    const [soapFault] = /<soap:Fault>.*<\/soap:Fault>/s.exec(text) ?? [];
    if (soapFault === undefined) walk(lines, '', parseXml(text), true);
    else lines.add(soapFault);
  } else if (/^[{[]/.test(text)) walk(lines, '', JSON.parse(text), false);
  else lines.add(`text ${text.replaceAll(/(?<==)[\w-]{10,}|…/g, '…')}`);
  return [...lines];
}

function walk(lines: Set<string>, path: string, value: unknown, isXml: boolean): void {
  if (Array.isArray(value)) {
    if (value.length === 0) lines.add(`${path} is empty`);
    // XML has no lists: one of a kind is read as itself.
    for (const each of value) walk(lines, isXml ? path : `${path}[]`, each, isXml);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) walk(lines, `${path}.${key}`, each, isXml);
  } else lines.add(`${path} is ${kindOf(value, isXml)}`);
}

function kindOf(value: unknown, isXml: boolean): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)) return 'a moment';
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return 'a date';
  if (/^\d\d:\d\d:\d\d$/.test(value)) return 'a time';
  if (/^(true|false)$/.test(value)) return value;
  return isXml && /^-?\d+$/.test(value) ? 'a number' : 'a text';
}

test.each(names.filter((name) => /DayWorkSchedule|dst/.test(name)))(
  '%s is answered to the letter: an hour off where the server believes that the clock changed',
  async (name) => {
    const { request, response } = read(name);
    const answer = await again(await clinicOf(name), name, request);
    expect(answer.body).toBe(response.body);
  },
);

/** The clinic that was recorded, as it was when this was asked of it. */
async function clinicOf(name: string): Promise<FakeOscar> {
  const fake = await startFakeOscar({
    profile: 'openo',
    today: '2026-11-27',
    now: () => Date.parse('2026-11-27T14:48:00.007Z'),
  });
  onTestFinished(() => fake.stop());
  const { memory, switches } = fake;
  for (const table of ['providers', 'demographics', 'codes', 'types'] as const)
    memory[table].length = 0;
  memory.templates.clear();
  for (const [providerNo, lastName, firstName, providerType, status] of [
    ['200', 'Booking', 'Online', 'doctor', '1'],
    ['101', 'Okafor', 'Ada', 'doctor', '1'],
    ['103', 'Singh', 'Reena', 'receptionist', '1'],
    ['104', 'Former', 'Gone', 'doctor', '0'],
    ['-1', 'system', 'system', 'system', '1'],
  ] as const)
    memory.providers.push({ providerNo, lastName, firstName, providerType, status });
  for (const [code, description, duration] of [
    ['O', 'Office', '15'],
    ['L', 'Lunch', ''],
  ] as const)
    memory.codes.push({ id: 24, code, description, duration, confirm: 'N', bookinglimit: 1 });
  memory.types.push({ id: 1, name: 'Office Visit', duration: 15 });
  patientsOf(name, fake);
  rowsOf(name, fake);
  templateOf(name, fake);
  if (name.startsWith('q-')) switches.database = 'down';
  if (name.startsWith('m-7')) switches.hasRole = false;
  return fake;
}

const born = (dobYear: string, dobMonth: string, dobDay: string) => ({ dobYear, dobMonth, dobDay });

function patientsOf(name: string, { memory }: FakeOscar): void {
  const registered = {
    ...born('1988', '05', '07'),
    sex: 'F',
    hcType: 'BC',
    providerNo: '101',
    patientStatus: 'AC',
    email: 'a@example.org',
    phone: '604-555-0101',
    address: { address: '1 Test St', city: 'Vancouver', postal: 'V5Z1A1', province: 'BC' },
    joined: '2026-11-27',
    lastUpdateUser: null,
  };
  const created = {
    ...registered,
    ...born('1991', '04', '09'),
    firstName: 'NEWT',
    lastName: 'TESTPERSON',
    hin: '9012345678',
    providerNo: '',
    address: null,
    joined: null,
    lastUpdateUser: '200',
  };
  const avery = { ...registered, firstName: 'AVERY', lastName: 'LINDQVIST', hin: '9123456786' };
  memory.demographics.push(
    { ...avery, demographicNo: 1 },
    { ...avery, ...born('1969', '5', '7'), demographicNo: 2, lastName: 'OLD', hin: '9000000000' },
    { ...avery, demographicNo: 4, firstName: 'DAYO', lastName: 'OYELARAN', hin: '9000000001' },
    {
      ...avery,
      ...born('1985', '03', '03'),
      demographicNo: 10,
      lastName: 'STANKOVIC',
      providerNo: '',
      hin: '9678912345',
    },
  );
  if (!/^h-1[2-7]/.test(name)) return;
  const merged = /^h-1[23]/.test(name) ? {} : { headRecord: 11 };
  memory.demographics.push(
    { ...created, demographicNo: 11 },
    { ...created, ...merged, demographicNo: 12 },
  );
}

function rowsOf(name: string, { memory }: FakeOscar): void {
  const bySoap = {
    providerNo: '101',
    date: '2026-12-01',
    start: 9 * 3600,
    end: 9 * 3600 + 899,
    name: 'LINDQVIST,AVERY',
    demographicNo: 1,
    reason: 'Flu',
    notes: 'Office Visit [claim:1]',
    location: '',
    type: 'Office Visit',
    status: 't',
    creator: 'booking',
    creatorSecurityId: 129,
  };
  const byRest = { creator: '200', creatorSecurityId: null, lastUpdateUser: '200', remarks: '' };
  const add = (id: number, row: object) =>
    Object.assign(memory.addAppointment({ ...bySoap, ...row }), { id });
  if (/^([cdei]-|b-1|m-5)/.test(name)) {
    add(1, {});
    add(2, byRest);
  }
  if (name.startsWith('m-4')) add(880, {});
  if (name.startsWith('g-11')) blockByStaff(memory, { ...blocked, patient: 0 });
  if (name.startsWith('m-2'))
    blockByStaff(memory, { ...blocked, providerNo: '102', date: '2026-12-10', patient: null });
  if (!name.startsWith('m-3')) return;
  // An old row, of which most columns are NULL.
  const nothing = { reason: null, notes: null, location: null, status: null, creator: null };
  Object.assign(add(878, { providerNo: '102', date: '2026-12-11', type: '' }), nothing);
}

const blocked = {
  providerNo: '101',
  date: '2026-12-03',
  start: 540,
  minutes: 60,
  name: '.meeting',
};

/** The template that the recording shows, on a day with and one without a change of the clock. */
function templateOf(name: string, { memory }: FakeOscar): void {
  const [, date = ''] = /(\d{4}-\d\d-\d\d)T00/.exec(read(name).request.body ?? '') ?? [];
  const model = name.startsWith('a-2') ? name : 'm-1-dst-2027-03-15';
  const slots = read(model).response.body ?? '';
  const steps = Array.from({ length: 288 }, () => '_');
  for (const [, hour, minute, code] of slots.matchAll(/T(\d\d):(\d\d):.*?<scheduleCode>(\d+)</g))
    steps[Number(hour) * 12 + Number(minute) / 5] = String.fromCodePoint(Number(code));
  memory.templates.set(`101 ${date}`, steps.join(''));
}

/** Asks the stand-in what was asked then. */
async function again(fake: FakeOscar, name: string, { method, path, body }: Recording['request']) {
  const url = `${fake.base}${path}`;
  const isSoap = path.endsWith('Service');
  const handshake = /^\/ws\/oauth\/(initiate|token)$/.test(path);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (isSoap) headers['content-type'] = 'text/xml';
  else if (handshake) headers.authorization = await legOf(fake, name, url, body);
  else if (path.startsWith('/ws/services')) {
    headers['content-type'] = 'application/json';
    headers.authorization = await signatureOf(fake, name, method, url);
  }
  const sent = isSoap ? await withLogin(fake, name, body ?? '') : body;
  const form = path.endsWith('authorize')
    ? new URLSearchParams({ oauth_token: (await asked(fake)).key })
    : undefined;
  const answer = await fetch(url, {
    method,
    headers: form === undefined ? headers : {},
    ...(method !== 'GET' && { body: form ?? (handshake ? '' : sent) }),
  });
  const contentType = answer.headers.get('content-type');
  return { status: answer.status, contentType, body: await answer.text() };
}

const { consumer, soap, securityId } = credentials;

/** The recordings say whose login it was, and not its token. */
async function withLogin(fake: FakeOscar, name: string, body: string): Promise<string> {
  const token = await tokenOf(fake);
  if (/^a-[34]-/.test(name)) fake.restart();
  const given = name.startsWith('a-8') ? '' : name.startsWith('a-11') ? soap.password : token;
  const isOurs = name.startsWith('a-1-') || name.startsWith('q-5');
  return body
    .replace(/(<wsse:Username>)(?:129|132)</, `$1${securityId}<`)
    .replace('>…</wsse:Password>', `>${given}</wsse:Password>`)
    .replace('>openo2025<', isOurs ? `>${soap.password}<` : '>wrong<');
}

async function tokenOf(fake: FakeOscar): Promise<string> {
  const { database } = fake.switches;
  fake.switches.database = 'up';
  const body = (read('a-1-login2').request.body ?? '').replace('openo2025', soap.password);
  const answer = await fetch(`${fake.base}/ws/LoginService`, { method: 'POST', body });
  fake.switches.database = database;
  return /<securityTokenKey>(.*?)</.exec(await answer.text())?.[1] ?? '';
}

async function signatureOf(fake: FakeOscar, name: string, method: string, url: string) {
  const { access } = fake.consents;
  const token: { key: string; secret: string } = { ...credentials.token };
  const known = access.get(token.key);
  if (known !== undefined) known.providerNo = name.startsWith('m-5') ? '103' : '200';
  if (name.startsWith('f-11')) return signer(consumer, await granted(fake))({ method, url });
  if (name.startsWith('a-20')) token.key = 'nobody-has-it';
  if (name.startsWith('a-21')) token.secret = 'wrong';
  const client = name.startsWith('a-22') ? { ...consumer, key: 'nobody' } : consumer;
  if (!name.startsWith('a-23')) return signer(client, token)({ method, url });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  const header = signer(client, token)({ method, url });
  vi.useRealTimers();
  return header;
}

/** The Authorization header of the first or the last leg of the handshake. */
async function legOf(fake: FakeOscar, name: string, url: string, body: string | null) {
  const sent = JSON.parse((body ?? '').replace('signed: ', '')) as Record<string, string>;
  if (url.endsWith('initiate')) return signer(consumer)({ method: 'POST', url, handshake: sent });
  const token = await asked(fake);
  const verifier = fake.consents.approve(token.key, '200') ?? '';
  const given = name.startsWith('f-9') ? `oauth_verifier=${verifier}` : verifier;
  const sign = () =>
    signer(consumer, token)({ method: 'POST', url, handshake: { oauth_verifier: given } });
  if (name.startsWith('f-12'))
    await fetch(url, { method: 'POST', headers: { authorization: sign() } });
  return sign();
}

const pairOf = (text: string): Credential => {
  const fields = new URLSearchParams(text);
  return { key: fields.get('oauth_token') ?? '', secret: fields.get('oauth_token_secret') ?? '' };
};

/** A request token. */
async function asked(fake: FakeOscar): Promise<Credential> {
  const url = `${fake.base}/ws/oauth/initiate`;
  const handshake = { oauth_callback: 'oob' };
  const authorization = signer(consumer)({ method: 'POST', url, handshake });
  const answer = await fetch(url, { method: 'POST', headers: { authorization } });
  return pairOf(await answer.text());
}

/** A token that a provider granted. */
async function granted(fake: FakeOscar): Promise<Credential> {
  const url = `${fake.base}/ws/oauth/token`;
  const authorization = await legOf(fake, '', url, '{}');
  const answer = await fetch(url, { method: 'POST', headers: { authorization } });
  return pairOf(await answer.text());
}

// The OSCAR of `npm run topology -- road oscar`: the server that plays one, set up as a clinic with 2,000 charts,
// behind a certificate of its own authority, and what the people there know, approve and see.
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import {
  type FakeOscar,
  bookByStaff,
  credentials,
  dateAfter,
  daySheetOf,
  ownAuthority,
  startFakeOscar,
} from '@clinic/oscar/fake';
import { KINDS, addCharts, personAt } from '../apps/service/testing/oscar-charts.ts';

const HOST = 'oscar.kerrisdalepractice.ca';
const PORT = 8443;
const CHARTS = 2_000;
const DAYS = 91;
const DOCTORS = ['101', '102', '103', '105'];
/** Who signs up on the first day (tools/first-day.ts); the card is on the chart with spaces. */
const FIRST_PATIENT = { firstName: 'Kim', lastName: 'First', birthDate: '1984-05-17' };
/** From 9:00 to 17:00, in quarters of an hour. */
const TEMPLATE = [
  ['_', 36],
  ['C', 12],
  ['L', 4],
  ['P', 8],
  ['M', 4],
  ['A', 4],
  ['_', 28],
] as const;

/** Writes `ca.pem` into `folder`. */
export async function openOscar(folder: string) {
  writeFileSync(join(folder, 'ca.pem'), ownAuthority.ca);
  const fake = await startFakeOscar({ profile: 'openo', port: PORT, certificate: ownAuthority });
  const { memory } = fake;
  for (const [providerNo, lastName, providerType] of [
    ['105', 'Fontaine', 'doctor'],
    ['110', 'Adeyemi', 'nurse'],
    ['120', 'Lee', 'receptionist'],
    ['121', 'Park', 'receptionist'],
    ['130', 'Billing', 'admin'],
  ] as const)
    memory.providers.push({ providerNo, firstName: 'Sam', lastName, status: '1', providerType });
  // Our presets have other meanings for each of these.
  for (const [code, description] of [
    ['A', 'Administration'],
    ['L', 'Lunch'],
    ['M', 'Meeting'],
  ] as const)
    memory.codes.push({
      id: memory.nextId(),
      code,
      description,
      duration: '15',
      confirm: 'N',
      bookinglimit: 1,
    });
  memory.sites.push('Main Clinic', 'North');
  memory.templates.clear();
  const steps = TEMPLATE.map(([code, count]) => code.repeat(count)).join('');
  for (let day = 0; day < DAYS; day += 1) {
    const date = dateAfter(fake.today, day);
    if ([0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())) continue;
    for (const providerNo of [...DOCTORS, '110']) {
      memory.templates.set(`${providerNo} ${date}`, steps);
      const location = providerNo === '105' ? 'North' : 'Main Clinic';
      for (const start of [540, 600, 780])
        bookByStaff(memory, { providerNo, date, start, minutes: 15, demographicNo: 1, location });
    }
  }
  memory.holidays.add(dateAfter(fake.today, 26));
  for (let at = 0; memory.demographics.length < CHARTS - 1; at += 1) {
    const person = personAt(at);
    addCharts(memory, person, KINDS[at % KINDS.length]?.charts(person, at) ?? []);
  }
  const [chart = ''] = addCharts(memory, { ...FIRST_PATIENT, cardNumber: '' }, [
    { hin: '9876 543 218' },
  ]);
  return {
    address: `https://${HOST}:${PORT}/oscar`,
    host: HOST,
    charts: memory.demographics.length,
    close: () => fake.stop(),
    known: whatIsKnown,
    approve,
    onDaySheets: () => onDaySheets(fake, chart),
  };
}

/** What the pages leave open, in their order: what stands there, what takes its place, and what it asks for. */
const whatIsKnown = (firstDay: string) => [
  { open: 'export SITE=', asks: ['name of the site'] },
  { open: 'export OSCAR=', asks: ['address of OSCAR'] },
  { open: 'SMTP_URL=', asks: ['mail server', 'address that emails come from'] },
  { open: 'CLINIC_NAME=', asks: ['name', 'email', 'phone', 'address', 'hours for walk-ins'] },
  { open: 'BOOKING_FEE=', asks: ['fee for booking', 'fee for a no-show'] },
  { open: 'install -m 644 ca.pem', asks: ['certificate of the authority'] },
  { open: 'types fees pharmacies', asks: ['types', 'what they cost', 'pharmacies'] },
  {
    open: '"client": { "key": "…", "secret": "…" }',
    is: `"client": ${JSON.stringify(credentials.consumer)}`,
    asks: ['key of the REST client', 'secret of the REST client'],
  },
  {
    open: '"login": { "userName": "…", "password": "…" }',
    is: `"login": ${JSON.stringify(credentials.soap)}`,
    asks: ['name of the login', 'password of the login'],
  },
  { open: '"programId": 10034', asks: ['number of the programme'] },
  { open: '"hidden": ["200"]', asks: ['number of the account of the service'] },
  {
    open: "'oauth_verifier=…'",
    is: '"$(until cat /root/verifier 2>&-; do sleep 1; done)"',
    asks: [],
  },
  { open: 'clinic staff invite', asks: ['first member of staff'] },
  { open: '--book …', is: '--book 1', asks: ['number of the test patient'] },
  { open: 'clinic emr check --book', is: `${firstDay} set-up\nclinic emr check --book`, asks: [] },
];

/** Opens the address that `emr connect` printed, logs in, approves, and returns what OSCAR shows. */
async function approve(address: string): Promise<string> {
  const { ca } = ownAuthority;
  const ask = (method: string, path: string, body = '') =>
    new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const options = {
        host: '127.0.0.1',
        port: PORT,
        servername: HOST,
        ca,
        method,
        path,
        headers,
      };
      request(options, (answer) => void text(answer).then(resolve, reject))
        .once('error', reject)
        .end(body);
    });
  const { pathname, search } = new URL(address);
  const page = await ask('GET', `${pathname}${search}`);
  const [, token = ''] = /name="oauth_token" value="(\w+)"/.exec(page) ?? [];
  const shown = await ask('POST', pathname, new URLSearchParams({ oauth_token: token }).toString());
  return /oauth_verifier=[\w-]+/.exec(shown)?.[0] ?? '';
}

/** What was booked online, as staff read it on their day sheets, and whether it stands on the patient's own chart. */
const onDaySheets = ({ memory }: FakeOscar, chart: string) =>
  memory.appointments
    .filter(({ notes }) => notes.includes('[claim:'))
    .map((row) => ({
      says: `${row.date} with ${row.providerNo} at ${row.location}: ${row.type}, ${row.name}, ${row.reason}`,
      isRight:
        daySheetOf(memory, row.providerNo, row.date).includes(row) &&
        String(row.demographicNo) === chart,
    }));

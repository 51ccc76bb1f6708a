// The first day of a new clinic, through the calls that the pages make. The first patient signs up, follows
// the link in the email, signs in and books. The first member of staff accepts the invitation, signs in at
// the front desk and sees the appointment. Run once by `npm run topology -- road`:
//   node tools/first-day.ts <address of the clinic> <folder in which its emails arrive>
// On an OSCAR it is run with a third word, `set-up`, before: the member of staff signs in, and says what
// OSCAR's letters, types and sites are here, and whom patients see. Each decision is a line.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClinicTable, DeskCallId } from '@clinic/contract';
import type { CallId } from '@clinic/contract/routes';
import { type CallResult, clientOver, createClient } from '@clinic/contract/client';
import { currentAgreement } from '@clinic/contract/agreements';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { formatAppointment, toClinic, toSheetText } from '@clinic/domain';
import { totpCode } from '../apps/service/src/security/totp.ts';
import { solvedCaptcha } from '../e2e/src/solved-captcha.ts';

const [, , clinicUrl = '', mailbox = '', what = ''] = process.argv;
const email = 'kim@patient.ca';
const PASSWORD = 'First-Patient-2026';
let token = '';
const ask = createClient({
  base: `${clinicUrl}/api`,
  fetch,
  headers: () => (token === '' ? {} : { 'x-access-token': token }),
});

function answerOf<Id extends CallId | DeskCallId>(result: CallResult<Id>) {
  if (result.kind === 'answer') return result.answer;
  throw new Error(`The clinic answers ${JSON.stringify(result)}`);
}

const STAFF_PASSWORD = 'Kettle-and-Fern-2026';
/** A code works once; the service already accepts the next period's code. */
const PERIOD_SECONDS = 30;
/** The session goes on from one run to the next. */
const SESSION = join(mailbox, '../desk-session');
let cookie = existsSync(SESSION) ? readFileSync(SESSION, 'utf8') : '';
const atDesk = clientOver<DeskCallId>(deskRoutes, {
  base: `${clinicUrl}/api`,
  fetch,
  headers: () => ({ origin: clinicUrl, cookie }),
  onAnswer: ({ headers }) => {
    const [given] = headers.getSetCookie();
    if (given !== undefined) cookie = given.split(';', 1)[0] ?? '';
  },
});
/** What the people of the clinic say of OSCAR's letters and types; a letter that is not here serves none. */
const SERVES: Readonly<Record<string, string>> = { C: 'O', P: 'P' };
const CALLED: Readonly<Record<string, string>> = {
  O: 'Office Visit',
  P: 'Phone',
  V: 'Office Visit',
};
const NURSE = '110';

if (cookie === '') await signInAtDesk();
if (what === 'set-up') await setUp();
else await seeOnDaySheet(await bookAsPatient());

async function bookAsPatient() {
  await ask('register', {
    body: {
      firstName: 'Kim',
      lastName: 'First',
      gender: 'Female',
      address: '12 Main Street',
      city: 'Vancouver',
      province: 'BC',
      postal: 'V5K 0A1',
      mobilePhone: '604-555-0142',
      email,
      emailConfirm: email,
      password: PASSWORD,
      passwordConfirm: PASSWORD,
      healthCardProvince: 'BC',
      healthCardNumber: '9876543218',
      healthCardNumberConfirm: '9876543218',
      country: 'Canada',
      birthDay: 17,
      birthMonth: 5,
      birthYear: 1984,
      consent: { given: true, version: currentAgreement('signUp').version },
      recaptcha: await solvedCaptcha(clinicUrl),
    },
  }).then(answerOf);
  console.log(`signed up as ${email}`);
  const link = await theNext(() => /\/confirm\/([\w-]+)/.exec(emails())?.[1]);
  answerOf(await ask('confirmEmail', { body: { token: link, password: PASSWORD } }));
  console.log('confirmed by the link of the email');
  const { extras } = answerOf(
    await ask('login', {
      body: {
        method: 'email',
        email,
        password: PASSWORD,
        recaptcha: await solvedCaptcha(clinicUrl),
      },
    }),
  );
  token = extras.accessToken ?? '';
  const { id, demographicNo } = answerOf(await ask('getMe', {}));
  answerOf(await ask('createDemographics', { body: { id, hasFamilyDoc: false } }));
  console.log(`signed in, with the record ${demographicNo}`);
  const { slot } = answerOf(await ask('earliestSlot', { query: { type: 'O', id: '-1' } })).extras;
  if (slot === null) throw new Error('There is no time to book');
  const wanted = { start: slot.start, end: slot.end, doctor: slot.doctor, selectedType: 'O' };
  answerOf(await ask('placeHold', { body: wanted }));
  answerOf(
    await ask('createBooking', {
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { ...wanted, reason: 'a cough' },
    }),
  );
  const { appointments } = answerOf(await ask('listAppointments', { query: {} }));
  if (appointments.length !== 1) throw new Error('The appointment is not in My Appointments');
  console.log(`booked ${formatAppointment(slot.start)} with the provider ${slot.doctor}`);
  await theNext(() => (/appointment\.ics/.test(emails()) ? 'sent' : undefined));
  console.log('and the email with the appointment has arrived');
  return slot;
}

async function signInAtDesk() {
  const now = Math.floor(Date.now() / 1000);
  const page = await fetch(`${clinicUrl}/desk`);
  if (!page.ok) throw new Error(`The front desk answers ${page.status}`);
  const invitation = await theNext(() => /\/desk\/invitation#([\w-]+)/.exec(emails())?.[1]);
  const { extras: invited } = answerOf(
    await atDesk('deskReadInvitation', { body: { token: invitation } }),
  );
  answerOf(
    await atDesk('deskAcceptInvitation', {
      body: { token: invitation, password: STAFF_PASSWORD, code: totpCode(invited.secret, now) },
    }),
  );
  const { extras: session } = answerOf(
    await atDesk('deskSignIn', {
      body: {
        email: invited.email,
        password: STAFF_PASSWORD,
        code: totpCode(invited.secret, now + PERIOD_SECONDS),
        // Nobody is known at a new computer.
        recaptcha: await solvedCaptcha(clinicUrl),
      },
    }),
  );
  console.log(`${session.name} is signed in at the front desk as ${session.roles.join(', ')}`);
  writeFileSync(SESSION, cookie);
}

async function seeOnDaySheet(slot: { readonly start: number; readonly doctor: string }) {
  const { extras: sheet } = answerOf(
    await atDesk('deskDay', { params: { date: toClinic(slot.start).date } }),
  );
  const seen = sheet.providers
    .find(({ id: provider }) => provider === slot.doctor)
    ?.appointments.find(({ start }) => start === slot.start);
  if (!seen?.patient?.includes('First')) throw new Error('The day sheet lacks the appointment');
  console.log(`and sees ${seen.patient} on the day sheet`);
}

async function setUp() {
  const { extras } = answerOf(await atDesk('deskSetUp', {}));
  const { tables, types, doctors = [], slotCodes = [], weekly = [], emrSites = [] } = extras;
  type Row = Readonly<Record<string, string>>;
  const rowsOf = (table: ApiClinicTable, rows: readonly (readonly string[])[]): Row[] => {
    const columns = tables.find((each) => each.what === table)?.columns ?? [];
    const names = columns.map((name) => name.replace(/^\[|\]$/g, ''));
    return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
  };
  /** As the form does it: a look at what would change, and then the change. */
  async function say(table: ApiClinicTable, row: Row, decision: string) {
    const field = (each: string) => `"${toSheetText(each).replaceAll('"', '""')}"`;
    const csv = `${Object.keys(row).join()}\n${Object.values(row).map(field).join()}\n`;
    const params = { what: table };
    const file = Buffer.from(csv).toString('base64');
    const seen = answerOf(await atDesk('deskImportTable', { params, body: { file } })).extras;
    const { version, problems } = seen;
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    answerOf(await atDesk('deskImportTable', { params, body: { file, version } }));
    console.log(`decided: ${decision}`);
  }
  for (const row of rowsOf('codes', slotCodes)) {
    const { code = '', description } = row;
    if (!weekly.some((each) => each.code === code && each.minutes > 0)) continue;
    const serves = SERVES[code] ?? '';
    await say('codes', { ...row, types: serves }, `${code} ${description} is ${serves || 'none'}`);
  }
  for (const row of rowsOf('types', types)) {
    const { code = '', description } = row;
    const emrName = CALLED[code] ?? '';
    await say('types', { ...row, emrName }, `${code} ${description} is ${emrName} in OSCAR`);
  }
  for (const row of rowsOf('providers', doctors)) {
    const { id, lastName } = row;
    if (row['status'] !== '1' || id === NURSE) continue;
    const shown = { ...row, hidden: 'no' };
    await say('providers', shown, `patients see ${id} ${lastName}`);
    const location = emrSites.find(({ providerId }) => providerId === id)?.name ?? '';
    await say('providers', { ...shown, location }, `${id} ${lastName} works at ${location}`);
  }
}

/** All emails so far, with the line breaks of quoted-printable removed. */
function emails(): string {
  const files = readdirSync(mailbox).map((file) => readFileSync(join(mailbox, file), 'latin1'));
  return files.join('\n').replaceAll('=\r\n', '');
}

async function theNext(look: () => string | undefined): Promise<string> {
  for (let tries = 0; tries < 60; tries++) {
    const found = look();
    if (found !== undefined) return found;
    await pause(500);
  }
  throw new Error('The email does not arrive');
}
